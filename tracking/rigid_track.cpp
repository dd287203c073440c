#include "tracking/rigid_track.h"

#include <algorithm>

namespace glovebox::tracking {

Eigen::Isometry3f RigidTrack::at(std::int64_t at_ns) const {
    if (time_ns.empty()) return Eigen::Isometry3f::Identity();
    const auto after = std::upper_bound(time_ns.begin(), time_ns.end(), at_ns);
    if (after == time_ns.begin()) return world_from_object.front();
    if (after == time_ns.end()) return world_from_object.back();

    const auto i = static_cast<std::size_t>(after - time_ns.begin());
    if (at_ns == time_ns[i - 1]) return world_from_object[i - 1];
    const float t = static_cast<float>(at_ns - time_ns[i - 1]) / static_cast<float>(time_ns[i] - time_ns[i - 1]);
    const Eigen::Isometry3f& pose_t0 = world_from_object[i - 1];
    const Eigen::Isometry3f& pose_t1 = world_from_object[i];
    Eigen::Isometry3f pose = Eigen::Isometry3f::Identity();
    pose.linear() = Eigen::Quaternionf(pose_t0.linear()).slerp(t, Eigen::Quaternionf(pose_t1.linear())).matrix();
    pose.translation() = (1.0F - t) * pose_t0.translation() + t * pose_t1.translation();
    return pose;
}

}  // namespace glovebox::tracking
