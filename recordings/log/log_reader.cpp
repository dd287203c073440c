#include "recordings/log/log_reader.h"

#include <algorithm>
#include <array>
#include <system_error>

#include "recordings/log/database.h"
#include "recordings/log/log_views.h"
#include "recordings/log/page_rows.h"
#include "recordings/log/schema.h"
#include "recordings/parse.h"
#include "recordings/writer.h"

namespace glovebox::recordings {
namespace {

using tracking::HandFrame;
using tracking::HandPair;
using tracking::Side;

constexpr std::string_view kSqliteMark("SQLite format 3\0", 16);
constexpr std::size_t kApplicationIdAt = 68;

std::optional<Side> side_of_name(std::string_view name) {
    if (name == "left") return Side::left;
    if (name == "right") return Side::right;
    return std::nullopt;
}

tracking::Source source_of_name(std::string_view name) {
    for (int i = 0; i < 6; ++i)
        if (name_of(static_cast<tracking::Source>(i)) == name) return static_cast<tracking::Source>(i);
    return tracking::Source::replay;
}

// Reads the columns hand, source, device_ns, arrival_ns, joints, crc from `first` on. False if the row is damaged.
bool read_hand(const Statement& row, int first, HandPair& sample) {
    const auto side = side_of_name(row.text(first));
    if (!side) return false;
    HandFrame& hand = sample[*side];
    hand.side = *side;
    hand.source = source_of_name(row.text(first + 1));
    hand.times.device_ns = row.integer(first + 2);
    hand.times.arrival_ns = row.integer(first + 3);
    const auto blob = row.bytes(first + 4);
    hand.active = crc32(blob) == row.integer(first + 5) && unpack_joints(blob, hand);
    return hand.active;
}

// Returns the quoted column names of a table; empty if there is no such table.
std::vector<std::string> columns_of(const Database& database, std::string_view table) {
    std::vector<std::string> columns;
    Statement rows(database, "PRAGMA table_info(" + std::string(table) + ")");
    while (rows.step()) columns.push_back("\"" + std::string(rows.text(1)) + "\"");
    return columns;
}

struct Table {
    std::string_view name, order;
    bool derived;
};
// All tables, each with the order of its own B-tree; reading in that order needs no other tree, such as an index.
constexpr std::array<Table, 18> kTables = {{
    {"meta", "key", true},
    {"profile", "hand", true},
    {"calibration", "hand", true},
    {"sample", "id", false},
    {"hand_sample", "sample", false},
    {"glove_word", "rowid", true},
    {"frame", "sample", true},
    {"contact", "rowid", true},
    {"event", "rowid", true},
    {"force", "rowid", true},
    {"haptic", "rowid", true},
    {"annotation", "rowid", true},
    {"app_frame", "number", true},
    {"pose", "rowid", true},
    {"action", "id", true},
    {"action_state", "rowid", true},
    {"interaction_profile", "rowid", true},
    {"hand_velocity", "rowid", true},
}};

// Refuses anything else that SQLite would run when a table is read; a log does not contain such objects.
void expect_ordinary_tables(Database& database, const Input& in) {
    Statement others(
        database,
        "SELECT CASE type WHEN 'table' THEN 'virtual table' ELSE type END, name, coalesce(sql, '') FROM "
        "sqlite_schema WHERE type NOT IN ('table', 'index') OR (type = 'table' AND coalesce(rootpage, 0) < "
        "1)");
    while (others.step())
        if (others.text(0) != "view" || !is_log_view(others.text(2)))
            in.fail("this log has a " + std::string(others.text(0).substr(0, 20)) + " " + excerpt(others.text(1)) +
                    " in it, which logs do not have; it is not read. `glovebox recover` saves the rows of its tables");
    for (const Table& table : kTables)
        if (!columns_of(database, table.name).empty() && !is_ordinary_table(database, table.name))
            in.fail("the log's " + std::string(table.name) + " is no ordinary table; it is not read");
}

void check_is_log(Database& database, const Input& in) {
    if (database.number("PRAGMA application_id") != kLogApplicationId)
        in.fail("this is an SQLite database, but not a glovebox log");
    const std::int64_t version = database.number("PRAGMA user_version");
    if (version < 1 || version > kVelocityLogVersion)
        in.fail("the log has version " + std::to_string(version) + "; this program knows versions 1 to " +
                std::to_string(kVelocityLogVersion));
    expect_ordinary_tables(database, in);
}

std::string damaged(std::string_view how) {
    return "the log is damaged (" + std::string(how) + "): `glovebox recover` saves what can still be read";
}

}  // namespace

bool is_glove_log(std::string_view head, std::uintmax_t) {
    return head.size() >= kApplicationIdAt + 4 && head.starts_with(kSqliteMark) &&
           head.substr(kApplicationIdAt, 4) == "GLOV";
}

void read_glove_log(Input& in, const ImportOptions&, Assembly& out) {
    if (in.is_packed()) in.fail("this is a packed log, and a log is read where it lies; unpack it first");
    try {
        Database database(in.path(), OpenMode::read);
        check_is_log(database, in);
        SourceTraits traits;
        traits.complete = true;
        out.describe(traits);
        if (!database.note().empty()) out.note(database.note());
        if (!columns_of(database, "app_frame").empty())
            out.note(
                "The log has more than hands: what an OpenXR application was given and asked for. `glovebox layer run "
                "--replay` gives it to an application again.");
        Statement rows(
            database,
            "SELECT s.id, s.time_ns, h.hand, h.source, h.device_ns, h.arrival_ns, h.joints, h.crc FROM sample s "
            "LEFT JOIN hand_sample h ON h.sample = s.id ORDER BY s.id");
        HandPair sample;
        std::int64_t current = 0;
        bool has_current = false;
        while (rows.step()) {
            const std::int64_t id = rows.integer(0);
            if (!has_current || id != current) {
                // Damaged pages that refer back to earlier ones would loop forever.
                if (has_current && id < current) in.fail(damaged("samples are not in order"));
                if (has_current) out.push(sample);
                sample = {};
                sample.time_ns = rows.integer(1);
                current = id;
                has_current = true;
            }
            if (rows.bytes(6).empty()) continue;
            const auto side = side_of_name(rows.text(2));
            if (side && sample[*side].active) in.fail(damaged("sample " + std::to_string(id) + " has a hand twice"));
            if (!read_hand(rows, 2, sample)) in.fail(damaged("hand of sample " + std::to_string(id)));
        }
        if (has_current) out.push(sample);
    } catch (const DatabaseError& error) {
        in.fail(damaged(error.what()));
    }
}

struct LogReader::Impl {
    // Every error names the file.
    template <class Read>
    auto read(const Read& rows) {
        try {
            return rows();
        } catch (const DatabaseError& error) {
            in.fail(damaged(error.what()));
        }
    }

    explicit Impl(const std::filesystem::path& path)
        : in(path),
          database(path, OpenMode::read),
          before((check_is_log(database, in), database),
                 "SELECT id, time_ns FROM sample WHERE time_ns <= ? ORDER BY time_ns DESC, id DESC LIMIT 1"),
          hands(database, "SELECT hand, source, device_ns, arrival_ns, joints, crc FROM hand_sample WHERE sample = ?") {
    }
    Input in;
    Database database;
    Statement before, hands;
};

LogReader::LogReader(const std::filesystem::path& path) {
    try {
        impl_ = std::make_unique<Impl>(path);
    } catch (const DatabaseError& error) {
        throw ImportError(path.string() + ": " + damaged(error.what()));
    }
}
LogReader::~LogReader() = default;

std::int64_t LogReader::sample_count() const {
    return impl_->read([this] { return impl_->database.number("SELECT max(id) + 1 FROM sample"); });
}

std::vector<HapticRecord> LogReader::haptics() const {
    std::vector<HapticRecord> records;
    try {
        const std::vector<std::string> columns = columns_of(impl_->database, "haptic");
        if (columns.empty()) return records;
        const bool of_application = std::ranges::find(columns, "\"display_ns\"") != columns.end();
        Statement rows(impl_->database,
                       "SELECT time_ns, hand, output, vibration IS NOT NULL, vibration, thumb IS NOT NULL, thumb, "
                       "\"index\", middle, ring, little, " +
                           std::string(of_application ? "display_ns IS NOT NULL, display_ns, duration_ns IS NOT NULL, "
                                                        "duration_ns, frequency_hz IS NOT NULL, frequency_hz"
                                                      : "0, 0, 0, 0, 0, 0") +
                           " FROM haptic ORDER BY rowid");
        while (rows.step()) {
            const auto side = side_of_name(rows.text(1));
            if (!side) continue;
            HapticRecord& record = records.emplace_back();
            record.time_ns = rows.integer(0);
            record.side = *side;
            rows.text(2).copy(record.output.data(), record.output.size() - 1);
            if (rows.integer(3) != 0) record.vibration = static_cast<float>(rows.real(4));
            if (rows.integer(11) != 0) record.display_ns = rows.integer(12);
            if (rows.integer(13) != 0) record.duration_ns = rows.integer(14);
            if (rows.integer(15) != 0) record.frequency_hz = static_cast<float>(rows.real(16));
            if (rows.integer(5) == 0) continue;
            std::array<float, tracking::kFingerCount>& force = record.force.emplace();
            for (std::size_t i = 0; i < force.size(); ++i)
                force[i] = static_cast<float>(rows.real(6 + static_cast<int>(i)));
        }
    } catch (const DatabaseError& error) {
        impl_->in.fail(damaged(error.what()));
    }
    return records;
}

std::vector<ForceRecord> LogReader::forces() const {
    std::vector<ForceRecord> records;
    try {
        const std::vector<std::string> columns = columns_of(impl_->database, "force");
        if (columns.empty()) return records;
        const bool has_palm = std::ranges::find(columns, "palm") != columns.end();
        Statement rows(impl_->database, std::string("SELECT time_ns, hand, thumb, \"index\", middle, ring, little, ") +
                                            (has_palm ? "palm" : "0.0") + " FROM force ORDER BY time_ns");
        while (rows.step()) {
            const auto side = side_of_name(rows.text(1));
            if (!side) continue;
            ForceRecord& record = records.emplace_back();
            record.time_ns = rows.integer(0);
            record.side = *side;
            for (std::size_t i = 0; i < record.force.size(); ++i)
                record.force[i] = static_cast<float>(rows.real(2 + static_cast<int>(i)));
        }
    } catch (const DatabaseError& error) {
        impl_->in.fail(damaged(error.what()));
    }
    return records;
}

std::int64_t LogReader::duration_ns() const {
    return impl_->read([this] {
        return impl_->database.number("SELECT (SELECT max(time_ns) FROM sample) - (SELECT min(time_ns) FROM sample)");
    });
}

std::map<std::string, std::string> LogReader::meta() const {
    return impl_->read([this] {
        std::map<std::string, std::string> result;
        Statement rows(impl_->database, "SELECT key, value FROM meta");
        while (rows.step()) result.emplace(rows.text(0), rows.text(1));
        return result;
    });
}

tracking::PerSide<tracking::HandProfile> LogReader::profiles(
    const tracking::PerSide<tracking::HandProfile>& otherwise) const {
    tracking::PerSide<tracking::HandProfile> result = otherwise;
    try {
        const std::map<std::string, std::string> said = meta();
        Statement rows(impl_->database, "SELECT hand, joint, radius_m, length_to_parent_m FROM profile");
        while (rows.step()) {
            const auto side = side_of_name(rows.text(0));
            const std::int64_t joint = rows.integer(1);
            if (!side || joint < 0 || joint >= tracking::kJointCount) continue;
            tracking::HandProfile& hand = result[*side];
            hand.radius_m[static_cast<std::size_t>(joint)] = static_cast<float>(rows.real(2));
            hand.length_to_parent_m[static_cast<std::size_t>(joint)] = static_cast<float>(rows.real(3));
            const auto origin = said.find(std::string(name_of(*side)).append("_profile_origin"));
            if (origin != said.end()) hand.origin = origin->second;
            const auto bones = said.find(std::string(name_of(*side)).append("_profile_bones"));
            if (bones != said.end()) hand.shape = shape_of_text(bones->second);
        }
    } catch (const DatabaseError& error) {
        impl_->in.fail(damaged(error.what()));
    }
    return result;
}

std::vector<std::uint64_t> LogReader::state_hashes() const {
    std::vector<std::uint64_t> hashes;
    try {
        if (impl_->database.number("SELECT 1 FROM frame LIMIT 1") == 0) return hashes;
        Statement rows(impl_->database,
                       "SELECT f.state_hash FROM sample s LEFT JOIN frame f ON f.sample = s.id ORDER BY s.id");
        while (rows.step()) hashes.push_back(static_cast<std::uint64_t>(rows.integer(0)));
    } catch (const DatabaseError& error) {
        impl_->in.fail(damaged(error.what()));
    }
    return hashes;
}

HandPair LogReader::at(std::int64_t time_ns) {
    try {
        HandPair sample;
        std::int64_t id = 0;
        impl_->before.bind(1, time_ns);
        if (impl_->before.step()) {
            id = impl_->before.integer(0);
            sample.time_ns = impl_->before.integer(1);
        } else {
            sample.time_ns = impl_->database.number("SELECT min(time_ns) FROM sample");
            id = impl_->database.number("SELECT min(id) FROM sample");
        }
        impl_->before.reset();
        impl_->hands.bind(1, id);
        while (impl_->hands.step()) read_hand(impl_->hands, 0, sample);
        impl_->hands.reset();
        for (HandFrame& hand : sample.hands) hand.times.common_ns = sample.time_ns;
        return sample;
    } catch (const DatabaseError& error) {
        impl_->in.fail(damaged(error.what()));
    }
}

namespace {

// Removes hands whose bytes do not match their checksum.
void drop_changed_hands(Database& database, RecoveryReport& report) {
    Statement rows(database, "SELECT sample, hand, source, device_ns, arrival_ns, joints, crc FROM hand_sample");
    Statement drop(database, "DELETE FROM hand_sample WHERE sample = ?1 AND hand = ?2");
    std::vector<std::pair<std::int64_t, std::string>> changed;
    HandPair hands;
    while (rows.step())
        if (!read_hand(rows, 1, hands)) changed.emplace_back(rows.integer(0), rows.text(1));
    for (const auto& [sample, hand] : changed) drop.bind(1, sample).bind(2, std::string_view(hand)).run();
    report.was_damaged = report.was_damaged || !changed.empty();
    report.lost_ranges += static_cast<std::int64_t>(changed.size());
}

// Does the same for velocities.
void drop_changed_velocities(Database& database, RecoveryReport& report) {
    Statement rows(database, "SELECT rowid, velocities, crc FROM hand_velocity");
    Statement drop(database, "DELETE FROM hand_velocity WHERE rowid = ?");
    std::vector<std::int64_t> changed;
    HandVelocity hand;
    while (rows.step())
        if (crc32(rows.bytes(1)) != rows.integer(2) || !unpack_velocity(rows.bytes(1), hand))
            changed.push_back(rows.integer(0));
    for (const std::int64_t row : changed) drop.bind(1, row).run();
    report.was_damaged = report.was_damaged || !changed.empty();
    report.lost_ranges += static_cast<std::int64_t>(changed.size());
}

// Returns the columns that both have; a log of an older version has fewer.
std::vector<std::string> shared_columns(const Database& from, const Database& to, std::string_view table) {
    std::vector<std::string> columns = columns_of(to, table);
    const std::vector<std::string> there = columns_of(from, table);
    std::erase_if(columns, [&there](const std::string& column) { return std::ranges::count(there, column) == 0; });
    return columns;
}

// Copies rows from the front as far as possible, then from the back, so that a damaged page in the middle costs only
// its own rows.
void copy_table(const Database& from, const Database& to, const Table& table, RecoveryReport& report) {
    const std::string name(table.name), order(table.order);
    if (!is_ordinary_table(from, name)) {
        Statement named(from, "SELECT 1 FROM sqlite_schema WHERE name = ?");
        if (!named.bind(1, std::string_view(name)).step()) return;
        report.was_damaged = true;
        ++report.lost_ranges;
        return;
    }
    std::vector<std::string> columns = shared_columns(from, to, name);
    if (columns.empty()) return;
    // Rows keep their rowid, so that reading from both ends does not duplicate them.
    if (order == "rowid") columns.push_back(order);
    std::string all, places;
    for (const std::string& column : columns) {
        all += (all.empty() ? "" : ", ") + column;
        places += places.empty() ? "?" : ",?";
    }
    Statement insert(to, "INSERT OR IGNORE INTO " + name + "(" + all + ") VALUES(" + places + ")");
    for (const char* direction : {"", " DESC"}) {
        try {
            Statement rows(from, "SELECT " + all + " FROM " + name + " ORDER BY " + order + direction);
            while (rows.step()) {
                for (int i = 0; i < static_cast<int>(columns.size()); ++i) insert.bind_column(1 + i, rows, i);
                insert.run();
            }
            return;
        } catch (const DatabaseError& error) {
            if (!error.is_corrupt() && !error.is_endless()) throw;
            insert.reset();
            report.was_damaged = true;
            ++report.lost_ranges;
        }
    }
}

// Restores samples that are lost while their hands are left, from the hands' arrival times. The delay is that of the
// first hand whose sample is left. Restored times stay between those of the neighbouring samples.
void time_by_arrival(Database& database, RecoveryReport& report) {
    const std::int64_t before = database.number("SELECT count(*) FROM sample");
    const std::int64_t late_ns =
        database.number("SELECT arrival_ns - time_ns FROM hand_sample JOIN sample ON id = sample ORDER BY id LIMIT 1");
    database.run(
        "INSERT OR IGNORE INTO sample(id, time_ns) SELECT h.sample, max("
        "coalesce((SELECT time_ns FROM sample WHERE id < h.sample ORDER BY id DESC LIMIT 1), 0), min("
        "coalesce((SELECT time_ns FROM sample WHERE id > h.sample ORDER BY id LIMIT 1), 9223372036854775807), "
        "min(h.arrival_ns) - (" +
        std::to_string(late_ns) +
        "))) FROM hand_sample h WHERE h.sample NOT IN (SELECT id FROM sample) GROUP BY h.sample");
    report.timed_by_arrival = database.number("SELECT count(*) FROM sample") - before;
}

// Removes the fewest samples that leave the others in time order (longest non-decreasing subsequence), because a log
// whose time goes back cannot be read.
void drop_samples_out_of_order(Database& database, RecoveryReport& report) {
    database.run("DELETE FROM sample WHERE time_ns < 0");
    std::vector<std::int64_t> ids, times_ns;
    Statement rows(database, "SELECT id, time_ns FROM sample ORDER BY id");
    while (rows.step()) {
        ids.push_back(rows.integer(0));
        times_ns.push_back(rows.integer(1));
    }
    // ends[n]: last index of the ordered subsequence of n + 1 samples that ends at the earliest time; before[i]: the
    // predecessor of i in its subsequence.
    std::vector<std::size_t> ends, before(ids.size());
    for (std::size_t i = 0; i < ids.size(); ++i) {
        const auto end = std::ranges::upper_bound(ends, times_ns[i], {}, [&](std::size_t j) { return times_ns[j]; });
        before[i] = end == ends.begin() ? i : *(end - 1);
        if (end == ends.end())
            ends.push_back(i);
        else
            *end = i;
    }
    report.lost_ranges += static_cast<std::int64_t>(ids.size() - ends.size());
    if (ends.size() == ids.size()) return;
    std::vector<bool> kept(ids.size());
    for (std::size_t i = ends.back();; i = before[i]) {
        kept[i] = true;
        if (before[i] == i) break;
    }
    Statement drop(database, "DELETE FROM sample WHERE id = ?");
    for (std::size_t i = 0; i < ids.size(); ++i)
        if (!kept[i]) drop.bind(1, ids[i]).run();
}

// The types of a table's row on its page: i integer, r real, t text, b blob; a capital may be null. The rowid is stored
// beside the row. `profile` and `calibration` look alike and are not searched for: they are written first and fit on
// their root page.
struct RowShape {
    std::string_view table, columns, values;
    bool has_rowid;
};
constexpr std::array<RowShape, 16> kRowShapes = {{
    {"meta", "key, value", "tT", false},
    {"sample", "id, time_ns", "-i", true},
    {"hand_sample", "sample, hand, source, device_ns, arrival_ns, wrist_x, wrist_y, wrist_z, joints, crc", "ittiiRRRbi",
     false},
    {"glove_word", "time_ns, hand, words", "itb", true},
    {"frame", "sample, state_hash, ingest_us, refit_us, test_us, exact_us, step_us, haptics_us, total_us", "-iRRRRRRR",
     true},
    {"contact", "sample, hand, bone, object, distance_m, x, y, z, nx, ny, nz", "itiiRRRRRRR", true},
    {"event", "time_ns, kind, hand, finger, object, detail", "itTIIT", true},
    {"force",
     "time_ns, hand, thumb, \"index\", middle, ring, little, thumb_vibration, index_vibration, middle_vibration, "
     "ring_vibration, little_vibration, palm, palm_vibration",
     "itRRRRRRRRRRRR", true},
    {"haptic", "time_ns, hand, output, vibration, thumb, \"index\", middle, ring, little", "ittRRRRRR", true},
    {"annotation", "time_ns, text", "it", true},
    {"app_frame",
     "number, display_ns, period_ns, waited_ns, begun_ns, ended_ns, missed, should_render, layers, pose_hash",
     "-iiiiiiiii", true},
    {"pose", "time_ns, what, number, source, flags, x, y, z, qx, qy, qz, qw, fov_left, fov_right, fov_up, fov_down",
     "ititiRRRRRRRRRRR", true},
    {"action", "id, action_set, name, type", "-ttt", true},
    {"action_state", "time_ns, action, source, active, x, y", "iitiRR", true},
    {"interaction_profile", "time_ns, source, profile", "itt", true},
    {"hand_velocity", "time_ns, hand, velocities, crc", "itbi", true},
}};
// Other row shapes: version 1 has no vibrations of the fingers, and an application's log has more columns per command.
constexpr std::array<RowShape, 2> kOtherRowShapes = {{
    {"force", "time_ns, hand, thumb, \"index\", middle, ring, little, palm, palm_vibration", "itRRRRRRR", true},
    {"haptic",
     "time_ns, hand, output, vibration, thumb, \"index\", middle, ring, little, display_ns, duration_ns, frequency_hz",
     "ittRRRRRRIIR", true},
}};

bool is_value(char shape, const PageValue& value) {
    switch (value.index()) {
        case 0:
            return shape <= 'Z';  // a capital, or the rowid
        case 1:
            return shape == 'i' || shape == 'I' || shape == 'r' || shape == 'R';  // whole reals are stored as integers
        case 2:
            return shape == 'r' || shape == 'R';
        case 3:
            return shape == 't' || shape == 'T';
        default:
            return shape == 'b';
    }
}

bool is_row(const RowShape& shape, const PageRow& row) {
    return shape.has_rowid == row.has_rowid && shape.values.size() == row.values.size() &&
           std::ranges::equal(shape.values, row.values, is_value);
}

class RowInserter {
  public:
    RowInserter(const Database& to, const RowShape& shape)
        : shape_(shape),
          insert_(to, "INSERT OR IGNORE INTO " + std::string(shape.table) + "(" + std::string(shape.columns) +
                          (is_numbered() ? ", rowid" : "") + ") VALUES(" + places() + ")") {}

    bool take(const PageRow& row) {
        if (!is_row(shape_, row)) return false;
        for (std::size_t i = 0; i < row.values.size(); ++i) bind(1 + static_cast<int>(i), row.values[i], row.rowid);
        if (is_numbered()) insert_.bind(1 + static_cast<int>(row.values.size()), row.rowid);
        insert_.run();
        return true;
    }

  private:
    // Rows without a column for their rowid keep it too, so that rows that were read before are not duplicated.
    bool is_numbered() const { return shape_.has_rowid && shape_.values.front() != '-'; }
    std::string places() const {
        std::string text = "?";
        for (std::size_t i = 1; i < shape_.values.size() + (is_numbered() ? 1 : 0); ++i) text += ",?";
        return text;
    }
    void bind(int place, const PageValue& value, std::int64_t rowid) {
        if (shape_.values[static_cast<std::size_t>(place - 1)] == '-')
            insert_.bind(place, rowid);
        else if (const auto* integer = std::get_if<std::int64_t>(&value))
            insert_.bind(place, *integer);
        else if (const auto* real = std::get_if<double>(&value))
            insert_.bind(place, *real);
        else if (const auto* text = std::get_if<std::string_view>(&value))
            insert_.bind(place, *text);
        else if (const auto* bytes = std::get_if<std::span<const unsigned char>>(&value))
            insert_.bind(place, *bytes);
        else
            insert_.bind_null(place);
    }

    const RowShape& shape_;
    Statement insert_;
};

// Copies rows that no B-tree refers to any more.
void copy_stray_rows(const std::filesystem::path& from, std::size_t page_bytes, const Database& to) {
    std::vector<RowInserter> tables;
    for (const RowShape& shape : kRowShapes) tables.emplace_back(to, shape);
    for (const RowShape& shape : kOtherRowShapes) tables.emplace_back(to, shape);
    for_each_page_row(from, page_bytes, [&tables](const PageRow& row) {
        for (RowInserter& table : tables)
            if (table.take(row)) return;
    });
}

bool has_application(Database& database) {
    return database.number(
               "SELECT EXISTS(SELECT 1 FROM app_frame) OR EXISTS(SELECT 1 FROM pose) OR EXISTS(SELECT 1 FROM action) "
               "OR "
               "EXISTS(SELECT 1 FROM action_state) OR EXISTS(SELECT 1 FROM interaction_profile) OR "
               "EXISTS(SELECT 1 FROM haptic WHERE display_ns IS NOT NULL)") != 0;
}

constexpr std::size_t kUsualPage = 4096;

// Copies all rows that SQLite can reach, even if the file's header is wrong. Returns what was read in addition to the
// file's own pages.
Overlay copy_tables(const std::filesystem::path& from, OpenMode mode, Database& out, RecoveryReport& report) {
    Overlay found;
    try {
        const Database damaged(from, mode);
        found = damaged.overlay();
        for (const Table& table : kTables) copy_table(damaged, out, table, report);
    } catch (const DatabaseError& error) {
        if (!error.is_corrupt() && !error.is_endless()) throw;
        report.was_damaged = true;
        ++report.lost_ranges;
    }
    return found;
}

}  // namespace

std::string RecoveryReport::text() const {
    std::string text = counted(samples, "sample") + ", " + counted(hands, "hand") + " and " +
                       counted(derived, "other row") + " saved; ";
    if (timed_by_arrival > 0) text += "time of arrival given to " + counted(timed_by_arrival, "sample") + "; ";
    if (had_journal) text += "what the journal beside it holds was read too; ";
    if (missing_bytes > 0) return text + counted(missing_bytes, "byte") + " missing at the end of the file";
    return text + (was_damaged ? counted(lost_ranges, "damaged place") + " found" : "nothing was damaged");
}

RecoveryReport recover_log(const std::filesystem::path& from, const std::filesystem::path& path, bool force) {
    Replacement saved(path);
    expect_replaceable(path, force);
    const Input in(from);
    const bool is_marked = in.head().starts_with(kSqliteMark);
    PageCount pages = page_count(in.head());
    if (pages.page_bytes == 0) pages = {kUsualPage, 0};  // the header is damaged: assume the page size of our logs
    RecoveryReport report;
    const auto count = [](Database& database, const std::string& table) {
        return database.number("SELECT count(*) FROM " + table);
    };
    try {
        Database out(saved.part(), OpenMode::create);
        out.run("PRAGMA application_id=" + std::to_string(kLogApplicationId));
        out.run("PRAGMA user_version=" + std::to_string(kVelocityLogVersion));
        out.run(std::string(kLogSchema));
        out.run(std::string(kApplicationSchema));
        out.run(std::string(kVelocitySchema));
        out.run("BEGIN");
        const Overlay found = copy_tables(from, OpenMode::salvage, out, report);
        if (found.missing_end) {
            report.was_damaged = true;
            report.missing_bytes = static_cast<std::int64_t>(pages.bytes() - in.size());
        }
        if (found.journal) {
            // The journal may belong to another file, or restore an empty one, so also read the file alone.
            report.was_damaged = report.had_journal = true;
            copy_tables(from, OpenMode::alone, out, report);
        }
        if (report.was_damaged) copy_stray_rows(from, pages.page_bytes, out);
        drop_changed_hands(out, report);
        drop_changed_velocities(out, report);
        if (report.was_damaged) {
            drop_samples_out_of_order(out, report);
            time_by_arrival(out, report);
            drop_samples_out_of_order(out, report);  // arrival times may be damaged too
        }
        const bool has_velocities = count(out, "hand_velocity") > 0;
        const bool is_of_application = has_velocities || has_application(out);
        if (!has_velocities) out.run(std::string(kDropVelocitySchema));
        if (!is_of_application) out.run(std::string(kDropApplicationSchema));
        if (!has_velocities)
            out.run("PRAGMA user_version=" + std::to_string(is_of_application ? kApplicationLogVersion : kLogVersion));
        out.run("COMMIT");
        for (const Table& table : kTables)
            if (table.derived && !columns_of(out, table.name).empty())
                report.derived += count(out, std::string(table.name));
        report.samples = count(out, "sample");
        report.hands = count(out, "hand_sample");
    } catch (const DatabaseError& error) {
        if (error.is_full()) throw ExportError(path.string() + ": cannot be written: " + error.what());
        throw ImportError(from.string() + ": nothing can be saved: " + error.what());
    }
    if (report.samples == 0)
        throw ImportError(from.string() +
                          (is_marked ? ": no sample can be saved" : ": this is not a glovebox log, damaged or whole"));

    // Verify the new log by reading it.
    std::int64_t samples = 0;
    stream(saved.part(), {}, [&samples](const HandPair&) { ++samples; });
    if (samples != report.samples)
        throw ExportError(path.string() + ": the recovered log does not hold what was saved");
    saved.place();
    return report;
}

}  // namespace glovebox::recordings
