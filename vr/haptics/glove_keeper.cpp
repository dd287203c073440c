#include "vr/haptics/glove_keeper.h"

#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <cstring>
#include <stdexcept>
#include <string>

#include "vr/platform/platform.h"

namespace glovebox::vr {
namespace {

using tracking::FingerForces;

constexpr std::int64_t kRepeat_ns = 5'000'000;
constexpr std::int64_t kPatience_ns = 500'000'000;  // maximum wait for a full port, after the program has ended
constexpr int kPoll_ms = 5;

// Formats "A0B0C1000D0E0\n" without locale or allocation, because this runs after fork().
std::size_t write_line(const FingerForces& forces, std::array<char, 64>& line) {
    std::size_t size = 0;
    for (std::size_t f = 0; f < forces.size(); ++f) {
        line[size++] = static_cast<char>('A' + f);
        int number = static_cast<int>(std::lround(1000.0F * std::fmin(std::fmax(forces[f], 0.0F), 1.0F)));
        std::array<char, 4> digits{};
        std::size_t count = 0;
        do {
            digits[count++] = static_cast<char>('0' + number % 10);
            number /= 10;
        } while (number > 0);
        while (count > 0) line[size++] = digits[--count];
    }
    line[size++] = '\n';
    return size;
}

// The keeper's main loop. It uses only calls that are safe after fork() in a multi-threaded program.
[[noreturn]] void keep(int socket, int port) {
    ForcePort out(port);
    FingerForces wanted{};
    std::int64_t last_read_ns = now_ns(), last_sent_ns = 0;
    int repeats = 0;
    bool let_go = false, ended = false;
    for (;;) {
        const bool has_let_go = repeats == 0 && out.sent() == FingerForces{} && out.flush();
        const bool nothing_to_do = let_go && has_let_go && !ended;
        std::array<pollfd, 2> waiting = {{{ended ? -1 : socket, POLLIN, 0}, {port, POLLRDHUP, 0}}};
        if (poll(waiting.data(), waiting.size(), nothing_to_do ? -1 : kPoll_ms) > 0 && waiting[1].revents != 0)
            _exit(kKeeperLostPort);

        bool received = false;
        ssize_t size = -1;
        while (!ended && (size = recv(socket, &wanted, sizeof wanted, MSG_DONTWAIT)) == sizeof wanted) received = true;
        if (!ended && (size == 0 || (size < 0 && errno != EAGAIN && errno != EINTR))) ended = true;

        const std::int64_t at_ns = now_ns();
        if (received) last_read_ns = at_ns;
        if (received && wanted == FingerForces{}) let_go = false;
        if (ended || at_ns - last_read_ns > kKeeperSilence_ns) let_go = true;

        const FingerForces forces = let_go ? FingerForces{} : wanted;
        const bool is_news = forces != out.sent();
        if (is_news || (repeats > 0 && at_ns - last_sent_ns >= kRepeat_ns)) {
            if (out.send(forces)) {
                last_sent_ns = at_ns;
                repeats = forces != FingerForces{} ? 0 : is_news ? kLetGoTimes - 1 : repeats - 1;
            }
        }
        const bool written = out.flush();
        if (out.gone()) _exit(kKeeperLostPort);
        if (ended && ((written && repeats == 0) || at_ns - last_read_ns > kPatience_ns)) _exit(0);
        const KeeperState state = let_go ? KeeperState::let_go : KeeperState::keeping;
        if (received) send(socket, &state, sizeof state, MSG_DONTWAIT | MSG_NOSIGNAL);
    }
}

// Closes all other descriptors of the program, which must not stay open in the keeper: logs, display, headset.
void close_all_but(int a, int b) {
    const long most = sysconf(_SC_OPEN_MAX);
    const int last = most > 0 && most < 4096 ? static_cast<int>(most) : 4096;
    for (int fd = 0; fd < last; ++fd)
        if (fd != a && fd != b) close(fd);
}

}  // namespace

bool ForcePort::send(const FingerForces& forces) {
    if (!flush()) return false;
    size_ = write_line(forces, line_);
    done_ = 0;
    sent_ = forces;
    flush();
    return !is_closed_;
}

bool ForcePort::flush() {
    while (!is_closed_ && done_ < size_) {
        const ssize_t count = write(fd_, line_.data() + done_, size_ - done_);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0 && errno == EAGAIN) return false;
        if (count < 0)
            is_closed_ = true;
        else
            done_ += static_cast<std::size_t>(count);
    }
    return !is_closed_;
}

Keeper start_keeper(int port) {
    std::array<int, 2> ends{};
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0)
        throw std::runtime_error(std::string("no socket for the keeper of the glove: ") + std::strerror(errno));
    const pid_t process = fork();
    if (process == 0) {
        setsid();
        prctl(PR_SET_NAME, "glove keeper");
        for (const int number : {SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGPIPE}) signal(number, SIG_IGN);
        // If permitted, run ahead of ordinary threads, so that 50 ms hold on a busy machine, too.
        sched_param parameters{};
        parameters.sched_priority = sched_get_priority_min(SCHED_RR);
        sched_setscheduler(0, SCHED_RR, &parameters);
        close_all_but(ends[1], port);
        keep(ends[1], port);
    }
    const int error = errno;
    close(ends[1]);
    if (process > 0) return {process, ends[0]};
    close(ends[0]);
    throw std::runtime_error(std::string("no process for the keeper of the glove: ") + std::strerror(error));
}

}  // namespace glovebox::vr
