#include "collision/query/bone.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "collision/box/convex_hull.h"
#include "collision/query/collide.h"
#include "collision/query/hull_pair.h"
#include "tests/collision/random_shapes.h"

namespace glovebox::collision {
namespace {

using Eigen::Vector3d;

// ---- values that are not finite

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

// Calls every exact function that accepts the two shapes.
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
        closest(*hull_a->hull, *hull_b->hull, near, memory);  // so that the memory is not empty
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

// ---- a cone deep inside a box

struct ConeInBox {
    RoundSegment cone;
    Obb box;

    // How far the cone must move along the unit vector n to separate from the box.
    double way_out(const Vector3d& n) const {
        const Vector3d reach = (box.axes.cast<double>().transpose() * n).cwiseAbs();
        return n.dot(box.center_m.cast<double>()) + reach.dot(box.half_m.cast<double>()) -
               std::min(n.dot(cone.a) - cone.radius_a, n.dot(cone.b) - cone.radius_b);
    }
};

// Returns the minimum translation over many directions, improved by random steps of decreasing size.
double least_way_out(const ConeInBox& pair, RandomShapes& random) {
    std::array<std::pair<double, Vector3d>, 300> tried;
    for (auto& [way, n] : tried) {
        n = random.direction().cast<double>().normalized();
        way = pair.way_out(n);
    }
    std::partial_sort(tried.begin(), tried.begin() + 6, tried.end(),
                      [](const auto& x, const auto& y) { return x.first < y.first; });
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t start = 0; start < 6; ++start) {
        auto [way, n] = tried[start];
        double step = 0.2;
        for (int i = 0; i < 400; ++i, step *= 0.97) {
            const Vector3d other = (n + step * random.vector(1.0F).cast<double>()).normalized();
            const double shorter = pair.way_out(other);
            if (shorter < way) {
                way = shorter;
                n = other;
            }
        }
        least = std::min(least, way);
    }
    return least;
}

// Returns the minimum over face normals and normals across a box axis and a generator of the cone only.
double way_out_by_edges(const ConeInBox& pair) {
    const Vector3d u = pair.cone.b - pair.cone.a;
    const double k = pair.cone.radius_b - pair.cone.radius_a;
    double least = std::numeric_limits<double>::infinity();
    for (int i = 0; i < 3; ++i) {
        const Vector3d axis = pair.box.axes.col(i).cast<double>();
        least = std::min({least, pair.way_out(axis), pair.way_out(-axis)});
        const Vector3d w = u - u.dot(axis) * axis;
        if (!(w.norm() > std::abs(k))) continue;
        const double cosine = k / w.norm(), sine = std::sqrt(1.0 - cosine * cosine);
        const Vector3d along = w.normalized(), side = axis.cross(along);
        least =
            std::min({least, pair.way_out(cosine * along + sine * side), pair.way_out(cosine * along - sine * side)});
    }
    return least;
}

TEST(ConeInBox, NoDirectionIsAShorterWayOutAndTheGivenOneIsOneWhateverTheTaper) {
    RandomShapes random(92);
    int overlapping = 0, swallowed = 0, missed_by_edges = 0;
    for (int round = 0; round < 4'000; ++round) {
        const double size = double{random.size(1e-3F, 1.0F)};
        const auto up_to = [&](double most) { return most * size * double{random.between(0.0F, 1.0F)}; };
        ConeInBox pair;
        pair.box = random.box(0.05F, 0.5F, 0.0F);
        pair.box.half_m *= static_cast<float>(size);
        RoundSegment& cone = pair.cone;
        cone.a = 0.5 * size * random.vector(1.0F).cast<double>();
        cone.radius_a = up_to(0.5);
        cone.radius_b = up_to(0.5);
        double length = up_to(0.8);
        // Ends that almost contain each other, and bones along an axis of the box.
        if (round % 4 == 0) length = std::abs(cone.radius_b - cone.radius_a) * double{random.between(0.95F, 1.1F)};
        const Eigen::Vector3f along = round % 5 == 0 ? Eigen::Vector3f(pair.box.axes.col(0)) : random.direction();
        cone.b = cone.a + length * along.cast<double>();

        const ConvexPair found = closest(cone, pair.box);
        ASSERT_NEAR(pair.way_out(-found.normal), -found.distance, 1e-6 * size) << round;
        if (found.distance >= 0.0) continue;
        ++overlapping;
        swallowed += length <= std::abs(cone.radius_b - cone.radius_a) ? 1 : 0;
        const double least = least_way_out(pair, random);
        missed_by_edges += way_out_by_edges(pair) > 1e-3 * size - found.distance ? 1 : 0;
        ASSERT_LE(-found.distance, least + 1e-4 * size)
            << round << ": radii " << cone.radius_a << " and " << cone.radius_b << " over " << length << ", box "
            << pair.box.half_m.transpose();
        // The witness points, on_a on the cone and on_b on the box, are `distance` apart.
        ASSERT_LT((found.on_b - found.on_a - found.distance * found.normal).norm(), 1e-6 * size) << round;
        Vector3d nearest;
        ASSERT_LE(signed_distance(found.on_b, pair.box, nearest), 1e-6 * size) << round;
        const Vector3d u = cone.b - cone.a;
        double within = std::numeric_limits<double>::infinity();
        for (int i = 0; i <= 1'000; ++i) {
            const double s = 1e-3 * i;
            within = std::min(
                within, (found.on_a - cone.a - s * u).norm() - cone.radius_a - s * (cone.radius_b - cone.radius_a));
        }
        ASSERT_LE(within, 1e-5 * size) << round;
    }
    EXPECT_GT(overlapping, 2'500);
    EXPECT_GT(swallowed, 200);
    EXPECT_GT(missed_by_edges, 50) << "where an end that is outside the box has a shorter way";
}

}  // namespace
}  // namespace glovebox::collision
