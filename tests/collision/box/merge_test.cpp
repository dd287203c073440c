#include "collision/box/merge.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "collision/body/refit_lanes.h"
#include "tests/collision/random_shapes.h"

namespace glovebox::collision {
namespace {

using Eigen::Matrix3f;
using Eigen::Vector3f;

constexpr float kRoot2 = std::numbers::sqrt2_v<float>;

Obb box(const Vector3f& center, const Vector3f& u0, const Vector3f& u1, const Vector3f& u2, const Vector3f& half) {
    Matrix3f axes;
    axes << u0, u1, u2;
    return {center, axes, half};
}

Obb straight_box(const Vector3f& center, const Vector3f& half) {
    return {center, Matrix3f::Identity(), half};
}

// Compares half extents along the expected axes, because axes are unique only up to sign and order.
void expect_box(const Obb& found, const Vector3f& center, const Matrix3f& axes, const Vector3f& half, float tolerance) {
    EXPECT_LT((found.center_m - center).norm(), tolerance);
    for (int i = 0; i < 3; ++i) {
        float best = 0.0F, extent = -1.0F;
        for (int j = 0; j < 3; ++j) {
            const float match = std::abs(found.axes.col(j).dot(axes.col(i)));
            if (match > best) {
                best = match;
                extent = found.half_m[j];
            }
        }
        EXPECT_NEAR(best, 1.0F, 1e-4F) << "axis " << i << " of\n" << found.axes;
        EXPECT_NEAR(extent, half[i], tolerance) << "axis " << i;
    }
}

const Obb kFirst = straight_box({3, 0, 0}, {3, 1, 1});

TEST(MergeCab, WorkedExample1RightAngleTakesTheEndpointVector) {
    const Obb second = box({6, 3, 0}, {0, 1, 0}, {-1, 0, 0}, {0, 0, 1}, {3, 1, 1});
    const Obb merged = merge_cab(kFirst, second, {6, 0, 0});
    Matrix3f axes;
    axes << Vector3f(-1, -1, 0) / kRoot2, Vector3f(0, 0, -1), Vector3f(1, -1, 0) / kRoot2;
    expect_box(merged, {4.5F, 1.5F, 0}, axes, {7 / kRoot2, 1, 4 / kRoot2}, 2e-5F);
    EXPECT_NEAR(merged.volume_m3(), 112.0F, 5e-3F);
}

TEST(MergeCab, WorkedExample2StraightFingerTakesTheThickerChildsFrame) {
    const Obb second =
        box({8, 0, 0}, {1, 0, 0}, Vector3f(0, 1, 1) / kRoot2, Vector3f(0, -1, 1) / kRoot2, {2, 1.5F, 0.5F});
    const Obb merged = merge_cab(kFirst, second, {6, 0, 0});
    expect_box(merged, {5, 0, 0}, second.axes, {5, 1.5F, kRoot2}, 2e-5F);
    EXPECT_NEAR(merged.volume_m3(), 84.852814F, 5e-3F);
}

TEST(MergeCab, WorkedExample3FoldedTakesTheLongerChild) {
    const float root3 = std::sqrt(3.0F);
    const Obb second = box({root3, 1, 0}, {root3 / 2, 0.5F, 0}, {-0.5F, root3 / 2, 0}, {0, 0, 1}, {2, 0.5F, 0.5F});
    const Obb merged = merge_cab(kFirst, second, Vector3f::Zero());
    Matrix3f axes;
    axes << Vector3f(1, 0, 0), Vector3f(0, 0, 1), Vector3f(0, -1, 0);
    expect_box(merged, {2.875F, 0.716506F, 0}, axes, {3.125F, 1, 1.716506F}, 2e-5F);
    EXPECT_NEAR(merged.volume_m3(), 42.912659F, 5e-3F);
}

Obb from_origin(float degrees) {
    const float angle = degrees * std::numbers::pi_v<float> / 180.0F;
    const Vector3f along(std::cos(angle), std::sin(angle), 0);
    return box(3 * along, along, {-along.y(), along.x(), 0}, {0, 0, 1}, {3, 1, 1});
}

TEST(MergeCab, WorkedExample4SwitchesAtSixtyDegrees) {
    EXPECT_NEAR(merge_cab(from_origin(0), from_origin(59.9F), Vector3f::Zero()).volume_m3(), 91.888943F, 2e-3F);
    const Obb above = merge_cab(from_origin(0), from_origin(60.1F), Vector3f::Zero());
    EXPECT_NEAR(above.volume_m3(), 95.902300F, 2e-3F);
    EXPECT_NEAR(above.half_m.maxCoeff(), 3.870122F, 1e-4F);
}

Obb bent_continuation(float degrees) {
    const Eigen::AngleAxisf turn(degrees * std::numbers::pi_v<float> / 180.0F, Vector3f(0, 1, 1).normalized());
    const Matrix3f axes = turn.toRotationMatrix();
    return {Vector3f(6, 0, 0) + 3 * axes.col(0), axes, {3, 1, 1}};
}

TEST(MergeCab, WorkedExample5JumpsAtTheParallelTolerance) {
    EXPECT_NEAR(merge_cab(kFirst, bent_continuation(0.25F), {6, 0, 0}).volume_m3(), 48.917595F, 2e-3F);
    const Obb above = merge_cab(kFirst, bent_continuation(0.27F), {6, 0, 0});
    EXPECT_NEAR(above.volume_m3(), 96.532878F, 0.05F);
    EXPECT_NEAR(above.half_m.maxCoeff(), 6.003316F, 1e-3F);
}

// Merges two boxes with the SIMD code, through a body of two bones; all lanes hold the same pair.
Obb merge_in_lanes(const Obb& a, const Obb& b, const Vector3f& joint_m) {
    static const ArticulatedBody body = make_chain(2);
    RefitPlan plan;
    plan.follow(body);
    std::array<Obb, 3> boxes = {a, b, Obb()};
    refit_cab_lanes(body, plan, {&joint_m, 1}, {}, boxes);
    return boxes[2];
}

struct MergeRow {
    const char* name;
    Obb (*merge)(const Obb&, const Obb&, const Vector3f&);
};
constexpr std::array kMerges = {
    MergeRow{"cab", [](const Obb& a, const Obb& b, const Vector3f& joint) { return merge_cab(a, b, joint); }},
    MergeRow{"cab_lanes", merge_in_lanes},
    MergeRow{"cab_children", merge_cab_children},
    MergeRow{"cab_best", merge_cab_best},
    MergeRow{"covariance", [](const Obb& a, const Obb& b, const Vector3f&) { return merge_covariance(a, b); }},
    MergeRow{"merge", [](const Obb& a, const Obb& b, const Vector3f&) { return merge_rotations(a, b); }},
};

class Merges : public ::testing::TestWithParam<MergeRow> {};
INSTANTIATE_TEST_SUITE_P(Rows, Merges, ::testing::ValuesIn(kMerges),
                         [](const auto& row) { return std::string(row.param.name); });

TEST_P(Merges, EnclosesBothChildrenAfterRoundingAtAnyDistanceFromTheOrigin) {
    RandomShapes random(1);
    for (const float offset : {0.0F, 10.0F, 1000.0F}) {
        for (int i = 0; i < 33'000; ++i) {
            Obb a = random.box(1e-4F, 1e3F, 1.0F), b = random.box(1e-4F, 1e3F, 1.0F);
            a.center_m.array() += offset;
            b.center_m.array() += offset;
            const Obb merged = GetParam().merge(a, b, 0.5F * (a.center_m + b.center_m));
            // Corners are compared in double, but the axes are orthonormal only to float.
            ASSERT_LE(excess(merged, a), 0.0) << i;
            ASSERT_LE(excess(merged, b), 0.0) << i;
        }
    }
}

TEST_P(Merges, GivesAnOrthonormalRightHandedFrame) {
    RandomShapes random(2);
    for (int i = 0; i < 20'000; ++i) {
        const Obb a = random.box(0.01F, 1.0F, 1.0F);
        Obb b = random.box(0.01F, 1.0F, 1.0F);
        // A third of the pairs are nearly parallel, where the merged frame is worst conditioned.
        if (i % 3 == 0)
            b.axes = Eigen::AngleAxisf(random.between(0.003F, 0.02F), random.direction()).toRotationMatrix() * a.axes;
        const Obb merged = GetParam().merge(a, b, random.vector(1.0F));
        ASSERT_LT((merged.axes.transpose() * merged.axes - Matrix3f::Identity()).cwiseAbs().maxCoeff(), 2e-6F) << i;
        ASSERT_GT(merged.axes.determinant(), 0.9F) << i;
    }
}

TEST_P(Merges, IsTightOnAllSixFaces) {
    RandomShapes random(3);
    for (int i = 0; i < 5'000; ++i) {
        const Obb a = random.box(0.05F, 1.0F, 1.0F), b = random.box(0.05F, 1.0F, 1.0F);
        const Obb merged = GetParam().merge(a, b, random.vector(1.0F));
        Eigen::Vector3d low = Eigen::Vector3d::Constant(1e9), high = -low;
        for (const Obb& child : {a, b})
            for (const Eigen::Vector3d& corner : corners(child)) {
                const Eigen::Vector3d at =
                    merged.axes.cast<double>().transpose() * (corner - merged.center_m.cast<double>());
                low = low.cwiseMin(at);
                high = high.cwiseMax(at);
            }
        const Eigen::Vector3d half = merged.half_m.cast<double>();
        ASSERT_LT((high - half).cwiseAbs().maxCoeff(), 2e-5 * half.maxCoeff());
        ASSERT_LT((low + half).cwiseAbs().maxCoeff(), 2e-5 * half.maxCoeff());
    }
}

TEST_P(Merges, MovesWithARigidMotionAndScales) {
    RandomShapes random(4);
    int compared = 0;
    for (int i = 0; i < 2'000; ++i) {
        const Obb a = random.box(0.1F, 1.0F, 1.0F), b = random.box(0.1F, 1.0F, 1.0F);
        const Vector3f joint = random.vector(1.0F);
        const Obb merged = GetParam().merge(a, b, joint);
        const Eigen::Isometry3f motion = random.pose(1.0F);
        const Obb moved = GetParam().merge(transformed(motion, a), transformed(motion, b), motion * joint);
        // Rounding may resolve ties and thresholds differently; such cases are rare, and counted.
        if (std::abs(moved.volume_m3() - merged.volume_m3()) < 2e-4F * merged.volume_m3()) {
            ++compared;
            EXPECT_LT((moved.center_m - motion * merged.center_m).norm(), 1e-4F);
        }
        Obb a2 = a, b2 = b;
        for (Obb* each : {&a2, &b2}) {
            each->center_m *= 2.0F;
            each->half_m *= 2.0F;
        }
        EXPECT_NEAR(GetParam().merge(a2, b2, 2.0F * joint).volume_m3(), 8.0F * merged.volume_m3(),
                    1e-3F * 8.0F * merged.volume_m3());
    }
    EXPECT_GT(compared, 1'970);
}

TEST_P(Merges, SwappingTheChildrenKeepsTheVolume) {
    RandomShapes random(5);
    int same = 0;
    for (int i = 0; i < 2'000; ++i) {
        const Obb a = random.box(0.1F, 1.0F, 1.0F), b = random.box(0.1F, 1.0F, 1.0F);
        const Vector3f joint = random.vector(1.0F);
        const float one = GetParam().merge(a, b, joint).volume_m3(), other = GetParam().merge(b, a, joint).volume_m3();
        same += std::abs(one - other) < 1e-3F * one ? 1 : 0;
    }
    EXPECT_GT(same, 1'980);
}

// A box is the same set of points whatever the order and signs of its axes.
TEST_P(Merges, DoesNotDependOnTheNamesOrSignsOfAChildsAxes) {
    if (std::string(GetParam().name) == "merge") GTEST_SKIP() << "the mean of two rotations depends on them by design";
    RandomShapes random(50);
    const auto renamed = [&random](const Obb& box) {
        const int first = static_cast<int>(random.between(0.0F, 2.999F)),
                  step = random.between(0.0F, 1.0F) < 0.5F ? 1 : 2;
        Obb result = box;
        for (int i = 0; i < 3; ++i) {
            const int from = (first + step * i) % 3;
            result.axes.col(i) = (random.between(0.0F, 1.0F) < 0.5F ? 1.0F : -1.0F) * box.axes.col(from);
            result.half_m[i] = box.half_m[from];
        }
        if (result.axes.determinant() < 0.0F) result.axes.col(2) = -result.axes.col(2).eval();
        return result;
    };
    int same = 0;
    for (int i = 0; i < 2'000; ++i) {
        const Obb a = random.box(0.1F, 1.0F, 1.0F), b = random.box(0.1F, 1.0F, 1.0F);
        const Vector3f joint = random.vector(1.0F);
        const Obb one = GetParam().merge(a, b, joint), other = GetParam().merge(renamed(a), renamed(b), joint);
        // Rounding may resolve ties differently; such cases are rare, and counted.
        same += std::abs(one.volume_m3() - other.volume_m3()) < 1e-3F * one.volume_m3() &&
                (one.center_m - other.center_m).norm() < 1e-4F;
    }
    EXPECT_GT(same, 1'980);
}

TEST_P(Merges, IsNeverSmallerThanAChild) {
    RandomShapes random(6);
    for (int i = 0; i < 5'000; ++i) {
        const Obb a = random.box(0.05F, 1.0F, 0.3F), b = random.box(0.05F, 1.0F, 0.3F);
        const float volume = GetParam().merge(a, b, random.vector(1.0F)).volume_m3();
        ASSERT_GE(volume, std::max(a.volume_m3(), b.volume_m3()));
    }
}

TEST_P(Merges, StaysFiniteThroughStraightAndFolded) {
    for (const float middle : {0.0F, std::numbers::pi_v<float>}) {
        for (int i = -2'000; i <= 2'000; ++i) {
            const float angle = middle + 1e-6F * static_cast<float>(i);
            const Vector3f along(std::cos(angle), std::sin(angle), 0);
            const Obb second =
                box(Vector3f(6, 0, 0) + 3 * along, along, {-along.y(), along.x(), 0}, {0, 0, 1}, {3, 1, 1});
            const Obb merged = GetParam().merge(kFirst, second, {6, 0, 0});
            ASSERT_TRUE(merged.half_m.allFinite() && merged.axes.allFinite() && merged.center_m.allFinite()) << i;
            ASSERT_GT(merged.half_m.minCoeff(), 0.9F) << i;
            ASSERT_LE(std::max(excess(merged, kFirst), excess(merged, second)), 0.0) << i;
        }
    }
}

TEST_P(Merges, DegenerateChildrenAreLegal) {
    RandomShapes random(7);
    for (int i = 0; i < 2'000; ++i) {
        Obb a = random.box(0.1F, 1.0F, 1.0F), b = random.box(0.1F, 1.0F, 1.0F);
        for (int axis = 0; axis < 3; ++axis) {
            if ((i >> axis & 1) != 0) a.half_m[axis] = 0.0F;
            if ((i >> (axis + 3) & 1) != 0) b.half_m[axis] = 0.0F;
        }
        if ((i & 64) != 0) b.center_m = a.center_m;
        const Obb merged = GetParam().merge(a, b, a.center_m);
        ASSERT_TRUE(merged.half_m.allFinite() && merged.axes.allFinite()) << i;
        ASSERT_LE(std::max(excess(merged, a), excess(merged, b)), 0.0) << i;
    }
}

TEST_P(Merges, WithItselfIsTheSameSize) {
    RandomShapes random(8);
    for (int i = 0; i < 500; ++i) {
        const Obb a = random.box(0.1F, 1.0F, 0.5F);
        if (std::string(GetParam().name) != "cab") continue;  // only CAB can take a child's frame
        ASSERT_NEAR(GetParam().merge(a, a, random.vector(1.0F)).volume_m3(), a.volume_m3(), 1e-4F * a.volume_m3());
    }
}

TEST(Enclose, EqualsProjectingSixteenCorners) {
    RandomShapes random(9);
    for (int i = 0; i < 5'000; ++i) {
        const Obb a = random.box(0.05F, 1.0F, 1.0F), b = random.box(0.05F, 1.0F, 1.0F);
        const Matrix3f axes = random.rotation();
        const Obb merged = enclose(axes, a, b);
        Eigen::Vector3d low = Eigen::Vector3d::Constant(1e9), high = -low;
        for (const Obb& child : {a, b})
            for (const Eigen::Vector3d& corner : corners(child)) {
                low = low.cwiseMin(axes.cast<double>().transpose() * corner);
                high = high.cwiseMax(axes.cast<double>().transpose() * corner);
            }
        ASSERT_LT((0.5 * (high - low) - merged.half_m.cast<double>()).cwiseAbs().maxCoeff(), 2e-5);
        ASSERT_LT((axes.cast<double>() * (0.5 * (high + low)) - merged.center_m.cast<double>()).norm(), 2e-5);
    }
}

// Boxes of two limbs that share a joint, bent by up to `bend_rad` about any axis.
struct BentPair {
    Obb a, b;
    Vector3f joint_m;
};
BentPair bent_pair(RandomShapes& random, const Vector3f& half, float bend_rad) {
    const Eigen::Isometry3f world_from_a = random.pose(2.0F);
    Eigen::Isometry3f a_from_b = Eigen::Isometry3f::Identity();
    a_from_b.linear() = Eigen::AngleAxisf(random.between(0.0F, bend_rad), random.direction()).toRotationMatrix();
    a_from_b.translation() = Vector3f(half.x(), 0, 0) + a_from_b.linear() * Vector3f(half.x(), 0, 0);
    return {transformed(world_from_a, straight_box(Vector3f::Zero(), half)),
            transformed(world_from_a * a_from_b, straight_box(Vector3f::Zero(), half)),
            world_from_a * Vector3f(half.x(), 0, 0)};
}

TEST(MergeCabBest, IsNeverLargerThanCabOrAChildsFrame) {
    RandomShapes random(41);
    int smaller = 0;
    for (int i = 0; i < 5'000; ++i) {
        const BentPair pair = bent_pair(random, {random.size(0.5F, 5.0F), random.size(0.2F, 2.0F), 1.0F}, 2.6F);
        const float cab = merge_cab(pair.a, pair.b, pair.joint_m).area_m2();
        const float children = merge_cab_children(pair.a, pair.b, pair.joint_m).area_m2();
        const float best = merge_cab_best(pair.a, pair.b, pair.joint_m).area_m2();
        const float frames =
            std::min(enclose(pair.a.axes, pair.a, pair.b).area_m2(), enclose(pair.b.axes, pair.a, pair.b).area_m2());
        ASSERT_LE(children, std::min(cab, frames) * (1.0F + 1e-6F)) << i;
        ASSERT_LE(best, children * (1.0F + 1e-6F)) << i;
        smaller += best < 0.99F * cab ? 1 : 0;
    }
    EXPECT_GT(smaller, 1'000) << "the other candidates never won: they were not tried";
}

// The rule for CAB's first axis, written literally and in double: the longest of E, a_1 and a_2.
TEST(MergeCab, FirstAxisIsTheLongestOfThree) {
    RandomShapes random(51);
    int compared = 0, took_a_limb = 0;
    for (int i = 0; i < 10'000; ++i) {
        const BentPair pair = bent_pair(random, {random.size(2.0F, 6.0F), random.size(0.2F, 1.5F), 1.0F}, 3.0F);
        const auto limb = [&](const Obb& box) {
            int k = 0;
            box.half_m.maxCoeff(&k);
            const Eigen::Vector3d axis = box.axes.col(k).cast<double>();
            const double away = (box.center_m - pair.joint_m).cast<double>().dot(axis);
            return Eigen::Vector3d((away < 0.0 ? -2.0 : 2.0) * static_cast<double>(box.half_m[k]) * axis);
        };
        const std::array<Eigen::Vector3d, 3> candidates = {limb(pair.a) - limb(pair.b), limb(pair.a), limb(pair.b)};
        std::array<double, 3> lengths{};
        for (std::size_t k = 0; k < 3; ++k) lengths[k] = candidates[k].norm();
        std::array<double, 3> sorted = lengths;
        std::sort(sorted.begin(), sorted.end());
        const double sine = candidates[1].normalized().cross(candidates[2].normalized()).norm();
        // Limbs of equal length tie; nearly parallel ones take a child's frame.
        if (sorted[2] - sorted[1] < 1e-3 * sorted[2] || sine < 0.01) continue;
        const auto longest =
            static_cast<std::size_t>(std::max_element(lengths.begin(), lengths.end()) - lengths.begin());
        const Obb merged = merge_cab(pair.a, pair.b, pair.joint_m);
        ASSERT_GT(std::abs(merged.axes.col(0).cast<double>().dot(candidates[longest].normalized())), 1.0 - 1e-5) << i;
        ++compared;
        took_a_limb += longest > 0;
    }
    EXPECT_GT(compared, 5'000);
    EXPECT_EQ(took_a_limb, 0) << "limbs of one length: E is longer or they tie";
    // Limbs of different lengths: if bent by more than a right angle, the longer one wins.
    for (int i = 0; i < 200; ++i) {
        const float angle = random.between(2.0F, 2.9F);
        const Vector3f along(-std::cos(angle), std::sin(angle), 0);
        const Obb shorter = box(2.0F * along, along, {-along.y(), along.x(), 0}, {0, 0, 1}, {2, 0.5F, 0.5F});
        const Obb longer = straight_box({3, 0, 0}, {3, 0.5F, 0.5F});
        EXPECT_GT(std::abs(merge_cab(longer, shorter, Vector3f::Zero()).axes(0, 0)), 1.0F - 1e-5F) << angle;
    }
}

// A regression test of quality: mean volume relative to the smallest box found by searching frames.
TEST(MergeCab, QualityIsWhatItWas) {
    RandomShapes random(52);
    const auto smallest = [&random](const BentPair& pair, float known) {
        Matrix3f axes = merge_cab_best(pair.a, pair.b, pair.joint_m).axes;
        float least = std::min(known, enclose(axes, pair.a, pair.b).volume_m3());
        float turn = 0.3F;
        for (int i = 0; i < 400; ++i, turn *= 0.985F) {
            const Matrix3f tried =
                Eigen::AngleAxisf(random.between(-turn, turn), random.direction()).toRotationMatrix() * axes;
            const float volume = enclose(tried, pair.a, pair.b).volume_m3();
            if (volume < least) least = volume, axes = tried;
        }
        return least;
    };
    struct Case {
        float bend_deg;
        double cab, covariance, tolerance, best;  // best is chosen by area, so its volume is slightly larger
    };
    for (const Case& expected : {Case{150.0F, 1.11, 1.12, 0.03, 1.04}, Case{15.0F, 1.47, 1.48, 0.05, 1.06}}) {
        double cab = 0.0, covariance = 0.0, best = 0.0;
        constexpr int kPairs = 400;
        for (int i = 0; i < kPairs; ++i) {
            const BentPair pair = bent_pair(random, {3, 1, 1}, expected.bend_deg * std::numbers::pi_v<float> / 180.0F);
            const float of_cab = merge_cab(pair.a, pair.b, pair.joint_m).volume_m3();
            const float of_covariance = merge_covariance(pair.a, pair.b).volume_m3();
            const float of_best = merge_cab_best(pair.a, pair.b, pair.joint_m).volume_m3();
            const float least = smallest(pair, std::min({of_cab, of_covariance, of_best}));
            cab += static_cast<double>(of_cab / least) / kPairs;
            covariance += static_cast<double>(of_covariance / least) / kPairs;
            best += static_cast<double>(of_best / least) / kPairs;
        }
        EXPECT_NEAR(cab, expected.cab, expected.tolerance) << expected.bend_deg;
        EXPECT_NEAR(covariance, expected.covariance, expected.tolerance) << expected.bend_deg;
        EXPECT_LT(best, expected.best) << expected.bend_deg;
    }
}

TEST(MergeCabBest, TakesTheBetterBoxOfTheWorkedExamples) {
    const Obb right_angle = box({6, 3, 0}, {0, 1, 0}, {-1, 0, 0}, {0, 0, 1}, {3, 1, 1});
    EXPECT_NEAR(merge_cab_best(kFirst, right_angle, {6, 0, 0}).volume_m3(), 98.0F, 5e-3F);
    const Obb straight =
        box({8, 0, 0}, {1, 0, 0}, Vector3f(0, 1, 1) / kRoot2, Vector3f(0, -1, 1) / kRoot2, {2, 1.5F, 0.5F});
    EXPECT_NEAR(merge_cab_best(kFirst, straight, {6, 0, 0}).volume_m3(), 80.0F, 5e-3F);
    EXPECT_NEAR(merge_cab_children(kFirst, straight, {6, 0, 0}).volume_m3(), 80.0F, 5e-3F);
    // The best merge is continuous where CAB jumps.
    EXPECT_NEAR(merge_cab_best(kFirst, bent_continuation(0.25F), {6, 0, 0}).volume_m3(), 48.470112F, 0.02F);
    EXPECT_NEAR(merge_cab_best(kFirst, bent_continuation(0.27F), {6, 0, 0}).volume_m3(), 48.507820F, 0.02F);
}

TEST(MergeCab, InLanesEqualsTheScalarMergeAwayFromItsTies) {
    RandomShapes random(42);
    int compared = 0, by_limb = 0;
    for (int i = 0; i < 20'000; ++i) {
        const Vector3f half(random.between(2.0F, 6.0F), random.between(0.8F, 1.2F), random.between(0.3F, 0.7F));
        BentPair pair = bent_pair(random, half, 3.0F);
        // Limbs of equal length tie at every bend beyond 120 degrees, where the longer of them decides the frame.
        pair.b.half_m.x() *= random.between(0.7F, 1.3F);
        const Obb scalar = merge_cab(pair.a, pair.b, pair.joint_m),
                  lanes = merge_in_lanes(pair.a, pair.b, pair.joint_m);
        // Rounding decides the frame near the parallel tolerance, and if the two longest of E and the limbs nearly tie.
        // Elsewhere the boxes must be equal.
        const float cosine = std::abs(pair.a.axes.col(0).dot(pair.b.axes.col(0)));
        const Vector3f va = pair.a.half_m.x() * (pair.a.center_m - pair.joint_m).normalized(),
                       vb = pair.b.half_m.x() * (pair.b.center_m - pair.joint_m).normalized();
        std::array lengths2 = {(va - vb).squaredNorm(), va.squaredNorm(), vb.squaredNorm()};
        const bool limb_decides = lengths2[0] < std::max(lengths2[1], lengths2[2]);
        std::ranges::sort(lengths2);
        if (cosine > 0.9999F || lengths2[2] - lengths2[1] < 1e-3F * lengths2[2]) continue;
        ++compared;
        by_limb += limb_decides ? 1 : 0;
        ASSERT_LT((scalar.center_m - lanes.center_m).norm(), 2e-4F) << i;
        for (int k = 0; k < 3; ++k) {
            ASSERT_NEAR(scalar.half_m[k], lanes.half_m[k], 2e-4F) << i;
            ASSERT_GT(std::abs(scalar.axes.col(k).dot(lanes.axes.col(k))), 1.0F - 1e-5F) << i;
        }
    }
    EXPECT_GT(compared, 15'000);
    EXPECT_GT(by_limb, 2'000) << "a limb itself never was the longest";
}

}  // namespace
}  // namespace glovebox::collision
