#include "scenes/near_objects.h"

#include <gtest/gtest.h>

#include <random>

#include "collision/body/refit.h"
#include "scenes/hand_body.h"

namespace glovebox::scenes {
namespace {

using collision::Collider;

/// A body of `bones` balls in a row that starts at `at_m`.
collision::BodyPose chain_at(const collision::ArticulatedBody& body, const Eigen::Vector3f& at_m) {
    collision::BodyPose pose;
    for (int i = 0; i < body.bone_count(); ++i) {
        const Eigen::Vector3f a =
            at_m + Eigen::Vector3f(0.04F * static_cast<float>(i), 0.01F * static_cast<float>(i % 3), 0);
        pose.shapes.emplace_back(collision::RoundCone{a, a + Eigen::Vector3f(0.04F, 0, 0), 0.01F, 0.012F});
        pose.leaf_boxes.push_back(collision::bounding_box(pose.shapes.back()));
        pose.bone_present.push_back(1);
        if (i > 0) pose.joints_m.push_back(a);
    }
    return pose;
}

TEST(NearObjects, LoseNoCandidateAndSpareMostBoxTests) {
    std::mt19937 random(3);
    std::uniform_real_distribution<float> unit(-1.0F, 1.0F);
    std::vector<Collider> colliders;
    for (int i = 0; i < 300; ++i) {
        collision::Obb box;
        box.center_m = {unit(random), unit(random), unit(random)};
        box.axes =
            Eigen::Quaternionf(unit(random), unit(random), unit(random), unit(random)).normalized().toRotationMatrix();
        box.half_m = Eigen::Vector3f(0.05F + 0.04F * unit(random), 0.05F, 0.02F);
        colliders.push_back({collision::RoundedBox{box, 0.0F}, box});
    }
    const collision::ArticulatedBody body = collision::make_chain(8);
    const collision::RefitMethod& method = collision::refit_methods().front();
    NearObjects near;
    std::size_t found = 0;
    collision::CollideCounts with, without;
    for (int frame = 0; frame < 50; ++frame) {
        for (Collider& collider : colliders) collider.box.center_m.x() += 0.002F * unit(random);
        std::array<collision::BodyPose, 2> poses;
        tracking::PerSide<collision::Aabb> reaches;
        for (std::size_t hand = 0; hand < 2; ++hand) {
            poses[hand] = chain_at(body, {unit(random), unit(random), unit(random)});
            if (frame % 10 != 0 || hand == 0) reaches[hand] = reach_of(poses[hand]);
        }
        for (std::size_t hand = 0; hand < 2; ++hand) {
            if (!(reaches[hand].min_m.x() <= reaches[hand].max_m.x())) continue;
            collision::BodyBoxes boxes;
            method.refit(body, poses[hand], boxes);
            std::vector<collision::Candidate> all, near_ones;
            NearObjects::mark_all(colliders);
            collision::find_candidates(method, body, poses[hand], boxes, colliders, 0.02F, all, without);
            near.mark(colliders, reaches, 0.02F);
            collision::find_candidates(method, body, poses[hand], boxes, colliders, 0.02F, near_ones, with, 1U << hand);
            ASSERT_EQ(near_ones.size(), all.size());
            for (std::size_t i = 0; i < all.size(); ++i) {
                EXPECT_EQ(near_ones[i].bone, all[i].bone);
                EXPECT_EQ(near_ones[i].object, all[i].object);
            }
            found += all.size();
        }
    }
    EXPECT_GT(found, 100U);
    EXPECT_LT(5 * with.n_v, without.n_v);
}

TEST(NearObjects, AHandThatIsNotThereIsNearNothing) {
    std::vector<Collider> colliders(3);
    NearObjects near;
    near.mark(colliders, {}, 10.0F);
    for (const Collider& collider : colliders) EXPECT_EQ(collider.mask, 0U);
}

}  // namespace
}  // namespace glovebox::scenes
