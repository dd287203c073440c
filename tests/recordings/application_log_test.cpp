// The input that an application received besides its hands, in logs of version 3; older logs stay unchanged.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <random>
#include <thread>

#include "recordings/load.h"
#include "recordings/log/application_facts.h"
#include "recordings/log/database.h"
#include "recordings/log/log_reader.h"
#include "recordings/output.h"

namespace glovebox::recordings {
namespace {

using testing::HasSubstr;
using tracking::Side;

constexpr std::int64_t kStep_ns = 11'111'111;

struct Folder {
    Folder() { std::filesystem::create_directories(path); }
    ~Folder() { std::filesystem::remove_all(path); }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    std::filesystem::path file(const char* name) const { return path / name; }

    std::filesystem::path path =
        std::filesystem::temp_directory_path() / ("glovebox_application_log_" + std::to_string(getpid()));
};

tracking::HandPair application_sample(std::int64_t i) {
    tracking::HandPair sample;
    sample.time_ns = i * kStep_ns;
    tracking::HandFrame& hand = sample[Side::right];
    hand.side = Side::right;
    hand.source = tracking::Source::live;
    hand.active = true;
    for (std::size_t j = 0; j < hand.joints.size(); ++j) {
        hand.joints[j].position_m = {0.01F * static_cast<float>(j), 0.001F * static_cast<float>(i), -0.3F};
        hand.joints[j].flags = tracking::joint_flags::kAll;
        hand.joints[j].radius_m = 0.01F;
    }
    return sample;
}

AppPose pose_at(std::int64_t i, PoseOf of, std::int32_t number, ActionSource source) {
    std::mt19937 random(static_cast<unsigned>(i * 16 + number + static_cast<int>(of)));
    std::normal_distribution<float> any;
    AppPose pose;
    pose.time_ns = i * kStep_ns;
    pose.of = of;
    pose.number = number;
    pose.source = source;
    pose.flags = pose_flags::kAll;
    pose.position_m = {any(random), any(random), any(random)};
    pose.orientation = Eigen::Quaternionf(any(random), any(random), any(random), any(random)).normalized();
    if (of == PoseOf::view) pose.fov_rad = {-0.7F, 0.71F, 0.72F, -0.73F};
    return pose;
}

AppFrame frame_at(std::int64_t i) {
    AppFrame frame;
    frame.number = i;
    frame.display_ns = i * kStep_ns;
    frame.period_ns = kStep_ns;
    frame.waited_ns = frame.display_ns - kStep_ns;
    frame.begun_ns = frame.waited_ns + 10'000;
    frame.ended_ns = frame.waited_ns + 2'000'000 + (i % 100) * 10'000;
    frame.missed = i % 100 == 50 ? 2 : 0;
    frame.should_render = true;
    frame.layers = 1;
    frame.pose_hash = 0x9E3779B97F4A7C15ULL * static_cast<std::uint64_t>(i + 1);
    return frame;
}

HapticRecord vibration_at(std::int64_t i, float strength, std::int64_t shift_ns = 0) {
    return {i * kStep_ns + 77, Side::left, {"application"}, strength, {}, i * kStep_ns + shift_ns, 20'000'000, 160.0F};
}

HandVelocity velocity_at(std::int64_t i) {
    std::mt19937 random(static_cast<unsigned>(99 + i));
    std::uniform_real_distribution<float> any(-3.0F, 3.0F);
    HandVelocity hand;
    hand.time_ns = i * kStep_ns;
    hand.side = i % 2 == 0 ? Side::left : Side::right;
    for (HandVelocity::Joint& joint : hand.joints) {
        joint.flags = static_cast<std::uint8_t>(random() % 4);
        joint.linear_m_s = {any(random), any(random), any(random)};
        joint.angular_rad_s = {any(random), any(random), any(random)};
    }
    return hand;
}

void write_application_log(const std::filesystem::path& path, std::int64_t frames, bool with_velocities = false) {
    LogHeader header;
    header.of_application = true;
    header.meta = {{"application", "some game"}};
    LogWriter log(path, header);
    log.action({3, "main", "grip", "pose"});
    log.action({4, "main", "select", "boolean"});
    log.interaction_profile({5, ActionSource::left, "/interaction_profiles/khr/simple_controller"});
    for (std::int64_t i = 0; i < frames; ++i) {
        // In transactions of about 50 frames, so that each table's rows are spread over the file.
        while (i % 50 == 0 && log.status().samples_written < i) {
            log.flush_soon();
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
        log.sample(application_sample(i));
        log.pose(pose_at(i, PoseOf::head, 0, ActionSource::any));
        log.pose(pose_at(i, PoseOf::view, 0, ActionSource::any));
        log.pose(pose_at(i, PoseOf::view, 1, ActionSource::any));
        log.pose(pose_at(i, PoseOf::action, 3, ActionSource::left));
        log.app_frame(frame_at(i));
        if (i % 10 == 0)
            log.action_state({i * kStep_ns, 4, ActionSource::right, true, i % 20 == 0 ? 1.0F : 0.0F, 0.0F});
        if (i % 10 == 0) log.haptic(vibration_at(i, 0.5F));
        if (with_velocities) log.velocity(velocity_at(i));
    }
    log.close();
}

bool is_same(const HandVelocity& a, const HandVelocity& b) {
    VelocityBlob bytes_a, bytes_b;
    pack_velocity(a, bytes_a);
    pack_velocity(b, bytes_b);
    return a.time_ns == b.time_ns && a.side == b.side && bytes_a == bytes_b;
}

TEST(ApplicationLog, VelocitiesComeBackToTheBitAndRaiseTheVersion) {
    const Folder folder;
    write_application_log(folder.file("take.glove"), 300, true);
    write_application_log(folder.file("without.glove"), 300);
    const ApplicationLog log = read_application_log(folder.file("take.glove")),
                         without = read_application_log(folder.file("without.glove"));
    ASSERT_EQ(log.velocities.size(), 300U);
    for (std::size_t n = 0; n < log.velocities.size(); ++n)
        EXPECT_TRUE(is_same(log.velocities[n], velocity_at(static_cast<std::int64_t>(n)))) << n;
    EXPECT_TRUE(without.velocities.empty());
    const auto version = [&](const char* name) {
        return Database(folder.file(name), OpenMode::read).number("PRAGMA user_version");
    };
    EXPECT_EQ(version("take.glove"), 4);
    EXPECT_EQ(version("without.glove"), 3) << "older programs read it";
    EXPECT_EQ(load(folder.file("take.glove")).samples.size(), 300U);
    EXPECT_EQ(first_difference(log, without), "one has 300 velocity records, the other 0");
    ApplicationLog other = log;
    other.velocities[7].joints[3].linear_m_s.x() += 1e-6F;
    EXPECT_THAT(first_difference(log, other).value_or(""), testing::HasSubstr("hand's velocities at 0."));
    EXPECT_EQ(first_difference(log, other, {1e-6F, 0.0F, 0}), std::nullopt) << "they have no tolerance";
    EXPECT_THAT(info_text(log), testing::HasSubstr("  velocities of the device: 300 hands\n"));
    EXPECT_THAT(info_text(without), testing::Not(testing::HasSubstr("velocities")));
}

TEST(ApplicationLog, VelocitiesAreRecoveredAndChangedOnesLeftOut) {
    const Folder folder;
    write_application_log(folder.file("take.glove"), 1500, true);
    EXPECT_FALSE(recover_log(folder.file("take.glove"), folder.file("saved.glove")).was_damaged);
    const ApplicationLog log = read_application_log(folder.file("take.glove"));
    EXPECT_EQ(first_difference(log, read_application_log(folder.file("saved.glove"))), std::nullopt);
    {
        Database database(folder.file("saved.glove"), OpenMode::write);
        database.run("UPDATE hand_velocity SET crc = crc + 1 WHERE rowid = 9");
    }
    EXPECT_EQ(read_application_log(folder.file("saved.glove")).velocities.size(), 1499U);
    EXPECT_TRUE(recover_log(folder.file("saved.glove"), folder.file("again.glove")).was_damaged);
    EXPECT_EQ(read_application_log(folder.file("again.glove")).velocities.size(), 1499U);
    // In a log that is cut in the middle, each row that is left is one that was written.
    const std::uintmax_t size = std::filesystem::file_size(folder.file("take.glove"));
    std::filesystem::resize_file(folder.file("take.glove"), size / 2);
    EXPECT_TRUE(recover_log(folder.file("take.glove"), folder.file("rest.glove")).was_damaged);
    const ApplicationLog rest = read_application_log(folder.file("rest.glove"));
    EXPECT_GT(rest.velocities.size(), 500U);
    for (const HandVelocity& hand : rest.velocities)
        ASSERT_TRUE(is_same(hand, velocity_at(hand.time_ns / kStep_ns))) << hand.time_ns;
}

TEST(ApplicationLog, ATakenNameGetsANumberIfThatIsAskedFor) {
    const Folder folder;
    std::ofstream(folder.file("take.glove")) << "precious";
    LogHeader header;
    EXPECT_THROW(LogWriter(folder.file("take.glove"), header), ExportError);
    header.numbered_if_taken = true;
    const auto write = [&] {
        LogWriter log(folder.file("take.glove"), header);
        LogWriter beside(folder.file("take.glove"), header);  // while the first is being written
        log.sample(application_sample(0));
        beside.sample(application_sample(0));
        log.close();
        beside.close();
        return std::pair(log.status().path.filename(), beside.status().path.filename());
    };
    EXPECT_EQ(write(), std::pair(std::filesystem::path("take-2.glove"), std::filesystem::path("take-3.glove")));
    { const LogWriter silent(folder.file("take.glove"), header); }
    EXPECT_EQ(write().first, "take-4.glove") << "a log without samples takes no name";
    std::string text;
    std::ifstream(folder.file("take.glove")) >> text;
    EXPECT_EQ(text, "precious");
    EXPECT_THROW(LogWriter(folder.file("no/such/folder/take.glove"), header), ExportError);
}

TEST(ApplicationLog, ComesBackToTheBit) {
    const Folder folder;
    write_application_log(folder.file("take.glove"), 300);
    const ApplicationLog log = read_application_log(folder.file("take.glove"));
    EXPECT_EQ(log.name, "some game");
    ASSERT_EQ(log.frames.size(), 300U);
    ASSERT_EQ(log.poses.size(), 1200U);
    for (std::size_t n = 0; n < log.poses.size(); ++n) {
        const AppPose& pose = log.poses[n];
        const AppPose wanted = pose_at(static_cast<std::int64_t>(n / 4), pose.of, pose.number, pose.source);
        EXPECT_EQ(pose.time_ns, wanted.time_ns);
        EXPECT_EQ(pose.flags, wanted.flags);
        EXPECT_EQ(pose.position_m, wanted.position_m);
        EXPECT_EQ(pose.orientation.coeffs(), wanted.orientation.coeffs());
        EXPECT_EQ(pose.fov_rad, wanted.fov_rad);
    }
    for (std::size_t n = 0; n < log.frames.size(); ++n) {
        const AppFrame& frame = log.frames[n];
        const AppFrame wanted = frame_at(static_cast<std::int64_t>(n));
        EXPECT_EQ(frame.number, wanted.number);
        EXPECT_EQ(frame.display_ns, wanted.display_ns);
        EXPECT_EQ(frame.begun_ns, wanted.begun_ns);
        EXPECT_EQ(frame.ended_ns, wanted.ended_ns);
        EXPECT_EQ(frame.missed, wanted.missed);
        EXPECT_EQ(frame.pose_hash, wanted.pose_hash);
    }
    ASSERT_EQ(log.actions.size(), 2U);
    EXPECT_EQ(log.actions[1].name, "select");
    ASSERT_EQ(log.states.size(), 30U);
    EXPECT_EQ(log.states[2].x, 1.0F);
    EXPECT_EQ(log.states[2].source, ActionSource::right);
    ASSERT_EQ(log.profiles.size(), 1U);
    EXPECT_EQ(log.profiles[0].profile, "/interaction_profiles/khr/simple_controller");
    ASSERT_EQ(log.haptics.size(), 30U);
    EXPECT_EQ(log.haptics[3].display_ns, 30 * kStep_ns);
    EXPECT_EQ(log.haptics[3].duration_ns, 20'000'000);
    EXPECT_EQ(log.haptics[3].frequency_hz, 160.0F);
    Database database(folder.file("take.glove"), OpenMode::read);
    EXPECT_EQ(database.number("PRAGMA user_version"), 3);
}

TEST(ApplicationLog, OfOtherLogsNothingChanges) {
    const Folder folder;
    {
        LogWriter log(folder.file("take.glove"), {});
        log.sample(application_sample(0));
        log.pose(pose_at(0, PoseOf::head, 0, ActionSource::any));
        log.action({3, "main", "grip", "pose"});
        log.haptic({7, Side::left, {"controller"}, 0.25F, {}});
    }
    Database database(folder.file("take.glove"), OpenMode::read);
    EXPECT_EQ(database.number("PRAGMA user_version"), 2);
    EXPECT_EQ(database.number("SELECT count(*) FROM sqlite_schema WHERE name IN ('pose', 'app_frame', 'action')"), 0);
    EXPECT_EQ(database.number("SELECT count(*) FROM pragma_table_info('haptic')"), 9);
    EXPECT_TRUE(read_application_log(folder.file("take.glove")).is_empty());
    EXPECT_EQ(LogReader(folder.file("take.glove")).haptics().size(), 1U);
    // Files that are not logs have an empty application log.
    std::ofstream(folder.file("hand.csv")) << "frame,hand\n";
    EXPECT_TRUE(read_application_log(folder.file("hand.csv")).is_empty());
}

TEST(ApplicationLog, IsRecoveredWholeAndInPart) {
    const Folder folder;
    write_application_log(folder.file("take.glove"), 1500);
    const RecoveryReport whole = recover_log(folder.file("take.glove"), folder.file("saved.glove"));
    EXPECT_FALSE(whole.was_damaged);
    const ApplicationLog log = read_application_log(folder.file("take.glove"));
    const ApplicationLog saved = read_application_log(folder.file("saved.glove"));
    EXPECT_EQ(first_difference(log, saved), std::nullopt);
    EXPECT_EQ(saved.frames.size(), log.frames.size());
    const std::uintmax_t size = std::filesystem::file_size(folder.file("take.glove"));
    for (const std::uintmax_t cut : {size / 4, size / 2, 3 * size / 4}) {
        const std::filesystem::path part = folder.file("part.glove");
        const std::filesystem::path rest = folder.file((std::to_string(cut) + ".glove").c_str());
        std::filesystem::copy_file(folder.file("take.glove"), part, std::filesystem::copy_options::overwrite_existing);
        std::filesystem::resize_file(part, cut);
        EXPECT_TRUE(recover_log(part, rest).was_damaged);
        const ApplicationLog found = read_application_log(rest);
        const double share = static_cast<double>(cut) / static_cast<double>(size);
        EXPECT_GT(static_cast<double>(found.poses.size()), (share - 0.1) * 6000.0) << cut;
        EXPECT_GT(static_cast<double>(found.frames.size()), (share - 0.1) * 1500.0) << cut;
        // The rows fill three pages; the first is written when it is full.
        if (share > 0.7) {
            EXPECT_GT(found.haptics.size(), 70U) << cut;
        }
        for (const AppFrame& frame : found.frames) {
            ASSERT_LT(frame.number, 1500);
            EXPECT_EQ(frame.pose_hash, frame_at(frame.number).pose_hash);
        }
        Database database(rest, OpenMode::read);
        EXPECT_EQ(database.number("SELECT count(*) FROM frame"), 0) << "no row of an application is taken for another";
    }
    // A log without application data has none after recovery either.
    {
        LogWriter other(folder.file("other.glove"), {});
        other.sample(application_sample(0));
    }
    recover_log(folder.file("other.glove"), folder.file("other-saved.glove"));
    Database database(folder.file("other-saved.glove"), OpenMode::read);
    EXPECT_EQ(database.number("PRAGMA user_version"), 2);
    EXPECT_EQ(database.number("SELECT count(*) FROM sqlite_schema WHERE name = 'pose'"), 0);
}

TEST(ApplicationLog, FactsAreThoseOfItsFrames) {
    std::vector<AppFrame> frames;
    for (std::int64_t i = 0; i < 100; ++i) frames.push_back(frame_at(i));
    frames[10].ended_ns = frames[10].waited_ns + 30'000'000;
    const FrameFacts facts = facts_of(frames);
    EXPECT_EQ(facts.count, 100);
    EXPECT_EQ(facts.missed, 2);
    EXPECT_EQ(facts.too_long, 1);
    // 2.00, 2.01 .. 2.99 ms without 2.10, and 30 ms.
    EXPECT_NEAR(facts.work_ms.p50, 2.50, 1e-9);
    EXPECT_NEAR(facts.work_ms.p99, 2.99, 1e-9);
    EXPECT_NEAR(facts.work_ms.max, 30.0, 1e-9);
    EXPECT_NEAR(facts.interval_ms.p50, 1e-6 * static_cast<double>(kStep_ns), 1e-9);
    EXPECT_EQ(facts_of({}).work_ms.max, 0.0);
}

TEST(ApplicationLog, HapticsAreComparedCallByCall) {
    std::vector<HapticRecord> recorded, now;
    for (std::int64_t i = 0; i < 20; ++i) recorded.push_back(vibration_at(10 * i, 0.5F));
    for (std::int64_t i = 0; i < 20; ++i)
        if (i != 7) now.push_back(vibration_at(10 * i, i == 12 ? 0.6F : 0.5F, i == 3 ? 30'000'000 : 0));
    now.push_back(vibration_at(400, 0.5F));
    // Recorded twice in one frame, but commanded once now: this is one match.
    recorded.push_back(vibration_at(300, 0.5F));
    recorded.push_back(vibration_at(300, 0.5F));
    now.insert(now.end() - 1, vibration_at(300, 0.5F));
    const HapticComparison felt = compare_haptics(recorded, now);
    EXPECT_EQ(felt.same, 19);
    EXPECT_EQ(felt.missing, 3) << "the eighth, the one that is stronger, and one of two";
    EXPECT_EQ(felt.extra, 2);
    EXPECT_NEAR(felt.largest_shift_ms, 30.0, 1e-9);
    EXPECT_EQ(compare_haptics({}, now).extra, 21);
}

TEST(ApplicationLog, PosesAreComparedWhereTimesMeet) {
    ApplicationLog recorded, now;
    for (std::int64_t i = 0; i < 50; ++i) recorded.frames.push_back(frame_at(i));
    for (std::int64_t i = 20; i < 60; ++i) now.frames.push_back(frame_at(i));
    now.frames[5].pose_hash ^= 1;
    const PoseComparison poses = compare_poses(recorded, now);
    EXPECT_EQ(poses.frames_same, 29);
    EXPECT_EQ(poses.frames_different, 1);
    EXPECT_EQ(poses.frames_elsewhere, 10);
    EXPECT_NEAR(poses.first_different_s.value(), 25 * 1e-9 * kStep_ns, 1e-9);
}

TEST(ApplicationLog, DifferencesAreNamed) {
    const Folder folder;
    write_application_log(folder.file("take.glove"), 50);
    const ApplicationLog log = read_application_log(folder.file("take.glove"));
    EXPECT_EQ(first_difference(log, log), std::nullopt);
    const auto difference = [&log](const auto& change) {
        ApplicationLog other = log;
        change(other);
        return first_difference(log, other).value_or("");
    };
    EXPECT_THAT(difference([](ApplicationLog& o) { o.poses[8].position_m.x() += 0.01F; }),
                HasSubstr("head at 0.022222 s is 10 mm apart"));
    EXPECT_THAT(difference([](ApplicationLog& o) { o.poses[7].flags = 0; }),
                HasSubstr("controller main/grip left at 0.011111 s has the validity bits 15 and 0"));
    EXPECT_THAT(difference([](ApplicationLog& o) { o.poses[5].orientation.coeffs() *= -1.0F; }), HasSubstr("view 0"));
    EXPECT_THAT(difference([](ApplicationLog& o) { o.poses.pop_back(); }), HasSubstr("200 poses, the other 199"));
    EXPECT_THAT(difference([](ApplicationLog& o) { o.states[1].x = 1.0F; }),
                HasSubstr("action main/select right at 0.111111 s has another state"));
    EXPECT_THAT(difference([](ApplicationLog& o) { o.profiles[0].profile = ""; }), HasSubstr("interaction profile"));
    EXPECT_THAT(difference([](ApplicationLog& o) { o.haptics[2].vibration = 0.6F; }), HasSubstr("the haptic command"));
    ApplicationLog near = log;
    near.poses[8].position_m.x() += 0.01F;
    EXPECT_EQ(first_difference(log, near, {0.02F, 0.01F, 0}), std::nullopt);
}

TEST(ApplicationLog, IsToldInPlainWords) {
    const Folder folder;
    write_application_log(folder.file("take.glove"), 100);
    ApplicationLog log = read_application_log(folder.file("take.glove"));
    const std::string info = info_text(log);
    EXPECT_THAT(info, HasSubstr("  application some game: 100 frames, 11.1 ms from display time to display time "
                                "(median), 2 missed\n"));
    EXPECT_THAT(info, HasSubstr("  its work in a frame: 2.49 ms (median)"));
    EXPECT_THAT(info, HasSubstr("  head: 100 poses\n"));
    EXPECT_THAT(info, HasSubstr("  view 1: 100 poses\n"));
    EXPECT_THAT(info, HasSubstr("  controller main/grip left: 100 poses\n"));
    EXPECT_THAT(info, HasSubstr("  action main/select right: 10 states\n"));
    EXPECT_THAT(info, HasSubstr("  haptic commands: 10 vibrations, 0 stops, 0 finger forces\n"));
    EXPECT_THAT(findings_text(log), HasSubstr("most at once 2, at 0.556 s"));
    for (AppPose& pose : log.poses) {
        pose.flags = 0;
        pose.position_m.setZero();
        pose.orientation.setIdentity();
    }
    EXPECT_THAT(findings_text(log), HasSubstr("head: does not move at all"));
    EXPECT_THAT(findings_text(log), HasSubstr("controller main/grip left: not tracked in 100 of 100 poses"));
    EXPECT_EQ(info_text({}), "");
    EXPECT_EQ(findings_text({}), "");
}

TEST(ApplicationLog, NumbersOfNoPoseAreNotValid) {
    const Folder folder;
    write_application_log(folder.file("take.glove"), 10);
    {
        Database database(folder.file("take.glove"), OpenMode::write);
        database.run(
            "UPDATE pose SET x = 9e999 WHERE rowid = 1; UPDATE pose SET qw = 7 WHERE rowid = 2;"
            "UPDATE pose SET what = 'tail' WHERE rowid = 3; UPDATE pose SET flags = 255 WHERE rowid = 4");
    }
    const ApplicationLog log = read_application_log(folder.file("take.glove"));
    ASSERT_EQ(log.poses.size(), 39U);
    EXPECT_FALSE(log.poses[0].is_valid());
    EXPECT_FALSE(log.poses[1].is_valid());
    EXPECT_EQ(log.poses[2].flags, pose_flags::kAll);
}

}  // namespace
}  // namespace glovebox::recordings
