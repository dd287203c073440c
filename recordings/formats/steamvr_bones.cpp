#include "recordings/formats/steamvr_bones.h"

#include <algorithm>
#include <cmath>

#include "recordings/formats/joint_lists.h"
#include "tracking/hand_geometry.h"

namespace glovebox::recordings {
namespace {

using Eigen::Vector3f;
using Eigen::Vector4f;
using tracking::HandFrame;

constexpr std::size_t kRoot = 0, kWrist = 1, kFirstAuxiliary = 26;

bool is_unit(const Vector4f& v) {
    return std::abs(v.norm() - 1.0F) < 1e-2F;
}

std::size_t parent_of_bone(std::size_t bone) {
    if (bone == kWrist) return kRoot;
    const bool begins_finger = bone == 2 || (bone > 5 && bone % 5 == 1);
    return begins_finger ? kWrist : bone - 1;
}

Eigen::Quaternionf quaternion_of(const Vector4f& v, BoneSpace space) {
    return space == BoneSpace::parent_w_last ? Eigen::Quaternionf(v[3], v[0], v[1], v[2])
                                             : Eigen::Quaternionf(v[0], v[1], v[2], v[3]);
}

// The root and the tips do not turn, so their quaternions show which of the numbers is w.
BoneSpace order_of_quaternions(const std::vector<SteamVrHand>& hands) {
    float first = 0.0F, last = 0.0F;
    for (const SteamVrHand& hand : hands)
        for (const std::size_t bone : {0U, 5U, 10U, 15U, 20U, 25U}) {
            first += std::abs(hand.rotations[bone][0]);
            last += std::abs(hand.rotations[bone][3]);
        }
    return first >= last ? BoneSpace::parent : BoneSpace::parent_w_last;
}

}  // namespace

bool SteamVrHand::is_seen() const {
    return std::any_of(positions.begin() + kWrist, positions.end(),
                       [this](const Vector3f& p) { return p.allFinite() && p != positions[kWrist]; });
}

bool SteamVrHand::is_at_root() const {
    return positions[kRoot].isZero();
}

SteamVrHand steamvr_hand(std::span<const float> numbers) {
    SteamVrHand hand;
    const std::size_t of_bone = numbers.size() / kSteamVrBones;
    hand.has_rotations = of_bone >= 7;
    // A quaternion comes first if all bones begin with one, and do not end with one.
    const auto four = [&](std::size_t bone, std::size_t at) {
        return Vector4f(Eigen::Map<const Vector4f>(numbers.data() + bone * of_bone + at));
    };
    bool begins = hand.has_rotations, ends = hand.has_rotations;
    for (std::size_t bone = 0; bone < kSteamVrBones && hand.has_rotations; ++bone) {
        begins = begins && is_unit(four(bone, 0));
        ends = ends && is_unit(four(bone, of_bone - 4));
    }
    const bool rotation_first = begins && !ends;
    for (std::size_t bone = 0; bone < kSteamVrBones; ++bone) {
        const float* position = numbers.data() + bone * of_bone + (rotation_first ? 4 : 0);
        hand.positions[bone] = Eigen::Map<const Vector3f>(position);
        if (hand.has_rotations) hand.rotations[bone] = four(bone, rotation_first ? 0 : of_bone - 4);
    }
    return hand;
}

BoneSpace find_bone_space(const Input& in, const std::vector<SteamVrHand>& hands, Assembly& out) {
    std::size_t seen = 0, relative = 0;
    bool has_rotations = true;
    for (const SteamVrHand& hand : hands) {
        if (!hand.is_seen()) continue;
        ++seen;
        relative += tracking::has_relative_positions(joints_of_bones(hand, BoneSpace::model)) ? 1 : 0;
        has_rotations = has_rotations && hand.has_rotations;
    }
    if (2 * relative <= seen) {
        if (seen > 0) out.note("The 31 points of a hand were taken as SteamVR's bones in model space.");
        return BoneSpace::model;
    }
    if (!has_rotations)
        in.fail_at(
            0,
            "the 31 positions of a hand are those of SteamVR's bones relative to the bone before, which does not "
            "place them without rotations; record the bones in model space (VRSkeletalTransformSpace_Model), or "
            "with their quaternions");
    const BoneSpace space = order_of_quaternions(hands);
    out.note(std::string("The 31 points of a hand were taken as SteamVR's bones in parent space, with w as the ") +
             (space == BoneSpace::parent ? "first" : "last") + " number of a quaternion.");
    return space;
}

HandFrame joints_of_bones(const SteamVrHand& bones, BoneSpace space) {
    HandFrame hand;
    if (!bones.is_seen()) return hand;
    const JointList& list = *joint_list_of(kSteamVrBones);
    std::array<Eigen::Isometry3f, kFirstAuxiliary> root_from_bone;
    for (std::size_t bone = 0; bone < kFirstAuxiliary; ++bone) {
        Eigen::Isometry3f& pose = root_from_bone[bone];
        pose = Eigen::Translation3f(bones.positions[bone]);
        if (space != BoneSpace::model) {
            const Vector4f& rotation = bones.rotations[bone];
            if (is_unit(rotation))
                pose.rotate(quaternion_of(rotation, space).normalized());
            else
                pose.translation().setConstant(std::nanf(""));
            if (bone != kRoot) pose = root_from_bone[parent_of_bone(bone)] * pose;
        }
        if (list.joints[bone] < 0 || !pose.translation().allFinite()) continue;
        tracking::JointPose& joint = hand.joints[static_cast<std::size_t>(list.joints[bone])];
        joint.position_m = pose.translation();
        joint.flags = tracking::joint_flags::kPositionValid | tracking::joint_flags::kPositionTracked;
        hand.active = true;
    }
    return hand;
}

}  // namespace glovebox::recordings
