// Tables of 21 hand landmarks (MediaPipe) with various column names; see landmark_csv.cpp.
#pragma once

#include "recordings/assembly.h"

namespace glovebox::recordings {

bool is_landmark_csv(std::string_view head, std::uintmax_t file_size);
void read_landmark_csv(Input& in, const ImportOptions& options, Assembly& out);

}  // namespace glovebox::recordings
