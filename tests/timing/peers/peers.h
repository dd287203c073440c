// Us beside every installed peer: what the workloads of `glovebox_peers` share.
//
// A workload sets up identical inputs for all contenders, lets them run in turn in one process and adds one row per
// peer. What is compared is medians of rounds; the spread is that of the ratio within a round, so that what slows the
// whole machine for a while cancels. Times are processor time of the thread: what else the machine does does not count.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace glovebox::timing {

struct PeerOptions {
    bool quick = false;  ///< a second at most, with less than meaningful numbers: what the tests run
};

/// One of the programs that do the same work. `run` does one round of it.
struct Contender {
    std::string name;
    std::function<void()> run;
};

/// Nanoseconds of every round, [contender][round]. Contenders take turns and the order rotates. Two rounds more are run
/// first and not kept.
std::vector<std::vector<double>> race(std::span<const Contender> contenders, int rounds);

/// The same with a sleep before every single run, so that each one finds the processor cold: clocked down, caches and
/// vector units given to others. That is how a frame at 120 Hz finds it.
std::vector<std::vector<double>> race_sparsely(std::span<const Contender> contenders, int rounds, double sleep_s);

/// The least that we believe a piece of work can cost on this machine; 0: not estimated.
struct Floor {
    double cycles = 0.0, flops = 0.0, bytes = 0.0;
};

/// How a row's numbers are meant.
struct RowTerms {
    std::string work;     ///< "OBB pair, half of them overlapping"
    std::string piece;    ///< "test", "hand", "frame": times are told per piece
    double pieces = 1.0;  ///< in a round
    bool in_us = false;   ///< microseconds instead of nanoseconds
    double asked = 0.0;   ///< ratio asked for; 0: none
    Floor floor;
};

class PeerReport {
  public:
    /// Rows of contender 0 (us) against each other one.
    void add(const RowTerms& terms, std::span<const Contender> contenders,
             const std::vector<std::vector<double>>& rounds_ns);
    /// A row without a peer: what was asked of us alone, in any columns.
    void add(nlohmann::ordered_json row) { rows_.push_back(std::move(row)); }
    void note(std::string sentence) { notes_.push_back(std::move(sentence)); }
    /// Answers that differ where they may not. Makes the program fail; `what` is told.
    void disagree(const std::string& what);

    const std::vector<nlohmann::ordered_json>& rows() const { return rows_; }
    const std::vector<std::string>& notes() const { return notes_; }
    bool agreed() const { return agreed_; }

  private:
    std::vector<nlohmann::ordered_json> rows_;
    std::vector<std::string> notes_;
    bool agreed_ = true;
};

struct Workload {
    std::string_view name, summary;
    void (*run)(const PeerOptions& options, PeerReport& report);
};

// One file each; the table is in main.cpp.
void run_boxes(const PeerOptions& options, PeerReport& report);
void run_refit(const PeerOptions& options, PeerReport& report);
void run_frame(const PeerOptions& options, PeerReport& report);
void run_room(const PeerOptions& options, PeerReport& report);
void run_hulls(const PeerOptions& options, PeerReport& report);
void run_meshes(const PeerOptions& options, PeerReport& report);

/// Keeps a result alive so that the compiler cannot drop the work.
template <class Value>
void keep(const Value& value) {
    asm volatile("" : : "r"(&value) : "memory");
}

double median(std::vector<double> values);
/// The p-th of the values in order, p in [0, 1].
double quantile(std::vector<double> values, double p);

/// Processor time of this thread.
double now_ns();
/// Ticks of the processor's time-stamp counter per nanosecond; 0 where there is none.
double cycles_per_ns();

}  // namespace glovebox::timing
