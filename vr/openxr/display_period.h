// Infers the period of the display from the periods that the runtime states for frames.
#pragma once

#include <cmath>
#include <cstdint>

namespace glovebox::vr::openxr {

/// Returns the display's period. `known_ns` is the previous result, or 0. To an application that is too slow for the
/// display, runtimes such as Monado state a multiple of it. Any other period is a new rate of the display.
inline std::int64_t display_period_ns(std::int64_t known_ns, std::int64_t stated_ns) {
    if (stated_ns <= 0 || known_ns <= 0) return stated_ns > 0 ? stated_ns : known_ns;
    const double periods = static_cast<double>(stated_ns) / static_cast<double>(known_ns), whole = std::round(periods);
    return whole > 1.0 && std::abs(periods - whole) < 0.01 * whole ? known_ns : stated_ns;
}

}  // namespace glovebox::vr::openxr
