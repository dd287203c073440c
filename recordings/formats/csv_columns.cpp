#include "recordings/formats/csv_columns.h"

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

double number_of_cell(const Input& in, std::string_view cell, std::size_t column) {
    double value = 0.0;
    if (!parse_number(cell, value))
        in.fail("column " + std::to_string(column + 1) + " is " + excerpt(cell) + ", not a number");
    return value;
}

}  // namespace glovebox::recordings
