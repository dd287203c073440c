// The virtual glove against our own reader: over a real pseudo-terminal, a pair of pipes and a connection; and the uses
// of a glove's log.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <sstream>

#include "recordings/load.h"
#include "recordings/log/database.h"
#include "recordings/log/glove_words.h"
#include "recordings/log/log_reader.h"
#include "recordings/log/log_writer.h"
#include "recordings/user_profile.h"
#include "recordings/writer.h"
#include "tests/vr/run_program.h"
#include "tracking/glove/guided_poses.h"

namespace glovebox::vr {
namespace {

using testing::HasSubstr;
using testing::Not;
using tracking::Side;

// Plays the flick as a glove in the background, reads it with `glovebox live`, and waits for both.
void play_and_read(const std::string& play, const std::string& device, const std::filesystem::path& folder) {
    const std::string script =
        "cd '" + folder.string() + "'\n" GLOVEBOX_PROGRAM " emulate flick --as opengloves --rate 3x " + play +
        " > play.txt 2>&1 &\n"
        "p=$!\n"
        "for i in $(seq 200); do grep -q 'glove at\\|waiting' play.txt && break; sleep 0.02; done; sleep 0.3\n"
        "d=" +
        device +
        "\n" GLOVEBOX_PROGRAM
        " live \"$d\" --headless --seconds 1.5 --try-force 0.25 --record take.glove > live.txt 2>&1\n"
        "echo exit $? >> live.txt\n"
        "for i in $(seq 300); do kill -0 $p 2> /dev/null || break; sleep 0.02; done\n"
        "kill $p 2> /dev/null\nwait $p\n";
    std::ofstream(folder / "run.sh") << script;
    ASSERT_NE(std::system(("sh '" + (folder / "run.sh").string() + "'").c_str()), -1);
}

void expect_both_heard_each_other(const std::filesystem::path& folder) {
    const std::string play = text_of_file(folder / "play.txt"), live = text_of_file(folder / "live.txt");
    EXPECT_THAT(live, HasSubstr("exit 0"));
    EXPECT_THAT(live, HasSubstr("force commands"));
    EXPECT_THAT(play, HasSubstr("forces 0.250 0.250 0.250 0.250 0.250")) << live;
    EXPECT_THAT(play, HasSubstr("forces 0.000 0.000 0.000 0.000 0.000")) << "let go at the end";
    const recordings::Recording take = recordings::load(folder / "take.glove");
    EXPECT_GT(take.samples.size(), 60U) << play << live;
    EXPECT_TRUE(take.has(Side::right));
    EXPECT_EQ(take.samples.front()[Side::right].source, tracking::Source::glove);
    const auto words = recordings::read_glove_words(folder / "take.glove");
    EXPECT_EQ(words.samples.size(), take.samples.size()) << "the raw words are kept beside the hands";
    EXPECT_EQ(words.samples.front().raw.size(), 25U);
}

TEST(VirtualGlove, IsReadOverARealPseudoTerminalAndForcesComeBack) {
    const TestFolder folder("glove_pty");
    play_and_read("--to pty", "$(sed -n 's/^glove at //p' play.txt)", folder.path);
    expect_both_heard_each_other(folder.path);
}

TEST(VirtualGlove, IsReadOverPipesAndForcesComeBack) {
    const TestFolder folder("glove_pipe");
    play_and_read("--to pipe --path glove.pipe", "glove.pipe", folder.path);
    expect_both_heard_each_other(folder.path);
    EXPECT_FALSE(std::filesystem::exists(folder.path / "glove.pipe")) << "pipes are cleared away";
    EXPECT_FALSE(std::filesystem::exists(folder.path / "glove.pipe.back"));
}

TEST(VirtualGlove, IsReadOverAConnectionAndForcesComeBack) {
    const TestFolder folder("glove_tcp");
    const std::string port = std::to_string(20000 + getpid() % 20000);
    play_and_read("--to tcp --port " + port, "tcp:127.0.0.1:" + port, folder.path);
    expect_both_heard_each_other(folder.path);
}

// The force loop runs before the glove's first packet, which is time 0 of the log.
TEST(LiveGlove, WritesTheCommandsAtTheTimesOfItsLogHoweverLateItBegins) {
    const TestFolder folder("glove_late");
    const auto pipe = folder.path / "p";
    ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
    ASSERT_EQ(std::system(("cd '" + folder.path.string() +
                           "'; (" GLOVEBOX_PROGRAM " live p --headless --seconds 1.5 --record x.glove --haptics log "
                           "--haptics-log x.csv >out.txt 2>err.txt; echo $? >done) &")
                              .c_str()),
              0);
    std::ofstream glove(pipe);  // waits for a reader
    usleep(500'000);
    for (int i = 0; i < 60; ++i) {
        glove << "A0B0C500D250E1\n" << std::flush;
        usleep(10'000);
    }
    for (int i = 0; i < 1000 && !std::filesystem::exists(folder.path / "done"); ++i) usleep(10'000);
    const auto expect_same_times = [&folder](const std::string& take, const std::string& table) {
        const auto forces = recordings::LogReader(folder.path / take).forces();
        std::istringstream lines(text_of_file(folder.path / table));
        std::string line;
        std::getline(lines, line);
        std::size_t row = 0;
        for (; std::getline(lines, line) && row < forces.size(); ++row)
            ASSERT_NEAR(std::stod(line), 1e-9 * static_cast<double>(forces[row].time_ns), 2e-6) << table << " " << row;
        EXPECT_FALSE(lines) << "more commands than in the log";
        EXPECT_EQ(row, forces.size());
        EXPECT_GT(row, 3U);
    };
    expect_same_times("x.glove", "x.csv");
    const ProgramResult replay = run_program(
        "replay x.glove --headless --rate recorded --record y.glove --haptics log --haptics-log y.csv", folder.path);
    ASSERT_EQ(replay.exit_code, 0) << replay.out;
    expect_same_times("y.glove", "y.csv");
}

// Another program may lock the log for any time. Then the ring buffers fill up, and reading waits for them.
TEST(LiveGlove, EndsAtTheFirstCtrlCWhileItsLogIsHeld) {
    const TestFolder folder("glove_held");
    const auto pipe = folder.path / "p";
    ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
    ASSERT_EQ(
        std::system(("cd '" + folder.path.string() +
                     "'; (" GLOVEBOX_PROGRAM
                     " live p --headless --record x.glove >out.txt 2>err.txt & echo $! >pid; wait $!; echo $? >done) &")
                        .c_str()),
        0);
    const auto wait_for = [](const auto& condition) {
        for (int i = 0; i < 1000 && !condition(); ++i) usleep(10'000);
        return condition();
    };
    std::ofstream glove(pipe);  // waits for a reader
    const auto send = [&glove](int packets) {
        for (int i = 0; i < packets; ++i) glove << "A0B0C500D250E1\n";
        glove.flush();
    };
    send(10);
    ASSERT_TRUE(wait_for([&] { return std::filesystem::exists(folder.path / "x.glove"); }));
    recordings::Database other(folder.path / "x.glove", recordings::OpenMode::write);
    // Ten packets, and then samples without a hand while the glove is silent.
    ASSERT_TRUE(wait_for([&] { return other.number("SELECT count(*) FROM sample") >= 10; }));
    other.run("BEGIN IMMEDIATE");
    const auto kept = static_cast<std::size_t>(other.number("SELECT count(*) FROM sample"));
    send(2000);
    usleep(500'000);  // reading waits by now
    const pid_t pid = std::stoi(text_of_file(folder.path / "pid"));
    ASSERT_EQ(kill(pid, SIGINT), 0);
    const bool ended = wait_for([&] { return !text_of_file(folder.path / "done").empty(); });
    EXPECT_TRUE(ended);
    if (!ended) kill(pid, SIGKILL);
    other.run("ROLLBACK");
    EXPECT_EQ(text_of_file(folder.path / "done"), "1\n");
    EXPECT_THAT(text_of_file(folder.path / "out.txt"), HasSubstr("packets in"));
    EXPECT_THAT(text_of_file(folder.path / "err.txt"), HasSubstr("x.glove: recording stopped: "));
    EXPECT_EQ(recordings::load(folder.path / "x.glove").samples.size(), kept);
}

TEST(VirtualGlove, DoesNotWaitForAReaderThatDoesNotRead) {
    const TestFolder folder("glove_unread");
    const std::string script = "timeout 20 " GLOVEBOX_PROGRAM " emulate flick --to pty --unheard --rate 10x > '" +
                               (folder.path / "play.txt").string() + "' 2>&1";
    EXPECT_EQ(std::system(script.c_str()), 0) << "0.8 s of recording; a tenth of a second a packet would be a minute";
    EXPECT_THAT(text_of_file(folder.path / "play.txt"), testing::ContainsRegex("[1-9][0-9]* not taken"));
}

TEST(LiveGlove, ReadsAFileOfPacketsAndAWristFromAnotherSource) {
    const TestFolder folder("glove_file");
    {
        std::ofstream packets(folder.path / "packets.txt");
        for (int i = 0; i < 50; ++i) packets << "A" << 80 * i << "B0C500D250E1\n";
        packets << "not a packet\n";
        std::ofstream(folder.path / "tracker.txt") << "rubbish\n1000,0.5,1.25,-0.25,0.7071068,0,0.7071068,0\n";
    }
    const ProgramResult result =
        run_program("live packets.txt --hand left --record take.glove --wrist tracker.txt", folder.path);
    ASSERT_EQ(result.exit_code, 0) << result.error;
    EXPECT_THAT(result.out, HasSubstr("50 packets"));
    EXPECT_THAT(result.out, HasSubstr("1 unreadable"));
    EXPECT_THAT(result.out, HasSubstr("1 wrist pose"));
    const recordings::Recording take = recordings::load(folder.path / "take.glove");
    ASSERT_EQ(take.samples.size(), 50U);
    EXPECT_TRUE(take.samples.back()[Side::left][tracking::Joint::wrist].position_m.isApprox(
        Eigen::Vector3f(0.5F, 1.25F, -0.25F)));
}

// Bytes that arrive faster than the log can store them, as from a file or after a stop.
TEST(LiveGlove, LosesNothingOfAFlood) {
    const TestFolder folder("glove_flood");
    constexpr int kPackets = 6000;
    {
        std::ofstream packets(folder.path / "packets.txt");
        for (int i = 0; i < kPackets; ++i) packets << "A" << i % 4096 << "B0C500D250E1\n";
    }
    const ProgramResult result = run_program("live packets.txt --record take.glove", folder.path);
    ASSERT_EQ(result.exit_code, 0) << result.error;
    EXPECT_THAT(result.out, HasSubstr("6000 packets"));
    EXPECT_THAT(result.out, testing::Not(HasSubstr("there was no room")));
    EXPECT_EQ(recordings::load(folder.path / "take.glove").samples.size(), std::size_t{kPackets});
    EXPECT_EQ(recordings::read_glove_words(folder.path / "take.glove").samples.size(), std::size_t{kPackets});
}

TEST(LiveGlove, CountsTheSilenceAtTheEnd) {
    const TestFolder folder("glove_silent");
    const std::string script = "cd '" + folder.path.string() +
                               "' && mkfifo glove.pipe && (echo A1B2C3D4E5; sleep 1.2) > glove.pipe & cd '" +
                               folder.path.string() +
                               "' && while ! test -p glove.pipe; do sleep 0.02; done; " GLOVEBOX_PROGRAM
                               " live glove.pipe --headless > live.txt 2>&1; wait";
    ASSERT_EQ(std::system(script.c_str()), 0);
    EXPECT_THAT(text_of_file(folder.path / "live.txt"), testing::ContainsRegex("longest gap [0-9]{4,} ms"));
}

TEST(LiveGlove, SaysWhatToDoWhereNoGloveIsHeard) {
    const TestFolder folder("glove_bad");
    {
        std::ofstream noise(folder.path / "noise.txt");
        for (int i = 0; i < 20; ++i)
            noise << "A80B0C500D250E1\n" << std::string(static_cast<std::size_t>(i), '?') << "?\n\x93\n";
    }
    const auto expect_line = [&](const std::string& device, const std::string& says) {
        const ProgramResult result = run_program("live " + device, folder.path);
        EXPECT_EQ(result.exit_code, 1) << device;
        EXPECT_THAT(result.error, HasSubstr(says)) << device;
        EXPECT_EQ(std::count(result.error.begin(), result.error.end(), '\n'), 1) << result.error;
    };
    expect_line("no-such-device", "no-such-device: No such file or directory; a device is a serial port");
    expect_line(".", "is a folder; a device is");
    expect_line("tcp:foo", "tcp:foo: 'foo' is no port; tcp:HOST:PORT is expected");
    expect_line("tcp:localhost:99999", "'99999' is no port");
    expect_line("tcp:127.0.0.1:1", "start the glove's side first");
    expect_line("noise.txt", "40 of 60 packets could not be read");
}

// Records a glove's own raw values in the guided poses, as `live` would have stored them.
void record_guided_poses(const std::filesystem::path& path) {
    recordings::LogWriter log(path, {});
    std::int64_t time_ns = 0;
    std::vector<float> before;
    const auto add = [&](const std::vector<float>& angles) {
        recordings::WordRecord words;
        words.time_ns = time_ns;
        words.count = 25;
        for (std::size_t s = 0; s < 25; ++s)
            words.words[s] = static_cast<std::uint16_t>(2000.0F + (s % 2 == 0 ? 700.0F : -500.0F) * angles[s]);
        tracking::HandPair sample;
        sample.time_ns = time_ns;
        while (!log.put(sample)) log.flush_soon();
        log.words(words);
        if (time_ns / 16'000'000 % 50 == 0) {
            log.flush_soon();
            usleep(2000);
        }
        time_ns += 16'000'000;
    };
    for (const tracking::GuidedPose& pose : tracking::guided_poses()) {
        const std::vector<float> now = tracking::guided_targets_rad(pose, 25);
        for (int i = 0; !before.empty() && i < 50; ++i) {
            std::vector<float> between = before;
            for (std::size_t s = 0; s < 25; ++s) between[s] += 0.02F * static_cast<float>(i) * (now[s] - before[s]);
            add(between);
        }
        for (int i = 0; i < 120; ++i) add(now);
        before = now;
    }
    log.close();
}

TEST(Calibrate, MakesAProfileOfTheGuidedPosesAndLiveUsesIt) {
    const TestFolder folder("calibrate");
    record_guided_poses(folder.path / "poses.glove");
    const ProgramResult result = run_program("calibrate poses.glove -o me.json --name anna", folder.path);
    ASSERT_EQ(result.exit_code, 0) << result.error;
    EXPECT_THAT(result.out, HasSubstr("fist"));
    const tracking::UserProfile user = recordings::load_user_profile(folder.path / "me.json");
    EXPECT_EQ(user.name, "anna");
    ASSERT_EQ(user[Side::right].sensors.size(), 25U);
    EXPECT_NEAR(user[Side::right].sensors[6].gain_rad, 1.0F / 700.0F, 2e-5F);  // index PIP
    EXPECT_NEAR(user[Side::right].sensors[5].gain_rad, -1.0F / 500.0F, 2e-5F);

    // The same glove half closed: index PIP at 0.8 rad.
    {
        std::ofstream packets(folder.path / "packets.txt");
        for (int i = 0; i < 3; ++i) packets << "A2000B2000C2000D2000E2000(BAB)" << 2000 + 560 << "\n";
    }
    ASSERT_EQ(run_program("live packets.txt --profile me.json --record take.glove", folder.path).exit_code, 0);
    const recordings::Recording take = recordings::load(folder.path / "take.glove");
    const auto angles = tracking::angles_of_hand(take.samples.back()[Side::right]);
    EXPECT_NEAR(angles.fingers[0].pip_flex, 0.8F, 0.02F);
    EXPECT_NEAR(angles.fingers[1].mcp_flex, 0.0F, 0.02F);

    // Bone lengths and thickness of a hand's recording are added to the same profile, and a replay uses them.
    ASSERT_EQ(run_program("calibrate flick -o me.json", folder.path).exit_code, 0);
    const tracking::UserProfile both = recordings::load_user_profile(folder.path / "me.json");
    EXPECT_EQ(both[Side::right].sensors.size(), 25U) << "what was there stays";
    ASSERT_TRUE(both[Side::right].hand);
    EXPECT_THAT(both[Side::right].hand->origin, HasSubstr("flick"));
    EXPECT_EQ(run_program("replay flick --headless --frames 5 --profile me.json", folder.path).exit_code, 0);
}

TEST(Calibrate, RefusesHandsWhoseBonesWereNotMeasured) {
    const TestFolder folder("unmeasured");
    ASSERT_EQ(run_program("convert flick wrist.csv --as openxr-wrist-csv", folder.path).exit_code, 0);
    const ProgramResult refused = run_program("calibrate wrist.csv -o me.json", folder.path);
    EXPECT_EQ(refused.exit_code, 1);
    EXPECT_THAT(refused.error, HasSubstr("wrist.csv: no finger bone was measured"));
    EXPECT_FALSE(std::filesystem::exists(folder.path / "me.json"));
    const ProgramResult one = run_program("calibrate carry -o me.json", folder.path);
    EXPECT_EQ(one.exit_code, 0) << one.error;
    EXPECT_THAT(one.out, HasSubstr("only the right hand is fitted; for the left one run it again with --hand left"));
    EXPECT_THAT(run_program("calibrate carry -o me.json --hand left", folder.path).out, Not(HasSubstr("only the")));
}

TEST(Calibrate, SaysWhatIsMissing) {
    const TestFolder folder("calibrate_bad");
    const auto error_of = [&](const std::string& arguments) {
        const ProgramResult result = run_program("calibrate " + arguments, folder.path);
        EXPECT_EQ(result.exit_code, 1) << arguments;
        return result.error;
    };
    EXPECT_THAT(error_of("flick -o me.json --poses"), HasSubstr("no raw sensor words"));
    {
        std::ofstream text(folder.path / "still.txt");
        for (int i = 0; i < 90; ++i) {
            text << "2014 11 28 08 33 " << 1 + i / 30 << "." << i % 30 / 10 << i % 10 << " 1";
            for (int s = 0; s < 22; ++s) text << " 0.1";
            text << "\n";
        }
    }
    EXPECT_THAT(error_of("still.txt -o me.json --poses"), HasSubstr("5 are needed: flat, spread, fist"));
    EXPECT_FALSE(std::filesystem::exists(folder.path / "me.json"));
    EXPECT_EQ(run_program("calibrate flick", folder.path).exit_code, 2);
    EXPECT_THAT(run_program("calibrate --list", folder.path).out, HasSubstr("thumb-across"));
}

}  // namespace
}  // namespace glovebox::vr
