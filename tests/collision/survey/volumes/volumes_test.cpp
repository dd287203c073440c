#include <gtest/gtest.h>

#include <random>

#include "collision/query/convex.h"
#include "collision/survey/tree/sample_meshes.h"
#include "collision/survey/volumes/boxes.h"
#include "collision/survey/volumes/hull.h"
#include "collision/survey/volumes/kdop.h"
#include "collision/survey/volumes/rss.h"
#include "collision/survey/volumes/sphere.h"

namespace glovebox::collision {
namespace {

using Points = std::vector<Eigen::Vector3f>;

/// Makes points of a stretched, rotated cloud; sometimes flat, straight or a single point.
Points random_points(std::mt19937& random, const Eigen::Vector3f& center_m) {
    std::normal_distribution<float> normal;
    std::uniform_int_distribution<int> count(1, 40);
    Eigen::Vector3f stretch(0.5F, 0.2F, 0.1F);
    const int kind = std::uniform_int_distribution<int>(0, 7)(random);
    if (kind == 0) stretch.z() = 0.0F;
    if (kind == 1) stretch.y() = stretch.z() = 0.0F;
    const Eigen::Matrix3f axes = random_pose(random, 0.0F).linear();
    Points points;
    for (int i = count(random); i > 0; --i)
        points.push_back(center_m +
                         axes * stretch.cwiseProduct(Eigen::Vector3f(normal(random), normal(random), normal(random))));
    return points;
}

/// Returns how far the point is outside the volume, by each kind's own definition, in double.
double excess(const BoundingSphere& a, const Eigen::Vector3f& p) {
    return (p.cast<double>() - a.center_m.cast<double>()).norm() - double{a.radius_m};
}
double excess(const Aabb& a, const Eigen::Vector3f& p) {
    return (a.min_m - p).cwiseMax(p - a.max_m).maxCoeff();
}
double excess(const Obb& a, const Eigen::Vector3f& p) {
    const Eigen::Vector3d local = a.axes.cast<double>().transpose() * (p.cast<double>() - a.center_m.cast<double>());
    return (local.cwiseAbs() - a.half_m.cast<double>()).maxCoeff();
}
template <int K>
double excess(const Kdop<K>& a, const Eigen::Vector3f& p) {
    double worst = -1e9;
    for (std::size_t i = 0; i < K / 2; ++i) {
        const double along = kdop_directions<K>()[i].template cast<double>().dot(p.cast<double>());
        worst = std::max({worst, double{a.low_m[i]} - along, along - double{a.high_m[i]}});
    }
    return worst;
}
double excess(const Rss& a, const Eigen::Vector3f& p) {
    Rss core = a;
    const Eigen::Vector3d local =
        core.axes.cast<double>().transpose() * (p.cast<double>() - core.center_m.cast<double>());
    const double x = std::max(0.0, std::abs(local.x()) - double{a.half_m.x()}),
                 y = std::max(0.0, std::abs(local.y()) - double{a.half_m.y()});
    return std::sqrt(x * x + y * y + local.z() * local.z()) - double{a.radius_m};
}
double excess(const HullBound& a, const Eigen::Vector3f& p) {
    const ConvexCore hull(*a.hull, a.target_from_hull.cast<double>());
    const Eigen::Vector3d at = p.cast<double>();
    return closest(hull, ConvexCore(RoundSegment{at, at})).distance - 2e-6;
}

template <typename V>
class EveryVolume : public testing::Test {};
using Kinds = testing::Types<SphereVolume, AabbVolume, KdopVolume<8>, KdopVolume<14>, KdopVolume<18>, KdopVolume<26>,
                             ObbVolume, RssVolume, HullVolume>;
struct KindNames {
    template <typename V>
    static std::string GetName(int) {
        std::string name(V::kName);
        std::replace(name.begin(), name.end(), '-', '_');
        return name;
    }
};
TYPED_TEST_SUITE(EveryVolume, Kinds, KindNames);

TYPED_TEST(EveryVolume, HoldsThePointsItWasFittedTo) {
    std::mt19937 random(1);
    for (int round = 0; round < 200; ++round) {
        const Points points = random_points(random, random_pose(random, round % 3 == 0 ? 20.0F : 1.0F).translation());
        const auto volume = TypeParam::fit(points);
        for (const auto& point : points) ASSERT_LE(excess(volume, point), 0.0) << "round " << round;
    }
}

TYPED_TEST(EveryVolume, MergedAndMovedHoldsThePointsStill) {
    std::mt19937 random(2);
    for (int round = 0; round < 200; ++round) {
        const Points a = random_points(random, {0, 0, 0}),
                     b = random_points(random, random_pose(random, 1.0F).translation());
        const Eigen::Isometry3f pose = random_pose(random, 2.0F);
        const auto merged = TypeParam::merge(TypeParam::fit(a), TypeParam::fit(b));
        const auto turned = typename TypeParam::Motion(pose)(merged);
        for (const Points* points : {&a, &b})
            for (const auto& point : *points) {
                ASSERT_LE(excess(merged, point), 1e-7) << "round " << round;
                ASSERT_LE(excess(turned, pose * point), 1e-6) << "round " << round;
            }
    }
}

TYPED_TEST(EveryVolume, NeverSeparatesHullsThatMeetAndNeverOverstatesTheirDistance) {
    std::mt19937 random(3);
    std::uniform_real_distribution<float> distance(0.3F, 2.0F);
    int apart = 0, overlapping = 0, told_apart = 0;
    for (int round = 0; round < 1500; ++round) {
        const Points a = random_points(random, {0, 0, 0}),
                     b = random_points(random, random_pose(random, distance(random)).translation());
        const auto hull_a = ConvexHull::from_points(a), hull_b = ConvexHull::from_points(b);
        const double exact = closest(ConvexCore(*hull_a, Eigen::Isometry3d::Identity()),
                                     ConvexCore(*hull_b, Eigen::Isometry3d::Identity()))
                                 .distance;
        const auto volume_a = TypeParam::fit(a), volume_b = TypeParam::fit(b);
        const bool meet = TypeParam::overlap(volume_a, volume_b);
        const float bound_m = TypeParam::distance_m(volume_a, volume_b);
        if (exact <= 0.0) {
            ASSERT_TRUE(meet) << "round " << round;
            ++overlapping;
        } else {
            ++apart;
            told_apart += meet ? 0 : 1;
        }
        ASSERT_LE(bound_m, std::max(0.0, exact) + 1e-6) << "round " << round;
        ASSERT_GE(bound_m, 0.0F);
        if (!meet && TypeParam::kExactDistance) {
            ASSERT_GT(bound_m, 0.0F);
        }
        if (meet) {
            ASSERT_LE(bound_m, 2e-6F);
        }
    }
    EXPECT_GT(overlapping, 200);
    EXPECT_GT(told_apart, apart / 6);
}

TYPED_TEST(EveryVolume, OverlapIsSymmetric) {
    std::mt19937 random(4);
    int differing = 0;
    for (int round = 0; round < 500; ++round) {
        const auto a = TypeParam::fit(random_points(random, {0, 0, 0})),
                   b = TypeParam::fit(random_points(random, random_pose(random, 1.0F).translation()));
        differing += TypeParam::overlap(a, b) != TypeParam::overlap(b, a) ? 1 : 0;
        EXPECT_NEAR(TypeParam::distance_m(a, b), TypeParam::distance_m(b, a), 3e-6F);
    }
    EXPECT_LE(differing, 0);
}

TYPED_TEST(EveryVolume, IsNoSmallerThanTheHull) {
    const Mesh mesh = wavy_torus(24, 12);
    const float hull_m3 = HullVolume::volume_m3(HullVolume::fit(mesh.vertices_m));
    const float volume_m3 = TypeParam::volume_m3(TypeParam::fit(mesh.vertices_m));
    EXPECT_GE(volume_m3, 0.999F * hull_m3);
    EXPECT_LT(volume_m3, 6.0F * hull_m3);
}

TYPED_TEST(EveryVolume, NeverOverstatesTheDistanceOfThingsThatAreNearlyParallel) {
    // Long objects rotated against each other by at most a degree, such as fingers and shelves: the common normal
    // of their edges is nearly zero, and dividing by it loses digits.
    std::mt19937 random(9);
    std::uniform_real_distribution<float> unit(-1.0F, 1.0F), exponent(-4.5F, -1.5F);
    int apart = 0;
    for (int round = 0; round < 3000; ++round) {
        const Eigen::Vector3f half_m(1.0F, round % 3 == 0 ? 0.0F : 0.3F, round % 2 == 0 ? 0.0F : 0.02F);
        const Eigen::Matrix3f axes = random_pose(random, 0.0F).linear();
        const Eigen::Matrix3f turn =
            Eigen::AngleAxisf(std::pow(10.0F, exponent(random)), random_pose(random, 1.0F).translation())
                .toRotationMatrix();
        const Eigen::Vector3f away_m = axes * Eigen::Vector3f(unit(random), unit(random), 0.1F + 0.4F * unit(random));
        Points a, b;
        for (unsigned k = 0; k < 8; ++k) {
            const Eigen::Vector3f corner_m = half_m.cwiseProduct(Eigen::Vector3f(
                (k & 1U) != 0 ? 1.0F : -1.0F, (k & 2U) != 0 ? 1.0F : -1.0F, (k & 4U) != 0 ? 1.0F : -1.0F));
            a.push_back(axes * corner_m);
            b.push_back(away_m + turn * (axes * corner_m));
        }
        const auto hull_a = ConvexHull::from_points(a), hull_b = ConvexHull::from_points(b);
        const double exact = closest(ConvexCore(*hull_a, Eigen::Isometry3d::Identity()),
                                     ConvexCore(*hull_b, Eigen::Isometry3d::Identity()))
                                 .distance;
        apart += exact > 0.0 ? 1 : 0;
        ASSERT_LE(TypeParam::distance_m(TypeParam::fit(a), TypeParam::fit(b)), std::max(0.0, exact) + 1e-6)
            << "round " << round;
    }
    EXPECT_GT(apart, 1000);
}

TEST(SphereVolume, IsNearlyTheSmallestSphere) {
    // Points all over a known sphere: the smallest sphere is that one.
    std::mt19937 random(5);
    for (int round = 0; round < 20; ++round) {
        Points points;
        for (int i = 0; i < 200; ++i)
            points.push_back(Eigen::Vector3f(1, 2, 3) + random_pose(random, 0.5F).translation());
        const BoundingSphere sphere = SphereVolume::fit(points);
        EXPECT_GE(sphere.radius_m, 0.49F);
        EXPECT_LE(sphere.radius_m, 0.515F);
    }
}

TEST(SphereVolume, MergeTouchesBothSpheresOrIsTheLargerOne) {
    const BoundingSphere a{{0, 0, 0}, 1.0F}, b{{3, 0, 0}, 0.5F}, inside{{0.2F, 0, 0}, 0.3F};
    const BoundingSphere both = SphereVolume::merge(a, b);
    EXPECT_NEAR(both.radius_m, 2.25F, 1e-4F);
    EXPECT_NEAR(both.center_m.x(), 1.25F, 1e-4F);
    EXPECT_EQ(SphereVolume::merge(a, inside).radius_m, 1.0F);
    EXPECT_EQ(SphereVolume::merge(inside, a).radius_m, 1.0F);
}

TEST(SphereVolume, MergeHoldsSpheresThatTouchFromWithin) {
    // If one sphere nearly touches the other from within, rounding decides whether the larger one contains both.
    std::mt19937 random(17);
    std::uniform_real_distribution<float> size(0.1F, 1.0F);
    int is_larger = 0, grows = 0;
    for (int round = 0; round < 20000; ++round) {
        const BoundingSphere a = {random_pose(random, 1.0F).translation(), 1.0F + size(random)};
        BoundingSphere b = {a.center_m, size(random)};
        b.center_m += random_pose(random, 0.0F).linear().col(0) * (a.radius_m - b.radius_m);
        const BoundingSphere both = round % 2 == 0 ? SphereVolume::merge(a, b) : SphereVolume::merge(b, a);
        (both.radius_m == a.radius_m ? is_larger : grows) += 1;
        for (const BoundingSphere& part : {a, b})
            ASSERT_LE((part.center_m.cast<double>() - both.center_m.cast<double>()).norm() + double{part.radius_m},
                      double{both.radius_m} * (1.0 + 1e-15))
                << "round " << round;
    }
    EXPECT_GT(is_larger, 4000);
    EXPECT_GT(grows, 4000);
}

TEST(KdopVolume, VolumesOfKnownSolids) {
    const Points cube = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 0}, {1, 0, 1}, {0, 1, 1}, {1, 1, 1}};
    EXPECT_NEAR(KdopVolume<14>::volume_m3(KdopVolume<14>::fit(cube)), 1.0F, 1e-4F);
    EXPECT_NEAR(KdopVolume<18>::volume_m3(KdopVolume<18>::fit(cube)), 1.0F, 1e-4F);
    EXPECT_NEAR(KdopVolume<26>::volume_m3(KdopVolume<26>::fit(cube)), 1.0F, 1e-4F);
    // The octahedron |x| + |y| + |z| <= 3/2 around the cube's centre has volume 4/3 1.5^3.
    EXPECT_NEAR(KdopVolume<8>::volume_m3(KdopVolume<8>::fit(cube)), 4.5F, 1e-3F);
    // The octahedron itself is an 8-DOP.
    const Points octahedron = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
    EXPECT_NEAR(KdopVolume<8>::volume_m3(KdopVolume<8>::fit(octahedron)), 4.0F / 3.0F, 1e-4F);
}

TEST(KdopVolume, MoreDirectionsAreTighter) {
    std::mt19937 random(6);
    for (int round = 0; round < 30; ++round) {
        Points points = random_points(random, {0, 0, 0});
        const float v26 = KdopVolume<26>::volume_m3(KdopVolume<26>::fit(points));
        for (const float loose :
             {KdopVolume<14>::volume_m3(KdopVolume<14>::fit(points)),
              KdopVolume<18>::volume_m3(KdopVolume<18>::fit(points)),
              KdopVolume<8>::volume_m3(KdopVolume<8>::fit(points)), AabbVolume::volume_m3(AabbVolume::fit(points))})
            EXPECT_LE(v26, loose * 1.001F + 1e-6F);
    }
}

TEST(KdopVolume, TurningByARightAngleLosesNothing) {
    // Rotations by 90 degrees map the directions of 14-, 18- and 26-DOPs onto themselves.
    std::mt19937 random(7);
    const Points points = random_points(random, {0.3F, 0.1F, -0.2F});
    Eigen::Isometry3f quarter = Eigen::Isometry3f::Identity();
    quarter.linear() = Eigen::AngleAxisf(1.57079633F, Eigen::Vector3f::UnitY()).toRotationMatrix();
    const Kdop<26> given = KdopVolume<26>::fit(points), turned = KdopVolume<26>::Motion(quarter)(given);
    EXPECT_NEAR(KdopVolume<26>::volume_m3(turned), KdopVolume<26>::volume_m3(given),
                1e-3F * KdopVolume<26>::volume_m3(given));
}

TEST(RssVolume, ThinRodsThatCrossAtASmallAngleMeetWhereTheirMiddlesDo) {
    // Their distance is the height of one above the other; at such angles a float's 1 - cosine^2 is mostly noise.
    std::mt19937 random(10);
    std::uniform_real_distribution<float> exponent(-4.0F, -1.0F);
    for (int round = 0; round < 2000; ++round) {
        const Eigen::Matrix3f axes = random_pose(random, 0.0F).linear();
        const Eigen::AngleAxisf turn(std::pow(10.0F, exponent(random)), axes.col(2));
        const float height_m = 0.001F;
        const Rss a = {Eigen::Vector3f::Zero(), axes, {1.0F, 0.0F}, 0.4F * height_m},
                  b = {height_m * axes.col(2), turn * axes, {1.0F, 0.0F}, 0.4F * height_m};
        ASSERT_NEAR(RssVolume::distance_m(a, b), 0.2F * height_m, 1e-6F) << "round " << round;
    }
}

TEST(RssVolume, DistanceEqualsADenseSample) {
    std::mt19937 random(8);
    int crossing = 0;
    for (int round = 0; round < 60; ++round) {
        Rss a, b;
        for (Rss* rss : {&a, &b}) {
            const Eigen::Isometry3f pose = random_pose(random, 0.5F);
            *rss = {pose.translation(), pose.linear(), {0.4F, 0.2F}, 0.0F};
        }
        double nearest = 1e9;
        for (int i = -60; i <= 60; ++i)
            for (int j = -60; j <= 60; ++j) {
                const Eigen::Vector3f p = a.center_m + a.axes.col(0) * (0.4F * static_cast<float>(i) / 60.0F) +
                                          a.axes.col(1) * (0.2F * static_cast<float>(j) / 60.0F);
                nearest = std::min(nearest, double{distance_to_rectangle_m(b, p)});
            }
        const float distance_m = RssVolume::distance_m(a, b);
        EXPECT_LE(distance_m, nearest + 1e-6);
        EXPECT_GE(distance_m, nearest - 0.005);  // half the sampling step
        crossing += distance_m == 0.0F ? 1 : 0;
    }
    EXPECT_GT(crossing, 5);
    EXPECT_LT(crossing, 50);
}

}  // namespace
}  // namespace glovebox::collision
