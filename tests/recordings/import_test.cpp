#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "recordings/diff.h"
#include "recordings/format.h"
#include "recordings/writer.h"
#include "tests/recordings/files.h"
#include "tracking/hand_geometry.h"

namespace glovebox::recordings {
namespace {

using testing::Contains;
using testing::HasSubstr;
using tracking::HandFrame;
using tracking::Joint;
using tracking::Side;

void expect_same_positions(const HandFrame& read, const HandFrame& truth, float tolerance_m) {
    ASSERT_TRUE(read.active);
    for (std::size_t i = 0; i < tracking::kJointCount; ++i) {
        if (!truth.joints[i].position_valid()) continue;
        EXPECT_TRUE(read.joints[i].position_valid());
        EXPECT_LT((read.joints[i].position_m - truth.joints[i].position_m).norm(), tolerance_m)
            << name_of(static_cast<Joint>(i)) << " read " << read.joints[i].position_m.transpose() << " wanted "
            << truth.joints[i].position_m.transpose();
    }
}

TEST(OpenxrCsv, ReadsWhatWasWrittenAndTellsTheSideByTheBend) {
    for (const Side side : {Side::left, Side::right}) {
        const TemporaryFile file(openxr_csv(30, side));
        const Recording recording = load(file.path());
        EXPECT_EQ(recording.format, "openxr-csv");
        ASSERT_EQ(recording.samples.size(), 30U);
        EXPECT_EQ(recording.samples[7].time_ns, 140'000'000);
        EXPECT_EQ(recording.samples[7][side].times.device_ns, 5'140'000'000);
        EXPECT_FALSE(recording.has(side == Side::left ? Side::right : Side::left));
        for (int i = 0; i < 30; ++i) {
            const HandFrame& hand = recording.samples[static_cast<std::size_t>(i)][side];
            expect_same_positions(hand, closing_hand(i, side), 1e-6F);
            EXPECT_LT(
                hand[Joint::index_tip].orientation.angularDistance(closing_hand(i, side)[Joint::index_tip].orientation),
                1e-3F);
            EXPECT_EQ(hand[Joint::index_tip].flags, tracking::joint_flags::kAll);
            EXPECT_EQ(hand[Joint::index_tip].radius_m, 0.0F) << "the file has no radii";
        }
    }
}

TEST(OpenxrCsv, TheAskedSideWins) {
    const TemporaryFile file(openxr_csv(5, Side::left));
    ImportOptions options;
    options.side = Side::right;
    EXPECT_TRUE(load(file.path(), options).has(Side::right));
}

TEST(OpenxrCsv, KeepsGapsRepeatsAndNan) {
    std::string text = openxr_csv(4, Side::left);
    const std::size_t third = text.find("\n5040000000");
    text.replace(third + 1, 10, "5400000000");
    text.replace(text.find("5060000000"), 10, "5400000000");
    text.replace(text.find(',', third) + 1, 8, "nan     ");
    const TemporaryFile file(text);
    const Recording recording = load(file.path());
    ASSERT_EQ(recording.samples.size(), 4U);
    EXPECT_EQ(recording.samples[2].time_ns, 400'000'000);
    EXPECT_EQ(recording.samples[3].time_ns, 400'000'000);
    EXPECT_FALSE(recording.samples[2][Side::left][Joint::palm].position_m.allFinite()) << "the guard's to deal with";
}

std::string wrist_csv(std::int64_t start_ns) {
    std::string text =
        "#timestamp [ns],p_RS_R_x [m], p_RS_R_y [m], p_RS_R_z [m], q_RS_w [], q_RS_x [], q_RS_y [], q_RS_z []\n";
    for (int i = 0; i < 10; ++i)
        text += std::to_string(start_ns + 100'000'000 * i) + "," + std::to_string(0.1 * i) + ",1,0,1,0,0,0\n";
    return text;
}

TEST(OpenxrCsv, AWristFileBesideItMovesTheHand) {
    const TemporaryFile fingers(openxr_csv(30, Side::left));
    for (const std::int64_t start_ns : {5'000'000'000, 77'000'000'000}) {  // same clock, different clock
        const TemporaryFile wrist(wrist_csv(start_ns));
        ImportOptions options;
        options.wrist_path = wrist.path();
        const Recording recording = load(fingers.path(), options);
        const HandFrame& hand = recording.samples[10][Side::left];  // 0.2 s
        EXPECT_LT((hand[Joint::wrist].position_m - Eigen::Vector3f(0.2F, 1.0F, 0.0F)).norm(), 1e-5F);
        HandFrame truth = closing_hand(10, Side::left);
        for (auto& joint : truth.joints) joint.position_m += Eigen::Vector3f(0.2F, 1.0F, 0.0F);
        expect_same_positions(hand, truth, 1e-5F);
        const bool noted = !recording.notes.empty() && recording.notes[0].find("do not overlap") != std::string::npos;
        EXPECT_EQ(noted, start_ns != 5'000'000'000);
    }
}

TEST(OpenxrCsv, ARecordingOfTwoHandsGivesEachItsOwnWrist) {
    const TemporaryFile wrists("");
    {
        Output out(wrists.path());
        const SampleWriter writer = glovebox_csv_writer(out);
        for (int i = 0; i < 60; ++i) {
            tracking::HandPair sample;
            sample.time_ns = 10'000'000LL * i;
            for (const Side side : {Side::left, Side::right}) {
                sample[side] = closing_hand(0, side);
                // The left hand is seen later than the right.
                sample[side].active = side == Side::right || i >= 20;
                sample[side].times = {5'000'000'000 + sample.time_ns, sample.time_ns, sample.time_ns};
                for (auto& joint : sample[side].joints)
                    joint.position_m += Eigen::Vector3f(side == Side::left ? -1.0F : 1.0F, 0.01F * float(i), 0.0F);
            }
            writer.write(sample);
        }
        writer.finish();
        out.commit();
    }
    ImportOptions options;
    options.wrist_path = wrists.path();
    for (const Side side : {Side::left, Side::right}) {
        const TemporaryFile fingers(openxr_csv(30, side));
        const Recording recording = load(fingers.path(), options);
        const Eigen::Vector3f wrist_m = recording.samples[15][side][Joint::wrist].position_m;  // 0.3 s
        EXPECT_LT((wrist_m - Eigen::Vector3f(side == Side::left ? -1.0F : 1.0F, 0.3F, 0.0F)).norm(), 1e-5F)
            << name_of(side) << wrist_m.transpose();
        EXPECT_THAT(recording.notes, testing::Not(Contains(HasSubstr("do not overlap"))));
    }
}

TEST(OpenxrCsv, AWristAloneCarriesARestingHandThatIsNotTracked) {
    const TemporaryFile wrist(wrist_csv(0));
    const Recording recording = load(wrist.path());
    const HandFrame& hand = recording.samples[3][Side::right];
    EXPECT_NEAR(hand[Joint::wrist].position_m.x(), 0.3F, 1e-6F);
    EXPECT_EQ(hand[Joint::wrist].flags, tracking::joint_flags::kAll);
    EXPECT_EQ(hand[Joint::index_tip].flags & tracking::joint_flags::kPositionTracked, 0);
    EXPECT_NEAR(load_track(wrist.path()).at(250'000'000).translation().x(), 0.25F, 1e-6F);
}

TEST(HololensCsv, ReadsBothHandsThroughUnityAxesWithMissingJoints) {
    std::string text = hololens_csv(20);
    const TemporaryFile file(text);
    const Recording recording = load(file.path());
    EXPECT_EQ(recording.format, "hololens-csv");
    ASSERT_EQ(recording.samples.size(), 20U);
    EXPECT_EQ(recording.samples[13].time_ns, 1'300'000'000);
    EXPECT_FALSE(recording.has(Side::left));
    tracking::ChiralityVote vote;
    for (int i = 0; i < 20; ++i) {
        const HandFrame& hand = recording.samples[static_cast<std::size_t>(i)][Side::right];
        expect_same_positions(hand, closing_hand(i, Side::right), 2e-6F);
        EXPECT_TRUE(hand[Joint::ring_distal].orientation_valid());
        vote.add(hand);
    }
    EXPECT_EQ(vote.side(), Side::right);
}

TEST(HololensCsv, AZeroIsAMissingJointNotAPlace) {
    std::string text = hololens_csv(1);
    const std::size_t last = text.rfind("),0");
    text.replace(text.rfind(",(", last), last + 1 - text.rfind(",(", last), ",0");  // right PinkyTip
    const TemporaryFile file(text);
    const Recording recording = load(file.path());
    const HandFrame& hand = recording.samples[0][Side::right];
    EXPECT_FALSE(hand[Joint::little_tip].position_valid());
    EXPECT_TRUE(hand[Joint::little_distal].position_valid());
    EXPECT_EQ(tracking::valid_positions(hand).count(), 25U);
}

TEST(Bvh, ReadsEveryNamingSchemeAndChannelOrder) {
    for (const char* scheme : {"suit", "suit-inhand", "mixamo", "cmu", "engine", "hand-only", "daz", "smplx", "oculus",
                               "vrm", "rigify", "biped"})
        for (const char* order : {"XYZ", "YXZ", "ZXY", "ZYX"}) {
            SCOPED_TRACE(std::string(scheme) + " " + order);
            BvhRecipe recipe;
            recipe.scheme = scheme;
            recipe.order = order;
            const TemporaryFile file(bvh(recipe));
            const Recording recording = load(file.path());
            EXPECT_EQ(recording.format, "bvh");
            ASSERT_EQ(recording.samples.size(), 12U);
            EXPECT_EQ(recording.samples[3].time_ns, 30'000'000);
            EXPECT_FALSE(recording.has(Side::left));
            for (int i = 0; i < 12; ++i) {
                const HandFrame& hand = recording.samples[static_cast<std::size_t>(i)][Side::right];
                expect_same_positions(hand, bvh_hand(recipe, i), 2e-6F);
                EXPECT_EQ(tracking::valid_positions(hand).count(), 26U) << "what is missing is placed";
                for (const auto& joint : hand.joints) EXPECT_TRUE(joint.orientation_valid());
            }
        }
}

TEST(Bvh, InchesAreKnownByTheSizeOfTheHand) {
    for (const float unit_m : {0.0254F, 0.001F, 0.1F}) {
        BvhRecipe recipe;
        recipe.unit_m = unit_m;
        const Recording recording = load(TemporaryFile(bvh(recipe)).path());
        EXPECT_FLOAT_EQ(recording.unit_m, unit_m);
        expect_same_positions(recording.samples[5][Side::right], bvh_hand(recipe, 5), 2e-6F);
    }
}

TEST(Bvh, NamesMayHaveBlanksInThem) {
    const std::string text = bvh({});
    const TemporaryFile plain(text);
    for (const std::string root : {"ROOT Left Arm Of Someone\n{\n", "ROOT Left Arm Of Someone {\n"}) {
        std::string named = text;
        named.replace(named.find("ROOT"), 4, root + "OFFSET 0 0 0\nCHANNELS 0\nJOINT");
        named.insert(named.find("MOTION"), "}\n");
        const TemporaryFile file(named);
        const auto difference = first_difference(load(file.path()), load(plain.path()));
        EXPECT_FALSE(difference) << difference->what;
    }
}

// Fingers of two joints end at the tip; the thumb's first joint is at the wrist, its last bone too has no joint.
TEST(Bvh, FingersMayHaveTwoJoints) {
    constexpr std::array kFingers = {"Thumb", "Index", "Middle", "Ring", "Pinky"};
    std::ostringstream text;
    text << "HIERARCHY\nROOT RightHand\n{\nOFFSET 0 0 0\nCHANNELS 3 Xposition Yposition Zposition\n";
    for (std::size_t f = 0; f < kFingers.size(); ++f)
        text << "JOINT RightHand" << kFingers[f] << "1\n{\nOFFSET " << f << " 0 -9\nCHANNELS 0\nJOINT RightHand"
             << kFingers[f] << "2\n{\nOFFSET 0 0 -4\nCHANNELS 0\nEnd Site\n{\nOFFSET 0 -3 -4\n}\n}\n}\n";
    text << "}\nMOTION\nFrames: 2\nFrame Time: 0.01\n0 0 0\n1 0 0\n";
    const Recording recording = load(TemporaryFile(text.str()).path());
    const HandFrame& hand = recording.samples[1][Side::right];
    EXPECT_EQ(tracking::valid_positions(hand).count(), 26U);
    const auto expect_at = [&hand](Joint joint, const Eigen::Vector3f& at_cm) {
        EXPECT_LT((100.0F * hand[joint].position_m - at_cm).norm(), 1e-4F) << name_of(joint);
    };
    expect_at(Joint::index_intermediate, {2.0F, 0.0F, -13.0F});
    expect_at(Joint::index_distal, {2.0F, -0.54F * 3.0F, -13.0F - 0.54F * 4.0F});
    expect_at(Joint::index_tip, {2.0F, -3.0F, -17.0F});
    expect_at(Joint::thumb_tip, {1.0F, -3.0F, -17.0F});
    EXPECT_EQ(hand[Joint::index_distal].flags & tracking::joint_flags::kPositionTracked, 0);
    EXPECT_THAT(recording.notes, testing::Contains(testing::HasSubstr("one joint less than usual")));
}

TEST(Bvh, ReadsTheNamesOfUnitysHumanoids) {
    std::ostringstream text;
    text << "HIERARCHY\nROOT LeftHand\n{\nOFFSET 0 0 0\nCHANNELS 3 Xposition Yposition Zposition\n";
    constexpr std::array kFingers = {"Thumb", "Index", "Middle", "Ring", "Little"};
    for (std::size_t f = 0; f < kFingers.size(); ++f)
        text << "JOINT Left" << kFingers[f] << "Proximal\n{\nOFFSET " << f << " 0 -9\nCHANNELS 0\nJOINT Left"
             << kFingers[f] << "Intermediate\n{\nOFFSET 0 0 -4\nCHANNELS 0\nJOINT Left" << kFingers[f]
             << "Distal\n{\nOFFSET 0 0 -3\nCHANNELS 0\nEnd Site\n{\nOFFSET 0 0 -2\n}\n}\n}\n}\n";
    text << "}\nMOTION\nFrames: 1\nFrame Time: 0.01\n0 0 0\n";
    const Recording recording = load(TemporaryFile(text.str()).path());
    const HandFrame& hand = recording.samples[0][Side::left];
    const auto z_cm = [&hand](Joint joint) { return 100.0F * hand[joint].position_m.z(); };
    EXPECT_NEAR(z_cm(Joint::thumb_metacarpal), -9.0F, 1e-4F);
    EXPECT_NEAR(z_cm(Joint::thumb_proximal), -13.0F, 1e-4F);
    EXPECT_NEAR(z_cm(Joint::thumb_distal), -16.0F, 1e-4F);
    EXPECT_NEAR(z_cm(Joint::index_proximal), -9.0F, 1e-4F);
    EXPECT_NEAR(z_cm(Joint::index_intermediate), -13.0F, 1e-4F);
}

TEST(Bvh, GuessesTheUnitFromTheHandAndTakesAGivenOne) {
    for (const float unit_m : {1.0F, 0.1F, 0.01F, 0.001F}) {
        BvhRecipe recipe;
        recipe.unit_m = unit_m;
        const TemporaryFile file(bvh(recipe));
        const Recording guessed = load(file.path());
        EXPECT_FLOAT_EQ(guessed.unit_m, unit_m);
        expect_same_positions(guessed.samples[5][Side::right], bvh_hand(recipe, 5), 1e-5F);
        ImportOptions options;
        options.unit_m = 2.0F * unit_m;
        EXPECT_NEAR(load(file.path(), options).samples[5][Side::right][Joint::index_tip].position_m.norm(),
                    2.0F * guessed.samples[5][Side::right][Joint::index_tip].position_m.norm(), 1e-5F);
    }
}

TEST(Import, AHandOf26CentimetresIsReported) {
    for (const float scale : {1.0F, 1.4F, 0.5F}) {
        std::string text = openxr_csv(1, Side::right).substr(0, openxr_csv(0, Side::right).size()) + "5000000000";
        for (const tracking::JointPose& joint : closing_hand(0, Side::right).joints) {
            const Eigen::Vector3f p = scale * joint.position_m;
            text +=
                "," + std::to_string(p.x()) + "," + std::to_string(p.y()) + "," + std::to_string(p.z()) + ",1,0,0,0";
        }
        const auto notes = load(TemporaryFile(text + "\n").path()).notes;
        const bool noted = std::ranges::any_of(
            notes, [](const std::string& note) { return note.find("check the unit") != std::string::npos; });
        EXPECT_EQ(noted, scale != 1.0F) << scale;
    }
}

TEST(Bvh, TipsThatTheFileLacksGetTheLengthsGiven) {
    BvhRecipe recipe;
    recipe.scheme = "hand-only";
    recipe.tips = false;
    const TemporaryFile file(bvh(recipe));
    const auto tip_length_m = [](const Recording& recording, std::size_t tip) {
        const HandFrame& hand = recording.samples[4][Side::right];
        return (hand.joints[tip].position_m - hand.joints[tip - 1].position_m).norm();
    };
    const Recording by_rule = load(file.path());
    const auto& lengths_m = tracking::default_profile().length_to_parent_m;
    EXPECT_NEAR(tip_length_m(by_rule, 10), 0.7F * lengths_m[9], 1e-5F);
    ImportOptions options;
    options.tip_length_m = {0.024F, 0.021F, 0.0F, 0.0F, 0.0F};
    const Recording given = load(file.path(), options);
    EXPECT_NEAR(tip_length_m(given, 5), 0.024F, 1e-5F);
    EXPECT_NEAR(tip_length_m(given, 10), 0.021F, 1e-5F);
    EXPECT_NEAR(tip_length_m(given, 15), 0.7F * lengths_m[14], 1e-5F);
    const HandFrame& hand = given.samples[4][Side::right];
    EXPECT_EQ(hand[Joint::index_tip].flags & tracking::joint_flags::kPositionTracked, 0);
    EXPECT_LT((hand[Joint::index_tip].position_m - bvh_hand(recipe, 4)[Joint::index_tip].position_m).norm(), 0.002F);
}

TEST(Bvh, AnObjectIsATrackAndNotAHand) {
    const TemporaryFile file(
        "HIERARCHY\nROOT cup\n{\n OFFSET 0 0 0\n CHANNELS 6 Xposition Yposition Zposition Yrotation Xrotation "
        "Zrotation\n End Site\n {\n OFFSET 0 0 0\n }\n}\nMOTION\nFrames: 2\nFrame Time: 0.5\n1 2 3 90 0 0\n1 2 4 0 0 "
        "0\n");
    ImportOptions options;
    options.unit_m = 0.1F;
    const tracking::RigidTrack track = load_track(file.path(), options);
    EXPECT_EQ(track.name, "cup");
    EXPECT_TRUE(track.at(0).translation().isApprox(Eigen::Vector3f(0.1F, 0.2F, 0.3F)));
    EXPECT_TRUE((track.at(0).linear() * Eigen::Vector3f::UnitZ()).isApprox(Eigen::Vector3f::UnitX(), 1e-5F));
    EXPECT_NEAR(track.at(250'000'000).translation().z(), 0.35F, 1e-6F);
    EXPECT_THROW(load(file.path()), ImportError);
}

// The particular properties of a sample.
struct SampleFacts {
    std::string_view name;
    double duration_s;
    bool gap, two_hands;
    float into_table_m;  // how far joints may be below y = 0, the table's top in all these scenes
};
constexpr float kJitter_m = 0.002F;   // hands that do not press: tracker noise and fingers that graze the table
constexpr float kFeeling_m = 0.004F;  // fingers that feel a surface also press 1 mm into it
constexpr std::array kFacts = {
    SampleFacts{"flick", 8.0, true, false, kJitter_m},     SampleFacts{"grasp", 8.0, true, false, kJitter_m},
    SampleFacts{"type", 8.16, true, false, kJitter_m},     SampleFacts{"lift", 9.64, false, false, kJitter_m},
    SampleFacts{"insert", 10.14, false, false, kJitter_m}, SampleFacts{"turn", 10.29, false, false, kJitter_m},
    SampleFacts{"explore", 8.64, true, false, kFeeling_m}, SampleFacts{"stroke", 6.70, true, false, kFeeling_m},
    SampleFacts{"carry", 8.0, false, true, kJitter_m},     SampleFacts{"fetch", 10.2, false, false, kJitter_m},
};

void expect_whole(const HandFrame& hand, const HandFrame& again, float into_table_m) {
    EXPECT_EQ(hand.source, tracking::Source::synthetic);
    EXPECT_EQ(tracking::valid_positions(hand).count(), 26U);
    for (std::size_t i = 0; i < tracking::kJointCount; ++i) {
        EXPECT_EQ(hand.joints[i].position_m, again.joints[i].position_m);
        EXPECT_GT(hand.joints[i].position_m.y(), hand.joints[i].radius_m - into_table_m) << "in the table: " << i;
    }
}

TEST(Samples, AreWholeSyntheticHandsAndTheSameEveryTime) {
    ASSERT_EQ(sample_table().size(), kFacts.size());
    for (std::size_t row = 0; row < kFacts.size(); ++row) {
        const SampleFacts& facts = kFacts[row];
        SCOPED_TRACE(facts.name);
        ASSERT_EQ(sample_table()[row].name, facts.name);
        const Recording recording = sample_table()[row].make();
        EXPECT_NEAR(recording.duration_s(), facts.duration_s, 0.02);
        EXPECT_NEAR(recording.rate_hz(), 90.0, 2.0);
        if (facts.gap)
            EXPECT_GT(recording.longest_gap_s(), 0.15);
        else
            EXPECT_LT(recording.longest_gap_s(), 0.02);
        EXPECT_THAT(recording.notes, Contains(HasSubstr("Synthetic")));
        const Recording again = sample_table()[row].make();
        ASSERT_EQ(again.samples.size(), recording.samples.size());
        std::int64_t last_ns = -1;
        for (std::size_t i = 0; i < recording.samples.size(); ++i) {
            SCOPED_TRACE(i);
            const tracking::HandPair& hands = recording.samples[i];
            EXPECT_GT(hands.time_ns, last_ns);
            last_ns = hands.time_ns;
            EXPECT_EQ(hands.time_ns, again.samples[i].time_ns);
            EXPECT_EQ(hands[Side::left].active, facts.two_hands);
            EXPECT_TRUE(hands[Side::right].active);
            expect_whole(hands[Side::right], again.samples[i][Side::right], facts.into_table_m);
            if (facts.two_hands) expect_whole(hands[Side::left], again.samples[i][Side::left], facts.into_table_m);
        }
    }
}

}  // namespace
}  // namespace glovebox::recordings
