// Tables whose cells are points or lists of points, as pandas writes them: "(0.1, 0.2, 0.3)", [0.1 0.2 0.3]. Each
// number becomes a cell of its own. A column `palm` of points becomes palm_x, palm_y and palm_z. The points of a list
// are numbered: palm_0_x, palm_0_y ...
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace glovebox::recordings {

class ListCells {
  public:
    ListCells() = default;
    /// Finds the columns of lists in the first rows of a table. There are none in other files.
    ListCells(std::string_view head, char separator);
    bool empty() const { return numbers_.empty(); }
    /// Appends a line of the table to `text`, with commas between its cells.
    void append(std::string_view line, std::string& text) const;

  private:
    char separator_ = ',';
    std::string names_;                 // the line of names
    std::vector<std::size_t> numbers_;  // in the lists of each column; 0: the cells are no lists
};

}  // namespace glovebox::recordings
