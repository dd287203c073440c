// Files that could exhaust the machine: memory is bounded by the file's size, and work grows linearly with it.
//
// Memory is the peak of a child process that reads the file. Work is counted where possible, and never timed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "recordings/formats/lz_string.h"
#include "recordings/load.h"
#include "recordings/user_profile.h"
#include "tests/recordings/more_files.h"

namespace glovebox::recordings {
namespace {

using testing::HasSubstr;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kPeakIsOurs = false;  // the peak includes shadow memory
#else
constexpr bool kPeakIsOurs = true;
#endif

struct Reading {
    std::string said;
    double peak_bytes = 0.0;
};

// Reads a file in a child process.
Reading read_apart(const std::filesystem::path& path, const ImportOptions& options = {}) {
    int channel[2];
    EXPECT_EQ(pipe(channel), 0);
    const pid_t child = fork();
    if (child == 0) {
        std::string said;
        try {
            said = std::to_string(load(path, options).samples.size()) + " samples";
        } catch (const std::exception& error) {
            said = error.what();
        }
        const bool sent = write(channel[1], said.data(), said.size()) == static_cast<ssize_t>(said.size());
        _exit(sent ? 0 : 1);
    }
    close(channel[1]);
    Reading reading;
    std::array<char, 4096> text{};
    reading.said.assign(text.data(),
                        static_cast<std::size_t>(std::max<ssize_t>(0, read(channel[0], text.data(), text.size()))));
    close(channel[0]);
    rusage usage{};
    int status = 0;
    EXPECT_EQ(wait4(child, &status, 0, &usage), child);
    EXPECT_TRUE(WIFEXITED(status)) << "it crashed";
    reading.peak_bytes = 1024.0 * static_cast<double>(usage.ru_maxrss);
    return reading;
}

// Checks the limit of ImportOptions::memory_factor, plus a process's base memory.
void expect_bounded(const Reading& reading, std::size_t file_bytes) {
    constexpr double kProcess = 64e6;
    if (!kPeakIsOurs) return;
    EXPECT_LT(reading.peak_bytes, 64.0 * static_cast<double>(file_bytes) + static_cast<double>(kMemoryFloor) + kProcess)
        << reading.said;
    EXPECT_THAT(reading.said, testing::Not(HasSubstr("bad_alloc")));
}

// Makes a BVH file with a valid skeleton and header but only one channel, then rows.
std::string bvh_of_one_value(std::size_t rows) {
    std::string text = "HIERARCHY\nROOT RightHand\n{\nOFFSET 0 0 0\nCHANNELS 1 Xrotation\n";
    for (const char* finger : {"Index", "Middle"})
        text += std::string("JOINT RightHand") + finger +
                "1\n{\nOFFSET 0 0 10\nCHANNELS 0\nEnd Site\n{\nOFFSET 0 0 5\n}\n}\n";
    text += "}\nMOTION\nFrames: " + std::to_string(rows) + "\nFrame Time: 0.01\n";
    for (std::size_t i = 0; i < rows; ++i) text += "0\n";
    return text;
}

TEST(Exhaustion, RowsOfOneValueAreRefused) {
    const std::string text = bvh_of_one_value(500'000);
    const TemporaryFile file(text);
    const Reading reading = read_apart(file.path());
    EXPECT_THAT(reading.said, testing::AllOf(HasSubstr(file.path().string()), HasSubstr("--memory-factor")));
    expect_bounded(reading, text.size());
}

TEST(Exhaustion, TheFactorCanBeRaised) {
    const std::string text = bvh_of_one_value(80'000);
    const TemporaryFile file(text);
    EXPECT_THAT(read_apart(file.path()).said, HasSubstr("--memory-factor"));
    ImportOptions options;
    options.memory_factor = 5000.0;
    EXPECT_EQ(read_apart(file.path(), options).said, "80000 samples");
}

// The pose of an object takes 72 bytes in memory, while its row may have two.
TEST(Exhaustion, TracksStayWithinTheFactor) {
    std::string text =
        "HIERARCHY\nROOT cup\n{\nOFFSET 0 0 0\nCHANNELS 1 Xrotation\nEnd Site\n{\nOFFSET 0 0 0\n}\n}\nMOTION\n"
        "Frames: 2500000\nFrame Time: 0.01\n";
    for (int i = 0; i < 2'500'000; ++i) text += "0\n";
    const TemporaryFile file(text);
    ImportOptions options;
    EXPECT_EQ(load_track(file.path(), options).time_ns.size(), 2'500'000U);
    options.memory_factor = 1.0;
    try {
        load_track(file.path(), options);
        ADD_FAILURE() << "of 5 MB, a track takes 180";
    } catch (const ImportError& error) {
        EXPECT_THAT(error.what(), testing::AllOf(HasSubstr(file.path().string()), HasSubstr("--memory-factor")));
    }
}

TEST(Exhaustion, FramesWithoutHandsAreRefused) {
    // Each frame is eight bytes: its time, and a flag that nothing was tracked.
    std::string bytes = handsbin(1);
    const auto put = [](std::uint32_t value, char* to) {
        for (int i = 0; i < 4; ++i) to[i] = static_cast<char>(value >> (8 * i));
    };
    constexpr std::uint32_t kFrames = 500'000;
    put(kFrames + 1, bytes.data() + 13);
    bytes.reserve(bytes.size() + 8 * kFrames);
    for (std::uint32_t i = 0; i < kFrames; ++i) {
        char frame[8] = {};
        put(std::bit_cast<std::uint32_t>(1.0F + 0.001F * static_cast<float>(i)), frame);
        bytes.append(frame, 8);
    }
    const TemporaryFile file(bytes);
    const Reading reading = read_apart(file.path());
    EXPECT_THAT(reading.said, HasSubstr("--memory-factor"));
    expect_bounded(reading, bytes.size());
}

TEST(Exhaustion, TextThatUnpacksWithoutEndIsRefused) {
    const std::string bomb = compress_lz_base64("{\"frames\":[" + std::string(1'500'000, ' ') + "]}");
    ASSERT_LT(bomb.size(), 20'000U);
    ASSERT_TRUE(bomb.starts_with("N4Ig"));
    const TemporaryFile file(bomb);
    const Reading reading = read_apart(file.path());
    EXPECT_THAT(reading.said, HasSubstr("times as long when it is unpacked"));
    EXPECT_TRUE(!kPeakIsOurs || reading.peak_bytes < 100e6) << reading.peak_bytes;
    // The output exceeds the limit by at most one dictionary entry.
    EXPECT_FALSE(decompress_lz_base64(bomb, 10'000));
    EXPECT_TRUE(decompress_lz_base64(bomb, 4'000'000));
}

// A regression: the parser scanned all frames before each one, so 200,000 took forty times as long as 20,000.
TEST(Exhaustion, ManyFramesOfLeapAreReadOneByOne) {
    std::string one = leap_json(1);
    const std::size_t begin = one.find('[') + 1, end = one.rfind(']');
    const std::string frame = one.substr(begin, end - begin);
    constexpr std::size_t kFrames = 20'000;
    std::string text = one.substr(0, begin);
    text.reserve(kFrames * (frame.size() + 1));
    for (std::size_t i = 0; i < kFrames; ++i) text.append(i == 0 ? "" : ",").append(frame);
    text.append(one.substr(end));
    const TemporaryFile file(text);
    const Reading reading = read_apart(file.path());
    EXPECT_EQ(reading.said, std::to_string(kFrames) + " samples");
    // The text, the samples (twice while the vector grows) and one frame. A document tree would be ten times the text.
    const double samples = 2.0 * sizeof(tracking::HandPair) * kFrames;
    EXPECT_TRUE(!kPeakIsOurs || reading.peak_bytes < samples + 4.0 * static_cast<double>(text.size()) + 64e6)
        << reading.peak_bytes;
}

// A regression: at the end of each small list all lists were scanned. A million of them would take an hour.
TEST(Exhaustion, ListsSideBySideTakeLinearTime) {
    std::string lists = "{\"schema\":[[0,{\"handedness\":\"left\",\"hasHand\":true}]],\"frames\":[],\"rest\":[";
    for (int i = 0; i < 1'000'000; ++i) lists += "[],";
    lists += "0]}";
    const TemporaryFile file(lists);
    const Reading reading = read_apart(file.path());
    EXPECT_THAT(reading.said, HasSubstr("before its first sample"));
    expect_bounded(reading, lists.size());
}

TEST(Exhaustion, NestingIsRefusedEverywhere) {
    const std::string deep(100'000, '[');
    for (const std::string& text :
         {"{\"frames\":[{\"pointables\":" + deep, compress_lz_base64("{\"frames\":[{\"interactionBox\":" + deep),
          "{\"schema\":[[0,{\"handedness\":" + deep, "{\"glovebox\":\"recording\",\"x\":" + deep}) {
        const TemporaryFile file(text);
        EXPECT_THAT(read_apart(file.path()).said, testing::Not(HasSubstr("samples"))) << text.substr(0, 40);
    }
    const TemporaryFile profile("{\"glovebox_profile\":1,\"hands\":" + deep);
    EXPECT_THROW(load_user_profile(profile.path()), ImportError);
}

TEST(Exhaustion, OneFrameIsNotAllOfTheFile) {
    std::string text = "{\"frames\":[{\"interactionBox\":[";
    for (int i = 0; i < 500'000; ++i) text += "0,";
    const TemporaryFile file(text + "0]}]}");
    EXPECT_THAT(read_apart(file.path()).said, HasSubstr("too large"));
}

TEST(Exhaustion, ATrackThatIsAPipeIsRefused) {
    const std::filesystem::path pipe =
        std::filesystem::temp_directory_path() / ("glovebox_fifo_" + std::to_string(getpid()));
    ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
    try {
        load_track(pipe);
        ADD_FAILURE();
    } catch (const ImportError& error) {
        EXPECT_THAT(error.what(), HasSubstr("pipe"));
    }
    std::filesystem::remove(pipe);
}

}  // namespace
}  // namespace glovebox::recordings
