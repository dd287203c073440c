// One path for all sources: the same samples from a recording and from a live source give the same session.
#include "vr/session/session.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "recordings/load.h"
#include "recordings/log/log_reader.h"
#include "recordings/output.h"
#include "recordings/writer.h"
#include "tests/vr/run_program.h"
#include "vr/haptics/session.h"
#include "vr/platform/platform.h"
#include "vr/session/fault_watch.h"
#include "vr/session/open_session.h"
#include "vr/session/report.h"
#include "vr/session/session_view.h"

namespace glovebox::vr {
namespace {

using tracking::Side;

std::int64_t ticking_clock() {
    static std::int64_t time_ns = 0;
    return time_ns += 100;
}

// Samples of a recording as a live device delivers them: on its own clock, one at a time, not known beforehand.
class ListSource final : public tracking::HandSource {
  public:
    explicit ListSource(const recordings::Recording& recording) : samples_(recording.samples) {
        facts_.kind = "list";
        facts_.profiles = recording.profiles;
        facts_.has = {recording.has(Side::left), recording.has(Side::right)};
        status_.state = tracking::SourceState::live;
        status_.counters = {{"hiccups"}};
    }
    bool next(std::int64_t, tracking::SourceFrame& out) override {
        if (next_ == samples_.size()) status_.state = tracking::SourceState::ended;
        if (next_ == samples_.size()) return false;
        out.raw = samples_[next_];
        out.dt_s = next_ == 0 ? 0.0
                              : 1e-9 * static_cast<double>(samples_[next_].time_ns) -
                                    1e-9 * static_cast<double>(samples_[next_ - 1].time_ns);
        out.number = static_cast<std::int64_t>(next_++);
        return true;
    }
    void wait(std::int64_t) override {}
    const tracking::SourceFacts& facts() const override { return facts_; }
    const tracking::SourceStatus& status() const override { return status_; }
    std::vector<tracking::SourceNotice> take_notices() override { return std::exchange(notices, {}); }
    void set_paused(bool) override {}
    std::int64_t start_ns() const override { return 5'000'000'000'000; }

    std::vector<tracking::SourceNotice> notices;

  private:
    std::vector<tracking::HandPair> samples_;
    tracking::SourceFacts facts_;
    tracking::SourceStatus status_;
    std::size_t next_ = 0;
};

struct TwoWays {
    recordings::Recording recording;
    std::unique_ptr<Session> from_file, live;

    explicit TwoWays(const std::string& name) {
        for (const recordings::SampleRow& row : recordings::sample_table())
            if (row.name == name) recording = row.make();
        const scenes::Scene scene = scenes::load_scene("table-and-ball");
        SessionOptions options;
        options.placement = placement_of(recording, scene);
        live = std::make_unique<Session>(scene, std::make_unique<ListSource>(recording), options, ticking_clock);
        from_file = std::make_unique<Session>(scene, recording, SessionOptions{}, ticking_clock);
    }
};

TEST(Session, ALiveSourceGivesTheHashesOfAReplayOfTheSameSamples) {
    TwoWays ways("flick");
    int touching = 0;
    while (ways.live->next()) {
        ASSERT_TRUE(ways.from_file->next());
        ASSERT_EQ(ways.live->pipeline.report.state_hash, ways.from_file->pipeline.report.state_hash)
            << "frame " << ways.live->frame();
        touching += ways.live->pipeline.report.counts.touching > 0 ? 1 : 0;
    }
    EXPECT_FALSE(ways.from_file->next());
    EXPECT_EQ(ways.live->totals.state_hash, ways.from_file->totals.state_hash);
    EXPECT_EQ(ways.live->touches.json(ways.live->scene), ways.from_file->touches.json(ways.live->scene));
    EXPECT_GT(touching, 5) << "a recording that touches nothing would prove nothing";
}

TEST(Session, WhatAViewShowsOfALiveSourceIsWhatItShowsOfARecording) {
    TwoWays ways("flick");
    SessionView live(*ways.live), file(*ways.from_file);
    for (int i = 0; i < 300; ++i) {
        ASSERT_TRUE(ways.live->next());
        ASSERT_TRUE(ways.from_file->next());
    }
    const ViewModel &a = live.model(*ways.live), &b = file.model(*ways.from_file);
    ASSERT_FALSE(b.events.empty());
    ASSERT_EQ(a.events.size(), b.events.size());
    for (std::size_t i = 0; i < a.events.size(); ++i) EXPECT_EQ(a.events[i].what, b.events[i].what);
    EXPECT_NE(a.proxy, nullptr) << "the solid hand";
    EXPECT_EQ(a.quarantine, b.quarantine);
    EXPECT_TRUE(a.live);
    EXPECT_EQ(a.link, "live") << "counters at zero are not shown";
    EXPECT_FALSE(b.live);
}

TEST(Session, WhatTheSourceNoticesIsAnEvent) {
    TwoWays ways("flick");
    auto& source = static_cast<ListSource&>(*ways.live->source);
    ASSERT_TRUE(ways.live->next());
    source.notices.push_back({"silent"});
    ways.live->print_notices();
    SessionView view(*ways.live);
    const auto events = view.model(*ways.live).events;
    ASSERT_FALSE(events.empty());
    EXPECT_EQ(events.back().who, "list");
    EXPECT_EQ(events.back().what, "silent");
    EXPECT_EQ(events.back().mark, EventLine::Mark::trouble);
}

// Advances the clock by a millisecond in each call.
class SlowSink final : public Sink {
  public:
    explicit SlowSink(bool measures) : measures_(measures) {}
    void frame(const Session&) override {
        for (int i = 0; i < 10'000; ++i) ticking_clock();
    }
    bool measures() const override { return measures_; }
    void finish(const Session&, nlohmann::ordered_json&) override {}

  private:
    bool measures_;
};

TEST(Session, TotalIsAllThatTheFramesThreadDoesButMeasure) {
    for (const bool measures : {false, true}) {
        TwoWays ways("flick");
        ways.from_file->sinks.push_back(std::make_unique<SlowSink>(measures));
        for (int i = 0; i < 20; ++i) ASSERT_TRUE(ways.from_file->next());
        const double total_us = ways.from_file->pipeline.stats[scenes::Stage::total].percentile_us(0.5);
        EXPECT_EQ(total_us > 900.0, !measures) << total_us;
    }
}

TEST(Session, StagesAndTotalAreOfTheSameFrames) {
    TwoWays ways("grasp");
    while (ways.from_file->next()) {
    }
    const StageStats& stats = ways.from_file->pipeline.stats;
    for (const scenes::Stage stage : {scenes::Stage::ingest, scenes::Stage::refit, scenes::Stage::test,
                                      scenes::Stage::exact, scenes::Stage::step, scenes::Stage::total})
        EXPECT_EQ(stats[stage].count(), ways.from_file->totals.frames);
    double sum_us = 0.0;
    for (const scenes::Stage stage :
         {scenes::Stage::ingest, scenes::Stage::refit, scenes::Stage::test, scenes::Stage::exact, scenes::Stage::step})
        sum_us += stats[stage].mean_us();
    EXPECT_GE(stats[scenes::Stage::total].mean_us(), sum_us);
}

// A disk that is full while a session runs: reported once, and the session continues but is not called complete.
class FailingSink final : public Sink {
  public:
    explicit FailingSink(int& calls) : calls_(calls) {}
    void frame(const Session&) override {
        ++calls_;
        throw recordings::ExportError("out.csv: no space left");
    }
    void finish(const Session&, nlohmann::ordered_json&) override { calls_ += 1000; }

  private:
    int& calls_;
};

TEST(Session, ASinkThatFailsIsGivenUpAndTheSessionGoesOn) {
    TwoWays ways("flick");
    int calls = 0;
    ways.from_file->sinks.push_back(std::make_unique<FailingSink>(calls));
    for (int i = 0; i < 5; ++i) ASSERT_TRUE(ways.from_file->next());
    nlohmann::ordered_json report;
    EXPECT_FALSE(ways.from_file->finish(report));
    EXPECT_EQ(calls, 1);
}

TEST(Touches, AreThoseOfTheEvents) {
    SessionSettings settings;
    settings.headless = true;
    RecordingSettings from;
    from.recording = "grasp";
    const auto session = open_recording_session(from, settings, now_ns);
    while (session->next()) {
    }
    std::uint64_t begun = 0;
    double longest_s = 0.0;
    const auto rows = session->touches.json(session->scene);
    ASSERT_GE(rows.size(), 3U) << "a grasp has a thumb and fingers";
    for (const auto& row : rows) {
        begun += row["count"].get<std::uint64_t>();
        longest_s = std::max(longest_s, row["longest_s"].get<double>());
        EXPECT_GE(row["total_s"].get<double>(), row["longest_s"].get<double>());
        EXPECT_GE(row["deepest_m"].get<double>(), 0.0);
        EXPECT_EQ(row["hand"], "right");
    }
    const auto touches = session->totals.event_counts[static_cast<std::size_t>(scenes::EventKind::touch_begin)];
    EXPECT_LE(begun, touches) << "several bones of a finger are one touch";
    EXPECT_GT(begun, 0U);
    EXPECT_NEAR(longest_s, 1.9, 0.5) << "held from 3.4 to 5.0 s of the script, and while it closes and opens";
}

std::unique_ptr<Session> bundled(const std::string& name) {
    SessionSettings settings;
    settings.headless = true;
    RecordingSettings from;
    from.recording = name;
    return open_recording_session(from, settings, now_ns);
}

void expect_same_sums(const nlohmann::ordered_json& sums, const nlohmann::ordered_json& expected) {
    ASSERT_EQ(sums.size(), expected.size());
    for (std::size_t i = 0; i < sums.size(); ++i)
        for (const auto& [key, value] : expected[i].items()) {
            if (value.is_number_float())
                EXPECT_NEAR(sums[i][key].get<double>(), value.get<double>(), 1e-9) << key;
            else
                EXPECT_EQ(sums[i][key], value) << key;
        }
}

TEST(Touches, OfARecordingThatIsPlayedAgainAndGoneThroughAreListedOnce) {
    const auto once = bundled("grasp");
    while (once->next()) {
    }
    const auto expected = once->touches.list_json(once->scene), sums = once->touches.json(once->scene);
    ASSERT_GT(expected.size(), 4U);

    const auto looped = bundled("grasp");
    looped->file->transport.loop = true;
    for (int i = 0; i < 2 * looped->frame_count() + looped->frame_count() / 2; ++i) ASSERT_TRUE(looped->next());
    EXPECT_EQ(looped->touches.list_json(looped->scene), expected) << "two passes and a half";
    expect_same_sums(looped->touches.json(looped->scene), sums);

    const auto searched = bundled("grasp");
    for (const int frame : {380, 420, 300, 460, 461, 459}) {
        searched->seek(frame);
        for (int i = 0; i < 3; ++i) ASSERT_TRUE(searched->next());
    }
    searched->seek(searched->frame_count() - 1);
    EXPECT_EQ(searched->touches.list_json(searched->scene), expected) << "back, on, and step by step";
    expect_same_sums(searched->touches.json(searched->scene), sums);
}

// A bundled recording several times in a row, longer than the warm-up of a seek.
recordings::Recording repeated(std::string_view name, int times) {
    const auto row = std::ranges::find(recordings::sample_table(), name, &recordings::SampleRow::name);
    recordings::Recording recording = row->make();
    const std::vector<tracking::HandPair> once = recording.samples;
    const std::int64_t period_ns = once.back().time_ns + 11'000'000;
    for (int k = 1; k < times; ++k)
        for (tracking::HandPair sample : once) {
            sample.time_ns += k * period_ns;
            for (tracking::HandFrame& hand : sample.hands) {
                hand.times.common_ns += k * period_ns;
                hand.times.arrival_ns += k * period_ns;
            }
            recording.samples.push_back(sample);
        }
    return recording;
}

TEST(SessionLog, ASeekWaitsForTheDiskAndLosesNoSample) {
    const TestFolder folder("seek_log");
    Session session(scenes::load_scene("table-and-ball"), repeated("flick", 12), {}, ticking_clock);
    session.log = std::make_unique<SessionLog>(folder.path / "s.glove", session.pipeline, SessionFacts{});
    ASSERT_GT(session.frame_count(), 6000);
    for (int frame = 1999; frame < 6000; frame += 1999) session.seek(frame);
    const SessionLog::Outcome outcome = session.log->finish();
    EXPECT_TRUE(outcome.complete) << outcome.sentence;
    EXPECT_EQ(recordings::LogReader(folder.path / "s.glove").sample_count(), session.frame() + 1);
}

// After such a seek the state is another one than in a run from the start.
TEST(SessionLog, FramesAfterASeekThatSkipsSomeAreNeitherComparedNorRecorded) {
    const TestFolder folder("skip_log");
    recordings::Recording recording = repeated("carry", 6);
    const std::string scene = "two-hands";
    {
        Session plain(scenes::load_scene(scene), recording, {}, ticking_clock);
        while (plain.next()) recording.state_hashes.push_back(plain.pipeline.report.state_hash);
    }
    Session session(scenes::load_scene(scene), recording, {}, ticking_clock);
    session.log = std::make_unique<SessionLog>(folder.path / "s.glove", session.pipeline, SessionFacts{});
    for (int i = 0; i < 400; ++i) ASSERT_TRUE(session.next());
    session.seek(100);
    session.seek(2300);
    ASSERT_TRUE(session.next());
    EXPECT_EQ(session.recorded.compared, 400U);
    EXPECT_EQ(session.recorded.different, 0U);
    EXPECT_EQ(session.log->frames(), 400);
    session.seek(500);
    EXPECT_EQ(session.recorded.compared, 501U);
    EXPECT_EQ(session.recorded.different, 0U);
    EXPECT_TRUE(session.log->finish().complete);
    const auto hashes = recordings::LogReader(folder.path / "s.glove").state_hashes();
    ASSERT_EQ(hashes.size(), 501U);
    EXPECT_TRUE(std::equal(hashes.begin(), hashes.end(), recording.state_hashes.begin()));
}

// The loop that a fault watch simulates counts in the log's time already.
TEST(SessionLog, CommandsOfASimulatedLiveSessionAreInTheLogsTime) {
    const TestFolder folder("live_commands");
    TwoWays ways("flick");
    SessionSettings settings;
    settings.haptics = {"null"};
    settings.record = folder.path / "s.glove";
    ways.live->faults = std::make_unique<FaultWatch>(std::vector<recordings::FaultSpell>{}, recordings::Recording{});
    equip(*ways.live, settings, "table-and-ball", {});
    while (ways.live->next()) {
    }
    ways.live->haptics->stop();
    ASSERT_TRUE(ways.live->log->finish().complete);
    recordings::LogReader log(settings.record);
    const auto forces = log.forces();
    ASSERT_GT(forces.size(), 100U);
    EXPECT_GE(forces.front().time_ns, 0);
    EXPECT_LE(forces.back().time_ns, log.duration_ns() + 1'000'000'000);
}

TEST(Session, SuppressedEventsOfAllPassesAddUp) {
    const auto suppressed_in = [](int passes) {
        const auto session = bundled("grasp");
        session->file->transport.loop = true;
        for (int i = 0; i < passes * session->frame_count(); ++i) EXPECT_TRUE(session->next());
        return report_json(*session)["event_counts"]["suppressed"].get<int>();
    };
    const int once = suppressed_in(1);
    EXPECT_GT(once, 0);
    EXPECT_EQ(suppressed_in(3), 3 * once);
}

TEST(OpenBothOrFirst, TwoFilesAreOneRecordingIfTheyAreItsTwoHands) {
    const TestFolder folder("both_or_first");
    const recordings::SampleRow& carry =
        *std::ranges::find(recordings::sample_table(), "carry", &recordings::SampleRow::name);
    for (const Side side : tracking::kSides) {
        recordings::Recording one = carry.make();
        keep_only(side, one);
        recordings::save(one, folder.path / (side == Side::left ? "take_L.csv" : "take_R.csv"), "glovebox-csv");
    }
    RecordingSettings from;
    from.recording = (folder.path / "take_L.csv").string();
    from.other_hand = (folder.path / "take_R.csv").string();
    const OpenedSession both = open_both_or_first(from, {}, ticking_clock);
    EXPECT_TRUE(both.session->recording().has(Side::left));
    EXPECT_TRUE(both.session->recording().has(Side::right));
    EXPECT_EQ(SessionView(*both.session).model(*both.session).title, "take_L + take_R");
    EXPECT_EQ(both.word.rfind("Two files of one take", 0), 0U) << both.word;

    from.other_hand = from.recording;
    const OpenedSession first = open_both_or_first(from, {}, ticking_clock);
    EXPECT_FALSE(first.session->recording().has(Side::right));
    EXPECT_EQ(first.word.rfind("Only take_L.csv is open: ", 0), 0U) << first.word;
    EXPECT_TRUE(from.other_hand.empty());

    from.recording = "none.csv";
    from.other_hand = (folder.path / "take_R.csv").string();
    EXPECT_THROW(open_both_or_first(from, {}, ticking_clock), std::runtime_error);
}

}  // namespace
}  // namespace glovebox::vr
