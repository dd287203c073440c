#include "recordings/list_cells.h"

#include <algorithm>

#include "recordings/formats/csv_columns.h"
#include "recordings/parse.h"

namespace glovebox::recordings {
namespace {

// Returns the cells of a line. A separator in quotes or brackets does not end a cell.
std::vector<std::string_view> cells_of(std::string_view line, char separator) {
    std::vector<std::string_view> cells;
    std::size_t begin = 0;
    int depth = 0;
    bool quoted = false;
    for (std::size_t i = 0; i < line.size(); ++i) {
        const char c = line[i];
        if (c == '"') quoted = !quoted;
        depth += c == '(' || c == '[' ? 1 : c == ')' || c == ']' ? -1 : 0;
        if (c != separator || quoted || depth > 0) continue;
        cells.push_back(line.substr(begin, i - begin));
        begin = i + 1;
    }
    cells.push_back(line.substr(begin));
    return cells;
}

// Returns the numbers in a cell; none if it is no list of numbers.
std::vector<std::string_view> numbers_of(std::string_view cell) {
    constexpr std::string_view kBetween = "()[],; \t";
    std::vector<std::string_view> numbers;
    cell = unquoted(cell);
    if (!cell.starts_with('(') && !cell.starts_with('[')) return {};
    for (std::size_t at = 0; (at = cell.find_first_not_of(kBetween, at)) != std::string_view::npos;) {
        const std::string_view word = cell.substr(at, cell.find_first_of(kBetween, at) - at);
        at += word.size();
        double number = 0.0;
        if (is_one_of(word, {"np.float64", "np.float32"})) continue;  // np.float64(0.1)
        if (!parse_number(word, number)) return {};
        numbers.push_back(word);
    }
    return numbers;
}

// Returns the name of the number `k` in the lists of a column: of an axis of a point, or of its place in other lists.
std::string name_of_number(std::string_view column, std::size_t k, std::size_t count) {
    std::string name(column);
    if (count == 2) return name + "_" + "xy"[k];
    if (count % 3 != 0) return name + "_" + std::to_string(k);
    if (count > 3) name += "_" + std::to_string(k / 3);
    return name + "_" + "xyz"[k % 3];
}

}  // namespace

ListCells::ListCells(std::string_view head, char separator) : separator_(separator) {
    if (head.find_first_of("([") == std::string_view::npos) return;
    const TableHeader header = header_of(head);
    const std::size_t columns = cells_of(header.names, separator).size();
    if (columns < 2) return;
    std::vector<std::size_t> numbers(columns);
    std::string_view line;
    for (Fields lines(head.substr(header.end), '\n'); lines.next(line);) {
        const std::vector<std::string_view> cells = cells_of(line, separator);
        if (cells.size() != columns) continue;
        for (std::size_t i = 0; i < columns; ++i) numbers[i] = std::max(numbers[i], numbers_of(cells[i]).size());
    }
    if (std::all_of(numbers.begin(), numbers.end(), [](std::size_t count) { return count == 0; })) return;
    names_ = header.names;
    numbers_ = std::move(numbers);
}

void ListCells::append(std::string_view line, std::string& text) const {
    const bool is_names = trimmed(line) == names_;
    const std::vector<std::string_view> cells = cells_of(line, separator_);
    if (cells.size() != numbers_.size()) {  // a comment, or a damaged row
        text += line;
        return;
    }
    for (std::size_t i = 0; i < cells.size(); ++i) {
        if (i > 0) text += ',';
        const std::string_view cell = is_names ? unquoted(cells[i]) : cells[i];
        if (numbers_[i] == 0) {
            for (const char c : cell) text += c == ',' && separator_ != ',' ? '.' : c;
            continue;
        }
        const std::vector<std::string_view> numbers = numbers_of(cell);
        for (std::size_t k = 0; k < std::max(numbers.size(), numbers_[i]); ++k) {
            if (k > 0) text += ',';
            if (is_names)
                text += name_of_number(cell, k, numbers_[i]);
            else if (k < numbers.size())
                text += numbers[k];
        }
    }
}

}  // namespace glovebox::recordings
