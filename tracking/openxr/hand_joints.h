// Conversion between OpenXR's hand joints and HandFrame.
//
// All data of the runtime is kept: per-joint flags, radii, activity. Nothing is repaired here; the guard does that
// (tracking/guard.h). A joint whose flags mark it as invalid keeps its flags and values.
#pragma once

#include <openxr/openxr.h>

#include <array>

#include "tracking/hand_frame.h"

namespace glovebox::tracking {

/// One hand's result of xrLocateHandJointsEXT, with room for its velocities. prepare() sets pointers into the object,
/// so it must not be copied between prepare() and the call.
struct LocatedJoints {
    std::array<XrHandJointLocationEXT, XR_HAND_JOINT_COUNT_EXT> locations{};
    std::array<XrHandJointVelocityEXT, XR_HAND_JOINT_COUNT_EXT> velocities{};
    XrHandJointLocationsEXT out{};
    XrHandJointVelocitiesEXT velocities_out{};

    /// Sets types, counts and pointers for the next call, and returns the struct to pass to it.
    XrHandJointLocationsEXT* prepare(bool with_velocities);
};

/// Returns the time of a sample on the three clocks. `device` is the runtime's XrTime.
SampleTimes sample_times(XrTime device, std::int64_t device_in_common_ns, std::int64_t arrival_ns);

/// Fills `frame` except its times, and sets its source to `live`. Flags keep OpenXR's bits.
void hand_frame_from_openxr(const LocatedJoints& joints, Side side, HandFrame& frame);

/// Does the same for the struct of the runtime, which must have 26 joints.
void hand_frame_from_openxr(const XrHandJointLocationsEXT& located, Side side, HandFrame& frame);

/// Converts a frame to the result that an OpenXR application receives. If the hand is not active, no flags are set and
/// the poses in `out` are left unchanged. `out` must have room for 26 joints.
void openxr_from_hand_frame(const HandFrame& frame, XrHandJointLocationsEXT& out);

/// Returns the hand with positions extrapolated by `ahead_s` with the given velocities; orientations stay. A joint
/// without a valid velocity moves with that of the wrist, or not at all if the wrist's is invalid too. The source
/// becomes `extrapolated` if any joint moved. Use the result for display only; contacts use the sampled hand.
HandFrame extrapolated(const HandFrame& frame, const LocatedJoints& joints, float ahead_s);

/// Convert the pose of a controller or a head. The caller must check that it is valid.
Eigen::Isometry3f isometry_from_openxr(const XrPosef& pose);
XrPosef openxr_from_isometry(const Eigen::Isometry3f& pose);

}  // namespace glovebox::tracking
