// Animated hands in binary glTF files (.glb): skeletons whose nodes have the joints' names; see gltf_motion.cpp.
#pragma once

#include "recordings/assembly.h"

namespace glovebox::recordings {

/// Returns true if a file that begins with `head` has this format.
bool is_glb(std::string_view head, std::uintmax_t file_size);
/// Reads the whole file into `out`. Throws ImportError with file, place and reason.
void read_glb(Input& in, const ImportOptions& options, Assembly& out);

}  // namespace glovebox::recordings
