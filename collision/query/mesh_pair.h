// One mesh against another: which triangles touch, found as fast as this machine can.
//
// A tree of oriented boxes with eight children a node, laid out so that one box meets all eight at once, and with up to
// four triangles a leaf, laid out so that eight pairs of triangles are ruled out at once. Boxes and planes are tested
// in float with bounds of the rounding error; whatever they cannot rule out is decided exactly (triangle_pair.h). So
// the answer is the set that testing every triangle against every other would give, and no other. The tree is made from
// a binary one by choosing the collapse of least expected cost [Ylitie17, sec. 3]: 7 of 8 lanes are filled, and a
// triangle takes about 100 bytes, its corners included.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "collision/mesh/tree_query.h"
#include "collision/mesh/wide_tree.h"

namespace glovebox::collision {

class PairTree {
  public:
    /// Throws what check(mesh) throws. Deterministic. 70,000 triangles take about 0.1 s; the mesh is not kept.
    static std::shared_ptr<const PairTree> build(const Mesh& mesh);

    /// From a tree of the same mesh that lists every triangle once, best with leaves of one.
    PairTree(const Mesh& mesh, const BoxTree& binary);

    std::size_t memory_bytes() const { return nodes().size_bytes() + leaves().size_bytes(); }
    std::size_t node_count() const { return nodes().size(); }
    double lanes_filled() const;  ///< mean number of children a node, of 8
    std::int64_t triangle_count() const { return triangle_count_; }
    const Obb& root_box() const { return root_; }

    static constexpr std::size_t kLeafTriangles = 4;
    struct Node {
        WideBoxes boxes;
        std::int32_t child[WideBoxes::kLanes];  ///< a node, or ~number of a leaf; an unused lane's box is nowhere
    };
    struct Leaf {
        float corners[9][kLeafTriangles];  ///< x y z of the first corners, the second, the third; unused lanes are NaN
        std::int32_t triangle[kLeafTriangles];  ///< numbers in the mesh; -1: unused
    };
    std::span<const Node> nodes() const { return nodes_; }
    std::span<const Leaf> leaves() const { return leaves_; }

  private:
    Obb root_;
    std::vector<Node> nodes_;
    std::vector<Leaf> leaves_;
    std::int64_t triangle_count_ = 0;
};

/// The waiting pairs of a query, kept from query to query so that none allocates once it has grown.
struct PairQueryMemory {
    struct Waiting {
        float box[15];  ///< of the side that is not opened, in the other's frame: centre, axes column by column, half
        std::int32_t opened, other;
        bool opened_is_a;
    };
    std::vector<Waiting> waiting;
};

/// Every touching pair (triangle of a, triangle of b), appended once each, in no particular order but always the same.
/// box_tests counts one box against eight. A pose that is not finite touches nothing.
void touching_triangles(const PairTree& a, const PairTree& b, const Eigen::Isometry3f& a_from_b, TrianglePairs& pairs,
                        TreeQueryCounts& counts, PairQueryMemory& memory);

/// Is there one? Where boxes overlap deepest is looked at first; stops at the first.
bool touch(const PairTree& a, const PairTree& b, const Eigen::Isometry3f& a_from_b, TreeQueryCounts& counts,
           PairQueryMemory& memory);

}  // namespace glovebox::collision
