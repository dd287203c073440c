#include "scenes/force/proxy.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "scenes/force/least_constraint.h"

namespace glovebox::scenes {
namespace {

using Eigen::Vector3d;

constexpr double kJump_m = 0.10;  // further than this in one tick is tracking, not motion
constexpr double kSame_m = 2e-6;  // corners shared by two triangles agree to float rounding at a few metres
constexpr double kAtRest_m = 1e-8;
constexpr double kRounding_m = 1e-12;
constexpr int kMostSweeps = 8;  // corners of a room take 3; curved and faceted surfaces a few more
constexpr int kMostPushes = 4;

// Where the pieces are nearest to the ball's centre. A distance changes by no more than the centre moves, so what was
// far off need not be measured anew: within reach points are exact, beyond it they only have a distance not exceeded.
struct Near {
    std::array<NearPoint, kMostPieces> points;
    std::array<Vector3d, kMostPieces> measured_at_m;
    std::array<double, kMostPieces> measured_m;
    int count = 0;

    void measure(std::span<const SurfacePiece> pieces, int i, const Vector3d& center_m) {
        const auto at = static_cast<std::size_t>(i);
        points[at] = nearest(pieces[at], center_m);
        measured_at_m[at] = center_m;
        measured_m[at] = points[at].distance_m;
    }
    double at_least_m(int i, const Vector3d& center_m) const {
        const auto at = static_cast<std::size_t>(i);
        return measured_m[at] - (center_m - measured_at_m[at]).norm() - kRounding_m;
    }
};

void look(std::span<const SurfacePiece> pieces, const Vector3d& center_m, Near& out) {
    out.count = std::min(static_cast<int>(pieces.size()), kMostPieces);
    for (int i = 0; i < out.count; ++i) out.measure(pieces, i, center_m);
}

// The same after the first look, exact where a ball that goes to `target_m` may meet something.
void look_again(std::span<const SurfacePiece> pieces, const Vector3d& center_m, const Vector3d& target_m,
                double radius_m, Near& near) {
    const double reach_m = radius_m + (target_m - center_m).norm();
    for (int i = 0; i < near.count; ++i) {
        const double least_m = near.at_least_m(i, center_m);
        if (least_m > reach_m)
            near.points[static_cast<std::size_t>(i)].distance_m = least_m;
        else
            near.measure(pieces, i, center_m);
    }
}

double least_gap(const Near& near, double radius_m) {
    double least = 1e9;
    for (int i = 0; i < near.count; ++i)
        least = std::min(least, near.points[static_cast<std::size_t>(i)].distance_m - radius_m);
    return least;
}

// Does the way from one place to another lead through a triangle?
bool crosses(std::span<const SurfacePiece> pieces, const Vector3d& from_m, const Vector3d& to_m) {
    for (const SurfacePiece& piece : pieces) {
        const auto* triangle = std::get_if<FlatTriangle>(&piece.shape);
        if (triangle == nullptr) continue;
        const Vector3d a = triangle->corners_m[0].cast<double>(), b = triangle->corners_m[1].cast<double>(),
                       c = triangle->corners_m[2].cast<double>();
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

// Surfaces that moved, or rounding, may have come too near: step back along their normals. False: there is no room.
bool push_out(std::span<const SurfacePiece> pieces, const Vector3d& target_m, double radius_m, Vector3d& center_m,
              Near& near) {
    for (int round = 0; round < kMostPushes; ++round) {
        bool pushed = false;
        for (int i = 0; i < near.count; ++i) {
            if (near.at_least_m(i, center_m) >= radius_m) continue;
            const NearPoint point = nearest(pieces[static_cast<std::size_t>(i)], center_m);
            const double gap_m = point.distance_m - radius_m;
            if (gap_m >= 0.0) continue;
            const Vector3d to_m = center_m - gap_m * point.normal;
            if (crosses(pieces, center_m, to_m)) continue;
            center_m = to_m;
            pushed = pushed || gap_m < -1e-9;
        }
        if (!pushed) break;
    }
    look_again(pieces, center_m, target_m, radius_m, near);
    return least_gap(near, radius_m) > -0.5 * radius_m;
}

// A witness on the border of a triangle is not a surface of its own when a neighbour that shares it lies nearer: then
// the border is inside of the surface, and its tilted normal would be a bump that is not there.
bool inner_border(const SurfacePiece& piece, const NearPoint& point, std::span<const SurfacePiece> pieces,
                  const Near& near) {
    if (!point.on_border) return false;
    for (int i = 0; i < near.count; ++i) {
        const SurfacePiece& other = pieces[static_cast<std::size_t>(i)];
        const NearPoint& other_point = near.points[static_cast<std::size_t>(i)];
        if (&other == &piece || other.object != piece.object || other_point.distance_m >= point.distance_m) continue;
        if ((other_point.on_m - point.on_m).squaredNorm() < kSame_m * kSame_m) continue;
        if (std::holds_alternative<FlatTriangle>(other.shape) && nearest(other, point.on_m).distance_m < kSame_m)
            return true;
    }
    return false;
}

// Instead of an inner border, its triangle counts with its face's plane where the ball is in front of that.
bool face_space(const FlatTriangle& triangle, const Vector3d& center_m, double radius_m, HalfSpace& out) {
    const Vector3d a = triangle.corners_m[0].cast<double>();
    const Vector3d face = (triangle.corners_m[1].cast<double>() - a).cross(triangle.corners_m[2].cast<double>() - a);
    const double area2 = face.norm();
    if (area2 < 1e-14) return false;
    out.normal = face / area2;
    double height_m = out.normal.dot(center_m - a);
    if (height_m < 0.0) {
        height_m = -height_m;
        out.normal = -out.normal;
    }
    out.slack_m = height_m - radius_m;
    return out.slack_m >= -1e-9;
}

int half_spaces(std::span<const SurfacePiece> pieces, const Near& near, const Vector3d& center_m, double radius_m,
                double reach_m, std::array<HalfSpace, kMostPieces>& out, std::array<int, kMostPieces>& from) {
    int count = 0;
    for (int i = 0; i < near.count; ++i) {
        const NearPoint& point = near.points[static_cast<std::size_t>(i)];
        if (point.distance_m - radius_m > reach_m) continue;
        const SurfacePiece& piece = pieces[static_cast<std::size_t>(i)];
        HalfSpace space{point.normal, point.distance_m - radius_m};
        if (inner_border(piece, point, pieces, near) &&
            !face_space(std::get<FlatTriangle>(piece.shape), center_m, radius_m, space))
            continue;
        space.slack_m = std::max(0.0, space.slack_m);
        out[static_cast<std::size_t>(count)] = space;
        from[static_cast<std::size_t>(count++)] = i;
    }
    return count;
}

// The half-spaces already keep the ball outside; this holds for whatever they may have missed at inner borders. A ball
// that crosses a sheet has it within a quarter radius at one of the steps.
Vector3d cut_short(std::span<const SurfacePiece> pieces, const Near& near, const Vector3d& center_m,
                   const Vector3d& motion_m, double radius_m) {
    const double length_m = motion_m.norm();
    const int steps = static_cast<int>(std::ceil(length_m / (0.5 * radius_m)));
    for (int step = 1; step <= std::min(steps, 64); ++step) {
        const Vector3d at = center_m + motion_m * (static_cast<double>(step) / steps);
        for (int i = 0; i < near.count; ++i)
            if (near.at_least_m(i, at) < 0.5 * radius_m &&
                nearest(pieces[static_cast<std::size_t>(i)], at).distance_m < 0.5 * radius_m)
                return motion_m * (static_cast<double>(step - 1) / steps);
    }
    return steps > 64 ? Vector3d(motion_m * (64.0 / steps)) : motion_m;
}

// Goes to the frictionless place of rest. Returns the piece that holds it back most.
int slide(std::span<const SurfacePiece> pieces, const Vector3d& target_m, double radius_m, Vector3d& center_m,
          Near& near) {
    std::array<HalfSpace, kMostPieces> spaces;
    std::array<int, kMostPieces> from{};
    int pushing = -1;
    for (int sweep = 0; sweep < kMostSweeps; ++sweep) {
        const Vector3d wish_m = target_m - center_m;
        const double reach_m = wish_m.norm();
        if (reach_m < kAtRest_m) break;
        const int count = half_spaces(pieces, near, center_m, radius_m, reach_m, spaces, from);
        Vector3d motion_m = least_constrained(wish_m, {spaces.data(), static_cast<std::size_t>(count)});
        const double wanted_m = motion_m.norm();
        if (count < near.count || wanted_m > radius_m) motion_m = cut_short(pieces, near, center_m, motion_m, radius_m);
        double most = kAtRest_m;
        for (int i = 0; i < count; ++i) {
            const HalfSpace& space = spaces[static_cast<std::size_t>(i)];
            const double tight_m = space.normal.dot(motion_m) + space.slack_m;
            const double against_m = -space.normal.dot(wish_m - motion_m);
            if (tight_m < 1e-7 && against_m > most) {
                most = against_m;
                pushing = from[static_cast<std::size_t>(i)];
            }
        }
        center_m += motion_m;
        look_again(pieces, center_m, target_m, radius_m, near);
        if (motion_m.norm() < kAtRest_m) break;
    }
    return pushing;
}

}  // namespace

ProxyMove move_proxy(Proxy& proxy, std::span<const SurfacePiece> pieces, std::span<const Friction> friction,
                     const Vector3d& target_m, double radius_m) {
    const auto disarm = [&proxy] {
        proxy = {};
        return ProxyMove{};
    };
    if (!target_m.allFinite() || !(radius_m > 0.0)) return disarm();
    pieces = pieces.first(std::min(pieces.size(), static_cast<std::size_t>(kMostPieces)));

    Near near;
    if (proxy.armed && (target_m - proxy.center_m).norm() > kJump_m) disarm();
    if (!proxy.armed) {
        look(pieces, target_m, near);
        if (least_gap(near, radius_m) < 0.0) return disarm();
        proxy.armed = true;
        proxy.center_m = target_m;
        return {};
    }

    look(pieces, proxy.center_m, near);
    if (!push_out(pieces, target_m, radius_m, proxy.center_m, near)) return disarm();
    const Vector3d before_m = proxy.center_m;
    const int pushing = slide(pieces, target_m, radius_m, proxy.center_m, near);

    ProxyMove move;
    const Vector3d free_m = proxy.center_m;  // where it would rest without friction
    const double stretch_m = (free_m - target_m).norm();
    if (pushing < 0 || stretch_m < kAtRest_m) {
        proxy.touching = proxy.sticking = false;
        proxy.travelled_m = 0.0;
        return move;
    }
    move.normal = (free_m - target_m) / stretch_m;
    move.piece = pushing;

    // The proxy lags behind its place of rest by no more than the friction cone is wide there.
    const Friction& ratio = friction[static_cast<std::size_t>(pushing)];
    Vector3d lag_m = before_m - free_m;
    lag_m -= lag_m.dot(move.normal) * move.normal;
    const double lag = lag_m.norm();
    proxy.sticking = lag <= ratio.static_ratio * stretch_m;
    if (lag > 0.0) {
        const double kept = proxy.sticking ? lag : std::min(lag, ratio.dynamic_ratio * stretch_m);
        proxy.center_m = free_m + lag_m * (kept / lag);
        if (!push_out(pieces, target_m, radius_m, proxy.center_m, near)) proxy.center_m = free_m;
    }
    if (proxy.touching) proxy.travelled_m += (proxy.center_m - before_m).norm();
    proxy.touching = true;
    move.stretch_m = (proxy.center_m - target_m).norm();
    return move;
}

}  // namespace glovebox::scenes
