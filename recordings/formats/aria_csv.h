// Project Aria machine-perception hand tracking: 21 landmarks of both hands, as CSV.
#pragma once

#include "recordings/format.h"

namespace glovebox::recordings {

bool is_aria_csv(std::string_view head, std::uintmax_t file_size);
void read_aria_csv(Input& in, const ImportOptions& options, Assembly& out);

}  // namespace glovebox::recordings
