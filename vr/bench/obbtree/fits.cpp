// The alternative to covariance on slide 11, the exact minimal enclosing box, and how much larger other fits are.
#include <algorithm>
#include <array>

#include "collision/survey/fit/fitters.h"
#include "collision/survey/fit/smallest_box.h"
#include "vr/bench/measure.h"
#include "vr/bench/obbtree/sections.h"
#include "vr/bench/obbtree/volume_tree.h"

namespace glovebox::vr {
namespace {

using collision::Random;

// Returns points on an ellipsoid, so that every point is a corner of the hull.
std::vector<Eigen::Vector3f> random_points(Random& random, int count) {
    const Eigen::Matrix3f turn = random_rotation(random);
    std::vector<Eigen::Vector3f> points_m;
    for (int i = 0; i < count; ++i)
        points_m.emplace_back(turn * Eigen::Vector3f(1.5F, 1.0F, 0.5F).cwiseProduct(random_rotation(random).col(0)));
    return points_m;
}

}  // namespace

void obbtree_fits(const BenchOptions& options, BenchResult& result) {
    constexpr int kPoints = 10;
    const int clouds = options.quick ? 10 : 50;
    Random random(14);
    std::vector<std::vector<Eigen::Vector3f>> points_m;
    for (int i = 0; i < clouds; ++i) points_m.push_back(random_points(random, kPoints));

    std::vector<double> min_m3, smallest_us;
    for (const auto& cloud : points_m) {
        double volume_m3 = 0.0;
        smallest_us.push_back(1e6 *
                              thread_seconds([&] { volume_m3 = double{collision::smallest_box(cloud).volume_m3()}; }));
        min_m3.push_back(volume_m3);
    }
    const auto add_row = [&](std::string_view fitter, const std::vector<double>& ratios,
                             const std::vector<double>& us) {
        const auto [low, high] = std::ranges::minmax(ratios);
        result.rows.push_back({{"fit of ten points", fitter},
                               {"clouds", ratios.size()},
                               {"volume over the smallest, median", median(ratios)},
                               {"least", low},
                               {"most", high},
                               {"us", median(us)}});
    };
    add_row("smallest box", std::vector<double>(points_m.size(), 1.0), smallest_us);
    double min_ratio = 1e9;
    // For fitters that weight by area, each point and the next two form a triangle.
    std::vector<std::array<std::int32_t, 3>> triangles;
    for (std::int32_t i = 0; i < kPoints; ++i) triangles.push_back({i, (i + 1) % kPoints, (i + 2) % kPoints});
    for (const collision::Fitter& fitter : collision::fitters()) {
        std::vector<double> ratios, us;
        for (std::size_t i = 0; i < points_m.size(); ++i) {
            collision::PointSet points;
            points.assign(points_m[i]);
            double volume_m3 = 0.0;
            us.push_back(1e6 * thread_seconds([&] {
                             volume_m3 = double{fitter.fit({points, points_m[i], triangles, 1}).box.volume_m3()};
                         }));
            ratios.push_back(volume_m3 / min_m3[i]);
            min_ratio = std::min(min_ratio, ratios.back());
        }
        add_row(fitter.name, ratios, us);
    }

    std::vector<std::pair<double, double>> growth;
    for (const int count : {12, 16, 24, 32}) {
        const auto cloud = random_points(random, count);
        const double took_s = thread_seconds([&] { collision::smallest_box(cloud); });
        growth.emplace_back(count, took_s);
        result.rows.push_back({{"smallest box of points", count}, {"ms", 1e3 * took_s}});
    }
    result.claims.push_back(
        judge({"no fitter's box has less volume than the smallest box: the least of all, over its volume",
               "it is minimal", at_least(0.999, "x")},
              exact(min_ratio)));
    result.claims.push_back(judge({"the minimal enclosing box takes time that grows with the cube of the points "
                                   "(slide 11): exponent",
                                   "O(n^3)", between(2.5, 3.5)},
                                  exponent_of(growth)));
}

}  // namespace glovebox::vr
