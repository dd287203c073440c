// Tightness, diameter and aspect ratio down trees of three volumes (slides 34, 35).
#include <algorithm>
#include <cmath>

#include "collision/survey/tree/sample_meshes.h"
#include "vr/bench/measure.h"
#include "vr/bench/obbtree/sections.h"
#include "vr/bench/obbtree/volume_tree.h"
#include "vr/bench/plot.h"

namespace glovebox::vr {

void obbtree_tightness(const BenchOptions& options, BenchResult& result) {
    const collision::Mesh mesh = collision::sphere(options.quick ? 48 : 128, options.quick ? 96 : 256, 1.0);
    Plot tightness = plot_of("obbtree-tightness", "Tightness against diameter, down trees over a sphere",
                             "mean diameter, m", "mean tightness, m", true);
    Plot aspect = plot_of("obbtree-aspect", "Aspect ratio down trees over a sphere", "mean diameter, m",
                          "thickness over length", true);
    std::array<double, 3> slopes{}, flatter{};
    for (std::size_t v = 0; v < kVolumes.size(); ++v) {
        const VolumeTree tree = make_tree(mesh, kVolumes[v].first);
        std::vector<int> depth(tree.tree.nodes.size(), 0);
        struct Level {
            double tightness = 0.0, diameter = 0.0, aspect = 0.0;
            int nodes = 0;
        };
        std::vector<Level> levels;
        for (std::size_t i = 0; i < tree.tree.nodes.size(); ++i) {
            const auto& node = tree.tree.nodes[i];
            if (node.count == 0)
                depth[static_cast<std::size_t>(node.first)] = depth[static_cast<std::size_t>(node.first) + 1] =
                    depth[i] + 1;
            levels.resize(std::max(levels.size(), static_cast<std::size_t>(depth[i]) + 1));
            Level& level = levels[static_cast<std::size_t>(depth[i])];
            ++level.nodes;
            // How far any point of the volume is from the unit sphere, which is the surface but for the tessellation.
            if (tree.volume == Volume::sphere) {
                const Ball& ball = tree.balls[i];
                const double at = double{ball.center_m.norm()}, r = double{ball.radius_m};
                level.tightness += std::max(at + r - 1.0, 1.0 - std::max(0.0, at - r));
                level.diameter += 2.0 * r;
                level.aspect += 1.0;
            } else {
                const Eigen::Vector3f center = node.box.axes.transpose() * node.box.center_m;
                const double furthest = double{(center.cwiseAbs() + node.box.half_m).norm()};
                const double nearest = double{(center.cwiseAbs() - node.box.half_m).cwiseMax(0.0F).norm()};
                level.tightness += std::max(furthest - 1.0, 1.0 - nearest);
                level.diameter += 2.0 * double{node.box.half_m.norm()};
                level.aspect +=
                    double{node.box.half_m.minCoeff()} / std::max(1e-12, double{node.box.half_m.maxCoeff()});
            }
        }
        std::vector<std::pair<double, double>> points, aspects;
        for (std::size_t l = 0; l < levels.size(); ++l) {
            const double n = levels[l].nodes;
            if (levels[l].nodes < (1 << l) / 2) break;  // ragged levels near the leaves say nothing
            const double d = levels[l].diameter / n, t = levels[l].tightness / n;
            result.rows.push_back({{"volume", kVolumes[v].second},
                                   {"level", l},
                                   {"nodes", levels[l].nodes},
                                   {"diameter_m", d},
                                   {"tightness_m", t},
                                   {"aspect", levels[l].aspect / n}});
            add_point(tightness, kVolumes[v].second, d, t);
            add_point(aspect, kVolumes[v].second, d, levels[l].aspect / n);
            // From where boxes are small against the sphere to where they are large against a triangle.
            if (l >= 5 && levels[l].nodes * 64 < static_cast<int>(mesh.triangles.size())) {
                points.emplace_back(d, t);
                aspects.emplace_back(d, levels[l].aspect / n);
            }
        }
        slopes[v] = power_of(points);
        flatter[v] = power_of(aspects);
    }
    // Lines of the two powers through what the volumes have in common: a sphere's diameter away at its own size.
    for (const auto& [label, power] : {std::pair{"diameter^2 / 4", 2.0}, std::pair{"diameter / 2", 1.0}}) {
        for (const double d : {0.03, 2.0}) add_point(tightness, label, d, std::pow(0.5 * d, power));
        tightness.styles.emplace_back(label, Plot::Style::strokes);
    }
    result.claims.push_back(judge(
        {"OBBs' tightness falls with the square of their diameter (slides 34, 35): exponent", "2", between(1.7, 2.3)},
        exact(slopes[0])));
    result.claims.push_back(
        judge({"AABBs' and spheres' tightness falls in proportion to their diameter (slides 34, 35): exponents", "1",
               between(0.7, 1.3)},
              std::vector{exact(slopes[1], "AABB"), exact(slopes[2], "sphere")}));
    result.claims.push_back(
        judge({"OBBs get flatter in proportion to their diameter (slides 34, 35): exponent of their "
               "aspect ratio",
               "1", between(0.7, 1.3)},
              exact(flatter[0])));
    result.claims.push_back(
        judge({"AABBs keep their shape (slides 34, 35): exponent of their aspect ratio", "0", between(-0.3, 0.3)},
              exact(flatter[1])));
    draw_if_asked(result, options, tightness);
    draw_if_asked(result, options, aspect);
}

}  // namespace glovebox::vr
