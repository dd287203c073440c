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

// Never more than the distance from the segment to the box: the segment's own box in the node's frame.
float lower_bound(const Obb& box, const Vector3f& a, const Vector3f& b) {
    const Vector3f in_a = box.axes.transpose() * (a - box.center_m), in_b = box.axes.transpose() * (b - box.center_m);
    return distance_of(in_a.cwiseMin(in_b).cwiseMax(-in_a.cwiseMax(in_b)) - box.half_m);
}
float lower_bound(const Obb& box, const Vector3f& point) {
    return distance_of((box.axes.transpose() * (point - box.center_m)).cwiseAbs() - box.half_m);
}
float lower_bound(const Obb& box, const Obb& other) {
    const Vector3f between = other.center_m - box.center_m;
    const Eigen::Matrix3f r = box.axes.transpose() * other.axes;
    const Vector3f in_box = (box.axes.transpose() * between).cwiseAbs() - box.half_m - r.cwiseAbs() * other.half_m;
    const Vector3f in_other =
        (other.axes.transpose() * between).cwiseAbs() - other.half_m - r.transpose().cwiseAbs() * box.half_m;
    return std::max(distance_of(in_box), distance_of(in_other));
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

}  // namespace

// Nearest first: visits leaves whose bound does not exceed `reach`, which visits lower as they find something.
template <class Bound, class Visit>
void MeshTree::descend(double& reach, MeshTreeCounts& counts, const Bound& bound, const Visit& visit) const {
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
    stack[size++] = {0, bound(nodes_[0].box) - slack};
    while (size > 0) {
        const Waiting waiting = stack[--size];
        if (!(waiting.bound <= reach)) continue;
        const Node* node = &nodes_[static_cast<std::size_t>(waiting.node)];
        if (node->count > 0) {
            for (std::int32_t i = 0; i < node->count; ++i) {
                ++counts.triangle_tests;
                visit(order_[static_cast<std::size_t>(node->first + i)]);
            }
            continue;
        }
        counts.box_tests += 2;
        const auto child = static_cast<std::size_t>(node->first);
        const Waiting first = {node->first, bound(nodes_[child].box) - slack};
        const Waiting second = {node->first + 1, bound(nodes_[child + 1].box) - slack};
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
    if (!closed()) return false;
    return nearest_surface(box_in_mesh.center_m.cast<double>(), counts).distance_m < 0.0;
}

MeshTree::SurfacePoint MeshTree::nearest_surface(const Vector3d& point_m, MeshTreeCounts& counts,
                                                 double start_m2) const {
    const Vector3f point = point_m.cast<float>();
    double best2 = start_m2, reach = std::sqrt(start_m2) * (1.0 + 1e-6);
    TrianglePoint best{Vector3d::Zero(), TriangleFeature::face};
    std::int32_t best_triangle = -1;
    descend(
        reach, counts, [&](const Obb& box) { return lower_bound(box, point); },
        [&](std::int32_t triangle) {
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
    const double largest_m = std::max(segment.radius_a, segment.radius_b);
    double reach = double{max_distance_m} + largest_m;
    SegmentTriangle best;
    best.gap = std::numeric_limits<double>::infinity();
    std::int32_t best_triangle = -1;
    descend(
        reach, counts, [&](const Obb& box) { return lower_bound(box, cone.a_m, cone.b_m); },
        [&](std::int32_t triangle) {
            const SegmentTriangle found = closest(segment, triangle_of(mesh_, triangle));
            if (found.gap >= best.gap || found.gap > double{max_distance_m}) return;
            best = found;
            best_triangle = triangle;
            reach = std::min(reach, found.gap + largest_m);
        });

    // Nothing in reach: outside everything, or deep inside a solid.
    if (best_triangle < 0) {
        if (!closed()) return {};
        const Vector3f inside = (nodes_[0].box.axes.transpose() * (cone.a_m - nodes_[0].box.center_m)).cwiseAbs();
        if (!(inside.array() <= nodes_[0].box.half_m.array()).all()) return {};
        const SurfacePoint surface = nearest_surface(segment.a, counts);
        return surface.distance_m < 0.0 ? deepest(cone, counts) : MeshHit{};
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
        double value;
        SurfacePoint surface;
    };
    const auto radius_at = [&](double s) { return segment.radius_a + s * slope; };
    // The surface is at most as far from here as from the last sample plus the way between.
    double last_s = 0.0, last_m = std::numeric_limits<double>::infinity();
    const auto sample = [&](double s) {
        const double reach = (last_m + std::abs(s - last_s) * length) * (1.0 + 1e-6) + 1e-9 * length;
        const SurfacePoint surface = nearest_surface(segment.a + s * along, counts, reach * reach);
        last_s = s;
        last_m = std::abs(surface.distance_m);
        return Sample{surface.distance_m - radius_at(s), surface};
    };

    const double spacing = std::max(0.5 * std::min(segment.radius_a, segment.radius_b), length / 16.0);
    const int pieces = length > 0.0 ? std::max(2, static_cast<int>(std::ceil(length / spacing))) : 1;
    int best_i = 0;
    double best_s = 0.0;
    Sample best = sample(0.0);
    for (int i = 1; i <= pieces; ++i) {
        const double s = static_cast<double>(i) / pieces;
        const Sample found = sample(s);
        if (found.value < best.value) {
            best = found;
            best_s = s;
            best_i = i;
        }
    }
    // Golden section between the neighbours of the best sample; phi is convex there where the solid is.
    constexpr double kGolden = 0.6180339887498949;
    double low = std::max(0, best_i - 1) / static_cast<double>(pieces);
    double high = std::min(pieces, best_i + 1) / static_cast<double>(pieces);
    if (length > 0.0) {
        const auto consider = [&](double s) {
            const Sample found = sample(s);
            if (found.value < best.value) {
                best = found;
                best_s = s;
            }
            return found.value;
        };
        double s1 = high - kGolden * (high - low), s2 = low + kGolden * (high - low);
        double v1 = consider(s1), v2 = consider(s2);
        while (high - low > 1e-6) {
            if (v1 <= v2) {
                high = s2;
                s2 = s1;
                v2 = v1;
                s1 = high - kGolden * (high - low);
                v1 = consider(s1);
            } else {
                low = s1;
                s1 = s2;
                v1 = v2;
                s2 = low + kGolden * (high - low);
                v2 = consider(s2);
            }
        }
    }
    return hit_at(segment.a + best_s * along, radius_at(best_s), best.surface);
}

MeshHit MeshTree::nearest(const RoundedBox& box, float max_distance_m, MeshTreeCounts& counts) const {
    const ConvexCore core(box.core);
    double reach = double{max_distance_m} + double{box.radius_m};
    ConvexPair best;
    best.distance = std::numeric_limits<double>::infinity();
    std::int32_t best_triangle = -1;
    bool crosses = false;
    descend(
        reach, counts, [&](const Obb& node) { return lower_bound(node, box.core); },
        [&](std::int32_t triangle) {
            if (crosses && closed()) return;
            const ConvexPair found = closest(core, ConvexCore(triangle_of(mesh_, triangle)));
            if (found.distance > reach || found.distance >= best.distance) return;
            best = found;
            best_triangle = triangle;
            reach = std::min(reach, std::max(0.0, found.distance));
            crosses = found.distance <= 0.0;
        });
    if (best_triangle < 0) {
        if (!closed()) return {};
        const SurfacePoint surface = nearest_surface(box.core.center_m.cast<double>(), counts);
        return surface.distance_m < 0.0 ? deepest(box, counts) : MeshHit{};
    }
    if (closed()) {
        if (crosses) return deepest(box, counts);
        const SurfacePoint surface = nearest_surface(best.on_a, counts);
        if (surface.distance_m < 0.0) return deepest(box, counts);
    }
    return hit_of(rounded(best, double{box.radius_m}, 0.0), best_triangle);
}

MeshHit MeshTree::deepest(const RoundedBox& box, MeshTreeCounts& counts) const {
    const Eigen::Matrix3d axes = box.core.axes.cast<double>();
    const Vector3d center = box.core.center_m.cast<double>(), half = box.core.half_m.cast<double>();
    const auto at = [&](const Vector3d& q) -> Vector3d { return center + axes * q.cwiseProduct(half); };
    Vector3d best_q = Vector3d::Zero();
    SurfacePoint best = nearest_surface(at(best_q), counts);
    const auto consider = [&](const Vector3d& q) {
        const SurfacePoint found = nearest_surface(at(q), counts);
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

}  // namespace glovebox::collision
