// Cached distances from a ball's centre to the surface pieces near it.
//
// A distance changes by no more than the centre moves, so a piece that is too far away need not be measured again. A
// triangle that was never measured is represented by its bounding box until the ball comes near.
#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <array>
#include <span>

#include "scenes/force/surface.h"

namespace glovebox::scenes {

inline constexpr int kMaxPieces = 32;  ///< per pad
/// A corner that two triangles share may differ by this much between them, up to a few metres from the origin.
inline constexpr double kSameCorner_m = 2e-6;

/// Distances that are reused between ticks while the pieces do not move. Plain values, about 8 KB. `piece` is an index
/// into the span that was passed to begin().
class NearPieces {
  public:
    /// Starts with these pieces (at most kMaxPieces). Measures no distance yet, but computes the bounding boxes of
    /// triangles. The span must outlive all queries.
    void begin(std::span<const SurfacePiece> pieces, const Eigen::Vector3d& center_m);

    /// Continues with the same pieces in another span. begun() must be true.
    void carry_on(std::span<const SurfacePiece> pieces) { pieces_ = pieces; }
    void forget() { begun_ = false; }
    bool begun() const { return begun_; }

    int count() const { return static_cast<int>(pieces_.size()); }
    int object_of(int piece) const { return pieces_[index(piece)].object; }
    const collision::Triangle& triangle(int piece) const { return triangles_[index(piece)]; }  ///< of a triangle

    /// Measures every piece that may be within `reach_m` of `center_m`.
    void update(const Eigen::Vector3d& center_m, double reach_m);

    /// Returns the result of the last update(). It is exact for a piece within the reach. For other pieces, only
    /// distance_m is set, to a lower bound.
    const NearPoint& operator[](int piece) const { return points_[index(piece)]; }
    /// Returns the minimum distance over all pieces; 1e9 if there are none.
    double min_m() const;

    /// Returns a lower bound of the distance from `center_m` to the piece.
    double at_least_m(int piece, const Eigen::Vector3d& center_m) const;
    const NearPoint& measure(int piece, const Eigen::Vector3d& center_m);

    /// Returns the nearest point of the piece, computed exactly. The result is not cached.
    NearPoint nearest_of(int piece, const Eigen::Vector3d& point_m) const;

    /// Returns true if the point is on this triangle, within kSameCorner_m. False for other pieces.
    bool is_on(int piece, const Eigen::Vector3d& point_m) const;
    /// Returns true if the segment between the two points passes through a triangle.
    bool crosses(const Eigen::Vector3d& from_m, const Eigen::Vector3d& to_m) const;

  private:
    static std::size_t index(int piece) { return static_cast<std::size_t>(piece); }

    std::span<const SurfacePiece> pieces_;
    std::array<NearPoint, kMaxPieces> points_;
    std::array<Eigen::Vector3d, kMaxPieces> known_at_m_;
    std::array<double, kMaxPieces> known_m_;  // lower bound of the distance at known_at_m_
    std::array<bool, kMaxPieces> measured_;   // known_m_ is exact
    std::array<bool, kMaxPieces> flat_;       // a triangle: triangles_ and bounds_ are set
    std::array<collision::Triangle, kMaxPieces> triangles_;
    std::array<Eigen::AlignedBox3d, kMaxPieces> bounds_;  // of the triangle, padded by kSameCorner_m
    bool begun_ = false;
};

}  // namespace glovebox::scenes
