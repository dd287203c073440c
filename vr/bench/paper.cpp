#include "vr/bench/paper.h"

#include <algorithm>
#include <array>
#include <cstdio>

#include "vr/bench/plot.h"
#include "vr/platform/platform.h"

namespace glovebox::vr {
namespace {

// Frames are timed in blocks, stage by stage: one frame's update is too short for the clock.
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

// One block of frames by one method, in one round.
struct BlockTimes {
    double update_s, test_s, query_s;
};

BlockTimes run_block(const PaperWorkload& workload, const collision::RefitMethod& method, int first, int count,
                     std::vector<BlockFrame>& block, PaperLine& line) {
    const bool boxes = uses_leaf_boxes(method);
    collision::CollideCounts counts;
    const std::int64_t t0 = now_ns();
    for (int i = 0; i < count; ++i) {
        BlockFrame& frame = block[static_cast<std::size_t>(i)];
        if (boxes) workload.place_boxes(first + i, frame.pose);
        method.refit(*workload.body, frame.pose, frame.boxes);
    }
    const std::int64_t t1 = now_ns();
    for (int i = 0; i < count; ++i) {
        BlockFrame& frame = block[static_cast<std::size_t>(i)];
        frame.pairs.clear();
        workload.find_pairs(first + i, method, frame.pose, frame.boxes, frame.pairs, counts);
    }
    const std::int64_t t2 = now_ns();
    for (int i = 0; i < count; ++i) {
        const BlockFrame& frame = block[static_cast<std::size_t>(i)];
        for (const collision::BonePair& pair : frame.pairs)
            line.touching += workload.touch(first + i, frame.pose, pair) ? 1 : 0;
    }
    const std::int64_t t3 = now_ns();
    line.coll += counts.candidates;
    line.box_tests += counts.n_v;
    // Brute force has neither boxes to update nor boxes to test: what it does there is listing.
    const bool brute = method.kind == collision::BoxKind::none;
    return {brute ? 0.0 : seconds(t0, t1), brute ? 0.0 : seconds(t1, t2), seconds(t2, t3)};
}

double least(const std::vector<double>& values) {
    return *std::min_element(values.begin(), values.end());
}

}  // namespace

std::vector<PaperLine> measure(const PaperWorkload& workload, int rounds) {
    const auto methods = collision::refit_methods();
    std::vector<PaperLine> lines(methods.size());
    std::vector<BlockFrame> block(kBlock);
    std::vector<std::array<std::vector<double>, 3>> times(methods.size());
    for (int first = 0; first < workload.frames; first += kBlock) {
        const int count = std::min(kBlock, workload.frames - first);
        for (int i = 0; i < count; ++i) workload.place(first + i, block[static_cast<std::size_t>(i)].pose);
        for (auto& of_method : times)
            for (auto& stage : of_method) stage.clear();
        // The first round warms the caches up, fills what is reused and does the counting.
        for (int round = 0; round <= rounds; ++round)
            for (std::size_t m = 0; m < methods.size(); ++m) {
                if (round > 1 && methods[m].kind == collision::BoxKind::none) continue;  // long, and needed once
                PaperLine uncounted;
                const BlockTimes once =
                    run_block(workload, methods[m], first, count, block, round == 0 ? lines[m] : uncounted);
                if (round == 0) continue;
                times[m][0].push_back(once.update_s);
                times[m][1].push_back(once.test_s);
                times[m][2].push_back(once.query_s);
            }
        for (std::size_t m = 0; m < methods.size(); ++m) {
            lines[m].method = methods[m].name;
            lines[m].update_s += least(times[m][0]);
            lines[m].test_s += least(times[m][1]);
            lines[m].query_s += least(times[m][2]);
        }
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
                                      {"t[query]", line.query_s},
                                      {"t[upd]", line.update_s},
                                      {"t[test]", line.test_s},
                                      {"t[total]", line.total_s()},
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
        put("paper #false", known ? found->false_alarms : 0);
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

std::string join_ratios(const std::vector<double>& ratios) {
    std::string text;
    for (const double ratio : ratios) {
        std::array<char, 32> one{};
        std::snprintf(one.data(), one.size(), "%s%.2fx", text.empty() ? "" : ", ", ratio);
        text += one.data();
    }
    return text;
}

void draw_times(const BenchOptions& options, const std::string& name, const std::string& title, int frames,
                const std::vector<PaperLine>& lines) {
    if (options.figures.empty()) return;
    std::vector<std::string> labels;
    std::vector<std::pair<std::string, std::vector<double>>> stacks = {
        {"update", {}}, {"box tests", {}}, {"exact queries", {}}};
    for (const PaperLine& line : lines) {
        if (line.method == "brute") continue;
        labels.emplace_back(line.method);
        stacks[0].second.push_back(1e6 * line.update_s / frames);
        stacks[1].second.push_back(1e6 * line.test_s / frames);
        stacks[2].second.push_back(1e6 * line.query_s / frames);
    }
    draw(bars_of(name, title, "microseconds per frame", labels, stacks), options.figures);
}

}  // namespace glovebox::vr
