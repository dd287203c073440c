// Hands of the joints that a JSON object or list has:
//   named    an object with at least 15 joints' names: indexFingerTip, index-finger-tip, XR_HAND_JOINT_INDEX_TIP_EXT
//   list     21 points in MediaPipe's order, or a list of joint_lists.h, or the numbers of these in a row
//   fingers  a wrist, and four or five points of each finger by its name, or Leap's bones
// Points are those of json_points.h. json_hands.h searches documents for such hands.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "recordings/formats/found_hands.h"
#include "recordings/json.h"

namespace glovebox::recordings {

/// The fewest names of joints that are a hand.
constexpr std::size_t kMinNamed = 15;

/// Returns the hands of an object's members. `is_body`: points without names are of a body or a face.
std::vector<FoundHand> hands_of_object(const Json& object, bool is_body);
/// Returns the hands of a list of points, or of objects that name their joint.
std::vector<FoundHand> hands_of_list(const Json& list);

void set_joint(const Eigen::Vector3f& position, tracking::Joint joint, tracking::HandFrame& hand);
/// Returns the side in a name, "left_hand".
std::optional<tracking::Side> side_of_key(std::string_view key);

}  // namespace glovebox::recordings
