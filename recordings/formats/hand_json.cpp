// There is no standard JSON format for hands. Programs share the joints' names (of ARKit, OpenXR, WebXR, MRTK or
// MediaPipe) or their number in a list. So the values of a file are searched for frames (json_frames.h), and these for
// hands (json_hands.h). A file is a document, or has values one after another: lines, or what a logger appends.
#include "recordings/formats/hand_json.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <span>
#include <utility>

#include "recordings/formats/joint_lists.h"
#include "recordings/formats/json_frames.h"
#include "recordings/formats/json_hands.h"
#include "recordings/formats/table_json.h"
#include "recordings/json.h"
#include "recordings/parse.h"

namespace glovebox::recordings {
namespace {

constexpr std::size_t kMaxHandJsonBytes = std::size_t{256} << 20;

constexpr const char* kNoHand =
    "no frame of the JSON has a hand that is known: 15 joints by name, among them the wrist and the knuckles of index "
    "and middle finger, or a list of 21, 24, 25, 26 or 31 points, or of their numbers (63, 75, 78 ...); fingers of "
    "four points need a member wrist beside them: [0, 0, 0] if they are relative to it";

constexpr const char* kFlatPoints =
    "the JSON has points of a picture only (2d), which do not determine a hand in space; save points with x, y and z";

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
