// Reproduces the paper's tables 1 to 4: sixteen jointed links, four motions, every refit method [Schmidl04].
#include <array>

#include "vr/bench/chains.h"
#include "vr/bench/measure.h"
#include "vr/bench/plot.h"
#include "vr/platform/progress.h"

namespace glovebox::vr {
namespace {

// As printed in tables 1 to 4. AABB+ is our aabb-vertices, AABB* our aabb, OBB our covariance.
constexpr std::array kTables = {
    ChainTable{"16 convex links, 3:1",
               "chains_convex_3",
               {LinkShape::convex, 3.0F, ChainMotion::swinging, 1, 10'000, 0.8F},
               {{{"brute", 1200000, 1199786, 19.34, 0, 0, 19.34},
                 {"aabb-vertices", 71534, 71320, 1.86, 135.86, 4.94, 142.67},
                 {"aabb", 84148, 83934, 1.99, 8.08, 5.42, 15.94},
                 {"covariance", 5740, 5526, 0.16, 14.63, 1.75, 16.54},
                 {"cab", 5740, 5526, 0.16, 6.34, 2.06, 8.56}}}},
    ChainTable{"16 convex links, 6:1",
               "chains_convex_6",
               {LinkShape::convex, 6.0F, ChainMotion::swinging, 1, 10'000, 0.6F},
               {{{"brute", 1200000, 1199646, 20.52, 0, 0, 20.52},
                 {"aabb-vertices", 130112, 129758, 2.97, 136.34, 7.04, 146.34},
                 {"aabb", 149466, 149112, 3.44, 8.04, 7.45, 18.94},
                 {"covariance", 7194, 6840, 0.21, 14.62, 1.60, 16.43},
                 {"cab", 7194, 6840, 0.21, 6.33, 2.26, 8.80}}}},
    ChainTable{"16 non-convex links, 6:1",
               "chains_dented_6",
               {LinkShape::dented, 6.0F, ChainMotion::swinging, 1, 10'000, 0.6F},
               {{{"brute", 1200000, 1199927, 22.24, 0, 0, 22.24},
                 {"aabb-vertices", 130112, 130039, 3.71, 135.79, 7.13, 146.63},
                 {"aabb", 148784, 148711, 3.97, 8.06, 7.46, 19.50},
                 {"covariance", 3405, 3332, 0.34, 14.70, 0.85, 15.88},
                 {"cab", 3405, 3332, 0.34, 6.36, 1.38, 8.08}}}},
    ChainTable{"16 convex links, braided, 6:1",
               "chains_braided_6",
               {LinkShape::convex, 6.0F, ChainMotion::braided, 4, 10'000, 0.6F},
               {{{"brute", 1200000, 1190472, 21.37, 0, 0, 21.37},
                 {"aabb-vertices", 65936, 56408, 3.88, 136.34, 4.67, 144.89},
                 {"aabb", 93502, 83974, 4.55, 8.11, 5.64, 18.29},
                 {"covariance", 24731, 15203, 2.83, 14.90, 3.01, 20.74},
                 {"cab", 24731, 15203, 2.80, 6.35, 4.01, 13.17}}}},
};

using Lines = std::vector<PaperLine>;

void add_claims(BenchResult& result, std::span<const Lines> tables) {
    const auto update = [](const PaperTimes& time) { return time.update_s; };
    const auto test = [](const PaperTimes& time) { return time.test_s; };
    const auto total = [](const PaperTimes& time) { return time.total_s(); };
    constexpr std::array<std::string_view, 4> kNames = {"table 1", "table 2", "table 3", "table 4"};
    const auto each_table = [&](const auto& measure_one) {
        std::vector<Measured> measured;
        for (std::size_t i = 0; i < tables.size(); ++i)
            measured.push_back(measure_one(tables[i], std::string(kNames[i])));
        return measured;
    };
    const auto times = [&](std::string_view over, std::string_view under, const auto& time) {
        return each_table([&](const Lines& lines, const std::string& name) {
            return times_of(line_of(lines, over), line_of(lines, under), time, name);
        });
    };
    const auto pairs = [&](std::string_view over, std::string_view under) {
        return each_table([&](const Lines& lines, const std::string& name) {
            return pairs_of(line_of(lines, over), line_of(lines, under), name);
        });
    };
    const auto claim = [&](const char* what, const char* published, Threshold threshold,
                           const std::vector<Measured>& measured, const std::string& remark = {}) {
        result.claims.push_back(judge({what, published, std::move(threshold)}, measured, remark));
    };

    std::string hits;
    for (const Lines& lines : tables) hits += (hits.empty() ? "" : ", ") + std::to_string(lines.front().touching);
    claim("methods whose touching pairs differ from brute force's", "none: 214, 354, 73, 9528 for all five", exactly(0),
          each_table([](const Lines& lines, const std::string& name) { return methods_that_differ(lines, name); }),
          hits + " pairs touch");
    claim("CAB returns as many candidate pairs as covariance boxes", "5740, 7194, 3405, 24731 for both",
          exactly(1, "x"), pairs("cab", "covariance"));
    claim("CAB updates its boxes more than twice as fast as covariance analysis", "2.31x, 2.31x, 2.31x, 2.35x",
          more_than(2, "x"), times("covariance", "cab", update));
    claim("CAB updates faster than AABB* (axis-aligned boxes of eight corners)", "1.27x, 1.27x, 1.27x, 1.28x",
          more_than(1, "x"), times("aabb", "cab", update));
    // The paper's "highly inefficient" is a factor of 17; half of that would still support the sentence.
    claim("AABB+ (fitted to all vertices) updates many times slower than AABB*", "16.8x, 17.0x, 16.8x, 16.8x",
          at_least(8.5, "x"), times("aabb-vertices", "aabb", update));
    claim("CAB pays for its faster update with somewhat more time in box tests than covariance",
          "1.18x, 1.41x, 1.62x, 1.33x", more_than(1.05, "x"), times("cab", "covariance", test));
    claim("CAB pays for its faster update with somewhat more box tests than covariance", "not printed",
          more_than(1.05, "x"), each_table([](const Lines& lines, const std::string& name) {
              return exact(static_cast<double>(line_of(lines, "cab").box_tests) /
                               static_cast<double>(line_of(lines, "covariance").box_tests),
                           name);
          }));
    // 0.81 to 1.32 ms at 16 to 18 us per query; "0.9 to 1.3 ms, 3 to 4 % of 1/30 s" in the paper's text.
    claim("a frame with CAB takes no more exact queries than the paper's took", "53, 51, 44, 74 (0.81 to 1.32 ms)",
          at_most(74, " queries"), each_table([&](const Lines& lines, const std::string& name) {
              return frame_in_queries(line_of(lines, "cab"), line_of(lines, "brute"), name);
          }));
    claim("the bisector of footnote 1 makes the whole slightly slower than CAB, both one merge at a time",
          "\"runtime performance suffers slightly\"", more_than(1, "x"), times("cab-footnote", "cab-scalar", total));
    claim("and needs more box tests", "\"filtering will not be as good\"", more_than(1, "x"),
          each_table([](const Lines& lines, const std::string& name) {
              return exact(static_cast<double>(line_of(lines, "cab-footnote").box_tests) /
                               static_cast<double>(line_of(lines, "cab").box_tests),
                           name);
          }));
}

}  // namespace

std::span<const ChainTable> chain_tables() {
    return kTables;
}

PaperWorkload workload_of(const ChainTable& table, const ChainRecording& recording, const collision::PairMask& mask) {
    PaperWorkload workload;
    workload.title = table.title;
    workload.body = &recording.body;
    workload.frames = static_cast<int>(recording.world_from_link.size());
    workload.place = [&recording](int frame, collision::BodyPose& pose) { pose_chains(recording, frame, pose); };
    workload.place_boxes = [&recording](int frame, collision::BodyPose& pose) {
        const auto& placed = recording.world_from_link[static_cast<std::size_t>(frame)];
        for (std::size_t i = 0; i < placed.size(); ++i)
            pose.leaf_boxes[i] = collision::transformed(placed[i], recording.link.box);
    };
    workload.find_pairs = [&recording, &mask](int, const collision::RefitMethod& method, const collision::BodyPose&,
                                              const collision::BodyBoxes& boxes,
                                              std::vector<collision::BonePair>& pairs,
                                              collision::CollideCounts& counts) {
        collision::find_self_candidates(method, recording.body, mask, boxes, 0.0F, pairs, counts);
    };
    workload.touch = [&recording](int frame, const collision::BodyPose&, collision::BonePair pair) {
        return links_touch(recording, frame, pair.bone_a, pair.bone_b);
    };
    return workload;
}

ChainRecording record(const ChainTable& table, int frames, float joint_gap) {
    // As in the paper, dented links move like convex links of the same length: only the link's shape differs.
    ChainSettings settings = table.settings;
    settings.frames = frames;
    settings.joint_gap = joint_gap;
    settings.shape = LinkShape::convex;
    ChainRecording recording = simulate_chains(settings);
    recording.link = make_chain_link(table.settings.shape, table.settings.aspect, joint_gap);
    return recording;
}

BenchResult bench_chains(const BenchOptions& options) {
    const int frames = options.frames > 0 ? options.frames : options.quick ? 2000 : 10'000;
    const int rounds = 5;
    BenchResult result;
    std::vector<Lines> all;
    Progress progress;
    for (const ChainTable& table : kTables) {
        progress.show("chains: " + std::string(table.title) + ", " + std::to_string(frames) + " frames");
        const ChainRecording recording = record(table, frames, table.settings.joint_gap);
        const collision::PairMask mask(recording.body);
        begin_part(result, "Table " + std::to_string(all.size() + 1) + ": " + std::string(table.title),
                   text("gap at a joint: %.1f half-thicknesses", double{table.settings.joint_gap}));
        const Lines lines = measure(workload_of(table, recording, mask), rounds);
        add_table(result, std::string(table.title), frames, lines, table.published);
        add_budgets(result, std::string(table.title), frames, line_of(lines, "cab"));
        draw_times(result, options, std::string(table.figure) + "_times", std::string(table.title), frames, lines);
        if (!options.figures.empty()) draw_chains(result, options, table, recording);
        all.push_back(lines);
    }
    begin_part(result, "Tables 1 to 4", "claims at the gaps above; those that a gap can turn are in the last part");
    add_claims(result, all);
    if (!options.figures.empty()) draw_chain_links(result, options);
    begin_part(result, "The hierarchy", "figure 1a: rigid links are leaves, each box above joins two at a joint");
    show_hierarchy(options, result);
    begin_part(result, "Equations 1 to 4",
               "every box that CAB makes, beside the equations evaluated in double from the boxes of its children");
    compare_merges(options, result);
    begin_part(result, "One joint", "axes and volumes of merges against the angle between two links");
    bend_one_joint(options, result);
    begin_part(result, "Two chains, apart and braided", "false positives over distance, and updating boxes on demand");
    survey_braid(options, result);
    begin_part(result, "Culling and the gap at the joints",
               "how many candidate pairs axis-aligned and oriented boxes return depends on how far links stand apart "
               "at a joint; so do whole frames");
    race_gaps(options, result);
    std::string touches, published;
    for (std::size_t t = 0; t < all.size(); ++t) {
        const PublishedLine& brute = kTables[t].published.front();
        touches += (t == 0 ? "" : ", ") + text("%.0f", 1e4 * static_cast<double>(all[t].front().touching) / frames);
        published += (t == 0 ? "" : ", ") + std::to_string(brute.coll - brute.false_positives);
    }
    result.notes.push_back(
        "The paper's times are of a Pentium 4 at 1.8 GHz: compare ratios, not seconds. Its motion is not published. "
        "Ours "
        "was steered towards as many touching pairs, so their number is no evidence: " +
        touches + " in 10,000 frames beside the paper's " + published +
        ". The dented links move as the convex ones do: what a convex link just touches a dented one misses.");
    return result;
}

}  // namespace glovebox::vr
