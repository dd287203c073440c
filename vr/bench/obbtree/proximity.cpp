// Close proximity, parallel and at a point, on smooth, rippled and coarse surfaces (slides 36 to 38).
#include <array>
#include <cmath>
#include <functional>

#include "collision/survey/tree/sample_meshes.h"
#include "vr/bench/measure.h"
#include "vr/bench/obbtree/sections.h"
#include "vr/bench/obbtree/volume_tree.h"
#include "vr/bench/plot.h"

namespace glovebox::vr {
namespace {

using collision::Mesh;

// Returns the growth exponent of N_v as the gap closes, per volume. `pose_at(gap)`: pose of the second object.
std::array<Measured, kVolumes.size()> run_proximity(const BenchOptions& options, BenchResult& result,
                                                    const std::string& experiment, const std::string& file,
                                                    const std::function<std::pair<Mesh, Mesh>(double gap)>& meshes_at,
                                                    const std::function<Eigen::Isometry3f(double gap)>& pose_at,
                                                    std::array<double, kVolumes.size()>& last_tests) {
    Plot figure = plot_of(file, experiment, "gap over radius", "volume tests N_v", true);
    std::array<std::vector<std::pair<double, double>>, kVolumes.size()> points;
    std::vector<double> gaps = {0.5, 0.3, 0.2, 0.1, 0.03, 0.01, 0.003};
    if (options.quick) gaps = {0.5, 0.3, 0.2, 0.1, 0.03};
    // Below this gap, trees of aligned boxes and spheres are traversed down to the triangles, so N_v no longer grows.
    constexpr double kMinFit = 0.1;
    for (const double gap : gaps) {
        const auto [a, b] = meshes_at(gap);
        std::int64_t touching = 0;
        for (std::size_t v = 0; v < kVolumes.size(); ++v) {
            const VolumeCost cost =
                query(make_tree(a, kVolumes[v].first), make_tree(b, kVolumes[v].first), pose_at(gap));
            result.rows.push_back({{"experiment", experiment},
                                   {"gap", gap},
                                   {"volume", kVolumes[v].second},
                                   {"n_v", cost.n_v},
                                   {"n_p", cost.n_p},
                                   {"touching", cost.touching},
                                   {"ms", 1e3 * cost.seconds}});
            // Coarse waves may touch at the smallest gaps; all trees must then find the same pairs.
            if (v == 0) touching = cost.touching;
            result.check_failed = result.check_failed || cost.touching != touching;
            add_point(figure, kVolumes[v].second, gap, static_cast<double>(cost.n_v));
            if (gap >= kMinFit) points[v].emplace_back(gap, static_cast<double>(cost.n_v));
            last_tests[v] = static_cast<double>(cost.n_v);
        }
    }
    draw_if_requested(result, options, figure);
    std::array<Measured, kVolumes.size()> exponents{};
    for (std::size_t v = 0; v < kVolumes.size(); ++v) {
        const Measured power = exponent_of(points[v], kVolumes[v].second);
        exponents[v] = {power.of, -power.value, -power.high, -power.low};
    }
    return exponents;
}

// Adds waves to a sphere, about as large as the boxes on most levels: high curvature. `ripples_from_mesh` rotates the
// waves, so that two meshes with different triangles can have them at the same places.
Mesh rippled(Mesh mesh, const Eigen::Matrix3f& ripples_from_mesh) {
    constexpr float kWaves = 24.0F, kHeight = 0.05F;
    for (Eigen::Vector3f& v : mesh.vertices_m) {
        const Eigen::Vector3f at = kWaves * (ripples_from_mesh * v.normalized());
        v *= 1.0F + kHeight * std::sin(at.x()) * std::sin(at.y()) * std::sin(at.z());
    }
    return mesh;
}

}  // namespace

void obbtree_proximity(const BenchOptions& options, BenchResult& result) {
    const int rings = options.quick ? 32 : 80, sides = 2 * rings;
    Eigen::Isometry3f turned = Eigen::Isometry3f::Identity();
    turned.rotate(Eigen::AngleAxisf(0.7F, Eigen::Vector3f(1.0F, 0.6F, -0.4F).normalized()));
    std::array<double, kVolumes.size()> parallel_tests{}, point_tests{}, coarse_tests{}, curved_tests{};
    const auto parallel = run_proximity(
        options, result, "concentric spheres", "obbtree-parallel-proximity",
        [&](double gap) {
            return std::pair{collision::sphere(rings, sides, 1.0 + gap), collision::sphere(rings, sides, 1.0)};
        },
        [&](double) { return turned; }, parallel_tests);
    const auto point = run_proximity(
        options, result, "spheres side by side", "obbtree-point-proximity",
        [&](double) {
            return std::pair{collision::sphere(rings, sides, 1.0), collision::sphere(rings, sides, 1.0)};
        },
        [&](double gap) {
            Eigen::Isometry3f pose = turned;
            pose.translation() = (2.0F + static_cast<float>(gap)) * Eigen::Vector3f(0.3F, 0.8F, 0.52F).normalized();
            return pose;
        },
        point_tests);
    run_proximity(
        options, result, "concentric spheres, rippled", "obbtree-curved-proximity",
        [&](double gap) {
            return std::pair{rippled(collision::sphere(rings, sides, 1.0 + gap), Eigen::Matrix3f::Identity()),
                             rippled(collision::sphere(rings, sides, 1.0), turned.linear())};
        },
        [&](double) { return turned; }, curved_tests);
    // With few triangles, the error of the tessellation is as large as that of the boxes, so nothing converges.
    run_proximity(
        options, result, "concentric spheres, coarse", "obbtree-coarse-proximity",
        [&](double gap) {
            return std::pair{collision::sphere(8, 12, 1.1 + gap), collision::sphere(8, 12, 1.0)};
        },
        [&](double) { return turned; }, coarse_tests);
    const auto larger_by = [](const Measured& other, const Measured& obb) {
        return Measured{other.of, other.value - obb.value, other.low - obb.high, other.high - obb.low};
    };
    result.claims.push_back(judge({"in parallel close proximity OBBs need asymptotically fewer tests (slide 36): their "
                                   "exponent of the gap is smaller by",
                                   "1 (1 against 2)", at_least(0.3)},
                                  std::vector{larger_by(parallel[1], parallel[0]), larger_by(parallel[2], parallel[0])},
                                  text("N_v grows as gap^-%.3g for OBBs, gaps from 0.1 on", parallel[0].value)));
    result.claims.push_back(judge({"in parallel close proximity OBBs need several times fewer tests at the least gap",
                                   "slide 36: a plot", at_least(2, "x")},
                                  std::vector{exact(parallel_tests[1] / parallel_tests[0], "AABB"),
                                              exact(parallel_tests[2] / parallel_tests[0], "sphere")}));
    result.claims.push_back(
        judge({"in point close proximity OBBs have no asymptotic advantage (slide 37): their exponent "
               "of the gap is smaller by",
               "0", between(-0.3, 0.3)},
              larger_by(point[1], point[0]),
              text("N_v grows as gap^-%.3g for OBBs; at the least gap AABBs take %.3g times the tests", point[0].value,
                   point_tests[1] / point_tests[0])));
    // "No advantage" means an equal number of tests.
    const auto claim_no_advantage = [&](const char* claim, const std::array<double, kVolumes.size()>& tests) {
        result.claims.push_back(
            judge({claim, "no advantage: 1x the tests", at_most(1.3, "x")},
                  std::vector{exact(tests[1] / tests[0], "AABB"), exact(tests[2] / tests[0], "sphere")},
                  text("%.3g and %.3g times where it is smooth and fine", parallel_tests[1] / parallel_tests[0],
                       parallel_tests[2] / parallel_tests[0])));
    };
    claim_no_advantage("on surfaces of high curvature OBBs have no advantage at the least gap (slide 38)",
                       curved_tests);
    claim_no_advantage("with coarse tessellation OBBs have no advantage at the least gap (slide 38)", coarse_tests);
}

}  // namespace glovebox::vr
