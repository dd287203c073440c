// Animated hands in binary FBX, version 7: skeletons whose nodes have the joints' names; see fbx.cpp.
#pragma once

#include "recordings/assembly.h"

namespace glovebox::recordings {

bool is_fbx(std::string_view head, std::uintmax_t file_size);
void read_fbx(Input& in, const ImportOptions& options, Assembly& out);

}  // namespace glovebox::recordings
