// The difference a - b of two convex sets, known only by its support points: simplices that walk towards the origin
// (GJK) and polytopes that grow round it (EPA). What convex.h and hull_pair.h have in common.
//
// The origin is outside the difference where the sets are apart, and as far from it as they are; inside, the nearest
// point of the difference's surface is the shortest way to part them. [Gilbert88], [VanDenBergen01]
#pragma once

#include <Eigen/Geometry>
#include <array>
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

/// Grows inside the difference until its face nearest to the origin is one of the difference's, within a tolerance.
/// Points that are nearly in one plane can make faces that are none, for all that doubles tell: then it grows once more
/// from points moved by less than the tolerance, which are in no plane. The store is fixed; where it is full the answer
/// goes downhill from the shallowest direction seen: it parts the two, and no direction near it is shallower.
class ExpandingPolytope {
  public:
    /// `size`: what the tolerance and rounding are measured by; the difference reaches about as far.
    ExpandingPolytope(double size, double tolerance) : size_(size), tolerance_(tolerance) {}

    /// From a tetrahedron with the origin inside. False: it is too flat to begin with.
    bool start(const std::array<SupportPoint, 4>& tetrahedron);

    /// support(direction) gives the SupportPoint furthest along it.
    template <class Support>
    ConvexPair expand(const Support& support) {
        const std::array<SupportPoint, 4> tetrahedron = {points_[0], points_[1], points_[2], points_[3]};
        End end = grow(support);
        if (end == End::torn && start(tetrahedron))
            end = grow([&](const Eigen::Vector3d& direction) { return moved(support(direction)); });
        if (end == End::found) return result(corners_of(last_), last_.normal, last_.offset);
        return go_downhill(support);
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
    using Corners = std::array<SupportPoint, 3>;

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
    // The facet of the difference that a ray from the origin leaves through is no deeper than the ray is long. So a ray
    // along that facet's normal leads to a shallower one, until the ray is the normal.
    template <class Support>
    ConvexPair go_downhill(const Support& support) const {
        Corners best = corners_of(shallowest_);
        Eigen::Vector3d normal = shallowest_.normal;
        double depth = shallowest_.offset;
        for (int ray = 0; ray < kMaxSteps; ++ray) {
            Corners corners = corners_of(pierced_by(normal));
            Eigen::Vector3d across = normal;
            double shallower = depth;
            for (int step = 0; step < kMaxSteps; ++step) {
                across = (corners[1].w - corners[0].w).cross(corners[2].w - corners[0].w);
                const double length = across.norm();
                if (!(length > 0.0)) return result(best, normal, depth);  // a line, not a facet
                across /= length;
                const SupportPoint point = support(across);
                shallower = across.dot(point.w);
                if (!(shallower - across.dot(corners[0].w) > tolerance_)) break;
                narrow(corners, point, normal);
            }
            if (!(shallower < depth - tolerance_)) break;
            depth = shallower;
            normal = across;
            best = corners;
        }
        return result(best, normal, depth);
    }

    static constexpr int kMaxSteps = 64;
    const Eigen::Vector3d& w(int i) const { return points_[static_cast<std::size_t>(i)].w; }
    Corners corners_of(const Face& face) const;
    int nearest() const;
    const Face& pierced_by(const Eigen::Vector3d& ray) const;
    bool add(int i, int j, int k);
    bool absorb(const SupportPoint& point);
    SupportPoint moved(const SupportPoint& point) const;
    static void narrow(Corners& corners, const SupportPoint& point, const Eigen::Vector3d& ray);
    static ConvexPair result(const Corners& corners, const Eigen::Vector3d& normal, double depth);

    double size_, tolerance_;
    std::array<SupportPoint, kMaxPoints> points_;
    std::array<Face, kMaxFaces> faces_;
    Face last_, shallowest_;
    int point_count_ = 0, face_count_ = 0;
};

}  // namespace glovebox::collision
