// Reads HoloLens 2 joints as MRTK loggers write them. A row has the positions of both hands, with one "(x/ y/ z)" cell
// per joint.
#pragma once

#include "recordings/format.h"

namespace glovebox::recordings {

bool is_hololens_csv(std::string_view head, std::uintmax_t file_size);
void read_hololens_csv(Input& in, const ImportOptions& options, Assembly& out);

}  // namespace glovebox::recordings
