// From a tracked fingertip and the surfaces round it to the force on the finger, one tick of the force loop at a time.
//
// Virtual coupling: F = K (proxy - finger) + B d/dt(proxy - finger), the damping along the normal only, low-passed, and
// never pulling. On top of it, as a vibration along the normal: the texture, a function of the way travelled, and the
// knock of an impact, a decaying tone as strong as the approach was fast.
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <span>

#include "scenes/force/passivity.h"
#include "scenes/force/proxy.h"
#include "scenes/scene.h"

namespace glovebox::scenes {

/// What the finger wears. Starting values for a light force-feedback glove.
struct ForceSettings {
    double device_damping_n_s_per_m = 0.3;  ///< K is kept below what this holds passively; gloves have 0.1 to 0.3
    double most_force_n = 8.0;              ///< per finger, before the device's own limits
    double fade_ns = 30e6;                  ///< stale surfaces fade to zero force over this time
    bool observe_passivity = true;          ///< these two are false only in tests that show what happens without
    bool limit_stiffness = true;
};

/// Surfaces near one fingertip, as the frame loop saw them. The materials are the objects' of the pieces.
struct FingertipSurfaces {
    Eigen::Vector3f center_m = Eigen::Vector3f::Zero();  ///< of the fingertip's ball
    float radius_m = 0.0F;
    bool valid = false;  ///< false: there is no such finger now
    int count = 0;
    std::array<SurfacePiece, kMostPieces> pieces;
    std::array<Material, kMostPieces> materials;
};

struct FingerForce {
    Eigen::Vector3d force_n = Eigen::Vector3d::Zero();  ///< on the finger, world
    double vibration_n = 0.0;                           ///< along the normal; texture and impact
    double normal_n = 0.0;                              ///< share of force_n along the normal, >= 0
    Eigen::Vector3d proxy_m = Eigen::Vector3d::Zero();
    Eigen::Vector3d normal = Eigen::Vector3d::Zero();
    bool armed = false, touching = false, sticking = false;
};

/// One fingertip between ticks. Plain values.
struct FingerLoop {
    Proxy proxy;
    PassivityObserver observer;
    Eigen::Vector3d finger_m = Eigen::Vector3d::Zero();  ///< of the tick before
    double stretch_m = 0.0, stretch_speed_m_s = 0.0;
    double impact_speed_m_s = 0.0, impact_age_s = 1.0;
    bool started = false;
};

/// One tick. `age_s`: how old the surfaces are (they are carried on with their velocity). `fade` 0..1 scales all of it.
/// About 3 us per finger near a mesh; no allocation.
FingerForce render(FingerLoop& loop, const FingertipSurfaces& surfaces, const Eigen::Vector3d& finger_m, double age_s,
                   double fade, double dt_s, const ForceSettings& settings);

}  // namespace glovebox::scenes
