#include "vr/platform/end_on_signal.h"

#include <atomic>
#include <cstdio>
#include <cstdlib>

#include "recordings/output.h"

namespace glovebox::vr {
namespace {

// Any thread may receive the signal, and another one checks.
std::atomic<int> signals = 0;
static_assert(std::atomic<int>::is_always_lock_free);
constexpr int kPatience = 3;

void end(int signal) {
    recordings::remove_temporary_files();
    std::signal(signal, SIG_DFL);
    std::raise(signal);
}

void note(int signal) {
    if (++signals >= kPatience) end(signal);
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

void clean_up_on_signal() {
    for (const int signal : EndOnSignal::kSignals)
        if (std::signal(signal, end) == SIG_IGN) std::signal(signal, SIG_IGN);
}

void end_program(int exit_code) {
    recordings::remove_temporary_files();
    std::fflush(stdout);  // not all streams: another thread may wait for input in one, and holds its lock
    std::_Exit(exit_code);
}

bool end_requested() {
    return signals != 0;
}

}  // namespace glovebox::vr
