#include "collision/mesh/build.h"

#include <tbb/enumerable_thread_specific.h>
#include <tbb/global_control.h>
#include <tbb/info.h>
#include <tbb/parallel_invoke.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <memory>
#include <mutex>

namespace glovebox::collision {
namespace {

#ifdef __SANITIZE_THREAD__
// Packaged TBB is built without the sanitizer, which then reports its synchronisation as races: no threads.
const tbb::global_control kNoThreads(tbb::global_control::max_allowed_parallelism, 1);
#endif

// Below this depth triangles are split by number instead of by position; otherwise a series of shrinking triangles
// would make a tree as deep as the series is long. Twice the depth of a balanced tree over a million.
constexpr int kDeepestSplit = 40;

// Largest number of entries per triangle in a tree with duplicated straddlers; otherwise needles that cross everything
// would be stored hundreds of times each.
constexpr std::size_t kMaxDoubling = 8;

// Returns the random seed of a child: different for both children and for every node.
std::uint64_t child_seed(std::uint64_t seed, int side) {
    std::uint64_t z = seed * 2 + static_cast<std::uint64_t>(side) + 0x9E3779B97F4A7C15U;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
    return z ^ (z >> 29);
}

// A triangle that is sorted into the tree: all data that a node reads of it, contiguous.
struct Member {
    std::array<std::uint32_t, 3> corners;  // of the mesh; in a subtree built by one thread, of its own vertices
    std::int32_t number;                   // of the triangle in the mesh
    Eigen::Vector3f centroid_m;

    Member() {}  // uninitialised: lists of members are enlarged and then written at once
    Member(const std::array<std::uint32_t, 3>& its_corners, std::int32_t its_number,
           const Eigen::Vector3f& its_centroid_m)
        : corners(its_corners), number(its_number), centroid_m(its_centroid_m) {}
};

// Numbers vertices in the order of their first use. Nothing is cleared between uses: entries of older rounds are
// ignored.
class Renumbering {
  public:
    void start(std::size_t vertex_count) {
        if (vertex_count > entries_.size()) entries_.resize(vertex_count);
        ++round_;
        used_ = 0;
    }
    /// Returns the vertex's number, and whether it is new.
    std::pair<std::int32_t, bool> number_of(std::uint32_t vertex) {
        Entry& entry = entries_[vertex];
        if (entry.round == round_) return {entry.number, false};
        entry = {round_, used_};
        return {used_++, true};
    }
    std::size_t used() const { return static_cast<std::size_t>(used_); }

  private:
    struct Entry {
        std::uint32_t round = 0;
        std::int32_t number = 0;
    };
    std::vector<Entry> entries_;
    std::uint32_t round_ = 0;
    std::int32_t used_ = 0;
};

// One node's triangles and vertices with their own numbering. One per thread, reused for all its nodes.
class NodeGeometry {
  public:
    void gather(std::span<const Eigen::Vector3f> vertices_m, std::span<const Member> members) {
        const std::size_t count = members.size();
        if (triangles_.size() < count) {
            points_m_.resize(3 * count);
            triangles_.resize(count);
            centroids_m_.resize(count);
        }
        triangle_count_ = count;
        if (count == 1) {  // every second node of a tree with one triangle per leaf
            for (std::size_t k = 0; k < 3; ++k) points_m_[k] = vertices_m[members[0].corners[k]];
            triangles_[0] = {0, 1, 2};
            centroids_m_[0] = members[0].centroid_m;
            point_count_ = 3;
            points_.assign(points_m());
            return;
        }
        numbering_.start(vertices_m.size());
        for (std::size_t t = 0; t < count; ++t) {
            for (std::size_t k = 0; k < 3; ++k) {
                const std::uint32_t vertex = members[t].corners[k];
                const auto [number, is_new] = numbering_.number_of(vertex);
                if (is_new) points_m_[static_cast<std::size_t>(number)] = vertices_m[vertex];
                triangles_[t][k] = number;
            }
            centroids_m_[t] = members[t].centroid_m;
        }
        point_count_ = numbering_.used();
        points_.assign(points_m());
    }

    const PointSet& points() const { return points_; }
    std::span<const Eigen::Vector3f> points_m() const { return {points_m_.data(), point_count_}; }
    std::span<const std::array<std::int32_t, 3>> triangles() const { return {triangles_.data(), triangle_count_}; }
    std::span<const Eigen::Vector3f> centroids_m() const { return {centroids_m_.data(), triangle_count_}; }

  private:
    std::vector<Eigen::Vector3f> points_m_;
    std::vector<std::array<std::int32_t, 3>> triangles_;
    std::vector<Eigen::Vector3f> centroids_m_;
    std::size_t point_count_ = 0, triangle_count_ = 0;
    PointSet points_;
    Renumbering numbering_;
};

// A subtree built by one thread, or two halves below a node.
struct Piece {
    BoxTree tree;  // complete, with its own numbering; only the root if there are halves
    std::unique_ptr<Piece> low, high;
};

class Builder {
  public:
    Builder(const Mesh& mesh, const BuildSettings& settings)
        : mesh_(mesh),
          settings_(settings),
          leaf_size_(static_cast<std::size_t>(std::max(1, settings.max_leaf_triangles))) {}

    BoxTree build() {
        std::vector<Member> all;
        all.reserve(mesh_.triangles.size());
        for (const auto& t : mesh_.triangles)
            all.push_back(
                {t, static_cast<std::int32_t>(all.size()),
                 mesh_.vertices_m[t[0]] / 3.0F + mesh_.vertices_m[t[1]] / 3.0F + mesh_.vertices_m[t[2]] / 3.0F});
        const std::size_t room = kMaxDoubling * all.size();
        const std::unique_ptr<Piece> root = build_piece(std::move(all), {settings_.seed, 0, room});
        BoxTree tree;
        const auto [nodes, order] = size_of(*root);
        tree.nodes.reserve(nodes);
        tree.order.reserve(order);
        tree.nodes.push_back({});
        flatten(*root, 0, tree);
        return tree;
    }

  private:
    struct Halves {
        std::vector<Member> low, high;
    };
    // State that a node passes to its children beside the triangles.
    struct Place {
        std::uint64_t seed;
        int depth;
        std::size_t room;  // limit of triangles in all leaves below, with duplicates

        // The limit is divided in proportion to the triangles: both halves have enough for theirs.
        Place child(int side, const Halves& halves) const {
            const std::size_t both = halves.low.size() + halves.high.size();
            const std::size_t low_room = room * halves.low.size() / both;
            return {child_seed(seed, side), depth + 1, side == 0 ? low_room : room - low_room};
        }
    };
    struct Scratch {
        NodeGeometry geometry;
        Halves halves;
        Renumbering numbering;
        std::vector<Eigen::Vector3f> vertices_m;
    };

    std::unique_ptr<Piece> build_piece(std::vector<Member> members, const Place& place) {
        auto piece = std::make_unique<Piece>();
        if (members.size() <= std::max(settings_.fitter->one_thread_triangles, leaf_size_)) {
            piece->tree = build_serial(std::move(members), place);
            return piece;
        }
        Halves halves;
        {
            NodeGeometry& geometry = scratch_.local().geometry;
            geometry.gather(mesh_.vertices_m, members);
            const FittedBox fitted = fit(geometry, place.seed);
            piece->tree.nodes.push_back({fitted.box, 0, 0});
            split(geometry, fitted, members, place, halves);
        }
        members = {};
        const Place low = place.child(0, halves), high = place.child(1, halves);
        tbb::parallel_invoke([&] { piece->low = build_piece(std::move(halves.low), low); },
                             [&] { piece->high = build_piece(std::move(halves.high), high); });
        return piece;
    }

    // Builds depth-first with an explicit stack; the members of open nodes are stacked in one list.
    BoxTree build_serial(std::vector<Member> members, const Place& root) {
        struct Task {
            std::int32_t node;
            std::size_t begin;
            Place place;
        };
        Scratch& scratch = scratch_.local();
        NodeGeometry& geometry = scratch.geometry;
        Halves& halves = scratch.halves;
        const std::span<const Eigen::Vector3f> vertices_m = own_vertices(members, scratch);
        BoxTree tree;
        tree.nodes.reserve(2 * members.size());
        tree.order.reserve(members.size());
        tree.nodes.push_back({});
        std::vector<Task> tasks = {{0, 0, root}};
        std::int64_t placed = 0;
        while (!tasks.empty()) {
            const Task task = tasks.back();
            tasks.pop_back();
            const std::span<const Member> mine(members.data() + task.begin, members.size() - task.begin);
            geometry.gather(vertices_m, mine);
            const FittedBox fitted = fit(geometry, task.place.seed);
            BoxTree::Node& node = tree.nodes[static_cast<std::size_t>(task.node)];
            node.box = fitted.box;
            if (mine.size() <= leaf_size_) {
                node.first = static_cast<std::int32_t>(tree.order.size());
                node.count = static_cast<std::int32_t>(mine.size());
                for (const Member& member : mine) tree.order.push_back(member.number);
                placed += node.count;
                members.resize(task.begin);
                continue;
            }
            node.first = static_cast<std::int32_t>(tree.nodes.size());
            node.count = 0;
            split(geometry, fitted, mine, task.place, halves);
            members.resize(task.begin);
            members.insert(members.end(), halves.high.begin(), halves.high.end());
            const std::size_t low_begin = members.size();
            members.insert(members.end(), halves.low.begin(), halves.low.end());
            const std::int32_t child = node.first;
            tree.nodes.push_back({});
            tree.nodes.push_back({});
            tasks.push_back({child + 1, task.begin, task.place.child(1, halves)});
            tasks.push_back({child, low_begin, task.place.child(0, halves)});
        }
        report(placed);
        return tree;
    }

    // Copies the members' vertices side by side and renumbers their corners, so that the nodes below stay in the
    // cache.
    std::span<const Eigen::Vector3f> own_vertices(std::span<Member> members, Scratch& scratch) const {
        scratch.numbering.start(mesh_.vertices_m.size());
        scratch.vertices_m.clear();
        for (Member& member : members)
            for (std::uint32_t& corner : member.corners) {
                const auto [number, is_new] = scratch.numbering.number_of(corner);
                if (is_new) scratch.vertices_m.push_back(mesh_.vertices_m[corner]);
                corner = static_cast<std::uint32_t>(number);
            }
        return scratch.vertices_m;
    }

    FittedBox fit(const NodeGeometry& geometry, std::uint64_t seed) const {
        return settings_.fitter->fit({geometry.points(), geometry.points_m(), geometry.triangles(), seed});
    }

    void split(NodeGeometry& geometry, const FittedBox& fitted, std::span<const Member> members, const Place& place,
               Halves& halves) const {
        // Two triangles are split by number: any plane between them gives the same two leaves.
        if (place.depth < kDeepestSplit && (members.size() > 2 || settings_.double_straddlers)) {
            const auto plane = settings_.splitter->split(
                {fitted.box, geometry.points_m(), geometry.triangles(), geometry.centroids_m(), fitted.split_axis});
            if (plane && settings_.double_straddlers) {
                part_doubling(geometry, *plane, members, halves);
                // If duplication hardly shrinks a half, the recursion might not end.
                const std::size_t most = members.size() - std::max<std::size_t>(1, members.size() / 8);
                if (halves.low.size() <= most && halves.high.size() <= most &&
                    halves.low.size() + halves.high.size() <= place.room)
                    return;
            }
            if (plane) {
                part(geometry, *plane, members, halves);
                if (!halves.low.empty() && !halves.high.empty()) return;
            }
        }
        halves.low.assign(members.begin(), members.begin() + static_cast<std::ptrdiff_t>(members.size() / 2));
        halves.high.assign(members.begin() + static_cast<std::ptrdiff_t>(members.size() / 2), members.end());
    }

    // Each triangle is written to both sides and counted on one. Both sides are equally likely, and a mispredicted
    // branch costs more than a store.
    static void part(const NodeGeometry& geometry, const SplitPlane& plane, std::span<const Member> members,
                     Halves& halves) {
        halves.low.resize(members.size());
        halves.high.resize(members.size());
        std::size_t low = 0, high = 0;
        for (std::size_t t = 0; t < members.size(); ++t) {
            const bool is_low = plane.direction.dot(geometry.centroids_m()[t]) < plane.offset_m;
            halves.low[low] = halves.high[high] = members[t];
            low += is_low ? 1 : 0;
            high += is_low ? 0 : 1;
        }
        halves.low.resize(low);
        halves.high.resize(high);
    }

    static void part_doubling(const NodeGeometry& geometry, const SplitPlane& plane, std::span<const Member> members,
                              Halves& halves) {
        halves.low.clear();
        halves.high.clear();
        for (std::size_t t = 0; t < members.size(); ++t) {
            bool low = false, high = false;
            for (const std::int32_t i : geometry.triangles()[t])
                (plane.direction.dot(geometry.points_m()[static_cast<std::size_t>(i)]) < plane.offset_m ? low : high) =
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

    // Returns the numbers of nodes and triangles of a piece.
    static std::pair<std::size_t, std::size_t> size_of(const Piece& piece) {
        if (piece.low == nullptr) return {piece.tree.nodes.size(), piece.tree.order.size()};
        const auto low = size_of(*piece.low), high = size_of(*piece.high);
        return {1 + low.first + high.first, low.second + high.second};
    }

    // Copies a piece into the tree: its root to `place`, everything else to the end.
    static void flatten(const Piece& piece, std::size_t place, BoxTree& tree) {
        if (piece.low != nullptr) {
            const auto child = tree.nodes.size();
            tree.nodes[place] = {piece.tree.nodes[0].box, static_cast<std::int32_t>(child), 0};
            tree.nodes.resize(child + 2);
            flatten(*piece.low, child, tree);
            flatten(*piece.high, child + 1, tree);
            return;
        }
        // Nodes 1.. of the piece move to tree.nodes.size().., so one offset applies to all links.
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
    const std::size_t leaf_size_;
    tbb::enumerable_thread_specific<Scratch> scratch_;
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
