#include "vr/session/box_pairs.h"

#include <gtest/gtest.h>

#include <set>
#include <tuple>

#include "collision/mesh/mesh_tree.h"
#include "vr/platform/platform.h"
#include "vr/session/open_session.h"
#include "vr/session/session_view.h"

namespace glovebox::vr {
namespace {

std::unique_ptr<Session> open(const std::string& recording) {
    SessionSettings settings;
    settings.headless = true;
    RecordingSettings from;
    from.recording = recording;
    return open_recording_session(from, settings, now_ns);
}

// Expects as many pairs of either kind as the frame counted tests, and every touch on a mesh within a chain of hits.
void check_frames(const std::string& recording, const collision::RefitMethod& method, std::int64_t& tree_pairs,
                  std::int64_t& touches) {
    const auto session = open(recording);
    session->pipeline.set_method(&method);
    session->keep_box_tests(true);
    BoxPairs list;
    std::vector<BoxPair> level;
    for (int frame = 0; session->next(); ++frame) {
        if (frame % 3 != 0) continue;
        const Pipeline& pipeline = session->pipeline;
        const auto pairs = list.of(session->scene, pipeline.world, pipeline.box_tests, pipeline.colliders);
        const auto of_objects = std::ranges::count_if(pairs, [](const BoxPair& pair) { return pair.tree_node < 0; });
        ASSERT_EQ(of_objects, pipeline.report.counts.n_v_object) << method.name << ", frame " << frame;
        ASSERT_EQ(std::ssize(pairs) - of_objects, pipeline.report.counts.n_v_tree) << method.name << ", " << frame;
        tree_pairs += std::ssize(pairs) - of_objects;
        const BoxCounts counts = count_pairs(pairs);
        EXPECT_EQ(counts.touching + counts.false_positive + counts.idle, static_cast<int>(pairs.size()));
        for (const BoxPair& pair : pairs)
            if (pair.state != BoxState::idle && !pair.leaf_itself) {
                EXPECT_TRUE(collision::overlap(pair.hand_box.grown(1e-4F), pair.object_box))
                    << "drawn apart and said to overlap: " << name_of_node(pair.body_node) << ", frame " << frame;
            }
        object_boxes_at(pairs, 0, level);
        std::set<std::tuple<int, int, int>> once;
        for (const BoxPair& pair : level) EXPECT_TRUE(once.emplace(pair.object, pair.tree_node, pair.child).second);
        for (const collision::Contact& contact : pipeline.world.hands[tracking::Side::right].contacts) {
            if (contact.triangle < 0 || contact.distance_m > 0.0F ||
                !is_touching(session->scene, pipeline.world, tracking::Side::right, contact))
                continue;
            ++touches;
            if (method.kind == collision::BoxKind::none) continue;  // has no boxes to test
            EXPECT_TRUE(std::ranges::any_of(
                level,
                [&](const BoxPair& pair) { return pair.object == contact.object && pair.state == BoxState::touching; }))
                << method.name << ", frame " << frame;
        }
    }
}

TEST(BoxPairs, AreTheTestsThatEveryMethodCounted) {
    for (const collision::RefitMethod& method : collision::refit_methods()) {
        std::int64_t tree_pairs = 0, touches = 0;
        check_frames("lift", method, tree_pairs, touches);
        if (method.kind == collision::BoxKind::none) {
            EXPECT_EQ(tree_pairs, 0);
            continue;
        }
        EXPECT_GT(tree_pairs, 1000) << method.name;
        EXPECT_GT(touches, 100) << method.name;
    }
}

TEST(BoxPairs, OfAPausedFrameComeWithoutAnotherState) {
    const auto session = open("lift");
    while (session->frame() < 150) ASSERT_TRUE(session->next());
    const std::uint64_t hash = session->pipeline.report.state_hash;
    SessionView view(*session);
    EXPECT_TRUE(view.model(*session).box_pairs.empty()) << "no one asked";
    session->set_paused(true);
    session->keep_box_tests(true);
    EXPECT_EQ(session->frame(), 150);
    EXPECT_EQ(session->pipeline.report.state_hash, hash);
    EXPECT_EQ(std::ssize(view.model(*session).box_pairs), session->pipeline.report.counts.n_v);
    EXPECT_GT(view.model(*session).box_pairs.size(), 20U);
    session->keep_box_tests(false);
    session->seek(151);
    EXPECT_TRUE(view.model(*session).box_pairs.empty());
}

TEST(BoxPairs, NodesOfTheHandHaveNames) {
    const collision::ArticulatedBody& body = scenes::hand_body();
    std::set<std::string> names;
    for (std::int32_t node = 0; node < body.node_count(); ++node) names.insert(name_of_node(node));
    EXPECT_EQ(names.size(), static_cast<std::size_t>(body.node_count())) << "each another one";
    EXPECT_TRUE(names.contains("whole hand"));
    EXPECT_TRUE(names.contains("index (3 bones)"));
}

}  // namespace
}  // namespace glovebox::vr
