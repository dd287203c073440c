// Finds each bone's skinning matrix (affine) by skinning probe points bound to that bone alone.
#pragma once

#include "vr/render/hand_skeleton.h"

namespace glovebox::vr {

inline std::array<Eigen::Matrix4f, kSkinBoneCount> matrices_of(const SkinPose& pose) {
    std::array<Eigen::Matrix4f, kSkinBoneCount> matrices;
    for (std::size_t b = 0; b < kSkinBoneCount; ++b) {
        const auto moved = [&](const Eigen::Vector3f& rest_m) {
            return bent(pose, rest_m, {1.0F, 0.0F, 0.0F, 0.0F}, {static_cast<std::uint8_t>(b), 0, 0, 0});
        };
        const Eigen::Vector3f origin_m = moved(Eigen::Vector3f::Zero());
        matrices[b].setIdentity();
        matrices[b].topRightCorner<3, 1>() = origin_m;
        for (int axis = 0; axis < 3; ++axis)
            matrices[b].block<3, 1>(0, axis) = moved(Eigen::Vector3f::Unit(axis)) - origin_m;
    }
    return matrices;
}

}  // namespace glovebox::vr
