// The table of formats: every reader and writer is one row and one file in formats/.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "recordings/assembly.h"
#include "recordings/input.h"
#include "recordings/load.h"

namespace glovebox::recordings {

struct Format {
    std::string_view name, summary;
    /// Is a file that begins so of this format? Lenient, so that a damaged file is still told from a wrong one.
    bool (*recognise)(std::string_view head, std::uintmax_t file_size);
    /// Reads all of it. Throws ImportError through Input::fail.
    void (*read)(Input& in, const ImportOptions& options, Assembly& out);
};

std::span<const Format> format_table();

/// The row whose format this is. Throws ImportError if there is none, saying what the file looks like instead.
const Format& recognise_format(const Input& in);

/// Reads all of it and finishes: a file that is cut off behind its first sample is read up to there, with a note.
/// Throws ImportError.
void read_format(const Format& row, Input& in, const ImportOptions& options, Assembly& out);

}  // namespace glovebox::recordings
