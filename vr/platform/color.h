// Colours text on terminals, according to NO_COLOR (no-color.org) and CLICOLOR_FORCE.
#pragma once

#include <string>

namespace glovebox::vr {

/// Chooses when text is coloured: "always", "never" or "auto". The choice holds for this process and, through the
/// environment, for programs that it starts.
void choose_color(const std::string& when);

/// Returns `text` in red if it goes to a terminal or colour is forced, and NO_COLOR is not set. Otherwise returns
/// `text` unchanged.
std::string red(const std::string& text, bool to_terminal);

}  // namespace glovebox::vr
