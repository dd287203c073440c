#include "scenes/hand_body.h"

#include <array>
#include <bit>

#include "scenes/bone_poses.h"

namespace glovebox::scenes {
namespace {

using tracking::Joint;
using tracking::kJointCount;

struct BoneJoints {
    std::string_view name;
    Joint from, to;
};

// Bone 0, the palm block, spans five joints and is built apart; `from` and `to` say where its long axis lies.
constexpr std::array<BoneJoints, kHandBoneCount> kBones = {{
    {"palm", Joint::wrist, Joint::middle_proximal},
    {"thumb metacarpal", Joint::thumb_metacarpal, Joint::thumb_proximal},
    {"thumb proximal", Joint::thumb_proximal, Joint::thumb_distal},
    {"thumb tip", Joint::thumb_distal, Joint::thumb_tip},
    {"index metacarpal", Joint::index_metacarpal, Joint::index_proximal},
    {"index proximal", Joint::index_proximal, Joint::index_intermediate},
    {"index intermediate", Joint::index_intermediate, Joint::index_distal},
    {"index tip", Joint::index_distal, Joint::index_tip},
    {"middle metacarpal", Joint::middle_metacarpal, Joint::middle_proximal},
    {"middle proximal", Joint::middle_proximal, Joint::middle_intermediate},
    {"middle intermediate", Joint::middle_intermediate, Joint::middle_distal},
    {"middle tip", Joint::middle_distal, Joint::middle_tip},
    {"ring metacarpal", Joint::ring_metacarpal, Joint::ring_proximal},
    {"ring proximal", Joint::ring_proximal, Joint::ring_intermediate},
    {"ring intermediate", Joint::ring_intermediate, Joint::ring_distal},
    {"ring tip", Joint::ring_distal, Joint::ring_tip},
    {"little metacarpal", Joint::little_metacarpal, Joint::little_proximal},
    {"little proximal", Joint::little_proximal, Joint::little_intermediate},
    {"little intermediate", Joint::little_intermediate, Joint::little_distal},
    {"little tip", Joint::little_distal, Joint::little_tip},
}};

int first_bone_of_finger(int finger) {
    return finger == 0 ? 1 : 4 * finger;
}

// What the palm block spans, beside the joints of its long axis.
constexpr std::array kPalmCorners = {Joint::wrist, Joint::index_metacarpal, Joint::little_metacarpal,
                                     Joint::index_proximal, Joint::little_proximal};

// Articulations are the joints themselves, by OpenXR number; kPalmJoint stands for "where the fingers meet".
constexpr std::int32_t joint_number(Joint joint) {
    return static_cast<std::int32_t>(joint);
}

collision::ArticulatedBody make_hand_body() {
    collision::ArticulatedBody body;
    for (const BoneJoints& bone : kBones) body.bone_names.emplace_back(bone.name);
    const auto join = [&body](std::int32_t a, std::int32_t b, Joint joint) {
        body.nodes.push_back({a, b, joint_number(joint)});
        return kHandBoneCount + static_cast<std::int32_t>(body.nodes.size()) - 1;
    };

    // Phalanx chains, tip to base.
    std::array<std::int32_t, tracking::kFingerCount> chain{};
    for (int finger = 1; finger < tracking::kFingerCount; ++finger) {
        const int metacarpal = first_bone_of_finger(finger);
        const auto proximal = static_cast<Joint>(static_cast<int>(kBones[static_cast<std::size_t>(metacarpal)].to));
        const auto intermediate = static_cast<Joint>(static_cast<int>(proximal) + 1);
        const auto distal = static_cast<Joint>(static_cast<int>(proximal) + 2);
        const std::int32_t outer = join(metacarpal + 2, metacarpal + 3, distal);
        chain[static_cast<std::size_t>(finger)] = join(metacarpal + 1, outer, intermediate);
    }
    const std::int32_t thumb_outer = join(2, 3, Joint::thumb_distal);
    const std::int32_t thumb = join(1, thumb_outer, Joint::thumb_proximal);

    // Siblings have no articulation between them: they meet where their parent does.
    const std::int32_t index_middle = join(chain[1], chain[2], Joint::middle_proximal);
    const std::int32_t ring_little = join(chain[3], chain[4], Joint::ring_proximal);
    const std::int32_t fingers = join(index_middle, ring_little, Joint::middle_proximal);
    const std::int32_t metacarpals = join(join(4, 8, Joint::wrist), join(12, 16, Joint::wrist), Joint::wrist);
    const std::int32_t palm = join(0, metacarpals, Joint::wrist);
    const std::int32_t palm_thumb = join(palm, thumb, Joint::thumb_metacarpal);
    join(palm_thumb, fingers, Joint::middle_proximal);

    // What of a hand may touch the rest of it: thumb and phalanges of one finger those of another. The flesh of the
    // palm and of a finger's own neighbours always touches.
    const auto may_touch = [](std::int32_t bone) { return bone > 0 && (bone < 4 ? bone > 1 : bone % 4 != 0); };
    for (std::int32_t a = 1; a < kHandBoneCount; ++a)
        for (std::int32_t b = a + 1; b < kHandBoneCount; ++b)
            if (may_touch(a) && may_touch(b) && finger_of_bone(a) != finger_of_bone(b))
                body.may_collide.emplace_back(a, b);
    return body;
}

// A box frame from a long axis and an up hint: columns are long, side, up.
Eigen::Matrix3f frame_along(const Eigen::Vector3f& along, const Eigen::Vector3f& up_hint) {
    Eigen::Vector3f side = up_hint.cross(along);
    if (side.squaredNorm() < 1e-8F) side = along.unitOrthogonal();
    side.normalize();
    Eigen::Matrix3f frame;
    frame << along, side, along.cross(side);
    return frame;
}

// The slab between the wrist and the knuckles, over the metacarpal joints: as thick as the flesh at the wrist side of
// the metacarpals, which trackers report at about half a palm, so it is taken from the knuckles instead.
collision::RoundedBox palm_block(const tracking::HandFrame& frame) {
    const Eigen::Vector3f& wrist_m = frame[Joint::wrist].position_m;
    const Eigen::Vector3f& middle_m = frame[Joint::middle_proximal].position_m;
    const Eigen::Vector3f up = frame[Joint::wrist].orientation * Eigen::Vector3f::UnitY();
    Eigen::Vector3f along = middle_m - wrist_m;
    if (along.squaredNorm() < 1e-6F) along = frame[Joint::wrist].orientation * -Eigen::Vector3f::UnitZ();
    along.normalize();

    collision::RoundedBox palm;
    palm.core.axes = frame_along(along, up);
    collision::Aabb local;
    for (const Joint joint : kPalmCorners)
        local.include(palm.core.axes.transpose() * (frame[joint].position_m - wrist_m));
    palm.radius_m = 0.9F * frame[Joint::middle_proximal].radius_m;
    // The box spans the bones; the flesh of the palm lies below them (towards -up) by about one radius.
    local.min_m.z() -= palm.radius_m;
    palm.core.center_m = wrist_m + palm.core.axes * (0.5F * (local.min_m + local.max_m));
    palm.core.half_m = 0.5F * (local.max_m - local.min_m);
    return palm;
}

// The bone's shape; false where one of its joints is not valid.
bool pose_bone(const tracking::HandFrame& frame, std::size_t i, collision::Shape& shape) {
    const tracking::JointPose& from = frame[kBones[i].from];
    const tracking::JointPose& to = frame[kBones[i].to];
    if (!frame.active || !from.position_valid() || !to.position_valid()) return false;
    if (i == 0) {
        for (const Joint joint : kPalmCorners)
            if (!frame[joint].position_valid()) return false;
        shape = palm_block(frame);
    } else {
        shape = collision::RoundCone{from.position_m, to.position_m, from.radius_m, to.radius_m};
    }
    return true;
}

}  // namespace

const collision::ArticulatedBody& hand_body() {
    static const collision::ArticulatedBody body = make_hand_body();
    return body;
}

int finger_of_bone(int bone) {
    return bone == 0 ? -1 : bone / 4;
}

void pose_hand(const tracking::HandFrame& frame, collision::BodyPose& pose) {
    pose.shapes.resize(kHandBoneCount);
    pose.leaf_boxes.resize(kHandBoneCount);
    pose.bone_present.resize(kHandBoneCount);
    pose.joints_m.resize(kJointCount);
    for (std::size_t i = 0; i < kJointCount; ++i) pose.joints_m[i] = frame.joints[i].position_m;

    for (std::size_t i = 0; i < kHandBoneCount; ++i) {
        pose.bone_present[i] = pose_bone(frame, i, pose.shapes[i]) ? 1 : 0;
        if (pose.bone_present[i] != 0)
            pose.leaf_boxes[i] =
                collision::bounding_box(pose.shapes[i], frame[kBones[i].from].orientation * Eigen::Vector3f::UnitY());
    }
}

std::uint32_t joints_of(std::uint64_t bones) {
    std::uint32_t joints = 0;
    const auto add = [&joints](Joint joint) { joints |= 1U << static_cast<unsigned>(joint); };
    for (std::size_t i = 0; i < kHandBoneCount; ++i) {
        if ((bones >> i & 1U) == 0) continue;
        add(kBones[i].from);
        add(kBones[i].to);
        if (i == 0)
            for (const Joint joint : kPalmCorners) add(joint);
    }
    return joints;
}

void pose_bones(const tracking::HandFrame& frame, std::uint64_t bones, collision::BodyPose& pose) {
    pose.shapes.resize(kHandBoneCount);
    pose.bone_present.resize(kHandBoneCount);
    for (std::uint64_t left = bones & ((std::uint64_t{1} << kHandBoneCount) - 1); left != 0; left &= left - 1) {
        const auto i = static_cast<std::size_t>(std::countr_zero(left));
        pose.bone_present[i] = pose_bone(frame, i, pose.shapes[i]) ? 1 : 0;
    }
}

std::optional<Eigen::Isometry3f> palm_of(const collision::BodyPose& pose) {
    if (pose.bone_present.empty() || pose.bone_present[0] == 0) return {};
    const collision::Obb& box = std::get<collision::RoundedBox>(pose.shapes[0]).core;
    Eigen::Isometry3f palm = Eigen::Isometry3f::Identity();
    palm.linear() = box.axes;
    palm.translation() = box.center_m;
    return palm;
}

Eigen::Isometry3f between_palms(const Eigen::Isometry3f& left, const Eigen::Isometry3f& right) {
    const Eigen::Vector3f apart = right.translation() - left.translation();
    Eigen::Isometry3f frame = Eigen::Isometry3f::Identity();
    frame.linear() = frame_along(apart.norm() > 1e-4F ? Eigen::Vector3f(apart.normalized()) : Eigen::Vector3f::UnitX(),
                                 (left.linear().col(0) + right.linear().col(0)).cross(apart));
    frame.translation() = 0.5F * (left.translation() + right.translation());
    return frame;
}

}  // namespace glovebox::scenes
