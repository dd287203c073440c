#include "tracking/hand_geometry.h"

#include <array>
#include <cmath>

namespace glovebox::tracking {
namespace {

using Eigen::Vector3f;

// First joint (metacarpal) and last (tip) of each finger, thumb first.
constexpr std::array<int, kFingerCount> kBase = {2, 6, 11, 16, 21};
constexpr std::array<int, kFingerCount> kTip = {5, 10, 15, 20, 25};

bool has_position(const HandFrame& frame, int joint) {
    return has_position(frame, static_cast<Joint>(joint));
}
const Vector3f& at(const HandFrame& frame, int joint) {
    return frame.joints[static_cast<std::size_t>(joint)].position_m;
}

Vector3f unit_or_zero(const Vector3f& v) {
    const float length = v.norm();
    return length > 1e-9F ? Vector3f(v / length) : Vector3f::Zero();
}

// Returns axes from the bone's direction and a hint of its dorsal side: x, y (dorsal), z (backwards along the bone).
std::optional<Eigen::Quaternionf> joint_axes(const Vector3f& along, const Vector3f& dorsal_hint) {
    const Vector3f z = -along;
    const Vector3f x = unit_or_zero(dorsal_hint.cross(z));
    if (x.isZero()) return std::nullopt;
    Eigen::Matrix3f axes;
    axes << x, z.cross(x), z;
    return Eigen::Quaternionf(axes).normalized();
}

void set_orientation(JointPose& joint, const std::optional<Eigen::Quaternionf>& orientation) {
    if (!orientation || joint.orientation_valid()) return;
    joint.orientation = *orientation;
    joint.flags |= joint_flags::kOrientationValid;
}

// Returns the dorsal direction of a whole finger without regard to its bend. The thumb is across the palm: its pad
// faces a point below the little-finger side of the palm, its nail the opposite way.
Vector3f dorsal_hint(const HandFrame& frame, int finger, const Vector3f& palm_dorsal) {
    if (finger != 0) return palm_dorsal;
    const Joint across = has_position(frame, Joint::ring_proximal) ? Joint::ring_proximal : Joint::middle_proximal;
    const int own = has_position(frame, Joint::thumb_proximal) ? 3 : 4;
    if (!has_position(frame, across) || !has_position(frame, Joint::wrist) || !has_position(frame, own))
        return palm_dorsal;
    const float palm_m = (frame[across].position_m - frame[Joint::wrist].position_m).norm();
    const Vector3f target = frame[across].position_m - 0.5F * palm_m * palm_dorsal;
    return unit_or_zero(at(frame, own) - target);
}

void orient_finger(HandFrame& frame, int finger, const Vector3f& palm_dorsal) {
    const int base = kBase[static_cast<std::size_t>(finger)];
    const int tip = kTip[static_cast<std::size_t>(finger)];
    std::array<Vector3f, 4> along;  // along[k] is the bone from joint base + k to the next
    const int bones = tip - base;
    for (int k = 0; k < bones; ++k) {
        const bool whole = has_position(frame, base + k) && has_position(frame, base + k + 1);
        along[static_cast<std::size_t>(k)] =
            whole ? unit_or_zero(at(frame, base + k + 1) - at(frame, base + k)) : Vector3f(Vector3f::Zero());
    }

    // Hinge axis: bending towards the palm turns each bone about -x of the previous one. So the cross product of the
    // previous and the next bone points to +x, with the sine of the bend as its length. Backward bends do not count.
    const Vector3f hint = dorsal_hint(frame, finger, palm_dorsal);
    const Vector3f first = along[finger == 0 ? 0 : 1].isZero() ? along[0] : along[finger == 0 ? 0 : 1];
    const Vector3f hinge_hint = unit_or_zero(hint.cross(-first));
    // A bend of 15 degrees has the same weight as the hint; for smaller bends, noise would turn the axis.
    Vector3f hinge = 0.26F * hinge_hint;
    for (int k = finger == 0 ? 0 : 1; k + 1 < bones; ++k) {
        const Vector3f bend = along[static_cast<std::size_t>(k) + 1].cross(along[static_cast<std::size_t>(k)]);
        if (bend.dot(hinge_hint) > 0.0F) hinge += bend;
    }

    std::optional<Eigen::Quaternionf> orientation;
    for (int k = 0; k < bones; ++k) {
        const Vector3f& bone = along[static_cast<std::size_t>(k)];
        if (!bone.isZero()) {
            const Vector3f dorsal = finger != 0 && k == 0 ? palm_dorsal : Vector3f((-bone).cross(hinge));
            orientation = joint_axes(bone, dorsal);
        } else {
            orientation.reset();
        }
        if (has_position(frame, base + k))
            set_orientation(frame.joints[static_cast<std::size_t>(base + k)], orientation);
    }
    if (has_position(frame, tip)) set_orientation(frame.joints[static_cast<std::size_t>(tip)], orientation);
}

void place(HandFrame& frame, const JointSet& lacking, Joint joint, bool possible, const Vector3f& position_m) {
    if (!lacking.test(static_cast<std::size_t>(joint)) || !possible || has_position(frame, joint)) return;
    frame[joint].position_m = position_m;
    frame[joint].flags |= joint_flags::kPositionValid;
}

}  // namespace

bool has_position(const HandFrame& frame, Joint joint) {
    return frame[joint].position_valid() && frame[joint].position_m.allFinite();
}

JointSet valid_positions(const HandFrame& frame) {
    JointSet set;
    for (int i = 0; i < kJointCount; ++i) set.set(static_cast<std::size_t>(i), has_position(frame, i));
    return set;
}

Vector3f dorsal_direction(const HandFrame& frame) {
    if (!has_position(frame, Joint::wrist) || !has_position(frame, Joint::index_proximal)) return Vector3f::Zero();
    const Joint outer = has_position(frame, Joint::little_proximal) ? Joint::little_proximal : Joint::ring_proximal;
    if (!has_position(frame, outer)) return Vector3f::Zero();
    const Vector3f to_index = frame[Joint::index_proximal].position_m - frame[Joint::wrist].position_m;
    const Vector3f to_outer = frame[outer].position_m - frame[Joint::wrist].position_m;
    const Vector3f right_hand = unit_or_zero(to_outer.cross(to_index));
    return frame.side == Side::right ? right_hand : Vector3f(-right_hand);
}

void orient_from_positions(HandFrame& frame) {
    const Vector3f dorsal = dorsal_direction(frame);
    if (dorsal.isZero()) return;
    if (has_position(frame, Joint::middle_proximal)) {
        const Vector3f along = unit_or_zero(frame[Joint::middle_proximal].position_m - frame[Joint::wrist].position_m);
        set_orientation(frame[Joint::wrist], joint_axes(along, dorsal));
        if (has_position(frame, Joint::palm)) set_orientation(frame[Joint::palm], joint_axes(along, dorsal));
    }
    for (int finger = 0; finger < kFingerCount; ++finger) orient_finger(frame, finger, dorsal);
}

void place_missing_joints(const JointSet& lacking, HandFrame& frame) {
    const bool wrist = has_position(frame, Joint::wrist);
    const Vector3f wrist_m = frame[Joint::wrist].position_m;
    for (int finger = 0; finger < kFingerCount; ++finger) {
        const int base = kBase[static_cast<std::size_t>(finger)];
        const int tip = kTip[static_cast<std::size_t>(finger)];
        const float share = finger == 0 ? 0.44F : 0.36F;
        place(frame, lacking, static_cast<Joint>(base), wrist && has_position(frame, base + 1),
              wrist_m + share * (at(frame, base + 1) - wrist_m));
        place(frame, lacking, static_cast<Joint>(tip), has_position(frame, tip - 1) && has_position(frame, tip - 2),
              at(frame, tip - 1) + 0.7F * (at(frame, tip - 1) - at(frame, tip - 2)));
    }
    place(frame, lacking, Joint::palm,
          has_position(frame, Joint::middle_metacarpal) && has_position(frame, Joint::middle_proximal),
          0.5F * (frame[Joint::middle_metacarpal].position_m + frame[Joint::middle_proximal].position_m));
}

float hand_length_m(const HandFrame& frame) {
    constexpr std::array kChain = {Joint::wrist, Joint::middle_proximal, Joint::middle_intermediate,
                                   Joint::middle_distal, Joint::middle_tip};
    float length_m = 0.0F;
    for (std::size_t i = 0; i < kChain.size(); ++i) {
        if (!has_position(frame, kChain[i])) return 0.0F;
        if (i > 0) length_m += (frame[kChain[i]].position_m - frame[kChain[i - 1]].position_m).norm();
    }
    return length_m;
}

bool is_longer_than_any(Joint joint, float bone_m) {
    const Joint parent = parent_of(joint);
    if (joint == Joint::palm || joint == Joint::wrist || parent == Joint::wrist) return false;
    return bone_m > (parent_of(parent) == Joint::wrist ? 0.11F : 0.08F);
}

bool has_relative_positions(const HandFrame& frame) {
    // The bones of a finger become shorter by 1.8. Around a wrist, tips of a fist may be near too, but in no single
    // direction.
    constexpr float kSameWay = 0.995F, kShorter = 1.5F;
    Vector3f directions = Vector3f::Zero();
    float first = 0.0F, last = 0.0F;
    int count = 0;
    for (std::size_t finger = 1; finger < kFingerCount; ++finger)
        for (int joint = kTip[finger] - 2; joint <= kTip[finger]; ++joint) {
            if (!has_position(frame, joint)) return false;
            directions += unit_or_zero(at(frame, joint));
            ++count;
            if (joint == kTip[finger] - 2) first += at(frame, joint).norm();
            if (joint == kTip[finger]) last += at(frame, joint).norm();
        }
    return directions.norm() > kSameWay * static_cast<float>(count) && first > kShorter * last;
}

bool is_at_one_point(const HandFrame& frame) {
    const Vector3f* first = nullptr;
    for (const JointPose& joint : frame.joints) {
        if (!joint.position_valid() || !joint.position_m.allFinite()) continue;
        if (first == nullptr) first = &joint.position_m;
        if (joint.position_m != *first) return false;
    }
    return first != nullptr;
}

void mirror_x(HandFrame& frame) {
    for (JointPose& joint : frame.joints) {
        joint.position_m.x() = -joint.position_m.x();
        joint.orientation.y() = -joint.orientation.y();
        joint.orientation.z() = -joint.orientation.z();
    }
}

void ChiralityVote::add(const HandFrame& frame) {
    HandFrame as_right = frame;
    as_right.side = Side::right;
    const Vector3f dorsal = dorsal_direction(as_right);
    if (dorsal.isZero()) return;
    for (int finger = 1; finger < kFingerCount; ++finger) {
        const int knuckle = kBase[static_cast<std::size_t>(finger)] + 1;
        if (!has_position(frame, knuckle) || !has_position(frame, knuckle + 1) || !has_position(frame, knuckle + 2))
            continue;
        const Vector3f proximal = unit_or_zero(at(frame, knuckle + 1) - at(frame, knuckle));
        const Vector3f intermediate = unit_or_zero(at(frame, knuckle + 2) - at(frame, knuckle + 1));
        // The middle bone's deviation from the first towards the palm. That joint cannot bend the other way.
        const Vector3f leaves = intermediate - proximal.dot(intermediate) * proximal;
        const Vector3f palmar = unit_or_zero(-dorsal + proximal.dot(dorsal) * proximal);
        const double bend = static_cast<double>(leaves.dot(palmar));
        score += bend;
        magnitude += std::abs(bend);
    }
}

std::optional<Side> ChiralityVote::side() const {
    if (magnitude < 0.05 || std::abs(score) < 0.5 * magnitude) return std::nullopt;
    return score > 0.0 ? Side::right : Side::left;
}

}  // namespace glovebox::tracking
