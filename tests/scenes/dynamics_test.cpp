#include "scenes/dynamics.h"

#include <gtest/gtest.h>

#include <cmath>

#include "collision/box/convex_hull.h"
#include "collision/mesh/mesh_tree.h"
#include "collision/survey/tree/sample_meshes.h"
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

// The same plank of 200 x 100 x 60 mm as each kind of shape.
std::vector<collision::Shape> planks(const Eigen::Isometry3f& object_from_plank) {
    const Vector3f half_m(0.1F, 0.05F, 0.03F);
    const collision::Mesh mesh = collision::box_mesh(half_m);
    return {collision::RoundedBox{{object_from_plank.translation(), object_from_plank.linear(), half_m}, 0.0F},
            collision::HullInstance{collision::ConvexHull::from_points(mesh.vertices_m), object_from_plank},
            collision::MeshInstance{collision::MeshTree::build(mesh), object_from_plank}};
}

// A shape's own frame once counted for contacts with hands, but not for contacts between objects.
TEST(Dynamics, AShapeWithAFrameOfItsOwnRestsOnAndCarriesOthers) {
    const Eigen::Isometry3f upright =
        Eigen::Translation3f(0.3F, 0.1F, 0.0F) * Eigen::AngleAxisf(1.5707963F, Vector3f::UnitZ());
    for (const Motion motion : {Motion::dynamic, Motion::fixed})
        for (const collision::Shape& shape : planks(upright)) {
            Scene scene;
            scene.objects = {box_object({1.0F, 0.05F, 1.0F}, {0.0F, -0.05F, 0.0F}),
                             box_object(Vector3f::Ones(), Vector3f::Zero(), motion),
                             ball_object(0.02F, {0.3F, 0.221F, 0.0F})};
            scene.objects[1].shape = shape;
            scene.respawn_after_s = 1e6F;
            Session session(scene);
            for (int i = 0; i < 90; ++i) session.step(nullptr);
            const std::string what = std::to_string(shape.index()) + (motion == Motion::fixed ? " fixed" : " dynamic");
            EXPECT_LT(session.place(1).norm(), 0.003F) << what;
            EXPECT_NEAR(session.place(2).y(), 0.22F, 0.003F) << what;
        }
}

TEST(Dynamics, AHingeOfAShapeWithAFrameOfItsOwnTurnsAboutTheObjectsAxis) {
    Scene scene;
    scene.objects = {box_object(Vector3f::Ones(), {0.0F, 0.5F, 0.0F}, Motion::dynamic)};
    scene.objects[0].shape = planks(Eigen::Isometry3f(Eigen::AngleAxisf(1.5707963F, Vector3f::UnitX())))[0];
    scene.objects[0].joint = {JointKind::hinge, Vector3f::UnitY(), {-0.1F, 0.0F, 0.0F}, 0.0F, 0.0F, 0.0F, 0.0F};
    World world(scene);
    const Vector3f end_m(0.1F, 0.5F, 0.0F);
    std::vector<Push> pushes(1);
    pushes[0].contact.object = 0;
    pushes[0].contact.on_object_m = pushes[0].contact.on_body_m = end_m;
    pushes[0].contact.normal = Vector3f::UnitZ();
    pushes[0].contact.distance_m = -0.001F;
    pushes[0].hand_velocity_m_s = Vector3f::UnitZ();
    world.dynamics->step(scene, pushes, 1.0 / 90.0, world.world_from_object);
    const Eigen::AngleAxisf turn(world.world_from_object[0].linear());
    EXPECT_GT(turn.angle(), 0.01F);
    EXPECT_NEAR(std::abs(turn.axis().y()), 1.0F, 1e-3F);
    EXPECT_TRUE(
        (world.world_from_object[0] * Vector3f(-0.1F, 0.0F, 0.0F)).isApprox(Vector3f(-0.1F, 0.5F, 0.0F), 1e-4F));
}

// Bullet computes a turn as an arc cosine in float: slow objects stood still or turned at twice their speed.
TEST(Dynamics, ARecordedObjectThatTurnsSlowlyHasItsSpeed) {
    Scene scene;
    scene.objects = {box_object({0.2F, 0.05F, 0.2F}, Vector3f::Zero(), Motion::recorded)};
    for (const double rate_hz : {90.0, 1000.0})
        for (const float spin_rad_s : {0.05F, 0.5F}) {
            tracking::RigidTrack& track = scene.objects[0].track.emplace();
            for (int i = 0; i <= 100; ++i) {
                track.time_ns.push_back(10'000'000 * std::int64_t{i});
                track.world_from_object.emplace_back(
                    Eigen::AngleAxisf(0.3F + 0.01F * spin_rad_s * static_cast<float>(i), Vector3f::UnitY()));
            }
            World world(scene);
            tracking::HandPair hands;
            for (int frame = 0; frame < static_cast<int>(rate_hz); ++frame) {
                hands.time_ns = std::llround(1e9 * frame / rate_hz);
                step(scene, world, hands, frame == 0 ? 0.0 : 1.0 / rate_hz);
                if (frame < 2) continue;
                const Vector3f velocity_m_s = world.dynamics->velocity_at(0, {0.2F, 0.0F, 0.0F});
                ASSERT_LT((velocity_m_s - Vector3f(0.0F, 0.0F, -0.2F * spin_rad_s)).norm(), 1e-3F)
                    << rate_hz << " Hz, " << spin_rad_s << " rad/s, frame " << frame;
            }
        }
}

// Small turns were once made about the wrong axis, so a held object trembled.
TEST(Dynamics, AHeldObjectFollowsASlowTurn) {
    Scene scene;
    scene.objects = {box_object({0.05F, 0.05F, 0.05F}, Vector3f::Zero(), Motion::dynamic)};
    scene.gravity_m_s2.setZero();
    for (const double rate_hz : {90.0, 1000.0}) {
        const float spin_rad_s = 0.1F;
        World world(scene);
        for (int frame = 0; frame < static_cast<int>(3.0 * rate_hz); ++frame) {
            const auto time_s = static_cast<float>(frame / rate_hz);
            const Eigen::Isometry3f hand(Eigen::AngleAxisf(spin_rad_s * time_s, Vector3f::UnitY()));
            world.dynamics->hold(0, hand, Vector3f::Zero());
            world.dynamics->step(scene, {}, 1.0 / rate_hz, world.world_from_object);
            if (time_s < 1.0F) continue;
            const Eigen::Quaternionf turn(world.world_from_object[0].linear());
            ASSERT_LT(turn.angularDistance(Eigen::Quaternionf(hand.linear())), 2e-4F) << rate_hz << ", " << frame;
            ASSERT_LT((world.dynamics->velocity_at(0, {0.1F, 0.0F, 0.0F}) - Vector3f(0.0F, 0.0F, -0.01F)).norm(), 2e-3F)
                << rate_hz << ", " << frame;
        }
    }
}

}  // namespace
}  // namespace glovebox::scenes
