// A ball that is thrown at a pyramid, with nothing but collision/: what docs/tutorials/collision-query.md shows.
#include <cstdio>

#include "collision/contact/contact_points.h"
#include "collision/mesh/mesh_tree.h"
#include "collision/query/sweep.h"

using namespace glovebox::collision;

int main() {
    Mesh pyramid;  // 20 cm wide, its tip at a height of 1.5 m
    pyramid.vertices_m = {
        {0.0F, 1.5F, 0.0F}, {-0.1F, 1.4F, -0.1F}, {-0.1F, 1.4F, 0.1F}, {0.1F, 1.4F, 0.1F}, {0.1F, 1.4F, -0.1F}};
    pyramid.triangles = {{0, 1, 2}, {0, 2, 3}, {0, 3, 4}, {0, 4, 1}, {1, 4, 3}, {1, 3, 2}};
    const Shape solid = MeshInstance{MeshTree::build(pyramid)};  // built once, shared, constant
    const RoundCone ball{{0.0F, 1.6F, 0.0F}, {0.0F, 1.6F, 0.0F}, 0.05F, 0.05F};

    // How far is it? The distance is signed: negative is penetrating.
    CollideCounts counts;
    Contact nearest;
    if (closest(ball, solid, 1.0F, nearest, counts))
        std::printf("%.3f m away\n", static_cast<double>(nearest.distance_m));

    // Does it meet the pyramid while it moves 20 cm down?
    BoneMotion motion{ball, Eigen::Isometry3f::Identity()};
    motion.end_from_start.translation().y() = -0.2F;
    const SweepResult hit = sweep(motion, solid, counts);
    if (hit.end != SweepEnd::touches) return 1;
    std::printf("touches after %.0f %% of the motion\n", 100.0 * static_cast<double>(hit.fraction));

    // The contact points if the ball is 3 mm deep. 0.0F is the largest distance of a point: only points that touch.
    motion.end_from_start.translation().y() = -0.2F * hit.fraction - 0.003F;
    const ContactPoints manifold = contact_points(shape_at(motion, 1.0F), solid, 0.0F, counts);
    for (const Contact& point : manifold.all())
        std::printf("%.1f mm deep\n", 1e3 * static_cast<double>(point.depth_m()));
    return nearest.distance_m > 0.0F ? 0 : 1;
}
