#include "scenes/curl_limit.h"

#include <algorithm>
#include <limits>

#include "scenes/hand_body.h"
#include "tracking/forward_kinematics.h"

namespace glovebox::scenes {
namespace {

using Eigen::Vector3f;
using tracking::Joint;

constexpr std::size_t kPhalanges = 3;
using Angles = std::array<float, kPhalanges>;
// No finger needs nearly as many: a bone that strokes along a surface just out of the gap would.
constexpr int kMaxQueries = 400;

Joint joint_of(std::size_t finger, std::size_t k) {
    const std::size_t first = finger == 0 ? static_cast<std::size_t>(Joint::thumb_metacarpal)
                                          : static_cast<std::size_t>(Joint::index_proximal) + 5 * (finger - 1);
    return static_cast<Joint>(first + k);
}

Angles angles_of(const tracking::HandAngles& hand, std::size_t finger) {
    if (finger == 0) return {hand.thumb.cmc_flex, hand.thumb.mcp_flex, hand.thumb.ip_flex};
    const tracking::FingerAngles& angles = hand.fingers[finger - 1];
    return {angles.mcp_flex, angles.pip_flex, angles.dip_flex};
}

// One finger in this frame, and how far each of its joints turns on the way to an end.
struct Finger {
    std::array<Vector3f, kPhalanges + 1> joint_m;
    std::array<float, kPhalanges + 1> radius_m;
    std::array<Vector3f, kPhalanges> axis;  // flexion turns about the other way of it
    Angles turn_rad{};

    // The phalanx when `share` of the way has been gone.
    collision::RoundCone phalanx(std::size_t k, float share) const {
        Eigen::Matrix3f turned = Eigen::Matrix3f::Identity();
        Vector3f from_m = joint_m[0], to_m = joint_m[0];
        for (std::size_t i = 0; i <= k; ++i) {
            turned = turned * Eigen::AngleAxisf(-share * turn_rad[i], axis[i]).toRotationMatrix();
            from_m = to_m;
            to_m = from_m + turned * (joint_m[i + 1] - joint_m[i]);
        }
        return {from_m, to_m, radius_m[k], radius_m[k + 1]};
    }
    // No point of the phalanx goes further while the whole way is gone.
    float furthest_m(std::size_t k) const {
        float way_m = 0.0F, lever_m = 0.0F;
        for (std::size_t i = k + 1; i-- > 0;) {
            lever_m += (joint_m[i + 1] - joint_m[i]).norm();
            way_m += std::abs(turn_rad[i]) * lever_m;
        }
        return way_m;
    }
    // No point of the finger is further from its first joint, however it is bent.
    float reach_m() const {
        float reach_m = *std::max_element(radius_m.begin(), radius_m.end());
        for (std::size_t i = 0; i < kPhalanges; ++i) reach_m += (joint_m[i + 1] - joint_m[i]).norm();
        return reach_m;
    }
};

bool find_finger(const tracking::HandFrame& hand, std::size_t number, Finger& finger) {
    for (std::size_t k = 0; k <= kPhalanges; ++k) {
        const tracking::JointPose& joint = hand[joint_of(number, k)];
        if (!joint.position_valid() || (k < kPhalanges && !joint.orientation_valid())) return false;
        finger.joint_m[k] = joint.position_m;
        finger.radius_m[k] = joint.radius_m;
        if (k < kPhalanges) finger.axis[k] = joint.orientation * Vector3f::UnitX();
    }
    const Vector3f sum = finger.joint_m[0] + finger.joint_m[1] + finger.joint_m[2] + finger.joint_m[3];
    return sum.allFinite();
}

bool near(const collision::Obb& box, const Vector3f& point_m, float reach_m) {
    const Vector3f beside = (box.axes.transpose() * (point_m - box.center_m)).cwiseAbs() - box.half_m;
    return beside.cwiseMax(0.0F).squaredNorm() <= reach_m * reach_m;
}

// Asks how far single phalanges are from the objects round the finger.
class Gaps {
  public:
    Gaps(const Finger& finger, std::span<const collision::Collider> objects, std::uint32_t body_mask,
         collision::CollideCounts& counts)
        : finger_(finger), objects_(objects), mask_(body_mask), reach_m_(finger.reach_m()), counts_(counts) {}

    // The least distance of the phalanx, and whose it is; infinite where that is more than `max_m`.
    float of(std::size_t phalanx, float share, float max_m, std::int32_t& object) {
        ++queries;
        const collision::Shape bone = finger_.phalanx(phalanx, share);
        float least_m = std::numeric_limits<float>::infinity();
        for (std::size_t i = 0; i < objects_.size(); ++i) {
            if ((objects_[i].mask & mask_) == 0 || !near(objects_[i].box, finger_.joint_m[0], reach_m_)) continue;
            collision::Contact contact;
            if (!collision::closest(bone, objects_[i].shape, std::min(max_m, least_m), contact, counts_)) continue;
            if (!(contact.distance_m < least_m)) continue;
            least_m = contact.distance_m;
            object = static_cast<std::int32_t>(i);
        }
        return least_m;
    }
    int queries = 0;

  private:
    const Finger& finger_;
    std::span<const collision::Collider> objects_;
    std::uint32_t mask_;
    float reach_m_;
    collision::CollideCounts& counts_;
};

struct Stop {
    float share = 1.0F;  // of the way
    std::int32_t phalanx = -1, object = -1;
};

// From a finger that touches nothing to where it first does. Of the phalanges the one is asked that may touch first.
Stop close(const Finger& finger, std::array<float, kPhalanges> free_until, Gaps& gaps) {
    while (gaps.queries < kMaxQueries) {
        const auto k =
            static_cast<std::size_t>(std::min_element(free_until.begin(), free_until.end()) - free_until.begin());
        const float share = free_until[k];
        if (share >= 1.0F) return {};
        std::int32_t object = -1;
        const float way_m = finger.furthest_m(k);
        const float gap_m = gaps.of(k, share, (1.0F - share) * way_m + kCurlGap_m, object);
        if (gap_m <= kCurlGap_m) return {share, static_cast<std::int32_t>(k), object};
        // Half of the gap that counts as closed is left, so that the last step does not creep.
        free_until[k] = way_m > 0.0F ? share + (gap_m - 0.5F * kCurlGap_m) / way_m : 1.0F;
    }
    return {*std::min_element(free_until.begin(), free_until.end()), -1, -1};
}

// From a finger that is inside something to where it is out: no phalanx comes out before it has gone as far as it is
// deep.
Stop open(const Finger& finger, Gaps& gaps) {
    Stop stop{0.0F, -1, -1};
    while (stop.share < 1.0F) {
        float least = 0.0F;
        for (std::size_t k = 0; k < kPhalanges; ++k) {
            std::int32_t object = -1;
            const float gap_m = gaps.of(k, stop.share, 0.0F, object);
            if (gap_m > 0.0F) continue;
            const float way_m = finger.furthest_m(k);
            least = std::max(least, way_m > 0.0F ? (0.5F * kCurlGap_m - gap_m) / way_m : 1.0F);
            stop.phalanx = static_cast<std::int32_t>(k);
            stop.object = object;
        }
        if (least == 0.0F || gaps.queries > kMaxQueries) return stop;
        stop.share = std::min(1.0F, stop.share + least);
    }
    return stop;
}

CurlLimit limit_of(const tracking::HandFrame& hand, const tracking::HandAngles& angles, std::size_t number,
                   std::span<const collision::Collider> objects, std::uint32_t body_mask,
                   collision::CollideCounts& counts) {
    CurlLimit limit;
    Finger finger;
    if (!find_finger(hand, number, finger)) return limit;
    const Angles& closed = number == 0 ? tracking::kClosedThumb_rad : tracking::kClosedFinger_rad;
    Angles now = angles_of(angles, number);
    for (std::size_t k = 0; k < kPhalanges; ++k) {
        now[k] = std::clamp(now[k], 0.0F, closed[k]);
        limit.now += now[k] / closed[k] / static_cast<float>(kPhalanges);
    }
    limit.known = true;

    Gaps gaps(finger, objects, body_mask, counts);
    for (std::size_t k = 0; k < kPhalanges; ++k) finger.turn_rad[k] = closed[k] - now[k];
    Stop stop = close(finger, {}, gaps);
    limit.touch = limit.now + stop.share * (1.0F - limit.now);
    if (stop.phalanx >= 0 && stop.share == 0.0F) {
        for (std::size_t k = 0; k < kPhalanges; ++k) finger.turn_rad[k] = -now[k];
        const Stop out = open(finger, gaps);
        limit.touch = limit.now * (1.0F - out.share);
        if (out.phalanx >= 0) stop = out;
    }
    if (stop.phalanx >= 0) {
        limit.bone = static_cast<std::int32_t>(4 * number + 1) + stop.phalanx;
        limit.object = stop.object;
    }
    return limit;
}

}  // namespace

CurlLimits curl_limits(const tracking::HandFrame& hand, std::span<const collision::Collider> objects,
                       collision::CollideCounts& counts, std::uint32_t body_mask) {
    CurlLimits limits;
    if (!hand.active) return limits;
    const tracking::HandAngles angles = tracking::angles_of_hand(hand);
    for (std::size_t finger = 0; finger < limits.size(); ++finger)
        limits[finger] = limit_of(hand, angles, finger, objects, body_mask, counts);
    return limits;
}

}  // namespace glovebox::scenes
