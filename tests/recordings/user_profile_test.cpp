#include "recordings/user_profile.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "recordings/writer.h"
#include "tests/recordings/more_files.h"
#include "tracking/glove/cyberglove.h"

namespace glovebox::recordings {
namespace {

using testing::HasSubstr;

tracking::UserProfile anna() {
    tracking::UserProfile user;
    user.name = "anna";
    tracking::UserHand& right = user[Side::right];
    right.hand = tracking::scaled_profile(0.9F);
    right.hand->origin = "fitted";
    tracking::HandShape& shape = right.hand->shape.emplace();
    for (std::size_t i = 0; i < shape.size(); ++i)
        shape[i] = {{0.001F, -0.1F / static_cast<float>(i + 3), 0.0F}, {0.0F, 0.003F, -0.02F}, 0.0123456F, 0.009F};
    right.sensors = {{0.02F, -1.25F}, {0.0F, 0.5F}};
    right.tracker_from_wrist.translate(Eigen::Vector3f(0.01F, -0.04F, 0.08F));
    right.tracker_from_wrist.rotate(Eigen::AngleAxisf(0.7F, Eigen::Vector3f::UnitX()));
    right.tracker_lag_s = 0.02;
    return user;
}

TEST(UserProfile, ComesBackFromItsFileToTheLastBit) {
    const TemporaryFile file("");
    save_user_profile(anna(), file.path());
    const tracking::UserProfile again = load_user_profile(file.path());
    EXPECT_EQ(again.name, "anna");
    EXPECT_FALSE(again[Side::left].hand);
    const tracking::UserHand& right = again[Side::right];
    const tracking::UserProfile made = anna();
    ASSERT_TRUE(right.hand);
    EXPECT_EQ(right.hand->radius_m, made[Side::right].hand->radius_m);
    EXPECT_EQ(right.hand->length_to_parent_m, made[Side::right].hand->length_to_parent_m);
    EXPECT_EQ(right.hand->origin, "fitted");
    EXPECT_EQ(right.hand->shape, made[Side::right].hand->shape);
    ASSERT_EQ(right.sensors.size(), 2U);
    EXPECT_EQ(right.sensors[0].bias_rad, -1.25F);
    EXPECT_TRUE(right.tracker_from_wrist.isApprox(made[Side::right].tracker_from_wrist, 1e-6F));
    EXPECT_EQ(right.tracker_lag_s, 0.02);
}

TEST(UserProfile, MayBeACalibrationFile) {
    const TemporaryFile file("0.3:46.0 -0.5:164.0\n0.9:73 -0.7:181\n");
    const tracking::UserProfile user = load_user_profile(file.path());
    for (const Side side : {Side::left, Side::right}) EXPECT_EQ(user[side].sensors.size(), 2U);
}

TEST(UserProfile, SaysWhatIsWrongWithAFile) {
    const auto error_of = [](std::string_view content) {
        const TemporaryFile file(content);
        try {
            load_user_profile(file.path());
        } catch (const ImportError& error) {
            return std::string(error.what());
        }
        return std::string("no error");
    };
    EXPECT_THAT(error_of("hello"), HasSubstr("neither a user profile"));
    EXPECT_THAT(error_of("{}"), HasSubstr("no glovebox_profile"));
    EXPECT_THAT(error_of(R"({"glovebox_profile":2,"hands":{}})"), HasSubstr("version"));
    EXPECT_THAT(error_of(R"({"glovebox_profile":1})"), HasSubstr("no hands"));
    EXPECT_THAT(error_of(R"({"glovebox_profile":1,"hands":{"left":{"radius_m":[1,2]}}})"), HasSubstr("26 numbers"));
    EXPECT_THAT(error_of(R"({"glovebox_profile":1,"hands":{"left":{"bones":[[1,2]]}}})"), HasSubstr("20 bones"));
    const auto bones = [&](const std::string& first) {
        std::string list = first;
        for (int i = 1; i < 20; ++i) list += ",[0,0,0,0,0,0,0.01,0.01]";
        return error_of(R"({"glovebox_profile":1,"hands":{"left":{"bones":[)" + list + "]}}}");
    };
    EXPECT_THAT(bones("[0,0,0,0,0,0,0.01]"), HasSubstr("8 numbers"));
    EXPECT_THAT(bones("[0,0,0,0,0,0,0.01,-0.01]"), HasSubstr("negative radius"));
    EXPECT_THAT(bones("[0,0,0.3,0,0,0,0.01,0.01]"), HasSubstr("more than 0.2 m"));
    EXPECT_EQ(bones("[0,0,0,0,0,0,0.01,0.01]"), "no error");
    EXPECT_THAT(error_of(R"({"glovebox_profile":1,"hands":{"left":{"sensors":[{"gain_rad":1}]}}})"),
                HasSubstr("gain_rad and bias_rad"));
    EXPECT_THAT(error_of(R"({"glovebox_profile":1,"hands":{"left":{"tracker_from_wrist":
                         {"position_m":[0,0,0],"quaternion_xyzw":[0,0,0,2]}}}})"),
                HasSubstr("length 1"));
    EXPECT_THAT(error_of("{\"glovebox_profile\":1,"), HasSubstr("cut off or damaged"));
}

TEST(UserProfile, CalibratesRawCyberGloveWordsAndGivesTheBones) {
    // A file of raw bytes instead of radians: 60 is straight, a step is 0.01 rad.
    std::string text;
    for (int i = 0; i < 20; ++i) {
        text += "2014 11 28 08 33 0" + std::to_string(i / 10) + "." + std::to_string(i % 10) + " 1";
        for (int s = 0; s < 22; ++s) text += " " + std::to_string(60 + 2 * i);
        text += "\n";
    }
    const TemporaryFile file(text);
    try {
        load(file.path());
        FAIL() << "raw words are not radians";
    } catch (const ImportError& error) {
        EXPECT_THAT(error.what(), HasSubstr("raw sensor words"));
    }
    auto user = std::make_shared<tracking::UserProfile>();
    (*user)[Side::right].hand = tracking::scaled_profile(1.1F);
    (*user)[Side::right].sensors.assign(22, {0.01F, -0.6F});
    ImportOptions options;
    options.user = user;
    const Recording recording = load(file.path(), options);
    const std::vector<float> angles_rad(22, 0.01F * 38.0F);
    const HandFrame expected = tracking::pose_from_cyberglove(*(*user)[Side::right].hand,
                                                              tracking::cyberglove_angles(angles_rad), Side::right);
    EXPECT_LT(
        (recording.samples[19][Side::right][Joint::middle_tip].position_m - expected[Joint::middle_tip].position_m)
            .norm(),
        1e-5F);
    EXPECT_EQ(recording.profiles[1].radius_m, (*user)[Side::right].hand->radius_m);
}

// The wrist from another source: a tracker's poses move the hand, with the user's offset and lag.
TEST(UserProfile, PutsTheHandWhereTheTrackerSaysTheWristIs) {
    const TemporaryFile fingers(openxr_csv(40, Side::left));
    std::string tracker =
        "#timestamp [ns],p_RS_R_x [m], p_RS_R_y [m], p_RS_R_z [m], q_RS_w [], q_RS_x [], q_RS_y [], q_RS_z []\n";
    for (int i = 0; i < 60; ++i)
        tracker += std::to_string(5'000'000'000 + 20'000'000LL * i) + "," + std::to_string(0.01 * i) + ",1,0,1,0,0,0\n";
    const TemporaryFile wrist(tracker);
    auto user = std::make_shared<tracking::UserProfile>();
    tracking::UserHand& left = (*user)[Side::left];
    left.tracker_from_wrist.translation() = Eigen::Vector3f(0.0F, -0.05F, 0.02F);
    left.tracker_lag_s = 0.040;
    ImportOptions options;
    options.side = Side::left;
    options.wrist_path = wrist.path();
    options.user = user;
    const Recording recording = load(fingers.path(), options);
    for (const int i : {0, 7, 39}) {
        const Eigen::Vector3f wrist_m =
            recording.samples[static_cast<std::size_t>(i)][Side::left][Joint::wrist].position_m;
        EXPECT_TRUE(wrist_m.isApprox(Eigen::Vector3f(0.01F * static_cast<float>(i + 2), 0.95F, 0.02F), 1e-5F))
            << wrist_m.transpose();
    }
}

// Any recording of hands can be the wrist's source.
TEST(UserProfile, TakesTheWristOfAHandInAnotherRecording) {
    const TemporaryFile fingers(openxr_csv(10, Side::left));
    std::vector<HandFrame> carried;
    Recording moving;
    for (int i = 0; i < 10; ++i) {
        tracking::HandPair sample;
        sample.time_ns = 20'000'000LL * i;
        sample[Side::left] = closing_hand(0, Side::left);
        Eigen::Isometry3f pose = Eigen::Isometry3f::Identity();
        pose.translate(Eigen::Vector3f(0.1F * static_cast<float>(i), 0.0F, 0.0F));
        pose.rotate(Eigen::AngleAxisf(0.1F * static_cast<float>(i), Eigen::Vector3f::UnitY()));
        tracking::move_rigidly(pose, sample[Side::left]);
        sample[Side::left].times.device_ns = sample.time_ns;
        moving.samples.push_back(sample);
    }
    const TemporaryFile wrist("", "wrist.csv");
    save(moving, wrist.path());
    ImportOptions options;
    options.side = Side::left;
    options.wrist_path = wrist.path();
    const Recording recording = load(fingers.path(), options);
    for (std::size_t i = 0; i < 10; ++i)
        EXPECT_LT((recording.samples[i][Side::left][Joint::wrist].position_m -
                   moving.samples[i][Side::left][Joint::wrist].position_m)
                      .norm(),
                  1e-5F);
}

}  // namespace
}  // namespace glovebox::recordings
