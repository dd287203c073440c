#include <gtest/gtest.h>

#include "tests/scenes/made_hand.h"
#include "vr/pipeline.h"

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

}  // namespace
}  // namespace glovebox::vr
