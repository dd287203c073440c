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

#include "recordings/formats/landmarks.h"
#include "recordings/json.h"
#include "recordings/parse.h"
#include "tracking/forward_kinematics.h"

namespace glovebox::recordings {
namespace {

using Eigen::Vector3f;
using tracking::HandFrame;
using tracking::Joint;
using tracking::kJointCount;
using tracking::Side;

constexpr std::size_t kMaxHandJsonBytes = std::size_t{256} << 20;
constexpr std::size_t kMinNamed = 15;
constexpr std::size_t kWaitForTime = 64;  // frames until the unit of time is guessed

std::string letters_of(std::string_view name) {
    std::string letters;
    for (const char c : name.substr(0, 64))
        if (std::isalnum(static_cast<unsigned char>(c)) != 0)
            letters += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return letters;
}

bool take(std::string_view& text, std::string_view prefix) {
    if (!text.starts_with(prefix)) return false;
    text.remove_prefix(prefix.size());
    return true;
}

struct NamedPoint {
    Joint joint = Joint::palm;
    bool of_mediapipe = false;  // MediaPipe's axes are those of the camera
};

std::optional<NamedPoint> point_of_name(std::string_view name) {
    const std::string letters = letters_of(name);
    std::string_view rest = letters;
    for (const std::string_view prefix : {"xrhandjoint", "handjoint", "hand", "left", "right", "hand", "joint"})
        take(rest, prefix);
    if (rest.ends_with("ext")) rest.remove_suffix(3);
    if (rest.ends_with("joint")) rest.remove_suffix(5);
    if (rest == "wrist") return NamedPoint{Joint::wrist, false};
    if (rest == "palm") return NamedPoint{Joint::palm, false};
    constexpr std::array<std::string_view, 6> kFingers = {"thumb", "index", "middle", "ring", "little", "pinky"};
    for (std::size_t f = 0; f < kFingers.size(); ++f) {
        if (!take(rest, kFingers[f])) continue;
        take(rest, "finger");
        take(rest, "phalanx");
        const std::size_t finger = std::min<std::size_t>(f, 4);
        struct Bone {
            std::string_view name;
            int thumb, finger;  // index from the metacarpal; -1: no such joint
            bool of_mediapipe;
        };
        constexpr std::array<Bone, 15> kBones = {{{"metacarpal", 0, 0, false},
                                                  {"proximal", 1, 1, false},
                                                  {"intermediate", -1, 2, false},
                                                  {"distal", 2, 3, false},
                                                  {"tip", 3, 4, false},
                                                  {"knuckle", 0, 1, false},
                                                  {"intermediatebase", 1, 2, false},
                                                  {"intermediatetip", 2, 3, false},
                                                  {"middle", -1, 2, false},
                                                  {"cmc", 0, -1, true},
                                                  {"mcp", 1, 1, true},
                                                  {"pip", -1, 2, true},
                                                  {"ip", 2, -1, true},
                                                  {"dip", -1, 3, true},
                                                  {"fingertip", 3, 4, false}}};
        for (const Bone& bone : kBones) {
            const int number = finger == 0 ? bone.thumb : bone.finger;
            if (bone.name != rest || number < 0) continue;
            const int base = finger == 0 ? 2 : 1 + 5 * static_cast<int>(finger);
            return NamedPoint{static_cast<Joint>(base + number), bone.of_mediapipe};
        }
        return std::nullopt;
    }
    return std::nullopt;
}

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

struct FoundHand {
    std::optional<Side> side;
    bool is_landmarks = false;  // 21 in MediaPipe's order and axes
    LandmarkHand landmarks;
    HandFrame joints;
    bool empty() const { return is_landmarks ? landmarks.seen.none() : !joints.active; }
};

void set_joint(const Vector3f& position, Joint joint, HandFrame& hand) {
    hand[joint].position_m = position;
    hand[joint].flags = tracking::joint_flags::kPositionValid | tracking::joint_flags::kPositionTracked;
    hand.active = true;
}

std::optional<FoundHand> named_hand(const Json& object) {
    std::size_t named = 0, of_mediapipe = 0;
    FoundHand hand;
    for (const auto& [name, value] : object.items()) {
        const auto which = point_of_name(name);
        if (!which || (!value.is_object() && !value.is_array())) continue;
        ++named;
        of_mediapipe += which->of_mediapipe ? 1 : 0;
        if (const auto point = point_of(value)) set_joint(*point, which->joint, hand.joints);
    }
    if (named < kMinNamed) return std::nullopt;
    if (of_mediapipe > 0) {
        hand.is_landmarks = true;
        for (std::size_t i = 0; i < kLandmarks; ++i) {
            const tracking::JointPose& joint = hand.joints[joint_of_landmark(i)];
            hand.landmarks.points[i] = joint.position_m;
            hand.landmarks.seen.set(i, joint.position_valid());
        }
    }
    return hand;
}

std::optional<FoundHand> listed_hand(const Json& list) {
    const std::size_t count = list.size();
    if (count != 21 && count != 25 && count != 26 && count != 27) return std::nullopt;
    FoundHand hand;
    hand.is_landmarks = count == 21;
    std::size_t points = 0;
    for (std::size_t i = 0; i < count; ++i) {
        if (!list[i].is_object() && !list[i].is_array() && !list[i].is_null()) return std::nullopt;
        // A list of objects that name their joint.
        std::optional<Joint> joint;
        for (const char* key : {"name", "joint", "jointName", "joint_name"})
            if (const Json* name = json_member(list[i], key); name != nullptr && name->is_string())
                if (const auto which = point_of_name(name->get<std::string>())) joint = which->joint;
        const auto point = point_of(list[i]);
        if (!point) continue;
        ++points;
        if (hand.is_landmarks && !joint) {
            hand.landmarks.points[i] = *point;
            hand.landmarks.seen.set(i);
        } else if (joint) {
            hand.is_landmarks = false;
            set_joint(*point, *joint, hand.joints);
        } else if (count == 26 || i < 25) {
            set_joint(*point, static_cast<Joint>(count == 26 ? i : i + 1), hand.joints);
        }
    }
    if (points == 0) return std::nullopt;
    return hand;
}

std::optional<Side> side_of_key(std::string_view key) {
    const std::string letters = letters_of(key);
    const bool left = letters.find("left") != std::string::npos, right = letters.find("right") != std::string::npos;
    if (left != right) return left ? Side::left : Side::right;
    return std::nullopt;
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

void find_hands(const Json& json, std::optional<Side> side, int depth, std::vector<FoundHand>& found) {
    if (depth > 8 || found.size() > 4) return;
    if (json.is_array()) {
        if (auto hand = listed_hand(json)) {
            hand->side = side;
            found.push_back(std::move(*hand));
            return;
        }
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
    if (auto hand = named_hand(json)) {
        hand->side = side;
        found.push_back(std::move(*hand));
    } else {
        for (const auto& [key, value] : json.items()) {
            if (!value.is_object() && !value.is_array()) continue;
            const std::string letters = letters_of(key);
            // Landmarks in metres are preferred to image landmarks.
            if (has_world && letters.ends_with("landmarks") && letters.find("world") == std::string::npos) continue;
            const auto said = side_of_key(key);
            find_hands(value, said ? said : side, depth + 1, found);
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

struct Time {
    double value = 0.0;
    double ns_per_unit = 0.0;  // 0: to be guessed
    std::optional<std::int64_t> exact_ns;
};

std::optional<Time> time_of(const Json& frame) {
    if (!frame.is_object()) return std::nullopt;
    for (const auto& [key, value] : frame.items()) {
        if (!value.is_number()) continue;
        const std::string letters = letters_of(key);
        std::string_view unit = letters;
        if (!take(unit, "timestamp") && !take(unit, "time") && !take(unit, "ts") && unit != "t") continue;
        Time time;
        time.value = value.get<double>();
        if (unit == "s" || unit == "sec" || unit == "seconds") time.ns_per_unit = 1e9;
        if (unit == "ms") time.ns_per_unit = 1e6;
        if (unit == "us") time.ns_per_unit = 1e3;
        if (unit == "ns") time.ns_per_unit = 1.0;
        if (!unit.empty() && unit != "t" && time.ns_per_unit == 0.0) continue;
        if (value.is_number_integer()) time.exact_ns = value.get<std::int64_t>();
        return time;
    }
    return std::nullopt;
}

class Reader {
  public:
    Reader(const Input& in, const ImportOptions& options, Assembly& out) : in_(in), out_(out) {
        traits_.hand_length_m = hand_length_of(options);
    }

    void take_frame(const Json& json) {
        Frame frame;
        frame.time = time_of(json);
        find_hands(json, std::nullopt, 0, frame.hands);
        ++frames_;
        waiting_.push_back(std::move(frame));
        if (settled_ || waiting_.size() >= kWaitForTime) release();
    }
    void finish() {
        release();
        out_.push_held();
        if (frames_ == 0 || !any_hand_)
            in_.fail(
                "no frame of the JSON has a hand that is known: 15 joints by name, or a list of 21, 25 or 26 points");
    }

  private:
    struct Frame {
        std::optional<Time> time;
        std::vector<FoundHand> hands;
    };

    void settle() {
        settled_ = true;
        std::vector<double> stamps;
        bool all_sides = true, any_image = false, any_other = false;
        for (const Frame& frame : waiting_) {
            if (frame.time) stamps.push_back(frame.time->value);
            has_time_ = has_time_ || frame.time.has_value();
            for (const FoundHand& hand : frame.hands) {
                if (hand.empty()) continue;
                all_sides = all_sides && hand.side.has_value();
                is_landmarks_ = is_landmarks_ || hand.is_landmarks;
                if (!hand.is_landmarks) continue;
                (is_image_hand(hand.landmarks) ? any_image : any_other) = true;
            }
        }
        unit_ns_ = guess_time_unit_ns(stamps).value_or(1e9);
        traits_.side_known = all_sides;
        traits_.is_image = any_image && !any_other;
        if (!has_time_) out_.note("The file has no times; its frames were taken as 30 a second.");
        if (is_landmarks_) return describe_landmarks(traits_, out_);
        SourceTraits source;
        source.unit_m.reset();
        source.side_known = all_sides;
        source.lacking =
            tracking::joint_set({Joint::palm, Joint::index_metacarpal, Joint::middle_metacarpal, Joint::ring_metacarpal,
                                 Joint::little_metacarpal, Joint::thumb_metacarpal});
        out_.describe(source);
    }

    std::int64_t time_ns_of(const Frame& frame, std::int64_t number) const {
        if (!frame.time || !has_time_) return std::llround(static_cast<double>(number) * kDefaultFrame_ns);
        const double unit_ns = frame.time->ns_per_unit > 0.0 ? frame.time->ns_per_unit : unit_ns_;
        if (unit_ns == 1.0 && frame.time->exact_ns) return *frame.time->exact_ns;
        const double time_ns = frame.time->value * unit_ns;
        if (!(std::abs(time_ns) < 9e18)) in_.fail("frame " + std::to_string(number) + " has a time out of range");
        return std::llround(time_ns);
    }

    void release() {
        if (waiting_.empty()) return;
        if (!settled_) settle();
        for (Frame& frame : waiting_) {
            const std::int64_t time_ns = time_ns_of(frame, released_++);
            out_.hold(time_ns);
            int number = 0;
            for (FoundHand& hand : frame.hands) {
                if (hand.empty()) continue;
                any_hand_ = true;
                if (!traits_.side_known) hand.side.reset();
                const Side side = hand.side.value_or(number == 0 ? Side::left : Side::right);
                if (out_.held()[side].active || number > 1) continue;  // more than two hands
                hand.landmarks.side = side;
                if (hand.is_landmarks) add_landmarks(traits_, time_ns, hand.landmarks, out_);
                if (!hand.is_landmarks) out_.held()[side] = hand.joints;
                ++number;
            }
        }
        waiting_.clear();
    }

    const Input& in_;
    Assembly& out_;
    LandmarkTraits traits_;
    std::vector<Frame> waiting_;
    std::int64_t frames_ = 0, released_ = 0;
    double unit_ns_ = 1e9;
    bool settled_ = false, has_time_ = false, is_landmarks_ = false, any_hand_ = false;
};

constexpr std::array<std::string_view, 8> kLists = {"frames", "data",    "samples", "poses",
                                                    "hands",  "records", "results", "recording"};

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
    // Exclude formats that have their own reader.
    for (const std::string_view other :
         {"\"pointables\"", "\"interactionBox\"", "\"jointTransforms\"", "\"hand_poses\"", "\"glovebox",
          "\"jointSequence\"", "\"hand_model\"", "\"asset\"", "\"schema\""})
        if (text.find(other) != std::string_view::npos) return false;
    std::string small(text.substr(0, 16384));
    for (char& c : small) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    int words = 0;
    for (const std::string_view word : {"landmark", "handedness", "chirality", "wrist", "thumb", "index", "joint",
                                        "lefthand", "left_hand", "righthand", "right_hand", "\"hands\"", "hand"})
        words += small.find(word) != std::string::npos ? 1 : 0;
    return words >= 2;
}

void read_hand_json(Input& in, const ImportOptions& options, Assembly& out) {
    Reader reader(in, options, out);
    if (is_lines(in.head())) {
        try {
            for (std::string_view line; in.next_full_line(line);) reader.take_frame(parse_json(in, line));
        } catch (const CutOff&) {
            reader.finish();
            throw;
        }
        return reader.finish();
    }
    const std::string text = in.read_all(kMaxHandJsonBytes);
    const std::string_view start = trimmed(text);
    const std::string_view list = start.starts_with('[') ? std::string_view() : list_in(text);
    if (list.empty() && !start.starts_with('[')) {
        reader.take_frame(parse_json(in, text));  // one pose
        return reader.finish();
    }
    bool cut = false;
    parse_json_items(
        in, text, list, [&reader](const Json& item) { reader.take_frame(item); }, &cut);
    reader.finish();
    if (cut) in.fail_cut("the JSON is cut off");
}

}  // namespace glovebox::recordings
