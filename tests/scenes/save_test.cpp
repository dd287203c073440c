// Saved worlds: the same hands give the same hashes after restore() as after save(), whatever the objects were doing.
#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "tests/scenes/claw.h"

namespace glovebox::scenes {
namespace {

using Eigen::Isometry3f;
using Eigen::Vector3f;

constexpr int kFrames = 360;

// A fixed table with a stack, a row of boxes side by side with equal edges, balls that roll, a key on a spring, a door
// on a hinge, a tray that the application moves, and a box that the hand grabs and throws.
Scene busy_scene() {
    Scene scene;
    const auto add = [&](SceneObject object, const char* name) -> SceneObject& {
        object.name = name;
        return scene.objects.emplace_back(std::move(object));
    };
    add(box_object({0.6F, 0.05F, 0.4F}, {0.0F, -0.05F, 0.0F}), "table");
    for (int i = 0; i < 4; ++i)
        add(box_object({0.03F, 0.02F, 0.03F}, {0.3F, 0.02F + 0.04F * static_cast<float>(i), 0.0F}, Motion::dynamic),
            "stack");
    for (int i = 0; i < 4; ++i)
        add(box_object({0.02F, 0.02F, 0.02F}, {-0.4F + 0.04F * static_cast<float>(i), 0.02F, 0.2F}, Motion::dynamic),
            "row");
    for (int i = 0; i < 3; ++i) add(ball_object(0.02F, {-0.3F + 0.1F * static_cast<float>(i), 0.10F, -0.2F}), "ball");
    add(box_object({0.03F, 0.03F, 0.03F}, {0.0F, 0.03F, 0.0F}, Motion::dynamic), "held");
    SceneObject& key = add(box_object({0.01F, 0.01F, 0.01F}, {0.05F, 0.02F, 0.15F}, Motion::dynamic), "key");
    key.mass_kg = 0.003F;
    key.joint = {JointKind::slider, Vector3f::UnitY(), Vector3f::Zero(), -0.004F, 0.0F, 150.0F, 0.8F};
    SceneObject& door = add(box_object({0.06F, 0.05F, 0.005F}, {0.0F, 0.1F, -0.35F}, Motion::dynamic), "door");
    door.joint = {JointKind::hinge, Vector3f::UnitY(), {-0.06F, 0.0F, 0.0F}, -1.0F, 2.0F, 0.05F, 0.002F};
    add(box_object({0.08F, 0.005F, 0.08F}, {-0.2F, 0.05F, 0.0F}), "tray");
    add(ball_object(0.015F, {-0.2F, 0.08F, 0.0F}), "rider");
    scene.respawn_after_s = 1.0F;
    return scene;
}

constexpr int kTray = 15, kDoor = 14, kHeld = 12;

// Closes on the box, lifts it, throws it into the stack, comes back through the row, and pauses.
tracking::HandFrame hand_at(int i) {
    Claw claw;
    const float time_s = static_cast<float>(i) / 90.0F;
    claw.middle_m = {0.0F, 0.035F, 0.0F};
    claw.half_gap_m = i < 20 ? 0.05F : i < 110 ? 0.037F : 0.06F;
    if (i > 40) claw.middle_m.y() += 0.15F * std::min(1.0F, time_s - 0.44F);
    if (i > 80) claw.middle_m.x() += 0.8F * std::min(0.35F, time_s - 0.88F);
    if (i > 130) claw.middle_m += Vector3f(-0.5F, -0.1F, 0.2F) * std::min(1.2F, time_s - 1.44F);
    // No two frames are equal: such a hand would be taken for a tracker that hangs.
    claw.middle_m.z() += 1e-5F * static_cast<float>(i % 7);
    return claw.frame();
}

// Runs the frames from `begin` and returns their hashes. The application swings the tray, puts the door and a box.
std::vector<std::uint64_t> run(const Scene& scene, World& world, int begin, int end) {
    std::vector<std::uint64_t> hashes;
    for (int i = begin; i < end; ++i) {
        if (i > 100) {
            Isometry3f tray = scene.objects[kTray].world_from_object;
            tray.translation().x() += 0.05F * std::sin(0.05F * static_cast<float>(i - 100));
            EXPECT_EQ(set_object_pose(scene, world, kTray, tray), "");
        }
        if (i == 150 || i == 300) {
            EXPECT_EQ(set_object_velocity(scene, world, kDoor, Vector3f::Zero(), {0.0F, 3.0F, 0.0F}), "");
        }
        if (i == 200) {
            const Isometry3f drop(Eigen::Translation3f(0.3F, 0.4F, 0.0F));
            EXPECT_EQ(set_object_pose(scene, world, kHeld, drop), "");
        }
        tracking::HandPair hands;
        for (tracking::HandFrame& hand : hands.hands) hand.active = false;
        if (i % 120 < 112) hands[tracking::Side::right] = hand_at(i);
        hands.time_ns = static_cast<std::int64_t>(1e9 * i / 90.0);
        hashes.push_back(step(scene, world, hands, i == 0 ? 0.0 : 1.0 / 90.0).state_hash);
    }
    return hashes;
}

TEST(SavedWorld, TheSameHandsGiveTheSameHashesAfterARestore) {
    const Scene scene = busy_scene();
    World straight(scene);
    const std::vector<std::uint64_t> expected = run(scene, straight, 0, kFrames);
    int slept = 0;
    for (int object = 1; object < static_cast<int>(scene.objects.size()); ++object)
        slept += straight.dynamics->sleeps(object) ? 1 : 0;
    EXPECT_GT(slept, 3) << "some objects must have come to rest";

    // Saving changes nothing.
    World world(scene);
    std::vector<SavedWorld> states;
    std::vector<std::uint64_t> saved_along;
    for (int i = 0; i < kFrames; ++i) {
        if (i % 12 == 0) states.push_back(save(world));
        saved_along.push_back(run(scene, world, i, i + 1).front());
    }
    ASSERT_EQ(saved_along, expected);

    // Back from the end to each state in turn, and on for 60 frames; and the same in a world that has not run yet.
    for (std::size_t k = states.size(); k-- > 0;) {
        const int begin = 12 * static_cast<int>(k), end = std::min(kFrames, begin + 60);
        World fresh(scene);
        for (World* each : {&world, &fresh}) {
            restore(states[k], *each);
            const auto hashes = run(scene, *each, begin, end);
            for (int i = begin; i < end; ++i)
                ASSERT_EQ(hashes[static_cast<std::size_t>(i - begin)], expected[static_cast<std::size_t>(i)])
                    << "saved before frame " << begin << ", differs in frame " << i
                    << (each == &fresh ? " in a fresh world" : "");
        }
    }
}

TEST(SavedWorld, OutlivesItsWorld) {
    const Scene scene = busy_scene();
    SavedWorld state;
    std::vector<std::uint64_t> expected;
    {
        World world(scene);
        run(scene, world, 0, 100);
        state = save(world);
        expected = run(scene, world, 100, 130);
    }
    World other(scene);
    restore(state, other);
    EXPECT_EQ(run(scene, other, 100, 130), expected);
}

TEST(SavedWorld, IsRefusedByAnotherScene) {
    const Scene scene = busy_scene();
    Scene other = scene;
    other.objects.pop_back();
    const World world(scene);
    World smaller(other);
    EXPECT_THROW(restore(save(world), smaller), std::invalid_argument);
}

}  // namespace
}  // namespace glovebox::scenes
