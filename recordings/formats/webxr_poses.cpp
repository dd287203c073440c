#include "recordings/formats/webxr_poses.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "recordings/formats/webxr.h"
#include "recordings/json.h"
#include "recordings/parse.h"
#include "tracking/forward_kinematics.h"

namespace glovebox::recordings {
namespace {

using tracking::HandFrame;
using tracking::Joint;
using tracking::Side;

constexpr std::size_t kMaxPosesBytes = std::size_t{256} << 20;

// .handpose: little-endian floats [n = 25][left 16 n][right 16 n][left weights n][right weights n].
constexpr std::size_t kHandposeBytes = 4 * (1 + 34 * kWebxrJoints.size());

float little_endian_float(const char* bytes) {
    std::uint32_t bits = 0;
    for (int i = 3; i >= 0; --i) bits = bits << 8 | static_cast<unsigned char>(bytes[i]);
    return std::bit_cast<float>(bits);
}

}  // namespace

bool is_handpose(std::string_view head, std::uintmax_t) {
    // 25.0F, and then the left wrist's matrix, which is the identity.
    return head.size() >= 8 && head.starts_with(std::string_view("\0\0\xC8\x41\0\0\x80\x3F", 8));
}

void read_handpose(Input& in, const ImportOptions&, Assembly& out) {
    const std::string bytes = in.read_all(kHandposeBytes + 1);
    if (bytes.size() != kHandposeBytes)
        in.fail("the file has " + std::to_string(bytes.size()) + " of " + std::to_string(kHandposeBytes) +
                " bytes: it is cut off or damaged");
    SourceTraits traits;
    traits.wrist_relative = true;
    traits.lacking = tracking::joint_set({Joint::palm});
    out.describe(traits);
    out.note("Both hands are at the origin in the file; they were put 0.2 m apart.");
    tracking::HandPair sample;
    std::array<float, 16> matrix{};
    for (std::size_t side = 0; side < 2; ++side) {
        HandFrame& hand = sample.hands[side];
        hand.active = true;
        for (std::size_t i = 0; i < kWebxrJoints.size(); ++i) {
            const char* at = bytes.data() + 4 * (1 + 16 * (side * kWebxrJoints.size() + i));
            for (std::size_t k = 0; k < matrix.size(); ++k) matrix[k] = little_endian_float(at + 4 * k);
            hand[webxr_joint(i)] = pose_from_matrix(matrix.data());
            hand[webxr_joint(i)].position_m.x() += side == 0 ? -0.1F : 0.1F;
        }
    }
    out.push(sample);
}

// IWER pose: TypeScript, JavaScript or JSON. The relevant part is the same in all: `name: { offsetMatrix: [16 numbers],
// radius: number }`, names with or without quotes.
namespace {

std::size_t find_name(std::string_view text, std::string_view name) {
    for (std::size_t at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
        const char before = at > 0 ? text[at - 1] : ' ';
        const std::size_t end = at + name.size();
        const char after = end < text.size() ? text[end] : ' ';
        const bool whole = (is_blank(before) || before == '\'' || before == '"' || before == '{' || before == ',') &&
                           (is_blank(after) || after == '\'' || after == '"' || after == ':');
        if (whole) return end;
    }
    return std::string_view::npos;
}

// Reads the next number and removes it from the text. Only blanks, commas, colons, quotes and a bracket may precede it.
bool next_number(std::string_view& text, float& value) {
    const std::size_t start = text.find_first_not_of(" \t\r\n,:[\"'");
    if (start == std::string_view::npos) return false;
    text.remove_prefix(start);
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc()) return false;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return true;
}

}  // namespace

bool is_iwer_pose(std::string_view head, std::uintmax_t) {
    return head.find("jointTransforms") != std::string_view::npos &&
           head.find("offsetMatrix") != std::string_view::npos;
}

void read_iwer_pose(Input& in, const ImportOptions&, Assembly& out) {
    const std::string all = in.read_all(std::size_t{1} << 20);
    const std::string_view text = std::string_view(all).substr(all.find("jointTransforms"));
    SourceTraits traits;
    traits.lacking = tracking::joint_set({Joint::palm});
    out.describe(traits);
    out.note("The pose is in the space of the target ray.");
    tracking::HandPair sample;
    HandFrame& hand = sample[Side::left];  // IWER stores the left hand and mirrors it for the right
    hand.active = true;
    for (std::size_t i = 0; i < kWebxrJoints.size(); ++i) {
        const std::string name(kWebxrJoints[i]);
        const auto damaged = [&](const char* what) {
            in.fail("joint '" + name + "' " + what + ": the file is damaged");
        };
        const std::size_t at = find_name(text, kWebxrJoints[i]);
        if (at == std::string_view::npos) damaged("is missing");
        std::string_view rest = text.substr(at);
        const std::size_t matrix_at = find_name(rest, "offsetMatrix");
        if (matrix_at == std::string_view::npos) damaged("has no offsetMatrix");
        rest.remove_prefix(matrix_at);
        std::array<float, 16> matrix{};
        for (float& value : matrix)
            if (!next_number(rest, value)) damaged("has less than 16 numbers in its offsetMatrix");
        tracking::JointPose pose = pose_from_matrix(matrix.data());
        const std::size_t radius_at = find_name(rest, "radius");
        const std::size_t close = rest.find('}');
        if (radius_at != std::string_view::npos && radius_at < close) {
            rest.remove_prefix(radius_at);
            if (!next_number(rest, pose.radius_m)) damaged("has a radius that is not a number");
        }
        hand[webxr_joint(i)] = pose;
    }
    out.push(sample);
}

// ActionRecorder: {"schema": [[index, {handedness, hasGrip, hasHand, jointSequence, ...}]], "frames": [[milliseconds,
// viewer position 3, viewer quaternion 4, input...]]}; an input is [index, target ray 3 + 4, grip?, hand?, gamepad?]
// and a hand is 25 times position 3, quaternion 4 and radius, relative to the target ray.
namespace {

struct InputSchema {
    Side side = Side::right;
    bool has_grip = false, has_hand = false;
    std::array<int, 25> joints{};  // our joint numbers, in the order of the file
};

bool flag(const Json& object, const char* name) {
    const Json* member = json_member(object, name);
    return member != nullptr && member->is_boolean() && member->get<bool>();
}

InputSchema read_schema(const Json& json) {
    InputSchema schema;
    const Json* side = json_member(json, "handedness");
    schema.side = side != nullptr && *side == "left" ? Side::left : Side::right;
    schema.has_grip = flag(json, "hasGrip");
    schema.has_hand = flag(json, "hasHand");
    const Json* sequence = json_member(json, "jointSequence");
    for (std::size_t i = 0; i < schema.joints.size(); ++i) {
        schema.joints[i] = static_cast<int>(i) + 1;
        if (sequence == nullptr || !sequence->is_array() || i >= sequence->size()) continue;
        const auto found = std::find(kWebxrJoints.begin(), kWebxrJoints.end(),
                                     (*sequence)[i].is_string() ? (*sequence)[i].get<std::string>() : "");
        if (found != kWebxrJoints.end()) schema.joints[i] = static_cast<int>(found - kWebxrJoints.begin()) + 1;
    }
    return schema;
}

Eigen::Isometry3f pose_from_numbers(const float* v) {
    Eigen::Isometry3f pose = Eigen::Isometry3f::Identity();
    pose.linear() = Eigen::Quaternionf(v[6], v[3], v[4], v[5]).normalized().matrix();
    pose.translation() = Eigen::Vector3f(v[0], v[1], v[2]);
    return pose;
}

void read_hand(const InputSchema& schema, const std::array<float, 200>& values, HandFrame& hand) {
    hand.active = true;
    for (std::size_t i = 0; i < schema.joints.size(); ++i) {
        const float* v = values.data() + 8 * i;
        tracking::JointPose& joint = hand.joints[static_cast<std::size_t>(schema.joints[i])];
        joint.position_m = {v[0], v[1], v[2]};
        // The recorder rounds to three decimals, so normalise.
        joint.orientation = Eigen::Quaternionf(v[6], v[3], v[4], v[5]).normalized();
        joint.radius_m = v[7];
        joint.flags = tracking::joint_flags::kAll;
    }
}

}  // namespace

bool is_iwer_actions(std::string_view head, std::uintmax_t) {
    head = trimmed(head);
    return head.starts_with('{') && head.substr(0, 64).find("\"schema\"") != std::string_view::npos &&
           head.find("\"handedness\"") != std::string_view::npos;
}

void read_iwer_actions(Input& in, const ImportOptions&, Assembly& out) {
    const std::string text = in.read_all(kMaxPosesBytes);
    bool cut = false;  // ignored here: reading the frames reports it
    const Json document = parse_json_items(
        in, text, "frames", [](const Json&) {}, &cut);  // the schema may come last
    const Json* schemas = json_member(document, "schema");
    const Json* frames = json_member(document, "frames");
    if (schemas == nullptr || !schemas->is_array() || frames == nullptr || !frames->is_array())
        in.fail("the JSON lacks the lists 'schema' and 'frames'");
    constexpr std::size_t kMaxInputs = 64;  // each frame searches the inputs
    if (schemas->size() > kMaxInputs) in.fail("the schema has more than 64 inputs");
    std::vector<std::pair<int, InputSchema>> inputs;
    for (const Json& entry : *schemas)
        if (entry.is_array() && entry.size() == 2 && entry[0].is_number_integer())
            inputs.emplace_back(entry[0].get<int>(), read_schema(entry[1]));
    const bool any_hand = std::any_of(inputs.begin(), inputs.end(), [](const auto& i) { return i.second.has_hand; });
    if (!any_hand) in.fail("no input of this take is a hand; it has controllers only");
    SourceTraits traits;
    traits.lacking = tracking::joint_set({Joint::palm});
    out.describe(traits);

    std::size_t f = 0;
    parse_json_items(in, text, "frames", [&](const Json& frame) {
        const auto damaged = [&](const char* what) { in.fail("frame " + std::to_string(f) + " " + what); };
        if (!frame.is_array() || frame.size() < 8 || !frame[0].is_number())
            damaged("has no time stamp and viewer pose");
        const double time_ms = frame[0].get<double>();
        if (!(time_ms >= 0.0 && time_ms < 1e13)) damaged("has a time stamp out of range");
        tracking::HandPair sample;
        sample.time_ns = std::llround(1e6 * time_ms);
        for (std::size_t i = 8; i < frame.size(); ++i) {
            const Json& input = frame[i];
            if (!input.is_array() || input.empty() || !input[0].is_number_integer()) damaged("has a damaged input");
            const int index = input[0].get<int>();
            const auto known =
                std::find_if(inputs.begin(), inputs.end(), [index](const auto& s) { return s.first == index; });
            if (known == inputs.end()) damaged("has an input that the schema does not name");
            const std::size_t hand_at = known->second.has_grip ? 9 : 8;
            if (!known->second.has_hand || input.size() <= hand_at) continue;
            std::array<float, 7> ray{};
            for (std::size_t k = 0; k < ray.size(); ++k) {
                if (!input[1 + k].is_number()) damaged("has a damaged target ray");
                ray[k] = input[1 + k].get<float>();
            }
            std::array<float, 200> values{};
            if (!json_numbers(input[hand_at], values.size(), values.data())) continue;  // not tracked in this frame
            HandFrame& hand = sample[known->second.side];
            read_hand(known->second, values, hand);
            tracking::move_rigidly(pose_from_numbers(ray.data()), hand);
        }
        out.push(sample);
        ++f;
    });
}

}  // namespace glovebox::recordings
