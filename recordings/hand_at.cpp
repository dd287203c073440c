#include "recordings/hand_at.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace glovebox::recordings {
namespace {

using tracking::HandFrame;
using tracking::HandPair;
using tracking::JointPose;

bool is_unit(const Eigen::Quaternionf& q) {
    return std::abs(q.squaredNorm() - 1.0F) < 1e-3F;
}

// Returns q or -q, the same rotation, on the same hemisphere as `to`.
Eigen::Quaternionf near(const Eigen::Quaternionf& q, const Eigen::Quaternionf& to) {
    return q.dot(to) < 0.0F ? Eigen::Quaternionf(-q.coeffs()) : q;
}

JointPose between(const JointPose& a, const JointPose& b, float share) {
    JointPose joint = a;
    joint.flags = static_cast<std::uint8_t>(a.flags & b.flags);
    joint.position_m = (1.0F - share) * a.position_m + share * b.position_m;
    joint.radius_m = (1.0F - share) * a.radius_m + share * b.radius_m;
    // Quaternions that are not unit are kept as recorded.
    if (is_unit(a.orientation) && is_unit(b.orientation))
        joint.orientation = a.orientation.slerp(share, near(b.orientation, a.orientation)).normalized();
    return joint;
}

HandMotion motion_from(const HandFrame& a, const HandFrame& b, float dt_s) {
    HandMotion motion;
    motion.known = true;
    for (std::size_t j = 0; j < motion.joints.size(); ++j) {
        const JointPose &from = a.joints[j], &to = b.joints[j];
        motion.joints[j].linear_m_s = (to.position_m - from.position_m) / dt_s;
        if (!is_unit(from.orientation) || !is_unit(to.orientation)) continue;
        const Eigen::AngleAxisf turn(near(to.orientation, from.orientation) * from.orientation.conjugate());
        motion.joints[j].angular_rad_s = turn.axis() * (turn.angle() / dt_s);
    }
    return motion;
}

}  // namespace

HandFrame hand_at(std::span<const HandPair> samples, tracking::Side side, std::int64_t time_ns, HandMotion* motion) {
    if (motion != nullptr) motion->known = false;
    HandFrame lost;
    lost.side = side;
    if (samples.empty()) return lost;
    const auto later = std::ranges::upper_bound(samples, time_ns, {}, &HandPair::time_ns);
    if (later == samples.begin()) {
        HandFrame first = samples.front()[side];
        first.active = first.active && samples.front().time_ns - time_ns <= kMaxHold_ns;
        return first;
    }
    const HandPair& pair_a = *std::prev(later);
    const HandFrame& a = pair_a[side];
    const std::int64_t since_ns = time_ns - pair_a.time_ns;
    const bool has_next =
        later != samples.end() && (*later)[side].active && later->time_ns - pair_a.time_ns <= kMaxHold_ns;
    if (!a.active || (!has_next && since_ns > kMaxHold_ns)) return lost;
    if (motion != nullptr) {
        const bool has_before = std::prev(later) != samples.begin() && (*std::prev(later, 2))[side].active;
        const HandPair* from = has_next ? &pair_a : has_before ? &*std::prev(later, 2) : nullptr;
        const HandPair* to = has_next ? &*later : &pair_a;
        if (from != nullptr && to->time_ns > from->time_ns && to->time_ns - from->time_ns <= kMaxHold_ns)
            *motion = motion_from((*from)[side], (*to)[side], 1e-9F * static_cast<float>(to->time_ns - from->time_ns));
    }
    HandFrame hand = a;
    if (since_ns == 0 || !has_next) return hand;
    const float share =
        static_cast<float>(static_cast<double>(since_ns) / static_cast<double>(later->time_ns - pair_a.time_ns));
    for (std::size_t j = 0; j < hand.joints.size(); ++j)
        hand.joints[j] = between(a.joints[j], (*later)[side].joints[j], share);
    hand.times.common_ns = time_ns;
    return hand;
}

}  // namespace glovebox::recordings
