#include "recordings/formats/csv_columns.h"

#include <algorithm>
#include <cctype>
#include <cmath>

#include "recordings/formats/joint_names.h"

namespace glovebox::recordings {

namespace {

bool is_missing(std::string_view text) {
    return is_one_of(text, {"NULL", "null", "None", "NA", "N/A", "#N/A", "-", "NaN", "nan"});
}

bool is_before_names(std::string_view line) {
    return line.empty() || line.starts_with('#') || line.starts_with("sep=");
}

}  // namespace

TableHeader header_of(std::string_view head) {
    TableHeader header;
    while (header.end < head.size()) {
        const std::size_t end = std::min(head.find('\n', header.end), head.size());
        header.names = trimmed(head.substr(header.end, end - header.end));
        header.end = std::min(end + 1, head.size());
        if (header.names.starts_with('{') || header.names.starts_with('[')) return {};  // JSON
        if (!is_before_names(header.names)) return header;
    }
    return {};
}

std::string_view read_line_of_names(Input& in) {
    for (std::string_view line; in.next_line(line);)
        if (!is_before_names(trimmed(line))) return line;
    in.fail("the file ends before its first row");
}

std::vector<std::string> read_column_names(Input& in) {
    const std::string_view header = read_line_of_names(in);
    std::string_view name;
    std::vector<std::string> names;
    for (Fields fields(header); fields.next(name);) {
        if (names.size() == 4096) in.fail("the header has more than 4096 columns");
        names.emplace_back(trimmed(name));
    }
    return names;
}

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> list) {
    return std::find(list.begin(), list.end(), word) != list.end();
}

std::vector<std::string> words_of_name(std::string_view name) {
    std::vector<std::string> words;
    char before = '_';
    for (const char raw : name.substr(0, 64)) {
        const auto c = static_cast<unsigned char>(raw);
        const auto b = static_cast<unsigned char>(before);
        const bool begins = (std::isdigit(c) != 0) != (std::isdigit(b) != 0) || std::isalnum(b) == 0 ||
                            (std::isupper(c) != 0 && std::islower(b) != 0);
        before = raw;
        if (std::isalnum(c) == 0) continue;
        if (begins || words.empty()) words.emplace_back();
        words.back() += static_cast<char>(std::tolower(c));
    }
    return words;
}

std::optional<double> time_unit_of_words(const std::vector<std::string>& words) {
    bool is_time = false;
    std::optional<double> unit_ns;
    for (const std::string& word : words) {
        if (is_one_of(word, {"timestamp", "time", "stamp", "ts", "datetime", "elapsed", "epoch"})) {
            is_time = true;
        } else if (word == "timestampms") {
            is_time = true;
            unit_ns = 1e6;
        } else if (is_one_of(word, {"s", "sec", "second", "seconds"})) {
            unit_ns = 1e9;
        } else if (is_one_of(word, {"ms", "msec", "millis", "millisecond", "milliseconds"})) {
            unit_ns = 1e6;
        } else if (is_one_of(word, {"us", "usec", "micros", "microsecond", "microseconds"})) {
            unit_ns = 1e3;
        } else if (is_one_of(word, {"ns", "nsec", "nanos", "nanosecond", "nanoseconds"})) {
            unit_ns = 1.0;
        } else if (!is_one_of(word,
                              {"unix",  "utc",    "gps",       "system", "capture",  "device",  "host",   "local",
                               "wall",  "record", "recording", "recv",   "received", "arrival", "server", "tracking",
                               "video", "camera", "relative",  "since",  "start",    "in",      "of"}) &&
                   !(word == "t" && words.size() <= 2) &&
                   !(word == "frame" && words.size() > 1 && words[1] != "time")) {
            return std::nullopt;
        }
        is_time = is_time || word == "t";
    }
    const bool is_unit = words.size() == 1 && unit_ns && words[0].size() > 1;  // "ms", not "s"
    if (!is_time && !is_unit) return std::nullopt;
    return unit_ns.value_or(0.0);
}

std::optional<double> time_unit_of_column(const std::vector<std::string>& words) {
    if (const auto unit_ns = time_unit_of_words(words)) return unit_ns;
    // Programs describe the column of times in words of their own: "Time (hh:mm)".
    const bool is_time = !words.empty() && words.size() <= 3 && is_one_of(words[0], {"timestamp", "time", "elapsed"});
    const bool is_stamp = !words.empty() && words[0] == "timestamp";  // "Timestamp (yyyyMMdd_HHmmss.ffff)"
    return is_time || is_stamp ? std::optional(0.0) : std::nullopt;
}

bool is_frame_column(const std::vector<std::string>& words) {
    return !words.empty() && is_one_of(words[0], {"frame", "capture"}) &&
           std::all_of(words.begin() + 1, words.end(), [](const std::string& w) {
               return is_one_of(w, {"id", "number", "num", "no", "idx", "index", "count"});
           });
}

void drop_empty_times(const Input& in, std::optional<std::size_t>& time_column, Assembly& out) {
    if (!time_column) return;
    std::string_view line, cell;
    std::size_t rows = 0;
    for (Fields lines(in.head().substr(header_of(in.head()).end), '\n'); lines.next(line); ++rows) {
        Fields fields(line);
        for (std::size_t i = 0; i <= *time_column; ++i)
            if (!fields.next(cell)) cell = {};
        double number = 0.0;
        const std::string_view text = unquoted(cell);
        if (parse_civil_time_ns(text) || (parse_number(text, number) && !std::isnan(number))) return;
        if (!text.empty() && !is_missing(text)) return;  // refused where it is read
    }
    if (rows == 0) return;
    out.note("The column of times is empty in the first rows, and was not used.");
    time_column.reset();
}

CellTime time_of_cell(const Input& in, std::string_view cell, std::size_t column) {
    CellTime time;
    time.exact_ns = parse_civil_time_ns(unquoted(cell));
    std::int64_t whole = 0;
    if (time.exact_ns) {
        time.value = 1e-9 * static_cast<double>(*time.exact_ns);
    } else if (parse_number(unquoted(cell), whole)) {
        time.value = static_cast<double>(whole);
        time.whole = whole;
    } else {
        time.value = trimmed(cell).empty() ? std::nan("") : number_of_cell(in, cell, column);
    }
    return time;
}

std::int64_t time_ns_of(const Input& in, const CellTime& time, double unit_ns, std::int64_t row) {
    if (time.exact_ns) return *time.exact_ns;
    const double time_ns = time.value * unit_ns;
    if (!(std::abs(time_ns) < 9e18)) in.fail_at(row, "the time is out of range");
    const bool is_whole = time.whole && unit_ns == std::floor(unit_ns);
    return is_whole ? *time.whole * static_cast<std::int64_t>(unit_ns) : std::llround(time_ns);
}

void note_rows_without_time(std::int64_t rows, Assembly& out) {
    if (rows == 0) return;
    out.doubt("NO TIME", counted(rows, "row", "has no time and was", "have no time and were") +
                             " left out; fill in the times, or remove the column.");
}

void refuse_rows_by_joint(const Input& in, std::size_t joint_column) {
    constexpr int kMinRows = 8;  // an instant has two rows of a joint at most, but some first instants may lack joints
    std::string_view line, cell, first;
    int rows = 0;
    for (Fields lines(in.head().substr(header_of(in.head()).end), '\n'); rows < kMinRows && lines.next(line);) {
        if (trimmed(line).empty()) continue;
        Fields fields(line);
        for (std::size_t i = 0; i <= joint_column; ++i)
            if (!fields.next(cell)) return;
        double number = 0.0;
        if (!parse_number(unquoted(cell), number) && !joint_of_track_name(unquoted(cell))) continue;
        if (++rows == 1) first = trimmed(cell);
        if (trimmed(cell) != first) return;
    }
    if (rows == kMinRows)
        in.fail_at(0,
                   "the rows are sorted by joint, so the joints of an instant are apart; sort them by time or frame "
                   "(pandas: table.sort_values('frame', kind='stable'))");
}

std::string_view unquoted(std::string_view cell) {
    cell = trimmed(cell);
    return cell.size() > 1 && cell.starts_with('"') && cell.ends_with('"') ? cell.substr(1, cell.size() - 2) : cell;
}

std::size_t HandCells::index_of(const Input& in, std::string_view cell) {
    cell = trimmed(cell);
    if (cell.empty()) return 0;
    const auto found = std::find(seen_.begin(), seen_.end(), cell);
    if (found != seen_.end()) return static_cast<std::size_t>(found - seen_.begin());
    if (seen_.size() == 2)
        in.fail("a third hand, " + excerpt(cell) + ": at most two can be told apart; split the table by person");
    seen_.emplace_back(cell);
    return seen_.size() - 1;
}

double number_of_cell(const Input& in, std::string_view cell, std::size_t column) {
    double value = 0.0;
    const std::string_view text = unquoted(cell);
    if (is_missing(text)) return std::nan("");
    if (!parse_number(text, value))
        in.fail("column " + std::to_string(column + 1) + " is " + excerpt(cell) + ", not a number");
    return value;
}

}  // namespace glovebox::recordings
