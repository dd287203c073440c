#include "collision/clips/clip_method.h"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <stdexcept>

namespace glovebox::collision::clips {
namespace {

using Node = ClipTree::Node;

// One query: two trees, a's plane brought into b's, and what was counted.
struct Query {
    const ClipTree& a;
    const ClipTree& b;
    RelativePlacement placed;
    SampleShift shift;
    double slack_m;
    ClipCounts& counts;

    Query(const ClipTree& tree_a, const ClipPlacement& placed_a, const ClipTree& tree_b, const ClipPlacement& placed_b,
          ClipCounts& counted)
        : a(tree_a), b(tree_b), placed(relative(placed_a, placed_b)), shift(), slack_m(), counts(counted) {
        if (a.clip().dt_s != b.clip().dt_s)
            throw std::invalid_argument("clips: the sample spacings differ; bring both to one with clip_from_timed()");
        if (a.fit().time_scale_m_per_s != b.fit().time_scale_m_per_s)
            throw std::invalid_argument("clips: the trees were built with different time scales");
        shift = sample_shift(placed.start_s, a.clip().dt_s);
        // Bringing a point into b's plane rounds by a few units in the last place of the largest number involved.
        slack_m = 32.0 * std::numeric_limits<double>::epsilon() *
                  (placed.offset_m.cwiseAbs().maxCoeff() + a.reach_m() + b.reach_m());
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
        // Offsets are rounded to whole samples where they are nearly so: a billionth of a sample of slack in time.
        const double slack =
            slack_m + scale * (2e-9 * a.clip().dt_s + 8.0 * std::numeric_limits<double>::epsilon() *
                                                          (std::abs(placed.start_s) + a.clip().duration_s()));
        return overlap(transformed(placed.b_from_a, offset, a.space_time_box(na)), b.space_time_box(nb), slack);
    }

    // Every sample of [a_first, a_end) against the samples of [b_first, b_end) on at the same time.
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
        // A leaf against a tree: the paper descends the tree by time alone, until it holds the leaf's own samples. The
        // samples on at the same time are known by their numbers, so we go to them at once.
        if (na.leaf() || nb.leaf()) return samples_collide(na.first, na.end, nb.first, nb.end);
        const Node& a0 = (&na)[1];
        const Node& b0 = (&nb)[1];
        const Node& a1 = a.nodes()[static_cast<std::size_t>(na.second)];
        const Node& b1 = b.nodes()[static_cast<std::size_t>(nb.second)];
        return nodes_collide(a0, b0) || nodes_collide(a1, b1) || nodes_collide(a0, b1) || nodes_collide(a1, b0);
    }
};

std::int64_t floor_divided(std::int64_t value, std::int64_t by) {
    return value >= 0 ? value / by : -((by - 1 - value) / by);
}

// The wide tree below the roots: level by level, runs of boxes that share time against each other.
struct WideSearch {
    Query& query;
    WidePlacement placed;

    explicit WideSearch(Query& asked) : query(asked) {
        const Eigen::Matrix2d& turn = asked.placed.b_from_a;
        const double size_m = asked.placed.offset_m.cwiseAbs().maxCoeff() + asked.a.reach_m() + asked.b.reach_m();
        placed = {static_cast<float>(turn(0, 0)), static_cast<float>(turn(1, 0)),
                  static_cast<float>(asked.placed.offset_m.x()), static_cast<float>(asked.placed.offset_m.y()),
                  static_cast<float>(64.0 * double{std::numeric_limits<float>::epsilon()} * size_m)};
    }

    // Boxes [a_first, a_end) of a level of a against [b_first, b_end) of the same level of b.
    bool boxes_collide(std::size_t level, std::int64_t a_first, std::int64_t a_end, std::int64_t b_first,
                       std::int64_t b_end) {
        const WideBoxes& a = query.a.wide_levels()[level];
        const WideBoxes& b = query.b.wide_levels()[level];
        a_end = std::min(a_end, a.count);
        b_end = std::min(b_end, b.count);
        // Sample i meets i + first .. i + last: box i of a meets boxes i + d and perhaps i + d + 1 of b, never a third.
        const std::int64_t d = floor_divided(query.shift.first, a.stretch);
        const bool two = floor_divided(query.shift.last + a.stretch - 1, a.stretch) > d;
        const std::int64_t begin = std::max(a_first, b_first - d - (two ? 1 : 0)), end = std::min(a_end, b_end - d);
        for (std::int64_t run = begin; run < end; run += kWideFan) {
            const std::int64_t count = std::min(kWideFan, end - run);
            WideBits same, next;
            may_meet(a, run, b, run + d, count, placed, same, next);
            query.counts.tests_2d += two ? 2 * count : count;
            for (std::int64_t k = 0; k < count; k += 16) {
                const std::uint32_t there = count - k < 16 ? (1U << (count - k)) - 1 : 0xffffU;
                const auto word = static_cast<std::size_t>(k / 16);
                for (std::uint32_t met = same[word] & there; met != 0; met &= met - 1)
                    if (inside_collides(level, run + k + std::countr_zero(met), d, b_first, b_end)) return true;
                if (!two) continue;
                for (std::uint32_t met = next[word] & there; met != 0; met &= met - 1)
                    if (inside_collides(level, run + k + std::countr_zero(met), d + 1, b_first, b_end)) return true;
            }
        }
        return false;
    }

    bool inside_collides(std::size_t level, std::int64_t i, std::int64_t d, std::int64_t b_first, std::int64_t b_end) {
        const std::int64_t j = i + d;
        if (j < b_first || j >= b_end) return false;
        if (level > 0)
            return boxes_collide(level - 1, i * kWideFan, (i + 1) * kWideFan, j * kWideFan, (j + 1) * kWideFan);
        const auto samples_a = static_cast<std::int64_t>(query.a.clip().samples.size());
        const auto samples_b = static_cast<std::int64_t>(query.b.clip().samples.size());
        return samples_collide(i * kWideLeaf, std::min((i + 1) * kWideLeaf, samples_a), j * kWideLeaf,
                               std::min((j + 1) * kWideLeaf, samples_b));
    }

    // The same as the query's own, by the register where both samples of b that a sample meets are in range.
    bool samples_collide(std::int64_t a_first, std::int64_t a_end, std::int64_t b_first, std::int64_t b_end) {
        const SampleShift& shift = query.shift;
        const std::int64_t begin = std::max(a_first, b_first - shift.first), end = std::min(a_end, b_end - shift.last);
        if (end - begin < 8) return query.samples_collide(a_first, a_end, b_first, b_end);
        const bool two = shift.last > shift.first;
        ++query.counts.leaf_tests;
        query.counts.sample_tests += (two ? 2 : 1) * (end - begin);
        if (any_collide(&query.a.clip().samples[static_cast<std::size_t>(begin)],
                        &query.b.clip().samples[static_cast<std::size_t>(begin + shift.first)], end - begin, two,
                        query.placed))
            return true;
        // At either end one sample of a may meet but one of b.
        return two && ((begin > a_first && edge_collides(begin - 1, b_first, b_end)) ||
                       (end < a_end && edge_collides(end, b_first, b_end)));
    }

    bool edge_collides(std::int64_t i, std::int64_t b_first, std::int64_t b_end) {
        return query.samples_collide(i, i + 1, b_first, b_end);
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
    // A few samples are sooner compared than boxed: two seconds of motion are better off with one level.
    constexpr std::int64_t kFewSamples = 64;
    const std::int64_t shared = std::min<std::int64_t>(root_a.end, root_b.end - query.shift.first) -
                                std::max<std::int64_t>(0, -query.shift.last);
    if (shared <= kFewSamples) {
        const bool hit = WideSearch(query).samples_collide(0, root_a.end, 0, root_b.end);
        if (hit) ++counts.hits;
        return hit;
    }
    // The highest level at which neither clip is a single box, for the roots have been tested; the lowest otherwise.
    const std::size_t levels = std::min(a.wide_levels().size(), b.wide_levels().size());
    const std::size_t level = levels > 1 ? levels - 2 : 0;
    WideSearch search(query);
    const bool hit = search.boxes_collide(level, 0, a.wide_levels()[level].count, 0, b.wide_levels()[level].count);
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
    {"mobb-wide", "rectangles, a hundred children a node, tested together", build<flat, flat, false, true>,
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
