// A program of its own, because it counts allocations by replacing the global operator new. Whole frames, with Bullet
// and the haptics, are watched in tests/vr/session/allocation_test.cpp.
#include <gtest/gtest.h>

#include "tests/count_allocations.h"
#include "tests/scenes/claw.h"

namespace glovebox::scenes {
namespace {

// A plate moves back and forth at 5 m/s through the index fingertip, rotating. The hand rests, or moves fast itself
// beside a ball that it can push.
TEST(Steps, AllocateNothingOnceWarmWhileRecordedObjectsAreMetOnTheirWay) {
    for (const bool moving : {false, true}) {
        SceneObject plate = box_object({0.001F, 0.03F, 0.03F}, {0.05F, 0.5F, 0.0F}, Motion::recorded);
        plate.track.emplace();
        for (int i = 0; i < 200; ++i) {
            Eigen::Isometry3f pose = Eigen::Isometry3f::Identity();
            pose.translation() = Eigen::Vector3f(i % 2 == 0 ? 0.022F : 0.078F, 0.5F, 0.0F);
            pose.linear() = Eigen::AngleAxisf(i % 2 == 0 ? 0.2F : -0.1F, Eigen::Vector3f::UnitY()).toRotationMatrix();
            plate.track->time_ns.push_back(static_cast<std::int64_t>(i) * 11'111'111);
            plate.track->world_from_object.push_back(pose);
        }
        Scene scene;
        scene.objects = {plate, ball_object(0.01F, {0.05F, 0.44F, 0.0F})};
        scene.gravity_m_s2.setZero();
        World world(scene);
        tracking::HandPair hands;
        for (tracking::HandFrame& hand : hands.hands) hand.active = false;
        std::int64_t warm = 0;
        int touches = 0, sub_steps = 1;
        for (int i = 0; i < 200; ++i) {
            Claw claw;
            if (moving) claw.middle_m.y() += i % 2 == 0 ? 0.01F : -0.01F;
            hands.time_ns = static_cast<std::int64_t>(i) * 11'111'111;
            hands[tracking::Side::right] = claw.frame();
            if (i == 40) warm = allocations;
            const StepReport report = step(scene, world, hands, i == 0 ? 0.0 : 1.0 / 90.0);
            for (const Event& event : report.events)
                touches += event.kind == EventKind::touch_begin && event.object == 0 ? 1 : 0;
            sub_steps = std::max(sub_steps, world.sub_steps);
        }
        EXPECT_EQ(allocations, warm) << (moving ? "the hand moves" : "the hand rests");
        EXPECT_GT(warm, 0);
        EXPECT_GT(touches, 0);
        EXPECT_EQ(sub_steps > 1, moving);
    }
}

// A held box moves with a hand that jumps back and forth over a table.
TEST(Steps, AllocateNothingOnceWarmWhileAHeldThingGoesAlongWithJumps) {
    Scene scene;
    scene.objects = {box_object({0.03F, 0.03F, 0.03F}, {0.0F, 0.53F, 0.0F}, Motion::dynamic),
                     box_object({0.5F, 0.05F, 0.5F}, {0.0F, 0.45F, 0.0F})};
    scene.objects[0].material.friction_static = 0.8F;
    Session session(scene);
    std::int64_t warm = 0;
    int jumps = 0;
    session.events.reserve(100'000);
    session.stays.reserve(100'000);
    for (int i = 0; i < 400; ++i) {
        if (i == 150) warm = allocations;
        Claw claw;
        claw.half_gap_m = i < 10 ? 0.05F : 0.037F;
        claw.middle_m = {i / 20 % 2 == 0 ? 0.0F : 0.2F, i / 20 % 3 == 2 ? 0.6F : 0.53F, 0.0F};
        tracking::HandFrame hand = claw.frame();
        hand.discontinuous = i % 20 == 0;
        jumps += i > 150 && hand.discontinuous && session.world.holds[2].holding ? 1 : 0;
        session.step(hand);
    }
    EXPECT_EQ(allocations, warm);
    EXPECT_GT(jumps, 3);
}

}  // namespace
}  // namespace glovebox::scenes
