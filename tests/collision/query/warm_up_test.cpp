#include "collision/query/warm_up.h"

#include <gtest/gtest.h>

#include "collision/mesh/mesh_tree.h"
#include "collision/query/frame_code.h"
#include "collision/survey/tree/sample_meshes.h"

namespace glovebox::collision {
namespace {

TEST(WarmUp, KnowsWhereTheCodeOfAFrameLies) {
    // Some functions of 128-bit code and some plain ones, not the whole program.
    if (GLOVEBOX_HAS_FRAME_CODE == 0) {
        EXPECT_EQ(frame_code_bytes(), 0U);
        return;
    }
    EXPECT_GT(frame_code_bytes(), 8U * 1024U);
#if defined(NDEBUG) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    EXPECT_LT(frame_code_bytes(), 128U * 1024U);
#endif
}

// Twelve bones in a row, five centimetres above the origin.
BodyPose row_of_bones() {
    BodyPose pose;
    for (int i = 0; i < 12; ++i) {
        const float x_m = 0.03F * static_cast<float>(i) - 0.18F;
        const RoundCone cone{{x_m, 0.05F, 0.0F}, {x_m + 0.03F, 0.05F, 0.01F}, 0.01F, 0.008F};
        pose.shapes.emplace_back(cone);
        pose.leaf_boxes.push_back(bounding_box(pose.shapes.back()));
        pose.joints_m.push_back(cone.b_m);
        pose.bone_present.push_back(1);
    }
    return pose;
}
std::vector<Collider> scaled_torus(int around, int across, float by) {
    Mesh mesh = torus(around, across);
    for (Eigen::Vector3f& vertex_m : mesh.vertices_m) vertex_m *= by;
    const Shape shape = MeshInstance{MeshTree::build(std::move(mesh))};
    return {{shape, bounding_box(shape), ~0U}};
}
void expect_same(const std::vector<Contact>& a, const std::vector<Contact>& b) {
    ASSERT_FALSE(a.empty());
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
        EXPECT_EQ(a[i].bone, b[i].bone);
        EXPECT_EQ(a[i].distance_m, b[i].distance_m);
        EXPECT_EQ(a[i].on_body_m, b[i].on_body_m);
    }
}

TEST(WarmUp, ChangesNoAnswer) {
    const ArticulatedBody body = make_chain(12);
    const BodyPose pose = row_of_bones();
    const std::vector<Collider> objects = scaled_torus(48, 24, 0.1F);
    const RefitMethod& cab = refit_methods().front();
    std::vector<Contact> found[2];
    for (int warm = 0; warm < 2; ++warm) {
        BodyBoxes boxes;
        std::vector<Candidate> candidates;
        CollideCounts counts;
        if (warm == 1) warm_up(body, pose, boxes, objects);
        cab.refit(body, pose, boxes);
        if (warm == 1) warm_up(body, pose, boxes, objects);
        find_candidates(cab, body, pose, boxes, objects, 0.01F, candidates, counts);
        find_contacts(pose, objects, candidates, 0.01F, 0.0F, found[warm], counts);
    }
    expect_same(found[0], found[1]);
}

TEST(WarmUp, LeavesTheRestToAFrameThatRemembersAndChangesNoAnswer) {
    const ArticulatedBody body = make_chain(12);
    const BodyPose pose = row_of_bones();
    const std::vector<Collider> objects = scaled_torus(12, 8, 0.1F);
    ASSERT_TRUE(std::get<MeshInstance>(objects[0].shape).tree->is_coarse());
    const RefitMethod& cab = refit_methods().front();
    std::vector<Contact> found[2];
    for (int warm = 0; warm < 2; ++warm) {
        BodyBoxes boxes;
        BodyMemory memory(12);
        for (int frame = 0; frame < 3; ++frame) {
            std::vector<Candidate> candidates;
            CollideCounts counts;
            found[warm].clear();
            if (warm == 1) warm_up(body, pose, boxes, objects, &memory);
            EXPECT_EQ(memory.woken, warm == 1 && frame > 0) << "of a mesh that is remembered";
            cab.refit(body, pose, boxes);
            find_candidates(cab, body, pose, boxes, objects, 0.01F, candidates, counts, ~0U, &memory);
            EXPECT_FALSE(memory.woken);
            find_contacts(pose, objects, candidates, 0.01F, 0.0F, found[warm], counts, &memory);
        }
    }
    expect_same(found[0], found[1]);
}

}  // namespace
}  // namespace glovebox::collision
