// The bounds of obb_tree_walk.cpp for one box and one triangle at a time: the reference for tests.
#include <algorithm>
#include <cmath>

#include "collision/mesh/obb_tree.h"

namespace glovebox::collision {
namespace {

using Eigen::Vector3f;

// ---- bounds one by one

// Returns the distance of two boxes from their gaps along each axis.
float distance_of(const Vector3f& gap) {
    return gap.cwiseMax(0.0F).norm();
}

using TriangleCorners = std::array<Vector3f, 3>;

// Returns a unit vector, or the zero vector, along which there is no gap.
Vector3f direction_of(const Vector3f& v) {
    return v / std::max(v.norm(), 1e-18F);
}

struct Span {
    float low, high;
};
Span span_of(const TriangleCorners& corners, const Vector3f& direction) {
    const float a = direction.dot(corners[0]), b = direction.dot(corners[1]), c = direction.dot(corners[2]);
    return {std::min({a, b, c}), std::max({a, b, c})};
}
Vector3f middle_of(const TriangleCorners& corners) {
    return (corners[0] + corners[1] + corners[2]) / 3.0F;
}
Vector3f across(const TriangleCorners& corners) {
    return (corners[1] - corners[0]).cross(corners[2] - corners[1]);
}
Vector3f nearest_to(const Vector3f& point, const TriangleCorners& corners) {
    const Vector3f normal = across(corners);
    const float edges2 = (corners[1] - corners[0]).squaredNorm() * (corners[2] - corners[1]).squaredNorm();
    bool above = normal.squaredNorm() > 1e-2F * edges2;
    Vector3f nearest = corners[0];
    for (std::size_t i = 0; i < 3; ++i) {
        const Vector3f edge = corners[(i + 1) % 3] - corners[i], from = point - corners[i];
        above = above && normal.cross(edge).dot(from) >= 0.0F;
        const float t = std::clamp(from.dot(edge) / std::max(edge.squaredNorm(), 1e-36F), 0.0F, 1.0F);
        const Vector3f on_edge = corners[i] + t * edge;
        if ((point - on_edge).squaredNorm() < (point - nearest).squaredNorm()) nearest = on_edge;
    }
    return above ? Vector3f(point - normal * (normal.dot(point - corners[0]) / normal.squaredNorm())) : nearest;
}

struct Gap {
    float least, most;
};

// The lower bound is the gap along one direction, which is at most the distance; the upper bound is some pair of
// points.
struct PointBound {
    Vector3f point;

    float box(const Aabb& box) const { return distance_of((box.min_m - point).cwiseMax(point - box.max_m)); }
    Gap triangle(const TriangleCorners& corners) const {
        const Vector3f way = point - nearest_to(point, corners), away = direction_of(way);
        return {std::max(0.0F, away.dot(point) - span_of(corners, away).high), way.norm()};
    }
};

struct ConeBound {
    Vector3f a, b, along;
    float radius_a, radius_b, radius_max, inverse_length2 = 0.0F;
    // slope / length^2 and sqrt(1 - slope^2 / length^2): rotate a normal of the axis to a normal of the side
    float tilt = 0.0F, shrink = 1.0F;

    explicit ConeBound(const RoundCone& cone)
        : a(cone.a_m),
          b(cone.b_m),
          along(cone.b_m - cone.a_m),
          radius_a(cone.radius_a_m),
          radius_b(cone.radius_b_m),
          radius_max(std::max(radius_a, radius_b)) {
        const float length2 = along.squaredNorm();
        if (!(length2 > std::numeric_limits<float>::min())) return;
        inverse_length2 = 1.0F / length2;
        const float slope = radius_b - radius_a;
        if (!(slope * slope < length2)) return;
        tilt = slope * inverse_length2;
        shrink = std::sqrt(1.0F - slope * slope * inverse_length2);
    }

    float nearest_to_point(const Vector3f& at) const {
        return std::clamp((at - a).dot(along) * inverse_length2, 0.0F, 1.0F);
    }
    // Returns the direction of a vector to the axis. If the vector ends between the ends of the axis, the direction is
    // tilted to the normal of the cone's side. Without the division a vector not quite across the axis would give a
    // result longer than 1.
    Vector3f direction_of_segment(const Vector3f& way, float s) const {
        Vector3f away = direction_of(way);
        if (s > 0.0F && s < 1.0F) away = shrink * away + tilt * along;
        return away / std::max(away.norm(), 1.0F);
    }
    float low_along(const Vector3f& direction) const {
        return std::min(direction.dot(a) - radius_a, direction.dot(b) - radius_b);
    }
    float box(const Aabb& box) const {
        const float by_axes = distance_of((box.min_m - a.cwiseMax(b)).cwiseMax(a.cwiseMin(b) - box.max_m)) - radius_max;
        const Vector3f middle = 0.5F * (box.min_m + box.max_m), half = 0.5F * (box.max_m - box.min_m);
        const float s = nearest_to_point(middle);
        const Vector3f away = direction_of_segment(a + s * along - middle, s);
        return std::max(by_axes, low_along(away) - away.dot(middle) - half.dot(away.cwiseAbs()));
    }
    Gap triangle(const TriangleCorners& corners) const {
        // Alternating projection between axis and triangle.
        float s = nearest_to_point(middle_of(corners));
        s = nearest_to_point(nearest_to(a + s * along, corners));
        const Vector3f way = a + s * along - nearest_to(a + s * along, corners);
        const Vector3f away = direction_of_segment(way, s), normal = direction_of(across(corners));
        const Span over = span_of(corners, normal);
        return {std::max({-radius_max, low_along(away) - span_of(corners, away).high, low_along(normal) - over.high,
                          over.low + low_along(-normal)}),
                way.norm() - (radius_a + s * (radius_b - radius_a))};
    }
};

struct CoreBound {
    Obb core;

    float box(const Aabb& box) const {
        const Vector3f between = core.center_m - 0.5F * (box.min_m + box.max_m);
        const Vector3f half = 0.5F * (box.max_m - box.min_m);
        const Eigen::Matrix3f turn = core.axes.cwiseAbs();
        return std::max(
            distance_of(between.cwiseAbs() - half - turn * core.half_m),
            distance_of((core.axes.transpose() * between).cwiseAbs() - core.half_m - turn.transpose() * half));
    }
    Gap triangle(const TriangleCorners& corners) const {
        TriangleCorners in_core;
        for (std::size_t i = 0; i < 3; ++i) in_core[i] = core.axes.transpose() * (corners[i] - core.center_m);
        const auto into_core = [&](const Vector3f& at) -> Vector3f {
            return at.cwiseMin(core.half_m).cwiseMax(-core.half_m);
        };
        const Vector3f low = in_core[0].cwiseMin(in_core[1]).cwiseMin(in_core[2]);
        const Vector3f high = in_core[0].cwiseMax(in_core[1]).cwiseMax(in_core[2]);
        const Vector3f normal = direction_of(across(in_core));
        const Span over = span_of(in_core, normal);
        const float radius = normal.cwiseAbs().dot(core.half_m);
        // Alternating projection between box and triangle.
        Vector3f nearest = nearest_to(into_core(middle_of(in_core)), in_core);
        nearest = nearest_to(into_core(nearest), in_core);
        const Vector3f way = nearest - into_core(nearest), away = direction_of(way);
        return {std::max({distance_of(low.cwiseMax(-high) - core.half_m), over.low - radius, -over.high - radius,
                          span_of(in_core, away).low - away.cwiseAbs().dot(core.half_m)}),
                way.norm()};
    }
};

template <class Bound>
NodeBounds bounds_of(const ObbTree::Node& node, const Bound& bound) {
    NodeBounds bounds;
    for (std::size_t child = 0; child < ObbTree::kWidth; ++child) bounds[child] = bound.box(stored_box(node, child));
    return bounds;
}

template <class Bound>
BlockBounds bounds_of(const ObbTree::Block& block, const Bound& bound) {
    BlockBounds bounds;
    for (std::size_t lane = 0; lane < ObbTree::kBlockTriangles; ++lane) {
        TriangleCorners corners;
        for (std::size_t i = 0; i < 3; ++i)
            for (std::size_t k = 0; k < 3; ++k) corners[i][static_cast<Eigen::Index>(k)] = block.corner_m[i][k][lane];
        const Gap gap = bound.triangle(corners);
        bounds.least[lane] = gap.least;
        bounds.most[lane] = gap.most;
    }
    return bounds;
}

}  // namespace

NodeBounds node_bounds_scalar(const ObbTree::Node& node, const Vector3f& point_m) {
    return bounds_of(node, PointBound{axes_of(node).transpose() * point_m});
}
NodeBounds node_bounds_scalar(const ObbTree::Node& node, const RoundCone& cone) {
    const Eigen::Matrix3f from_mesh = axes_of(node).transpose();
    ConeBound bound(cone);
    bound.a = from_mesh * bound.a;
    bound.b = from_mesh * bound.b;
    bound.along = bound.b - bound.a;
    return bounds_of(node, bound);
}
NodeBounds node_bounds_scalar(const ObbTree::Node& node, const Obb& core) {
    const Eigen::Matrix3f from_mesh = axes_of(node).transpose();
    return bounds_of(node, CoreBound{{from_mesh * core.center_m, from_mesh * core.axes, core.half_m}});
}
BlockBounds block_bounds_scalar(const ObbTree::Block& block, const Vector3f& point_m) {
    return bounds_of(block, PointBound{point_m});
}
BlockBounds block_bounds_scalar(const ObbTree::Block& block, const RoundCone& cone) {
    return bounds_of(block, ConeBound(cone));
}
BlockBounds block_bounds_scalar(const ObbTree::Block& block, const Obb& core) {
    return bounds_of(block, CoreBound{core});
}

}  // namespace glovebox::collision
