// A ball that is thrown at a torus, with nothing but collision/: what docs/collision.md shows.
#include <cstdio>

#include "collision/contact/contact_points.h"
#include "collision/mesh/mesh_tree.h"
#include "collision/query/sweep.h"
#include "collision/survey/tree/sample_meshes.h"

using namespace glovebox::collision;

int main() {
    const Shape torus_shape = MeshInstance{MeshTree::build(torus(48, 24))};  // once; shared, never changes
    const RoundCone ball{{0.0F, 1.55F, 0.0F}, {0.0F, 1.55F, 0.0F}, 0.05F, 0.05F};

    // How far is it? Signed: negative is how deep.
    CollideCounts counts;
    Contact nearest;
    if (closest(ball, torus_shape, 1.0F, nearest, counts))
        std::printf("%.3f m away\n", static_cast<double>(nearest.distance_m));

    // Does it meet the torus on its way 20 cm down?
    BoneMotion motion{ball, Eigen::Isometry3f::Identity()};
    motion.end_from_start.translation().y() = -0.2F;
    const SweepResult way = sweep(motion, torus_shape, counts);
    if (way.end != SweepEnd::touches) return 1;
    std::printf("touches after %.0f %% of the way\n", 100.0 * static_cast<double>(way.fraction));

    // Where does it rest, when it is let in by 3 mm?
    motion.end_from_start.translation().y() = -0.2F * way.fraction - 0.003F;
    const ContactPoints rest = contact_points(shape_at(motion, 1.0F), torus_shape, 0.0F, counts);
    for (const Contact& point : rest.all()) std::printf("%.1f mm deep\n", 1e3 * static_cast<double>(point.depth_m()));
    return nearest.distance_m > 0.0F ? 0 : 1;
}
