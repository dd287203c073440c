// Queries of a mesh tree: boxes are culled in float with a margin for rounding, triangles decided in double.
#include <algorithm>
#include <array>
#include <cmath>

#include "collision/exact/bone.h"
#include "collision/mesh_tree.h"

namespace glovebox::collision {
namespace {

using Eigen::Vector3d;
using Eigen::Vector3f;

// Deep enough for every tree that build() makes: at most 40 levels by place and 32 by halving, one sibling waiting at
// each.
constexpr std::size_t kStackSize = 96;

// Distance from the origin to where a box reaches out of another, given how far along each axis of the latter.
float distance_of(const Vector3f& gap) {
    return gap.cwiseMax(0.0F).norm();
}

// How far a triangle reaches along a direction.
float top_of(const std::array<Vector3f, 3>& corners, const Vector3f& direction) {
    return std::max({direction.dot(corners[0]), direction.dot(corners[1]), direction.dot(corners[2])});
}

// The culling side of a query. box() and outline() never give more than the true gap, up to rounding: each is the gap
// along one direction, which is never more than the gap.
struct PointReach {
    Vector3f point;

    float box(const Obb& node) const {
        return distance_of((node.axes.transpose() * (point - node.center_m)).cwiseAbs() - node.half_m);
    }
    template <class Outline>
    float outline(const Outline& triangle) const {
        const Vector3f away = point - triangle.center_m;
        const float length = away.norm();
        if (!(length > 0.0F)) return 0.0F;
        return (away.dot(point) - top_of(triangle.corners_m, away)) / length;
    }
};

struct ConeReach {
    Vector3f a, b, along;
    float radius_a, radius_b, radius_max;
    float inverse_length2 = 0.0F;
    float tilt = 0.0F,
          shrink = 1.0F;  // slope / length^2 and sqrt(1 - slope^2): from across the axis to across the side

    explicit ConeReach(const RoundCone& cone)
        : a(cone.a_m),
          b(cone.b_m),
          along(cone.b_m - cone.a_m),
          radius_a(cone.radius_a_m),
          radius_b(cone.radius_b_m),
          radius_max(std::max(radius_a, radius_b)) {
        const float length2 = along.squaredNorm();
        if (!(length2 > 0.0F)) return;
        inverse_length2 = 1.0F / length2;
        const float slope = radius_b - radius_a;
        if (!(slope * slope < length2)) return;
        tilt = slope * inverse_length2;
        shrink = std::sqrt(1.0F - slope * slope * inverse_length2);
    }
    // A good direction is the one from the thing's middle to the nearest point of the axis, tilted to stand on the
    // cone's side where that point is between the ends.
    float box(const Obb& node) const {
        const Vector3f in_a = node.axes.transpose() * (a - node.center_m);
        const Vector3f in_along = node.axes.transpose() * along, in_b = in_a + in_along;
        // Along the node's axes: the axis's own box there.
        const float by_axes =
            distance_of(in_a.cwiseMin(in_b).cwiseMax(-in_a.cwiseMax(in_b)) - node.half_m) - radius_max;
        const float s = std::clamp(-in_a.dot(in_along) * inverse_length2, 0.0F, 1.0F);
        Vector3f away = in_a + s * in_along;
        const float length = away.norm();
        if (!(length > 0.0F)) return by_axes;
        away /= length;
        if (s > 0.0F && s < 1.0F) away = shrink * away + tilt * in_along;
        const float low = std::min(away.dot(in_a) - radius_a, away.dot(in_b) - radius_b);
        return std::max(by_axes, low - node.half_m.dot(away.cwiseAbs()));
    }
    template <class Outline>
    float outline(const Outline& triangle) const {
        const float s = std::clamp((triangle.center_m - a).dot(along) * inverse_length2, 0.0F, 1.0F);
        Vector3f away = a + s * along - triangle.center_m;
        const float length = away.norm();
        if (!(length > 0.0F)) return -radius_max;
        away /= length;
        if (s > 0.0F && s < 1.0F) away = shrink * away + tilt * along;
        const float low = std::min(away.dot(a) - radius_a, away.dot(b) - radius_b);
        return std::max(-radius_max, low - top_of(triangle.corners_m, away));
    }
};

struct BoxReach {
    const Obb& core;

    float box(const Obb& node) const {
        const Vector3f between = core.center_m - node.center_m;
        const Eigen::Matrix3f r = (node.axes.transpose() * core.axes).cwiseAbs();
        const Vector3f in_node = (node.axes.transpose() * between).cwiseAbs() - node.half_m - r * core.half_m;
        const Vector3f in_core =
            (core.axes.transpose() * between).cwiseAbs() - core.half_m - r.transpose() * node.half_m;
        return std::max(distance_of(in_node), distance_of(in_core));
    }
    template <class Outline>
    float outline(const Outline& triangle) const {
        std::array<Vector3f, 3> corners;
        for (std::size_t i = 0; i < 3; ++i)
            corners[i] = core.axes.transpose() * (triangle.corners_m[i] - core.center_m);
        const Vector3f low = corners[0].cwiseMin(corners[1]).cwiseMin(corners[2]);
        const Vector3f high = corners[0].cwiseMax(corners[1]).cwiseMax(corners[2]);
        const float by_axes = distance_of(low.cwiseMax(-high) - core.half_m);
        // Across the triangle's plane.
        const Vector3f normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
        const float length = normal.norm();
        const float by_plane =
            length > 0.0F ? (std::abs(normal.dot(corners[0])) - normal.cwiseAbs().dot(core.half_m)) / length : 0.0F;
        return std::max(by_axes, by_plane);
    }
};

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

}  // namespace

// Nearest first: visits leaves whose bound does not exceed `reach`, which visits lower as they find something.
template <class Reach, class Visit>
void MeshTree::descend(double& reach, MeshTreeCounts& counts, const Reach& from, const Visit& visit) const {
    struct Waiting {
        std::int32_t node;
        float bound;
    };
    // A bound computed in float may be too large by this much; near the surface it must not cut the nearest triangle
    // off.
    const float slack =
        1e-6F * (nodes_[0].box.center_m.cwiseAbs().maxCoeff() + nodes_[0].box.half_m.maxCoeff()) + 1e-30F;
    std::array<Waiting, kStackSize> stack;
    std::size_t size = 0;
    ++counts.box_tests;
    stack[size++] = {0, from.box(nodes_[0].box) - slack};
    while (size > 0) {
        const Waiting waiting = stack[--size];
        if (!(waiting.bound <= reach)) continue;
        const Node* node = &nodes_[static_cast<std::size_t>(waiting.node)];
        if (node->count > 0) {
            for (std::int32_t i = node->first; i < node->first + node->count; ++i) {
                if (!(from.outline(outlines_[static_cast<std::size_t>(i)]) - slack <= reach)) continue;
                ++counts.triangle_tests;
                visit(order_[static_cast<std::size_t>(i)]);
            }
            continue;
        }
        counts.box_tests += 2;
        const auto child = static_cast<std::size_t>(node->first);
        const Waiting first = {node->first, from.box(nodes_[child].box) - slack};
        const Waiting second = {node->first + 1, from.box(nodes_[child + 1].box) - slack};
        const bool swap = second.bound < first.bound;
        stack[size++] = swap ? first : second;
        stack[size++] = swap ? second : first;
    }
}

bool MeshTree::overlaps(const Obb& box_in_mesh, MeshTreeCounts& counts) const {
    std::array<std::int32_t, kStackSize> stack;
    std::size_t size = 0;
    ++counts.box_tests;
    if (!overlap(box_in_mesh, nodes_[0].box)) return false;
    stack[size++] = 0;
    while (size > 0) {
        const Node& node = nodes_[static_cast<std::size_t>(stack[--size])];
        if (node.count > 0) return true;
        for (std::int32_t child = node.first; child < node.first + 2; ++child) {
            ++counts.box_tests;
            if (overlap(box_in_mesh, nodes_[static_cast<std::size_t>(child)].box)) stack[size++] = child;
        }
    }
    return contains(box_in_mesh.center_m, counts);
}

bool MeshTree::contains(const Vector3f& point_m, MeshTreeCounts& counts) const {
    if (!closed()) return false;
    const InsideGrid::Side side = inside_.at(point_m);
    if (side != InsideGrid::Side::unknown) return side == InsideGrid::Side::inside;
    return nearest_surface(point_m.cast<double>(), counts).distance_m < 0.0;
}

MeshTree::SurfacePoint MeshTree::nearest_surface(const Vector3d& point_m, MeshTreeCounts& counts,
                                                 double start_m2) const {
    const Vector3f point = point_m.cast<float>();
    double best2 = start_m2, reach = std::sqrt(start_m2) * (1.0 + 1e-6);
    TrianglePoint best{Vector3d::Zero(), TriangleFeature::face};
    std::int32_t best_triangle = -1;
    descend(reach, counts, PointReach{point}, [&](std::int32_t triangle) {
        const TrianglePoint nearest = closest_on_triangle(point_m, triangle_of(mesh_, triangle));
        const double distance2 = (nearest.point - point_m).squaredNorm();
        if (distance2 > best2 || (distance2 == best2 && best_triangle >= 0)) return;
        best2 = distance2;
        reach = std::sqrt(distance2);
        best = nearest;
        best_triangle = triangle;
    });
    if (best_triangle < 0) return nearest_surface(point_m, counts);
    SurfacePoint surface{std::sqrt(best2), best.point, surface_.outward(mesh_, best_triangle, best.feature),
                         best_triangle};
    if (closed() && (point_m - best.point).dot(surface.outward) < 0.0) surface.distance_m = -surface.distance_m;
    return surface;
}

float MeshTree::signed_distance(const Vector3f& point_in_mesh_m) const {
    MeshTreeCounts counts;
    return static_cast<float>(nearest_surface(point_in_mesh_m.cast<double>(), counts).distance_m);
}

MeshHit MeshTree::nearest(const RoundCone& cone, float max_distance_m, MeshTreeCounts& counts) const {
    const RoundSegment segment = round_segment(cone);
    double reach = double{max_distance_m};
    SegmentTriangle best;
    best.gap = std::numeric_limits<double>::infinity();
    std::int32_t best_triangle = -1;
    descend(reach, counts, ConeReach(cone), [&](std::int32_t triangle) {
        const SegmentTriangle found = closest(segment, triangle_of(mesh_, triangle));
        if (found.gap >= best.gap || found.gap > double{max_distance_m}) return;
        best = found;
        best_triangle = triangle;
        reach = found.gap;
    });

    // Nothing in reach: outside everything, or deep inside a solid.
    if (best_triangle < 0) {
        return contains(cone.a_m, counts) ? deepest(cone, counts) : MeshHit{};
    }
    const Vector3d outward = surface_.outward(mesh_, best_triangle, best.feature);
    if (closed()) {
        // The core crosses the surface only where some gap is at most minus the radius there.
        const bool may_cross = best.gap <= -std::min(segment.radius_a, segment.radius_b);
        if (may_cross || (best.on_axis - best.on_triangle).dot(outward) < 0.0) return deepest(cone, counts);
    }
    const double radius_m = best.core_distance - best.gap;
    return hit_at(best.on_axis, radius_m, {best.core_distance, best.on_triangle, outward, best_triangle});
}

MeshHit MeshTree::deepest(const RoundCone& cone, MeshTreeCounts& counts) const {
    const RoundSegment segment = round_segment(cone);
    const Vector3d along = segment.b - segment.a;
    const double length = along.norm(), slope = segment.radius_b - segment.radius_a;
    struct Sample {
        double s, value, rate;  // value(s) = phi - radius, and its derivative
        SurfacePoint surface;
    };
    const auto radius_at = [&](double s) { return segment.radius_a + s * slope; };
    // The surface is at most as far from here as from the last sample plus the way between.
    double last_s = 0.0, last_m = std::numeric_limits<double>::infinity();
    const auto sample = [&](double s) {
        const double reach = (last_m + std::abs(s - last_s) * length) * (1.0 + 1e-6) + 1e-9 * length;
        const Vector3d x = segment.a + s * along;
        const SurfacePoint surface = nearest_surface(x, counts, reach * reach);
        last_s = s;
        last_m = std::abs(surface.distance_m);
        const Vector3d gradient = last_m > 0.0 ? Vector3d((x - surface.nearest_m) / surface.distance_m)
                                               : Vector3d(surface.outward.normalized());
        return Sample{s, surface.distance_m - radius_at(s), gradient.dot(along) - slope, surface};
    };
    Sample best = sample(0.0);
    if (length == 0.0) return hit_at(segment.a, radius_at(slope > 0.0 ? 1.0 : 0.0), best.surface);

    // Starts half a radius apart. phi is 1-Lipschitz: where the last one says that nothing better is near, skip on.
    const double spacing = std::max(0.5 * std::min(segment.radius_a, segment.radius_b), length / 16.0);
    const int pieces = std::max(2, static_cast<int>(std::ceil(length / spacing)));
    Sample left = best, right = best, before = best;
    bool take_next = true;
    for (int i = 1; i <= pieces; ++i) {
        const double s = static_cast<double>(i) / pieces;
        if (!take_next && i < pieces && before.value - (s - before.s) * (length + std::abs(slope)) > best.value)
            continue;
        const Sample found = sample(s);
        if (take_next) right = found;
        take_next = false;
        if (found.value < best.value) {
            left = before;
            best = right = found;
            take_next = true;
        }
        before = found;
    }

    // Between the neighbours of the best start: tangents from both sides bound a convex function from below, and where
    // they cross is the next sample. Faces make phi piecewise linear, so a few samples end it.
    for (int i = 0; i < 24 && left.s < right.s; ++i) {
        double s = 0.5 * (left.s + right.s), bound = -std::numeric_limits<double>::infinity();
        if (left.rate < 0.0 && right.rate > 0.0) {
            const double crossing =
                (right.value - left.value + left.rate * left.s - right.rate * right.s) / (left.rate - right.rate);
            if (crossing > left.s && crossing < right.s) {
                s = crossing;
                bound = left.value + left.rate * (s - left.s);
            }
        }
        if (bound >= best.value - 1e-7 * length || right.s - left.s < 1e-6) break;
        const Sample found = sample(s);
        if (found.value < best.value) best = found;
        (found.rate < 0.0 ? left : right) = found;
    }
    return hit_at(segment.a + best.s * along, radius_at(best.s), best.surface);
}

MeshHit MeshTree::nearest(const RoundedBox& box, float max_distance_m, MeshTreeCounts& counts) const {
    const ConvexCore core(box.core);
    double reach = double{max_distance_m} + double{box.radius_m};
    ConvexPair best;
    best.distance = std::numeric_limits<double>::infinity();
    std::int32_t best_triangle = -1;
    bool crosses = false;
    descend(reach, counts, BoxReach{box.core}, [&](std::int32_t triangle) {
        if (crosses && closed()) return;
        const ConvexPair found = closest(core, ConvexCore(triangle_of(mesh_, triangle)));
        if (found.distance > reach || found.distance >= best.distance) return;
        best = found;
        best_triangle = triangle;
        reach = std::min(reach, std::max(0.0, found.distance));
        crosses = found.distance <= 0.0;
    });
    if (best_triangle < 0) return contains(box.core.center_m, counts) ? deepest(box, counts) : MeshHit{};
    // A core that does not cross the surface is all on one side of it.
    if (closed() && (crosses || contains(box.core.center_m, counts))) return deepest(box, counts);
    return hit_of(rounded(best, double{box.radius_m}, 0.0), best_triangle);
}

MeshHit MeshTree::deepest(const RoundedBox& box, MeshTreeCounts& counts) const {
    const Eigen::Matrix3d axes = box.core.axes.cast<double>();
    const Vector3d center = box.core.center_m.cast<double>(), half = box.core.half_m.cast<double>();
    const auto at = [&](const Vector3d& q) -> Vector3d { return center + axes * q.cwiseProduct(half); };
    Vector3d best_q = Vector3d::Zero();
    SurfacePoint best = nearest_surface(at(best_q), counts);
    // The surface is at most as far from here as from the last sample plus the way between.
    Vector3d last_x = center;
    double last_m = std::abs(best.distance_m);
    const auto consider = [&](const Vector3d& q) {
        const Vector3d x = at(q);
        const double reach = (last_m + (x - last_x).norm()) * (1.0 + 1e-6) + 1e-9 * half.sum();
        const SurfacePoint found = nearest_surface(x, counts, reach * reach);
        last_x = x;
        last_m = std::abs(found.distance_m);
        if (!(found.distance_m < best.distance_m)) return false;
        best = found;
        best_q = q;
        return true;
    };
    // Corners, edge and face middles first; then a pattern search with shrinking steps along the box's axes.
    for (int i = 0; i < 27; ++i)
        if (i != 13) consider(Vector3d(i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1));
    for (double step = 0.5; step > 1e-4; step *= 0.5) {
        bool moved = true;
        while (moved) {
            moved = false;
            for (int i = 0; i < 6; ++i) {
                Vector3d q = best_q;
                q[i / 2] = std::clamp(q[i / 2] + (i % 2 == 0 ? step : -step), -1.0, 1.0);
                if (q != best_q) moved = consider(q) || moved;
            }
        }
    }
    return hit_at(at(best_q), double{box.radius_m}, best);
}

void MeshTree::all_within(const RoundCone& cone, float max_distance_m, const Visitor& visit,
                          MeshTreeCounts& counts) const {
    const RoundSegment segment = round_segment(cone);
    double reach = double{max_distance_m};
    descend(reach, counts, ConeReach(cone), [&](std::int32_t triangle) {
        const SegmentTriangle found = closest(segment, triangle_of(mesh_, triangle));
        if (found.gap > reach) return;
        const Vector3d outward = surface_.outward(mesh_, triangle, found.feature);
        const bool behind = closed() && (found.on_axis - found.on_triangle).dot(outward) < 0.0;
        const double radius_m = found.core_distance - found.gap;
        visit(hit_at(found.on_axis, radius_m,
                     {behind ? -found.core_distance : found.core_distance, found.on_triangle, outward, triangle}));
    });
}

void MeshTree::all_within(const RoundedBox& box, float max_distance_m, const Visitor& visit,
                          MeshTreeCounts& counts) const {
    const ConvexCore core(box.core);
    double reach = double{max_distance_m} + double{box.radius_m};
    descend(reach, counts, BoxReach{box.core}, [&](std::int32_t triangle) {
        const ConvexPair found = closest(core, ConvexCore(triangle_of(mesh_, triangle)));
        if (found.distance <= reach) visit(hit_of(rounded(found, double{box.radius_m}, 0.0), triangle));
    });
}

}  // namespace glovebox::collision
