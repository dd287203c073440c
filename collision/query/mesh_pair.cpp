#include "collision/query/mesh_pair.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <limits>

#include "collision/mesh/build.h"

namespace glovebox::collision {
namespace {

constexpr std::size_t kLanes = WideBoxes::kLanes;

// What meeting the children of a node and the triangles of a leaf cost; only the ratio matters.
constexpr float kNodeCost = 1.0F, kLeafCost = 1.0F;

// The cheapest way to cut each binary node's subtree into at most 1..7 wide nodes and leaves, from the leaves up
// [Ylitie17, sec. 3]. The cost of a cut is the area of its boxes: how often a random box meets them.
class Collapse {
  public:
    explicit Collapse(const BoxTree& tree) : tree_(tree), plans_(tree.nodes.size()) {
        for (std::size_t i = tree.nodes.size(); i-- > 0;) plan(i);
    }

    bool is_leaf(std::int32_t node) const { return at(node).leaf; }

    /// Binary nodes that become the children of the wide node made from `root`.
    void children_of(std::int32_t root, std::vector<std::int32_t>& children) const {
        children.clear();
        if (is_leaf(root))
            children.push_back(root);  // the whole mesh is one leaf
        else
            cut_below(root, kLanes, children);
    }

  private:
    struct Plan {
        std::array<float, kLanes> cost{};               // cost[j]: cut into at most j
        std::array<std::uint8_t, kLanes> pieces{};      // pieces[j]: how many of the j it takes
        std::array<std::uint8_t, kLanes + 1> to_low{};  // to_low[j]: how many of j pieces the low child gets
        std::int32_t triangles = 0;
        bool leaf = false;
    };

    const Plan& at(std::int32_t node) const { return plans_[static_cast<std::size_t>(node)]; }

    void plan(std::size_t i) {
        const BoxTree::Node& node = tree_.nodes[i];
        Plan& p = plans_[i];
        const float area = node.box.area_m2();
        if (node.count > 0) {
            assert(node.count <= static_cast<std::int32_t>(PairTree::kLeafTriangles));
            p.triangles = node.count;
            p.leaf = true;
            p.cost.fill(area * kLeafCost);
            p.pieces.fill(1);
            return;
        }
        const Plan &low = at(node.first), &high = at(node.first + 1);
        p.triangles = low.triangles + high.triangles;
        std::array<float, kLanes + 1> below{};  // cost of exactly j pieces of both children
        for (std::size_t j = 2; j <= kLanes; ++j) {
            below[j] = std::numeric_limits<float>::infinity();
            for (std::size_t k = 1; k < j; ++k) {
                const float cost = low.cost[k] + high.cost[j - k];
                if (!(cost < below[j])) continue;
                below[j] = cost;
                p.to_low[j] = static_cast<std::uint8_t>(k);
            }
        }
        const float as_node = area * kNodeCost + below[kLanes];
        p.leaf = p.triangles <= static_cast<std::int32_t>(PairTree::kLeafTriangles) && area * kLeafCost <= as_node;
        p.cost[1] = p.leaf ? area * kLeafCost : as_node;
        p.pieces[1] = 1;
        for (std::size_t j = 2; j < kLanes; ++j) {
            const bool better = below[j] < p.cost[j - 1];
            p.cost[j] = better ? below[j] : p.cost[j - 1];
            p.pieces[j] = better ? static_cast<std::uint8_t>(j) : p.pieces[j - 1];
        }
    }

    void cut(std::int32_t node, std::size_t most, std::vector<std::int32_t>& out) const {
        const std::size_t pieces = at(node).pieces[most];
        if (pieces == 1)
            out.push_back(node);
        else
            cut_below(node, pieces, out);
    }
    void cut_below(std::int32_t node, std::size_t pieces, std::vector<std::int32_t>& out) const {
        const std::int32_t child = tree_.nodes[static_cast<std::size_t>(node)].first;
        const std::size_t low = at(node).to_low[pieces];
        cut(child, low, out);
        cut(child + 1, pieces - low, out);
    }

    const BoxTree& tree_;
    std::vector<Plan> plans_;
};

void put(WideBoxes& boxes, std::size_t lane, const Obb& box) {
    for (int k = 0; k < 3; ++k) {
        boxes.center[k][lane] = box.center_m[k];
        boxes.half[k][lane] = box.half_m[k];
        for (int row = 0; row < 3; ++row) boxes.axes[3 * k + row][lane] = box.axes(row, k);
    }
}

void gather_triangles(const BoxTree& tree, std::int32_t node, std::vector<std::int32_t>& out) {
    const BoxTree::Node& n = tree.nodes[static_cast<std::size_t>(node)];
    for (std::int32_t i = 0; i < n.count; ++i) out.push_back(tree.order[static_cast<std::size_t>(n.first + i)]);
    if (n.count > 0) return;
    gather_triangles(tree, n.first, out);
    gather_triangles(tree, n.first + 1, out);
}

PairTree::Leaf leaf_of(const Mesh& mesh, std::span<const std::int32_t> triangles) {
    PairTree::Leaf leaf;
    for (auto& row : leaf.corners) std::fill(std::begin(row), std::end(row), std::numeric_limits<float>::quiet_NaN());
    std::fill(std::begin(leaf.triangle), std::end(leaf.triangle), -1);
    for (std::size_t lane = 0; lane < triangles.size(); ++lane) {
        const auto& corners = mesh.triangles[static_cast<std::size_t>(triangles[lane])];
        for (std::size_t c = 0; c < 3; ++c)
            for (int k = 0; k < 3; ++k)
                leaf.corners[3 * c + static_cast<std::size_t>(k)][lane] = mesh.vertices_m[corners[c]][k];
        leaf.triangle[lane] = triangles[lane];
    }
    return leaf;
}

}  // namespace

std::shared_ptr<const PairTree> PairTree::build(const Mesh& mesh) {
    BuildSettings settings;
    settings.max_leaf_triangles = 1;
    return std::make_shared<const PairTree>(mesh, build_tree(mesh, settings));
}

PairTree::PairTree(const Mesh& mesh, const BoxTree& binary)
    : root_(binary.nodes.front().box), triangle_count_(static_cast<std::int64_t>(binary.order.size())) {
    const Collapse collapse(binary);
    Obb nowhere;
    nowhere.center_m.setConstant(std::numeric_limits<float>::quiet_NaN());
    std::vector<Node> nodes;
    std::vector<Leaf> leaves;
    std::vector<std::int32_t> roots = {0}, children, triangles;  // binary roots of the wide nodes, by their numbers
    for (std::size_t number = 0; number < roots.size(); ++number) {
        collapse.children_of(roots[number], children);
        Node& node = nodes.emplace_back();
        for (std::size_t lane = 0; lane < kLanes; ++lane) {
            put(node.boxes, lane, nowhere);
            node.child[lane] = 0;
            if (lane >= children.size()) continue;
            const std::int32_t child = children[lane];
            put(node.boxes, lane, binary.nodes[static_cast<std::size_t>(child)].box);
            if (collapse.is_leaf(child)) {
                triangles.clear();
                gather_triangles(binary, child, triangles);
                node.child[lane] = ~static_cast<std::int32_t>(leaves.size());
                leaves.push_back(leaf_of(mesh, triangles));
            } else {
                node.child[lane] = static_cast<std::int32_t>(roots.size());
                roots.push_back(child);
            }
        }
    }
    nodes_ = std::move(nodes);
    leaves_ = std::move(leaves);
}

double PairTree::lanes_filled() const {
    std::size_t filled = 0;
    for (const Node& node : nodes())
        for (const float x : node.boxes.center[0]) filled += x == x ? 1 : 0;
    return static_cast<double>(filled) / static_cast<double>(nodes().size());
}

}  // namespace glovebox::collision
