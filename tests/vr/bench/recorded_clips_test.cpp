// The disc of a recorded hand holds its limbs, and no smaller one round the wrist does.
#include "vr/bench/recorded_clips.h"

#include <gtest/gtest.h>

#include "recordings/load.h"

namespace glovebox::vr {
namespace {

using tracking::Joint;

// Seen red: with the joint's height in place of z, and without its radius.
TEST(RecordedClips, TheDiscHoldsEveryLimbAndTouchesOne) {
    const recordings::Recording recording = recordings::sample_table().front().make();
    int hands = 0;
    for (const tracking::HandPair& sample : recording.samples)
        for (const tracking::Side side : tracking::kSides) {
            const tracking::HandFrame& hand = sample[side];
            if (!hand.active) continue;
            const collision::clips::ClipSample disc = disc_of_hand(hand);
            double nearest_m = 1.0;
            for (const tracking::JointPose& joint : hand.joints) {
                // Points of the joint's ball, seen from above.
                for (int k = 0; k < 32; ++k) {
                    const double angle = 2.0 * 3.14159265358979 * k / 32.0;
                    const Eigen::Vector2d point(
                        double{joint.position_m.x()} + double{joint.radius_m} * std::cos(angle),
                        double{joint.position_m.z()} + double{joint.radius_m} * std::sin(angle));
                    const double room_m = disc.radius_m - (point - disc.center_m).norm();
                    ASSERT_GT(room_m, -1e-6);
                    nearest_m = std::min(nearest_m, room_m);
                }
            }
            EXPECT_LT(nearest_m, 5e-4) << "a smaller disc would do";
            ++hands;
        }
    EXPECT_GT(hands, 100);
}

TEST(RecordedClips, JointsWithoutAPositionAreLeftOut) {
    tracking::HandFrame hand;
    hand[Joint::wrist].flags = tracking::joint_flags::kAll;
    hand[Joint::index_tip].position_m = {0.3F, 0.0F, 0.4F};
    hand[Joint::index_tip].radius_m = 0.01F;
    EXPECT_DOUBLE_EQ(disc_of_hand(hand).radius_m, 0.0);
    hand[Joint::index_tip].flags = tracking::joint_flags::kAll;
    EXPECT_NEAR(disc_of_hand(hand).radius_m, 0.51, 1e-6);
}

TEST(RecordedClips, EachHandOfARecordingIsAClip) {
    BenchOptions options;
    const auto clips = recorded_clips(options);
    EXPECT_GE(clips.size(), recordings::sample_table().size());
    for (const RecordedClip& recorded : clips) {
        EXPECT_NO_THROW(collision::clips::check(recorded.clip)) << recorded.take;
        EXPECT_EQ(recorded.clip.dt_s, kRecordedStep_s);
        std::size_t samples = 0;
        const auto pieces = cut_into(recorded.clip, 63);
        for (const auto& piece : pieces) samples += piece.samples.size();
        EXPECT_LE(recorded.clip.samples.size() - samples, 31U) << recorded.take;
        for (const auto& piece : pieces) EXPECT_LE(piece.samples.size(), 63U);
    }
    EXPECT_THROW(recorded_clips({.figures = {}, .files = {"no such file"}, .frames = 0, .quick = false, .only = {}}),
                 std::runtime_error);
}

}  // namespace
}  // namespace glovebox::vr
