// The 15-axis box test compared with GJK, with each single axis, and with its own scalar and SIMD versions.
#include <gtest/gtest.h>

#include "collision/box/box_columns.h"
#include "collision/box/overlap_scalar.h"
#include "collision/query/collide.h"
#include "collision/query/convex.h"
#include "collision/query/may_reach.h"
#include "tests/collision/random_shapes.h"

namespace glovebox::collision {
namespace {

using Eigen::Vector3f;

double distance(const Obb& a, const Obb& b) {
    return closest(ConvexCore(a), ConvexCore(b)).distance;
}

double size(const Obb& a, const Obb& b) {
    return static_cast<double>(a.half_m.norm() + b.half_m.norm() + (a.center_m - b.center_m).norm());
}

// Makes a second box of a kind where mistakes hide: any, parallel, one common axis, flat, segment, point.
Obb partner(RandomShapes& random, const Obb& a, int kind) {
    Obb b = random.box(0.05F, 1.0F, 1.2F);
    if (kind == 1) b.axes = a.axes;
    if (kind == 2) b.axes = Eigen::AngleAxisf(random.between(0, 3), a.axes.col(1)).toRotationMatrix() * a.axes;
    if (kind >= 3) b.half_m[0] = 0.0F;
    if (kind >= 4) b.half_m[2] = 0.0F;
    if (kind >= 5) b.half_m[1] = 0.0F;
    return b;
}

TEST(BoxOverlap, AgreesWithGjkAwayFromTouching) {
    RandomShapes random(11);
    std::array<int, 2> seen{};
    for (int i = 0; i < 60'000; ++i) {
        const Obb a = random.box(0.05F, 1.0F, 1.2F);
        const Obb b = partner(random, a, i % 6);
        const double d = distance(a, b);
        // If the Minkowski difference is flat and contains the origin, the distance is exactly 0, without depth.
        if (std::abs(d) < 2e-5 * size(a, b) && d != 0.0) continue;
        ++seen[d <= 0.0 ? 1 : 0];
        ASSERT_EQ(overlap(a, b), d <= 0.0) << i << " distance " << d;
    }
    EXPECT_GT(seen[0], 15'000);
    EXPECT_GT(seen[1], 3'000);
}

TEST(BoxOverlap, IsSymmetricAndMovesWithTheBoxes) {
    RandomShapes random(12);
    for (int i = 0; i < 20'000; ++i) {
        const Obb a = random.box(0.05F, 1.0F, 1.0F), b = random.box(0.05F, 1.0F, 1.0F);
        const bool answer = overlap(a, b);
        const Eigen::Isometry3f motion = random.pose(1.0F);
        if (overlap(b, a) == answer && overlap(transformed(motion, a), transformed(motion, b)) == answer) continue;
        ASSERT_LT(std::abs(distance(a, b)), 1e-5 * size(a, b)) << i;
    }
}

TEST(BoxOverlap, GrowingNeverSeparatesAndShrinkingNeverJoins) {
    RandomShapes random(13);
    for (int i = 0; i < 20'000; ++i) {
        const Obb a = random.box(0.05F, 1.0F, 1.0F), b = random.box(0.05F, 1.0F, 1.0F);
        Obb larger = a, smaller = a;
        larger.half_m *= random.between(1.0F, 2.0F);
        smaller.half_m *= random.between(0.3F, 1.0F);
        if (overlap(a, b)) {
            ASSERT_TRUE(overlap(larger, b));
        } else {
            ASSERT_FALSE(overlap(smaller, b));
        }
    }
}

// Returns the gap of the two boxes along one axis, in double.
double gap_along(const Eigen::Vector3d& axis, const Obb& a, const Obb& b) {
    const auto radius = [&axis](const Obb& box) {
        return (box.axes.cast<double>().transpose() * axis).cwiseAbs().dot(box.half_m.cast<double>());
    };
    return std::abs(axis.dot((b.center_m - a.center_m).cast<double>())) - radius(a) - radius(b);
}

std::vector<Eigen::Vector3d> fifteen_axes(const Obb& a, const Obb& b) {
    std::vector<Eigen::Vector3d> axes;
    for (const Obb* box : {&a, &b})
        for (int i = 0; i < 3; ++i) axes.push_back(box->axes.col(i).cast<double>());
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            axes.push_back(a.axes.col(i).cast<double>().cross(b.axes.col(j).cast<double>()).normalized());
    return axes;
}

TEST(BoxOverlap, EachOfTheFifteenAxesIsNeeded) {
    RandomShapes random(14);
    std::array<int, 15> alone{};
    int found = 0;
    for (int i = 0; i < 2'000'000 && found < 15; ++i) {
        const Obb a = random.box(0.05F, 1.0F, 0.0F);
        const Obb b = random.box(0.05F, 1.0F, 1.5F);
        const auto axes = fifteen_axes(a, b);
        int separating = -1, count = 0;
        for (int k = 0; k < 15 && count < 2; ++k) {
            if (gap_along(axes[static_cast<std::size_t>(k)], a, b) <= 1e-4) continue;
            separating = k;
            ++count;
        }
        if (count != 1) continue;
        // No other axis may come near separating, or the case would not isolate this axis.
        ASSERT_FALSE(overlap(a, b)) << "only axis " << separating << " separates";
        found += alone[static_cast<std::size_t>(separating)]++ == 0 ? 1 : 0;
    }
    for (std::size_t k = 0; k < alone.size(); ++k) EXPECT_GT(alone[k], 0) << "axis " << k << " was never alone";
}

TEST(BoxOverlap, FlipsExactlyWhereFacesMeet) {
    RandomShapes random(15);
    for (int i = 0; i < 2'000; ++i) {
        const Obb a = random.box(0.1F, 1.0F, 0.0F);
        Obb b = random.box(0.01F, 0.04F, 0.0F);  // small enough to fit over the face
        const int face = i % 3;
        const Vector3f normal = a.axes.col(face);
        const float reach = a.half_m[face] + (b.axes.transpose() * normal).cwiseAbs().dot(b.half_m);
        b.center_m = a.center_m + (reach - 1e-5F * reach) * normal;
        ASSERT_TRUE(overlap(a, b));
        b.center_m = a.center_m + (reach + 2e-5F * reach) * normal;
        ASSERT_FALSE(overlap(a, b));
    }
}

TEST(BoxColumns, AgreeWithTheScalarTwinAwayFromTouching) {
    RandomShapes random(61);
    int hits = 0, tests = 0;
    for (const std::size_t count : {1U, 15U, 16U, 17U, 200U}) {
        for (int round = 0; round < 40; ++round) {
            std::vector<Obb> boxes;
            for (std::size_t i = 0; i < count; ++i) boxes.push_back(random.box(0.05F, 1.0F, 0.8F));
            // Edge axes vanish for flat boxes, shared frames and the box itself.
            const Obb one = random.box(0.05F, 1.0F, 0.5F);
            boxes.front() = one;
            if (count > 2) boxes[1].axes = one.axes;
            if (count > 3) boxes[2].half_m.z() = 0.0F;
            const BoxColumns columns(boxes);
            std::vector<std::uint16_t> wide(columns.words()), scalar(columns.words());
            const int found = overlaps(one, columns, wide);
            EXPECT_EQ(overlaps_scalar(one, columns, scalar), [&] {
                int n = 0;
                for (const Obb& box : boxes) n += overlap(one, box) ? 1 : 0;
                return n;
            }());
            int counted = 0;
            for (std::size_t i = 0; i < count; ++i) {
                const bool a = (wide[i / 16] >> (i % 16) & 1U) != 0, b = (scalar[i / 16] >> (i % 16) & 1U) != 0;
                counted += a ? 1 : 0;
                if (a == b) continue;
                Obb grown = boxes[i], shrunk = boxes[i];
                grown.half_m.array() += 1e-5F;
                shrunk.half_m = (shrunk.half_m.array() - 1e-5F).max(0.0F);
                EXPECT_TRUE(overlap(one, grown) && !overlap(one, shrunk)) << "box " << i << " of " << count;
            }
            EXPECT_EQ(found, counted);
            hits += found;
            tests += static_cast<int>(count);
        }
    }
    EXPECT_GT(hits, tests / 20);
    EXPECT_LT(hits, tests * 19 / 20);
}

TEST(BoxColumns, NanIsApartAndPaddingIsNowhere) {
    Obb nan;
    nan.center_m.x() = std::numeric_limits<float>::quiet_NaN();
    Obb huge;
    huge.half_m.setConstant(1e6F);
    const std::vector<Obb> boxes = {nan, huge, nan};
    const BoxColumns columns(boxes);
    std::vector<std::uint16_t> hits(1);
    EXPECT_EQ(overlaps(huge, columns, hits), 1);
    EXPECT_EQ(hits[0], 2U);
    EXPECT_EQ(overlaps(nan, columns, hits), 0);
}

TEST(MayReach, NeverRulesOutACapsuleThatTouchesABox) {
    RandomShapes random(62);
    int touching = 0, ruled_out = 0;
    for (int i = 0; i < 20'000; ++i) {
        const RoundCone cone = random.cone(0.8F, 0.2F, 0.8F);
        const Obb box = random.box(0.05F, 0.6F, 0.8F);
        CollideCounts counts;
        Contact contact;
        const bool touches = closest(cone, RoundedBox{box, 0.0F}, 0.0F, contact, counts);
        const bool may = may_reach(cone, box);
        ASSERT_TRUE(may || !touches) << i << ": " << contact.distance_m;
        touching += touches ? 1 : 0;
        ruled_out += may ? 0 : 1;
    }
    EXPECT_GT(touching, 1'000);
    EXPECT_GT(ruled_out, 5'000);
}

TEST(BoxOverlap, InRegistersEqualsTheScalarTwinAwayFromTouching) {
    RandomShapes random(63);
    int overlapping = 0;
    for (int i = 0; i < 60'000; ++i) {
        const Obb a = random.box(0.05F, 1.0F, 1.0F);
        Obb b = partner(random, a, i % 6);
        // Halves the distance: flat boxes, segments and points rarely overlap from further away.
        b.center_m = 0.5F * (a.center_m + b.center_m);
        overlapping += overlap(a, b) ? 1 : 0;
        if (overlap(a, b) == overlap_scalar(a, b)) continue;
        Obb grown = b, shrunk = b;
        grown.half_m.array() += 1e-5F;
        shrunk.half_m = (shrunk.half_m.array() - 1e-5F).max(0.0F);
        ASSERT_TRUE(overlap_scalar(a, grown)) << i;
        ASSERT_TRUE(!overlap_scalar(a, shrunk) || shrunk.half_m.minCoeff() == 0.0F) << i;
    }
    EXPECT_GT(overlapping, 6'000);
    EXPECT_LT(overlapping, 54'000);
}

}  // namespace
}  // namespace glovebox::collision
