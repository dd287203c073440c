// Reads NumPy arrays (.npy, .npz): hands as landmarks or joints, and recordings that Glovebox wrote; see npy.cpp.
#pragma once

#include "recordings/assembly.h"

namespace glovebox::recordings {

bool is_npy(std::string_view head, std::uintmax_t file_size);
void read_npy(Input& in, const ImportOptions& options, Assembly& out);

}  // namespace glovebox::recordings
