// The haptic proxy (god-object): a ball that follows the tracked pad of a bone and never enters a surface.
//
// This is the god-object [Zilles95] with a ball's radius [Ruspini97] and a friction cone [Harwin02]. The force on the
// finger is that of a spring from the finger to the proxy. The proxy cannot pass a wall, however thin the wall and
// however fast the finger. Each surface piece is convex, so the tangent plane at its nearest point bounds a half-space
// that the piece does not enter. Motion inside all these half-spaces meets no piece. No time of impact needs to be
// computed.
#pragma once

#include <Eigen/Core>
#include <span>

#include "scenes/force/near_pieces.h"
#include "scenes/force/surface.h"

namespace glovebox::scenes {

struct Friction {
    double static_ratio = 0.6, dynamic_ratio = 0.45;  ///< tangential force divided by normal force
};

struct Proxy {
    Eigen::Vector3d center_m = Eigen::Vector3d::Zero();
    bool armed = false;     ///< false: the proxy gives no force and waits until the finger is clear of all surfaces
    bool touching = false;  ///< held back by a surface
    bool sticking = false;
    double travelled_m = 0.0;  ///< distance along surfaces since touching began
};

struct ProxyMove {
    Eigen::Vector3d normal = Eigen::Vector3d::Zero();  ///< unit, out of the surface; zero while not touching
    double stretch_m = 0.0;                            ///< distance from the finger to the proxy
    int piece = -1;                                    ///< the piece that pushes most; -1 while not touching
};

/// Moves the proxy as near to `target_m` as the pieces allow. `friction` is indexed like `pieces`, of which at most
/// kMaxPieces are used. Disarms the proxy if the target is not finite or jumped by more than 0.1 m, or if surfaces
/// closed in on the proxy. Takes a few microseconds, or more if the displacement is long and many pieces are near it.
/// No allocation.
ProxyMove move_proxy(Proxy& proxy, std::span<const SurfacePiece> pieces, std::span<const Friction> friction,
                     const Eigen::Vector3d& target_m, double radius_m);

/// Does the same, reusing the distances that earlier ticks measured to pieces that did not move. The result is
/// bitwise identical.
ProxyMove move_proxy(Proxy& proxy, NearPieces& near, std::span<const Friction> friction,
                     const Eigen::Vector3d& target_m, double radius_m);

}  // namespace glovebox::scenes
