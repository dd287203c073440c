// The guard: checks every frame of a tracker and quarantines bad hands.
//
// Bad hands (not finite, not unit, frozen, teleporting or lost) are counted by cause. The last good pose, with source
// `held`, replaces a bad hand for at most `hold_ns`. After that, an inactive hand replaces it; a hand is never set to
// zeros. A teleport is accepted once the hand has stayed at its new place for `settle_ns`. The first accepted frame is
// marked discontinuous, so that no object is swept along the jump.
//
// - `lost`: the hand is not active, has no valid joint, or has all joints at one point (the zero pose of some
//   runtimes).
// - `frozen`: the hand is bit-identical for too long. Gloves (Source::glove) are exempt, because their coarse sensors
//   do not change while the hand rests.
// - `non_finite`: a number is not finite, a position is farther than 100 km from the origin, or a radius is below 0 or
//   above kLargestRadius_m. If the joint of such a radius has no valid position, the radius is only set to 0 (not
//   known).
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "tracking/hand_frame.h"

namespace glovebox::tracking {

/// The causes for which a hand is quarantined.
enum class Quarantine : std::uint8_t { non_finite, non_unit, frozen, teleport, lost, out_of_order };
inline constexpr int kQuarantineCount = 6;
std::string_view name_of(Quarantine cause);

/// Thresholds of the guard.
struct GuardSettings {
    std::int64_t hold_ns = 100'000'000;    ///< longest time for which the last good pose replaces a bad hand
    std::int64_t frozen_ns = 100'000'000;  ///< a tracked hand is frozen if bit-identical for longer than this
    /// A wrist has teleported if it moves faster than this and also jumps by more than max_jump_m. A punch reaches 10
    /// m/s.
    float max_speed_m_s = 10.0F;
    float max_jump_m = 0.10F;  ///< smaller jumps pass, such as jitter at a high rate
    /// A hand that stays at the place it jumped to for this long is accepted.
    std::int64_t settle_ns = 50'000'000;
    float unit_tolerance = 0.01F;  ///< limit of | |q| - 1 |; a smaller error is renormalised
};

/// The findings of the guard in one frame.
struct GuardReport {
    std::array<bool, kQuarantineCount> raised{};  ///< causes that apply to this frame
    bool held = false;                            ///< the frame in `out` is an older one
    bool discontinuous = false;                   ///< no motion may be inferred between the frame before and this one
};

/// The guard of one hand: settings, state and counts. Plain values, copyable.
struct Guard {
    GuardSettings settings;
    HandFrame last_good;
    HandFrame last_raw;
    std::int64_t unchanged_since_ns = 0;
    std::int64_t settled_since_ns = 0;  ///< no jump between raw frames since then
    bool broken = true;                 ///< the next good frame does not continue the one before
    bool has_last_good = false;
    bool has_last_raw = false;
    std::array<std::uint64_t, kQuarantineCount> counts{};

    /// Writes the frame to use in place of `raw` to `out`. Constant cost, no allocation, never throws.
    GuardReport pass(const HandFrame& raw, HandFrame& out);
};

}  // namespace glovebox::tracking
