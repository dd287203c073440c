// Existing files, links and folders at an output's path, and how they may get there.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <thread>

#include "recordings/log/log_reader.h"
#include "recordings/log/log_writer.h"
#include "recordings/writer.h"
#include "tests/recordings/files.h"

namespace glovebox::recordings {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using tracking::Side;

template <class Work>
std::string error_of(const Work& work) {
    try {
        work();
    } catch (const ExportError& error) {
        return error.what();
    }
    return {};
}

class Replacing : public testing::Test {
  protected:
    Replacing() : folder_(fs::temp_directory_path() / ("glovebox_replacing_" + std::to_string(getpid()))) {
        fs::remove_all(folder_);
        fs::create_directory(folder_);
    }
    ~Replacing() override { fs::remove_all(folder_); }
    fs::path file(const std::string& name, const std::string& bytes) const {
        std::ofstream(folder_ / name, std::ios::binary) << bytes;
        return folder_ / name;
    }
    std::size_t files_in_folder() const {
        return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
    }
    static tracking::HandPair sample_at(int i) {
        tracking::HandPair sample;
        sample.time_ns = 10'000'000LL * i;
        sample[Side::right] = closing_hand(i, Side::right);
        return sample;
    }

    fs::path folder_;
};

TEST_F(Replacing, WhatGloveboxDidNotWriteStaysWithoutForce) {
    const fs::path letter = file("letter.csv", "Dear diary"), source = file("a.csv", openxr_csv(20, Side::left));
    EXPECT_THAT(error_of([&] { convert(source, letter, {}); }),
                testing::AllOf(HasSubstr("letter.csv"), HasSubstr("--force")));
    EXPECT_EQ(bytes_of(letter), "Dear diary");
    convert(source, letter, {}, {}, true);
    EXPECT_EQ(load(letter).samples.size(), 20U);
    EXPECT_THAT(error_of([&] { convert(source, letter, {}); }), HasSubstr("is a recording"));
    convert(source, file("empty.csv", ""), {});
}

TEST_F(Replacing, ARecordingIsSaidToBeOneBeforeForceIsTried) {
    const fs::path take = file("take.csv", openxr_csv(20, Side::left));
    EXPECT_THAT(error_of([&] { expect_replaceable(take, false); }),
                testing::AllOf(HasSubstr("is a recording"), testing::Not(HasSubstr("--force"))));
}

// Recordings of every format, whoever wrote them.
TEST_F(Replacing, ARecordingIsNotReplacedWithForceEither) {
    const fs::path source = file("a.csv", openxr_csv(20, Side::left));
    for (const char* name : {"take.csv", "take.jsonl", "take.bvh", "take.glove"}) {
        const fs::path take = folder_ / name;
        convert(source, take, {});
        const std::string before = bytes_of(take);
        EXPECT_THAT(error_of([&] { convert(source, take, {}, {}, true); }), HasSubstr("never replaced")) << name;
        EXPECT_THAT(error_of([&] { expect_replaceable(take, true); }), HasSubstr("never replaced")) << name;
        EXPECT_TRUE(bytes_of(take) == before) << name;
    }
}

TEST_F(Replacing, ReportsAndTablesAreReplacedFromRunToRun) {
    for (const char* start : {"{\n  \"recording\": {", "frame,time_s,hand,bone,object,touching,distance_m"})
        EXPECT_EQ(error_of([&] { expect_replaceable(file("out", start), false); }), "");
    const std::string picture("\x89PNG\r\n\x1a\n\0\0\0\rIHDRwidthxheight_and_crc\0\0\0\x11tEXtSoftware\0glovebox", 61);
    EXPECT_EQ(error_of([&] { expect_replaceable(file("out", picture), false); }), "");
    EXPECT_EQ(error_of([&] { expect_replaceable(folder_ / "nothing", false); }), "");
    for (const char* start : {"{\"recording\": 1}", "frame,time_s,name", "\x89PNG\r\n", "<svg>"}) {
        EXPECT_NE(error_of([&] { expect_replaceable(file("out", start), false); }), "") << start;
        EXPECT_EQ(error_of([&] { expect_replaceable(file("out", start), true); }), "") << start;
    }
}

TEST_F(Replacing, ALogIsNeverReplaced) {
    const fs::path source = file("a.csv", openxr_csv(20, Side::left)), log = folder_ / "take.glove";
    convert(source, log, {});
    const std::string before = bytes_of(log);
    for (const bool force : {false, true}) {
        EXPECT_THAT(error_of([&] { convert(source, log, {}, {}, force); }), HasSubstr("never replaced"));
        EXPECT_THAT(error_of([&] { convert(source, log, {}, "glovebox-csv", force); }), HasSubstr("never replaced"));
        EXPECT_THAT(error_of([&] { recover_log(log, log, force); }), HasSubstr("never replaced"));
    }
    EXPECT_THAT(error_of([&] { LogWriter(log, {}); }), HasSubstr("name another file"));
    EXPECT_TRUE(bytes_of(log) == before);
}

TEST_F(Replacing, ARecorderThatHearsNothingLeavesNothing) {
    const fs::path old = file("old.glove", "a take of a year ago");
    EXPECT_NE(error_of([&] { LogWriter(old, {}); }), "");
    EXPECT_EQ(bytes_of(old), "a take of a year ago");
    {
        LogWriter log(folder_ / "new.glove", {});
        usleep(250'000);
        EXPECT_FALSE(fs::exists(folder_ / "new.glove"));
        log.close();
    }
    EXPECT_EQ(files_in_folder(), 1U) << "not even a part of a file";
}

TEST_F(Replacing, ASecondRecorderOfOneNameIsRefused) {
    const fs::path path = folder_ / "take.glove";
    {
        LogWriter first(path, {});
        EXPECT_THAT(error_of([&] { LogWriter(path, {}); }), HasSubstr("another program is writing it"))
            << "before a sample has come";
        for (int i = 0; i < 30; ++i) first.sample(sample_at(i));
        usleep(250'000);
        ASSERT_TRUE(fs::exists(path));
        EXPECT_NE(error_of([&] { LogWriter(path, {}); }), "") << "and after";
        first.close();
        EXPECT_EQ(load(path).samples.size(), 30U);
    }
    EXPECT_EQ(files_in_folder(), 1U) << "the lock goes with its holder";
}

// A program that ignores the lock may take the name; the recording then gets a number.
TEST_F(Replacing, ARecorderWhoseNameWasTakenNumbersItsLog) {
    LogWriter log(folder_ / "take.glove", {});
    file("take.glove", "theirs");
    for (int i = 0; i < 30; ++i) log.sample(sample_at(i));
    log.close();
    EXPECT_EQ(bytes_of(folder_ / "take.glove"), "theirs");
    EXPECT_EQ(log.status().path.filename(), "take-2.glove");
    EXPECT_EQ(load(folder_ / "take-2.glove").samples.size(), 30U);
}

TEST_F(Replacing, OneProgramAtATimeWritesToAPlace) {
    const fs::path out = folder_ / "out.csv", source = file("a.csv", openxr_csv(20, Side::left));
    {
        const WriterLock held(out);
        EXPECT_THAT(error_of([&] { const WriterLock second(out); }), HasSubstr("another program is writing it"));
        for (const char* as : {"openxr-csv", "glove"})
            EXPECT_THAT(error_of([&] { convert(source, out, {}, as); }), HasSubstr("another program is writing it"));
        EXPECT_THAT(error_of([&] { Output second(out); }), HasSubstr("another program is writing it"));
        const WriterLock other(folder_ / "other.csv");
    }
    EXPECT_EQ(files_in_folder(), 1U);
    convert(source, out, {});
    EXPECT_EQ(files_in_folder(), 2U);
}

// A killed program leaves its lock file. A file that is not a lock is not touched.
TEST_F(Replacing, ALockThatIsLeftIsTakenOver) {
    file("out.csv.lock", "");
    { const WriterLock lock(folder_ / "out.csv"); }
    EXPECT_EQ(files_in_folder(), 0U);
    file("out.csv.lock", "a key and its lock");
    EXPECT_THAT(error_of([&] { const WriterLock lock(folder_ / "out.csv"); }), HasSubstr("in the way"));
    EXPECT_EQ(bytes_of(folder_ / "out.csv.lock"), "a key and its lock");
    const fs::path target = file("target", "");
    fs::create_symlink(target, folder_ / "link.csv.lock");
    EXPECT_NE(error_of([&] { const WriterLock lock(folder_ / "link.csv"); }), "");
    ASSERT_EQ(mkfifo((folder_ / "pipe.csv.lock").c_str(), 0600), 0);
    EXPECT_NE(error_of([&] { const WriterLock lock(folder_ / "pipe.csv"); }), "") << "and it does not wait";
    EXPECT_TRUE(fs::exists(target));
}

TEST_F(Replacing, ALogDoesNotTakeAnothersWalForItsOwn) {
    file("take.glove-wal", "frames of a log that was moved away");
    EXPECT_THAT(error_of([&] { LogWriter(folder_ / "take.glove", {}); }), HasSubstr("take.glove-wal"));
    EXPECT_EQ(bytes_of(folder_ / "take.glove-wal"), "frames of a log that was moved away");
}

TEST_F(Replacing, TwoConversionsToOneOutputDoNotMix) {
    const fs::path one = file("one.csv", openxr_csv(800, Side::left)),
                   two = file("two.csv", openxr_csv(500, Side::left));
    for (const char* name : {"out.csv", "out.glove", "out.bvh"}) {
        for (int round = 0; round < 4; ++round) {
            const fs::path out = folder_ / name;
            fs::remove(out);
            std::string first, second;
            std::thread other([&] { second = error_of([&] { convert(two, out, {}); }); });
            first = error_of([&] { convert(one, out, {}); });
            other.join();
            const std::size_t samples = load(out).samples.size();
            EXPECT_TRUE(samples == 800 || samples == 500) << samples;
            EXPECT_NE(first.empty(), second.empty()) << "one is told that it came second: " << first << second;
            EXPECT_EQ(samples == 800, first.empty());
        }
    }
    EXPECT_EQ(files_in_folder(), 5U) << "and no parts are left";
}

// An attacker who can guess the name of a temporary part can put a link there.
TEST_F(Replacing, PartsHaveNamesThatNobodyCanKnow) {
    const fs::path target = file("target", "precious"), source = file("a.csv", openxr_csv(20, Side::left));
    for (const char* name : {"out.csv", "out.glove"}) {
        fs::create_symlink(target, folder_ / (std::string(name) + ".part"));
        convert(source, folder_ / name, {});
    }
    EXPECT_EQ(bytes_of(target), "precious");
    const Part one(folder_ / "x"), two(folder_ / "x"), long_one(folder_ / std::string(255, 'n'));
    EXPECT_NE(one.path, two.path);
    EXPECT_EQ(long_one.path.parent_path(), folder_);
    EXPECT_LE(long_one.path.filename().string().size(), 255U);
    fs::create_symlink(target, folder_ / "link");
    EXPECT_THROW(make_new_file(folder_ / "link"), ExportError);
    EXPECT_THROW(make_new_file(target), ExportError);
}

TEST_F(Replacing, WhatAnotherProgramPutThereMeanwhileStays) {
    {
        Output out(folder_ / "out.txt");
        out.write("ours");
        file("out.txt", "theirs");
        EXPECT_THAT(error_of([&] { out.commit(); }), HasSubstr("another program"));
    }
    EXPECT_EQ(bytes_of(folder_ / "out.txt"), "theirs");
    EXPECT_EQ(files_in_folder(), 1U);
}

}  // namespace
}  // namespace glovebox::recordings
