// GJK and EPA on the Minkowski difference a - b of two convex sets, known only by its support points. GJK moves a
// simplex towards the origin; EPA expands a polytope around it. If a polytope would grow too large, all directions are
// searched by bisection. Shared by convex.h and hull_pair.h.
//
// If the sets are disjoint, the origin is outside the difference, and its distance to the difference is that of the
// sets. If they overlap, the origin is inside, and the nearest point of the difference's surface is the minimum
// translation. [Gilbert88], [VanDenBergen01]
#pragma once

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <utility>

namespace glovebox::collision {

/// Nearest points of two convex solids a and b, in the frame that both are given in.
struct ConvexPair {
    double distance = 0.0;       ///< if negative, minus the length of the minimum translation that separates them
    Eigen::Vector3d normal;      ///< unit, from a to b; moving a against it separates the two
    Eigen::Vector3d on_a, on_b;  ///< on_b - on_a = distance * normal
};

/// Returns the result that every pair function gives for input that is not finite: such shapes touch nothing.
inline ConvexPair infinitely_far() {
    return {std::numeric_limits<double>::infinity(), Eigen::Vector3d::UnitY(), Eigen::Vector3d::Zero(),
            Eigen::Vector3d::Zero()};
}

/// A point w of a - b, the point of a that it comes from, and for polytopes the indices of the corners.
struct SupportPoint {
    Eigen::Vector3d w, a;
    std::int32_t corner_a, corner_b;
};

/// Up to four points, and the weights by which they combine to the point nearest to the origin.
struct Simplex {
    std::array<SupportPoint, 4> points;
    std::array<double, 4> weights{};
    int count = 0;

    const Eigen::Vector3d& w(int i) const { return points[static_cast<std::size_t>(i)].w; }
    void push(const SupportPoint& point) { points[static_cast<std::size_t>(count++)] = point; }
    /// Keeps only these points, in ascending order, with these weights.
    void keep(std::initializer_list<std::pair<int, double>> kept);
    Eigen::Vector3d nearest() const { return weighted(&SupportPoint::w); }
    Eigen::Vector3d weighted(Eigen::Vector3d SupportPoint::*member) const {
        Eigen::Vector3d sum = weights[0] * points[0].*member;
        for (std::size_t i = 1; i < static_cast<std::size_t>(count); ++i) sum += weights[i] * points[i].*member;
        return sum;
    }
};

/// Drops the points that do not contribute to the point nearest to the origin. Returns true if the origin is inside;
/// all four points are then kept. A flat tetrahedron never contains the origin, because a wrong answer would be a false
/// contact.
bool reduce(Simplex& simplex);

/// Returns the result for disjoint sets; `v` must be simplex.nearest().
inline ConvexPair pair_at(const Simplex& simplex, const Eigen::Vector3d& v) {
    ConvexPair pair;
    pair.distance = v.norm();
    pair.normal = -v / pair.distance;
    pair.on_a = simplex.weighted(&SupportPoint::a);
    pair.on_b = pair.on_a - v;
    return pair;
}

/// Returns, for a direction, the radius of the ball on which the difference's support point lies: always 0 for
/// polytopes.
struct NoBalls {
    double operator()(const Eigen::Vector3d& /*direction*/) const { return 0.0; }
};

/// A direction, the difference's support point along it, and the radius of the ball on which that point lies.
struct SupportSample {
    Eigen::Vector3d direction, w;
    double radius;
};

/// Returns a lower bound of the difference's support value along every direction between the three.
double min_between(const SupportSample& a, const SupportSample& b, const SupportSample& c);

bool is_between(const Eigen::Vector3d& direction, const SupportSample& a, const SupportSample& b,
                const SupportSample& c);

/// Finds the direction of least depth if the origin is inside. Triangles of directions are bisected until none can be
/// shallower than the best by more than the tolerance (branch and bound). It stores nothing, so no capacity can be
/// exceeded, and it ends for any two sets, because support values change continuously. A difference that is round to
/// within a percent takes thousands of samples.
template <class Support, class Radius>
class ShallowestDirection {
  public:
    ShallowestDirection(const Support& support, const Radius& radius, double tolerance, const Eigen::Vector3d& normal,
                        double depth)
        : support_(support), radius_(radius), tolerance_(tolerance), normal_(normal), depth_(depth) {
        const auto axis = [&](int k, bool up) { return sample((up ? 1.0 : -1.0) * Eigen::Vector3d::Unit(k)); };
        const std::array<std::array<SupportSample, 2>, 3> axes = {
            {{axis(0, false), axis(0, true)}, {axis(1, false), axis(1, true)}, {axis(2, false), axis(2, true)}}};
        for (unsigned octant = 0; octant < 8; ++octant)
            search(axes[0][octant & 1U], axes[1][octant >> 1U & 1U], axes[2][octant >> 2U]);
    }
    const Eigen::Vector3d& normal() const { return normal_; }
    double depth() const { return depth_; }

  private:
    SupportSample sample(const Eigen::Vector3d& direction) {
        const SupportSample result = {direction, support_(direction).w, radius_(direction)};
        const double depth = direction.dot(result.w);
        if (depth < depth_) {
            depth_ = depth;
            normal_ = direction;
        }
        return result;
    }
    bool may_be_shallower(double least) const { return least < depth_ - tolerance_; }
    void search(const SupportSample& a, const SupportSample& b, const SupportSample& c) {
        const double least = min_between(a, b, c);
        if (!may_be_shallower(least)) return;
        // If the three points lie on one facet, its normal is the shallowest direction near it.
        const Eigen::Vector3d across = (b.w - a.w).cross(c.w - a.w);
        const double length = std::copysign(across.norm(), across.dot(a.w));
        if (may_be_shallower(across.dot(a.w) / length) && is_between(across / length, a, b, c)) {
            sample(across / length);
            if (!may_be_shallower(least)) return;
        }
        const double ab = (b.direction - a.direction).squaredNorm(), bc = (c.direction - b.direction).squaredNorm(),
                     ca = (a.direction - c.direction).squaredNorm();
        if (ab >= bc && ab >= ca)
            halve(a, b, c);
        else if (bc >= ca)
            halve(b, c, a);
        else
            halve(c, a, b);
    }
    void halve(const SupportSample& a, const SupportSample& b, const SupportSample& c) {
        const SupportSample between = sample((a.direction + b.direction).normalized());
        search(a, between, c);
        search(between, b, c);
    }

    const Support& support_;
    const Radius& radius_;
    double tolerance_;
    Eigen::Vector3d normal_;
    double depth_;
};

/// Expands a polytope inside the difference until its face nearest to the origin is on the difference's surface, within
/// a tolerance (EPA). Nearly coplanar points can make inconsistent faces by rounding. The expansion is then repeated
/// with points displaced by less than the tolerance, so that no plane contains four of them. The store is fixed; if it
/// is full, ShallowestDirection takes over.
class ExpandingPolytope {
  public:
    /// `size` is the scale of rounding errors, about the extent of the difference.
    ExpandingPolytope(double size, double tolerance) : size_(size), tolerance_(tolerance) {}

    /// Starts from a tetrahedron that contains the origin. Returns false if it is too flat.
    bool start(const std::array<SupportPoint, 4>& tetrahedron);

    /// Runs EPA. support(direction) returns the SupportPoint farthest along `direction`.
    template <class Support, class Radius = NoBalls>
    ConvexPair expand(const Support& support, const Radius& radius = {}) {
        const std::array<SupportPoint, 4> tetrahedron = {points_[0], points_[1], points_[2], points_[3]};
        const End end = grow(support);
        const bool grown = end == End::found || search_elsewhere(end, tetrahedron, support, radius);
        ConvexPair pair;
        pair.normal = last_.normal;
        pair.distance = -std::max(0.0, last_.offset);
        if (!grown || !point_of_nearest_face(pair.on_a)) pair.on_a = point_of_a(support);
        pair.on_b = pair.on_a + pair.distance * pair.normal;
        return pair;
    }

    /// Computes, after expand(), the corners of the nearest face and a fourth point, such that the four contain the
    /// origin. Returns false if there is no such point.
    bool tetrahedron(std::array<SupportPoint, 4>& out) const;

  private:
    static constexpr int kMaxPoints = 192, kMaxFaces = 512, kMaxHorizon = 256;
    enum class End { found, full, torn };
    struct Face {
        std::array<int, 3> corners;
        Eigen::Vector3d normal;
        double offset;
    };

    template <class Support>
    End grow(const Support& support) {
        shallowest_.offset = std::numeric_limits<double>::infinity();
        while (true) {
            last_ = faces_[static_cast<std::size_t>(nearest())];
            const SupportPoint point = support(last_.normal);
            const double depth = last_.normal.dot(point.w);
            if (depth < shallowest_.offset) shallowest_ = {last_.corners, last_.normal, depth};
            if (depth - last_.offset <= tolerance_) return End::found;
            if (point_count_ == kMaxPoints) return End::full;
            if (!absorb(point)) return End::torn;
        }
    }
    // The two functions below take callables by value. The compiler then knows that nothing else refers to them, and
    // keeps their data in registers.
    // search_elsewhere() returns true if the displaced points gave the result.
    template <class Support, class Radius>
    bool search_elsewhere(End end, const std::array<SupportPoint, 4>& tetrahedron, Support support, Radius radius) {
        if (end == End::torn && start(tetrahedron) &&
            grow([&](const Eigen::Vector3d& direction) { return moved(support(direction)); }) == End::found)
            return true;
        const ShallowestDirection found(support, radius, tolerance_, shallowest_.normal, shallowest_.offset);
        last_ = {shallowest_.corners, found.normal(), found.depth()};
        return false;
    }
    // Returns the contact point on a: the combination of support points that is nearest to a point just outside the
    // difference's surface. That point is outside by the tolerance.
    template <class Support>
    Eigen::Vector3d point_of_a(Support support) const {
        const Eigen::Vector3d outside = (last_.offset + tolerance_) * last_.normal;
        Simplex simplex;
        Eigen::Vector3d v = -last_.normal, on_a = Eigen::Vector3d::Zero();
        double best2 = std::numeric_limits<double>::infinity();
        do {
            simplex.push(support(-v));
            simplex.points[static_cast<std::size_t>(simplex.count - 1)].w -= outside;
            if (reduce(simplex)) break;
            v = simplex.nearest();
            if (!(v.squaredNorm() < best2)) break;  // no more progress is possible
            best2 = v.squaredNorm();
            on_a = simplex.weighted(&SupportPoint::a);
        } while (best2 > 4.0 * tolerance_ * tolerance_);
        return on_a;
    }

    const Eigen::Vector3d& w(int i) const { return points_[static_cast<std::size_t>(i)].w; }
    int nearest() const;
    bool add(int i, int j, int k);
    bool absorb(const SupportPoint& point);
    bool point_of_nearest_face(Eigen::Vector3d& on_a) const;
    SupportPoint moved(const SupportPoint& point) const;

    double size_, tolerance_;
    std::array<SupportPoint, kMaxPoints> points_;
    std::array<Face, kMaxFaces> faces_;
    Face last_, shallowest_;
    int point_count_ = 0, face_count_ = 0;
};

}  // namespace glovebox::collision
