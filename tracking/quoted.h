// Names from files as text for people, gnuplot, SVG, CSV and TOML.
//
// Names of recordings, objects, scenes and columns come from files, and files come from strangers. A name may hold
// escape sequences of terminals, quotes, commands or bytes that are no UTF-8. Every writer passes a name through the
// function of its language, so that the name stays a name. This is in tracking because scenes, recordings and vr all
// write names, and tracking is the folder that all three stand on.
#pragma once

#include <string>
#include <string_view>

namespace glovebox::tracking {

/// Returns `text` as one line that changes nothing on a terminal. Control characters, characters that turn the
/// direction of writing and bytes that are no UTF-8 are written as \n, \t or \xNN. Everything else stays.
std::string printable(std::string_view text);

/// Returns the same for text of several lines: line feeds stay.
std::string printable_lines(std::string_view text);

/// Returns a cell of CSV, always within one line: in quotes where RFC 4180 asks for them, and behind an apostrophe
/// where a spreadsheet would take it for a formula (= + - @). For names only: numbers may begin with a minus.
std::string csv_cell(std::string_view text);

/// Returns `text` for between the tags of XML, SVG and HTML, and for their attributes in quotes.
std::string xml_text(std::string_view text);

/// Returns a single-quoted string of gnuplot, in which gnuplot substitutes nothing.
std::string gnuplot_string(std::string_view text);

/// Returns one word of a shell's command line; any byte but zero stays as it is.
std::string shell_word(std::string_view text);

/// Returns a basic string of TOML, with its quotes.
std::string toml_string(std::string_view text);

}  // namespace glovebox::tracking
