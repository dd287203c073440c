#include "vr/session/method_race.h"

#include <gtest/gtest.h>

#include <random>

#include "tests/scenes/made_hand.h"
#include "vr/platform/platform.h"
#include "vr/session/open_session.h"

namespace glovebox::vr {
namespace {

// A clock that advances by this much with each reading, so that every timed stage takes exactly that long.
std::int64_t step_ns = 0, clock_ns = 0;
std::int64_t stepping_clock() {
    return clock_ns += step_ns;
}

struct Raced {
    scenes::Scene scene = scenes::load_scene("table-and-ball");
    Pipeline pipeline{scene, {}, stepping_clock};

    Raced() {
        tracking::HandPair hands;
        hands.hands[0].active = false;
        hands[tracking::Side::right] =
            scenes::made_hand(tracking::Side::right, Eigen::Isometry3f(Eigen::Translation3f(0.0F, 0.9F, 0.0F)));
        pipeline.settings.keep_colliders = true;
        pipeline.frame(hands, 0.0);
    }
    void measure(MethodRace& race, std::int64_t frame_ns) {
        race.measure(scene, pipeline.world, pipeline.colliders, frame_ns, stepping_clock);
    }
};

// Every third frame costs a hundred times as much as the others; methods take turns, so each gets frames of one
// kind.
TEST(MethodRace, MethodsThatMeetDifferentFramesAreNotComparedByThem) {
    Raced raced;
    MethodRace race;
    ASSERT_EQ(race.entries.size() % 3, 0U);
    for (std::size_t i = 0; i < MethodRace::kMinFrames * race.entries.size(); ++i) {
        EXPECT_EQ(race.advice(), "") << "nothing is said before all have been measured";
        step_ns = i % 3 == 0 ? 100'000 : 1'000;
        raced.measure(race, 3 * step_ns);
    }
    for (const MethodRace::Entry& entry : race.entries) {
        EXPECT_EQ(entry.speeds.size(), MethodRace::kMinFrames);
        EXPECT_DOUBLE_EQ(race.speed_of(entry).median, 1.0) << entry.method->name;
    }
    EXPECT_EQ(race.advice(), "no other refit method is more than 10 % faster than cab");
}

// `method_share` is the method's part of the frame: a third less of one stage is not a third less of the frame.
MethodRace with_speeds(double method_speed, double method_share, double noise, std::uint32_t seed, int frames = 60) {
    std::mt19937 random(seed);
    std::normal_distribution<double> normal(1.0, noise);
    MethodRace race;
    race.in_use = race.entries[0].method;
    for (MethodRace::Entry& entry : race.entries)
        for (int i = 0; i < frames; ++i) {
            const double used = 20'000.0 * method_share * std::max(0.1, normal(random));
            const double own = &entry == &race.entries[2] ? used / method_speed * std::max(0.1, normal(random)) : used;
            const double rest = 20'000.0 * (1.0 - method_share);
            entry.cost.add(static_cast<std::int64_t>(own));
            entry.total_ns += rest + used;
            entry.with_it_ns += rest + own;
            entry.speeds.push_back((rest + used) / (rest + own));
        }
    return race;
}

TEST(MethodRace, SpeaksOfTheWholeFrame) {
    const MethodRace half = with_speeds(1.5, 0.5, 0.01, 1);
    ASSERT_NE(half.advised(), nullptr);
    EXPECT_EQ(half.advised(), half.entries[2].method);
    EXPECT_TRUE(half.advice().starts_with(std::string(half.entries[2].method->name) +
                                          " is fastest on this recording: the whole frame 1.2x as fast as with cab ("))
        << half.advice();
    const MethodRace tenth = with_speeds(1.5, 0.1, 0.01, 1);
    EXPECT_EQ(tenth.advised(), nullptr) << "half as fast again in a tenth of the frame is 3 % of it";
    EXPECT_EQ(tenth.advice(), "no other refit method is more than 10 % faster than cab");
}

// Noise differs between runs, but the advice must not.
TEST(MethodRace, TwelveRunsGiveOneAnswer) {
    for (const double speed : {1.0, 1.05, 1.6}) {
        int advised = 0;
        for (std::uint32_t run = 0; run < 12; ++run)
            advised += with_speeds(speed, 0.5, 0.2, 100 + run).advised() != nullptr ? 1 : 0;
        EXPECT_EQ(advised, speed > 1.3 ? 12 : 0) << speed;
    }
}

// At the threshold, the advice must claim neither that a method is faster nor that it is not.
TEST(MethodRace, ASpreadThatCrossesTheThresholdGivesOneAnswerToo) {
    int crossing = 0;
    for (std::uint32_t run = 0; run < 12; ++run) {
        const MethodRace race = with_speeds(1.0 / (1.0 - (0.1 / 1.1) / 0.5), 0.5, 0.2, 300 + run);
        const FrameSpeed speed = race.speed_of(race.entries[2]);
        EXPECT_LT(speed.low, MethodRace::kMinSpeed);
        crossing += speed.mean >= MethodRace::kMinSpeed ? 1 : 0;
        EXPECT_EQ(race.advice(), "no other refit method is more than 10 % faster than cab");
    }
    EXPECT_GE(crossing, 3);
}

// Cheap while nothing is near, expensive when contacts occur: brute force over many objects.
TEST(MethodRace, AMethodThatCostsMoreOverAllFramesIsNotRecommended) {
    MethodRace race = with_speeds(1.6, 0.5, 0.01, 7);
    ASSERT_NE(race.advised(), nullptr);
    race.entries[2].with_it_ns *= 2.0;
    EXPECT_EQ(race.advised(), nullptr);
}

TEST(MethodRace, AnotherMethodInUseStartsItOver) {
    Raced raced;
    MethodRace race;
    step_ns = 1'000;
    for (std::size_t i = 0; i < MethodRace::kMinFrames * race.entries.size(); ++i) raced.measure(race, 5'000);
    EXPECT_NE(race.advice(), "");
    raced.pipeline.set_method(race.entries[3].method);
    raced.measure(race, 5'000);
    EXPECT_EQ(race.advice(), "");
}

// Seeking to a frame adds no measurement, so a picture of it shows the same comparison as the report.
TEST(MethodRace, GoingToAFrameMeasuresNothing) {
    SessionSettings settings;
    settings.headless = true;
    settings.race = true;
    const auto session = open_recording_session({}, settings, now_ns);
    while (session->next()) {
    }
    const auto measured = [&] { return session->race.time.count(); };
    const std::uint64_t before = measured();
    ASSERT_GE(before, MethodRace::kMinFrames * session->race.entries.size());
    const std::uint64_t totals = session->pipeline.stats[scenes::Stage::total].count();
    session->seek(254);
    EXPECT_EQ(session->frame(), 254);
    EXPECT_EQ(measured(), before);
    EXPECT_EQ(session->pipeline.stats[scenes::Stage::total].count(), totals) << "nor is it a frame's time";
    for (int i = 0; i < 40; ++i) session->next();
    EXPECT_NE(measured(), before) << "played frames are measured again";
}

}  // namespace
}  // namespace glovebox::vr
