// How far surface pieces are from a ball's centre, measured no oftener than needed.
//
// A distance changes by no more than the centre moves. So what was far off is not measured again, and of a triangle
// that never was, the box about it tells enough until the ball comes near.
#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <array>
#include <span>

#include "scenes/force/surface.h"

namespace glovebox::scenes {

inline constexpr int kMaxPieces = 32;          ///< per pad
inline constexpr double kSameCorner_m = 2e-6;  ///< corners shared by two triangles agree so well at a few metres

/// Plain values, some 8 KB; kept between ticks while the pieces stay where they are. Indices are the pieces'.
class NearPieces {
  public:
    /// Knows nothing but the boxes of `pieces`, at most kMaxPieces, which must stay while they are asked for.
    void begin(std::span<const SurfacePiece> pieces, const Eigen::Vector3d& center_m);

    /// The same pieces, perhaps at another address; needs begun().
    void carry_on(std::span<const SurfacePiece> pieces) { pieces_ = pieces; }
    void forget() { begun_ = false; }
    bool begun() const { return begun_; }

    int count() const { return static_cast<int>(pieces_.size()); }
    int object_of(int piece) const { return pieces_[index(piece)].object; }
    const collision::Triangle& triangle(int piece) const { return triangles_[index(piece)]; }  ///< where it is one

    /// Measures, from `center_m`, all that may be no further from it than `reach_m`.
    void look(const Eigen::Vector3d& center_m, double reach_m);

    /// Of the last look: exact within its reach; beyond it only distance_m is told, a length not exceeded.
    const NearPoint& operator[](int piece) const { return points_[index(piece)]; }
    double least_m() const;  ///< of all; very far without pieces

    /// The distance from `center_m`, or less.
    double at_least_m(int piece, const Eigen::Vector3d& center_m) const;
    const NearPoint& measure(int piece, const Eigen::Vector3d& center_m);

    NearPoint nearest_of(int piece, const Eigen::Vector3d& point_m) const;  ///< exact, nothing is kept

    /// Is the point on this triangle, to rounding? False for other pieces.
    bool is_on(int piece, const Eigen::Vector3d& point_m) const;
    /// Does the way from one place to another lead through a triangle?
    bool crosses(const Eigen::Vector3d& from_m, const Eigen::Vector3d& to_m) const;

  private:
    static std::size_t index(int piece) { return static_cast<std::size_t>(piece); }

    std::span<const SurfacePiece> pieces_;
    std::array<NearPoint, kMaxPieces> points_;
    std::array<Eigen::Vector3d, kMaxPieces> known_at_m_;
    std::array<double, kMaxPieces> known_m_;  // there, at least
    std::array<bool, kMaxPieces> measured_;   // exactly, there
    std::array<bool, kMaxPieces> flat_;       // triangles: they have corners and bounds
    std::array<collision::Triangle, kMaxPieces> triangles_;
    std::array<Eigen::AlignedBox3d, kMaxPieces> bounds_;  // a little wider
    bool begun_ = false;
};

}  // namespace glovebox::scenes
