// The door: nothing that a tracker gets wrong goes further than this.
//
// Each frame is looked at once. Non-finite, non-unit, frozen, teleporting and lost hands are quarantined: counted by
// cause, and replaced by the last good pose (tagged `held`) for at most `hold_ns`, then by an inactive hand. Never by
// zeros. A teleport is let through once it has lasted; the first frame after it is marked so that no sweep crosses it.
//
// What counts as which: `lost` is a hand that is not active, has no valid joint, or has all its joints at one point
// (the zero pose that some runtimes give out). `frozen` does not apply to Source::glove: a glove's sensors are coarse
// and stand still to the last bit while the hand rests. A position farther than 100 km from the origin is `non_finite`,
// and so is the radius of a joint with a valid position that is below 0 or above kLargestRadius_m. Of other joints such
// a radius says nothing: it is given out as 0, "not known".
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "tracking/hand_frame.h"

namespace glovebox::tracking {

enum class Quarantine : std::uint8_t { non_finite, non_unit, frozen, teleport, lost, out_of_order };
inline constexpr int kQuarantineCount = 6;
std::string_view name_of(Quarantine cause);

struct GuardSettings {
    std::int64_t hold_ns = 100'000'000;    ///< longest time that a bad hand is bridged with the last good pose
    std::int64_t frozen_ns = 100'000'000;  ///< bit-identical for longer than this while "tracked" is frozen
    float max_speed_m_s = 10.0F;  ///< wrist faster than this between samples is a teleport; a thrown punch is 10
    float max_jump_m = 0.10F;     ///< ... and only if it also moved this far, so that jitter at high rates passes
    std::int64_t settle_ns = 50'000'000;  ///< a hand that has stayed where it jumped to for this long is believed
    float unit_tolerance = 0.01F;         ///< | |q| - 1 | beyond this is broken; below it is renormalised
};

struct GuardReport {
    std::array<bool, kQuarantineCount> raised{};  ///< causes that applied to this frame
    bool held = false;                            ///< the frame given out is an older one
    bool discontinuous = false;                   ///< no motion may be inferred between the frame before and this one
};

/// State of one hand's door. One per hand; plain values, copyable.
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

    /// Returns the frame to use instead of `raw`. Constant cost, no allocation, never throws.
    GuardReport pass(const HandFrame& raw, HandFrame& out);
};

}  // namespace glovebox::tracking
