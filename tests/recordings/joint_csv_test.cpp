// Tables with columns for each joint: Rokoko's, and the spellings of own scripts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <sstream>

#include "recordings/formats/joint_names.h"
#include "tests/recordings/more_files.h"

namespace glovebox::recordings {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

bool is_tracked(const tracking::JointPose& joint) {
    return (joint.flags & tracking::joint_flags::kPositionTracked) != 0;
}

struct TableRecipe {
    std::function<std::string(const std::string& joint, char axis)> column;
    std::string first = "time";  // header before the joints
    std::function<std::string(int)> cell = [](int i) { return std::to_string(0.02 * i); };
    float scale = 1.0F;  // units per metre
    bool left_handed = false;
    int frames = 8;
};

const TableRecipe kPlain = {[](const std::string& joint, char axis) { return joint + "_position_" + axis; }};

// Writes a right hand with 16 joints.
std::string table(const TableRecipe& recipe) {
    constexpr std::array kFingers = {"Thumb", "Index", "Middle", "Ring", "Pinky"};
    std::vector<std::pair<std::string, std::size_t>> joints = {{"RightHand", 1}};
    for (std::size_t f = 0; f < 5; ++f)
        for (std::size_t b = 1; b <= 3; ++b)
            joints.emplace_back(std::string("RightHand") + kFingers[f] + std::to_string(b),
                                f == 0 ? 1 + b : 1 + 5 * f + b);
    std::ostringstream text;
    text << std::setprecision(9) << recipe.first;
    for (const auto& [name, joint] : joints)
        for (const char axis : {'x', 'y', 'z'}) text << "," << recipe.column(name, axis);
    text << "\n";
    for (int i = 0; i < recipe.frames; ++i) {
        text << recipe.cell(i);
        for (const auto& [name, joint] : joints) {
            const Eigen::Vector3f p = recipe.scale * closing_hand(i, Side::right).joints[joint].position_m;
            text << "," << p.x() << "," << p.y() << "," << (recipe.left_handed ? -p.z() : p.z());
        }
        text << "\n";
    }
    return text.str();
}

void expect_right_hand(const std::string& text, float unit_m) {
    const Recording recording = load(TemporaryFile(text).path());
    EXPECT_EQ(recording.format, "joint-csv");
    EXPECT_FLOAT_EQ(recording.unit_m, unit_m);
    EXPECT_FALSE(recording.has(Side::left));
    ASSERT_EQ(recording.samples.size(), 8U);
    for (int i = 0; i < 8; ++i) {
        const HandFrame& hand = recording.samples[static_cast<std::size_t>(i)][Side::right];
        const HandFrame truth = closing_hand(i, Side::right);
        int tracked = 0;
        for (std::size_t j = 0; j < tracking::kJointCount; ++j) {
            EXPECT_TRUE(hand.joints[j].position_valid());
            if (!is_tracked(hand.joints[j])) continue;
            ++tracked;
            EXPECT_LT((hand.joints[j].position_m - truth.joints[j].position_m).norm(), 1e-7F) << i << " " << j;
        }
        EXPECT_EQ(tracked, 16);
    }
}

TEST(JointCsv, ReadsBothHandsOfRokokoExactly) {
    const Recording recording = load(TemporaryFile(rokoko_csv(12)).path());
    EXPECT_EQ(recording.format, "joint-csv");
    EXPECT_FLOAT_EQ(recording.unit_m, 1.0F);
    EXPECT_THAT(recording.notes, AllOf(Contains(HasSubstr("taken as milliseconds")), Contains(HasSubstr("left-handed")),
                                       Contains(HasSubstr("Fingertips were added"))));
    EXPECT_THAT(recording.notes, Not(Contains(HasSubstr("Unit guessed")))) << "Rokoko's unit is known";
    ASSERT_EQ(recording.samples.size(), 12U);
    EXPECT_EQ(recording.samples[7].time_ns, 70'000'000);
    for (int i = 0; i < 12; ++i)
        for (const Side side : {Side::left, Side::right}) {
            const HandFrame& hand = recording.samples[static_cast<std::size_t>(i)][side];
            const HandFrame truth = hand_apart(i, side);
            int tracked = 0;
            for (std::size_t j = 0; j < tracking::kJointCount; ++j) {
                if (!is_tracked(hand.joints[j])) continue;
                ++tracked;
                EXPECT_EQ(hand.joints[j].position_m, truth.joints[j].position_m) << i << " " << j;
            }
            EXPECT_EQ(tracked, 20) << "all but palm and fingertips";
        }
    for (const int frames : {12, 400}) {  // cut before and after unit and axes are decided
        std::string text = rokoko_csv(frames);
        const Recording cut = load(TemporaryFile(text.substr(0, text.size() - 20)).path());
        ASSERT_EQ(cut.samples.size(), static_cast<std::size_t>(frames) - 1);
        EXPECT_EQ(cut.samples.back().time_ns, 10'000'000LL * (frames - 2));
        EXPECT_THAT(cut.notes, Contains(HasSubstr("The file is cut off in row " + std::to_string(frames + 1))));
    }
}

TEST(JointCsv, ReadsEverySpellingOfAColumn) {
    TableRecipe recipe = kPlain;
    expect_right_hand(table(recipe), 1.0F);
    recipe.column = [](const std::string& joint, char axis) {
        return joint + ".pos" + static_cast<char>(axis - 'x' + 'X');
    };
    recipe.scale = 100.0F;
    expect_right_hand(table(recipe), 0.01F);
    recipe.column = [](const std::string& joint, char axis) {  // "Right Hand Index 1 Tx"
        std::string spaced;
        for (const char c : joint)
            spaced.append(spaced.empty() || std::islower(static_cast<unsigned char>(c)) ? "" : " ").append(1, c);
        return spaced + " T" + axis;
    };
    recipe.scale = 1000.0F;
    expect_right_hand(table(recipe), 0.001F);
    recipe.column = [](const std::string& joint, char axis) {
        return "\"Anna:" + joint + ":Position:" + static_cast<char>(axis - 'x' + 'X') + " (mm)\"";
    };
    expect_right_hand(table(recipe), 0.001F);
    recipe.column = [](const std::string& joint, char axis) { return "mixamorig:" + joint + "." + axis; };
    expect_right_hand(table(recipe), 0.001F);
    std::string semicolons = table(kPlain);
    std::replace(semicolons.begin(), semicolons.end(), ',', ';');
    std::replace(semicolons.begin(), semicolons.end(), '.', ',');
    expect_right_hand(semicolons, 1.0F);
}

TEST(JointCsv, ReadsWhatSpreadsheetsAndOtherProgramsWrite) {
    const std::string plain = table(kPlain);
    expect_right_hand("# recorded by a glove\n#\n" + plain, 1.0F);
    expect_right_hand("sep=,\n" + plain, 1.0F);
    std::string quoted, semicolons;
    for (const char c : plain) {
        quoted += c == ',' ? "\",\"" : c == '\n' ? "\"\n\"" : std::string(1, c);
        semicolons += c == ',' ? ';' : c == '.' ? ',' : c;
    }
    quoted.pop_back();
    expect_right_hand("\"" + quoted, 1.0F);
    expect_right_hand("sep=;\n" + semicolons, 1.0F);
}

TEST(JointCsv, AWordForAMissingValueIsALostJoint) {
    for (const char* word : {"NULL", "None", "N/A", "NaN", "-"}) {
        std::string text = table(kPlain);
        const std::size_t row = text.find("\n0.140000,") + 1;
        const std::size_t wrist = row + std::string("0.140000,").size();
        text.replace(wrist, text.find(',', wrist) - wrist, word);
        const Recording recording = load(TemporaryFile(text).path());
        const HandFrame& hand = recording.samples[7][Side::right];
        EXPECT_FALSE(is_tracked(hand[Joint::wrist])) << word;
        EXPECT_TRUE(is_tracked(hand[Joint::index_proximal])) << word;
    }
}

TEST(JointCsv, NamesTheRowWhoseTimeGoesBack) {
    TableRecipe recipe = kPlain;
    recipe.cell = [](int i) { return std::to_string(i == 4 ? 0.01 : 0.02 * i); };
    EXPECT_THAT(refusal(table(recipe)), HasSubstr(":6: time goes back"));
}

TEST(JointCsv, TakesTheTimeFromItsColumnOrTheFrames) {
    const auto time_of_last = [](const std::string& first, const std::function<std::string(int)>& cell) {
        TableRecipe recipe = kPlain;
        recipe.first = first;
        recipe.cell = cell;
        return load(TemporaryFile(table(recipe)).path()).samples[7].time_ns;
    };
    EXPECT_EQ(time_of_last("Timestamp", [](int i) { return std::to_string(8 * i); }), 56'000'000);
    EXPECT_EQ(
        time_of_last("Frame,Time (Seconds)", [](int i) { return std::to_string(i) + "," + std::to_string(0.25 * i); }),
        1'750'000'000);
    EXPECT_EQ(time_of_last("frame", [](int i) { return std::to_string(90 + 3 * i); }), 700'000'000);
    for (const char* name : {"unix_timestamp_ms", "systemTime", "Elapsed_Time_In_Milliseconds", "utc_ts_ms", "ms"})
        EXPECT_EQ(time_of_last(name, [](int i) { return std::to_string(20 * i); }), 140'000'000) << name;
    EXPECT_EQ(time_of_last("frame_timestamp", [](int i) { return "10:28:0" + std::to_string(i); }), 7'000'000'000);
    EXPECT_EQ(time_of_last("reaction_time", [](int i) { return std::to_string(20 * i); }), 233'333'333);
    EXPECT_EQ(time_of_last("frame_time", [](int) { return "20"; }), 233'333'333) << "the length of a frame";
    EXPECT_EQ(time_of_last("note", [](int) { return "x"; }), 233'333'333);
    EXPECT_NEAR(static_cast<double>(
                    time_of_last("time", [](int i) { return "2026-03-01 10:00:0" + std::to_string(i) + ".500"; })),
                7e9, 1e3);
}

TEST(JointCsv, TheShapeOfANamedHandSaysWhetherItsAxesAreLeftHanded) {
    TableRecipe recipe = kPlain;
    recipe.left_handed = true;
    expect_right_hand(table(recipe), 1.0F);
    const TemporaryFile file(table(recipe));
    EXPECT_THAT(load(file.path()).notes, Contains(HasSubstr("left-handed")));
    EXPECT_THAT(load(TemporaryFile(table(kPlain)).path()).notes, Not(Contains(HasSubstr("left-handed"))));
    std::string late = table(recipe);  // the hand comes after 5 seconds
    std::string lost;
    for (int i = 0; i < 500; ++i) lost += std::to_string(0.01 * (i - 500)) + std::string(48, ',') + "\n";
    late.insert(late.find('\n') + 1, lost);
    const Recording waited = load(TemporaryFile(late).path());
    ASSERT_EQ(waited.samples.size(), 508U);
    EXPECT_THAT(waited.notes, Contains(HasSubstr("left-handed")));
    ImportOptions options;
    options.axes = *tracking::find_axes("unity");
    const Recording turned = load(file.path(), options);
    EXPECT_THAT(turned.notes, Not(Contains(HasSubstr("left-handed")))) << "the user's axes are used";
    EXPECT_LT((turned.samples[3][Side::right][Joint::ring_distal].position_m -
               closing_hand(3, Side::right)[Joint::ring_distal].position_m)
                  .norm(),
              1e-6F);
}

TEST(JointCsv, OfAHandWithoutASideTheShapeSaysWhichItIs) {
    TableRecipe recipe;
    recipe.column = [](const std::string& joint, char axis) {  // IndexProximal.x
        if (joint == "RightHand") return std::string("Wrist.") + axis;
        constexpr std::array kBones = {"Metacarpal.", "Proximal.", "Intermediate.", "Distal."};
        const std::string finger = joint.substr(9, joint.size() - 10);
        const int bone = joint.back() - '0' - (finger == "Thumb" ? 1 : 0);
        return finger + (finger == "Thumb" && bone == 2 ? "Distal." : kBones[static_cast<std::size_t>(bone)]) + axis;
    };
    recipe.first = "time,LeftHand.x,LeftHand.y,LeftHand.z";  // one joint is no hand
    recipe.cell = [](int i) { return std::to_string(0.02 * i) + ",1,2,3"; };
    const std::string text = table(recipe);
    EXPECT_THAT(load(TemporaryFile(text).path()).notes,
                Contains(HasSubstr("does not say which hand it is; taken as right")));
    expect_right_hand(text, 1.0F);
}

TEST(JointCsv, ALostHandIsEmptyOrAtOnePoint) {
    std::istringstream lines(table(kPlain));
    std::string text;
    int row = 0;
    for (std::string line; std::getline(lines, line); ++row) {
        if (row == 3) line = "0.04" + std::string(48, ',');
        if (row == 5) {
            line = "0.08";
            for (int k = 0; k < 48; ++k) line += ",0";
        }
        text += line + "\n";
    }
    const Recording recording = load(TemporaryFile(text).path());
    ASSERT_EQ(recording.samples.size(), 8U);
    for (std::size_t i = 0; i < 8; ++i) EXPECT_EQ(recording.samples[i][Side::right].active, i != 2 && i != 4) << i;
    const std::string header = text.substr(0, text.find('\n') + 1);
    EXPECT_THAT(refusal(header + "0" + std::string(48, ',') + "\n1" + std::string(48, ',') + "\n"),
                HasSubstr(":2: no row has a hand"));
    EXPECT_THAT(refusal(header), HasSubstr("ends before its first"));
}

TEST(JointCsv, BadRowsAreNamed) {
    const std::string whole = table(kPlain);
    const auto with = [&whole](const std::string& what, const std::string& instead) {
        std::string text = whole;
        return refusal(text.replace(text.find(what), what.size(), instead), "table.csv");
    };
    EXPECT_THAT(with("\n0.060000,", "\n0.060000,rubbish"), HasSubstr("table.csv:5: column 2 is"));
    EXPECT_THAT(with("\n0.060000,", "\n0.060000,1,"), HasSubstr("table.csv:5: the row has more than 49 columns"));
    EXPECT_THAT(with("\n0.060000,", "\n0.060000\n"), HasSubstr("table.csv:5: the row ends after 1 of 49 columns"));
    EXPECT_THAT(with("\n0.060000,", "\nsoon,"), HasSubstr("table.csv:5: column 1 is"));
    EXPECT_THAT(with("\n0.060000,", "\n0.01,"), HasSubstr("time goes back"));
    EXPECT_THAT(with("\n0.060000,", "\n1e300,"), HasSubstr("out of range"));
}

TEST(JointCsv, TablesWithoutPositionsOfAHandAreRefused) {
    std::string angles = "Timestamp,RightHand_position_x,RightHand_position_y,RightHand_position_z";
    for (int digit = 1; digit <= 5; ++digit)
        for (const char* angle : {"_flexion", "_ulnarDeviation", "_pronation"})
            angles += ",RightDigit" + std::to_string(digit) + "Metacarpophalangeal" + angle;
    EXPECT_THAT(refusal(angles + "\n0,1,2,3\n"), AllOf(HasSubstr("15 columns with angles of fingers"),
                                                       HasSubstr("RightDigit1Metacarpophalangeal_flexion"),
                                                       HasSubstr("positions of 1 joint"), HasSubstr("FBX or BVH")));
    std::string rotations = "frame";
    for (const char* finger : {"thumb", "index", "middle", "ring", "pinky"})
        for (const char* bone : {"_01_l", "_02_l", "_03_l"})
            for (const char* axis : {".rx", ".ry", ".rz"}) rotations += std::string(",") + finger + bone + axis;
    EXPECT_THAT(refusal(rotations + "\n0\n"), AllOf(HasSubstr("45 columns with angles"), HasSubstr("0 joints")));
    std::string no_wrist = table(kPlain);
    for (std::size_t at = no_wrist.find("RightHand_"); at != std::string::npos; at = no_wrist.find("RightHand_", at))
        no_wrist.replace(at, 10, "RightArm1_");
    EXPECT_THAT(refusal(no_wrist), HasSubstr("15 joints of a hand, without the wrist"));
    EXPECT_THAT(refusal("a,b,c,d,e,f,g,h,i,j,k,l\n1,2,3,4,5,6,7,8,9,10,11,12\n"), HasSubstr("any known format"));
}

TEST(JointNames, KnowTheBonesOfOculus) {
    const auto is = [](const char* name, Joint joint) {
        const auto named = joint_of_track_name(name);
        return named && named->side == Side::right && named->joint == joint;
    };
    EXPECT_TRUE(is("Right_Hand_WristRoot", Joint::wrist));
    EXPECT_TRUE(is("Right_Hand_Thumb1", Joint::thumb_metacarpal));
    EXPECT_TRUE(is("R_Hand_Thumb3", Joint::thumb_distal));
    EXPECT_TRUE(is("Right_Hand_Index1", Joint::index_proximal));
    EXPECT_TRUE(is("Right_Hand_Pinky0", Joint::little_metacarpal));
    EXPECT_TRUE(is("Right_XRHand_IndexTip", Joint::index_tip));
    EXPECT_FALSE(joint_of_track_name("Right_Hand_Thumb0")) << "the trapezium";
}

TEST(JointNames, KnowTheSegmentsOfRokokosTables) {
    const auto expect = [](std::string_view name, Joint joint) {
        const auto named = joint_of_track_name(name);
        ASSERT_TRUE(named) << name;
        EXPECT_EQ(named->joint, joint) << name;
        EXPECT_EQ(named->side, Side::left) << name;
    };
    expect("LeftDigit1MetaCarpal", Joint::thumb_metacarpal);
    expect("LeftDigit1ProximalPhalangx", Joint::thumb_proximal);
    expect("LeftDigit1DistalPhalanx", Joint::thumb_distal);
    expect("LeftDigit2MetaCarpal", Joint::index_metacarpal);
    expect("LeftDigit5IntermediatePhalanx", Joint::little_intermediate);
    expect("LeftFinger3Medial", Joint::middle_intermediate);
    EXPECT_FALSE(joint_of_track_name("LeftDigit1IntermediatePhalanx")) << "a thumb has none";
    EXPECT_FALSE(joint_of_track_name("LeftDigit2Metacarpophalangeal")) << "an angle";
}

}  // namespace
}  // namespace glovebox::recordings
