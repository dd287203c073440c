// The keeper of an OpenGloves glove: a separate process that sends forces to the glove and releases it in emergencies.
//
// A glove holds its last force until it gets another one, so a process must outlive the program to release it. The
// keeper receives forces through a socket and writes the newest to the port. It answers every message with a
// KeeperState, so that the program knows that the keeper is alive. The keeper releases every finger
//  - when the socket closes: the program ended, crashed or was killed (the kernel closes it);
//  - when no message has come for kKeeperSilence_ns: the program hangs, was stopped, or is writing its core dump.
// After such a silence, forces are ignored until a message of zeros has come, because they would begin with a step.
// The keeper has its own session, so that a signal to the terminal or the process group does not end it.
#pragma once

#include <sys/types.h>

#include <array>
#include <cstdint>

#include "tracking/glove/opengloves.h"

namespace glovebox::vr {

/// Forces are repeated every beat. Both sides release the glove after this much silence, within 50 ms in all: the rest
/// is for the keeper's next check (a beat) and the scheduler.
inline constexpr std::int64_t kKeeperBeat_ns = 5'000'000, kKeeperSilence_ns = 30'000'000;
/// A release is sent this many times, because a radio link may lose a line.
inline constexpr int kLetGoTimes = 3;

/// The keeper's answer to a message.
enum class KeeperState : char {
    keeping = 'k',  ///< the glove has got the latest forces
    let_go = 'l',   ///< released after silence; expects zeros first
};

/// Writes lines of forces to a non-blocking port. A line that was begun is completed before the next one, because half
/// a line would be a wrong number. The first line begins with a newline, to end what another process may have left
/// there. Does not allocate or lock.
class ForcePort {
  public:
    ForcePort() = default;
    explicit ForcePort(int fd) : fd_(fd) {}

    /// Writes a line. Returns false if there is no room for it now, or the port is gone.
    bool tell(const tracking::FingerForces& forces);
    /// Writes the rest of the current line. Returns false likewise.
    bool flush();
    bool gone() const { return is_closed_; }
    /// Returns the forces of the newest line; negative before the first one.
    const tracking::FingerForces& told() const { return sent_; }

  private:
    int fd_ = -1;
    std::array<char, 64> line_ = {'\n'};
    std::size_t size_ = 1, done_ = 0;
    bool is_closed_ = false;
    tracking::FingerForces sent_ = {-1.0F, -1.0F, -1.0F, -1.0F, -1.0F};
};

/// A running keeper.
struct Keeper {
    pid_t process = -1;
    int socket = -1;  ///< takes tracking::FingerForces, gives KeeperState; the caller closes it
};

/// Exit code of a keeper whose port has gone: the glove was unplugged or its connection closed.
inline constexpr int kKeeperLostPort = 3;

/// Forks a keeper that writes to the file descriptor `port`. Throws std::runtime_error.
Keeper start_keeper(int port);

}  // namespace glovebox::vr
