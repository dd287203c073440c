// OpenXR's hand joints -> HandFrame. The one place where the two meet.
//
// Everything a runtime says is kept: per-joint flags, radii, activity. Nothing is repaired here; that is the guard's
// business. A joint whose flags say that it is not valid keeps the flags and whatever numbers it came with.
#pragma once

#include <openxr/openxr.h>

#include <array>

#include "tracking/hand_frame.h"

namespace glovebox::tracking {

/// One hand's answer from xrLocateHandJointsEXT, with room for its velocities. Wired up by `prepare`, so it must not
/// be copied between prepare() and the call.
struct LocatedJoints {
    std::array<XrHandJointLocationEXT, XR_HAND_JOINT_COUNT_EXT> locations{};
    std::array<XrHandJointVelocityEXT, XR_HAND_JOINT_COUNT_EXT> velocities{};
    XrHandJointLocationsEXT out{};
    XrHandJointVelocitiesEXT velocities_out{};

    /// Sets types, counts and pointers for a fresh call.
    XrHandJointLocationsEXT* prepare(bool with_velocities);
};

/// When a sample was taken, on the three clocks. `device` is the runtime's XrTime.
SampleTimes sample_times(XrTime device, std::int64_t device_in_common_ns, std::int64_t arrival_ns);

/// Fills `frame` but for its times. Marked live. Flags are OpenXR's own, bit for bit.
void hand_frame_from_openxr(const LocatedJoints& joints, Side side, HandFrame& frame);

/// The same of an answer that lies anywhere. It has 26 joints.
void hand_frame_from_openxr(const XrHandJointLocationsEXT& located, Side side, HandFrame& frame);

/// The way back: what an application is answered. A hand that is not active has no flags, and its poses stay as they
/// are. `out` has room for 26 joints.
void openxr_from_hand_frame(const HandFrame& frame, XrHandJointLocationsEXT& out);

/// Where the hand will be `ahead_s` later by the velocities given; joints without a valid velocity move with the wrist,
/// and without that one nothing moves. Marked extrapolated where anything moved. For display only: contacts are made
/// with what was sampled.
HandFrame extrapolated(const HandFrame& frame, const LocatedJoints& joints, float ahead_s);

/// The pose of a controller or a head. Valid flags are the caller's to look at.
Eigen::Isometry3f isometry_from_openxr(const XrPosef& pose);
XrPosef openxr_from_isometry(const Eigen::Isometry3f& pose);

}  // namespace glovebox::tracking
