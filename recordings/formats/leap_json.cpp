// LeapJS: {frames: [...]}. RAW frames are objects with `hands` and `pointables` (fingers); PACKED ones are arrays whose
// fields are named by the first frame. Microseconds, millimetres, right-handed, Y up. There are no quaternions and
// often no wrist. The wrist is then placed on the line through the palm along the hand's direction. Its distance from
// the middle knuckle comes from the length of the middle finger, because the palm's place differs between versions of
// Leap's software.
#include "recordings/formats/leap_json.h"

#include <algorithm>
#include <cmath>

#include "recordings/formats/lz_string.h"
#include "recordings/json.h"
#include "recordings/parse.h"

namespace glovebox::recordings {
namespace {

using tracking::HandFrame;
using tracking::Joint;
using tracking::Side;

constexpr std::size_t kMaxLeapBytes = std::size_t{256} << 20;

// Converts a packed row to an object in the raw layout. A field of the schema is a name, or {name: schema of its rows}.
Json unpacked(const Json& schema, const Json& row, int depth) {
    if (!schema.is_array() || !row.is_array() || depth > 8) return {};
    Json object = Json::object();
    const std::size_t count = std::min(schema.size(), row.size());
    for (std::size_t i = 0; i < count; ++i) {
        if (schema[i].is_string()) {
            object[schema[i].get<std::string>()] = row[i];
        } else if (schema[i].is_object() && schema[i].size() == 1) {
            const auto field = schema[i].begin();
            const bool list = field->is_array() && field->size() == 1 && (*field)[0].is_array();
            Json& value = object[field.key()];
            if (!list) {
                value = unpacked(*field, row[i], depth + 1);
            } else {
                value = Json::array();
                if (row[i].is_array())
                    for (const Json& item : row[i]) value.push_back(unpacked((*field)[0], item, depth + 1));
            }
        }
    }
    return object;
}

bool set_joint(const Json& object, const char* name, Joint joint, HandFrame& hand) {
    Eigen::Vector3f position;
    if (!json_vector(object, name, position)) return false;
    hand[joint].position_m = position;
    hand[joint].flags = tracking::joint_flags::kPositionValid | tracking::joint_flags::kPositionTracked;
    return true;
}

// A Leap thumb's metacarpal has no length, so its mcp is our metacarpal's base, and its pip our first knuckle.
void set_finger(const Json& pointable, int finger, HandFrame& hand) {
    const int base = finger == 0 ? 2 : 1 + 5 * finger;
    const auto joint = [base](int k) { return static_cast<Joint>(base + k); };
    const int knuckle = finger == 0 ? 0 : 1;
    if (finger != 0) set_joint(pointable, "carpPosition", joint(0), hand);
    set_joint(pointable, "mcpPosition", joint(knuckle), hand);
    set_joint(pointable, "pipPosition", joint(knuckle + 1), hand);
    set_joint(pointable, "dipPosition", joint(knuckle + 2), hand);
    if (!set_joint(pointable, "btipPosition", joint(knuckle + 3), hand))
        set_joint(pointable, "tipPosition", joint(knuckle + 3), hand);
}

// Sets the wrist. Returns true if it was estimated.
bool place_wrist(const Json& json_hand, HandFrame& hand) {
    if (set_joint(json_hand, "wrist", Joint::wrist, hand)) return false;
    constexpr float kPalmOfFinger = 1.1F;  // wrist to knuckle, of knuckle to tip, where files state both
    Eigen::Vector3f direction;
    if (!json_vector(json_hand, "direction", direction) || !hand[Joint::palm].position_valid()) return false;
    float finger = 0.0F;
    for (const Joint joint : {Joint::middle_intermediate, Joint::middle_distal, Joint::middle_tip}) {
        const tracking::JointPose& before = hand[tracking::parent_of(joint)];
        if (!before.position_valid() || !hand[joint].position_valid()) return false;
        finger += (hand[joint].position_m - before.position_m).norm();
    }
    const Eigen::Vector3f& palm = hand[Joint::palm].position_m;
    const float ahead = (hand[Joint::middle_proximal].position_m - palm).dot(direction);
    hand[Joint::wrist].position_m = palm + (ahead - kPalmOfFinger * finger) * direction;
    hand[Joint::wrist].flags = tracking::joint_flags::kPositionValid;
    return true;
}

// Reads a frame. Returns true if a wrist was estimated.
bool read_frame(const Json& frame, tracking::HandPair& sample) {
    const Json* hands = json_member(frame, "hands");
    const Json* pointables = json_member(frame, "pointables");
    if (hands == nullptr || !hands->is_array()) return false;
    bool placed = false;
    for (const Json& json_hand : *hands) {
        const Json* type = json_member(json_hand, "type");
        const Json* id = json_member(json_hand, "id");
        const bool left = type != nullptr && type->is_string() && type->get<std::string>() == "left";
        HandFrame& hand = sample[left ? Side::left : Side::right];
        if (hand.active || id == nullptr) continue;
        hand.active = true;
        set_joint(json_hand, "palmPosition", Joint::palm, hand);
        if (pointables != nullptr && pointables->is_array()) {
            int order = 0;
            for (const Json& pointable : *pointables) {
                const Json* owner = json_member(pointable, "handId");
                const Json* tool = json_member(pointable, "tool");
                if (owner == nullptr || *owner != *id || (tool != nullptr && tool->is_boolean() && tool->get<bool>()))
                    continue;
                const Json* kind = json_member(pointable, "type");
                const int finger = kind != nullptr && kind->is_number_integer() ? kind->get<int>() : order;
                if (finger >= 0 && finger < tracking::kFingerCount) set_finger(pointable, finger, hand);
                ++order;
            }
        }
        placed = place_wrist(json_hand, hand) || placed;
    }
    return placed;
}

bool is_base64_text(std::string_view text) {
    return std::all_of(text.begin(), text.end(), [](char c) {
        return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '+' || c == '/' ||
               c == '=' || is_blank(c);
    });
}

// The LZString encoding of a text that begins with `{"`.
constexpr std::string_view kPackedStart = "N4Ig";

}  // namespace

bool is_leap_json(std::string_view head, std::uintmax_t) {
    if (head.starts_with(kPackedStart)) return is_base64_text(head.substr(0, 4096));
    head = trimmed(head);
    return head.starts_with('{') && head.find("\"frames\"") != std::string_view::npos &&
           (head.find("\"interactionBox\"") != std::string_view::npos ||
            head.find("\"pointables\"") != std::string_view::npos);
}

void read_leap_json(Input& in, const ImportOptions&, Assembly& out) {
    std::string text = in.read_all(kMaxLeapBytes);
    if (text.starts_with(kPackedStart)) {
        // Real recordings decompress to 3 times their size.
        constexpr std::size_t kMaxRatio = 32, kFloor = std::size_t{1} << 20;
        const std::size_t max_bytes = std::min(kMaxLeapBytes, kMaxRatio * text.size() + kFloor);
        auto plain = decompress_lz_base64(trimmed(text), max_bytes);
        if (!plain)
            in.fail("the compressed text (LZString) is cut off or damaged, or it is more than " +
                    std::to_string(kMaxRatio) + " times as long when it is unpacked");
        text = std::move(*plain);
    }
    SourceTraits traits;
    traits.unit_m = 0.001F;
    traits.lacking = tracking::joint_set({Joint::palm, Joint::index_metacarpal, Joint::middle_metacarpal,
                                          Joint::ring_metacarpal, Joint::little_metacarpal});
    out.describe(traits);
    std::size_t items = 0;
    bool any_hand = false, any_joint = false;
    Json schema;  // of packed frames: the first item
    const Json document = parse_json_items(in, text, "frames", [&](const Json& item) {
        if (items++ == 0 && item.is_array()) {
            schema = item;
            return;
        }
        const Json held = schema.is_null() ? Json() : unpacked(schema, item, 0);
        const Json& frame = schema.is_null() ? item : held;
        double time_us = 0.0;
        if (!json_number(frame, "timestamp", time_us) || !(time_us >= 0.0 && time_us < 9e15))
            in.fail("frame " + std::to_string(items - 1) + " has no time stamp");
        tracking::HandPair sample;
        sample.time_ns = std::llround(1e3 * time_us);
        if (read_frame(frame, sample))
            out.note("The wrist was placed behind the palm, at a distance that fits the length of the middle finger.");
        for (const HandFrame& hand : sample.hands) {
            any_hand = any_hand || hand.active;
            any_joint = any_joint || hand[Joint::index_proximal].position_valid() ||
                        hand[Joint::middle_proximal].position_valid();
        }
        out.push(sample);
    });
    if (items == 0) in.fail("the JSON has no list 'frames'");
    if (any_hand && !any_joint)
        in.fail(
            "the recording has fingertips and palms only, so how the fingers bend is not known; the joints are in "
            "recordings of version 2 of Leap's software or later (mcpPosition, pipPosition, dipPosition)");
    const Json* metadata = json_member(document, "metadata");
    const Json* announced = metadata != nullptr ? json_member(*metadata, "frames") : nullptr;
    const std::size_t count = items - (schema.is_null() ? 0 : 1);
    if (announced != nullptr && announced->is_number_unsigned() && announced->get<std::size_t>() != count)
        out.note("The file announces " + std::to_string(announced->get<std::size_t>()) + " frames and has " +
                 std::to_string(count) + ".");
}

}  // namespace glovebox::recordings
