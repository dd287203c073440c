#include "vr/session/stage_stats.h"

#include <gtest/gtest.h>

namespace glovebox::vr {
namespace {

TEST(DurationHistogram, PercentilesAreWithinABinOfTheTruth) {
    DurationHistogram histogram;
    for (int i = 1; i <= 10000; ++i) histogram.add(i * 100);
    EXPECT_NEAR(histogram.percentile_us(0.5), 500.0, 500.0 * 0.045);
    EXPECT_NEAR(histogram.percentile_us(0.99), 990.0, 990.0 * 0.045);
    EXPECT_DOUBLE_EQ(histogram.max_us(), 1000.0);
    EXPECT_NEAR(histogram.mean_us(), 500.05, 1e-9);
}

TEST(DurationHistogram, ZeroAndHugeDurationsStayInside) {
    DurationHistogram histogram;
    histogram.add(0);
    histogram.add(std::int64_t{1} << 60);
    EXPECT_EQ(histogram.count(), 2U);
    EXPECT_LE(histogram.percentile_us(0.999), histogram.max_us());
}

TEST(DurationHistogram, EmptyHasNoCost) {
    EXPECT_EQ(DurationHistogram{}.percentile_us(0.99), 0.0);
}

}  // namespace
}  // namespace glovebox::vr
