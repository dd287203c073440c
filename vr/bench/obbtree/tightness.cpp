// Tightness, diameter and aspect ratio down trees of three volumes (slides 33 to 35).
//
// Two definitions of tightness give different results. The slides use the Hausdorff distance from a volume to the
// geometry that it covers (slide 33): the largest distance of a point of the volume to its triangles. Measured to the
// whole surface, here the ideal sphere, corners of a box beyond its triangles are near, so the distance falls faster.
#include <algorithm>
#include <limits>

#include "collision/mesh/tree_query.h"
#include "collision/query/triangle.h"
#include "collision/survey/tree/sample_meshes.h"
#include "vr/bench/obbtree/sections.h"
#include "vr/bench/obbtree/volume_tree.h"
#include "vr/bench/plot.h"

namespace glovebox::vr {
namespace {

using Eigen::Vector3f;

// Returns sample points of the volume for its largest distance to the covered triangles: a box's corners, the centres
// of its edges and faces, and its centre; for a sphere the points in the same directions.
std::vector<Vector3f> probes(const VolumeTree& tree, std::size_t node) {
    std::vector<Vector3f> points;
    for (int x = -1; x <= 1; ++x)
        for (int y = -1; y <= 1; ++y)
            for (int z = -1; z <= 1; ++z) {
                const Vector3f way(static_cast<float>(x), static_cast<float>(y), static_cast<float>(z));
                if (tree.volume == Volume::sphere)
                    points.push_back(tree.balls[node].center_m + tree.balls[node].radius_m * way.normalized());
                else
                    points.push_back(tree.tree.nodes[node].box.center_m +
                                     tree.tree.nodes[node].box.axes *
                                         tree.tree.nodes[node].box.half_m.cwiseProduct(way));
            }
    return points;
}

// Returns the triangles below each node, as a range of the tree's order.
std::vector<std::pair<std::int32_t, std::int32_t>> ranges_of(const collision::BoxTree& tree) {
    std::vector<std::pair<std::int32_t, std::int32_t>> ranges(tree.nodes.size());
    for (std::size_t i = tree.nodes.size(); i-- > 0;) {
        const auto& node = tree.nodes[i];
        const auto child = static_cast<std::size_t>(node.first);
        ranges[i] = node.count > 0 ? std::pair{node.first, node.first + node.count}
                                   : std::pair{std::min(ranges[child].first, ranges[child + 1].first),
                                               std::max(ranges[child].second, ranges[child + 1].second)};
    }
    return ranges;
}

double hausdorff_m(const VolumeTree& tree, std::size_t node, std::pair<std::int32_t, std::int32_t> range) {
    double furthest = 0.0;
    for (const Vector3f& probe : probes(tree, node)) {
        const Eigen::Vector3d point = probe.cast<double>();
        double nearest = std::numeric_limits<double>::infinity();
        // A point that is nearer than the farthest so far cannot be the farthest.
        for (std::int32_t k = range.first; k < range.second && nearest > furthest; ++k) {
            const collision::Triangle triangle =
                collision::triangle_of(tree.mesh, tree.tree.order[static_cast<std::size_t>(k)]);
            nearest = std::min(nearest, (collision::closest_on_triangle(point, triangle).point - point).norm());
        }
        if (range.first < range.second) furthest = std::max(furthest, nearest);
    }
    return furthest;
}

// Returns the largest distance of a point of the volume to the unit sphere, which is the untessellated surface.
double from_unit_sphere_m(const VolumeTree& tree, std::size_t node) {
    if (tree.volume == Volume::sphere) {
        const double at = double{tree.balls[node].center_m.norm()}, r = double{tree.balls[node].radius_m};
        return std::max(at + r - 1.0, 1.0 - std::max(0.0, at - r));
    }
    const collision::Obb& box = tree.tree.nodes[node].box;
    const Vector3f center = box.axes.transpose() * box.center_m;
    const double furthest = double{(center.cwiseAbs() + box.half_m).norm()};
    const double nearest = double{(center.cwiseAbs() - box.half_m).cwiseMax(0.0F).norm()};
    return std::max(furthest - 1.0, 1.0 - nearest);
}

struct Level {
    double hausdorff_m = 0.0, ideal_m = 0.0, diameter_m = 0.0, aspect = 0.0;
    int nodes = 0, measured = 0;
};

std::vector<Level> levels_of(const VolumeTree& tree, bool is_sphere) {
    const auto& nodes = tree.tree.nodes;
    std::vector<int> depth(nodes.size(), 0);
    std::vector<std::vector<std::size_t>> at_depth;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        if (nodes[i].count == 0)
            depth[static_cast<std::size_t>(nodes[i].first)] = depth[static_cast<std::size_t>(nodes[i].first) + 1] =
                depth[i] + 1;
        at_depth.resize(std::max(at_depth.size(), static_cast<std::size_t>(depth[i]) + 1));
        at_depth[static_cast<std::size_t>(depth[i])].push_back(i);
    }
    const auto ranges = ranges_of(tree.tree);
    std::vector<Level> levels;
    for (std::size_t l = 0; l < at_depth.size(); ++l) {
        Level level;
        level.nodes = static_cast<int>(at_depth[l].size());
        if (level.nodes < (1 << l) / 2) break;  // incomplete levels near the leaves are not measured
        constexpr std::size_t kMeasured = 64;   // nodes per level, evenly spaced
        for (std::size_t k = 0; k < at_depth[l].size(); k += std::max<std::size_t>(1, at_depth[l].size() / kMeasured)) {
            const std::size_t i = at_depth[l][k];
            const bool ball = tree.volume == Volume::sphere;
            const Vector3f& half_m = nodes[i].box.half_m;
            level.hausdorff_m += hausdorff_m(tree, i, ranges[i]);
            level.ideal_m += is_sphere ? from_unit_sphere_m(tree, i) : 0.0;
            level.diameter_m += ball ? 2.0 * double{tree.balls[i].radius_m} : 2.0 * double{half_m.norm()};
            level.aspect += ball ? 1.0 : double{half_m.minCoeff()} / std::max(1e-12, double{half_m.maxCoeff()});
            ++level.measured;
        }
        level.hausdorff_m /= level.measured;
        level.ideal_m /= level.measured;
        level.diameter_m /= level.measured;
        level.aspect /= level.measured;
        levels.push_back(level);
    }
    return levels;
}

}  // namespace

void obbtree_tightness(const BenchOptions& options, BenchResult& result) {
    const int fine = options.quick ? 2 : 3;
    struct Surface {
        const char* name;
        collision::Mesh mesh;
    };
    const std::array<Surface, 3> surfaces = {
        {{"sphere", collision::sphere(48 * fine, 96 * fine, 1.0)},
         {"smooth torus", collision::torus(96 * fine, 48 * fine)},
         {"spiky torus",
          collision::torus(96 * fine, 48 * fine, {.spikes = 0.5, .dimples = 0.15, .wrinkles = 0.03, .twist = 2.0})}}};
    std::array<std::vector<Measured>, kShapes> hausdorff, ideal, flatter;
    for (const Surface& surface : surfaces) {
        const std::string name = surface.name;
        const bool is_sphere = name == "sphere";
        std::string file = "obbtree-tightness-" + name;
        std::ranges::replace(file, ' ', '-');
        Plot tightness = plot_of(file, "Tightness against diameter, down trees over a " + name, "mean diameter, m",
                                 "mean tightness, m", true);
        Plot aspect = plot_of("obbtree-aspect", "Aspect ratio down trees over a sphere", "mean diameter, m",
                              "thickness over length", true);
        for (std::size_t v = 0; v < kShapes; ++v) {
            const std::string volume = kVolumes[v].second;
            std::vector<std::pair<double, double>> covered, whole, aspects;
            const VolumeTree tree = make_tree(surface.mesh, kVolumes[v].first);
            const std::vector<Level> levels = levels_of(tree, is_sphere);
            for (std::size_t l = 0; l < levels.size(); ++l) {
                const Level& level = levels[l];
                result.rows.push_back(
                    {{"surface", name},
                     {"volume", volume},
                     {"level", l},
                     {"nodes", level.nodes},
                     {"diameter_m", level.diameter_m},
                     {"from covered geometry, m", level.hausdorff_m},
                     {"from the ideal sphere, m", is_sphere ? nlohmann::ordered_json(level.ideal_m) : "-"},
                     {"aspect", level.aspect}});
                add_point(tightness, volume + ", covered", level.diameter_m, level.hausdorff_m);
                if (is_sphere) add_point(tightness, volume + ", ideal", level.diameter_m, level.ideal_m);
                if (is_sphere) add_point(aspect, volume, level.diameter_m, level.aspect);
                // Fit only levels whose boxes are small compared with the surface and large compared with a triangle.
                if (l < 5 || level.nodes * 64 >= static_cast<int>(surface.mesh.triangles.size())) continue;
                covered.emplace_back(level.diameter_m, level.hausdorff_m);
                whole.emplace_back(level.diameter_m, level.ideal_m);
                aspects.emplace_back(level.diameter_m, level.aspect);
            }
            hausdorff[v].push_back(exponent_of(covered, name));
            if (!is_sphere) continue;
            ideal[v].push_back(exponent_of(whole, volume));
            flatter[v].push_back(exponent_of(aspects, volume));
        }
        draw_if_requested(result, options, tightness);
        if (is_sphere) draw_if_requested(result, options, aspect);
    }
    result.claims.push_back(judge({"OBBs' tightness falls with the square of their diameter (slides 33 to 35), as the "
                                   "Hausdorff distance to the covered geometry, the slides' definition: exponent",
                                   "2", between(1.7, 2.3)},
                                  hausdorff[0]));
    result.claims.push_back(
        judge({"OBBs' tightness falls with the square of their diameter, as the distance to the ideal "
               "surface: exponent",
               "2", between(1.7, 2.3)},
              ideal[0]));
    result.claims.push_back(
        judge({"AABBs' tightness falls in proportion to their diameter (slides 33 to 35), to the covered "
               "geometry: exponent",
               "1", between(0.7, 1.3)},
              hausdorff[1]));
    result.claims.push_back(judge({"spheres' tightness falls in proportion to their diameter (slides 33 to 35), to the "
                                   "covered geometry: exponent",
                                   "1", between(0.7, 1.3)},
                                  hausdorff[2]));
    result.claims.push_back(judge({"AABBs' and spheres' tightness falls in proportion to their diameter, to the ideal "
                                   "surface: exponents",
                                   "1", between(0.7, 1.3)},
                                  std::vector{ideal[1].front(), ideal[2].front()}));
    result.claims.push_back(
        judge({"OBBs get flatter in proportion to their diameter (slides 34, 35): exponent of their "
               "aspect ratio",
               "1", between(0.7, 1.3)},
              flatter[0]));
    result.claims.push_back(
        judge({"AABBs keep their shape (slides 34, 35): exponent of their aspect ratio", "0", between(-0.3, 0.3)},
              flatter[1]));
}

}  // namespace glovebox::vr
