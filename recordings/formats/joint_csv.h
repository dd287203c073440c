// Tables of named joints, with columns or with a row for each joint; see joint_csv.cpp.
#pragma once

#include "recordings/assembly.h"

namespace glovebox::recordings {

/// Returns true if a file that begins with `head` has this format, or has angles of fingers instead, which are refused.
bool is_joint_csv(std::string_view head, std::uintmax_t file_size);
/// Returns true if it is such a table with a row for each joint and instant. Its joints are not only MediaPipe's.
bool is_long_joint_csv(std::string_view head);
/// Reads the whole file into `out`. Throws ImportError with file, place and reason.
void read_joint_csv(Input& in, const ImportOptions& options, Assembly& out);

}  // namespace glovebox::recordings
