#include "collision/clips/wide_boxes.h"

#include <gtest/gtest.h>

#include <bit>

#include "collision/clips/walks.h"

namespace glovebox::collision::clips {
namespace {

TEST(WideBoxes, TestedTogetherIsTestedOneByOne) {
    Dice dice(1);
    int met = 0, tested = 0;
    for (int k = 0; k < 3000; ++k) {
        const Clip a = circling(dice, 700, 1.3), b = circling(dice, 900, 1.2);
        const auto levels_a = make_wide_boxes(a.samples, AxisRule::chord);
        const auto levels_b = make_wide_boxes(b.samples, AxisRule::chord);
        const double angle = dice.uniform(0.0, 7.0);
        const WidePlacement placed{static_cast<float>(std::cos(angle)), static_cast<float>(std::sin(angle)),
                                   static_cast<float>(dice.uniform(-3, 3)), static_cast<float>(dice.uniform(-3, 3)),
                                   1e-4F};
        const auto count = static_cast<std::int64_t>(1 + dice.below(40));
        const auto i = static_cast<std::int64_t>(dice.below(static_cast<std::size_t>(levels_a[0].count - count + 1)));
        const auto j =
            static_cast<std::int64_t>(dice.below(static_cast<std::size_t>(levels_b[0].count - count + 2))) - 1;
        WideBits same{}, next{}, same_scalar{}, next_scalar{};
        may_meet(levels_a[0], i, levels_b[0], j, count, placed, same, next);
        may_meet_scalar(levels_a[0], i, levels_b[0], j, count, placed, same_scalar, next_scalar);
        ASSERT_EQ(same, same_scalar) << k;
        ASSERT_EQ(next, next_scalar) << k;
        for (const std::uint16_t word : same) met += std::popcount(word);
        tested += static_cast<int>(count);
    }
    EXPECT_GT(met, tested / 20);
    EXPECT_LT(met, tested * 19 / 20);
}

TEST(WideBoxes, SamplesComparedTogetherAreComparedOneByOne) {
    Dice dice(3);
    int hits = 0;
    constexpr int kCases = 4000;
    for (int k = 0; k < kCases; ++k) {
        const Clip a = wandering(dice, 70, 0.3), b = wandering(dice, 70, 0.3);
        const RelativePlacement placed = relative(
            glovebox::collision::clips::placed(dice.uniform(0, 7), {dice.uniform(-2, 2), dice.uniform(-2, 2)}, 0.0),
            {});
        const auto count = static_cast<std::int64_t>(1 + dice.below(40));
        const bool next = dice.below(2) == 0;
        bool expected = false;
        for (std::int64_t i = 0; i < count; ++i)
            for (std::int64_t j = i; j <= (next ? i + 1 : i); ++j)
                expected |= discs_collide(
                    placed.b_from_a * a.samples[static_cast<std::size_t>(i)].center_m + placed.offset_m,
                    a.samples[static_cast<std::size_t>(i)].radius_m, b.samples[static_cast<std::size_t>(j)]);
        ASSERT_EQ(any_collide(a.samples.data(), b.samples.data(), count, next, placed), expected) << k;
        hits += expected ? 1 : 0;
    }
    EXPECT_GT(hits, kCases / 20);
    EXPECT_LT(hits, kCases * 19 / 20);
}

TEST(WideBoxes, LevelsGrowByTheFan) {
    Dice dice(2);
    const auto levels = make_wide_boxes(circling(dice, 1260, 0.3).samples, AxisRule::chord);
    ASSERT_EQ(levels.size(), 2U);
    EXPECT_EQ(levels[0].count, 79);
    EXPECT_EQ(levels[1].count, 1);
    EXPECT_EQ(make_wide_boxes(circling(dice, 5000, 0.3).samples, AxisRule::chord).size(), 3U);
    EXPECT_EQ(make_wide_boxes(standing(1, 0.3).samples, AxisRule::chord).size(), 1U);
    EXPECT_EQ(make_wide_boxes(standing(16, 0.3).samples, AxisRule::chord).size(), 1U);
    EXPECT_EQ(make_wide_boxes(standing(17, 0.3).samples, AxisRule::chord).size(), 2U);
}

}  // namespace
}  // namespace glovebox::collision::clips
