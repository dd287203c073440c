#include "recordings/inject.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "recordings/diff.h"
#include "tests/recordings/files.h"

namespace glovebox::recordings {
namespace {

using tracking::Joint;
using tracking::Side;

// Ten seconds at 100 Hz; the left wrist moves along x by 1 mm a sample.
Recording ten_seconds() {
    Recording recording;
    for (int i = 0; i <= 1000; ++i) {
        auto& sample = recording.samples.emplace_back();
        sample.time_ns = 10'000'000LL * i;
        sample[Side::left] = closing_hand(0, Side::left);
        for (auto& joint : sample[Side::left].joints) joint.position_m.x() += 0.001F * static_cast<float>(i);
        sample[Side::right].side = Side::right;
    }
    return recording;
}

Recording injected(const char* spec) {
    Recording recording = ten_seconds();
    const Fault fault = parse_fault(spec);
    inject({&fault, 1}, recording);
    return recording;
}

float wrist_x(const Recording& recording, std::size_t i) {
    return recording.samples[i][Side::left][Joint::wrist].position_m.x();
}

TEST(Inject, DropRemovesSamples) {
    const Recording recording = injected("drop=200ms@3s");
    EXPECT_EQ(recording.samples.size(), 981U);
    EXPECT_EQ(recording.samples[299].time_ns, 2'990'000'000);
    EXPECT_EQ(recording.samples[300].time_ns, 3'200'000'000);
}

// The rounding of 4.988 s + 2.193 s must not decide whether the sample at 7.181 s is dropped.
TEST(Inject, ASpellEndsBeforeTheSampleAtItsEnd) {
    int samples = 0;
    for (int step_ms = 1; step_ms <= 50; ++step_ms)
        for (int first = 0; first < 100; first += 7) {
            Recording recording;
            for (int i = 0; i < 200; ++i) {
                auto& sample = recording.samples.emplace_back();
                sample.time_ns = 1'000'000LL * step_ms * i;
                sample[Side::left].active = true;
            }
            const std::string spec =
                "drop=" + std::to_string(51 * step_ms) + "ms@" + std::to_string(first * step_ms) + "ms";
            const Fault fault = parse_fault(spec);
            EXPECT_EQ(inject({&fault, 1}, recording).front().samples, 51U) << spec;
            samples += static_cast<int>(recording.samples.size());
        }
    EXPECT_EQ(samples, 50 * 15 * 149);
}

// Timestamps in whole milliseconds are slightly before or after the ticks of the slower clock.
TEST(Inject, RateTakesEverySecondSampleOfTwiceTheRate) {
    Recording recording;
    for (int i = 0; i < 600; ++i) {
        auto& sample = recording.samples.emplace_back();
        sample.time_ns = 1'000'000LL * std::lround(i * 1000.0 / 60.0);
        sample[Side::left] = closing_hand(0, Side::left);
    }
    const Fault fault = parse_fault("rate=30");
    inject({&fault, 1}, recording);
    EXPECT_EQ(recording.samples.size(), 300U);
    for (std::size_t i = 1; i < recording.samples.size(); ++i)
        EXPECT_NEAR(static_cast<double>(recording.samples[i].time_ns - recording.samples[i - 1].time_ns), 33.3e6,
                    0.8e6);
}

TEST(Inject, NanAndZeroPoseSpoilTheMiddle) {
    const Recording nan = injected("nan");
    EXPECT_TRUE(std::isfinite(wrist_x(nan, 499)));
    EXPECT_FALSE(std::isfinite(wrist_x(nan, 500)));
    EXPECT_FALSE(std::isfinite(wrist_x(nan, 519)));
    EXPECT_TRUE(std::isfinite(wrist_x(nan, 520)));
    const Recording zero = injected("zero-pose@1s+50ms");
    for (std::size_t i = 100; i < 105; ++i) {
        EXPECT_TRUE(zero.samples[i][Side::left][Joint::ring_tip].position_m.isZero());
        EXPECT_EQ(zero.samples[i][Side::left][Joint::ring_tip].flags, tracking::joint_flags::kAll)
            << "and lies about it";
    }
    EXPECT_FALSE(zero.samples[105][Side::left][Joint::ring_tip].position_m.isZero());
}

TEST(Inject, FreezeRepeatsTheLastPoseAtNewTimes) {
    const Recording recording = injected("freeze@2s+1s");
    for (std::size_t i = 200; i < 300; ++i) {
        EXPECT_EQ(wrist_x(recording, i), wrist_x(recording, 199));
        EXPECT_EQ(recording.samples[i].time_ns, 10'000'000LL * static_cast<std::int64_t>(i));
    }
    EXPECT_GT(wrist_x(recording, 300), wrist_x(recording, 299));
}

TEST(Inject, JumpScaleJitterLatencyRateAndSwap) {
    const Recording good = ten_seconds();
    EXPECT_NEAR(wrist_x(injected("jump=0.5m@1s"), 110), wrist_x(good, 110) + 0.5F, 1e-6F);
    EXPECT_EQ(wrist_x(injected("jump=0.5m@1s"), 130), wrist_x(good, 130));
    const auto reach = [](const Recording& r) {
        return (r.samples[7][Side::left][Joint::middle_tip].position_m -
                r.samples[7][Side::left][Joint::wrist].position_m)
            .norm();
    };
    EXPECT_NEAR(reach(injected("scale=1.15")), 1.15F * reach(good), 1e-5F);
    EXPECT_NEAR(wrist_x(injected("latency=45ms"), 500), wrist_x(good, 495), 1e-7F);
    EXPECT_NEAR(static_cast<double>(injected("rate=30").samples.size()), 301.0, 1.0);
    EXPECT_TRUE(injected("swap-hands@0+20s").samples[5][Side::right].active);
    EXPECT_FALSE(injected("swap-hands@0+20s").samples[5][Side::left].active);

    const Recording jittery = injected("jitter=2mm");
    double sum = 0.0;
    for (std::size_t i = 0; i < good.samples.size(); ++i) {
        const double x = static_cast<double>(wrist_x(jittery, i) - wrist_x(good, i));
        sum += x * x;
    }
    EXPECT_NEAR(std::sqrt(sum / 1001.0), 0.002, 0.0002);
    EXPECT_FALSE(first_difference(jittery, injected("jitter=2mm"))) << "the same every time";
}

TEST(Inject, SaysWhatIsWrongWithASpecification) {
    const auto error_of = [](const char* spec) {
        try {
            parse_fault(spec);
        } catch (const std::runtime_error& error) {
            return std::string(error.what());
        }
        return std::string("no error");
    };
    EXPECT_THAT(error_of("explode"), testing::HasSubstr("known: drop, nan"));
    EXPECT_THAT(error_of("drop"), testing::HasSubstr("a time is needed"));
    EXPECT_THAT(error_of("drop=far"), testing::HasSubstr("'far' is not a time"));
    EXPECT_THAT(error_of("nan=3"), testing::HasSubstr("takes no value"));
    EXPECT_THAT(error_of("rate\n"), testing::Not(testing::HasSubstr("\n"))) << "one line, whatever was given";
    EXPECT_THAT(error_of("rate=0"), testing::HasSubstr("above 0"));
    EXPECT_THAT(error_of("rate=nan"), testing::HasSubstr("not a hertz"));
    EXPECT_THAT(error_of("drop=1s@yesterday"), testing::HasSubstr("not a time"));
    EXPECT_THAT(error_of("nan@2s+0s"), testing::HasSubstr("no time above 0"));
    for (const FaultRow& row : fault_table())
        EXPECT_EQ(error_of(std::string(row.name).append(row.value.empty() ? "" : "=2").c_str()), "no error")
            << row.name;
}

TEST(Inject, SaysInHowManySamplesAFaultWasAtWork) {
    Recording recording;
    for (int i = 0; i <= 100; ++i) {
        tracking::HandPair sample;
        sample.time_ns = 10'000'000LL * i;
        recording.samples.push_back(sample);
    }
    const std::vector<Fault> faults = {parse_fault("drop=200ms@0.5s"), parse_fault("drop=100ms@0.55s"),
                                       parse_fault("nan@1.5s"), parse_fault("nan@0.301s+1ms"), parse_fault("rate=30")};
    const std::vector<FaultSpell> spells = inject(faults, recording);
    ASSERT_EQ(spells.size(), faults.size());
    EXPECT_EQ(spells[0].samples, 20U);
    EXPECT_EQ(spells[1].samples, 10U) << "those of the recording as it was";
    EXPECT_EQ(spells[2].samples, 0U) << "after the end";
    EXPECT_EQ(spells[3].samples, 0U) << "between two samples";
    EXPECT_EQ(spells[4].samples, 101U);
}

TEST(Inject, SurvivesAnEmptyRecording) {
    for (const FaultRow& row : fault_table()) {
        Recording recording;
        const Fault fault = parse_fault(std::string(row.name).append(row.value.empty() ? "" : "=2"));
        inject({&fault, 1}, recording);
        EXPECT_TRUE(recording.samples.empty());
    }
}

}  // namespace
}  // namespace glovebox::recordings
