// The contact points of a round cone on a solid, from the triangles near it.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "collision/contact/contact_points.h"
#include "collision/contact/solid.h"
#include "collision/query/bone.h"

namespace glovebox::collision::manifold {

class NearSurface {
  public:
    NearSurface(const Surface& surface, const RoundSegment& cone, double reach_m, double flat_m)
        : surface_(surface),
          cone_(cone),
          reach_m_(reach_m),
          flat_m_(flat_m),
          size_m_((cone.b - cone.a).norm() + std::max(cone.radius_a, cone.radius_b)),
          tiny_m_(1e-6 * size_m_),
          is_ball_(cone.a == cone.b) {}

    /// Calls visit(s, core, its distance, its nearest point, triangle) for every place on the bone's core at which the
    /// surface is locally nearest and within reach. The place must be an end of the bone, or the gap along the bone
    /// must have a minimum there or be flat. Edges between triangles of a smooth surface add no places.
    template <class Visit>
    void visit_nearest(CollideCounts& counts, const Visit& visit) const {
        const double fat_m = std::max(cone_.radius_a, cone_.radius_b) + reach_m_;
        const Vector3d low_m = (cone_.a.cwiseMin(cone_.b).array() - fat_m).matrix();
        const Vector3d high_m = (cone_.a.cwiseMax(cone_.b).array() + fat_m).matrix();
        surface_.near(low_m, high_m, counts, [&](std::int32_t number, const Triangle& triangle) {
            if (!may_be_reached(triangle)) return true;
            ++counts.n_p;
            const SegmentTriangle nearest = closest(cone_, triangle);
            if (!(nearest.gap <= reach_m_)) return true;
            consider(nearest.s, nearest.on_triangle, number, triangle, counts, visit);
            if (is_ball_) return true;
            for (const double end : {0.0, 1.0})
                consider(end, closest_on_triangle(at(end), triangle).point, number, triangle, counts, visit);
            double low = 0.0, high = 1.0;
            if (!over(triangle, low, high)) return true;
            for (const double s : {low, high})
                consider(s, closest_on_triangle(at(s), triangle).point, number, triangle, counts, visit);
            return true;
        });
    }

  private:
    Vector3d at(double s) const { return s == 1.0 ? cone_.b : Vector3d(cone_.a + s * (cone_.b - cone_.a)); }

    // Excludes most triangles by their bounding spheres.
    bool may_be_reached(const Triangle& triangle) const {
        const Vector3d middle = (triangle[0] + triangle[1] + triangle[2]) / 3.0, along = cone_.b - cone_.a;
        double round2 = 0.0;
        for (const Vector3d& corner : triangle) round2 = std::max(round2, (corner - middle).squaredNorm());
        const double s = is_ball_ ? 0.0 : std::clamp(along.dot(middle - cone_.a) / along.squaredNorm(), 0.0, 1.0);
        const double far_m = (1.0 + 1e-9) * (std::sqrt(round2) + std::max(cone_.radius_a, cone_.radius_b) + reach_m_);
        return !((middle - cone_.a - s * along).squaredNorm() > far_m * far_m);
    }

    // Computes the part of the core that is straight above or below the triangle.
    bool over(const Triangle& triangle, double& low, double& high) const {
        const Vector3d normal = (triangle[1] - triangle[0]).cross(triangle[2] - triangle[0]);
        for (std::size_t i = 0; i < 3; ++i) {
            const Vector3d inward = normal.cross(triangle[(i + 1) % 3] - triangle[i]);
            const double from = inward.dot(cone_.a - triangle[i]), rate = inward.dot(cone_.b - cone_.a);
            if (rate > 0.0)
                low = std::max(low, -from / rate);
            else if (rate < 0.0)
                high = std::min(high, -from / rate);
            else if (from < 0.0)
                return false;
        }
        return low <= high;
    }

    template <class Visit>
    void consider(double s, const Vector3d& on_surface, std::int32_t number, const Triangle& triangle,
                  CollideCounts& counts, const Visit& visit) const {
        const Vector3d core = at(s);
        const double distance = (on_surface - core).norm();
        const double gap = distance - (cone_.radius_a + s * (cone_.radius_b - cone_.radius_a));
        if (!(gap <= reach_m_) || !(distance > 1e-9 * size_m_)) return;
        if (!is_ball_) {
            const Vector3d normal = (on_surface - core) / distance, along = cone_.b - cone_.a;
            const double growth_m = cone_.radius_b - cone_.radius_a;
            if (s == 0.0   ? falls_inward(normal, along, growth_m)
                : s == 1.0 ? falls_inward(normal, -along, -growth_m)
                           : std::abs(normal.dot(along) + growth_m) > flat_m_)  // change of the gap along the bone
                return;
        }
        if (is_locally_nearest(core, on_surface, distance, number, triangle, counts))
            visit(s, core, distance, on_surface, number);
    }

    // False if another triangle that contains this point is nearer elsewhere: then the point is merely a triangle's
    // border.
    bool is_locally_nearest(const Vector3d& core, const Vector3d& on_surface, double distance, std::int32_t number,
                            const Triangle& triangle, CollideCounts& counts) const {
        const auto is_nearer = [&](const Triangle& other) {
            const Vector3d nearest = closest_on_triangle(core, other).point;
            return (nearest - core).norm() < distance - 1e-3 * tiny_m_ &&
                   (closest_on_triangle(on_surface, other).point - on_surface).norm() <= tiny_m_;
        };
        int edges = 0;
        bool alone = false;
        for (std::size_t i = 0; i < 3; ++i) {
            const Vector3d &from = triangle[i], &to = triangle[(i + 1) % 3];
            if (to != from && (to - from).cross(on_surface - from).norm() > tiny_m_ * (to - from).norm()) continue;
            ++edges;
            const std::int32_t other = surface_.neighbor(number, i);
            if (other < 0)
                alone = true;
            else if (is_nearer(surface_.triangle(other)))
                return false;
        }
        if (edges < 2 && !alone) return true;
        // A corner belongs to more triangles than those across its edges, and a border edge may lie on another
        // triangle.
        bool nearest = true;
        surface_.near((on_surface.array() - tiny_m_).matrix(), (on_surface.array() + tiny_m_).matrix(), counts,
                      [&](std::int32_t other, const Triangle& corners) {
                          nearest = other == number || !is_nearer(corners);
                          return nearest;
                      });
        return nearest;
    }

    const Surface& surface_;
    RoundSegment cone_;
    double reach_m_, flat_m_, size_m_, tiny_m_;
    bool is_ball_;
};

// Calls emit(contact) for the contact points of the cone on the solid.
template <class Emit>
void find_cone_points(const RoundCone& bone, const Solid& object, float max_distance_m, const MergeTolerance& same,
                      CollideCounts& counts, const Emit& emit) {
    const Eigen::Isometry3f solid_from_world = object.world_from_solid.inverse(Eigen::Isometry);
    RoundSegment segment =
        round_segment({solid_from_world * bone.a_m, solid_from_world * bone.b_m, bone.radius_a_m, bone.radius_b_m});
    segment.radius_a += object.radius_m;
    segment.radius_b += object.radius_m;
    struct Place {  // uninitialised: hundreds of them are on the stack, few are used
        double s;
        std::int32_t triangle;
        float distance_m;
        Eigen::Vector3f normal, on_body_m, on_object_m;
    };
    // Enough for a bone across a finely cut surface; if there are more, the surface is searched again.
    constexpr std::size_t kMaxPlaces = 512;
    std::array<Place, kMaxPlaces> kept;
    std::size_t place_count = 0;
    bool looked = false;
    const NearSurface surface(object.surface, segment, double{max_distance_m}, double{same.tie_m});
    const auto look = [&](const auto& visit) {
        surface.visit_nearest(counts, [&](double s, const Vector3d& core, double distance, const Vector3d& on_surface,
                                          std::int32_t triangle) {
            const Vector3d normal = (on_surface - core) / distance;
            if (object.surface.closed() && normal.dot(object.surface.outward(triangle).normalized()) > 1e-6)
                return;  // seen from inside
            const double radius_m = segment.radius_a + s * (segment.radius_b - segment.radius_a);
            const Eigen::Isometry3f& world = object.world_from_solid;
            visit(Place{s, object.surface.is_mesh() ? triangle : -1, static_cast<float>(distance - radius_m),
                        world.linear() * normal.cast<float>(),
                        world * Vector3d(core + (radius_m - object.radius_m) * normal).cast<float>(),
                        world * Vector3d(on_surface - object.radius_m * normal).cast<float>()});
        });
    };
    const auto for_places = [&](const auto& visit) {
        if (looked && place_count <= kMaxPlaces) {
            for (std::size_t i = 0; i < place_count; ++i) visit(kept[i]);
            return;
        }
        place_count = 0;
        look([&](const Place& place) {
            if (place_count < kMaxPlaces) kept[place_count] = place;
            ++place_count;
            visit(place);
        });
        looked = true;
    };
    // A normal direction of the surface, and the contact points of the bone with it. The deepest place gives the first
    // direction, the deepest place without a direction the next. So the order of the triangles does not matter.
    struct Rest {
        Place deepest, first, last;
    };
    std::array<Rest, ContactPoints::kMax> rests;
    std::size_t rest_count = 0;
    const auto rest_of = [&](const Place& place) -> Rest* {
        for (std::size_t i = 0; i < rest_count; ++i)
            if (rests[i].deepest.normal.dot(place.normal) >= kSameNormalCos) return &rests[i];
        return nullptr;
    };
    while (rest_count < rests.size()) {
        std::optional<Place> deepest;
        for_places([&](const Place& place) {
            if (rest_of(place) != nullptr) return;
            if (!deepest || place.distance_m < deepest->distance_m) deepest = place;
        });
        if (!deepest) break;
        rests[rest_count++] = {*deepest, *deepest, *deepest};
    }
    for_places([&](const Place& place) {
        Rest* rest = rest_of(place);
        if (rest == nullptr) return;
        if (place.s < rest->first.s) rest->first = place;
        if (place.s > rest->last.s) rest->last = place;
    });
    for (std::size_t i = 0; i < rest_count; ++i) {
        const auto& [deepest, first, last] = rests[i];
        const auto emit_place = [&](const Place& place) {
            emit({-1, -1, place.triangle, place.distance_m, place.normal, place.on_body_m, place.on_object_m});
        };
        // On a flat stretch any place may be the deepest: its ends are enough.
        const float ends_m = std::min(first.distance_m, last.distance_m);
        if (deepest.distance_m < ends_m - 0.1F * same.tie_m) emit_place(deepest);
        emit_place(first);
        emit_place(last);
    }
}

}  // namespace glovebox::collision::manifold
