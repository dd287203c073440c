// What a session writes to its log, and what a replay compares with it.
#include "vr/session/record.h"

#include <gtest/gtest.h>

#include <thread>

#include "recordings/load.h"
#include "recordings/log/log_reader.h"
#include "tests/vr/run_program.h"

namespace glovebox::vr {
namespace {

struct Recorded {
    explicit Recorded(const TestFolder& folder)
        : path(folder.path / "s.glove"), pipeline(scene, {}, [] { return std::int64_t{0}; }), log(path, pipeline, {}) {}

    std::filesystem::path path;
    scenes::Scene scene = scenes::load_scene("table-and-ball");
    Pipeline pipeline;
    SessionLog log;
};

TEST(SessionLog, ADroppedSampleDoesNotShiftTheFramesOfLaterOnes) {
    const TestFolder folder("dropped_log");
    Recorded recorded(folder);
    constexpr int kFrames = 5000, kLate = 20;  // more than there is room for until the next commit
    for (int i = 0; i < kFrames + kLate; ++i) {
        if (i == kFrames) std::this_thread::sleep_for(std::chrono::milliseconds(500));
        tracking::HandPair sample;
        sample.time_ns = i * 1'000'000LL;
        recorded.pipeline.report.state_hash = static_cast<std::uint64_t>(i + 1);
        recorded.log.frame(sample, recorded.pipeline);
    }
    EXPECT_FALSE(recorded.log.finish().complete) << "no sample was dropped";
    const recordings::Recording read = recordings::load(recorded.path, {});
    ASSERT_EQ(read.samples.size(), read.state_hashes.size());
    EXPECT_EQ(read.samples.back().time_ns, (kFrames + kLate - 1) * 1'000'000LL);
    for (std::size_t i = 0; i < read.samples.size(); ++i)
        ASSERT_EQ(static_cast<std::int64_t>(read.state_hashes[i]), read.samples[i].time_ns / 1'000'000 + 1) << i;
}

TEST(RecordedHashes, AFrameWithoutAHashIsNotCompared) {
    RecordedHashes recorded;
    const std::vector<std::uint64_t> hashes = {11, 0, 13};
    for (int frame = 0; frame < 3; ++frame) recorded.compare(frame, static_cast<std::uint64_t>(11 + frame), hashes);
    EXPECT_EQ(recorded.compared, 2U);
    EXPECT_EQ(recorded.different, 0U);
}

TEST(SessionLog, AMotionLimitIsRecordedAsTheForceOfItsFinger) {
    const TestFolder folder("limit_log");
    Recorded recorded(folder);
    recorded.log.set_command_clock(0);
    recorded.log.frame({}, recorded.pipeline);
    HapticCommand command;
    command.parts[1].limit = 0.6F;
    command.parts[2] = {0.3F, 0.0F, 0.1F};
    recorded.log.command(command);
    ASSERT_TRUE(recorded.log.finish().complete);
    const auto forces = recordings::LogReader(recorded.path).forces();
    ASSERT_EQ(forces.size(), 1U);
    EXPECT_FLOAT_EQ(forces[0].force[1], 0.6F);
    EXPECT_FLOAT_EQ(forces[0].force[2], 0.3F);
    EXPECT_FLOAT_EQ(forces[0].force[3], 0.0F);
}

}  // namespace
}  // namespace glovebox::vr
