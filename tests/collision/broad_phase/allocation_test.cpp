// Its own program, because it counts by replacing the global operator new.
#include <gtest/gtest.h>

#include "collision/broad_phase/broad_phase.h"
#include "collision/broad_phase/moving_bodies.h"
#include "tests/count_allocations.h"

namespace glovebox::collision {
namespace {

TEST(BroadPhases, AllocateNothingOnceWarm) {
    const std::int64_t before = allocations;
    EXPECT_NE(broad_phases().front().make_memory(), nullptr);
    EXPECT_GT(allocations, before);  // the counter counts

    // The same hundred steps twice: the second time everything has the size that it needs.
    MovingBodies world({.name = "warm", .bodies = 300, .step_m = 0.02F, .comes_or_goes = 0.01}, 2);
    std::vector<std::vector<Aabb>> steps;
    for (int step = 0; step < 100; ++step, world.step()) steps.push_back(world.boxes());
    for (const BroadPhase& row : broad_phases()) {
        const auto memory = row.make_memory();
        std::vector<BodyPair> pairs;
        BroadPhaseCounts counts;
        for (const auto& boxes : steps) row.find_pairs(*memory, {boxes, {}}, pairs, counts);
        // The tree's fat boxes depend on where bodies came from, so its second round is warmed too.
        for (const auto& boxes : steps) row.find_pairs(*memory, {boxes, {}}, pairs, counts);
        const std::int64_t warm = allocations;
        for (const auto& boxes : steps) row.find_pairs(*memory, {boxes, {}}, pairs, counts);
        EXPECT_EQ(allocations, warm) << row.name;
    }
}

}  // namespace
}  // namespace glovebox::collision
