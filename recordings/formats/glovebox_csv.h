// Glovebox's own text formats, which are lossless: CSV with one row per hand, and JSON lines with one line per sample.
#pragma once

#include "recordings/format.h"

namespace glovebox::recordings {

/// Returns true if a file that begins with `head` has this format.
bool is_glovebox_csv(std::string_view head, std::uintmax_t file_size);
/// Reads the whole file into `out`. Throws ImportError with file, place and reason.
void read_glovebox_csv(Input& in, const ImportOptions& options, Assembly& out);

/// Returns true if a file that begins with `head` has this format.
bool is_json_lines(std::string_view head, std::uintmax_t file_size);
/// Reads the whole file into `out`. Throws ImportError with file, place and reason.
void read_json_lines(Input& in, const ImportOptions& options, Assembly& out);

}  // namespace glovebox::recordings
