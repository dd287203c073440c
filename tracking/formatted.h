// Formats text like printf and returns a string.
#pragma once

#include <string>

namespace glovebox::tracking {

/// Returns the text that std::printf() would print, without a limit on its length. The decimal separator is always a
/// point, as in the "C" locale.
[[gnu::format(printf, 1, 2)]] std::string formatted(const char* format, ...);

}  // namespace glovebox::tracking
