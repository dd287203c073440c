#include "recordings/formats/csv_columns.h"

#include <algorithm>
#include <cctype>

namespace glovebox::recordings {

std::vector<std::string> read_column_names(Input& in) {
    std::string_view header, name;
    if (!in.next_full_line(header)) in.fail("the file ends before its first row");
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

std::optional<double> time_unit_of_column(const std::vector<std::string>& words) {
    if (words.empty() || words.size() > 3) return std::nullopt;
    std::string_view first = words[0];
    std::string_view unit = words.size() > 1 ? std::string_view(words[1]) : "";
    if (first == "timestampms") first = "timestamp", unit = "ms";
    if (first == "time" && unit == "stamp") unit = words.size() > 2 ? std::string_view(words[2]) : "";
    if (!is_one_of(first, {"timestamp", "time", "t", "ts", "elapsed"})) return std::nullopt;
    if (is_one_of(unit, {"s", "sec", "seconds"})) return 1e9;
    if (is_one_of(unit, {"ms", "msec", "milliseconds"})) return 1e6;
    if (is_one_of(unit, {"us", "usec", "microseconds"})) return 1e3;
    if (is_one_of(unit, {"ns", "nsec", "nanoseconds"})) return 1.0;
    return 0.0;
}

bool is_frame_column(const std::vector<std::string>& words) {
    return !words.empty() && words[0] == "frame" && std::all_of(words.begin(), words.end(), [](const std::string& w) {
        return is_one_of(w, {"frame", "id", "number", "num", "no", "idx", "index", "count"});
    });
}

double number_of_cell(const Input& in, std::string_view cell, std::size_t column) {
    double value = 0.0;
    if (!parse_number(cell, value))
        in.fail("column " + std::to_string(column + 1) + " is " + excerpt(cell) + ", not a number");
    return value;
}

}  // namespace glovebox::recordings
