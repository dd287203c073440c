// LeapJS recordings: JSON, plain or compressed with LZString, in the raw and the packed layout.
#pragma once

#include "recordings/format.h"

namespace glovebox::recordings {

bool is_leap_json(std::string_view head, std::uintmax_t file_size);
void read_leap_json(Input& in, const ImportOptions& options, Assembly& out);

}  // namespace glovebox::recordings
