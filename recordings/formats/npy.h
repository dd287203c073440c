// Reads NumPy arrays (.npy, .npz): hands as landmarks or joints, and recordings that Glovebox wrote; see npy.cpp.
#pragma once

#include "recordings/assembly.h"

namespace glovebox::recordings {

/// Returns true if a file that begins with `head` has this format.
bool is_npy(std::string_view head, std::uintmax_t file_size);
/// Reads the whole file into `out`. Throws ImportError with file, place and reason.
void read_npy(Input& in, const ImportOptions& options, Assembly& out);

}  // namespace glovebox::recordings
