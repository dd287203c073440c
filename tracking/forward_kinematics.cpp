#include "tracking/forward_kinematics.h"

#include <algorithm>
#include <cmath>

#include "tracking/hand_geometry.h"

namespace glovebox::tracking {
namespace {

using Eigen::AngleAxisf;
using Eigen::Quaternionf;
using Eigen::Vector3f;

// The default right hand's metacarpals in the wrist frame: directions to the base, and from the base to the knuckle.
// Only directions are used; lengths come from the profile.
struct Ray {
    Vector3f to_base, to_knuckle;
    float rest_spread_rad;  ///< angle of the proximal phalanx to the wrist's -Z, fingers together, towards the thumb
};
const std::array<Ray, 4> kRays = {{{{-0.016F, 0.003F, -0.032F}, {-0.0095F, 0.002F, -0.062F}, 0.03F},
                                   {{-0.003F, 0.004F, -0.034F}, {0.000F, 0.002F, -0.061F}, 0.0F},
                                   {{0.009F, 0.002F, -0.033F}, {0.0075F, 0.001F, -0.0555F}, -0.03F},
                                   {{0.018F, -0.002F, -0.032F}, {0.0155F, -0.001F, -0.0475F}, -0.06F}}};
const Vector3f kThumbBase = {-0.022F, -0.010F, -0.027F};
// At rest, the thumb's metacarpal points forward, outward and a little below the palm; its nail faces outward.
const Vector3f kThumbAlong = {-0.62F, -0.30F, -0.72F};
const Vector3f kThumbDorsal = {-0.62F, 0.70F, 0.20F};

// Returns a rotation about -x of the right hand's joint axes, which bends the bone towards the palm.
Quaternionf flexion(float angle_rad) {
    return Quaternionf(AngleAxisf(-angle_rad, Vector3f::UnitX()));
}
Quaternionf yaw_to_thumb(float angle_rad) {
    return Quaternionf(AngleAxisf(angle_rad, Vector3f::UnitY()));
}
Quaternionf looking(const Vector3f& along, const Vector3f& dorsal) {
    const Vector3f z = -along.normalized();
    const Vector3f x = dorsal.cross(z).normalized();
    Eigen::Matrix3f axes;
    axes << x, z.cross(x), z;
    return Quaternionf(axes);
}

struct Chain {
    HandFrame& frame;
    const HandProfile& profile;

    float length_m(Joint joint) const { return profile.length_to_parent_m[static_cast<std::size_t>(joint)]; }
    void set(Joint joint, const Vector3f& position_m, const Quaternionf& orientation) {
        frame[joint].position_m = position_m;
        frame[joint].orientation = orientation.normalized();
    }
    /// Places the next joint along -Z of the previous one.
    void extend(Joint joint, const Quaternionf& orientation) {
        const JointPose& before = frame[parent_of(joint)];
        set(joint, before.position_m - length_m(joint) * (before.orientation * Vector3f::UnitZ()), orientation);
    }
};

void pose_finger(Chain& chain, int finger, const FingerAngles& angles, float arch_rad) {
    const Ray& ray = kRays[static_cast<std::size_t>(finger)];
    const auto joint = [finger](int k) { return static_cast<Joint>(6 + 5 * finger + k); };
    const Quaternionf metacarpal = looking(ray.to_knuckle, Vector3f::UnitY()) * flexion(arch_rad);
    chain.set(joint(0), chain.length_m(joint(0)) * ray.to_base.normalized(), metacarpal);

    const Quaternionf proximal =
        flexion(arch_rad) * yaw_to_thumb(ray.rest_spread_rad + angles.mcp_spread) * flexion(angles.mcp_flex);
    const Quaternionf intermediate = proximal * flexion(angles.pip_flex);
    const Quaternionf distal = intermediate * flexion(angles.dip_flex);
    chain.extend(joint(1), proximal);
    chain.extend(joint(2), intermediate);
    chain.extend(joint(3), distal);
    chain.extend(joint(4), distal);
}

void pose_thumb(Chain& chain, const ThumbAngles& angles) {
    const Quaternionf rest = looking(kThumbAlong, kThumbDorsal);
    const Quaternionf metacarpal = rest * yaw_to_thumb(angles.cmc_abduction) * flexion(angles.cmc_flex);
    const Quaternionf proximal = metacarpal * flexion(angles.mcp_flex);
    const Quaternionf distal = proximal * flexion(angles.ip_flex);
    chain.set(Joint::thumb_metacarpal, chain.length_m(Joint::thumb_metacarpal) * kThumbBase.normalized(), metacarpal);
    chain.extend(Joint::thumb_proximal, proximal);
    chain.extend(Joint::thumb_distal, distal);
    chain.extend(Joint::thumb_tip, distal);
}

}  // namespace

HandAngles resting_angles() {
    HandAngles angles;
    angles.thumb = {0.10F, 0.0F, 0.20F, 0.25F};
    angles.fingers = {{{0.35F, 0.05F, 0.40F, 0.20F},
                       {0.40F, 0.0F, 0.50F, 0.25F},
                       {0.45F, -0.03F, 0.55F, 0.28F},
                       {0.50F, -0.08F, 0.55F, 0.30F}}};
    return angles;
}

HandFrame pose_from_angles(const HandProfile& profile, const HandAngles& angles,
                           const Eigen::Isometry3f& world_from_wrist, Side side) {
    HandFrame frame;
    frame.side = side;
    frame.active = true;
    for (std::size_t i = 0; i < kJointCount; ++i) {
        frame.joints[i].flags = joint_flags::kAll;
        frame.joints[i].radius_m = profile.radius_m[i];
    }

    // Built as a right hand with the wrist at the origin, mirrored if needed, then moved.
    Chain chain{frame, profile};
    pose_thumb(chain, angles.thumb);
    for (int finger = 0; finger < 4; ++finger) {
        const float arch_rad = finger == 3 ? angles.palm_arch : finger == 2 ? 0.5F * angles.palm_arch : 0.0F;
        pose_finger(chain, finger, angles.fingers[static_cast<std::size_t>(finger)], arch_rad);
    }
    const Vector3f palm_m =
        0.5F * (frame[Joint::middle_metacarpal].position_m + frame[Joint::middle_proximal].position_m);
    chain.set(Joint::palm, palm_m, frame[Joint::middle_metacarpal].orientation);
    if (side == Side::left) mirror_x(frame);
    move_rigidly(world_from_wrist, frame);
    return frame;
}

HandAngles angles_of_hand(const HandFrame& frame) {
    const float inward = frame.side == Side::right ? 1.0F : -1.0F;
    const auto turn = [&frame](Joint from, Joint to) {
        if (!frame[from].orientation_valid() || !frame[to].orientation_valid()) return Vector3f(0.0F, 0.0F, -1.0F);
        const Quaternionf relative = frame[from].orientation.conjugate() * frame[to].orientation;
        return Vector3f(relative * -Vector3f::UnitZ());
    };
    const auto flex = [](const Vector3f& along) { return std::atan2(-along.y(), -along.z()); };

    HandAngles angles;
    for (int f = 0; f < 4; ++f) {
        const auto joint = [f](int k) { return static_cast<Joint>(6 + 5 * f + k); };
        FingerAngles& finger = angles.fingers[static_cast<std::size_t>(f)];
        const Vector3f proximal = turn(Joint::wrist, joint(1));
        finger.mcp_flex = flex(proximal);
        // Yaw is applied before flexion, so it is measured in the plane of the palm, without the finger's bend.
        finger.mcp_spread = std::cos(finger.mcp_flex) > 0.2F ? inward * std::atan2(-proximal.x(), -proximal.z()) -
                                                                   kRays[static_cast<std::size_t>(f)].rest_spread_rad
                                                             : 0.0F;
        finger.pip_flex = flex(turn(joint(1), joint(2)));
        finger.dip_flex = flex(turn(joint(2), joint(3)));
    }
    if (frame[Joint::wrist].orientation_valid() && frame[Joint::thumb_metacarpal].orientation_valid()) {
        Quaternionf metacarpal =
            frame[Joint::wrist].orientation.conjugate() * frame[Joint::thumb_metacarpal].orientation;
        if (frame.side == Side::left)
            metacarpal = Quaternionf(metacarpal.w(), metacarpal.x(), -metacarpal.y(), -metacarpal.z());
        const Vector3f along = looking(kThumbAlong, kThumbDorsal).conjugate() * metacarpal * -Vector3f::UnitZ();
        angles.thumb.cmc_flex = flex(along);
        angles.thumb.cmc_abduction = std::asin(std::clamp(-along.x(), -1.0F, 1.0F));
    }
    angles.thumb.mcp_flex = flex(turn(Joint::thumb_metacarpal, Joint::thumb_proximal));
    angles.thumb.ip_flex = flex(turn(Joint::thumb_proximal, Joint::thumb_distal));
    return angles;
}

void move_rigidly(const Eigen::Isometry3f& world_from_old, HandFrame& frame) {
    const Quaternionf turn(world_from_old.linear());
    for (JointPose& joint : frame.joints) {
        if (joint.position_valid()) joint.position_m = world_from_old * joint.position_m;
        if (joint.orientation_valid()) joint.orientation = turn * joint.orientation;
    }
}

}  // namespace glovebox::tracking
