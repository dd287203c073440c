// Objects at rest stay in place, cost nothing, and wake when something happens to them.
#include <gtest/gtest.h>

#include "scenes/dynamics.h"
#include "tests/scenes/claw.h"

namespace glovebox::scenes {
namespace {

using Eigen::Vector3f;

struct Falling {
    explicit Falling(Scene the_scene) : scene(std::move(the_scene)), dynamics(scene) {
        for (const SceneObject& object : scene.objects) places.push_back(object.world_from_object);
    }
    void run(double seconds) {
        for (double t_s = 0.0; t_s < seconds; t_s += 1.0 / 90.0) dynamics.step(scene, {}, 1.0 / 90.0, places);
    }
    int asleep() const {
        int count = 0;
        for (int i = 0; i < static_cast<int>(scene.objects.size()); ++i)
            if (scene.objects[static_cast<std::size_t>(i)].motion == Motion::dynamic && dynamics.sleeps(i)) ++count;
        return count;
    }

    Scene scene;
    Dynamics dynamics;
    std::vector<Eigen::Isometry3f> places;
};

// Balls and bricks over a mesh with a millimetre of scanner noise.
TEST(Rest, ThingsThatFellOnAScannedDeskStopAndStayWhereTheyAre) {
    Scene scene = load_scene("room-scan");
    constexpr int kCount = 8;
    for (int i = 0; i < kCount; ++i) {
        const float half_m = 0.014F + 0.002F * static_cast<float>(i);
        const Vector3f at_m(-0.15F + 0.1F * static_cast<float>(i % 4), 0.12F, 0.05F + 0.1F * static_cast<float>(i / 4));
        scene.objects.push_back(i % 2 == 0 ? ball_object(half_m, at_m)
                                           : box_object(Vector3f::Constant(half_m), at_m, Motion::dynamic));
    }
    Falling world(std::move(scene));
    world.run(8.0);
    EXPECT_EQ(world.asleep(), kCount);
    const auto before = world.places;
    world.run(2.0);
    for (std::size_t i = 1; i < world.places.size(); ++i) EXPECT_TRUE(world.places[i].isApprox(before[i], 0.0F)) << i;
}

TEST(Rest, ASleepingStackWakesWhenWhatItStandsOnIsTakenAway) {
    Scene scene;
    scene.objects = {box_object({0.5F, 0.05F, 0.5F}, {0.0F, -0.05F, 0.0F}),
                     box_object({0.03F, 0.03F, 0.03F}, {0.0F, 0.03F, 0.0F}, Motion::dynamic),
                     box_object({0.03F, 0.02F, 0.03F}, {0.0F, 0.08F, 0.0F}, Motion::dynamic),
                     box_object({0.03F, 0.02F, 0.03F}, {0.3F, 0.02F, 0.0F}, Motion::dynamic)};
    Falling world(std::move(scene));
    world.run(3.0);
    ASSERT_EQ(world.asleep(), 3);
    EXPECT_NEAR(world.places[2].translation().y(), 0.08F, 0.002F);
    world.dynamics.place(1, Eigen::Isometry3f(Eigen::Translation3f(-0.3F, 0.03F, 0.0F)));
    EXPECT_TRUE(world.dynamics.sleeps(3));  // far away
    world.run(3.0);
    EXPECT_NEAR(world.places[2].translation().y(), 0.02F, 0.002F);
    EXPECT_EQ(world.asleep(), 3);
}

TEST(Rest, SlowThingsAreNotStoppedInTheirWay) {
    Scene scene;
    scene.objects = {box_object({0.5F, 0.05F, 0.5F}, {0.0F, -0.05F, 0.0F}), ball_object(0.03F, {0.0F, 0.03F, 0.0F})};
    scene.gravity_m_s2 = {0.4F, -9.81F, 0.0F};  // a table inclined by two degrees
    Falling world(std::move(scene));
    world.run(2.0);
    EXPECT_FALSE(world.dynamics.sleeps(1));
    EXPECT_GT(world.places[1].translation().x(), 0.1F);
}

}  // namespace
}  // namespace glovebox::scenes
