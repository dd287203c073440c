// Functions of the operating system: clocks, thread priority, machine facts. All system-specific code of the
// application is in platform.cpp.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace glovebox::vr {

/// Returns the monotonic time in nanoseconds.
std::int64_t now_ns();

/// Returns the time since the operating system started this process, loading its libraries included, to 10 ms; 0 if not
/// known.
std::int64_t process_age_ns();

/// Returns the CPU time of the calling thread in nanoseconds, for benchmarks on busy machines. Costs about 0.3 us.
std::int64_t thread_cpu_ns();
/// Sleeps until now_ns() reaches `at_ns`; returns at once if it is past.
void sleep_until_ns(std::int64_t at_ns);

/// Requests SCHED_FIFO for the calling thread and locks the process's memory, as far as that is permitted. Returns what
/// is in force: "SCHED_FIFO 80, memory locked" or "SCHED_OTHER (SCHED_FIFO: Operation not permitted), ...".
std::string make_thread_real_time();

/// Gives the calling thread SCHED_RR at the lowest priority, so that it wakes before ordinary threads; for loops that
/// mostly sleep. Returns false if not permitted (see `ulimit -r`).
bool wake_before_others();

/// While an object exists, no processor enters an idle state: threads that sleep for milliseconds wake sooner, with
/// warm caches. Costs power. On Linux it holds /dev/cpu_dma_latency at 0, which only root, or a user with a udev rule,
/// may.
class KeepAwake {
  public:
    KeepAwake();
    ~KeepAwake();
    KeepAwake(const KeepAwake&) = delete;
    KeepAwake& operator=(const KeepAwake&) = delete;
    /// Returns false if not permitted, or not supported by this system.
    bool in_force() const { return request_ >= 0; }

  private:
    int request_ = -1;  ///< in force while it is open
};

/// Facts about the machine and the build.
struct Machine {
    std::string cpu, os, compiler, build;
    int cores = 0;
    std::int64_t memory_mb = 0;
};
Machine describe_machine();

/// Returns the peak resident memory of this process so far.
std::int64_t peak_memory_kb();

/// Returns whether there is a display to open a window on.
bool has_display();
bool stdout_is_terminal();
bool stderr_is_terminal();

/// Opens /dev/null in place of each closed standard descriptor. Otherwise the next file or port that is opened would
/// get its number, and printed text would go there. Call this before anything is opened.
void open_standard_descriptors();

/// Returns the id of this process, for file names that no other process uses.
int process_number();

/// Returns the folder of the running program.
std::filesystem::path program_folder();

}  // namespace glovebox::vr
