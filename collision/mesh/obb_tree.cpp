#include "collision/mesh/obb_tree.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>

#include "collision/mesh/build.h"
#include "collision/mesh/tree_check.h"

namespace glovebox::collision {
namespace {

using Eigen::Matrix3f;
using Eigen::Vector3f;

constexpr std::size_t kWidth = ObbTree::kWidth;
constexpr auto kLeafTriangles = static_cast<std::int32_t>(ObbTree::kBlockTriangles);

static_assert(sizeof(ObbTree::Node) == 128 && sizeof(ObbTree::Block) == 160);
static_assert(ObbTree::kMaxWaiting > (kWidth - 1) * kDeepestTree);

// Costs of visiting a node's children and a block's triangles; only the ratio matters.
constexpr float kNodeCost = 1.0F, kBlockCost = 1.0F;

// A node of the binary tree whose triangles are contiguous in `order`; leaves hold at most a block.
struct Part {
    std::int32_t box;           // index in the binary tree
    std::int32_t low, high;     // parts; -1: a leaf
    std::int32_t first, count;  // triangles in the order of the leaves
};
struct Parts {
    std::vector<Part> all;  // the root first; children follow their parents
    std::vector<std::int32_t> order;
};

// Orders triangles depth-first, so that those of every node are contiguous.
class Rows {
  public:
    explicit Rows(const BoxTree& tree) : tree_(tree) {
        parts.all.reserve(tree.nodes.size());
        parts.order.reserve(tree.order.size());
        add(0);
    }
    Parts parts;

  private:
    std::int32_t add(std::int32_t node) {
        const BoxTree::Node& n = tree_.nodes[static_cast<std::size_t>(node)];
        if (n.count > 0) {
            const auto first = static_cast<std::int32_t>(parts.order.size());
            const auto begin = tree_.order.begin() + n.first;
            parts.order.insert(parts.order.end(), begin, begin + n.count);
            return halve(node, first, n.count);
        }
        const auto at = static_cast<std::int32_t>(parts.all.size());
        const auto first = static_cast<std::int32_t>(parts.order.size());
        parts.all.push_back({node, -1, -1, first, 0});
        const std::int32_t low = add(n.first), high = add(n.first + 1);
        Part& part = parts.all[static_cast<std::size_t>(at)];
        part.low = low;
        part.high = high;
        part.count = static_cast<std::int32_t>(parts.order.size()) - first;
        return at;
    }
    // Splits a leaf with more triangles than a block by number.
    std::int32_t halve(std::int32_t node, std::int32_t first, std::int32_t count) {
        const auto at = static_cast<std::int32_t>(parts.all.size());
        parts.all.push_back({node, -1, -1, first, count});
        if (count <= kLeafTriangles) return at;
        const std::int32_t half = count / 2;
        const std::int32_t low = halve(node, first, half), high = halve(node, first + half, count - half);
        parts.all[static_cast<std::size_t>(at)].low = low;
        parts.all[static_cast<std::size_t>(at)].high = high;
        return at;
    }

    const BoxTree& tree_;
};

// Finds the cheapest way to cut each part into at most 1..7 nodes and blocks, bottom-up [Ylitie17, sec. 3]. The cost of
// a cut is the area of its boxes: how often a random box meets them.
class Collapse {
  public:
    Collapse(const BoxTree& tree, const Parts& parts) : parts_(parts), plans_(parts.all.size()) {
        for (std::size_t i = parts.all.size(); i-- > 0;)
            plan(i, tree.nodes[static_cast<std::size_t>(parts.all[i].box)].box.area_m2());
    }

    bool is_block(std::int32_t part) const { return plan_of(part).block; }

    /// Returns the parts that become the children of the node made from `root`.
    void children_of(std::int32_t root, std::vector<std::int32_t>& children) const {
        children.clear();
        if (is_block(root))
            children.push_back(root);  // the whole mesh is one block
        else
            cut_below(root, kWidth, children);
    }

  private:
    struct Plan {
        std::array<float, kWidth> cost{};               // cost[j]: cut into at most j
        std::array<std::uint8_t, kWidth> pieces{};      // pieces[j]: how many of the j are used
        std::array<std::uint8_t, kWidth + 1> to_low{};  // to_low[j]: how many of j pieces the low child gets
        bool block = false;
    };

    const Plan& plan_of(std::int32_t part) const { return plans_[static_cast<std::size_t>(part)]; }

    void plan(std::size_t i, float area) {
        const Part& part = parts_.all[i];
        Plan& p = plans_[i];
        if (part.low < 0) {
            p.block = true;
            p.cost.fill(area * kBlockCost);
            p.pieces.fill(1);
            return;
        }
        const Plan &low = plan_of(part.low), &high = plan_of(part.high);
        std::array<float, kWidth + 1> below{};  // cost of exactly j pieces of both children
        for (std::size_t j = 2; j <= kWidth; ++j) {
            below[j] = std::numeric_limits<float>::infinity();
            p.to_low[j] = 1;  // for areas that are not finite
            for (std::size_t k = 1; k < j; ++k) {
                const float cost = low.cost[k] + high.cost[j - k];
                if (!(cost < below[j])) continue;
                below[j] = cost;
                p.to_low[j] = static_cast<std::uint8_t>(k);
            }
        }
        const float as_node = area * kNodeCost + below[kWidth];
        p.block = part.count <= kLeafTriangles && area * kBlockCost <= as_node;
        p.cost[1] = p.block ? area * kBlockCost : as_node;
        p.pieces[1] = 1;
        for (std::size_t j = 2; j < kWidth; ++j) {
            const bool better = below[j] < p.cost[j - 1];
            p.cost[j] = better ? below[j] : p.cost[j - 1];
            p.pieces[j] = better ? static_cast<std::uint8_t>(j) : p.pieces[j - 1];
        }
    }

    void cut(std::int32_t part, std::size_t most, std::vector<std::int32_t>& out) const {
        const std::size_t pieces = plan_of(part).pieces[most];
        if (pieces == 1)
            out.push_back(part);
        else
            cut_below(part, pieces, out);
    }
    void cut_below(std::int32_t part, std::size_t pieces, std::vector<std::int32_t>& out) const {
        const std::size_t low = plan_of(part).to_low[pieces];
        cut(parts_.all[static_cast<std::size_t>(part)].low, low, out);
        cut(parts_.all[static_cast<std::size_t>(part)].high, pieces - low, out);
    }

    const Parts& parts_;
    std::vector<Plan> plans_;
};

// The corners of a triangle, the last one twice.
using Four = Eigen::Array4f;
struct Corners {
    Four at[3];
};

// Returns the extent of the triangles along the columns of `axes`.
Aabb extent_along(std::span<const Corners> triangles, const Matrix3f& axes) {
    Four low[3], high[3];
    for (int k = 0; k < 3; ++k) {
        low[k].setConstant(std::numeric_limits<float>::infinity());
        high[k].setConstant(-std::numeric_limits<float>::infinity());
    }
    for (const Corners& t : triangles)
        for (int k = 0; k < 3; ++k) {
            const Four along = t.at[0] * axes(0, k) + t.at[1] * axes(1, k) + t.at[2] * axes(2, k);
            low[k] = low[k].min(along);
            high[k] = high[k].max(along);
        }
    Aabb extent;
    for (int k = 0; k < 3; ++k) {
        extent.min_m[k] = low[k].minCoeff();
        extent.max_m[k] = high[k].maxCoeff();
    }
    return extent;
}
Aabb extent_along(const Obb& box, const Matrix3f& axes) {
    const Vector3f middle = axes.transpose() * box.center_m;
    const Vector3f reach = (axes.transpose() * box.axes).cwiseAbs() * box.half_m;
    return {middle - reach, middle + reach};
}
float area(const Aabb& box) {
    const Vector3f size = box.max_m - box.min_m;
    return size.x() * size.y() + size.y() * size.z() + size.z() * size.x();
}

// Stores boxes in 255 steps from the lowest to the highest child; low ends are rounded down and high ends up.
void store_boxes(std::span<const Aabb> boxes, ObbTree::Node& node) {
    Aabb all;
    for (const Aabb& box : boxes) {
        all.include(box.min_m);
        all.include(box.max_m);
    }
    for (std::size_t k = 0; k < 3; ++k) {
        const auto axis = static_cast<Eigen::Index>(k);
        const double low_m = double{all.min_m[axis]}, size_m = double{all.max_m[axis]} - low_m;
        node.low_m[k] = all.min_m[axis];
        // One step is spare: the last one must not end below the highest child after rounding to float.
        node.step_m[k] = static_cast<float>(size_m / 254.0);
        const double step_m = std::max(double{node.step_m[k]}, double{std::numeric_limits<float>::min()});
        const auto steps = [&](float at_m) { return (double{at_m} - low_m) / step_m; };
        for (std::size_t child = 0; child < kWidth; ++child) {
            node.low_steps[k][child] = node.high_steps[k][child] = 0;
            if (child >= boxes.size()) continue;
            node.low_steps[k][child] =
                static_cast<std::uint8_t>(std::clamp(std::floor(steps(boxes[child].min_m[axis])), 0.0, 255.0));
            node.high_steps[k][child] =
                static_cast<std::uint8_t>(std::clamp(std::ceil(steps(boxes[child].max_m[axis])), 0.0, 255.0));
        }
    }
}

// Chooses the axes that the children of a node share: those with the least total area of the children's boxes.
class Turner {
  public:
    Turner(const Mesh& mesh, const BoxTree& tree, const Parts& parts, float largest_m)
        : tree_(tree), parts_(parts), largest_m_(largest_m), corners_(parts.order.size()) {
        for (std::size_t i = 0; i < corners_.size(); ++i) {
            const auto& t = mesh.triangles[static_cast<std::size_t>(parts.order[i])];
            for (int k = 0; k < 3; ++k)
                corners_[i].at[k] << mesh.vertices_m[t[0]][k], mesh.vertices_m[t[1]][k], mesh.vertices_m[t[2]][k],
                    mesh.vertices_m[t[2]][k];
        }
    }

    void fill(std::int32_t root, std::span<const std::int32_t> children, ObbTree::Node& node) const {
        node.turn = {0.0F, 0.0F, 0.0F, 1.0F};
        // Products of larger numbers would overflow; such a mesh keeps its own axes.
        if (largest_m_ < 1e15F) {
            ObbTree::Node best = node;
            float least = sum_of_areas(root, children, axes_of(node));
            const auto consider = [&](const Obb& box) {
                best.turn = quaternion_of(box.axes);
                const float sum = sum_of_areas(root, children, axes_of(best));
                if (!(sum < least)) return;
                least = sum;
                node.turn = best.turn;
            };
            consider(box_of(root));
            // The two largest children: if they are flat or long, their own axes help most.
            std::array<std::int32_t, 2> largest = {-1, -1};
            for (const std::int32_t child : children) {
                const auto larger = [&](std::int32_t other) {
                    return other < 0 || box_of(child).area_m2() > box_of(other).area_m2();
                };
                if (larger(largest[0]))
                    largest = {child, largest[0]};
                else if (larger(largest[1]))
                    largest[1] = child;
            }
            for (const std::int32_t child : largest)
                if (child >= 0) consider(box_of(child));
        }
        const Matrix3f axes = axes_of(node);
        // Three products and two sums of numbers up to this size, each rounded once.
        const float lost_m = 5e-7F * largest_m_ + std::numeric_limits<float>::min();
        std::array<Aabb, kWidth> boxes;
        for (std::size_t i = 0; i < children.size(); ++i)
            boxes[i] = extent_along(triangles_of(children[i]), axes).grown(lost_m);
        store_boxes(std::span(boxes).first(children.size()), node);
    }

  private:
    const Part& part(std::int32_t number) const { return parts_.all[static_cast<std::size_t>(number)]; }
    const Obb& box_of(std::int32_t number) const { return tree_.nodes[static_cast<std::size_t>(part(number).box)].box; }
    std::span<const Corners> triangles_of(std::int32_t number) const {
        return std::span(corners_).subspan(static_cast<std::size_t>(part(number).first),
                                           static_cast<std::size_t>(part(number).count));
    }
    static std::array<float, 4> quaternion_of(const Matrix3f& axes) {
        Matrix3f right_handed = axes;
        if (axes.determinant() < 0.0F) right_handed.col(2) = -axes.col(2);
        const Eigen::Quaternionf q = Eigen::Quaternionf(right_handed).normalized();
        return {q.x(), q.y(), q.z(), q.w()};
    }
    // Measures few triangles directly, and many by their boxes.
    float sum_of_areas(std::int32_t root, std::span<const std::int32_t> children, const Matrix3f& axes) const {
        constexpr std::int32_t kFew = 256;
        const bool few = part(root).count <= kFew;
        float sum = 0.0F;
        for (const std::int32_t child : children)
            sum += area(few ? extent_along(triangles_of(child), axes) : extent_along(box_of(child), axes));
        return sum;
    }

    const BoxTree& tree_;
    const Parts& parts_;
    float largest_m_;
    std::vector<Corners> corners_;
};

ObbTree::Block block_of(const Mesh& mesh, std::span<const std::int32_t> triangles) {
    ObbTree::Block block;
    for (std::size_t lane = 0; lane < ObbTree::kBlockTriangles; ++lane) {
        const bool used = lane < triangles.size();
        const std::int32_t number = triangles[used ? lane : 0];
        block.triangle[lane] = used ? number : -1;
        const auto& corners = mesh.triangles[static_cast<std::size_t>(number)];
        for (std::size_t corner = 0; corner < 3; ++corner)
            for (std::size_t k = 0; k < 3; ++k)
                block.corner_m[corner][k][lane] = mesh.vertices_m[corners[corner]][static_cast<Eigen::Index>(k)];
    }
    return block;
}

}  // namespace

ObbTree::ObbTree(const Mesh& mesh, const BoxTree& binary) : root_(binary.nodes.front().box) {
    for (const auto& triangle : mesh.triangles)
        for (const std::uint32_t corner : triangle)
            largest_m_ = std::max(largest_m_, mesh.vertices_m[corner].cwiseAbs().maxCoeff());
    const Rows rows(binary);
    const Parts& parts = rows.parts;
    const Collapse collapse(binary, parts);
    // The part of each node, in the order of the nodes' numbers, and the parts of its children.
    struct Family {
        std::int32_t root;
        std::array<std::int32_t, kWidth> child;
    };
    std::vector<Family> families = {{0, {}}};
    std::vector<std::int32_t> children, block_parts;
    for (std::size_t number = 0; number < families.size(); ++number) {
        collapse.children_of(families[number].root, children);
        Node& node = nodes_.emplace_back();
        node.child = {};
        node.count = static_cast<std::int32_t>(children.size());
        std::copy(children.begin(), children.end(), families[number].child.begin());
        for (std::size_t child = 0; child < children.size(); ++child) {
            if (collapse.is_block(children[child])) {
                node.child[child] = ~static_cast<std::int32_t>(block_parts.size());
                block_parts.push_back(children[child]);
            } else {
                node.child[child] = static_cast<std::int32_t>(families.size());
                families.push_back({children[child], {}});
            }
        }
    }
    blocks_.resize(block_parts.size());
    tbb::parallel_for(tbb::blocked_range<std::size_t>(0, blocks_.size(), 256), [&](const auto& range) {
        for (std::size_t i = range.begin(); i < range.end(); ++i) {
            const Part& part = parts.all[static_cast<std::size_t>(block_parts[i])];
            blocks_[i] = block_of(
                mesh, std::span(parts.order)
                          .subspan(static_cast<std::size_t>(part.first), static_cast<std::size_t>(part.count)));
        }
    });
    const Turner turner(mesh, binary, parts, largest_m_);
    tbb::parallel_for(tbb::blocked_range<std::size_t>(0, nodes_.size(), 8), [&](const auto& range) {
        for (std::size_t i = range.begin(); i < range.end(); ++i)
            turner.fill(families[i].root, std::span(families[i].child).first(static_cast<std::size_t>(nodes_[i].count)),
                        nodes_[i]);
    });
}

std::shared_ptr<const ObbTree> ObbTree::build(const Mesh& mesh) {
    BuildSettings settings;
    settings.max_leaf_triangles = kLeafTriangles;
    return std::make_shared<const ObbTree>(mesh, build_tree(mesh, settings));
}

double ObbTree::lanes_filled() const {
    double filled = 0.0;
    for (const Node& node : nodes_) filled += node.count;
    return nodes_.empty() ? 0.0 : filled / static_cast<double>(nodes_.size());
}

Obb ObbTree::box_of(const Node& node, std::size_t child) const {
    const Matrix3f axes = axes_of(node);
    // A product and a sum of numbers up to twice the largest coordinate, and the rotation of the centre.
    const float lost_m = 1e-6F * largest_m_ + std::numeric_limits<float>::min();
    const Aabb box = stored_box(node, child);
    const Vector3f middle = 0.5F * box.min_m + 0.5F * box.max_m;
    return {axes * middle, axes, (0.5F * box.max_m - 0.5F * box.min_m).array() + lost_m};
}

std::vector<Obb> ObbTree::boxes_at(int level) const {
    if (level <= 0) return {root_};
    std::vector<Obb> boxes;
    std::vector<std::int32_t> open = {0}, below;
    for (int at = 1; !open.empty(); ++at, std::swap(open, below)) {
        below.clear();
        for (const std::int32_t number : open) {
            const Node& node = nodes_[static_cast<std::size_t>(number)];
            for (std::size_t child = 0; child < static_cast<std::size_t>(node.count); ++child) {
                if (at == level || node.child[child] < 0)
                    boxes.push_back(box_of(node, child));
                else
                    below.push_back(node.child[child]);
            }
        }
    }
    return boxes;
}

int ObbTree::depth() const {
    std::vector<int> level(nodes_.size(), 1);
    for (std::size_t i = 0; i < nodes_.size(); ++i)
        for (std::size_t child = 0; child < static_cast<std::size_t>(nodes_[i].count); ++child)
            if (nodes_[i].child[child] >= 0) level[static_cast<std::size_t>(nodes_[i].child[child])] = level[i] + 1;
    return level.empty() ? 0 : *std::max_element(level.begin(), level.end());
}

}  // namespace glovebox::collision
