#include "vr/bench/paper.h"

#include <algorithm>
#include <limits>

#include "collision/survey/refit/paper_methods.h"
#include "vr/bench/measure.h"
#include "vr/bench/plot.h"
#include "vr/platform/platform.h"

namespace glovebox::vr {
namespace {

// Frames are timed in blocks, stage by stage: a single frame's update is too short for the clock.
constexpr int kBlock = 50;

struct BlockFrame {
    collision::BodyPose pose;
    collision::BodyBoxes boxes;
    std::vector<collision::BonePair> pairs;
};

bool uses_leaf_boxes(const collision::RefitMethod& method) {
    return method.kind != collision::BoxKind::none && method.name != "aabb-vertices";
}

double seconds(std::int64_t from_ns, std::int64_t to_ns) {
    return 1e-9 * static_cast<double>(to_ns - from_ns);
}

// Runs one block of frames with one method, in one round.
PaperTimes run_block(const PaperWorkload& workload, const collision::RefitMethod& method, int first, int count,
                     std::vector<BlockFrame>& block, PaperLine& line) {
    const bool boxes = uses_leaf_boxes(method);
    collision::CollideCounts counts;
    const std::int64_t t0 = thread_cpu_ns();
    for (int i = 0; i < count; ++i) {
        BlockFrame& frame = block[static_cast<std::size_t>(i)];
        if (boxes) workload.place_boxes(first + i, frame.pose);
        method.refit(*workload.body, frame.pose, frame.boxes);
    }
    const std::int64_t t1 = thread_cpu_ns();
    for (int i = 0; i < count; ++i) {
        BlockFrame& frame = block[static_cast<std::size_t>(i)];
        frame.pairs.clear();
        workload.find_pairs(first + i, method, frame.pose, frame.boxes, frame.pairs, counts);
    }
    const std::int64_t t2 = thread_cpu_ns();
    for (int i = 0; i < count; ++i) {
        const BlockFrame& frame = block[static_cast<std::size_t>(i)];
        for (const collision::BonePair& pair : frame.pairs)
            line.touching += workload.touch(first + i, frame.pose, pair) ? 1 : 0;
    }
    const std::int64_t t3 = thread_cpu_ns();
    line.coll += counts.candidates;
    line.box_tests += counts.n_v;
    // Brute force neither refits nor tests boxes: its time in those stages is for listing the pairs.
    const bool brute = method.kind == collision::BoxKind::none;
    return {brute ? 0.0 : seconds(t0, t1), brute ? 0.0 : seconds(t1, t2), seconds(t2, t3)};
}

void add(PaperTimes& sum, const PaperTimes& more) {
    sum.update_s += more.update_s;
    sum.test_s += more.test_s;
    sum.query_s += more.query_s;
}

PaperTimes min_of(const std::vector<PaperTimes>& rounds) {
    PaperTimes least = rounds.front();
    for (const PaperTimes& round : rounds)
        least = {std::min(least.update_s, round.update_s), std::min(least.test_s, round.test_s),
                 std::min(least.query_s, round.query_s)};
    return least;
}

}  // namespace

std::vector<collision::RefitMethod> paper_methods() {
    const auto sessions = collision::refit_methods(), papers = collision::paper_refit_methods();
    std::vector<collision::RefitMethod> methods(sessions.begin(), sessions.end());
    methods.insert(methods.end() - 1, papers.begin(), papers.end());  // brute force stays last
    return methods;
}

std::vector<PaperLine> measure(const PaperWorkload& workload, int rounds) {
    return measure(workload, rounds, paper_methods());
}

std::vector<PaperLine> measure(const PaperWorkload& workload, int rounds,
                               std::span<const collision::RefitMethod> methods) {
    std::vector<PaperLine> lines(methods.size());
    std::vector<BlockFrame> block(kBlock);
    for (std::size_t m = 0; m < methods.size(); ++m) {
        lines[m].method = methods[m].name;
        lines[m].frames = workload.frames;
        // Brute force is slow, and its time is not compared with others.
        lines[m].rounds.resize(methods[m].kind == collision::BoxKind::none ? 1 : static_cast<std::size_t>(rounds));
    }
    for (int first = 0; first < workload.frames; first += kBlock) {
        const int count = std::min(kBlock, workload.frames - first);
        for (int i = 0; i < count; ++i) workload.place(first + i, block[static_cast<std::size_t>(i)].pose);
        // The first round warms up the caches, fills reused buffers and counts.
        for (std::size_t m = 0; m < methods.size(); ++m) run_block(workload, methods[m], first, count, block, lines[m]);
        std::vector<std::vector<PaperTimes>> times(lines.size());
        for (std::size_t round = 0; round < static_cast<std::size_t>(rounds); ++round)
            for (std::size_t m = 0; m < methods.size(); ++m) {
                if (round >= lines[m].rounds.size()) continue;
                PaperLine uncounted;
                times[m].push_back(run_block(workload, methods[m], first, count, block, uncounted));
                add(lines[m].rounds[round], times[m].back());
            }
        for (std::size_t m = 0; m < methods.size(); ++m) add(lines[m].least, min_of(times[m]));
    }
    return lines;
}

void add_table(BenchResult& result, const std::string& title, int frames, const std::vector<PaperLine>& lines,
               std::span<const PublishedLine> published) {
    for (const PaperLine& line : lines) {
        nlohmann::ordered_json row = {{"table", title},
                                      {"method", line.method},
                                      {"frames", frames},
                                      {"#coll", line.coll},
                                      {"#false", line.coll - line.touching},
                                      {"t[query]", line.least.query_s},
                                      {"t[upd]", line.least.update_s},
                                      {"t[test]", line.least.test_s},
                                      {"t[total]", line.least.total_s()},
                                      {"box tests", line.box_tests}};
        const auto found = std::find_if(published.begin(), published.end(),
                                        [&](const PublishedLine& one) { return one.method == line.method; });
        const bool known = found != published.end();
        const auto put = [&](const char* key, auto value) {
            if (known)
                row[key] = value;
            else
                row[key] = "-";
        };
        put("paper #coll", known ? found->coll : 0);
        put("paper #false", known ? found->false_positives : 0);
        put("paper t[query]", known ? found->query_s : 0.0);
        put("paper t[upd]", known ? found->update_s : 0.0);
        put("paper t[test]", known ? found->test_s : 0.0);
        put("paper t[total]", known ? found->total_s : 0.0);
        result.rows.push_back(std::move(row));
        if (line.touching != lines.front().touching) {
            result.check_failed = true;
            result.notes.push_back(title + ": " + std::string(line.method) + " finds " + std::to_string(line.touching) +
                                   " touching pairs, " + std::string(lines.front().method) + " " +
                                   std::to_string(lines.front().touching));
        }
    }
}

const PaperLine& line_of(const std::vector<PaperLine>& lines, std::string_view method) {
    return *std::find_if(lines.begin(), lines.end(), [&](const PaperLine& line) { return line.method == method; });
}

void add_budgets(BenchResult& result, const std::string& title, int frames, const PaperLine& line) {
    const double frame_us = 1e6 * line.least.total_s() / frames;
    nlohmann::ordered_json row = {{"a frame of", title}, {"method", line.method}, {"us", frame_us}};
    for (const double hz : {30.0, 72.0, 90.0, 120.0, 1000.0}) row[text("%% of 1/%g s", hz)] = 1e-4 * frame_us * hz;
    result.rows.push_back(std::move(row));
}

Measured frame_in_queries(const PaperLine& line, const PaperLine& brute, std::string of) {
    // Brute force runs an exact query for every pair and does nothing else.
    const double query_s = brute.least.query_s / static_cast<double>(brute.coll);
    std::vector<double> queries;
    for (const PaperTimes& round : line.rounds) queries.push_back(round.total_s() / line.frames / query_s);
    return median_of(queries, std::move(of));
}

namespace {

using TimeOf = std::function<double(const PaperTimes&)>;

Measured ratios_of(const PaperLine& over, const PaperLine& under, const TimeOf& time_over, const TimeOf& time_under,
                   std::string of) {
    const double ratio = time_over(over.least) / time_under(under.least);
    Measured measured{std::move(of), ratio, ratio, ratio};
    for (std::size_t round = 0; round < over.rounds.size(); ++round) {
        const double here = time_over(over.rounds[round]) / time_under(under.rounds[round]);
        measured.low = std::min(measured.low, here);
        measured.high = std::max(measured.high, here);
    }
    return measured;
}

}  // namespace

Measured times_of(const PaperLine& over, const PaperLine& under, const std::function<double(const PaperTimes&)>& time,
                  std::string of) {
    return ratios_of(over, under, time, time, std::move(of));
}

Measured times_with_queries_of(const PaperLine& over, const PaperLine& under, double query_s) {
    const auto time_of = [query_s](const PaperLine& line) {
        return [query_s, pairs = static_cast<double>(line.coll)](const PaperTimes& time) {
            return time.update_s + time.test_s + query_s * pairs;
        };
    };
    return ratios_of(over, under, time_of(over), time_of(under), {});
}

Measured pairs_of(const PaperLine& over, const PaperLine& under, std::string of) {
    const double nothing = std::numeric_limits<double>::quiet_NaN();
    return exact(under.coll > 0 ? static_cast<double>(over.coll) / static_cast<double>(under.coll) : nothing,
                 std::move(of));
}

Measured methods_that_differ(std::span<const PaperLine> lines, std::string of) {
    const auto differs = [&](const PaperLine& line) { return line.touching != lines.front().touching; };
    return exact(static_cast<double>(std::ranges::count_if(lines, differs)), std::move(of));
}

void draw_times(BenchResult& result, const BenchOptions& options, const std::string& name, const std::string& title,
                int frames, const std::vector<PaperLine>& lines) {
    if (options.figures.empty()) return;
    std::vector<std::string> labels;
    std::vector<std::pair<std::string, std::vector<double>>> stacks = {
        {"update", {}}, {"box tests", {}}, {"exact queries", {}}};
    for (const PaperLine& line : lines) {
        if (line.method == "brute") continue;
        labels.emplace_back(line.method);
        stacks[0].second.push_back(1e6 * line.least.update_s / frames);
        stacks[1].second.push_back(1e6 * line.least.test_s / frames);
        stacks[2].second.push_back(1e6 * line.least.query_s / frames);
    }
    draw_if_requested(result, options, bars_of(name, title, "microseconds per frame", labels, stacks));
}

}  // namespace glovebox::vr
