// Trees of aligned boxes over meshes that bend: how much of the tree must follow the vertices every frame?
//
//   full       every box, from the leaves up [VanDenBergen97]
//   on_demand  the upper half of the levels at once, each box below only when a query comes to it [Larsson01]
//
// The boxes are the same wherever a query looks. On demand spares what no one looks at: most of the tree when bodies
// are apart. In close proximity every box is asked for, and each costs a walk over all triangles beneath it.
#pragma once

#include <span>
#include <vector>

#include "collision/survey/traversal/traversal.h"

namespace glovebox::collision {

enum class Update : std::uint8_t { full, on_demand };

class OnDemandTree {
  public:
    explicit OnDemandTree(Mesh mesh, const HierarchySettings& settings = {});

    /// The vertices of this frame: as many as before, in the frame that both trees of a query share. Throws
    /// std::invalid_argument where they are more or fewer.
    void move(std::span<const Eigen::Vector3f> vertices_m, Update update);

    const Topology& topology() const { return topology_; }
    const Mesh& mesh() const { return mesh_; }
    /// Brings the box up to date first where it must.
    const Aabb& box(std::int32_t node) {
        const auto at = static_cast<std::size_t>(node);
        if (stamp_[at] != frame_) fit(node);
        return boxes_[at];
    }
    std::int64_t boxes_fitted() const { return fitted_; }       ///< n_u since the last move()
    std::int64_t triangles_read() const { return triangles_; }  ///< by those fits: what n_u costs

  private:
    void fit(std::int32_t node);
    void merge(std::size_t node);

    Mesh mesh_;
    Topology topology_;
    std::vector<Aabb> boxes_;
    std::vector<std::uint32_t> stamp_;
    std::uint32_t frame_ = 1;  // no box is of this frame yet
    std::int32_t cut_depth_ = 0;
    std::int64_t fitted_ = 0, triangles_ = 0;
};

/// All overlapping pairs of triangles; replaces memory.hits. n_v and n_p as of the query, n_u by the trees' own
/// counters.
Answer all_pairs(OnDemandTree& a, OnDemandTree& b, TraversalMemory& memory);

}  // namespace glovebox::collision
