#include "collision/mesh_tree.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "collision/box_fit.h"

namespace glovebox::collision {
namespace {

// Below this depth triangles are halved by number instead of by place: a series of shrinking triangles would otherwise
// make a tree as deep as it is long. Twice the depth of a balanced tree over a million.
constexpr int kDeepestSplit = 40;

struct Task {
    std::int32_t node, begin, end, depth;
};

// Points and triangles of one node with their own numbering, reused from node to node.
struct NodeGeometry {
    std::vector<Eigen::Vector3f> points;
    std::vector<std::array<std::int32_t, 3>> triangles;
    std::vector<std::int32_t> number;  // by mesh vertex, -1 where not used yet
    std::vector<std::uint32_t> used;

    explicit NodeGeometry(std::size_t vertex_count) : number(vertex_count, -1) {}

    void gather(const Mesh& mesh, std::span<const std::int32_t> members) {
        for (const std::uint32_t vertex : used) number[vertex] = -1;
        used.clear();
        points.clear();
        triangles.clear();
        for (const std::int32_t member : members) {
            std::array<std::int32_t, 3> local{};
            for (std::size_t k = 0; k < 3; ++k) {
                const std::uint32_t vertex = mesh.triangles[static_cast<std::size_t>(member)][k];
                if (number[vertex] < 0) {
                    number[vertex] = static_cast<std::int32_t>(points.size());
                    points.push_back(mesh.vertices_m[vertex]);
                    used.push_back(vertex);
                }
                local[k] = number[vertex];
            }
            triangles.push_back(local);
        }
    }
};

// Splits at the mean of the centroids, longest axis first; where they all coincide, in halves.
std::int32_t split(const Obb& box, std::span<std::int32_t> members, const std::vector<Eigen::Vector3f>& centroids,
                   int depth) {
    std::array<int, 3> axes = {0, 1, 2};
    std::sort(axes.begin(), axes.end(), [&](int a, int b) { return box.half_m[a] > box.half_m[b]; });
    const auto half = static_cast<std::int32_t>(members.size() / 2);
    if (depth >= kDeepestSplit) return half;
    for (const int axis : axes) {
        const Eigen::Vector3f direction = box.axes.col(axis);
        const auto along = [&](std::int32_t i) {
            return double{direction.dot(centroids[static_cast<std::size_t>(i)] - box.center_m)};
        };
        double mean = 0.0;
        for (const std::int32_t i : members) mean += along(i);
        mean /= static_cast<double>(members.size());
        const auto middle =
            std::stable_partition(members.begin(), members.end(), [&](auto i) { return along(i) < mean; });
        const auto left = static_cast<std::int32_t>(middle - members.begin());
        if (left > 0 && left < static_cast<std::int32_t>(members.size())) return left;
    }
    return half;
}

}  // namespace

std::shared_ptr<const MeshTree> MeshTree::build(Mesh mesh, int max_leaf_triangles) {
    check(mesh);
    auto tree = std::make_shared<MeshTree>();
    tree->mesh_ = std::move(mesh);
    tree->surface_ = MeshSurface(tree->mesh_);
    const Mesh& m = tree->mesh_;
    const auto count = static_cast<std::int32_t>(m.triangles.size());
    const std::int32_t leaf_size = std::max(1, max_leaf_triangles);

    tree->order_.resize(m.triangles.size());
    std::iota(tree->order_.begin(), tree->order_.end(), 0);
    std::vector<Eigen::Vector3f> centroids;
    centroids.reserve(m.triangles.size());
    for (const auto& t : m.triangles)
        centroids.push_back(m.vertices_m[t[0]] / 3.0F + m.vertices_m[t[1]] / 3.0F + m.vertices_m[t[2]] / 3.0F);

    NodeGeometry geometry(m.vertices_m.size());
    tree->nodes_.push_back({});
    std::vector<Task> tasks = {{0, 0, count, 0}};
    while (!tasks.empty()) {
        const Task task = tasks.back();
        tasks.pop_back();
        const std::span<std::int32_t> members(tree->order_.data() + task.begin,
                                              static_cast<std::size_t>(task.end - task.begin));
        geometry.gather(m, members);
        const Obb box = fit_hull_covariance(geometry.points, geometry.triangles);
        if (task.end - task.begin <= leaf_size) {
            tree->nodes_[static_cast<std::size_t>(task.node)] = {box, task.begin, task.end - task.begin};
            continue;
        }
        const std::int32_t middle = task.begin + split(box, members, centroids, task.depth);
        const auto child = static_cast<std::int32_t>(tree->nodes_.size());
        tree->nodes_[static_cast<std::size_t>(task.node)] = {box, child, 0};
        tree->nodes_.push_back({});
        tree->nodes_.push_back({});
        tasks.push_back({child + 1, middle, task.end, task.depth + 1});
        tasks.push_back({child, task.begin, middle, task.depth + 1});
    }
    tree->nodes_.shrink_to_fit();
    tree->outlines_.reserve(tree->order_.size());
    for (const std::int32_t triangle : tree->order_) tree->outlines_.push_back(tree->outline_of(triangle));
    if (tree->closed())
        tree->inside_ = InsideGrid(tree->mesh_, [&](const Eigen::Vector3f& point_m) {
            MeshTreeCounts counts;
            return tree->nearest_surface(point_m.cast<double>(), counts).distance_m < 0.0;
        });
    return tree;
}

MeshTree::Outline MeshTree::outline_of(int triangle) const {
    const auto& corners = mesh_.triangles[static_cast<std::size_t>(triangle)];
    Outline outline;
    for (std::size_t i = 0; i < 3; ++i) outline.corners_m[i] = mesh_.vertices_m[corners[i]];
    outline.center_m = outline.corners_m[0] / 3.0F + outline.corners_m[1] / 3.0F + outline.corners_m[2] / 3.0F;
    return outline;
}

int MeshTree::depth() const {
    // Children stand behind their parents, so one pass from the back knows every height.
    std::vector<int> height(nodes_.size(), 1);
    for (std::size_t i = nodes_.size(); i-- > 0;)
        if (nodes_[i].count == 0) {
            const auto child = static_cast<std::size_t>(nodes_[i].first);
            height[i] = 1 + std::max(height[child], height[child + 1]);
        }
    return height[0];
}

std::size_t MeshTree::memory_bytes() const {
    return nodes_.capacity() * sizeof(Node) + order_.capacity() * sizeof(order_[0]) +
           outlines_.capacity() * sizeof(Outline) + surface_.memory_bytes();
}

std::vector<Obb> MeshTree::boxes_at(int level) const {
    std::vector<Obb> boxes;
    std::vector<std::pair<std::int32_t, int>> open = {{0, 0}};
    while (!open.empty()) {
        const auto [index, depth] = open.back();
        open.pop_back();
        const Node& node = nodes_[static_cast<std::size_t>(index)];
        if (depth >= level || node.count > 0) {
            boxes.push_back(node.box);
            continue;
        }
        open.push_back({node.first + 1, depth + 1});
        open.push_back({node.first, depth + 1});
    }
    return boxes;
}

}  // namespace glovebox::collision
