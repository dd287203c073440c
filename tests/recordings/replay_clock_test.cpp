#include "recordings/replay_clock.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace glovebox::recordings {
namespace {

std::vector<tracking::HandPair> at_times(std::initializer_list<std::int64_t> times_ms) {
    std::vector<tracking::HandPair> samples;
    for (const std::int64_t ms : times_ms) samples.emplace_back().time_ns = ms * 1'000'000;
    return samples;
}

// Which samples come out when time goes by in steps.
std::vector<std::int64_t> played_ms(ReplayClock& clock, double step_s, int steps) {
    std::vector<std::int64_t> out;
    for (int i = 0; i < steps; ++i)
        for (std::size_t due = clock.advance(step_s); due > 0; --due) out.push_back(clock.take().time_ns / 1'000'000);
    return out;
}

TEST(ReplayClock, GivesEverySampleOnceAtItsTimeThroughGapsAndRepeats) {
    const auto samples = at_times({0, 10, 10, 20, 400});
    ReplayClock clock(samples, {1.0}, false);
    EXPECT_EQ(clock.advance(0.0), 1U);
    clock.take();
    EXPECT_EQ(clock.advance(0.009), 0U);
    EXPECT_EQ(clock.advance(0.0011), 2U) << "two samples with one stamp";
    clock.take();
    clock.take();
    EXPECT_EQ(clock.advance(0.3), 1U);
    clock.take();
    EXPECT_FALSE(clock.finished());
    EXPECT_EQ(clock.advance(0.2), 1U);
    clock.take();
    EXPECT_TRUE(clock.finished());
    EXPECT_EQ(clock.advance(100.0), 0U);
}

TEST(ReplayClock, TheRateChangesTheClockAndNotTheData) {
    const auto samples = at_times({0, 10, 20, 30, 40});
    for (const double rate : {0.25, 1.0, 3.0}) {
        ReplayClock clock(samples, {rate}, false);
        EXPECT_EQ(played_ms(clock, 0.001, 200), (std::vector<std::int64_t>{0, 10, 20, 30, 40}));
    }
    ReplayClock slow(samples, {0.5}, false);
    EXPECT_EQ(played_ms(slow, 0.001, 41).back(), 20);
}

TEST(ReplayClock, MaxIsOneSampleACallWhateverTheTime) {
    const auto samples = at_times({0, 1000, 5000});
    ReplayClock clock(samples, {0.0}, false);
    EXPECT_EQ(played_ms(clock, 0.0, 5), (std::vector<std::int64_t>{0, 1000, 5000}));
    EXPECT_TRUE(clock.finished());
}

TEST(ReplayClock, LoopsForEverAndSeeks) {
    const auto samples = at_times({0, 10, 20});
    ReplayClock clock(samples, {1.0}, true);
    const std::vector<std::int64_t> played = played_ms(clock, 0.0101, 8);
    EXPECT_EQ(played, (std::vector<std::int64_t>{0, 10, 20, 0, 10, 20, 0, 10, 20}));
    clock.seek(0.015);
    EXPECT_EQ(clock.next(), 2U);
    EXPECT_EQ(clock.advance(0.005), 1U);
    EXPECT_EQ(clock.take().time_ns, 20'000'000);
    EXPECT_GE(clock.loops(), 1);
    ReplayClock max(samples, {0.0}, true);
    EXPECT_EQ(played_ms(max, 0.0, 5), (std::vector<std::int64_t>{0, 10, 20, 0, 10}));
}

TEST(ReplayClock, NothingToPlayIsFinishedAtOnce) {
    ReplayClock clock({}, {1.0}, true);
    EXPECT_EQ(clock.advance(1.0), 0U);
    EXPECT_TRUE(clock.finished());
}

TEST(ParseRate, KnowsWordsAndNumbers) {
    EXPECT_EQ(parse_rate("recorded").factor, 1.0);
    EXPECT_TRUE(parse_rate("max").is_max());
    EXPECT_EQ(parse_rate("2x").factor, 2.0);
    EXPECT_EQ(parse_rate("0.25").factor, 0.25);
    for (const char* bad : {"", "x", "fast", "-1", "0", "nan", "1e9"})
        EXPECT_THROW(parse_rate(bad), std::runtime_error) << bad;
}

}  // namespace
}  // namespace glovebox::recordings
