#include "scenes/curl_limit.h"

#include <algorithm>
#include <cmath>

#include "collision/mesh/advance.h"
#include "collision/mesh/mesh_tree.h"
#include "collision/query/bone.h"
#include "scenes/hand_body.h"
#include "tracking/forward_kinematics.h"

namespace glovebox::scenes {
namespace {

using Eigen::Vector3f;
using tracking::Joint;

constexpr std::size_t kPhalanges = 3;
using Angles = std::array<float, kPhalanges>;
// A safety limit; only a bone that moves along a surface just beyond the gap would need as many.
constexpr int kMaxQueries = 400;

Joint joint_of(std::size_t finger, std::size_t k) {
    const std::size_t first = finger == 0 ? static_cast<std::size_t>(Joint::thumb_metacarpal)
                                          : static_cast<std::size_t>(Joint::index_proximal) + 5 * (finger - 1);
    return static_cast<Joint>(first + k);
}

int bone_of(std::size_t finger, std::size_t k) {
    return static_cast<int>(4 * finger + 1 + k);
}

Angles angles_of(const tracking::HandAngles& hand, std::size_t finger) {
    if (finger == 0) return {hand.thumb.cmc_flex, hand.thumb.mcp_flex, hand.thumb.ip_flex};
    const tracking::FingerAngles& angles = hand.fingers[finger - 1];
    return {angles.mcp_flex, angles.pip_flex, angles.dip_flex};
}

// Both ends of a phalanx.
template <typename Item>
using Ends = std::array<Item, 2>;

// The finger at a fraction ("share") of its closing motion.
struct Pose {
    std::array<Vector3f, kPhalanges> joint_m;
    std::array<Ends<Vector3f>, kPhalanges> end_m, speed_m;  // of each phalanx; speed: metres per unit of share
};

// One finger in this frame, and the turn of each of its joints during the motion.
class Finger {
  public:
    std::array<Vector3f, kPhalanges> joint_m;
    std::array<Vector3f, kPhalanges> axis;         // flexion is a negative turn about it
    std::array<Ends<Vector3f>, kPhalanges> end_m;  // of each phalanx, which turns with its joint and all before it
    std::array<Ends<float>, kPhalanges> radius_m;

    void turn(const Angles& turn_rad) {
        turn_rad_ = turn_rad;
        for (std::size_t k = 0; k < kPhalanges; ++k)
            for (std::size_t end = 0; end < 2; ++end) {
                float &max_m = max_m_[k][end] = 0.0F, &change_m = change_m_[k][end] = 0.0F, spin_before = 0.0F;
                for (std::size_t i = 0; i <= k; ++i) {
                    // A spin's axis turns with the spins before it, and its lever with all spins that move either end.
                    const float spin = std::abs(turn_rad[i]);
                    change_m += spin * 2.0F * spin_before * lever_m(i, k, end);
                    for (std::size_t j = i; j <= k; ++j) change_m += spin * std::abs(turn_rad[j]) * lever_m(j, k, end);
                    max_m += spin * lever_m(i, k, end);
                    spin_before += spin;
                }
            }
    }
    Pose at(float share) const {
        Pose pose;
        std::array<Vector3f, kPhalanges> spin;
        Eigen::Matrix3f turned = Eigen::Matrix3f::Identity();
        for (std::size_t i = 0; i < kPhalanges; ++i) {
            pose.joint_m[i] = i == 0 ? joint_m[0] : pose.joint_m[i - 1] + turned * (joint_m[i] - joint_m[i - 1]);
            spin[i] = -turn_rad_[i] * (turned * axis[i]);
            turned = turned * Eigen::AngleAxisf(-share * turn_rad_[i], axis[i]).toRotationMatrix();
            for (std::size_t end = 0; end < 2; ++end) {
                const Vector3f at_m = pose.joint_m[i] + turned * (end_m[i][end] - joint_m[i]);
                pose.end_m[i][end] = at_m;
                pose.speed_m[i][end].setZero();
                for (std::size_t j = 0; j <= i; ++j) pose.speed_m[i][end] += spin[j].cross(at_m - pose.joint_m[j]);
            }
        }
        return pose;
    }
    // Returns the finger at the end of its motion.
    Finger at_end() const {
        Finger end = *this;
        const Pose pose = at(1.0F);
        end.joint_m = pose.joint_m;
        end.end_m = pose.end_m;
        Eigen::Matrix3f turned = Eigen::Matrix3f::Identity();
        for (std::size_t i = 0; i < kPhalanges; ++i) {
            end.axis[i] = turned * axis[i];
            turned = turned * Eigen::AngleAxisf(-turn_rad_[i], axis[i]).toRotationMatrix();
        }
        return end;
    }
    // The phalanx at this pose. Its points move like its ends, or in between.
    collision::RoundCone phalanx(const Pose& pose, std::size_t k) const {
        return {pose.end_m[k][0], pose.end_m[k][1], radius_m[k][0], radius_m[k][1]};
    }
    collision::MovingCone moving_phalanx(const Pose& pose, std::size_t k) const {
        return {phalanx(pose, k), pose.speed_m[k][0], pose.speed_m[k][1], change_m_[k][0], change_m_[k][1]};
    }
    // Returns an upper bound of the displacement of any point of the phalanx during the next `share` of the motion.
    float furthest_m(const Pose& pose, std::size_t k, float share) const {
        const auto of_end = [&](std::size_t end) {
            return share * std::min(max_m_[k][end], pose.speed_m[k][end].norm() + 0.5F * share * change_m_[k][end]);
        };
        return std::max(of_end(0), of_end(1));
    }
    // Returns a box that contains the whole motion: the phalanges at some poses, padded by their motion around each.
    Eigen::AlignedBox3f way() const {
        constexpr int kPoses = 5;
        constexpr float kRound = 0.5F / (kPoses - 1);
        Eigen::AlignedBox3f box;
        for (int i = 0; i < kPoses; ++i) {
            const Pose pose = at(2.0F * kRound * static_cast<float>(i));
            for (std::size_t k = 0; k < kPhalanges; ++k)
                for (std::size_t end = 0; end < 2; ++end) {
                    const float margin_m = kRound * (pose.speed_m[k][end].norm() + 0.5F * kRound * change_m_[k][end]);
                    const Vector3f reach_m = Vector3f::Constant(radius_m[k][end] + margin_m);
                    box.extend(pose.end_m[k][end] - reach_m);
                    box.extend(pose.end_m[k][end] + reach_m);
                }
        }
        return box;
    }
    // Returns an upper bound of the distance of any point of the finger from its first joint, at any bend.
    float reach_m() const {
        float reach_m = 0.0F;
        for (std::size_t k = 0; k < kPhalanges; ++k)
            for (std::size_t end = 0; end < 2; ++end)
                reach_m = std::max(reach_m, lever_m(0, k, end) + radius_m[k][end]);
        return reach_m;
    }

  private:
    // Returns an upper bound of the distance of a phalanx's end from a joint before it, at any bend.
    float lever_m(std::size_t joint, std::size_t k, std::size_t end) const {
        float lever_m = (end_m[k][end] - joint_m[k]).norm();
        for (std::size_t i = joint; i < k; ++i) lever_m += (joint_m[i + 1] - joint_m[i]).norm();
        return lever_m;
    }

    Angles turn_rad_{};
    std::array<Ends<float>, kPhalanges> max_m_{}, change_m_{};  // of each end
};

bool find_finger(const tracking::HandFrame& hand, const std::optional<tracking::HandShape>& shape, std::size_t number,
                 Finger& finger) {
    Vector3f sum = Vector3f::Zero();
    for (std::size_t k = 0; k < kPhalanges; ++k) {
        const tracking::JointPose &joint = hand[joint_of(number, k)], &next = hand[joint_of(number, k + 1)];
        if (!joint.position_valid() || !joint.orientation_valid() || !next.position_valid()) return false;
        finger.joint_m[k] = joint.position_m;
        finger.axis[k] = joint.orientation * Vector3f::UnitX();
        finger.end_m[k] = {joint.position_m, next.position_m};
        finger.radius_m[k] = {joint.radius_m, next.radius_m};
        if (shape) {
            const collision::RoundCone cone = cone_of(*shape, hand, bone_of(number, k));
            finger.end_m[k] = {cone.a_m, cone.b_m};
            finger.radius_m[k] = {cone.radius_a_m, cone.radius_b_m};
        }
        sum += joint.position_m + next.position_m;
    }
    return sum.allFinite();
}

bool near(const collision::Obb& box, const Vector3f& point_m, float reach_m) {
    const Vector3f beside = (box.axes.transpose() * (point_m - box.center_m)).cwiseAbs() - box.half_m;
    return beside.cwiseMax(0.0F).squaredNorm() <= reach_m * reach_m;
}

// Distances between parts of the finger and the objects around it.
class Gaps {
  public:
    Gaps(const Finger& finger, std::span<const collision::Collider> objects, std::uint32_t body_mask,
         collision::CollideCounts& counts)
        : finger_(finger), objects_(objects), mask_(body_mask), reach_m_(finger.reach_m()), counts_(counts) {}

    std::int32_t object_count() const { return static_cast<std::int32_t>(objects_.size()); }
    bool is_mesh(std::int32_t number) const { return mesh_of(number) != nullptr; }
    bool may_touch(std::int32_t number, const Eigen::AlignedBox3f& way) const {
        const collision::Collider& object = of(number);
        if ((object.mask & mask_) == 0 || !near(object.box, finger_.joint_m[0], reach_m_)) return false;
        const Vector3f half_m = object.box.axes.cwiseAbs() * object.box.half_m;
        const Vector3f apart_m = (object.box.center_m - way.center()).cwiseAbs() - half_m - 0.5F * way.sizes();
        return !(apart_m.maxCoeff() > kCurlGap_m);
    }
    // Returns a share of the motion, at most `until`, in which the phalanx does not touch the object; 0 if it touches
    // now. The inside of a mesh counts as free, like its outside.
    float free_share(std::size_t k, const Pose& pose, std::int32_t number, float until) {
        collision::MovingCone bone = finger_.moving_phalanx(pose, k);
        const float furthest_m = finger_.furthest_m(pose, k, until) + kCurlGap_m;
        if (!is_near(bone.now, number, furthest_m)) return until;
        if (const auto* const mesh = mesh_of(number)) {
            const Eigen::Isometry3f mesh_from_world = mesh->world_from_mesh.inverse(Eigen::Isometry);
            bone.now.a_m = mesh_from_world * bone.now.a_m;
            bone.now.b_m = mesh_from_world * bone.now.b_m;
            bone.speed_a_m = mesh_from_world.linear() * bone.speed_a_m;
            bone.speed_b_m = mesh_from_world.linear() * bone.speed_b_m;
            collision::MeshTreeCounts tree;
            const float share = collision::free_time(mesh->tree->tree(), bone, kCurlGap_m, until, tree);
            add(tree);
            return share;
        }
        collision::Contact contact;
        if (!collision::closest(bone.now, of(number).shape, furthest_m, contact, counts_)) return until;
        if (contact.distance_m <= kCurlGap_m) return 0.0F;
        // A convex object lies behind its tangent plane.
        const auto share_of = [&](const Vector3f& end_m, float radius_m, const Vector3f& speed_m, float change_m) {
            const float left_m = contact.normal.dot(contact.on_object_m - end_m) - radius_m;
            return collision::time_to_go(left_m - 0.5F * kCurlGap_m, contact.normal.dot(speed_m), change_m);
        };
        return std::min({until, share_of(bone.now.a_m, bone.now.radius_a_m, bone.speed_a_m, bone.change_a_m),
                         share_of(bone.now.b_m, bone.now.radius_b_m, bone.speed_b_m, bone.change_b_m)});
    }
    // Returns true if a phalanx that touches no triangle of a closed mesh is inside it.
    bool is_swallowed(std::size_t k, const Pose& pose, std::int32_t number) {
        const auto* const mesh = mesh_of(number);
        if (mesh == nullptr || !mesh->tree->closed()) return false;
        collision::MeshTreeCounts tree;
        const bool inside =
            mesh->tree->contains(mesh->world_from_mesh.inverse(Eigen::Isometry) * pose.end_m[k][0], tree);
        add(tree);
        return inside;
    }

  private:
    const collision::Collider& of(std::int32_t number) const { return objects_[static_cast<std::size_t>(number)]; }
    const collision::MeshInstance* mesh_of(std::int32_t number) const {
        return std::get_if<collision::MeshInstance>(&of(number).shape);
    }
    bool is_near(const collision::RoundCone& bone, std::int32_t number, float max_m) const {
        const float radius_m = 0.5F * (bone.b_m - bone.a_m).norm() + std::max(bone.radius_a_m, bone.radius_b_m);
        return near(of(number).box, 0.5F * (bone.a_m + bone.b_m), radius_m + max_m);
    }
    void add(const collision::MeshTreeCounts& tree) {
        counts_.n_v_exact += tree.box_tests;
        counts_.n_p += tree.triangle_tests;
    }

    const Finger& finger_;
    std::span<const collision::Collider> objects_;
    std::uint32_t mask_;
    float reach_m_;
    collision::CollideCounts& counts_;
};

struct Stop {
    float share = 1.0F;  // of the motion
    std::int32_t phalanx = -1, object = -1;
};

// Advances a finger that touches nothing to its first touch of the object, if that is before `stop`. Each step queries
// the phalanx that may touch first; initially the last one, because it touches most often.
void close_on(const Finger& finger, const Pose& start, std::int32_t object, Gaps& gaps, Stop& stop) {
    std::array<float, kPhalanges> free_until{};
    std::size_t k = kPhalanges - 1;
    for (int query = 0; query < kMaxQueries; ++query) {
        for (std::size_t i = kPhalanges; i-- > 0;)
            if (free_until[i] < free_until[k]) k = i;
        const float share = free_until[k];
        if (share >= stop.share) return;
        const Pose pose = share == 0.0F ? start : finger.at(share);
        const float free = gaps.free_share(k, pose, object, stop.share - share);
        if (free == 0.0F || (share == 0.0F && gaps.is_swallowed(k, pose, object))) {
            stop = {share, static_cast<std::int32_t>(k), object};
            return;
        }
        free_until[k] = share + free;
    }
    stop = {free_until[k], -1, -1};
}

// Returns the finger's first touch of any object.
Stop close(const Finger& finger, Gaps& gaps) {
    Stop stop;
    const Pose start = finger.at(0.0F);
    const Eigen::AlignedBox3f way = finger.way();
    // Meshes come last: other objects are cheaper, and nothing beyond a found touch is tested.
    for (const bool of_mesh : {false, true})
        for (std::int32_t object = 0; object < gaps.object_count(); ++object)
            if (gaps.is_mesh(object) == of_mesh && gaps.may_touch(object, way))
                close_on(finger, start, object, gaps, stop);
    return stop;
}

CurlLimit limit_of(const tracking::HandFrame& hand, const std::optional<tracking::HandShape>& shape,
                   const tracking::HandAngles& angles, std::size_t number, std::span<const collision::Collider> objects,
                   std::uint32_t body_mask, collision::CollideCounts& counts) {
    CurlLimit limit;
    Finger finger;
    if (!find_finger(hand, shape, number, finger)) return limit;
    const Angles& closed = number == 0 ? tracking::kClosedThumb_rad : tracking::kClosedFinger_rad;
    Angles now = angles_of(angles, number);
    for (std::size_t k = 0; k < kPhalanges; ++k) {
        now[k] = std::clamp(now[k], 0.0F, closed[k]);
        limit.now += now[k] / closed[k] / static_cast<float>(kPhalanges);
    }
    limit.known = true;

    Gaps gaps(finger, objects, body_mask, counts);
    Angles turn_rad;
    for (std::size_t k = 0; k < kPhalanges; ++k) turn_rad[k] = closed[k] - now[k];
    finger.turn(turn_rad);
    Stop stop = close(finger, gaps);
    limit.touch = limit.now + stop.share * (1.0F - limit.now);
    if (stop.phalanx >= 0 && stop.share == 0.0F) {
        // The finger touches already: close it from straight instead.
        for (std::size_t k = 0; k < kPhalanges; ++k) turn_rad[k] = -now[k];
        finger.turn(turn_rad);
        finger = finger.at_end();
        finger.turn(now);
        const Stop before = close(finger, gaps);
        limit.touch = before.share * limit.now;
        if (before.phalanx >= 0) stop = before;
    }
    if (stop.phalanx >= 0) {
        limit.bone = bone_of(number, static_cast<std::size_t>(stop.phalanx));
        limit.object = stop.object;
    }
    return limit;
}

}  // namespace

CurlLimits curl_limits(const tracking::HandFrame& hand, std::span<const collision::Collider> objects,
                       collision::CollideCounts& counts, const std::optional<tracking::HandShape>& shape,
                       std::uint32_t body_mask) {
    CurlLimits limits;
    if (!hand.active) return limits;
    const tracking::HandAngles angles = tracking::angles_of_hand(hand);
    for (std::size_t finger = 0; finger < limits.size(); ++finger)
        limits[finger] = limit_of(hand, shape, angles, finger, objects, body_mask, counts);
    return limits;
}

}  // namespace glovebox::scenes
