// Cache for one rounded bone and one mesh: the triangles that were near the bone, each with the best separating
// direction.
//
// Wherever the bone moves, such a direction gives a lower bound of the distance to its triangle, in ten operations. The
// triangle with the smallest bound is tested exactly first; usually one or two tests suffice. All other triangles were
// farther away than the bone has moved since. Only the exact query uses the triangles: boxes are tested in every frame
// (descent.h). `glovebox bench frame --only memory` measures their effect on whole frames. For bones that are boxes
// none are cached, because that saved nothing.
//
// For a bone of any kind, the cache also keeps on which side of a closed mesh it was (MeshTree::contains()).
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
        float along[3][4];   ///< [coordinate][lane]: direction from the triangle to the bone, length <= 1
        float high[4];       ///< upper bound of the corners along that direction; minus infinity if unused
        std::int32_t at[4];  ///< index of the block times kBlockTriangles, plus the lane
    };
    std::int32_t count = -1;  ///< -1 if nothing is cached
    float beyond_m = 0.0F;    ///< all other triangles were farther away than this
    std::array<Four, kMax / 4> fours;
};

struct BoneMemory {
    std::shared_ptr<const void> mesh;  ///< keeps the mesh alive, so that no other mesh gets its address; see of()
    RoundCone cone = {Eigen::Vector3f::Zero(), Eigen::Vector3f::Zero(), -1.0F, -1.0F};
    int walks_left = 0;  ///< number of traversals before the cache is filled again
    int turn = 0;        ///< differs between a hand's bones, so that they refill in different frames
    /// The unit direction, from the triangle to the bone, of the largest separation that a visitor found. The visitor
    /// sets it or leaves it zero. If set, it replaces the cached direction.
    Eigen::Vector3f along = Eigen::Vector3f::Zero();
    NearTriangles triangles;
    /// A point in the mesh's frame and its signed distance: all points nearer to it than that are on the same side.
    Eigen::Vector3f known_point_m = Eigen::Vector3f::Zero();
    float known_distance_m = 0.0F;

    /// Clears the cache if it belongs to another mesh.
    BoneMemory& of(const std::shared_ptr<const void>& its_mesh) {
        if (mesh == its_mesh) return *this;
        mesh = its_mesh;
        triangles.count = -1;
        known_distance_m = 0.0F;
        walks_left = 0;
        return *this;
    }
};

/// Does the same as find_nearest() of obb_tree.h. Uses the cached triangles if they suffice; otherwise traverses the
/// parts and refills the cache.
void find_nearest(const ObbTree& tree, std::span<const TreePart> parts, const RoundCone& cone, double reach_m,
                  MeshTreeCounts& counts, NearVisit visit, BoneMemory& memory);

}  // namespace glovebox::collision
