#include "vr/platform/end_on_signal.h"

#include <atomic>

namespace glovebox::vr {
namespace {

// Any thread may receive the signal, and another one checks.
std::atomic<int> signals = 0;
static_assert(std::atomic<int>::is_always_lock_free);
constexpr int kPatience = 3;

void note(int signal) {
    if (++signals < kPatience) return;
    std::signal(signal, SIG_DFL);
    std::raise(signal);
}

}  // namespace

EndOnSignal::EndOnSignal() {
    signals = 0;
    for (std::size_t i = 0; i < kSignals.size(); ++i) {
        before_[i] = std::signal(kSignals[i], note);
        // `nohup` has set it to be ignored: the terminal may close.
        if (kSignals[i] == SIGHUP && before_[i] == SIG_IGN) std::signal(SIGHUP, SIG_IGN);
    }
}

EndOnSignal::~EndOnSignal() {
    for (std::size_t i = 0; i < kSignals.size(); ++i) std::signal(kSignals[i], before_[i]);
}

bool end_requested() {
    return signals != 0;
}

}  // namespace glovebox::vr
