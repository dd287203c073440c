// Escaping of names from files for terminals, CSV, XML, gnuplot, shell and TOML.
//
// Names of recordings, objects, scenes and columns come from files, which may be hostile. A name may contain terminal
// escape sequences, quotes, commands or invalid UTF-8. Every writer passes names through the function for its output
// language. The functions are in tracking because scenes, recordings and vr all write names, and all three depend on
// tracking.
#pragma once

#include <string>
#include <string_view>

namespace glovebox::tracking {

/// Returns `text` as one line that is safe on a terminal. Control characters, characters that change the writing
/// direction and invalid UTF-8 bytes are written as \n, \t or \xNN. Everything else stays.
std::string printable(std::string_view text);

/// Does the same for text of several lines, and keeps the line feeds.
std::string printable_lines(std::string_view text);

/// Returns a CSV cell that fits in one line. It is quoted if RFC 4180 requires it, and gets a leading apostrophe if a
/// spreadsheet would take it for a formula (= + - @). Use it for names only; it would put an apostrophe before a
/// negative number.
std::string csv_cell(std::string_view text);

/// Returns `text` escaped for element content and quoted attributes of XML, SVG and HTML.
std::string xml_text(std::string_view text);

/// Returns a single-quoted gnuplot string, in which gnuplot substitutes nothing.
std::string gnuplot_string(std::string_view text);

/// Returns `text` quoted as one word of a shell command line; all bytes except zero are kept.
std::string shell_word(std::string_view text);

/// Returns a TOML basic string, with its quotes.
std::string toml_string(std::string_view text);

}  // namespace glovebox::tracking
