// Ctrl-C, kill and a terminal that is closed end a loop instead of the program: what there is gets written, what was
// made is removed.
#pragma once

#include <array>
#include <csignal>

namespace glovebox::vr {

/// While one of these lives, SIGINT, SIGTERM and SIGHUP are noted. The third ends the program as ever: a loop that does
/// not look must not hold anybody up, and `timeout` sends two at once.
class EndOnSignal {
  public:
    EndOnSignal();
    ~EndOnSignal();
    EndOnSignal(const EndOnSignal&) = delete;
    EndOnSignal& operator=(const EndOnSignal&) = delete;

  private:
    static constexpr std::array<int, 3> kSignals = {SIGINT, SIGTERM, SIGHUP};
    std::array<void (*)(int), 3> before_{};
};

/// Has one come since the last EndOnSignal was made?
bool asked_to_end();

}  // namespace glovebox::vr
