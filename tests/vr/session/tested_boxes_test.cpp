#include "vr/session/tested_boxes.h"

#include <gtest/gtest.h>

#include "vr/platform/platform.h"
#include "vr/session/open_session.h"

namespace glovebox::vr {
namespace {

// Boxes that are drawn are boxes that the step tested: as many at most, and every touch on the cup lies in one.
TEST(TestedBoxes, AreThoseOfTheStepAndHoldEveryTouch) {
    SessionSettings settings;
    settings.headless = true;
    RecordingSettings from;
    from.recording = "lift";
    const auto session = open_recording_session(from, settings, now_ns);
    TestedBoxes tested;
    std::int64_t frames = 0, touches = 0, ruled_out = 0;
    while (session->next()) {
        const scenes::World& world = session->pipeline.world;
        const std::int64_t tests = session->pipeline.report.counts.n_v_tree;
        std::int64_t drawn = 0;
        for (int level = 0; level < 20; ++level) {
            for (const TestedBox& box : tested.at_level(session->scene, world, level)) {
                EXPECT_NE(
                    std::get_if<collision::MeshInstance>(&world.colliders[static_cast<std::size_t>(box.object)].shape),
                    nullptr);
                ruled_out += box.state == BoxState::idle ? 1 : 0;
                ++drawn;
            }
        }
        // The cup has moved a little since it was tested.
        EXPECT_LE(static_cast<double>(drawn), 1.5 * static_cast<double>(tests) + 16.0);
        EXPECT_EQ(drawn > 0, tests > 0);
        frames += drawn > 0 ? 1 : 0;
        const auto at_root = tested.at_level(session->scene, world, 0);
        for (const collision::Contact& contact : world.hands[tracking::Side::right].contacts) {
            const bool on_mesh = contact.triangle >= 0 && contact.distance_m <= 0.0F;
            if (!on_mesh || !is_touching(session->scene, world, tracking::Side::right, contact)) continue;
            ++touches;
            EXPECT_TRUE(std::ranges::any_of(at_root, [&](const TestedBox& box) {
                return box.object == contact.object && box.state == BoxState::touching;
            }));
        }
    }
    EXPECT_GT(frames, 200);
    EXPECT_GT(touches, 500);
    EXPECT_GT(ruled_out, 1000);
}

}  // namespace
}  // namespace glovebox::vr
