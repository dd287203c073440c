#include "collision/tree/build.h"

#include <tbb/enumerable_thread_specific.h>
#include <tbb/info.h>
#include <tbb/parallel_invoke.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <memory>
#include <mutex>
#include <numeric>

namespace glovebox::collision {
namespace {

// Below this depth triangles are parted by number instead of by place: a series of shrinking triangles would otherwise
// make a tree as deep as it is long. Twice the depth of a balanced tree over a million.
constexpr int kDeepestSplit = 40;

// Subtrees of fewer triangles are built by one thread. A constant, not a share of the work: the pieces, and with them
// the order of nodes, must be the same for every number of threads.
constexpr std::size_t kSerialTriangles = 512;

// The stream of random numbers of a child: different for both, and for every node of the tree.
std::uint64_t child_seed(std::uint64_t seed, int side) {
    std::uint64_t z = seed * 2 + static_cast<std::uint64_t>(side) + 0x9E3779B97F4A7C15U;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
    return z ^ (z >> 29);
}

// One node's triangles and vertices with their own numbering. One per thread, reused from node to node.
struct NodeGeometry {
    std::vector<Eigen::Vector3f> points_m;
    std::vector<std::array<std::int32_t, 3>> triangles;
    std::vector<Eigen::Vector3f> centroids_m;
    PointSet points;
    std::vector<std::uint8_t> sides;
    std::vector<std::int32_t> number;  // by mesh vertex; -1 where not used yet
    std::vector<std::uint32_t> used;

    void gather(const Mesh& mesh, const std::vector<Eigen::Vector3f>& centroids,
                std::span<const std::int32_t> members) {
        number.resize(mesh.vertices_m.size(), -1);
        points_m.clear();
        triangles.resize(members.size());
        centroids_m.resize(members.size());
        used.clear();
        if (members.size() == 1) {  // every other node of a tree with leaves of one
            const auto& corners = mesh.triangles[static_cast<std::size_t>(members[0])];
            for (const std::uint32_t vertex : corners) points_m.push_back(mesh.vertices_m[vertex]);
            triangles[0] = {0, 1, 2};
            centroids_m[0] = centroids[static_cast<std::size_t>(members[0])];
            points.assign(points_m);
            return;
        }
        for (std::size_t t = 0; t < members.size(); ++t) {
            const auto member = static_cast<std::size_t>(members[t]);
            for (std::size_t k = 0; k < 3; ++k) {
                const std::uint32_t vertex = mesh.triangles[member][k];
                if (number[vertex] < 0) {
                    number[vertex] = static_cast<std::int32_t>(points_m.size());
                    points_m.push_back(mesh.vertices_m[vertex]);
                    used.push_back(vertex);
                }
                triangles[t][k] = number[vertex];
            }
            centroids_m[t] = centroids[member];
        }
        for (const std::uint32_t vertex : used) number[vertex] = -1;
        points.assign(points_m);
    }
};

// A subtree built by one thread, or two halves below a node.
struct Piece {
    BoxTree tree;  // complete, with its own numbering; only the root where there are halves
    std::unique_ptr<Piece> low, high;
};

class Builder {
  public:
    Builder(const Mesh& mesh, const BuildSettings& settings)
        : mesh_(mesh), settings_(settings), leaf_size_(std::max(1, settings.max_leaf_triangles)) {
        centroids_m_.reserve(mesh.triangles.size());
        for (const auto& t : mesh.triangles)
            centroids_m_.push_back(mesh.vertices_m[t[0]] / 3.0F + mesh.vertices_m[t[1]] / 3.0F +
                                   mesh.vertices_m[t[2]] / 3.0F);
    }

    BoxTree build() {
        std::vector<std::int32_t> all(mesh_.triangles.size());
        std::iota(all.begin(), all.end(), 0);
        const std::unique_ptr<Piece> root = build_piece(std::move(all), settings_.seed, 0);
        BoxTree tree;
        tree.nodes.push_back({});
        flatten(*root, 0, tree);
        return tree;
    }

  private:
    struct Halves {
        std::vector<std::int32_t> low, high;
    };

    std::unique_ptr<Piece> build_piece(std::vector<std::int32_t> members, std::uint64_t seed, int depth) {
        auto piece = std::make_unique<Piece>();
        if (members.size() <= kSerialTriangles || members.size() <= static_cast<std::size_t>(leaf_size_)) {
            piece->tree = build_serial(std::move(members), seed, depth);
            return piece;
        }
        Halves halves;
        {
            NodeGeometry& geometry = geometries_.local();
            geometry.gather(mesh_, centroids_m_, members);
            const FittedBox fitted = fit(geometry, seed);
            piece->tree.nodes.push_back({fitted.box, 0, 0});
            split(geometry, fitted, members, depth, halves);
        }
        members = {};
        tbb::parallel_invoke(
            [&] { piece->low = build_piece(std::move(halves.low), child_seed(seed, 0), depth + 1); },
            [&] { piece->high = build_piece(std::move(halves.high), child_seed(seed, 1), depth + 1); });
        return piece;
    }

    // Depth first with an explicit stack; the members of open nodes lie on top of each other in one list.
    BoxTree build_serial(std::vector<std::int32_t> members, std::uint64_t root_seed, int root_depth) {
        struct Task {
            std::int32_t node;
            std::size_t begin;
            std::uint64_t seed;
            int depth;
        };
        NodeGeometry& geometry = geometries_.local();
        BoxTree tree;
        tree.nodes.reserve(2 * members.size());
        tree.order.reserve(members.size());
        tree.nodes.push_back({});
        std::vector<Task> tasks = {{0, 0, root_seed, root_depth}};
        Halves halves;
        std::int64_t placed = 0;
        while (!tasks.empty()) {
            const Task task = tasks.back();
            tasks.pop_back();
            const std::span<const std::int32_t> mine(members.data() + task.begin, members.size() - task.begin);
            geometry.gather(mesh_, centroids_m_, mine);
            const FittedBox fitted = fit(geometry, task.seed);
            BoxTree::Node& node = tree.nodes[static_cast<std::size_t>(task.node)];
            node.box = fitted.box;
            if (mine.size() <= static_cast<std::size_t>(leaf_size_)) {
                node.first = static_cast<std::int32_t>(tree.order.size());
                node.count = static_cast<std::int32_t>(mine.size());
                tree.order.insert(tree.order.end(), mine.begin(), mine.end());
                placed += node.count;
                members.resize(task.begin);
                continue;
            }
            node.first = static_cast<std::int32_t>(tree.nodes.size());
            node.count = 0;
            split(geometry, fitted, mine, task.depth, halves);
            members.resize(task.begin);
            members.insert(members.end(), halves.high.begin(), halves.high.end());
            const std::size_t low_begin = members.size();
            members.insert(members.end(), halves.low.begin(), halves.low.end());
            const std::int32_t child = node.first;
            tree.nodes.push_back({});
            tree.nodes.push_back({});
            tasks.push_back({child + 1, task.begin, child_seed(task.seed, 1), task.depth + 1});
            tasks.push_back({child, low_begin, child_seed(task.seed, 0), task.depth + 1});
        }
        report(placed);
        return tree;
    }

    FittedBox fit(const NodeGeometry& geometry, std::uint64_t seed) const {
        return settings_.fitter->fit({geometry.points, geometry.points_m, geometry.triangles, seed});
    }

    void split(NodeGeometry& geometry, const FittedBox& fitted, std::span<const std::int32_t> members, int depth,
               Halves& halves) const {
        halves.low.clear();
        halves.high.clear();
        if (depth < kDeepestSplit) {
            const auto plane = settings_.splitter->split(
                {fitted.box, geometry.points_m, geometry.triangles, geometry.centroids_m, fitted.split_axis});
            if (plane && settings_.double_straddlers) {
                part_doubling(geometry, *plane, members, halves);
                // Doubling that hardly shrinks a half would never end.
                const std::size_t most = members.size() - std::max<std::size_t>(1, members.size() / 8);
                if (halves.low.size() <= most && halves.high.size() <= most) return;
                halves.low.clear();
                halves.high.clear();
            }
            if (plane) {
                part(geometry, *plane, members, halves);
                if (!halves.low.empty() && !halves.high.empty()) return;
            }
        }
        halves.low.assign(members.begin(), members.begin() + static_cast<std::ptrdiff_t>(members.size() / 2));
        halves.high.assign(members.begin() + static_cast<std::ptrdiff_t>(members.size() / 2), members.end());
    }

    static void part(const NodeGeometry& geometry, const SplitPlane& plane, std::span<const std::int32_t> members,
                     Halves& halves) {
        halves.low.clear();
        halves.high.clear();
        for (std::size_t t = 0; t < members.size(); ++t)
            (plane.direction.dot(geometry.centroids_m[t]) < plane.offset_m ? halves.low : halves.high)
                .push_back(members[t]);
    }

    static void part_doubling(const NodeGeometry& geometry, const SplitPlane& plane,
                              std::span<const std::int32_t> members, Halves& halves) {
        for (std::size_t t = 0; t < members.size(); ++t) {
            bool low = false, high = false;
            for (const std::int32_t i : geometry.triangles[t])
                (plane.direction.dot(geometry.points_m[static_cast<std::size_t>(i)]) < plane.offset_m ? low : high) =
                    true;
            if (low) halves.low.push_back(members[t]);
            if (high) halves.high.push_back(members[t]);
        }
    }

    void report(std::int64_t placed) {
        if (!settings_.progress) return;
        const std::lock_guard lock(report_mutex_);
        done_ += placed;
        settings_.progress(done_, static_cast<std::int64_t>(mesh_.triangles.size()));
    }

    // Copies a piece into the whole; its root goes to `place`, everything else to the end.
    static void flatten(const Piece& piece, std::size_t place, BoxTree& tree) {
        if (piece.low != nullptr) {
            const auto child = tree.nodes.size();
            tree.nodes[place] = {piece.tree.nodes[0].box, static_cast<std::int32_t>(child), 0};
            tree.nodes.resize(child + 2);
            flatten(*piece.low, child, tree);
            flatten(*piece.high, child + 1, tree);
            return;
        }
        // Nodes 1.. of the piece land at tree.nodes.size().. : one shift for all links.
        const auto shift = static_cast<std::int32_t>(tree.nodes.size()) - 1;
        const auto first = static_cast<std::int32_t>(tree.order.size());
        const auto moved = [&](BoxTree::Node node) {
            node.first += node.count == 0 ? shift : first;
            return node;
        };
        tree.nodes[place] = moved(piece.tree.nodes[0]);
        for (std::size_t i = 1; i < piece.tree.nodes.size(); ++i) tree.nodes.push_back(moved(piece.tree.nodes[i]));
        tree.order.insert(tree.order.end(), piece.tree.order.begin(), piece.tree.order.end());
    }

    const Mesh& mesh_;
    const BuildSettings& settings_;
    const int leaf_size_;
    std::vector<Eigen::Vector3f> centroids_m_;
    tbb::enumerable_thread_specific<NodeGeometry> geometries_;
    std::mutex report_mutex_;
    std::int64_t done_ = 0;
};

}  // namespace

BoxTree build_tree(const Mesh& mesh, const BuildSettings& settings) {
    check(mesh);
    const int most = tbb::info::default_concurrency();
    tbb::task_arena arena(settings.threads > 0 ? std::min(settings.threads, most) : most);
    return arena.execute([&] { return Builder(mesh, settings).build(); });
}

}  // namespace glovebox::collision
