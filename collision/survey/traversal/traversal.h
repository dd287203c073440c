// Traverses two trees of bounding volumes against each other. There are four questions, three orders, three descent
// rules, and an optional deadline.
//
// This is FindFirstHitCD of the slides with its faults corrected: volumes are tested before anything else, results are
// returned, and the arguments are never exchanged, so two trees may have different transforms. All kinds of volume, all
// orders and all rules give the same result. They differ in the number of volumes (n_v) and triangles (n_p) tested.
// Degenerate input: if the pose is not finite, nothing is tested, found or proven.
#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>
#include <limits>
#include <vector>

#include "collision/mesh/mesh_triangle.h"
#include "collision/query/triangle_pair.h"
#include "collision/survey/volumes/hierarchy.h"

namespace glovebox::collision {

enum class Question : std::uint8_t {
    first_hit,  ///< does any triangle meet any other? Stops at the first pair
    all_pairs,  ///< all pairs of triangles that meet
    distance,   ///< the nearest pair, at most `bound_m` apart
    tolerance   ///< is any pair at most `bound_m` apart? Stops at the first pair
};
enum class Order : std::uint8_t {
    depth_first,    ///< uses a stack, which needs least memory
    breadth_first,  ///< uses a queue: level by level
    best_first      ///< uses a heap: nearest (or deepest overlapping) pair of volumes first
};
enum class Descent : std::uint8_t {
    by_area,   ///< opens the volume with the larger area
    by_depth,  ///< opens the volume nearer to its root
    alternate  ///< opens the volume that was not opened last time
};

/// A time limit on the caller's clock, which is read once every eight pairs of volumes.
struct Deadline {
    double (*now_us)(void* context) = nullptr;  ///< nullptr if there is no deadline
    void* context = nullptr;
    double end_us = 0.0;
    bool is_over() const { return now_us != nullptr && now_us(context) >= end_us; }
};

struct Query {
    Question question = Question::first_hit;
    Order order = Order::depth_first;
    Descent descent = Descent::by_area;
    float bound_m = std::numeric_limits<float>::infinity();  ///< for distance and tolerance; otherwise ignored
    Deadline deadline = {};
};

/// A pair of triangles, by their indices in the two meshes.
struct TriangleHit {
    std::int32_t a = -1, b = -1;
    friend auto operator<=>(const TriangleHit&, const TriangleHit&) = default;
};

struct Answer {
    bool complete = true;  ///< false if the deadline ended the search; the rest is then the best result so far
    bool found = false;    ///< true if there is a hit or, for distance, a pair within the bound
    TriangleHit pair;      ///< the first hit, or the nearest pair found
    float distance_m = std::numeric_limits<float>::infinity();  ///< distance of `pair`; 0 for overlaps
    float proven_m = 0.0F;          ///< lower bound of all distances; if complete, distance_m or the bound
    float share_done = 1.0F;        ///< progress from 0 to 1; each child pair has half of its parent's share
    std::int64_t pairs_left = 0;    ///< pairs of volumes not visited
    std::int64_t n_v = 0, n_p = 0;  ///< volume and triangle pairs tested
};

/// Scratch memory of a traversal, kept by the caller so that a warm query does not allocate.
struct TraversalMemory {
    struct Work {
        std::int32_t a, b;
        float key;      ///< lower bound of the distance; for overlap questions, lower is deeper
        float share;    ///< share of the whole search
        bool a_opened;  ///< true if a was opened in the step that made this pair
    };
    std::vector<Work> work;
    std::vector<TriangleHit> hits;  ///< result of all_pairs, in the order found
};

/// Runs a query. `a_from_b` transforms b's mesh frame to a's.
template <typename V>
Answer traverse(const Hierarchy<V>& a, const Hierarchy<V>& b, const Eigen::Isometry3f& a_from_b, const Query& query,
                TraversalMemory& memory);

/// Returns true if a is opened next, false if b is. At least one of the two must not be a leaf.
inline bool opens_a(const Topology::Node& a, const Topology::Node& b, Descent descent, bool a_opened_last) {
    if (a.is_leaf() || b.is_leaf()) return b.is_leaf();
    switch (descent) {
        case Descent::by_area:
            return a.area_m2 >= b.area_m2;
        case Descent::by_depth:
            return a.depth <= b.depth;
        case Descent::alternate:
            return !a_opened_last;
    }
    return true;
}

/// Calls visit(index in a, index in b, a's triangle, b's triangle in a's frame) for all pairs of triangles of two
/// leaves, until visit returns false.
template <typename V, typename Visit>
void for_leaf_triangles(const Hierarchy<V>& a, const Hierarchy<V>& b, const Topology::Node& leaf_a,
                        const Topology::Node& leaf_b, const Eigen::Isometry3d& a_from_b, Visit visit) {
    for (std::int32_t j = leaf_b.first; j < leaf_b.first + leaf_b.count; ++j) {
        const std::int32_t of_b = b.topology.order[static_cast<std::size_t>(j)];
        const Triangle triangle_b = transformed(a_from_b, triangle_of(b.mesh, of_b));
        for (std::int32_t i = leaf_a.first; i < leaf_a.first + leaf_a.count; ++i) {
            const std::int32_t of_a = a.topology.order[static_cast<std::size_t>(i)];
            if (!visit(of_a, of_b, triangle_of(a.mesh, of_a), triangle_b)) return;
        }
    }
}

namespace detail {

template <typename V>
class Traversal {
  public:
    using Work = TraversalMemory::Work;

    Traversal(const Hierarchy<V>& a, const Hierarchy<V>& b, const Eigen::Isometry3f& a_from_b, const Query& query,
              TraversalMemory& memory)
        : a_(a),
          b_(b),
          a_from_b_(a_from_b),
          a_from_b_exact_(a_from_b.cast<double>()),
          motion_(a_from_b),
          query_(query),
          memory_(memory) {}

    Answer run() {
        memory_.work.clear();
        memory_.hits.clear();
        if (!a_from_b_.matrix().allFinite()) return answer_;
        reach_m_ = measures() ? query_.bound_m : 0.0F;
        answer_.share_done = 0.0F;
        meet({0, 0, 0.0F, 1.0F, false});
        for (int step = 0; head_ < memory_.work.size() && !stopped_; ++step) {
            if (step % 8 == 0 && query_.deadline.is_over()) return interrupted();
            const Work work = take();
            if (measures() && work.key > reach_m_) {
                answer_.share_done += work.share;
                continue;
            }
            const Topology::Node& node_a = a_.topology.nodes[static_cast<std::size_t>(work.a)];
            const Topology::Node& node_b = b_.topology.nodes[static_cast<std::size_t>(work.b)];
            if (node_a.is_leaf() && node_b.is_leaf())
                test_leaves(node_a, node_b), answer_.share_done += work.share;
            else
                open(work, node_a, node_b);
        }
        answer_.share_done = 1.0F;
        // A tolerance query that found a pair stopped there, so nothing is proven about the others.
        if (query_.question == Question::distance || (query_.question == Question::tolerance && !answer_.found))
            answer_.proven_m = std::min(answer_.distance_m, query_.bound_m);
        return answer_;
    }

  private:
    bool measures() const { return query_.question == Question::distance || query_.question == Question::tolerance; }
    static bool later(const Work& x, const Work& y) { return x.key > y.key; }

    Work take() {
        auto& work = memory_.work;
        if (query_.order == Order::breadth_first) return work[head_++];
        if (query_.order == Order::best_first) std::pop_heap(work.begin(), work.end(), later);
        const Work taken = work.back();
        work.pop_back();
        return taken;
    }

    /// Tests two volumes; stores the pair for later or counts it as done.
    void meet(Work work) {
        const auto moved_b = motion_(b_.volumes[static_cast<std::size_t>(work.b)]);
        const auto& volume_a = a_.volumes[static_cast<std::size_t>(work.a)];
        ++answer_.n_v;
        bool may_hold = false;
        if (measures()) {
            // A bound of the parent pair also bounds this pair, even if volumes do not nest.
            work.key = std::max(work.key, V::distance_m(volume_a, moved_b));
            may_hold = work.key <= reach_m_;
        } else {
            may_hold = V::overlap(volume_a, moved_b);
            if (may_hold && query_.order == Order::best_first) work.key = looseness(work);
        }
        if (!may_hold) {
            answer_.share_done += work.share;
            return;
        }
        memory_.work.push_back(work);
        if (query_.order == Order::best_first) std::push_heap(memory_.work.begin(), memory_.work.end(), later);
    }

    /// Returns -1 if the two nodes are concentric, up to 0 if their spheres just touch. The deepest overlap most likely
    /// contains a hit.
    float looseness(const Work& work) const {
        const Topology::Node& node_a = a_.topology.nodes[static_cast<std::size_t>(work.a)];
        const Topology::Node& node_b = b_.topology.nodes[static_cast<std::size_t>(work.b)];
        const float reach_m = node_a.radius_m + node_b.radius_m;
        return reach_m > 0.0F ? (a_from_b_ * node_b.middle_m - node_a.middle_m).norm() / reach_m - 1.0F : 0.0F;
    }

    void open(const Work& work, const Topology::Node& node_a, const Topology::Node& node_b) {
        const bool a_side = opens_a(node_a, node_b, query_.descent, work.a_opened);
        const std::int32_t child = a_side ? node_a.child : node_b.child;
        const std::size_t before = memory_.work.size();
        for (std::int32_t k = 0; k < 2; ++k)
            meet({a_side ? child + k : work.a, a_side ? work.b : child + k, work.key, 0.5F * work.share, a_side});
        // The nearer child goes first, so that the bound shrinks early.
        auto& queue = memory_.work;
        if (query_.order == Order::depth_first && queue.size() == before + 2 &&
            queue[before].key < queue[before + 1].key)
            std::swap(queue[before], queue[before + 1]);
    }

    void test_leaves(const Topology::Node& leaf_a, const Topology::Node& leaf_b) {
        for_leaf_triangles(a_, b_, leaf_a, leaf_b, a_from_b_exact_,
                           [&](std::int32_t of_a, std::int32_t of_b, const Triangle& in_a, const Triangle& in_b) {
                               ++answer_.n_p;
                               return measures() ? measure(of_a, of_b, in_a, in_b) : decide(of_a, of_b, in_a, in_b);
                           });
    }

    bool decide(std::int32_t of_a, std::int32_t of_b, const Triangle& in_a, const Triangle& in_b) {
        if (!triangles_touch(in_a, in_b)) return true;
        if (!answer_.found) answer_.pair = {of_a, of_b};
        answer_.found = true;
        answer_.distance_m = 0.0F;
        if (query_.question == Question::all_pairs) memory_.hits.push_back({of_a, of_b});
        stopped_ = query_.question == Question::first_hit;
        return !stopped_;
    }

    bool measure(std::int32_t of_a, std::int32_t of_b, const Triangle& in_a, const Triangle& in_b) {
        const auto distance = static_cast<float>(glovebox::collision::distance_m(in_a, in_b));
        if (distance > query_.bound_m || distance >= answer_.distance_m) return true;
        answer_.found = true;
        answer_.pair = {of_a, of_b};
        answer_.distance_m = distance;
        if (query_.question == Question::distance) reach_m_ = distance;
        stopped_ = query_.question == Question::tolerance || distance <= 0.0F;
        return !stopped_;
    }

    Answer interrupted() {
        answer_.complete = false;
        answer_.pairs_left = static_cast<std::int64_t>(memory_.work.size() - head_);
        answer_.proven_m = 0.0F;
        if (measures()) {
            answer_.proven_m = reach_m_;
            for (std::size_t i = head_; i < memory_.work.size(); ++i)
                answer_.proven_m = std::min(answer_.proven_m, memory_.work[i].key);
        }
        return answer_;
    }

    const Hierarchy<V>&a_, &b_;
    const Eigen::Isometry3f a_from_b_;
    const Eigen::Isometry3d a_from_b_exact_;
    const typename V::Motion motion_;
    const Query& query_;
    TraversalMemory& memory_;
    Answer answer_;
    std::size_t head_ = 0;  // index of the queue's head; 0 for stack and heap
    float reach_m_ = 0.0F;  // pairs farther apart than this are skipped
    bool stopped_ = false;
};

}  // namespace detail

template <typename V>
Answer traverse(const Hierarchy<V>& a, const Hierarchy<V>& b, const Eigen::Isometry3f& a_from_b, const Query& query,
                TraversalMemory& memory) {
    return detail::Traversal<V>(a, b, a_from_b, query, memory).run();
}

}  // namespace glovebox::collision
