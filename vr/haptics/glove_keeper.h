// The keeper of an OpenGloves glove: a process of its own that tells the glove what to hold.
//
// A glove holds what it was told last until it is told otherwise, so someone must outlive the program to let go. The
// keeper gets forces through a socket and writes the newest to the port. Every message is answered with a KeeperState,
// so that the program knows that the keeper lives. The keeper lets go of every finger
//  - when the socket closes: the program ended, crashed or was killed (the kernel closes it);
//  - when nothing has come for kKeeperSilence_ns: the program hangs, was stopped, or is still writing its core dump.
// After silence forces are ignored until a message of zeros has come: they would begin with a step.
// The keeper has its own session, so that a signal to the terminal or the process group does not take it along.
#pragma once

#include <sys/types.h>

#include <array>
#include <cstdint>

#include "tracking/glove/opengloves.h"

namespace glovebox::vr {

/// Forces are said again this often. Both sides let go after this much silence, and have done so within 50 ms: the rest
/// is for the keeper's next look (a beat) and the scheduler.
inline constexpr std::int64_t kKeeperBeat_ns = 5'000'000, kKeeperSilence_ns = 30'000'000;
/// Letting go is said so often, as a line may be lost on a radio link.
inline constexpr int kLetGoTimes = 3;

enum class KeeperState : char {
    keeping = 'k',  ///< the glove was told what was asked for last
    let_go = 'l',   ///< after silence; wants zeros before anything else
};

/// Lines of forces into a port that does not block. A line that was begun is completed before the next one, as half a
/// line would be a wrong number; the first line ends what another process may have left there. No memory, no locks.
class ForcePort {
  public:
    ForcePort() = default;
    explicit ForcePort(int fd) : fd_(fd) {}

    /// False: there is no room for it now, or the port is gone.
    bool tell(const tracking::FingerForces& forces);
    /// Writes what is left of the line. False as above.
    bool flush();
    bool gone() const { return gone_; }
    /// Of the newest line; negative before the first one.
    const tracking::FingerForces& told() const { return told_; }

  private:
    int fd_ = -1;
    std::array<char, 64> line_ = {'\n'};
    std::size_t size_ = 1, done_ = 0;
    bool gone_ = false;
    tracking::FingerForces told_ = {-1.0F, -1.0F, -1.0F, -1.0F, -1.0F};
};

struct Keeper {
    pid_t process = -1;
    int socket = -1;  ///< takes tracking::FingerForces, gives KeeperState; the caller closes it
};

/// Exit code of a keeper whose port is gone: the glove was unplugged or its connection closed.
inline constexpr int kKeeperLostPort = 3;

/// Forks one that has `port` open. Throws std::runtime_error.
Keeper start_keeper(int port);

}  // namespace glovebox::vr
