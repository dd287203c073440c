#include "scenes/force/near_pieces.h"

#include <algorithm>

namespace glovebox::scenes {
namespace {

using Eigen::Vector3d;

constexpr double kFar_m = 1e9;
constexpr double kRounding_m = 1e-12;

}  // namespace

void NearPieces::begin(std::span<const SurfacePiece> pieces, const Vector3d& center_m) {
    pieces_ = pieces;
    begun_ = true;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        const auto* triangle = std::get_if<FlatTriangle>(&pieces[i].shape);
        flat_[i] = triangle != nullptr;
        measured_[i] = false;
        known_at_m_[i] = center_m;
        known_m_[i] = -kFar_m;
        if (triangle == nullptr) continue;
        const auto& [a, b, c] = triangles_[i] = corners_of(*triangle);
        bounds_[i].min() = a.cwiseMin(b).cwiseMin(c).array() - kSameCorner_m;
        bounds_[i].max() = a.cwiseMax(b).cwiseMax(c).array() + kSameCorner_m;
        known_m_[i] = bounds_[i].exteriorDistance(center_m);
    }
}

double NearPieces::at_least_m(int piece, const Vector3d& center_m) const {
    return known_m_[index(piece)] - (center_m - known_at_m_[index(piece)]).norm() - kRounding_m;
}

const NearPoint& NearPieces::measure(int piece, const Vector3d& center_m) {
    const std::size_t i = index(piece);
    if (!measured_[i] || known_at_m_[i] != center_m) {
        points_[i] = nearest_of(piece, center_m);
        known_at_m_[i] = center_m;
        known_m_[i] = points_[i].distance_m;
        measured_[i] = true;
    }
    points_[i].distance_m = known_m_[i];
    return points_[i];
}

void NearPieces::update(const Vector3d& center_m, double reach_m) {
    for (int i = 0; i < count(); ++i) {
        const double min_m = at_least_m(i, center_m);
        if (min_m > reach_m)
            points_[index(i)].distance_m = min_m;
        else
            measure(i, center_m);
    }
}

double NearPieces::min_m() const {
    double min_m = kFar_m;
    for (int i = 0; i < count(); ++i) min_m = std::min(min_m, points_[index(i)].distance_m);
    return min_m;
}

NearPoint NearPieces::nearest_of(int piece, const Vector3d& point_m) const {
    const std::size_t i = index(piece);
    return flat_[i] ? nearest(triangles_[i], point_m) : nearest(pieces_[i], point_m);
}

bool NearPieces::is_on(int piece, const Vector3d& point_m) const {
    const std::size_t i = index(piece);
    return flat_[i] && bounds_[i].contains(point_m) && nearest(triangles_[i], point_m).distance_m < kSameCorner_m;
}

bool NearPieces::crosses(const Vector3d& from_m, const Vector3d& to_m) const {
    for (std::size_t i = 0; i < pieces_.size(); ++i) {
        if (!flat_[i]) continue;
        const auto& [a, b, c] = triangles_[i];
        const Vector3d face = (b - a).cross(c - a);
        const double from_height = face.dot(from_m - a), to_height = face.dot(to_m - a);
        if (from_height * to_height >= 0.0) continue;
        const Vector3d hit = from_m + (to_m - from_m) * (from_height / (from_height - to_height));
        if (face.dot((b - a).cross(hit - a)) >= 0.0 && face.dot((c - b).cross(hit - b)) >= 0.0 &&
            face.dot((a - c).cross(hit - c)) >= 0.0)
            return true;
    }
    return false;
}

}  // namespace glovebox::scenes
