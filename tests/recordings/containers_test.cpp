// HDF5, MCAP and C3D: files of container_files.h, and single bytes of other writers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "recordings/format.h"
#include "recordings/formats/joint_names.h"
#include "recordings/formats/lz4_frame.h"
#include "tests/recordings/container_files.h"
#include "tests/recordings/h5py_file.h"
#include "tests/recordings/more_files.h"
#include "tests/recordings/packing.h"
#include "tracking/hand_geometry.h"

namespace glovebox::recordings {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;

// Returns the largest distance of a tracked joint from the hand that was written; 1 m if fewer than `least` are
// tracked.
float largest_error_m(const HandFrame& read, const HandFrame& truth, int least) {
    float apart_m = 0.0F;
    int tracked = 0;
    for (std::size_t i = 0; i < tracking::kJointCount; ++i) {
        if ((read.joints[i].flags & tracking::joint_flags::kPositionTracked) == 0) continue;
        ++tracked;
        apart_m = std::max(apart_m, (read.joints[i].position_m - truth.joints[i].position_m).norm());
    }
    return read.active && tracked >= least ? apart_m : 1.0F;
}

std::string of_hex(std::string_view hex) {
    std::string bytes;
    for (std::size_t i = 0; i + 1 < hex.size(); i += 2)
        bytes += static_cast<char>(std::stoi(std::string(hex.substr(i, 2)), nullptr, 16));
    return bytes;
}

std::string deflated(std::string_view plain) {
    std::string packed(compressBound(plain.size()), '\0');
    uLongf size = packed.size();
    compress2(reinterpret_cast<Bytef*>(packed.data()), &size, reinterpret_cast<const Bytef*>(plain.data()),
              plain.size(), 6);
    packed.resize(size);
    return packed;
}

std::string shuffled(std::string_view plain) {
    std::string bytes;
    for (std::size_t b = 0; b < sizeof(float); ++b)
        for (std::size_t i = b; i < plain.size(); i += sizeof(float)) bytes += plain[i];
    return bytes;
}

void expect_egodex(const std::string& file, int frames) {
    const Recording recording = load(TemporaryFile(file).path());
    EXPECT_EQ(recording.format, "hdf5");
    ASSERT_EQ(recording.samples.size(), static_cast<std::size_t>(frames));
    EXPECT_EQ(recording.samples[3].time_ns, 100'000'000) << "30 frames per second";
    for (int i = 0; i < frames; ++i)
        for (const Side side : {Side::left, Side::right})
            EXPECT_LT(largest_error_m(recording.samples[static_cast<std::size_t>(i)][side], hand_apart(i, side), 25),
                      1e-6F)
                << i << name_of(side);
}

TEST(Hdf5, ReadsArraysOfJointsHoweverTheyAreStored) {
    expect_egodex(egodex(7), 7);
    Hdf5Packing chunked;
    chunked.frames_per_chunk = 3;  // the last chunk extends beyond the array
    expect_egodex(egodex(7, chunked), 7);
    chunked.filters = {2, 1};
    chunked.pack = [](const std::string& chunk) { return deflated(shuffled(chunk)); };
    expect_egodex(egodex(7, chunked), 7);
    chunked.filters = {2, 1, 3};
    chunked.pack = [](const std::string& chunk) { return deflated(shuffled(chunk)) + "sum!"; };
    expect_egodex(egodex(7, chunked), 7);
    // MATLAB's user block; addresses count from its end.
    std::string user = std::string(512, '\0') + egodex(7);
    user[512 + 24 + 1] = 2;
    expect_egodex(user, 7);
}

TEST(Hdf5, ReadsTheFileOfAnotherWriter) {
    const Recording recording = load(TemporaryFile(of_hex(kH5pyFile)).path());
    ASSERT_EQ(recording.samples.size(), 3U);
    EXPECT_FALSE(recording.has(Side::left));
    for (int i = 0; i < 3; ++i) {
        const HandFrame& hand = recording.samples[static_cast<std::size_t>(i)][Side::right];
        EXPECT_EQ((hand[Joint::wrist].position_m - Eigen::Vector3f(0.0F, 1.0F, 0.0F)).norm(), 0.0F);
        for (int f = 0; f < 5; ++f)
            for (int b = f == 0 ? 1 : 0; b < 5; ++b) {
                const tracking::JointPose& joint =
                    hand.joints[static_cast<std::size_t>(f == 0 ? 1 + b : 1 + 5 * f + b)];
                EXPECT_EQ(joint.flags & tracking::joint_flags::kPositionTracked,
                          tracking::joint_flags::kPositionTracked);
                EXPECT_LT((joint.position_m - h5py_place_m(f, b, i)).norm(), 1e-6F) << f << b << i;
            }
    }
}

TEST(Hdf5, ReadsHandsInOneArray) {
    Hdf5Data hand{{5, 26, 3}, {}};
    for (int i = 0; i < 5; ++i)
        for (const tracking::JointPose& joint : closing_hand(i, Side::left).joints)
            hand.values.insert(hand.values.end(), joint.position_m.begin(), joint.position_m.end());
    const std::string file =
        Hdf5Writer().write("observations", {{"left_hand", hand}, {"time", {{5}, {0, .1F, .2F, .3F, .4F}}}}, {});
    const Recording recording = load(TemporaryFile(file).path());
    ASSERT_EQ(recording.samples.size(), 5U);
    EXPECT_LT(largest_error_m(recording.samples[4][Side::left], closing_hand(4, Side::left), 26), 1e-6F);
    EXPECT_NEAR(static_cast<double>(recording.samples[4].time_ns), 4e8, 1e2);
    EXPECT_THAT(recording.notes, Contains("Time stamps were taken as seconds, by their steps."));
}

// Matrices of joints in the wrist's frame, and the wrist's own in space.
TEST(Hdf5, FingersBesideTheirWristAreMovedByIt) {
    const Eigen::Isometry3f wrist =
        Eigen::Translation3f(0.1F, 1.2F, -0.3F) * Eigen::AngleAxisf(0.7F, Eigen::Vector3f::UnitY());
    const auto add = [](const Eigen::Isometry3f& pose, std::vector<float>& values) {
        for (int row = 0; row < 4; ++row)
            for (int column = 0; column < 4; ++column) values.push_back(pose(row, column));
    };
    Hdf5Data fingers{{3, 25, 4, 4}, {}}, wrists{{3, 1, 4, 4}, {}};
    for (int i = 0; i < 3; ++i) {
        add(wrist, wrists.values);
        for (std::size_t j = 1; j < tracking::kJointCount; ++j)
            add(Eigen::Isometry3f(Eigen::Translation3f(closing_hand(i, Side::right).joints[j].position_m)),
                fingers.values);
    }
    const Recording recording = load(
        TemporaryFile(Hdf5Writer().write("take", {{"right_fingers", fingers}, {"right_wrist", wrists}}, {})).path());
    HandFrame truth = closing_hand(2, Side::right);
    for (tracking::JointPose& joint : truth.joints) joint.position_m = wrist * joint.position_m;
    ASSERT_EQ(recording.samples.size(), 3U);
    EXPECT_LT(largest_error_m(recording.samples[2][Side::right], truth, 25), 1e-5F);
}

TEST(Hdf5, RefusesWithAWordWhatItDoesNotRead) {
    Hdf5Packing other;
    other.frames_per_chunk = 3;
    other.filters = {32000};
    EXPECT_THAT(refusal(egodex(3, other)), AllOf(HasSubstr("filter 32000"), HasSubstr("gzip")));
    EXPECT_THAT(refusal(Hdf5Writer().write("a", {{"camera", {{2, 3, 3}, std::vector<float>(18)}}}, {})),
                HasSubstr("no array of this HDF5 file is of hands"));
    const std::string whole = egodex(5);
    EXPECT_THAT(refusal(whole.substr(0, whole.size() / 2)), HasSubstr("cut off or damaged"));
    // An array with two types: the layout, whose message is made one of a type, would say that a number has 0 bytes.
    std::string twice = whole;
    twice[twice.find(std::string("\x08\0\x18\0", 4))] = 3;
    EXPECT_THAT(refusal(twice), HasSubstr("damaged in the type of an array"));
}

TEST(Mcap, ReadsIsaacsHandsInChunksOfEveryPacking) {
    const std::string records = isaac_records(6);
    const auto sum =
        static_cast<std::uint32_t>(crc32_z(0, reinterpret_cast<const Bytef*>(records.data()), records.size()));
    for (const std::string& file : {mcap(records), mcap(mcap_chunk({"", records, records.size(), sum})),
                                    mcap(mcap_chunk({"zstd", zstd(records), records.size(), sum})),
                                    mcap(records).substr(0, mcap(records).size() - 45)}) {
        const Recording recording = load(TemporaryFile(file).path());
        EXPECT_EQ(recording.format, "mcap");
        ASSERT_EQ(recording.samples.size(), 6U);
        EXPECT_EQ(recording.samples[5].time_ns, 100'000'000);
        EXPECT_EQ(recording.samples[5][Side::left].times.device_ns, 7'100'000'000);
        EXPECT_THAT(recording.notes, Not(Contains(HasSubstr("placed")))) << "all joints are in the file";
        for (int i = 0; i < 6; ++i)
            for (const Side side : {Side::left, Side::right}) {
                const HandFrame& hand = recording.samples[static_cast<std::size_t>(i)][side];
                const HandFrame truth = hand_apart(i, side);
                EXPECT_EQ(hand.active, side == Side::left || i != 2) << "lost in frame 2 only";
                if (!hand.active) continue;
                EXPECT_EQ(largest_error_m(hand, truth, 26), 0.0F);
                EXPECT_LT(hand[Joint::ring_distal].orientation.angularDistance(truth[Joint::ring_distal].orientation),
                          1e-3F);
                EXPECT_EQ(hand[Joint::ring_distal].radius_m, truth[Joint::ring_distal].radius_m);
            }
    }
}

TEST(Mcap, ReadsJsonMessagesAndTheSideInTheirTopic) {
    std::string records =
        mcap_channel(4, "/tracker/left", "json", "Hand") + mcap_channel(5, "/tracker/right", "json", "Hand");
    for (int i = 0; i < 8; ++i)
        for (const Side side : {Side::left, Side::right}) {
            std::string text = "{\"joints\":[";
            for (const tracking::JointPose& joint : closing_hand(i, side).joints) {
                text += text.back() == '[' ? "[" : ",[";
                for (const float v : joint.position_m) text += std::to_string(v) + ",";
                text.back() = ']';
            }
            records += mcap_message(side == Side::left ? 4 : 5,
                                    1'000'000'000ULL + 10'000'000ULL * static_cast<unsigned>(i), text + "]}");
        }
    const Recording recording = load(TemporaryFile(mcap(records)).path());
    ASSERT_EQ(recording.samples.size(), 8U) << "messages of both hands at one time are one sample";
    for (const Side side : {Side::left, Side::right})
        EXPECT_LT(largest_error_m(recording.samples[7][side], closing_hand(7, side), 26), 1e-5F);
}

TEST(Mcap, CutOffTheMessagesBeforeTheCutAreRead) {
    const std::string whole = mcap(isaac_records(30));
    const Recording recording = load(TemporaryFile(std::string_view(whole).substr(0, whole.size() / 2)).path());
    EXPECT_GE(recording.samples.size(), 13U);
    EXPECT_LE(recording.samples.size(), 16U);
    EXPECT_THAT(recording.notes, Contains(HasSubstr("The file is cut off")));
}

TEST(Mcap, DamagedChunksAndOtherMessagesAreRefused) {
    const std::string records = isaac_records(3);
    EXPECT_THAT(refusal(mcap(mcap_chunk({"", records, records.size(), 12345}))), HasSubstr("checksum"));
    EXPECT_THAT(refusal(mcap(mcap_chunk({"zstd", "no zstd", 100, 0}))), HasSubstr("a chunk"));
    EXPECT_THAT(refusal(mcap(mcap_chunk({"snappy", "", 0, 0}))), HasSubstr("snappy"));
    EXPECT_THAT(refusal(mcap(mcap_chunk({"zstd", zstd("x"), std::uint64_t{1} << 40, 0}))), HasSubstr("too large"));
    EXPECT_THAT(refusal(mcap(mcap_channel(1, "/camera", "cdr", "Image") + mcap_message(1, 5, "x"))),
                AllOf(HasSubstr("/camera"), HasSubstr("cdr")));
}

// Written by the lz4 program 1.9.4: `lz4 -9 --no-frame-crc`, and `lz4 -B4 -BD --content-size -BX`.
constexpr std::string_view kLz4Best =
    "04224d186040828d000000f10668616e64203020746f75636865732063757020300a1500193115001231150019321500123215001f333f0001"
    "1f34"
    "3f00011f353f00011f363f00011f303f00011f313f00011f323f00011f333f00011f343f00011f353f00011f363f00011f303f00011f313f00"
    "01"
    "1f323f00011f333f00011f343f00011f353f00011e363f000fb901ff7550757020300a00000000";
constexpr std::string_view kLz4Sums =
    "04224d187c404803000000000000450e010000f10668616e64203020746f75636865732063757020300a150019311500123115001932150012"
    "32"
    "150019331500033f0019341500033f0019351500033f0019361500033f000a9300033f000a9300033f000a9300033f000a9300033f000a9300"
    "03"
    "3f000a9300033f000a9300033f000a9300033f000a9300033f000a9300033f000a9300033f000a9300033f000a9300033f000a9300033f000a"
    "93"
    "00033f000a9300033f000a9300033f000a9300033f000a9300033f000a9300033f000a9300033f000a9300033f000a9300033f000a9300033f"
    "00"
    "0a9300033f000a9300033f000a9300033f000a9300033f000a9300033f000a9300033f000a9300033f000a9300033f0007930050757020300a"
    "90"
    "f8454200000000deae8277";

std::string lz4_text() {
    std::string text;
    for (int i = 0; i < 40; ++i)
        text += "hand " + std::to_string(i % 7) + " touches cup " + std::to_string(i % 3) + "\n";
    return text;
}

TEST(Lz4, UnpacksWhatTheProgramPacked) {
    const std::string text = lz4_text();
    for (const std::string_view hex : {kLz4Best, kLz4Sums}) {
        EXPECT_EQ(unpack_lz4(of_hex(hex), text.size()), text);
        EXPECT_EQ(unpack_lz4(of_hex(hex) + of_hex(hex), 2 * text.size()), text + text) << "frames follow each other";
        EXPECT_FALSE(unpack_lz4(of_hex(hex), text.size() - 1));
        for (std::size_t length = 0; length + 1 < hex.size() / 2; ++length)
            EXPECT_FALSE(unpack_lz4(of_hex(hex.substr(0, 2 * length)), text.size())) << length;
    }
}

TEST(C3d, ReadsMarkersOfAHandInEveryKindOfNumber) {
    for (const bool dec : {false, true})
        for (const bool real : {true, false}) {
            C3dRecipe recipe;
            recipe.dec = dec;
            recipe.real = real;
            const Recording recording = load(TemporaryFile(c3d(recipe)).path());
            EXPECT_EQ(recording.format, "c3d");
            EXPECT_FLOAT_EQ(recording.unit_m, 0.001F);
            ASSERT_EQ(recording.samples.size(), 6U);
            EXPECT_EQ(recording.samples[3].time_ns, 30'000'000);
            EXPECT_FALSE(recording.has(Side::left));
            for (int i = 0; i < 6; ++i) {
                const HandFrame& hand = recording.samples[static_cast<std::size_t>(i)][Side::right];
                EXPECT_LT(largest_error_m(hand, closing_hand(i, Side::right), i == 3 ? 20 : 21), 1e-5F)
                    << dec << real << i;
                EXPECT_EQ((hand[Joint::index_tip].flags & tracking::joint_flags::kPositionTracked) != 0, i != 3)
                    << "not seen in frame 3";
            }
        }
}

TEST(C3d, CutOffTheFramesBeforeTheCutAreRead) {
    const std::string whole = c3d();
    const Recording recording = load(TemporaryFile(whole.substr(0, whole.size() - 500)).path());
    EXPECT_EQ(recording.samples.size(), 4U);
    EXPECT_THAT(recording.notes, Contains(HasSubstr("The file is cut off")));
}

TEST(C3d, OtherMarkersAndProcessorsAreRefused) {
    std::string body = c3d();
    for (std::size_t at = body.find("R_"); at != std::string::npos; at = body.find("R_", at)) body[at] = 'K';
    EXPECT_THAT(refusal(body), AllOf(HasSubstr("not those of a hand"), HasSubstr("Anna:Elbow")));
    std::string mips = c3d();
    mips[515] = 86;
    EXPECT_THAT(refusal(mips), HasSubstr("MIPS"));
}

TEST(OptitrackCsv, ReadsTheBonesOfASkeleton) {
    const std::string whole = motive_csv(12);
    const Recording recording = load(TemporaryFile(whole).path());
    EXPECT_EQ(recording.format, "optitrack-csv");
    EXPECT_FLOAT_EQ(recording.unit_m, 0.001F);
    ASSERT_EQ(recording.samples.size(), 12U);
    EXPECT_EQ(recording.samples[7].time_ns, 70'000'000);
    EXPECT_FALSE(recording.has(Side::left));
    for (int i = 0; i < 12; ++i) {
        const HandFrame& hand = recording.samples[static_cast<std::size_t>(i)][Side::right];
        EXPECT_LT(largest_error_m(hand, closing_hand(i, Side::right), i == 2 ? 15 : 16), 1e-5F);
        EXPECT_EQ((hand[Joint::index_distal].flags & tracking::joint_flags::kPositionTracked) != 0, i != 2);
    }
    const Recording cut = load(TemporaryFile(whole.substr(0, whole.size() - 20)).path());
    EXPECT_EQ(cut.samples.size(), 11U);
    EXPECT_THAT(cut.notes, Contains(HasSubstr("The file is cut off")));
    std::string body = whole;
    for (std::size_t at = body.find(":R"); at != std::string::npos; at = body.find(":R", at)) body.replace(at, 2, ":K");
    EXPECT_THAT(refusal(body), HasSubstr("has no hand"));
}

TEST(Glb, ReadsASkeletonWithTheJointsNames) {
    for (const char* how : {"LINEAR", "STEP", "CUBICSPLINE"}) {
        const Recording recording = load(TemporaryFile(animated_glb(11, how)).path());
        EXPECT_EQ(recording.format, "glb");
        EXPECT_THAT(recording.notes, Not(Contains(HasSubstr("Unit guessed"))));
        ASSERT_EQ(recording.samples.size(), 11U);
        EXPECT_FALSE(recording.has(Side::left));
        EXPECT_NEAR(static_cast<double>(recording.samples[7].time_ns), 140e6, 100.0);
        for (int i = 0; i < 11; ++i) {
            HandFrame truth = bvh_hand({}, i);
            for (tracking::JointPose& joint : truth.joints) joint.position_m.y() += 0.002F * static_cast<float>(i);
            EXPECT_LT(largest_error_m(recording.samples[static_cast<std::size_t>(i)][Side::right], truth, 21), 1e-5F)
                << how << i;
        }
    }
}

TEST(Glb, WithoutAnAnimatedHandIsAScene) {
    std::string other = animated_glb(3);
    for (std::size_t at = other.find("HandI"); at != std::string::npos; at = other.find("HandI", at)) other[at] = 'F';
    EXPECT_THAT(refusal(other), AllOf(HasSubstr("animates no hand"), HasSubstr("--scene")));
    std::string still = animated_glb(3);
    still.replace(still.find("\"animations\""), 12, "\"animatiXns\"");
    EXPECT_THAT(refusal(still), AllOf(HasSubstr("no animation"), HasSubstr("--scene")));
    std::string circle = animated_glb(3);  // the hand contains its armature
    circle.replace(circle.find("\"children\":[2"), 13, "\"children\":[0");
    EXPECT_THAT(refusal(circle), HasSubstr("contain themselves"));
}

TEST(TrackNames, HaveJointAndSide) {
    const auto expect = [](std::string_view name, std::optional<Side> side, Joint joint) {
        const auto named = joint_of_track_name(name);
        ASSERT_TRUE(named.has_value()) << name;
        EXPECT_EQ(named->side, side) << name;
        EXPECT_EQ(named->joint, joint) << name;
    };
    expect("leftIndexFingerTip", Side::left, Joint::index_tip);
    expect("rightHand", Side::right, Joint::wrist);
    expect("rightRingFingerKnuckle", Side::right, Joint::ring_proximal);
    expect("leftLittleFingerMetacarpal", Side::left, Joint::little_metacarpal);
    expect("rightThumbIntermediateTip", Side::right, Joint::thumb_distal);
    expect("Anna:R_Index_MCP", Side::right, Joint::index_proximal);
    expect("RThumbTip", Side::right, Joint::thumb_tip);
    expect("LRingTip", Side::left, Joint::ring_tip);
    expect("little_tip_l", Side::left, Joint::little_tip);
    expect("lIndex1", Side::left, Joint::index_proximal);
    expect("ringTip", std::nullopt, Joint::ring_tip);
    for (const char* other : {"leftShoulder", "camera", "RELB", "leftForearm", "hip", "neck1", "l", ""})
        EXPECT_FALSE(joint_of_track_name(other).has_value()) << other;
}

// 500 damaged copies of each file: every one is read, or refused in one line.
TEST(Containers, DamagedFilesAreReadOrRefused) {
    Hdf5Packing packed;
    packed.frames_per_chunk = 3;
    packed.filters = {2, 1};
    packed.pack = [](const std::string& chunk) { return deflated(shuffled(chunk)); };
    const std::string records = isaac_records(6);
    int read = 0, refused = 0;
    std::mt19937 random(23);
    for (const std::string& whole :
         {egodex(5), egodex(5, packed), mcap(records), mcap(mcap_chunk({"zstd", zstd(records), records.size(), 0})),
          c3d(), motive_csv(6), animated_glb(6)})
        for (int i = 0; i < 500; ++i) {
            std::string damaged = whole;
            for (std::uint32_t n = 1 + random() % 8; n > 0; --n)
                damaged[random() % damaged.size()] = static_cast<char>(random());
            if (i % 5 == 0) damaged.resize(random() % damaged.size());
            const std::string error = refusal(damaged);
            EXPECT_THAT(error, Not(HasSubstr("\n")));
            ++(error == "no error" ? read : refused);
        }
    EXPECT_GT(read, 500);
    EXPECT_GT(refused, 500);
}

}  // namespace
}  // namespace glovebox::recordings
