// CyberGlove joint angles as text (GraspDB14): 18, 22 or 23 angles a row, posed with a hand profile.
#pragma once

#include "recordings/format.h"

namespace glovebox::recordings {

bool is_cyberglove_text(std::string_view head, std::uintmax_t file_size);
void read_cyberglove_text(Input& in, const ImportOptions& options, Assembly& out);

}  // namespace glovebox::recordings
