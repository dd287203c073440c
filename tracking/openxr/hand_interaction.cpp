#include "tracking/openxr/hand_interaction.h"

#include <algorithm>

#include "tracking/forward_kinematics.h"
#include "tracking/openxr/controller_hand.h"

namespace glovebox::tracking {
namespace {

constexpr float kOpenPinch_m = 0.04F, kReadyPinch_m = 0.07F;
constexpr float kOpenGrasp = 0.2F, kClosedGrasp = 0.7F;  // fractions of a closed finger's flexion
constexpr float kTip_m = 0.008F;                         // radius of a tip if the source has none

bool is_valid(const JointPose& joint) {
    return joint.position_valid() && joint.orientation_valid();
}

float radius_m(const JointPose& joint) {
    return joint.radius_m > 0.0F ? joint.radius_m : kTip_m;
}

GestureState pinch_of(const HandFrame& hand) {
    const JointPose &thumb = hand[Joint::thumb_tip], &index = hand[Joint::index_tip];
    if (!thumb.position_valid() || !index.position_valid()) return {};
    const float gap_m = (thumb.position_m - index.position_m).norm() - radius_m(thumb) - radius_m(index);
    return {std::clamp(1.0F - gap_m / kOpenPinch_m, 0.0F, 1.0F), gap_m < kReadyPinch_m};
}

GestureState grasp_of(const HandFrame& hand) {
    constexpr auto kFirst = static_cast<std::size_t>(Joint::index_metacarpal);
    if (!std::all_of(hand.joints.begin() + kFirst, hand.joints.end(),
                     [](const JointPose& joint) { return joint.orientation_valid(); }))
        return {};
    const HandAngles angles = angles_of_hand(hand);
    float flexion_rad = 0.0F;
    for (const FingerAngles& finger : angles.fingers)
        flexion_rad += finger.mcp_flex + finger.pip_flex + finger.dip_flex;
    const float closed_rad = 4.0F * (kClosedFinger_rad[0] + kClosedFinger_rad[1] + kClosedFinger_rad[2]);
    const float curl = flexion_rad / closed_rad;
    return {std::clamp((curl - kOpenGrasp) / (kClosedGrasp - kOpenGrasp), 0.0F, 1.0F), true};
}

// Writes a pose with -Z along `forward` and +Y as near to `up` as possible; false if they are degenerate.
bool look_along(const Eigen::Vector3f& at_m, const Eigen::Vector3f& forward, const Eigen::Vector3f& up,
                Eigen::Isometry3f& out) {
    constexpr float kMin = 1e-4F;
    const Eigen::Vector3f right = forward.cross(up);
    if (!(forward.norm() > kMin && right.norm() > kMin * forward.norm())) return false;
    out.linear().col(2) = -forward.normalized();
    out.linear().col(0) = right.normalized();
    out.linear().col(1) = out.linear().col(2).cross(out.linear().col(0));
    out.translation() = at_m;
    out.makeAffine();
    return true;
}

}  // namespace

std::array<GestureState, kGestureCount> gestures_of(const HandFrame& hand) {
    if (!hand.active) return {};
    const GestureState pinch = pinch_of(hand);
    return {pinch, pinch, grasp_of(hand)};
}

bool pose_of(const HandFrame& hand, HandPose pose, Eigen::Isometry3f& world_from_pose) {
    const JointPose &wrist = hand[Joint::wrist], &tip = hand[Joint::index_tip];
    if (!hand.active || !is_valid(wrist)) return false;
    const Eigen::Vector3f back = wrist.orientation * Eigen::Vector3f::UnitY();
    const auto from_wrist = [&](const Eigen::Vector3f& at_m) {
        return look_along(at_m, at_m - wrist.position_m, back, world_from_pose);
    };
    switch (pose) {
        case HandPose::grip:
            world_from_pose = Eigen::Translation3f(wrist.position_m) * wrist.orientation.normalized() *
                              grip_from_wrist(hand.side).inverse();
            return true;
        case HandPose::aim: {
            const JointPose& knuckle = hand[Joint::index_proximal];
            return knuckle.position_valid() && from_wrist(knuckle.position_m);
        }
        case HandPose::pinch: {
            const JointPose& thumb = hand[Joint::thumb_tip];
            return thumb.position_valid() && tip.position_valid() &&
                   from_wrist(0.5F * (thumb.position_m + tip.position_m));
        }
        case HandPose::poke:
            if (!is_valid(tip)) return false;
            world_from_pose = Eigen::Translation3f(tip.position_m) * tip.orientation.normalized() *
                              Eigen::Translation3f(0.0F, 0.0F, -radius_m(tip));
            return true;
    }
    return false;
}

}  // namespace glovebox::tracking
