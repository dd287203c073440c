// MediaPipe hand landmarks (21 points) as CSV, in the column names that people give them.
#pragma once

#include "recordings/format.h"

namespace glovebox::recordings {

bool is_mediapipe_csv(std::string_view head, std::uintmax_t file_size);
void read_mediapipe_csv(Input& in, const ImportOptions& options, Assembly& out);

}  // namespace glovebox::recordings
