#include "vr/bench/clip_equation.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "collision/survey/clips/clip_method.h"
#include "collision/survey/clips/walks.h"

namespace glovebox::vr {
namespace {

namespace clips = collision::clips;
using clips::Clip;
using clips::ClipPlacement;
using clips::ClipQuery;
using clips::ClipSample;
using clips::ClipTree;

// A clip as a function of global time, with its beginning and end.
struct Motion {
    const Clip& clip;
    const ClipPlacement& placed;

    double end_s() const { return placed.start_s + clip.duration_s(); }
    // The sample from the time closest to but below t_s.
    std::size_t sample_at(double t_s) const {
        const double index = std::floor((t_s - placed.start_s) / clip.dt_s);
        return static_cast<std::size_t>(std::clamp(index, 0.0, static_cast<double>(clip.samples.size() - 1)));
    }
    Eigen::Vector2d held_m(double t_s) const { return placed * clip.samples[sample_at(t_s)].center_m; }
    // At `t_s` in the interval of sample i, on the line to the next sample.
    Eigen::Vector2d interpolated_m(std::size_t i, double t_s) const {
        const Eigen::Vector2d from_m = clip.samples[i].center_m,
                              to_m = clip.samples[std::min(i + 1, clip.samples.size() - 1)].center_m;
        const double share = (t_s - placed.start_s) / clip.dt_s - static_cast<double>(i);
        return placed * Eigen::Vector2d(from_m + share * (to_m - from_m));
    }
};

// The largest overlap r_a + r_b - distance, by each reading of the test; minus infinity where no time is shared.
struct Overlaps {
    double held_m = -std::numeric_limits<double>::infinity();  // equation 1, both at one instant
    double interpolated_m = held_m, cylinders_m = held_m, printed_m = held_m;
};

double least_distance_m(const Eigen::Vector2d& from_m, const Eigen::Vector2d& to_m) {
    const Eigen::Vector2d step_m = to_m - from_m;
    const double length2 = step_m.squaredNorm();
    const double share = length2 > 0.0 ? std::clamp(-from_m.dot(step_m) / length2, 0.0, 1.0) : 0.0;
    return (from_m + share * step_m).norm();
}

// Nothing changes between two successive borders of samples of either clip.
void add_instants(const Motion& a, const Motion& b, Overlaps& overlaps) {
    std::vector<double> borders_s;
    for (const Motion* motion : {&a, &b})
        for (std::size_t i = 0; i <= motion->clip.samples.size(); ++i)
            borders_s.push_back(motion->placed.start_s + motion->clip.dt_s * static_cast<double>(i));
    std::ranges::sort(borders_s);
    const double begin_s = std::max(a.placed.start_s, b.placed.start_s), end_s = std::min(a.end_s(), b.end_s());
    for (std::size_t k = 0; k + 1 < borders_s.size(); ++k) {
        const double from_s = borders_s[k], to_s = borders_s[k + 1], middle_s = 0.5 * (from_s + to_s);
        if (middle_s < begin_s || middle_s > end_s || to_s - from_s < 1e-9) continue;
        const std::size_t i = a.sample_at(middle_s), j = b.sample_at(middle_s);
        const double reach_m = a.clip.samples[i].radius_m + b.clip.samples[j].radius_m;
        overlaps.held_m = std::max(overlaps.held_m, reach_m - (a.held_m(middle_s) - b.held_m(middle_s)).norm());
        overlaps.interpolated_m =
            std::max(overlaps.interpolated_m,
                     reach_m - least_distance_m(a.interpolated_m(i, from_s) - b.interpolated_m(j, from_s),
                                                a.interpolated_m(i, to_s) - b.interpolated_m(j, to_s)));
    }
}

// Pairs of samples: cylinders that share time, and equation 1 as printed, whose two instants need not be the same.
void add_samples(const Motion& a, const Motion& b, Overlaps& overlaps) {
    const double start_s = std::max(a.placed.start_s, b.placed.start_s), dt_s = a.clip.dt_s;
    std::vector<Eigen::Vector2d> of_b_m;
    for (const ClipSample& sample : b.clip.samples) of_b_m.push_back(b.placed * sample.center_m);
    for (std::size_t i = 0; i < a.clip.samples.size(); ++i) {
        const double a_s = a.placed.start_s + dt_s * static_cast<double>(i);
        if (a_s + dt_s <= start_s + 1e-9) continue;
        const Eigen::Vector2d a_m = a.placed * a.clip.samples[i].center_m;
        for (std::size_t j = 0; j < of_b_m.size(); ++j) {
            const double b_s = b.placed.start_s + dt_s * static_cast<double>(j);
            if (b_s + dt_s <= start_s + 1e-9) continue;
            const double overlap_m = a.clip.samples[i].radius_m + b.clip.samples[j].radius_m - (a_m - of_b_m[j]).norm();
            overlaps.printed_m = std::max(overlaps.printed_m, overlap_m);
            if (a_s < b_s + dt_s - 1e-9 && b_s < a_s + dt_s - 1e-9)
                overlaps.cylinders_m = std::max(overlaps.cylinders_m, overlap_m);
        }
    }
}

// How far a sample's cylinder reaches out of a node's box, in metres or seconds.
double outside_of(const ClipTree& tree, const ClipTree::Node& node) {
    const clips::TiltedBox box = tree.space_time_box(node);
    const double per_s = tree.fit().time_scale_m_per_s, dt_s = tree.clip().dt_s;
    double outside = 0.0;
    for (std::int32_t i = node.first; i < node.end; ++i) {
        const ClipSample& sample = tree.clip().samples[static_cast<std::size_t>(i)];
        for (const double t_s : {dt_s * i, dt_s * (i + 1)})
            for (int k = 0; k < 16; ++k) {
                const double angle = std::numbers::pi / 8.0 * k;
                const Eigen::Vector3d rim(sample.center_m.x() + sample.radius_m * std::cos(angle),
                                          sample.center_m.y() + sample.radius_m * std::sin(angle), per_s * t_s);
                outside =
                    std::max(outside, ((box.axes.transpose() * (rim - box.center)).cwiseAbs() - box.half).maxCoeff());
            }
    }
    return outside;
}

struct Library {
    const char* name;
    std::vector<Clip> clips;
    std::vector<ClipQuery> queries;
};

}  // namespace

void check_clip_equation(const BenchOptions& options, BenchResult& result) {
    constexpr double kTie_m = 1e-9;  // rounding may decide nearer ones
    clips::Dice dice(8);
    std::vector<Library> libraries;
    libraries.push_back({"short clips, r 0.5 m", clips::short_clips(dice, 0.5), {}});
    libraries.back().queries =
        clips::random_queries(dice, libraries.back().clips, options.quick ? 1000 : 10000, 3.0, 0.8);
    libraries.push_back({"long clips, r 0.2 m", clips::long_clips(dice, 0.2), {}});
    libraries.back().queries =
        clips::random_queries(dice, libraries.back().clips, options.quick ? 300 : 1000, 4.0, 0.8);

    std::vector<Measured> differing, unlike_cylinders, unlike_interpolated, outside;
    for (const Library& library : libraries) {
        std::vector<std::vector<ClipTree>> trees;
        for (const clips::ClipMethod& method : clips::clip_methods()) {
            trees.emplace_back();
            for (const Clip& clip : library.clips) trees.back().push_back(method.build(clip, {}));
        }
        int judged = 0, hits = 0, differ = 0, by_cylinders = 0, by_interpolation = 0, as_printed = 0;
        for (const ClipQuery& query : library.queries) {
            const Motion a{library.clips[query.a], query.placed_a}, b{library.clips[query.b], query.placed_b};
            Overlaps overlaps;
            add_instants(a, b, overlaps);
            add_samples(a, b, overlaps);
            if (std::abs(overlaps.held_m) < kTie_m || std::abs(overlaps.interpolated_m) < kTie_m) continue;
            ++judged;
            const bool hit = overlaps.held_m > 0.0;
            hits += hit ? 1 : 0;
            by_cylinders += (overlaps.cylinders_m > 0.0) == hit ? 0 : 1;
            by_interpolation += (overlaps.interpolated_m > 0.0) == hit ? 0 : 1;
            as_printed += (overlaps.printed_m > 0.0) == hit ? 0 : 1;
            clips::ClipCounts counts;
            for (std::size_t m = 0; m < trees.size(); ++m)
                differ += clips::clip_methods()[m].collide(trees[m][query.a], query.placed_a, trees[m][query.b],
                                                           query.placed_b, counts) == hit
                              ? 0
                              : 1;
        }
        double outside_mm = 0.0;
        std::int64_t nodes = 0;
        for (std::size_t m = 0; m < trees.size(); ++m)
            if (const auto name = clips::clip_methods()[m].name; name == "mobb" || name == "umobb")
                for (const ClipTree& tree : trees[m])
                    for (const ClipTree::Node& node : tree.nodes()) {
                        outside_mm = std::max(outside_mm, 1e3 * outside_of(tree, node));
                        ++nodes;
                    }
        const double share = 100.0 / std::max(1, judged);
        result.rows.push_back({{"equation 1", library.name},
                               {"queries", judged},
                               {"collide", hits},
                               {"methods differ", differ},
                               {"cylinders differ", by_cylinders},
                               {"interpolated differ, %", share * by_interpolation},
                               {"as printed differ, %", share * as_printed},
                               {"boxes", nodes},
                               {"cylinders outside, mm", outside_mm}});
        differing.push_back(exact(differ, library.name));
        unlike_cylinders.push_back(exact(by_cylinders, library.name));
        unlike_interpolated.push_back(exact(share * by_interpolation, library.name));
        outside.push_back(exact(outside_mm, library.name));
        result.check_failed = result.check_failed || differ > 0 || by_cylinders > 0;
    }
    result.claims.push_back(judge({"clips collide as equation 1 has it, both clips at one instant: answers of all "
                                   "methods that differ",
                                   "the definition", exactly(0)},
                                  differing));
    result.claims.push_back(judge({"a collision is two cylinders of height dt that meet in space-time (section 3): "
                                   "answers that differ from equation 1",
                                   "\"equivalent\"", exactly(0)},
                                  unlike_cylinders));
    result.claims.push_back(judge({"samples are so fine that interpolation is unnecessary (section 3): answers that "
                                   "differ with interpolated positions",
                                   "\"unnecessary\"", at_most(1, " %")},
                                  unlike_interpolated));
    result.claims.push_back(judge({"each node's box contains the cylinders of its samples (figures 2, 5 and 6): most "
                                   "that one reaches out",
                                   "the definition", at_most(1e-6, " mm")},
                                  outside));
}

}  // namespace glovebox::vr
