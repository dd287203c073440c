// The difference a - b of two convex sets, known only by its support points: simplices that walk towards the origin
// (GJK), polytopes that grow round it (EPA), and all directions, halved again and again, where a polytope would have to
// grow too large. What convex.h and hull_pair.h have in common.
//
// The origin is outside the difference where the sets are apart, and as far from it as they are; inside, the nearest
// point of the difference's surface is the shortest way to part them. [Gilbert88], [VanDenBergen01]
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
    double distance = 0.0;       ///< negative: minus the length of the shortest translation that separates them
    Eigen::Vector3d normal;      ///< unit, from a to b; moving a against it separates them
    Eigen::Vector3d on_a, on_b;  ///< on_b - on_a = distance * normal
};

/// The answer of every pair function where something given is not finite: it touches nothing.
inline ConvexPair infinitely_far() {
    return {std::numeric_limits<double>::infinity(), Eigen::Vector3d::UnitY(), Eigen::Vector3d::Zero(),
            Eigen::Vector3d::Zero()};
}

/// A point of a - b, the point of a that it is made of, and for polytopes the numbers of the corners.
struct SupportPoint {
    Eigen::Vector3d w, a;
    std::int32_t corner_a, corner_b;
};

/// Up to four points, and the weights with which the point nearest to the origin is made of them.
struct Simplex {
    std::array<SupportPoint, 4> points;
    std::array<double, 4> weights{};
    int count = 0;

    const Eigen::Vector3d& w(int i) const { return points[static_cast<std::size_t>(i)].w; }
    void push(const SupportPoint& point) { points[static_cast<std::size_t>(count++)] = point; }
    /// Keeps these points, given by rising number, with their weights.
    void keep(std::initializer_list<std::pair<int, double>> kept);
    Eigen::Vector3d nearest() const { return weighted(&SupportPoint::w); }
    Eigen::Vector3d weighted(Eigen::Vector3d SupportPoint::*member) const {
        Eigen::Vector3d sum = weights[0] * points[0].*member;
        for (std::size_t i = 1; i < static_cast<std::size_t>(count); ++i) sum += weights[i] * points[i].*member;
        return sum;
    }
};

/// Drops the points that the nearest one is not made of. True: the origin is inside (four points are kept). A flat
/// tetrahedron has no inside: a wrong inside would be a false contact.
bool reduce(Simplex& simplex);

/// The answer for sets that are apart; `v` is simplex.nearest().
inline ConvexPair pair_at(const Simplex& simplex, const Eigen::Vector3d& v) {
    ConvexPair pair;
    pair.distance = v.norm();
    pair.normal = -v / pair.distance;
    pair.on_a = simplex.weighted(&SupportPoint::a);
    pair.on_b = pair.on_a - v;
    return pair;
}

/// The radius of the ball of the difference that its point furthest along a direction lies on: of polytopes none.
struct NoBalls {
    double operator()(const Eigen::Vector3d& /*direction*/) const { return 0.0; }
};

/// A direction, the point of the difference furthest along it, and the radius of the ball that it lies on.
struct Look {
    Eigen::Vector3d direction, w;
    double radius;
};

/// At least so far does the difference reach along any direction between the three.
double least_between(const Look& a, const Look& b, const Look& c);

bool is_between(const Eigen::Vector3d& direction, const Look& a, const Look& b, const Look& c);

/// The least depth of all directions, where the origin is inside: those between three directions are halved until none
/// of them can be shallower than what was seen by more than the tolerance (branch and bound). Nothing is stored, so
/// nothing can be full, and it ends for any two sets: near each other directions reach alike. A difference that is
/// round within a percent takes some thousand looks.
template <class Support, class Radius>
class ShallowestDirection {
  public:
    ShallowestDirection(const Support& support, const Radius& radius, double tolerance, const Eigen::Vector3d& normal,
                        double depth)
        : support_(support), radius_(radius), tolerance_(tolerance), normal_(normal), depth_(depth) {
        const auto axis = [&](int k, bool up) { return look((up ? 1.0 : -1.0) * Eigen::Vector3d::Unit(k)); };
        const std::array<std::array<Look, 2>, 3> axes = {
            {{axis(0, false), axis(0, true)}, {axis(1, false), axis(1, true)}, {axis(2, false), axis(2, true)}}};
        for (unsigned octant = 0; octant < 8; ++octant)
            search(axes[0][octant & 1U], axes[1][octant >> 1U & 1U], axes[2][octant >> 2U]);
    }
    const Eigen::Vector3d& normal() const { return normal_; }
    double depth() const { return depth_; }

  private:
    Look look(const Eigen::Vector3d& direction) {
        const Look result = {direction, support_(direction).w, radius_(direction)};
        const double depth = direction.dot(result.w);
        if (depth < depth_) {
            depth_ = depth;
            normal_ = direction;
        }
        return result;
    }
    bool may_be_shallower(double least) const { return least < depth_ - tolerance_; }
    void search(const Look& a, const Look& b, const Look& c) {
        const double least = least_between(a, b, c);
        if (!may_be_shallower(least)) return;
        // The three points may be of one facet, whose normal is the shallowest direction near it.
        const Eigen::Vector3d across = (b.w - a.w).cross(c.w - a.w);
        const double length = std::copysign(across.norm(), across.dot(a.w));
        if (may_be_shallower(across.dot(a.w) / length) && is_between(across / length, a, b, c)) {
            look(across / length);
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
    void halve(const Look& a, const Look& b, const Look& c) {
        const Look between = look((a.direction + b.direction).normalized());
        search(a, between, c);
        search(between, b, c);
    }

    const Support& support_;
    const Radius& radius_;
    double tolerance_;
    Eigen::Vector3d normal_;
    double depth_;
};

/// Grows inside the difference until its face nearest to the origin is one of the difference's, within a tolerance.
/// Points that are nearly in one plane can make faces that are none, for all that doubles tell: then it grows once more
/// from points moved by less than the tolerance, which are in no plane. The store is fixed; where it is full the
/// shallowest of all directions is searched.
class ExpandingPolytope {
  public:
    /// `size`: what the tolerance and rounding are measured by; the difference reaches about as far.
    ExpandingPolytope(double size, double tolerance) : size_(size), tolerance_(tolerance) {}

    /// From a tetrahedron with the origin inside. False: it is too flat to begin with.
    bool start(const std::array<SupportPoint, 4>& tetrahedron);

    /// support(direction) gives the SupportPoint furthest along it.
    template <class Support, class Radius = NoBalls>
    ConvexPair expand(const Support& support, const Radius& radius = {}) {
        const std::array<SupportPoint, 4> tetrahedron = {points_[0], points_[1], points_[2], points_[3]};
        const End end = grow(support);
        const bool grown = end == End::found || look_elsewhere(end, tetrahedron, support, radius);
        ConvexPair pair;
        pair.normal = last_.normal;
        pair.distance = -std::max(0.0, last_.offset);
        if (!grown || !point_of_nearest_face(pair.on_a)) pair.on_a = point_of_a(support);
        pair.on_b = pair.on_a + pair.distance * pair.normal;
        return pair;
    }

    /// After expand(): the corners of the face that decided, and one more so that the origin is inside the four. Where
    /// there is none, false.
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
    // The two below take functions by value: what these read is then known to no other code and stays in registers.
    // True: found from moved points.
    template <class Support, class Radius>
    bool look_elsewhere(End end, const std::array<SupportPoint, 4>& tetrahedron, Support support, Radius radius) {
        if (end == End::torn && start(tetrahedron) &&
            grow([&](const Eigen::Vector3d& direction) { return moved(support(direction)); }) == End::found)
            return true;
        const ShallowestDirection found(support, radius, tolerance_, shallowest_.normal, shallowest_.offset);
        last_ = {shallowest_.corners, found.normal(), found.depth()};
        return false;
    }
    // Where the two meet when they are parted: the support points that the nearest point of the difference's surface is
    // a mixture of. It is looked for from outside, from less than the tolerance.
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
