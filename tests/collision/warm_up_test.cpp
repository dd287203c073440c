#include "collision/warm_up.h"

#include <gtest/gtest.h>

#include "collision/frame_code.h"
#include "collision/mesh_tree.h"
#include "collision/tree/sample_meshes.h"

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

TEST(WarmUp, TakesBodiesThatHaveNothingYet) {
    warm_up(ArticulatedBody{}, BodyPose{}, BodyBoxes{}, {});
}

TEST(WarmUp, ChangesNoAnswer) {
    const ArticulatedBody body = make_chain(12);
    BodyPose pose;
    for (int i = 0; i < 12; ++i) {
        const float x_m = 0.03F * static_cast<float>(i) - 0.18F;
        const RoundCone cone{{x_m, 0.05F, 0.0F}, {x_m + 0.03F, 0.05F, 0.01F}, 0.01F, 0.008F};
        pose.shapes.emplace_back(cone);
        pose.leaf_boxes.push_back(bounding_box(pose.shapes.back()));
        pose.joints_m.push_back(cone.b_m);
        pose.bone_present.push_back(1);
    }
    Mesh mesh = torus(48, 24);
    for (Eigen::Vector3f& vertex_m : mesh.vertices_m) vertex_m *= 0.1F;
    const Shape shape = MeshInstance{MeshTree::build(std::move(mesh))};
    const std::vector<Collider> objects = {{shape, bounding_box(shape), ~0U}};
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
    ASSERT_FALSE(found[0].empty());
    ASSERT_EQ(found[0].size(), found[1].size());
    for (std::size_t i = 0; i < found[0].size(); ++i) {
        EXPECT_EQ(found[0][i].bone, found[1][i].bone);
        EXPECT_EQ(found[0][i].distance_m, found[1][i].distance_m);
        EXPECT_EQ(found[0][i].on_body_m, found[1][i].on_body_m);
    }
}

}  // namespace
}  // namespace glovebox::collision
