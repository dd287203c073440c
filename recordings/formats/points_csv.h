// Tables of points that have numbers, not names, or of numbers without any names.
#pragma once

#include "recordings/assembly.h"

namespace glovebox::recordings {

bool is_points_csv(std::string_view head, std::uintmax_t file_size);
void read_points_csv(Input& in, const ImportOptions& options, Assembly& out);

}  // namespace glovebox::recordings
