// What passes between the frame loop, which sees the scene, and the force loop, which only feels what is near.
//
// Plain values of fixed size, so that they can be handed over without locks and without memory being asked for.
#pragma once

#include <array>
#include <cstdint>

#include "scenes/force/pad.h"
#include "scenes/hand_body.h"
#include "tracking/hand_parts.h"

namespace glovebox::scenes {

/// When a frame passed each station; monotonic clock of the process. 0: not passed.
struct FrameStamps {
    std::int64_t sample_ns = 0;                            ///< when the hand was there
    std::int64_t arrival_ns = 0;                           ///< when the sample reached us
    std::int64_t refit_ns = 0, test_ns = 0, exact_ns = 0;  ///< when that stage was done
};

struct HandSurfaces {
    bool present = false;
    std::array<PadSurfaces, kHandBoneCount> pads;  ///< by bone
    /// By finger: the share of its range of motion beyond the curl at which it touches (curl_limit.h); 0: it closes
    /// free.
    std::array<float, tracking::kFingerCount> closed_off{};
};

/// One frame for the force loop.
struct HapticFrame {
    FrameStamps stamps;
    std::int64_t sample_ns = 0;  ///< when the hands were there, on the clock of the force loop's ticks
    std::int64_t period_ns = 0;  ///< since the frame before; the force loop goes from there to here in this time
    std::uint64_t number = 0;    ///< counts up; 0: nothing was handed over yet
    tracking::PerSide<HandSurfaces> hands;
};

/// What a device can be told of one finger or of the palm: all of its pads together.
struct PartForce {
    Eigen::Vector3d force_n = Eigen::Vector3d::Zero();  ///< their sum
    double vibration_n = 0.0;                           ///< the strongest of them, with its sign
};

/// One tick of the force loop for one hand.
struct HandForces {
    std::array<PadForce, kHandBoneCount> pads;
    std::array<PartForce, tracking::kHandPartCount> parts;
};

/// Which part of the hand feels what touches a bone: its finger, or the palm for the palm's block and the metacarpals
/// of the four fingers in it.
int part_of_bone(int bone);

/// The force loop's own state; plain values.
struct ForceLoop {
    tracking::PerSide<std::array<PadLoop, kHandBoneCount>> pads;
    tracking::PerSide<std::array<Eigen::Vector3d, kHandBoneCount>> from_m, at_m;
    tracking::PerSide<std::array<bool, kHandBoneCount>> follows{};
    std::uint64_t number = 0;
    std::int64_t since_ns = 0;  ///< when the frame in use was first seen
    bool arrived = false;       ///< the pads are where that frame has them
};

/// Moves the pads on to `now_ns` and renders the forces of both hands. Pads go from where they are to where the newest
/// frame has them within one tracking period: one period late, never extrapolated, and without steps. A frame older
/// than `stale_ns` fades to zero force and stays there.
tracking::PerSide<HandForces> render(ForceLoop& loop, const HapticFrame& frame, std::int64_t now_ns, double dt_s,
                                     const ForceSettings& settings, std::int64_t stale_ns = 60'000'000);

}  // namespace glovebox::scenes
