// A flat side of one solid over the sharp edges and tips of another, in the other's frame.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "collision/contact/contact_points.h"
#include "collision/contact/solid.h"

namespace glovebox::collision::manifold {

// A convex polygon of the bone's core, and the direction to the object along which heights are measured.
struct Side {
    Vector3d direction, outward;
    std::array<Vector3d, 4> corners;
    std::size_t count = 0;

    double height_m(const Vector3d& at) const { return outward.dot(at - corners[0]) / outward.dot(direction); }
};

// The points that support the side, however it is triangulated: the farthest in sixteen directions, and tips between
// them.
class Outline {
  public:
    Outline(const Vector3d& direction, double tiny_m)
        : u_(direction.unitOrthogonal()), v_(direction.cross(u_)), tiny_m_(tiny_m) {}

    void add(const Vector3d& on_core, double height_m) {
        for (std::size_t k = 0; k < kDirections; ++k) {
            // An irregular angle: sides and edges are unlikely to be perpendicular to any direction.
            const double turn = 0.137 + 2.0 * std::numbers::pi * static_cast<double>(k) / double{kDirections};
            const double along = std::cos(turn) * u_.dot(on_core) + std::sin(turn) * v_.dot(on_core);
            // Prefers the top of a wall to its foot.
            if (along > along_[k] + tiny_m_ || (along > along_[k] - tiny_m_ && height_m < points_[k].height_m)) {
                along_[k] = along;
                points_[k] = {on_core, height_m};
            }
        }
    }
    void add_tip(const Vector3d& on_core, double height_m) {
        add(on_core, height_m);
        if (tip_count_ < kMaxTips) tips_[tip_count_] = {on_core, height_m};
        ++tip_count_;
    }
    /// Calls visit(on_core, height_m) for the farthest points, then for tips, each time the one farthest from all
    /// before, up to the capacity of a manifold. If there are more than kMaxTips tips, only the farthest points are
    /// visited.
    template <class Visit>
    void visit(double apart_m, const Visit& visit) const {
        std::array<Vector3d, kDirections> taken;
        std::size_t count = 0;
        const auto room_at = [&](const Vector3d& on_core) {
            double room_m = std::numeric_limits<double>::infinity();
            for (std::size_t i = 0; i < count; ++i) room_m = std::min(room_m, (on_core - taken[i]).norm());
            return room_m;
        };
        const auto take = [&](const Point& point) {
            visit(point.on_core, point.height_m);
            if (room_at(point.on_core) > apart_m) taken[count++] = point.on_core;
        };
        for (std::size_t k = 0; k < kDirections; ++k)
            if (std::isfinite(along_[k])) take(points_[k]);
        while (tip_count_ <= kMaxTips && count < ContactPoints::kMax) {
            double largest_m = -std::numeric_limits<double>::infinity();
            const Point* next = nullptr;
            for (std::size_t i = 0; i < tip_count_; ++i) {
                const Vector3d& at = tips_[i].on_core;
                const double room_m = room_at(at);
                // In a regular grid many tips are equally far: takes the one farthest along an irregular direction.
                const double askew_m = room_m + 1e-3 * (u_.dot(at) + 0.3 * v_.dot(at));
                if (!(room_m > apart_m) || !(askew_m > largest_m)) continue;
                largest_m = askew_m;
                next = &tips_[i];
            }
            if (next == nullptr) return;
            take(*next);
        }
    }

  private:
    static constexpr std::size_t kDirections = 16, kMaxTips = 128;
    struct Point {
        Vector3d on_core;
        double height_m;  // of the object's core beyond the side
    };
    Vector3d u_, v_;
    double tiny_m_;
    std::array<Point, kDirections> points_;
    std::array<double, kDirections> along_ = [] {
        std::array<double, kDirections> none;
        none.fill(-std::numeric_limits<double>::infinity());
        return none;
    }();
    std::array<Point, kMaxTips> tips_;
    std::size_t tip_count_ = 0;
};

inline bool is_within_ten_degrees(const Vector3d& a, const Vector3d& b) {
    const double along = a.dot(b), cosine = double{kSameNormalCos};
    return along > 0.0 && along * along >= cosine * cosine * a.squaredNorm() * b.squaredNorm();
}

// Clips a segment to the part that is under the side and at most high_m high.
inline bool clip(const Side& side, double high_m, Vector3d& p, Vector3d& q) {
    double low = 0.0, high = 1.0;
    const auto keep = [&](double at_p, double at_q) {  // keeps the part where the value is not negative
        if (at_p < 0.0 && at_q < 0.0) return false;
        if (at_p < 0.0) low = std::max(low, at_p / (at_p - at_q));
        if (at_q < 0.0) high = std::min(high, at_p / (at_p - at_q));
        return low <= high;
    };
    for (std::size_t i = 0; i < side.count; ++i) {
        const Vector3d& corner = side.corners[i];
        const Vector3d inward = side.direction.cross(side.corners[(i + 1) % side.count] - corner);
        if (!keep(inward.dot(p - corner), inward.dot(q - corner))) return false;
    }
    if (!keep(high_m - side.height_m(p), high_m - side.height_m(q))) return false;
    const Vector3d from = p, along = q - p;
    p = from + low * along;
    q = from + high * along;
    return true;
}

// True if the whole surface falls away steeply from this corner of a triangle. Only the triangle of the lowest number
// at the corner reports it.
inline bool is_tip(const Surface& surface, const Vector3d& f, std::int32_t number, std::size_t corner,
                   const Vector3d& at, double slack_m, CollideCounts& counts) {
    const auto falls = [&](const Triangle& t) {
        bool has_it = false, all = true;
        for (const Vector3d& to : t) {
            const double length = (to - at).norm();
            has_it = has_it || length <= slack_m;
            all = all && (length <= slack_m || f.dot(to - at) > kSteep * length);
        }
        return has_it && all;
    };
    // The triangles across its edges exclude most corners.
    for (const std::size_t edge : {corner, (corner + 2) % 3})
        if (const std::int32_t other = surface.neighbor(number, edge);
            other >= 0 && (other < number || !falls(surface.triangle(other))))
            return false;
    bool tip = true;
    surface.near((at.array() - slack_m).matrix(), (at.array() + slack_m).matrix(), counts,
                 [&](std::int32_t other, const Triangle& t) {
                     if ((closest_on_triangle(at, t).point - at).norm() <= slack_m) tip = other >= number && falls(t);
                     return tip;
                 });
    return tip;
}

// Range of heights of supporting points beneath the side; for smooth parts of the object, only the lowest level.
struct Heights {
    double low_m, high_m, smooth_m = -std::numeric_limits<double>::infinity();
};

// Calls add(point, height) for sharp edges of the object under the side and for the side's corners over the object, and
// add_tip() for tips of the object.
template <class Add, class AddTip>
void outline_of(const Side& side, const Surface& surface, const Heights& heights, bool with_corners,
                CollideCounts& counts, const Add& add, const AddTip& add_tip) {
    const Vector3d& f = side.direction;
    const double low_m = heights.low_m, high_m = heights.high_m, smooth_m = heights.smooth_m;
    Aabb bounds;
    for (std::size_t i = 0; i < side.count; ++i)
        for (const double height_m : {low_m, high_m})
            bounds.include(Vector3d(side.corners[i] + height_m * f).cast<float>());
    const double slack_m = 1e-6 * double{(bounds.max_m - bounds.min_m).norm()};
    const auto carry = [&](const Vector3d& at, const auto& found) {
        const double height_m = side.height_m(at);
        if (height_m >= low_m && height_m <= high_m + slack_m) found(at - height_m * f, height_m);
    };
    surface.near(
        (bounds.min_m.cast<double>().array() - slack_m).matrix(),
        (bounds.max_m.cast<double>().array() + slack_m).matrix(), counts, [&](std::int32_t number, const Triangle& t) {
            ++counts.n_p;
            const Vector3d outward = surface.outward(number);
            const bool faces = is_within_ten_degrees(outward, -f);
            std::array<int, 3> steep;  // 1: up along the edge, -1: down, 0: neither
            for (std::size_t i = 0; i < 3; ++i) {
                const Vector3d to_next = t[(i + 1) % 3] - t[i], along = surface.winding() * to_next;
                const double rise = f.dot(to_next), steep_rise = kSteep * to_next.norm();
                steep[i] = rise > steep_rise ? 1 : rise < -steep_rise ? -1 : 0;
                if (steep[i] != 0) continue;
                // At a supporting edge the surface supports the side as well, or falls away from it.
                const auto carries_or_falls = [&](const Vector3d& out, const Vector3d& edge) {
                    return is_within_ten_degrees(out, -f) || f.dot(out.cross(edge)) >= 0.0;
                };
                bool sharp = carries_or_falls(outward, along), level = faces;
                if (const std::int32_t other = surface.neighbor(number, i); other >= 0) {
                    if (other < number) continue;  // the other triangle handles this edge
                    const Vector3d beyond = surface.outward(other);
                    const bool carries_beyond = is_within_ten_degrees(beyond, -f);
                    const bool at_wall = beyond.cross(outward).dot(along) > 0.0;  // the support ends here too
                    sharp = !is_within_ten_degrees(outward, beyond) &&
                            (at_wall ? faces != carries_beyond : sharp && carries_or_falls(beyond, -along));
                    level = level || carries_beyond;
                }
                const double reach_m = sharp ? high_m : smooth_m;
                if (!(sharp || level) || !(reach_m >= low_m)) continue;
                Vector3d p = t[i], q = t[(i + 1) % 3];
                if (!clip(side, reach_m, p, q)) continue;
                carry(p, add);
                carry(q, add);
            }
            // The tip of a hull is the deepest point, so only meshes are searched.
            for (std::size_t i = 0; surface.is_mesh() && i < 3; ++i) {
                if (steep[i] <= 0 || steep[(i + 2) % 3] >= 0 || f.dot(outward) >= 0.0) continue;
                Vector3d p = t[i], q = t[i];
                if (clip(side, high_m, p, q) && side.height_m(p) >= low_m &&
                    is_tip(surface, f, number, i, t[i], slack_m, counts))
                    carry(t[i], add_tip);
            }
            const double corner_m = with_corners ? high_m : smooth_m;
            if (!faces || !(corner_m >= low_m)) return true;
            for (std::size_t k = 0; k < side.count; ++k) {
                const Vector3d& corner = side.corners[k];
                bool over = true;
                for (std::size_t i = 0; i < 3; ++i)
                    over = over && surface.winding() * f.dot((t[i] - corner).cross(t[(i + 1) % 3] - corner)) <= 0.0;
                const double height_m = outward.dot(t[0] - corner) / outward.dot(f);
                if (over && height_m <= corner_m + slack_m) carry(corner + height_m * f, add);
            }
            return true;
        });
}

}  // namespace glovebox::collision::manifold
