#include "collision/broad_phase/rows.h"

namespace glovebox::collision {
namespace {

struct BruteForce {
    void step(const Bodies& bodies, PairSink& sink, BroadPhaseCounts& counts) {
        const auto count = static_cast<std::int32_t>(bodies.boxes.size());
        for (std::int32_t i = 0; i < count; ++i) {
            const Aabb& box = bodies.boxes[static_cast<std::size_t>(i)];
            if (!is_present(box)) continue;
            counts.box_tests += count - i - 1;
            for (std::int32_t j = i + 1; j < count; ++j) {
                // An empty box can pass the overlap test against a large one, so presence is tested too.
                const Aabb& other = bodies.boxes[static_cast<std::size_t>(j)];
                if (meet(box, other) && is_present(other)) sink.add(i, j);
            }
        }
    }
};

}  // namespace

BroadPhase brute_force() {
    return row<BruteForce>("brute", "every pair; the oracle, and right for a few dozen bodies");
}

}  // namespace glovebox::collision
