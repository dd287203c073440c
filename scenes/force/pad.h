// Force rendering for one pad of the hand. In each tick of the force loop, it computes the force from the surfaces near
// the pad. A pad is a ball that represents one bone, at the tip of a distal phalanx and in the middle of any other
// bone.
//
// The force is that of a virtual coupling: F = K (proxy - pad) + B d/dt(proxy - pad). Damping acts along the normal
// only, is low-pass filtered, and never pulls the hand towards the surface. A vibration along the normal is added. It
// has two parts: the texture (a function of the distance travelled) and the impact (a decaying tone, proportional to
// the approach speed). scenes::step() pushes light objects away before a proxy meets them, and reports such a touch as
// a Strike.
//
// All pads of a finger push the same device. Each pad gets a share of K, of B and of the device's own damping. The
// share is the pad's depth divided by the sum of all depths. Shares are continuous and add up to one, so several pads
// are together no stiffer than one. (The force is proportional to sum d^2 / sum d. If n depths grow at the same rate,
// this quotient grows at 2 - n sum d^2 / (sum d)^2 <= 1 times that rate.) Energy that pads could gain by entering
// alternately is limited at the device (vr/haptics/port.h).
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <span>

#include "scenes/force/proxy.h"
#include "scenes/scene.h"

namespace glovebox::scenes {

/// Limits of the haptic device. The defaults suit a light force-feedback glove.
struct ForceSettings {
    double max_stiffness_n_per_m = 540.0;  ///< limit of the device; stiffer materials are clamped to it
    double max_damping_n_s_per_m = 0.1;    ///< limit of the device
    double max_force_n = 8.0;              ///< per finger, before the device's own limits
    double fade_ns = 30e6;                 ///< stale surfaces fade to zero force over this time
};

/// An impact of a bone on a surface.
struct Strike {
    float speed_m_s = 0.0F;  ///< speed of the bone along the normal; 0: no impact
    Material material;
};

/// Surfaces near one pad at the time of a frame. `materials[i]` is the material of the object of `pieces[i]`.
struct PadSurfaces {
    Eigen::Vector3f center_m = Eigen::Vector3f::Zero();  ///< centre of the pad's ball; world
    float radius_m = 0.0F;
    bool valid = false;        ///< false: the bone is absent in this frame
    Strike strike;             ///< the hardest touch that began in this frame on a dynamic object
    float clear_m = 0.0F;      ///< distance from the ball to the nearest piece; 0: unknown
    float fastest_m_s = 0.0F;  ///< greatest speed of the pieces
    int count = 0;
    std::array<SurfacePiece, kMaxPieces> pieces;
    std::array<Material, kMaxPieces> materials;
};

/// The result of follow(): the proxy's move in this tick, before the force is computed.
struct PadTouch {
    bool valid = false, armed = false, touching = false, began = false, sticking = false;
    Eigen::Vector3d pad_m = Eigen::Vector3d::Zero(), moved_m = Eigen::Vector3d::Zero();  ///< position and move; world
    Eigen::Vector3d proxy_m = Eigen::Vector3d::Zero();
    Eigen::Vector3d normal = Eigen::Vector3d::Zero();       ///< unit, out of the surface; zero while not touching
    Eigen::Vector3d surface_m_s = Eigen::Vector3d::Zero();  ///< velocity of the surface at the proxy
    double depth_m = 0.0;                                   ///< from the proxy to the pad along the normal, >= 0
    Material material;
};

struct PadForce {
    Eigen::Vector3d force_n = Eigen::Vector3d::Zero();  ///< on the hand, world
    double vibration_n = 0.0;                           ///< along the normal: texture and impact
    double normal_n = 0.0;                              ///< component of force_n along the normal, >= 0
    Eigen::Vector3d proxy_m = Eigen::Vector3d::Zero();
    Eigen::Vector3d normal = Eigen::Vector3d::Zero();
    Eigen::Vector3d surface_m_s = Eigen::Vector3d::Zero();  ///< velocity of the surface at the proxy
    bool armed = false, touching = false, sticking = false;
};

/// The state of one pad between ticks. Plain values.
struct PadLoop {
    Proxy proxy;
    NearPieces near;                                  ///< distances to surfaces at rest, reused until the next frame
    Eigen::Vector3d pad_m = Eigen::Vector3d::Zero();  ///< position in the previous tick
    double stretch_m = 0.0, stretch_speed_m_s = 0.0;
    Strike impact;  ///< the latest impact, which still vibrates
    double impact_age_s = 0.0;
    bool started = false;

    /// Resets the state. Called if the bone was lost or its surfaces are too old.
    void interrupt() { *this = {}; }

    /// Starts the vibration of an impact, unless that of an older impact is still stronger.
    void strike(const Strike& how);
};

/// Moves the proxy: the first half of a tick. `age_s` is the age of the surfaces, which are extrapolated with their
/// velocity. `fresh` is true if the surfaces differ from those of the previous tick. Interrupts the loop if the pad is
/// not valid or its position is not finite. Takes a few microseconds near a mesh; no allocation.
PadTouch follow(PadLoop& loop, const PadSurfaces& surfaces, const Eigen::Vector3d& pad_m, double age_s, double dt_s,
                bool fresh = true);

/// Computes the force: the second half of a tick. `share` (0..1) is this pad's share of its finger's stiffness, 1 if no
/// other pad touches. `fade` (0..1) scales the result. Call it after every follow(), whether or not the pad touches.
PadForce push(PadLoop& loop, const PadTouch& touch, double share, double fade, double dt_s,
              const ForceSettings& settings);

/// Runs follow() and push() for a single pad.
inline PadForce render(PadLoop& loop, const PadSurfaces& surfaces, const Eigen::Vector3d& pad_m, double age_s,
                       double fade, double dt_s, const ForceSettings& settings) {
    return push(loop, follow(loop, surfaces, pad_m, age_s, dt_s), 1.0, fade, dt_s, settings);
}

}  // namespace glovebox::scenes
