#include "vr/end_on_signal.h"

namespace glovebox::vr {
namespace {

volatile std::sig_atomic_t asked = 0;
constexpr int kPatience = 3;

void note(int signal) {
    asked = asked + 1;
    if (asked < kPatience) return;
    std::signal(signal, SIG_DFL);
    std::raise(signal);
}

}  // namespace

EndOnSignal::EndOnSignal() {
    asked = 0;
    for (std::size_t i = 0; i < kSignals.size(); ++i) before_[i] = std::signal(kSignals[i], note);
}

EndOnSignal::~EndOnSignal() {
    for (std::size_t i = 0; i < kSignals.size(); ++i) std::signal(kSignals[i], before_[i]);
}

bool asked_to_end() {
    return asked != 0;
}

}  // namespace glovebox::vr
