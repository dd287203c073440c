// A log's views show its numbers as names; views from elsewhere keep a log from being read.
#include "recordings/log/log_views.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>

#include "recordings/load.h"
#include "recordings/log/log_writer.h"
#include "tests/recordings/files.h"

namespace glovebox::recordings {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using tracking::Side;
using Rows = std::vector<std::string>;

// Returns each row as its columns joined by blanks.
Rows query(const std::filesystem::path& path, const std::string& sql) {
    sqlite3* database = nullptr;
    EXPECT_EQ(sqlite3_open(path.string().c_str(), &database), SQLITE_OK);
    Rows rows;
    const auto take = [](void* to, int count, char** values, char**) {
        std::string row;
        for (int i = 0; i < count; ++i)
            row.append(row.empty() ? "" : " ").append(values[i] == nullptr ? "null" : values[i]);
        static_cast<Rows*>(to)->push_back(row);
        return 0;
    };
    EXPECT_EQ(sqlite3_exec(database, sql.c_str(), take, &rows, nullptr), SQLITE_OK)
        << sql << ": " << sqlite3_errmsg(database);
    sqlite3_close(database);
    return rows;
}

struct Log {
    Log() {
        std::filesystem::remove(place.path());
        LogHeader header;
        header.meta = {{"bone.0", "palm"}, {"bone.5", "index proximal"}, {"object.0", "cup"}, {"object.1", "lid"}};
        LogWriter log(path(), header);
        for (int i = 0; i < 3; ++i) {
            tracking::HandPair sample;
            sample.time_ns = 10'000'000LL * i;
            sample[Side::left] = closing_hand(i, Side::left);
            log.sample(sample);
            log.frame({i, 7, {1.0F, 2.0F, 3.0F, 4.0F, 5.0F, 6.0F, 21.0F}});
        }
        const auto touch = [&log](int sample, int bone, int object, float distance_m) {
            ContactRecord record;
            record.sample = sample;
            record.bone = bone;
            record.object = object;
            record.distance_m = distance_m;
            log.contact(record);
        };
        touch(1, 5, 1, -0.5F);
        touch(1, 0, 0, 0.25F);  // the scene's threshold decides what touches, not 0 m
        touch(2, 0, 0, 0.0F);
        touch(2, 9, 7, -0.125F);  // an index without a name
        EventRecord event;
        event.time_ns = 20'000'000;
        std::string_view("touch_begin").copy(event.kind.data(), event.kind.size() - 1);
        event.finger = 1;
        event.object = 0;
        log.event(event);
        log.close();
    }
    ~Log() { std::filesystem::remove(path()); }
    std::filesystem::path path() const { return place.path().string() + ".glove"; }
    TemporaryFile place{"", "log"};
};

TEST(LogViews, NameWhatTheTablesNumber) {
    const Log log;
    EXPECT_THAT(
        query(log.path(), "SELECT sample, time_s, hand, bone, object, distance_m FROM touches ORDER BY sample, bone"),
        ElementsAre("1 0.01 right index proximal lid -0.5", "1 0.01 right palm cup 0.25",
                    "2 0.02 right null null -0.125", "2 0.02 right palm cup 0.0"));
    EXPECT_THAT(query(log.path(), "SELECT time_s, kind, hand, finger, object FROM events"),
                ElementsAre("0.02 touch_begin right index cup"));
    EXPECT_THAT(query(log.path(), "SELECT stage, us, time_s FROM frames_long WHERE sample = 2"),
                ElementsAre("ingest 1.0 0.02", "refit 2.0 0.02", "test 3.0 0.02", "exact 4.0 0.02", "step 5.0 0.02",
                            "haptics 6.0 0.02", "total 21.0 0.02"));
    EXPECT_THAT(query(log.path(), "SELECT object, name FROM object ORDER BY object"), ElementsAre("0 cup", "1 lid"));
    EXPECT_THAT(query(log.path(), "SELECT bone, name FROM bone ORDER BY bone"),
                ElementsAre("0 palm", "5 index proximal"));
}

// Compared with the program's names.
TEST(LogViews, JointsAndBitsAreTheProgramsOwn) {
    const Log log;
    Rows joints;
    for (int i = 0; i < tracking::kJointCount; ++i)
        joints.push_back(std::to_string(i) + " " + std::string(name_of(static_cast<tracking::Joint>(i))));
    EXPECT_EQ(query(log.path(), "SELECT joint, name FROM joint ORDER BY joint"), joints);
    namespace flags = tracking::joint_flags;
    const auto bit = [](int value, const char* name) { return std::to_string(value) + " " + name; };
    EXPECT_THAT(
        query(log.path(), "SELECT bit, name FROM validity_bit ORDER BY bit"),
        ElementsAre(bit(flags::kOrientationValid, "orientation_valid"), bit(flags::kPositionValid, "position_valid"),
                    bit(flags::kOrientationTracked, "orientation_tracked"),
                    bit(flags::kPositionTracked, "position_tracked")));
}

TEST(LogViews, AreTheOnlyOnesThatAreLetIn) {
    const Log log;
    EXPECT_EQ(load(log.path()).samples.size(), 3U);
    const Rows kept = query(log.path(), "SELECT sql FROM sqlite_schema WHERE type = 'view'");
    EXPECT_EQ(kept.size(), log_views().size());
    for (const std::string& sql : kept) EXPECT_TRUE(is_log_view(sql)) << sql;

    query(log.path(), "DROP VIEW touches");
    EXPECT_EQ(load(log.path()).samples.size(), 3U) << "logs of old have none";
    query(log.path(),
          "CREATE VIEW touches AS SELECT contact.sample, sample.time_ns * 1e-9 AS time_s, contact.hand, bone.name AS "
          "bone, object.name AS object, distance_m, x, y, z, nx, ny, nz FROM contact JOIN sample ON sample.id = "
          "contact.sample LEFT JOIN bone ON bone.bone = contact.bone LEFT JOIN object ON object.object = "
          "contact.object WHERE distance_m <= 0");
    EXPECT_EQ(load(log.path()).samples.size(), 3U) << "an older log's view counts from 0 m";
    query(log.path(), "DROP VIEW touches");
    query(log.path(), "CREATE VIEW touches AS SELECT sample FROM contact");
    try {
        load(log.path());
        ADD_FAILURE() << "a stranger's view of that name";
    } catch (const ImportError& error) {
        EXPECT_THAT(error.what(), HasSubstr("has a view 'touches' in it"));
    }
}

}  // namespace
}  // namespace glovebox::recordings
