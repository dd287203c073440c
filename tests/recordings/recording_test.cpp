#include "recordings/recording.h"

#include <gtest/gtest.h>

#include "recordings/diff.h"

namespace glovebox::recordings {
namespace {

Recording with_times(std::initializer_list<std::int64_t> times_ms) {
    Recording recording;
    for (const std::int64_t time_ms : times_ms) recording.samples.emplace_back().time_ns = time_ms * 1'000'000;
    return recording;
}

TEST(Recording, KeepsGapsApartFromTheRate) {
    const Recording recording = with_times({0, 10, 20, 330, 340, 350});
    EXPECT_DOUBLE_EQ(recording.duration_s(), 0.35);
    EXPECT_DOUBLE_EQ(recording.longest_gap_s(), 0.31);
    EXPECT_DOUBLE_EQ(recording.rate_hz(), 100.0);
}

TEST(Recording, GapsAreTheStepsOfMoreThanThreeTimesTheUsual) {
    const auto found = gaps(with_times({0, 10, 20, 330, 340, 350, 379}));
    ASSERT_EQ(found.size(), 1U);
    EXPECT_DOUBLE_EQ(found[0].first, 0.02);
    EXPECT_DOUBLE_EQ(found[0].second, 0.33);
    EXPECT_TRUE(gaps(with_times({5})).empty());
}

TEST(Recording, StoredTwiceAtEachInstantHasTheRateOfTheInstants) {
    Recording recording;
    for (int i = 0; i < 30; ++i)
        for (const std::int64_t later_ns : {0, 90'000})
            recording.samples.emplace_back().time_ns = 33'333'000LL * i + later_ns;
    EXPECT_NEAR(recording.rate_hz(), 30.1, 0.1);
    EXPECT_TRUE(gaps(recording).empty());
    for (auto& sample : recording.samples) sample.time_ns /= 1000;  // nothing but short steps
    EXPECT_GT(recording.rate_hz(), 10'000.0);
}

TEST(Recording, IsDefinedForNoneAndOneSample) {
    for (const Recording& recording : {with_times({}), with_times({5})}) {
        EXPECT_EQ(recording.duration_s(), 0.0);
        EXPECT_EQ(recording.longest_gap_s(), 0.0);
        EXPECT_EQ(recording.rate_hz(), 0.0);
    }
}

TEST(Recording, WithoutAHashInAFrameDiffersInNone) {
    Recording a = with_times({0, 10, 20}), b = a;
    a.state_hashes = {1, 0, 3};
    b.state_hashes = {1, 2, 3};
    EXPECT_FALSE(first_difference(a, b, {})) << first_difference(a, b, {})->what;
    b.state_hashes[2] = 4;
    EXPECT_TRUE(first_difference(a, b, {}));
}

}  // namespace
}  // namespace glovebox::recordings
