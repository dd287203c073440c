// Functions of the operating system: clocks, thread priority, facts about the machine. All system-specific code of the
// application is in platform.cpp.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace glovebox::vr {

/// Returns the monotonic time in nanoseconds.
std::int64_t now_ns();

/// Returns the time since the operating system started this process, accurate to 10 ms; 0 if it is not known. The time
/// includes the loading of libraries.
std::int64_t process_age_ns();

/// Returns the CPU time of the calling thread in nanoseconds, for benchmarks on busy machines. Takes about 0.3
/// microseconds.
std::int64_t thread_cpu_ns();
/// Sleeps until now_ns() reaches `at_ns`. Returns at once if that time is past.
void sleep_until_ns(std::int64_t at_ns);

/// Requests SCHED_FIFO for the calling thread and locks the process's memory, as far as that is permitted. Returns a
/// text about what is in force, such as "SCHED_FIFO 80, memory locked" or "SCHED_OTHER (SCHED_FIFO: Operation not
/// permitted), ...".
std::string make_thread_real_time();

/// Gives the calling thread SCHED_RR at the lowest priority, so that it wakes before ordinary threads. Use it for loops
/// that mostly sleep. Returns false if it is not permitted (see `ulimit -r`).
bool wake_before_others();

/// While an object of this class exists, no processor enters an idle state. Threads that sleep for milliseconds then
/// wake sooner, with warm caches, but the machine uses more power. On Linux, the object holds /dev/cpu_dma_latency at
/// 0, which only root or a user with a udev rule may do.
class KeepAwake {
  public:
    KeepAwake();
    ~KeepAwake();
    KeepAwake(const KeepAwake&) = delete;
    KeepAwake& operator=(const KeepAwake&) = delete;
    /// Returns false if the system does not permit or does not support it.
    bool in_force() const { return request_ >= 0; }

  private:
    int request_ = -1;  ///< file descriptor; in force while it is open
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
/// get the number of that descriptor, and printed text would go there. Call this function before anything is opened.
void open_standard_descriptors();

/// Returns the folder of the running program.
std::filesystem::path program_folder();

}  // namespace glovebox::vr
