// The few facts that only the operating system knows. Everything system-specific of the application is in platform.cpp.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace glovebox::vr {

/// Monotonic, nanoseconds.
std::int64_t now_ns();

/// Since the operating system started this process, loading its libraries included; to 10 ms. 0 where it is not told.
std::int64_t process_age_ns();

/// What this thread has had of the processor, nanoseconds: for benches on machines that do other work too. A look costs
/// about 0.3 us.
std::int64_t thread_cpu_ns();
/// Sleeps until then; returns at once if it is past.
void sleep_until_ns(std::int64_t at_ns);

/// Asks for SCHED_FIFO for the calling thread and for the process's memory to be locked, as far as that is permitted.
/// Returns what is in force: "SCHED_FIFO 80, memory locked" or "SCHED_OTHER (SCHED_FIFO: Operation not permitted),
/// ...".
std::string make_thread_real_time();

/// Lets the calling thread wake ahead of ordinary work (SCHED_RR, least priority): for a loop that sleeps most of its
/// life. False: not permitted (see `ulimit -r`).
bool wake_before_others();

/// While one lives no processor of the machine halts: what sleeps for some milliseconds wakes sooner and finds its
/// caches as it left them. Costs power. Linux: 0 in /dev/cpu_dma_latency, which root may write, or whom a udev rule
/// lets.
class KeepAwake {
  public:
    KeepAwake();
    ~KeepAwake();
    KeepAwake(const KeepAwake&) = delete;
    KeepAwake& operator=(const KeepAwake&) = delete;
    /// False: not permitted, or this system has no such thing.
    bool in_force() const { return request_ >= 0; }

  private:
    int request_ = -1;  ///< holds for as long as it is open
};

struct Machine {
    std::string cpu, os, compiler, build;
    int cores = 0;
    std::int64_t memory_mb = 0;
};
Machine describe_machine();

/// Peak resident memory of this process so far.
std::int64_t peak_memory_kb();

/// Is there a display to open a window on?
bool has_display();
bool stdout_is_terminal();
bool stderr_is_terminal();

/// Opens /dev/null in place of a standard input, output or error that is closed: the next file or port to be opened
/// would get its number, and what is printed would go there. To be called before anything is opened.
void open_standard_descriptors();

/// Of this process, for names that no other process gives to its files.
int process_number();

/// The folder of the running program.
std::filesystem::path program_folder();

}  // namespace glovebox::vr
