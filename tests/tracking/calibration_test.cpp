#include "tracking/glove/calibration.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "tracking/glove/cyberglove.h"
#include "tracking/glove/guided_poses.h"

namespace glovebox::tracking {
namespace {

constexpr float kRate_hz = 60.0F;

// An uncalibrated glove: each sensor has its own gain, bias and noise, and sensor 7 is broken.
struct StrangeGlove {
    std::vector<SensorCalibration> truth;
    std::mt19937 random{11};

    explicit StrangeGlove(std::size_t sensors) {
        for (std::size_t s = 0; s < sensors; ++s) {
            const float gain_rad = (s % 3 == 1 ? -0.9F : 0.6F) * (0.8F + 0.02F * static_cast<float>(s)) / 100.0F;
            truth.push_back({gain_rad, 0.1F - gain_rad * (60.0F + static_cast<float>(s))});
        }
    }
    float tremble(float size) { return size * (static_cast<float>(random() % 2001) / 1000.0F - 1.0F); }
    std::vector<float> raw(const std::vector<float>& angles_rad) {
        std::vector<float> values;
        for (std::size_t s = 0; s < truth.size(); ++s) {
            const float angle = std::isfinite(angles_rad[s]) ? angles_rad[s] : 0.2F;
            values.push_back(s == 7 ? 128.0F : (angle - truth[s].bias_rad) / truth[s].gain_rad + tremble(0.5F));
        }
        return values;
    }
};

// The guided poses, each held for two seconds, with a second of motion in between.
std::vector<SensorSample> sequence(StrangeGlove& glove, double hold_s) {
    std::vector<SensorSample> samples;
    const auto add = [&](const std::vector<float>& angles) {
        samples.push_back({static_cast<double>(samples.size()) / static_cast<double>(kRate_hz), glove.raw(angles)});
    };
    std::vector<float> before;
    for (const GuidedPose& pose : guided_poses()) {
        const std::vector<float> now = guided_targets_rad(pose, glove.truth.size());
        for (int i = 0; !before.empty() && i < 60; ++i) {
            std::vector<float> between(now.size());
            const float share = static_cast<float>(i) / 60.0F;
            for (std::size_t s = 0; s < now.size(); ++s) between[s] = before[s] + share * (now[s] - before[s]);
            add(between);
        }
        for (int i = 0; i < static_cast<int>(hold_s * static_cast<double>(kRate_hz)); ++i) add(now);
        before = now;
    }
    return samples;
}

class GuidedCalibration : public testing::TestWithParam<std::size_t> {};

TEST_P(GuidedCalibration, FindsTheHeldPosesAndEverySensorsLine) {
    StrangeGlove glove(GetParam());
    const std::vector<SensorSample> samples = sequence(glove, 2.0);
    const std::vector<SampleSpan> spans = find_held_poses(samples);
    ASSERT_EQ(spans.size(), guided_poses().size());
    std::vector<std::vector<float>> targets;
    for (std::size_t p = 0; p < spans.size(); ++p) {
        const double middle_s = 1.0 + 3.0 * static_cast<double>(p);
        EXPECT_LT(samples[spans[p].first].time_s, middle_s + 0.5) << p;
        EXPECT_GT(samples[spans[p].last].time_s, middle_s) << p;
        targets.push_back(guided_targets_rad(guided_poses()[p], GetParam()));
    }
    const CalibrationFit fit = fit_calibration(samples, spans, targets);
    int reported = 0;
    for (std::size_t s = 0; s < GetParam(); ++s) {
        if (fit.still[s]) {
            EXPECT_EQ(fit.sensors[s].gain_rad, 0.0F);
            continue;
        }
        ++reported;
        EXPECT_LT(fit.residual_rad[s], 0.01F) << s;
        // Accurate over the whole range that the poses cover.
        for (const float angle : {0.0F, 0.5F, 1.5F}) {
            const float raw = (angle - glove.truth[s].bias_rad) / glove.truth[s].gain_rad;
            EXPECT_NEAR(fit.sensors[s].angle_rad(raw), angle, 0.06F) << "sensor " << s;
        }
    }
    EXPECT_TRUE(fit.still[7]) << "a sensor that says nothing is switched off";
    EXPECT_GE(reported, static_cast<int>(GetParam()) - 9) << "most sensors are told by five poses";
}

INSTANTIATE_TEST_SUITE_P(Gloves, GuidedCalibration, testing::Values(18, 22, 23, 25));

TEST(HeldPoses, AreNotFoundInAHandThatKeepsMovingOrInNothing) {
    std::vector<SensorSample> moving;
    for (int i = 0; i < 300; ++i) {
        const float x = 0.02F * static_cast<float>(i);
        moving.push_back({0.01 * i, {std::sin(x), std::cos(x)}});
    }
    EXPECT_TRUE(find_held_poses(moving).empty());
    EXPECT_TRUE(find_held_poses({}).empty());
}

TEST(HeldPoses, ThatAreHeldTwiceCountOnce) {
    StrangeGlove glove(22);
    std::vector<SensorSample> samples = sequence(glove, 2.0);
    const std::size_t jerk = 60;  // one outlier in the middle of the first pose
    for (float& value : samples[jerk].raw) value += 40.0F;
    EXPECT_EQ(find_held_poses(samples).size(), guided_poses().size());
}

TEST(CyberGlove, SensorsOfAnglesPoseTheSameHandAgain) {
    for (const GuidedPose& pose : guided_poses())
        for (const std::size_t sensors : {18U, 22U, 23U})
            for (const Side side : {Side::left, Side::right}) {
                const CyberGloveAngles all = cyberglove_from_angles(pose.angles);
                const HandFrame expected =
                    pose_from_angles(default_profile(), pose.angles, Eigen::Isometry3f::Identity(), side);
                const HandFrame hand =
                    pose_from_cyberglove(default_profile(), cyberglove_angles(cyberglove_sensors(all, sensors)), side);
                // The small glove has no distal sensors: the coupling with the PIP joints replaces them.
                const float max_m = sensors == 18 ? 0.012F : 1e-5F;
                for (std::size_t j = 0; j < kJointCount; ++j)
                    EXPECT_LT((hand.joints[j].position_m - expected.joints[j].position_m).norm(), max_m)
                        << pose.name << " " << sensors << " " << name_of(static_cast<Joint>(j));
            }
}

TEST(OpenGlovesSensors, AreThePacketsNumbersAndPoseTheHandWhenCalibrated) {
    const OpenGlovesSettings settings;
    OpenGlovesInput input;
    ASSERT_TRUE(decode_opengloves("A4095B0C1000D2000E3000(BB)1024", settings, input));
    const auto raw = opengloves_sensors(input, settings);
    EXPECT_FLOAT_EQ(raw[0], 4095.0F);
    EXPECT_FLOAT_EQ(raw[10], 1000.0F);
    EXPECT_NEAR(raw[9], 1024.0F, 0.01F) << "splay of the index finger";
    for (const GuidedPose& pose : guided_poses()) {
        const HandAngles again = angles_from_opengloves_sensors(guided_targets_rad(pose, kOpenGlovesSensors));
        EXPECT_EQ(again.thumb.cmc_abduction, pose.angles.thumb.cmc_abduction);
        for (std::size_t f = 0; f < 4; ++f) {
            EXPECT_EQ(again.fingers[f].mcp_flex, pose.angles.fingers[f].mcp_flex);
            EXPECT_EQ(again.fingers[f].mcp_spread, pose.angles.fingers[f].mcp_spread);
            EXPECT_EQ(again.fingers[f].dip_flex, pose.angles.fingers[f].dip_flex);
        }
    }
}

TEST(CalibrationFile, OfGainAndOffsetHasALineASensorAndComments) {
    const auto sensors = parse_calibration("# gain offset\n0.01 -1.5\r\n\n-0.02\t0.25 # thumb\n");
    ASSERT_EQ(sensors.size(), 2U);
    EXPECT_FLOAT_EQ(sensors[0].angle_rad(100.0F), -0.5F);
    EXPECT_FLOAT_EQ(sensors[1].angle_rad(10.0F), 0.05F);
    EXPECT_EQ(parse_calibration("0.3:46.0 -0.5:164.0\n").size(), 1U) << "and colons mean two points";
    for (const char* bad : {"", "# only this", "1", "1 x", "nan 1", "1 2 3", "1,2"})
        EXPECT_THROW(parse_calibration(bad), std::runtime_error) << bad;
    EXPECT_THROW(parse_calibration("1e38:1 -1e38:1.0000001\n"), std::runtime_error) << "no infinite gains";
}

}  // namespace
}  // namespace glovebox::tracking
