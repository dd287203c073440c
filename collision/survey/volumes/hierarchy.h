// Trees of any kind of bounding volume over the triangles of a mesh.
//
// The topology is made top-down, by splitting at the mean of the centroids along their widest axis, or bottom-up, by
// clustering neighbours along a space-filling curve [Meister18] (a modern form of Quinlan's tiling). Volumes are
// wrapped, each around the triangles below it, or layered, each around its two children's volumes [Quinlan94]. Layered
// volumes are fast to fit but never tighter. These trees serve to compare kinds of volume; scenes use
// collision/mesh/mesh_tree.h.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "collision/mesh/mesh.h"
#include "collision/survey/volumes/volume.h"

namespace glovebox::collision {

enum class Construction : std::uint8_t { top_down, bottom_up };
enum class Bounding : std::uint8_t { wrapped, layered };

struct HierarchySettings {
    Construction construction = Construction::top_down;
    Bounding bounding = Bounding::wrapped;
    int max_leaf_triangles = 2;  ///< a larger number gives fewer volumes but more triangle tests
};

/// The nodes of a tree without their volumes. Siblings are adjacent and follow their parent. Every node owns a
/// contiguous range of `order`.
struct Topology {
    struct Node {
        std::int32_t child = -1;            ///< index of the first of two children; -1 for a leaf
        std::int32_t first = 0, count = 0;  ///< the node's triangles are order[first, first + count)
        std::int32_t depth = 0;
        Eigen::Vector3f middle_m;  ///< centre of the AABB of its triangles
        float radius_m = 0.0F,
              area_m2 = 0.0F;  ///< half diagonal and surface area of that box, whatever kind the volumes are
        bool is_leaf() const { return child < 0; }
    };
    std::vector<Node> nodes;          ///< the root first
    std::vector<std::int32_t> order;  ///< triangle indices
};

/// Builds the topology. Throws what check(mesh) throws.
Topology make_topology(const Mesh& mesh, const HierarchySettings& settings);

/// Replaces `out` by the corners of the node's triangles. Shared corners are repeated.
void gather_points(const Mesh& mesh, const Topology& topology, const Topology::Node& node,
                   std::vector<Eigen::Vector3f>& out);

template <typename V>
struct Hierarchy {
    Mesh mesh;
    Topology topology;
    std::vector<typename V::Type> volumes;  ///< one per node

    static Hierarchy build(Mesh mesh, const HierarchySettings& settings = {}) {
        Hierarchy tree;
        tree.topology = make_topology(mesh, settings);
        tree.mesh = std::move(mesh);
        tree.volumes.resize(tree.topology.nodes.size());
        tree.refit(settings.bounding);
        return tree;
    }

    /// Refits all volumes to the mesh's current vertices. The topology stays as it is [VanDenBergen97].
    void refit(Bounding bounding) {
        std::vector<Eigen::Vector3f> points;
        for (std::size_t i = volumes.size(); i-- > 0;) {
            const Topology::Node& node = topology.nodes[i];
            if (bounding == Bounding::layered && !node.is_leaf()) {
                const auto child = static_cast<std::size_t>(node.child);
                volumes[i] = V::merge(volumes[child], volumes[child + 1]);
            } else {
                gather_points(mesh, topology, node, points);
                volumes[i] = V::fit(points);
            }
        }
    }
};

}  // namespace glovebox::collision
