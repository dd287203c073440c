// Force feedback of an OpenGloves glove, through a keeper: a process of its own that holds the port.
//
// What a glove was told last stays until it is told otherwise, so somebody must outlive us to say "let go". Before the
// first command a child is forked that alone has the port open. Commands reach it through a socket, without waiting; it
// writes the newest one and nothing older. The keeper lets go of every finger
//  - when the socket closes: we ended, crashed or were killed (the kernel closes it, no code of ours has to run);
//  - when nothing has come for 150 ms: we hang or were stopped (the force loop beats every 20 ms);
//  - and again when the glove comes back, if its cable was out.
// It has its own session, so that a signal to our terminal or process group does not take it along. Not covered: both
// processes killed at once, or the machine; then it is up to the glove's firmware.
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <stdexcept>

#include "tracking/glove/byte_stream.h"
#include "vr/haptics/output.h"
#include "vr/platform/platform.h"

namespace glovebox::vr {
namespace {

constexpr std::int64_t kBeat_ns = 20'000'000;
constexpr int kSilence_ms = 150;
constexpr int kRetryPort_ms = 500;
constexpr int kStopRepeats = 3;  // a line may be lost on a radio link

/// What goes to the keeper: shares of the most force, thumb first. All zero lets go.
using Forces = std::array<float, tracking::kFingerCount>;

// "A0B0C1000D0E0\n". No locale, no memory: this runs after fork().
std::size_t write_line(const Forces& forces, std::array<char, 64>& line) {
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

// The keeper's life. Only calls that are safe after fork() in a program with threads.
class Keeper {
  public:
    Keeper(int socket, int port, const char* path) : socket_(socket), port_(port), path_(path) {}

    [[noreturn]] void run() {
        for (;;) {
            pollfd waiting = {socket_, POLLIN, 0};
            const int ready = poll(&waiting, 1, port_ < 0 ? kRetryPort_ms : kSilence_ms);
            if (ready < 0 && errno == EINTR) continue;
            if (port_ < 0) reopen();
            if (ready == 0) {
                if (holding_) let_go(kStopRepeats);
                continue;
            }
            Forces forces{};
            ssize_t size = 0, taken = 0;
            while ((size = recv(socket_, &forces, sizeof forces, MSG_DONTWAIT)) == sizeof forces) taken = size;
            if (taken == 0 && (size == 0 || (errno != EAGAIN && errno != EINTR))) break;
            if (taken == 0 || forces == told_) continue;
            tell(forces);
        }
        let_go(kStopRepeats);
        if (port_ >= 0) tcdrain(port_);
        _exit(0);
    }

  private:
    // A port that is full takes nothing new until what it has begun is out: half a line would be a wrong number.
    void tell(const Forces& forces) {
        if (port_ < 0 || !flush()) return;
        size_ = write_line(forces, line_);
        done_ = 0;
        told_ = forces;
        holding_ = forces != Forces{};
        flush();
    }
    bool flush() {
        while (done_ < size_) {
            const ssize_t count = write(port_, line_.data() + done_, size_ - done_);
            if (count < 0 && errno == EINTR) continue;
            if (count < 0 && errno == EAGAIN) return false;
            if (count < 0) {
                close(port_);
                port_ = -1;
                done_ = size_ = 0;
                return false;
            }
            done_ += static_cast<std::size_t>(count);
        }
        return true;
    }
    void let_go(int times) {
        for (int i = 0; i < times; ++i) {
            if (port_ >= 0) {
                pollfd room = {port_, POLLOUT, 0};
                poll(&room, 1, 100);
            }
            tell({});
            if (i + 1 < times) poll(nullptr, 0, 5);
        }
    }
    void reopen() {
        port_ = open(path_, O_WRONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
        if (port_ >= 0) let_go(1);
    }

    int socket_, port_;
    const char* path_;
    std::array<char, 64> line_{};
    std::size_t size_ = 0, done_ = 0;
    Forces told_ = {-1.0F, -1.0F, -1.0F, -1.0F, -1.0F};
    bool holding_ = false;
};

class OpenGlovesOutput final : public HapticOutput {
  public:
    OpenGlovesOutput(const std::filesystem::path& port, int baud, tracking::Side side)
        : path_(port.string()), side_(side) {
        const int fd = tracking::open_for_writing(port, baud);
        std::array<int, 2> ends{};
        if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0)
            throw std::runtime_error(path_ + ": no socket for the keeper of the glove: " + std::strerror(errno));
        keeper_ = fork();
        if (keeper_ == 0) {
            setsid();
            prctl(PR_SET_NAME, "glove keeper");
            for (const int signal_number : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) signal(signal_number, SIG_IGN);
            close_all_but(ends[1], fd);
            Keeper(ends[1], fd, path_.c_str()).run();
        }
        close(ends[1]);
        close(fd);
        socket_ = ends[0];
        if (keeper_ < 0) {
            close(socket_);
            throw std::runtime_error(path_ + ": no process for the keeper of the glove: " + std::strerror(errno));
        }
    }
    ~OpenGlovesOutput() override {
        close(socket_);  // the keeper lets go
        waitpid(keeper_, nullptr, 0);
    }
    OpenGlovesOutput(const OpenGlovesOutput&) = delete;
    OpenGlovesOutput& operator=(const OpenGlovesOutput&) = delete;

    void send(const HapticCommand& command) override {
        if (command.side != side_) return;
        for (std::size_t i = 0; i < forces_.size(); ++i) forces_[i] = command.stop ? 0.0F : command.parts[i].force;
        put();
    }
    void beat(std::int64_t now_ns) override {
        if (now_ns - last_put_ns_ < kBeat_ns) return;
        put();
        last_put_ns_ = now_ns;
    }

  private:
    // Everything else that we have open must not stay open through the keeper: logs, the display, the headset.
    static void close_all_but(int a, int b) {
        const long most = sysconf(_SC_OPEN_MAX);
        const int last = most > 0 && most < 4096 ? static_cast<int>(most) : 4096;
        for (int fd = 0; fd < last; ++fd)
            if (fd != a && fd != b) close(fd);
    }
    // The keeper reads at once; if it is gone or its queue is full, the next beat says the same again.
    void put() { ::send(socket_, &forces_, sizeof forces_, MSG_DONTWAIT | MSG_NOSIGNAL); }

    std::string path_;
    tracking::Side side_;
    pid_t keeper_ = -1;
    int socket_ = -1;
    Forces forces_{};
    std::int64_t last_put_ns_ = 0;
};

}  // namespace

std::unique_ptr<HapticOutput> open_opengloves_output(const OutputOptions& options) {
    if (options.port.empty())
        throw std::runtime_error("the haptic output 'opengloves' needs the glove's port: --haptics-port /dev/ttyUSB0");
    return std::make_unique<OpenGlovesOutput>(options.port, options.baud, options.side);
}

}  // namespace glovebox::vr
