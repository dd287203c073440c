// Queries of a mesh tree: boxes are culled in float with a margin for rounding, triangles decided in double.
#include <algorithm>
#include <array>
#include <cmath>

#include "collision/mesh/mesh_tree.h"
#include "collision/query/bone.h"
#include "collision/query/box_triangle.h"
#include "collision/query/deepest_point.h"

namespace glovebox::collision {
namespace {

using Eigen::Vector3d;
using Eigen::Vector3f;

// A triangle of a block, as the mesh has it.
Triangle triangle_at(const NearTree::Block& block, std::size_t lane) {
    Triangle triangle;
    for (std::size_t i = 0; i < 3; ++i)
        triangle[i] = {double{block.corner_m[i][0][lane]}, double{block.corner_m[i][1][lane]},
                       double{block.corner_m[i][2][lane]}};
    return triangle;
}

// The answer for a bone of which the core point x with this radius is the deepest.
MeshHit hit_at(const Vector3d& x, double radius_m, const MeshTree::SurfacePoint& surface) {
    // Away from the surface the direction is that of the two points; on it, the pseudonormal's.
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

// A triangle that crosses a box: how deep at least, as gap_along_axes() has it.
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

// What the walks show triangles to. Plain functions and no lambdas, which would lie outside the frame's code.

struct NearestToCone {
    NearestToCone(const RoundCone& cone, double limit) : segment(round_segment(cone)), limit_m(limit) {
        best.gap = std::numeric_limits<double>::infinity();
    }

    RoundSegment segment;
    double limit_m;
    SegmentTriangle best;
    std::int32_t triangle = -1;
};
Vector3f consider(void* context, const NearTree::Block& block, std::size_t lane, double& reach_m) {
    auto& nearest = *static_cast<NearestToCone*>(context);
    const SegmentTriangle found = closest(nearest.segment, triangle_at(block, lane));
    Vector3f along = Vector3f::Zero();
    if (found.core_distance > 0.0) along = ((found.on_axis - found.on_triangle) / found.core_distance).cast<float>();
    if (found.gap > nearest.best.gap || found.gap > nearest.limit_m) return along;
    if (found.gap == nearest.best.gap && block.triangle[lane] > nearest.triangle) return along;
    nearest.best = found;
    nearest.triangle = block.triangle[lane];
    reach_m = found.gap;
    return along;
}

struct NearestToCore {
    NearestToCore(const Obb& box, double limit, bool of_a_solid)
        : core(box), limit_m(limit), slack_m(rounding_of_gap(box)), closed(of_a_solid) {
        best.distance = std::numeric_limits<double>::infinity();
    }

    Obb core;
    double limit_m, slack_m;
    bool closed;  // of a solid the deepest point is searched for in any case
    ConvexPair best;
    std::int32_t triangle = -1;
    // Triangles that cross the core wait until the deepest can go first: of the others the bound tells enough.
    Crossings crossings;

    bool crosses() const { return crossings.count > 0 || best.distance <= 0.0; }
};
void decide(NearestToCore& nearest, const Triangle& corners, const AxisGap& along, std::int32_t triangle) {
    const ConvexPair found = closest(nearest.core, corners, along);
    if (found.distance > nearest.limit_m || found.distance > nearest.best.distance) return;
    if (found.distance == nearest.best.distance && triangle > nearest.triangle) return;
    nearest.best = found;
    nearest.triangle = triangle;
}
Vector3f consider_crossing(void* context, const NearTree::Block& block, std::size_t lane, double& reach_m) {
    auto& nearest = *static_cast<NearestToCore*>(context);
    const Triangle corners = triangle_at(block, lane);
    const AxisGap along = gap_along_axes(nearest.core, corners);
    if (along.gap_m > nearest.best.distance + nearest.slack_m) return Vector3f::Zero();
    if (along.gap_m < -nearest.slack_m && has_area(corners) &&
        nearest.crossings.take({along, block.triangle[lane], corners})) {
        reach_m = std::min(reach_m, 0.0);
    } else {
        decide(nearest, corners, along, block.triangle[lane]);
        reach_m = std::min(reach_m, std::max(0.0, nearest.best.distance));
    }
    if (nearest.closed && nearest.crosses()) reach_m = -std::numeric_limits<double>::infinity();
    return Vector3f::Zero();
}

// ---- what a bone remembers

// How far any point of the shape has moved, at most; infinite for another shape.
float moved_m(const MeshMemory& memory, const RoundCone& cone) {
    if (memory.cone.radius_a_m != cone.radius_a_m || memory.cone.radius_b_m != cone.radius_b_m)
        return std::numeric_limits<float>::infinity();
    const float a2 = (memory.cone.a_m - cone.a_m).squaredNorm(), b2 = (memory.cone.b_m - cone.b_m).squaredNorm();
    return 1.0001F * std::sqrt(std::max(a2, b2));
}
float moved_m(const MeshMemory& memory, const Obb& core) {
    if (memory.core.half_m != core.half_m) return std::numeric_limits<float>::infinity();
    float way_m = (memory.core.center_m - core.center_m).norm();
    for (int k = 0; k < 3; ++k) way_m += core.half_m[k] * (memory.core.axes.col(k) - core.axes.col(k)).norm();
    return 1.0001F * way_m;
}
// What is kept is of one of the two.
void remember(const RoundCone& cone, MeshMemory& memory) {
    memory.cone = cone;
    memory.core.half_m.setConstant(-1.0F);
}
void remember(const Obb& core, MeshMemory& memory) {
    memory.core = core;
    memory.cone.radius_a_m = -1.0F;
}

// How far the shape has moved since its triangles were kept; infinite where none are.
template <class Shape>
float way_m(const MeshMemory& memory, const Shape& shape) {
    return memory.triangles.count < 0 ? std::numeric_limits<float>::infinity() : moved_m(memory, shape);
}
// Keeps what is near now. False where that is too much to be kept.
template <class Shape>
bool keep_near(const NearTree& tree, const Shape& shape, double reach_m, MeshMemory& memory, const NearPlace* place,
               MeshTreeCounts& counts) {
    const Aabb bounds = aabb_of(shape);
    const float reach_now_m = std::max(0.0F, static_cast<float>(reach_m)), rounding = rounding_m(tree, bounds);
    // Some way to go must be left, or the next frame comes here again.
    float room_m = room_in(memory.blocks.around_m, bounds);
    if (!(room_m > reach_now_m + 0.25F * memory.room_m)) {
        find_blocks(tree, place, bounds.grown(reach_now_m + memory.room_m), counts, memory.blocks);
        room_m = reach_now_m + memory.room_m;
    }
    memory.triangles.count = -1;
    if (memory.blocks.count < 0) return false;
    find_near(tree, memory.blocks, shape, reach_m, memory.room_m, counts, memory.triangles);
    memory.triangles.beyond_m = std::min(memory.triangles.beyond_m, room_m - rounding);
    remember(shape, memory);
    return true;
}
// Shows all that can be nearest, some of it twice. False where that cannot be told from what is remembered.
template <class Shape>
bool show_remembered(const NearTree& tree, const Shape& shape, double reach_m, MeshMemory& memory,
                     const NearPlace* place, MeshTreeCounts& counts, NearVisit visit) {
    const float moved_m = way_m(memory, shape);
    if (moved_m < memory.triangles.beyond_m + memory.room_m &&
        show_nearest(tree, memory.triangles, moved_m, shape, reach_m, counts, visit))
        return true;
    return keep_near(tree, shape, reach_m, memory, place, counts) &&
           show_nearest(tree, memory.triangles, 0.0F, shape, reach_m, counts, visit);
}
// False only if all that is remembered, and all else, is out of reach.
template <class Shape>
bool may_reach_remembered(const NearTree& tree, const Shape& shape, double reach_m, MeshMemory& memory,
                          const NearPlace* place, MeshTreeCounts& counts) {
    const float moved_m = way_m(memory, shape);
    if (all_far(tree, memory.triangles, moved_m, shape, reach_m)) return false;
    // One that may be near is left to the exact query, which may find that it need not look anew.
    if (memory.triangles.count > 0 && memory.triangles.least_m - moved_m <= static_cast<float>(reach_m)) return true;
    return !keep_near(tree, shape, reach_m, memory, place, counts) ||
           !all_far(tree, memory.triangles, 0.0F, shape, reach_m);
}

// Who asks for what is deeper than something gets nothing else.
MeshHit within(const MeshHit& hit, float max_distance_m) {
    return max_distance_m < 0.0F && hit.distance_m > max_distance_m ? MeshHit{} : hit;
}

// Is a point behind a triangle inside, or did it only come round a thin part? The surface tells for all that is no
// further from the last point that was asked.
class Sides {
  public:
    Sides(const MeshTree& tree, MeshTreeCounts& counts) : tree_(tree), counts_(counts) {}
    bool inside(const Vector3d& point_m) {
        if (!((point_m - asked_m_).squaredNorm() < last_m_ * last_m_)) {
            asked_m_ = point_m;
            last_m_ = tree_.nearest_surface(point_m, counts_).distance_m;
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

struct MeshTree::Search {
    const NearRegion* region = nullptr;
    MeshMemory* memory = nullptr;
    const NearPlace* place = nullptr;

    template <class Shape>
    void operator()(const NearTree& tree, const Shape& shape, double reach_m, MeshTreeCounts& counts,
                    NearVisit visit) const {
        if (memory == nullptr || !show_remembered(tree, shape, reach_m, *memory, place, counts, visit))
            find_nearest(tree, region, shape, reach_m, counts, visit);
    }
};

bool MeshTree::may_reach(const RoundCone& cone, float reach_m, MeshTreeCounts& counts, MeshMemory& memory,
                         const NearPlace* place) const {
    return may_reach_remembered(near_, cone, double{reach_m}, memory, place, counts) || contains(cone.a_m, counts);
}
bool MeshTree::may_reach(const RoundedBox& box, float reach_m, MeshTreeCounts& counts, MeshMemory& memory,
                         const NearPlace* place) const {
    const double limit_m = double{reach_m} + double{box.radius_m};
    return may_reach_remembered(near_, box.core, limit_m, memory, place, counts) || contains(box.core.center_m, counts);
}

bool MeshTree::overlaps(const Obb& box_in_mesh, MeshTreeCounts& counts, const NearRegion* region) const {
    return meets(near_, region, box_in_mesh, counts) || contains(box_in_mesh.center_m, counts);
}

bool MeshTree::contains(const Vector3f& point_m, MeshTreeCounts& counts) const {
    if (!closed()) return false;
    const InsideGrid::Side side = inside_.at(point_m);
    if (side != InsideGrid::Side::unknown) return side == InsideGrid::Side::inside;
    return nearest_surface(point_m.cast<double>(), counts).distance_m < 0.0;
}

MeshTree::SurfacePoint MeshTree::nearest_surface(const Vector3d& point_m, MeshTreeCounts& counts,
                                                 double start_m2) const {
    double best2 = start_m2;
    TrianglePoint best{point_m, TriangleFeature::face};
    std::int32_t best_triangle = -1;
    auto consider = [&](const NearTree::Block& block, std::size_t lane, double& reach) {
        const Triangle corners = triangle_at(block, lane);
        const TrianglePoint nearest = closest_on_triangle(point_m, corners);
        double distance2 = (nearest.point - point_m).squaredNorm();
        // Without area it has no side: of two that are as near, the other one is asked.
        if (!has_area(corners)) distance2 = distance2 * (1.0 + 1e-9) + std::numeric_limits<double>::min();
        if (distance2 > best2 || (distance2 == best2 && best_triangle >= 0 && block.triangle[lane] > best_triangle))
            return;
        best2 = distance2;
        reach = std::sqrt(distance2);
        best = nearest;
        best_triangle = block.triangle[lane];
    };
    find_nearest(near_, point_m.cast<float>(), std::sqrt(start_m2) * (1.0 + 1e-6), counts, NearVisit::of(consider));
    if (best_triangle < 0) {
        if (std::isfinite(start_m2)) return nearest_surface(point_m, counts);
        return {start_m2, point_m, Vector3d::Zero(), -1};  // nothing is near a point that is nowhere
    }
    SurfacePoint surface{std::sqrt(best2), best.point, surface_.outward(mesh_, best_triangle, best.feature),
                         best_triangle};
    if (!closed()) return surface;
    // The grid knows better than a pseudonormal, which is wrong where a scan folds over itself.
    const InsideGrid::Side side = inside_.at(point_m.cast<float>());
    if (side == InsideGrid::Side::unknown ? (point_m - best.point).dot(surface.outward) < 0.0
                                          : side == InsideGrid::Side::inside)
        surface.distance_m = -surface.distance_m;
    return surface;
}

float MeshTree::signed_distance(const Vector3f& point_in_mesh_m) const {
    MeshTreeCounts counts;
    return static_cast<float>(nearest_surface(point_in_mesh_m.cast<double>(), counts).distance_m);
}

MeshHit MeshTree::nearest(const RoundCone& cone, float max_distance_m, MeshTreeCounts& counts,
                          const NearRegion* region) const {
    return nearest(cone, max_distance_m, counts, Search{region});
}
MeshHit MeshTree::nearest(const RoundedBox& box, float max_distance_m, MeshTreeCounts& counts,
                          const NearRegion* region) const {
    return nearest(box, max_distance_m, counts, Search{region});
}
MeshHit MeshTree::nearest(const RoundCone& cone, float max_distance_m, MeshTreeCounts& counts, MeshMemory& memory,
                          const NearPlace* place) const {
    return nearest(cone, max_distance_m, counts, Search{nullptr, &memory, place});
}
MeshHit MeshTree::nearest(const RoundedBox& box, float max_distance_m, MeshTreeCounts& counts, MeshMemory& memory,
                          const NearPlace* place) const {
    return nearest(box, max_distance_m, counts, Search{nullptr, &memory, place});
}

MeshHit MeshTree::nearest(const RoundCone& cone, float max_distance_m, MeshTreeCounts& counts,
                          const Search& search) const {
    // Where a core that is inside is nearest to the surface does not matter.
    if (known_inside(cone.a_m) || known_inside(cone.b_m)) return within(deepest(cone, counts), max_distance_m);
    NearestToCone nearest(cone, double{max_distance_m});
    search(near_, cone, nearest.limit_m, counts, {consider, &nearest});

    // Nothing in reach: outside everything, or deep inside a solid.
    if (nearest.triangle < 0)
        return contains(cone.a_m, counts) ? within(deepest(cone, counts), max_distance_m) : MeshHit{};
    const SegmentTriangle& best = nearest.best;
    // Asked for only where it is needed: it lies far from what has been read so far.
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
            // None of it is inside, or what sticks in is less deep than what the sides touch.
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
                          const Search& search) const {
    if (!std::isfinite(box.radius_m)) return {};
    if (known_inside(box.core.center_m)) return within(deepest(box, counts), max_distance_m);
    NearestToCore nearest(box.core, double{max_distance_m} + double{box.radius_m}, closed());
    search(near_, box.core, nearest.limit_m, counts, {consider_crossing, &nearest});
    // A core that does not cross the surface is all on one side of it.
    if (nearest.crosses() ? closed() : contains(box.core.center_m, counts))
        return within(deepest(box, counts), max_distance_m);
    const auto by_gap = [](const Crossing& a, const Crossing& b) { return a.along.gap_m < b.along.gap_m; };
    Crossings& left = nearest.crossings;
    for (auto* const begin = left.all.data(); left.count > 0; --left.count) {
        // Seldom more than one is asked: no need to sort them all.
        Crossing* const deepest_left = std::min_element(begin, begin + left.count, by_gap);
        if (deepest_left->along.gap_m > nearest.best.distance + nearest.slack_m) break;
        decide(nearest, deepest_left->corners, deepest_left->along, deepest_left->triangle);
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
                          const NearRegion* region) const {
    const RoundSegment segment = round_segment(cone);
    Sides sides(*this, counts);
    auto keep = [&](const NearTree::Block& block, std::size_t lane, double& reach) {
        const SegmentTriangle found = closest(segment, triangle_at(block, lane));
        if (found.gap > reach) return;
        const std::int32_t triangle = block.triangle[lane];
        const Vector3d outward = surface_.outward(mesh_, triangle, found.feature);
        const bool inside =
            closed() && (found.on_axis - found.on_triangle).dot(outward) < 0.0 && sides.inside(found.on_axis);
        const double radius_m = found.core_distance - found.gap;
        visit(hit_at(found.on_axis, radius_m,
                     {inside ? -found.core_distance : found.core_distance, found.on_triangle, outward, triangle}));
    };
    find_all_near(near_, region, cone, double{max_distance_m}, counts, NearVisit::of(keep));
}

void MeshTree::all_within(const RoundedBox& box, float max_distance_m, const Visitor& visit, MeshTreeCounts& counts,
                          const NearRegion* region) const {
    Sides sides(*this, counts);
    auto keep = [&](const NearTree::Block& block, std::size_t lane, double& reach) {
        const Triangle corners = triangle_at(block, lane);
        const AxisGap along = gap_along_axes(box.core, corners);
        if (along.gap_m > reach + rounding_of_gap(box.core)) return;
        ConvexPair found = closest(box.core, corners, along);
        if (found.distance > reach) return;
        const std::int32_t triangle = block.triangle[lane];
        if (closed() && found.distance > 0.0 &&
            (found.on_a - found.on_b).dot(surface_.outward(mesh_, triangle, TriangleFeature::face)) < 0.0 &&
            sides.inside(found.on_a)) {
            found.distance = -found.distance;
            found.normal = -found.normal;
        }
        visit(hit_of(rounded(found, double{box.radius_m}, 0.0), triangle));
    };
    find_all_near(near_, region, box.core, double{max_distance_m} + double{box.radius_m}, counts, NearVisit::of(keep));
}

}  // namespace glovebox::collision
