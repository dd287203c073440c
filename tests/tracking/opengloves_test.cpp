#include "tracking/glove/opengloves.h"
#include "tracking/glove/calibration.h"

#include <gtest/gtest.h>

#include <random>

#include "tracking/glove/byte_stream.h"
#include "tracking/glove/cyberglove.h"

namespace glovebox::tracking {
namespace {

constexpr OpenGlovesSettings kSettings;

OpenGlovesInput random_input(std::mt19937& random) {
    std::uniform_real_distribution<float> unit(0.0F, 1.0F);
    OpenGlovesInput input;
    for (auto& finger : input.flexion)
        for (float& joint : finger) joint = unit(random);
    for (float& splay : input.splay) splay = 2.0F * unit(random) - 1.0F;
    input.joystick_x = 2.0F * unit(random) - 1.0F;
    input.trigger = random() % 2 == 0;
    input.grab = random() % 2 == 0;
    input.calibrate = random() % 2 == 0;
    return input;
}

void expect_near(const OpenGlovesInput& a, const OpenGlovesInput& b) {
    for (std::size_t f = 0; f < kFingerCount; ++f) {
        for (std::size_t j = 0; j < 4; ++j) EXPECT_NEAR(a.flexion[f][j], b.flexion[f][j], 1.3e-4F);
        EXPECT_NEAR(a.splay[f], b.splay[f], 2.6e-4F);
    }
    EXPECT_NEAR(a.joystick_x, b.joystick_x, 2.6e-4F);
    EXPECT_EQ(a.trigger, b.trigger);
    EXPECT_EQ(a.grab, b.grab);
    EXPECT_EQ(a.calibrate, b.calibrate);
}

TEST(OpenGloves, DecodesWhatItEncodes) {
    std::mt19937 random(1);
    for (int i = 0; i < 200; ++i) {
        const OpenGlovesInput input = random_input(random);
        OpenGlovesInput read;
        ASSERT_TRUE(decode_opengloves(encode_opengloves(input, kSettings), kSettings, read));
        expect_near(input, read);
    }
}

TEST(OpenGloves, ReadsTheWordsOfASimpleGlove) {
    OpenGlovesInput input;
    ASSERT_TRUE(decode_opengloves("A0B4095C2048D1E4096F4095G0IJL", kSettings, input));
    EXPECT_EQ(input.flexion[0][1], 0.0F);
    EXPECT_EQ(input.flexion[1][2], 1.0F);
    EXPECT_NEAR(input.flexion[2][0], 0.5F, 1e-3F);
    EXPECT_EQ(input.flexion[4][0], 1.0F) << "no more than closed";
    EXPECT_EQ(input.joystick_x, 1.0F);
    EXPECT_EQ(input.joystick_y, -1.0F);
    EXPECT_TRUE(input.trigger && input.a && input.grab);
    EXPECT_FALSE(input.b || input.pinch || input.menu);
    ASSERT_TRUE(decode_opengloves("(BAB)2048B4095", kSettings, input)) << "a joint wins over its finger, in any order";
    EXPECT_NEAR(input.flexion[1][1], 0.5F, 1e-3F);
    EXPECT_EQ(input.flexion[1][0], 1.0F);
    EXPECT_NEAR(input.flexion[2][0], 0.5F, 1e-3F) << "what is not named stays";
    EXPECT_FALSE(input.trigger) << "a button that is not named is not pressed";
}

TEST(OpenGloves, PassesOverNoise) {
    OpenGlovesInput input;
    for (const char* noise : {"", "\x01\xFF", "12345", "(", "(((", "(A", "Z1Z2", "A", "A-5", "(AB", "hello"})
        EXPECT_FALSE(decode_opengloves(noise, kSettings, input)) << noise;
    EXPECT_TRUE(decode_opengloves("??A100\xFE(QQQ)7(AB)", kSettings, input));
    std::mt19937 random(2);
    int decoded = 0;
    for (int i = 0; i < 20'000; ++i) {
        std::string line = encode_opengloves(random_input(random), kSettings);
        for (int k = 0; k < 1 + i % 20; ++k) line[random() % line.size()] = static_cast<char>(random());
        OpenGlovesInput read;
        decoded += decode_opengloves(line, kSettings, read) ? 1 : 0;
        for (const auto& finger : read.flexion)
            for (const float joint : finger) ASSERT_TRUE(joint >= 0.0F && joint <= 1.0F);
        for (const float splay : read.splay) ASSERT_TRUE(splay >= -1.0F && splay <= 1.0F);
    }
    EXPECT_GT(decoded, 10'000);
}

TEST(OpenGloves, ForcesAreRead) {
    const auto forces = decode_opengloves_forces("A0B250C500D1000E1000\n");
    ASSERT_TRUE(forces);
    EXPECT_FLOAT_EQ((*forces)[1], 0.25F);
    EXPECT_FALSE(decode_opengloves_forces("A0B250C500")) << "all fingers or nothing";
}

TEST(OpenGloves, LinesComeOutWholeHoweverTheyArrive) {
    LineAssembler lines;
    std::vector<std::string> out;
    const std::string stream = "A1\nB2\r\n\n" + std::string(1000, 'x') + "\nC3\n";
    for (std::size_t step : {1U, 3U, 1000U})
        for (std::size_t at = 0; at < stream.size(); at += step)
            lines.add(std::string_view(stream).substr(at, step),
                      [&out](std::string_view line) { out.emplace_back(line); });
    EXPECT_EQ(out, (std::vector<std::string>{"A1", "B2", "C3", "A1", "B2", "C3", "A1", "B2", "C3"}));
    EXPECT_EQ(lines.discarded(), 3U);
}

TEST(OpenGloves, AHandGoesThroughAGloveAndComesBack) {
    HandAngles angles = resting_angles();
    angles.fingers[0].mcp_spread = 0.15F;
    for (const Side side : {Side::left, Side::right}) {
        const HandFrame hand = pose_from_angles(default_profile(), angles, Eigen::Isometry3f::Identity(), side);
        const OpenGlovesInput input = opengloves_from_angles(angles_of_hand(hand));
        OpenGlovesInput read;
        ASSERT_TRUE(decode_opengloves(encode_opengloves(input, kSettings), kSettings, read));
        const HandFrame again =
            pose_from_angles(default_profile(), angles_from_opengloves(read), Eigen::Isometry3f::Identity(), side);
        for (std::size_t j = 0; j < kJointCount; ++j)
            EXPECT_LT((hand.joints[j].position_m - again.joints[j].position_m).norm(), 0.002F)
                << name_of(static_cast<Joint>(j));
    }
}

TEST(ByteStream, APtyCarriesPacketsOneWayAndForcesTheOther) {
    ByteStream glove = ByteStream::make_pty();
    ByteStream host = ByteStream::open(glove.name());
    std::array<char, 512> buffer{};
    std::mt19937 random(3);
    for (int i = 0; i < 200; ++i) {
        const OpenGlovesInput sent = random_input(random);
        ASSERT_TRUE(glove.write(encode_opengloves(sent, kSettings)));
        LineAssembler lines;
        OpenGlovesInput received;
        bool done = false;
        while (!done) {
            const auto bytes = host.read(buffer.data(), buffer.size(), 1000);
            ASSERT_FALSE(bytes.empty());
            lines.add(bytes, [&](std::string_view line) { done = decode_opengloves(line, kSettings, received); });
        }
        expect_near(sent, received);
    }
    ASSERT_TRUE(host.write("A100B200C300D400E500\n"));
    const auto forces = decode_opengloves_forces(glove.read(buffer.data(), buffer.size(), 1000));
    ASSERT_TRUE(forces);
    EXPECT_FLOAT_EQ((*forces)[4], 0.5F);
}

TEST(ByteStream, AReaderThatDoesNotReadDoesNotHoldUpTheWriter) {
    ByteStream glove = ByteStream::make_pty();
    const ByteStream host = ByteStream::open(glove.name());
    bool refused = false;
    for (int i = 0; i < 5000 && !refused; ++i) refused = !glove.write(std::string(100, 'A'));
    EXPECT_TRUE(refused);
    EXPECT_TRUE(glove.other_side_open());
}

TEST(ByteStream, SaysWhatCannotBeOpened) {
    EXPECT_THROW(ByteStream::open("/dev/no_such_glove"), DeviceError);
}

TEST(CyberGloveCalibration, IsTheLineThroughTwoPoints) {
    const auto sensors = parse_two_point_calibration("0.3:46.0 -0.5:164.0\n0.0:60.000000 0.000000:144.0\r\n\n");
    ASSERT_EQ(sensors.size(), 2U);
    EXPECT_NEAR(sensors[0].angle_rad(46), 0.3F, 1e-6F);
    EXPECT_NEAR(sensors[0].angle_rad(164), -0.5F, 1e-6F);
    EXPECT_NEAR(sensors[0].angle_rad(105), -0.1F, 1e-6F);
    EXPECT_EQ(sensors[1].angle_rad(99), 0.0F);
    for (const char* bad : {"", "hello", "1:2 3", "1:2 3:2", "1:2 nan:4", "1;2 3:4", "1:2 3:x"})
        EXPECT_THROW(parse_two_point_calibration(bad), std::runtime_error) << bad;
}

}  // namespace
}  // namespace glovebox::tracking
