#include "vr/render/draw_list.h"

#include <gtest/gtest.h>

#include "scenes/hand_body.h"
#include "vr/platform/platform.h"
#include "vr/session/box_states.h"
#include "vr/session/open_session.h"
#include "vr/session/session_view.h"

namespace glovebox::vr {
namespace {

constexpr std::size_t kEdgesOfBox = 12;

// The scene is a table and a ball.
std::unique_ptr<Session> open_flick() {
    SessionSettings settings;
    settings.headless = true;
    RecordingSettings from;
    from.recording = "flick";
    return open_recording_session(from, settings, now_ns);
}

TEST(DrawList, HasABoxForEachBoneAndAnArrowForEachTouchingOne) {
    const auto session = open_flick();
    SessionView view(*session);
    const std::vector<ObjectKind> kinds = {ObjectKind::ground, ObjectKind::small};
    ASSERT_EQ(session->scene.objects.size(), kinds.size());
    DrawList list;
    std::size_t touching = 0;
    while (session->next()) {
        const ViewModel& model = view.model(*session);
        const BoxCounts counts = count_boxes(session->scene, session->pipeline.world);
        ViewSettings settings;
        settings.object_boxes = false;
        gather(model, settings, kinds, list);
        ASSERT_EQ(list.edges.size(),
                  kEdgesOfBox * static_cast<std::size_t>(counts.touching + counts.false_positive + counts.idle));
        ASSERT_EQ(list.arrows.size(), static_cast<std::size_t>(counts.touching));
        ASSERT_GE(list.marks.size(), list.arrows.size());
        for (const ArrowItem& arrow : list.arrows) ASSERT_NEAR(arrow.axis.norm(), 1.0F, 1e-4F);
        touching += list.arrows.size();

        const std::size_t of_bones = list.edges.size();
        settings.object_boxes = true;
        gather(model, settings, kinds, list);
        ASSERT_EQ(list.edges.size(), of_bones + kEdgesOfBox) << "the ball's, and none of the table";
        settings.idle_boxes = false;
        settings.object_boxes = settings.contacts = false;
        gather(model, settings, kinds, list);
        ASSERT_EQ(list.edges.size(), of_bones - kEdgesOfBox * static_cast<std::size_t>(counts.idle));
        ASSERT_TRUE(list.arrows.empty());
        settings.boxes.level = BoxLevels::kNone;
        gather(model, settings, kinds, list);
        ASSERT_TRUE(list.edges.empty() && list.tints.empty());
        settings.chosen.object = 1;
        gather(model, settings, kinds, list);
        ASSERT_EQ(list.edges.size(), kEdgesOfBox) << "of the marked ball";
    }
    EXPECT_GT(touching, 10U) << "the finger flicks the ball";
}

TEST(DrawList, CollidersAreThoseOfTheBonesThatArePresent) {
    const auto session = open_flick();
    EXPECT_TRUE(collider_mesh(session->pipeline.world).triangles.empty()) << "before the first frame";
    ASSERT_TRUE(session->next());
    const DrawMesh mesh = collider_mesh(session->pipeline.world);
    std::size_t triangles = 0;
    for (const scenes::HandState& hand : session->pipeline.world.hands)
        for (std::size_t bone = 0; hand.present && bone < hand.pose.shapes.size(); ++bone)
            if (hand.pose.has(bone)) triangles += draw_mesh(hand.pose.shapes[bone]).triangles.size();
    EXPECT_GT(triangles, 1000U);
    EXPECT_EQ(mesh.triangles.size(), triangles);
    for (const auto& triangle : mesh.triangles)
        for (const std::uint32_t corner : triangle) ASSERT_LT(corner, mesh.vertices.size());
}

}  // namespace
}  // namespace glovebox::vr
