// What one rounded bone remembers of one mesh: the triangles that were near it, each with the best separating
// direction.
//
// Wherever the bone goes, such a direction says how far it is from the triangle at least, in ten operations; the least
// of these bounds is asked exactly, and most of the time one or two triangles settle it. All others were further away
// than the bone has moved since. It is part of the exact query alone: boxes are tested every frame (descent.h).
// What it is worth in whole frames is measured by `glovebox bench frame --only memory`. Boxes have none: theirs was
// worth nothing.
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
        float along[3][4];   ///< [coordinate]: from the triangle to the shape; not longer than 1
        float high[4];       ///< no corner of the triangle is higher; minus infinity: none
        std::int32_t at[4];  ///< number of the block times kBlockTriangles, plus the lane
    };
    std::int32_t count = -1;  ///< -1: nothing is kept
    float beyond_m = 0.0F;    ///< all others were further away
    std::array<Four, kMax / 4> fours;
};

struct BoneMemory {
    std::shared_ptr<const void> mesh;  ///< kept, so that no other one comes to lie where it was; see of()
    RoundCone cone = {Eigen::Vector3f::Zero(), Eigen::Vector3f::Zero(), -1.0F, -1.0F};
    int walks_left = 0;  ///< before it is worth a try to remember again
    int turn = 0;        ///< other for each bone, so that not all of a hand look again in the same frame
    /// For a visitor to set, or to leave zero: the unit direction from the triangle to the shape along which it has
    /// found the two to be furthest apart. It is kept instead of what there was.
    Eigen::Vector3f along = Eigen::Vector3f::Zero();
    NearTriangles triangles;

    /// Forgets what was of another mesh.
    BoneMemory& of(const std::shared_ptr<const void>& its_mesh) {
        if (mesh == its_mesh) return *this;
        mesh = its_mesh;
        triangles.count = -1;
        walks_left = 0;
        return *this;
    }
};

/// Visits what find_nearest() would: from what is remembered where that tells, else from the parts, and remembers.
void find_nearest(const ObbTree& tree, std::span<const TreePart> parts, const RoundCone& cone, double reach_m,
                  MeshTreeCounts& counts, NearVisit visit, BoneMemory& memory);

}  // namespace glovebox::collision
