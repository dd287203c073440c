// Box trees with 4 or 8 children per node, laid out for one SIMD test of a box against all children.
//
// A wide tree is made from a binary tree by opening the largest boxes first. There are three layouts; `glovebox bench
// fitters` measures their cost, and docs/how-to/trees.md explains them.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "collision/mesh/box_tree.h"
#include "collision/mesh/tree_query.h"

namespace glovebox::collision {

/// Boxes of one node's children, by component. Lane k of every array belongs to child k. Unused lanes overlap nothing.
struct WideBoxes {
    static constexpr std::size_t kLanes = 8;
    float center[3][kLanes], axes[9][kLanes], half[3][kLanes];  ///< axes: column by column
};

/// Returns a mask in which bit k is set if the box overlaps child k. The result equals overlap(box, child) of box.h (15
/// axes).
std::uint32_t overlap_mask(const Obb& box, const WideBoxes& children, std::size_t lanes);
std::uint32_t overlap_mask_scalar(const Obb& box, const WideBoxes& children, std::size_t lanes);

enum class WideLayout : std::uint8_t {
    four,   ///< 4 children, float
    eight,  ///< 8 children, float
    /// 8 children, 20 bytes each. Centre, extents and a quaternion are 16-bit numbers relative to the node's own box.
    /// Extents are rounded up, so that the boxes still contain all triangles.
    eight_quantised,
};
struct WideLayoutRow {
    WideLayout layout;
    std::string_view name;
    std::size_t width;
};
std::span<const WideLayoutRow> wide_layouts();

class WideTree {
  public:
    /// Converts a binary tree; its leaves are kept unchanged.
    WideTree(const BoxTree& binary, WideLayout layout);

    std::size_t node_count() const { return count_; }
    std::size_t memory_bytes() const;
    double lanes_filled() const { return filled_; }  ///< mean number of children per node
    std::size_t width() const { return width_; }

    struct Child {
        std::int32_t first;  ///< index of an inner node, or index in order() of a leaf's first triangle
        std::int32_t count;  ///< number of triangles of a leaf; 0 for an inner node, -1 for an unused lane
    };
    std::span<const Child> children(std::int32_t node) const {
        return {children_.data() + static_cast<std::size_t>(node) * width_, width_};
    }
    /// Returns the boxes of a node's children. If they are quantised or four, they are decoded into `room`.
    const WideBoxes& boxes(std::int32_t node, WideBoxes& room) const;
    const Obb& root_box() const { return root_; }
    std::span<const std::int32_t> order() const { return order_; }

  private:
    struct Packed {                      // one node, quantised
        float center[3], axes[9], step;  // the node's own box; the length of one unit of offset and half
        std::int16_t offset[3][8], quaternion[4][8];
        std::uint16_t half[3][8];
    };
    struct Four {
        float center[3][4], axes[9][4], half[3][4];
    };
    static void decode(const Packed& node, std::size_t lane, WideBoxes& room);
    void store(const BoxTree& binary, std::int32_t frame, std::span<const std::int32_t> members);

    WideLayout layout_;
    std::size_t width_, count_ = 0;
    double filled_ = 0.0;
    Obb root_;
    std::vector<Child> children_;
    std::vector<WideBoxes> eights_;
    std::vector<Four> fours_;
    std::vector<Packed> packed_;
    std::vector<std::int32_t> order_;
};

struct MeshAndWideTree {
    const Mesh& mesh;
    const WideTree& tree;
};

/// Does the same as the function of tree_query.h. The larger box is opened, and one SIMD test covers all its children.
/// box_tests counts these tests, not the children.
void touching_triangles(const MeshAndWideTree& a, const MeshAndWideTree& b, const Eigen::Isometry3f& a_from_b,
                        TrianglePairs& pairs, TreeQueryCounts& counts);

}  // namespace glovebox::collision
