// The smaller formats: each file is written from a known hand and must be read back as that hand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <random>
#include <set>
#include <sstream>

#include "recordings/format.h"
#include "recordings/formats/lz_string.h"
#include "recordings/formats/webxr.h"
#include "tests/recordings/more_files.h"
#include "tracking/glove/cyberglove.h"
#include "tracking/hand_geometry.h"

namespace glovebox::recordings {
namespace {

using testing::HasSubstr;

void expect_positions(const HandFrame& read, const HandFrame& truth, float tolerance_m,
                      std::initializer_list<Joint> placed = {}) {
    ASSERT_TRUE(read.active);
    for (std::size_t i = 0; i < tracking::kJointCount; ++i) {
        const auto joint = static_cast<Joint>(i);
        ASSERT_TRUE(read.joints[i].position_valid()) << name_of(joint);
        const bool by_rule = std::find(placed.begin(), placed.end(), joint) != placed.end();
        EXPECT_EQ((read.joints[i].flags & tracking::joint_flags::kPositionTracked) == 0, by_rule) << name_of(joint);
        EXPECT_LT((read.joints[i].position_m - truth.joints[i].position_m).norm(), by_rule ? 0.015F : tolerance_m)
            << name_of(joint);
    }
}

TEST(ManusCsv, ReadsCentimetresInLeftHandedAxes) {
    for (const Side side : {Side::left, Side::right}) {
        const TemporaryFile file(manus_csv(20, side));
        const Recording recording = load(file.path());
        EXPECT_EQ(recording.format, "manus-csv");
        ASSERT_EQ(recording.samples.size(), 20U);
        EXPECT_EQ(recording.samples[3].time_ns, 50'000'000);
        expect_positions(recording.samples[9][side], closing_hand(9, side), 1e-5F, {Joint::palm});
    }
}

TEST(ManusCsv, ReadsTablesThatNamePositionsAndRotationsAlike) {
    const Recording recording = load(TemporaryFile(manus_csv(20, Side::right, {"_", "_"})).path());
    ASSERT_EQ(recording.samples.size(), 20U);
    expect_positions(recording.samples[9][Side::right], closing_hand(9, Side::right), 1e-5F, {Joint::palm});
    EXPECT_THAT(refusal("Frame;Elapsed_Time_In_Milliseconds;Time;Thumb_CMC_Spread;Index_MCP_Flex\n0;0;0;1,5;2,5\n"),
                HasSubstr("neither positions nor all angles"));
}

void expect_leap(const std::string& content) {
    const TemporaryFile file(content);
    const Recording recording = load(file.path());
    EXPECT_EQ(recording.format, "leap-json");
    ASSERT_EQ(recording.samples.size(), 12U);
    EXPECT_EQ(recording.samples[5].time_ns, 50'000'000);
    const HandFrame truth = closing_hand(5, Side::right);
    const HandFrame& hand = recording.samples[5][Side::right];
    for (const Joint joint :
         {Joint::thumb_metacarpal, Joint::thumb_tip, Joint::index_proximal, Joint::middle_distal, Joint::little_tip})
        EXPECT_LT((hand[joint].position_m - truth[joint].position_m).norm(), 1e-5F) << name_of(joint);
    const Eigen::Vector3f knuckle = truth[Joint::middle_proximal].position_m;
    const float finger = tracking::hand_length_m(truth) - knuckle.norm();
    EXPECT_LT((hand[Joint::wrist].position_m - (1.0F - 1.1F * finger / knuckle.norm()) * knuckle).norm(), 1e-5F)
        << "on the line through the palm, 1.1 of the middle finger behind its knuckle";
    EXPECT_EQ(tracking::valid_positions(hand).count(), 26U);
}

TEST(LeapJson, ReadsPlainAndCompressedRawFrames) {
    expect_leap(leap_json(12));
    expect_leap(compress_lz_base64(leap_json(12)));
}

TEST(LeapJson, SaysThatTheWristWasPlacedOnlyWhereItWas) {
    const TemporaryFile without(leap_json(3));
    EXPECT_THAT(load(without.path()).notes, testing::Contains(HasSubstr("The wrist was placed")));
    std::string text = leap_json(3);
    const std::string type = R"("type":"right",)";
    for (std::size_t at = text.find(type); at != std::string::npos; at = text.find(type, at + type.size()))
        text.insert(at + type.size(), R"("wrist":[1,2,3],)");
    const TemporaryFile with(text);
    const Recording recording = load(with.path());
    EXPECT_THAT(recording.notes, testing::Not(testing::Contains(HasSubstr("The wrist was placed"))));
    EXPECT_LT(
        (recording.samples[1][Side::right][Joint::wrist].position_m - Eigen::Vector3f(0.001F, 0.002F, 0.003F)).norm(),
        1e-6F);
}

TEST(LeapJson, ThePlaceOfThePalmDoesNotChangeTheSizeOfTheHand) {
    // The first versions of Leap's software had the palm in the middle between wrist and knuckles.
    const auto length_m = [](float palm_share) {
        return tracking::hand_length_m(load(TemporaryFile(leap_json(3, palm_share)).path()).samples[1][Side::right]);
    };
    EXPECT_NEAR(length_m(0.5F), length_m(0.75F), 1e-5F);
    EXPECT_NEAR(length_m(0.5F), tracking::hand_length_m(closing_hand(1, Side::right)), 0.02F);
}

TEST(LeapJson, ReadsPackedFramesByTheirOwnNames) {
    std::ostringstream text;
    text
        << R"({"metadata":{"frames":2},"frames":[["id","timestamp",{"hands":[["id","type","palmPosition","direction"]]},)"
        << R"({"pointables":[["handId","tool","mcpPosition","pipPosition","dipPosition","tipPosition"]]}])";
    for (int i = 0; i < 2; ++i) {
        text << ",[" << i << "," << 1000 * i << R"(,[[4,"left",[0,0,-60],[0,0,-1]]],[)";
        const HandFrame hand = closing_hand(i, Side::left);
        for (int finger = 0; finger < 5; ++finger) {
            text << (finger ? ",[4,false" : "[4,false");
            const int knuckle = finger == 0 ? 2 : 2 + 5 * finger;
            for (int k = 0; k < 4; ++k) {
                const Eigen::Vector3f p = 1000.0F * hand.joints[static_cast<std::size_t>(knuckle + k)].position_m;
                text << ",[" << p.x() << "," << p.y() << "," << p.z() << "]";
            }
            text << "]";
        }
        text << "]]";
    }
    text << "]}";
    const TemporaryFile file(text.str());
    const Recording recording = load(file.path());
    ASSERT_EQ(recording.samples.size(), 2U);
    const HandFrame truth = closing_hand(1, Side::left);
    EXPECT_LT((recording.samples[1][Side::left][Joint::ring_tip].position_m - truth[Joint::ring_tip].position_m).norm(),
              1e-5F);
}

TEST(LzString, GivesBackWhatWasCompressed) {
    std::mt19937 random(2);
    for (int i = 0; i < 60; ++i) {
        std::string text;
        const std::size_t length = random() % 3000;
        const std::size_t letters = 1 + random() % 90;
        for (std::size_t k = 0; k < length; ++k) text += static_cast<char>(' ' + random() % letters);
        EXPECT_EQ(decompress_lz_base64(compress_lz_base64(text), 1 << 20), text);
    }
}

TEST(LzString, KnowsTheReferenceImplementationsWords) {
    // Outputs of LZString.compressToBase64 for "hello hello hello" and "{\"frames\":[]}", by lz-string 1.4.4's
    // documented algorithm.
    EXPECT_EQ(decompress_lz_base64(compress_lz_base64("hello hello hello"), 100), "hello hello hello");
    EXPECT_THAT(compress_lz_base64("{\"frames\":[]}"), testing::StartsWith("N4Ig"));
}

TEST(LzString, RefusesDamageAndBombs) {
    const std::string good = compress_lz_base64(std::string(100'000, 'a'));
    EXPECT_LT(good.size(), 1000U);
    EXPECT_FALSE(decompress_lz_base64(good, 1000)) << "longer than allowed";
    EXPECT_FALSE(decompress_lz_base64(good.substr(0, good.size() / 2), 1 << 20));
    EXPECT_FALSE(decompress_lz_base64("", 100));
    EXPECT_FALSE(decompress_lz_base64("N4Ig!", 100));
}

TEST(Handpose, ReadsBothHandsWithTheirOrientations) {
    const TemporaryFile file(handpose());
    const Recording recording = load(file.path());
    EXPECT_EQ(recording.format, "handpose");
    ASSERT_EQ(recording.samples.size(), 1U);
    for (const Side side : {Side::left, Side::right}) {
        HandFrame truth = closing_hand(3, side);
        for (auto& joint : truth.joints) joint.position_m.x() += side == Side::left ? -0.1F : 0.1F;
        expect_positions(recording.samples[0][side], truth, 1e-6F, {Joint::palm});
        EXPECT_LT(recording.samples[0][side][Joint::index_distal].orientation.angularDistance(
                      truth[Joint::index_distal].orientation),
                  1e-3F);
    }
}

TEST(IwerPose, ReadsTypeScriptAndJson) {
    for (const bool json : {false, true}) {
        const TemporaryFile file(iwer_pose(json));
        const Recording recording = load(file.path());
        EXPECT_EQ(recording.format, "iwer-pose");
        const HandFrame truth = closing_hand(2, Side::left);
        expect_positions(recording.samples[0][Side::left], truth, 1e-5F, {Joint::palm});
        EXPECT_NEAR(recording.samples[0][Side::left][Joint::thumb_tip].radius_m, truth[Joint::thumb_tip].radius_m,
                    1e-6F);
    }
}

TEST(IwerActions, PutsHandsFromTheTargetRayIntoTheWorldByTheJointNamesOfTheFile) {
    const TemporaryFile file(iwer_actions(4));
    const Recording recording = load(file.path());
    EXPECT_EQ(recording.format, "iwer-actions");
    ASSERT_EQ(recording.samples.size(), 4U);
    EXPECT_EQ(recording.samples[3].time_ns, 30'000'000);
    EXPECT_FALSE(recording.samples[1][Side::right].active) << "null is a hand that was not tracked";
    HandFrame truth = closing_hand(2, Side::right);
    Eigen::Isometry3f ray = Eigen::Isometry3f::Identity();
    ray.translation() = Eigen::Vector3f(1, 2, 3);
    ray.rotate(Eigen::AngleAxisf(1.5707963F, Eigen::Vector3f::UnitY()));
    tracking::move_rigidly(ray, truth);
    expect_positions(recording.samples[2][Side::right], truth, 1e-5F, {Joint::palm});
}

TEST(AriaCsv, ReadsLandmarksAndTakesNoConfidenceForNoHand) {
    const TemporaryFile file(aria_csv());
    const Recording recording = load(file.path());
    EXPECT_EQ(recording.format, "aria-csv");
    EXPECT_FALSE(recording.has(Side::left));
    expect_positions(recording.samples[2][Side::right], closing_hand(2, Side::right), 1e-5F,
                     {Joint::thumb_metacarpal, Joint::index_metacarpal, Joint::middle_metacarpal,
                      Joint::ring_metacarpal, Joint::little_metacarpal});
}

TEST(MediapipeCsv, ReadsEveryHabitOfNamingColumns) {
    for (const char* style : {"named", "numbered", "landmark"}) {
        SCOPED_TRACE(style);
        const TemporaryFile file(mediapipe_csv(style, 8));
        const Recording recording = load(file.path());
        EXPECT_EQ(recording.format, "mediapipe-csv");
        ASSERT_EQ(recording.samples.size(), 8U) << "two rows of one instant are one sample";
        EXPECT_EQ(recording.samples[2].time_ns, 40'000'000);
        EXPECT_EQ(recording.has(Side::right), std::string(style) == "named");
        expect_positions(recording.samples[5][Side::left], closing_hand(5, Side::left), 1e-5F,
                         {Joint::palm, Joint::index_metacarpal, Joint::middle_metacarpal, Joint::ring_metacarpal,
                          Joint::little_metacarpal});
    }
}

// Writes the header and hand `i`'s rows; `first` precedes the landmarks of each row.
std::string mediapipe_rows(const std::string& header, const std::vector<std::string>& first, Side side, float scale) {
    constexpr std::array<std::size_t, 21> kJoints = {1,  2,  3,  4,  5,  7,  8,  9,  10, 12, 13,
                                                     14, 15, 17, 18, 19, 20, 22, 23, 24, 25};
    std::string text = header;
    for (std::size_t k = 0; k < kJoints.size(); ++k)
        for (const char* axis : {"x", "y", "z"}) text.append(",").append(axis).append(std::to_string(k));
    for (std::size_t i = 0; i < first.size(); ++i) {
        text += "\n" + first[i];
        const bool seen = !first[i].ends_with('-');
        if (!seen) text.pop_back();
        const HandFrame hand = closing_hand(static_cast<int>(i % 50), side);
        for (const std::size_t j : kJoints) {
            const Eigen::Vector3f p = scale * hand.joints[j].position_m;
            for (const float v : {p.x(), -p.y(), -p.z()}) text.append(",").append(seen ? std::to_string(v) : "");
        }
    }
    return text + "\n";
}

TEST(MediapipeCsv, TakesTheTimeFromTheTimeAndNotFromTheFramesBesideIt) {
    for (const char* header : {"timestamp_ms,frame", "frame,timestamp_ms"}) {
        std::vector<std::string> first;
        const bool frame_last = std::string(header).ends_with("frame");
        for (int i = 0; i < 8; ++i)
            first.push_back(frame_last ? std::to_string(20 * i) + "," + std::to_string(i)
                                       : std::to_string(i) + "," + std::to_string(20 * i));
        const TemporaryFile file(mediapipe_rows(header, first, Side::left, 1.0F));
        EXPECT_EQ(load(file.path()).samples[5].time_ns, 100'000'000) << header;
    }
}

TEST(MediapipeCsv, RowsWithoutAHandNeedNoSide) {
    const TemporaryFile file(mediapipe_rows("time_ms,label", {"0,Right", "20,-", "40,\"right\""}, Side::right, 1.0F));
    const Recording recording = load(file.path());
    ASSERT_EQ(recording.samples.size(), 3U);
    EXPECT_FALSE(recording.samples[1][Side::right].active);
    EXPECT_TRUE(recording.samples[2][Side::right].active);
    for (const char* gesture : {"rock", "1"}) {
        const std::vector<std::string> first = {std::string("0,") + gesture, std::string("20,") + gesture};
        const TemporaryFile gestures(mediapipe_rows("time_ms,label", first, Side::left, 1.0F));
        EXPECT_FALSE(load(gestures.path()).has(Side::right)) << "a gesture is no right hand: " << gesture;
    }
}

// Unit and side are inferred from the first hand, however late it comes.
TEST(MediapipeCsv, WaitsForTheFirstHandToTellUnitAndSide) {
    std::vector<std::string> first;
    for (int i = 0; i < 700; ++i) first.push_back(std::to_string(20 * i) + (i < 600 ? ",-" : ","));
    for (std::string& start : first)
        if (start.ends_with(',')) start += "x";
    const TemporaryFile file(mediapipe_rows("time_ms,note", first, Side::left, 4.0F));
    const Recording recording = load(file.path());
    ASSERT_EQ(recording.samples.size(), 700U);
    EXPECT_FALSE(recording.has(Side::right));
    ASSERT_TRUE(recording.samples[600][Side::left].active);
    EXPECT_NEAR(tracking::hand_length_m(recording.samples[650][Side::left]), 0.185F, 0.005F);
}

TEST(UnityHandsbin, ReadsUnitysJointOrderAndAxes) {
    const TemporaryFile file(handsbin(5));
    const Recording recording = load(file.path());
    EXPECT_EQ(recording.format, "unity-handsbin");
    ASSERT_EQ(recording.samples.size(), 5U);
    EXPECT_EQ(recording.samples[4].time_ns, 1'000'000'000);
    EXPECT_FALSE(recording.has(Side::left));
    const HandFrame truth = closing_hand(4, Side::right);
    expect_positions(recording.samples[4][Side::right], truth, 1e-6F);
    for (std::size_t j = 0; j < tracking::kJointCount; ++j)
        EXPECT_LT(recording.samples[4][Side::right].joints[j].orientation.angularDistance(truth.joints[j].orientation),
                  1e-3F);
}

TEST(CyberGlove, ReadsAllLayoutsInBothSigns) {
    for (const std::size_t sensors : {18U, 22U, 23U})
        for (const float sign : {-1.0F, 1.0F}) {
            const TemporaryFile file(cyberglove_text(sensors, sign));
            const Recording recording = load(file.path());
            EXPECT_EQ(recording.format, "cyberglove");
            ASSERT_EQ(recording.samples.size(), 30U);
            EXPECT_EQ(recording.samples[13].time_ns, 1'300'000'000);
            std::vector<float> values;
            for (std::size_t s = 0; s < sensors; ++s) values.push_back(0.02F * static_cast<float>(s) + 0.13F);
            const HandFrame truth = tracking::pose_from_cyberglove(tracking::default_profile(),
                                                                   tracking::cyberglove_angles(values), Side::right);
            EXPECT_LT(
                (recording.samples[13][Side::right][Joint::ring_tip].position_m - truth[Joint::ring_tip].position_m)
                    .norm(),
                1e-5F);
            EXPECT_EQ(recording.samples[13][Side::right].source, tracking::Source::glove);
        }
}

TEST(Formats, EachFileIsRecognisedByItsOwnRowAlone) {
    std::set<std::string_view> met;
    for (const auto& [name, content] : all_formats()) {
        const std::string_view head = std::string_view(content).substr(0, 65536);
        for (const Format& row : format_table()) {
            EXPECT_EQ(row.recognise(head, content.size()), row.name == name) << row.name << " for " << name;
            if (row.name == name) met.insert(row.name);
        }
    }
    EXPECT_GE(met.size(), 12U);
}

TEST(Formats, CutOffFilesOfEveryFormatAreDamagedNotUnknownAndNeverCrash) {
    for (const auto& [name, content] : all_formats()) {
        std::mt19937 random(9);
        for (int i = 0; i < 60; ++i) {
            const std::size_t length = i == 0 ? content.size() - 3 : 1 + random() % (content.size() - 1);
            const TemporaryFile file(std::string_view(content).substr(0, length));
            try {
                load(file.path());
            } catch (const ImportError& error) {
                EXPECT_THAT(error.what(), testing::StartsWith(file.path().string()));
                if (length > content.size() / 2 && length > 400) {
                    EXPECT_THAT(error.what(), testing::Not(HasSubstr("any known format"))) << name << " " << length;
                }
            }
        }
    }
}

TEST(Formats, FlippedBytesNeverCrash) {
    int errors = 0, loads = 0;
    for (const auto& [name, content] : all_formats()) {
        std::mt19937 random(10);
        for (int i = 0; i < 150; ++i) {
            std::string damaged = content;
            for (int k = 0; k < 1 + i % 8; ++k) damaged[random() % damaged.size()] = static_cast<char>(random());
            const TemporaryFile file(damaged);
            try {
                load(file.path());
                ++loads;
            } catch (const ImportError&) {
                ++errors;
            }
        }
    }
    EXPECT_GT(errors, 200);
    EXPECT_GT(loads, 100);
}

}  // namespace
}  // namespace glovebox::recordings
