// Trees of axis-aligned boxes over deforming meshes, to measure how much of a tree must be refitted every frame.
//
//   full       refits every box, bottom-up [VanDenBergen97]
//   on_demand  refits the upper half of the levels at once, and a lower box only when a query reaches it [Larsson01]
//
// A query reads the same boxes with both. On-demand refit saves the boxes that no query reads: most of the tree if
// bodies are disjoint. In close proximity every box is needed, and refitting each costs a pass over all triangles below
// it.
#pragma once

#include <span>
#include <vector>

#include "collision/survey/traversal/traversal.h"

namespace glovebox::collision {

enum class Update : std::uint8_t { full, on_demand };

class OnDemandTree {
  public:
    explicit OnDemandTree(Mesh mesh, const HierarchySettings& settings = {});

    /// Sets the vertices of this frame, in the frame of reference that both trees of a query share. Throws
    /// std::invalid_argument if their number differs from the mesh's.
    void move(std::span<const Eigen::Vector3f> vertices_m, Update update);

    const Topology& topology() const { return topology_; }
    const Mesh& mesh() const { return mesh_; }
    /// Returns the box of a node; refits it first if it is out of date.
    const Aabb& box(std::int32_t node) {
        const auto at = static_cast<std::size_t>(node);
        if (stamp_[at] != frame_) fit(node);
        return boxes_[at];
    }
    std::int64_t boxes_fitted() const { return fitted_; }       ///< n_u since the last move()
    std::int64_t triangles_read() const { return triangles_; }  ///< triangles that those refits read; the cost of n_u

  private:
    void fit(std::int32_t node);
    void merge(std::size_t node);

    Mesh mesh_;
    Topology topology_;
    std::vector<Aabb> boxes_;
    std::vector<std::uint32_t> stamp_;
    std::uint32_t frame_ = 1;  // counts frames; at first, no box belongs to this frame
    std::int32_t cut_depth_ = 0;
    std::int64_t fitted_ = 0, triangles_ = 0;
};

/// Finds all overlapping pairs of triangles; replaces memory.hits. n_v and n_p of the result are those of the query;
/// n_u is in the trees' own counters.
Answer all_pairs(OnDemandTree& a, OnDemandTree& b, TraversalMemory& memory);

}  // namespace glovebox::collision
