// What a session writes to its log, and what a replay compares with it.
#include "vr/session/record.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <thread>
#include <tuple>

#include "recordings/load.h"
#include "recordings/log/database.h"
#include "recordings/log/log_reader.h"
#include "tests/vr/run_program.h"
#include "vr/platform/platform.h"
#include "vr/session/session.h"
#include "vr/session/touch_list.h"

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
    std::size_t known = 0;
    for (std::size_t i = 0; i < read.samples.size(); ++i) {
        if (read.state_hashes[i] == 0) continue;  // there was room for the sample, but not for its frame
        ++known;
        ASSERT_EQ(static_cast<std::int64_t>(read.state_hashes[i]), read.samples[i].time_ns / 1'000'000 + 1) << i;
    }
    EXPECT_GE(known, 1000U) << "of " << read.samples.size();
    EXPECT_NE(read.state_hashes.back(), 0U);
}

using Row = std::tuple<std::int64_t, std::string, std::string, std::string>;  // sample, hand, bone, object

// Compares the view `touches` with the list of the command `touches`, frame by frame. Returns the number of rows.
std::size_t compare_touches(const std::filesystem::path& path, const scenes::Scene& scene,
                            const recordings::Recording& recording) {
    std::filesystem::remove(path);
    SessionOptions options;
    options.race = false;
    Session session(scene, recording, options, now_ns);
    session.log = std::make_unique<SessionLog>(path, session.pipeline, SessionFacts{});
    TouchCollector collector(session, TouchBy::bone);
    while (session.next()) collector.add(session);
    const TouchList list = collector.finish(session);
    EXPECT_TRUE(session.log->finish().complete);

    recordings::Database log(path, recordings::OpenMode::write);
    std::vector<std::int64_t> times_ns;
    for (recordings::Statement all(log, "SELECT time_ns FROM sample ORDER BY id"); all.step();)
        times_ns.push_back(all.integer(0));
    std::map<Row, double> rows;
    for (recordings::Statement all(log, "SELECT sample, hand, bone, object, coalesce(distance_m, 1) FROM touches");
         all.step();)
        EXPECT_TRUE(rows.emplace(Row(all.integer(0), all.text(1), all.text(2), all.text(3)), all.real(4)).second);
    std::size_t expected = 0;
    for (const Touch& touch : list.touches) {
        double min_m = 0.0;
        for (std::size_t i = 0; i < times_ns.size(); ++i) {
            if (times_ns[i] < touch.begin_ns || (touch.end != Touch::End::open && times_ns[i] >= touch.end_ns))
                continue;
            ++expected;
            const auto row =
                rows.find(Row(static_cast<std::int64_t>(i), name_of(touch.side), part_name(TouchBy::bone, touch.part),
                              list.objects[static_cast<std::size_t>(touch.object)]));
            EXPECT_NE(row, rows.end()) << "frame " << i;
            if (row != rows.end()) min_m = std::min(min_m, row->second);
        }
        EXPECT_EQ(static_cast<float>(-min_m), touch.deepest_m);
    }
    EXPECT_EQ(rows.size(), expected);
    return expected;
}

// Including touches that begin above 0 m or below, end above that, pass between two frames, or outlast their hand.
TEST(SessionLog, HasARowForEachFrameOfEachTouchThatTheCommandLists) {
    const TestFolder folder("touch_rows");
    std::size_t rows = 0;
    const auto compare = [&](const std::string& scene_name, const recordings::SampleRow& sample, float enter_m) {
        SCOPED_TRACE(scene_name + " " + std::string(sample.name) + " " + std::to_string(enter_m));
        scenes::Scene scene = scenes::load_scene(scene_name);
        if (!std::isnan(enter_m)) scene.thresholds.touch_enter_m = enter_m;
        scene.thresholds.touch_exit_m = std::max(scene.thresholds.touch_exit_m, scene.thresholds.touch_enter_m);
        rows += compare_touches(folder.path / "t.glove", scene, sample.make());
    };
    constexpr float kOwn_m = std::numeric_limits<float>::quiet_NaN();
    const auto samples = recordings::sample_table();
    for (const recordings::SampleRow& sample : samples)
        for (const float enter_m : {kOwn_m, 0.004F, -0.001F}) compare(std::string(sample.scene), sample, enter_m);
    for (const scenes::SceneRow& row : scenes::scene_table()) compare(std::string(row.name), samples.front(), kOwn_m);
    EXPECT_GT(rows, 10'000U);
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
