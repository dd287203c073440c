// The order of a hand's points in lists and arrays without names.
//
// Programs and data sets have orders of their own, and with a wrong one a hand would be nonsense without any error. So
// the shape of the hands decides between the orders that are known: bones are short, and the thumb begins beside the
// index finger.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "recordings/formats/landmarks.h"

namespace glovebox::recordings {

/// An order of 21 points without names: the landmark of each point.
struct PointOrder {
    std::string_view name;
    std::array<std::uint8_t, kLandmarks> landmarks;
};
/// Returns the order in which the fingers of these hands are chains, or null for MediaPipe's order.
const PointOrder* order_of_points(const std::vector<LandmarkHand>& hands);
/// Puts the points of a hand into MediaPipe's order; null leaves them.
void put_in_order(const PointOrder* order, LandmarkHand& hand);
/// Throws ImportError if the points of these hands, in this order, are no hand: in most of them, the knuckles are too
/// far apart, or the fingers' first bones are longer than the palm.
void refuse_points_of_no_hand(const Input& in, const PointOrder* order, const std::vector<LandmarkHand>& hands);
/// Returns true if 63 numbers that were read as points are all x, then all y and all z: so their bones are shorter.
bool has_coordinates_apart(const std::vector<LandmarkHand>& hands);
/// Returns the points of such numbers.
LandmarkHand points_of_coordinates(const LandmarkHand& read_as_points);
void note_coordinates_apart(Assembly& out);
/// Notes order and axes of points that no names describe.
void note_points(const PointOrder* order, bool is_image, Assembly& out);

/// An order of 25 or 26 joints without names: the joint of each point, where the points are numbered as OpenXR's
/// joints.
struct JointOrder {
    std::string name;
    std::array<std::uint8_t, tracking::kJointCount> joints;
    bool has_forearm = false;  ///< in place of the palm
};
/// Returns the order in which the fingers of these hands are chains, or nothing for OpenXR's order.
std::optional<JointOrder> order_of_joints(const std::vector<tracking::HandFrame>& hands);
/// Puts the joints of a hand into OpenXR's order; nothing leaves them.
void put_in_order(const std::optional<JointOrder>& order, tracking::HandFrame& hand);
/// Throws ImportError if these joints, in this order, are no hand; see refuse_points_of_no_hand().
void refuse_joints_of_no_hand(const Input& in, const std::optional<JointOrder>& order,
                              const std::vector<tracking::HandFrame>& hands);
/// Notes the order of joints that no names describe.
void note_joints(const std::optional<JointOrder>& order, Assembly& out);

}  // namespace glovebox::recordings
