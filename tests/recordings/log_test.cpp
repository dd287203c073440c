#include "recordings/log/log_writer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sqlite3.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstring>
#include <limits>
#include <random>
#include <thread>

#include "recordings/diff.h"
#include "recordings/log/database.h"
#include "recordings/log/log_reader.h"
#include "recordings/log/schema.h"
#include "recordings/writer.h"
#include "tests/recordings/files.h"

namespace glovebox::recordings {
namespace {

using testing::HasSubstr;
using tracking::HandPair;
using tracking::Joint;
using tracking::Side;

HandPair sample_at(std::int64_t i) {
    HandPair sample;
    sample.time_ns = 8'333'333 * i;
    for (const Side side : {Side::left, Side::right}) {
        sample[side] = closing_hand(static_cast<int>(i % 50), side);
        sample[side].times = {7'000 + sample.time_ns, sample.time_ns, sample.time_ns};
        sample[side].source = tracking::Source::live;
    }
    return sample;
}

void remove_log(const std::filesystem::path& path) {
    for (const char* beside : {"", "-wal", "-shm", "-journal", ".part"})
        std::filesystem::remove(path.string() + beside);
}

// Leaves the files of a process that was killed before its first sample.
void remove_parts(const std::filesystem::path& path) {
    for (const auto& entry : std::filesystem::directory_iterator(path.parent_path()))
        if (entry.path().filename().string().starts_with(path.filename().string() + '.'))
            std::filesystem::remove(entry.path());
}

struct LogFile : TemporaryFile {
    LogFile() : TemporaryFile("", "a.glove") { remove_log(path()); }
    ~LogFile() { remove_log(path()); }
};

TEST(Log, GivesBackEveryBitOfEverySample) {
    const LogFile file;
    Recording recording;
    for (std::int64_t i = 0; i < 300; ++i) recording.samples.push_back(sample_at(i));
    recording.samples[7].hands[0] = {};
    recording.samples[8] = HandPair{};
    recording.samples[8].time_ns = sample_at(8).time_ns;
    recording.samples[9][Side::right][Joint::ring_tip] = {};
    recording.samples[10][Side::right][Joint::wrist].position_m.x() = std::numeric_limits<float>::quiet_NaN();
    {
        LogWriter log(file.path(), {});
        for (const HandPair& sample : recording.samples) log.sample(sample);
        log.close();
    }
    EXPECT_FALSE(std::filesystem::exists(file.path().string() + "-wal")) << "one file when closed";
    const Recording read = load(file.path());
    EXPECT_EQ(read.format, "glove");
    const auto difference = first_difference(recording, read);
    EXPECT_FALSE(difference) << difference->sample << " " << difference->what;
    EXPECT_EQ(read.samples[5][Side::left].times.device_ns, 7'000 + sample_at(5).time_ns);
    EXPECT_EQ(read.samples[5][Side::left].source, tracking::Source::live);
}

TEST(Log, KeepsWhatWasMadeOfTheSamples) {
    const LogFile file;
    LogHeader header;
    header.meta["scene"] = "table-and-ball";
    header.calibration[1] = {{0.01F, -1.0F}};
    LogWriter log(file.path(), header);
    log.sample(sample_at(0));
    log.frame({0, 0xFEDCBA9876543210ULL, {1, 2, 3, 4, 5, 6, 21}});
    log.contact({0, Side::right, 7, 1, -0.002F, {1, 2, 3}, {0, 1, 0}});
    EventRecord event;
    event.time_ns = 5;
    std::strcpy(event.kind.data(), "touch_begin");
    event.finger = 1;
    log.event(event);
    log.force({6, Side::right, {0.1F, 0.2F, 0.3F, 0.4F, 0.5F}, {0.6F, 0.7F, 0.8F, 0.9F, 1.0F}});
    log.haptic({7, Side::left, {"controller"}, 0.25F, {}});
    log.haptic({8, Side::right, {"force-feedback"}, {}, {{0.1F, 0.0F, 0.0F, 0.0F, 0.75F}}});
    WordRecord words;
    words.count = 3;
    words.words = {10, 20, 65535};
    log.words(words);
    log.annotate(9, "here it slipped");
    log.close();

    Database database(file.path(), OpenMode::read);
    EXPECT_EQ(database.number("SELECT state_hash FROM frame"), static_cast<std::int64_t>(0xFEDCBA9876543210ULL));
    EXPECT_EQ(database.number("SELECT total_us FROM frame"), 21);
    EXPECT_EQ(
        database.number("SELECT count(*) FROM contact WHERE hand='right' AND bone=7 AND distance_m<-0.0019 AND z=3"),
        1);
    EXPECT_EQ(database.number("SELECT count(*) FROM event WHERE kind='touch_begin' AND finger=1"), 1);
    EXPECT_EQ(database.number("SELECT count(*) FROM force WHERE abs(little-0.5)<1e-6"), 1);
    EXPECT_EQ(database.number("SELECT count(*) FROM force WHERE abs(little_vibration-1)<1e-6"), 1);
    EXPECT_EQ(database.number("SELECT count(*) FROM haptic WHERE vibration=0.25 AND thumb IS NULL"), 1);
    EXPECT_EQ(database.number("SELECT count(*) FROM haptic WHERE vibration IS NULL AND little=0.75"), 1);
    EXPECT_EQ(database.number("SELECT length(words) FROM glove_word"), 6);
    EXPECT_EQ(database.number("SELECT count(*) FROM annotation WHERE text='here it slipped'"), 1);
    EXPECT_EQ(database.number("SELECT count(*) FROM profile"), 52);
    EXPECT_EQ(database.number("SELECT count(*) FROM calibration WHERE hand='right'"), 1);
    EXPECT_EQ(LogReader(file.path()).meta().at("scene"), "table-and-ball");
}

TEST(Log, TellsWhatTheDevicesWereTold) {
    const LogFile file;
    {
        LogWriter log(file.path(), {});
        log.sample(sample_at(0));
        log.haptic({7, Side::left, {"controller"}, 0.25F, {}});
        log.haptic({8, Side::right, {"force-feedback"}, {}, {{0.5F, 0.0F, 0.0F, 0.0F, 0.75F}}});
    }
    const LogReader reader(file.path());
    const std::vector<HapticRecord> haptics = reader.haptics();
    ASSERT_EQ(haptics.size(), 2U);
    EXPECT_EQ(haptics[0].time_ns, 7);
    EXPECT_EQ(haptics[0].side, Side::left);
    EXPECT_STREQ(haptics[0].output.data(), "controller");
    EXPECT_EQ(haptics[0].vibration, 0.25F);
    EXPECT_FALSE(haptics[0].force);
    EXPECT_FALSE(haptics[1].vibration);
    ASSERT_TRUE(haptics[1].force);
    EXPECT_EQ((*haptics[1].force)[0], 0.5F);
    EXPECT_EQ((*haptics[1].force)[4], 0.75F);
}

// Rewrites a log as version 1, from before haptics were stored per device.
void make_version_1(const std::filesystem::path& path) {
    sqlite3* database = nullptr;
    ASSERT_EQ(sqlite3_open(path.c_str(), &database), SQLITE_OK);
    std::string sql = "DROP TABLE haptic; PRAGMA user_version=1;";
    for (const char* finger : {"thumb", "index", "middle", "ring", "little"})
        sql += std::string("ALTER TABLE force DROP COLUMN ") + finger + "_vibration;";
    EXPECT_EQ(sqlite3_exec(database, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK) << sqlite3_errmsg(database);
    sqlite3_close(database);
}

TEST(Log, OfVersion1IsReadAndRecovered) {
    const LogFile file, saved;
    {
        LogWriter log(file.path(), {});
        for (std::int64_t i = 0; i < 20; ++i) log.sample(sample_at(i));
        log.force({6, Side::right, {0.1F, 0.2F, 0.3F, 0.4F, 0.5F}, {}});
    }
    make_version_1(file.path());
    const LogReader reader(file.path());
    EXPECT_EQ(reader.sample_count(), 20);
    EXPECT_EQ(reader.forces().size(), 1U);
    EXPECT_TRUE(reader.haptics().empty());
    EXPECT_EQ(load(file.path()).samples.size(), 20U);

    const RecoveryReport report = recover_log(file.path(), saved.path());
    EXPECT_FALSE(report.was_damaged);
    EXPECT_EQ(report.samples, 20);
    const LogReader again(saved.path());
    EXPECT_EQ(again.forces().size(), 1U);
    Database database(saved.path(), OpenMode::read);
    EXPECT_EQ(database.number("PRAGMA user_version"), 2);
    EXPECT_EQ(database.number("SELECT count(*) FROM force WHERE abs(little-0.5)<1e-6 AND thumb_vibration IS NULL"), 1);
}

TEST(Log, IsFoundAtAnyTime) {
    const LogFile file;
    {
        LogWriter log(file.path(), {});
        for (std::int64_t i = 0; i < 500; ++i) log.sample(sample_at(i));
    }
    LogReader reader(file.path());
    EXPECT_EQ(reader.sample_count(), 500);
    EXPECT_EQ(reader.duration_ns(), sample_at(499).time_ns);
    EXPECT_EQ(reader.at(-5).time_ns, 0);
    EXPECT_EQ(reader.at(sample_at(321).time_ns).time_ns, sample_at(321).time_ns);
    EXPECT_EQ(reader.at(sample_at(321).time_ns + 1000).time_ns, sample_at(321).time_ns);
    EXPECT_EQ(reader.at(std::numeric_limits<std::int64_t>::max()).time_ns, sample_at(499).time_ns);
    EXPECT_EQ(reader.at(sample_at(77).time_ns)[Side::left][Joint::index_tip].position_m,
              sample_at(77)[Side::left][Joint::index_tip].position_m);
}

// A process that records at 120 Hz and 1 kHz is killed at a random instant. Everything recorded more than 250 ms
// before its death must be in the log, in order and without gaps.
TEST(Log, SurvivesBeingKilledAtAnyInstantWithAtMostAQuarterSecondLost) {
    using Clock = std::chrono::steady_clock;
    std::mt19937 random(4);
    int with_samples = 0;
    for (int round = 0; round < 100; ++round) {
        const LogFile file;
        int channel[2];
        ASSERT_EQ(pipe(channel), 0);
        const pid_t child = fork();
        ASSERT_GE(child, 0);
        if (child == 0) {
            LogWriter log(file.path(), {});
            const char ready = 1;
            if (write(channel[1], &ready, 1) != 1) _exit(1);
            const Clock::time_point start = Clock::now();
            for (std::int64_t i = 0;; ++i) {
                std::this_thread::sleep_until(start + std::chrono::nanoseconds(8'333'333 * i));
                log.sample(sample_at(i));
                for (int k = 0; k < 8; ++k) log.force({8'333'333 * i + k * 1'000'000, Side::right, {}, {}});
            }
        }
        char ready = 0;
        ASSERT_EQ(read(channel[0], &ready, 1), 1);
        const Clock::time_point start = Clock::now();
        std::this_thread::sleep_for(std::chrono::microseconds(random() % (round < 10 ? 600'000 : 60'000)));
        kill(child, SIGKILL);
        const std::int64_t lived_ns = std::chrono::nanoseconds(Clock::now() - start).count();
        waitpid(child, nullptr, 0);
        close(channel[0]);
        close(channel[1]);

        std::int64_t last_ns = -1, count = 0;
        try {
            stream(file.path(), {}, [&](const HandPair& sample) {
                EXPECT_EQ(sample.time_ns, sample_at(count).time_ns) << "in order, nothing missing";
                last_ns = sample.time_ns;
                ++count;
            });
        } catch (const ImportError& error) {
            EXPECT_THAT(error.what(), testing::AnyOf(HasSubstr("before its first sample"), HasSubstr("no such file")))
                << "an empty log is a readable log, and there is none before there is a sample";
        }
        remove_parts(file.path());
        EXPECT_GE(last_ns, lived_ns - 250'000'000 - 8'333'333) << "round " << round << " lived " << lived_ns;
        with_samples += count > 0 ? 1 : 0;
    }
    EXPECT_GE(with_samples, 5);
}

// Also killed while the log is being created: then there is no file yet, or a log without samples.
TEST(Log, IsNeverHalfMade) {
    std::mt19937 random(5);
    int there = 0, not_there = 0;
    for (int round = 0; round < 60; ++round) {
        const LogFile file;
        std::filesystem::remove(file.path());
        const pid_t child = fork();
        ASSERT_GE(child, 0);
        if (child == 0) {
            LogWriter log(file.path(), {});
            log.sample(sample_at(0));
            log.flush_soon();
            for (;;) pause();
        }
        // The first rounds wait for the file; the others kill at random times before or after it appears.
        if (round < 20)
            while (!std::filesystem::exists(file.path())) usleep(50);
        else
            usleep(static_cast<useconds_t>(random() % 20'000));
        kill(child, SIGKILL);
        waitpid(child, nullptr, 0);
        remove_parts(file.path());
        if (!std::filesystem::exists(file.path())) {
            ++not_there;
            continue;
        }
        ++there;
        try {
            load(file.path());
        } catch (const ImportError& error) {
            EXPECT_THAT(error.what(), HasSubstr("before its first sample")) << "an empty log is a readable log";
        }
    }
    EXPECT_GE(there, 20);
    EXPECT_GE(not_there, 1);
}

TEST(Log, GoesOnWithoutRecordingWhenTheFileIsTakenAway) {
    const LogFile file;
    LogWriter log(file.path(), {});
    log.sample(sample_at(0));
    log.flush_soon();
    while (log.status().samples_written < 1) usleep(1000);
    std::filesystem::remove(file.path());
    for (std::int64_t i = 1; i < 3000; ++i) log.sample(sample_at(i));
    for (int wait = 0; wait < 100 && log.status().error.empty(); ++wait)
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    EXPECT_THAT(log.status().error, HasSubstr("removed"));
    log.sample(sample_at(3001));
    EXPECT_THROW(log.close(), ExportError);
}

TEST(Log, SaysSoWhenTheDiskIsFull) {
    const LogFile file;
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
        signal(SIGXFSZ, SIG_IGN);
        const rlimit limit = {1 << 20, 1 << 20};  // no file grows beyond 1 MB: to SQLite that is a full disk
        setrlimit(RLIMIT_FSIZE, &limit);
        LogWriter log(file.path(), {});
        for (std::int64_t i = 0; i < 100'000 && log.status().error.empty(); ++i) {
            log.sample(sample_at(i));
            if (i % 10 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(10));
        }
        const bool said = log.status().error.find("recording stopped") != std::string::npos;
        log.sample(sample_at(0));  // further calls must be harmless
        _exit(said ? 42 : 1);
    }
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_EQ(WEXITSTATUS(status), 42);
    std::int64_t count = 0;
    stream(file.path(), {}, [&count](const HandPair&) { ++count; });
    EXPECT_GT(count, 50) << "what was written before is there";
}

TEST(Log, CannotBeMadeWhereNobodyMayWrite) {
    EXPECT_THROW(LogWriter("/nowhere/at/all.glove", {}), ExportError);
}

void write_log(const std::filesystem::path& path, std::int64_t samples) {
    LogWriter log(path, {});
    for (std::int64_t i = 0; i < samples; ++i)
        while (!log.put(sample_at(i))) log.flush_soon();
    log.close();
}

TEST(RecoverLog, SavesAllOfAWholeLog) {
    const LogFile whole, saved;
    write_log(whole.path(), 2000);
    const RecoveryReport report = recover_log(whole.path(), saved.path());
    EXPECT_EQ(report.samples, 2000);
    EXPECT_EQ(report.hands, 4000);
    EXPECT_FALSE(report.was_damaged);
    EXPECT_FALSE(first_difference(load(whole.path()), load(saved.path())));
}

TEST(RecoverLog, SavesWhatIsReadableOfADamagedOneAndTheLogItselfIsSaidToBeDamaged) {
    std::mt19937 random(6);
    int damaged = 0;
    for (int round = 0; round < 6; ++round) {
        const LogFile log, saved;
        write_log(log.path(), 1500);
        const auto size = static_cast<std::streamoff>(std::filesystem::file_size(log.path()));
        {
            std::fstream file(log.path(), std::ios::in | std::ios::out | std::ios::binary);
            file.seekp(static_cast<std::streamoff>(random()) % (size - 60'000) + 40'000);  // not in the schema
            for (int i = 0; i < 6000; ++i) file.put(static_cast<char>(random()));
        }
        bool unreadable = false;
        try {
            load(log.path());
        } catch (const ImportError& error) {
            unreadable = true;
            EXPECT_THAT(error.what(), HasSubstr("damaged"));
        }
        try {
            const RecoveryReport report = recover_log(log.path(), saved.path());
            EXPECT_GT(report.samples, 1000) << report.text();
            EXPECT_EQ(static_cast<std::int64_t>(load(saved.path()).samples.size()), report.samples);
            damaged += unreadable ? 1 : 0;
        } catch (const ImportError& error) {
            EXPECT_THAT(error.what(), HasSubstr("saved")) << "round " << round;
        }
    }
    EXPECT_GE(damaged, 3) << "the damage was felt";
}

// Writes a log with rows in every table that grows.
void write_full_log(const std::filesystem::path& path, std::int64_t samples) {
    LogWriter log(path, {});
    for (std::int64_t i = 0; i < samples; ++i) {
        while (!log.put(sample_at(i))) log.flush_soon();
        log.frame({i, static_cast<std::uint64_t>(i) * 0x9E3779B97F4A7C15ULL, {1, 2, 3, 4, 5.5F, 6, 21}});
        log.contact({i, Side::right, 7, 1, -0.002F, {1, 2, 3}, {0, 1, 0}});
        log.force({sample_at(i).time_ns, Side::right, {0.1F, 0.2F, 0.3F, 0.4F, 0.5F}, {}});
        log.haptic({sample_at(i).time_ns, Side::left, {"controller"}, 0.25F, {}});
        if (i % 10 == 0) log.annotate(sample_at(i).time_ns, "note " + std::to_string(i));
        log.flush_soon();
    }
    log.close();
}

// Returns the tables in which `saved` has rows that do not equal one of `whole`.
std::string tables_with_invented_rows(const std::filesystem::path& saved, const std::filesystem::path& whole) {
    Database database(saved, OpenMode::write);
    database.run("ATTACH '" + whole.string() + "' AS whole");
    std::string invented;
    for (const std::string name :
         {"meta", "profile", "sample", "hand_sample", "frame", "contact", "force", "haptic", "annotation"}) {
        const std::string here = "main." + name, there = "whole." + name;
        const bool other =
            database.number("SELECT count(*) FROM (SELECT * FROM " + here + " EXCEPT SELECT * FROM " + there + ")") > 0;
        const bool more =
            database.number("SELECT (SELECT count(*) FROM " + here + ") > (SELECT count(*) FROM " + there + ")") > 0;
        if (other || more) invented += name + " ";
    }
    return invented;
}

// A full disk or an interrupted copy: the end of the file is missing.
TEST(RecoverLog, SavesOfALogThatIsCutOffWhatIsInTheRest) {
    const LogFile whole;
    write_full_log(whole.path(), 2000);
    const std::uintmax_t size = std::filesystem::file_size(whole.path());
    std::vector<std::uintmax_t> cuts = {size - 1, size - 5000, size - 4096, size / 2 + 1234, 40'000 + 17};
    for (std::uintmax_t tenth = 1; tenth < 10; ++tenth) cuts.push_back(size * tenth / 10);
    std::ranges::sort(cuts);
    RecoveryReport before;
    for (const std::uintmax_t cut : cuts) {
        SCOPED_TRACE(std::to_string(cut) + " of " + std::to_string(size));
        const LogFile part, saved;
        std::filesystem::copy_file(whole.path(), part.path(), std::filesystem::copy_options::overwrite_existing);
        std::filesystem::resize_file(part.path(), cut);
        if (cut + 4096 <= size) {
            EXPECT_THROW(load(part.path()), ImportError);
        }
        const RecoveryReport report = recover_log(part.path(), saved.path());
        EXPECT_TRUE(report.was_damaged);
        EXPECT_THAT(report.text(), HasSubstr(std::to_string(size - cut) + " byte"));
        EXPECT_EQ(tables_with_invented_rows(saved.path(), whole.path()), "");
        EXPECT_EQ(static_cast<std::int64_t>(load(saved.path()).samples.size()), report.samples);
        EXPECT_GE(report.samples, before.samples);
        EXPECT_GE(report.hands, before.hands);
        EXPECT_GE(report.derived, before.derived);
        // Rows are written in order of time, so the remaining part holds its share of all rows.
        const double share = static_cast<double>(cut) / static_cast<double>(size);
        EXPECT_GT(static_cast<double>(report.hands), (share - 0.05) * 4000.0) << report.text();
        EXPECT_GT(static_cast<double>(report.samples), (share - 0.05) * 2000.0) << report.text();
        EXPECT_EQ(std::filesystem::file_size(part.path()), cut) << "the log itself is left as it was";
        EXPECT_FALSE(std::filesystem::exists(saved.path().string() + ".part"));
        EXPECT_FALSE(std::filesystem::exists(saved.path().string() + ".part.filled-up"));
        before = report;
    }
    EXPECT_GT(before.hands, 3950) << "the last page holds a handful";
}

TEST(RecoverLog, GivesSamplesThatLostTheirTimeTheTimeOfTheirArrival) {
    const LogFile whole, part, saved;
    write_full_log(whole.path(), 600);
    // The first samples are where their table got its second level, far behind the hands that belong to them.
    std::filesystem::copy_file(whole.path(), part.path(), std::filesystem::copy_options::overwrite_existing);
    std::filesystem::resize_file(part.path(), 120'000);
    const RecoveryReport report = recover_log(part.path(), saved.path());
    EXPECT_GT(report.timed_by_arrival, 20);
    EXPECT_EQ(report.timed_by_arrival, report.samples);
    EXPECT_THAT(report.text(), HasSubstr("time of arrival given to "));
}

// Rows on a damaged page may have any time, and a log in which time goes backwards cannot be read.
TEST(RecoverLog, TakesOutTheFewestSamplesThatAreOutOfOrder) {
    const LogFile log, saved;
    write_log(log.path(), 1000);
    {
        Database database(log.path(), OpenMode::write);
        database.run("UPDATE sample SET time_ns = 9000000000000000000 WHERE id = 100");
        database.run("UPDATE sample SET time_ns = -5 WHERE id = 200");
        database.run("UPDATE sample SET time_ns = 7 WHERE id = 300");
    }
    std::filesystem::resize_file(log.path(), std::filesystem::file_size(log.path()) - 100);
    const RecoveryReport report = recover_log(log.path(), saved.path());
    EXPECT_EQ(report.samples, 1000) << report.text();
    EXPECT_EQ(report.timed_by_arrival, 3);
    EXPECT_FALSE(load(saved.path()).samples.empty());
}

TEST(RecoverLog, TheChecksumIsTheOneOfZlib) {
    const std::string text = "123456789";
    EXPECT_EQ(crc32({reinterpret_cast<const unsigned char*>(text.data()), text.size()}), 0xCBF43926U);
}

// The first bytes identify the file's type; the rows are in their places.
TEST(RecoverLog, SavesALogWhoseHeadIsDamaged) {
    const LogFile whole;
    write_full_log(whole.path(), 300);
    for (const auto& [from, to] : {std::pair{0, 16}, std::pair{16, 100}, std::pair{0, 100}, std::pair{0, 4096}}) {
        SCOPED_TRACE(std::to_string(from) + " to " + std::to_string(to));
        const LogFile damaged, saved;
        std::filesystem::copy_file(whole.path(), damaged.path(), std::filesystem::copy_options::overwrite_existing);
        {
            std::fstream file(damaged.path(), std::ios::binary | std::ios::in | std::ios::out);
            file.seekp(from) << std::string(static_cast<std::size_t>(to - from), '\0');
        }
        EXPECT_THROW(load(damaged.path()), ImportError);
        const RecoveryReport report = recover_log(damaged.path(), saved.path());
        EXPECT_EQ(report.samples, 300) << report.text();
        EXPECT_EQ(report.hands, 600);
        EXPECT_TRUE(report.was_damaged);
        EXPECT_FALSE(first_difference(load(whole.path()), load(saved.path())));
    }
}

// Copies a log as a killed process leaves it: with the latest data in files beside it. Returns the number of samples.
std::int64_t copy_of_open_log(const std::filesystem::path& to) {
    const LogFile open;
    LogWriter log(open.path(), {});
    for (std::int64_t i = 0; i < 60; ++i) log.sample(sample_at(i));
    log.flush_soon();
    while (log.status().samples_written < 60) usleep(1000);
    for (const char* beside : {"", "-wal"})
        std::filesystem::copy_file(open.path().string() + beside, to.string() + beside,
                                   std::filesystem::copy_options::overwrite_existing);
    return 60;
}

TEST(RecoverLog, LeavesTheLogAndWhatStandsBesideItAsTheyAre) {
    const LogFile killed, saved;
    const std::int64_t samples = copy_of_open_log(killed.path());
    const std::string file = bytes_of(killed.path()), wal = bytes_of(killed.path().string() + "-wal");
    EXPECT_EQ(recover_log(killed.path(), saved.path()).samples, samples);
    EXPECT_TRUE(bytes_of(killed.path()) == file);
    EXPECT_TRUE(bytes_of(killed.path().string() + "-wal") == wal);
    EXPECT_EQ(load(killed.path()).samples.size(), 60U) << "reading sees it all";
    EXPECT_TRUE(bytes_of(killed.path()) == file) << "and leaves all of it";
    EXPECT_TRUE(bytes_of(killed.path().string() + "-wal") == wal);
    EXPECT_FALSE(std::filesystem::exists(killed.path().string() + "-shm"));
}

// Returns the message of loading from a folder that is not writable, even for root.
std::string load_read_only(const std::filesystem::path& folder, const std::filesystem::path& name) {
    std::filesystem::permissions(folder, std::filesystem::perms{0555});
    int channel[2];
    EXPECT_EQ(pipe(channel), 0);
    const pid_t child = fork();
    if (child == 0) {
        std::string said;
        if (geteuid() == 0 && setuid(65534) != 0) said = "cannot become no one";
        try {
            if (said.empty()) said = std::to_string(load(folder / name).samples.size()) + " samples";
        } catch (const ImportError& error) {
            said = error.what();
        }
        const bool sent = write(channel[1], said.data(), said.size()) == static_cast<ssize_t>(said.size());
        _exit(sent ? 0 : 1);
    }
    close(channel[1]);
    std::string said(4096, ' ');
    said.resize(static_cast<std::size_t>(std::max<ssize_t>(0, read(channel[0], said.data(), said.size()))));
    close(channel[0]);
    waitpid(child, nullptr, 0);
    std::filesystem::permissions(folder, std::filesystem::perms{0755});
    return said;
}

TEST(Log, IsReadWhereNothingCanBeWritten) {
    const LogFile place;
    const std::filesystem::path folder = place.path().string() + "_folder";
    std::filesystem::create_directory(folder);
    copy_of_open_log(folder / "killed.glove");
    EXPECT_EQ(load_read_only(folder, "killed.glove"), "60 samples");
    recover_log(folder / "killed.glove", folder / "plain.glove");
    for (const char* name : {"50%25.glove", "what?.glove", "take#1.glove"})
        std::filesystem::copy_file(folder / "plain.glove", folder / name);
    for (const char* name : {"plain.glove", "50%25.glove", "what?.glove", "take#1.glove"})
        EXPECT_EQ(load_read_only(folder, name), "60 samples") << name;
    std::filesystem::remove_all(folder);
}

TEST(Log, GoesOnWhenSomebodyElseHeldIt) {
    const LogFile file;
    LogWriter log(file.path(), {});
    log.sample(sample_at(0));
    log.flush_soon();
    while (log.status().samples_written < 1) usleep(1000);
    {
        Database other(file.path(), OpenMode::write);
        other.run("BEGIN IMMEDIATE");
        log.sample(sample_at(1));
        log.flush_soon();
        usleep(1'500'000);  // the writer waits a second for it
        EXPECT_EQ(log.status().error, "");
        EXPECT_EQ(log.status().samples_written, 1);
        other.run("ROLLBACK");
    }
    log.close();
    EXPECT_EQ(load(file.path()).samples.size(), 2U);
}

TEST(RecoverLog, RefusesOtherFiles) {
    const TemporaryFile to("");
    for (const std::string& content :
         {std::string("hello"), std::string(100'000, '\x10'), openxr_csv(50, Side::left)}) {
        const TemporaryFile other(content);
        try {
            recover_log(other.path(), to.path());
            ADD_FAILURE() << content.substr(0, 20);
        } catch (const ImportError& error) {
            EXPECT_THAT(error.what(), HasSubstr("not a glovebox log, damaged or whole"));
        }
    }
}

TEST(Log, ConvertsIntoALogAndOutAgain) {
    const TemporaryFile csv(openxr_csv(1500, Side::left)), back("", "b.csv");
    const LogFile log;
    convert(csv.path(), log.path(), {});
    convert(log.path(), back.path(), {});
    const auto difference = first_difference(load(csv.path()), load(back.path()));
    EXPECT_FALSE(difference) << difference->sample << " " << difference->what;
}

TEST(Log, KeepsTheUsersBones) {
    const TemporaryFile csv(openxr_csv(30, Side::left));
    const LogFile log;
    const auto user = std::make_shared<tracking::UserProfile>();
    (*user)[Side::left].hand = tracking::scaled_profile(1.25F);
    tracking::HandShape shape;
    for (std::size_t i = 0; i < shape.size(); ++i)
        shape[i] = {{0.1F / static_cast<float>(i + 3), 1e-9F, 0.0F}, {0.0F, -0.003F, 0.02F}, 0.0123456F, 0.009F};
    (*user)[Side::left].hand->shape = shape;
    ImportOptions options;
    options.user = user;
    convert(csv.path(), log.path(), options);
    const Recording again = load(log.path());
    EXPECT_EQ(again.profiles[0].radius_m, tracking::scaled_profile(1.25F).radius_m);
    EXPECT_EQ(again.profiles[0].shape, shape);
    EXPECT_FALSE(again.profiles[1].shape);
}

TEST(Log, TextOfBonesThatIsNoneIsRefused) {
    const std::string text = text_of(tracking::HandShape{});
    EXPECT_EQ(shape_of_text(text), tracking::HandShape{});
    EXPECT_FALSE(shape_of_text(text + " "));
    EXPECT_FALSE(shape_of_text(text + " 0"));
    EXPECT_FALSE(shape_of_text(text.substr(0, text.size() - 2)));
    EXPECT_FALSE(shape_of_text("nan" + text.substr(1)));
    EXPECT_FALSE(shape_of_text("1e9" + text.substr(1)));
    EXPECT_FALSE(shape_of_text("x" + text.substr(1)));
    EXPECT_FALSE(shape_of_text(""));
}

// Found by fuzzing: SQLite quotes the damaged schema in its message, including line ends.
TEST(Log, WhatIsWrongWithADamagedOneIsOneLine) {
    const LogFile log;
    write_log(log.path(), 1);
    Database database(log.path(), OpenMode::read);
    try {
        database.run("SELECT 'a\nb\x01");
        FAIL() << "that is no SQL";
    } catch (const DatabaseError& error) {
        EXPECT_THAT(error.what(), testing::AllOf(HasSubstr("a?b?"), testing::Not(HasSubstr("\n"))));
    }
}

TEST(Log, DamagedBytesNeverCrash) {
    const LogFile log;
    write_log(log.path(), 200);
    const std::string good = bytes_of(log.path());
    std::mt19937 random(8);
    int errors = 0;
    for (int i = 0; i < 100; ++i) {
        std::string bad = good;
        if (i % 3 == 0) bad.resize(random() % bad.size());
        for (int k = 0; k < 20 && !bad.empty(); ++k)
            bad[random() % std::min<std::size_t>(bad.size(), i % 2 == 0 ? 4096 : bad.size())] =
                static_cast<char>(random());
        const TemporaryFile file(bad, "bad.glove");
        try {
            load(file.path());
        } catch (const ImportError&) {
            ++errors;
        }
        remove_log(file.path());
    }
    EXPECT_GT(errors, 30);
}

}  // namespace
}  // namespace glovebox::recordings
