// Unity XR Hands recordings (.handsbin, version 1): 26 joints of both hands, binary.
#pragma once

#include "recordings/format.h"

namespace glovebox::recordings {

/// Returns true if a file that begins with `head` has this format.
bool is_unity_handsbin(std::string_view head, std::uintmax_t file_size);
/// Reads the whole file into `out`. Throws ImportError with file, place and reason.
void read_unity_handsbin(Input& in, const ImportOptions& options, Assembly& out);

}  // namespace glovebox::recordings
