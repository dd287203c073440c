// Files as users really have them: compressed, cut, with semicolons, with hands that no column names.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <random>
#include <sstream>

#include "recordings/diagnose.h"
#include "recordings/format.h"
#include "tests/recordings/more_files.h"
#include "tests/recordings/packing.h"
#include "tests/recordings/umetrack_files.h"
#include "tracking/hand_geometry.h"
#include "tracking/side_evidence.h"

namespace glovebox::recordings {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;

float largest_apart_m(const HandFrame& read, const HandFrame& truth) {
    float apart_m = 0.0F;
    for (std::size_t i = 0; i < tracking::kJointCount; ++i)
        if ((read.joints[i].flags & tracking::joint_flags::kPositionTracked) != 0)
            apart_m = std::max(apart_m, (read.joints[i].position_m - truth.joints[i].position_m).norm());
    return read.active ? apart_m : 1.0F;
}

TEST(Packed, AFileIsReadAsWhatIsInIt) {
    const std::string plain = openxr_csv(400, Side::left);  // more than one chunk of compressed bytes
    const Recording truth = load(TemporaryFile(plain).path());
    for (const auto pack : {gzip, xz, zstd}) {
        const TemporaryFile file(pack(plain));
        const Recording recording = load(file.path());
        ASSERT_EQ(recording.samples.size(), 400U);
        EXPECT_EQ(recording.format, "openxr-csv");
        EXPECT_EQ(largest_apart_m(recording.samples[399][Side::left], truth.samples[399][Side::left]), 0.0F);
    }
    EXPECT_EQ(load(TemporaryFile(gzip(plain) + gzip("")).path()).samples.size(), 400U) << "members follow each other";
    EXPECT_EQ(load(TemporaryFile(gzip(handpose())).path()).format, "handpose") << "told by its size when unpacked";
}

TEST(Packed, CutOffTheSamplesBeforeTheCutAreRead) {
    for (const auto pack : {gzip, xz, zstd}) {
        // Random digits, so that the compressed size grows with the content.
        std::string plain = openxr_csv(600, Side::left);
        std::mt19937 random(4);
        for (std::size_t i = plain.find('\n'); i < plain.size(); ++i)
            if (plain[i] >= '0' && plain[i] <= '9' && plain[i - 1] >= '0' && plain[i - 1] <= '9' && plain[i - 2] == '.')
                plain[i] = static_cast<char>('0' + random() % 10);
        const std::string packed = pack(plain);
        const Recording recording = load(TemporaryFile(packed.substr(0, packed.size() / 2)).path());
        EXPECT_GT(recording.samples.size(), 50U);
        EXPECT_LT(recording.samples.size(), 600U);
        EXPECT_THAT(recording.notes, Contains(HasSubstr("cut off")));
    }
}

TEST(Packed, BombsAndMatryoshkasAreRefused) {
    const std::string zeros(std::size_t{80} << 20, '\n');
    EXPECT_THAT(refusal(gzip(openxr_csv(1, Side::left) + zeros)), HasSubstr("100 times as long"));
    EXPECT_THAT(refusal(gzip(gzip("abc"))), HasSubstr("packed twice"));
}

TEST(Landmarks, LongTablesOfTwoHandsAreToldByNumberAndShape) {
    for (const char* separator : {",", ";", "\t"}) {
        const TemporaryFile file(long_landmarks(20, false, separator));
        const Recording recording = load(file.path());
        EXPECT_EQ(recording.format, "mediapipe-csv");
        ASSERT_EQ(recording.samples.size(), 20U);
        for (const Side side : {Side::left, Side::right})
            EXPECT_LT(largest_apart_m(recording.samples[11][side], closing_hand(11, side)), 1e-5F) << name_of(side);
        EXPECT_THAT(recording.notes, Contains(HasSubstr("told by their shape")));
    }
}

TEST(Landmarks, OfAPictureAreScaledToAHandAndNotTakenAsMetres) {
    const TemporaryFile file(long_landmarks(20, true));
    const Recording recording = load(file.path());
    for (const tracking::HandPair& sample : recording.samples)
        for (const HandFrame& hand : sample.hands) EXPECT_NEAR(tracking::hand_length_m(hand), 0.185F, 1e-4F);
    EXPECT_THAT(recording.notes, Contains(HasSubstr("image landmarks")));
    const float truth_m = tracking::hand_length_m(closing_hand(3, Side::left));
    const auto span = [](const HandFrame& hand) {
        return (hand[Joint::thumb_tip].position_m - hand[Joint::little_tip].position_m).norm();
    };
    EXPECT_NEAR(span(recording.samples[3][Side::left]) * truth_m / 0.185F, span(closing_hand(3, Side::left)), 1e-3F);
}

TEST(Landmarks, OfAPictureMayBeRelativeToTheWrist) {
    // The hand moves towards the camera, so it grows in the picture.
    std::string csv = "frame,hand,landmark,x,y,z\n", json = "[";
    std::vector<float> values;
    for (int i = 0; i < 40; ++i) {
        json += (i > 0 ? ",{\"hand\":\"Right\",\"landmarks\":[" : "{\"hand\":\"Right\",\"landmarks\":[");
        for (std::size_t k = 0; k < kLandmarkJoints.size(); ++k) {
            Eigen::Vector3f p =
                closing_hand(i, Side::right).joints[static_cast<std::size_t>(kLandmarkJoints[k])].position_m;
            p = (1.0F + 0.05F * static_cast<float>(i)) * Eigen::Vector3f(p.x(), -p.y() / 0.75F, -p.z());
            std::ostringstream place;
            place << p.x() << "," << p.y() << "," << p.z();
            csv += std::to_string(i) + ",Right," + std::to_string(k) + "," + place.str() + "\n";
            json += (k > 0 ? ",[" : "[") + place.str() + "]";
            values.insert(values.end(), p.begin(), p.end());
        }
        json += "]}";
    }
    for (const std::string& text : {csv, json + "]", npy_array("40, 21, 3", values)}) {
        const Recording recording = load(TemporaryFile(text, "right.txt").path());
        EXPECT_THAT(recording.notes, Contains(HasSubstr("image landmarks relative to the wrist")));
        for (const int i : {0, 39}) {
            const HandFrame& hand = recording.samples[static_cast<std::size_t>(i)][Side::right];
            HandFrame truth = closing_hand(i, Side::right);
            const float scale = 0.185F / tracking::hand_length_m(truth);
            for (tracking::JointPose& joint : truth.joints) joint.position_m *= scale;
            EXPECT_LT(largest_apart_m(hand, truth), 1e-4F) << i;
        }
    }
}

TEST(Landmarks, WithoutDepthAreRefused) {
    EXPECT_THAT(refusal("Frame,Landmark_ID,Normalized_X,Normalized_Y\n1,0,0.5,0.5\n"), HasSubstr("no z"));
    std::string flat = "frame";
    for (int i = 0; i < 21; ++i) flat += ",x" + std::to_string(i) + ",y" + std::to_string(i);
    EXPECT_THAT(refusal(flat + "\n"), HasSubstr("no z"));
    std::string names = "frame,time", cells = "\n0,10:20:00";
    for (const char* name : kLandmarkNames) names += std::string(",left_") + name, cells += ",\"(12,34)\"";
    EXPECT_THAT(refusal(names + cells + cells + "\n"), HasSubstr("no z"));
}

TEST(Landmarks, WideTablesWithAHandNumberAreTwoHands) {
    std::string text = "frame,hand_number";
    for (int i = 0; i < 21; ++i)
        for (const char axis : {'x', 'y', 'z'}) text += ",lm" + std::to_string(i) + "_" + axis;
    for (int i = 0; i < 10; ++i)
        for (const Side side : {Side::right, Side::left}) {
            text += "\n" + std::to_string(i) + (side == Side::right ? ",0" : ",1");
            for (const int joint : kLandmarkJoints) {
                const Eigen::Vector3f p = closing_hand(i, side).joints[static_cast<std::size_t>(joint)].position_m;
                for (const float v : {p.x(), -p.y(), -p.z()}) text += "," + std::to_string(v);
            }
        }
    const Recording recording = load(TemporaryFile(text + "\n").path());
    ASSERT_EQ(recording.samples.size(), 10U);
    EXPECT_TRUE(recording.samples[9][Side::left].active && recording.samples[9][Side::right].active);
}

std::string wide_landmarks(const std::string& prefix, int frames) {
    std::string text = "frame";
    for (int i = 0; i < 21; ++i)
        for (const char axis : {'x', 'y', 'z'}) text += "," + prefix + std::to_string(i) + "_" + axis;
    for (int i = 0; i < frames; ++i) {
        text += "\n" + std::to_string(i);
        for (const int joint : kLandmarkJoints) {
            const Eigen::Vector3f p = closing_hand(i, Side::right).joints[static_cast<std::size_t>(joint)].position_m;
            for (const float v : {p.x(), -p.y(), -p.z()}) text += "," + std::to_string(v);
        }
    }
    return text + "\n";
}

TEST(Landmarks, TheColumnsMayNameOneHand) {
    const Recording recording = load(TemporaryFile(wide_landmarks("right_hand_", 4)).path());
    ASSERT_EQ(recording.samples.size(), 4U);
    EXPECT_LT(largest_apart_m(recording.samples[3][Side::right], closing_hand(3, Side::right)), 1e-5F);
    EXPECT_FALSE(recording.has(Side::left));
    EXPECT_THAT(refusal("frame" + std::string(60, ',') + "x0,y0,z0,x1,y1\n"), HasSubstr("not a recording"));
}

// One landmark a row, without times.
std::string landmarks_without_time(const std::vector<Side>& hands, const std::string& first, bool pixels) {
    std::string text = first + "hand,landmark,x,y,z\n";
    for (std::size_t i = 0; i < hands.size(); ++i)
        for (std::size_t k = 0; k < kLandmarkJoints.size(); ++k) {
            const HandFrame hand = closing_hand(static_cast<int>(i), hands[i]);
            Eigen::Vector3f p = hand.joints[static_cast<std::size_t>(kLandmarkJoints[k])].position_m;
            p = pixels ? Eigen::Vector3f(320.0F + 1500.0F * p.x(), 400.0F + 1500.0F * p.z(), 2.0F * p.y())
                       : Eigen::Vector3f(p.x(), -p.y(), -p.z());
            if (!first.empty()) text += std::to_string(i) + ",";
            text += std::string(name_of(hands[i])) + "," + std::to_string(k);
            for (const float v : p) text += "," + std::to_string(v);
            text += "\n";
        }
    return text;
}

TEST(Landmarks, WithoutTimesAnInstantEndsWhereAHandBeginsAgain) {
    const std::vector<Side> hands = {Side::left, Side::right, Side::left, Side::right, Side::right};
    const Recording recording = load(TemporaryFile(landmarks_without_time(hands, "", false)).path());
    ASSERT_EQ(recording.samples.size(), 3U);
    EXPECT_EQ(recording.samples[2].time_ns, 66'666'667);
    EXPECT_TRUE(recording.samples[1][Side::left].active && recording.samples[1][Side::right].active);
    EXPECT_LT(largest_apart_m(recording.samples[2][Side::right], closing_hand(4, Side::right)), 1e-5F);
    EXPECT_EQ(load(TemporaryFile(landmarks_without_time(hands, "capture_id,", false)).path()).samples.size(), 5U);
}

TEST(Landmarks, InPixelsWithADepthThatIsNoneAreRefused) {
    EXPECT_THAT(refusal(landmarks_without_time({Side::right, Side::right}, "frame,", true)), HasSubstr("are pixels"));
}

TEST(Landmarks, InMillimetresHaveTheirOwnSize) {
    std::vector<float> values;
    for (int i = 0; i < 8; ++i) {
        const HandFrame hand = closing_hand(i, Side::right);
        for (const int joint : kLandmarkJoints)
            for (const float v : hand.joints[static_cast<std::size_t>(joint)].position_m) values.push_back(1000.0F * v);
    }
    const Recording recording = load(TemporaryFile(npy_array("8, 21, 3", values)).path());
    EXPECT_FLOAT_EQ(recording.unit_m, 0.001F);
}

// The joints of the points of data sets, beside MediaPipe's order.
constexpr std::array<std::pair<const char*, std::array<int, 21>>, 8> kOrdersOfSets = {{
    {"", kLandmarkJoints},
    {"HO-3D", {1, 7, 8, 9, 12, 13, 14, 22, 23, 24, 17, 18, 19, 2, 3, 4, 5, 10, 15, 20, 25}},
    {"MSRA", {1, 7, 8, 9, 10, 12, 13, 14, 15, 17, 18, 19, 20, 22, 23, 24, 25, 2, 3, 4, 5}},
    {"FPHA", {1, 2, 7, 12, 17, 22, 3, 4, 5, 8, 9, 10, 13, 14, 15, 18, 19, 20, 23, 24, 25}},
    {"InterHand", {5, 4, 3, 2, 10, 9, 8, 7, 15, 14, 13, 12, 20, 19, 18, 17, 25, 24, 23, 22, 1}},
    {"wrist, little finger to thumb", {1, 22, 23, 24, 25, 17, 18, 19, 20, 12, 13, 14, 15, 7, 8, 9, 10, 2, 3, 4, 5}},
    {"thumb to little finger, wrist", {2, 3, 4, 5, 7, 8, 9, 10, 12, 13, 14, 15, 17, 18, 19, 20, 22, 23, 24, 25, 1}},
    {"little finger to thumb, wrist", {22, 23, 24, 25, 17, 18, 19, 20, 12, 13, 14, 15, 7, 8, 9, 10, 2, 3, 4, 5, 1}},
}};

TEST(Landmarks, ListsInTheOrderOfADataSetAreKnownByTheirBones) {
    for (const auto& [set, joints] : kOrdersOfSets) {
        std::vector<float> values;
        std::ostringstream json;
        for (int i = 0; i < 40; ++i) {
            json << (i > 0 ? "," : "[") << "{\"frame\":" << i << ",\"rightHand\":[";
            for (std::size_t k = 0; k < joints.size(); ++k) {
                const Eigen::Vector3f p =
                    closing_hand(i, Side::right).joints[static_cast<std::size_t>(joints[k])].position_m;
                values.insert(values.end(), {p.x(), -p.y(), -p.z()});
                json << (k > 0 ? "," : "") << "[" << p.x() << "," << -p.y() << "," << -p.z() << "]";
            }
            json << "]}";
        }
        json << "]";
        for (const std::string& text : {npy_array("40, 21, 3", values), json.str()}) {
            const Recording recording = load(TemporaryFile(text).path());
            EXPECT_LT(largest_apart_m(recording.samples[39][Side::right], closing_hand(39, Side::right)), 1e-5F) << set;
            EXPECT_EQ(std::ranges::any_of(recording.notes,
                                          [set = set](const std::string& note) {
                                              return note.find("lengths of the bones: " + std::string(set)) !=
                                                     note.npos;
                                          }),
                      *set != '\0');
            EXPECT_THAT(recording.notes, Contains(HasSubstr("Y and Z were reversed")));
        }
    }
}

// Orders of OpenXR's joints: what comes before or behind the fingers, and the fingers from the thumb (0) on.
struct JointsInOrder {
    const char* name;
    std::vector<int> before;
    std::array<int, 5> fingers;
    std::vector<int> behind;
    std::vector<int> all() const {
        std::vector<int> joints = before;
        for (const int finger : fingers)
            for (int j = finger == 0 ? 2 : 1 + 5 * finger; j <= 5 + 5 * finger; ++j) joints.push_back(j);
        joints.insert(joints.end(), behind.begin(), behind.end());
        return joints;
    }
};

TEST(JointLists, OtherOrdersThanOpenXrsAreKnownByTheirBones) {
    const std::array<JointsInOrder, 8> orders = {{{"", {0, 1}, {0, 1, 2, 3, 4}, {}},
                                                  {"", {1}, {0, 1, 2, 3, 4}, {}},
                                                  {"wrist, palm, thumb to little", {1, 0}, {0, 1, 2, 3, 4}, {}},
                                                  {"palm, wrist, little finger to", {0, 1}, {4, 3, 2, 1, 0}, {}},
                                                  {"wrist, little finger to thumb", {1}, {4, 3, 2, 1, 0}, {}},
                                                  {"wrist, index to little finger, thumb", {1}, {1, 2, 3, 4, 0}, {}},
                                                  {"thumb to little finger, palm", {}, {0, 1, 2, 3, 4}, {0, 1}},
                                                  {"little finger to thumb, wrist", {}, {4, 3, 2, 1, 0}, {1}}}};
    for (const JointsInOrder& order : orders) {
        SCOPED_TRACE(order.name);
        const std::vector<int> joints = order.all();
        std::vector<float> values;
        std::ostringstream json;
        for (int i = 0; i < 70; ++i) {
            json << (i > 0 ? "," : "[") << "{\"frame\":" << i << ",\"rightHand\":[";
            for (std::size_t k = 0; k < joints.size(); ++k) {
                const Eigen::Vector3f p =
                    closing_hand(i, Side::right).joints[static_cast<std::size_t>(joints[k])].position_m;
                values.insert(values.end(), p.begin(), p.end());
                json << (k > 0 ? "," : "") << "[" << p.x() << "," << p.y() << "," << p.z() << "]";
            }
            json << "]}";
        }
        json << "]";
        for (const std::string& text :
             {npy_array("70, " + std::to_string(joints.size()) + ", 3", values), json.str()}) {
            const Recording recording = load(TemporaryFile(text).path());
            for (const std::size_t frame : {0U, 69U})
                EXPECT_LT(largest_apart_m(recording.samples[frame][Side::right],
                                          closing_hand(static_cast<int>(frame), Side::right)),
                          1e-5F);
            EXPECT_EQ(std::ranges::any_of(recording.notes,
                                          [&order](const std::string& note) {
                                              return note.find(std::string("bones: ") + order.name) != note.npos;
                                          }),
                      *order.name != '\0');
        }
    }
}

TEST(HandJson, TakesClocksAndQuaternionsBeforePositions) {
    std::ostringstream json;
    for (int i = 0; i < 6; ++i) {
        json << "{\"Time\":\"10:28:4" << i << ".25\",\"rightHand\":[";
        for (std::size_t j = 0; j < tracking::kJointCount; ++j) {
            const Eigen::Vector3f p = closing_hand(i, Side::right).joints[j].position_m;
            json << (j > 0 ? "," : "") << "[0.6,0,0.8,0," << p.x() << "," << p.y() << "," << p.z() << "]";
        }
        json << "]}\n";
    }
    const Recording recording = load(TemporaryFile(json.str()).path());
    ASSERT_EQ(recording.samples.size(), 6U);
    EXPECT_EQ(recording.samples[5].time_ns, 5'000'000'000);
    EXPECT_LT(largest_apart_m(recording.samples[5][Side::right], closing_hand(5, Side::right)), 1e-5F);
}

TEST(HandJson, TheShapeOfNamedHandsSaysWhetherTheAxesAreLeftHanded) {
    constexpr std::array kBones = {"Metacarpal", "Knuckle", "Middle", "Distal", "Tip"};
    constexpr std::array kThumb = {"Metacarpal", "Proximal", "Distal", "Tip"};
    constexpr std::array kFingers = {"Thumb", "Index", "Middle", "Ring", "Pinky"};
    std::ostringstream json;
    for (int i = 0; i < 30; ++i) {
        const HandFrame hand = closing_hand(i, Side::left);
        const auto point = [&](const std::string& name, std::size_t joint) {
            const Eigen::Vector3f p = hand.joints[joint].position_m;
            json << "\"" << name << "\":[" << p.x() << "," << p.y() << "," << -p.z() << "]";
        };
        json << "{\"Frame\":" << i << ",\"Left\":{";
        point("Wrist", 1);
        for (std::size_t f = 0; f < 5; ++f)
            for (std::size_t b = 0; b < (f == 0 ? 4 : 5); ++b) {
                json << ",";
                point(std::string(kFingers[f]) + (f == 0 ? kThumb[b] : kBones[b]), (f == 0 ? 2 : 1 + 5 * f) + b);
            }
        json << "}}\n";
    }
    const TemporaryFile file(json.str());
    const Recording recording = load(file.path());
    EXPECT_LT(largest_apart_m(recording.samples[29][Side::left], closing_hand(29, Side::left)), 1e-5F);
    EXPECT_THAT(recording.notes, Contains(HasSubstr("left-handed")));
    ImportOptions options;
    options.axes = tracking::find_axes("unity").value();
    EXPECT_LT(largest_apart_m(load(file.path(), options).samples[29][Side::left], closing_hand(29, Side::left)), 1e-5F)
        << "given axes are not turned again";
}

// Matrices of joints in the wrist's frame, and the wrist's own, as VisionProTeleop writes them.
// A suit's body has the joints of both hands in one object. Its thumbs have three joints, the first at the wrist.
TEST(HandJson, OneObjectMayHaveTheJointsOfBothHands) {
    constexpr std::array kNames = {"Proximal", "Medial", "Distal", "Tip"};
    constexpr std::array kFingers = {"Thumb", "Index", "Middle", "Ring", "Little"};
    std::string named, listed;
    for (int i = 0; i < 10; ++i) {
        std::string object, list;
        for (const Side side : {Side::right, Side::left}) {
            const HandFrame hand = hand_apart(i, side);
            const std::string prefix = side == Side::left ? "left" : "right";
            const auto add = [&](const std::string& name, std::size_t joint) {
                const Eigen::Vector3f p = hand.joints[joint].position_m;
                std::ostringstream place;
                place << "\"position\":{\"x\":" << p.x() << ",\"y\":" << p.y() << ",\"z\":" << p.z() << "}";
                object += (object.empty() ? "\"" : ",\"") + prefix + name + "\":{" + place.str() + "}";
                list += (list.empty() ? "{\"name\":\"" : ",{\"name\":\"") + prefix + name + "\"," + place.str() + "}";
            };
            add("Hand", 1);
            for (std::size_t f = 0; f < 5; ++f)
                for (std::size_t b = 0; b < 4; ++b)
                    add(std::string(kFingers[f]) + kNames[b], f == 0 ? 2 + b : 2 + 5 * f + b);
        }
        named += std::string(i > 0 ? "," : "") + "{\"body\":{\"hips\":{\"position\":{\"x\":0,\"y\":0,\"z\":0}}," +
                 object + "}}";
        listed += std::string(i > 0 ? "," : "") + "{\"joints\":[" + list + "]}";
    }
    for (const std::string& frames : {named, listed}) {
        const Recording recording = load(TemporaryFile("{\"hand\":\"both\",\"frames\":[" + frames + "]}").path());
        ASSERT_EQ(recording.samples.size(), 10U);
        for (const Side side : {Side::left, Side::right})
            EXPECT_LT(largest_apart_m(recording.samples[9][side], hand_apart(9, side)), 1e-5F) << name_of(side);
    }
}

TEST(HandJson, AListOfMediapipesNamesHasItsAxes) {
    std::ostringstream json;
    json << "{\"fps\":30,\"sequence\":[";
    for (int i = 0; i < 10; ++i) {
        json << (i > 0 ? "," : "") << "{\"start_time\":" << 0.02 * i
             << ",\"hand_pose\":{\"side\":\"right_hand\",\"landmarks\":[";
        for (std::size_t k = 0; k < kLandmarkNames.size(); ++k) {
            const auto joint = static_cast<std::size_t>(kLandmarkJoints[k]);
            const Eigen::Vector3f p = closing_hand(i, Side::right).joints[joint].position_m;
            json << (k > 0 ? "," : "") << "{\"name\":\"" << kLandmarkNames[k] << "\",\"x\":" << p.x()
                 << ",\"y\":" << -p.y() << ",\"z\":" << -p.z() << "}";
        }
        json << "]}}";
    }
    json << "]}";
    const Recording recording = load(TemporaryFile(json.str()).path());
    ASSERT_EQ(recording.samples.size(), 10U);
    EXPECT_EQ(recording.samples[9].time_ns, 180'000'000);
    EXPECT_LT(largest_apart_m(recording.samples[9][Side::right], closing_hand(9, Side::right)), 1e-5F);
}

TEST(HandJson, FingersBesideTheirWristAreMovedByIt) {
    const Eigen::Isometry3f wrist =
        Eigen::Translation3f(0.1F, 1.2F, -0.3F) * Eigen::AngleAxisf(0.7F, Eigen::Vector3f::UnitY());
    const auto matrix = [](const Eigen::Isometry3f& pose) {
        std::ostringstream text;
        for (int row = 0; row < 4; ++row)
            for (int column = 0; column < 4; ++column)
                text << (column > 0 ? "," : row > 0 ? "],[" : "[[") << pose(row, column);
        return text.str() + "]]";
    };
    std::string json;
    for (int i = 0; i < 3; ++i) {
        json += "{\"right_wrist\":[" + matrix(wrist) + "],\"right_fingers\":[";
        for (std::size_t j = 1; j < tracking::kJointCount; ++j)
            json += (j > 1 ? "," : "") +
                    matrix(Eigen::Isometry3f(Eigen::Translation3f(closing_hand(i, Side::right).joints[j].position_m)));
        json += "]}\n";
    }
    const Recording recording = load(TemporaryFile(json).path());
    HandFrame truth = closing_hand(2, Side::right);
    for (tracking::JointPose& joint : truth.joints) joint.position_m = wrist * joint.position_m;
    EXPECT_LT(largest_apart_m(recording.samples[2][Side::right], truth), 1e-5F);
}

TEST(HandJson, ReadsJointsByNameThroughTheAnchor) {
    const Recording recording = load(TemporaryFile(arkit_lines(30)).path());
    EXPECT_EQ(recording.format, "hand-json");
    ASSERT_EQ(recording.samples.size(), 30U);
    EXPECT_EQ(recording.samples[10].time_ns, 100'000'000);
    HandFrame truth = closing_hand(10, Side::left);
    for (tracking::JointPose& joint : truth.joints) joint.position_m += Eigen::Vector3f(0.5F, 1.0F, -0.25F);
    EXPECT_LT(largest_apart_m(recording.samples[10][Side::left], truth), 1e-5F);
    EXPECT_FALSE(recording.has(Side::right));
}

TEST(HandJson, TakesWorldLandmarksBeforeThoseOfThePicture) {
    const Recording recording = load(TemporaryFile(mediapipe_json(30)).path());
    ASSERT_EQ(recording.samples.size(), 30U);
    EXPECT_EQ(recording.samples[10].time_ns, 330'000'000) << "milliseconds, by their steps";
    EXPECT_LT(largest_apart_m(recording.samples[10][Side::right], closing_hand(10, Side::right)), 1e-5F);
}

TEST(HandJson, CutOffTheFramesBeforeTheCutAreRead) {
    for (const std::string& whole : {arkit_lines(30), mediapipe_json(30), leap_json(30), iwer_actions(30)}) {
        const Recording recording = load(TemporaryFile(std::string_view(whole).substr(0, whole.size() / 2)).path());
        EXPECT_GE(recording.samples.size(), 13U);
        EXPECT_LE(recording.samples.size(), 15U);
        EXPECT_THAT(recording.notes, Contains(HasSubstr("The file is cut off")));
    }
}

// A logger that appends each frame as it comes writes no list.
TEST(HandJson, FramesMayFollowEachOther) {
    for (const char* between : {"\n", ",\n", " ", ",\n\n"}) {
        std::string text;
        std::istringstream lines(arkit_lines(30));
        for (std::string line; std::getline(lines, line);) text += nlohmann::json::parse(line).dump(2) + between;
        const Recording recording = load(TemporaryFile(text).path());
        ASSERT_EQ(recording.samples.size(), 30U);
        EXPECT_EQ(recording.samples[29].time_ns, 290'000'000);
        const Recording cut = load(TemporaryFile(std::string_view(text).substr(0, text.size() - 99)).path());
        EXPECT_EQ(cut.samples.size(), 29U);
        EXPECT_THAT(cut.notes, Contains(HasSubstr("The file is cut off")));
    }
}

TEST(HandJson, WordsMayStandBesideCountedFrames) {
    const Recording recording = load(TemporaryFile(counted_json(30)).path());
    ASSERT_EQ(recording.samples.size(), 30U);
    EXPECT_LT(largest_apart_m(recording.samples[29][Side::right], closing_hand(29, Side::right)), 1e-5F);
    EXPECT_FALSE(recording.has(Side::left));
    EXPECT_EQ(load(TemporaryFile(counted_json(20) + counted_json(9)).path()).samples.size(), 29U);
}

TEST(HandJson, ALoggersFramesAreReadThoughManyAreLostAndTimesAreSeconds) {
    constexpr int kLost = 600, kSeen = 310;  // more than are buffered
    const Recording recording = load(TemporaryFile(counted_json(kSeen, kLost, true)).path());
    ASSERT_EQ(recording.samples.size(), static_cast<std::size_t>(kLost + kSeen));
    for (int i = 0; i < kLost + kSeen; ++i) {
        const tracking::HandPair& sample = recording.samples[static_cast<std::size_t>(i)];
        EXPECT_NEAR(static_cast<double>(sample.time_ns), 1e9 * i / 30, 30.0) << i;
        ASSERT_EQ(sample[Side::right].active, i >= kLost);
        EXPECT_FALSE(sample[Side::left].active);
    }
    EXPECT_LT(largest_apart_m(recording.samples.back()[Side::right], closing_hand(kSeen - 1, Side::right)), 1e-5F);
    EXPECT_THAT(recording.notes, Contains(HasSubstr("left-handed")));
    EXPECT_THAT(recording.notes, Contains(HasSubstr("from tips")));
    EXPECT_THAT(recording.notes, Contains(HasSubstr("whole seconds")));
}

TEST(HandJson, FramesBeforeTheFirstHandAreBufferedUpToALimit) {
    constexpr std::size_t kBefore = 70'000;
    std::string text;
    for (std::size_t i = 0; i < kBefore; ++i) text += "{\"hands\":[],\"" + std::string(80, 'x') + "\":0}\n";
    const Recording recording = load(TemporaryFile(text + arkit_lines(30)).path());
    ASSERT_EQ(recording.samples.size(), kBefore + 30);
    EXPECT_FALSE(recording.samples[kBefore - 1][Side::left].active);
    EXPECT_TRUE(recording.samples[kBefore + 29][Side::left].active);
}

TEST(HandJson, SecondsSince1970AreNoMilliseconds) {
    std::string text;
    std::istringstream lines(arkit_lines(100));
    for (std::string line; std::getline(lines, line);) {
        nlohmann::json frame = nlohmann::json::parse(line);
        const double time_s = frame["timestamp"].get<double>() - 12.5;  // 100 frames a second
        frame["timestamp"] = 1'700'000'000 + std::lround(std::floor(4.0 * time_s + 1e-6));
        text += frame.dump() + "\n";
    }
    const Recording recording = load(TemporaryFile(text).path());
    ASSERT_EQ(recording.samples.size(), 100U);
    EXPECT_EQ(recording.samples[99].time_ns, 3'960'000'000) << "25 frames a second";
}

TEST(HandJson, JointsMayBeListsOverTime) {
    nlohmann::json tracks;
    std::istringstream lines(arkit_lines(30));
    for (std::string line; std::getline(lines, line);) {
        const nlohmann::json frame = nlohmann::json::parse(line);
        tracks["t"].push_back(frame["timestamp"]);
        for (const auto& [name, joint] : frame["hands"][0]["joints"].items())
            tracks["left"]["joints"][name].push_back(joint["anchorFromJointTransform"]);
    }
    const Recording recording = load(TemporaryFile(tracks.dump()).path());
    ASSERT_EQ(recording.samples.size(), 30U);
    EXPECT_EQ(recording.samples[29].time_ns, 290'000'000);
    EXPECT_LT(largest_apart_m(recording.samples[29][Side::left], closing_hand(29, Side::left)), 1e-5F);
}

TEST(HandJson, CutOffADocumentOfAnyShapeIsReadToItsLastFrame) {
    std::string lists = "{\"left\": [";
    const nlohmann::json frames = nlohmann::json::parse(mediapipe_json(30));
    const auto add = [&lists](const nlohmann::json& frame) {
        lists += frame["multiHandWorldLandmarks"][0].dump() + ", ";
    };
    for (const nlohmann::json& frame : frames) add(frame);
    lists.replace(lists.size() - 2, 2, "], \"right\": [");
    for (const nlohmann::json& frame : frames) add(frame);
    lists.resize(lists.size() - 100);
    const std::string counted = counted_json(30);
    for (const std::string_view text :
         {std::string_view(counted).substr(0, counted.size() - 9),
          std::string_view(counted).substr(0, counted.size() - 200), std::string_view(lists)}) {
        const Recording recording = load(TemporaryFile(text).path());
        EXPECT_THAT(recording.samples.size(), testing::AnyOf(29U, 30U)) << text.substr(text.size() - 20);
        EXPECT_THAT(recording.notes, Contains(HasSubstr("The file is cut off")));
        EXPECT_TRUE(recording.samples[28][Side::right].active);
    }
}

TEST(Npy, ReadsJointsWithoutTime) {
    const std::string whole = npy_joints(30);
    const Recording recording = load(TemporaryFile(whole).path());
    EXPECT_EQ(recording.format, "npz");
    ASSERT_EQ(recording.samples.size(), 30U);
    EXPECT_EQ(recording.samples[3].time_ns, 100'000'000);
    EXPECT_LT(largest_apart_m(recording.samples[10][Side::left], closing_hand(10, Side::left)), 1e-6F)
        << "told by the bend of the fingers";
    const Recording cut = load(TemporaryFile(whole.substr(0, whole.size() / 2)).path());
    EXPECT_EQ(cut.samples.size(), 14U);
    EXPECT_THAT(cut.notes, Contains("The file is cut off; 14 samples before it were read."));
    std::string objects = whole;
    objects.replace(objects.find("<f8"), 3, "|O8");
    EXPECT_THAT(refusal(objects), HasSubstr("pickled"));
}

TEST(Npy, AHandOfZerosIsLost) {
    std::vector<float> values;
    for (const tracking::JointPose& joint : closing_hand(0, Side::left).joints)
        values.insert(values.end(), joint.position_m.begin(), joint.position_m.end());
    values.resize(2 * values.size());
    const Recording recording = load(TemporaryFile(npy_array("2, 26, 3", values)).path());
    ASSERT_EQ(recording.samples.size(), 2U);
    EXPECT_TRUE(recording.samples[0][Side::left].active);
    EXPECT_FALSE(recording.samples[1][Side::left].active);
}

TEST(Npy, PosesMayHaveTheQuaternionFirst) {
    std::vector<float> values;
    for (const tracking::JointPose& joint : closing_hand(5, Side::left).joints)
        values.insert(values.end(),
                      {0.6F, 0.0F, 0.8F, 0.0F, joint.position_m.x(), joint.position_m.y(), joint.position_m.z()});
    const Recording recording = load(TemporaryFile(npy_array("1, 26, 7", values), "left.npy").path());
    EXPECT_LT(largest_apart_m(recording.samples[0][Side::left], closing_hand(5, Side::left)), 1e-6F);
}

TEST(Hot3d, PosesTheWearersOwnBones) {
    const auto folder = std::filesystem::temp_directory_path() / ("glovebox_umetrack_" + std::to_string(::getpid()));
    std::filesystem::create_directory(folder);
    std::ofstream(folder / "umetrack_hand_user_profile.json") << umetrack_profile();
    std::ofstream(folder / "poses.jsonl") << umetrack_poses(3, 0.5);
    const Recording recording = load(folder / "poses.jsonl");
    std::filesystem::remove_all(folder);
    EXPECT_EQ(recording.format, "hot3d-umetrack");
    ASSERT_EQ(recording.samples.size(), 3U);
    // The tip is 40 mm beyond the joint at (120, 0, 20) mm; the right hand is mirrored in x.
    const Eigen::Vector3f tip(0.120F + 0.040F * std::cos(0.5F), -0.040F * std::sin(0.5F), 0.020F);
    const Eigen::Vector3f wrist(1.0F, 2.0F, 3.0F);
    EXPECT_LT((recording.samples[1][Side::left][Joint::index_tip].position_m - (wrist + tip)).norm(), 1e-5F);
    const Eigen::Vector3f mirrored(-tip.x(), tip.y(), tip.z());
    EXPECT_LT((recording.samples[1][Side::right][Joint::index_tip].position_m - (wrist + mirrored)).norm(), 1e-5F);
    EXPECT_THAT(refusal(umetrack_poses(3, 0.5)), HasSubstr("umetrack_hand_user_profile.json"));
}

HandFrame straight_hand(Side side, bool with_axes) {
    tracking::HandAngles flat;
    HandFrame hand = tracking::pose_from_angles(tracking::default_profile(), flat, Eigen::Isometry3f::Identity(), side);
    if (!with_axes)
        for (tracking::JointPose& joint : hand.joints)
            joint.flags = tracking::joint_flags::kPositionValid | tracking::joint_flags::kPositionTracked;
    return hand;
}

TEST(SideEvidence, StraightFingersAreToldByTheAxesOfThePalm) {
    for (const Side side : {Side::left, Side::right}) {
        tracking::ChiralityVote bend;
        bend.add(straight_hand(side, true));
        ASSERT_FALSE(bend.side().has_value()) << "or this tests nothing";
        tracking::SideEvidence evidence;
        evidence.add(straight_hand(side, true));
        EXPECT_EQ(evidence.verdict().side, side);
        EXPECT_GT(evidence.verdict().confidence, 0.99);
    }
}

TEST(SideEvidence, AllKindsAreTurnedRoundByAMirror) {
    for (const int i : {0, 20, 60})
        for (const bool axes : {false, true}) {
            HandFrame right = closing_hand(i, Side::right), left = closing_hand(i, Side::left);
            if (!axes)
                for (HandFrame* hand : {&right, &left})
                    for (tracking::JointPose& joint : hand->joints)
                        joint.flags = tracking::joint_flags::kPositionValid | tracking::joint_flags::kPositionTracked;
            tracking::SideEvidence of_right, of_left, of_both;
            of_right.add(right);
            of_left.add(left);
            of_both.add(left);
            of_both.add_other(right);
            EXPECT_EQ(of_right.verdict().side, Side::right);
            EXPECT_EQ(of_left.verdict().side, Side::left);
            EXPECT_EQ(of_both.verdict().side, Side::left);
            EXPECT_NEAR(of_right.verdict().confidence, of_left.verdict().confidence, 1e-3);
            EXPECT_GT(of_right.verdict().confidence, tracking::kSureOfSide);
        }
}

TEST(SideEvidence, ANameSaysASideByWholeWordsOnly) {
    for (const char* left : {"take_L.csv", "leftHand.bvh", "LH-01.npy", "bbt_L15.csv", "left.csv"})
        EXPECT_EQ(tracking::side_of_name(left), Side::left) << left;
    for (const char* right : {"rightHand.bvh", "CIIRC_R.csv", "right_hand.json"})
        EXPECT_EQ(tracking::side_of_name(right), Side::right) << right;
    for (const char* neither : {"hand.csv", "leap.json", "rlgrasp.csv", "left_and_right.csv", "calibration.txt"})
        EXPECT_FALSE(tracking::side_of_name(neither).has_value()) << neither;
}

TEST(SideEvidence, WhatIsToldIsSaidWithItsConfidence) {
    const Recording loaded = load(TemporaryFile(openxr_csv(30, Side::left)).path());
    ASSERT_TRUE(loaded.side_confidence.has_value());
    EXPECT_GT(*loaded.side_confidence, 0.99);
    EXPECT_THAT(loaded.notes, Contains(AllOf(HasSubstr("taken as left"), HasSubstr("axes of the palm left"))));
    const TemporaryFile named(cyberglove_text(22, 1.0F), "take_L.txt");
    EXPECT_TRUE(load(named.path()).has(Side::left));
    EXPECT_THAT(load(TemporaryFile(cyberglove_text(22, 1.0F)).path()).notes, Contains(HasSubstr("--hand left")));
}

TEST(SideEvidence, ANameAgainstTheShapeIsAFinding) {
    const std::string left = mediapipe_csv("landmark", 60);
    const Recording agreed = load(TemporaryFile(left, "take_left.csv").path());
    const Recording contradicted = load(TemporaryFile(left, "take_right.csv").path());
    EXPECT_TRUE(agreed.doubts.empty());
    EXPECT_GT(agreed.side_confidence.value_or(0.0), 0.9);
    EXPECT_TRUE(contradicted.has(Side::left)) << "the shape decides";
    EXPECT_LT(contradicted.side_confidence.value_or(1.0), 0.9);
    EXPECT_THAT(serious_findings(contradicted, diagnose(contradicted)),
                Contains(HasSubstr("The file's name says right, its shape left: try --axes unity")));
    ImportOptions options;
    options.only = Side::left;
    const TemporaryFile named(left, "take_right.csv");
    EXPECT_TRUE(load(named.path(), options).doubts.empty()) << "the user named the hand";
}

TEST(CyberGlove, ABareTableOfAnglesIsReadWithoutTime) {
    std::string text;
    for (int i = 0; i < 40; ++i) {
        for (int s = 0; s < 23; ++s) text += (s ? "," : "") + std::to_string(-0.02 * s - 0.01 * i);
        text += "\r";  // line ends of old Macintosh files
    }
    const Recording recording = load(TemporaryFile(text).path());
    EXPECT_EQ(recording.format, "cyberglove");
    EXPECT_EQ(recording.samples.size(), 40U);
    EXPECT_THAT(recording.notes, Contains(HasSubstr("60 a second")));
}

TEST(CyberGlove, RadiansAreNotCalibratedOnceMore) {
    const TemporaryFile file(cyberglove_text(22, 1.0F));
    ImportOptions options;
    auto user = std::make_shared<tracking::UserProfile>();
    (*user)[Side::right].sensors.assign(22, {2.0F, 0.0F});
    options.user = user;
    const Recording with = load(file.path(), options), without = load(file.path());
    EXPECT_THAT(with.notes, Contains(HasSubstr("radians already")));
    EXPECT_LT(largest_apart_m(with.samples[20][Side::right], without.samples[20][Side::right]), 1e-6F);
}

TEST(Refused, AssetsOfEnginesAreNotTakenForJson) {
    EXPECT_THAT(
        refusal("[gd_resource type=\"Resource\" script_class=\"HandPose\"]\n\n[ext_resource path=\"hand_pose.gd\"]\n"),
        HasSubstr("a resource of Godot"));
    EXPECT_THAT(refusal("%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n--- !u!74 &7400000\nAnimationClip:\n"),
                HasSubstr("an asset of Unity"));
}

TEST(Refused, SaysWhatTheFileIsAndWhatToDo) {
    const auto with = [](std::string_view start) { return std::string(start) + std::string(200, '\1'); };
    EXPECT_THAT(refusal(with("\x80\x04\x95")), HasSubstr("pickle"));
    EXPECT_THAT(refusal(with("Kaydara FBX Binary  ")), HasSubstr("BVH"));
    EXPECT_THAT(refusal(with("glTF")), HasSubstr("--scene"));
    EXPECT_THAT(refusal("object_uid,timestamp[ns],t_wo_x[m]\n1,2,3\n"), HasSubstr("umetrack_hand_pose_trajectory"));
    EXPECT_THAT(refusal("tracking_timestamp_us,left_tracking_confidence,tx_left_wrist_device\n1,2,3\n"),
                HasSubstr("no fingers"));
    EXPECT_THAT(refusal(with("version https://git-lfs.github.com/spec/v1\n")), HasSubstr("git lfs pull"));
    EXPECT_THAT(refusal("<!DOCTYPE html>\n<p>Not found</p>"), HasSubstr("a web page"));
    EXPECT_THAT(refusal(with("MATLAB 5.0 MAT-file, Platform")), HasSubstr("-v7.3"));
    EXPECT_THAT(refusal(with("VisionReData")), HasSubstr("hand_tracking_results.csv"));
    EXPECT_THAT(refusal("\xCD\xCC\xCC\x3D" + std::string(200, '\1')), HasSubstr("world landmarks"));
    EXPECT_THAT(refusal(with("PathFileType\t4\t(X/Y/Z)")), HasSubstr("C3D"));
    EXPECT_THAT(refusal(with("\x1A\x45\xDF\xA3 matroska")), HasSubstr("a video"));
    std::string tar(1024, '\0');
    tar.replace(0, 8, "take.csv");
    tar.replace(257, 5, "ustar");
    EXPECT_THAT(refusal(tar), HasSubstr("a tar archive; unpack it"));
    EXPECT_THAT(refusal(gzip(tar)), HasSubstr("a tar archive; unpack it")) << "packed as .tar.gz";
    tar += mediapipe_csv("named", 4);
    EXPECT_THAT(refusal(tar), HasSubstr("a tar archive; unpack it"));
    EXPECT_THAT(refusal(gzip(tar)), HasSubstr("a tar archive; unpack it"));
    EXPECT_THAT(refusal("{\n  \"hand_model\": {\n    \"dense_bone_weights\": []}}"), HasSubstr("the wearer's hand"));
    EXPECT_THAT(refusal("{\n  \"gt_available_status\": {}}"), HasSubstr("umetrack_hand_pose_trajectory"));
    EXPECT_THAT(refusal("{\"name\": 1}"), HasSubstr("this JSON names no hands"));
    EXPECT_THAT(refusal(with("PK\x03\x04" + std::string(26, '\0') + "xl/workbook.xml")),
                HasSubstr("save the table as CSV"));
    EXPECT_THAT(refusal("0.1,0.2,0.3,0.4,0.5,0.6,0.7,0.8,0.9,1,2,3,4,5,6,fist\n"), HasSubstr("has 15 numbers"));
    EXPECT_THAT(refusal("0.1 0.2 0.3 0.4 0.5 0.6 0.7 0.8 0.9 1 2 3 4 5 6\n"), HasSubstr("a table without names"));
    for (std::size_t length = 1; length < 16; ++length)  // found by mutations: the type is known only after byte 4
        EXPECT_THAT(refusal(std::string(length, 'f')), HasSubstr("not a recording"));
}

}  // namespace
}  // namespace glovebox::recordings
