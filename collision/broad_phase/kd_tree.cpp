// A k-d tree over all bodies: a KdDivision of the whole space.
#include "collision/broad_phase/kd_division.h"

namespace glovebox::collision {
namespace {

class KdTree {
  public:
    void step(const Bodies& bodies, PairSink& sink, BroadPhaseCounts& counts) {
        present_.clear();
        for (std::size_t body = 0; body < bodies.boxes.size(); ++body)
            if (is_present(bodies.boxes[body])) present_.push_back(static_cast<std::int32_t>(body));
        counts.updates += static_cast<std::int64_t>(present_.size());
        division_.find_pairs(bodies, whole_space(), present_, sink, counts);
    }

  private:
    std::vector<std::int32_t> present_;
    KdDivision division_;
};

}  // namespace

BroadPhase kd_tree() {
    return row<KdTree>("kd-tree", "space cut at medians every step; adapts to clusters");
}

}  // namespace glovebox::collision
