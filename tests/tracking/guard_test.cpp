#include "tracking/guard.h"

#include <gtest/gtest.h>

#include <limits>

#include "tracking/forward_kinematics.h"

namespace glovebox::tracking {
namespace {

constexpr std::int64_t kStep_ns = 10'000'000;

// A hand that moves 2 mm a frame (0.2 m/s) and is never the same twice.
HandFrame moving_hand(std::int64_t frame) {
    Eigen::Isometry3f world_from_wrist = Eigen::Isometry3f::Identity();
    world_from_wrist.translation() = Eigen::Vector3f(0.002F * static_cast<float>(frame), 1.0F, -0.3F);
    HandFrame hand = pose_from_angles(default_profile(), resting_angles(), world_from_wrist, Side::right);
    hand.source = Source::live;
    hand.times = {frame * kStep_ns, frame * kStep_ns, frame * kStep_ns};
    return hand;
}

// Feeds frames `from`..`to`, each changed by `spoil`, and returns the last report.
template <class Spoil>
GuardReport feed(Guard& guard, std::int64_t from, std::int64_t to, HandFrame& out, Spoil&& corrupt) {
    GuardReport report;
    for (std::int64_t i = from; i <= to; ++i) {
        HandFrame raw = moving_hand(i);
        corrupt(raw);
        report = guard.pass(raw, out);
    }
    return report;
}
void leave(HandFrame&) {}

bool raised(const GuardReport& report, Quarantine cause) {
    return report.raised[static_cast<std::size_t>(cause)];
}
std::uint64_t count(const Guard& guard, Quarantine cause) {
    return guard.counts[static_cast<std::size_t>(cause)];
}

TEST(Guard, LetsGoodFramesThroughUnchanged) {
    Guard guard;
    HandFrame out;
    EXPECT_TRUE(feed(guard, 0, 0, out, leave).discontinuous) << "nothing comes before the first frame";
    EXPECT_TRUE(out.discontinuous) << "the frame says so too";
    const GuardReport report = feed(guard, 1, 50, out, leave);
    EXPECT_FALSE(report.held);
    EXPECT_FALSE(report.discontinuous);
    EXPECT_EQ(out[Joint::index_tip].position_m, moving_hand(50)[Joint::index_tip].position_m);
    for (const std::uint64_t n : guard.counts) EXPECT_EQ(n, 0U);
}

struct Fault {
    Quarantine cause;
    void (*corrupt)(HandFrame&);
};
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr Fault kFaults[] = {
    {Quarantine::non_finite, [](HandFrame& hand) { hand[Joint::ring_tip].position_m.y() = kNan; }},
    {Quarantine::non_finite, [](HandFrame& hand) { hand[Joint::palm].orientation.w() = kNan; }},
    {Quarantine::non_finite, [](HandFrame& hand) { hand[Joint::palm].radius_m = kNan; }},
    {Quarantine::non_finite, [](HandFrame& hand) { hand[Joint::palm].position_m.x() = 1e30F; }},
    {Quarantine::non_finite, [](HandFrame& hand) { hand[Joint::thumb_tip].radius_m = -0.005F; }},
    {Quarantine::non_finite, [](HandFrame& hand) { hand[Joint::thumb_tip].radius_m = 1e20F; }},
    {Quarantine::non_unit, [](HandFrame& hand) { hand[Joint::wrist].orientation.coeffs() *= 1.02F; }},
    {Quarantine::non_unit, [](HandFrame& hand) { hand[Joint::wrist].orientation.coeffs().setZero(); }},
    {Quarantine::lost, [](HandFrame& hand) { hand.active = false; }},
    {Quarantine::lost,
     [](HandFrame& hand) {
         for (JointPose& joint : hand.joints) joint.flags = 0;
     }},
    {Quarantine::lost,
     [](HandFrame& hand) {
         for (JointPose& joint : hand.joints) joint.position_m.setZero();
     }},
};

TEST(Guard, HoldsEveryFaultForAHundredMillisecondsThenGivesNoHandAndNeverZeros) {
    for (const Fault& fault : kFaults) {
        Guard guard;
        HandFrame out;
        feed(guard, 0, 9, out, leave);
        const HandFrame good = out;
        for (std::int64_t i = 10; i <= 30; ++i) {
            const GuardReport report = feed(guard, i, i, out, fault.corrupt);
            EXPECT_TRUE(raised(report, fault.cause)) << name_of(fault.cause) << " frame " << i;
            EXPECT_EQ(report.held, i <= 19) << name_of(fault.cause) << " frame " << i;
            EXPECT_EQ(out.active, i <= 19);
            EXPECT_EQ(out.times.common_ns, i * kStep_ns);
            if (!out.active) continue;
            EXPECT_EQ(out.source, Source::held);
            EXPECT_EQ(out[Joint::wrist].position_m, good[Joint::wrist].position_m);
            EXPECT_EQ(out[Joint::wrist].flags, joint_flags::kPositionValid | joint_flags::kOrientationValid);
        }
        EXPECT_EQ(count(guard, fault.cause), 21U) << name_of(fault.cause);
        EXPECT_TRUE(feed(guard, 31, 31, out, leave).discontinuous) << "no sweep across a loss";
        EXPECT_TRUE(out.active);
        EXPECT_FALSE(feed(guard, 32, 32, out, leave).discontinuous);
    }
}

// The radius of a joint without a position is ignored: an invalid one neither rejects the hand nor is passed on.
TEST(Guard, IgnoresTheRadiusOfAJointThatIsNotThere) {
    for (const float radius_m : {kNan, std::numeric_limits<float>::infinity(), -0.005F, 1e20F}) {
        Guard guard;
        HandFrame out;
        const GuardReport report = feed(guard, 0, 9, out, [radius_m](HandFrame& hand) {
            hand[Joint::ring_tip].flags = 0;
            hand[Joint::ring_tip].radius_m = radius_m;
        });
        EXPECT_FALSE(report.held) << radius_m;
        EXPECT_TRUE(out.active) << radius_m;
        EXPECT_EQ(out[Joint::ring_tip].radius_m, 0.0F);
        EXPECT_EQ(out[Joint::ring_tip].flags, 0);
        for (const std::uint64_t n : guard.counts) EXPECT_EQ(n, 0U) << radius_m;
    }
}

TEST(Guard, ContinuesOverAShortDropOutWithoutABreak) {
    Guard guard;
    HandFrame out;
    feed(guard, 0, 9, out, leave);
    feed(guard, 10, 12, out, [](HandFrame& hand) { hand.active = false; });
    EXPECT_FALSE(feed(guard, 13, 13, out, leave).discontinuous);
}

TEST(Guard, TakesAHandThatIsBitIdenticalForLongAsFrozen) {
    Guard guard;
    HandFrame out;
    feed(guard, 0, 9, out, leave);
    for (std::int64_t i = 10; i <= 40; ++i) {
        HandFrame raw = moving_hand(9);
        raw.times = moving_hand(i).times;
        const GuardReport report = guard.pass(raw, out);
        EXPECT_EQ(raised(report, Quarantine::frozen), i > 19) << i;  // unchanged since frame 9
        EXPECT_EQ(out.active, i <= 29) << i;                         // then held for 100 ms
    }
    EXPECT_TRUE(feed(guard, 41, 41, out, leave).discontinuous);
    EXPECT_TRUE(out.active);
}

TEST(Guard, BelievesAGloveThatStandsStill) {
    Guard guard;
    HandFrame out;
    for (std::int64_t i = 0; i <= 60; ++i) {
        HandFrame raw = moving_hand(0);
        raw.times = moving_hand(i).times;
        raw.source = Source::glove;
        EXPECT_FALSE(guard.pass(raw, out).held);
    }
}

void half_a_metre_away(HandFrame& hand) {
    Eigen::Isometry3f jump = Eigen::Isometry3f::Identity();
    jump.translation().z() = 0.5F;
    move_rigidly(jump, hand);
}

TEST(Guard, HoldsATeleportAndLetsItThroughMarkedOnceItHasLasted) {
    Guard guard;
    HandFrame out;
    feed(guard, 0, 9, out, leave);
    std::int64_t i = 10;
    for (; i < 30; ++i) {
        const GuardReport report = feed(guard, i, i, out, half_a_metre_away);
        if (!report.held) {
            EXPECT_TRUE(report.discontinuous);
            break;
        }
        EXPECT_TRUE(raised(report, Quarantine::teleport));
    }
    EXPECT_GE(i, 13);
    EXPECT_LE(i, 15) << "settled for 50 ms";
    EXPECT_FALSE(feed(guard, i + 1, i + 1, out, half_a_metre_away).discontinuous);
}

TEST(Guard, ForgetsAJumpThatGoesBackAtOnce) {
    Guard guard;
    HandFrame out;
    feed(guard, 0, 9, out, leave);
    EXPECT_TRUE(feed(guard, 10, 10, out, half_a_metre_away).held);
    const GuardReport report = feed(guard, 11, 11, out, leave);
    EXPECT_FALSE(report.held);
    EXPECT_EQ(count(guard, Quarantine::teleport), 1U);
}

TEST(Guard, AThrownPunchIsNoTeleport) {
    Guard guard;
    HandFrame out;
    for (std::int64_t i = 0; i < 20; ++i) {
        HandFrame raw = moving_hand(0);
        raw.times = moving_hand(i).times;
        for (JointPose& joint : raw.joints) joint.position_m.x() += 0.099F * static_cast<float>(i);  // 9.9 m/s
        EXPECT_FALSE(guard.pass(raw, out).held);
    }
}

TEST(Guard, IgnoresFramesFromThePast) {
    Guard guard;
    HandFrame out;
    feed(guard, 0, 9, out, leave);
    const GuardReport report = feed(guard, 5, 5, out, leave);
    EXPECT_TRUE(raised(report, Quarantine::out_of_order));
    EXPECT_TRUE(report.held);
    EXPECT_EQ(out.times.common_ns, 9 * kStep_ns);
    EXPECT_FALSE(feed(guard, 10, 10, out, leave).discontinuous);
}

TEST(Guard, ALongSilenceBreaksTheMotion) {
    Guard guard;
    HandFrame out;
    feed(guard, 0, 9, out, leave);
    EXPECT_TRUE(feed(guard, 43, 43, out, half_a_metre_away).discontinuous);
    EXPECT_TRUE(out.active);
}

TEST(Guard, RenormalisesWhatIsNearlyUnit) {
    Guard guard;
    HandFrame out;
    feed(guard, 0, 0, out, [](HandFrame& hand) { hand[Joint::wrist].orientation.coeffs() *= 1.005F; });
    EXPECT_NEAR(out[Joint::wrist].orientation.norm(), 1.0F, 1e-6F);
}

}  // namespace
}  // namespace glovebox::tracking
