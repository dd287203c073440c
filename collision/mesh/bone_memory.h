// Cache of one rounded bone and one mesh: the triangles that were near the bone, each with the best separating
// direction.
//
// In ten operations, such a direction gives a lower bound of the distance to the triangle, wherever the bone moves. The
// triangle with the smallest bound is tested exactly first; usually one or two tests suffice. All other triangles were
// farther away than the bone has moved since. Only the exact query uses the cache: boxes are tested in every frame
// (descent.h). `glovebox bench frame --only memory` measures its effect on whole frames. Bones that are boxes have no
// cache, because it saved nothing.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>

#include "collision/mesh/obb_tree.h"

namespace glovebox::collision {

struct NearTriangles {
    static constexpr std::int32_t kMax = 32;
    struct Four {
        float along[3][4];   ///< [coordinate]: direction from the triangle to the shape; length at most 1
        float high[4];       ///< upper bound of the triangle's corners along that direction; minus infinity: empty lane
        std::int32_t at[4];  ///< index of the block times kBlockTriangles, plus the lane
    };
    std::int32_t count = -1;  ///< -1: nothing is cached
    float beyond_m = 0.0F;    ///< all other triangles were farther away
    std::array<Four, kMax / 4> fours;
};

struct BoneMemory {
    std::shared_ptr<const void> mesh;  ///< held, so that no other mesh gets the same address; see of()
    RoundCone cone = {Eigen::Vector3f::Zero(), Eigen::Vector3f::Zero(), -1.0F, -1.0F};
    int walks_left = 0;  ///< traversals before the cache is filled again
    int turn = 0;        ///< differs between bones, so that a hand's bones do not all refill in the same frame
    /// Set by a visitor, or left zero: the unit direction from the triangle to the shape with the largest separation
    /// that the visitor found. It replaces the cached direction.
    Eigen::Vector3f along = Eigen::Vector3f::Zero();
    NearTriangles triangles;

    /// Clears the cache if it belongs to another mesh.
    BoneMemory& of(const std::shared_ptr<const void>& its_mesh) {
        if (mesh == its_mesh) return *this;
        mesh = its_mesh;
        triangles.count = -1;
        walks_left = 0;
        return *this;
    }
};

/// Does the same as find_nearest() of obb_tree.h. Uses the cached triangles if they suffice; otherwise traverses the
/// parts and refills the cache.
void find_nearest(const ObbTree& tree, std::span<const TreePart> parts, const RoundCone& cone, double reach_m,
                  MeshTreeCounts& counts, NearVisit visit, BoneMemory& memory);

}  // namespace glovebox::collision
