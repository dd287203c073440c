// Hands in MCAP files: JSON messages, and the records of NVIDIA's Isaac Teleop.
#pragma once

#include "recordings/assembly.h"

namespace glovebox::recordings {

/// Returns true if a file that begins with `head` has this format.
bool is_mcap(std::string_view head, std::uintmax_t file_size);
/// Reads the whole file into `out`. Throws ImportError with file, place and reason.
void read_mcap(Input& in, const ImportOptions& options, Assembly& out);

}  // namespace glovebox::recordings
