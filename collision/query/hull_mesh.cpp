#include "collision/query/hull_mesh.h"

#include <algorithm>
#include <array>
#include <limits>

#include "collision/mesh/block_triangle.h"
#include "collision/query/bone.h"
#include "collision/query/convex.h"
#include "collision/query/deepest_point.h"
#include "collision/query/hull_inside.h"
#include "collision/query/near_search.h"

namespace glovebox::collision {
namespace {

using Eigen::Vector3d;

struct Nearest {
    ConvexPair pair;
    std::int32_t triangle = -1;
};

// Finds the nearest triangle: descends, nearest first, into boxes within reach of a ball around the hull.
Nearest nearest_triangle(const MeshTree& tree, const ConvexCore& core, const Vector3d& middle, double radius_m,
                         double reach_m, MeshTreeCounts& counts) {
    Nearest best;
    best.pair.distance = reach_m;
    const auto bound = [&](const Obb& box) {
        ++counts.box_tests;
        const Vector3d from = middle - box.center_m.cast<double>();
        const Vector3d along = (box.axes.cast<double>().transpose() * from).cwiseAbs();
        // Float axes are not exactly of unit length.
        return (along - box.half_m.cast<double>()).cwiseMax(0.0).norm() * (1.0 - 1e-6) - radius_m;
    };
    // A crossing triangle is as near as possible, so the first one ends the search.
    const auto reach = [&] {
        return best.triangle >= 0 && best.pair.distance <= 0.0 ? -std::numeric_limits<double>::infinity()
                                                               : std::max(0.0, best.pair.distance);
    };
    const auto consider = [&](std::int32_t number) {
        const Triangle triangle = triangle_of(tree.mesh(), number);
        if ((closest_on_triangle(middle, triangle).point - middle).norm() - radius_m > best.pair.distance)
            return reach();
        ++counts.triangle_tests;
        const ConvexPair pair = closest(core, ConvexCore(triangle));
        // Among equally near triangles, the one of lowest number.
        if (pair.distance < best.pair.distance ||
            (pair.distance == best.pair.distance && (best.triangle < 0 || number < best.triangle)))
            best = {pair, number};
        return reach();
    };
    search_near(tree.tree(), reach(), bound, consider);
    return best;
}

bool holds(const ConvexHull& hull, const Vector3d& point) {
    if (hull.facets().empty()) return false;
    const auto corner = [&](std::int32_t i) -> Vector3d {
        return hull.corners_m()[static_cast<std::size_t>(i)].cast<double>();
    };
    const double slack_m = 1e-6 * hull.radius_m();
    return std::all_of(hull.facets().begin(), hull.facets().end(), [&](const auto& facet) {
        const Vector3d a = corner(facet[0]);
        const Vector3d across = (corner(facet[1]) - a).cross(corner(facet[2]) - a);
        const double beyond = across.dot(point - a);
        return beyond <= 0.0 || beyond * beyond <= slack_m * slack_m * across.squaredNorm();
    });
}

struct HullInMesh {
    const ConvexHull& hull;
    ConvexCore core;
    Eigen::Isometry3d hull_from_mesh;
};
Vector3d nearest_in_hull(const void* in_mesh, const Vector3d& at_m) {
    const auto& [hull, core, hull_from_mesh] = *static_cast<const HullInMesh*>(in_mesh);
    if (holds(hull, hull_from_mesh * at_m)) return at_m;
    const ConvexPair pair = closest(core, ConvexCore(Triangle{at_m, at_m, at_m}));
    return pair.distance > 0.0 ? pair.on_a : at_m;
}

MeshHit deepest(const MeshTree& tree, const ConvexHull& hull, const Eigen::Isometry3d& pose, MeshTreeCounts& counts) {
    const Obb box = box_of_inside(tree, hull, pose, counts);
    const auto half_axis = [&](int k) -> CorePoint {
        return {pose.linear() * (box.half_m[k] * box.axes.col(k)).cast<double>(), 0.0};
    };
    const HullInMesh in_mesh{hull, ConvexCore(hull, pose), pose.inverse(Eigen::Isometry)};
    const BoxedCore core{{pose * box.center_m.cast<double>(), 0.0},
                         {half_axis(0), half_axis(1), half_axis(2)},
                         3,
                         nearest_in_hull,
                         &in_mesh,
                         2e-4 * double{hull.box().half_m.norm()}};
    const auto [point, surface] = deepest_point(tree, core, counts);
    MeshHit hit;
    hit.triangle = surface.triangle;
    hit.distance_m = static_cast<float>(surface.distance_m);
    const double length = (surface.nearest_m - point.at_m).norm();
    const Vector3d out = length > 0.0 ? Vector3d((surface.nearest_m - point.at_m) / length)
                                      : (surface.outward.squaredNorm() > 0.0 ? Vector3d(surface.outward.normalized())
                                                                             : Vector3d(Vector3d::UnitY()));
    hit.normal = (surface.distance_m <= 0.0 ? Vector3d(-out) : out).cast<float>();
    hit.on_shape_m = point.at_m.cast<float>();
    hit.on_mesh_m = surface.nearest_m.cast<float>();
    return hit;
}

// Recent directions that separated the hull from triangles: most adjacent triangles share a separating direction. All
// are in the hull's frame.
class Parting {
  public:
    explicit Parting(const ConvexHull& hull) : hull_(hull) {}
    /// True if the triangle is farther away than reach_m along one of them.
    bool parts(const Triangle& triangle, double reach_m) const {
        for (std::size_t i = 0; i < count_; ++i) {
            const Vector3d& along = directions_[i].along;
            if (std::min({along.dot(triangle[0]), along.dot(triangle[1]), along.dot(triangle[2])}) -
                    directions_[i].top_m >
                reach_m)
                return true;
        }
        return false;
    }
    /// Adds a unit direction, pointing away from the hull; replaces the oldest.
    void add(const Vector3d& along) {
        directions_[next_] = {along, top_of(along)};
        next_ = (next_ + 1) % directions_.size();
        count_ = std::min(count_ + 1, directions_.size());
    }
    /// True if the triangle's normal separates the two; the normal is then added.
    bool parted_by_plane(const Triangle& triangle, double reach_m) {
        const Vector3d across = (triangle[1] - triangle[0]).cross(triangle[2] - triangle[0]);
        const double length = across.norm();
        if (!(length > 0.0)) return false;
        const Vector3d along =
            (across.dot(triangle[0] - hull_.middle_m().cast<double>()) > 0.0 ? 1.0 : -1.0) / length * across;
        if (!(along.dot(triangle[0]) - top_of(along) > reach_m)) return false;
        add(along);
        return true;
    }

  private:
    double top_of(const Vector3d& along) const {
        const auto corner = static_cast<std::size_t>(furthest_corner(hull_, along.cast<float>()));
        return along.dot(hull_.corners_m()[corner].cast<double>()) + 1e-6 * hull_.radius_m();
    }
    struct Direction {
        Vector3d along;
        double top_m;
    };
    const ConvexHull& hull_;
    std::array<Direction, 8> directions_;
    std::size_t count_ = 0, next_ = 0;
};

MeshHit hit_of(const ConvexPair& pair, const Eigen::Isometry3d& mesh_from_hull, std::int32_t triangle) {
    MeshHit hit;
    hit.triangle = triangle;
    hit.distance_m = static_cast<float>(pair.distance);
    hit.normal = (mesh_from_hull.linear() * pair.normal).cast<float>();
    hit.on_shape_m = (mesh_from_hull * pair.on_a).cast<float>();
    hit.on_mesh_m = (mesh_from_hull * pair.on_b).cast<float>();
    return hit;
}

}  // namespace

void all_within(const MeshTree& tree, const ConvexHull& hull, const Eigen::Isometry3f& mesh_from_hull,
                float max_distance_m, const MeshTree::Visitor& visit, MeshTreeCounts& counts, HullMeshMemory* memory,
                std::span<const TreePart> parts) {
    if (!mesh_from_hull.matrix().allFinite()) return;
    const Eigen::Isometry3d pose = mesh_from_hull.cast<double>(), hull_from_mesh = pose.inverse(Eigen::Isometry);
    const ConvexCore core(hull, Eigen::Isometry3d::Identity());
    Parting parting(hull);
    const auto is_inside = [&](const ConvexPair& pair, std::int32_t triangle) {
        const Vector3d outward = tree.surface().outward(tree.mesh(), triangle, TriangleFeature::face);
        if (!((pose.linear() * (pair.on_a - pair.on_b)).dot(outward) < 0.0)) return false;
        return tree.nearest_surface(pose * pair.on_a, counts).distance_m < 0.0;
    };
    auto keep = [&](const ObbTree::Block& block, std::size_t lane, double& reach_m) {
        Triangle corners = triangle_at(block, lane);
        for (Vector3d& corner : corners) corner = hull_from_mesh * corner;
        if (parting.parts(corners, reach_m) || parting.parted_by_plane(corners, reach_m)) return;
        const std::int32_t number = block.triangle[lane];
        ConvexMemory last;
        HullPairMemory* const place = memory != nullptr ? &memory->of(number) : nullptr;
        if (place != nullptr) static_cast<HullPairMemory&>(last) = *place;
        ConvexPair pair = closest(core, ConvexCore(corners), last);
        if (place != nullptr) *place = last;
        if (pair.distance > reach_m) return parting.add(pair.normal);
        if (tree.closed() && pair.distance > 0.0 && is_inside(pair, number)) {
            pair.distance = -pair.distance;
            pair.normal = -pair.normal;
        }
        visit(hit_of(pair, pose, number));
    };
    find_all_near(tree.tree(), parts, transformed(mesh_from_hull, hull.box()), double{max_distance_m}, counts,
                  NearVisit::of(keep));
}

MeshHit nearest(const MeshTree& tree, const ConvexHull& hull, const Eigen::Isometry3f& mesh_from_hull,
                float max_distance_m, MeshTreeCounts& counts) {
    if (!mesh_from_hull.matrix().allFinite()) return {};
    const Eigen::Isometry3d pose = mesh_from_hull.cast<double>();
    const Vector3d middle = pose * hull.middle_m().cast<double>();
    const ConvexCore core(hull, pose);
    const Nearest found =
        nearest_triangle(tree, core, middle, hull.radius_m() * (1.0 + 1e-6), double{max_distance_m}, counts);
    bool inside = false;
    if (tree.closed())
        inside = (found.triangle >= 0 && found.pair.distance <= 0.0) ||
                 tree.nearest_surface(middle, counts).distance_m < 0.0;
    if (inside) {
        const MeshHit deep = deepest(tree, hull, pose, counts);
        // A hull that crosses the surface touches it, even if the search did not find the contact.
        if (!(deep.distance_m > 0.0F && found.triangle >= 0 && found.pair.distance <= 0.0)) return deep;
    }
    MeshHit hit;
    if (found.triangle < 0) return hit;
    hit.triangle = found.triangle;
    hit.distance_m = static_cast<float>(std::max(0.0, found.pair.distance));
    hit.normal = found.pair.normal.cast<float>();
    hit.on_shape_m = found.pair.on_a.cast<float>();
    hit.on_mesh_m = (found.pair.distance <= 0.0 ? found.pair.on_a : found.pair.on_b).cast<float>();
    return hit;
}

}  // namespace glovebox::collision
