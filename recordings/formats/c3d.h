// Hand markers in C3D files (Vicon, OptiTrack, Qualisys); see c3d.cpp.
#pragma once

#include "recordings/assembly.h"

namespace glovebox::recordings {

bool is_c3d(std::string_view head, std::uintmax_t file_size);
void read_c3d(Input& in, const ImportOptions& options, Assembly& out);

}  // namespace glovebox::recordings
