// A shape read in a file's axes is the same solid in the project's axes.
#include <gtest/gtest.h>

#include "collision/mesh/mesh_tree.h"
#include "scenes/scene.h"

namespace glovebox::scenes {
namespace {

using Eigen::Vector3f;

const collision::Mesh& corner_mesh() {
    // A tetrahedron whose faces are counter-clockwise from outside: its signed volume is positive.
    static const collision::Mesh mesh = {{{0, 0, 0}, {0.1F, 0, 0}, {0, 0.2F, 0}, {0, 0, 0.3F}},
                                         {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}};
    return mesh;
}

float signed_volume_m3(const collision::Mesh& mesh) {
    float six_volumes = 0.0F;
    for (const auto& t : mesh.triangles)
        six_volumes += mesh.vertices_m[t[0]].cross(mesh.vertices_m[t[1]]).dot(mesh.vertices_m[t[2]]);
    return six_volumes / 6.0F;
}

TEST(InOurAxes, AMirroredMeshStillFacesOutwards) {
    const collision::Shape shape =
        collision::MeshInstance{collision::MeshTree::build(corner_mesh()), Eigen::Isometry3f::Identity()};
    for (const char* name : {"auto", "unity", "unreal", "z-up"}) {
        const tracking::Axes axes = *tracking::find_axes(name);
        const collision::Shape turned = in_our_axes(axes, shape);
        const auto* mesh = std::get_if<collision::MeshInstance>(&turned);
        ASSERT_NE(mesh, nullptr);
        EXPECT_NEAR(signed_volume_m3(mesh->tree->mesh()), 0.001F, 1e-7F) << name;
        const Vector3f corner = axes.ours_from_file * Vector3f(0.1F, 0.2F, 0.3F);
        EXPECT_TRUE(collision::aabb_of(turned).min_m.isApprox(corner.cwiseMin(0.0F))) << name;
        EXPECT_TRUE(collision::aabb_of(turned).max_m.isApprox(corner.cwiseMax(0.0F))) << name;
    }
}

TEST(InOurAxes, BoxesAndBonesLandWhereTheirPointsDo) {
    const tracking::Axes axes = *tracking::find_axes("unreal");
    collision::RoundedBox box;
    box.core.center_m = {0.1F, 0.2F, 0.3F};
    box.core.half_m = {0.01F, 0.02F, 0.03F};
    const collision::Shape turned_box = in_our_axes(axes, box);
    const auto* turned = std::get_if<collision::RoundedBox>(&turned_box);
    ASSERT_NE(turned, nullptr);
    EXPECT_TRUE(turned->core.center_m.isApprox(Vector3f(0.2F, 0.3F, -0.1F)));
    EXPECT_NEAR(turned->core.axes.determinant(), 1.0F, 1e-6F);
    EXPECT_TRUE((turned->core.axes.cwiseAbs() * turned->core.half_m).isApprox(Vector3f(0.02F, 0.03F, 0.01F)));

    const collision::RoundCone bone{{1, 2, 3}, {4, 5, 6}, 0.1F, 0.2F};
    const collision::Shape turned_bone = in_our_axes(axes, bone);
    const auto* cone = std::get_if<collision::RoundCone>(&turned_bone);
    ASSERT_NE(cone, nullptr);
    EXPECT_EQ(cone->a_m, Vector3f(2, 3, -1));
    EXPECT_EQ(cone->b_m, Vector3f(5, 6, -4));
    EXPECT_EQ(cone->radius_b_m, 0.2F);
}

}  // namespace
}  // namespace glovebox::scenes
