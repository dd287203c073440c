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

// Joints of each bone. The palm's bones (0 and the metacarpals of the fingers) use wrist and knuckle: see kPalm.
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

// The palm's flesh is modelled by five cones: one for each metacarpal of the fingers, and one (bone 0) for the ball of
// the thumb. A cone's ends are given as a share of the line from the wrist to a knuckle, and an offset from that line
// (to the little finger, out of the back, along). Offsets and radii are in radii of the middle finger's knuckle.
// Metacarpal joints are not used, because trackers disagree about their positions. The proportions are the median of
// two wearers' skins, to which `glovebox bench skin` fits such cones and measures the residual.
struct PalmCone {
    Joint knuckle;
    float from_share, to_share;
    Eigen::Vector3f from_beside, to_beside;
    float from_radius, to_radius;
};
const std::array<PalmCone, 5> kPalm = {{
    {Joint::index_proximal, 0.29F, 0.753F, {-0.05F, -0.40F, 0.0F}, {-0.64F, -0.62F, 0.0F}, 2.01F, 1.37F},
    {Joint::index_proximal, 0.37F, 1.0F, {0.42F, 0.39F, 0.0F}, {0.165F, -0.13F, -0.035F}, 1.395F, 1.29F},
    {Joint::middle_proximal, 0.365F, 1.0F, {0.14F, -0.14F, 0.0F}, {0.0F, -0.25F, 0.13F}, 1.66F, 1.34F},
    {Joint::ring_proximal, 0.173F, 1.0F, {-0.17F, 0.16F, 0.0F}, {0.20F, -0.34F, 0.12F}, 1.90F, 1.16F},
    {Joint::little_proximal, 0.295F, 1.0F, {0.16F, 0.09F, 0.0F}, {-0.25F, -0.30F, -0.42F}, 1.83F, 1.12F},
}};

// Returns the cone of a palm bone.
const PalmCone& palm_cone(std::size_t bone) {
    return kPalm[bone / 4];
}

// Articulations are the joints themselves, by OpenXR number.
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

    // Siblings have no articulation between them, so they use that of their parent.
    const std::int32_t index_middle = join(chain[1], chain[2], Joint::middle_proximal);
    const std::int32_t ring_little = join(chain[3], chain[4], Joint::ring_proximal);
    const std::int32_t fingers = join(index_middle, ring_little, Joint::middle_proximal);
    const std::int32_t metacarpals = join(join(4, 8, Joint::wrist), join(12, 16, Joint::wrist), Joint::wrist);
    const std::int32_t palm = join(0, metacarpals, Joint::wrist);
    const std::int32_t palm_thumb = join(palm, thumb, Joint::thumb_metacarpal);
    join(palm_thumb, fingers, Joint::middle_proximal);

    // Self-collision pairs: the thumb's outer bones and the phalanges, between different fingers. The flesh of the palm
    // and of neighbouring bones of a finger always touches.
    const auto may_touch = [](std::int32_t bone) { return bone > 0 && (bone < 4 ? bone > 1 : bone % 4 != 0); };
    for (std::int32_t a = 1; a < kHandBoneCount; ++a)
        for (std::int32_t b = a + 1; b < kHandBoneCount; ++b)
            if (may_touch(a) && may_touch(b) && finger_of_bone(a) != finger_of_bone(b))
                body.may_collide.emplace_back(a, b);
    return body;
}

// Returns a box frame from a long axis and an up hint: columns are long, side, up.
Eigen::Matrix3f frame_along(const Eigen::Vector3f& along, const Eigen::Vector3f& up_hint) {
    Eigen::Vector3f side = up_hint.cross(along);
    if (side.squaredNorm() < 1e-8F) side = along.unitOrthogonal();
    side.normalize();
    Eigen::Matrix3f frame;
    frame << along, side, along.cross(side);
    return frame;
}

// Values shared by the palm's cones.
struct PalmPlace {
    explicit PalmPlace(const tracking::HandFrame& frame)
        : wrist_m(frame[Joint::wrist].position_m),
          world_from_beside(
              frame[Joint::middle_proximal].radius_m * frame[Joint::wrist].orientation.toRotationMatrix() *
              Eigen::DiagonalMatrix<float, 3>(frame.side == tracking::Side::right ? 1.0F : -1.0F, 1.0F, -1.0F)),
          unit_m(frame[Joint::middle_proximal].radius_m) {}

    collision::RoundCone operator()(const PalmCone& cone, const Eigen::Vector3f& knuckle_m) const {
        const Eigen::Vector3f to_knuckle_m = knuckle_m - wrist_m;
        return {wrist_m + cone.from_share * to_knuckle_m + world_from_beside * cone.from_beside,
                wrist_m + cone.to_share * to_knuckle_m + world_from_beside * cone.to_beside, unit_m * cone.from_radius,
                unit_m * cone.to_radius};
    }

    Eigen::Vector3f wrist_m;
    Eigen::Matrix3f world_from_beside;
    float unit_m;
};

// Returns the joint whose frame a bone's box and the offsets of its shape refer to.
Joint axes_of(std::size_t i) {
    return is_of_palm(static_cast<int>(i)) ? Joint::wrist : kBones[i].from;
}

// Computes the cone of a bone; false if one of its joints is not valid.
bool pose_bone(const tracking::HandFrame& frame, const PalmPlace& palm,
               const std::optional<tracking::HandShape>& fitted, std::size_t i, collision::Shape& shape) {
    if (!frame.active) return false;
    if (fitted) {
        const BoneEnds ends = ends_of_bone(static_cast<int>(i));
        if (frame[ends.from].position_valid() && frame[ends.to].position_valid() &&
            frame[axes_of(i)].orientation_valid()) {
            shape = cone_of(*fitted, frame, static_cast<int>(i));
            return true;
        }
    }
    if (is_of_palm(static_cast<int>(i))) {
        const tracking::JointPose& knuckle = frame[palm_cone(i).knuckle];
        if (!frame[Joint::wrist].position_valid() || !knuckle.position_valid()) return false;
        shape = palm(palm_cone(i), knuckle.position_m);
        return true;
    }
    const tracking::JointPose &from = frame[kBones[i].from], &to = frame[kBones[i].to];
    if (!from.position_valid() || !to.position_valid()) return false;
    shape = collision::RoundCone{from.position_m, to.position_m, from.radius_m, to.radius_m};
    return true;
}

}  // namespace

const collision::ArticulatedBody& hand_body() {
    // Never destroyed: another thread may still step a scene while the process exits.
    static const collision::ArticulatedBody& body = *new collision::ArticulatedBody(make_hand_body());
    return body;
}

int finger_of_bone(int bone) {
    return is_of_palm(bone) ? -1 : bone / 4;
}

bool is_of_palm(int bone) {
    return bone % 4 == 0;
}

BoneEnds ends_of_bone(int bone) {
    const auto i = static_cast<std::size_t>(bone);
    return {is_of_palm(bone) ? Joint::wrist : kBones[i].from, kBones[i].to};
}

collision::RoundCone cone_of(const tracking::HandShape& shape, const tracking::HandFrame& frame, int bone) {
    const auto i = static_cast<std::size_t>(bone);
    const BoneEnds ends = ends_of_bone(bone);
    const Eigen::Quaternionf& axes = frame[axes_of(i)].orientation;
    const tracking::BoneShape& own = shape[i];
    return {frame[ends.from].position_m + axes * own.from_offset_m, frame[ends.to].position_m + axes * own.to_offset_m,
            own.from_radius_m, own.to_radius_m};
}

void pose_hand(const tracking::HandFrame& frame, collision::BodyPose& pose,
               const std::optional<tracking::HandShape>& shape) {
    pose.shapes.resize(kHandBoneCount);
    pose.leaf_boxes.resize(kHandBoneCount);
    pose.bone_present.resize(kHandBoneCount);
    pose.joints_m.resize(kJointCount);
    for (std::size_t i = 0; i < kJointCount; ++i) pose.joints_m[i] = frame.joints[i].position_m;

    const PalmPlace palm(frame);
    for (std::size_t i = 0; i < kHandBoneCount; ++i) {
        pose.bone_present[i] = pose_bone(frame, palm, shape, i, pose.shapes[i]) ? 1 : 0;
        if (pose.bone_present[i] != 0)
            pose.leaf_boxes[i] =
                collision::bounding_box(pose.shapes[i], frame[axes_of(i)].orientation * Eigen::Vector3f::UnitY());
    }
}

std::uint32_t joints_of(std::uint64_t bones) {
    std::uint32_t joints = 0;
    const auto add = [&joints](Joint joint) { joints |= 1U << static_cast<unsigned>(joint); };
    for (std::size_t i = 0; i < kHandBoneCount; ++i) {
        if ((bones >> i & 1U) == 0) continue;
        if (is_of_palm(static_cast<int>(i))) {
            for (const Joint joint : {Joint::wrist, Joint::middle_proximal, palm_cone(i).knuckle}) add(joint);
        } else {
            add(kBones[i].from);
            add(kBones[i].to);
        }
    }
    return joints;
}

void pose_bones(const tracking::HandFrame& frame, std::uint64_t bones, collision::BodyPose& pose,
                const std::optional<tracking::HandShape>& shape) {
    pose.shapes.resize(kHandBoneCount);
    pose.bone_present.resize(kHandBoneCount);
    const PalmPlace palm(frame);
    for (std::uint64_t left = bones & ((std::uint64_t{1} << kHandBoneCount) - 1); left != 0; left &= left - 1) {
        const auto i = static_cast<std::size_t>(std::countr_zero(left));
        pose.bone_present[i] = pose_bone(frame, palm, shape, i, pose.shapes[i]) ? 1 : 0;
    }
}

std::optional<Eigen::Isometry3f> palm_of(const collision::BodyPose& pose) {
    constexpr std::size_t kIndex = 4, kMiddle = 8, kLittle = 16;
    for (const std::size_t bone : {kIndex, kMiddle, kLittle})
        if (bone >= pose.bone_present.size() || pose.bone_present[bone] == 0) return {};
    const auto cone = [&pose](std::size_t bone) { return std::get<collision::RoundCone>(pose.shapes[bone]); };
    const collision::RoundCone middle = cone(kMiddle);
    const Eigen::Vector3f along_m = middle.b_m - middle.a_m;
    if (!(along_m.squaredNorm() > 1e-6F)) return {};
    const Eigen::Vector3f along = along_m.normalized();
    Eigen::Isometry3f palm = Eigen::Isometry3f::Identity();
    palm.linear() = frame_along(along, along.cross(cone(kIndex).b_m - cone(kLittle).b_m));
    palm.translation() = 0.5F * (middle.a_m + middle.b_m);
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
