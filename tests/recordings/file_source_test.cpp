#include "recordings/file_source.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace glovebox::recordings {
namespace {

using tracking::SourceFrame;
using tracking::SourceState;

constexpr std::int64_t kStart_ns = 5'000'000'000;  // a monotonic clock does not start at 0

Recording at_times(std::initializer_list<std::int64_t> times_ms) {
    Recording recording;
    for (const std::int64_t ms : times_ms) {
        recording.samples.emplace_back().time_ns = ms * 1'000'000;
        recording.samples.back()[tracking::Side::right].active = true;
    }
    return recording;
}

// Plays a source on the test's own clock.
struct Player {
    FileSource source;
    std::int64_t now_ns = kStart_ns;
    SourceFrame frame;

    Player(std::initializer_list<std::int64_t> times_ms, Transport transport) : source(at_times(times_ms), transport) {}

    /// Returns the samples that are due after this time has passed.
    std::vector<std::int64_t> after_ms(double ms) {
        now_ns += static_cast<std::int64_t>(1e6 * ms);
        std::vector<std::int64_t> out;
        while (out.size() < 100 && source.next(now_ns, frame)) out.push_back(frame.raw.time_ns / 1'000'000);
        return out;
    }
    std::vector<std::int64_t> in_steps(double step_ms, int steps) {
        std::vector<std::int64_t> all;
        for (int i = 0; i < steps; ++i)
            for (const std::int64_t ms : after_ms(step_ms)) all.push_back(ms);
        return all;
    }
};

using Times = std::vector<std::int64_t>;

TEST(FileSource, GivesEverySampleOnceAtItsTimeThroughGapsAndRepeats) {
    Player player({0, 10, 10, 20, 400}, {.speed = 1.0});
    EXPECT_EQ(player.after_ms(0.0), (Times{0}));
    EXPECT_EQ(player.after_ms(9.0), (Times{}));
    EXPECT_EQ(player.after_ms(1.1), (Times{10, 10})) << "two samples with one stamp";
    EXPECT_EQ(player.after_ms(300.0), (Times{20}));
    EXPECT_FALSE(player.source.ended());
    EXPECT_EQ(player.after_ms(200.0), (Times{400}));
    EXPECT_TRUE(player.source.ended());
    EXPECT_EQ(player.after_ms(1e5), (Times{}));
}

TEST(FileSource, TheStepBetweenSamplesIsTheRecordingsAtEverySpeed) {
    for (const double speed : {0.25, 1.0, 3.0}) {
        Player player({5, 15, 25, 125}, {.speed = speed});
        std::vector<double> steps_s;
        for (int i = 0; i < 700; ++i) {
            player.now_ns += 1'000'000;
            while (player.source.next(player.now_ns, player.frame)) steps_s.push_back(player.frame.dt_s);
        }
        ASSERT_EQ(steps_s.size(), 4U) << speed;
        for (const auto& [i, step_s] : {std::pair{0, 0.0}, {1, 0.01}, {2, 0.01}, {3, 0.1}})
            EXPECT_NEAR(steps_s[static_cast<std::size_t>(i)], step_s, 1e-12) << speed;
    }
    Player slow({0, 10, 20, 30, 40}, {.speed = 0.5});
    EXPECT_EQ(slow.in_steps(1.0, 42).back(), 20);
}

TEST(FileSource, WithoutASpeedGivesOneAfterTheOtherWhateverTheTime) {
    Player player({0, 1000, 5000}, {});
    EXPECT_EQ(player.after_ms(0.0), (Times{0, 1000, 5000}));
    EXPECT_TRUE(player.source.ended());
}

TEST(FileSource, LoopsAndSaysWhereTheSceneStartsOver) {
    Player player({0, 10, 20}, {.speed = 1.0, .loop = true});
    const Times played = player.in_steps(5.0, 20);
    ASSERT_GE(played.size(), 9U);
    for (std::size_t i = 0; i < played.size(); ++i) EXPECT_EQ(played[i], static_cast<std::int64_t>(10 * (i % 3)));
    Player fast({0, 10, 20}, {.loop = true});
    int starts = 0;
    for (int i = 0; i < 7; ++i) {
        ASSERT_TRUE(fast.source.next(0, fast.frame));
        EXPECT_EQ(fast.frame.starts_over, i == 3 || i == 6);
        EXPECT_TRUE(!fast.frame.starts_over || fast.frame.dt_s == 0.0);
        starts += fast.frame.starts_over ? 1 : 0;
    }
    EXPECT_EQ(starts, 2);
    EXPECT_FALSE(fast.source.ended());
}

TEST(FileSource, StandsStillWhilePausedAndGoesWhereItIsTold) {
    Player player({0, 10, 20, 30}, {.speed = 1.0});
    EXPECT_EQ(player.after_ms(0.0), (Times{0}));
    player.source.set_paused(true);
    EXPECT_EQ(player.after_ms(1000.0), (Times{}));
    EXPECT_EQ(player.source.status().state, SourceState::paused);
    player.source.set_paused(false);
    EXPECT_EQ(player.after_ms(10.1), (Times{10}));
    player.source.go_to(player.source.frame_at(0.029));
    EXPECT_EQ(player.after_ms(0.0), (Times{20}));
    EXPECT_NEAR(player.frame.dt_s, 0.010, 1e-12) << "a sample's step is the same however it was reached";
}

// After a machine was stopped for a second, a second's worth of samples must not arrive at once.
TEST(FileSource, SlowsDownInsteadOfPilingUp) {
    Recording recording;
    for (int i = 0; i < 2000; ++i) {
        recording.samples.emplace_back().time_ns = 1'000'000LL * i;
        recording.samples.back()[tracking::Side::right].active = true;
    }
    FileSource source(std::move(recording), {.speed = 1.0});
    SourceFrame frame;
    ASSERT_TRUE(source.next(kStart_ns, frame));
    int given = 0;
    while (source.next(kStart_ns + 1'000'000'000, frame)) ++given;
    EXPECT_GT(given, 200);
    EXPECT_LT(given, 300);
}

TEST(FileSource, NothingToPlayHasEndedAtOnce) {
    FileSource source({}, {.speed = 1.0});
    SourceFrame frame;
    EXPECT_FALSE(source.next(1, frame));
    EXPECT_TRUE(source.ended());
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
