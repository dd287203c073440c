#include "collision/exact/bone.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "collision/collide.h"
#include "collision/convex_hull.h"
#include "collision/exact/hull_pair.h"
#include "tests/collision/random_shapes.h"

namespace glovebox::collision {
namespace {

using Eigen::Vector3d;

// ---- what is not finite

std::vector<float*> fields_of(Shape& shape) {
    std::vector<float*> fields;
    const auto add = [&](float* first, int count) {
        for (int i = 0; i < count; ++i) fields.push_back(first + i);
    };
    if (auto* cone = std::get_if<RoundCone>(&shape)) {
        add(cone->a_m.data(), 3);
        add(cone->b_m.data(), 3);
        add(&cone->radius_a_m, 1);
        add(&cone->radius_b_m, 1);
    } else if (auto* box = std::get_if<RoundedBox>(&shape)) {
        add(box->core.center_m.data(), 3);
        add(box->core.axes.data(), 9);
        add(box->core.half_m.data(), 3);
        add(&box->radius_m, 1);
    } else if (auto* hull = std::get_if<HullInstance>(&shape)) {
        for (int column = 0; column < 4; ++column) add(&hull->world_from_hull.matrix()(0, column), 3);
    }
    return fields;
}

ConvexCore core_of(const Shape& shape) {
    if (const auto* cone = std::get_if<RoundCone>(&shape)) return ConvexCore(round_segment(*cone));
    if (const auto* box = std::get_if<RoundedBox>(&shape)) return ConvexCore(box->core);
    const auto& hull = std::get<HullInstance>(shape);
    return ConvexCore(*hull.hull, hull.world_from_hull.cast<double>());
}
double radius_of(const Shape& shape) {
    const auto* box = std::get_if<RoundedBox>(&shape);
    return box == nullptr ? 0.0 : double{box->radius_m};
}

// Every exact function that takes the two, one after the other.
template <class Visit>
void for_each_answer(const Shape& a, const Shape& b, const Visit& visit) {
    visit(rounded(closest(core_of(a), core_of(b)), radius_of(a), radius_of(b)));
    const auto *cone_a = std::get_if<RoundCone>(&a), *cone_b = std::get_if<RoundCone>(&b);
    const auto *box_a = std::get_if<RoundedBox>(&a), *box_b = std::get_if<RoundedBox>(&b);
    const auto *hull_a = std::get_if<HullInstance>(&a), *hull_b = std::get_if<HullInstance>(&b);
    if (cone_a != nullptr && cone_b != nullptr) visit(closest(round_segment(*cone_a), round_segment(*cone_b)));
    if (cone_a != nullptr && box_b != nullptr)
        visit(rounded(closest(round_segment(*cone_a), box_b->core), 0.0, radius_of(b)));
    if (box_a != nullptr && cone_b != nullptr)
        visit(swapped(rounded(closest(round_segment(*cone_b), box_a->core), 0.0, radius_of(a))));
    if (box_a != nullptr && box_b != nullptr) visit(closest(*box_a, *box_b));
    if (hull_a != nullptr && hull_b != nullptr) {
        HullPairMemory memory;
        const Eigen::Isometry3f near(Eigen::Translation3f(0.02F, 0.0F, 0.0F));
        closest(*hull_a->hull, *hull_b->hull, near, memory);  // so that there is something to remember
        visit(closest(*hull_a->hull, *hull_b->hull,
                      hull_a->world_from_hull.inverse(Eigen::Isometry) * hull_b->world_from_hull, memory));
    }
}

TEST(BonePairs, WhatIsNotFiniteIsInfinitelyFarInWhicheverField) {
    RandomShapes random(91);
    std::vector<Eigen::Vector3f> corners;
    for (int i = 0; i < 12; ++i) corners.push_back(0.1F * random.direction());
    const auto hull = ConvexHull::from_points(corners);
    int asked = 0, touching = 0, pairs = 0;
    for (int round = 0; round < 4; ++round) {
        const auto solids = [&] {
            RoundCone ball = random.cone(0.1F, 0.05F, 0.02F), capsule = random.cone(0.1F, 0.05F, 0.02F);
            ball.b_m = ball.a_m;
            capsule.radius_b_m = capsule.radius_a_m;
            return std::vector<Shape>{random.cone(0.1F, 0.05F, 0.02F), ball, capsule,
                                      RoundedBox{random.box(0.05F, 0.1F, 0.02F), 0.01F},
                                      HullInstance{hull, random.pose(0.02F)}};
        };
        for (const Shape& sound : solids())
            for (const Shape& other : solids()) {
                ++pairs;
                for_each_answer(sound, other, [&](const ConvexPair& pair) { touching += pair.distance < 0.0 ? 1 : 0; });
                Shape bad = sound;
                const std::vector<float*> fields = fields_of(bad);
                for (std::size_t i = 0; i < fields.size(); ++i)
                    for (const float value :
                         {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(),
                          -std::numeric_limits<float>::infinity()}) {
                        const float kept = std::exchange(*fields[i], value);
                        const auto expect_far = [&](const ConvexPair& pair) {
                            ++asked;
                            ASSERT_EQ(pair.distance, std::numeric_limits<double>::infinity())
                                << bad.index() << " and " << other.index() << ", " << value << " in field " << i;
                            ASSERT_TRUE(pair.normal.allFinite() && pair.on_a.allFinite() && pair.on_b.allFinite());
                            ASSERT_NEAR(pair.normal.norm(), 1.0, 1e-9);
                        };
                        for_each_answer(bad, other, expect_far);
                        for_each_answer(other, bad, expect_far);
                        Contact contact;
                        CollideCounts counts;
                        EXPECT_FALSE(closest(bad, other, std::numeric_limits<float>::max(), contact, counts));
                        EXPECT_FALSE(closest(other, bad, std::numeric_limits<float>::max(), contact, counts));
                        *fields[i] = kept;
                        ASSERT_FALSE(HasFailure());
                    }
            }
    }
    EXPECT_EQ(pairs, 100);
    EXPECT_GT(touching, 150) << "the sound pairs touch, so that a wrong answer would";
    EXPECT_GT(asked, 8'000);
}

}  // namespace
}  // namespace glovebox::collision
