// Tables with columns for each joint: Rokoko's, and the spellings of own scripts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <sstream>

#include "recordings/formats/joint_names.h"
#include "recordings/parse.h"
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

// Unity and VRM 0 call a thumb's joints Proximal, Intermediate, Distal; Rokoko's plugins call the second Medial.
TEST(JointCsv, RotatorsSayThatTheAxesMayBeUnreals) {
    TableRecipe recipe = kPlain;
    for (const char* finger : {"Thumb", "Index", "Middle", "Ring", "Pinky"})
        for (const char* bone : {"1", "2", "3"})
            recipe.first = recipe.first + ",RightHand" + finger + bone + "_Rotation_Pitch";
    const auto cell = recipe.cell;
    recipe.cell = [cell](int i) {
        std::string cells = cell(i);
        for (int k = 0; k < 15; ++k) cells += ",1.5";
        return cells;
    };
    expect_right_hand(table(recipe), 1.0F);
    const TemporaryFile file(table(recipe));
    EXPECT_THAT(load(file.path()).notes, Contains(HasSubstr("give --axes unreal")));
    ImportOptions options;
    options.axes = *tracking::find_axes("unreal");
    EXPECT_THAT(load(file.path(), options).notes, Not(Contains(HasSubstr("Unreal's"))));
    EXPECT_THAT(load(TemporaryFile(table(kPlain)).path()).notes, Not(Contains(HasSubstr("Unreal's"))));
}

TEST(JointCsv, TheFirstOfThreeJointsOfAThumbIsItsMetacarpal) {
    for (const std::string middle : {"Intermediate", "Medial"}) {
        TableRecipe recipe = kPlain;
        recipe.column = [&middle](std::string joint, char axis) {
            const std::string bone =
                std::array<std::string, 3>{
                    "Proximal", middle,
                    "Distal"}[joint.back() >= '1' && joint.back() <= '3' ? static_cast<std::size_t>(joint.back() - '1')
                                                                         : 0];
            if (joint != "RightHand") joint = "right" + joint.substr(9, joint.size() - 10) + bone;
            return joint + "_position" + static_cast<char>(axis - 'x' + 'X');
        };
        expect_right_hand(table(recipe), 1.0F);
    }
}

// Writes a row for each hand. `cells` are the cells of left and right.
std::string rows_of_hands(const std::array<const char*, 2>& cells) {
    std::ostringstream text;
    text << "time,hand";
    for (std::size_t j = 1; j < tracking::kJointCount; ++j)
        for (const char axis : {'x', 'y', 'z'}) text << "," << name_of(static_cast<Joint>(j)) << "_" << axis;
    text << "\n";
    for (int i = 0; i < 40; ++i)
        for (const Side side : {Side::right, Side::left}) {
            if (i == 7 && side == Side::left) continue;
            text << 0.02 * i << "," << cells[static_cast<std::size_t>(side)];
            const HandFrame hand = hand_apart(i, side);
            for (std::size_t j = 1; j < tracking::kJointCount; ++j)
                for (const float v : hand.joints[j].position_m) text << "," << v;
            text << "\n";
        }
    return text.str();
}

TEST(JointCsv, AColumnMayNameTheHandOfTheRow) {
    for (const auto& cells : {std::array{"Left", "Right"}, std::array{"1", "0"}}) {
        const Recording recording = load(TemporaryFile(rows_of_hands(cells)).path());
        ASSERT_EQ(recording.samples.size(), 40U);
        EXPECT_FALSE(recording.samples[7][Side::left].active);
        for (const Side side : {Side::left, Side::right}) {
            const HandFrame truth = hand_apart(39, side);
            for (std::size_t j = 1; j < tracking::kJointCount; ++j)
                EXPECT_LT((recording.samples[39][side].joints[j].position_m - truth.joints[j].position_m).norm(), 1e-6F)
                    << cells[0] << " " << j;
        }
    }
}

TEST(JointCsv, ReadsTheEndsOfLeapsBones) {
    constexpr std::array kFingers = {"Thumb", "Index", "Middle", "Ring", "Pinky"};
    constexpr std::array kBones = {"_Metacarpal_", "_Proximal_", "_Intermediate_", "_Distal_"};
    std::ostringstream header, rows;
    header << "Frame_ID,Timestamp";
    for (const char axis : {'X', 'Y', 'Z'}) header << ",Wrist_Position_" << axis;
    for (int i = 0; i < 8; ++i) {
        const HandFrame hand = closing_hand(i, Side::right);
        const auto add = [&](const std::string& name, std::size_t joint) {
            for (int axis = 0; axis < 3; ++axis) {
                if (i == 0 && !name.empty()) header << "," << name << static_cast<char>('X' + axis);
                rows << "," << 1000.0F * hand.joints[joint].position_m[axis];
            }
        };
        rows << i << "," << 20000 * i;
        add("", 1);
        for (std::size_t f = 0; f < 5; ++f)
            for (std::size_t b = 0; b < 4; ++b) {
                // A thumb's metacarpal has no length, and its base is our metacarpal joint.
                const std::size_t start = f == 0 ? 2 + (b == 0 ? 0 : b - 1) : 1 + 5 * f + b;
                add(kFingers[f] + std::string(kBones[b]) + "Start_", start);
                add(kFingers[f] + std::string(kBones[b]) + "End_", f == 0 && b == 0 ? 2 : start + 1);
            }
        rows << "\n";
    }
    const Recording recording = load(TemporaryFile(header.str() + "\n" + rows.str()).path());
    ASSERT_EQ(recording.samples.size(), 8U);
    for (std::size_t j = 1; j < tracking::kJointCount; ++j) {
        const Eigen::Vector3f truth = closing_hand(7, Side::right).joints[j].position_m;
        EXPECT_LT((recording.samples[7][Side::right].joints[j].position_m - truth).norm(), 1e-6F) << j;
        EXPECT_TRUE(is_tracked(recording.samples[7][Side::right].joints[j])) << j;
    }
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

// How a program writes a table with a row for each joint and instant.
struct LongRecipe {
    std::string header = "Time,Hand,JointID,PosX,PosY,PosZ,RotX,RotY,RotZ,RotW";
    std::function<std::string(std::size_t)> name;  // empty: the joint has no row
    std::function<std::string(const HandPair&, std::size_t)> time = [](const HandPair& sample, std::size_t) {
        return std::to_string(1e-9 * static_cast<double>(sample.time_ns)) + ",";
    };
    std::array<std::string, 2> hands = {"Left,", "Right,"};
    float scale = 1.0F;  // units per metre
    bool left_handed = false, rotated = true, mixed = true;
    std::size_t frames = 400;
    bool both = true;
};

constexpr std::array kFingerNames = {"Thumb", "Index", "Middle", "Ring", "Little"};

// Returns IndexProximal, or with other words: index_proximal (1), XRHand_IndexProximal (2), IndexKnuckle (3).
std::string long_name(std::size_t joint, int style) {
    std::string name = joint == 0 ? "Palm" : "Wrist";
    if (joint > 1) {
        constexpr std::array kBones = {"Metacarpal", "Proximal", "Intermediate", "Distal", "Tip"};
        constexpr std::array kOfMrtk = {"Metacarpal", "Knuckle", "MiddleJoint", "DistalJoint", "Tip"};
        const std::size_t finger = joint < 6 ? 0 : (joint - 1) / 5;
        std::size_t bone = joint < 6 ? joint - 2 : (joint - 1) % 5;
        if (finger == 0 && bone > 1) ++bone;
        const char* of_finger = style == 3 && finger == 4 ? "Pinky" : kFingerNames[finger];
        const bool of_mrtk = style == 3 && finger > 0;
        name = of_finger + std::string(style == 1 ? "_" : "") + (of_mrtk ? kOfMrtk : kBones)[bone];
    }
    if (style == 2) return "XRHand_" + name;
    if (style == 1)
        for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return name;
}

// Returns the bones of Oculus, Hand_Index1. It has neither a palm nor the metacarpals of three fingers.
std::string oculus_name(std::size_t joint) {
    if (joint == 1) return "Hand_Start";  // Hand_WristRoot has the same number
    const std::size_t finger = joint < 6 ? 0 : (joint - 1) / 5, bone = joint < 6 ? joint - 1 : (joint - 1) % 5;
    if (joint == 0 || (bone == 0 && finger < 4)) return "";
    const std::string name = std::string("Hand_") + (finger == 4 ? "Pinky" : kFingerNames[finger]);
    return name + (bone == 4 ? "Tip" : std::to_string(bone));
}

// Returns flick with a left hand beside the right one.
Recording two_flicks() {
    Recording flick = bundled("flick");
    for (HandPair& sample : flick.samples) {
        sample[Side::left] = sample[Side::right];
        for (tracking::JointPose& joint : sample[Side::left].joints)
            joint.position_m.x() = -0.3F - joint.position_m.x();
    }
    return flick;
}

std::string long_table(const LongRecipe& recipe) {
    std::ostringstream text;
    text << std::setprecision(9) << recipe.header << "\n";
    const Recording flick = two_flicks();
    for (std::size_t i = 0; i < recipe.frames; ++i)
        for (std::size_t k = 0; k < 2 * tracking::kJointCount; ++k) {
            // Mixed, the hands alternate, and the joints begin in the middle.
            const std::size_t side = recipe.mixed ? k % 2 : k / tracking::kJointCount;
            const std::size_t joint = recipe.mixed ? (k / 2 + 7) % tracking::kJointCount : k % tracking::kJointCount;
            const std::string name = recipe.name(joint);
            if (name.empty() || (!recipe.both && side == 0)) continue;
            const Eigen::Vector3f p = recipe.scale * flick.samples[i].hands[side].joints[joint].position_m;
            text << recipe.time(flick.samples[i], i) << recipe.hands[side] << name << "," << p.x() << "," << p.y()
                 << "," << (recipe.left_handed ? -p.z() : p.z()) << (recipe.rotated ? ",0,0.6,0,0.8\n" : "\n");
        }
    return text.str();
}

void expect_flicks(const Recording& read, const LongRecipe& recipe) {
    EXPECT_EQ(read.format, "joint-csv");
    EXPECT_FLOAT_EQ(read.unit_m, 1.0F / recipe.scale);
    EXPECT_EQ(read.has(Side::left), recipe.both);
    const Recording flick = two_flicks();
    ASSERT_EQ(read.samples.size(), recipe.frames);
    for (std::size_t i = 0; i < recipe.frames; ++i)
        for (const Side side : {Side::left, Side::right})
            for (std::size_t j = 0; j < tracking::kJointCount && (recipe.both || side == Side::right); ++j) {
                const tracking::JointPose& joint = read.samples[i][side].joints[j];
                ASSERT_EQ(is_tracked(joint), !recipe.name(j).empty()) << i << " " << j;
                if (!is_tracked(joint)) continue;
                ASSERT_LT((joint.position_m - flick.samples[i][side].joints[j].position_m).norm(), 1e-5F)
                    << i << " " << j;
            }
}

Recording read_flicks(const LongRecipe& recipe) {
    Recording read = load(TemporaryFile(long_table(recipe)).path());
    expect_flicks(read, recipe);
    return read;
}

LongRecipe unity() {
    LongRecipe recipe;
    recipe.name = [](std::size_t joint) { return long_name(joint, 0); };
    return recipe;
}

TEST(LongJointCsv, ReadsFlickInEverySpelling) {
    const Recording flick = bundled("flick");
    LongRecipe recipe = unity();
    const Recording read = read_flicks(recipe);
    EXPECT_NEAR(static_cast<double>(read.samples[399].time_ns),
                static_cast<double>(flick.samples[399].time_ns - flick.samples[0].time_ns), 1e3);
    EXPECT_THAT(read.notes, Not(Contains(HasSubstr("were placed")))) << "all joints are in the file";
    recipe.left_handed = true;
    EXPECT_THAT(read_flicks(recipe).notes, Contains(HasSubstr("left-handed")));

    recipe.header = "frame,hand,joint_name,px,py,pz,qx,qy,qz,qw";
    recipe.name = [](std::size_t joint) { return long_name(joint, 1); };
    recipe.time = [](const HandPair&, std::size_t i) { return std::to_string(i) + ","; };
    recipe.hands = {"l,", "r,"};
    recipe.scale = 1000.0F;
    const Recording frames = read_flicks(recipe);
    EXPECT_EQ(frames.samples[30].time_ns, 1'000'000'000);
    EXPECT_THAT(frames.notes, Contains(HasSubstr("its frames were taken as 30 a second")));

    recipe.header = "timestamp;handedness;joint;x;y;z";
    recipe.name = [](std::size_t joint) { return long_name(joint, 2); };
    recipe.time = [](const HandPair& sample, std::size_t) { return std::to_string(sample.time_ns / 1000) + ","; };
    recipe.rotated = recipe.left_handed = false;
    std::string text = long_table(recipe);
    for (char& c : text) c = c == ',' ? ';' : c == '.' ? ',' : c;
    const Recording semicolons = load(TemporaryFile(text).path());
    expect_flicks(semicolons, recipe);
    EXPECT_THAT(semicolons.notes, Contains(HasSubstr("taken as microseconds")));

    // A frame whose rows have times of their own is one instant. The names of joints are preferred to their numbers.
    recipe.header = "frame,time_ms,hand_id,bone_id,bone name,Position.x,Position.y,Position.z";
    recipe.name = [](std::size_t joint) { return long_name(joint, 3); };
    int rows = 0;
    recipe.time = [&rows](const HandPair&, std::size_t i) {
        return std::to_string(i) + "," + std::to_string(20.0 * static_cast<double>(i) + 0.001 * (rows++ % 52)) + ",";
    };
    recipe.hands = {"Left,7,", "Right,7,"};
    EXPECT_NEAR(static_cast<double>(read_flicks(recipe).samples[10].time_ns), 2e8, 1e5);
}

TEST(LongJointCsv, ReadsOculusWhoseOtherBonesAreIgnored) {
    LongRecipe recipe = unity();
    recipe.name = oculus_name;
    const std::string text = long_table(recipe), first = text.substr(0, text.find('\n') + 1);
    const std::string others =
        "0.000000,Left,Hand_ForearmStub,1,2,3,0,0,0,1\n0.000000,Left,Hand_Thumb0,1,2,3,0,0,0,1\n";
    const Recording read = load(TemporaryFile(first + others + text.substr(first.size())).path());
    expect_flicks(read, recipe);
    EXPECT_THAT(read.notes, Contains(HasSubstr("palm joint was placed")));
}

TEST(LongJointCsv, ANumberOfAJointIsOpenXrsOrUnitys) {
    LongRecipe recipe = unity();
    recipe.name = [](std::size_t joint) { return std::to_string(joint); };
    EXPECT_THAT(read_flicks(recipe).notes, Contains(HasSubstr("0 is the palm and 1 the wrist")));
    recipe.name = [](std::size_t joint) { return std::to_string(1 + (joint < 2 ? 1 - joint : joint)); };
    EXPECT_THAT(read_flicks(recipe).notes, Contains(HasSubstr("2 is the palm and 1 the wrist")));
    recipe.left_handed = true;
    read_flicks(recipe);
    recipe.name = [](std::size_t joint) { return std::to_string(joint < 2 ? 1 - joint : joint); };
    EXPECT_THAT(read_flicks(recipe).notes, Contains(HasSubstr("1 is the palm and 0 the wrist")));
    recipe.name = [](std::size_t joint) { return joint < 23 ? std::to_string(joint) : ""; };
    EXPECT_THAT(refusal(long_table(recipe)),
                AllOf(HasSubstr("numbers from 0 to 22"), HasSubstr("write the joints' names")));
    recipe.name = [](std::size_t joint) { return joint == 1 ? "" : std::to_string(joint); };  // no wrist
    EXPECT_THAT(refusal(long_table(recipe)), HasSubstr("25 joints of a hand, without the wrist"));
    recipe.name = [](std::size_t joint) {  // 0 and 1 are the knuckles beside that of the middle finger
        return std::to_string(joint == 0 ? 7 : joint == 7 ? 0 : joint == 1 ? 17 : joint == 17 ? 1 : joint);
    };
    EXPECT_THAT(refusal(long_table(recipe)),
                AllOf(HasSubstr("neither of the first two is the wrist"), HasSubstr("write the joints' names")));
}

TEST(LongJointCsv, WithoutTimesAJointThatComesAgainBeginsAFrame) {
    LongRecipe recipe = unity();
    recipe.header = "hand,joint,x,y,z";
    recipe.time = [](const HandPair&, std::size_t) { return std::string(); };
    recipe.rotated = false;
    for (const bool mixed : {true, false}) {
        recipe.mixed = mixed;
        const Recording read = read_flicks(recipe);
        EXPECT_EQ(read.samples[60].time_ns, 2'000'000'000);
        EXPECT_THAT(read.notes, Contains(HasSubstr("no time; its frames were taken as 30 a second")));
    }
}

TEST(LongJointCsv, WithoutAColumnOfSidesTheShapeSaysThem) {
    LongRecipe recipe = unity();
    recipe.header = "time,hand,joint,x,y,z";
    recipe.rotated = false;
    recipe.hands = {"0,", "1,"};
    EXPECT_THAT(read_flicks(recipe).notes, Contains(HasSubstr("does not say which hand is which")));
    recipe.hands = {"1,", "0,"};
    read_flicks(recipe);
    recipe.header = "time,joint,x,y,z";
    recipe.hands = {"Left", "Right"};  // LeftIndexTip
    read_flicks(recipe);
    recipe.hands = {"", ""};
    EXPECT_THAT(refusal(long_table(recipe)), HasSubstr("comes twice at one time; add a column of the hand"));
    recipe.both = false;
    EXPECT_THAT(read_flicks(recipe).notes, Contains(HasSubstr("does not say which hand it is; taken as right")));
}

TEST(LongJointCsv, MissingJointsAndHandsAreLost) {
    LongRecipe recipe = unity();
    recipe.frames = 30;
    std::istringstream lines(long_table(recipe));
    std::string text, line;
    for (int row = -1; std::getline(lines, line); ++row) {
        const int frame = row / 52;
        const bool is_left = line.find("Left") != std::string::npos, is_tip = line.find("RingTip") != std::string::npos;
        if (row >= 0 && ((frame == 3 && is_left) || (frame == 5 && is_tip))) continue;  // no rows
        if (row >= 0 && frame == 7)                                                     // a row of no joint
            line = line.substr(0, line.find(',')) + ",,,,,,,,,";
        text += line + "\n";
    }
    const Recording read = load(TemporaryFile(text).path());
    ASSERT_EQ(read.samples.size(), 30U);
    EXPECT_FALSE(read.samples[3][Side::left].active);
    EXPECT_TRUE(read.samples[3][Side::right].active);
    EXPECT_FALSE(is_tracked(read.samples[5][Side::right][Joint::ring_tip]));
    EXPECT_TRUE(is_tracked(read.samples[5][Side::right][Joint::ring_distal]));
    EXPECT_FALSE(read.samples[7][Side::left].active || read.samples[7][Side::right].active);
    EXPECT_TRUE(read.samples[8][Side::left].active && read.samples[8][Side::right].active);
}

// As a logger of Oculus's bones writes them beside other objects: rows of two names of a joint, and a compact date.
TEST(LongJointCsv, RowsOfObjectsAndSecondNamesAreIgnored) {
    std::ostringstream text;
    text << "Timestamp (yyyyMMdd_HHmmss.ffff),Object,Joint,PositionX,PositionY,PositionZ\n";
    for (int i = 0; i < 20; ++i) {
        const std::string time = "20240901_1810" + std::to_string(10 + i) + ".25";
        text << time << ",Cube,Cube (6),0.5,0.5,0.5\n";
        if (i < 9) continue;
        for (const char* name : {"Hand_Start", "Hand_Start", "Hand_ForearmStub"}) {
            const Eigen::Vector3f p = closing_hand(i, Side::right)[Joint::wrist].position_m;
            text << time << ",Right Hand," << name << "," << p.x() << "," << p.y() << "," << -p.z() << "\n";
        }
        for (std::size_t j = 2; j < tracking::kJointCount; ++j) {
            const Eigen::Vector3f p = closing_hand(i, Side::right).joints[j].position_m;
            text << time << ",Right Hand," << name_of(static_cast<Joint>(j)) << "," << p.x() << "," << p.y() << ","
                 << -p.z() << "\n";
        }
    }
    const Recording recording = load(TemporaryFile(text.str()).path());
    EXPECT_EQ(recording.samples.back().time_ns, 10'000'000'000);
    ASSERT_EQ(recording.samples.size(), 11U);
    for (const int i : {9, 19})
        for (std::size_t j = 1; j < tracking::kJointCount; ++j) {
            const HandFrame& hand = recording.samples[static_cast<std::size_t>(i - 9)][Side::right];
            EXPECT_LT((hand.joints[j].position_m - closing_hand(i, Side::right).joints[j].position_m).norm(), 1e-6F)
                << j;
        }
}

// Loggers may take the clock for each row. Then the rows of an instant have times that differ a little.
TEST(LongJointCsv, RowsOfAnInstantMayHaveTimesOfTheirOwn) {
    std::ostringstream text;
    text << "time_s,hand,joint,x,y,z\n" << std::fixed;
    for (int i = 0; i < 40; ++i)
        for (const Side side : {Side::left, Side::right}) {
            if (side == Side::left && i >= 10 && i < 15) continue;
            for (std::size_t j = 1; j < tracking::kJointCount; ++j) {
                const Eigen::Vector3f p = hand_apart(i, side).joints[j].position_m;
                text << 5.0 + 0.02 * i + (side == Side::left ? 0.0 : 0.003) + 1e-4 * static_cast<double>(j / 3) << ","
                     << (side == Side::left ? "Left," : "Right,") << name_of(static_cast<Joint>(j)) << "," << p.x()
                     << "," << p.y() << "," << p.z() << "\n";
            }
        }
    const Recording recording = load(TemporaryFile(text.str()).path());
    ASSERT_EQ(recording.samples.size(), 40U);
    for (const Side side : {Side::left, Side::right})
        for (std::size_t j = 1; j < tracking::kJointCount; ++j)
            EXPECT_LT(
                (recording.samples[39][side].joints[j].position_m - hand_apart(39, side).joints[j].position_m).norm(),
                1e-5F)
                << name_of(side) << " " << j;
    EXPECT_FALSE(recording.samples[12][Side::left].active);
    EXPECT_TRUE(recording.samples[12][Side::right].active);
    EXPECT_THAT(recording.notes, Contains(HasSubstr("rows of an instant have different times")));
}

TEST(Parse, CivilTimesHaveZonesAndCompactForms) {
    const auto time_ns = parse_civil_time_ns("2024-09-01 18:10:14.25");
    ASSERT_TRUE(time_ns.has_value());
    for (const char* same : {"2024-09-01T18:10:14.25Z", "2024/09/01 18:10:14.25", "2024-09-01T18:10:14.25+02:00",
                             "20240901_181014.25", "20240901T181014.25Z"})
        EXPECT_EQ(parse_civil_time_ns(same), time_ns) << same;
    for (const char* none :
         {"2024-09-01", "20240901", "20240901_18", "20241301_181014", "2024-09-01T18:10:14Q", "Z", ""})
        EXPECT_EQ(parse_civil_time_ns(none), std::nullopt) << none;
}

TEST(LongJointCsv, RowsSortedByJointAreRefused) {
    std::string joints = "time,joint,x,y,z\n", landmarks = "frame,hand,landmark,x,y,z\n";
    for (std::size_t k = 0; k < 21; ++k)
        for (int i = 0; i < 12; ++i) {
            const auto joint = static_cast<Joint>(kLandmarkJoints[k]);
            const Eigen::Vector3f p = closing_hand(i, Side::right)[joint].position_m;
            std::ostringstream place;
            place << "," << p.x() << "," << p.y() << "," << p.z() << "\n";
            joints += std::to_string(i) + "," + std::string(name_of(joint)) + place.str();
            landmarks += std::to_string(i) + ",Right," + std::to_string(k) + place.str();
        }
    for (const std::string& text : {joints, landmarks})
        EXPECT_THAT(refusal(text),
                    HasSubstr("sorted by joint, so the joints of an instant are apart; sort them by time"));
    EXPECT_THAT(refusal("time,variable,value\n0,right_wrist_x,0.1\n"), HasSubstr("table.pivot"));
}

TEST(LongJointCsv, CutFilesAndBadRowsAreNamed) {
    LongRecipe recipe = unity();
    for (const std::size_t frames : {std::size_t{20}, std::size_t{400}}) {  // before and after the axes are decided
        recipe.frames = frames;
        const std::string text = long_table(recipe);
        const Recording cut = load(TemporaryFile(text.substr(0, text.size() - 20)).path());
        EXPECT_EQ(cut.samples.size(), frames - 1);
        EXPECT_THAT(cut.notes, Contains(HasSubstr("cut off in row " + std::to_string(52 * frames + 1))));
    }
    recipe.frames = 20;
    const std::string whole = long_table(recipe);
    const auto with = [&whole](const std::string& what, const std::string& instead) {
        std::string text = whole;
        return refusal(text.replace(text.find(what, text.size() / 2), what.size(), instead), "long.csv");
    };
    EXPECT_THAT(with(",IndexTip,", ",Hips,"), AllOf(HasSubstr("the joint is 'Hips'"), HasSubstr("IndexProximal")));
    EXPECT_THAT(with(",IndexTip,", ",7,"), HasSubstr("numbers from 7 to 7, whose meaning is not known"));
    EXPECT_THAT(with(",Right,", ",Middle,"), HasSubstr("the hand is 'Middle'; left or right"));
    EXPECT_THAT(with(",IndexTip,", ",IndexTip,soon"), HasSubstr("column 4 is"));
    recipe.time = [](const HandPair&, std::size_t i) { return std::to_string(i == 4 ? 1 : 2 * i) + ","; };
    EXPECT_THAT(refusal(long_table(recipe), "long.csv"), HasSubstr("long.csv:210: time goes back"));
    EXPECT_THAT(refusal("joint,x,y,z\nPalm,1,2,3\nPalm,1,2,4\n"),
                HasSubstr("the joints of an instant are apart: sort the file by time"));
    recipe = unity();
    recipe.name = [](std::size_t joint) { return joint < 9 ? long_name(joint, 0) : ""; };
    EXPECT_THAT(refusal(long_table(recipe)), HasSubstr("positions of 9 joints of a hand;"));
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
