// CSV: a line of column names, then a row for each active hand of each sample. A row has the sample number, times in
// nanoseconds, hand, source, and for each joint position (m), quaternion (x y z w), radius (m) and the four validity
// bits as a number. A sample without hands has a row with the hand "none". Numbers have the shortest form that reads
// back as the same float. Arrival times are stored only in logs. Older files have a '#' line first.
#include "recordings/formats/glovebox_csv.h"

#include <algorithm>
#include <cmath>

#include "recordings/formats/csv_columns.h"
#include "recordings/json.h"
#include "recordings/parse.h"
#include "recordings/writer.h"

namespace glovebox::recordings {
namespace {

using tracking::HandFrame;
using tracking::HandPair;
using tracking::Side;

constexpr std::string_view kOldCsvMark = "#glovebox recording 1";
constexpr std::string_view kCsvStart = "sample,time_ns,device_ns,hand,source,active";
constexpr std::string_view kJsonMark = R"({"format":"glovebox-jsonl")";
constexpr std::array<std::string_view, 9> kJointColumns = {"_x",  "_y",  "_z",      "_qx",   "_qy",
                                                           "_qz", "_qw", "_radius", "_flags"};
constexpr std::size_t kFirstColumns = 6;
constexpr std::size_t kColumns = kFirstColumns + kJointColumns.size() * tracking::kJointCount;

template <class Number>
void append_number(Number value, std::string& text) {
    std::array<char, 32> digits{};
    const auto [end, error] = std::to_chars(digits.data(), digits.data() + digits.size(), value);
    if (error == std::errc()) text.append(digits.data(), end);
}

std::array<float, 8> numbers_of(const tracking::JointPose& joint) {
    const auto& p = joint.position_m;
    const auto& q = joint.orientation;
    return {p.x(), p.y(), p.z(), q.x(), q.y(), q.z(), q.w(), joint.radius_m};
}

void set_joint(const float* v, std::uint8_t flags, tracking::JointPose& joint) {
    joint.position_m = {v[0], v[1], v[2]};
    joint.orientation.coeffs() = Eigen::Vector4f(v[3], v[4], v[5], v[6]);
    joint.radius_m = v[7];
    joint.flags = flags;
}

std::optional<tracking::Source> source_of_name(std::string_view name) {
    for (int i = 0; i < 6; ++i)
        if (name_of(static_cast<tracking::Source>(i)) == name) return static_cast<tracking::Source>(i);
    return std::nullopt;
}

SourceTraits own_traits() {
    SourceTraits traits;
    traits.complete = true;
    return traits;
}

struct CsvRow {
    std::int64_t sample = 0, time_ns = 0, device_ns = 0;
    std::optional<Side> side;
    HandFrame hand;
};

void parse_csv_row(const Input& in, std::string_view line, CsvRow& row) {
    std::array<float, 8> values{};
    for_each_cell(in, line, kColumns, [&](std::size_t i, std::string_view cell) {
        const auto integer = [&](std::int64_t& value) {
            if (!parse_number(cell, value))
                in.fail("column " + std::to_string(i + 1) + " is " + excerpt(cell) + ", not a whole number");
        };
        if (i == 0) {
            integer(row.sample);
            if (row.sample < 0) in.fail("the number of the sample is " + excerpt(cell) + ", which is below 0");
        }
        if (i == 1) integer(row.time_ns);
        if (i == 2) integer(row.device_ns);
        if (i == 3) {
            row.side.reset();
            if (cell == "left") row.side = Side::left;
            if (cell == "right") row.side = Side::right;
            if (!row.side && cell != "none")
                in.fail("the hand is " + excerpt(cell) + "; left, right or none is expected");
        }
        if (i == 4) {
            const auto source = source_of_name(cell);
            if (!source) in.fail("the source is " + excerpt(cell) + ", which is not known");
            row.hand.source = *source;
        }
        if (i == 5 && row.side) {
            std::int64_t active = 0;
            integer(active);
            row.hand.active = active != 0;
        }
        if (i < kFirstColumns || !row.side || !row.hand.active) return;
        const std::size_t joint = (i - kFirstColumns) / kJointColumns.size();
        const std::size_t field = (i - kFirstColumns) % kJointColumns.size();
        if (field < values.size()) {
            if (!parse_number(cell, values[field]))
                in.fail("column " + std::to_string(i + 1) + " is " + excerpt(cell) + ", not a number");
            return;
        }
        unsigned flags = 0;
        if (!parse_number(cell, flags) || flags > tracking::joint_flags::kAll)
            in.fail("column " + std::to_string(i + 1) + " is " + excerpt(cell) + "; validity bits are 0 to 15");
        set_joint(values.data(), static_cast<std::uint8_t>(flags), row.hand.joints[joint]);
    });
}

}  // namespace

SampleWriter glovebox_csv_writer(Output& out) {
    std::string header(kCsvStart);
    for (int joint = 0; joint < tracking::kJointCount; ++joint)
        for (const std::string_view column : kJointColumns)
            header.append(",").append(name_of(static_cast<tracking::Joint>(joint))).append(column);
    out.write(header + "\n");
    const auto count = std::make_shared<std::int64_t>(0);
    const auto row = std::make_shared<std::string>();
    const auto append_start = [row, count](const HandPair& sample, const HandFrame& hand, std::string_view name) {
        append_number(*count, *row);
        append_number(sample.time_ns, row->append(","));
        append_number(hand.times.device_ns, row->append(","));
        row->append(",").append(name).append(",").append(name_of(hand.source)).append(hand.active ? ",1" : ",0");
    };
    const auto write = [&out, row, count, append_start](const HandPair& sample) {
        row->clear();
        for (const Side side : {Side::left, Side::right}) {
            const HandFrame& hand = sample[side];
            if (!hand.active) continue;
            append_start(sample, hand, name_of(side));
            for (const tracking::JointPose& joint : hand.joints) {
                for (const float value : numbers_of(joint)) append_number(value, row->append(","));
                append_number(static_cast<int>(joint.flags), row->append(","));
            }
            row->append("\n");
        }
        if (row->empty()) {
            append_start(sample, sample.hands[0], "none");
            row->append(kColumns - kFirstColumns, ',').append("\n");
        }
        ++*count;
        out.write(*row);
    };
    return {write, [] { return std::string(); }};
}

bool is_glovebox_csv(std::string_view head, std::uintmax_t) {
    return head.starts_with(kOldCsvMark) || head.starts_with(kCsvStart);
}

void read_glovebox_csv(Input& in, const ImportOptions&, Assembly& out) {
    std::string_view line;
    if (in.head().starts_with(kOldCsvMark)) in.next_line(line);
    if (const auto names = read_column_names(in); names.size() != kColumns)
        in.fail("the header has " + std::to_string(names.size()) + " of " + std::to_string(kColumns) +
                " columns: the file is cut off or damaged");
    out.describe(own_traits());
    std::int64_t held_sample = -1;
    CsvRow row;
    while (in.next_full_line(line)) {
        parse_csv_row(in, line, row);
        // A row that is truncated inside its last number looks complete. We end every line, but some editors do not.
        if (!in.line_ended())
            out.note("Row " + std::to_string(in.row()) + ", the last one, has no line end: it may be cut off.");
        if (row.sample != held_sample) out.hold(row.time_ns);
        held_sample = row.sample;
        HandPair& sample = out.held();
        if (!row.side) {
            for (HandFrame& hand : sample.hands) hand.times.device_ns = row.device_ns;
            continue;
        }
        HandFrame& hand = sample[*row.side];
        if (hand.active)
            in.fail("sample " + std::to_string(row.sample) + " has the " + std::string(name_of(*row.side)) +
                    " hand twice");
        // We write no row of an inactive hand, but people who edit a table set its column to 0.
        if (row.hand.active) hand = row.hand;
        hand.times.device_ns = row.device_ns;
        hand.times.arrival_ns = sample.time_ns;
    }
    out.push_held();
}

// JSON lines: a first line that identifies the format, then {"time_ns": n, "hands": [{"hand", "source", "device_ns",
// "joints": 26 x [x, y, z, qx, qy, qz, qw, radius, flags]}]}. NaN is written as null, because JSON has no NaN.
SampleWriter json_lines_writer(Output& out) {
    std::string header(kJsonMark);
    header += R"(,"version":1,"unit":"m","quaternion":"xyzw","joints":[)";
    for (int joint = 0; joint < tracking::kJointCount; ++joint)
        header.append(joint == 0 ? "\"" : ",\"").append(name_of(static_cast<tracking::Joint>(joint))).append("\"");
    out.write(header + "]}\n");
    const auto line = std::make_shared<std::string>();
    const auto write = [&out, line](const HandPair& sample) {
        line->assign("{\"time_ns\":");
        append_number(sample.time_ns, *line);
        line->append(",\"hands\":[");
        bool first = true;
        for (const Side side : {Side::left, Side::right}) {
            const HandFrame& hand = sample[side];
            if (!hand.active) continue;
            line->append(first ? "{\"hand\":\"" : ",{\"hand\":\"").append(name_of(side));
            line->append("\",\"source\":\"").append(name_of(hand.source)).append("\",\"device_ns\":");
            append_number(hand.times.device_ns, *line);
            line->append(",\"joints\":");
            first = false;
            char separator = '[';
            for (const tracking::JointPose& joint : hand.joints) {
                line->append(1, separator).append("[");
                separator = ',';
                for (const float value : numbers_of(joint)) {
                    if (std::isfinite(value)) {
                        append_number(value, *line);
                    } else {
                        line->append("null");
                    }
                    line->append(",");
                }
                append_number(static_cast<int>(joint.flags), *line);
                line->append("]");
            }
            line->append("]}");
        }
        out.write(line->append("]}\n"));
    };
    return {write, [] { return std::string(); }};
}

bool is_json_lines(std::string_view head, std::uintmax_t) {
    return head.starts_with(kJsonMark);
}

namespace {

void read_json_hand(const Input& in, const Json& json, HandPair& sample) {
    const Json* side = json_member(json, "hand");
    const Json* source = json_member(json, "source");
    const Json* device = json_member(json, "device_ns");
    const Json* joints = json_member(json, "joints");
    const bool whole = side != nullptr && (*side == "left" || *side == "right") && source != nullptr &&
                       source->is_string() && source_of_name(source->get<std::string>()) && device != nullptr &&
                       device->is_number_integer() && joints != nullptr && joints->is_array() &&
                       joints->size() == tracking::kJointCount;
    if (!whole) in.fail("a hand lacks its hand, source, device_ns or 26 joints");
    HandFrame& hand = sample[*side == "left" ? Side::left : Side::right];
    if (hand.active) in.fail("the same hand is in the line twice");
    hand.active = true;
    hand.source = *source_of_name(source->get<std::string>());
    hand.times.device_ns = device->get<std::int64_t>();
    for (std::size_t j = 0; j < tracking::kJointCount; ++j) {
        const Json& numbers = (*joints)[j];
        std::array<float, 8> values{};
        bool good = numbers.is_array() && numbers.size() == 9 && numbers[8].is_number_unsigned() &&
                    numbers[8].get<unsigned>() <= tracking::joint_flags::kAll;
        for (std::size_t i = 0; good && i < values.size(); ++i) {
            good = numbers[i].is_number() || numbers[i].is_null();
            if (good) values[i] = numbers[i].is_null() ? std::nanf("") : numbers[i].get<float>();
        }
        if (!good) in.fail("joint " + std::to_string(j) + " is not eight numbers and its validity bits");
        set_joint(values.data(), static_cast<std::uint8_t>(numbers[8].get<unsigned>()), hand.joints[j]);
    }
}

}  // namespace

void read_json_lines(Input& in, const ImportOptions&, Assembly& out) {
    std::string_view line;
    in.next_line(line);
    parse_json(in, line);
    out.describe(own_traits());
    while (in.next_full_line(line)) {
        const Json json = parse_json(in, line);
        const Json* time = json_member(json, "time_ns");
        const Json* hands = json_member(json, "hands");
        if (time == nullptr || !time->is_number_integer() || hands == nullptr || !hands->is_array())
            in.fail("the line lacks time_ns or hands");
        HandPair sample;
        sample.time_ns = time->get<std::int64_t>();
        for (const Json& hand : *hands) read_json_hand(in, hand, sample);
        for (HandFrame& hand : sample.hands) hand.times.arrival_ns = sample.time_ns;
        out.push(sample);
    }
}

}  // namespace glovebox::recordings
