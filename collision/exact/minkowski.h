// The difference a - b of two convex sets, known only by its support points: simplices that walk towards the origin
// (GJK) and polytopes that grow round it (EPA). What convex.h and hull_pair.h have in common.
//
// The origin is outside the difference where the sets are apart, and as far from it as they are; inside, the nearest
// point of the difference's surface is the shortest way to part them. [Gilbert88], [VanDenBergen01]
#pragma once

#include <Eigen/Core>
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

/// Grows inside the difference until its face nearest to the origin is one of the difference's, within a tolerance. A
/// fixed store; when that is full, the best bound so far is the answer.
class ExpandingPolytope {
  public:
    explicit ExpandingPolytope(double tolerance) : tolerance_(tolerance) {}

    /// From a tetrahedron with the origin inside. False: it is too flat to begin with.
    bool start(const std::array<SupportPoint, 4>& tetrahedron);

    /// support(direction) gives the SupportPoint furthest along it.
    template <class Support>
    ConvexPair expand(const Support& support) {
        while (true) {
            const Face face = faces_[static_cast<std::size_t>(nearest())];
            const SupportPoint point = support(face.normal);
            if (face.normal.dot(point.w) - face.offset <= tolerance_ || point_count_ == kMaxPoints || !absorb(point)) {
                last_ = face.corners;
                return result(face);
            }
        }
    }

    /// After expand(): the corners of the face that decided, and one more so that the origin is inside the four. Where
    /// there is none, false.
    bool tetrahedron(std::array<SupportPoint, 4>& out) const;

  private:
    static constexpr int kMaxPoints = 192, kMaxFaces = 512, kMaxHorizon = 256;
    struct Face {
        std::array<int, 3> corners;
        Eigen::Vector3d normal;
        double offset;
    };
    const Eigen::Vector3d& w(int i) const { return points_[static_cast<std::size_t>(i)].w; }
    int nearest() const;
    bool add(int i, int j, int k);
    bool absorb(const SupportPoint& point);
    ConvexPair result(const Face& face) const;

    double tolerance_;
    std::array<SupportPoint, kMaxPoints> points_;
    std::array<Face, kMaxFaces> faces_;
    std::array<int, 3> last_{};
    int point_count_ = 0, face_count_ = 0;
};

}  // namespace glovebox::collision
