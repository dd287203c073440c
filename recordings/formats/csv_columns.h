// Reads comma-separated text whose columns are identified by their names.
#pragma once

#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "recordings/assembly.h"
#include "recordings/input.h"
#include "recordings/parse.h"

namespace glovebox::recordings {

/// The line of column names of a table. Before it there may be blank lines, comments (#) and Excel's "sep=;".
struct TableHeader {
    std::string_view names;
    std::size_t end = 0;  ///< of this line, in the text
};
TableHeader header_of(std::string_view head);
/// Reads up to and with that line. Throws ImportError if there is none.
std::string_view read_line_of_names(Input& in);

/// Reads the line of column names and splits it at the commas. Throws ImportError if it has more than 4096
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

/// Returns true if the list has this word.
bool is_one_of(std::string_view word, std::initializer_list<std::string_view> list);

/// Splits a column's name, such as "landmark_0_x", "indexFingerTip.x" or "x12", into words of lower-case letters or of
/// digits; long names are truncated.
std::vector<std::string> words_of_name(std::string_view name);

/// Returns the nanoseconds in a unit of a time with this name, such as "timestamp_ms", "unix_time" or "t", or 0 if the
/// name has no unit. Returns nullopt for another name.
std::optional<double> time_unit_of_words(const std::vector<std::string>& words);
/// Does the same for a column, whose name may have more words after "time": "Time (hh:mm)".
std::optional<double> time_unit_of_column(const std::vector<std::string>& words);
/// Returns true if this is a column of frame numbers.
bool is_frame_column(const std::vector<std::string>& words);

/// Ignores a column of times, with a note, if none of the first rows has a time in it.
void drop_empty_times(const Input& in, std::optional<std::size_t>& time_column, Assembly& out);
/// The time in a cell of a table. A double has nanoseconds since 1970 in steps of 256, so whole numbers are kept too.
struct CellTime {
    double value = 0.0;                    ///< in the column's unit, or in seconds if `exact_ns` is given; NaN: empty
    std::optional<std::int64_t> whole;     ///< the value, if it is a whole number
    std::optional<std::int64_t> exact_ns;  ///< of a date
    bool empty() const { return std::isnan(value); }
};
CellTime time_of_cell(const Input& in, std::string_view cell, std::size_t column);
/// Returns the time in nanoseconds. Throws ImportError, which names the row, if it is out of range.
std::int64_t time_ns_of(const Input& in, const CellTime& time, double unit_ns, std::int64_t row);
/// Notes how many rows were left out because they have no time.
void note_rows_without_time(std::int64_t rows, Assembly& out);

/// Throws ImportError if the first rows of a table with a row for each joint are all of one joint. Then the joints of
/// an instant are apart.
void refuse_rows_by_joint(const Input& in, std::size_t joint_column);

/// Returns a cell without the blanks and the quotes around it.
std::string_view unquoted(std::string_view cell);

/// Tells the hands of a table apart by a cell that names no side: the first cell seen is of hand 0, another of hand 1.
class HandCells {
  public:
    /// Throws ImportError for a third hand. An empty cell is of hand 0.
    std::size_t index_of(const Input& in, std::string_view cell);

  private:
    std::vector<std::string> seen_;
};

/// Returns the number in a cell, which may be quoted. A word for a missing value, such as NULL or N/A, is NaN. Throws
/// ImportError, which names the column, if it is not a number.
double number_of_cell(const Input& in, std::string_view cell, std::size_t column);

}  // namespace glovebox::recordings
