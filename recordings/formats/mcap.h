// Hands in MCAP files: JSON messages, and the records of NVIDIA's Isaac Teleop.
#pragma once

#include "recordings/assembly.h"

namespace glovebox::recordings {

bool is_mcap(std::string_view head, std::uintmax_t file_size);
void read_mcap(Input& in, const ImportOptions& options, Assembly& out);

}  // namespace glovebox::recordings
