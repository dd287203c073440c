#include "collision/survey/clips/clip_tree.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "collision/survey/clips/walks.h"

namespace glovebox::collision::clips {
namespace {

TEST(ClipTree, ChildrenSplitTheTimeOfTheirParentInTheMiddle) {
    Dice dice(1);
    for (const int n : {1, 2, 10, 11, 20, 21, 63, 1260}) {
        const ClipTree tree = ClipTree::build(wandering(dice, n, 0.5));
        ASSERT_EQ(tree.nodes().front().first, 0);
        ASSERT_EQ(tree.nodes().front().end, n);
        for (std::size_t i = 0; i < tree.nodes().size(); ++i) {
            const ClipTree::Node& node = tree.nodes()[i];
            if (node.leaf()) {
                EXPECT_LE(node.end - node.first, 10);
                continue;
            }
            const ClipTree::Node& a = tree.nodes()[i + 1];
            const ClipTree::Node& b = tree.nodes()[static_cast<std::size_t>(node.second)];
            EXPECT_EQ(a.first, node.first);
            EXPECT_EQ(a.end, b.first);
            EXPECT_EQ(b.end, node.end);
            EXPECT_LE(std::abs((a.end - a.first) - (b.end - b.first)), 1);
        }
    }
}

TEST(ClipTree, ClipsOfThePaperHaveTheDepthOfThePaper) {
    Dice dice(2);
    EXPECT_EQ(ClipTree::build(wandering(dice, 63, 1.85)).depth(), 4);  // the root and the published three levels below
    EXPECT_EQ(ClipTree::build(circling(dice, 1260, 0.3)).depth(), 8);
    EXPECT_EQ(ClipTree::build(wandering(dice, 10, 1.0)).depth(), 1);
    EXPECT_EQ(ClipTree::build(wandering(dice, 11, 1.0)).depth(), 2);
    EXPECT_EQ(ClipTree::build(circling(dice, 1260, 0.3)).nodes_at(7).size(), 128U);
}

TEST(ClipTree, BoxesOfTheTwoAxisRulesHaveAlmostTheSameArea) {
    // The paper: "essentially identical results (comparing box area)".
    Dice dice(4);
    double chord_m2 = 0.0, statistics_m2 = 0.0;
    for (int k = 0; k < 200; ++k) {
        const Clip clip = wandering(dice, 63, 0.5);
        for (const AxisRule rule : {AxisRule::chord, AxisRule::statistics}) {
            const ClipTree tree = ClipTree::build(clip, {}, {10, rule, 1.0});
            double& sum = rule == AxisRule::chord ? chord_m2 : statistics_m2;
            for (const ClipTree::Node& node : tree.nodes()) sum += node.flat.area_m2();
        }
    }
    EXPECT_NEAR(chord_m2 / statistics_m2, 1.0, 0.05);
}

TEST(ClipTree, BadFitsAreRefused) {
    EXPECT_THROW(ClipTree::build(standing(3, 1.0), {}, {0, AxisRule::chord, 1.0}), std::invalid_argument);
    EXPECT_THROW(ClipTree::build(standing(3, 1.0), {}, {10, AxisRule::chord, 0.0}), std::invalid_argument);
    EXPECT_THROW(ClipTree::build(standing(3, 1.0), {}, {10, AxisRule::chord, std::nan("")}), std::invalid_argument);
    EXPECT_THROW(ClipTree::build(standing(3, -1.0)), std::invalid_argument);
}

}  // namespace
}  // namespace glovebox::collision::clips
