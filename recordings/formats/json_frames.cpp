#include "recordings/formats/json_frames.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "recordings/formats/csv_columns.h"
#include "recordings/formats/hand_arrays.h"
#include "recordings/formats/joint_names.h"
#include "recordings/formats/json_hands.h"
#include "recordings/formats/json_joints.h"
#include "recordings/parse.h"
#include "tracking/side_evidence.h"

namespace glovebox::recordings {
namespace {

using Eigen::Vector3f;
using tracking::HandFrame;
using tracking::Side;

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

// Returns the number of a frame.
std::optional<double> number_of(const Json& frame) {
    if (!frame.is_object()) return std::nullopt;
    for (const auto& [key, value] : frame.items())
        if (value.is_number() && is_frame_column(words_of_name(key))) return value.get<double>();
    return std::nullopt;
}

constexpr std::size_t kMinFrames = 3;    // two may be the hands of a frame; see are_two_frames()
constexpr std::size_t kFramesSeen = 32;  // the first ones may have no hand

bool is_list_of_frames(const Json& list) {
    if (!list.is_array() || list.size() < kMinFrames || !hands_of_list(list).empty()) return false;
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
    std::vector<std::size_t> lengths;
    for (const auto& [name, value] : json.items())
        if (value.is_array() && value.size() >= kMinFrames && value[0].is_structured() && point_of_name(name))
            lengths.push_back(value.size());
    if (lengths.size() < kMinNamed) {
        for (const Json& inner : json)
            if (const std::size_t frames = frames_of_tracks(inner, depth + 1); frames > 0) return frames;
        return 0;
    }
    const std::size_t frames = lengths[0];
    const bool same = std::all_of(lengths.begin(), lengths.end(), [frames](std::size_t l) { return l == frames; });
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

}  // namespace

FoundFrame frame_of_value(const Json& json, std::optional<Side> side) {
    FoundFrame frame;
    frame.time = time_of(json);
    frame.number = number_of(json);
    frame.hands = hands_in(json, side);
    return frame;
}

bool has_frames(const Json& json, int depth) {
    if (depth > 4 || !json.is_structured()) return false;
    if (json.is_array()) return is_list_of_frames(json);
    if (!counted_frames(json).empty()) return true;
    return std::any_of(json.begin(), json.end(), [depth](const Json& inner) { return has_frames(inner, depth + 1); });
}

bool take_frames(const Json& json, FoundHands& found, Assembly& out, int depth) {
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

}  // namespace glovebox::recordings
