#include "collision/survey/clips/clip_box.h"

#include <gtest/gtest.h>

#include <numbers>

#include "collision/survey/clips/clip_tree.h"
#include "collision/survey/clips/walks.h"

namespace glovebox::collision::clips {
namespace {

bool contains(const TiltedBox& box, const Eigen::Vector3d& point) {
    return ((box.axes.transpose() * (point - box.center)).cwiseAbs() - box.half).maxCoeff() <= 0.0;
}

bool contains(const FlatBox& box, const Eigen::Vector2d& point_m) {
    const Eigen::Vector2d d = point_m - box.center_m, a1(-box.axis.y(), box.axis.x());
    return std::abs(box.axis.dot(d)) <= box.half_m.x() && std::abs(a1.dot(d)) <= box.half_m.y();
}

Eigen::Vector2d rim(const ClipSample& sample, int direction) {
    const double angle = 2.0 * std::numbers::pi * direction / 16.0;
    return sample.center_m + sample.radius_m * Eigen::Vector2d(std::cos(angle), std::sin(angle));
}

// Every node of every kind of tree contains its samples' cylinders, at 16 directions and both ends in time.
TEST(ClipBoxes, EveryNodeContainsTheCylindersOfItsSamples) {
    Dice dice(7);
    std::vector<Clip> clips = {standing(25, 0.4), standing(1, 0.0), wandering(dice, 2, 0.3), circling(dice, 400, 0.3)};
    for (const int n : {10, 11, 63}) clips.push_back(wandering(dice, n, 1.85));
    for (ClipSample& s : clips.back().samples) s.radius_m = dice.uniform(0.0, 2.0);
    int tilted = 0;
    for (const Clip& clip : clips)
        for (const AxisRule rule : {AxisRule::chord, AxisRule::statistics})
            for (const double scale : {0.1, 1.0, 5.0})
                for (const NodeKind kind : {NodeKind::flat, NodeKind::tilted}) {
                    const ClipTree tree = ClipTree::build(clip, {kind, kind, false}, {3, rule, scale});
                    for (const ClipTree::Node& node : tree.nodes()) {
                        const TiltedBox box = tree.space_time_box(node);
                        tilted += node.tilted >= 0 ? 1 : 0;
                        for (std::int32_t i = node.first; i < node.end; ++i)
                            for (int k = 0; k < 16; ++k) {
                                const Eigen::Vector2d at_m = rim(clip.samples[static_cast<std::size_t>(i)], k);
                                ASSERT_TRUE(contains(node.flat, at_m)) << "sample " << i;
                                for (int end = 0; end < 2; ++end)
                                    ASSERT_TRUE(contains(box, {at_m.x(), at_m.y(), (i + end) * clip.dt_s * scale}))
                                        << "sample " << i << " of " << clip.samples.size() << ", scale " << scale;
                            }
                    }
                }
    EXPECT_GT(tilted, 1000);
}

// Worked values: a0 = (.8, 0, .6), r = 1, dt = .1, for both choices of a1 = +-t x a0.
TEST(ClipBoxes, CylinderRangesHaveTheWorkedValues) {
    const ClipSample sample{{0, 0}, 1.0};
    const Range along = cylinder_range(sample, 0.0, 0.1, {0.8, 0, 0.6});
    EXPECT_NEAR(along.low, -0.8, 1e-12);
    EXPECT_NEAR(along.high, 0.86, 1e-12);
    const Range up = cylinder_range(sample, 0.0, 0.1, {-0.6, 0, 0.8});
    EXPECT_NEAR(up.low, -0.6, 1e-12);
    EXPECT_NEAR(up.high, 0.68, 1e-12);
    const Range down = cylinder_range(sample, 0.0, 0.1, {0.6, 0, -0.8});
    EXPECT_NEAR(down.low, -0.68, 1e-12);
    EXPECT_NEAR(down.high, 0.6, 1e-12);
}

TEST(ClipBoxes, ClosedLoopsAndStandingStillHaveAnAxis) {
    Clip loop;
    for (int i = 0; i <= 32; ++i) {
        const double angle = 2.0 * std::numbers::pi * i / 32.0;
        loop.samples.push_back({{3.0 * std::cos(angle), std::sin(angle)}, 0.1});
    }
    loop.samples.back() = loop.samples.front();
    const FlatBox box = fit_flat(loop.samples, AxisRule::chord);
    EXPECT_NEAR(std::abs(box.axis.x()), 1.0, 1e-2) << "the long way of the ellipse";
    EXPECT_NEAR(box.half_m.x(), 3.1, 1e-2);
    EXPECT_NEAR(box.half_m.y(), 1.1, 1e-2);

    const FlatBox still = fit_flat(standing(5, 0.5).samples, AxisRule::chord);
    EXPECT_EQ(still.axis, Eigen::Vector2d(1, 0));
    TiltedBox tilted;
    EXPECT_FALSE(fit_tilted(standing(5, 0.5).samples, 0.1, 0, 1.0, AxisRule::chord, tilted));
    EXPECT_FALSE(fit_tilted(standing(5, 0.5).samples, 0.1, 0, 1.0, AxisRule::statistics, tilted));
}

// Boxes separated by an axis of either kind; the oracle is dense sampling of the overlap.
TEST(ClipBoxes, FlatTestAgreesWithTheTiltedOneOnUprightBoxes) {
    Dice dice(3);
    int meet = 0;
    constexpr int kCases = 20000;
    for (int k = 0; k < kCases; ++k) {
        const auto random_box = [&dice](double spread) {
            const double angle = dice.uniform(0.0, 7.0);
            return FlatBox{{dice.uniform(-spread, spread), dice.uniform(-spread, spread)},
                           {std::cos(angle), std::sin(angle)},
                           {dice.uniform(0.0, 2.0), dice.uniform(0.0, 1.0)}};
        };
        const FlatBox a = random_box(1.7), b = random_box(1.7);
        const bool flat = overlap(a, b, 0.0);
        // The 15-axis test adds a billionth for parallel edges, so it may report slightly more overlaps.
        const bool tilted = overlap(upright(a, 0.0, 1.0), upright(b, 0.5, 2.0), 0.0);
        EXPECT_TRUE(flat == tilted || overlap(a, b, 1e-7) != overlap(a, b, -1e-7));
        meet += flat ? 1 : 0;
    }
    EXPECT_GT(meet, kCases * 3 / 10);
    EXPECT_LT(meet, kCases * 7 / 10);
}

// Two boxes overlap if a point of one is in the other. Sampled points must never contradict a reported separation, and
// most pairs with no common sampled point must be reported apart.
TEST(ClipBoxes, TiltedTestNeverSeparatesBoxesWithACommonPoint) {
    Dice dice(5);
    int common = 0, apart = 0;
    const auto random_box = [&dice] {
        TiltedBox box;
        const Eigen::Quaterniond q =
            Eigen::Quaterniond(dice.normal(), dice.normal(), dice.normal(), dice.normal()).normalized();
        box.axes = q.toRotationMatrix();
        box.center = 1.1 * Eigen::Vector3d(dice.uniform(-1, 1), dice.uniform(-1, 1), dice.uniform(-1, 1));
        box.half = {dice.uniform(0.0, 1.5), dice.uniform(0.0, 1.0), dice.uniform(0.0, 0.5)};
        return box;
    };
    for (int k = 0; k < 3000; ++k) {
        const TiltedBox a = random_box(), b = random_box();
        bool shared = false;
        for (int n = 0; n < 200 && !shared; ++n) {
            const Eigen::Vector3d local(dice.uniform(-1, 1), dice.uniform(-1, 1), dice.uniform(-1, 1));
            shared = contains(b, a.center + a.axes * local.cwiseProduct(a.half));
        }
        const bool meet = overlap(a, b, 0.0);
        if (shared) {
            ASSERT_TRUE(meet) << k;
        }
        common += shared ? 1 : 0;
        apart += meet ? 0 : 1;
    }
    EXPECT_GT(common, 500);
    EXPECT_GT(apart, 500);
}

TEST(ClipBoxes, MergedAndShadowBoxesContainTheirParts) {
    Dice dice(11);
    for (int k = 0; k < 500; ++k) {
        const Clip a = wandering(dice, 30, 0.5), b = circling(dice, 90, 0.2);
        const FlatBox box_a = fit_flat(a.samples, AxisRule::chord), box_b = fit_flat(b.samples, AxisRule::chord);
        const double angle = dice.uniform(0.0, 7.0);
        const FlatBox both = merge_flat(box_a, box_b, {std::cos(angle), std::sin(angle)});
        TiltedBox tilted;
        ASSERT_TRUE(fit_tilted(a.samples, a.dt_s, 0, 1.0, AxisRule::chord, tilted));
        const FlatBox under = shadow(tilted);
        for (int d = 0; d < 16; ++d) {
            for (const ClipSample& s : a.samples) {
                ASSERT_TRUE(contains(both, rim(s, d)));
                ASSERT_TRUE(contains(under, rim(s, d)));
            }
            for (const ClipSample& s : b.samples) ASSERT_TRUE(contains(both, rim(s, d)));
        }
    }
}

}  // namespace
}  // namespace glovebox::collision::clips
