// The part of the hand that stays outside: a ball that follows the tracked pad as far as surfaces let it.
//
// This is the god-object [Zilles95] with a ball's radius [Ruspini97] and a friction cone [Harwin02]. The force on the
// finger is the spring from where the finger is to where the proxy is.
// It cannot be pushed through a wall, however thin and however fast: each surface piece is convex, so its tangent plane
// at the nearest point is a half-space that is free of it, and motion inside all of those half-spaces is free of all
// pieces. No time of impact is computed.
#pragma once

#include <Eigen/Core>
#include <span>

#include "scenes/force/near_pieces.h"
#include "scenes/force/surface.h"

namespace glovebox::scenes {

struct Friction {
    double static_ratio = 0.6, dynamic_ratio = 0.45;  ///< tangential over normal force
};

struct Proxy {
    Eigen::Vector3d center_m = Eigen::Vector3d::Zero();
    bool armed = false;     ///< follows the finger; an unarmed proxy feels nothing and waits until the finger is clear
    bool touching = false;  ///< held back by a surface
    bool sticking = false;
    double travelled_m = 0.0;  ///< along surfaces since touching began
};

struct ProxyMove {
    Eigen::Vector3d normal = Eigen::Vector3d::Zero();  ///< unit, out of the surface; zero while not touching
    double stretch_m = 0.0;                            ///< from the finger to the proxy
    int piece = -1;                                    ///< the one that pushes most; -1 while not touching
};

/// Moves the proxy as near to `target_m` as the pieces allow. `friction` is indexed like `pieces`. At most kMaxPieces
/// are looked at. A target that is not finite, that jumped by more than 0.1 m, or surfaces that closed in on the proxy
/// disarm it. A few us, more where many pieces are in reach of a long way; no allocation.
ProxyMove move_proxy(Proxy& proxy, std::span<const SurfacePiece> pieces, std::span<const Friction> friction,
                     const Eigen::Vector3d& target_m, double radius_m);

/// The same with what the ticks before found out about pieces that stayed. The answer is the same to the bit.
ProxyMove move_proxy(Proxy& proxy, NearPieces& near, std::span<const Friction> friction,
                     const Eigen::Vector3d& target_m, double radius_m);

}  // namespace glovebox::scenes
