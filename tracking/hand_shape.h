// The shapes of a user's bones where they differ from those that joints and radii give.
//
// The flesh of a hand is not centred on its joints: pads are below a finger, and the palm is not a tube around each
// metacarpal. A shape moves both ends of each bone off their joints and gives each end its own radius.
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstddef>
#include <optional>

namespace glovebox::tracking {

/// Number of bones of a hand; scenes/hand_body.h lists them.
inline constexpr std::size_t kBoneCount = 20;

/// Offsets of a bone's ends from its joints, and its radii. Offsets of a finger's bone are in the frame of its first
/// joint, those of the palm's bones in the frame of the wrist.
struct BoneShape {
    Eigen::Vector3f from_offset_m = Eigen::Vector3f::Zero(), to_offset_m = Eigen::Vector3f::Zero();
    float from_radius_m = 0.0F, to_radius_m = 0.0F;

    bool operator==(const BoneShape& other) const {
        return from_offset_m == other.from_offset_m && to_offset_m == other.to_offset_m &&
               from_radius_m == other.from_radius_m && to_radius_m == other.to_radius_m;
    }
};

using HandShape = std::array<BoneShape, kBoneCount>;

/// A bone's shape as files store it: the offset of the first end, that of the second, and their radii.
using BoneNumbers = std::array<float, 8>;

inline BoneNumbers numbers_of(const BoneShape& bone) {
    const Eigen::Vector3f &a = bone.from_offset_m, &b = bone.to_offset_m;
    return {a.x(), a.y(), a.z(), b.x(), b.y(), b.z(), bone.from_radius_m, bone.to_radius_m};
}

/// Returns nothing if a number is not finite or larger than 0.2 m, or a radius is negative.
inline std::optional<BoneShape> bone_of_numbers(const BoneNumbers& n) {
    constexpr float kLargest_m = 0.2F;
    for (std::size_t k = 0; k < n.size(); ++k)
        if (!(n[k] >= (k < 6 ? -kLargest_m : 0.0F) && n[k] <= kLargest_m)) return std::nullopt;
    return BoneShape{{n[0], n[1], n[2]}, {n[3], n[4], n[5]}, n[6], n[7]};
}

/// Returns the shape of the other hand: the joints' frames of a left hand are those of a right one, mirrored in x.
inline HandShape mirrored(HandShape shape) {
    for (BoneShape& bone : shape) {
        bone.from_offset_m.x() *= -1.0F;
        bone.to_offset_m.x() *= -1.0F;
    }
    return shape;
}

}  // namespace glovebox::tracking
