// Data that the frame loop passes to the haptic force loop. Only the frame loop has the scene; the force loop has the
// surfaces near the hands.
//
// The types are plain values of fixed size, so that they can be passed without locks and without allocation.
#pragma once

#include <array>
#include <cstdint>

#include "scenes/force/pad.h"
#include "scenes/hand_body.h"
#include "tracking/hand_parts.h"

namespace glovebox::scenes {

/// The times at which a frame passed each stage, on the monotonic clock of the process; 0 if it has not passed the
/// stage.
struct FrameStamps {
    std::int64_t sample_ns = 0;                            ///< time of the sample
    std::int64_t arrival_ns = 0;                           ///< arrival of the sample
    std::int64_t refit_ns = 0, test_ns = 0, exact_ns = 0;  ///< end of that stage
};

/// The surfaces near one hand.
struct HandSurfaces {
    bool present = false;
    std::array<PadSurfaces, kHandBoneCount> pads;  ///< by bone
    /// For each finger, the fraction of its range of motion that lies beyond the curl at which it touches
    /// (curl_limit.h). 0 if the finger can close freely.
    std::array<float, tracking::kFingerCount> closed_off{};
};

/// One frame for the force loop.
struct HapticFrame {
    FrameStamps stamps;
    std::int64_t sample_ns = 0;  ///< time of the sample, on the force loop's clock
    std::int64_t period_ns = 0;  ///< time since the previous frame; the force loop moves the pads within this time
    std::uint64_t number = 0;    ///< increases with every frame; 0: no frame yet
    tracking::PerSide<HandSurfaces> hands;
};

/// The force on one finger or the palm, from all its pads.
struct PartForce {
    Eigen::Vector3d force_n = Eigen::Vector3d::Zero();  ///< sum of the pads' forces
    double vibration_n = 0.0;                           ///< the pads' strongest vibration, with its sign
};

/// One tick of the force loop for one hand.
struct HandForces {
    std::array<PadForce, kHandBoneCount> pads;
    std::array<PartForce, tracking::kHandPartCount> parts;
};

/// Returns the part of the hand to which a bone belongs: its finger, or kPalmPart for bone 0 and the metacarpals of
/// the fingers.
int part_of_bone(int bone);

/// The state of the force loop between ticks; plain values.
struct ForceLoop {
    tracking::PerSide<std::array<PadLoop, kHandBoneCount>> pads;
    tracking::PerSide<std::array<Eigen::Vector3d, kHandBoneCount>> from_m, at_m;
    tracking::PerSide<std::array<bool, kHandBoneCount>> follows{};
    std::uint64_t number = 0;
    std::int64_t since_ns = 0;  ///< when the frame in use was first seen
    bool arrived = false;       ///< the pads have reached that frame
};

/// Moves the pads to `now_ns` and renders the forces of both hands. Each pad moves to its position in the newest frame
/// within one tracking period. Pads therefore lag by one period and are never extrapolated. If the newest frame is
/// older than `stale_ns`, forces fade to zero.
tracking::PerSide<HandForces> render(ForceLoop& loop, const HapticFrame& frame, std::int64_t now_ns, double dt_s,
                                     const ForceSettings& settings, std::int64_t stale_ns = 60'000'000);

}  // namespace glovebox::scenes
