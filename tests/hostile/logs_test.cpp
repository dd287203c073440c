// Logs from others, with files beside them: reading changes nothing on disk, executes nothing and ends.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <fstream>
#include <map>

#include "recordings/log/log_reader.h"
#include "recordings/log/log_writer.h"
#include "recordings/writer.h"
#include "tests/recordings/files.h"

namespace glovebox::recordings {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using tracking::HandPair;
using tracking::Side;

void write_bytes(const fs::path& path, const std::string& bytes) {
    std::ofstream(path, std::ios::binary) << bytes;
}

HandPair sample_at(std::int64_t i, int bend = 0) {
    HandPair sample;
    sample.time_ns = 8'333'333 * i + bend;
    sample[Side::right] = closing_hand(static_cast<int>(i % 50), Side::right);
    sample[Side::right].times = {sample.time_ns, sample.time_ns, sample.time_ns};
    return sample;
}

// A temporary folder for each test, and the files in it.
class Logs : public testing::Test {
  protected:
    Logs() : folder_(fs::temp_directory_path() / ("glovebox_hostile_" + std::to_string(getpid()))) {
        fs::remove_all(folder_);
        fs::create_directory(folder_);
    }
    ~Logs() override { fs::remove_all(folder_); }

    fs::path write_log(const std::string& name, std::int64_t samples) const {
        LogWriter log(folder_ / name, {});
        for (std::int64_t i = 0; i < samples; ++i)
            while (!log.put(sample_at(i))) log.flush_soon();
        log.close();
        return folder_ / name;
    }
    // Makes a log as a killed recorder leaves it; another `bend` gives other samples.
    fs::path killed_log(const std::string& name, std::int64_t samples, int bend = 0) const {
        const fs::path open = folder_ / "open.glove", killed = folder_ / name;
        {
            LogWriter log(open, {});
            for (std::int64_t i = 0; i < samples; ++i) log.sample(sample_at(i, bend));
            log.flush_soon();
            while (log.status().samples_written < samples) usleep(1000);
            for (const char* beside : {"", "-wal"}) fs::copy_file(open.string() + beside, killed.string() + beside);
        }
        fs::remove(open);
        return killed;
    }
    static void run_sql(const fs::path& path, const std::string& sql) {
        sqlite3* database = nullptr;
        ASSERT_EQ(sqlite3_open(path.c_str(), &database), SQLITE_OK);
        sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 0, nullptr);
        // A journal may have left the file malformed, which the test examines afterwards.
        EXPECT_THAT(sqlite3_exec(database, sql.c_str(), nullptr, nullptr, nullptr),
                    testing::AnyOf(SQLITE_OK, SQLITE_CORRUPT))
            << sqlite3_errmsg(database);
        sqlite3_close(database);
    }
    std::map<std::string, std::string> all_files() const {
        std::map<std::string, std::string> files;
        for (const auto& entry : fs::directory_iterator(folder_))
            files[entry.path().filename()] = bytes_of(entry.path());
        return files;
    }
    // Reads the log in every way and checks that no file changed. Returns the samples, or the error.
    std::string read(const fs::path& path) const {
        const auto before = all_files();
        std::string said;
        try {
            const Recording recording = load(path);
            said = std::to_string(recording.samples.size()) + " samples";
            for (const std::string& note : recording.notes) said += "; " + note;
            LogReader reader(path);
            reader.sample_count();
            reader.duration_ns();
            reader.at(5);
            reader.haptics();
            reader.forces();
        } catch (const ImportError& error) {
            said = error.what();
            EXPECT_THAT(said, HasSubstr(path.string()));
            EXPECT_THAT(said, testing::Not(HasSubstr("\n")));
        }
        EXPECT_TRUE(all_files() == before) << "reading changed a file, made one or took one away";
        return said;
    }

    fs::path folder_;
};

void put_word(std::string& bytes, std::uint32_t value) {
    for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(value >> shift);
}

// Makes a journal that SQLite would play back: the log had `pages` pages, and these are images of some. It names
// `super` as the file to delete afterwards.
std::string hot_journal(std::uint32_t pages, const std::map<std::uint32_t, std::string>& images,
                        const std::string& super) {
    const std::string magic = "\xD9\xD5\x05\xF9\x20\xA1\x63\xD7";
    std::string bytes = magic;
    for (const std::uint32_t word : {static_cast<std::uint32_t>(images.size()), 77U, pages, 512U, 4096U})
        put_word(bytes, word);
    bytes.resize(512);
    for (const auto& [number, image] : images) {
        put_word(bytes, number);
        bytes += image;
        std::uint32_t sum = 77;
        for (std::size_t k = 4096 - 200; k > 0 && k < 4096; k -= 200) sum += static_cast<unsigned char>(image[k]);
        put_word(bytes, sum);
    }
    if (super.empty()) return bytes;
    bytes.resize((bytes.size() + 511) / 512 * 512);
    put_word(bytes, 0x40000000 / 4096 + 1);
    std::uint32_t sum = 0;
    for (const char c : super) sum += static_cast<std::uint32_t>(static_cast<signed char>(c));
    bytes += super;
    put_word(bytes, static_cast<std::uint32_t>(super.size()));
    put_word(bytes, sum);
    return bytes + magic;
}

TEST_F(Logs, AJournalBesideOneCutsNothingAndIsTold) {
    const fs::path log = write_log("take.glove", 400);
    const std::string good = bytes_of(log);
    ASSERT_GT(good.size(), 400'000U);
    write_bytes(log.string() + "-journal", hot_journal(1, {}, ""));
    const std::string said = read(log);
    EXPECT_THAT(said, HasSubstr("400 samples"));
    EXPECT_THAT(said, HasSubstr("take.glove-journal stands beside the log"));

    // The journal is a real danger: SQLite itself, used without precautions, follows it.
    run_sql(log, "PRAGMA schema_version");
    EXPECT_EQ(fs::file_size(log), 4096U);
}

TEST_F(Logs, AJournalDeletesNoFileThatItNames) {
    const fs::path log = write_log("take.glove", 50), thesis = folder_ / "thesis.tex";
    // SQLite deletes this file if no journal that it names exists, and it names none.
    write_bytes(thesis, std::string("no such journal\0", 16));
    const std::string first_page = bytes_of(log).substr(0, 4096);
    const std::string journal =
        hot_journal(static_cast<std::uint32_t>(fs::file_size(log) / 4096), {{1, first_page}}, thesis.string());
    write_bytes(log.string() + "-journal", journal);
    EXPECT_THAT(read(log), HasSubstr("50 samples"));
    const fs::path saved = folder_ / "saved.glove";
    const RecoveryReport report = recover_log(log, saved);
    EXPECT_EQ(report.samples, 50);
    EXPECT_THAT(report.text(), HasSubstr("journal"));
    EXPECT_TRUE(fs::exists(thesis));
    EXPECT_EQ(bytes_of(log.string() + "-journal"), journal);

    run_sql(log, "PRAGMA schema_version");
    EXPECT_FALSE(fs::exists(thesis)) << "SQLite itself, asked without care, does delete it";
}

// The journal holds the state before an unfinished transaction; the file holds what the transaction wrote.
TEST_F(Logs, RecoveringReadsAJournalAndLosesNothingToOne) {
    const fs::path log = write_log("take.glove", 400), saved = folder_ / "saved.glove", again = folder_ / "again.glove";
    const std::string good = bytes_of(log);
    const auto pages = static_cast<std::uint32_t>(good.size() / 4096);
    std::string damaged = good;
    std::map<std::uint32_t, std::string> images;
    for (std::uint32_t page = pages / 2; page < pages / 2 + 20; ++page) {
        images[page] = good.substr(4096 * (page - 1), 4096);
        damaged.replace(4096 * (page - 1), 4096, 4096, '\xAA');
    }
    write_bytes(log, damaged);
    write_bytes(log.string() + "-journal", hot_journal(pages, images, ""));
    EXPECT_EQ(recover_log(log, saved).samples, 400);
    EXPECT_EQ(load(saved).samples.size(), 400U);
    EXPECT_TRUE(bytes_of(log) == damaged);

    write_bytes(log, good);
    write_bytes(log.string() + "-journal", hot_journal(1, {}, ""));
    EXPECT_EQ(recover_log(log, again).samples, 400) << "one that cuts the log takes nothing away";
}

TEST_F(Logs, AWalOfItsOwnIsReadAndLeft) {
    const fs::path killed = killed_log("killed.glove", 60);
    EXPECT_EQ(read(killed), "60 samples");
    EXPECT_TRUE(fs::exists(killed.string() + "-wal"));
}

TEST_F(Logs, AWalOfAnotherLogIsNotReadAndTold) {
    const fs::path mine = killed_log("mine.glove", 60), theirs = killed_log("theirs.glove", 40, 5);
    fs::copy_file(theirs.string() + "-wal", mine.string() + "-wal", fs::copy_options::overwrite_existing);
    EXPECT_THAT(read(mine), HasSubstr("before its first sample")) << "all of it was in the -wal that is gone";
    const fs::path closed = write_log("closed.glove", 30);
    fs::copy_file(theirs.string() + "-wal", closed.string() + "-wal");
    const std::string said = read(closed);
    EXPECT_THAT(said, HasSubstr("30 samples"));
    EXPECT_THAT(said, HasSubstr("closed.glove-wal stands beside the log"));
    EXPECT_EQ(recover_log(closed, folder_ / "saved.glove").samples, 30) << "a closed log has no -wal";
}

TEST_F(Logs, AreReadWhileTheyAreRecorded) {
    const fs::path path = folder_ / "live.glove";
    LogWriter log(path, {});
    std::int64_t put = 0;
    std::size_t last = 0;
    for (int round = 0; round < 30; ++round) {
        // Enough for several hundred pages a round: the writer sometimes moves pages into the file.
        for (int i = 0; i < 300; ++i, ++put)
            while (!log.put(sample_at(put))) log.flush_soon();
        log.flush_soon();
        while (log.status().samples_written < put - 200) usleep(500);
        const std::size_t seen = load(path).samples.size();
        EXPECT_GE(seen, last);
        EXPECT_GE(static_cast<std::int64_t>(seen), put - 300);
        last = seen;
    }
    log.close();
    EXPECT_EQ(read(path), std::to_string(put) + " samples");
}

// Everything that SQLite would execute when it reads a table.
TEST_F(Logs, ViewsTriggersVirtualAndComputedTablesAreRefused) {
    const std::map<std::string, std::string> hostile = {
        {"view",
         "DROP TABLE sample; CREATE VIEW sample(id, time_ns) AS WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + "
         "1 "
         "FROM n) SELECT i, i FROM n;"},
        {"trigger", "CREATE TRIGGER t AFTER INSERT ON sample BEGIN DELETE FROM sample; END;"},
        {"virtual table", "DROP TABLE annotation; CREATE VIRTUAL TABLE annotation USING fts5(time_ns, text);"},
        {"no ordinary table",
         "DROP TABLE frame; CREATE TABLE frame(sample INTEGER PRIMARY KEY, state_hash AS "
         "(length(hex(zeroblob(8000000))))"
         ");"}};
    int number = 0;
    for (const auto& [what, sql] : hostile) {
        SCOPED_TRACE(sql);
        const fs::path log = write_log("log" + std::to_string(++number) + ".glove", 20);
        run_sql(log, sql);
        EXPECT_THAT(read(log), HasSubstr(what));
        const fs::path saved = folder_ / ("saved" + std::to_string(number) + ".glove");
        EXPECT_EQ(recover_log(log, saved).hands, 20) << "the rows of its tables are saved";
    }
}

// Inner pages that lead to the same leaf again and again: endless rows from a small file.
TEST_F(Logs, TreesThatLeadBackEnd) {
    const fs::path log = write_log("take.glove", 1500);
    std::string bytes = bytes_of(log);
    std::int64_t root = 0;
    sqlite3* database = nullptr;
    ASSERT_EQ(sqlite3_open(log.c_str(), &database), SQLITE_OK);
    sqlite3_exec(
        database, "SELECT rootpage FROM sqlite_schema WHERE name = 'sample'",
        [](void* to, int, char** row, char**) { return *static_cast<std::int64_t*>(to) = std::stoll(row[0]), 0; },
        &root, nullptr);
    sqlite3_close(database);
    ASSERT_GT(root, 1);
    const auto page_at = [](std::uint32_t page) { return std::size_t{4096} * (page - 1); };
    const auto word_at = [&bytes](std::size_t at) {
        std::uint32_t word = 0;
        for (int i = 0; i < 4; ++i)
            word = word << 8 | static_cast<unsigned char>(bytes[at + static_cast<std::size_t>(i)]);
        return word;
    };
    ASSERT_EQ(bytes[page_at(static_cast<std::uint32_t>(root))], '\x05') << "the tree has two levels";
    const std::uint32_t leaf = word_at(page_at(static_cast<std::uint32_t>(root)) + 8);
    // Ten levels with 300 children each.
    constexpr std::uint32_t kLevels = 10;
    constexpr std::size_t kWays = 300;
    const auto first_new = static_cast<std::uint32_t>(bytes.size() / 4096 + 1);
    const auto inner = [&](std::uint32_t child) {
        std::string page(4096, '\0');
        const auto put = [&page](std::size_t at, std::size_t count, std::size_t value) {
            for (std::size_t i = 0; i < count; ++i) page[at + i] = static_cast<char>(value >> (8 * (count - 1 - i)));
        };
        page[0] = '\x05';
        put(3, 2, kWays);
        const std::size_t cells_at = 4096 - 6 * kWays;
        put(5, 2, cells_at);
        put(8, 4, child);
        for (std::size_t i = 0; i < kWays; ++i) {
            put(12 + 2 * i, 2, cells_at + 6 * i);
            put(cells_at + 6 * i, 4, child);
            page[cells_at + 6 * i + 4] = '\x9F';  // a rowid greater than all others: 31 * 128 + 127
            page[cells_at + 6 * i + 5] = '\x7F';
        }
        return page;
    };
    for (std::uint32_t level = 0; level < kLevels; ++level)
        bytes += inner(level + 1 < kLevels ? first_new + level + 1 : leaf);
    bytes.replace(page_at(static_cast<std::uint32_t>(root)), 4096, inner(first_new));
    // The header holds the number of pages.
    const auto pages = static_cast<std::uint32_t>(bytes.size() / 4096);
    for (std::size_t i = 0; i < 4; ++i) bytes[28 + i] = static_cast<char>(pages >> (24 - 8 * i));
    write_bytes(log, bytes);
    EXPECT_THAT(read(log), HasSubstr("damaged"));
    const RecoveryReport report = recover_log(log, folder_ / "saved.glove");
    EXPECT_TRUE(report.was_damaged);
    EXPECT_GT(report.samples, 1400) << "the pages themselves are all there";
}

TEST_F(Logs, AFifoInPlaceOfALogDoesNotHang) {
    const fs::path log = killed_log("killed.glove", 10);
    fs::remove(log.string() + "-wal");
    ASSERT_EQ(mkfifo((log.string() + "-wal").c_str(), 0600), 0);
    ASSERT_EQ(mkfifo((log.string() + "-shm").c_str(), 0600), 0);
    ASSERT_EQ(mkfifo((log.string() + "-journal").c_str(), 0600), 0);
    EXPECT_THROW(load(log), ImportError) << "there is no sample in the file itself";
}

}  // namespace
}  // namespace glovebox::recordings
