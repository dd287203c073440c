#include "scenes/force/proxy.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "scenes/force/least_constraint.h"

namespace glovebox::scenes {
namespace {

using Eigen::Vector3d;

constexpr double kJump_m = 0.10;  // a larger move in one tick is a tracking error, not motion
constexpr double kAtRest_m = 1e-8;
constexpr double kFirstReach_m = 5e-4;  // most ticks move the proxy by less, at any distance to the finger
constexpr int kMaxSweeps = 8;           // corners of a room take 3; curved and faceted surfaces a few more
constexpr int kMaxPushes = 4;

// Moves the centre back along the normals of surfaces that are too near, by motion or rounding. False: no room.
bool push_out(NearPieces& near, double radius_m, Vector3d& center_m) {
    for (int round = 0; round < kMaxPushes; ++round) {
        bool pushed = false;
        for (int i = 0; i < near.count(); ++i) {
            if (near.at_least_m(i, center_m) >= radius_m) continue;
            const NearPoint& point = near.measure(i, center_m);
            const double gap_m = point.distance_m - radius_m;
            if (gap_m >= 0.0) continue;
            const Vector3d to_m = center_m - gap_m * point.normal;
            if (near.crosses(center_m, to_m)) continue;
            center_m = to_m;
            pushed = pushed || gap_m < -1e-9;
        }
        if (!pushed) break;
    }
    near.update(center_m, radius_m);
    return near.min_m() > 0.5 * radius_m;
}

// Returns true if the nearest point is on a border that a nearer neighbour triangle shares. Such a border is inside the
// surface, and its tilted normal would be felt as a bump that does not exist.
bool inner_border(const NearPieces& near, int piece) {
    const NearPoint& point = near[piece];
    if (!point.on_border) return false;
    for (int i = 0; i < near.count(); ++i) {
        if (i == piece || near.object_of(i) != near.object_of(piece) || near[i].distance_m >= point.distance_m)
            continue;
        if ((near[i].on_m - point.on_m).squaredNorm() < kSameCorner_m * kSameCorner_m) continue;
        if (near.is_on(i, point.on_m)) return true;
    }
    return false;
}

// Replaces an inner border by the plane of its triangle, if the ball is in front of that plane.
bool face_space(const collision::Triangle& triangle, const Vector3d& center_m, double radius_m, HalfSpace& out) {
    const Vector3d face = (triangle[1] - triangle[0]).cross(triangle[2] - triangle[0]);
    const double area2 = face.norm();
    if (area2 < 1e-14) return false;
    out.normal = face / area2;
    double height_m = out.normal.dot(center_m - triangle[0]);
    if (height_m < 0.0) {
        height_m = -height_m;
        out.normal = -out.normal;
    }
    out.slack_m = height_m - radius_m;
    return out.slack_m >= -1e-9;
}

int half_spaces(const NearPieces& near, const Vector3d& center_m, double radius_m, double reach_m,
                std::array<HalfSpace, kMaxPieces>& out, std::array<int, kMaxPieces>& from) {
    int count = 0;
    for (int i = 0; i < near.count(); ++i) {
        const NearPoint& point = near[i];
        if (point.distance_m - radius_m > reach_m) continue;
        HalfSpace space{point.normal, point.distance_m - radius_m};
        if (inner_border(near, i) && !face_space(near.triangle(i), center_m, radius_m, space)) continue;
        space.slack_m = std::max(0.0, space.slack_m);
        out[static_cast<std::size_t>(count)] = space;
        from[static_cast<std::size_t>(count++)] = i;
    }
    return count;
}

// Shortens a motion that would cross a surface. The half-spaces already keep the ball outside; this catches cases that
// they may miss at inner borders. A ball that crosses a sheet is within a quarter radius of it at one of the steps.
Vector3d cut_short(const NearPieces& near, const Vector3d& center_m, const Vector3d& motion_m, double radius_m) {
    const double length_m = motion_m.norm();
    const int steps = static_cast<int>(std::ceil(length_m / (0.5 * radius_m)));
    for (int step = 1; step <= std::min(steps, 64); ++step) {
        const Vector3d at = center_m + motion_m * (static_cast<double>(step) / steps);
        for (int i = 0; i < near.count(); ++i)
            if (near.at_least_m(i, at) < 0.5 * radius_m && near.nearest_of(i, at).distance_m < 0.5 * radius_m)
                return motion_m * (static_cast<double>(step - 1) / steps);
    }
    return steps > 64 ? Vector3d(motion_m * (64.0 / steps)) : motion_m;
}

// Moves the proxy to its frictionless rest position. Returns the piece that holds it back most.
int slide(NearPieces& near, const Vector3d& target_m, double radius_m, Vector3d& center_m) {
    std::array<HalfSpace, kMaxPieces> spaces;
    std::array<int, kMaxPieces> from{};
    int pushing = -1;
    for (int sweep = 0; sweep < kMaxSweeps; ++sweep) {
        const Vector3d desired_m = target_m - center_m;
        const double whole_m = desired_m.norm();
        if (whole_m < kAtRest_m) break;
        // A piece beyond the length of the answer cannot change it. So measure the close pieces first, and more as
        // needed.
        double reach_m = std::min(kFirstReach_m, whole_m);
        int count = 0;
        double wanted_m = 0.0;
        Vector3d motion_m = Vector3d::Zero();
        while (true) {
            near.update(center_m, radius_m + reach_m);
            count = half_spaces(near, center_m, radius_m, reach_m, spaces, from);
            motion_m = constrain(desired_m, {spaces.data(), static_cast<std::size_t>(count)});
            wanted_m = motion_m.norm();
            if (wanted_m <= reach_m || reach_m >= whole_m) break;
            reach_m = std::min(8.0 * reach_m, whole_m);
        }
        if (count < near.count() || wanted_m > radius_m) motion_m = cut_short(near, center_m, motion_m, radius_m);
        double most = kAtRest_m;
        for (int i = 0; i < count; ++i) {
            const HalfSpace& space = spaces[static_cast<std::size_t>(i)];
            const double tight_m = space.normal.dot(motion_m) + space.slack_m;
            const double against_m = -space.normal.dot(desired_m - motion_m);
            if (tight_m < 1e-7 && against_m > most) {
                most = against_m;
                pushing = from[static_cast<std::size_t>(i)];
            }
        }
        center_m += motion_m;
        if (motion_m.norm() < kAtRest_m) break;
    }
    return pushing;
}

}  // namespace

ProxyMove move_proxy(Proxy& proxy, NearPieces& near, std::span<const Friction> friction, const Vector3d& target_m,
                     double radius_m) {
    const auto disarm = [&proxy] {
        proxy = {};
        return ProxyMove{};
    };
    if (!target_m.allFinite() || !(radius_m > 0.0)) return disarm();
    if (proxy.armed && (target_m - proxy.center_m).norm() > kJump_m) disarm();
    if (!proxy.armed) {
        near.update(target_m, radius_m);
        if (near.min_m() < radius_m) return disarm();
        proxy.armed = true;
        proxy.center_m = target_m;
        return {};
    }

    if (!push_out(near, radius_m, proxy.center_m)) return disarm();
    const Vector3d before_m = proxy.center_m;
    const int pushing = slide(near, target_m, radius_m, proxy.center_m);

    ProxyMove move;
    const Vector3d free_m = proxy.center_m;  // rest position without friction
    const double stretch_m = (free_m - target_m).norm();
    if (pushing < 0 || stretch_m < kAtRest_m) {
        proxy.touching = proxy.sticking = false;
        proxy.travelled_m = 0.0;
        return move;
    }
    move.normal = (free_m - target_m) / stretch_m;
    move.piece = pushing;

    // The proxy lags behind its rest position by at most the radius of the friction cone there.
    const Friction& ratio = friction[static_cast<std::size_t>(pushing)];
    Vector3d lag_m = before_m - free_m;
    lag_m -= lag_m.dot(move.normal) * move.normal;
    const double lag = lag_m.norm();
    proxy.sticking = lag <= ratio.static_ratio * stretch_m;
    if (lag > 0.0) {
        const double kept = proxy.sticking ? lag : std::min(lag, ratio.dynamic_ratio * stretch_m);
        proxy.center_m = free_m + lag_m * (kept / lag);
        if (!push_out(near, radius_m, proxy.center_m)) proxy.center_m = free_m;
    }
    if (proxy.touching) proxy.travelled_m += (proxy.center_m - before_m).norm();
    proxy.touching = true;
    move.stretch_m = (proxy.center_m - target_m).norm();
    return move;
}

ProxyMove move_proxy(Proxy& proxy, std::span<const SurfacePiece> pieces, std::span<const Friction> friction,
                     const Vector3d& target_m, double radius_m) {
    NearPieces near;
    near.begin(pieces.first(std::min(pieces.size(), static_cast<std::size_t>(kMaxPieces))),
               proxy.armed ? proxy.center_m : target_m);
    return move_proxy(proxy, near, friction, target_m, radius_m);
}

}  // namespace glovebox::scenes
