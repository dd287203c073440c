// Reads hands from the JSON files of many programs. They are recognised by the names and numbers of their joints; see
// hand_json.cpp.
#pragma once

#include "recordings/assembly.h"

namespace glovebox::recordings {

bool is_hand_json(std::string_view head, std::uintmax_t file_size);
void read_hand_json(Input& in, const ImportOptions& options, Assembly& out);

}  // namespace glovebox::recordings
