#include "vr/render/hand_skeleton.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "scenes/hand_body.h"

namespace glovebox::vr {
namespace {

using Eigen::Vector3f;
using tracking::Joint;
using tracking::kJointCount;
using tracking::Side;

constexpr std::array<Joint, kSkinBoneCount> kBoneJoints = {
    Joint::wrist,
    Joint::thumb_metacarpal,
    Joint::thumb_proximal,
    Joint::thumb_distal,
    Joint::index_metacarpal,
    Joint::index_proximal,
    Joint::index_intermediate,
    Joint::index_distal,
    Joint::middle_metacarpal,
    Joint::middle_proximal,
    Joint::middle_intermediate,
    Joint::middle_distal,
    Joint::ring_metacarpal,
    Joint::ring_proximal,
    Joint::ring_intermediate,
    Joint::ring_distal,
    Joint::little_metacarpal,
    Joint::little_proximal,
    Joint::little_intermediate,
    Joint::little_distal,
};

Joint next_joint(Joint joint) {
    return static_cast<Joint>(static_cast<int>(joint) + 1);
}

// The medium adult hand at rest. `direction`: of the bone that ends at this joint, in the wrist's frame; `length_mm`:
// its length; `up`: the back of the joint. Directions of metacarpals and thumb are those of a relaxed open hand;
// phalanges are placed by yaw and pitch below.
struct RestJoint {
    float direction[3];
    float length_mm, radius_mm;
};
constexpr std::array<RestJoint, kJointCount> kRest = {{
    {{0, 0, -1}, 0.0F, 0.0F},  // palm
    {{0, 0, -1}, 0.0F, 0.0F},  // wrist
    {{-31.4F, -9.5F, -24.7F}, 41.1F, 14.5F},
    {{-0.635F, -0.111F, -0.765F}, 37.0F, 12.0F},
    {{-0.330F, -0.260F, -0.907F}, 29.5F, 10.2F},
    {{-0.400F, -0.240F, -0.886F}, 22.5F, 8.6F},
    {{-16.1F, 0.0F, -32.7F}, 36.4F, 12.5F},
    {{-12.6F, -3.6F, -60.9F}, 62.3F, 10.3F},
    {{0, 0, -1}, 35.0F, 8.8F},
    {{0, 0, -1}, 22.0F, 7.6F},
    {{0, 0, -1}, 19.2F, 6.6F},
    {{-3.3F, 1.0F, -33.8F}, 34.0F, 12.5F},
    {{-2.1F, -2.6F, -60.8F}, 61.0F, 11.2F},
    {{0, 0, -1}, 38.2F, 9.0F},
    {{0, 0, -1}, 23.6F, 7.7F},
    {{0, 0, -1}, 20.0F, 6.6F},
    {{6.0F, 0.5F, -32.5F}, 33.0F, 12.5F},
    {{8.0F, -3.6F, -54.0F}, 54.7F, 9.9F},
    {{0, 0, -1}, 34.7F, 8.3F},
    {{0, 0, -1}, 21.4F, 7.2F},
    {{0, 0, -1}, 17.9F, 6.2F},
    {{14.3F, -0.5F, -28.9F}, 32.2F, 12.5F},
    {{16.5F, -3.6F, -46.0F}, 49.0F, 8.5F},
    {{0, 0, -1}, 26.4F, 7.1F},
    {{0, 0, -1}, 16.7F, 6.2F},
    {{0, 0, -1}, 14.8F, 5.4F},
}};

constexpr float kRadiansPerDegree = std::numbers::pi_v<float> / 180.0F;
constexpr std::array<float, 4> kFingerYawDegrees = {9.0F, 1.5F, -6.0F, -15.0F};  // index .. little: spread
constexpr std::array<float, 3> kFingerPitchDegrees = {-8.0F, -15.0F, -22.0F};    // proximal, middle, distal: relaxed

Vector3f rest_direction(int joint) {
    const RestJoint& row = kRest[static_cast<std::size_t>(joint)];
    const int in_finger = joint >= 6 ? (joint - 6) % 5 : 0;
    if (in_finger < 2) return Vector3f(row.direction[0], row.direction[1], row.direction[2]).normalized();
    const float yaw = kRadiansPerDegree * kFingerYawDegrees[static_cast<std::size_t>((joint - 6) / 5)];
    const float pitch = kRadiansPerDegree * kFingerPitchDegrees[static_cast<std::size_t>(in_finger - 2)];
    return Eigen::AngleAxisf(yaw, Vector3f::UnitY()) * Eigen::AngleAxisf(pitch, Vector3f::UnitX()) * -Vector3f::UnitZ();
}

// Larger reported radii are invalid, or (at metacarpals) those of half a palm, not of one ray.
float usable_radius(float reported_m, float usual_m) {
    return reported_m > 0.0F ? std::clamp(reported_m, 0.7F * usual_m, 1.4F * usual_m) : usual_m;
}

// Limits a shape to what a hand can have, with room for every fit: the grid of the skin grows with the hand, and the
// surface of a cone that is thinner than a cell would be torn.
tracking::HandShape usable_shape(tracking::HandShape shape, float scale) {
    const float max_offset_m = 0.08F * scale, min_radius_m = 0.003F * scale, max_radius_m = 0.04F * scale;
    for (tracking::BoneShape& bone : shape) {
        for (Vector3f* offset_m : {&bone.from_offset_m, &bone.to_offset_m})
            if (const float length_m = offset_m->norm(); length_m > max_offset_m) *offset_m *= max_offset_m / length_m;
        for (float* radius_m : {&bone.from_radius_m, &bone.to_radius_m})
            *radius_m = std::clamp(*radius_m, min_radius_m, max_radius_m);
    }
    return shape;
}

struct Columns {
    Vector3f x, y, z;
};

// Builds a frame from a bone's direction and a preferred X axis.
Columns columns_along(const Vector3f& direction, const Vector3f& x_hint) {
    const Vector3f z = -direction;
    Vector3f x = x_hint - x_hint.dot(z) * z;
    x = x.squaredNorm() > 1e-6F ? Vector3f(x.normalized()) : Vector3f(z.unitOrthogonal());
    return {x, z.cross(x), z};
}

BoneFrame frame_of(const Columns& columns, const Vector3f& origin_m, float length_m) {
    BoneFrame frame;
    frame.world_from_bone.linear() << columns.x, columns.y, columns.z;
    frame.world_from_bone.translation() = origin_m;
    frame.length_m = length_m;
    return frame;
}

// Returns a bone's X axis if it is swung, without twist, from its parent's direction.
Vector3f x_by_swing(const Eigen::Matrix3f& parent, const Vector3f& direction) {
    const Vector3f from = -parent.col(2);
    const Vector3f axis = from.cross(direction);
    const float sine = axis.norm();
    if (sine < 1e-5F) return parent.col(0);
    return Eigen::AngleAxisf(std::atan2(sine, from.dot(direction)), Vector3f(axis / sine)) * parent.col(0);
}

bool usable(const tracking::HandFrame& frame, Joint joint) {
    return frame[joint].position_valid() && frame[joint].position_m.allFinite();
}

// Computes the wrist's frame from the knuckles: it follows the back of the hand, independently of the source's axes.
BoneFrame wrist_frame(const tracking::HandFrame& frame, const BoneFrame& rest) {
    const bool known = usable(frame, Joint::wrist) && usable(frame, Joint::index_proximal) &&
                       usable(frame, Joint::middle_proximal) && usable(frame, Joint::little_proximal);
    const Vector3f& wrist_m = frame[Joint::wrist].position_m;
    if (known) {
        const Vector3f forward = frame[Joint::middle_proximal].position_m - wrist_m;
        Vector3f across = frame[Joint::little_proximal].position_m - frame[Joint::index_proximal].position_m;
        if (frame.side == Side::left) across = -across;
        if (forward.squaredNorm() > 1e-6F && across.cross(forward).squaredNorm() > 1e-9F)
            return frame_of(columns_along(forward.normalized(), across), wrist_m, rest.length_m);
    }
    BoneFrame fallback;
    fallback.length_m = rest.length_m;
    fallback.world_from_bone.translation() = wrist_m;
    fallback.world_from_bone.linear() = frame[Joint::wrist].orientation.toRotationMatrix();
    return fallback;
}

// Phalanges after the first are hinges and share their parent's X axis. Other bones may roll as tracked.
bool is_hinge(int bone) {
    return bone == 3 || (bone >= 4 && bone % 4 >= 2);
}

BoneFrame phalanx_frame(int bone, const tracking::HandFrame& frame, const BoneFrames& so_far, const BoneFrames& rest) {
    const auto b = static_cast<std::size_t>(bone);
    const auto parent = static_cast<std::size_t>(skin_bone_parent(bone));
    const BoneFrame& parent_frame = so_far[parent];
    const Joint joint = kBoneJoints[b];
    const Joint end = next_joint(joint);
    const Vector3f span = frame[end].position_m - frame[joint].position_m;
    if (!usable(frame, joint) || !usable(frame, end) || span.squaredNorm() < 1e-8F) {
        BoneFrame fallback;
        fallback.world_from_bone =
            parent_frame.world_from_bone * rest[parent].world_from_bone.inverse() * rest[b].world_from_bone;
        if (usable(frame, joint)) fallback.world_from_bone.translation() = frame[joint].position_m;
        fallback.length_m = rest[b].length_m;
        return fallback;
    }
    const Vector3f direction = span.normalized();
    const Eigen::Matrix3f parent_axes = parent_frame.world_from_bone.linear();
    Vector3f x_hint = parent_axes.col(0);
    if (!is_hinge(bone)) {
        // Use the tracked roll as far as the tracked frame agrees with the bone's direction.
        const Eigen::Matrix3f tracked = frame[joint].orientation.toRotationMatrix();
        const float agreement = -tracked.col(2).dot(direction);
        const float trust = frame[joint].orientation_valid() ? std::clamp((agreement - 0.5F) / 0.3F, 0.0F, 1.0F) : 0.0F;
        const Eigen::Matrix3f from_rest =
            parent_axes * (rest[parent].world_from_bone.linear().transpose() * rest[b].world_from_bone.linear());
        x_hint = trust * tracked.col(0) + (1.0F - trust) * x_by_swing(from_rest, direction);
    }
    return frame_of(columns_along(direction, x_hint), frame[joint].position_m, span.norm());
}

}  // namespace

Joint skin_bone_joint(int bone) {
    return kBoneJoints[static_cast<std::size_t>(bone)];
}

int skin_bone_parent(int bone) {
    return bone == 1 || bone % 4 == 0 ? 0 : bone - 1;
}

HandSkeleton rest_skeleton(const tracking::HandProfile& profile, Side side) {
    HandSkeleton skeleton;
    float length_sum = 0.0F;
    float usual_sum = 0.0F;
    for (std::size_t j = 2; j < kJointCount; ++j) {
        if (profile.length_to_parent_m[j] <= 0.0F) continue;
        length_sum += profile.length_to_parent_m[j];
        usual_sum += 1e-3F * kRest[j].length_mm;
    }
    skeleton.scale = usual_sum > 0.0F ? std::clamp(length_sum / usual_sum, 0.4F, 2.0F) : 1.0F;

    skeleton.joint_m.fill(Vector3f::Zero());
    skeleton.up.fill(Vector3f::UnitY());
    for (std::size_t j = 2; j < kJointCount; ++j) {
        const auto parent = static_cast<std::size_t>(tracking::parent_of(static_cast<Joint>(j)));
        const float usual_m = 1e-3F * skeleton.scale * kRest[j].length_mm;
        const float given_m = profile.length_to_parent_m[j];
        const float length_m = given_m > 0.0F ? std::clamp(given_m, 0.5F * usual_m, 2.0F * usual_m) : usual_m;
        skeleton.joint_m[j] = skeleton.joint_m[parent] + length_m * rest_direction(static_cast<int>(j));
        skeleton.radius_m[j] = usable_radius(profile.radius_m[j], 1e-3F * skeleton.scale * kRest[j].radius_mm);
    }
    // The back of the thumb faces sideways.
    skeleton.up[static_cast<std::size_t>(Joint::thumb_metacarpal)] = Vector3f(-0.714F, 0.464F, 0.524F).normalized();
    skeleton.up[static_cast<std::size_t>(Joint::thumb_proximal)] = Vector3f(-0.909F, 0.381F, 0.170F).normalized();
    skeleton.up[static_cast<std::size_t>(Joint::thumb_distal)] = Vector3f(-0.867F, 0.412F, 0.279F).normalized();
    if (profile.shape)
        skeleton.shape =
            usable_shape(side == Side::left ? tracking::mirrored(*profile.shape) : *profile.shape, skeleton.scale);
    return skeleton;
}

BoneFrames rest_frames(const HandSkeleton& skeleton, Side side) {
    // Treat the skeleton as a tracked hand: one routine computes both frames, so any bias cancels.
    const float mirror = side == Side::left ? -1.0F : 1.0F;
    tracking::HandFrame frame;
    frame.side = side;
    frame.active = true;
    const auto mirrored = [mirror](const Vector3f& v) { return Vector3f(mirror * v.x(), v.y(), v.z()); };
    for (std::size_t j = 0; j < kJointCount; ++j) {
        frame.joints[j].position_m = mirrored(skeleton.joint_m[j]);
        frame.joints[j].flags = tracking::joint_flags::kAll;
    }
    for (std::size_t b = 1; b < kSkinBoneCount; ++b) {
        const auto joint = static_cast<std::size_t>(kBoneJoints[b]);
        const Vector3f direction = (frame.joints[joint + 1].position_m - frame.joints[joint].position_m).normalized();
        const Vector3f x = mirrored(skeleton.up[joint]).cross(-direction);
        const Columns columns = columns_along(direction, x);
        Eigen::Matrix3f axes;
        axes << columns.x, columns.y, columns.z;
        frame.joints[joint].orientation = Eigen::Quaternionf(axes);
    }
    BoneFrames none;
    none[0].length_m = 0.1F * skeleton.scale;  // length of forearm that is drawn
    return tracked_frames(frame, none);
}

std::array<collision::RoundCone, kSkinBoneCount> rest_cones(const HandSkeleton& skeleton) {
    // The axes are those that tracked_frames() computes, because the skin follows them.
    const BoneFrames rest = rest_frames(skeleton, Side::right);
    tracking::HandFrame frame;
    frame.side = Side::right;
    frame.active = true;
    for (std::size_t j = 0; j < kJointCount; ++j) frame.joints[j].position_m = skeleton.joint_m[j];
    for (std::size_t b = 0; b < kSkinBoneCount; ++b)
        frame[kBoneJoints[b]].orientation = Eigen::Quaternionf(rest[b].world_from_bone.linear());
    std::array<collision::RoundCone, kSkinBoneCount> cones;
    for (int bone = 0; bone < kSkinBoneCount; ++bone)
        cones[static_cast<std::size_t>(bone)] = scenes::cone_of(*skeleton.shape, frame, bone);
    return cones;
}

BoneFrames tracked_frames(const tracking::HandFrame& frame, const BoneFrames& rest) {
    BoneFrames frames;
    frames[0] = wrist_frame(frame, rest[0]);
    for (int bone = 1; bone < kSkinBoneCount; ++bone)
        frames[static_cast<std::size_t>(bone)] = phalanx_frame(bone, frame, frames, rest);
    return frames;
}

SkinPose skin_pose(const BoneFrames& tracked, const BoneFrames& rest) {
    SkinPose pose;
    for (std::size_t b = 0; b < kSkinBoneCount; ++b) {
        const float stretch =
            rest[b].length_m > 0.0F ? std::clamp(tracked[b].length_m / rest[b].length_m, 0.5F, 2.0F) : 1.0F;
        const Eigen::Isometry3f world_from_rest = tracked[b].world_from_bone * rest[b].world_from_bone.inverse();
        const Eigen::Quaternionf turn(world_from_rest.linear());
        const Eigen::Vector3f shift_m = world_from_rest.translation();
        const Eigen::Vector3f axis = rest[b].world_from_bone.linear().col(2);
        const Eigen::Vector3f v(turn.x(), turn.y(), turn.z());
        const Eigen::Vector3f dual = 0.5F * (turn.w() * shift_m + shift_m.cross(v));
        pose.turn[b] = turn.coeffs();
        pose.shift[b] = {dual.x(), dual.y(), dual.z(), -0.5F * shift_m.dot(v)};
        const float offset_m = -axis.dot(Eigen::Vector3f(rest[b].world_from_bone.translation()));
        pose.along[b] = {stretch * axis.x(), stretch * axis.y(), stretch * axis.z(), offset_m};
    }
    return pose;
}

std::array<Eigen::Matrix4f, kSkinBoneCount> skin_matrices(const BoneFrames& tracked, const BoneFrames& rest) {
    std::array<Eigen::Matrix4f, kSkinBoneCount> matrices;
    for (std::size_t b = 0; b < kSkinBoneCount; ++b) {
        const float stretch =
            rest[b].length_m > 0.0F ? std::clamp(tracked[b].length_m / rest[b].length_m, 0.5F, 2.0F) : 1.0F;
        const Eigen::Affine3f stretched = tracked[b].world_from_bone * Eigen::Scaling(1.0F, 1.0F, stretch);
        matrices[b] = (stretched * rest[b].world_from_bone.inverse()).matrix();
    }
    return matrices;
}

Eigen::Vector3f bent(const SkinPose& pose, const Eigen::Vector3f& rest_m, const std::array<float, 4>& weights,
                     const std::array<std::uint8_t, 4>& bones) {
    Eigen::Vector3f stretched_m = Eigen::Vector3f::Zero();
    Eigen::Vector4f turn = Eigen::Vector4f::Zero(), shift = turn;
    const Eigen::Vector4f& first = pose.turn[bones[0]];
    for (std::size_t i = 0; i < 4 && weights[i] > 0.0F; ++i) {
        const Eigen::Vector4f& along = pose.along[bones[i]];
        const float stretch = along.head<3>().norm();
        const Eigen::Vector3f axis = along.head<3>() / stretch;
        stretched_m += weights[i] * (rest_m + axis * ((stretch - 1.0F) * (axis.dot(rest_m) + along.w())));
        // q and -q are the same rotation: blend along the shorter arc.
        const float weight = first.dot(pose.turn[bones[i]]) < 0.0F ? -weights[i] : weights[i];
        turn += weight * pose.turn[bones[i]];
        shift += weight * pose.shift[bones[i]];
    }
    const float length = turn.norm();
    const Eigen::Vector3f v = turn.head<3>() / length, d = shift.head<3>() / length;
    const float w = turn.w() / length;
    const Eigen::Vector3f turned_m =
        stretched_m + 2.0F * v.cross(Eigen::Vector3f(v.cross(stretched_m) + w * stretched_m));
    return turned_m + 2.0F * (w * d - shift.w() / length * v + v.cross(d));
}

}  // namespace glovebox::vr
