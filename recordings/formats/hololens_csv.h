// Reads HoloLens 2 joints as MRTK loggers write them. A row has the positions of both hands, with one "(x/ y/ z)" cell
// per joint.
#pragma once

#include "recordings/format.h"

namespace glovebox::recordings {

/// Returns true if a file that begins with `head` has this format.
bool is_hololens_csv(std::string_view head, std::uintmax_t file_size);
/// Reads the whole file into `out`. Throws ImportError with file, place and reason.
void read_hololens_csv(Input& in, const ImportOptions& options, Assembly& out);

}  // namespace glovebox::recordings
