#include "recordings/diagnose.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "recordings/load.h"
#include "recordings/writer.h"
#include "tests/recordings/files.h"
#include "tracking/hand_geometry.h"

namespace glovebox::recordings {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using tracking::HandFrame;
using tracking::Joint;
using tracking::Quarantine;
using tracking::Side;

std::string doctor(const Recording& recording) {
    return doctor_text(recording, diagnose(recording));
}

Recording good_recording() {
    Recording recording;
    for (int i = 0; i < 100; ++i) {
        auto& sample = recording.samples.emplace_back();
        sample.time_ns = 10'000'000LL * i;
        sample[Side::left] = closing_hand(i, Side::left);
        sample[Side::left].times.common_ns = sample.time_ns;
        sample[Side::right].times.common_ns = sample.time_ns;
    }
    return recording;
}

TEST(Doctor, HasNothingToSayOfAGoodRecordingButWhichHandItIs) {
    const std::string text = doctor(good_recording());
    EXPECT_THAT(text, HasSubstr("100.0 Hz by the median step (10.0 ms)"));
    EXPECT_THAT(text, HasSubstr("left: the fingers bend as a left hand's do (100 % of the bend)"));
    for (const char* word : {"gap:", "CLOCK", "WRONG", "QUARANTINE", "UNUSUAL", "repeat", "lacks"})
        EXPECT_THAT(text, Not(HasSubstr(word)));
}

TEST(Doctor, FindsAHandThatIsMostlyLost) {
    Recording recording = good_recording();
    for (std::size_t i = 0; i < 50; ++i) recording.samples[i][Side::left].active = false;
    EXPECT_THAT(doctor(recording), Not(HasSubstr("LOST")));
    recording.samples[50][Side::left].active = false;
    EXPECT_THAT(doctor(recording), HasSubstr("left: LOST: the hand is missing in 51 of 100 samples"));
    EXPECT_EQ(serious_findings(recording, diagnose(recording)).size(), 1U);
}

TEST(Doctor, SaysNothingOfFingersThatWereNotMeasured) {
    Recording recording = good_recording();
    for (auto& sample : recording.samples)
        for (std::size_t j = 2; j < tracking::kJointCount; ++j)
            sample[Side::left].joints[j].flags &= static_cast<std::uint8_t>(~tracking::joint_flags::kPositionTracked);
    EXPECT_THAT(doctor(recording), AllOf(HasSubstr("left: no finger was measured"), Not(HasSubstr("fingers bend"))));
}

TEST(Doctor, TellsHowOftenTimeGoesBackWhereNothingElseReadsTheFile) {
    std::string csv = openxr_csv(40, Side::left);
    // Samples are 20 ms apart from 5 s on; before the last ten, a 32-bit count of nanoseconds wraps around.
    for (int i = 30; i < 40; ++i) {
        const std::string stamp = "\n" + std::to_string(5'000'000'000 + 20'000'000LL * i) + ",";
        csv.replace(csv.find(stamp), stamp.size(),
                    "\n" + std::to_string(5'000'000'000 + 20'000'000LL * i - (1LL << 32)) + ",");
    }
    const TemporaryFile file(csv);
    EXPECT_THROW(load(file.path()), ImportError);
    ImportOptions options;
    options.any_order = true;
    const Recording recording = load(file.path(), options);
    ASSERT_EQ(recording.samples.size(), 40U);
    EXPECT_THAT(doctor(recording),
                HasSubstr("CLOCK: time goes back in 1 sample, by at most 4.274967 s, first in sample "
                          "30, as a 32-bit clock of nanoseconds does when it starts over"));
}

TEST(Doctor, FindsEveryFaultThatWasPutIn) {
    Recording recording = good_recording();
    for (std::size_t i = 50; i < 100; ++i) {
        recording.samples[i].time_ns += 500'000'000;
        recording.samples[i][Side::left].times.common_ns = recording.samples[i].time_ns;
    }
    recording.samples[20].time_ns = recording.samples[19].time_ns;
    for (std::size_t i = 30; i < 35; ++i) recording.samples[i][Side::left][Joint::ring_tip] = {};
    recording.samples[40][Side::left] = recording.samples[39][Side::left];
    recording.samples[60][Side::left][Joint::palm].orientation.coeffs() *= -1.0F;
    recording.samples[70][Side::left][Joint::palm].position_m.x() = std::nanf("");
    const Diagnosis d = diagnose(recording);
    EXPECT_EQ(d.gaps.size(), 1U);
    EXPECT_LT(d.hands[0].largest_turn_rad, 0.1F);
    EXPECT_NEAR(d.longest_step_s, 0.51, 1e-9);
    EXPECT_NEAR(d.longest_step_at_s, 0.49, 1e-9);
    EXPECT_EQ(d.equal_stamps, 1);
    const HandDiagnosis& hand = d.hands[0];
    EXPECT_EQ(hand.missing[static_cast<std::size_t>(Joint::ring_tip)], 5);
    EXPECT_EQ(hand.repeats, 1);
    EXPECT_EQ(hand.quaternion_flips, 2) << "there and back";
    EXPECT_EQ(hand.quarantine[static_cast<std::size_t>(Quarantine::non_finite)], 1U);
    const std::string text = doctor_text(recording, d);
    for (const char* finding : {"gap: nothing from 0.490 to 1.000 s", "CLOCK: 1 sample has the time stamp",
                                "sometimes lacks ring_tip (at most 5", "1 sample repeats the one before",
                                "2 quaternions change sign", "QUARANTINE: 1 sample is non_finite"})
        EXPECT_THAT(text, HasSubstr(finding));
}

TEST(Doctor, GivesASinglePoseNoRate) {
    Recording recording = good_recording();
    recording.samples.resize(1);
    const std::string text = doctor(recording);
    EXPECT_THAT(text, HasSubstr("\n  one pose\n"));
    EXPECT_THAT(text, HasSubstr("left   1 of 1 sample, "));
    EXPECT_THAT(text, Not(HasSubstr("Hz")));
}

TEST(Doctor, NoticesAFingerThatJumps) {
    Recording recording = good_recording();
    HandFrame& hand = recording.samples[30][Side::left];
    const Eigen::Vector3f base_m = hand[Joint::ring_intermediate].position_m;
    hand[Joint::ring_distal].position_m =
        base_m + Eigen::AngleAxisf(1.0F, Eigen::Vector3f::UnitX()) * (hand[Joint::ring_distal].position_m - base_m);
    const Diagnosis d = diagnose(recording);
    EXPECT_NEAR(d.hands[0].largest_turn_rad, 1.0F, 0.02F);
    EXPECT_NEAR(d.hands[0].largest_turn_at_s, 0.30, 0.011);
    EXPECT_THAT(doctor(recording), HasSubstr("left: JUMP: a finger bone turns by 5"));
}

TEST(Doctor, AndTheReadersNoteABoneLongerThanInAnyHand) {
    Recording recording = good_recording();
    EXPECT_FALSE(diagnose(recording).hands[0].long_bone);
    for (tracking::HandPair& sample : recording.samples) {
        HandFrame& hand = sample[Side::left];
        hand[Joint::ring_tip].position_m = hand[Joint::ring_distal].position_m + 0.12F * Eigen::Vector3f::UnitX();
    }
    const Diagnosis d = diagnose(recording);
    EXPECT_EQ(d.hands[0].long_bone, Joint::ring_tip);
    EXPECT_NEAR(d.hands[0].long_bone_m, 0.12F, 1e-4F);
    const char* finding = "left: UNUSUAL SIZE: the bone to ring_tip is 12.0 cm long, longer than in any hand";
    EXPECT_THAT(doctor(recording), HasSubstr(finding));
    EXPECT_THAT(serious_findings(recording, d), testing::Contains(HasSubstr(finding)));

    const TemporaryFile file("");
    Output out(file.path());
    const SampleWriter to = glovebox_csv_writer(out);
    for (const tracking::HandPair& sample : recording.samples) to.write(sample);
    to.finish();
    out.commit();
    EXPECT_THAT(load(file.path()).notes,
                testing::Contains("The bone to ring_tip is 0.120 m long, longer than in any hand: check the order of "
                                  "the joints."));
}

TEST(Doctor, KnowsTheMotionOfAnObject) {
    tracking::RigidTrack track;
    track.name = "cup";
    track.time_ns = {0, 500'000'000, 1'000'000'000};
    track.world_from_object.assign(3, Eigen::Isometry3f::Identity());
    track.world_from_object[1].translation().x() = 0.25F;
    EXPECT_THAT(track_text("cup.bvh", track), HasSubstr("3 samples in 1.000 s; 2.0 Hz"));
    EXPECT_THAT(track_text("cup.bvh", track), HasSubstr("no hands"));
    EXPECT_THAT(track_text("none.bvh", {}), HasSubstr("0 samples"));
}

TEST(Doctor, NoticesTheWrongSide) {
    Recording recording = good_recording();
    for (auto& sample : recording.samples) {
        std::swap(sample.hands[0], sample.hands[1]);
        sample.hands[1].side = Side::right;
    }
    EXPECT_THAT(doctor(recording), HasSubstr("right: WRONG SIDE"));
}

TEST(Doctor, IsDefinedForNothing) {
    EXPECT_THAT(doctor({}), HasSubstr("there is no hand in any sample"));
}

// Orientations computed from positions against those that a tracker measured.
TEST(OrientFromPositions, AgreesWithATrackersOwnOrientations) {
    const char* folder = std::getenv("GLOVEBOX_REAL_DATA");
    if (folder == nullptr) GTEST_SKIP() << "GLOVEBOX_REAL_DATA names no folder with logs";
    const Recording recording = load(std::filesystem::path(folder) / "logs" / "openxr26_monado_fingers_train2.csv");
    std::array<std::vector<float>, tracking::kJointCount> degrees;
    for (const auto& sample : recording.samples) {
        tracking::HandFrame hand = sample[Side::left];
        for (auto& joint : hand.joints) joint.flags = tracking::joint_flags::kPositionValid;
        tracking::orient_from_positions(hand);
        for (std::size_t j = 0; j < tracking::kJointCount; ++j)
            degrees[j].push_back(57.29578F * hand.joints[j].orientation.angularDistance(
                                                 sample[Side::left].joints[j].orientation.normalized()));
    }
    for (std::size_t j = 2; j < tracking::kJointCount; ++j) {
        std::nth_element(degrees[j].begin(), degrees[j].begin() + 464, degrees[j].end());
        const bool thumb = j <= 5;
        EXPECT_LT(degrees[j][464], thumb ? 35.0F : 15.0F) << name_of(static_cast<Joint>(j));
    }
}

}  // namespace
}  // namespace glovebox::recordings
