// Colour on terminals, as NO_COLOR (no-color.org) and CLICOLOR_FORCE ask for it.
#pragma once

#include <string>

namespace glovebox::vr {

/// Makes "always", "never" or "auto" hold for this process; programs that it starts inherit it.
void choose_color(const std::string& when);

/// `text` in red, where it goes to a terminal or colour is forced, and NO_COLOR is not set.
std::string red(const std::string& text, bool to_terminal);

}  // namespace glovebox::vr
