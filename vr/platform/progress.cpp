#include "vr/platform/progress.h"

#include <algorithm>
#include <cstdio>

#include "vr/platform/platform.h"

namespace glovebox::vr {
namespace {

constexpr std::int64_t kMinPause_ns = 200'000'000;  // updates faster than this cannot be read, and take time

}  // namespace

std::string progress_text(std::string_view counted, std::int64_t done, std::int64_t total, std::string_view name) {
    std::string text(counted);
    text.append(text.empty() ? "" : " ").append(std::to_string(done));
    if (total > 0) text.append(" of ").append(std::to_string(total));
    if (!name.empty()) text.append("  ").append(name);
    return text;
}

Progress::Progress(std::string_view counted, std::int64_t total, bool shown)
    : counted_(counted), total_(total), last_ns_(now_ns()), on_terminal_(shown && stderr_is_terminal()) {}

void Progress::show(std::string_view doing) {
    if (!on_terminal_) return;
    const std::lock_guard lock(mutex_);
    show(doing);
}

void Progress::at(std::int64_t done, std::string_view name) {
    if (!on_terminal_) return;
    const std::lock_guard lock(mutex_);
    // The last count is always shown, so that the line does not end short of its total.
    if (now_ns() - last_ns_ < kMinPause_ns && done != total_) return;
    last_ns_ = now_ns();
    show(progress_text(counted_, done, total_, name));
}

void Progress::clear() {
    const std::lock_guard lock(mutex_);
    if (shown_) std::fputs("\r\033[K", stderr);
    shown_ = false;
}

void Progress::show(std::string_view text) {
    // Return to the begin of the line and erase it; a wrapped line could not be erased.
    std::fprintf(stderr, "\r\033[K%.*s", static_cast<int>(std::min<std::size_t>(text.size(), 78)), text.data());
    std::fflush(stderr);
    shown_ = true;
}

}  // namespace glovebox::vr
