#include "vr/platform/color.h"

#include <cstdlib>

namespace glovebox::vr {

void choose_color(const std::string& when) {
    if (when == "auto") return;
    const bool always = when == "always";
    unsetenv(always ? "NO_COLOR" : "CLICOLOR_FORCE");
    setenv(always ? "CLICOLOR_FORCE" : "NO_COLOR", "1", 1);
}

std::string red(const std::string& text, bool to_terminal) {
    const auto is_set = [](const char* name) {
        const char* value = std::getenv(name);
        return value != nullptr && *value != '\0';
    };
    const bool colored = is_set("CLICOLOR_FORCE") || to_terminal;
    return colored && !is_set("NO_COLOR") ? "\033[31m" + text + "\033[0m" : text;
}

}  // namespace glovebox::vr
