#include "recordings/formats/json_hands.h"

#include <algorithm>
#include <string>
#include <utility>

#include "recordings/formats/joint_names.h"
#include "recordings/formats/json_joints.h"
#include "recordings/formats/json_points.h"

namespace glovebox::recordings {
namespace {

using tracking::Joint;
using tracking::Side;

constexpr std::size_t kMaxHands = 4;  // of a frame, that are searched for

// Returns the pose of a member such as right_wrist, a matrix or a list of one.
std::optional<MatrixPose> wrist_beside(const Json& object, Side side) {
    for (const auto& [key, value] : object.items()) {
        if (!letters_of(key).ends_with("wrist") || side_of_key(key) != side) continue;
        return json_matrix(value.is_array() && value.size() == 1 ? value[0] : value);
    }
    return std::nullopt;
}

// Returns the order of the first matrix in a frame that shows it.
std::optional<bool> order_of_matrices(const Json& json, int depth = 0) {
    if (const auto read = json_matrix(json)) return read->by_columns;
    if (!json.is_structured() || depth > 8) return std::nullopt;
    for (const Json& inner : json)
        if (inner.is_structured())
            if (const auto by_columns = order_of_matrices(inner, depth + 1)) return by_columns;
    return std::nullopt;
}

// Moves the joints of a hand. If neither the matrix nor another one of the frame shows the order, FoundHands turns
// them.
void move_hand(const MatrixPose& place, const Json& frame, FoundHand& hand) {
    if (hand.is_landmarks) return;
    std::optional<bool> by_columns = place.by_columns;
    if (!by_columns && !place.pose.linear().isApprox(place.pose.linear().transpose(), 1e-6F)) {
        by_columns = order_of_matrices(frame);
        if (!by_columns) {
            hand.turn = hand.turn ? Eigen::Matrix3f(place.pose.linear() * *hand.turn) : place.pose.linear();
            return;
        }
    }
    if (by_columns) hand.by_columns = by_columns;
    // Only a matrix that does not show its order was read by columns in any case.
    const bool transposed = !place.by_columns && !by_columns.value_or(true);
    const Eigen::Isometry3f pose = transposed ? Eigen::Isometry3f(place.pose.linear().transpose()) : place.pose;
    for (tracking::JointPose& joint : hand.joints.joints) joint.position_m = pose * joint.position_m;
}

// Moves a hand whose joints are relative to its wrist, as VisionProTeleop's right_fingers are.
void place_hand(const MatrixPose& wrist, const Json& frame, FoundHand& hand) {
    const tracking::JointPose& own = hand.joints[Joint::wrist];
    if (!own.position_valid() || own.position_m.norm() > 1e-6F) return;
    move_hand(wrist, frame, hand);
}

// Adds hands; `side` is that of a hand that has none. Returns false if there are none.
bool add_hands(std::vector<FoundHand> hands, std::optional<Side> side, std::vector<FoundHand>& found) {
    const bool one = hands.size() == 1;
    for (FoundHand& hand : hands) {
        if (!hand.side || (one && side)) hand.side = side;
        found.push_back(std::move(hand));
    }
    return !hands.empty();
}

// Returns true for points of a body or a face, which may be as many as those of a hand.
bool names_body(const std::string& letters) {
    return letters.find("body") != std::string::npos || letters.find("face") != std::string::npos ||
           letters == "pose" || letters.starts_with("poselandmarks") || letters.starts_with("poseworld") ||
           letters.starts_with("posekeypoints");
}

// Where the search is: the side that the names around it say, and whether lists without names may be hands.
struct Place {
    std::optional<Side> side;
    bool is_body = false;
    int depth = 0;
};

void find_hands(const Json& json, Place place, std::vector<FoundHand>& found);

// Searches the members of an object. Positions in space are preferred to those relative to another joint, and landmarks
// in metres to those of a picture.
void find_in_members(const Json& json, const Place& place, std::vector<FoundHand>& found) {
    bool has_world = false;
    for (const auto& [key, value] : json.items())
        has_world = has_world || (letters_of(key).find("world") != std::string::npos && value.is_array());
    const std::size_t before = found.size();
    for (const bool local : {false, true}) {
        if (local && found.size() > before) return;
        for (const auto& [key, value] : json.items()) {
            if (!value.is_structured()) continue;
            const std::string letters = letters_of(key);
            if (local != (letters.find("local") != std::string::npos) || names_no_position(key)) continue;
            if (has_world && letters.ends_with("landmarks") && letters.find("world") == std::string::npos) continue;
            const auto said = side_of_key(key);
            const std::size_t inside = found.size();
            find_hands(value, {said ? said : place.side, place.is_body || names_body(letters), place.depth + 1}, found);
            if (said && found.size() > inside)
                if (const auto wrist = wrist_beside(json, *said))
                    for (std::size_t i = inside; i < found.size(); ++i) place_hand(*wrist, json, found[i]);
        }
    }
}

void find_hands(const Json& json, Place place, std::vector<FoundHand>& found) {
    if (place.depth > 8 || found.size() > kMaxHands) return;
    if (json.is_array()) {
        std::vector<FoundHand> listed = hands_of_list(json);
        if (place.is_body) std::erase_if(listed, [](const FoundHand& hand) { return hand.is_list; });
        if (add_hands(std::move(listed), place.side, found)) return;
        if (json.size() > 64) return;
        for (const Json& item : json) {
            Place inner = place;
            ++inner.depth;
            find_hands(item, inner, found);
        }
        return;
    }
    if (!json.is_object()) return;
    const Json* sides = nullptr;
    for (const auto& [key, value] : json.items()) {
        if (!names_side(key)) continue;
        if (const auto said = side_of_value(value); said && !value.is_array()) place.side = said;
        if (value.is_array()) sides = &value;
    }
    const std::size_t before = found.size();
    std::vector<FoundHand> hands = hands_of_object(json, place.is_body);
    if (!add_hands(std::move(hands), place.side, found)) find_in_members(json, place, found);
    if (sides != nullptr)
        for (std::size_t i = before; i < found.size() && i - before < sides->size(); ++i)
            if (const auto said = side_of_value((*sides)[i - before])) found[i].side = said;
    // A transform of the whole hand: joints are then in the hand's own frame.
    for (const char* key : {"originFromAnchorTransform", "anchorTransform", "wristTransform", "world_from_hand"}) {
        const Json* transform = json_member(json, key);
        const auto pose = transform != nullptr ? json_matrix(*transform) : std::nullopt;
        for (std::size_t i = before; pose && i < found.size(); ++i) move_hand(*pose, json, found[i]);
    }
}

}  // namespace

std::vector<FoundHand> hands_in(const Json& json, std::optional<Side> side) {
    std::vector<FoundHand> found;
    find_hands(json, {side}, found);
    return found;
}

bool has_hand(const Json& json) {
    const std::vector<FoundHand> hands = hands_in(json);
    return std::any_of(hands.begin(), hands.end(), [](const FoundHand& hand) { return !hand.empty(); });
}

bool names_side(std::string_view key) {
    const std::string letters = letters_of(key);
    return letters == "handedness" || letters == "handednesses" || letters == "multihandedness" ||
           letters == "chirality" || letters == "side" || letters == "hand" || letters == "handside" ||
           letters == "label" || letters == "type";
}

std::optional<Side> side_of_value(const Json& json, int depth) {
    if (json.is_string()) return side_of_word(json.get<std::string>());
    if (depth > 3) return std::nullopt;
    if (json.is_array() && !json.empty()) return side_of_value(json[0], depth + 1);
    for (const char* key : {"label", "categoryName", "displayName", "category_name", "chirality", "handedness"})
        if (const Json* inner = json_member(json, key)) return side_of_value(*inner, depth + 1);
    return std::nullopt;
}

}  // namespace glovebox::recordings
