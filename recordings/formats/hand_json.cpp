// There is no standard JSON format for hands. Programs share the joints' names (of ARKit, OpenXR, WebXR, MRTK or
// MediaPipe) or their number in a list. So each frame is searched for hands at any depth:
//   named    an object with at least 15 joints' names: indexFingerTip, index-finger-tip, XR_HAND_JOINT_INDEX_TIP_EXT
//   list     21 points in MediaPipe's order, or a list of joint_lists.h, or the numbers of these in a row
//   fingers  a wrist, and four points of each finger by its name
// A point is [x, y, z], {x, y, z}, a pose that begins with these, a 4 x 4 matrix by rows or columns, or an object that
// has one of them as position, transform and the like. The side comes from a name or value around the hand that
// contains left or right (chirality, handedness, "rightHand"), else from the hand's shape. A transform of a whole hand
// (ARKit's originFromAnchorTransform) moves its joints. Only positions are read; orientations are computed from them,
// because vendors' axes differ. Frames are the lines of a file, the items of a list at the top, or of a list called
// frames, data, samples, poses or hands. Time is timestamp, time, t or ts in a frame. Its unit comes from the name, or
// is the one in which time steps are those of a camera.
#include "recordings/formats/hand_json.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <numeric>
#include <span>
#include <utility>

#include "recordings/formats/csv_columns.h"
#include "recordings/formats/hand_arrays.h"
#include "recordings/formats/joint_lists.h"
#include "recordings/formats/joint_names.h"
#include "recordings/formats/table_json.h"
#include "recordings/json.h"
#include "recordings/parse.h"
#include "tracking/side_evidence.h"

namespace glovebox::recordings {
namespace {

using Eigen::Vector3f;
using tracking::HandFrame;
using tracking::Joint;
using tracking::Side;

constexpr std::size_t kMaxHandJsonBytes = std::size_t{256} << 20;
constexpr std::size_t kMinNamed = 15;
constexpr std::size_t kMaxHands = 4;  // of a frame, that are searched for

bool is_finite(const Vector3f& v) {
    return v.allFinite();
}

// A pose, and the order of its matrix. A matrix without translation does not show its order: then the pose is that of a
// matrix by columns.
struct MatrixPose {
    Eigen::Isometry3f pose = Eigen::Isometry3f::Identity();
    std::optional<bool> by_columns;
};

std::optional<MatrixPose> pose_of_matrix(const std::array<float, 16>& m) {
    const Eigen::Map<const Eigen::Matrix4f> by_columns(m.data());
    const bool columns = m[3] == 0.0F && m[7] == 0.0F && m[11] == 0.0F;
    MatrixPose read;
    read.pose.matrix() = columns ? Eigen::Matrix4f(by_columns) : Eigen::Matrix4f(by_columns.transpose());
    if (!read.pose.matrix().allFinite() || !(std::abs(std::abs(read.pose.linear().determinant()) - 1.0F) < 0.05F))
        return std::nullopt;
    if (!columns || m[12] != 0.0F || m[13] != 0.0F || m[14] != 0.0F) read.by_columns = columns;
    return read;
}

// Parses a 4 x 4 matrix: 16 numbers, four lists of four, or {columns: four lists}.
std::optional<MatrixPose> matrix_of(const Json& json) {
    std::array<float, 16> m{};
    if (const Json* columns = json_member(json, "columns")) {
        auto read = matrix_of(*columns);
        if (read) read->by_columns = true;
        return read;
    }
    if (json.is_object() && json.size() == 16 && json.contains("0")) {  // JavaScript's Float32Array
        Json list = Json::array();
        for (std::size_t i = 0; i < 16; ++i)
            if (const Json* value = json_member(json, std::to_string(i).c_str())) list.push_back(*value);
        return list.size() == 16 ? matrix_of(list) : std::nullopt;
    }
    if (!json.is_array()) return std::nullopt;
    if (json.size() == 16) return json_numbers(json, 16, m.data()) ? pose_of_matrix(m) : std::nullopt;
    if (json.size() != 4) return std::nullopt;
    for (std::size_t i = 0; i < 4; ++i)
        if (!json_numbers(json[i], 4, m.data() + 4 * i)) return std::nullopt;
    return pose_of_matrix(m);
}

std::optional<Vector3f> point_of(const Json& json, int depth = 0) {
    Vector3f point;
    if (json.is_array()) {
        if (const auto read = matrix_of(json)) return Vector3f(read->pose.translation());
        const bool is_pose = json.size() == 3 || json.size() == 7 || json.size() == 8;
        for (Eigen::Index i = 0; i < 3; ++i) {
            if (!is_pose || !json[static_cast<std::size_t>(i)].is_number()) return std::nullopt;
            point[i] = json[static_cast<std::size_t>(i)].get<float>();
        }
        std::array<float, 7> pose{};
        if (json_numbers(json, 7, pose.data()) && has_quaternion_first(pose))
            point = Vector3f(pose[4], pose[5], pose[6]);
        return is_finite(point) ? std::optional(point) : std::nullopt;
    }
    if (!json.is_object() || depth > 3) return std::nullopt;
    if (const auto read = matrix_of(json)) return Vector3f(read->pose.translation());
    for (const char* valid : {"isTracked", "is_tracked", "tracked", "valid", "is_valid", "isValid"})
        if (const Json* flag = json_member(json, valid); flag != nullptr && flag->is_boolean() && !flag->get<bool>())
            return std::nullopt;
    double x = 0.0, y = 0.0, z = 0.0;
    if (json_number(json, "x", x) && json_number(json, "y", y) && json_number(json, "z", z)) {
        point = Eigen::Vector3d(x, y, z).cast<float>();
        return is_finite(point) ? std::optional(point) : std::nullopt;
    }
    for (const char* name : {"position", "pos", "translation", "location", "p", "t_xyz", "pose", "transform", "matrix",
                             "anchorFromJointTransform", "localTransform", "columns", "head"})
        if (const Json* inner = json_member(json, name)) return point_of(*inner, depth + 1);
    return std::nullopt;
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
            if (const auto point = point_of(*joint.value))
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
FoundHand hand_of_list(std::size_t count, PointAt&& point_at) {
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
            return is_finite(point) ? std::optional(point) : std::nullopt;
        };
        FoundHand& hand = hands.emplace_back();
        if (row->points == kSteamVrBones)
            hand = hand_of_bones(steamvr_hand(numbers));
        else
            hand = hand_of_list(row->points, point_at);
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
    const auto point = point_of(bone).value_or(Vector3f::Constant(std::nanf("")));
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

// Returns a landmark, which may have its visibility as a fourth number; a quaternion is none.
std::optional<Vector3f> landmark_of(const Json& json) {
    std::array<float, 4> values{};
    if (!json_numbers(json, 4, values.data())) return point_of(json);
    const Eigen::Map<const Eigen::Vector4f> all(values.data());
    if (!all.allFinite() || std::abs(all.norm() - 1.0F) < 1e-3F) return std::nullopt;
    return Vector3f(all.head<3>());
}

// Returns the hands of a list of points, or of objects that name their joint.
std::vector<FoundHand> listed_hands(const Json& list) {
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
            hands.push_back(hand_of_list(kLandmarks, [&](std::size_t i) { return landmark_of(list[first + i]); }));
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
    FoundHand hand = hand_of_list(
        count, [&](std::size_t i) { return count == kLandmarks ? landmark_of(*in_place[i]) : point_of(*in_place[i]); });
    if (hand.empty()) return {};
    return {std::move(hand)};
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
    const auto place = wrist != nullptr ? point_of(*wrist) : std::nullopt;
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
            const auto from = start != nullptr ? point_of(*start) : std::nullopt;
            const auto to = end != nullptr ? point_of(*end) : std::nullopt;
            if (!from || !to || number > 3) return std::nullopt;
            if (finger == 0 && number == 0) continue;
            const std::size_t joint = (finger == 0 ? 1 : 1 + 5 * finger) + number;
            set_joint(*from, static_cast<Joint>(joint), hand.joints);
            if (number == 3) set_joint(*to, static_cast<Joint>(joint + 1), hand.joints);
        }
    }
    return hand;
}

// Returns the side in "Left", [{"label": "Left"}] or [[{"categoryName": "Left"}]].
std::optional<Side> side_of_value(const Json& json, int depth = 0) {
    if (json.is_string()) return side_of_word(json.get<std::string>());
    if (depth > 3) return std::nullopt;
    if (json.is_array() && !json.empty()) return side_of_value(json[0], depth + 1);
    for (const char* key : {"label", "categoryName", "displayName", "category_name", "chirality", "handedness"})
        if (const Json* inner = json_member(json, key)) return side_of_value(*inner, depth + 1);
    return std::nullopt;
}

bool names_side(std::string_view key) {
    const std::string letters = letters_of(key);
    return letters == "handedness" || letters == "handednesses" || letters == "multihandedness" ||
           letters == "chirality" || letters == "side" || letters == "hand" || letters == "handside" ||
           letters == "label" || letters == "type";
}

// Returns the pose of a member such as right_wrist, a matrix or a list of one.
std::optional<MatrixPose> wrist_beside(const Json& object, Side side) {
    for (const auto& [key, value] : object.items()) {
        if (!letters_of(key).ends_with("wrist") || side_of_key(key) != side) continue;
        return matrix_of(value.is_array() && value.size() == 1 ? value[0] : value);
    }
    return std::nullopt;
}

// Returns the order of the first matrix in a frame that shows it.
std::optional<bool> order_of_matrices(const Json& json, int depth = 0) {
    if (const auto read = matrix_of(json)) return read->by_columns;
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
        std::vector<FoundHand> listed = listed_hands(json);
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
    std::vector<FoundHand> hands = named_hands(json);
    if (const Json* fingers = first_member(json, {"fingers", "Fingers", "digits"}); fingers != nullptr && hands.empty())
        if (auto hand = hand_of_leap(json)) hands.push_back(*std::move(hand));
    if (const Json list = list_of_numbered(json); !list.empty() && hands.empty() && !place.is_body)
        hands = listed_hands(list);
    if (const Json list = list_of_axes(json); !list.empty() && hands.empty() && !place.is_body)
        hands = listed_hands(list);
    if (!add_hands(std::move(hands), place.side, found)) find_in_members(json, place, found);
    if (sides != nullptr)
        for (std::size_t i = before; i < found.size() && i - before < sides->size(); ++i)
            if (const auto said = side_of_value((*sides)[i - before])) found[i].side = said;
    // A transform of the whole hand: joints are then in the hand's own frame.
    for (const char* key : {"originFromAnchorTransform", "anchorTransform", "wristTransform", "world_from_hand"}) {
        const Json* transform = json_member(json, key);
        const auto pose = transform != nullptr ? matrix_of(*transform) : std::nullopt;
        for (std::size_t i = before; pose && i < found.size(); ++i) move_hand(*pose, json, found[i]);
    }
}

// Returns the time of a message of ROS: {sec, nanosec} or {secs, nsecs}.
std::optional<FoundTime> time_of_stamp(const Json& stamp) {
    double seconds = 0.0, parts = 0.0;
    const bool whole = (json_number(stamp, "sec", seconds) || json_number(stamp, "secs", seconds)) &&
                       (json_number(stamp, "nanosec", parts) || json_number(stamp, "nsecs", parts) ||
                        json_number(stamp, "nsec", parts));
    if (!whole || !(std::abs(seconds) < 9e9) || !(std::abs(parts) < 1e10)) return std::nullopt;
    FoundTime time;
    time.exact_ns = 1'000'000'000 * std::llround(seconds) + std::llround(parts);
    time.value = static_cast<double>(*time.exact_ns);
    time.ns_per_unit = 1.0;
    return time;
}

std::optional<FoundTime> time_of(const Json& frame) {
    if (!frame.is_object()) return std::nullopt;
    for (const auto& [key, value] : frame.items()) {
        if (value.is_object()) {
            if (const auto stamp = time_of_stamp(value)) return stamp;
            if (key == "header")
                if (const auto inner = time_of(value)) return inner;
        }
        const auto unit_ns = time_unit_of_words(words_of_name(key));
        if (!unit_ns) continue;
        FoundTime time;
        time.ns_per_unit = *unit_ns;
        if (value.is_string()) {
            time.exact_ns = parse_civil_time_ns(value.get<std::string>());
            if (!time.exact_ns) continue;
            time.ns_per_unit = 1.0;
            time.value = static_cast<double>(*time.exact_ns);
            return time;
        }
        if (!value.is_number()) continue;
        time.value = value.get<double>();
        if (value.is_number_integer() && time.value < 9e18) time.exact_ns = value.get<std::int64_t>();
        return time;
    }
    return std::nullopt;
}

constexpr const char* kNoHand =
    "no frame of the JSON has a hand that is known: 15 joints by name, among them the wrist and the knuckles of index "
    "and middle finger, or a list of 21, 24, 25, 26 or 31 points, or of their numbers (63, 75, 78 ...); fingers of "
    "four points need a member wrist beside them: [0, 0, 0] if they are relative to it";

constexpr const char* kFlatPoints =
    "the JSON has points of a picture only (2d), which do not determine a hand in space; save points with x, y and z";

// Returns the number of a frame.
std::optional<double> number_of(const Json& frame) {
    if (!frame.is_object()) return std::nullopt;
    for (const auto& [key, value] : frame.items())
        if (value.is_number() && is_frame_column(words_of_name(key))) return value.get<double>();
    return std::nullopt;
}

FoundFrame frame_of_value(const Json& json, std::optional<Side> side = {}) {
    FoundFrame frame;
    frame.time = time_of(json);
    frame.number = number_of(json);
    find_hands(json, {side}, frame.hands);
    return frame;
}

bool has_hand(const Json& json) {
    std::vector<FoundHand> hands;
    find_hands(json, {}, hands);
    return std::any_of(hands.begin(), hands.end(), [](const FoundHand& hand) { return !hand.empty(); });
}

constexpr std::size_t kMinFrames = 3;    // two may be the hands of a frame; see are_two_frames()
constexpr std::size_t kFramesSeen = 32;  // the first ones may have no hand

bool is_list_of_frames(const Json& list) {
    if (!list.is_array() || list.size() < kMinFrames || !listed_hands(list).empty()) return false;
    for (std::size_t i = 0; i < std::min(list.size(), kFramesSeen); ++i)
        if (list[i].is_structured() && has_hand(list[i])) return true;
    return false;
}

std::optional<Side> side_of_shape(const FoundHand& hand) {
    HandFrame joints = hand.joints;
    for (std::size_t i = 0; hand.is_landmarks && i < kLandmarks; ++i)
        if (hand.landmarks.seen.test(i)) {
            const Vector3f& p = hand.landmarks.points[i];
            set_joint({p.x(), -p.y(), -p.z()}, joint_of_landmark(i), joints);
        }
    tracking::SideEvidence evidence;
    evidence.add(joints);
    const tracking::SideVerdict verdict = evidence.verdict();
    return verdict.confidence >= tracking::kSureOfSide ? std::optional(verdict.side) : std::nullopt;
}

// Returns true if two values with hands are frames: the hands are of the same side, or each has two, or a time.
bool are_two_frames(const Json& a, const Json& b) {
    const FoundFrame first = frame_of_value(a), second = frame_of_value(b);
    if (first.hands.empty() || second.hands.empty()) return false;
    if (first.time || first.number || first.hands.size() > 1 || second.hands.size() > 1) return true;
    const auto side_of = [](const FoundHand& hand) { return hand.side ? hand.side : side_of_shape(hand); };
    const auto side = side_of(first.hands[0]);
    return side && side == side_of(second.hands[0]);
}

// Returns the frames of an object whose names count them ("0", "1" or "frame_0", "frame_1"), in their order. Words and
// numbers may stand beside them.
std::vector<const Json*> counted_frames(const Json& object) {
    std::vector<std::pair<std::size_t, const Json*>> numbered;
    for (const auto& [key, value] : object.items()) {
        if (!value.is_structured()) continue;
        const std::string_view name = key;
        const std::size_t digits = name.find_first_of("0123456789");
        std::size_t number = 0;
        if (digits == std::string_view::npos || !parse_number(name.substr(digits), number)) return {};
        numbered.emplace_back(number, &value);
    }
    std::sort(numbered.begin(), numbered.end());
    std::vector<const Json*> frames;
    for (const auto& [number, frame] : numbered) frames.push_back(frame);
    // Takes may be numbered too, and have frames of their own.
    if (!frames.empty() && frames[0]->is_object() && !counted_frames(*frames[0]).empty()) return {};
    const auto seen = frames.begin() + static_cast<std::ptrdiff_t>(std::min(frames.size(), kFramesSeen));
    if (frames.size() == 2 && object.size() == 2 && are_two_frames(*frames[0], *frames[1])) return frames;
    const bool any = frames.size() >= kMinFrames &&
                     std::any_of(frames.begin(), seen, [](const Json* frame) { return has_hand(*frame); });
    return any ? frames : std::vector<const Json*>();
}

// Returns how many frames a document has in which each joint is a list over time: {"wrist": [[x, y, z], ...], ...};
// else 0.
std::size_t frames_of_tracks(const Json& json, int depth = 0) {
    if (!json.is_object() || depth > 3) return 0;
    std::vector<NamedValue> tracks;
    for (const auto& [name, value] : json.items())
        if (value.is_array() && value.size() >= kMinFrames && value[0].is_structured()) add_named(name, value, tracks);
    if (tracks.size() < kMinNamed) {
        for (const Json& inner : json)
            if (const std::size_t frames = frames_of_tracks(inner, depth + 1); frames > 0) return frames;
        return 0;
    }
    const std::size_t frames = tracks[0].value->size();
    const bool same = std::all_of(tracks.begin(), tracks.end(),
                                  [frames](const NamedValue& track) { return track.value->size() == frames; });
    return same ? frames : 0;
}

// Returns one frame of such a document.
Json frame_of_tracks(const Json& json, std::size_t frame, std::size_t frames) {
    if (json.is_array() && json.size() == frames) return json[frame];
    if (!json.is_object()) return json;
    Json at = Json::object();
    for (const auto& [name, value] : json.items())
        at[name == "timestamps" ? "timestamp" : name] = frame_of_tracks(value, frame, frames);
    return at;
}

bool has_frames(const Json& json, int depth) {
    if (depth > 4 || !json.is_structured()) return false;
    if (json.is_array()) return is_list_of_frames(json);
    if (!counted_frames(json).empty()) return true;
    return std::any_of(json.begin(), json.end(), [depth](const Json& inner) { return has_frames(inner, depth + 1); });
}

// Takes the frames of a document that has them in a list of any name, in lists for each hand, or counted by names.
// Returns false, without a frame, if it is one frame.
bool take_frames(const Json& json, FoundHands& found, Assembly& out, int depth = 0) {
    if (depth > 4 || !json.is_structured()) return false;
    if (const std::size_t frames = depth == 0 ? frames_of_tracks(json) : 0; frames > 0 && !has_hand(json)) {
        for (std::size_t i = 0; i < frames; ++i) found.take(frame_of_value(frame_of_tracks(json, i, frames)));
        return true;
    }
    if (json.is_array()) {
        if (!is_list_of_frames(json)) return false;
        for (const Json& frame : json) found.take(frame_of_value(frame));
        return true;
    }
    std::size_t length = 0, shortest = 0;
    for (const Json& list : json) {
        if (!is_list_of_frames(list)) continue;
        length = std::max(length, list.size());
        shortest = shortest == 0 ? list.size() : std::min(shortest, list.size());
    }
    note_shorter(shortest, length, out);
    const auto is_of_frames = [length, shortest](const Json& list) {
        return list.is_array() && list.size() >= shortest && list.size() <= length;
    };
    // A side beside the frames is that of all, but a time there is that of the recording.
    std::optional<Side> side;
    std::vector<std::pair<std::string, const Json*>> lists;
    for (const auto& [key, value] : json.items()) {
        if (is_of_frames(value)) lists.emplace_back(key == "timestamps" ? "timestamp" : key, &value);
        if (const auto said = side_of_value(value); said && value.is_string() && names_side(key)) side = said;
    }
    for (std::size_t i = 0; i < length; ++i) {
        std::erase_if(lists, [i](const auto& list) { return i >= list.second->size(); });
        Json frame = Json::object();
        for (const auto& [key, list] : lists) frame[key] = (*list)[i];
        FoundFrame read = frame_of_value(frame, side);
        for (const auto& [key, list] : lists) {  // the time may be in the items
            if (!read.time) read.time = time_of((*list)[i]);
            if (!read.number) read.number = number_of((*list)[i]);
        }
        found.take(std::move(read));
    }
    if (length > 0) return true;
    if (const auto frames = counted_frames(json); !frames.empty()) {
        for (const Json* frame : frames) found.take(frame_of_value(*frame, side));
        return true;
    }
    bool taken = false;
    for (const Json& inner : json) {
        if (taken && has_frames(inner, depth + 1)) {
            out.note("The JSON has several lists of frames; the first was read.");
            break;
        }
        taken = taken || take_frames(inner, found, out, depth + 1);
    }
    return taken;
}

// Returns the frames in a second that a document states at its top.
std::optional<double> rate_in(std::string_view text) {
    text = text.substr(0, 65536);
    for (const std::string_view name : {"\"fps\"", "\"frame_rate\"", "\"frameRate\"", "\"framerate\"", "\"FPS\""}) {
        const std::size_t at = text.find(name);
        if (at == std::string_view::npos) continue;
        std::string_view value = trimmed(text.substr(at + name.size(), 64));
        if (!value.starts_with(':')) continue;
        value = trimmed(value.substr(1));
        double rate = 0.0;
        if (parse_number(value.substr(0, value.find_first_not_of("0123456789.")), rate) && rate >= 1.0 &&
            rate <= 2000.0)
            return rate;
    }
    return std::nullopt;
}

constexpr std::array<std::string_view, 8> kLists = {"frames",  "data",    "samples",   "poses",
                                                    "records", "results", "recording", "sequence"};

// Returns the name of the first list of frames at the top of a document.
std::string_view list_in(std::string_view text, std::span<const std::string_view> names) {
    std::string_view best;
    std::size_t first = std::string_view::npos;
    for (const std::string_view name : names) {
        const std::string quoted = "\"" + std::string(name) + "\"";
        const std::size_t at = text.substr(0, 65536).find(quoted);
        if (at >= first || at == std::string_view::npos) continue;
        const std::string_view after = trimmed(text.substr(at + quoted.size(), 64));
        if (!after.starts_with(':') || !trimmed(after.substr(1)).starts_with('[')) continue;
        first = at;
        best = name;
    }
    return best;
}

// Returns true if the first list of numbers has as many as a hand, or if a list begins with points.
bool has_list_of_numbers(std::string_view text) {
    for (std::size_t at = text.find('['); at != std::string_view::npos; at = text.find('[', at + 1)) {
        const std::string_view list = text.substr(at + 1, text.find(']', at) - at - 1);
        if (list.find_first_of("[{\"") != std::string_view::npos) continue;
        const auto count = static_cast<std::size_t>(std::count(list.begin(), list.end(), ',')) + 1;
        const bool in_lists = at > 1 && trimmed(text.substr(0, at)).ends_with('[');
        return row_of_numbers(count) || (in_lists && (count == 3 || count == 4 || count == 7 || count == 16));
    }
    return false;
}

// Parses a document. If it is truncated, returns it up to its last complete frame, if there is one.
Json parse_document(const Input& in, std::string_view text, bool& cut) {
    try {
        return parse_json(in, text);
    } catch (const CutOff&) {
        std::string closing;
        for (const OpenJson& open : json_extent(text).open) {
            closing.insert(closing.begin(), open.closing);
            if (open.last_end == 0) continue;
            const Json last = parse_json(in, text.substr(open.last_begin, open.last_end - open.last_begin));
            if (!has_hand(last) || has_frames(last, 0)) continue;
            cut = true;
            return parse_json(in, std::string(text.substr(0, open.last_end)) + closing);
        }
        throw;
    }
}

std::string_view after_comma(std::string_view text) {
    text = trimmed(text);
    return text.starts_with(',') ? trimmed(text.substr(1)) : text;
}

// Returns true for JSON values one after another, with or without commas: what a logger writes that appends frames.
bool is_sequence(std::string_view text) {
    const std::string_view rest = after_comma(text.substr(json_extent(text).end));
    return rest.starts_with('{') || rest.starts_with('[');
}

// Takes values that follow each other: frames or, if the first has several, lists of frames.
class Sequence {
  public:
    Sequence(FoundHands& found, Assembly& out) : found_(found), out_(out) {}
    void take(const Json& value) {
        if (std::exchange(first_, false)) of_frames_ = has_frames(value, 0);
        if (!of_frames_ || !take_frames(value, found_, out_)) found_.take(frame_of_value(value));
    }

  private:
    FoundHands& found_;
    Assembly& out_;
    bool first_ = true, of_frames_ = false;
};

// Takes the values of a text. Returns true if the last one is truncated.
bool take_sequence(const Input& in, std::string_view text, Sequence& sequence) {
    for (; !text.empty(); text = after_comma(text)) {
        const JsonExtent extent = json_extent(text);
        if (!extent.open.empty()) return true;
        sequence.take(parse_json(in, text.substr(0, extent.end)));
        text.remove_prefix(extent.end);
    }
    return false;
}

// Returns true if the first line is a complete object or list, as in JSON lines.
bool is_lines(std::string_view head) {
    head = trimmed(head);
    const std::size_t end = head.find('\n');
    if (end == std::string_view::npos || (head[0] != '{' && head[0] != '[')) return false;
    return trimmed(head.substr(0, end)).ends_with(head[0] == '{' ? '}' : ']') &&
           trimmed(head.substr(end)).starts_with(head[0]);
}

}  // namespace

bool is_hand_json(std::string_view head, std::uintmax_t file_size) {
    const std::string_view text = trimmed(head);
    if (!text.starts_with('{') && !text.starts_with('[')) return false;
    // A section of another kind of text, such as [gd_resource].
    const std::string_view inside = trimmed(text.substr(1, 64));
    if (text.starts_with('[') && !inside.empty() && std::isalpha(static_cast<unsigned char>(inside[0])) != 0)
        return false;
    // Exclude formats that have their own reader.
    for (const std::string_view other :
         {"\"pointables\"", "\"interactionBox\"", "\"jointTransforms\"", "\"hand_poses\"", "\"glovebox",
          "\"jointSequence\"", "\"hand_model\"", "\"asset\"", "\"schema\"", "\"gt_available_status\"",
          "\"instance_bop_id\"", "\"betas\""})
        if (text.find(other) != std::string_view::npos) return false;
    std::string small(text.substr(0, 16384));
    for (char& c : small) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    constexpr std::array<std::string_view, 9> kWords = {"hand",  "finger", "joint", "landmark", "wrist",
                                                        "thumb", "left",   "right", "keypoint"};
    const bool any = std::any_of(kWords.begin(), kWords.end(),
                                 [&small](std::string_view word) { return small.find(word) != std::string::npos; });
    return (any || has_list_of_numbers(text.substr(0, 16384))) && !is_table_json(head, file_size);
}

FoundFrame frame_of_json(const Input& in, std::string_view text) {
    return frame_of_value(parse_json(in, text));
}

void read_hand_json(Input& in, const ImportOptions& options, Assembly& out) {
    FoundHands found(in, options, out);
    const bool flat = in.head().find("_2d\"") != std::string_view::npos;  // OpenPose
    const char* const reason = flat ? kFlatPoints : kNoHand;
    Sequence sequence(found, out);
    if (is_lines(in.head())) {
        try {
            for (std::string_view line; in.next_full_line(line);) sequence.take(parse_json(in, line));
        } catch (const CutOff&) {
            found.finish(reason);
            throw;
        } catch (const ImportError&) {
            found.push_buffered();
            throw;
        }
        return found.finish(reason);
    }
    const std::string text = in.read_all(kMaxHandJsonBytes);
    if (const auto rate = rate_in(text)) found.set_frame_time(1e9 / *rate);
    const std::string_view start = trimmed(text);
    bool cut = false;
    try {
        const std::string_view list = start.starts_with('[') ? std::string_view() : list_in(text, kLists);
        if (is_sequence(start)) {
            cut = take_sequence(in, start, sequence);
        } else if (!list.empty() || start.starts_with('[')) {
            parse_json_items(
                in, text, list, [&found](const Json& item) { found.take(frame_of_value(item)); }, &cut);
        } else {
            const Json document = parse_document(in, start, cut);
            if (!cut && read_table_document(in, document, text.size(), options, out)) return;
            if (!take_frames(document, found, out)) {
                FoundFrame pose = frame_of_value(document);
                if (pose.hands.size() > 2)
                    in.fail("the JSON has more than two hands, but no list of frames; write a list of them: frames");
                found.take(std::move(pose));
            }
        }
    } catch (const ImportError&) {
        found.push_buffered();
        throw;
    }
    found.finish(reason);
    if (cut) in.fail_cut("the JSON is cut off");
}

}  // namespace glovebox::recordings
