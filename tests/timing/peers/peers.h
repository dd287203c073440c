// Compares our speed with every installed peer's: code shared by the workloads of `glovebox_peers`.
//
// A workload sets up identical inputs for all contenders, runs them in turn in one process and adds one row per peer.
// Medians of rounds are compared. The spread is that of the ratio within a round, so a slowdown of the whole machine
// cancels. Times are the thread's processor time, so other load on the machine does not count.
#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace glovebox::timing {

struct PeerOptions {
    bool quick = false;  ///< takes at most a second; its numbers mean little; used by the tests
};

/// One of the programs that do the same work. `run` does one round.
struct Contender {
    std::string name;
    std::function<void()> run;
    double required = 0.0;       ///< required ratio; 0: RowTerms::required
    std::int64_t contacts = -1;  ///< found in a round: contacts, touching pairs or overlaps; -1: not counted
    std::int64_t differ = -1;    ///< answers of a round that differ from ours by more than rounding; -1: not compared
    bool judged = true;          ///< false: no ratio is required; for variants of Glovebox
};

/// A spread needs this many rounds; races do no fewer.
constexpr int kMinRounds = 5;

/// Returns the nanoseconds of every round, [contender][round]. Contenders take turns in rotating order. The first two
/// rounds are warm-up and are dropped.
std::vector<std::vector<double>> race(std::span<const Contender> contenders, int rounds);

/// As race(), but counts the processor time of all threads of the process: for work that may start threads.
std::vector<std::vector<double>> race_all_threads(std::span<const Contender> contenders, int rounds);

/// As race(), but sleeps before every run, so that each starts on a cold processor: low clock, caches and vector units
/// used by others. A frame at 120 Hz starts like that.
std::vector<std::vector<double>> race_sparsely(std::span<const Contender> contenders, int rounds, double sleep_s);

/// Estimated lower bound of the cost of a piece of work on this machine; 0: not estimated.
struct Floor {
    double cycles = 0.0, flops = 0.0, bytes = 0.0;
};

/// Units and labels of a row's numbers.
struct RowTerms {
    std::string work;       ///< "OBB pair, half of them overlapping"
    std::string piece;      ///< "test", "hand", "frame": times are given per piece
    double pieces = 1.0;    ///< in a round
    bool in_us = false;     ///< microseconds instead of nanoseconds
    double required = 0.0;  ///< required ratio; 0: none
    Floor floor;
};

class PeerReport {
  public:
    /// Adds rows that compare contender 0 (ours) with each other one. Contacts are given per piece.
    void add(const RowTerms& terms, std::span<const Contender> contenders,
             const std::vector<std::vector<double>>& rounds_ns);
    /// Adds a row without a peer, for a requirement on our own code, with any columns.
    void add(nlohmann::ordered_json row) { rows_.push_back(std::move(row)); }
    void note(std::string sentence) { notes_.push_back(std::move(sentence)); }
    /// Reports answers that differ but must not, and makes the program fail. `what` is printed.
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

// One workload per file; the table is in main.cpp.
void run_boxes(const PeerOptions& options, PeerReport& report);
void run_refit(const PeerOptions& options, PeerReport& report);
void run_frame(const PeerOptions& options, PeerReport& report);
void run_room(const PeerOptions& options, PeerReport& report);
void run_hulls(const PeerOptions& options, PeerReport& report);
void run_meshes(const PeerOptions& options, PeerReport& report);
void run_near(const PeerOptions& options, PeerReport& report);

/// Keeps a result alive so that the compiler cannot drop the work.
template <class Value>
void keep(const Value& value) {
    asm volatile("" : : "r"(&value) : "memory");
}

double median(std::vector<double> values);
/// Returns the p-quantile of the values, p in [0, 1].
double quantile(std::vector<double> values, double p);

/// Returns the processor time of this thread.
double now_ns();
/// Returns ticks of the processor's time-stamp counter per nanosecond; 0 if it has none.
double cycles_per_ns();

}  // namespace glovebox::timing
