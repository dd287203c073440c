// printf into a string.
#pragma once

#include <string>

namespace glovebox::tracking {

/// Returns what std::printf() would print, of any length. Numbers always have a decimal point, as the locale "C" has.
[[gnu::format(printf, 1, 2)]] std::string formatted(const char* format, ...);

}  // namespace glovebox::tracking
