// What a long bench is doing, for the person who waits: one line on a terminal, which the next one replaces.
#pragma once

#include <string_view>

namespace glovebox::vr {

/// Shows the words on stderr where that is a terminal, and nothing elsewhere. Empty: takes the line away again, before
/// results are printed. Not for inside a measurement.
void tell_progress(std::string_view doing);

/// Takes the line away at the end of its scope, also when an exception leaves it.
struct ProgressLine {
    ProgressLine() = default;
    ~ProgressLine() { tell_progress({}); }
    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;
};

}  // namespace glovebox::vr
