// The motion of one rigid object over time, such as a tracked object or a wrist tracker.
#pragma once

#include <Eigen/Geometry>
#include <cstdint>
#include <string>
#include <vector>

namespace glovebox::tracking {

struct RigidTrack {
    std::string name;
    std::vector<std::int64_t> time_ns;                 ///< increasing, starts at 0
    std::vector<Eigen::Isometry3f> world_from_object;  ///< one per time

    /// Returns the pose at a time, interpolated between samples (slerp) and held constant beyond both ends. At the time
    /// of a sample, returns that sample unchanged. Returns the identity if the track is empty. Takes O(log n) for n
    /// samples.
    Eigen::Isometry3f at(std::int64_t at_ns) const;
};

}  // namespace glovebox::tracking
