// One sample of one hand: 26 joints with pose, radius and validity, three timestamps and its source.
//
// The joint set, the order and the meaning of each joint are those of OpenXR's XR_EXT_hand_tracking. All sources of
// hands (headset, glove, recording, generator) produce this type, and all later code uses it.
//
// Coordinates are in metres, in a right-handed frame with +Y up and -Z forward. In a joint's own frame, -Z points along
// the bone towards the tip and +Y out of the back of the hand. Ignore the numbers of a joint whose valid bits are not
// set; they need not be zero.
#pragma once

#include <Eigen/Geometry>
#include <array>
#include <cstdint>
#include <string_view>

#include "tracking/per_side.h"

namespace glovebox::tracking {

/// Joints of a hand, with the values of XR_HAND_JOINT_*_EXT.
enum class Joint : std::uint8_t {
    palm,
    wrist,
    thumb_metacarpal,
    thumb_proximal,
    thumb_distal,
    thumb_tip,
    index_metacarpal,
    index_proximal,
    index_intermediate,
    index_distal,
    index_tip,
    middle_metacarpal,
    middle_proximal,
    middle_intermediate,
    middle_distal,
    middle_tip,
    ring_metacarpal,
    ring_proximal,
    ring_intermediate,
    ring_distal,
    ring_tip,
    little_metacarpal,
    little_proximal,
    little_intermediate,
    little_distal,
    little_tip
};
inline constexpr int kJointCount = 26;
inline constexpr int kFingerCount = 5;

/// Returns the next joint towards the wrist; palm and wrist are their own parents.
Joint parent_of(Joint joint);
std::string_view name_of(Joint joint);  ///< "index_tip"
std::string_view name_of(Side side);    ///< "left", "right"

/// The origin of a sample; shown in the window and stored in logs.
enum class Source : std::uint8_t { live, glove, replay, synthetic, held, extrapolated };
std::string_view name_of(Source source);

/// Flags with the values of XrSpaceLocationFlagBits. A valid value may be used; a tracked value was measured for this
/// sample.
namespace joint_flags {
inline constexpr std::uint8_t kOrientationValid = 1;
inline constexpr std::uint8_t kPositionValid = 2;
inline constexpr std::uint8_t kOrientationTracked = 4;
inline constexpr std::uint8_t kPositionTracked = 8;
inline constexpr std::uint8_t kAll = 15;
}  // namespace joint_flags

/// Radii above this are errors of the source.
inline constexpr float kLargestRadius_m = 1.0F;

/// Pose, radius and validity of one joint.
struct JointPose {
    Eigen::Quaternionf orientation = Eigen::Quaternionf::Identity();  ///< world_from_joint, unit
    Eigen::Vector3f position_m = Eigen::Vector3f::Zero();
    float radius_m = 0.0F;   ///< distance from the joint to the skin; 0: not known, see HandProfile
    std::uint8_t flags = 0;  ///< joint_flags

    bool position_valid() const { return (flags & joint_flags::kPositionValid) != 0; }
    bool orientation_valid() const { return (flags & joint_flags::kOrientationValid) != 0; }
};

/// The same instant on three clocks. A source that lacks one repeats `common_ns`.
struct SampleTimes {
    std::int64_t device_ns = 0;   ///< stamp of the device, with its own epoch
    std::int64_t arrival_ns = 0;  ///< arrival in this process, monotonic
    std::int64_t common_ns = 0;   ///< sample time on the common monotonic clock, which all other code uses
};

/// One hand at one time.
struct HandFrame {
    std::array<JointPose, kJointCount> joints;
    SampleTimes times;
    Side side = Side::right;
    Source source = Source::replay;
    bool active = false;         ///< false: this sample has no hand, and `joints` must not be read
    bool discontinuous = false;  ///< no motion may be inferred from the previous frame to this one (set by the guard)

    JointPose& operator[](Joint joint) { return joints[static_cast<std::size_t>(joint)]; }
    const JointPose& operator[](Joint joint) const { return joints[static_cast<std::size_t>(joint)]; }
};

/// Both hands at one instant: the output of a source and the input of a step.
struct HandPair {
    PerSide<HandFrame> hands;
    std::int64_t time_ns = 0;  ///< common clock

    HandFrame& operator[](Side side) { return hands[side]; }
    const HandFrame& operator[](Side side) const { return hands[side]; }
};

}  // namespace glovebox::tracking
