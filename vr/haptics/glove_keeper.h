// The keeper of an OpenGloves glove: a separate process that sends forces to the glove and releases it in emergencies.
//
// A glove holds its last force until it gets another one. If the program ends or crashes, another process must release
// the glove: the keeper. It receives forces through a socket and writes the newest to the port. It answers every
// message with a KeeperState, so that the program knows that the keeper is alive. The keeper releases every finger
//  - when the socket closes: the program ended, crashed or was killed (the kernel closes it);
//  - when no message has come for kKeeperSilence_ns: the program hangs, was stopped, or is writing its core dump.
// After such a silence, forces are ignored until a message of zeros has come, because the force would otherwise begin
// with a step. The keeper runs in its own POSIX session, so that a signal to the terminal or the process group does not
// end it.
#pragma once

#include <sys/types.h>

#include <array>
#include <cstdint>

#include "tracking/glove/opengloves.h"

namespace glovebox::vr {

/// Forces are repeated every kKeeperBeat_ns. Keeper and program both release the glove after kKeeperSilence_ns without
/// a message. The release takes at most 50 ms in all, including the keeper's next check and the scheduler's delay.
inline constexpr std::int64_t kKeeperBeat_ns = 5'000'000, kKeeperSilence_ns = 30'000'000;
/// A release is sent this many times, because a radio link may lose a line.
inline constexpr int kLetGoTimes = 3;

/// The keeper's answer to a message.
enum class KeeperState : char {
    keeping = 'k',  ///< the glove has got the latest forces
    let_go = 'l',   ///< released after silence; expects zeros first
};

/// Writes lines of forces to a non-blocking port. Completes each line before the next one, because the glove would read
/// a wrong number from half a line. The first line begins with a newline, which ends any line that another process has
/// left incomplete. Does not allocate or lock.
class ForcePort {
  public:
    ForcePort() = default;
    explicit ForcePort(int fd) : fd_(fd) {}

    /// Writes a line. Returns false if the port has no room for it now, or is gone.
    bool send(const tracking::FingerForces& forces);
    /// Writes the rest of the current line. Returns false if the port has no room for all of it, or is gone.
    bool flush();
    bool gone() const { return is_closed_; }
    /// Returns the forces of the newest line; negative before the first one.
    const tracking::FingerForces& sent() const { return sent_; }

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
    int socket = -1;  ///< send tracking::FingerForces, receive KeeperState; the caller closes it
};

/// Exit code of a keeper whose port has gone: the glove was unplugged or its connection closed.
inline constexpr int kKeeperLostPort = 3;

/// Forks a keeper that writes to the file descriptor `port`. Throws std::runtime_error.
Keeper start_keeper(int port);

}  // namespace glovebox::vr
