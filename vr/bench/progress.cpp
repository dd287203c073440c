#include "vr/bench/progress.h"

#include <cstdio>

#include "vr/platform/platform.h"

namespace glovebox::vr {

void tell_progress(std::string_view doing) {
    if (!stderr_is_terminal()) return;
    // To the line's begin, and erase it.
    std::fprintf(stderr, "\r\033[K%.*s", static_cast<int>(doing.size()), doing.data());
    std::fflush(stderr);
}

}  // namespace glovebox::vr
