#include "vr/platform/platform.h"

#include <fcntl.h>
#include <malloc.h>
#include <pthread.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <sstream>
#include <thread>

#include "vr/platform/heap.h"

namespace glovebox::vr {
namespace {

std::string line_after(const char* file, const std::string& key) {
    std::ifstream in(file);
    for (std::string line; std::getline(in, line);) {
        if (line.rfind(key, 0) != 0) continue;
        const auto start = line.find_first_not_of(" \t:=\"", key.size());
        if (start == std::string::npos) return {};
        return line.substr(start, line.find_last_not_of("\" \t") + 1 - start);
    }
    return {};
}

}  // namespace

std::int64_t now_ns() {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

std::int64_t process_age_ns() {
    // The 22nd field is the start in ticks after boot; the second may contain spaces, but ends with the last ')'.
    std::ifstream in("/proc/self/stat");
    std::string line;
    std::getline(in, line);
    std::istringstream fields(line.substr(std::min(line.size(), line.rfind(')') + 1)));
    std::string skipped;
    for (int field = 3; field < 22; ++field) fields >> skipped;
    std::int64_t start_ticks = 0;
    if (!(fields >> start_ticks)) return 0;
    timespec now{};
    clock_gettime(CLOCK_BOOTTIME, &now);
    return 1'000'000'000 * static_cast<std::int64_t>(now.tv_sec) + now.tv_nsec -
           start_ticks * (1'000'000'000 / sysconf(_SC_CLK_TCK));
}

std::int64_t thread_cpu_ns() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return 1'000'000'000 * static_cast<std::int64_t>(now.tv_sec) + now.tv_nsec;
}

void sleep_until_ns(std::int64_t at_ns) {
    // steady_clock is CLOCK_MONOTONIC. Absolute, so that being interrupted costs nothing.
    const timespec at = {static_cast<time_t>(at_ns / 1'000'000'000), static_cast<long>(at_ns % 1'000'000'000)};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, nullptr) == EINTR) {
    }
}

std::string make_thread_real_time() {
    constexpr int kPriority = 80;  // above all threads of the application, below the kernel's own
    std::string said;
    const sched_param parameters{kPriority};
    if (const int error = pthread_setschedparam(pthread_self(), SCHED_FIFO, &parameters); error == 0)
        said = "SCHED_FIFO " + std::to_string(kPriority);
    else
        said = std::string("SCHED_OTHER (SCHED_FIFO: ") + std::strerror(error) + ")";

    // With a limit, later allocations would fail instead of just not being locked.
    rlimit limit{};
    getrlimit(RLIMIT_MEMLOCK, &limit);
    if (limit.rlim_cur != RLIM_INFINITY && geteuid() != 0)
        said += ", memory not locked (its limit is " + std::to_string(limit.rlim_cur / 1024) + " kB)";
    // Later memory is locked on its first use: to lock it at once, a large allocation would hold up all threads for
    // milliseconds.
    else if (mlockall(MCL_CURRENT) == 0 && mlockall(MCL_FUTURE | MCL_ONFAULT) == 0)
        said += ", memory locked";
    else
        said += std::string(", memory not locked (") + std::strerror(errno) + ")";
    return said;
}

KeepAwake::KeepAwake() : request_(open("/dev/cpu_dma_latency", O_WRONLY | O_CLOEXEC)) {
    const std::int32_t max_us = 0;
    if (request_ < 0 || write(request_, &max_us, sizeof max_us) == sizeof max_us) return;
    close(request_);
    request_ = -1;
}

KeepAwake::~KeepAwake() {
    if (request_ >= 0) close(request_);
}

Machine describe_machine() {
    Machine machine;
    machine.cpu = line_after("/proc/cpuinfo", "model name");
    utsname system{};
    if (uname(&system) == 0) machine.os = std::string(system.sysname) + " " + system.release;
    if (const std::string name = line_after("/etc/os-release", "PRETTY_NAME"); !name.empty()) machine.os = name;
#if defined(__clang__)
    machine.compiler = "clang " __clang_version__;
#else
    machine.compiler = "g++ " __VERSION__;
#endif
#ifdef NDEBUG
    machine.build = "release";
#else
    machine.build = "debug";
#endif
    machine.cores = static_cast<int>(std::thread::hardware_concurrency());
    machine.memory_mb = static_cast<std::int64_t>(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE) / (1 << 20);
    return machine;
}

std::int64_t peak_memory_kb() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
}

std::int64_t heap_bytes() {
#if defined(__GLIBC__) && (__GLIBC__ > 2 || __GLIBC_MINOR__ >= 33)
    const struct mallinfo2 info = mallinfo2();
    return static_cast<std::int64_t>(info.uordblks + info.hblkhd);
#else
    return 0;
#endif
}

bool has_display() {
    const auto set = [](const char* name) {
        const char* value = std::getenv(name);
        return value != nullptr && *value != '\0';
    };
    return set("DISPLAY") || set("WAYLAND_DISPLAY");
}

bool stdout_is_terminal() {
    return isatty(STDOUT_FILENO) != 0;
}

bool stderr_is_terminal() {
    return isatty(STDERR_FILENO) != 0;
}

void open_standard_descriptors() {
    for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
        if (fcntl(fd, F_GETFD) < 0 && errno == EBADF && open("/dev/null", O_RDWR) != fd) std::_Exit(1);
}

bool wake_before_others() {
    sched_param parameters{};
    parameters.sched_priority = sched_get_priority_min(SCHED_RR);
    return pthread_setschedparam(pthread_self(), SCHED_RR, &parameters) == 0;
}

std::filesystem::path program_folder() {
    return std::filesystem::read_symlink("/proc/self/exe").parent_path();
}

}  // namespace glovebox::vr
