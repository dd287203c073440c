// Reads WebXR hands from files with a single pose (.handpose, IWER's TypeScript or JSON) and from recordings of IWER's
// ActionRecorder.
#pragma once

#include "recordings/format.h"

namespace glovebox::recordings {

/// Returns true if a file that begins with `head` has this format.
bool is_handpose(std::string_view head, std::uintmax_t file_size);
/// Reads the whole file into `out`. Throws ImportError with file, place and reason.
void read_handpose(Input& in, const ImportOptions& options, Assembly& out);

/// Returns true if a file that begins with `head` has this format.
bool is_iwer_pose(std::string_view head, std::uintmax_t file_size);
/// Reads the whole file into `out`. Throws ImportError with file, place and reason.
void read_iwer_pose(Input& in, const ImportOptions& options, Assembly& out);

/// Returns true if a file that begins with `head` has this format.
bool is_iwer_actions(std::string_view head, std::uintmax_t file_size);
/// Reads the whole file into `out`. Throws ImportError with file, place and reason.
void read_iwer_actions(Input& in, const ImportOptions& options, Assembly& out);

}  // namespace glovebox::recordings
