// Two chains, apart and braided: candidate pairs of each kind of box over the distance, and the savings of updating
// boxes on demand [Schmidl04, sec. 2; Larsson and Akenine-Moller 2001].
#include <array>

#include "collision/query/collide.h"
#include "vr/bench/chains.h"
#include "vr/bench/measure.h"
#include "vr/bench/plot.h"

namespace glovebox::vr {
namespace {

using collision::Aabb;

struct Box {
    const char* name;
    bool oriented;
    bool of_vertices;
};
constexpr std::array kBoxes = {Box{"CAB", true, false}, Box{"AABB*", false, false}, Box{"AABB+", false, true}};

constexpr double kBin = 0.5;  // in units of a link's half thickness
constexpr std::size_t kBins = 10;

// Measures the share of overlapping boxes among pairs of links of different chains, by the distance of their surfaces.
void false_positives(const BenchOptions& options, BenchResult& result, const ChainTable& table,
                     const ChainRecording& recording) {
    const double half_thickness_m = double{recording.link.half_length_m / table.settings.aspect};
    std::array<std::array<double, kBins>, kBoxes.size()> returned{};
    std::array<double, kBins> all{};
    collision::BodyPose pose;
    for (std::size_t frame = 0; frame < recording.world_from_link.size(); frame += 10) {
        pose_chains(recording, static_cast<int>(frame), pose);
        std::array<Aabb, kChainLinkCount> star, plus;
        for (std::size_t i = 0; i < star.size(); ++i) {
            star[i] = collision::aabb_of(pose.leaf_boxes[i]);
            plus[i] = collision::aabb_of(pose.shapes[i]);
        }
        for (std::size_t a = 0; a < kLinksPerChain; ++a)
            for (std::size_t b = kLinksPerChain; b < kChainLinkCount; ++b) {
                collision::Contact contact;
                collision::CollideCounts counts;
                const auto reach_m = static_cast<float>(kBin * kBins * half_thickness_m);
                if (!collision::closest(pose.shapes[a], pose.shapes[b], reach_m, contact, counts)) continue;
                const double bins = double{contact.distance_m} / (kBin * half_thickness_m);
                if (bins < 0.0 || bins >= double{kBins}) continue;
                const auto bin = static_cast<std::size_t>(bins);
                all[bin] += 1.0;
                const std::array overlaps = {collision::overlap(pose.leaf_boxes[a], pose.leaf_boxes[b]),
                                             collision::overlap(star[a], star[b]),
                                             collision::overlap(plus[a], plus[b])};
                for (std::size_t k = 0; k < kBoxes.size(); ++k) returned[k][bin] += overlaps[k] ? 1.0 : 0.0;
            }
    }
    Plot figure =
        plot_of("chains_false_positives", "Candidate pairs of links that do not touch: " + std::string(table.title),
                "distance of the surfaces, halves of a link's thickness", "share returned as candidates");
    std::array<double, kBoxes.size()> sums{};
    double pairs = 0.0;
    for (std::size_t bin = 0; bin < kBins; ++bin) {
        if (all[bin] == 0.0) continue;
        nlohmann::ordered_json row = {{"distance, half-thicknesses", kBin * static_cast<double>(bin)},
                                      {"pairs", static_cast<std::int64_t>(all[bin])}};
        for (std::size_t k = 0; k < kBoxes.size(); ++k) {
            const double share = returned[k][bin] / all[bin];
            row[std::string(kBoxes[k].name) + " candidates"] = share;
            add_point(figure, kBoxes[k].name, kBin * (static_cast<double>(bin) + 0.5), share);
            if (bin >= 2) sums[k] += returned[k][bin];
        }
        if (bin >= 2) pairs += all[bin];
        result.rows.push_back(std::move(row));
    }
    draw_if_requested(result, options, figure);
    result.claims.push_back(judge(
        {"in the braid AABBs overlap although the links are apart: share of the pairs at one to five "
         "half-thicknesses that AABB* returns as candidates",
         "\"all boxes engaged in overlap\"", at_least(50, " %")},
        exact(pairs > 0.0 ? 100.0 * sums[1] / pairs : std::nan("")), text("CAB %.3g %%", 100.0 * sums[0] / pairs)));
}

void descend(const collision::ArticulatedBody& body, const std::vector<Aabb>& boxes, std::int32_t a, std::int32_t b,
             std::vector<std::uint8_t>& tested) {
    tested[static_cast<std::size_t>(a)] = tested[static_cast<std::size_t>(b)] = 1;
    if (!collision::overlap(boxes[static_cast<std::size_t>(a)], boxes[static_cast<std::size_t>(b)])) return;
    const bool leaf_a = a < body.bone_count(), leaf_b = b < body.bone_count();
    if (leaf_a && leaf_b) return;
    const bool first = leaf_b || (!leaf_a && a >= b);
    const collision::HierarchyNode& node = body.nodes[static_cast<std::size_t>((first ? a : b) - body.bone_count())];
    for (const std::int32_t child : {node.child_a, node.child_b})
        first ? descend(body, boxes, child, b, tested) : descend(body, boxes, a, child, tested);
}

// Measures the share of inner boxes that the traversal visits when two chains are tested against each other. Updating
// on demand can save the others.
Measured on_demand(BenchResult& result, const ChainTable& table, const std::string& name,
                   const ChainRecording& recording) {
    const auto root = static_cast<std::size_t>(recording.body.node_count() - 1);
    const collision::HierarchyNode& top = recording.body.nodes[root - kChainLinkCount];
    double tested_boxes = 0.0, frames = 0.0;
    collision::BodyPose pose;
    collision::BodyBoxes boxes;
    for (std::size_t frame = 0; frame < recording.world_from_link.size(); frame += 5) {
        pose_chains(recording, static_cast<int>(frame), pose);
        collision::find_refit_method("aabb")->refit(recording.body, pose, boxes);
        std::vector<std::uint8_t> tested(root + 1, 0);
        descend(recording.body, boxes.aabb, top.child_a, top.child_b, tested);
        for (std::size_t node = kChainLinkCount; node < root; ++node) tested_boxes += tested[node];
        frames += 1.0;
    }
    constexpr double kInner = 2.0 * (kLinksPerChain - 1);
    const double share = 100.0 * tested_boxes / (kInner * frames);
    result.rows.push_back({{"updating on demand", std::string(table.title)},
                           {"frames", static_cast<int>(frames)},
                           {"inner boxes looked at, %", share}});
    return exact(share, name);
}

}  // namespace

void survey_braid(const BenchOptions& options, BenchResult& result) {
    const int frames = options.frames > 0 ? options.frames : options.quick ? 600 : 6000;
    std::vector<Measured> tested;
    for (const std::size_t t : {std::size_t{0}, std::size_t{1}, std::size_t{3}}) {
        const ChainTable& table = chain_tables()[t];
        const ChainRecording recording = record(table, frames, table.settings.joint_gap);
        tested.push_back(on_demand(result, table, "table " + std::to_string(t + 1), recording));
        if (t == 3) false_positives(options, result, table, recording);
    }
    result.claims.push_back(
        judge({"in the braid all levels of AABBs have to be built on demand: inner boxes that a "
               "traversal of the two chains looks at",
               "all", at_least(90, " %")},
              tested.back(),
              text("%.3g %% and %.3g %% where the chains swing (tables 1 and 2)", tested[0].value, tested[1].value)));
}

}  // namespace glovebox::vr
