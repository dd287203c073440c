// Tables of 21 hand landmarks (MediaPipe) with various column names; see landmark_csv.cpp.
#pragma once

#include "recordings/assembly.h"

namespace glovebox::recordings {

/// Returns true if a file that begins with `head` has this format.
bool is_landmark_csv(std::string_view head, std::uintmax_t file_size);
/// Returns the landmark of a cell with its number or name.
std::optional<std::size_t> landmark_of_cell(std::string_view cell);
/// Reads the whole file into `out`. Throws ImportError with file, place and reason.
void read_landmark_csv(Input& in, const ImportOptions& options, Assembly& out);

}  // namespace glovebox::recordings
