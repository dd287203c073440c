// Lets Ctrl-C, `kill` and the closing of a terminal end a loop instead of the program, so that outputs are written and
// temporary files removed.
#pragma once

#include <array>
#include <csignal>

namespace glovebox::vr {

/// While an object of this class exists, SIGINT, SIGTERM and SIGHUP are only recorded. The third signal ends the
/// program as usual, in case the loop does not check. The second does not, because `timeout` sends two at once.
class EndOnSignal {
  public:
    EndOnSignal();
    ~EndOnSignal();
    EndOnSignal(const EndOnSignal&) = delete;
    EndOnSignal& operator=(const EndOnSignal&) = delete;

    static constexpr std::array<int, 3> kSignals = {SIGINT, SIGTERM, SIGHUP};

  private:
    std::array<void (*)(int), 3> before_{};
};

/// From now on, SIGINT, SIGTERM and SIGHUP remove the program's temporary files before they end it as usual. Signals
/// that the caller ignores, as under `nohup`, stay ignored.
void clean_up_on_signal();

/// Ends the program at once with this exit code, although other threads are still reading input. Removes the program's
/// temporary files first. Destructors do not run, so all outputs must have been written.
[[noreturn]] void end_program(int exit_code);

/// Returns whether a signal has arrived since the last EndOnSignal was constructed.
bool end_requested();

}  // namespace glovebox::vr
