// Reads the hands of HOT3D, which are recorded as poses of the UmeTrack model; see umetrack_json.cpp.
#pragma once

#include "recordings/assembly.h"

namespace glovebox::recordings {

bool is_umetrack_json(std::string_view head, std::uintmax_t file_size);
void read_umetrack_json(Input& in, const ImportOptions& options, Assembly& out);

}  // namespace glovebox::recordings
