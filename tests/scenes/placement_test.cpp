#include "scenes/placement.h"

#include <gtest/gtest.h>

#include <cmath>

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

TEST(Placement, HandsOfABodyStayAboveTheAnchorAndReachIt) {
    Scene scene;
    std::vector<HandPair> samples;
    for (int i = 0; i < 100; ++i) {
        const float t = static_cast<float>(i) / 100.0F;
        HandPair& sample = samples.emplace_back();
        sample[Side::right] = made_hand(
            Side::right, Eigen::Isometry3f(Eigen::Translation3f(0.3F * t, 1.2F + 0.3F * std::cos(6.28F * t), 0.4F)));
        sample[Side::left] = made_hand(Side::left, Eigen::Isometry3f(Eigen::Translation3f(-0.3F, 1.4F, 0.2F + t)));
    }
    const HandPlacement placement = find_placement(scene, samples);
    EXPECT_EQ(placement.kind, Placement::fingertips);
    float lowest_m = 1e9F, nearest_m = 1e9F;
    for (HandPair& sample : samples) {
        place(placement, sample);
        for (const Side side : {Side::left, Side::right})
            for (const auto& joint : sample[side].joints) lowest_m = std::min(lowest_m, joint.position_m.y());
        nearest_m = std::min(nearest_m, (tips_middle(sample[Side::right]) - scene.anchor_m).norm());
    }
    EXPECT_NEAR(lowest_m, scene.anchor_m.y(), 1e-4F);
    EXPECT_LT(nearest_m, 0.08F) << "the right hand is the one that comes down";
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
