#include "vr/render/hand_field.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "scenes/hand_body.h"

namespace glovebox::vr {
namespace {

using Eigen::Vector3f;
using tracking::Joint;

// Cubic smooth minimum: equal to min beyond |a - b| = k, k/6 below it where a == b.
float smooth_min(float a, float b, float k) {
    const float h = std::max(k - std::abs(a - b), 0.0F) / k;
    return std::min(a, b) - h * h * h * k * (1.0F / 6.0F);
}

constexpr float kForearmSqueeze = 0.74F;  // a wrist is wider than thick

// Widths of the blends between fitted cones. Wider ones lift the skin off the cones, narrower ones show a ring where a
// thick cone meets a thin one.
constexpr float kFittedFingerBlend_mm = 4.0F, kFittedPalmBlend_mm = 10.0F;

// The web between thumb and index finger: its thickness, and the blend with the palm.
constexpr float kWeb_mm = 8.5F, kWebBlend_mm = 18.0F;

// Shape of a finger around its joints, in millimetres of the medium adult hand.
struct PhalanxShape {
    float pad_drop_mm, pad_fullness;
};
constexpr PhalanxShape kPhalanges[3] = {{1.2F, 0.99F}, {1.3F, 1.00F}, {1.5F, 1.00F}};

Vector3f between(const Vector3f& a, const Vector3f& b, float t) {
    return a + t * (b - a);
}

// If one end's sphere contains the other, the sphere is the whole cone.
FieldCone field_cone(const collision::RoundCone& cone) {
    const bool is_sphere = (cone.b_m - cone.a_m).norm() <= std::abs(cone.radius_a_m - cone.radius_b_m);
    if (!is_sphere) return {cone.a_m, cone.b_m, cone.radius_a_m, cone.radius_b_m};
    const bool at_a = cone.radius_a_m >= cone.radius_b_m;
    const Vector3f& center_m = at_a ? cone.a_m : cone.b_m;
    const float radius_m = at_a ? cone.radius_a_m : cone.radius_b_m;
    return {center_m, center_m, radius_m, radius_m};
}

}  // namespace

FieldCone::FieldCone(const Vector3f& a_m, const Vector3f& b_m, float radius_a_m, float radius_b_m)
    : a_m_(a_m),
      span_m_(b_m - a_m),
      radius_a_m_(radius_a_m),
      radius_b_m_(radius_b_m),
      span2_(std::max(span_m_.squaredNorm(), 1e-12F)),
      slope_m_(radius_a_m - radius_b_m),
      flank2_(std::max(span2_ - slope_m_ * slope_m_, 1e-12F)),
      inverse_span2_(1.0F / span2_) {}

float FieldCone::distance_m(const Vector3f& point_m) const {
    const Vector3f pa = point_m - a_m_;
    const float y = pa.dot(span_m_);
    const float z = y - span2_;
    const float x2 = (pa * span2_ - span_m_ * y).squaredNorm();
    const float y2 = y * y * span2_;
    const float z2 = z * z * span2_;
    const float k = std::copysign(slope_m_ * slope_m_ * x2, slope_m_);
    if (std::copysign(flank2_ * z2, z) > k) return std::sqrt(x2 + z2) * inverse_span2_ - radius_b_m_;
    if (std::copysign(flank2_ * y2, y) < k) return std::sqrt(x2 + y2) * inverse_span2_ - radius_a_m_;
    return (std::sqrt(x2 * flank2_ * inverse_span2_) + y * slope_m_) * inverse_span2_ - radius_a_m_;
}

HandField::HandField(const HandSkeleton& skeleton) : scale_(skeleton.scale) {
    const float mm = kMillimetre * scale_;
    const Vector3f wrist_m = skeleton.joint_m[static_cast<std::size_t>(Joint::wrist)];
    const Vector3f middle_m = skeleton.joint_m[static_cast<std::size_t>(Joint::middle_proximal)];
    bones_.resize(kSkinBoneCount);
    bounds_.setEmpty();
    for (std::size_t j = 1; j < tracking::kJointCount; ++j) bounds_.extend(skeleton.joint_m[j]);
    bounds_.extend(Vector3f(wrist_m + Vector3f(0.0F, 0.0F, 106.0F) * mm));
    bounds_.min().array() -= 32.0F * mm;
    bounds_.max().array() += 32.0F * mm;

    if (skeleton.shape)
        add_fitted_hand(skeleton);
    else
        add_usual_hand(skeleton);

    // Wrist and forearm, in the scaled space.
    const Vector3f forearm_begin_m = wrist_m + Vector3f(0.0F, -3.0F, 2.0F) * mm;
    forearm_.emplace_back(forearm_begin_m, forearm_begin_m + Vector3f(0.0F, 0.0F, 100.0F) * mm, 19.5F * mm, 21.5F * mm);
    bones_[0].push_back(FieldCone(between(wrist_m, middle_m, 0.25F) - 5.0F * mm * Vector3f::UnitY(),
                                  forearm_begin_m + Vector3f(0.0F, 0.0F, 100.0F) * mm, 20.0F * mm, 24.0F * mm));
}

void HandField::add_usual_hand(const HandSkeleton& skeleton) {
    const float mm = kMillimetre * scale_;
    const auto at = [&](Joint joint) { return skeleton.joint_m[static_cast<std::size_t>(joint)]; };
    const auto at_number = [&](int joint) { return skeleton.joint_m[static_cast<std::size_t>(joint)]; };
    const auto radius_m = [&](int joint) { return skeleton.radius_m[static_cast<std::size_t>(joint)]; };
    const Vector3f palmward = -Vector3f::UnitY();

    // Fingers: cones joint to joint, a pad on the palm side of each phalanx, a knuckle on the back of each joint.
    const BoneFrames rest = rest_frames(skeleton, tracking::Side::right);
    for (int f = 0; f < 5; ++f) {
        Finger& finger = fingers_[static_cast<std::size_t>(f)];
        const int first = f == 0 ? 3 : 2 + 5 * f;  // the proximal joint's number
        const int phalanges = f == 0 ? 2 : 3;
        for (int i = 0; i < phalanges; ++i) {
            const int joint = first + i;
            const bool last = i + 1 == phalanges;
            const float from_m = radius_m(joint) * (i == 0 ? 0.98F : 0.96F);
            const float to_m = radius_m(joint + 1) * (last ? 0.93F : 0.96F);
            const FieldCone cone(at_number(joint), at_number(joint + 1), from_m, to_m);
            finger.parts.push_back({cone, 2.2F * mm});
            bones_[static_cast<std::size_t>(f == 0 ? 2 + i : 4 * f + 1 + i)].push_back(cone);
        }
        for (int i = 0; i < phalanges; ++i) {
            const int joint = first + i;
            const int shape = f == 0 ? i + 1 : i;
            const Eigen::Matrix3f axes =
                rest[static_cast<std::size_t>(f == 0 ? 2 + i : 4 * f + 1 + i)].world_from_bone.linear();
            const Vector3f drop_m = -axes.col(1) * kPhalanges[shape].pad_drop_mm * mm;
            const Vector3f span_m = at_number(joint + 1) - at_number(joint);
            const float fullness = kPhalanges[shape].pad_fullness;
            const float near_m = (0.66F * radius_m(joint) + 0.34F * radius_m(joint + 1)) * fullness;
            const float far_m = (0.32F * radius_m(joint) + 0.68F * radius_m(joint + 1)) * fullness;
            const FieldCone pad(at_number(joint) + 0.30F * span_m + drop_m, at_number(joint) + 0.72F * span_m + drop_m,
                                near_m, far_m);
            finger.parts.push_back({pad, 5.5F * mm});
            const Vector3f knuckle_m = at_number(joint) + axes.col(1) * 0.6F * mm;
            const float knuckle_radius_m = 0.90F * radius_m(joint);
            finger.parts.push_back({FieldCone(knuckle_m, knuckle_m, knuckle_radius_m, knuckle_radius_m), 3.0F * mm});
        }
        finger.center_m = 0.5F * (at_number(first) + at_number(first + phalanges));
        finger.reach_m =
            0.5F * (at_number(first) - at_number(first + phalanges)).norm() + 1.3F * radius_m(first) + 3.0F * mm;
    }

    // The palm: metacarpal rays, flatter fills below them, thenar and hypothenar pads, the web of the thumb.
    for (int f = 1; f < 5; ++f) {
        const int metacarpal = 1 + 5 * f;
        const FieldCone ray(at_number(metacarpal) + 6.0F * mm * palmward,
                            at_number(metacarpal + 1) + 0.8F * mm * palmward, 12.5F * mm,
                            0.98F * radius_m(metacarpal + 1));
        palm_.push_back({ray, 14.0F * mm});
        bones_[static_cast<std::size_t>(4 * f)].push_back(ray);
    }
    const Vector3f index_m = at(Joint::index_proximal);
    const Vector3f middle_m = at(Joint::middle_proximal);
    const Vector3f ring_m = at(Joint::ring_proximal);
    const Vector3f little_m = at(Joint::little_proximal);
    const Vector3f wrist_m = at(Joint::wrist);
    palm_.push_back({FieldCone(between(wrist_m, middle_m, 0.35F) + 9.0F * mm * palmward,
                               between(index_m, middle_m, 0.5F) + 4.5F * mm * palmward, 11.0F * mm, 8.0F * mm),
                     14.0F * mm});
    palm_.push_back({FieldCone(between(wrist_m, ring_m, 0.35F) + 9.0F * mm * palmward,
                               between(ring_m, little_m, 0.4F) + 4.5F * mm * palmward, 11.0F * mm, 8.0F * mm),
                     14.0F * mm});
    const FieldCone thenar(
        between(wrist_m, at(Joint::thumb_metacarpal), 0.75F) + 5.0F * mm * palmward,
        between(at(Joint::thumb_metacarpal), at(Joint::thumb_proximal), 0.80F) + 0.5F * mm * palmward, 16.5F * mm,
        std::min(14.5F * mm, 1.16F * radius_m(3)));
    palm_.push_back({thenar, 16.0F * mm});
    bones_[1].push_back(thenar);
    palm_.push_back({FieldCone(between(wrist_m, little_m, 0.22F) + 9.0F * mm * palmward,
                               between(wrist_m, little_m, 0.80F) + 5.5F * mm * palmward, 14.0F * mm, 10.0F * mm),
                     14.0F * mm});
    palm_.push_back({FieldCone(between(at(Joint::thumb_metacarpal), at(Joint::thumb_proximal), 0.60F),
                               between(at(Joint::index_metacarpal), index_m, 0.66F) + 4.0F * mm * palmward,
                               kWeb_mm * mm, kWeb_mm * mm),
                     kWebBlend_mm * mm});
}

void HandField::add_fitted_hand(const HandSkeleton& skeleton) {
    const float mm = kMillimetre * scale_;
    const std::array<collision::RoundCone, kSkinBoneCount> cones = rest_cones(skeleton);
    for (int bone = 0; bone < kSkinBoneCount; ++bone) {
        const collision::RoundCone& at_rest = cones[static_cast<std::size_t>(bone)];
        const FieldCone cone = field_cone(at_rest);
        for (const auto& [end_m, radius_m] :
             {std::pair(at_rest.a_m, at_rest.radius_a_m), std::pair(at_rest.b_m, at_rest.radius_b_m)}) {
            const Vector3f around_m = Vector3f::Constant(radius_m + 6.0F * mm);
            bounds_.extend(Eigen::AlignedBox3f(end_m - around_m, end_m + around_m));
        }
        const int finger = scenes::finger_of_bone(bone);
        if (finger < 0 || bone == 1)  // the base of the thumb lies in the palm
            palm_.push_back({cone, kFittedPalmBlend_mm * mm});
        else
            fingers_[static_cast<std::size_t>(finger)].parts.push_back({cone, kFittedFingerBlend_mm * mm});
        if (finger >= 0) {
            bones_[static_cast<std::size_t>(bone)].push_back(cone);
            continue;
        }
        // Cones of the palm reach from the wrist to a knuckle. Trackers disagree about the metacarpal joints between,
        // so the skin follows the wrist at the one end and the knuckle at the other.
        const Vector3f middle_m = between(at_rest.a_m, at_rest.b_m, 0.5F);
        const float radius_m = 0.5F * (at_rest.radius_a_m + at_rest.radius_b_m);
        bones_[0].push_back(field_cone({at_rest.a_m, middle_m, at_rest.radius_a_m, radius_m}));
        bones_[static_cast<std::size_t>(bone)].push_back(
            field_cone({middle_m, at_rest.b_m, radius_m, at_rest.radius_b_m}));
    }
    // The web of the thumb has no bone.
    const collision::RoundCone &thumb = cones[1], &index = cones[4];
    palm_.push_back({FieldCone(between(thumb.a_m, thumb.b_m, 0.60F), between(index.a_m, index.b_m, 0.66F), kWeb_mm * mm,
                               kWeb_mm * mm),
                     kWebBlend_mm * mm});
    for (int f = 0; f < 5; ++f) {
        const auto first = static_cast<std::size_t>(f == 0 ? 2 : 4 * f + 1), last = first + (f == 0 ? 1 : 2);
        Finger& finger = fingers_[static_cast<std::size_t>(f)];
        finger.center_m = 0.5F * (cones[first].a_m + cones[last].b_m);
        finger.reach_m = 0.0F;
        for (std::size_t bone = first; bone <= last; ++bone)
            finger.reach_m =
                std::max({finger.reach_m, (cones[bone].a_m - finger.center_m).norm() + cones[bone].radius_a_m,
                          (cones[bone].b_m - finger.center_m).norm() + cones[bone].radius_b_m});
        finger.reach_m += 2.0F * mm;
    }
}

float HandField::blended(const std::vector<Part>& parts, const Vector3f& point_m) {
    float d = parts.front().cone.distance_m(point_m);
    for (std::size_t i = 1; i < parts.size(); ++i)
        d = smooth_min(d, parts[i].cone.distance_m(point_m), parts[i].blend_m);
    return d;
}

float HandField::distance_m(const Vector3f& point_m) const {
    const float mm = kMillimetre * scale_;
    const Vector3f squeezed_m(kForearmSqueeze * point_m.x(), point_m.y(), point_m.z());
    const float palm = smooth_min(blended(palm_, point_m), forearm_.front().distance_m(squeezed_m), 22.0F * mm);
    float d = palm;
    for (std::size_t f = 0; f < fingers_.size(); ++f) {
        const Finger& finger = fingers_[f];
        const float blend_m = (f == 0 ? 13.0F : 11.0F) * mm;
        // A finger farther away than both blend widths cannot change the result.
        if ((point_m - finger.center_m).norm() - finger.reach_m > d + blend_m) continue;
        const float joined = smooth_min(palm, blended(finger.parts, point_m), blend_m);
        // Where neither finger changes the palm, both values equal the palm's, and a smooth minimum of equal values
        // would make it swell. So the blend width shrinks with each finger's contribution.
        const float adds = std::min(palm - joined, palm - d);
        const float between_fingers_m = std::min(2.5F * mm, 2.0F * adds);
        d = between_fingers_m > 1e-6F ? smooth_min(d, joined, between_fingers_m) : std::min(d, joined);
    }
    return d;
}

float HandField::bone_distance_m(int bone, const Vector3f& point_m) const {
    float d = 1.0F;
    for (const FieldCone& cone : bones_[static_cast<std::size_t>(bone)]) d = std::min(d, cone.distance_m(point_m));
    return d;
}

}  // namespace glovebox::vr
