#include "collision/mesh/advance.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "collision/mesh/mesh_surface.h"
#include "collision/query/bone.h"
#include "tests/collision/made_meshes.h"
#include "tests/collision/random_shapes.h"

namespace glovebox::collision {
namespace {

using Eigen::Vector3f;

constexpr float kGap_m = 1e-3F;

// Both ends move on parabolas with the curvature that the bone declares as its limit.
struct Path {
    MovingCone bone;
    Vector3f bend_a, bend_b;

    MovingCone at(float time) const {
        MovingCone later = bone;
        later.now.a_m += time * bone.speed_a_m + 0.5F * time * time * bend_a;
        later.now.b_m += time * bone.speed_b_m + 0.5F * time * time * bend_b;
        later.speed_a_m += time * bend_a;
        later.speed_b_m += time * bend_b;
        return later;
    }
};

double distance_to(const Mesh& mesh, const RoundCone& cone) {
    const RoundSegment segment = round_segment(cone);
    double min_m = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < mesh.triangles.size(); ++i)
        min_m = std::min(min_m, closest(segment, triangle_of(mesh, static_cast<std::int32_t>(i))).gap);
    return min_m;
}

class Advance : public testing::Test {
  protected:
    RandomShapes random{5};
    Mesh mesh = bumpy_torus(24, 12);
    std::shared_ptr<const ObbTree> tree = ObbTree::build(mesh);

    // Out of every four: one has a fixed first end, one is translated, two have independent ends.
    Path path(int number) {
        Path path{{random.cone(0.5F, 0.1F, 1.3F), random.vector(1.5F), random.vector(1.5F), 0.0F, 0.0F},
                  random.vector(1.0F),
                  random.vector(1.0F)};
        if (number % 4 == 0) path.bone.speed_a_m = path.bend_a = Vector3f::Zero();
        if (number % 4 == 1) path.bone.speed_b_m = path.bone.speed_a_m;
        path.bone.change_a_m = path.bend_a.norm();
        path.bone.change_b_m = path.bend_b.norm();
        return path;
    }
};

TEST_F(Advance, NothingIsMetInTheTimeThatIsFree) {
    int touching = 0, met = 0, free = 0;
    for (int i = 0; i < 300; ++i) {
        const Path way = path(i);
        MeshTreeCounts counts;
        const float time = free_time(*tree, way.bone, kGap_m, 1.0F, counts);
        const double now_m = distance_to(mesh, way.bone.now);
        EXPECT_EQ(time == 0.0F, now_m <= double{kGap_m}) << i << ' ' << now_m;
        (time == 0.0F ? touching : time < 1.0F ? met : free) += 1;
        for (int k = 0; k < 20 && time > 0.0F; ++k) {
            const float at = time * static_cast<float>(k) / 19.0F;
            EXPECT_GT(distance_to(mesh, way.at(at).now), 0.49 * double{kGap_m}) << i << " at " << at << " of " << time;
        }
    }
    EXPECT_GT(touching, 30);
    EXPECT_GT(met, 30);
    EXPECT_GT(free, 10);
}

TEST_F(Advance, StepsEndWhereThePathFirstTouches) {
    int arrived = 0, through = 0, steps = 0;
    for (int i = 0; i < 200; ++i) {
        const Path way = path(i);
        if (distance_to(mesh, way.bone.now) <= double{kGap_m}) continue;
        float time = 0.0F;
        MeshTreeCounts counts;
        while (time < 1.0F) {
            const float step = free_time(*tree, way.at(time), kGap_m, 1.0F - time, counts);
            if (step == 0.0F) break;
            time += step;
            ++steps;
        }
        if (time < 1.0F) {
            EXPECT_LE(distance_to(mesh, way.at(time).now), 1.01 * double{kGap_m});
        }
        // Sampling finds nothing earlier: anything between samples would be shorter than half the gap.
        float first = 1.0F;
        for (int k = 0; k <= 400 && first == 1.0F; ++k) {
            const float at = static_cast<float>(k) / 400.0F;
            if (at < time && distance_to(mesh, way.at(at).now) <= 0.0) first = at;
        }
        EXPECT_EQ(first, 1.0F) << i << ": stopped at " << time << ", touched at " << first;
        (time < 1.0F ? arrived : through) += 1;
    }
    EXPECT_GT(arrived, 40);
    EXPECT_GT(through, 20);
    EXPECT_LT(steps, 15 * (arrived + through)) << arrived << ' ' << through;
}

TEST_F(Advance, WhatStandsStillIsFreeHoweverNear) {
    int seen = 0;
    for (int i = 0; i < 200; ++i) {
        Path way = path(i);
        way.bone.speed_a_m.setZero();
        way.bone.speed_b_m.setZero();
        way.bone.change_a_m = way.bone.change_b_m = 0.0F;
        if (distance_to(mesh, way.bone.now) <= double{kGap_m}) continue;
        MeshTreeCounts counts;
        EXPECT_EQ(free_time(*tree, way.bone, kGap_m, 1.0F, counts), 1.0F);
        ++seen;
    }
    EXPECT_GT(seen, 50);
}

TEST_F(Advance, WhatIsNotFiniteIsFree) {
    Path way = path(1);
    way.bone.now.a_m.x() = std::numeric_limits<float>::quiet_NaN();
    MeshTreeCounts counts;
    EXPECT_EQ(free_time(*tree, way.bone, kGap_m, 1.0F, counts), 1.0F);
    way = path(2);
    way.bone.speed_b_m.y() = std::numeric_limits<float>::infinity();
    EXPECT_EQ(free_time(*tree, way.bone, kGap_m, 1.0F, counts), 1.0F);
    EXPECT_EQ(counts.box_tests, 0);
}

}  // namespace
}  // namespace glovebox::collision
