#include "recordings/formats/json_joints.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <span>

#include "recordings/formats/hand_arrays.h"
#include "recordings/formats/joint_lists.h"
#include "recordings/formats/joint_names.h"
#include "recordings/formats/json_points.h"

namespace glovebox::recordings {
namespace {

using Eigen::Vector3f;
using tracking::HandFrame;
using tracking::Joint;
using tracking::Side;

// A value with the name of a joint, and the side in the name.
struct NamedValue {
    std::optional<Side> side;
    NamedPoint which;
    const Json* value = nullptr;
};

bool add_named(const std::string& name, const Json& value, std::vector<NamedValue>& values) {
    if (!value.is_object() && !value.is_array()) return false;
    auto which = point_of_name(name);
    const std::string letters = letters_of(name);
    if (letters == "lefthand" || letters == "righthand") which = NamedPoint{Joint::wrist};
    if (which) values.push_back({side_of_key(name), *which, &value});
    if (which || json_member(value, "head") == nullptr) return which.has_value();
    // Blender's bones have two ends.
    const auto bone = joint_of_track_name(name);
    if (!bone) return false;
    values.push_back({bone->side, {bone->joint, false, bone->is_thumb_middle}, &value});
    const auto next = static_cast<Joint>(static_cast<std::size_t>(bone->joint) + 1);
    const Json* tail = json_member(value, "tail");
    if (tail != nullptr && is_tip(next)) values.push_back({bone->side, {next}, tail});
    return true;
}

// Returns the hands of named joints: one, or a left and a right one, as in the body of a suit.
// `is_list`: the names of the fingers only, whose joints are a list.
std::vector<FoundHand> hands_of_names(const std::vector<NamedValue>& values, bool is_list = false) {
    std::vector<FoundHand> hands;
    for (const std::optional<Side> side :
         {std::optional<Side>(), std::optional(Side::left), std::optional(Side::right)}) {
        std::size_t named = 0;
        bool thumb_middle = false;
        tracking::JointSet joints;
        FoundHand hand;
        for (const NamedValue& joint : values) {
            if (joint.side != side) continue;
            ++named;
            joints.set(static_cast<std::size_t>(joint.which.joint));
            hand.is_landmarks = hand.is_landmarks || joint.which.of_mediapipe;
            thumb_middle = thumb_middle || joint.which.is_thumb_middle;
        }
        if (named < kMinNamed || !is_whole_hand(joints)) continue;
        hand.side = side;
        hand.is_list = is_list;
        for (const NamedValue& joint : values) {
            if (joint.side != side) continue;
            const NamedJoint name{side, joint.which.joint, joint.which.is_thumb_middle};
            if (const auto point = json_point(*joint.value))
                set_joint(*point, joint_beside(name, thumb_middle), hand.joints);
        }
        for (std::size_t i = 0; hand.is_landmarks && i < kLandmarks; ++i) {
            const tracking::JointPose& joint = hand.joints[joint_of_landmark(i)];
            hand.landmarks.points[i] = joint.position_m;
            hand.landmarks.seen.set(i, joint.position_valid());
        }
        hands.push_back(std::move(hand));
    }
    return hands;
}

// Returns the number of a point that an object in a list has.
std::optional<std::size_t> number_of_point(const Json& item) {
    for (const char* key : {"id", "index", "idx", "jointId", "joint_id", "jointID", "jointIndex", "joint_index",
                            "joint", "landmark_id", "landmark_index", "landmark", "boneId", "bone_id", "boneIndex"})
        if (const Json* number = json_member(item, key); number != nullptr && number->is_number_unsigned())
            return number->get<std::size_t>();
    return std::nullopt;
}

// Returns the places of a list's points: by their numbers, if these count from 0 or 1, else as they come.
std::vector<std::size_t> places_of_points(const Json& list) {
    std::vector<std::size_t> places(list.size()), as_they_come(list.size());
    std::vector<bool> taken(list.size() + 1);
    std::iota(as_they_come.begin(), as_they_come.end(), std::size_t{0});
    for (std::size_t i = 0; i < list.size(); ++i) {
        const auto number = number_of_point(list[i]);
        if (!number || *number > list.size() || taken[*number]) return as_they_come;
        taken[*number] = true;
        places[i] = *number;
    }
    const bool from_one = !taken[0];
    for (std::size_t& place : places) place -= from_one ? 1 : 0;
    return !from_one && taken.back() ? as_they_come : places;
}

bool is_number_or_null(const Json& value) {
    return value.is_number() || value.is_null();
}

// Returns the members of an object whose names are the numbers from 0 or 1 on, as a list: {"0": ..., "1": ...}, as
// JavaScript writes its arrays of numbers. Returns an empty value for others.
Json list_of_numbered(const Json& object) {
    const std::size_t count = object.size();
    if (!object.is_object() || (count != kLandmarks && joint_list_of(count) == nullptr && !row_of_numbers(count)))
        return {};
    Json list = Json::array();
    const std::size_t first = object.contains("0") ? 0 : 1;
    for (std::size_t i = 0; i < count; ++i) {
        const Json* point = json_member(object, std::to_string(first + i).c_str());
        if (point == nullptr) return {};
        list.push_back(*point);
    }
    return list;
}

FoundHand hand_of_bones(SteamVrHand bones) {
    FoundHand hand;
    hand.joints = joints_of_bones(bones, BoneSpace::model);
    hand.bones = std::move(bones);
    return hand;
}

// Returns a hand of a list of joints, whose points are given by number.
template <class PointAt>
FoundHand hand_of_points(std::size_t count, PointAt&& point_at) {
    FoundHand hand;
    hand.is_landmarks = count == kLandmarks;
    hand.is_list = count <= 26;
    for (std::size_t i = 0; i < count; ++i) {
        const int joint = hand.is_landmarks ? 0 : joint_list_of(count)->joints[i];
        const std::optional<Vector3f> point = joint < 0 ? std::nullopt : point_at(i);
        if (!point) continue;
        if (!hand.is_landmarks) {
            set_joint(*point, static_cast<Joint>(joint), hand.joints);
            continue;
        }
        hand.landmarks.points[i] = *point;
        hand.landmarks.seen.set(i);
    }
    return hand;
}

// Returns the hands in numbers without points: 63 for each hand, or 25 matrices, as WebXR fills them.
std::vector<FoundHand> hands_of_numbers(const Json& list) {
    const auto row = row_of_numbers(list.size());
    if (!row || !std::all_of(list.begin(), list.end(), is_number_or_null)) return {};
    std::vector<float> values;
    for (const Json& value : list) values.push_back(value.is_number() ? value.get<float>() : std::nanf(""));
    std::vector<FoundHand> hands;
    const std::size_t of_hand = row->points * row->numbers;
    for (std::size_t at = 0; at < values.size(); at += of_hand) {
        const std::span<const float> numbers = std::span(values).subspan(at, of_hand);
        const auto point_at = [&](std::size_t i) -> std::optional<Vector3f> {
            const float* from = numbers.data() + row->numbers * i;
            if (row->numbers == 16) {
                std::array<float, 16> m{};
                std::copy_n(from, 16, m.begin());
                const auto read = pose_of_matrix(m);
                return read ? std::optional<Vector3f>(read->pose.translation()) : std::nullopt;
            }
            std::array<float, 7> pose{};
            std::copy_n(from, std::min<std::size_t>(row->numbers, 7), pose.begin());
            const bool behind = row->numbers == 7 && has_quaternion_first(pose);
            const Vector3f point = Eigen::Map<const Vector3f>(from + (behind ? 4 : 0));
            return point.allFinite() ? std::optional(point) : std::nullopt;
        };
        FoundHand& hand = hands.emplace_back();
        if (row->points == kSteamVrBones)
            hand = hand_of_bones(steamvr_hand(numbers));
        else
            hand = hand_of_points(row->points, point_at);
        hand.is_flat = row->points == kLandmarks && row->numbers == 3;
        if (row->hands == 2) hand.side = at == 0 ? Side::left : Side::right;
    }
    return hands;
}

// Appends the numbers of a bone: a position and, where there is one, a quaternion, which begins with w if its numbers
// have names.
void append_bone(const Json& bone, std::vector<float>& numbers) {
    if (bone.is_array() && !bone.empty() && bone[0].is_number()) {
        for (const Json& value : bone) numbers.push_back(value.is_number() ? value.get<float>() : std::nanf(""));
        return;
    }
    const auto point = json_point(bone).value_or(Vector3f::Constant(std::nanf("")));
    numbers.insert(numbers.end(), point.begin(), point.end());
    for (const char* name : {"orientation", "rotation", "quaternion", "rot", "quat", "q"}) {
        const Json* rotation = json_member(bone, name);
        if (rotation == nullptr) continue;
        std::array<float, 4> q{};
        double v = 0.0;
        std::size_t found = 0;
        for (const char* axis : {"w", "x", "y", "z"})
            if (json_number(*rotation, axis, v)) q[found++] = static_cast<float>(v);
        if (found == 4 || json_numbers(*rotation, 4, q.data())) numbers.insert(numbers.end(), q.begin(), q.end());
        return;
    }
}

std::vector<FoundHand> hands_of_steamvr(const Json& list) {
    std::vector<float> numbers;
    for (std::size_t i = 0; i < kSteamVrBones; ++i) {
        append_bone(list[i], numbers);
        if (numbers.size() > 8 * (i + 1)) return {};
    }
    const std::size_t of_bone = numbers.size() / kSteamVrBones;
    if (numbers.size() % kSteamVrBones != 0 || (of_bone != 3 && of_bone != 7 && of_bone != 8)) return {};
    SteamVrHand bones = steamvr_hand(numbers);
    if (!bones.is_seen()) return {};
    return {hand_of_bones(std::move(bones))};
}

const Json* first_member(const Json& object, std::initializer_list<const char*> names) {
    for (const char* name : names)
        if (const Json* member = json_member(object, name)) return member;
    return nullptr;
}

constexpr std::array<std::string_view, 5> kFingerNames = {"thumb", "index", "middle", "ring", "little"};

// Returns the finger that a name is, without a joint: "indexFinger", "left_thumb", "pinky".
std::optional<std::size_t> finger_of_name(std::string_view name) {
    const std::string letters = letters_of(name);
    std::string_view rest = letters;
    for (const std::string_view prefix : {"left", "right", "hand"}) take_prefix(rest, prefix);
    if (rest.ends_with("finger")) rest.remove_suffix(6);
    if (rest == "pinky") return 4;
    const auto found = std::find(kFingerNames.begin(), kFingerNames.end(), rest);
    return found == kFingerNames.end() ? std::nullopt
                                       : std::optional(static_cast<std::size_t>(found - kFingerNames.begin()));
}

// Adds the joints of a finger: a list of four points, or five with the metacarpal's base, or an object of joints or of
// Leap's bones by their names.
void add_finger(std::size_t finger, const Json& value, std::vector<NamedValue>& values) {
    const std::size_t knuckle = finger == 0 ? 2 : 2 + 5 * finger;
    const std::size_t first = value.size() == 5 && finger > 0 ? knuckle - 1 : knuckle;
    if (value.is_array() && (value.size() == 4 || first < knuckle))
        for (std::size_t i = 0; i < value.size(); ++i)
            values.push_back({{}, {static_cast<Joint>(first + i)}, &value[i]});
    if (!value.is_object()) return;
    for (const auto& [name, joint] : value.items()) {
        const Json* start = first_member(joint, {"prev_joint", "prevJoint", "PrevJoint", "start"});
        const Json* end = first_member(joint, {"next_joint", "nextJoint", "NextJoint", "end"});
        const std::string whole = std::string(kFingerNames[finger]) + "_" + name;
        if (start == nullptr || end == nullptr) {
            add_named(whole, joint, values);
            continue;
        }
        // Leap's thumb has a metacarpal without length, which begins where the next bone does.
        const std::string letters = letters_of(name);
        if (finger == 0 && letters == "metacarpal") continue;
        const bool is_first = finger == 0 && letters == "proximal";
        add_named(is_first                                   ? "thumb_metacarpal"
                  : finger == 0 && letters == "intermediate" ? "thumb_proximal"
                                                             : whole,
                  *start, values);
        if (letters == "distal") add_named(std::string(kFingerNames[finger]) + "_tip", *end, values);
    }
}

// Returns the hands of an object's members: joints by their names, or a wrist and fingers.
std::vector<FoundHand> named_hands(const Json& object) {
    std::vector<NamedValue> values;
    for (const auto& [name, value] : object.items()) add_named(name, value, values);
    if (auto hands = hands_of_names(values); !hands.empty()) return hands;
    values.clear();
    const Json* wrist =
        first_member(object, {"wrist", "Wrist", "wrist_position", "wristPosition", "WristPosition", "palmBase"});
    if (wrist == nullptr) return {};
    values.push_back({{}, {Joint::wrist}, wrist->is_array() && wrist->size() == 1 ? &(*wrist)[0] : wrist});
    bool is_list = false;
    const auto add_fingers = [&values, &is_list](const Json& fingers) {
        const auto add = [&](std::size_t finger, const Json& value) {
            is_list = is_list || value.is_array();
            add_finger(finger, value, values);
        };
        if (fingers.is_object())
            for (const auto& [name, value] : fingers.items())
                if (const auto finger = finger_of_name(name)) add(*finger, value);
        if (!fingers.is_array() || fingers.size() != kFingerNames.size()) return;
        for (std::size_t finger = 0; finger < kFingerNames.size(); ++finger) add(finger, fingers[finger]);
    };
    add_fingers(object);
    for (const char* name : {"fingers", "digits", "jointPositions", "joint_positions", "joints", "positions"})
        if (const Json* fingers = json_member(object, name)) add_fingers(*fingers);
    return hands_of_names(values, is_list);
}

// Returns the points in lists of each axis, {"x": [...], "y": [...], "z": [...]}; else an empty value.
Json list_of_axes(const Json& object) {
    std::array<const Json*, 3> axes = {first_member(object, {"x", "X"}), first_member(object, {"y", "Y"}),
                                       first_member(object, {"z", "Z"})};
    for (const Json* axis : axes)
        if (axis == nullptr || !axis->is_array() || axis->size() != axes[0]->size()) return {};
    Json list = Json::array();
    for (std::size_t i = 0; i < axes[0]->size() && i < JointList::kMaxPoints; ++i)
        list.push_back({(*axes[0])[i], (*axes[1])[i], (*axes[2])[i]});
    return list;
}

// Returns the number of a finger or bone: 2, "TYPE_MIDDLE", "Middle"; else its place in the list.
std::size_t number_in_list(const Json& item, std::size_t place, std::initializer_list<const char*> words) {
    const Json* type = first_member(item, {"type", "Type", "name", "fingerType", "finger_type", "finger_id"});
    if (type == nullptr) return place;
    if (type->is_number_unsigned()) return type->get<std::size_t>();
    if (!type->is_string()) return place;
    const std::string letters = letters_of(type->get<std::string>());
    std::size_t number = 0;
    for (const char* word : words) {
        if (letters.ends_with(word)) return number;
        ++number;
    }
    return place;
}

// Returns a hand of Leap's API: fingers with bones, whose ends are prev_joint and next_joint. A thumb's metacarpal has
// no length, and its start is our metacarpal joint.
std::optional<FoundHand> hand_of_leap(const Json& object) {
    const Json* fingers = first_member(object, {"fingers", "Fingers", "digits"});
    const Json* wrist = first_member(object, {"wrist_position", "wristPosition", "WristPosition", "wrist"});
    const Json* arm = first_member(object, {"arm", "Arm"});  // it ends at the wrist
    if (wrist == nullptr && arm != nullptr) wrist = first_member(*arm, {"next_joint", "nextJoint", "NextJoint"});
    const auto place = wrist != nullptr ? json_point(*wrist) : std::nullopt;
    if (!place || !fingers->is_array() || fingers->size() != tracking::kFingerCount) return std::nullopt;
    FoundHand hand;
    set_joint(*place, Joint::wrist, hand.joints);
    for (std::size_t f = 0; f < fingers->size(); ++f) {
        const Json* bones = first_member((*fingers)[f], {"bones", "Bones"});
        const std::size_t finger = number_in_list((*fingers)[f], f, {"thumb", "index", "middle", "ring", "pinky"});
        if (bones == nullptr || !bones->is_array() || bones->size() != 4 || finger > 4) return std::nullopt;
        for (std::size_t b = 0; b < 4; ++b) {
            const Json& bone = (*bones)[b];
            const std::size_t number = number_in_list(bone, b, {"metacarpal", "proximal", "intermediate", "distal"});
            const Json* start = first_member(bone, {"prev_joint", "prevJoint", "PrevJoint"});
            const Json* end = first_member(bone, {"next_joint", "nextJoint", "NextJoint"});
            const auto from = start != nullptr ? json_point(*start) : std::nullopt;
            const auto to = end != nullptr ? json_point(*end) : std::nullopt;
            if (!from || !to || number > 3) return std::nullopt;
            if (finger == 0 && number == 0) continue;
            const std::size_t joint = (finger == 0 ? 1 : 1 + 5 * finger) + number;
            set_joint(*from, static_cast<Joint>(joint), hand.joints);
            if (number == 3) set_joint(*to, static_cast<Joint>(joint + 1), hand.joints);
        }
    }
    return hand;
}

}  // namespace

std::vector<FoundHand> hands_of_object(const Json& object, bool is_body) {
    std::vector<FoundHand> hands = named_hands(object);
    if (const Json* fingers = first_member(object, {"fingers", "Fingers", "digits"});
        fingers != nullptr && hands.empty())
        if (auto hand = hand_of_leap(object)) hands.push_back(*std::move(hand));
    if (const Json list = list_of_numbered(object); !list.empty() && hands.empty() && !is_body)
        hands = hands_of_list(list);
    if (const Json list = list_of_axes(object); !list.empty() && hands.empty() && !is_body) hands = hands_of_list(list);
    return hands;
}

std::vector<FoundHand> hands_of_list(const Json& list) {
    constexpr std::size_t kMaxListed = 512;
    const std::size_t count = list.size();
    std::vector<NamedValue> values;
    for (std::size_t i = 0; i < count && count <= kMaxListed; ++i)
        for (const char* key : {"name", "joint", "jointName", "joint_name", "jointID", "jointId", "joint_id", "bone",
                                "boneName", "bone_name", "boneId", "id", "landmark"}) {
            const Json* name = json_member(list[i], key);
            if (name != nullptr && name->is_string() && add_named(name->get<std::string>(), list[i], values)) break;
        }
    if (auto named = hands_of_names(values); !named.empty()) return named;

    if (auto hands = hands_of_numbers(list); !hands.empty()) return hands;
    if (count == kSteamVrBones) return hands_of_steamvr(list);
    if (count == 2 * kLandmarks) {  // of two hands
        std::vector<FoundHand> hands;
        for (const std::size_t first : {std::size_t{0}, kLandmarks})
            hands.push_back(hand_of_points(kLandmarks, [&](std::size_t i) { return json_landmark(list[first + i]); }));
        const bool any = std::any_of(hands.begin(), hands.end(), [](const FoundHand& hand) { return !hand.empty(); });
        return any ? hands : std::vector<FoundHand>();
    }
    if (count != kLandmarks && joint_list_of(count) == nullptr) return {};
    const std::vector<std::size_t> places = places_of_points(list);
    std::vector<const Json*> in_place(count);
    for (std::size_t item = 0; item < count; ++item) {
        if (!list[item].is_structured() && !list[item].is_null()) return {};
        in_place[places[item]] = &list[item];
    }
    FoundHand hand = hand_of_points(count, [&](std::size_t i) {
        return count == kLandmarks ? json_landmark(*in_place[i]) : json_point(*in_place[i]);
    });
    if (hand.empty()) return {};
    return {std::move(hand)};
}

void set_joint(const Vector3f& position, Joint joint, HandFrame& hand) {
    hand[joint].position_m = position;
    hand[joint].flags = tracking::joint_flags::kPositionValid | tracking::joint_flags::kPositionTracked;
    hand.active = true;
}

std::optional<Side> side_of_key(std::string_view key) {
    const std::string letters = letters_of(key);
    const bool left = letters.find("left") != std::string::npos, right = letters.find("right") != std::string::npos;
    if (left != right) return left ? Side::left : Side::right;
    return std::nullopt;
}

}  // namespace glovebox::recordings
