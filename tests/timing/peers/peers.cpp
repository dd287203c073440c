#include "tests/timing/peers/peers.h"

#include <algorithm>
#include <chrono>
#include <ctime>
#include <thread>

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

namespace glovebox::timing {

namespace {

double cpu_ns(clockid_t clock) {
    std::timespec now{};
    ::clock_gettime(clock, &now);
    return 1e9 * static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec);
}

}  // namespace

double now_ns() {
    return cpu_ns(CLOCK_THREAD_CPUTIME_ID);
}

double cycles_per_ns() {
#if defined(__x86_64__)
    static const double rate = [] {
        const auto start = std::chrono::steady_clock::now();
        const auto start_ticks = __rdtsc();
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        const auto ticks = __rdtsc() - start_ticks;
        const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - start;
        return static_cast<double>(ticks) / took.count();
    }();
    return rate;
#else
    return 0.0;
#endif
}

double quantile(std::vector<double> values, double p) {
    const auto at = std::min(values.size() - 1, static_cast<std::size_t>(p * static_cast<double>(values.size())));
    std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(at), values.end());
    return values[at];
}

double median(std::vector<double> values) {
    return quantile(std::move(values), 0.5);
}

namespace {

template <class Before>
std::vector<std::vector<double>> take_turns(std::span<const Contender> contenders, int rounds, const Before& before,
                                            clockid_t clock = CLOCK_THREAD_CPUTIME_ID) {
    constexpr int kWarmUp = 2;
    std::vector<std::vector<double>> rounds_ns(contenders.size());
    for (int round = 0; round < std::max(rounds, kMinRounds) + kWarmUp; ++round)
        for (std::size_t k = 0; k < contenders.size(); ++k) {
            const std::size_t at = (k + static_cast<std::size_t>(round)) % contenders.size();
            before();
            const double start_ns = cpu_ns(clock);
            contenders[at].run();
            const double took_ns = cpu_ns(clock) - start_ns;
            if (round >= kWarmUp) rounds_ns[at].push_back(took_ns);
        }
    return rounds_ns;
}

}  // namespace

std::vector<std::vector<double>> race(std::span<const Contender> contenders, int rounds) {
    return take_turns(contenders, rounds, [] {});
}

std::vector<std::vector<double>> race_all_threads(std::span<const Contender> contenders, int rounds) {
    return take_turns(
        contenders, rounds, [] {}, CLOCK_PROCESS_CPUTIME_ID);
}

std::vector<std::vector<double>> race_sparsely(std::span<const Contender> contenders, int rounds, double sleep_s) {
    return take_turns(contenders, rounds,
                      [sleep_s] { std::this_thread::sleep_for(std::chrono::duration<double>(sleep_s)); });
}

void PeerReport::add(const RowTerms& terms, std::span<const Contender> contenders,
                     const std::vector<std::vector<double>>& rounds_ns) {
    const double ours_ns = median(rounds_ns[0]) / terms.pieces, unit_ns = terms.in_us ? 1e3 : 1.0;
    const auto or_dash = [](double value) {
        return value > 0.0 ? nlohmann::ordered_json(value) : nlohmann::ordered_json("-");
    };
    const auto counted = [](std::int64_t count, double pieces) {
        return count >= 0 ? nlohmann::ordered_json(static_cast<double>(count) / pieces) : nlohmann::ordered_json("-");
    };
    for (std::size_t k = 1; k < contenders.size(); ++k) {
        std::vector<double> ratios;
        for (std::size_t i = 0; i < rounds_ns[k].size(); ++i) ratios.push_back(rounds_ns[k][i] / rounds_ns[0][i]);
        const double theirs_ns = median(rounds_ns[k]) / terms.pieces, ratio = theirs_ns / ours_ns;
        const double of_the_row = contenders[k].judged ? terms.required : 0.0;
        const double required = contenders[k].required > 0.0 ? contenders[k].required : of_the_row;
        rows_.push_back({{"work", terms.work},
                         {"peer", contenders[k].name},
                         {"unit", (terms.in_us ? "us per " : "ns per ") + terms.piece},
                         {"ours", ours_ns / unit_ns},
                         {"theirs", theirs_ns / unit_ns},
                         {"ratio", ratio},
                         {"ratio_min", *std::min_element(ratios.begin(), ratios.end())},
                         {"ratio_max", *std::max_element(ratios.begin(), ratios.end())},
                         {"contacts", counted(contenders[0].contacts, terms.pieces)},
                         {"their_contacts", counted(contenders[k].contacts, terms.pieces)},
                         {"differ", counted(contenders[k].differ, 1.0)},
                         {"asked", or_dash(required)},
                         {"holds", required > 0.0 ? (ratio >= required ? "yes" : "no") : "-"},
                         {"cycles", ours_ns * cycles_per_ns()},
                         {"floor_cycles", or_dash(terms.floor.cycles)},
                         {"floor_flops", or_dash(terms.floor.flops)},
                         {"floor_bytes", or_dash(terms.floor.bytes)}});
    }
}

void PeerReport::disagree(const std::string& what) {
    agreed_ = false;
    notes_.push_back("the answers differ: " + what);
}

}  // namespace glovebox::timing
