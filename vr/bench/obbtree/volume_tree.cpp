#include "vr/bench/obbtree/volume_tree.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "collision/mesh/tree_query.h"
#include "collision/query/triangle_pair.h"
#include "collision/survey/fit/fitters.h"
#include "vr/bench/measure.h"

namespace glovebox::vr {

using collision::Mesh;
using collision::Obb;

VolumeTree make_tree(const Mesh& mesh, Volume volume) {
    collision::BuildSettings settings;
    settings.max_leaf_triangles = 1;
    settings.splitter = collision::find_splitter("mean");
    if (volume == Volume::aabb || volume == Volume::aabb_boxed) settings.fitter = collision::find_fitter("aligned");
    VolumeTree result{volume, mesh, collision::build_tree(mesh, settings), {}};
    if (volume != Volume::sphere) return result;
    // Balls around the boxes' centres, up to the farthest vertex. Children come after their parents, so one pass from
    // the back suffices.
    const auto& nodes = result.tree.nodes;
    result.balls.resize(nodes.size());
    std::vector<std::pair<std::int32_t, std::int32_t>> reach(nodes.size());
    for (std::size_t i = nodes.size(); i-- > 0;) {
        const auto child = static_cast<std::size_t>(nodes[i].first);
        reach[i] = nodes[i].count > 0 ? std::pair{nodes[i].first, nodes[i].first + nodes[i].count}
                                      : std::pair{std::min(reach[child].first, reach[child + 1].first),
                                                  std::max(reach[child].second, reach[child + 1].second)};
        Ball& ball = result.balls[i];
        ball = {nodes[i].box.center_m, 0.0F};
        for (std::int32_t k = reach[i].first; k < reach[i].second; ++k)
            for (const std::uint32_t v :
                 mesh.triangles[static_cast<std::size_t>(result.tree.order[static_cast<std::size_t>(k)])])
                ball.radius_m = std::max(ball.radius_m, (mesh.vertices_m[v] - ball.center_m).norm());
        ball.radius_m *= 1.0F + 1e-5F;
    }
    return result;
}

bool volumes_overlap(const VolumeTree& a, std::int32_t na, const VolumeTree& b, std::int32_t nb,
                     const Eigen::Isometry3f& a_from_b) {
    const auto i = static_cast<std::size_t>(na), j = static_cast<std::size_t>(nb);
    if (a.volume == Volume::sphere) {
        const float reach_m = a.balls[i].radius_m + b.balls[j].radius_m;
        return (a.balls[i].center_m - a_from_b * b.balls[j].center_m).squaredNorm() <= reach_m * reach_m;
    }
    const Obb &box_a = a.tree.nodes[i].box, &box_b = b.tree.nodes[j].box;
    if (a.volume != Volume::aabb_boxed) return collision::overlap(box_a, collision::transformed(a_from_b, box_b));
    // Encloses the rotated box in a box along the axes of a's frame, padded for rounding.
    const Eigen::Vector3f reach_m = box_a.half_m + a_from_b.linear().cwiseAbs() * box_b.half_m;
    return ((box_a.center_m - a_from_b * box_b.center_m).cwiseAbs().array() <= 1.000001F * reach_m.array()).all();
}

bool leaves_touch(const VolumeTree& a, std::int32_t na, const VolumeTree& b, std::int32_t nb,
                  const Eigen::Isometry3f& a_from_b) {
    const auto triangle_of = [](const VolumeTree& tree, std::int32_t leaf) {
        const auto first = static_cast<std::size_t>(tree.tree.nodes[static_cast<std::size_t>(leaf)].first);
        return collision::triangle_of(tree.mesh, tree.tree.order[first]);
    };
    return collision::triangles_touch(triangle_of(a, na),
                                      collision::transformed(a_from_b.cast<double>(), triangle_of(b, nb)));
}

VolumeCost query(const VolumeTree& a, const VolumeTree& b, const Eigen::Isometry3f& a_from_b, VisitedPairs* visited) {
    VolumeCost cost;
    cost.seconds = thread_seconds([&] {
        std::vector<std::pair<std::int32_t, std::int32_t>> open = {{0, 0}};
        while (!open.empty()) {
            const auto [i, j] = open.back();
            open.pop_back();
            ++cost.n_v;
            if (visited != nullptr) visited->nodes.emplace_back(i, j);
            if (!volumes_overlap(a, i, b, j, a_from_b)) continue;
            const auto &na = a.tree.nodes[static_cast<std::size_t>(i)], &nb = b.tree.nodes[static_cast<std::size_t>(j)];
            if (na.count > 0 && nb.count > 0) {
                ++cost.n_p;
                if (visited != nullptr) visited->leaves.emplace_back(i, j);
                cost.touching += leaves_touch(a, i, b, j, a_from_b) ? 1 : 0;
            } else if (nb.count > 0 || (na.count == 0 && na.box.area_m2() >= nb.box.area_m2())) {
                open.emplace_back(na.first + 1, j);
                open.emplace_back(na.first, j);
            } else {
                open.emplace_back(i, nb.first + 1);
                open.emplace_back(i, nb.first);
            }
        }
    });
    return cost;
}

// A quaternion whose two halves are uniform on circles of random radii is uniform on the sphere [Shoemake92].
Eigen::Matrix3f random_rotation(collision::Random& random) {
    const double share = random.unit(), a = random.between(0.0, 2.0 * std::numbers::pi),
                 b = random.between(0.0, 2.0 * std::numbers::pi);
    const double low = std::sqrt(1.0 - share), high = std::sqrt(share);
    return Eigen::Quaterniond(high * std::cos(b), low * std::sin(a), low * std::cos(a), high * std::sin(b))
        .toRotationMatrix()
        .cast<float>();
}

}  // namespace glovebox::vr
