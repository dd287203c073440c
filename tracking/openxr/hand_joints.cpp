#include "tracking/openxr/hand_joints.h"

namespace glovebox::tracking {

static_assert(kJointCount == XR_HAND_JOINT_COUNT_EXT);
static_assert(static_cast<int>(Joint::palm) == XR_HAND_JOINT_PALM_EXT);
static_assert(static_cast<int>(Joint::wrist) == XR_HAND_JOINT_WRIST_EXT);
static_assert(static_cast<int>(Joint::thumb_tip) == XR_HAND_JOINT_THUMB_TIP_EXT);
static_assert(static_cast<int>(Joint::little_tip) == XR_HAND_JOINT_LITTLE_TIP_EXT);
static_assert(joint_flags::kOrientationValid == XR_SPACE_LOCATION_ORIENTATION_VALID_BIT);
static_assert(joint_flags::kPositionValid == XR_SPACE_LOCATION_POSITION_VALID_BIT);
static_assert(joint_flags::kOrientationTracked == XR_SPACE_LOCATION_ORIENTATION_TRACKED_BIT);
static_assert(joint_flags::kPositionTracked == XR_SPACE_LOCATION_POSITION_TRACKED_BIT);

XrHandJointLocationsEXT* LocatedJoints::prepare(bool with_velocities) {
    velocities_out = {XR_TYPE_HAND_JOINT_VELOCITIES_EXT, nullptr, XR_HAND_JOINT_COUNT_EXT, velocities.data()};
    out = {XR_TYPE_HAND_JOINT_LOCATIONS_EXT, with_velocities ? &velocities_out : nullptr, XR_FALSE,
           XR_HAND_JOINT_COUNT_EXT, locations.data()};
    for (XrHandJointVelocityEXT& velocity : velocities) velocity.velocityFlags = 0;
    return &out;
}

SampleTimes sample_times(XrTime device, std::int64_t device_in_common_ns, std::int64_t arrival_ns) {
    return {device, arrival_ns, device_in_common_ns};
}

void hand_frame_from_openxr(const LocatedJoints& joints, Side side, HandFrame& frame) {
    hand_frame_from_openxr(joints.out, side, frame);
}

void hand_frame_from_openxr(const XrHandJointLocationsEXT& located, Side side, HandFrame& frame) {
    frame.side = side;
    frame.source = Source::live;
    frame.active = located.isActive == XR_TRUE;
    frame.discontinuous = false;
    for (std::size_t j = 0; j < frame.joints.size(); ++j) {
        const XrHandJointLocationEXT& from = located.jointLocations[j];
        const XrQuaternionf& q = from.pose.orientation;
        JointPose& to = frame.joints[j];
        to.orientation = Eigen::Quaternionf(q.w, q.x, q.y, q.z);
        to.position_m = {from.pose.position.x, from.pose.position.y, from.pose.position.z};
        to.radius_m = from.radius;
        to.flags = static_cast<std::uint8_t>(from.locationFlags & joint_flags::kAll);
    }
}

void openxr_from_hand_frame(const HandFrame& frame, XrHandJointLocationsEXT& out) {
    out.isActive = frame.active ? XR_TRUE : XR_FALSE;
    for (std::size_t j = 0; j < frame.joints.size(); ++j) {
        XrHandJointLocationEXT& to = out.jointLocations[j];
        const JointPose& from = frame.joints[j];
        to.locationFlags = frame.active ? from.flags : 0;
        if (!frame.active) continue;
        to.pose.orientation = {from.orientation.x(), from.orientation.y(), from.orientation.z(), from.orientation.w()};
        to.pose.position = {from.position_m.x(), from.position_m.y(), from.position_m.z()};
        to.radius = from.radius_m;
    }
}

HandFrame extrapolated(const HandFrame& frame, const LocatedJoints& joints, float ahead_s) {
    HandFrame ahead = frame;
    if (!frame.active) return ahead;
    const auto velocity_of = [&joints](std::size_t j) -> const XrVector3f* {
        const XrHandJointVelocityEXT& velocity = joints.velocities[j];
        return (velocity.velocityFlags & XR_SPACE_VELOCITY_LINEAR_VALID_BIT) != 0 ? &velocity.linearVelocity : nullptr;
    };
    const XrVector3f* wrist = velocity_of(XR_HAND_JOINT_WRIST_EXT);
    for (std::size_t j = 0; j < ahead.joints.size(); ++j) {
        const XrVector3f* own = velocity_of(j);
        const XrVector3f* velocity = own != nullptr ? own : wrist;
        if (velocity == nullptr) continue;
        const Eigen::Vector3f step = ahead_s * Eigen::Vector3f(velocity->x, velocity->y, velocity->z);
        if (!step.allFinite()) continue;
        ahead.joints[j].position_m += step;
        ahead.source = Source::extrapolated;
    }
    return ahead;
}

Eigen::Isometry3f isometry_from_openxr(const XrPosef& pose) {
    const XrQuaternionf& q = pose.orientation;
    Eigen::Isometry3f out = Eigen::Isometry3f::Identity();
    out.linear() = Eigen::Quaternionf(q.w, q.x, q.y, q.z).toRotationMatrix();
    out.translation() = Eigen::Vector3f(pose.position.x, pose.position.y, pose.position.z);
    return out;
}

XrPosef openxr_from_isometry(const Eigen::Isometry3f& pose) {
    const Eigen::Quaternionf q = Eigen::Quaternionf(pose.linear()).normalized();
    const Eigen::Vector3f p = pose.translation();
    return {{q.x(), q.y(), q.z(), q.w()}, {p.x(), p.y(), p.z()}};
}

}  // namespace glovebox::tracking
