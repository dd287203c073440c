// Force feedback of an OpenGloves glove, through a keeper (glove_keeper.h), the only process that writes to the port.
//
// Program and keeper watch each other. If the keeper has ended, or has not answered for 30 ms, the force loop kills it
// and releases every finger itself through its own descriptor of the port, all within 50 ms. The frame loop then starts
// another keeper (service()). Until that one has answered, ready() returns false and no force is sent; afterwards
// forces begin from zero. The same holds for a glove that was unplugged: its port is reopened twice a second, or the
// session passes the new connection (reconnect()).
//
// Not covered: both processes killed or stopped within the same 50 ms, a glove that no longer reads, or a failure of
// the machine; then the glove's firmware decides.
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <utility>

#include "tracking/glove/byte_stream.h"
#include "vr/haptics/glove_keeper.h"
#include "vr/haptics/output.h"
#include "vr/platform/platform.h"

namespace glovebox::vr {
namespace {

using tracking::FingerForces;

constexpr std::int64_t kRestart_ns = 500'000'000;    // between two keepers, and two attempts to open a port
constexpr std::int64_t kFirstWord_ns = 500'000'000;  // for a keeper's first answer: a starting process is slower
constexpr std::int64_t kMaxWait_ns = 200'000'000;    // maximum wait for a full port
constexpr int kLastWords_ms = 40;                    // time for an ending keeper to release the glove and exit

int copy_of(int fd) {
    const int copy = fcntl(fd, F_DUPFD_CLOEXEC, 3);
    if (copy < 0) throw std::runtime_error(std::string("the glove's connection: ") + std::strerror(errno));
    fcntl(copy, F_SETFL, fcntl(copy, F_GETFL) | O_NONBLOCK);
    return copy;
}

class OpenGlovesOutput final : public HapticOutput {
  public:
    explicit OpenGlovesOutput(const OutputOptions& options)
        : path_(options.connection < 0 ? options.port : std::filesystem::path{}),
          baud_(options.baud),
          side_(options.side),
          port_(options.connection < 0 ? tracking::open_for_writing(path_, baud_) : copy_of(options.connection)) {
        try {
            start();
        } catch (...) {
            close(port_);
            throw;
        }
    }
    ~OpenGlovesOutput() override {
        if (keeper_.socket >= 0) close(keeper_.socket);  // the keeper then releases the glove
        if (!ended_by_itself()) let_go_now();
        if (port_ >= 0) close(port_);
        if (next_port_ >= 0) close(next_port_);
    }
    OpenGlovesOutput(const OpenGlovesOutput&) = delete;
    OpenGlovesOutput& operator=(const OpenGlovesOutput&) = delete;

    bool ready(tracking::Side side) override {
        if (side != side_) return true;
        if (owner_.load(std::memory_order_acquire) != Owner::force_loop || is_losing_) return false;
        read_answers();
        return has_answered_ && !has_let_go_ && !is_closed_;
    }
    void send(const HapticCommand& command) override {
        if (command.side != side_ || owner_.load(std::memory_order_acquire) != Owner::force_loop) return;
        for (std::size_t i = 0; i < forces_.size(); ++i) forces_[i] = command.stop ? 0.0F : command.parts[i].limit;
        if (!is_losing_) put(now_ns());
    }
    void beat(std::int64_t) override {
        if (owner_.load(std::memory_order_acquire) != Owner::force_loop) return;
        const std::int64_t at_ns = now_ns();
        if (is_losing_) return let_go(at_ns);
        read_answers();
        const std::int64_t patience_ns = has_answered_ ? kKeeperSilence_ns : kFirstWord_ns;
        if (is_closed_ || renew_.load(std::memory_order_relaxed) || (owed_ns_ > 0 && at_ns - owed_ns_ > patience_ns)) {
            // No other process may write between our lines, and a stopped keeper must not resume with old forces.
            kill(keeper_.process, SIGKILL);
            is_losing_ = true;
            own_port_ = ForcePort(port_);
            losing_ns_ = at_ns;
            own_lines_ = 0;
            return let_go(at_ns);
        }
        if (at_ns - last_put_ns_ >= kKeeperBeat_ns) put(at_ns);
    }
    void service() override {
        if (owner_.load(std::memory_order_acquire) == Owner::frame_loop) restart(now_ns());
    }
    void reconnect(int connection) override {
        if (next_port_ >= 0) close(next_port_);
        next_port_ = copy_of(connection);
        renew_ = true;
    }

  private:
    // The force loop owns the members below while there is a keeper, the frame loop while there is none.
    enum class Owner : std::uint8_t { force_loop, frame_loop };

    // --- force loop ---

    void put(std::int64_t at_ns) {
        // If the queue is full, the next beat repeats the message.
        ::send(keeper_.socket, &forces_, sizeof forces_, MSG_DONTWAIT | MSG_NOSIGNAL);
        last_put_ns_ = at_ns;
        if (owed_ns_ == 0) owed_ns_ = at_ns;
    }
    void read_answers() {
        KeeperState state{};
        ssize_t size = 0;
        while ((size = recv(keeper_.socket, &state, sizeof state, MSG_DONTWAIT)) == sizeof state) {
            has_answered_ = true;
            has_let_go_ = state == KeeperState::let_go;
            owed_ns_ = 0;
        }
        if (size == 0 || (size < 0 && errno != EAGAIN && errno != EINTR)) is_closed_ = true;
    }
    // Releases the glove in the keeper's place, with several lines; then the frame loop takes over.
    void let_go(std::int64_t at_ns) {
        if (own_lines_ < kLetGoTimes && at_ns - losing_ns_ >= own_lines_ * kKeeperBeat_ns && own_port_.send({}))
            ++own_lines_;
        own_port_.flush();
        if (own_lines_ == kLetGoTimes || own_port_.gone() || at_ns - losing_ns_ > kMaxWait_ns)
            owner_.store(Owner::frame_loop, std::memory_order_release);
    }

    // --- frame loop ---

    void start() {
        keeper_ = start_keeper(port_);
        forces_ = {};
        last_put_ns_ = owed_ns_ = 0;
        has_answered_ = has_let_go_ = is_closed_ = is_losing_ = false;
        last_start_ns_ = now_ns();
        owner_.store(Owner::force_loop, std::memory_order_release);
    }
    void restart(std::int64_t at_ns) {
        if (keeper_.process > 0) {
            int status = 0;
            if (waitpid(keeper_.process, &status, WNOHANG) == 0) return;
            const bool lost_port = WIFEXITED(status) && WEXITSTATUS(status) == kKeeperLostPort;
            if (lost_port || own_port_.gone()) drop_port();
            close(keeper_.socket);
            keeper_ = {};
        }
        if (renew_) {
            drop_port();
            port_ = std::exchange(next_port_, -1);
            renew_ = false;
        } else if (at_ns - last_start_ns_ < kRestart_ns) {
            return;
        }
        last_start_ns_ = at_ns;
        try {
            if (port_ < 0 && !path_.empty()) port_ = tracking::open_for_writing(path_, baud_);
            if (port_ >= 0) start();
        } catch (const std::runtime_error&) {
            // The port is not there yet, or no process can be created: retry in 0.5 s. Until then ready() is false.
        }
    }
    void drop_port() {
        if (port_ >= 0) close(port_);
        port_ = -1;
    }
    bool ended_by_itself() const {
        if (keeper_.process <= 0) return true;  // the force loop has released the glove
        int status = 0;
        for (int waited_ms = 0; waited_ms < kLastWords_ms; ++waited_ms) {
            if (waitpid(keeper_.process, &status, WNOHANG) != 0) return WIFEXITED(status);
            poll(nullptr, 0, 1);
        }
        kill(keeper_.process, SIGKILL);
        waitpid(keeper_.process, nullptr, 0);
        return false;
    }
    void let_go_now() const {
        ForcePort port(port_);
        const std::int64_t until_ns = now_ns() + kMaxWait_ns;
        for (int lines = 0; lines < kLetGoTimes && !port.gone() && now_ns() < until_ns;) {
            if (port.send({})) ++lines;
            poll(nullptr, 0, 5);
        }
        port.flush();
    }

    std::filesystem::path path_;  // empty: the session opens the connection
    int baud_;
    tracking::Side side_;
    std::atomic<Owner> owner_ = Owner::frame_loop;
    std::atomic<bool> renew_ = false;

    Keeper keeper_;
    int port_;
    FingerForces forces_{};
    std::int64_t last_put_ns_ = 0;
    std::int64_t owed_ns_ = 0;  // when the oldest unanswered message was sent; 0: none
    bool has_answered_ = false, has_let_go_ = false, is_closed_ = false;
    bool is_losing_ = false;
    ForcePort own_port_;
    std::int64_t losing_ns_ = 0;
    int own_lines_ = 0;

    int next_port_ = -1;  // owned by the frame loop, as are those below
    std::int64_t last_start_ns_ = 0;
};

}  // namespace

std::unique_ptr<HapticOutput> open_opengloves_output(const OutputOptions& options) {
    if (options.port.empty() && options.connection < 0)
        throw std::runtime_error("the haptic output 'opengloves' needs the glove's port: --haptics-port /dev/ttyUSB0");
    return std::make_unique<OpenGlovesOutput>(options);
}

}  // namespace glovebox::vr
