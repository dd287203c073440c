// A recorded hand at any time: what a sample says at its own, and what lies between two samples elsewhere.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "tracking/hand_frame.h"

namespace glovebox::recordings {

/// Further apart than this two samples say nothing of the time between them, and a hand is held no longer.
inline constexpr std::int64_t kMaxHold_ns = 100'000'000;

/// How a hand moves at that time, by the two samples round it.
struct JointMotion {
    Eigen::Vector3f linear_m_s = Eigen::Vector3f::Zero(), angular_rad_s = Eigen::Vector3f::Zero();
};
struct HandMotion {
    std::array<JointMotion, tracking::kJointCount> joints;
    bool known = false;  ///< false: there are no two samples, and `joints` must not be read
};

/// Returns the hand at `time_ns` on the recording's clock. `samples` are in the order of time.
/// At a sample's own time it is that sample to the bit. Between two samples that both have the hand, positions and
/// radii are interpolated linearly and orientations by slerp; a joint has the flags that it has in both. If the later
/// sample has lost the hand, or there is none, or it is further away than kMaxHold_ns, the earlier one is held for
/// kMaxHold_ns. Otherwise the hand is not active. Before the first sample the first is held likewise.
/// O(log n), no allocation.
tracking::HandFrame hand_at(std::span<const tracking::HandPair> samples, tracking::Side side, std::int64_t time_ns,
                            HandMotion* motion = nullptr);

}  // namespace glovebox::recordings
