#include "vr/export/text_table.h"

#include <algorithm>
#include <vector>

#include "tracking/formatted.h"
#include "tracking/quoted.h"

namespace glovebox::vr {
namespace {

std::string join_keys(const nlohmann::ordered_json& row) {
    std::string keys;
    for (const auto& [key, value] : row.items()) keys += key + '\n';
    return keys;
}

std::string format_block(std::span<const nlohmann::ordered_json> rows) {
    std::vector<std::vector<std::string>> cells(1);
    for (const auto& [key, value] : rows.front().items()) cells.front().push_back(key);
    for (const auto& row : rows) {
        auto& line = cells.emplace_back();
        for (const auto& [key, value] : row.items()) line.push_back(cell_text(value));
    }
    std::vector<std::size_t> widths(cells.front().size());
    for (const auto& line : cells)
        for (std::size_t i = 0; i < line.size(); ++i) widths[i] = std::max(widths[i], line[i].size());

    std::string text;
    for (const auto& line : cells) {
        for (std::size_t i = 0; i < line.size(); ++i) {
            // The first column is left-aligned (names), the others are right-aligned (numbers).
            const std::string pad(widths[i] - line[i].size(), ' ');
            text += i == 0 ? line[i] + pad : "  " + pad + line[i];
        }
        text.erase(text.find_last_not_of(' ') + 1);
        text += '\n';
    }
    return text;
}

}  // namespace

// Four significant digits are easier to read than 17 in a table; the JSON report keeps all digits.
std::string cell_text(const nlohmann::ordered_json& value) {
    if (value.is_string()) return tracking::printable(value.get<std::string>());
    if (value.is_number_float()) {
        return tracking::formatted("%.4g", value.get<double>());
    }
    return value.dump();
}

std::vector<std::span<const nlohmann::ordered_json>> tables_of(std::span<const nlohmann::ordered_json> rows) {
    std::vector<std::span<const nlohmann::ordered_json>> tables;
    for (std::size_t begin = 0; begin < rows.size();) {
        std::size_t end = begin + 1;
        while (end < rows.size() && join_keys(rows[end]) == join_keys(rows[begin])) ++end;
        tables.push_back(rows.subspan(begin, end - begin));
        begin = end;
    }
    return tables;
}

std::string format_table(std::span<const nlohmann::ordered_json> rows) {
    std::string text;
    for (const auto& table : tables_of(rows)) text += (text.empty() ? "" : "\n") + format_block(table);
    return text;
}

}  // namespace glovebox::vr
