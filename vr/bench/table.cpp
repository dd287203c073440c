#include <algorithm>
#include <array>

#include "tracking/formatted.h"
#include "tracking/quoted.h"
#include "vr/bench/bench.h"
#include "vr/bench/skin.h"
#include "vr/platform/progress.h"

namespace glovebox::vr {
namespace {

using tracking::formatted;
constexpr std::array kBenches = {
    Bench{"broad-phase",
          "which of many moving bodies may touch: every broad phase, a slope of rocks, space-time bounds, peers",
          bench_broad_phase},
    Bench{"chains", "the paper's tables 1 to 4: jointed chains, every refit method, published figures beside",
          bench_chains, nullptr, false},
    Bench{"hand", "the paper's table 5: a hand that flicks a ball, every refit method, published figures beside",
          bench_hand},
    Bench{"growth", "1 to 1000 hands, 100 to 1,000,000 triangles, hands against themselves and each other",
          bench_growth, nullptr, false},
    Bench{"fitters", "fitting boxes: the genetic paper's tables and figures, refit, wide nodes", bench_fitters,
          fitters_sections},
    Bench{"obbtree", "the OBBTree paper's experiments: overlap race, tightness, close proximity, cost", bench_obbtree,
          obbtree_sections, false},
    Bench{"curl-limit", "how far each finger can close: cost beside a room scan, agreement with dense sampling",
          bench_curl_limit},
    Bench{"frame", "does CAB pay when there is a tree to descend? whole frames, every refit method", bench_frame,
          frame_sections},
    Bench{"filters", "the One-Euro filter and the prediction on recordings: lag, jitter, error ahead", bench_filters},
    Bench{"peers", "us beside FCL, Bullet and what else is installed, on identical inputs, in one process",
          bench_peers},
    Bench{"port", "a finger, a device and a tracker in closed loop: energy, oscillation, the stiffness that is felt",
          bench_port, nullptr, false},
    Bench{"recordings", "the recorder beside a session, an hour's log, and large files read", bench_recordings},
    Bench{"replay", "whole frames per second of a headless replay, per refit method", bench_replay},
    Bench{"session", "what the session costs beside the bare step, and a glove at 1 kHz", bench_session, nullptr,
          false},
    Bench{"skin", "the bones' round cones against the skin of a wearer (HOT3D): distance, and what both touch",
          bench_skin},
    Bench{"clips", "motion clips against each other: the crowd, long clips, tree variants, recorded hands",
          bench_clips},
    Bench{"touch-search", "ten hours of recordings searched by touch, against replaying them", bench_touch_search,
          nullptr, false},
    Bench{"traversal", "orders, descents, fronts, deadlines and updates on demand of trees against trees",
          bench_traversal, nullptr, false},
    Bench{"volumes", "bounding volumes: tightness against cost, t = n_v c_v + n_p c_p + n_u c_u", bench_volumes},
    Bench{"soak", "two hands, a room scan, twenty loose objects and faults: does the force loop keep 1 kHz",
          bench_soak},
};

std::string join_keys(const nlohmann::ordered_json& row) {
    std::string keys;
    for (const auto& [key, value] : row.items()) keys += key + '\n';
    return keys;
}

std::string format_block(std::span<const nlohmann::ordered_json> rows) {
    std::vector<std::vector<std::string>> cells(1);
    for (const auto& [key, value] : rows.front().items()) cells.front().push_back(key);
    for (const auto& row : rows) {
        auto& line = cells.emplace_back();
        for (const auto& [key, value] : row.items()) line.push_back(cell_text(value));
    }
    std::vector<std::size_t> widths(cells.front().size());
    for (const auto& line : cells)
        for (std::size_t i = 0; i < line.size(); ++i) widths[i] = std::max(widths[i], line[i].size());

    std::string text;
    for (const auto& line : cells) {
        for (std::size_t i = 0; i < line.size(); ++i) {
            // The first column is left-aligned (names), the others are right-aligned (numbers).
            const std::string pad(widths[i] - line[i].size(), ' ');
            text += i == 0 ? line[i] + pad : "  " + pad + line[i];
        }
        text.erase(text.find_last_not_of(' ') + 1);
        text += '\n';
    }
    return text;
}

}  // namespace

std::span<const Bench> bench_table() {
    return kBenches;
}

void begin_part(BenchResult& result, std::string title, std::string summary) {
    result.parts.push_back(
        {std::move(title), std::move(summary), result.rows.size(), result.figures.size(), result.claims.size()});
}

BenchResult run_sections(const BenchOptions& options, std::span<const BenchSection> sections) {
    BenchResult result;
    Progress progress;
    for (const BenchSection& section : sections) {
        if (!options.only.empty() && options.only != section.name) continue;
        progress.show(std::string(section.name) + ": " + std::string(section.summary));
        begin_part(result, std::string(section.name), std::string(section.summary));
        section.run(options, result);
    }
    return result;
}

// Four significant digits are easier to read than 17 in a table; the JSON report keeps all digits.
std::string cell_text(const nlohmann::ordered_json& value) {
    if (value.is_string()) return tracking::printable(value.get<std::string>());
    if (value.is_number_float()) {
        return formatted("%.4g", value.get<double>());
    }
    return value.dump();
}

std::vector<std::span<const nlohmann::ordered_json>> tables_of(std::span<const nlohmann::ordered_json> rows) {
    std::vector<std::span<const nlohmann::ordered_json>> tables;
    for (std::size_t begin = 0; begin < rows.size();) {
        std::size_t end = begin + 1;
        while (end < rows.size() && join_keys(rows[end]) == join_keys(rows[begin])) ++end;
        tables.push_back(rows.subspan(begin, end - begin));
        begin = end;
    }
    return tables;
}

std::string format_table(std::span<const nlohmann::ordered_json> rows) {
    std::string text;
    for (const auto& table : tables_of(rows)) text += (text.empty() ? "" : "\n") + format_block(table);
    return text;
}

}  // namespace glovebox::vr
