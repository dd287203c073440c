// What passes between the frame loop, which sees the scene, and the force loop, which only feels what is near.
//
// Plain values of fixed size, so that they can be handed over without locks and without memory being asked for.
#pragma once

#include <array>
#include <cstdint>

#include "scenes/force/finger.h"
#include "tracking/hand_frame.h"

namespace glovebox::scenes {

/// When a frame passed each station; monotonic clock of the process. 0: not passed.
struct FrameStamps {
    std::int64_t sample_ns = 0;                            ///< when the hand was there
    std::int64_t arrival_ns = 0;                           ///< when the sample reached us
    std::int64_t refit_ns = 0, test_ns = 0, exact_ns = 0;  ///< when that stage was done
};

struct HandSurfaces {
    bool present = false;
    std::array<FingertipSurfaces, tracking::kFingerCount> fingertips;  ///< thumb .. little
};

/// One frame for the force loop.
struct HapticFrame {
    FrameStamps stamps;
    std::int64_t period_ns = 0;         ///< since the frame before; the force loop goes from there to here in this time
    std::uint64_t number = 0;           ///< counts up; 0: nothing was handed over yet
    std::array<HandSurfaces, 2> hands;  ///< by Side
};

/// One tick of the force loop for one hand.
struct HandForces {
    std::array<FingerForce, tracking::kFingerCount> fingers;
};

/// The force loop's own state; plain values.
struct ForceLoop {
    std::array<std::array<FingerLoop, tracking::kFingerCount>, 2> fingers;
    std::array<std::array<Eigen::Vector3d, tracking::kFingerCount>, 2> from_m, at_m;
    std::array<std::array<bool, tracking::kFingerCount>, 2> follows{};
    std::uint64_t number = 0;
    std::int64_t since_ns = 0;  ///< when the frame in use was first seen
};

/// Moves the fingers on to `now_ns` and renders the forces of both hands. Fingers go from where they are to where the
/// newest frame has them within one tracking period: one period late, never extrapolated, and without steps. A frame
/// older than `stale_ns` fades to zero force and stays there.
std::array<HandForces, 2> render(ForceLoop& loop, const HapticFrame& frame, std::int64_t now_ns, double dt_s,
                                 const ForceSettings& settings, std::int64_t stale_ns = 60'000'000);

}  // namespace glovebox::scenes
