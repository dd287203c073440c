// Programs that know a hand as an array write it as a table in one of these ways, whose meaning is that of the array:
//   numbered   a column for each axis of each point: joint_0_x, right_bone_30_qw, field.poses0.position.x (rostopic
//   echo
//              -p), /hand/poses[0]/position/x (PlotJuggler)
//   nameless   63, 75, 78 or another number of values that is a hand's, in each row, without names or with numbers as
//              names (0, 1, 2 or f0, f1, f2). Before them may be a time, a frame, or a label; behind them a label.
// So the table becomes arrays, and hand_arrays.h reads them: order of the points, sides and SteamVR's spaces are found
// from the hands' shape as in NumPy's files.
#include "recordings/formats/points_csv.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "recordings/formats/aria_csv.h"
#include "recordings/formats/csv_columns.h"
#include "recordings/formats/glovebox_csv.h"
#include "recordings/formats/hand_arrays.h"
#include "recordings/formats/joint_csv.h"
#include "recordings/formats/joint_lists.h"
#include "recordings/formats/joint_names.h"
#include "recordings/formats/landmark_csv.h"
#include "recordings/formats/landmarks.h"
#include "recordings/formats/openxr_csv.h"
#include "recordings/parse.h"

namespace glovebox::recordings {
namespace {

constexpr std::size_t kMaxPointColumns = 4096;

// The columns of one array, in the order of its numbers.
struct PointArray {
    std::string name;
    std::vector<std::size_t> shape;  // of a row
    std::vector<std::size_t> columns;
};

struct PointTable {
    std::vector<PointArray> arrays;
    std::size_t columns = 0;
    bool has_names = false, by_blanks = false;
    std::optional<std::size_t> time, nanoseconds, frame;
    double ns_per_unit = 0.0;  // of the time; 0: to be guessed
};

std::vector<std::string_view> cells_of(std::string_view line, bool by_blanks) {
    std::vector<std::string_view> cells;
    std::string_view cell;
    if (by_blanks)
        for (Words words(line); cells.size() <= kMaxPointColumns && words.next(cell);) cells.push_back(cell);
    else
        for (Fields fields(line); cells.size() <= kMaxPointColumns && fields.next(cell);)
            cells.push_back(unquoted(cell));
    return cells;
}

bool is_number(std::string_view cell) {
    double number = 0.0;
    return parse_number(cell, number);
}

// A column of a point: "right_bone_30_qw" is axis 3 of point 30 of the hand "right bone".
struct PointColumn {
    std::string hand;
    std::size_t point = 0, axis = 0;  // x, y, z, and w, x, y, z of a quaternion
};

std::optional<PointColumn> point_column(std::string_view name) {
    PointColumn column;
    std::optional<std::size_t> point, axis;
    bool rotation = false;
    for (std::string& word : words_of_name(name)) {
        std::size_t number = 0;
        if (parse_number(word, number)) {
            if (point) column.hand += " " + std::to_string(*point);  // the last number is that of the point
            point = number;
            continue;
        }
        if (word.starts_with("pos") && word.size() == 4) word.erase(0, 3);
        if (word.starts_with("rot") && word.size() == 4) word = "q" + word.substr(3);
        constexpr std::string_view kAxes = "xyz", kTurns = "wxyz";
        const bool is_turn = word.size() == 2 && word[0] == 'q' && kTurns.find(word[1]) != kTurns.npos;
        const bool is_place = (word.size() == 1 || (word.size() == 2 && (word[0] == 'p' || word[0] == 't'))) &&
                              kAxes.find(word.back()) != kAxes.npos;
        if (is_turn || is_place || word == "w") {
            if (axis) return std::nullopt;
            axis = is_place ? kAxes.find(word.back()) : 3 + kTurns.find(word.back());
        } else if (is_one_of(word, {"orientation", "rotation", "rot", "quat", "quaternion", "q"})) {
            rotation = true;
        } else if (!is_one_of(word, {"position", "pos", "translation", "p", "t"})) {
            column.hand += " " + word;
        }
    }
    if (!point || !axis) return std::nullopt;
    column.point = *point;
    column.axis = rotation && *axis < 3 ? *axis + 4 : *axis;  // orientation.x
    return column;
}

// Returns the points of each hand whose numbers count from 0 or 1, if there are as many as a hand has.
std::vector<PointArray> numbered_points(const std::vector<std::string_view>& names) {
    std::map<std::string, std::map<std::size_t, std::map<std::size_t, std::size_t>>>
        hands;  // columns by point and axis
    for (std::size_t i = 0; i < names.size(); ++i)
        if (const auto column = point_column(names[i])) hands[column->hand][column->point].emplace(column->axis, i);
    std::vector<PointArray> arrays;
    for (const auto& [hand, points] : hands) {
        const bool counts =
            points.begin()->first <= 1 && points.rbegin()->first - points.begin()->first + 1 == points.size();
        if (!counts || (points.size() != kLandmarks && joint_list_of(points.size()) == nullptr)) continue;
        const auto all_have = [&all = points](std::size_t axes) {
            return std::all_of(all.begin(), all.end(), [axes](const auto& point) {
                for (std::size_t axis = 0; axis < axes; ++axis)
                    if (!point.second.contains(axis)) return false;
                return true;
            });
        };
        if (!all_have(3)) continue;
        const std::size_t numbers = all_have(7) ? 7 : 3;
        PointArray& array = arrays.emplace_back(PointArray{hand, {points.size(), numbers}, {}});
        for (const auto& [point, axes] : points)
            for (std::size_t axis = 0; axis < numbers; ++axis) array.columns.push_back(axes.at(axis));
    }
    return arrays;
}

// Returns true for the names that stand for no names: 0, 1, 2 or f0, f1, f2.
bool count_columns(const std::vector<std::string_view>& names, std::size_t first, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
        const std::vector<std::string> words = words_of_name(names[first + i]);
        std::size_t number = 0, begin = 0;
        if (words.empty() || words.size() > 2 || !parse_number(words.back(), number)) return false;
        parse_number(words_of_name(names[first]).back(), begin);
        if (begin > 1 || number != begin + i) return false;
    }
    return true;
}

// Facts about the columns before and behind the numbers of hands, from the first rows.
struct OuterColumns {
    bool counts_up = true;              // the first, or the first two together: a time
    bool has_parts = false;             // the first has a number that is not whole
    std::optional<bool> ends_in_label;  // nothing: unknown
};

OuterColumns outer_columns(const std::vector<std::vector<std::string_view>>& rows) {
    OuterColumns seen;
    // The seconds may stay while the nanoseconds grow.
    using Stamp = std::pair<double, double>;
    std::vector<Stamp> stamps;
    const auto has_part = [](std::string_view cell) {
        double number = 0.0;
        return parse_number(cell, number) && number != std::floor(number);
    };
    bool last_has = false, before_last_has = false, point_before_has = false;
    for (const auto& row : rows) {
        Stamp stamp;
        if (parse_number(row[0], stamp.first)) parse_number(row[1], stamp.second);
        stamps.push_back(stamp);
        seen.has_parts = seen.has_parts || has_part(row[0]);
        last_has = last_has || has_part(row.back());
        before_last_has = before_last_has || has_part(row[row.size() - 2]);
        point_before_has = point_before_has || has_part(row[row.size() - 4]);
    }
    std::size_t up = 0;  // a label may grow too, but seldom
    for (std::size_t i = 1; i < stamps.size(); ++i) up += stamps[i - 1] < stamps[i] ? 1 : 0;
    seen.counts_up = std::is_sorted(stamps.begin(), stamps.end()) && (stamps.size() < 2 || 2 * up >= stamps.size() - 1);
    // A label is a word or a whole number, unlike the coordinates beside it. So is the depth of a flat hand, 0, but
    // then that of the point before is one, too.
    if (last_has || (before_last_has && point_before_has)) seen.ends_in_label = !last_has;
    return seen;
}

// Finds the numbers of hands in a row whose cells are numbers or not, and what is before and behind them.
struct Span {
    std::size_t first, count;
};
std::optional<Span> span_of_numbers(const std::vector<bool>& is_numeric, const OuterColumns& seen) {
    constexpr std::size_t kMaxBefore = 4;
    const std::size_t columns = is_numeric.size();
    // If the numbers do not show a label, it is behind them if it is a word, or if the first column is no time.
    for (const std::size_t behind : {0U, 1U}) {
        if (seen.ends_in_label && *seen.ends_in_label != (behind == 1)) continue;
        for (std::size_t before = 0; before <= kMaxBefore && before + behind < columns; ++before) {
            const std::size_t count = columns - before - behind;
            if (!row_of_numbers(count)) continue;
            const bool is_flag = is_numeric[0] && (before == 1 || is_numeric[1]) && !seen.counts_up;
            if (behind == 0 && before > 0 && is_flag && !seen.ends_in_label) continue;
            const auto begin = is_numeric.begin() + static_cast<std::ptrdiff_t>(before);
            if (std::all_of(begin, begin + static_cast<std::ptrdiff_t>(count), [](bool n) { return n; }))
                return Span{before, count};
        }
    }
    return std::nullopt;
}

// H2O has a flag before each of two hands.
std::optional<PointArray> hands_with_flags(const std::vector<std::string_view>& cells) {
    const std::size_t half = cells.size() / 2;
    const auto row = half > 1 && cells.size() % 2 == 0 ? row_of_numbers(half - 1) : std::nullopt;
    const auto is_flag = [&cells](std::size_t i) { return cells[i] == "0" || cells[i] == "1"; };
    if (!row || row->hands != 1 || !is_flag(0) || !is_flag(half)) return std::nullopt;
    PointArray array{"", {2, row->points, row->numbers}, {}};
    for (std::size_t i = 0; i < cells.size(); ++i) {
        if (i % half == 0) continue;
        if (!is_number(cells[i])) return std::nullopt;
        array.columns.push_back(i);
    }
    return array;
}

std::optional<PointTable> point_table(std::string_view head) {
    TableHeader header = header_of(head);
    if (header.names.empty()) return std::nullopt;
    PointTable table;
    table.by_blanks = header.names.find(',') == std::string_view::npos;
    std::vector<std::string_view> first = cells_of(header.names, table.by_blanks);
    std::vector<std::string_view> row = first;
    table.columns = first.size();
    if (table.columns > kMaxPointColumns || table.columns < 3 * kLandmarks) return std::nullopt;
    std::size_t before = 0;
    OuterColumns outer;
    table.arrays = numbered_points(first);
    table.has_names = !table.arrays.empty();
    if (auto flagged = hands_with_flags(first)) {
        table.arrays.push_back(std::move(*flagged));
        return table;
    }
    if (table.arrays.empty()) {
        // The rows: of a table without names, from the first line on.
        std::vector<std::vector<std::string_view>> rows;
        std::string_view line;
        for (Fields lines(head.substr(header.end), '\n'); rows.size() < 64 && lines.next(line);) {
            auto cells = cells_of(trimmed(line), table.by_blanks);
            if (cells.size() == table.columns) rows.push_back(std::move(cells));
        }
        const auto numeric_cells = [](const std::vector<std::string_view>& cells) {
            std::vector<bool> numeric;
            for (const std::string_view cell : cells) numeric.push_back(is_number(cell));
            return numeric;
        };
        const auto span_in = [&](const std::vector<std::string_view>& cells) {
            outer = outer_columns(rows);
            return span_of_numbers(numeric_cells(cells), outer);
        };
        auto span = rows.empty() ? std::nullopt : span_in(rows[0]);
        table.has_names = span && count_columns(first, span->first, span->count);
        if (!table.has_names) {
            rows.insert(rows.begin(), first);
            span = span_in(first);
        }
        if (!span) return std::nullopt;
        before = span->first;
        PointArray& array = table.arrays.emplace_back(PointArray{"", {span->count}, {}});
        for (std::size_t i = 0; i < span->count; ++i) array.columns.push_back(before + i);
        row = rows[0];
    }
    // The time: by its name, or a number before those of the hands.
    for (std::size_t i = 0; i < first.size() && table.has_names; ++i) {
        const std::vector<std::string> words = words_of_name(first[i]);
        if (const auto unit_ns = time_unit_of_column(words); unit_ns && !table.time) {
            table.time = i;
            table.ns_per_unit = *unit_ns;
        }
        if (is_frame_column(words) && !table.frame) table.frame = i;
    }
    if (!table.time && !table.frame && before > 0 && is_number(row[0]) && (outer.counts_up || outer.has_parts)) {
        double time = 0.0, part = 0.0;
        parse_number(row[0], time);
        const bool is_count = !outer.has_parts && time < 1e6;
        (is_count && before == 1 ? table.frame : table.time) = 0;
        // ros2 topic echo --csv: seconds and nanoseconds.
        if (before > 1 && parse_number(row[1], part) && !outer.has_parts && part >= 0.0 && part < 1e9) {
            table.nanoseconds = 1;
            table.ns_per_unit = 1e9;
        }
    }
    return table;
}

// Keeps the points whose names contain sides, if there are any: beside the hands may be a body or an object. Else puts
// two hands without sides into one array, as first and second.
void pair_up(std::vector<PointArray>& arrays, Assembly& out) {
    const auto names_side = [](const PointArray& array) {
        return tracking::side_of_name(array.name + ".csv").has_value();
    };
    const auto others = std::stable_partition(arrays.begin(), arrays.end(), names_side);
    const auto kept = std::max<std::ptrdiff_t>(others - arrays.begin(), 1);
    if (others == arrays.begin() && arrays.size() > 1 && arrays[0].shape == arrays[1].shape) {
        arrays[0].columns.insert(arrays[0].columns.end(), arrays[1].columns.begin(), arrays[1].columns.end());
        arrays[0].shape.insert(arrays[0].shape.begin(), 2);
        arrays.erase(arrays.begin() + 1);
    }
    for (auto other = arrays.begin() + kept; other != arrays.end(); ++other)
        out.note("The points" + other->name + " were not read: a table may have a left and a right hand, or two.");
    arrays.resize(static_cast<std::size_t>(kept));
}

// The content of a table.
struct PointRows {
    std::vector<std::vector<float>> values;  // of each array
    std::vector<CellTime> times;
    std::vector<std::int64_t> numbers;  // of the rows
};

void read_rows(Input& in, const PointTable& table, PointRows& rows, Assembly& out) {
    std::int64_t rows_without_time = 0;
    for (std::string_view line; in.next_full_line(line);) {
        if (trimmed(line).starts_with('#')) continue;
        const auto cells = cells_of(line, table.by_blanks);
        if (cells.size() != table.columns)
            in.fail("the row has " + std::to_string(cells.size()) + " columns, not " + std::to_string(table.columns));
        if (const auto at = table.time ? table.time : table.frame) {
            CellTime time = time_of_cell(in, cells[*at], *at);
            if (table.nanoseconds) {
                const CellTime part = time_of_cell(in, cells[*table.nanoseconds], *table.nanoseconds);
                time.value += 1e-9 * part.value;
                if (time.whole && part.whole) time.exact_ns = time_ns_of(in, time, 1e9, in.row()) + *part.whole;
            }
            if (time.empty()) {
                ++rows_without_time;
                continue;
            }
            rows.times.push_back(time);
        }
        for (std::size_t a = 0; a < rows.values.size(); ++a)
            for (const std::size_t i : table.arrays[a].columns)
                rows.values[a].push_back(cells[i].empty() ? std::nanf("")
                                                          : static_cast<float>(number_of_cell(in, cells[i], i)));
        rows.numbers.push_back(in.row());
    }
    note_rows_without_time(rows_without_time, out);
}

void read_arrays_of(const Input& in, const PointTable& table, PointRows& rows, const ImportOptions& options,
                    Assembly& out) {
    const std::size_t frames = rows.numbers.size();
    if (frames == 0) return;
    if (rows.times.size() > frames) rows.times.resize(frames);  // the last row was cut off
    Arrays arrays;
    const auto bytes_of = [](const auto& numbers) {
        return std::string_view(reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof numbers[0]);
    };
    for (std::size_t a = 0; a < table.arrays.size(); ++a) {
        std::vector<std::size_t> shape = table.arrays[a].shape;
        shape.insert(shape.begin(), frames);
        rows.values[a].resize(frames * table.arrays[a].columns.size());
        const std::string name = table.arrays[a].name;
        arrays.emplace(name.empty() ? in.path().stem().string() : name,
                       Array{'f', sizeof(float), std::move(shape), bytes_of(rows.values[a])});
    }
    ArrayFacts facts;
    const auto all = [&times = rows.times](auto member) {
        return !times.empty() &&
               std::all_of(times.begin(), times.end(), [member](const auto& t) { return (t.*member).has_value(); });
    };
    const bool exact = all(&CellTime::exact_ns);
    std::vector<double> values;
    std::vector<std::int64_t> whole;
    for (const CellTime& time : rows.times) {
        values.push_back(time.value);
        whole.push_back(exact ? *time.exact_ns : time.whole.value_or(0));
    }
    if (exact || all(&CellTime::whole))
        arrays.emplace("/time", Array{'i', sizeof(std::int64_t), {whole.size()}, bytes_of(whole)});
    else if (!values.empty())
        arrays.emplace("/time", Array{'f', sizeof(double), {values.size()}, bytes_of(values)});
    if (!table.time && table.frame) {
        facts.time_unit_ns = kDefaultFrame_ns;
        out.note("The file has no time; its frames were taken as 30 a second.");
    } else if (exact || table.ns_per_unit > 0.0) {
        facts.time_unit_ns = exact ? 1.0 : table.ns_per_unit;
    }
    facts.rows = std::move(rows.numbers);
    read_hand_arrays(in, arrays, options, facts, out);
}

}  // namespace

bool is_points_csv(std::string_view head, std::uintmax_t file_size) {
    if (is_openxr_csv(head, file_size) || is_glovebox_csv(head, file_size) || is_aria_csv(head, file_size))
        return false;
    if (!point_table(head)) return false;
    return !is_landmark_csv(head, file_size) && !is_joint_csv(head, file_size);
}

void read_points_csv(Input& in, const ImportOptions& options, Assembly& out) {
    PointTable table = *point_table(in.head());
    pair_up(table.arrays, out);
    if (table.has_names) read_line_of_names(in);
    if (table.has_names) drop_empty_times(in, table.time, out);
    PointRows rows;
    rows.values.resize(table.arrays.size());
    try {
        read_rows(in, table, rows, out);
    } catch (const ImportError&) {
        read_arrays_of(in, table, rows, options, out);
        throw;
    }
    read_arrays_of(in, table, rows, options, out);
}

}  // namespace glovebox::recordings
