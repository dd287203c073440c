// Hand markers in C3D files (Vicon, OptiTrack, Qualisys); see c3d.cpp.
#pragma once

#include "recordings/assembly.h"

namespace glovebox::recordings {

/// Returns true if a file that begins with `head` has this format.
bool is_c3d(std::string_view head, std::uintmax_t file_size);
/// Reads the whole file into `out`. Throws ImportError with file, place and reason.
void read_c3d(Input& in, const ImportOptions& options, Assembly& out);

}  // namespace glovebox::recordings
