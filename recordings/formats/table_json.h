// Tables of landmarks or joints in JSON, in every orientation that pandas writes; see table_json.cpp.
#pragma once

#include "recordings/assembly.h"
#include "recordings/json.h"

namespace glovebox::recordings {

/// Returns true if a file that begins with `head` has this format: a table whose columns are those of a hand's points.
bool is_table_json(std::string_view head, std::uintmax_t file_size);
/// Reads the whole file into `out`. Throws ImportError with file, place and reason.
void read_table_json(Input& in, const ImportOptions& options, Assembly& out);

/// Reads a document of this many bytes whose members are columns, and returns false for another one. The head of a file
/// does not show its columns if the first ones, of times, are long.
bool read_table_document(Input& in, const Json& document, std::size_t bytes, const ImportOptions& options,
                         Assembly& out);

}  // namespace glovebox::recordings
