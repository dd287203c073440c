// The smaller formats: each file is written here from a hand that is known.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <random>
#include <set>
#include <sstream>

#include "recordings/format.h"
#include "recordings/formats/lz_string.h"
#include "recordings/formats/webxr.h"
#include "tests/recordings/files.h"
#include "tracking/glove/cyberglove.h"
#include "tracking/hand_geometry.h"

namespace glovebox::recordings {
namespace {

using testing::HasSubstr;
using tracking::HandFrame;
using tracking::Joint;
using tracking::Side;

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

std::string manus_csv(int frames, Side side) {
    constexpr std::array kFingers = {"Thumb", "Index", "Middle", "Ring", "Pinky"};
    std::ostringstream text;
    text << "Frame,Elapsed_Time_In_Milliseconds,Time";
    std::vector<int> joints;
    for (const char* field : {"_Position_", "_Rotation_"}) {
        for (const char axis : {'X', 'Y', 'Z'}) text << ",Hand" << field << axis;
        for (int f = 0; f < 5; ++f)
            for (const char* bone : {"_CMC", "_MCP", "_PIP", "_DIP", "_TIP"}) {
                if (f == 0 && std::string(bone) == "_PIP") continue;
                for (const char axis : {'X', 'Y', 'Z'})
                    text << "," << kFingers[static_cast<std::size_t>(f)] << bone << field << axis;
            }
    }
    text << "\n";
    for (int i = 0; i < frames; ++i) {
        text << i << "," << 16.66667 * i << ",00:00:00:000";
        const HandFrame hand = closing_hand(i, side);
        for (std::size_t j = 1; j < tracking::kJointCount; ++j) {
            const Eigen::Vector3f p = 100.0F * hand.joints[j].position_m;
            text << "," << p.x() << "," << p.y() << "," << -p.z();
        }
        for (int j = 0; j < 75; ++j) text << ",0";
        text << "\n";
    }
    return text.str();
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

// Leap's names of a finger's joints.
std::string leap_pointable(const HandFrame& hand, int finger, bool with_type) {
    std::ostringstream text;
    const auto vector = [&](const char* name, int joint) {
        const Eigen::Vector3f p = 1000.0F * hand.joints[static_cast<std::size_t>(joint)].position_m;
        text << ",\"" << name << "\":[" << p.x() << "," << p.y() << "," << p.z() << "]";
    };
    const int knuckle = finger == 0 ? 2 : 2 + 5 * finger;
    text << "{\"handId\":7";
    if (with_type) text << ",\"type\":" << finger;
    vector("mcpPosition", knuckle);
    vector("pipPosition", knuckle + 1);
    vector("dipPosition", knuckle + 2);
    vector("tipPosition", knuckle + 3);
    text << "}";
    return text.str();
}

std::string leap_json(int frames) {
    std::ostringstream text;
    text << "{\"frames\":[";
    for (int i = 0; i < frames; ++i) {
        const HandFrame hand = closing_hand(i, Side::right);
        const Eigen::Vector3f palm =
            1000.0F * (0.25F * hand[Joint::wrist].position_m + 0.75F * hand[Joint::middle_proximal].position_m);
        const Eigen::Vector3f direction = hand[Joint::middle_proximal].position_m.normalized();
        text << (i ? "," : "") << "{\"timestamp\":" << 5'000'000 + 10'000 * i
             << ",\"interactionBox\":{},\"hands\":[{\"id\":7,\"type\":\"right\",\"palmPosition\":[" << palm.x() << ","
             << palm.y() << "," << palm.z() << "],\"direction\":[" << direction.x() << "," << direction.y() << ","
             << direction.z() << "]}],\"pointables\":[";
        for (const int finger : {3, 0, 4, 1, 2}) text << (finger == 3 ? "" : ",") << leap_pointable(hand, finger, true);
        text << "]}";
    }
    text << "]}";
    return text.str();
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
    EXPECT_LT(hand[Joint::wrist].position_m.norm(), 1e-4F)
        << "three times as far behind the palm as the knuckles before";
    EXPECT_EQ(tracking::valid_positions(hand).count(), 26U);
}

TEST(LeapJson, ReadsPlainAndCompressedRawFrames) {
    expect_leap(leap_json(12));
    expect_leap(compress_lz_base64(leap_json(12)));
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
    // LZString.compressToBase64("hello hello hello") and of "{\"frames\":[]}" by lz-string 1.4.4's documented
    // algorithm.
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

std::string handpose() {
    std::string bytes;
    const auto put = [&bytes](float value) {
        const auto word = std::bit_cast<std::uint32_t>(value);
        for (int i = 0; i < 4; ++i) bytes += static_cast<char>(word >> (8 * i));
    };
    put(25.0F);
    for (const Side side : {Side::left, Side::right})
        for (std::size_t i = 0; i < kWebxrJoints.size(); ++i) {
            const tracking::JointPose joint = closing_hand(3, side)[webxr_joint(i)];
            Eigen::Matrix4f m = Eigen::Matrix4f::Identity();
            m.topLeftCorner<3, 3>() = joint.orientation.matrix();
            m.topRightCorner<3, 1>() = joint.position_m;
            for (Eigen::Index k = 0; k < 16; ++k) put(m.data()[k]);
        }
    for (int i = 0; i < 50; ++i) put(1.0F);
    return bytes;
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

std::string iwer_pose(bool json) {
    std::ostringstream text;
    const char* quote = json ? "\"" : "'";
    text << (json ? "{\"jointTransforms\":{"
                  : "import { HandPose } from './x.js';\nexport const p: HandPose = {\n  jointTransforms: {\n");
    for (std::size_t i = 0; i < kWebxrJoints.size(); ++i) {
        const tracking::JointPose joint = closing_hand(2, Side::left)[webxr_joint(i)];
        Eigen::Matrix4f m = Eigen::Matrix4f::Identity();
        m.topLeftCorner<3, 3>() = joint.orientation.matrix();
        m.topRightCorner<3, 1>() = joint.position_m;
        if (i > 0) text << ",";
        text << quote << kWebxrJoints[i] << quote << ": {" << (json ? "\"offsetMatrix\"" : "\n offsetMatrix") << ": [";
        for (Eigen::Index k = 0; k < 16; ++k) text << (k ? ", " : "") << m.data()[k];
        text << "]," << (json ? "\"radius\":" : "\n radius: ") << joint.radius_m << "}";
    }
    text << (json ? "}}" : "},\n};\n");
    return text.str();
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

std::string iwer_actions(int frames) {
    std::ostringstream text;
    text
        << R"({"schema":[[0,{"handedness":"left","hasGrip":false,"hasHand":false,"hasGamepad":true}],[1,{"handedness":"right",)"
        << R"("targetRayMode":"tracked-pointer","profiles":[],"hasGrip":true,"hasHand":true,"hasGamepad":false,"jointSequence":[)";
    for (std::size_t i = 0; i < 25; ++i) text << (i ? "," : "") << "\"" << kWebxrJoints[24 - i] << "\"";
    text << "]}]],\"frames\":[";
    for (int i = 0; i < frames; ++i) {
        // The target ray is at (1, 2, 3), turned by a quarter about Y.
        text << (i ? "," : "") << "[" << 1000.5 + 10 * i
             << ",0,1.6,0,0,0,0,1,[0,0,0,0,0,0,0,1,[[0,0,0],0]],[1,1,2,3,0,0.7071068,0,0.7071068,[0,0,0,0,0,0,1],";
        if (i == 1) {
            text << "null]]";
            continue;
        }
        text << "[";
        for (std::size_t k = 0; k < 25; ++k) {
            const tracking::JointPose joint = closing_hand(i, Side::right)[webxr_joint(24 - k)];
            text << (k ? "," : "");
            for (const float v : joint.position_m) text << v << ",";
            for (const float v : joint.orientation.coeffs()) text << v << ",";
            text << joint.radius_m;
        }
        text << "]]]";
    }
    text << "]}";
    return text.str();
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

std::string aria_csv() {
    constexpr std::array<int, 21> kJoints = {5,  10, 15, 20, 25, 1,  3,  4,  7,  8, 9,
                                             12, 13, 14, 17, 18, 19, 22, 23, 24, 0};
    std::ostringstream text;
    text << "tracking_timestamp_us";
    for (const char* side : {"left", "right"}) {
        text << "," << side << "_tracking_confidence";
        for (int i = 0; i < 21; ++i)
            for (const char axis : {'x', 'y', 'z'})
                text << ",t" << axis << "_" << side << "_landmark_" << i << "_device";
    }
    text << "\n";
    for (int i = 0; i < 3; ++i) {
        text << 1000 * (100 + i) << ",-1";
        for (int k = 0; k < 63; ++k) text << ",0";
        text << ",0.9";
        for (const int joint : kJoints) {
            const Eigen::Vector3f p = closing_hand(i, Side::right).joints[static_cast<std::size_t>(joint)].position_m;
            text << "," << p.x() << "," << p.y() << "," << p.z();
        }
        text << "\n";
    }
    return text.str();
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

std::string mediapipe_csv(const std::string& style, int frames) {
    constexpr std::array<int, 21> kJoints = {1,  2,  3,  4,  5,  7,  8,  9,  10, 12, 13,
                                             14, 15, 17, 18, 19, 20, 22, 23, 24, 25};
    std::ostringstream text;
    text << (style == "named" ? "timestamp_ms,handedness" : "time");
    constexpr std::array kNames = {"WRIST",
                                   "THUMB_CMC",
                                   "THUMB_MCP",
                                   "THUMB_IP",
                                   "THUMB_TIP",
                                   "INDEX_FINGER_MCP",
                                   "INDEX_FINGER_PIP",
                                   "INDEX_FINGER_DIP",
                                   "INDEX_FINGER_TIP",
                                   "MIDDLE_FINGER_MCP",
                                   "MIDDLE_FINGER_PIP",
                                   "MIDDLE_FINGER_DIP",
                                   "MIDDLE_FINGER_TIP",
                                   "RING_FINGER_MCP",
                                   "RING_FINGER_PIP",
                                   "RING_FINGER_DIP",
                                   "RING_FINGER_TIP",
                                   "PINKY_MCP",
                                   "PINKY_PIP",
                                   "PINKY_DIP",
                                   "PINKY_TIP"};
    for (std::size_t i = 0; i < 21; ++i)
        for (const char axis : {'x', 'y', 'z'}) {
            if (style == "named") text << "," << kNames[i] << "_" << axis;
            if (style == "numbered") text << "," << axis << i;
            if (style == "landmark") text << ",landmark_" << i << "_" << axis;
        }
    text << "\n";
    for (int i = 0; i < frames; ++i)
        for (const Side side : {Side::left, Side::right}) {
            if (style != "named" && side == Side::right) continue;
            text << (style == "named" ? 20.0 * i : 0.02 * i);
            if (style == "named") text << (side == Side::left ? ",Left" : ",Right");
            for (const int joint : kJoints) {
                const Eigen::Vector3f p = closing_hand(i, side).joints[static_cast<std::size_t>(joint)].position_m;
                text << "," << p.x() << "," << -p.y() << "," << -p.z();
            }
            text << "\n";
        }
    return text.str();
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

std::string handsbin(int frames) {
    std::string bytes;
    const auto word = [&bytes](std::uint32_t value) {
        for (int i = 0; i < 4; ++i) bytes += static_cast<char>(value >> (8 * i));
    };
    const auto number = [&word](float value) { word(std::bit_cast<std::uint32_t>(value)); };
    word(1);
    bytes += '\x04';
    bytes += "take";
    number(1.5F);
    word(static_cast<std::uint32_t>(frames));
    for (int i = 0; i < frames; ++i) {
        number(0.25F * static_cast<float>(i));
        bytes.append("\0\1\0\1", 4);
        for (std::size_t j = 0; j < tracking::kJointCount; ++j) {
            const tracking::JointPose joint = closing_hand(i, Side::right).joints[j == 0 ? 1 : j == 1 ? 0 : j];
            for (const float v : {joint.position_m.x(), joint.position_m.y(), -joint.position_m.z()}) number(v);
            const auto& q = joint.orientation;
            for (const float v : {-q.x(), -q.y(), q.z(), q.w()}) number(v);
        }
    }
    return bytes;
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

std::string cyberglove_text(std::size_t sensors, float sign) {
    std::ostringstream text;
    for (int i = 0; i < 30; ++i) {
        text << "2014 11 28 08 33 0" << i / 10 << "." << i % 10 << " 1";
        for (std::size_t s = 0; s < sensors; ++s)
            text << " " << sign * (0.02F * static_cast<float>(s) + 0.01F * static_cast<float>(i));
        text << "\n";
    }
    return text.str();
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

std::vector<std::pair<std::string, std::string>> all_formats() {
    return {{"openxr-csv", openxr_csv(4, Side::left)},
            {"hololens-csv", hololens_csv(4)},
            {"bvh", bvh({})},
            {"manus-csv", manus_csv(4, Side::left)},
            {"leap-json", leap_json(4)},
            {"leap-json", compress_lz_base64(leap_json(4))},
            {"handpose", handpose()},
            {"iwer-pose", iwer_pose(false)},
            {"iwer-actions", iwer_actions(4)},
            {"aria-csv", aria_csv()},
            {"mediapipe-csv", mediapipe_csv("named", 4)},
            {"unity-handsbin", handsbin(4)},
            {"cyberglove", cyberglove_text(22, 1.0F)}};
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
