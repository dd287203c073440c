// There is no standard JSON format for hands. Programs share the joints' names (of ARKit, OpenXR, WebXR, MRTK or
// MediaPipe) or their number in a list. So each frame is searched for hands at any depth:
//   named    an object with at least 15 joints' names: indexFingerTip, index-finger-tip, XR_HAND_JOINT_INDEX_TIP_EXT
//   list     21 points in MediaPipe's order, 25 or 26 in OpenXR's (without or with the palm), 27 in ARKit's
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

#include "recordings/formats/csv_columns.h"
#include "recordings/formats/joint_names.h"
#include "recordings/json.h"
#include "recordings/parse.h"
#include "tracking/forward_kinematics.h"

namespace glovebox::recordings {
namespace {

using Eigen::Vector3f;
using tracking::HandFrame;
using tracking::Joint;
using tracking::Side;

constexpr std::size_t kMaxHandJsonBytes = std::size_t{256} << 20;
constexpr std::size_t kMinNamed = 15;

bool is_finite(const Vector3f& v) {
    return v.allFinite();
}

std::optional<Eigen::Isometry3f> pose_of_matrix(const std::array<float, 16>& m) {
    const Eigen::Map<const Eigen::Matrix4f> by_columns(m.data());
    const bool columns = m[3] == 0.0F && m[7] == 0.0F && m[11] == 0.0F;
    Eigen::Isometry3f pose = Eigen::Isometry3f::Identity();
    pose.matrix() = columns ? Eigen::Matrix4f(by_columns) : Eigen::Matrix4f(by_columns.transpose());
    if (!pose.matrix().allFinite() || !(std::abs(std::abs(pose.linear().determinant()) - 1.0F) < 0.05F))
        return std::nullopt;
    return pose;
}

// Parses a 4 x 4 matrix: 16 numbers, four lists of four, or {columns: four lists}.
std::optional<Eigen::Isometry3f> matrix_of(const Json& json) {
    std::array<float, 16> m{};
    if (const Json* columns = json_member(json, "columns")) return matrix_of(*columns);
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
        if (const auto pose = matrix_of(json)) return Vector3f(pose->translation());
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
    for (const char* valid : {"isTracked", "is_tracked", "tracked", "valid", "is_valid", "isValid"})
        if (const Json* flag = json_member(json, valid); flag != nullptr && flag->is_boolean() && !flag->get<bool>())
            return std::nullopt;
    double x = 0.0, y = 0.0, z = 0.0;
    if (json_number(json, "x", x) && json_number(json, "y", y) && json_number(json, "z", z)) {
        point = Eigen::Vector3d(x, y, z).cast<float>();
        return is_finite(point) ? std::optional(point) : std::nullopt;
    }
    for (const char* name : {"position", "pos", "translation", "location", "p", "t_xyz", "pose", "transform", "matrix",
                             "anchorFromJointTransform", "localTransform", "columns"})
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
    return which.has_value();
}

// Returns the hands of named joints: one, or a left and a right one, as in the body of a suit.
std::vector<FoundHand> hands_of_names(const std::vector<NamedValue>& values) {
    std::vector<FoundHand> hands;
    for (const std::optional<Side> side :
         {std::optional<Side>(), std::optional(Side::left), std::optional(Side::right)}) {
        std::size_t named = 0;
        bool thumb_middle = false;
        FoundHand hand;
        for (const NamedValue& joint : values) {
            if (joint.side != side) continue;
            ++named;
            hand.is_landmarks = hand.is_landmarks || joint.which.of_mediapipe;
            thumb_middle = thumb_middle || joint.which.is_thumb_middle;
        }
        if (named < kMinNamed) continue;
        hand.side = side;
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

std::vector<FoundHand> named_hands(const Json& object) {
    std::vector<NamedValue> values;
    for (const auto& [name, value] : object.items()) add_named(name, value, values);
    return hands_of_names(values);
}

// Returns the hands of a list of points, or of objects that name their joint.
std::vector<FoundHand> listed_hands(const Json& list) {
    constexpr std::size_t kMaxListed = 512;
    const std::size_t count = list.size();
    std::vector<NamedValue> values;
    for (std::size_t i = 0; i < count && count <= kMaxListed; ++i)
        for (const char* key : {"name", "joint", "jointName", "joint_name"}) {
            const Json* name = json_member(list[i], key);
            if (name != nullptr && name->is_string() && add_named(name->get<std::string>(), list[i], values)) break;
        }
    if (auto named = hands_of_names(values); !named.empty()) return named;

    if (count != 21 && count != 25 && count != 26 && count != 27) return {};
    FoundHand hand;
    hand.is_landmarks = count == 21;
    hand.is_list = count <= 26;
    std::size_t points = 0;
    for (std::size_t i = 0; i < count; ++i) {
        if (!list[i].is_object() && !list[i].is_array() && !list[i].is_null()) return {};
        const auto point = point_of(list[i]);
        if (!point) continue;
        ++points;
        if (hand.is_landmarks) {
            hand.landmarks.points[i] = *point;
            hand.landmarks.seen.set(i);
        } else if (count == 26 || i < 25) {
            set_joint(*point, static_cast<Joint>(count == 26 ? i : i + 1), hand.joints);
        }
    }
    if (points == 0) return {};
    return {std::move(hand)};
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
           letters == "label";
}

// Returns the pose of a member such as right_wrist, a matrix or a list of one.
std::optional<Eigen::Isometry3f> wrist_beside(const Json& object, Side side) {
    for (const auto& [key, value] : object.items()) {
        if (!letters_of(key).ends_with("wrist") || side_of_key(key) != side) continue;
        return matrix_of(value.is_array() && value.size() == 1 ? value[0] : value);
    }
    return std::nullopt;
}

// Moves a hand whose joints are relative to its wrist, as VisionProTeleop's right_fingers are.
void place_hand(const Eigen::Isometry3f& wrist, FoundHand& hand) {
    const tracking::JointPose& own = hand.joints[Joint::wrist];
    if (hand.is_landmarks || !own.position_valid() || own.position_m.norm() > 1e-6F) return;
    for (tracking::JointPose& joint : hand.joints.joints) joint.position_m = wrist * joint.position_m;
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

void find_hands(const Json& json, std::optional<Side> side, int depth, std::vector<FoundHand>& found) {
    if (depth > 8 || found.size() > 4) return;
    if (json.is_array()) {
        if (add_hands(listed_hands(json), side, found)) return;
        if (json.size() > 64) return;
        for (const Json& item : json) find_hands(item, side, depth + 1, found);
        return;
    }
    if (!json.is_object()) return;
    const Json* sides = nullptr;
    bool has_world = false;
    for (const auto& [key, value] : json.items()) {
        if (names_side(key)) {
            if (const auto said = side_of_value(value); said && !value.is_array()) side = said;
            if (value.is_array()) sides = &value;
        }
        has_world = has_world || (letters_of(key).find("world") != std::string::npos && value.is_array());
    }
    const std::size_t before = found.size();
    if (!add_hands(named_hands(json), side, found)) {
        for (const auto& [key, value] : json.items()) {
            if (!value.is_object() && !value.is_array()) continue;
            const std::string letters = letters_of(key);
            // Landmarks in metres are preferred to image landmarks.
            if (has_world && letters.ends_with("landmarks") && letters.find("world") == std::string::npos) continue;
            const auto said = side_of_key(key);
            const std::size_t inside = found.size();
            find_hands(value, said ? said : side, depth + 1, found);
            if (said)
                if (const auto wrist = wrist_beside(json, *said))
                    for (std::size_t i = inside; i < found.size(); ++i) place_hand(*wrist, found[i]);
        }
    }
    if (sides != nullptr)
        for (std::size_t i = before; i < found.size() && i - before < sides->size(); ++i)
            if (const auto said = side_of_value((*sides)[i - before])) found[i].side = said;
    // A transform of the whole hand: joints are then in the hand's own frame.
    for (const char* key : {"originFromAnchorTransform", "anchorTransform", "wristTransform", "world_from_hand"}) {
        const Json* transform = json_member(json, key);
        const auto pose = transform != nullptr ? matrix_of(*transform) : std::nullopt;
        for (std::size_t i = before; pose && i < found.size(); ++i)
            if (!found[i].is_landmarks)
                for (tracking::JointPose& joint : found[i].joints.joints) joint.position_m = *pose * joint.position_m;
    }
}

std::optional<FoundTime> time_of(const Json& frame) {
    if (!frame.is_object()) return std::nullopt;
    for (const auto& [key, value] : frame.items()) {
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
        if (value.is_number_integer()) time.exact_ns = value.get<std::int64_t>();
        return time;
    }
    return std::nullopt;
}

constexpr const char* kNoHand =
    "no frame of the JSON has a hand that is known: 15 joints by name, or a list of 21, 25 or 26 points";

FoundFrame frame_of_value(const Json& json) {
    FoundFrame frame;
    frame.time = time_of(json);
    find_hands(json, std::nullopt, 0, frame.hands);
    return frame;
}

constexpr std::array<std::string_view, 9> kLists = {"frames",  "data",    "samples",   "poses",   "hands",
                                                    "records", "results", "recording", "sequence"};

// Returns the name of the first list of frames at the top of a document.
std::string_view list_in(std::string_view text) {
    std::string_view best;
    std::size_t first = std::string_view::npos;
    for (const std::string_view name : kLists) {
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

// Returns true if the first line is a complete object, as in JSON lines.
bool is_lines(std::string_view head) {
    head = trimmed(head);
    const std::size_t end = head.find('\n');
    if (!head.starts_with('{') || end == std::string_view::npos) return false;
    return trimmed(head.substr(0, end)).ends_with('}') && trimmed(head.substr(end)).starts_with('{');
}

}  // namespace

bool is_hand_json(std::string_view head, std::uintmax_t) {
    const std::string_view text = trimmed(head);
    if (!text.starts_with('{') && !text.starts_with('[')) return false;
    // A section of another kind of text, such as [gd_resource].
    const std::string_view inside = trimmed(text.substr(1, 64));
    if (text.starts_with('[') && !inside.empty() && std::isalpha(static_cast<unsigned char>(inside[0])) != 0)
        return false;
    // Exclude formats that have their own reader.
    for (const std::string_view other :
         {"\"pointables\"", "\"interactionBox\"", "\"jointTransforms\"", "\"hand_poses\"", "\"glovebox",
          "\"jointSequence\"", "\"hand_model\"", "\"asset\"", "\"schema\""})
        if (text.find(other) != std::string_view::npos) return false;
    std::string small(text.substr(0, 16384));
    for (char& c : small) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    int words = small.find("landmark") != std::string::npos ? 2 : 0;
    for (const std::string_view word : {"finger", "handedness", "chirality", "wrist", "thumb", "index", "joint",
                                        "lefthand", "left_hand", "righthand", "right_hand", "\"hands\"", "hand"})
        words += small.find(word) != std::string::npos ? 1 : 0;
    return words >= 2;
}

FoundFrame frame_of_json(const Input& in, std::string_view text) {
    return frame_of_value(parse_json(in, text));
}

void read_hand_json(Input& in, const ImportOptions& options, Assembly& out) {
    FoundHands found(in, options, out);
    if (is_lines(in.head())) {
        try {
            for (std::string_view line; in.next_full_line(line);) found.take(frame_of_json(in, line));
        } catch (const CutOff&) {
            found.finish(kNoHand);
            throw;
        }
        return found.finish(kNoHand);
    }
    const std::string text = in.read_all(kMaxHandJsonBytes);
    const std::string_view start = trimmed(text);
    const std::string_view list = start.starts_with('[') ? std::string_view() : list_in(text);
    if (list.empty() && !start.starts_with('[')) {
        found.take(frame_of_json(in, text));  // one pose
        return found.finish(kNoHand);
    }
    bool cut = false;
    parse_json_items(
        in, text, list, [&found](const Json& item) { found.take(frame_of_value(item)); }, &cut);
    found.finish(kNoHand);
    if (cut) in.fail_cut("the JSON is cut off");
}

}  // namespace glovebox::recordings
