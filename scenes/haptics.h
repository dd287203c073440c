// The data between the frame loop, which has the scene, and the force loop, which has only surfaces near the hand.
//
// Plain values of fixed size, so that they are passed without locks and without allocation.
#pragma once

#include <array>
#include <cstdint>

#include "scenes/force/pad.h"
#include "scenes/hand_body.h"
#include "tracking/hand_parts.h"

namespace glovebox::scenes {

/// When a frame passed each stage; monotonic clock of the process. 0: not passed.
struct FrameStamps {
    std::int64_t sample_ns = 0;                            ///< time of the sample
    std::int64_t arrival_ns = 0;                           ///< arrival of the sample
    std::int64_t refit_ns = 0, test_ns = 0, exact_ns = 0;  ///< when that stage was done
};

/// The surfaces near one hand.
struct HandSurfaces {
    bool present = false;
    std::array<PadSurfaces, kHandBoneCount> pads;  ///< by bone
    /// By finger: the fraction of its range of motion beyond the curl at which it touches (curl_limit.h); 0: it closes
    /// freely.
    std::array<float, tracking::kFingerCount> closed_off{};
};

/// One frame for the force loop.
struct HapticFrame {
    FrameStamps stamps;
    std::int64_t sample_ns = 0;  ///< time of the sample, on the force loop's clock
    std::int64_t period_ns = 0;  ///< since the frame before; the force loop moves the pads in this time
    std::uint64_t number = 0;    ///< increases; 0: no frame yet
    tracking::PerSide<HandSurfaces> hands;
};

/// The force of one finger or the palm: all its pads together.
struct PartForce {
    Eigen::Vector3d force_n = Eigen::Vector3d::Zero();  ///< their sum
    double vibration_n = 0.0;                           ///< the strongest of them, with its sign
};

/// One tick of the force loop for one hand.
struct HandForces {
    std::array<PadForce, kHandBoneCount> pads;
    std::array<PartForce, tracking::kHandPartCount> parts;
};

/// Returns the part of the hand to which a bone belongs: its finger. Bone 0 and the metacarpals of the
/// fingers belong to the palm.
int part_of_bone(int bone);

/// The force loop's own state; plain values.
struct ForceLoop {
    tracking::PerSide<std::array<PadLoop, kHandBoneCount>> pads;
    tracking::PerSide<std::array<Eigen::Vector3d, kHandBoneCount>> from_m, at_m;
    tracking::PerSide<std::array<bool, kHandBoneCount>> follows{};
    std::uint64_t number = 0;
    std::int64_t since_ns = 0;  ///< when the frame in use was first seen
    bool arrived = false;       ///< the pads have reached that frame
};

/// Moves the pads to `now_ns` and renders the forces of both hands. Pads move to the newest frame within one tracking
/// period: one period late, never extrapolated, without steps. A frame older than `stale_ns` fades to zero force.
tracking::PerSide<HandForces> render(ForceLoop& loop, const HapticFrame& frame, std::int64_t now_ns, double dt_s,
                                     const ForceSettings& settings, std::int64_t stale_ns = 60'000'000);

}  // namespace glovebox::scenes
