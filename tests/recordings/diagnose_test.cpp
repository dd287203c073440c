#include "recordings/diagnose.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "recordings/load.h"
#include "tests/recordings/files.h"
#include "tracking/hand_geometry.h"

namespace glovebox::recordings {
namespace {

using testing::HasSubstr;
using testing::Not;
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
    EXPECT_NEAR(d.longest_step_s, 0.51, 1e-9);
    EXPECT_NEAR(d.longest_step_at_s, 0.49, 1e-9);
    EXPECT_EQ(d.equal_stamps, 1);
    const HandDiagnosis& hand = d.hands[0];
    EXPECT_EQ(hand.missing[static_cast<std::size_t>(Joint::ring_tip)], 5);
    EXPECT_EQ(hand.repeats, 1);
    EXPECT_EQ(hand.quaternion_flips, 2) << "there and back";
    EXPECT_EQ(hand.quarantine[static_cast<std::size_t>(Quarantine::non_finite)], 1U);
    const std::string text = doctor_text(recording, d);
    for (const char* finding :
         {"gap: nothing from 0.490 to 1.000 s", "CLOCK: 1 samples", "sometimes lacks ring_tip (at most 5",
          "1 samples repeat", "2 quaternions change sign", "QUARANTINE: 1 samples are non_finite"})
        EXPECT_THAT(text, HasSubstr(finding));
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

// What is known of each file, measured apart from this program.
struct Known {
    const char* file;
    std::int64_t samples;
    double rate_hz, mean_rate_hz, longest_step_s;  // 0: not checked
    Side side;
    std::int64_t missing_left, missing_right;  // -1: the hand is not in the file
};
const Known kKnown[] = {
    {"openxr26_monado_fingers_train2.csv", 929, 54.0, 52.5, 0.333, Side::left, 0, -1},
    {"monado_wrist_elbow_straight_up.csv", 1173, 0, 144.0, 0.0085, Side::right, -1, 0},
    {"hololens2_duke_203503978.csv", 2613, 23.8, 0, 0.382, Side::right, 2551, 280},
    {"manus_metaglove_bbt_L15.csv", 994, 60.0, 60.0, 0, Side::left, 0, -1},
    {"cyberglove_graspdb14_00_calib_su01.txt", 6674, 0, 60.0, 0.032, Side::right, -1, 0},
    {"cyberglove_graspdb14_04_ex01_045_su03.txt", 276, 0, 60.0, 0.032, Side::right, -1, 0},
    {"leap_pinch-57fps.json.lz", 133, 0, 56.2, 0.0347, Side::right, -1, 0},
    {"leap_wave.json.lz", 111, 0, 115.0, 0, Side::right, -1, 0},
    {"leap_grab.json.lz", 374, 0, 113.0, 0.026, Side::right, -1, 0},
    {"leap_HandSplay-110fps.json.lz", 288, 0, 108.0, 0, Side::right, -1, 0},
    {"rokoko_jesse_dance.bvh", 1007, 100.0, 100.0, 0, Side::left, 0, 0},
    {"bvh_fingers_szyuan_motion.bvh", 1535, 100.0, 100.0, 0, Side::left, 0, 0},
    {"noitom_pnpro_down_1Char00.bvh", 682, 125.0, 125.0, 0, Side::left, 0, 0},
    {"manipnet_cup1_rightHand.bvh", 4000, 120.0, 120.0, 0, Side::left, 0, -1},
    {"aria_hand_tracking_results_v2.csv", 8, 0, 0, 0, Side::left, 5, 5},
    {"webxr_handywork_fist.handpose", 1, 0, 0, 0, Side::left, 0, 0},
    {"webxr_handywork_point.handpose", 1, 0, 0, 0, Side::left, 0, 0},
    {"webxr_iwer_pinch.ts", 1, 0, 0, 0, Side::left, 0, -1},
    {"webxr_iwer_relaxed.ts", 1, 0, 0, 0, Side::left, 0, -1},
};

TEST(Doctor, SaysOfEveryRealFileWhatIsKnownOfIt) {
    const char* folder = std::getenv("GLOVEBOX_REAL_DATA");
    if (folder == nullptr) GTEST_SKIP() << "GLOVEBOX_REAL_DATA names no folder with logs";
    for (const Known& known : kKnown) {
        SCOPED_TRACE(known.file);
        const Recording recording = load(std::filesystem::path(folder) / "logs" / known.file);
        const Diagnosis d = diagnose(recording);
        EXPECT_EQ(d.samples, known.samples);
        if (known.rate_hz > 0) {
            EXPECT_NEAR(d.median_rate_hz, known.rate_hz, 0.01 * known.rate_hz);
        }
        if (known.mean_rate_hz > 0) {
            EXPECT_NEAR(d.mean_rate_hz, known.mean_rate_hz, 0.01 * known.mean_rate_hz);
        }
        if (known.longest_step_s > 0) {
            EXPECT_NEAR(d.longest_step_s, known.longest_step_s, 0.02 * known.longest_step_s);
        }
        for (const Side side : {Side::left, Side::right}) {
            const std::int64_t missing = side == Side::left ? known.missing_left : known.missing_right;
            const HandDiagnosis& hand = d.hands[static_cast<std::size_t>(side)];
            EXPECT_EQ(hand.active, missing < 0 ? 0 : known.samples - missing) << name_of(side);
            if (hand.active == 0) continue;
            if (hand.bend_says) {
                EXPECT_EQ(*hand.bend_says, side);
            }
            EXPECT_GT(hand.length_m, 0.15F);
            EXPECT_LT(hand.length_m, 0.21F);
        }
    }
    const auto load_known = [folder](const char* file) { return load(std::filesystem::path(folder) / "logs" / file); };
    EXPECT_EQ(diagnose(load_known("cyberglove_graspdb14_00_calib_su01.txt")).hands[1].repeats, 4946);
    EXPECT_EQ(diagnose(load_known("cyberglove_graspdb14_04_ex01_045_su03.txt")).hands[1].repeats, 130);
    EXPECT_GT(diagnose(load_known("openxr26_monado_fingers_train2.csv")).hands[0].quaternion_flips, 0);
    EXPECT_FALSE(diagnose(load_known("noitom_pnpro_down_1Char00.bvh")).hands[0].fingers_move);
    EXPECT_TRUE(diagnose(load_known("bvh_fingers_szyuan_motion.bvh")).hands[0].fingers_move);
}

// The orientations that are worked out, against those that a tracker measured.
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
