// Aria MPS: time in microseconds; for each side a confidence (-1: not tracked, all values 0) and 21 landmarks in metres
// in the frame of the glasses. That frame is not upright; positions are not converted.
#include "recordings/formats/aria_csv.h"

#include <algorithm>

#include "recordings/formats/csv_columns.h"
#include "recordings/formats/meta_landmarks.h"

namespace glovebox::recordings {
namespace {

using tracking::Joint;
using tracking::Side;

enum class Meaning { other, time_us, confidence, landmark };
struct Column {
    Meaning meaning = Meaning::other;
    Side side = Side::left;
    Joint joint = Joint::palm;
    int axis = 0;
};

// Parses a column name: "tx_left_landmark_0_device", "left_tracking_confidence".
Column column_of_name(std::string_view name) {
    Column column;
    if (name == "tracking_timestamp_us") column.meaning = Meaning::time_us;
    if (name.ends_with("_tracking_confidence")) {
        column.meaning = Meaning::confidence;
        column.side = name.starts_with("left") ? Side::left : Side::right;
    }
    const std::size_t mark = name.find("_landmark_");
    if (mark == std::string_view::npos || name.size() < 4 || name[0] != 't') return column;
    const std::string_view rest = name.substr(mark + 10);
    std::size_t landmark = 0;
    if (!parse_number(rest.substr(0, rest.find('_')), landmark) || landmark >= kMetaLandmarks.size()) return column;
    column.axis = name[1] - 'x';
    if (column.axis < 0 || column.axis > 2) return column;
    column.meaning = Meaning::landmark;
    column.side = name.substr(3).starts_with("left") ? Side::left : Side::right;
    column.joint = kMetaLandmarks[landmark];
    return column;
}

}  // namespace

bool is_aria_csv(std::string_view head, std::uintmax_t) {
    return head.starts_with("tracking_timestamp_us,") && head.find("_tracking_confidence") != std::string_view::npos &&
           head.find("_landmark_") != std::string_view::npos;
}

void read_aria_csv(Input& in, const ImportOptions&, Assembly& out) {
    std::vector<Column> columns;
    for (const std::string& name : read_column_names(in)) columns.push_back(column_of_name(name));
    const auto landmarks = std::count_if(columns.begin(), columns.end(),
                                         [](const Column& column) { return column.meaning == Meaning::landmark; });
    if (landmarks != 126)
        in.fail("the header names " + std::to_string(landmarks) + " of 126 landmark coordinates: the file is damaged");
    SourceTraits traits;
    traits.lacking = tracking::joint_set({Joint::thumb_metacarpal, Joint::index_metacarpal, Joint::middle_metacarpal,
                                          Joint::ring_metacarpal, Joint::little_metacarpal});
    out.describe(traits);
    out.note("Positions are in the frame of the glasses, which need not be upright.");
    for (std::string_view line; in.next_full_line(line);) {
        tracking::HandPair sample;
        for_each_cell(in, line, columns.size(), [&](std::size_t i, std::string_view cell) {
            const Column& column = columns[i];
            if (column.meaning == Meaning::other) return;
            if (column.meaning == Meaning::time_us) {
                std::int64_t time_us = 0;
                if (!parse_number(cell, time_us) || time_us < 0 || time_us > std::int64_t{1} << 52)
                    in.fail("the time stamp is " + excerpt(cell) + ", not a number of microseconds");
                sample.time_ns = 1000 * time_us;
                return;
            }
            const double value = number_of_cell(in, cell, i);
            tracking::HandFrame& hand = sample[column.side];
            if (column.meaning == Meaning::confidence) {
                hand.active = value >= 0.0;
                return;
            }
            hand[column.joint].position_m[column.axis] = static_cast<float>(value);
            hand[column.joint].flags = tracking::joint_flags::kPositionValid | tracking::joint_flags::kPositionTracked;
        });
        for (tracking::HandFrame& hand : sample.hands)
            if (!hand.active) hand = tracking::HandFrame{};
        out.push(sample);
    }
}

}  // namespace glovebox::recordings
