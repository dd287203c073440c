// Computes a recorded hand at any time by interpolation between samples.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "tracking/hand_frame.h"

namespace glovebox::recordings {

/// Longest interval between two samples in which hands are interpolated, and the longest time for which a hand is held.
inline constexpr std::int64_t kMaxHold_ns = 100'000'000;

/// Velocities of a hand at the requested time. They come from the samples before and after that time or, while the hand
/// is held, from the last two samples before it.
struct JointMotion {
    Eigen::Vector3f linear_m_s = Eigen::Vector3f::Zero(), angular_rad_s = Eigen::Vector3f::Zero();
};
struct HandMotion {
    std::array<JointMotion, tracking::kJointCount> joints;
    bool known = false;  ///< false: there are no two such samples, and `joints` must not be read
};

/// Returns the hand at `time_ns` on the recording's clock. `samples` must be in the order of time. At the time of a
/// sample, the result is that sample, bit for bit. Between two samples that both have the hand, positions and radii are
/// interpolated linearly and orientations by slerp; a joint has the flags that it has in both. Otherwise the earlier
/// sample is held for kMaxHold_ns; after that the hand is not active. This is so if there is no later sample, if the
/// hand is lost in it, or if the two are more than kMaxHold_ns apart. Before its time, the first sample is held in the
/// same way. Takes O(log n) for n samples; no allocation.
tracking::HandFrame hand_at(std::span<const tracking::HandPair> samples, tracking::Side side, std::int64_t time_ns,
                            HandMotion* motion = nullptr);

}  // namespace glovebox::recordings
