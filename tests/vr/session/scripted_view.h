// A view model filled by hand for tests of drawing: a right hand at rest above a table with a ball.
#pragma once

#include "scenes/hand_body.h"
#include "scenes/step.h"
#include "vr/render/hand_skeleton.h"
#include "vr/session/view_model.h"

namespace glovebox::vr {

/// Returns the rest skeleton as a tracked hand, wrist at `wrist_m`; the left hand is the right one mirrored.
inline tracking::HandFrame rest_hand(tracking::Side side, const Eigen::Vector3f& wrist_m) {
    const HandSkeleton skeleton = rest_skeleton({}, side);
    const float mirror = side == tracking::Side::left ? -1.0F : 1.0F;
    tracking::HandFrame frame;
    frame.side = side;
    frame.active = true;
    for (std::size_t j = 0; j < tracking::kJointCount; ++j) {
        const Eigen::Vector3f& at_m = skeleton.joint_m[j];
        frame.joints[j].position_m = wrist_m + Eigen::Vector3f(mirror * at_m.x(), at_m.y(), at_m.z());
        frame.joints[j].radius_m = skeleton.radius_m[j];
        frame.joints[j].flags = tracking::joint_flags::kAll;
    }
    return frame;
}

inline scenes::Scene table_and_ball(const Eigen::Vector3f& ball_m) {
    scenes::Scene scene;
    scenes::SceneObject table;
    table.name = "table";
    collision::RoundedBox slab;
    slab.core.center_m = {0.0F, -0.02F, 0.0F};
    slab.core.half_m = {0.5F, 0.02F, 0.5F};
    table.shape = slab;
    scenes::SceneObject ball;
    ball.name = "ball";
    ball.shape = collision::RoundCone{Eigen::Vector3f::Zero(), Eigen::Vector3f::Zero(), 0.035F, 0.035F};
    ball.world_from_object.translation() = ball_m;
    ball.motion = scenes::Motion::dynamic;
    scene.objects = {table, ball};
    return scene;
}

/// Owns everything that its model points to.
struct ScriptedView {
    scenes::Scene scene = table_and_ball({0.0F, 0.035F, -0.10F});
    scenes::World world{scene};
    tracking::HandPair hands;
    scenes::StepReport report;
    StageStats stats;
    std::vector<MethodCost> methods = {{"cab", 5.0}, {"aabb", 4.0}};
    ViewModel model;

    explicit ScriptedView(bool with_hand = true) {
        if (with_hand) hands[tracking::Side::right] = rest_hand(tracking::Side::right, {0.0F, 0.09F, 0.02F});
        report = scenes::step(scene, world, hands, 1.0 / 90.0);
        for (int i = 0; i < 1000; ++i)
            for (DurationHistogram& stage : stats.stages) stage.add(20'000 + 50 * i);
        model.scene = &scene;
        model.world = &world;
        model.hands = &hands;
        model.report = &report;
        model.stats = &stats;
        model.methods = methods;
        model.method = "cab";
        model.title = "scripted";
        model.subtitle = "right hand • ball on a table";
        model.playback.duration_s = 10.0;
        model.playback.position_s = 5.0;
    }
};

}  // namespace glovebox::vr
