// Reads the hands of HOT3D, which are recorded as poses of the UmeTrack model; see umetrack_json.cpp.
#pragma once

#include "recordings/assembly.h"

namespace glovebox::recordings {

/// Returns true if a file that begins with `head` has this format.
bool is_umetrack_json(std::string_view head, std::uintmax_t file_size);
/// Reads the whole file into `out`. Throws ImportError with file, place and reason.
void read_umetrack_json(Input& in, const ImportOptions& options, Assembly& out);

}  // namespace glovebox::recordings
