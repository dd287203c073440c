#include "vr/bench/progress.h"

#include <unistd.h>

#include <cstdio>

namespace glovebox::vr {

void tell_progress(std::string_view doing) {
    if (::isatty(STDERR_FILENO) == 0) return;
    // To the line's begin, and erase it.
    std::fprintf(stderr, "\r\033[K%.*s", static_cast<int>(doing.size()), doing.data());
    std::fflush(stderr);
}

}  // namespace glovebox::vr
