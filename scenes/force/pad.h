// From one tracked pad of the hand and the surfaces round it to the force on the hand there, one tick of the force loop
// at a time. A pad is a ball that stands for one bone: at the tip of a distal phalanx, in the middle of the others.
//
// Virtual coupling: F = K (proxy - pad) + B d/dt(proxy - pad), the damping along the normal only, low-passed, and
// never pulling. On top of it, as a vibration along the normal: the texture, a function of the way travelled, and the
// knock of an impact, a decaying tone as strong as the approach was fast. A light object goes off ahead of the hand, so
// that no proxy ever meets it: the step saw that touch and tells it as a strike.
//
// A finger's pads push the same device. Each gets the share of K, of B and of the device's own damping that its depth
// has in the depths of all: shares are continuous, add up to one, and pads that go in together are together no stiffer
// than one (for depths d that grow alike, sum d^2 / sum d grows by 2 - n sum d^2 / (sum d)^2 <= 1 as fast). What pads
// could gain by going in and out by turns, the device's port holds back (vr/haptics/port.h).
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <span>

#include "scenes/force/proxy.h"
#include "scenes/scene.h"

namespace glovebox::scenes {

/// What the hand wears. Starting values for a light force-feedback glove.
struct ForceSettings {
    double most_stiffness_n_per_m = 540.0;  ///< that the device can show; softer materials are as they are
    double most_damping_n_s_per_m = 0.1;    ///< the same
    double most_force_n = 8.0;              ///< per finger, before the device's own limits
    double fade_ns = 30e6;                  ///< stale surfaces fade to zero force over this time
};

/// A knock: how fast the bone came on, against the surface, and on what.
struct Strike {
    float speed_m_s = 0.0F;  ///< along the normal; 0: none
    Material material;
};

/// Surfaces near one pad, as the frame loop saw them. The materials are the objects' of the pieces.
struct PadSurfaces {
    Eigen::Vector3f center_m = Eigen::Vector3f::Zero();  ///< of the pad's ball
    float radius_m = 0.0F;
    bool valid = false;        ///< false: there is no such bone now
    Strike strike;             ///< the hardest touch that began in this frame on something that can be pushed away
    float clear_m = 0.0F;      ///< from the ball to the nearest piece; 0: nothing is known of it
    float fastest_m_s = 0.0F;  ///< of the pieces
    int count = 0;
    std::array<SurfacePiece, kMaxPieces> pieces;
    std::array<Material, kMaxPieces> materials;
};

/// Where the proxy went in this tick, before any force is known.
struct PadTouch {
    bool valid = false, armed = false, touching = false, began = false, sticking = false;
    Eigen::Vector3d pad_m = Eigen::Vector3d::Zero(), moved_m = Eigen::Vector3d::Zero();  ///< in this tick
    Eigen::Vector3d proxy_m = Eigen::Vector3d::Zero();
    Eigen::Vector3d normal = Eigen::Vector3d::Zero();       ///< unit, out of the surface; zero while not touching
    Eigen::Vector3d surface_m_s = Eigen::Vector3d::Zero();  ///< its velocity there
    double depth_m = 0.0;                                   ///< of the pad behind the proxy, along the normal, >= 0
    Material material;
};

struct PadForce {
    Eigen::Vector3d force_n = Eigen::Vector3d::Zero();  ///< on the hand, world
    double vibration_n = 0.0;                           ///< along the normal; texture and impact
    double normal_n = 0.0;                              ///< share of force_n along the normal, >= 0
    Eigen::Vector3d proxy_m = Eigen::Vector3d::Zero();
    Eigen::Vector3d normal = Eigen::Vector3d::Zero();
    Eigen::Vector3d surface_m_s = Eigen::Vector3d::Zero();  ///< its velocity there
    bool armed = false, touching = false, sticking = false;
};

/// One pad between ticks. Plain values.
struct PadLoop {
    Proxy proxy;
    NearPieces near;                                  ///< of surfaces that stay where they are until the next frame
    Eigen::Vector3d pad_m = Eigen::Vector3d::Zero();  ///< of the tick before
    double stretch_m = 0.0, stretch_speed_m_s = 0.0;
    Strike impact;  ///< the last one, ringing
    double impact_age_s = 0.0;
    bool started = false;

    /// Forgets the touch: the bone was lost or what is round it is too old.
    void interrupt() { *this = {}; }

    /// Begins to ring, unless an older knock still rings louder.
    void strike(const Strike& how);
};

/// The tick's first half: moves the proxy. `age_s`: how old the surfaces are (they are carried on with their velocity).
/// `fresh`: they are not those of the tick before. A pad that is not valid or not finite is interrupted. A few us
/// near a mesh; no allocation.
PadTouch follow(PadLoop& loop, const PadSurfaces& surfaces, const Eigen::Vector3d& pad_m, double age_s, double dt_s,
                bool fresh = true);

/// The second half: the force. `share` 0..1 of its finger's stiffness that is this pad's, 1 if it alone touches; `fade`
/// 0..1 scales all of it. Call it for each touch that was followed, whether or not it touches.
PadForce push(PadLoop& loop, const PadTouch& touch, double share, double fade, double dt_s,
              const ForceSettings& settings);

/// Both, for a pad by itself.
inline PadForce render(PadLoop& loop, const PadSurfaces& surfaces, const Eigen::Vector3d& pad_m, double age_s,
                       double fade, double dt_s, const ForceSettings& settings) {
    return push(loop, follow(loop, surfaces, pad_m, age_s, dt_s), 1.0, fade, dt_s, settings);
}

}  // namespace glovebox::scenes
