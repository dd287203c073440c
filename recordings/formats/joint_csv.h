// Tables with columns for each joint by its name; see joint_csv.cpp.
#pragma once

#include "recordings/assembly.h"

namespace glovebox::recordings {

/// Returns true if a file that begins with `head` has this format, or has angles of fingers instead, which are refused.
bool is_joint_csv(std::string_view head, std::uintmax_t file_size);
/// Reads the whole file into `out`. Throws ImportError with file, place and reason.
void read_joint_csv(Input& in, const ImportOptions& options, Assembly& out);

}  // namespace glovebox::recordings
