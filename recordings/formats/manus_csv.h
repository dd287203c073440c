// MANUS Core (Metagloves): positions of 25 nodes of one hand, as CSV.
#pragma once

#include "recordings/format.h"

namespace glovebox::recordings {

/// Returns true if a file that begins with `head` has this format.
bool is_manus_csv(std::string_view head, std::uintmax_t file_size);
/// Reads the whole file into `out`. Throws ImportError with file, place and reason.
void read_manus_csv(Input& in, const ImportOptions& options, Assembly& out);

}  // namespace glovebox::recordings
