#include "tracking/per_side.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace glovebox::tracking {
namespace {

TEST(PerSide, ASideFindsItsOwnValue) {
    PerSide<int> counts{};
    counts[Side::right] = 3;
    EXPECT_EQ(counts[Side::left], 0);
    EXPECT_THAT(counts, testing::ElementsAre(0, 3)) << "left before right";
    counts.fill(7);
    const PerSide<int>& fixed = counts;
    for (const Side side : kSides) EXPECT_EQ(fixed[side], 7);
    constexpr PerSide<int> kNamed = {1, 2};
    static_assert(kNamed[Side::left] == 1 && kNamed[Side::right] == 2);
}

}  // namespace
}  // namespace glovebox::tracking
