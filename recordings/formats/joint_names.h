// Joint names in documents, arrays and marker sets. BVH names are in bvh_joint_names.h.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "recordings/formats/bvh_joint_names.h"

namespace glovebox::recordings {

/// Returns the letters and digits of a name in lower case; long names are truncated.
std::string letters_of(std::string_view name);

/// Removes a prefix; returns false if the text does not begin with it.
bool take_prefix(std::string_view& text, std::string_view prefix);

struct NamedPoint {
    tracking::Joint joint = tracking::Joint::palm;
    bool of_mediapipe = false;     ///< MediaPipe's axes are those of the camera
    bool is_thumb_middle = false;  ///< as in NamedJoint
};

/// Returns the joint of a name of ARKit, OpenXR, WebXR, MRTK or MediaPipe; a side in the name is ignored. Examples:
/// indexFingerTip, index-finger-tip, XR_HAND_JOINT_INDEX_TIP_EXT, INDEX_FINGER_MCP.
std::optional<NamedPoint> point_of_name(std::string_view name);

/// Returns joint and side of the name of an array, a marker or a skeleton's joint: every name of
/// joint_of_bvh_name() and point_of_name(), with the side at its begin or end. Examples: leftIndexFingerTip,
/// R_Index_MCP, index_tip_l, Anna:RThumbTip.
std::optional<NamedJoint> joint_of_track_name(std::string_view name);

/// Returns true for the tips of the fingers.
bool is_tip(tracking::Joint joint);

/// Returns true for the name of values of joints that are no positions in space, such as "joint_rotations" or
/// "keypoints_2d". A list of 21 angles looks like one of 21 points.
bool names_no_position(std::string_view name);

/// Returns the joint that a thumb's proximal joint is, if the skeleton has a joint with `is_thumb_middle` or not. Other
/// joints stay.
tracking::Joint joint_beside(const NamedJoint& named, bool has_thumb_middle);

}  // namespace glovebox::recordings
