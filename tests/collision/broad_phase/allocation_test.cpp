// Its own program, because it replaces the global operator new to count.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>

#include "collision/broad_phase/broad_phase.h"
#include "collision/broad_phase/moving_bodies.h"

namespace {
std::atomic<std::int64_t> allocations{0};
}

void* operator new(std::size_t size) {
    ++allocations;
    if (void* memory = std::malloc(size)) return memory;
    throw std::bad_alloc();
}
void operator delete(void* memory) noexcept {
    std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
    std::free(memory);
}

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
