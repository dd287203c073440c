#include "vr/bench/soak_scene.h"

#include <cmath>
#include <limits>

#include "scenes/dynamics.h"
#include "tracking/forward_kinematics.h"

namespace glovebox::vr {
namespace {

using Eigen::Vector3f;
using tracking::Side;

void corrupt(std::int64_t frame, tracking::HandFrame& hand) {
    const std::int64_t in = frame % 60;
    if (in < 48) return;
    tracking::JointPose& joint = hand[tracking::Joint::index_tip];
    switch (frame / 60 % 5) {
        case 0:
            hand.active = false;
            break;
        case 1:
            joint.position_m.x() = std::numeric_limits<float>::quiet_NaN();
            break;
        case 2:
            for (tracking::JointPose& each : hand.joints) each.position_m.setZero();
            break;
        case 3:
            for (tracking::JointPose& each : hand.joints) each.position_m += Vector3f(0.5F, 0.0F, 0.0F);
            break;
        default:
            joint.orientation.coeffs() *= 3.0F;
            break;
    }
}

// Drops the objects, and moves each to the pose in which it came to rest.
void let_fall(scenes::Scene& scene) {
    constexpr double kStep_s = 1.0 / 120.0, kLongest_s = 6.0;
    scenes::Dynamics dynamics(scene);
    std::vector<Eigen::Isometry3f> world_from_object;
    for (const scenes::SceneObject& object : scene.objects) world_from_object.push_back(object.world_from_object);
    for (double t_s = 0.0; t_s < kLongest_s; t_s += kStep_s) dynamics.step(scene, {}, kStep_s, world_from_object);
    for (std::size_t i = 0; i < scene.objects.size(); ++i) scene.objects[i].world_from_object = world_from_object[i];
}

}  // namespace

scenes::Scene soak_scene() {
    scenes::Scene scene = scenes::load_scene("room-scan");
    for (int i = 0; i < 20; ++i) {
        scenes::SceneObject object;
        object.name = "loose " + std::to_string(i + 1);
        const float radius_m = 0.015F + 0.001F * static_cast<float>(i);
        if (i % 2 == 0)
            object.shape = collision::RoundCone{Vector3f::Zero(), Vector3f::Zero(), radius_m, radius_m};
        else
            object.shape = collision::RoundedBox{
                {Vector3f::Zero(), Eigen::Matrix3f::Identity(), Vector3f::Constant(0.8F * radius_m)}, 0.002F};
        object.motion = scenes::Motion::dynamic;
        object.mass_kg = 0.05F;
        object.world_from_object.translation() =
            Vector3f(-0.2F + 0.1F * static_cast<float>(i % 5), 0.15F, -0.15F + 0.1F * static_cast<float>(i / 5));
        scene.objects.push_back(std::move(object));
    }
    let_fall(scene);
    scene.placement = scenes::Placement::recorded;
    return scene;
}

tracking::HandPair SoakHands::at(std::int64_t frame) const {
    const double t = kSoakFrame_s * static_cast<double>(frame);
    tracking::HandPair hands;
    hands.time_ns = static_cast<std::int64_t>(1e9 * t);
    for (const Side side : {Side::left, Side::right}) {
        const double phase = side == Side::left ? 0.0 : 1.7;
        const double sign = side == Side::left ? -1.0 : 1.0;
        Eigen::Isometry3f wrist = Eigen::Isometry3f::Identity();
        wrist.translation() = Vector3f(static_cast<float>(sign * 0.12 + 0.10 * std::sin(1.1 * t + phase)),
                                       static_cast<float>(0.05 + 0.05 * std::sin(2.3 * t + phase)),
                                       static_cast<float>(0.17 + 0.08 * std::sin(0.7 * t + phase)));
        wrist.rotate(Eigen::AngleAxisf(static_cast<float>(-0.3 + 0.3 * std::sin(0.9 * t + phase)), Vector3f::UnitX()));
        tracking::HandAngles angles = tracking::resting_angles();
        const auto curl = static_cast<float>(0.5 + 0.5 * std::sin(1.9 * t + phase));
        for (tracking::FingerAngles& finger : angles.fingers) finger.mcp_flex += 0.6F * curl;
        hands[side] = tracking::pose_from_angles(profile_, angles, wrist, side);
        hands[side].side = side;
        hands[side].source = tracking::Source::synthetic;
        hands[side].times = {hands.time_ns, hands.time_ns, hands.time_ns};
        corrupt(frame, hands[side]);
    }
    return hands;
}

}  // namespace glovebox::vr
