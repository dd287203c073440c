// Reads comma-separated text whose columns are identified by their names.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "recordings/input.h"
#include "recordings/parse.h"

namespace glovebox::recordings {

/// Reads the first line that is not blank and splits it at the commas. Throws ImportError if it has more than 4096
/// columns.
std::vector<std::string> read_column_names(Input& in);

/// Calls `take(column, text)` for each cell of a row. Throws ImportError if the row does not have exactly `columns`
/// cells.
template <class Take>
void for_each_cell(const Input& in, std::string_view line, std::size_t columns, Take&& take) {
    std::size_t at = 0;
    std::string_view cell;
    for (Fields fields(line); fields.next(cell); ++at) {
        if (at == columns) in.fail("the row has more than " + std::to_string(columns) + " columns");
        take(at, cell);
    }
    if (at < columns)
        in.fail("the row ends after " + std::to_string(at) + " of " + std::to_string(columns) +
                " columns: the file is cut off or damaged");
}

/// Returns the number in a cell. Throws ImportError, which names the column, if it is not a number.
double number_of_cell(const Input& in, std::string_view cell, std::size_t column);

}  // namespace glovebox::recordings
