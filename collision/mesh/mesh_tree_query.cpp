// Queries of a mesh tree: boxes are culled in float with a margin for rounding, triangles are tested in double.
#include <algorithm>
#include <array>
#include <cmath>

#include "collision/mesh/block_triangle.h"
#include "collision/mesh/bone_memory.h"
#include "collision/mesh/mesh_tree.h"
#include "collision/query/bone.h"
#include "collision/query/box_triangle.h"
#include "collision/query/deepest_point.h"

namespace glovebox::collision {
namespace {

using Eigen::Vector3d;
using Eigen::Vector3f;

// Returns the result for a bone whose deepest core point is x, with this radius.
MeshHit hit_at(const Vector3d& x, double radius_m, const MeshTree::SurfacePoint& surface) {
    // Off the surface the normal follows the two points; on it, the pseudonormal.
    Vector3d normal = surface.nearest_m - x;
    const double length = normal.norm();
    if (length > 1e-9 * (x.cwiseAbs().maxCoeff() + radius_m))
        normal *= (surface.distance_m < 0.0 ? -1.0 : 1.0) / length;
    else
        normal = surface.outward.squaredNorm() > 0.0 ? Vector3d(-surface.outward.normalized())
                                                     : Vector3d(-Vector3d::UnitY());
    MeshHit hit;
    hit.triangle = surface.triangle;
    hit.distance_m = static_cast<float>(surface.distance_m - radius_m);
    hit.normal = normal.cast<float>();
    hit.on_shape_m = (x + radius_m * normal).cast<float>();
    hit.on_mesh_m = surface.nearest_m.cast<float>();
    return hit;
}

MeshHit hit_of(const ConvexPair& pair, int triangle) {
    MeshHit hit;
    hit.triangle = triangle;
    hit.distance_m = static_cast<float>(pair.distance);
    hit.normal = pair.normal.cast<float>();
    hit.on_shape_m = pair.on_a.cast<float>();
    hit.on_mesh_m = pair.on_b.cast<float>();
    return hit;
}

// A triangle that crosses a box, with the lower bound of their distance from gap_along_axes().
struct Crossing {
    AxisGap along;
    std::int32_t triangle;
    Triangle corners;
};
struct Crossings {
    std::array<Crossing, 16> all;
    std::ptrdiff_t count = 0;

    bool take(const Crossing& crossing) {
        if (count == std::ssize(all)) return false;
        all[static_cast<std::size_t>(count++)] = crossing;
        return true;
    }
};

// Visitors of triangles for the traversals.

struct NearestToCone {
    NearestToCone(const RoundCone& cone, double limit) : segment(round_segment(cone)), limit_m(limit) {
        best.gap = std::numeric_limits<double>::infinity();
    }

    RoundSegment segment;
    double limit_m;
    SegmentTriangle best;
    std::int32_t triangle = -1;
    BoneMemory* memory = nullptr;

    void operator()(const ObbTree::Block& block, std::size_t lane, double& reach_m) {
        const SegmentTriangle found = closest(segment, triangle_at(block, lane));
        if (memory != nullptr && found.core_distance > 0.0)
            memory->along = ((found.on_axis - found.on_triangle) / found.core_distance).cast<float>();
        if (found.gap > best.gap || found.gap > limit_m) return;
        if (found.gap == best.gap && block.triangle[lane] > triangle) return;
        best = found;
        triangle = block.triangle[lane];
        reach_m = found.gap;
    }
};

struct NearestToCore {
    NearestToCore(const Obb& box, double limit, bool of_a_solid)
        : core(box), limit_m(limit), slack_m(rounding_of_gap(box)), closed(of_a_solid) {
        best.distance = std::numeric_limits<double>::infinity();
    }

    Obb core;
    double limit_m, slack_m;
    bool closed;  // for a solid the deepest point is searched for in any case
    ConvexPair best;
    std::int32_t triangle = -1;
    // Triangles that cross the core wait, so that the deepest is computed first; for the others its bound often
    // suffices.
    Crossings crossings;

    bool crosses() const { return crossings.count > 0 || best.distance <= 0.0; }

    void decide(const Triangle& corners, const AxisGap& along, std::int32_t number) {
        const ConvexPair found = closest(core, corners, along);
        if (found.distance > limit_m || found.distance > best.distance) return;
        if (found.distance == best.distance && number > triangle) return;
        best = found;
        triangle = number;
    }
    void operator()(const ObbTree::Block& block, std::size_t lane, double& reach_m) {
        const Triangle corners = triangle_at(block, lane);
        const AxisGap along = gap_along_axes(core, corners);
        if (along.gap_m > best.distance + slack_m) return;
        if (along.gap_m < -slack_m && has_area(corners) && crossings.take({along, block.triangle[lane], corners})) {
            reach_m = std::min(reach_m, 0.0);
        } else {
            decide(corners, along, block.triangle[lane]);
            reach_m = std::min(reach_m, std::max(0.0, best.distance));
        }
        if (closed && crosses()) reach_m = -std::numeric_limits<double>::infinity();
    }
};

// A negative limit requests penetrations of at least that depth.
MeshHit within(const MeshHit& hit, float max_distance_m) {
    return max_distance_m < 0.0F && hit.distance_m > max_distance_m ? MeshHit{} : hit;
}

// Tells whether a point behind a triangle is inside, or merely behind a thin part. One surface query answers for all
// points within its distance.
class Sides {
  public:
    Sides(const MeshTree& tree, MeshTreeCounts& counts) : tree_(tree), counts_(counts) {}
    /// A triangle is known to be at most within_m away.
    bool inside(const Vector3d& point_m, double within_m) {
        if (!((point_m - asked_m_).squaredNorm() < last_m_ * last_m_)) {
            asked_m_ = point_m;
            last_m_ = tree_.nearest_surface(point_m, counts_, within_m * within_m * (1.0 + 1e-9)).distance_m;
        }
        return last_m_ < 0.0;
    }

  private:
    const MeshTree& tree_;
    MeshTreeCounts& counts_;
    Vector3d asked_m_ = Vector3d::Zero();
    double last_m_ = 0.0;
};

}  // namespace

bool MeshTree::overlaps(const Obb& box_in_mesh, MeshTreeCounts& counts) const {
    return meets(tree_, box_in_mesh, counts) || contains(box_in_mesh.center_m, counts);
}

bool MeshTree::contains(const Vector3f& point_m, MeshTreeCounts& counts, BoneMemory* memory) const {
    if (!closed()) return false;
    const InsideGrid::Side side = inside_.at(point_m);
    if (side != InsideGrid::Side::unknown) return side == InsideGrid::Side::inside;
    if (memory != nullptr &&
        (point_m - memory->known_point_m).norm() < (1.0F - 1e-5F) * std::abs(memory->known_distance_m))
        return memory->known_distance_m < 0.0F;
    const bool inside = inside_by_ray(point_m.cast<double>(), counts);
    if (memory != nullptr) {
        const double distance_m = std::abs(nearest_surface(point_m.cast<double>(), counts).distance_m);
        memory->known_point_m = point_m;
        memory->known_distance_m = static_cast<float>(inside ? -distance_m : distance_m);
    }
    return inside;
}

// Counts the same crossings as winding_number(), of the triangles near the ray only.
bool MeshTree::inside_by_ray(const Vector3d& point_m, MeshTreeCounts& counts) const {
    if (!point_m.allFinite()) return false;
    const Vector3f from_m = point_m.cast<float>();
    Vector3f to_m = from_m;
    to_m.x() = std::max(from_m.x(), root_box().center_m.x() + root_box().half_m.norm());
    int turns = 0;
    auto count = [&](const ObbTree::Block& block, std::size_t lane, double&) {
        turns += crossing(triangle_at(block, lane), point_m);
    };
    const double reach_m = rounding_m(tree_, from_m.cwiseAbs().sum() + to_m.cwiseAbs().sum());
    find_all_near(tree_, kWholeTree, RoundCone{from_m, to_m, 0.0F, 0.0F}, reach_m, counts, NearVisit::of(count));
    return (surface_.faces_inwards() ? -turns : turns) > 0;
}

MeshTree::SurfacePoint MeshTree::nearest_surface(const Vector3d& point_m, MeshTreeCounts& counts,
                                                 double start_m2) const {
    double best2 = start_m2;
    TrianglePoint best{point_m, TriangleFeature::face};
    std::int32_t best_triangle = -1;
    auto consider = [&](const ObbTree::Block& block, std::size_t lane, double& reach) {
        const Triangle corners = triangle_at(block, lane);
        const TrianglePoint nearest = closest_on_triangle(point_m, corners);
        double distance2 = (nearest.point - point_m).squaredNorm();
        // A triangle without area has no side: if another one is equally near, that one is used.
        if (!has_area(corners)) distance2 = distance2 * (1.0 + 1e-9) + std::numeric_limits<double>::min();
        if (distance2 > best2 || (distance2 == best2 && best_triangle >= 0 && block.triangle[lane] > best_triangle))
            return;
        best2 = distance2;
        reach = std::sqrt(distance2);
        best = nearest;
        best_triangle = block.triangle[lane];
    };
    find_nearest(tree_, point_m.cast<float>(), std::sqrt(start_m2) * (1.0 + 1e-6), counts, NearVisit::of(consider));
    if (best_triangle < 0) {
        if (std::isfinite(start_m2)) return nearest_surface(point_m, counts);
        return {start_m2, point_m, Vector3d::Zero(), -1};  // no surface is near a point that is not finite
    }
    SurfacePoint surface{std::sqrt(best2), best.point, surface_.outward(mesh_, best_triangle, best.feature),
                         best_triangle};
    if (!closed()) return surface;
    // The grid overrides the pseudonormal, which is wrong where a scan folds over itself. A triangle without area may
    // have none.
    const InsideGrid::Side side = inside_.at(point_m.cast<float>());
    const bool by_ray = surface_.has_pieces() || surface.outward.isZero(0.0);
    const bool inside = side != InsideGrid::Side::unknown ? side == InsideGrid::Side::inside
                        : by_ray                          ? inside_by_ray(point_m, counts)
                                                          : (point_m - best.point).dot(surface.outward) < 0.0;
    if (inside) surface.distance_m = -surface.distance_m;
    return surface;
}

float MeshTree::signed_distance(const Vector3f& point_in_mesh_m) const {
    MeshTreeCounts counts;
    return static_cast<float>(nearest_surface(point_in_mesh_m.cast<double>(), counts).distance_m);
}

MeshHit MeshTree::nearest(const RoundCone& cone, float max_distance_m, MeshTreeCounts& counts,
                          std::span<const TreePart> parts, BoneMemory* memory) const {
    // For a core inside the solid, the nearest surface point of the whole bone does not matter.
    if (known_inside(cone.a_m) || known_inside(cone.b_m)) return within(deepest(cone, counts), max_distance_m);
    NearestToCone nearest(cone, double{max_distance_m});
    nearest.memory = memory;
    if (memory != nullptr)
        find_nearest(tree_, parts, cone, nearest.limit_m, counts, NearVisit::of(nearest), *memory);
    else
        find_nearest(tree_, parts, cone, nearest.limit_m, counts, NearVisit::of(nearest));

    // Nothing is within reach: the bone is outside everything or deep inside a solid.
    if (nearest.triangle < 0)
        return contains(cone.a_m, counts) ? within(deepest(cone, counts), max_distance_m) : MeshHit{};
    const SegmentTriangle& best = nearest.best;
    // Read only if needed, because it is far in memory from the data read so far.
    const double radius_m = best.core_distance - best.gap;
    const bool on_surface = !(best.core_distance > 1e-8 * (best.on_axis.cwiseAbs().maxCoeff() + radius_m));
    const Vector3d outward =
        closed() || on_surface ? surface_.outward(mesh_, nearest.triangle, best.feature) : Vector3d(Vector3d::Zero());
    const MeshHit outside =
        hit_at(best.on_axis, radius_m, {best.core_distance, best.on_triangle, outward, nearest.triangle});
    if (closed()) {
        // The core crosses the surface only where some gap is at most minus the radius there.
        const bool may_cross = best.gap <= -std::min(nearest.segment.radius_a, nearest.segment.radius_b);
        const bool no_side = outward.isZero(0.0);
        if (may_cross || (no_side ? contains(best.on_axis.cast<float>(), counts)
                                  : (best.on_axis - best.on_triangle).dot(outward) < 0.0)) {
            const MeshHit inside = deepest(cone, counts);
            // No part is inside, or the part inside is less deep than the sides' overlap.
            return outside.distance_m < inside.distance_m ? outside : inside;
        }
    }
    return outside;
}

MeshHit MeshTree::deepest(const RoundCone& cone, MeshTreeCounts& counts) const {
    if (!std::isfinite(cone.a_m.sum() + cone.b_m.sum() + cone.radius_a_m + cone.radius_b_m)) return {};
    const RoundSegment segment = round_segment(cone);
    const CorePoint middle{0.5 * (segment.a + segment.b), 0.5 * (segment.radius_a + segment.radius_b)},
        half{0.5 * (segment.b - segment.a), 0.5 * (segment.radius_b - segment.radius_a)};
    const DeepestPoint found = deepest_point(*this, {middle, {half}, 1}, counts);
    return hit_at(found.point.at_m, found.point.radius_m, found.surface);
}

MeshHit MeshTree::nearest(const RoundedBox& box, float max_distance_m, MeshTreeCounts& counts,
                          std::span<const TreePart> parts) const {
    if (!std::isfinite(box.radius_m)) return {};
    if (known_inside(box.core.center_m)) return within(deepest(box, counts), max_distance_m);
    NearestToCore nearest(box.core, double{max_distance_m} + double{box.radius_m}, closed());
    find_nearest(tree_, parts, box.core, nearest.limit_m, counts, NearVisit::of(nearest));
    // A core that does not cross the surface is entirely on one side of it.
    if (nearest.crosses() ? closed() : contains(box.core.center_m, counts))
        return within(deepest(box, counts), max_distance_m);
    const auto by_gap = [](const Crossing& a, const Crossing& b) { return a.along.gap_m < b.along.gap_m; };
    Crossings& left = nearest.crossings;
    for (auto* const begin = left.all.data(); left.count > 0; --left.count) {
        // Usually only one is computed, so sorting does not pay.
        Crossing* const deepest_left = std::min_element(begin, begin + left.count, by_gap);
        if (deepest_left->along.gap_m > nearest.best.distance + nearest.slack_m) break;
        nearest.decide(deepest_left->corners, deepest_left->along, deepest_left->triangle);
        *deepest_left = begin[left.count - 1];
    }
    if (nearest.triangle < 0) return MeshHit{};
    return hit_of(rounded(nearest.best, double{box.radius_m}, 0.0), nearest.triangle);
}

MeshHit MeshTree::deepest(const RoundedBox& box, MeshTreeCounts& counts) const {
    if (!std::isfinite(box.core.center_m.sum() + box.core.axes.sum() + box.core.half_m.sum())) return {};
    const auto half_axis = [&](int k) -> CorePoint {
        return {(double{box.core.half_m[k]} * box.core.axes.col(k).cast<double>()).eval(), 0.0};
    };
    const BoxedCore core{
        {box.core.center_m.cast<double>(), double{box.radius_m}}, {half_axis(0), half_axis(1), half_axis(2)}, 3};
    const DeepestPoint found = deepest_point(*this, core, counts);
    return hit_at(found.point.at_m, found.point.radius_m, found.surface);
}

void MeshTree::all_within(const RoundCone& cone, float max_distance_m, const Visitor& visit, MeshTreeCounts& counts,
                          std::span<const TreePart> parts) const {
    const RoundSegment segment = round_segment(cone);
    Sides sides(*this, counts);
    auto keep = [&](const ObbTree::Block& block, std::size_t lane, double& reach) {
        const SegmentTriangle found = closest(segment, triangle_at(block, lane));
        if (found.gap > reach) return;
        const std::int32_t triangle = block.triangle[lane];
        const Vector3d outward = surface_.outward(mesh_, triangle, found.feature);
        const bool inside = closed() && (found.on_axis - found.on_triangle).dot(outward) < 0.0 &&
                            sides.inside(found.on_axis, found.core_distance);
        const double radius_m = found.core_distance - found.gap;
        visit(hit_at(found.on_axis, radius_m,
                     {inside ? -found.core_distance : found.core_distance, found.on_triangle, outward, triangle}));
    };
    find_all_near(tree_, parts, cone, double{max_distance_m}, counts, NearVisit::of(keep));
}

void MeshTree::all_within(const RoundedBox& box, float max_distance_m, const Visitor& visit, MeshTreeCounts& counts,
                          std::span<const TreePart> parts) const {
    Sides sides(*this, counts);
    auto keep = [&](const ObbTree::Block& block, std::size_t lane, double& reach) {
        const Triangle corners = triangle_at(block, lane);
        const AxisGap along = gap_along_axes(box.core, corners);
        if (along.gap_m > reach + rounding_of_gap(box.core)) return;
        ConvexPair found = closest(box.core, corners, along);
        if (found.distance > reach) return;
        const std::int32_t triangle = block.triangle[lane];
        if (closed() && found.distance > 0.0 &&
            (found.on_a - found.on_b).dot(surface_.outward(mesh_, triangle, TriangleFeature::face)) < 0.0 &&
            sides.inside(found.on_a, found.distance)) {
            found.distance = -found.distance;
            found.normal = -found.normal;
        }
        visit(hit_of(rounded(found, double{box.radius_m}, 0.0), triangle));
    };
    find_all_near(tree_, parts, box.core, double{max_distance_m} + double{box.radius_m}, counts, NearVisit::of(keep));
}

}  // namespace glovebox::collision
