// Front tracking: a traversal of two trees that starts where the last one ended [Klosowski98], [Li98].
//
// The pairs of volumes at which a traversal stopped form a front in the tree of all pairs. If bodies move little, the
// next traversal stops at nearly the same pairs. So it starts there and does not test the pairs above. The front
// descends where volumes now overlap. It ascends where both children of a pair have been disjoint for a while and their
// parent volumes are disjoint too; otherwise it would only grow.
#pragma once

#include <vector>

#include "collision/survey/traversal/traversal.h"

namespace glovebox::collision {

template <typename V>
class Front {
  public:
    /// The trees must outlive the front. `climb_after` is the number of frames for which two pairs must be disjoint
    /// before their parent pair is tested. At most speeds, 2 needs the fewest tests; 1 is better for fast motion, and 8
    /// or more only near rest.
    Front(const Hierarchy<V>& a, const Hierarchy<V>& b, Descent descent = Descent::by_area, int climb_after = 2)
        : a_(a), b_(b), descent_(descent), climb_after_(climb_after) {
        nodes_.push_back({0, 0, -1, 0, false});
    }

    /// Finds all overlapping pairs of triangles, like traverse() with Question::all_pairs; replaces `hits`. If the pose
    /// is not finite, the front stays unchanged.
    Answer track(const Eigen::Isometry3f& a_from_b, std::vector<TriangleHit>& hits) {
        Frame frame{Answer{}, hits, typename V::Motion(a_from_b), a_from_b.cast<double>()};
        hits.clear();
        if (!a_from_b.matrix().allFinite()) return frame.answer;
        visit(frame, 0);
        frame.answer.found = !hits.empty();
        if (frame.answer.found) frame.answer.pair = hits.front(), frame.answer.distance_m = 0.0F;
        return frame.answer;
    }

    /// Returns the number of pairs in the front.
    std::int64_t size() const { return (static_cast<std::int64_t>(nodes_.size() - free_.size() * 2) + 1) / 2; }

  private:
    struct Pair {
        std::int32_t a, b;
        std::int32_t child;  ///< index of the first of two children; -1 if the pair is in the front
        std::int32_t quiet;  ///< number of successive frames in which both children were disjoint
        bool a_opened;
    };
    struct Frame {
        Answer answer;
        std::vector<TriangleHit>& hits;
        typename V::Motion motion;
        Eigen::Isometry3d a_from_b;
    };
    Pair& pair(std::int32_t at) { return nodes_[static_cast<std::size_t>(at)]; }

    bool overlaps(Frame& frame, const Pair& at) {
        ++frame.answer.n_v;
        return V::overlap(a_.volumes[static_cast<std::size_t>(at.a)],
                          frame.motion(b_.volumes[static_cast<std::size_t>(at.b)]));
    }

    /// Returns true if the pair is in the front and disjoint.
    bool visit(Frame& frame, std::int32_t at) {
        if (pair(at).child < 0) {
            if (!overlaps(frame, pair(at))) return true;
            go_down(frame, at);
            return false;
        }
        const std::int32_t child = pair(at).child;
        const bool first_apart = visit(frame, child), second_apart = visit(frame, child + 1);
        if (!first_apart || !second_apart) {
            pair(at).quiet = 0;
            return false;
        }
        if (++pair(at).quiet < climb_after_) return false;
        pair(at).quiet = 0;
        if (overlaps(frame, pair(at))) return false;
        free_.push_back(pair(at).child);
        pair(at).child = -1;
        return true;
    }

    void go_down(Frame& frame, std::int32_t at) {
        const Topology::Node& node_a = a_.topology.nodes[static_cast<std::size_t>(pair(at).a)];
        const Topology::Node& node_b = b_.topology.nodes[static_cast<std::size_t>(pair(at).b)];
        if (node_a.is_leaf() && node_b.is_leaf()) {
            for_leaf_triangles(a_, b_, node_a, node_b, frame.a_from_b,
                               [&](std::int32_t of_a, std::int32_t of_b, const Triangle& in_a, const Triangle& in_b) {
                                   ++frame.answer.n_p;
                                   if (triangles_touch(in_a, in_b)) frame.hits.push_back({of_a, of_b});
                                   return true;
                               });
            return;
        }
        const Pair parent = pair(at);
        const bool a_side = opens_a(node_a, node_b, descent_, parent.a_opened);
        const std::int32_t below = a_side ? node_a.child : node_b.child;
        const std::int32_t child = take_two();
        for (std::int32_t k = 0; k < 2; ++k)
            pair(child + k) = {a_side ? below + k : parent.a, a_side ? parent.b : below + k, -1, 0, a_side};
        pair(at).child = child;
        pair(at).quiet = 0;
        visit(frame, child);
        visit(frame, child + 1);
    }

    std::int32_t take_two() {
        if (free_.empty()) {
            nodes_.resize(nodes_.size() + 2);
            return static_cast<std::int32_t>(nodes_.size() - 2);
        }
        const std::int32_t child = free_.back();
        free_.pop_back();
        return child;
    }

    const Hierarchy<V>&a_, &b_;
    Descent descent_;
    int climb_after_;
    std::vector<Pair> nodes_;         // the root first, siblings adjacent
    std::vector<std::int32_t> free_;  // index of the first node of each free pair of siblings
};

}  // namespace glovebox::collision
