// The contact points under the flat sides of a solid.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "collision/contact/outline.h"

namespace glovebox::collision::manifold {

// Returns a box around the part of the solid at most depth_m behind its foremost point in a direction of the target's
// frame; for a mesh, around all of it.
inline Aabb front_of(const Surface& surface, const Eigen::Isometry3d& target_from_solid, const Vector3d& direction,
                     double depth_m) {
    Aabb bounds;
    const auto include = [&](const Vector3d& point) { bounds.include((target_from_solid * point).cast<float>()); };
    if (surface.is_mesh()) {
        surface.for_bounds(include);
        return bounds;
    }
    const Vector3d way = target_from_solid.linear().transpose() * direction;
    double from_m = -std::numeric_limits<double>::infinity();
    surface.for_bounds([&](const Vector3d& corner) { from_m = std::max(from_m, way.dot(corner)); });
    from_m -= depth_m;
    surface.for_facets([&](const Vector3d&, const Triangle& t) {
        for (std::size_t i = 0; i < 3; ++i) {
            const Vector3d &p = t[i], &q = t[(i + 1) % 3];
            const double at_p = way.dot(p) - from_m, at_q = way.dot(q) - from_m;
            if (at_p >= 0.0) include(p);
            if ((at_p < 0.0) != (at_q < 0.0)) include(p + at_p / (at_p - at_q) * (q - p));
        }
    });
    return bounds;
}

// Limits of the gaps between two facing surfaces that count as contact; negative if they overlap.
struct Gaps {
    double low_m, high_m;
    double near_cos;  // between a side's normal and the deepest point's
    bool with_corners, with_smooth;
};

// All coplanar or parallel facets of a solid with the same outward direction.
struct Flat {
    Vector3d outward = Vector3d::Zero();  // unit, in the solid's frame; zero: there is none
    double area_m2 = 0.0;

    bool is_there() const { return !outward.isZero(); }
    bool holds(const Vector3d& facet_outward) const { return facet_outward.dot(outward) >= 1.0 - 1e-6; }
};

// The facets of a solid that may support another solid in front of it; for a mesh, those near the other solid.
class Facets {
  public:
    Facets(const Solid& solid, const Solid& other, const Eigen::Vector3f& normal, const Gaps& gaps) : solid_(solid) {
        if (!solid.surface.is_mesh()) return;
        const Aabb bounds = front_of(
            other.surface, (solid.world_from_solid.inverse(Eigen::Isometry) * other.world_from_solid).cast<double>(),
            -in_solid(normal), gaps.high_m - gaps.low_m);
        const double reach_m = std::max(std::abs(gaps.low_m), std::abs(gaps.high_m)) + other.radius_m;
        low_m_ = (bounds.min_m.cast<double>().array() - reach_m).matrix();
        high_m_ = (bounds.max_m.cast<double>().array() + reach_m).matrix();
    }
    const Solid& solid() const { return solid_; }
    Eigen::Vector3f normal_of(const Flat& flat) const {
        return solid_.world_from_solid.linear() * flat.outward.cast<float>();
    }

    /// Calls visit(unit normal, facet).
    template <class Visit>
    void visit(CollideCounts& counts, const Visit& visit) const {
        if (!solid_.surface.is_mesh()) {
            solid_.surface.for_facets(visit);
            return;
        }
        solid_.surface.near(low_m_, high_m_, counts, [&](std::int32_t number, const Triangle& t) {
            visit(Vector3d(solid_.surface.outward(number).normalized()), t);
            return true;
        });
    }
    /// Returns the flat part whose normal is nearest to the given one, if it is within near_cos.
    Flat towards(const Eigen::Vector3f& normal, double near_cos, bool with_area, CollideCounts& counts) const {
        const Vector3d way = in_solid(normal);
        Flat flat;
        visit(counts, [&](const Vector3d& outward, const Triangle&) {
            if (!(outward.dot(way) > near_cos)) return;
            near_cos = outward.dot(way);
            flat.outward = outward;
        });
        if (flat.is_there() && with_area)
            visit(counts, [&](const Vector3d& outward, const Triangle& t) {
                if (flat.holds(outward)) flat.area_m2 += 0.5 * (t[1] - t[0]).cross(t[2] - t[0]).norm();
            });
        return flat;
    }

  private:
    Vector3d in_solid(const Eigen::Vector3f& normal) const {
        return (solid_.world_from_solid.linear().transpose() * normal).cast<double>();
    }

    const Solid& solid_;
    Vector3d low_m_, high_m_;  // for a mesh
};

// Calls emit(contact) for the parts of the object under a side of the bone, along the normal.
template <class Emit>
void clip_under_side(const Facets& facets, const Flat& flat, const Solid& object, const Eigen::Vector3f& normal,
                     const Gaps& gaps, const MergeTolerance& same, CollideCounts& counts, const Emit& emit) {
    const Solid& bone = facets.solid();
    const Eigen::Isometry3d object_from_bone =
        (object.world_from_solid.inverse(Eigen::Isometry) * bone.world_from_solid).cast<double>();
    const double radii_m = bone.radius_m + object.radius_m;
    Heights heights{gaps.low_m + radii_m, gaps.high_m + radii_m};
    Side side;
    side.direction = (object.world_from_solid.linear().transpose() * normal).cast<double>();
    side.outward = object_from_bone.linear() * flat.outward;
    const auto for_side = [&](const auto& visit) {
        facets.visit(counts, [&](const Vector3d& outward, const Triangle& t) {
            if (flat.holds(outward))
                visit(Triangle{object_from_bone * t[0], object_from_bone * t[1], object_from_bone * t[2]});
        });
    };
    std::array<Triangle, 2> halves;
    std::size_t facet_count = 0;
    if (!bone.surface.is_mesh())
        for_side([&](const Triangle& t) {
            if (facet_count < 2) halves[facet_count] = t;
            ++facet_count;
        });
    const auto for_outline = [&](const auto& add, const auto& add_tip) {
        const auto add_side = [&] {
            outline_of(side, object.surface, heights, gaps.with_corners, counts, add, add_tip);
        };
        if (facet_count == 2) {
            // A rectangle is processed once: the corners that its halves do not share are opposite.
            const auto missing = [](const Triangle& t, const Triangle& in) {
                std::size_t i = 0;
                while (i < 2 && std::find(in.begin(), in.end(), t[i]) != in.end()) ++i;
                return i;
            };
            const std::size_t i = missing(halves[0], halves[1]);
            side.corners = {halves[0][i], halves[0][(i + 1) % 3], halves[1][missing(halves[1], halves[0])],
                            halves[0][(i + 2) % 3]};
            side.count = 4;
            add_side();
        } else {
            for_side([&](const Triangle& t) {
                std::copy(t.begin(), t.end(), side.corners.begin());
                side.count = 3;
                add_side();
            });
        }
    };
    if (gaps.with_smooth) {
        heights.smooth_m = heights.high_m;
        double lowest_m = heights.high_m;
        const auto lower = [&](const Vector3d&, double height_m) { lowest_m = std::min(lowest_m, height_m); };
        for_outline(lower, lower);
        heights.smooth_m = std::min(lowest_m + double{same.tie_m}, heights.high_m);
    }
    Outline outline(side.direction, 1e-3 * double{same.tie_m});
    for_outline([&](const Vector3d& on_core, double height_m) { outline.add(on_core, height_m); },
                [&](const Vector3d& on_core, double height_m) { outline.add_tip(on_core, height_m); });
    outline.visit(double{same.apart_m}, [&](const Vector3d& on_core, double height_m) {
        const Eigen::Isometry3f& world = object.world_from_solid;
        Contact contact;
        contact.distance_m = static_cast<float>(height_m - radii_m);
        contact.normal = world.linear() * side.direction.cast<float>();
        contact.on_body_m = world * Vector3d(on_core + bone.radius_m * side.direction).cast<float>();
        contact.on_object_m = world * Vector3d(on_core + (height_m - object.radius_m) * side.direction).cast<float>();
        emit(contact);
    });
}

// Calls visit(normal) for up to three other directions in which the mesh faces the bone, such as the wall beside a
// table. The direction with the deepest overlap with a triangle's plane comes first.
template <class Visit>
void for_other_normals(const Solid& bone, const Solid& mesh, const Eigen::Vector3f& normal, const Gaps& gaps,
                       CollideCounts& counts, const Visit& visit) {
    const Eigen::Isometry3d mesh_from_bone =
        (mesh.world_from_solid.inverse(Eigen::Isometry) * bone.world_from_solid).cast<double>();
    Aabb bounds;
    bone.surface.for_bounds([&](const Vector3d& corner) { bounds.include((mesh_from_bone * corner).cast<float>()); });
    const Vector3d low_m = (bounds.min_m.cast<double>().array() - gaps.high_m).matrix(),
                   high_m = (bounds.max_m.cast<double>().array() + gaps.high_m).matrix();
    const Vector3d middle = 0.5 * (low_m + high_m);
    const double round_m = 0.5 * (bounds.max_m - bounds.min_m).cast<double>().norm();
    std::array<Vector3d, 4> known = {(mesh.world_from_solid.linear().transpose() * normal).cast<double>()};
    for (std::size_t count = 1; count < known.size(); ++count) {
        double smallest_m = gaps.high_m;
        Vector3d next = Vector3d::Zero();
        mesh.surface.near(low_m, high_m, counts, [&](std::int32_t number, const Triangle& t) {
            ++counts.n_p;
            const Vector3d outward = mesh.surface.outward(number).normalized();
            for (std::size_t i = 0; i < count; ++i)
                if (-outward.dot(known[i]) >= double{kSameNormalCos}) return true;
            if (outward.dot(middle - t[0]) - round_m > smallest_m) return true;
            const Vector3d in_bone = mesh_from_bone.linear().transpose() * outward;
            const double plane_m = outward.dot(t[0] - mesh_from_bone.translation());
            double gap_m = std::numeric_limits<double>::infinity();
            for (const Eigen::Vector3f& corner : bone.surface.corners()) {
                gap_m = std::min(gap_m, in_bone.dot(corner.cast<double>()) - plane_m);
                if (gap_m < gaps.low_m) return true;
            }
            if (!(gap_m <= smallest_m) || outward.isZero()) return true;
            // Is the part of the bone at this distance near the triangle?
            Aabb triangle;
            for (const Vector3d& corner : t) triangle.include(corner.cast<float>());
            const Aabb front = front_of(bone.surface, mesh_from_bone, -outward, gaps.high_m - gap_m);
            const float reach_m = static_cast<float>(std::max(std::abs(gap_m), gaps.high_m));
            if ((front.min_m.array() > triangle.max_m.array() + reach_m).any() ||
                (front.max_m.array() < triangle.min_m.array() - reach_m).any())
                return true;
            smallest_m = gap_m;
            next = -outward;
            return true;
        });
        if (next.isZero()) return;
        known[count] = next;
        visit(Eigen::Vector3f(mesh.world_from_solid.linear() * next.cast<float>()));
    }
}

}  // namespace glovebox::collision::manifold
