// LeapJS recordings: JSON, plain or compressed with LZString. In both, frames are objects with named fields (the raw
// layout) or arrays of values (the packed layout).
#pragma once

#include "recordings/format.h"

namespace glovebox::recordings {

/// Returns true if a file that begins with `head` has this format.
bool is_leap_json(std::string_view head, std::uintmax_t file_size);
/// Reads the whole file into `out`. Throws ImportError with file, place and reason.
void read_leap_json(Input& in, const ImportOptions& options, Assembly& out);

}  // namespace glovebox::recordings
