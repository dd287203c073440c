#include "scenes/dynamics.h"

#include <gtest/gtest.h>

#include "tests/scenes/claw.h"

namespace glovebox::scenes {
namespace {

using Eigen::Vector3f;

// A tray whose track stands still at y = 1, and a ball on it. The scene's pose of the tray is the origin.
Scene ball_on_tracked_tray() {
    Scene scene;
    scene.objects = {box_object({0.2F, 0.01F, 0.2F}, Vector3f::Zero(), Motion::recorded),
                     ball_object(0.035F, {0.0F, 1.045F, 0.0F})};
    const Eigen::Isometry3f at(Eigen::Translation3f(0.0F, 1.0F, 0.0F));
    scene.objects[0].track.emplace();
    scene.objects[0].track->time_ns = {0, 10'000'000'000};
    scene.objects[0].track->world_from_object = {at, at};
    scene.respawn_after_s = 1e6F;
    return scene;
}

// It once started at the scene's pose, reached its track within a frame, and threw the ball.
TEST(Dynamics, ARecordedObjectStartsOnItsTrackAtRest) {
    for (const double first_dt_s : {0.0, 1.0 / 90.0}) {
        const Scene scene = ball_on_tracked_tray();
        World world(scene);
        tracking::HandPair hands;
        for (int frame = 0; frame < 90; ++frame) {
            hands.time_ns = 11'111'111 * std::int64_t{frame};
            step(scene, world, hands, frame == 0 ? first_dt_s : 1.0 / 90.0);
            EXPECT_LT(world.dynamics->velocity_at(0, {0.0F, 1.0F, 0.0F}).norm(), 1e-4F) << frame;
            EXPECT_NEAR(world.world_from_object[1].translation().y(), 1.045F, 0.002F) << frame;
        }
    }
}

}  // namespace
}  // namespace glovebox::scenes
