#include "scenes/grab_pose.h"

#include <algorithm>

namespace glovebox::scenes {
namespace {

constexpr float kRadianAs_m = 0.1F;

Eigen::Isometry3f pose_between(const Eigen::Isometry3f& start, const Eigen::Isometry3f& end, float share) {
    const Eigen::Quaternionf turn(start.linear()), turn_end(end.linear());
    Eigen::Isometry3f pose = Eigen::Isometry3f::Identity();
    pose.linear() = turn.slerp(share, turn_end).normalized().toRotationMatrix();
    pose.translation() = (1.0F - share) * start.translation() + share * end.translation();
    return pose;
}

}  // namespace

std::optional<Eigen::Isometry3f> find_grab_pose(const SceneObject& object, tracking::Side side,
                                                const Eigen::Isometry3f& palm_from_object, float limit_m,
                                                float limit_rad) {
    std::optional<Eigen::Isometry3f> best;
    float best_m = 0.0F;
    const Eigen::Isometry3f object_from_palm = palm_from_object.inverse(Eigen::Isometry);
    for (const GrabPose& pose : object.grab_poses) {
        if (pose.side != side) continue;
        const Eigen::Isometry3f& stored = pose.object_from_palm;
        const float apart_m = (stored.translation() - object_from_palm.translation()).norm();
        const float apart_rad =
            Eigen::Quaternionf(stored.linear()).angularDistance(Eigen::Quaternionf(object_from_palm.linear()));
        if (!(apart_m <= limit_m) || !(apart_rad <= limit_rad)) continue;
        const float sum_m = apart_m + kRadianAs_m * apart_rad;
        if (best && sum_m >= best_m) continue;
        best = stored.inverse(Eigen::Isometry);
        best_m = sum_m;
    }
    return best;
}

void begin_motion(HoldState& hold, const Eigen::Isometry3f& palm_from_end, std::int64_t duration_ns) {
    hold.motion = {duration_ns, hold.palm_from_object, palm_from_end};
}

void follow_motion(HoldState& hold, std::int64_t time_ns) {
    HoldMotion& motion = hold.motion;
    if (motion.duration_ns <= 0) return;
    const double done = static_cast<double>(time_ns - hold.since_ns) / static_cast<double>(motion.duration_ns);
    const auto t = static_cast<float>(std::clamp(done, 0.0, 1.0));
    hold.palm_from_object = pose_between(motion.palm_from_start, motion.palm_from_end, t * t * (3.0F - 2.0F * t));
    if (t >= 1.0F) motion.duration_ns = 0;
}

}  // namespace glovebox::scenes
