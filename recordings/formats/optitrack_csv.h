// Hands in OptiTrack Motive's CSV: bones of a skeleton, or labelled markers; see optitrack_csv.cpp.
#pragma once

#include "recordings/assembly.h"

namespace glovebox::recordings {

/// Returns true if a file that begins with `head` has this format.
bool is_optitrack_csv(std::string_view head, std::uintmax_t file_size);
/// Reads the whole file into `out`. Throws ImportError with file, place and reason.
void read_optitrack_csv(Input& in, const ImportOptions& options, Assembly& out);

}  // namespace glovebox::recordings
