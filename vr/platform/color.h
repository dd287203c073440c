// Coloured text on terminals, according to NO_COLOR (no-color.org) and CLICOLOR_FORCE.
#pragma once

#include <string>

namespace glovebox::vr {

/// Sets "always", "never" or "auto" for this process and, through the environment, for programs that it starts.
void choose_color(const std::string& when);

/// Returns `text` in red if it goes to a terminal or colour is forced, and NO_COLOR is not set; otherwise unchanged.
std::string red(const std::string& text, bool to_terminal);

}  // namespace glovebox::vr
