// Rays into a scene against each object alone, and where the objects are after a step.
#include "scenes/cast_ray.h"

#include <gtest/gtest.h>

#include "collision/mesh/mesh_tree.h"
#include "tests/collision/made_meshes.h"
#include "tests/collision/random_shapes.h"
#include "tests/scenes/claw.h"

namespace glovebox::scenes {
namespace {

using Eigen::Vector3f;

TEST(CastRay, HitsTheFirstOfAllObjects) {
    collision::RandomShapes random(821);
    const auto torus = collision::MeshTree::build(collision::bumpy_torus(24, 12));
    int hits = 0, behind = 0;
    for (int round = 0; round < 20; ++round) {
        Scene scene;
        for (int i = 0; i < 12; ++i) {
            SceneObject object =
                i % 3 == 0 ? ball_object(0.3F, Vector3f::Zero()) : box_object({0.2F, 0.3F, 0.1F}, Vector3f::Zero());
            object.motion = Motion::fixed;
            if (i % 3 == 2) object.shape = collision::MeshInstance{torus};
            object.world_from_object = random.pose(1.5F);
            scene.objects.push_back(object);
        }
        const World world(scene);
        for (int i = 0; i < 50; ++i) {
            const collision::Ray ray{random.vector(2.5F), random.direction(), i % 2 == 0 ? 3.0F : 100.0F};
            int expected = -1, crossed = 0;
            float expected_m = 0.0F;
            for (int object = 0; object < 12; ++object) {
                collision::CollideCounts counts;
                const auto hit = cast_ray(ray, world.colliders[static_cast<std::size_t>(object)].shape, counts);
                if (!hit) continue;
                ++crossed;
                if (expected >= 0 && hit->distance_m >= expected_m) continue;
                expected = object;
                expected_m = hit->distance_m;
            }
            const auto found = cast_ray(scene, world, ray);
            ASSERT_EQ(found ? found->object : -1, expected) << round << ", " << i;
            if (!found) continue;
            ++hits;
            behind += crossed > 1 ? 1 : 0;
            EXPECT_NEAR(found->at.distance_m, expected_m, 1e-4F);
            EXPECT_LT((found->at.point_m - ray.from_m - found->at.distance_m * ray.direction).norm(), 1e-4F);
            EXPECT_LE(found->at.normal.dot(ray.direction), 1e-5F);
        }
    }
    EXPECT_GT(hits, 200);
    EXPECT_LT(hits, 900);
    EXPECT_GT(behind, 50);
}

// The contact search keeps dynamic objects where they were before the step.
TEST(CastRay, HitsADynamicObjectWhereItIsNow) {
    Scene scene;
    scene.objects = {ball_object(0.1F, Vector3f::Zero())};
    Session session(scene);
    for (int i = 0; i < 30; ++i) session.step(nullptr);
    ASSERT_LT(session.place().y(), -0.4F);
    const auto below = cast_ray(session.scene, session.world, {{0.0F, 2.0F, 0.0F}, {0.0F, -1.0F, 0.0F}});
    ASSERT_TRUE(below);
    EXPECT_NEAR(below->at.point_m.y(), session.place().y() + 0.1F, 1e-5F);
    Eigen::Isometry3f aside = Eigen::Isometry3f::Identity();
    aside.translation().x() = 1.0F;
    ASSERT_EQ(set_object_pose(session.scene, session.world, 0, aside), "");
    EXPECT_FALSE(cast_ray(session.scene, session.world, {{0.0F, 2.0F, 0.0F}, {0.0F, -1.0F, 0.0F}}));
    EXPECT_TRUE(cast_ray(session.scene, session.world, {{1.0F, 2.0F, 0.0F}, {0.0F, -1.0F, 0.0F}})) << "at once";
}

}  // namespace
}  // namespace glovebox::scenes
