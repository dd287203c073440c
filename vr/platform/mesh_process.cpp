#include "vr/platform/mesh_process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <fstream>
#include <new>
#include <span>
#include <stdexcept>
#include <string>
#include <system_error>

#include "scenes/mesh_limits.h"
#include "vr/platform/platform.h"

namespace glovebox::vr {
namespace {

// Sent through the pipe: this header, then the contents or the reason.
struct Head {
    std::uint64_t content_bytes = 0, reason_bytes = 0;
};
constexpr std::uint64_t kMaxReason_bytes = 4096;
constexpr int kOutOfMemory = 3;  // the child's exit code

// Sanitizers map terabytes at the start, and a memory limit would stop them at once.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kLimitsMemory = false;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
constexpr bool kLimitsMemory = false;
#else
constexpr bool kLimitsMemory = true;
#endif
#else
constexpr bool kLimitsMemory = true;
#endif

void limit(decltype(RLIMIT_AS) what, std::uint64_t to) {
    rlimit now{};
    getrlimit(what, &now);
    now.rlim_cur = std::min<rlim_t>(to, now.rlim_max);
    now.rlim_max = now.rlim_cur;
    setrlimit(what, &now);
}

std::uint64_t mapped_bytes() {
    std::uint64_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    return pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

bool write_all(int descriptor, std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
        const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return false;
        bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
    return true;
}

// Returns the exit code of the child.
int read_in_child(const std::function<std::string()>& read, int to) {
    const auto reply = [to](const Head& head, const std::string& bytes) {
        return write_all(to, std::as_bytes(std::span(&head, 1))) && write_all(to, std::as_bytes(std::span(bytes)));
    };
    try {
        try {
            const std::string content = read();
            return reply({content.size(), 0}, content) ? 0 : 1;
        } catch (const std::runtime_error& error) {
            const std::string reason = std::string(error.what()).substr(0, kMaxReason_bytes);
            return reply({0, reason.size()}, reason) ? 0 : 1;
        }
    } catch (const std::bad_alloc&) {
        return kOutOfMemory;
    } catch (...) {
        return 1;
    }
}

// Owns the child, until it has been waited for, and our end of the pipe.
class Child {
  public:
    Child(pid_t process, int from, std::int64_t until_ns) : process_(process), from_(from), until_ns_(until_ns) {}
    ~Child() {
        if (process_ > 0) {
            ::kill(process_, SIGKILL);
            while (::waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
            }
        }
        ::close(from_);
    }
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;

    // Returns false if the child ended before so many bytes came, or took too long.
    bool read(std::span<std::byte> into) {
        while (!into.empty()) {
            const std::int64_t left_ns = until_ns_ - now_ns();
            pollfd waiting{from_, POLLIN, 0};
            late_ = left_ns <= 0;
            if (late_) return false;
            constexpr std::int64_t kLongest_ms = 60'000;  // at a time
            const int ready = ::poll(&waiting, 1, static_cast<int>(std::min(left_ns / 1'000'000 + 1, kLongest_ms)));
            if (ready == 0 || (ready < 0 && errno == EINTR)) continue;
            if (ready < 0) return false;
            const ssize_t got = ::read(from_, into.data(), into.size());
            if (got < 0 && errno == EINTR) continue;
            if (got <= 0) return false;
            into = into.subspan(static_cast<std::size_t>(got));
        }
        return true;
    }

    // Returns why nothing came; ends the child.
    std::string reason() {
        int status = 0;
        // The child has closed the pipe and is ending, unless an exploit runs other code in it.
        for (pid_t ended = 0; !late_ && (ended = ::waitpid(process_, &status, WNOHANG)) != process_;) {
            if (ended < 0 && errno != EINTR) return "cannot be read";
            sleep_until_ns(now_ns() + 1'000'000);
            late_ = now_ns() > until_ns_;
        }
        if (late_) return "takes too long to read";
        process_ = 0;
        if (WIFSIGNALED(status) && (WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGKILL))
            return "takes too long to read";
        if (WIFEXITED(status) && WEXITSTATUS(status) == kOutOfMemory) return "takes too much memory to read";
        return "cannot be read: the process that reads it ended (" +
               (WIFSIGNALED(status) ? "signal " + std::to_string(WTERMSIG(status))
                                    : "exit code " + std::to_string(WEXITSTATUS(status))) +
               "); the file is damaged, or made to do harm";
    }

  private:
    pid_t process_;
    int from_;
    std::int64_t until_ns_;
    bool late_ = false;
};

}  // namespace

std::string read_apart(const std::filesystem::path& path, const std::function<std::string()>& read) {
    std::error_code none;
    const std::uint64_t file_bytes =
        std::filesystem::is_regular_file(path, none) ? std::filesystem::file_size(path, none) : 0;
    const std::uint64_t cpu_s = scenes::max_cpu_s(file_bytes);
    const std::uint64_t memory_bytes = mapped_bytes() + scenes::max_memory_bytes(file_bytes);
    std::array<int, 2> pipe{};
    if (::pipe2(pipe.data(), O_CLOEXEC) != 0) throw std::system_error(errno, std::generic_category(), "pipe");
    const pid_t parent = ::getpid();
    const pid_t process = ::fork();
    if (process == 0) {
        // The child leaves nothing behind: it ends with this process, on any signal, and writes no core dump of our
        // memory.
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (::getppid() != parent) ::_exit(1);
        for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGXCPU, SIGPIPE, SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL})
            ::signal(signal, SIG_DFL);
        // The pipe becomes the child's standard output; none of our files, ports or devices stay open in it.
        if (::dup2(pipe[1], STDOUT_FILENO) < 0 || ::close_range(3, ~0U, 0) != 0) ::_exit(1);
        limit(RLIMIT_CORE, 0);
        limit(RLIMIT_FSIZE, 0);
        limit(RLIMIT_CPU, cpu_s);
        if (kLimitsMemory) limit(RLIMIT_AS, memory_bytes);
        ::_exit(read_in_child(read, STDOUT_FILENO));
    }
    ::close(pipe[1]);
    // A sleeping child uses no CPU time, so there is also a wall-clock limit of five times as long, for busy machines.
    Child child(process, pipe[0], now_ns() + static_cast<std::int64_t>(5 * cpu_s) * 1'000'000'000);
    if (process < 0) throw std::system_error(errno, std::generic_category(), "fork");
    const auto fail = [&](const std::string& reason) { throw std::runtime_error(path.string() + ": " + reason); };

    // None of the received data is trusted.
    Head head;
    if (!child.read(std::as_writable_bytes(std::span(&head, 1)))) fail(child.reason());
    if (head.reason_bytes > 0) {
        std::string reason(std::min(head.reason_bytes, kMaxReason_bytes), '\0');
        if (!child.read(std::as_writable_bytes(std::span(reason)))) fail(child.reason());
        throw std::runtime_error(reason);
    }
    if (head.content_bytes > memory_bytes) fail("becomes more than its size allows");
    std::string content(head.content_bytes, '\0');
    if (!child.read(std::as_writable_bytes(std::span(content)))) fail(child.reason());
    return content;
}

collision::Mesh load_mesh_apart(const std::filesystem::path& path, float unit_m) {
    return load_mesh_apart(path, unit_m, scenes::load_mesh);
}

collision::Mesh load_mesh_apart(const std::filesystem::path& path, float unit_m, scenes::MeshLoader read) {
    const std::string content = read_apart(path, [&] {
        const collision::Mesh mesh = read(path, unit_m);
        std::string bytes;
        put(std::span(mesh.vertices_m), bytes);
        put(std::span(mesh.triangles), bytes);
        return bytes;
    });
    std::string_view bytes = content;
    collision::Mesh mesh;
    if (!take(bytes, mesh.vertices_m) || !take(bytes, mesh.triangles))
        throw std::runtime_error(path.string() + ": cannot be read: the process that reads it returned no mesh");
    try {
        check(mesh);
    } catch (const std::invalid_argument& error) {
        throw std::runtime_error(path.string() + ": " + error.what());
    }
    return mesh;
}

}  // namespace glovebox::vr
