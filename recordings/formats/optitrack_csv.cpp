// Motive's CSV begins with a line of facts in pairs (Format Version, Length Units ...). Several header rows follow:
// Type, Name, ID, then Rotation or Position, and last "Frame, Time (Seconds), X, Y, Z ...". Each bone or marker has
// columns. Names have the skeleton before a colon (Anna:RIndex1). Axes are ours. An empty cell is a lost point.
#include "recordings/formats/optitrack_csv.h"

#include <algorithm>
#include <exception>
#include <limits>
#include <map>

#include "recordings/collect.h"
#include "recordings/formats/csv_columns.h"
#include "recordings/formats/hand_arrays.h"
#include "recordings/formats/joint_names.h"

namespace glovebox::recordings {
namespace {

constexpr std::string_view kMotive = "Format Version,";

struct MotiveHeader {
    std::vector<std::string> names, kinds, axes;  // one for each column; kinds are Position, Rotation ... or empty
    std::optional<float> unit_m;
};

std::optional<float> motive_unit_m(const std::vector<std::string>& facts) {
    const auto key = std::find(facts.begin(), facts.end(), "Length Units");
    if (key == facts.end() || key + 1 == facts.end()) return std::nullopt;
    if (key[1] == "Meters") return 1.0F;
    if (key[1] == "Centimeters") return 0.01F;
    if (key[1] == "Millimeters") return 0.001F;
    return std::nullopt;
}

MotiveHeader read_motive_header(Input& in) {
    constexpr int kMaxRows = 12;
    MotiveHeader header;
    header.unit_m = motive_unit_m(read_column_names(in));
    for (int row = 0; row < kMaxRows; ++row) {
        std::vector<std::string> cells = read_column_names(in);
        if (cells[0] == "Frame") {
            header.axes = std::move(cells);
            header.names.resize(header.axes.size());
            header.kinds.resize(header.axes.size());
            return header;
        }
        const auto has = [&cells](const char* word) {
            return std::find(cells.begin(), cells.end(), word) != cells.end();
        };
        if (cells[0] == "Name" || (cells.size() > 1 && cells[1] == "Name"))
            header.names = std::move(cells);
        else if (has("Position") || has("Rotation"))
            header.kinds = std::move(cells);
    }
    in.fail("the header of Motive's CSV has no row that begins with Frame");
}

struct MotiveTrack {
    std::array<std::size_t, 3> columns{};
    std::size_t known = 0;
    std::vector<float> values;
};

// Returns the columns of positions by joint name; the first bone or marker of a name counts.
std::map<std::string, MotiveTrack> motive_tracks(const MotiveHeader& header) {
    std::map<std::string, MotiveTrack> tracks;
    const bool has_kinds = std::find(header.kinds.begin(), header.kinds.end(), "Position") != header.kinds.end();
    for (std::size_t c = 2; c < header.axes.size(); ++c) {
        if (has_kinds && header.kinds[c] != "Position") continue;
        if (header.axes[c].size() != 1 || !joint_of_track_name(header.names[c])) continue;
        const std::size_t axis = static_cast<std::size_t>(header.axes[c][0] - 'X');
        MotiveTrack& track = tracks[header.names[c]];
        if (axis >= 3 || track.known >= 3 || axis != track.known) continue;
        track.columns[track.known++] = c;
    }
    std::erase_if(tracks, [](const auto& track) { return track.second.known != 3; });
    return tracks;
}

}  // namespace

bool is_optitrack_csv(std::string_view head, std::uintmax_t) {
    return head.starts_with(kMotive) && head.find("Capture Frame Rate") != std::string_view::npos;
}

void read_optitrack_csv(Input& in, const ImportOptions& options, Assembly& out) {
    const MotiveHeader header = read_motive_header(in);
    std::map<std::string, MotiveTrack> tracks = motive_tracks(header);
    std::vector<double> times_s, row(header.axes.size());
    std::string_view line;
    std::exception_ptr damage;
    while (in.next_full_line(line)) try {
            for_each_cell(in, line, row.size(), [&](std::size_t column, std::string_view cell) {
                row[column] =
                    trimmed(cell).empty() ? std::numeric_limits<double>::quiet_NaN() : number_of_cell(in, cell, column);
            });
            for (auto& [name, track] : tracks)
                for (const std::size_t column : track.columns)
                    collect(static_cast<float>(row[column]), in, options, track.values);
            collect(row[1], in, options, times_s);
        } catch (const ImportError&) {
            damage = std::current_exception();
            break;
        }
    Arrays arrays;
    const auto bytes = [](const auto& numbers) {
        return std::string_view(reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof numbers[0]);
    };
    for (const auto& [name, track] : tracks)
        arrays[name] = {'f', sizeof(float), {times_s.size(), 3}, bytes(track.values)};
    arrays["time"] = {'f', sizeof(double), {times_s.size()}, bytes(times_s)};
    if (times_s.empty() && damage) std::rethrow_exception(damage);
    if (times_s.empty()) in.fail("the file ends before its first row");
    if (!has_tracked_hand(arrays))
        in.fail_at(0,
                   "this file of Motive has no hand: 10 or more bones or markers with the joint in the name are "
                   "needed, such as RHand, RIndex1, RThumbTip; export the bones of a skeleton with fingers");
    ArrayFacts facts;
    facts.axes_known = true;
    facts.unit_m = header.unit_m;
    facts.time_unit_ns = 1e9;
    read_hand_arrays(in, arrays, options, facts, out);
    if (damage) std::rethrow_exception(damage);
}

}  // namespace glovebox::recordings
