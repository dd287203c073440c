// MediaPipe has no file format of its own; every project writes its CSV by hand. What they share is a column for each
// coordinate of 21 landmarks, and that is how it is told: x0, x_0, 0_x, landmark_0_x, WRIST_x, INDEX_FINGER_TIP_X and
// the like, in any case, for one hand a row (with or without a column that says which) or with left_ and right_ before.
// Time: a column timestamp, time or t, in seconds or as _ms, _us, _ns say; without one `frame`, taken as 30 a second.
// Axes are x right, y down, z away from the camera: turned by half a turn about x. World landmarks are metres about the
// hand's middle; image landmarks are shares of the image and are scaled to a hand of usual size.
#include "recordings/formats/mediapipe_csv.h"

#include <algorithm>
#include <cctype>
#include <cmath>

#include "recordings/formats/csv_columns.h"

namespace glovebox::recordings {
namespace {

using tracking::Joint;
using tracking::Side;

constexpr std::array<std::string_view, 21> kNames = {
    "wrist",     "thumb_cmc", "thumb_mcp",  "thumb_ip",   "thumb_tip",  "index_mcp",  "index_pip",
    "index_dip", "index_tip", "middle_mcp", "middle_pip", "middle_dip", "middle_tip", "ring_mcp",
    "ring_pip",  "ring_dip",  "ring_tip",   "pinky_mcp",  "pinky_pip",  "pinky_dip",  "pinky_tip"};

Joint joint_of_landmark(std::size_t i) {
    if (i <= 4) return static_cast<Joint>(i + 1);
    const std::size_t finger = (i - 5) / 4;  // index is 0
    return static_cast<Joint>(7 + 5 * finger + (i - 5) % 4);
}

enum class Meaning { other, time, frame, side, landmark };
struct Column {
    Meaning meaning = Meaning::other;
    double ns_per_unit = 1.0;
    std::optional<Side> side;
    Joint joint = Joint::palm;
    int axis = 0;
};

bool take_prefix(std::string_view& text, std::string_view prefix) {
    if (!text.starts_with(prefix)) return false;
    text.remove_prefix(prefix.size());
    return true;
}

std::optional<std::size_t> landmark_of_name(std::string_view name) {
    while (take_prefix(name, "_")) {
    }
    while (name.ends_with('_')) name.remove_suffix(1);
    for (const std::string_view word : {"landmark", "lm", "point", "joint"})
        if (take_prefix(name, word)) break;
    take_prefix(name, "_");
    std::size_t number = 0;
    if (parse_number(name, number)) return number < kNames.size() ? std::optional(number) : std::nullopt;
    // "index_finger_tip" is "index_tip".
    std::string plain(name);
    if (const std::size_t at = plain.find("_finger"); at != std::string::npos) plain.erase(at, 7);
    const auto found = std::find(kNames.begin(), kNames.end(), plain);
    if (found == kNames.end()) return std::nullopt;
    return static_cast<std::size_t>(found - kNames.begin());
}

Column column_of_name(std::string_view original) {
    std::string lower(original);
    for (char& c : lower)
        c = c == ' ' || c == '.' ? '_' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    std::string_view name = lower;
    Column column;
    for (const std::string_view word : {"timestamp", "time", "t"})
        for (const auto& [unit, ns] : {std::pair<std::string_view, double>{"", 1e9},
                                       {"_s", 1e9},
                                       {"_ms", 1e6},
                                       {"_us", 1e3},
                                       {"_ns", 1.0},
                                       {"ms", 1e6}})
            if (name == std::string(word).append(unit)) {
                column.meaning = Meaning::time;
                column.ns_per_unit = ns;
                return column;
            }
    if (name == "frame" || name == "frame_id" || name == "frame_number") {
        column.meaning = Meaning::frame;
        column.ns_per_unit = 1e9 / 30.0;
        return column;
    }
    if (name == "handedness" || name == "hand" || name == "label" || name == "side") {
        column.meaning = Meaning::side;
        return column;
    }
    if (take_prefix(name, "left")) column.side = Side::left;
    if (!column.side && take_prefix(name, "right")) column.side = Side::right;
    take_prefix(name, "_");
    if (column.side) take_prefix(name, "hand_");
    if (name.size() < 2) return column;
    std::optional<std::size_t> landmark;
    if (name.back() >= 'x' && name.back() <= 'z') {
        column.axis = name.back() - 'x';
        landmark = landmark_of_name(name.substr(0, name.size() - 1));
    } else if (name.front() >= 'x' && name.front() <= 'z') {
        column.axis = name.front() - 'x';
        landmark = landmark_of_name(name.substr(1));
    }
    if (!landmark) return column;
    column.meaning = Meaning::landmark;
    column.joint = joint_of_landmark(*landmark);
    return column;
}

std::vector<Column> columns_of_header(std::string_view header) {
    std::vector<Column> columns;
    std::string_view name;
    for (Fields fields(header); fields.next(name) && columns.size() < 512;)
        columns.push_back(column_of_name(trimmed(name)));
    return columns;
}

std::ptrdiff_t count(const std::vector<Column>& columns, Meaning meaning) {
    return std::count_if(columns.begin(), columns.end(), [meaning](const Column& c) { return c.meaning == meaning; });
}

// "Left", "R", "0"; a column `label` may also hold gestures ("rock"), which say nothing of the side.
std::optional<Side> side_of_cell(std::string_view cell) {
    cell = trimmed(cell);
    if (cell.size() > 1 && cell.front() == '"' && cell.back() == '"') cell = cell.substr(1, cell.size() - 2);
    std::string word(cell.substr(0, 16));
    for (char& c : word) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    if (word == "l" || word == "0" || word.starts_with("left")) return Side::left;
    if (word == "r" || word == "1" || word.starts_with("right")) return Side::right;
    return std::nullopt;
}

// Where the time stands: the first column that is a time, or the first that counts frames.
std::optional<std::size_t> time_column(const std::vector<Column>& columns) {
    for (const Meaning meaning : {Meaning::time, Meaning::frame})
        for (std::size_t i = 0; i < columns.size(); ++i)
            if (columns[i].meaning == meaning) return i;
    return std::nullopt;
}

}  // namespace

bool is_mediapipe_csv(std::string_view head, std::uintmax_t) {
    const std::size_t end = head.find('\n');
    const std::string_view header = head.substr(0, std::min<std::size_t>(end, 16384));
    return count(columns_of_header(header), Meaning::landmark) >= 42;
}

void read_mediapipe_csv(Input& in, const ImportOptions&, Assembly& out) {
    std::string_view header;
    if (!in.next_full_line(header)) in.fail("the file ends before its first row");
    const std::vector<Column> columns = columns_of_header(header);
    const bool two_hands =
        std::any_of(columns.begin(), columns.end(), [](const Column& c) { return c.side.has_value(); });
    const auto landmarks = count(columns, Meaning::landmark);
    if (landmarks != (two_hands ? 126 : 63))
        in.fail("the header names " + std::to_string(landmarks) +
                " landmark coordinates; 63 for one hand or 126 for two");
    const bool names_side = count(columns, Meaning::side) > 0;
    const std::optional<std::size_t> time_at = time_column(columns);

    SourceTraits traits;
    traits.unit_m.reset();
    traits.side_known = two_hands || names_side;
    traits.lacking = tracking::joint_set({Joint::palm, Joint::index_metacarpal, Joint::middle_metacarpal,
                                          Joint::ring_metacarpal, Joint::little_metacarpal});
    traits.any_unit = true;
    out.describe(traits);
    if (!time_at) out.note("The file has no time; its rows were taken as 30 a second.");

    // Rows of one instant that speak of different hands are one sample.
    tracking::HandPair waiting;
    bool has_waiting = false;
    std::int64_t row = 0;
    for (std::string_view line; in.next_full_line(line); ++row) {
        std::int64_t time_ns = std::llround(static_cast<double>(row) * 1e9 / 30.0);
        std::optional<Side> row_side;
        std::string_view side_cell;
        tracking::PerSide<tracking::HandFrame> hands;
        for_each_cell(in, line, columns.size(), [&](std::size_t i, std::string_view cell) {
            const Column& column = columns[i];
            if (i == time_at) {
                const double value = number_of_cell(in, cell, i) * column.ns_per_unit;
                if (!(std::abs(value) < 9e18)) in.fail("the time is " + excerpt(cell));
                time_ns = std::llround(value);
            } else if (column.meaning == Meaning::side) {
                row_side = side_of_cell(cell);
                side_cell = cell;
            } else if (column.meaning == Meaning::landmark && !trimmed(cell).empty()) {
                tracking::HandFrame& hand = hands[column.side.value_or(Side::left)];
                const auto value = static_cast<float>(number_of_cell(in, cell, i));
                tracking::JointPose& joint = hand[column.joint];
                joint.position_m[column.axis] = column.axis == 0 ? value : -value;
                joint.flags = tracking::joint_flags::kPositionValid | tracking::joint_flags::kPositionTracked;
                hand.active = true;
            }
        });
        // Where nothing was seen there is nothing to say a side of.
        if (names_side && !row_side && hands[0].active)
            in.fail("the hand is " + excerpt(side_cell) + "; left or right is expected");
        if (row_side == Side::right) std::swap(hands[0], hands[1]);
        const bool joins =
            has_waiting && names_side && waiting.time_ns == time_ns && !waiting[row_side.value_or(Side::left)].active;
        if (has_waiting && !joins) {
            out.push(waiting);
            waiting = {};
        }
        waiting.time_ns = time_ns;
        for (std::size_t side = 0; side < 2; ++side)
            if (hands[side].active) waiting.hands[side] = hands[side];
        has_waiting = true;
    }
    if (has_waiting) out.push(waiting);
}

}  // namespace glovebox::recordings
