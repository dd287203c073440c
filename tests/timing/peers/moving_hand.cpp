#include "tests/timing/peers/moving_hand.h"

#include <cmath>
#include <limits>

#include "scenes/hand_body.h"
#include "tracking/forward_kinematics.h"

namespace glovebox::timing {
namespace {

constexpr float kFrameRate = 120.0F;

// Incommensurable frequencies, so that no pose repeats.
tracking::HandFrame hand_at(float t_s, float height_m) {
    tracking::HandAngles angles = tracking::resting_angles();
    for (std::size_t i = 0; i < angles.fingers.size(); ++i) {
        tracking::FingerAngles& finger = angles.fingers[i];
        const float curl = 0.5F + 0.5F * std::sin(2.1F * t_s + 0.7F * static_cast<float>(i));
        finger.mcp_flex = 0.1F + 0.8F * curl;
        finger.pip_flex = 0.1F + 0.9F * curl;
        finger.dip_flex = 0.1F + 0.5F * curl;
        finger.mcp_spread = 0.15F * std::sin(1.3F * t_s + static_cast<float>(i));
    }
    angles.thumb.cmc_flex = 0.2F + 0.2F * std::sin(1.7F * t_s);
    angles.thumb.ip_flex = 0.3F + 0.3F * std::sin(2.3F * t_s);
    Eigen::Isometry3f world_from_wrist = Eigen::Isometry3f::Identity();
    world_from_wrist.translation() =
        Eigen::Vector3f(0.03F * std::sin(0.9F * t_s), height_m, 0.03F * std::cos(1.1F * t_s));
    world_from_wrist.linear() = (Eigen::AngleAxisf(0.2F * std::sin(0.7F * t_s), Eigen::Vector3f::UnitY()) *
                                 Eigen::AngleAxisf(0.15F * std::sin(1.9F * t_s), Eigen::Vector3f::UnitX()))
                                    .toRotationMatrix();
    tracking::HandFrame frame =
        tracking::pose_from_angles(tracking::default_profile(), angles, world_from_wrist, tracking::Side::right);
    frame.active = true;
    return frame;
}

// A bone's frame is rotated relative to its leaf box, so that no contender can skip a transform.
Eigen::Isometry3f frame_of(const collision::Obb& box) {
    Eigen::Isometry3f world_from_box = Eigen::Isometry3f::Identity();
    world_from_box.linear() = box.axes;
    world_from_box.translation() = box.center_m;
    return world_from_box * Eigen::AngleAxisf(0.4F, Eigen::Vector3f(1.0F, 2.0F, 3.0F).normalized());
}

// Stores the constant parts: shapes, boxes and joints in the bones' frames.
void take_rigid_parts(const collision::BodyPose& pose, MovingHand& hand) {
    std::vector<Eigen::Isometry3f> bone_from_world;
    for (const collision::Obb& box : pose.leaf_boxes) bone_from_world.push_back(frame_of(box).inverse());
    for (std::size_t k = 0; k < pose.shapes.size(); ++k) {
        hand.shape_in_bone.push_back(collision::transformed(bone_from_world[k], pose.shapes[k]));
        hand.bones.box_in_bone.push_back(collision::transformed(bone_from_world[k], pose.leaf_boxes[k]));
    }
    hand.bones.joint_in_bone.resize(pose.joints_m.size(), Eigen::Vector3f::Zero());
    hand.bones.bone_of_joint.resize(pose.joints_m.size(), -1);
    for (const collision::HierarchyNode& node : scenes::hand_body().nodes) {
        // The joint moves with the bone in whose box it is deepest.
        const auto joint = static_cast<std::size_t>(node.joint);
        float smallest_m = std::numeric_limits<float>::infinity();
        for (std::size_t k = 0; k < pose.leaf_boxes.size(); ++k) {
            const collision::Obb& box = pose.leaf_boxes[k];
            const Eigen::Vector3f in_box = box.axes.transpose() * (pose.joints_m[joint] - box.center_m);
            const float gap_m = (in_box.cwiseAbs() - box.half_m).maxCoeff();
            if (gap_m >= smallest_m) continue;
            smallest_m = gap_m;
            hand.bones.bone_of_joint[joint] = static_cast<std::int32_t>(k);
            hand.bones.joint_in_bone[joint] = bone_from_world[k] * pose.joints_m[joint];
        }
    }
    hand.pose = pose;
}

}  // namespace

void MovingHand::place_boxes(std::size_t frame, collision::BodyPose& out) const {
    const std::vector<Eigen::Isometry3f>& placed = world_from_bone[frame];
    for (std::size_t i = 0; i < bones.box_in_bone.size(); ++i)
        out.leaf_boxes[i] = collision::transformed(placed[i], bones.box_in_bone[i]);
    for (const collision::HierarchyNode& node : scenes::hand_body().nodes) {
        const auto joint = static_cast<std::size_t>(node.joint);
        out.joints_m[joint] = placed[static_cast<std::size_t>(bones.bone_of_joint[joint])] * bones.joint_in_bone[joint];
    }
}

void MovingHand::place_shapes(std::size_t frame, collision::BodyPose& out) const {
    for (std::size_t i = 0; i < shape_in_bone.size(); ++i)
        out.shapes[i] = collision::transformed(world_from_bone[frame][i], shape_in_bone[i]);
}

MovingHand moving_hand(int frames, float dip_m) {
    MovingHand hand;
    for (int i = 0; i < frames; ++i) {
        const float t_s = static_cast<float>(i) / kFrameRate;
        collision::BodyPose pose;
        scenes::pose_hand(hand_at(t_s, 0.0F), pose);
        // The height is determined by the lowest bone.
        float lowest_m = 1.0F;
        for (const collision::Shape& shape : pose.shapes)
            lowest_m = std::min(lowest_m, collision::aabb_of(shape).min_m.y());
        const float dip_now_m = dip_m * (0.5F + 0.5F * std::sin(2.9F * t_s));
        scenes::pose_hand(hand_at(t_s, -lowest_m - dip_now_m), pose);
        if (i == 0) take_rigid_parts(pose, hand);
        auto& placed = hand.world_from_bone.emplace_back();
        for (const collision::Obb& box : pose.leaf_boxes) placed.push_back(frame_of(box));
    }
    return hand;
}

}  // namespace glovebox::timing
