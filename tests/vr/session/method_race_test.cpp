#include <gtest/gtest.h>

#include "tests/scenes/made_hand.h"
#include "vr/platform/platform.h"
#include "vr/session/load_replay.h"
#include "vr/session/pipeline.h"

namespace glovebox::vr {
namespace {

// Time goes on by this much with each look at the clock, so that whatever is timed takes exactly so long.
std::int64_t step_ns = 0, clock_ns = 0;
std::int64_t stepping_clock() {
    return clock_ns += step_ns;
}

// Every third frame is a hundred times as dear as the others; twelve rows take turns, so each meets frames of one kind.
TEST(MethodRace, RowsThatMeetDifferentFramesAreNotComparedByThem) {
    const scenes::Scene scene = scenes::load_scene("table-and-ball");
    PipelineSettings settings;
    settings.race_every = 0;
    Pipeline pipeline(scene, settings, stepping_clock);
    tracking::HandPair hands;
    hands.hands[0].active = false;
    hands[tracking::Side::right] =
        scenes::made_hand(tracking::Side::right, Eigen::Isometry3f(Eigen::Translation3f(0.0F, 0.9F, 0.0F)));
    pipeline.frame(hands, 0.0);

    ASSERT_EQ(pipeline.race.entries.size() % 3, 0U);
    for (std::size_t i = 0; i < 20 * pipeline.race.entries.size(); ++i) {
        step_ns = i % 3 == 0 ? 100'000 : 1'000;
        pipeline.race.measure(pipeline.scene, pipeline.world, stepping_clock);
    }
    for (const MethodRace::Entry& entry : pipeline.race.entries) {
        EXPECT_EQ(entry.cost.count(), 20U);
        EXPECT_DOUBLE_EQ(entry.speed(), 1.0) << entry.method->name;
        EXPECT_NEAR(pipeline.race.typical_us(entry), 1.0, 0.05) << entry.method->name;
    }
    EXPECT_EQ(advice(pipeline.race, *pipeline.race.entries[1].method),
              "no row measures a tenth faster than " + std::string(pipeline.race.entries[1].method->name) + " here");
}

// Cheap while nothing is near, dear when it matters: brute force over many objects.
TEST(MethodRace, ARowThatCostsMoreOverAllFramesIsNotAdvised) {
    MethodRace race;
    MethodRace::Entry &first = race.entries[0], &often_cheap = race.entries[1], &cheaper = race.entries[2];
    for (int i = 0; i < 14; ++i) {
        for (MethodRace::Entry* entry : {&first, &often_cheap, &cheaper}) entry->first_cost.add(1'000);
        first.cost.add(1'000);
        often_cheap.cost.add(i == 0 ? 200'000 : 250);
        cheaper.cost.add(i == 0 ? 2'000 : 500);
    }
    EXPECT_GT(often_cheap.speed(), 3.9);
    EXPECT_LT(often_cheap.mean_speed(), 0.1);
    EXPECT_EQ(advice(race, *first.method),
              std::string(cheaper.method->name) + " measures best here: 2.0x faster than cab");
    EXPECT_EQ(advice(race, *often_cheap.method), "") << "best in the middle frame, worst over all";
    EXPECT_EQ(advice(race, *cheaper.method), std::string(cheaper.method->name) + " measures best here");
}

// What the picture of a frame says about methods is what the report says.
TEST(MethodRace, GoingToAFrameMeasuresNothing) {
    ReplaySettings settings;
    settings.recording = "flick";
    const auto replay = load_replay(settings, now_ns);
    while (replay->next()) {
    }
    const auto counts = [&] {
        std::vector<std::uint64_t> of_rows;
        for (const MethodRace::Entry& entry : replay->pipeline.race.entries) of_rows.push_back(entry.cost.count());
        return of_rows;
    };
    const auto before = counts();
    ASSERT_GE(before.front(), MethodRace::kEnoughFrames);
    replay->seek(254);
    EXPECT_EQ(replay->frame(), 254);
    EXPECT_EQ(counts(), before);
    for (int i = 0; i < 40; ++i) replay->next();
    EXPECT_NE(counts(), before) << "played frames are measured again";
}

}  // namespace
}  // namespace glovebox::vr
