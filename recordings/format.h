// Table of recording formats, and format detection. Every reader is one entry here and one file in formats/.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "recordings/assembly.h"
#include "recordings/input.h"
#include "recordings/load.h"

namespace glovebox::recordings {

/// An entry of the table of formats.
struct Format {
    std::string_view name, summary;
    /// Returns true if a file that begins with `head` has this format. The test is lenient, so that a damaged file is
    /// still recognised.
    bool (*recognise)(std::string_view head, std::uintmax_t file_size);
    /// Reads the whole file. Reports errors with Input::fail(), which throws ImportError.
    void (*read)(Input& in, const ImportOptions& options, Assembly& out);
};

/// Returns all formats.
std::span<const Format> format_table();

/// Returns the format of a file. Throws ImportError if no format fits; the message says what the file looks like.
const Format& recognise_format(const Input& in);

/// Reads the whole file and calls Assembly::finish(). A file that is truncated after its first sample is read up to
/// that point, with a note. Throws ImportError.
void read_format(const Format& row, Input& in, const ImportOptions& options, Assembly& out);

}  // namespace glovebox::recordings
