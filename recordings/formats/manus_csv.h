// MANUS Core (Metagloves): positions of 25 nodes of one hand, as CSV.
#pragma once

#include "recordings/format.h"

namespace glovebox::recordings {

bool is_manus_csv(std::string_view head, std::uintmax_t file_size);
void read_manus_csv(Input& in, const ImportOptions& options, Assembly& out);

}  // namespace glovebox::recordings
