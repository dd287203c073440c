#include "vr/bench/chain_simulation.h"

#include <gtest/gtest.h>

namespace glovebox::vr {
namespace {

using Eigen::Vector3f;

TEST(ChainSimulation, TheSameSeedGivesTheSameFrames) {
    ChainSettings settings;
    settings.frames = 120;
    const ChainRecording a = simulate_chains(settings), b = simulate_chains(settings);
    settings.seed = 2;
    const ChainRecording other = simulate_chains(settings);
    for (std::size_t i = 0; i < kChainLinkCount; ++i) {
        EXPECT_EQ(a.world_from_link.back()[i].matrix(), b.world_from_link.back()[i].matrix());
        EXPECT_NE(a.world_from_link.back()[i].matrix(), other.world_from_link.back()[i].matrix());
    }
}

TEST(ChainSimulation, JointsHoldAndLinksMove) {
    for (const ChainMotion motion : {ChainMotion::swinging, ChainMotion::braided}) {
        ChainSettings settings;
        settings.motion = motion;
        settings.aspect = 6.0F;
        settings.frames = 600;
        const ChainRecording recording = simulate_chains(settings);
        const Vector3f end(recording.link.half_length_m + recording.link.joint_gap_m, 0.0F, 0.0F);
        float furthest_m = 0.0F;
        for (const auto& placed : recording.world_from_link) {
            for (std::size_t i = 0; i + 1 < kChainLinkCount; ++i) {
                if (i + 1 == kLinksPerChain) continue;
                EXPECT_LT((placed[i] * end - placed[i + 1] * Vector3f(-end)).norm(), 0.02F);
            }
            furthest_m =
                std::max(furthest_m, (placed[4].translation() - recording.world_from_link[0][4].translation()).norm());
        }
        EXPECT_GT(furthest_m, 0.05F);
    }
}

TEST(ChainSimulation, NeighboursDoNotTouchByBeingNeighbours) {
    ChainSettings settings;
    settings.frames = 300;
    const ChainRecording recording = simulate_chains(settings);
    for (int frame = 0; frame < settings.frames; frame += 10)
        for (int i = 0; i + 1 < kLinksPerChain; ++i) EXPECT_FALSE(links_touch(recording, frame, i, i + 1));
}

TEST(ChainSimulation, BraidedChainsTouchEachOther) {
    ChainSettings settings;
    settings.aspect = 6.0F;
    settings.motion = ChainMotion::braided;
    settings.frames = 400;
    const ChainRecording recording = simulate_chains(settings);
    int touching = 0;
    for (int frame = 200; frame < settings.frames; frame += 10)
        for (int a = 0; a < kLinksPerChain; ++a)
            for (int b = kLinksPerChain; b < kChainLinkCount; ++b)
                touching += links_touch(recording, frame, a, b) ? 1 : 0;
    EXPECT_GT(touching, 5);
}

TEST(ChainSimulation, ALinksBoxHoldsAllItsPieces) {
    for (const LinkShape shape : {LinkShape::convex, LinkShape::dented}) {
        const ChainLink link = make_chain_link(shape, 6.0F);
        EXPECT_GE(link.pieces.size(), shape == LinkShape::dented ? 3U : 1U);
        for (const auto& piece : link.pieces)
            for (const Vector3f& corner : piece->corners_m())
                for (int i = 0; i < 3; ++i)
                    EXPECT_LE(std::abs(link.box.axes.col(i).dot(corner - link.box.center_m)), link.box.half_m[i]);
    }
}

TEST(ChainSimulation, TheBodyPairsAllLinksAndJoinsNeighbours) {
    ChainSettings settings;
    settings.frames = 1;
    const ChainRecording recording = simulate_chains(settings);
    EXPECT_EQ(recording.body.may_collide.size(), 120U);  // C(16, 2), as in the paper
    EXPECT_EQ(recording.body.node_count(), 31);
    std::vector<int> parents(31, 0);
    for (const auto& node : recording.body.nodes) {
        ++parents[static_cast<std::size_t>(node.child_a)];
        ++parents[static_cast<std::size_t>(node.child_b)];
    }
    for (std::size_t i = 0; i + 1 < parents.size(); ++i) EXPECT_EQ(parents[i], 1) << i;
    EXPECT_EQ(parents.back(), 0);
}

}  // namespace
}  // namespace glovebox::vr
