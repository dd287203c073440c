#include "scenes/hand_body.h"

#include <gtest/gtest.h>

#include <set>

namespace glovebox::scenes {
namespace {

TEST(HandBody, HierarchyHoldsEveryBoneOnceAndChildrenComeFirst) {
    const collision::ArticulatedBody& body = hand_body();
    ASSERT_EQ(body.bone_count(), kHandBoneCount);
    ASSERT_EQ(body.nodes.size(), static_cast<std::size_t>(kHandBoneCount - 1));
    std::set<int> seen;
    for (std::size_t i = 0; i < body.nodes.size(); ++i) {
        const int self = kHandBoneCount + static_cast<int>(i);
        EXPECT_LT(body.nodes[i].child_a, self);
        EXPECT_LT(body.nodes[i].child_b, self);
        EXPECT_TRUE(seen.insert(body.nodes[i].child_a).second);
        EXPECT_TRUE(seen.insert(body.nodes[i].child_b).second);
    }
    EXPECT_EQ(seen.size(), static_cast<std::size_t>(body.node_count() - 1));
}

TEST(HandBody, FingersOfBones) {
    EXPECT_EQ(finger_of_bone(0), -1);
    for (int bone = 1; bone < kHandBoneCount; ++bone) EXPECT_EQ(finger_of_bone(bone), bone < 4 ? 0 : bone / 4);
}

}  // namespace
}  // namespace glovebox::scenes
