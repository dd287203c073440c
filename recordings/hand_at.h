// A recorded hand at any time, interpolated between samples.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "tracking/hand_frame.h"

namespace glovebox::recordings {

/// Longest interval between two samples that is interpolated, and the longest time that a hand is held.
inline constexpr std::int64_t kMaxHold_ns = 100'000'000;

/// Velocities of a hand at that time, from the samples before and after it.
struct JointMotion {
    Eigen::Vector3f linear_m_s = Eigen::Vector3f::Zero(), angular_rad_s = Eigen::Vector3f::Zero();
};
struct HandMotion {
    std::array<JointMotion, tracking::kJointCount> joints;
    bool known = false;  ///< false: two such samples are missing, and `joints` must not be read
};

/// Returns the hand at `time_ns` on the recording's clock. `samples` are in the order of time.
/// At the time of a sample, the result is that sample, bit for bit. Between two samples that both have the hand,
/// positions and radii are interpolated linearly and orientations by slerp; a joint has the flags that it has in both.
/// If the later sample is missing, has lost the hand, or is further away than kMaxHold_ns, the earlier one is held for
/// kMaxHold_ns. After that the hand is not active. Before the first sample, the first is held in the same way.
/// O(log n), no allocation.
tracking::HandFrame hand_at(std::span<const tracking::HandPair> samples, tracking::Side side, std::int64_t time_ns,
                            HandMotion* motion = nullptr);

}  // namespace glovebox::recordings
