#include "scenes/placement.h"

#include <gtest/gtest.h>

#include "tests/scenes/made_hand.h"

namespace glovebox::scenes {
namespace {

using tracking::HandPair;
using tracking::Joint;
using tracking::Side;

std::vector<HandPair> path(const std::vector<Eigen::Isometry3f>& wrists) {
    std::vector<HandPair> samples;
    for (const Eigen::Isometry3f& world_from_wrist : wrists)
        samples.emplace_back()[Side::right] = made_hand(Side::right, world_from_wrist);
    return samples;
}

Eigen::Vector3f tips_middle(const tracking::HandFrame& hand) {
    Eigen::Vector3f sum = Eigen::Vector3f::Zero();
    for (const Joint tip : {Joint::thumb_tip, Joint::index_tip, Joint::middle_tip, Joint::ring_tip, Joint::little_tip})
        sum += hand[tip].position_m;
    return sum / 5.0F;
}

TEST(Placement, BringsTheFingertipsToTheAnchorAndForward) {
    Scene scene;
    scene.anchor_m = {0.1F, 0.2F, 0.3F};
    const Eigen::Isometry3f sideways =
        Eigen::Translation3f(5, 1, -2) * Eigen::AngleAxisf(1.2F, Eigen::Vector3f::UnitY());
    auto samples = path({sideways});
    const HandPlacement placement = find_placement(scene, samples);
    place(placement, samples[0]);
    EXPECT_LT((tips_middle(samples[0][Side::right]) - scene.anchor_m).norm(), 1e-5F);
    const Eigen::Vector3f forward =
        samples[0][Side::right][Joint::middle_tip].position_m - samples[0][Side::right][Joint::wrist].position_m;
    EXPECT_LT(std::abs(forward.x()), 0.02F);
    EXPECT_LT(forward.z(), -0.1F);
}

TEST(Placement, IsRigid) {
    Scene scene;
    auto samples =
        path({Eigen::Isometry3f(Eigen::Translation3f(1, 1, 1)), Eigen::Isometry3f(Eigen::Translation3f(1.1F, 1, 1))});
    const auto before = samples;
    const HandPlacement placement = find_placement(scene, samples);
    for (HandPair& sample : samples) place(placement, sample);
    const auto distance = [](const std::vector<HandPair>& pairs) {
        return (pairs[0][Side::right][Joint::index_tip].position_m -
                pairs[1][Side::right][Joint::little_tip].position_m)
            .norm();
    };
    EXPECT_NEAR(distance(before), distance(samples), 1e-6F);
}

TEST(Placement, AHandThatWalksAwayIsHeldByTheWrist) {
    Scene scene;
    std::vector<Eigen::Isometry3f> wrists;
    for (int i = 0; i < 50; ++i) wrists.emplace_back(Eigen::Translation3f(0.1F * static_cast<float>(i), 1, 0));
    auto samples = path(wrists);
    const HandPlacement placement = find_placement(scene, samples);
    EXPECT_EQ(placement.kind, Placement::wrist);
    for (HandPair& sample : samples) {
        place(placement, sample);
        EXPECT_LT((tips_middle(sample[Side::right]) - scene.anchor_m).norm(), 1e-4F);
    }
}

TEST(Placement, RecordingsWithoutHandsStayWhereTheyAre) {
    EXPECT_TRUE(
        find_placement(Scene{}, std::vector<HandPair>(3)).scene_from_recording.isApprox(Eigen::Isometry3f::Identity()));
}

}  // namespace
}  // namespace glovebox::scenes
