#include "collision/broad_phase/broad_phase.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>
#include <set>

#include "collision/broad_phase/moving_bodies.h"

namespace glovebox::collision {
namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();

/// Finds all pairs by the definition, without the helpers of the methods under test.
std::vector<BodyPair> oracle(const Bodies& bodies) {
    const auto present = [](const Aabb& box) { return (box.min_m.array() <= box.max_m.array()).all(); };
    std::vector<BodyPair> pairs;
    for (std::size_t a = 0; a < bodies.boxes.size(); ++a)
        for (std::size_t b = a + 1; b < bodies.boxes.size(); ++b)
            if (present(bodies.boxes[a]) && present(bodies.boxes[b]) && overlap(bodies.boxes[a], bodies.boxes[b]) &&
                (bodies.layers.empty() || may_collide(bodies.layers[a], bodies.layers[b])))
                pairs.push_back({static_cast<std::int32_t>(a), static_cast<std::int32_t>(b)});
    return pairs;
}

std::vector<BodyPair> sorted(std::vector<BodyPair> pairs) {
    std::sort(pairs.begin(), pairs.end());
    return pairs;
}

class EveryBroadPhase : public testing::TestWithParam<BroadPhase> {
  protected:
    std::vector<BodyPair> pairs_of(const Bodies& bodies) {
        row_.find_pairs(*memory_, bodies, pairs_, counts_);
        return sorted(pairs_);
    }
    BroadPhase row_ = GetParam();
    std::unique_ptr<BroadPhaseMemory> memory_ = row_.make_memory();
    std::vector<BodyPair> pairs_;
    BroadPhaseCounts counts_;
};

const WorldSettings kWorlds[] = {
    {.name = "calm", .step_m = 0.004F},
    {.name = "fast", .step_m = 0.4F},
    {.name = "coming and going", .step_m = 0.02F, .appears_or_vanishes = 0.02},
    {.name = "teleporting", .teleports = 0.05},
    {.name = "settled on the ground",
     .room_half_m = {6.0F, 0.002F, 6.0F},
     .step_m = 0.004F,
     .appears_or_vanishes = 0.005},
    {.name = "mixed sizes",
     .room_half_m = {3.0F, 3.0F, 3.0F},
     .size_min_m = 0.002F,
     .size_max_m = 3.0F,
     .step_m = 0.02F},
    {.name = "on a lattice", .size_min_m = 0.04F, .step_m = 0.06F, .appears_or_vanishes = 0.02, .on_lattice = true},
    {.name = "a dozen", .bodies = 12, .room_half_m = {0.2F, 0.2F, 0.2F}},
    {.name = "points on a lattice",
     .room_half_m = {0.2F, 0.2F, 0.2F},
     .size_min_m = 1e-6F,
     .size_max_m = 1e-6F,
     .on_lattice = true},
};

TEST_P(EveryBroadPhase, AgreesWithBruteForceWhileBodiesMoveAppearAndVanish) {
    for (const WorldSettings& settings : kWorlds) {
        memory_ = row_.make_memory();
        MovingBodies world(settings, 7);
        std::size_t total = 0, changes = 0;
        std::vector<BodyPair> last;
        for (int step = 0; step < 60; ++step, world.step()) {
            const auto expected = oracle(world.bodies());
            ASSERT_EQ(pairs_of(world.bodies()), expected) << settings.name << ", step " << step;
            total += expected.size();
            changes += expected != last ? 1 : 0;
            last = expected;
        }
        // Ensures that there were pairs to find, and that the set of pairs changed.
        EXPECT_GT(total, 60U) << settings.name;
        EXPECT_GT(changes, 10U) << settings.name;
    }
}

TEST_P(EveryBroadPhase, AgreesWithBruteForceOnPlanesAndLinesAndInACorner) {
    // The room spans one cell of a grid along an axis, two, a few, or many.
    constexpr std::array kHalf_m = {0.001F, 0.08F, 0.2F, 2.0F};
    for (unsigned world_of_64 = 0; world_of_64 < 64; ++world_of_64) {
        memory_ = row_.make_memory();
        MovingBodies world(
            {.name = "flat",
             .bodies = 100,
             .room_half_m = {kHalf_m[world_of_64 % 4], kHalf_m[world_of_64 / 4 % 4], kHalf_m[world_of_64 / 16]},
             .size_min_m = 0.1F,
             .size_max_m = 0.14F,
             .step_m = 0.02F},
            world_of_64);
        std::size_t total = 0;
        for (int step = 0; step < 6; ++step, world.step()) {
            const auto expected = oracle(world.bodies());
            ASSERT_EQ(pairs_of(world.bodies()), expected) << "world " << world_of_64 << ", step " << step;
            total += expected.size();
        }
        EXPECT_GT(total, 0U) << "world " << world_of_64;
    }
}

TEST_P(EveryBroadPhase, KeepsLayersApart) {
    MovingBodies world({.name = "layers"}, 11);
    std::size_t with = 0, without = 0;
    for (int step = 0; step < 20; ++step, world.step()) {
        const auto expected = oracle(world.layered_bodies());
        ASSERT_EQ(pairs_of(world.layered_bodies()), expected);
        with += expected.size();
        without += oracle(world.bodies()).size();
    }
    EXPECT_LT(with, without);
    EXPECT_GT(with, 0U);
}

TEST_P(EveryBroadPhase, ListsThePairsOfTheLayersOfThisStep) {
    std::vector<Aabb> boxes(2, Aabb{{0, 0, 0}, {1, 1, 1}});
    std::vector<Layers> layers(2);
    EXPECT_EQ(pairs_of({boxes, layers}).size(), 1U);
    layers[1].mask = 2;
    EXPECT_EQ(pairs_of({boxes, layers}).size(), 0U);
    layers[0].layer = 2;
    EXPECT_EQ(pairs_of({boxes, layers}).size(), 1U);
}

TEST_P(EveryBroadPhase, FollowsLayersThatChangeWhileBodiesRest) {
    MovingBodies world(
        {.name = "layers that change", .bodies = 200, .room_half_m = {0.6F, 0.6F, 0.6F}, .step_m = 0.0005F}, 13);
    std::mt19937 random(1);
    std::set<std::size_t> counts;
    for (int step = 0; step < 40; ++step, world.step()) {
        for (int flip = 0; flip < 5; ++flip) {
            Layers& layers = world.layers()[random() % 200];
            (flip % 2 == 0 ? layers.layer : layers.mask) ^= 1U << random() % 3;
        }
        const Bodies bodies = step % 10 == 9 ? world.bodies() : world.layered_bodies();
        const auto expected = oracle(bodies);
        ASSERT_EQ(pairs_of(bodies), expected) << "step " << step;
        counts.insert(expected.size());
    }
    EXPECT_GT(counts.size(), 10U);
}

TEST_P(EveryBroadPhase, TakesMoreAndFewerBodiesFromStepToStep) {
    MovingBodies world({.name = "counts", .bodies = 300}, 3);
    for (const std::size_t count : {10U, 300U, 299U, 40U, 0U, 1U, 200U, 300U}) {
        const Bodies bodies = {std::span(world.boxes()).first(count), {}};
        ASSERT_EQ(pairs_of(bodies), oracle(bodies)) << count << " bodies";
        world.step();
    }
}

TEST_P(EveryBroadPhase, TakesFlatInfiniteAbsentAndNanBoxes) {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    MovingBodies world({.name = "odd", .bodies = 120}, 5);
    for (int step = 0; step < 12; ++step, world.step()) {
        std::vector<Aabb> boxes = world.boxes();
        boxes[3] = {{-kInf, -0.1F, -kInf}, {kInf, 0.0F, kInf}};                     // the ground
        boxes[4] = {{-kInf, -kInf, -kInf}, {kInf, kInf, kInf}};                     // all of space
        boxes[5] = {{0, 0, 0}, {0, 0, 0}};                                          // a point
        boxes[6].min_m.y() = nan;                                                   // lost
        boxes[7] = {};                                                              // absent
        boxes[8] = {{0.1F, 0.1F, 0.1F}, {-0.1F, 0.3F, 0.3F}};                       // inside out
        boxes[9] = {{-1e9F, -1e9F, -1e9F}, {-1e9F + 64.0F, -1e9F + 64.0F, -1e9F}};  // far outside the world
        boxes[10] = {{-1e30F, 0, 0}, {1e30F, 1, 1}};                                // very long
        boxes[11] = {{-1, 0, -1}, {1, 0, 1}};                                       // a plane rectangle
        boxes[12] = boxes[13] = boxes[14];                                          // coincident
        if (step % 3 == 1) std::swap(boxes[3], boxes[7]);
        ASSERT_EQ(pairs_of({boxes, {}}), oracle({boxes, {}})) << "step " << step;
    }
}

TEST_P(EveryBroadPhase, TakesBoxesAtTheEndsOfTheNumbers) {
    constexpr float kLargest = std::numeric_limits<float>::max();
    MovingBodies world({.name = "far", .bodies = 120}, 5);
    for (int step = 0; step < 12; ++step, world.step()) {
        std::vector<Aabb> boxes = world.boxes();
        boxes[3] = boxes[4] = {{kInf, 0, 0}, {kInf, 1, 1}};  // flat, at infinity
        boxes[5] = {{-1, -kInf, -1}, {1, -kInf, 1}};         // below everything
        boxes[6] = {{0, -kInf, 0}, {kInf, 1, 1}};            // reaches from minus infinity
        boxes[7] = {{-kLargest, 0, 0}, {-kLargest, 1, 1}};   // their distance overflows
        boxes[8] = {{0.9F * kLargest, 0, 0}, {kLargest, 1, 1}};
        boxes[9] = {{-kLargest, 0, 0}, {kLargest, 1, 1}};  // so does this one's length
        if (step % 3 == 1) std::swap(boxes[3], boxes[10]);
        ASSERT_EQ(pairs_of({boxes, {}}), oracle({boxes, {}})) << "step " << step;
    }
}

TEST_P(EveryBroadPhase, ListsPairsOfEndlessBoxesOnce) {
    // They have no centre, so a method that divides space at centres may file them outside the part that it searches.
    std::size_t total = 0;
    for (unsigned seed = 0; seed < 200; ++seed) {
        MovingBodies world({.name = "endless", .bodies = 60, .room_half_m = {0.5F, 0.5F, 0.5F}}, seed);
        for (std::size_t i = 0; i < 60; ++i) {
            Aabb& box = world.boxes()[i];
            box = {box.min_m.array() + 2.0F, box.max_m.array() + 2.0F};
            if (i < 25) box.max_m[static_cast<int>(seed % 3)] = kInf;
        }
        const auto expected = oracle(world.bodies());
        ASSERT_EQ(pairs_of(world.bodies()), expected) << "seed " << seed;
        total += expected.size();
    }
    EXPECT_GT(total, 4000U);
}

TEST_P(EveryBroadPhase, TouchingBoxesOverlap) {
    // A row of n unit cubes, face to face, has n - 1 pairs; moved apart by 0.01 it has none.
    std::vector<Aabb> boxes;
    for (int i = 0; i < 50; ++i) boxes.push_back({{static_cast<float>(i), 0, 0}, {static_cast<float>(i + 1), 1, 1}});
    EXPECT_EQ(pairs_of({boxes, {}}).size(), 49U);
    for (int i = 0; i < 50; ++i) boxes[static_cast<std::size_t>(i)].max_m.x() -= 0.01F;
    EXPECT_EQ(pairs_of({boxes, {}}).size(), 0U);
}

TEST_P(EveryBroadPhase, ListsTheSamePairsInTheSameOrderOnASecondRun) {
    MovingBodies world({.name = "again", .appears_or_vanishes = 0.01}, 9), twin = world;
    const auto memory = row_.make_memory();
    std::vector<BodyPair> first, second;
    for (int step = 0; step < 20; ++step, world.step(), twin.step()) {
        row_.find_pairs(*memory_, world.bodies(), first, counts_);
        row_.find_pairs(*memory, twin.bodies(), second, counts_);
        ASSERT_EQ(first, second);
    }
}

INSTANTIATE_TEST_SUITE_P(Rows, EveryBroadPhase, testing::ValuesIn(broad_phases().begin(), broad_phases().end()),
                         [](const auto& param_info) {
                             std::string name(param_info.param.name);
                             std::replace(name.begin(), name.end(), '-', '_');
                             return name;
                         });

TEST(BroadPhases, HaveUniqueNames) {
    std::set<std::string_view> names;
    for (const BroadPhase& row : broad_phases()) {
        names.insert(row.name);
        EXPECT_EQ(find_broad_phase(row.name), &row);
    }
    EXPECT_EQ(names.size(), broad_phases().size());
    EXPECT_EQ(find_broad_phase("no such method"), nullptr);
}

std::array<std::int64_t, 3> swaps_of(const WorldSettings& settings) {
    const BroadPhase& row = *find_broad_phase("sweep-and-prune");
    const auto memory = row.make_memory();
    MovingBodies world(settings, 21);
    std::vector<BodyPair> pairs;
    BroadPhaseCounts counts;
    for (int step = 0; step < 30; ++step, world.step()) row.find_pairs(*memory, world.bodies(), pairs, counts);
    return counts.swaps;
}

TEST(SweepAndPrune, SwapsGrowWithMotion) {
    const auto rest = swaps_of({.name = "rest", .step_m = 0.0F});
    const auto slow = swaps_of({.name = "slow", .step_m = 0.005F}), fast = swaps_of({.name = "fast", .step_m = 0.02F});
    for (std::size_t axis = 0; axis < 3; ++axis) {
        EXPECT_EQ(rest[axis], 0);
        // Four times the motion gives about four times the swaps.
        EXPECT_NEAR(static_cast<double>(fast[axis]) / static_cast<double>(slow[axis]), 4.0, 0.6);
    }
}

TEST(SweepAndPrune, FailsWhereBodiesClusterOnOneAxis) {
    // The same bodies with the same motion, once spread over a room and once settled on its floor.
    const auto spread = swaps_of({.name = "spread", .size_min_m = 0.1F, .size_max_m = 0.1F, .step_m = 0.004F});
    const auto settled = swaps_of({.name = "settled",
                                   .room_half_m = {1.2F, 0.01F, 1.2F},
                                   .size_min_m = 0.1F,
                                   .size_max_m = 0.1F,
                                   .step_m = 0.004F});
    EXPECT_GT(settled[1], 20 * spread[1]);
    EXPECT_LT(settled[0], 2 * spread[0]);
}

TEST(SweepAndPrune, CubesForAllRotationsNeedNoSwapsWhenBodiesTurnOnTheSpot) {
    const BroadPhase& row = *find_broad_phase("sweep-and-prune");
    for (const bool cubes : {true, false}) {
        const auto memory = row.make_memory();
        std::vector<BodyPair> pairs;
        BroadPhaseCounts counts;
        std::vector<Aabb> boxes(64);
        for (int step = 0; step < 20; ++step) {
            for (int i = 0; i < 64; ++i) {
                const Eigen::Vector3f half_m = {0.1F, 0.2F, 0.4F},
                                      axis = Eigen::Vector3f(1, 1, static_cast<float>(i)).normalized();
                const Obb box = {{0.3F * static_cast<float>(i), 0, 0},
                                 Eigen::AngleAxisf(0.1F * static_cast<float>(step), axis).toRotationMatrix(),
                                 half_m};
                const Aabb cube = cube_for_all_rotations(box.center_m, 1.0001F * half_m.norm());
                const Aabb tight = aabb_of(box);
                EXPECT_TRUE((cube.min_m.array() <= tight.min_m.array()).all() &&
                            (tight.max_m.array() <= cube.max_m.array()).all());
                boxes[static_cast<std::size_t>(i)] = cubes ? cube : tight;
            }
            row.find_pairs(*memory, {boxes, {}}, pairs, counts);
        }
        EXPECT_EQ(counts.swaps[0] + counts.swaps[1] + counts.swaps[2] == 0, cubes);
    }
}

TEST(DynamicTree, RestingBodiesThatMayNotMeetCostNothing) {
    const auto tests_of = [](const Layers& layers_of_all) {
        const BroadPhase& row = *find_broad_phase("tree");
        const auto memory = row.make_memory();
        const MovingBodies world({.name = "rest", .step_m = 0.0F}, 8);
        const std::vector<Layers> layers(world.bodies().boxes.size(), layers_of_all);
        std::vector<BodyPair> pairs;
        BroadPhaseCounts first, second;
        row.find_pairs(*memory, {world.bodies().boxes, layers}, pairs, first);
        row.find_pairs(*memory, {world.bodies().boxes, layers}, pairs, second);
        return second.box_tests;
    };
    EXPECT_GT(tests_of({1U, 1U}), 100);
    EXPECT_EQ(tests_of({2U, 1U}), 0);
}

TEST(HierarchicalGrid, TestsFewerPairsThanAUniformGridWhenSizesDiffer) {
    const auto tests_of = [](std::string_view name) {
        const BroadPhase& row = *find_broad_phase(name);
        MovingBodies world(
            {.name = "sizes", .bodies = 2000, .room_half_m = {2, 2, 2}, .size_min_m = 0.005F, .size_max_m = 0.5F}, 4);
        std::vector<BodyPair> pairs;
        BroadPhaseCounts counts;
        row.find_pairs(*row.make_memory(), world.bodies(), pairs, counts);
        return counts.box_tests;
    };
    EXPECT_LT(2 * tests_of("hgrid-center"), tests_of("grid"));
    EXPECT_LT(tests_of("hgrid-overlap"), tests_of("hgrid-center"));
}

TEST(Octree, BodiesStuckOnPlanesCostTheLooseOctreeNothing) {
    // Small bodies along the root's dividing planes: the plain octree keeps them all at the root.
    const auto tests_of = [](std::string_view name) {
        const BroadPhase& row = *find_broad_phase(name);
        std::vector<Aabb> boxes = {{{-10, -10, -10}, {-9.9F, -9.9F, -9.9F}}, {{9.9F, 9.9F, 9.9F}, {10, 10, 10}}};
        for (int i = 0; i < 200; ++i) {
            const float x_m = -9.8F + 0.0981F * static_cast<float>(i);
            boxes.push_back({{x_m, -0.02F, -0.02F}, {x_m + 0.04F, 0.02F, 0.02F}});
        }
        std::vector<BodyPair> pairs;
        BroadPhaseCounts counts;
        row.find_pairs(*row.make_memory(), {boxes, {}}, pairs, counts);
        EXPECT_TRUE(pairs.empty());
        return counts.box_tests;
    };
    EXPECT_GT(tests_of("octree"), 10 * tests_of("loose-octree"));
}

}  // namespace
}  // namespace glovebox::collision
