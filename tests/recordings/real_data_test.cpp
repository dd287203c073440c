// Known facts about each real recording against what is read from it. The recordings are not part of the project.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "recordings/diagnose.h"
#include "tests/recordings/more_files.h"
#include "tests/recordings/refused_files.h"

namespace glovebox::recordings {
namespace {

using testing::HasSubstr;

/// Values from the publisher or from inspection of the data. Rates in Hz, steps in ms; -1: not known.
struct Known {
    std::string_view file, format;
    std::int64_t samples;
    double median_rate_hz, mean_rate_hz, shortest_ms, longest_ms;
    std::int64_t left_missing, right_missing;  ///< samples without that hand
    std::string_view bend_side;                ///< chirality of the data for the hands present; "" if it fits neither
    bool fingers_move;
    std::int64_t repeats;  ///< samples equal to the previous one, of the hand that is present
    float unit_m;
    std::string_view placed;  ///< the first missing joints, as the diagnosis lists them
};

constexpr std::int64_t kAll = -2;  // missing in every sample

constexpr std::array kFiles = {
    Known{"openxr26_monado_fingers_train2.csv", "openxr-csv", 929, 54.0, 52.5, 18.3, 333.0, 0, kAll, "left", true, 2,
          1.0F, ""},
    Known{"monado_wrist_elbow_straight_up.csv", "openxr-csv", 1173, -1, 144.0, 5.1, 8.5, kAll, 0, "", false, -1, 1.0F,
          "palm, thumb_metacarpal"},
    Known{"hololens2_duke_203503978.csv", "hololens-csv", 2613, 1000.0 / 42.0, -1, 20.0, 382.0, 2551, 280, "both", true,
          -1, 1.0F, ""},
    Known{"manus_metaglove_bbt_L15.csv", "manus-csv", 994, 60.0, 60.0, 16.667, 16.667, 0, kAll, "left", true, -1, 0.01F,
          "palm"},
    Known{"cyberglove_graspdb14_00_calib_su01.txt", "cyberglove", 6674, -1, 60.0, 15.0, 32.0, kAll, 0, "", true, 4946,
          1.0F, ""},
    Known{"cyberglove_graspdb14_04_ex01_045_su03.txt", "cyberglove", 276, -1, 60.0, 15.0, 32.0, kAll, 0, "right", true,
          130, 1.0F, ""},
    Known{"leap_pinch-57fps.json.lz", "leap-json", 133, -1, 56.2, -1, 34.7, kAll, 0, "right", true, -1, 0.001F,
          "wrist"},
    Known{"leap_pinch-57fps.decoded.json", "leap-json", 133, -1, 56.2, -1, 34.7, kAll, 0, "right", true, -1, 0.001F,
          "wrist"},
    Known{"leap_wave.json.lz", "leap-json", 111, -1, 115.0, -1, -1, kAll, 0, "right", true, -1, 0.001F,
          "wrist, index_metacarpal"},
    Known{"leap_wave.decoded.json", "leap-json", 111, -1, 115.0, -1, -1, kAll, 0, "right", true, -1, 0.001F,
          "wrist, index_metacarpal"},
    Known{"leap_grab.json.lz", "leap-json", 374, -1, 113.0, -1, 26.0, kAll, 0, "right", true, -1, 0.001F,
          "wrist, index_metacarpal"},
    Known{"leap_HandSplay-110fps.json.lz", "leap-json", 288, -1, 108.0, -1, -1, kAll, 0, "right", true, -1, 0.001F,
          "wrist, index_metacarpal"},
    Known{"rokoko_DEFAULT.fbx", "fbx", 1, -1, -1, -1, -1, 0, 0, "", false, -1, 0.01F, "palm"},
    Known{"rokoko_jesse_dance.bvh", "bvh", 1007, 100.0, 100.0, 10.0, 10.0, 0, 0, "both", false, -1, 0.01F, "palm"},
    Known{"bvh_fingers_szyuan_motion.bvh", "bvh", 1535, 100.0, 100.0, 10.0, 10.0, 0, 0, "both", true, -1, 0.01F,
          "palm, index_metacarpal"},
    Known{"noitom_pnpro_down_1Char00.bvh", "bvh", 682, 125.0, 125.0, 8.0, 8.0, 0, 0, "both", false, -1, 0.01F, "palm"},
    // Its name says right, but its numbers are a left hand, because the program that wrote it mirrors axes.
    Known{"manipnet_cup1_rightHand.bvh", "bvh", 4000, 120.0, 120.0, 8.33, 8.34, 0, kAll, "left", true, -1, 0.1F,
          "palm, thumb_tip, index_metacarpal, index_tip"},
    Known{"webxr_handywork_fist.handpose", "handpose", 1, -1, -1, -1, -1, 0, 0, "both", false, -1, 1.0F, "palm"},
    Known{"webxr_handywork_flat.handpose", "handpose", 1, -1, -1, -1, -1, 0, 0, "both", false, -1, 1.0F, "palm"},
    Known{"webxr_handywork_point.handpose", "handpose", 1, -1, -1, -1, -1, 0, 0, "both", false, -1, 1.0F, "palm"},
    Known{"webxr_handywork_relax.handpose", "handpose", 1, -1, -1, -1, -1, 0, 0, "", false, -1, 1.0F, "palm"},
    Known{"webxr_iwer_pinch.ts", "iwer-pose", 1, -1, -1, -1, -1, 0, kAll, "left", false, -1, 1.0F, "palm"},
    Known{"webxr_iwer_relaxed.ts", "iwer-pose", 1, -1, -1, -1, -1, 0, kAll, "left", false, -1, 1.0F, "palm"},
    // Published with its last row cut off in the middle.
    Known{"openxr26_monado_fingers_train0_cut.csv", "openxr-csv", 1215, -1, -1, -1, -1, 0, kAll, "left", true, -1, 1.0F,
          ""},
    Known{"bvh_inches_pybvhml_3.bvh", "bvh", 100, 120.0, 120.0, 8.33, 8.34, 0, 0, "both", true, -1, 0.0254F, "palm"},
    Known{"mediapipe_long.csv", "mediapipe-csv", 64, -1, -1, -1, -1, 0, 0, "both", true, -1, 1.0F, "palm"},
    Known{"mediapipe_wide_handnumber_made.csv", "mediapipe-csv", 64, -1, -1, -1, -1, 0, 0, "both", true, -1, 1.0F,
          "palm"},
    Known{"libras_cyberglove_0.csv", "cyberglove", 100, 60.0, 60.0, -1, -1, kAll, 0, "right", true, -1, 1.0F, ""},
    Known{"aria_hand_tracking_results_v2.csv", "aria-csv", 8, -1, -1, -1, -1, -1, -1, "both", true, -1, 1.0F,
          "thumb_metacarpal, index_metacarpal"},
};

std::filesystem::path logs_folder() {
    const char* folder = std::getenv("GLOVEBOX_REAL_DATA");
    return folder == nullptr ? std::filesystem::path() : std::filesystem::path(folder) / "logs";
}

void expect_hand(const Known& known, const Recording& recording, const Diagnosis& diagnosis, Side side) {
    const HandDiagnosis& hand = diagnosis.hands[static_cast<std::size_t>(side)];
    const std::int64_t missing = side == Side::left ? known.left_missing : known.right_missing;
    if (missing != -1) {
        EXPECT_EQ(known.samples - hand.active, missing == kAll ? known.samples : missing) << name_of(side);
    }
    if (hand.active == 0) return;
    if (!known.bend_side.empty()) {
        EXPECT_EQ(hand.bend_side, side) << "of the " << name_of(side) << " hand";
    }
    EXPECT_EQ(hand.fingers_move, known.fingers_move);
    if (known.repeats >= 0) {
        EXPECT_EQ(hand.repeats, known.repeats);
    }
    EXPECT_GT(hand.length_m, 0.15F);
    EXPECT_LT(hand.length_m, 0.21F);
    for (std::size_t j = 0; j < tracking::kJointCount; ++j)
        EXPECT_LT(hand.missing[j], hand.active) << name_of(static_cast<Joint>(j)) << " is placed where it is not there";
    const std::string says = doctor_text(recording, diagnosis);
    const std::string name(name_of(side));
    if (!known.placed.empty()) {
        EXPECT_THAT(says, HasSubstr(name + ": placed by rule, not measured: " + std::string(known.placed)));
    }
    if (!known.fingers_move && known.samples > 1) {
        EXPECT_THAT(says, HasSubstr(name + ": no finger moves"));
    }
}

class RealRecording : public testing::TestWithParam<Known> {};

TEST_P(RealRecording, IsWhatIsKnownOfIt) {
    const Known& known = GetParam();
    if (logs_folder().empty()) GTEST_SKIP() << "GLOVEBOX_REAL_DATA is not set: real recordings are not in the project";
    const Recording recording = load(logs_folder() / known.file);
    const Diagnosis diagnosis = diagnose(recording);
    EXPECT_EQ(recording.format, known.format);
    EXPECT_FLOAT_EQ(recording.unit_m, known.unit_m);
    EXPECT_EQ(diagnosis.samples, known.samples);
    const auto expect_near = [](double found, double expected, double share, const char* what) {
        if (expected >= 0.0) {
            EXPECT_NEAR(found, expected, share * expected) << what;
        }
    };
    expect_near(diagnosis.median_rate_hz, known.median_rate_hz, 0.01, "median rate");
    expect_near(diagnosis.mean_rate_hz, known.mean_rate_hz, 0.005, "mean rate");
    expect_near(1e3 * diagnosis.shortest_step_s, known.shortest_ms, 0.06, "shortest step");
    expect_near(1e3 * diagnosis.longest_step_s, known.longest_ms, 0.01, "longest step");
    expect_hand(known, recording, diagnosis, Side::left);
    expect_hand(known, recording, diagnosis, Side::right);
}

std::string test_name(const testing::TestParamInfo<Known>& info) {
    std::string name(info.param.file);
    for (char& c : name)
        if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
    return name;
}

INSTANTIATE_TEST_SUITE_P(Every, RealRecording, testing::ValuesIn(kFiles), test_name);

TEST(RealRecordings, OfAllFilesThatCarryMotionNoneIsLeftOut) {
    if (logs_folder().empty()) GTEST_SKIP() << "GLOVEBOX_REAL_DATA is not set: real recordings are not in the project";
    for (const auto& entry : std::filesystem::directory_iterator(logs_folder())) {
        const std::string name = entry.path().filename().string();
        const bool known =
            std::any_of(kFiles.begin(), kFiles.end(), [&name](const Known& each) { return each.file == name; });
        EXPECT_TRUE(known || name == "manipnet_cup1_object.bvh" || name == "cyberglove_asr_right.cal" ||
                    refusal_of(name) != nullptr)
            << name;
    }
}

// Files that cannot be read are refused in one line that names the file and its type.
TEST(RealRecordings, ThatAreRefusedSayWhatTheyAre) {
    if (logs_folder().empty()) GTEST_SKIP() << "GLOVEBOX_REAL_DATA is not set: real recordings are not in the project";
    for (const Refusal& refusal : kRefused) {
        try {
            load(logs_folder() / refusal.file);
            ADD_FAILURE() << refusal.file << " is read";
        } catch (const ImportError& error) {
            EXPECT_THAT(error.what(), HasSubstr(std::string(refusal.file)));
            EXPECT_THAT(error.what(), HasSubstr(std::string(refusal.says)));
            EXPECT_THAT(error.what(), testing::Not(HasSubstr("\n")));
        }
    }
}

// HOT3D: both hands in one world, with the wearer's own bones. The distance from wrist to middle fingertip is a hand's
// length, and bone lengths are constant to a micrometre.
TEST(RealRecordings, Hot3dHandsHaveTheirWearersBones) {
    if (logs_folder().empty()) GTEST_SKIP() << "GLOVEBOX_REAL_DATA is not set: real recordings are not in the project";
    const auto folder = logs_folder().parent_path() / "hot3d";
    for (const auto& [name, samples] : {std::pair{"umetrack_hand_pose_trajectory.jsonl", 68U},
                                        std::pair{"quest3/umetrack_hand_pose_trajectory.jsonl", 15U}}) {
        if (!std::filesystem::exists(folder / name)) GTEST_SKIP() << "no HOT3D here";
        const Recording recording = load(folder / name);
        EXPECT_EQ(recording.format, "hot3d-umetrack");
        EXPECT_EQ(recording.samples.size(), samples);
        const Diagnosis diagnosis = diagnose(recording);
        for (const Side side : {Side::left, Side::right}) {
            const HandDiagnosis& hand = diagnosis.hands[side];
            if (hand.active == 0) continue;
            EXPECT_GT(hand.length_m, 0.15F);
            EXPECT_LT(hand.length_m, 0.21F);
            EXPECT_EQ(hand.bend_side, side) << name;
            EXPECT_LT(hand.bone_spread, 0.01F);
        }
    }
    for (const char* other : {"mano_hand_pose_trajectory.jsonl", "dynamic_objects.csv", "headset_trajectory.csv"})
        EXPECT_THROW(load(folder / other), ImportError) << other;
}

TEST(RealRecordings, TheCupOfTheManipNetTakeIsATrackOfItsLengthAndRate) {
    if (logs_folder().empty()) GTEST_SKIP() << "GLOVEBOX_REAL_DATA is not set: real recordings are not in the project";
    const tracking::RigidTrack track = load_track(logs_folder() / "manipnet_cup1_object.bvh");
    ASSERT_EQ(track.time_ns.size(), 4000U);
    EXPECT_NEAR(1e-9 * static_cast<double>(track.time_ns.back()), 3999.0 / 120.0, 0.01);
}

}  // namespace
}  // namespace glovebox::recordings
