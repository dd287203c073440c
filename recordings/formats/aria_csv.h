// Project Aria machine-perception hand tracking: 21 landmarks of both hands, as CSV.
#pragma once

#include "recordings/format.h"

namespace glovebox::recordings {

/// Returns true if a file that begins with `head` has this format.
bool is_aria_csv(std::string_view head, std::uintmax_t file_size);
/// Reads the whole file into `out`. Throws ImportError with file, place and reason.
void read_aria_csv(Input& in, const ImportOptions& options, Assembly& out);

}  // namespace glovebox::recordings
