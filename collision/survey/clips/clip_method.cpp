#include "collision/survey/clips/clip_method.h"

#include <algorithm>
#include <array>
#include <limits>
#include <stdexcept>

namespace glovebox::collision::clips {
namespace {

using Node = ClipTree::Node;

// One query: two trees, a's placement in b's plane, and the counters.
struct Query {
    const ClipTree& a;
    const ClipTree& b;
    RelativePlacement placed;
    SampleShift shift;
    double size_m, slack_m;  // bound of all coordinates; its rounding error
    ClipCounts& counts;

    Query(const ClipTree& tree_a, const ClipPlacement& placed_a, const ClipTree& tree_b, const ClipPlacement& placed_b,
          ClipCounts& counted)
        : a(tree_a), b(tree_b), placed(relative(placed_a, placed_b)), shift(), size_m(), slack_m(), counts(counted) {
        if (a.clip().dt_s != b.clip().dt_s)
            throw std::invalid_argument("clips: the sample spacings differ; bring both to one with clip_from_timed()");
        if (a.fit().time_scale_m_per_s != b.fit().time_scale_m_per_s)
            throw std::invalid_argument("clips: the trees were built with different time scales");
        shift = sample_shift(placed.start_s, a.clip().dt_s);
        // Transforming a point into b's plane rounds by a few units in the last place of the largest number involved.
        size_m = placed.offset_m.cwiseAbs().maxCoeff() + a.reach_m() + b.reach_m();
        slack_m = 32.0 * std::numeric_limits<double>::epsilon() * size_m;
        ++counts.queries;
    }

    bool share_time(const Node& na, const Node& nb) {
        ++counts.time_tests;
        if (shift.share_time(na.first, na.end, nb.first, nb.end)) return true;
        ++counts.apart_in_time;
        return false;
    }

    bool boxes_overlap(const Node& na, const Node& nb) {
        const bool meet = na.tilted < 0 && nb.tilted < 0 ? flat_overlap(na, nb) : tilted_overlap(na, nb);
        if (!meet) ++counts.apart_in_space;
        return meet;
    }

    bool flat_overlap(const Node& na, const Node& nb) {
        ++counts.tests_2d;
        return overlap(transformed(placed.b_from_a, placed.offset_m, na.flat), nb.flat, slack_m);
    }

    bool tilted_overlap(const Node& na, const Node& nb) {
        ++counts.tests_3d;
        const double scale = a.fit().time_scale_m_per_s;
        const Eigen::Vector3d offset(placed.offset_m.x(), placed.offset_m.y(), placed.start_s * scale);
        // Nearly whole offsets are rounded to whole samples, so time needs a slack of a billionth of a sample.
        const double slack =
            slack_m + scale * (2e-9 * a.clip().dt_s + 8.0 * std::numeric_limits<double>::epsilon() *
                                                          (std::abs(placed.start_s) + a.clip().duration_s()));
        return overlap(transformed(placed.b_from_a, offset, a.space_time_box(na)), b.space_time_box(nb), slack);
    }

    // Tests every sample of [a_first, a_end) against the samples of [b_first, b_end) that are valid at the same time.
    bool samples_collide(std::int64_t a_first, std::int64_t a_end, std::int64_t b_first, std::int64_t b_end) {
        ++counts.leaf_tests;
        const std::int64_t begin = std::max(a_first, b_first - shift.last);
        const std::int64_t end = std::min(a_end, b_end - shift.first);
        for (std::int64_t i = begin; i < end; ++i) {
            const ClipSample& sample = a.clip().samples[static_cast<std::size_t>(i)];
            const Eigen::Vector2d at_m = placed.b_from_a * sample.center_m + placed.offset_m;
            const std::int64_t last = std::min(i + shift.last, b_end - 1);
            for (std::int64_t j = std::max(i + shift.first, b_first); j <= last; ++j) {
                ++counts.sample_tests;
                if (discs_collide(at_m, sample.radius_m, b.clip().samples[static_cast<std::size_t>(j)])) return true;
            }
        }
        return false;
    }

    bool nodes_collide(const Node& na, const Node& nb) {
        if (!share_time(na, nb) || !boxes_overlap(na, nb)) return false;
        // A leaf against a tree: the paper descends the tree by time alone, down to the leaf's own samples. The indices
        // of the simultaneous samples are known, so this code goes to them at once.
        if (na.leaf() || nb.leaf()) return samples_collide(na.first, na.end, nb.first, nb.end);
        const Node& a0 = (&na)[1];
        const Node& b0 = (&nb)[1];
        const Node& a1 = a.nodes()[static_cast<std::size_t>(na.second)];
        const Node& b1 = b.nodes()[static_cast<std::size_t>(nb.second)];
        return nodes_collide(a0, b0) || nodes_collide(a1, b1) || nodes_collide(a0, b1) || nodes_collide(a1, b0);
    }
};

bool collide_wide(const ClipTree& a, const ClipPlacement& placed_a, const ClipTree& b, const ClipPlacement& placed_b,
                  ClipCounts& counts) {
    Query query(a, placed_a, b, placed_b, counts);
    const Node& root_a = a.nodes().front();
    const Node& root_b = b.nodes().front();
    if (!query.share_time(root_a, root_b) || !query.boxes_overlap(root_a, root_b)) {
        ++counts.decided_at_root;
        return false;
    }
    WideCounts wide;
    const bool hit = wide_collide(a.wide(), b.wide(), query.placed, query.shift, query.size_m, wide);
    counts.tests_2d += wide.discs;
    counts.sample_tests += wide.samples;
    counts.leaf_tests += wide.leaves;
    if (hit) ++counts.hits;
    return hit;
}

bool collide_trees(const ClipTree& a, const ClipPlacement& placed_a, const ClipTree& b, const ClipPlacement& placed_b,
                   ClipCounts& counts) {
    Query query(a, placed_a, b, placed_b, counts);
    const std::int64_t leaf_tests = counts.leaf_tests, tests = counts.time_tests;
    const bool hit = query.nodes_collide(a.nodes().front(), b.nodes().front());
    if (hit) ++counts.hits;
    if (counts.leaf_tests == leaf_tests && counts.time_tests == tests + 1) ++counts.decided_at_root;
    return hit;
}

bool collide_samples(const ClipTree& a, const ClipPlacement& placed_a, const ClipTree& b, const ClipPlacement& placed_b,
                     ClipCounts& counts) {
    Query query(a, placed_a, b, placed_b, counts);
    const bool hit = query.samples_collide(0, static_cast<std::int64_t>(a.clip().samples.size()), 0,
                                           static_cast<std::int64_t>(b.clip().samples.size()));
    if (hit) ++counts.hits;
    return hit;
}

template <NodeKind kRoot, NodeKind kBelow, bool kOneLevel, bool kWide = false>
ClipTree build(Clip clip, const ClipFit& fit) {
    return ClipTree::build(std::move(clip), {kRoot, kBelow, kOneLevel, kWide}, fit);
}

using enum NodeKind;
constexpr std::array<ClipMethod, 8> kMethods = {{
    {"mobb", "rectangles that last: cheap tests, loose fit", build<flat, flat, false>, collide_trees},
    {"umobb", "boxes tilted into time: tight fit, dear tests", build<tilted, tilted, false>, collide_trees},
    {"hybrid1", "rectangle at the root, tilted boxes below", build<flat, tilted, false>, collide_trees},
    {"hybrid2", "tilted box at the root, rectangles below", build<tilted, flat, false>, collide_trees},
    {"mobb-1", "one rectangle for the whole clip, then samples", build<flat, flat, true>, collide_trees},
    {"umobb-1", "one tilted box for the whole clip, then samples", build<tilted, tilted, true>, collide_trees},
    {"mobb-wide", "a rectangle at the root, then discs, tested with SIMD", build<flat, flat, false, true>,
     collide_wide},
    {"brute", "every pair of samples that share an instant", build<none, none, true>, collide_samples},
}};

}  // namespace

std::span<const ClipMethod> clip_methods() {
    return kMethods;
}

const ClipMethod* find_clip_method(std::string_view name) {
    const auto row = std::ranges::find(kMethods, name, &ClipMethod::name);
    return row == kMethods.end() ? nullptr : &*row;
}

}  // namespace glovebox::collision::clips
