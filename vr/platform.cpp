#include "vr/platform.h"

#include <sys/resource.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <thread>

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

std::int64_t thread_cpu_ns() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return 1'000'000'000 * static_cast<std::int64_t>(now.tv_sec) + now.tv_nsec;
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

std::filesystem::path program_folder() {
    return std::filesystem::read_symlink("/proc/self/exe").parent_path();
}

}  // namespace glovebox::vr
