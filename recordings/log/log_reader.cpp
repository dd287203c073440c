#include "recordings/log/log_reader.h"

#include <algorithm>
#include <array>

#include "recordings/log/database.h"
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

// Columns hand, source, device_ns, arrival_ns, joints, crc from `first` on. False if the row is damaged.
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

void check_is_log(Database& database, const Input& in) {
    if (database.number("PRAGMA application_id") != kLogApplicationId)
        in.fail("this is an SQLite database, but not a glovebox log");
    const std::int64_t version = database.number("PRAGMA user_version");
    if (version < 1 || version > kLogVersion)
        in.fail("the log has version " + std::to_string(version) + "; this program knows versions 1 to " +
                std::to_string(kLogVersion));
}

// As SQL takes them; empty: there is no such table.
std::vector<std::string> columns_of(const Database& database, std::string_view table) {
    std::vector<std::string> columns;
    Statement rows(database, "PRAGMA table_info(" + std::string(table) + ")");
    while (rows.step()) columns.push_back("\"" + std::string(rows.text(1)) + "\"");
    return columns;
}

constexpr const char* kDamaged = "the log is damaged: try `glovebox recover`; ";

}  // namespace

bool is_glove_log(std::string_view head, std::uintmax_t) {
    return head.size() >= kApplicationIdAt + 4 && head.starts_with(kSqliteMark) &&
           head.substr(kApplicationIdAt, 4) == "GLOV";
}

void read_glove_log(Input& in, const ImportOptions&, Assembly& out) {
    try {
        Database database(in.path(), OpenMode::read);
        check_is_log(database, in);
        SourceTraits traits;
        traits.complete = true;
        out.describe(traits);
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
                if (has_current) out.push(sample);
                sample = {};
                sample.time_ns = rows.integer(1);
                current = id;
                has_current = true;
            }
            if (rows.bytes(6).empty()) continue;
            if (!read_hand(rows, 2, sample)) in.fail(kDamaged + ("hand of sample " + std::to_string(id)));
        }
        if (has_current) out.push(sample);
    } catch (const DatabaseError& error) {
        in.fail(std::string(kDamaged) + error.what());
    }
}

struct LogReader::Impl {
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
        throw ImportError(path.string() + ": " + kDamaged + error.what());
    }
}
LogReader::~LogReader() = default;

std::int64_t LogReader::sample_count() const {
    return impl_->database.number("SELECT max(id) + 1 FROM sample");
}

std::int64_t LogReader::derived_count(std::string_view table) const {
    for (const std::string_view known : {"frame", "contact", "event", "force", "haptic", "annotation"})
        if (table == known && !columns_of(impl_->database, known).empty())
            return impl_->database.number("SELECT count(*) FROM " + std::string(known));
    return 0;
}

std::vector<HapticRecord> LogReader::haptics() const {
    std::vector<HapticRecord> records;
    try {
        if (columns_of(impl_->database, "haptic").empty()) return records;
        Statement rows(impl_->database,
                       "SELECT time_ns, hand, output, vibration IS NOT NULL, vibration, thumb IS NOT NULL, thumb, "
                       "\"index\", middle, ring, little FROM haptic ORDER BY rowid");
        while (rows.step()) {
            const auto side = side_of_name(rows.text(1));
            if (!side) continue;
            HapticRecord& record = records.emplace_back();
            record.time_ns = rows.integer(0);
            record.side = *side;
            rows.text(2).copy(record.output.data(), record.output.size() - 1);
            if (rows.integer(3) != 0) record.vibration = static_cast<float>(rows.real(4));
            if (rows.integer(5) == 0) continue;
            std::array<float, tracking::kFingerCount>& force = record.force.emplace();
            for (std::size_t i = 0; i < force.size(); ++i)
                force[i] = static_cast<float>(rows.real(6 + static_cast<int>(i)));
        }
    } catch (const DatabaseError& error) {
        impl_->in.fail(std::string(kDamaged) + error.what());
    }
    return records;
}

std::int64_t LogReader::duration_ns() const {
    return impl_->database.number("SELECT (SELECT max(time_ns) FROM sample) - (SELECT min(time_ns) FROM sample)");
}

std::map<std::string, std::string> LogReader::meta() const {
    std::map<std::string, std::string> result;
    Statement rows(impl_->database, "SELECT key, value FROM meta");
    while (rows.step()) result.emplace(rows.text(0), rows.text(1));
    return result;
}

std::array<tracking::HandProfile, 2> LogReader::profiles(const std::array<tracking::HandProfile, 2>& otherwise) const {
    std::array<tracking::HandProfile, 2> result = otherwise;
    try {
        const std::map<std::string, std::string> said = meta();
        Statement rows(impl_->database, "SELECT hand, joint, radius_m, length_to_parent_m FROM profile");
        while (rows.step()) {
            const auto side = side_of_name(rows.text(0));
            const std::int64_t joint = rows.integer(1);
            if (!side || joint < 0 || joint >= tracking::kJointCount) continue;
            tracking::HandProfile& hand = result[static_cast<std::size_t>(*side)];
            hand.radius_m[static_cast<std::size_t>(joint)] = static_cast<float>(rows.real(2));
            hand.length_to_parent_m[static_cast<std::size_t>(joint)] = static_cast<float>(rows.real(3));
            const auto origin = said.find(std::string(name_of(*side)).append("_profile_origin"));
            if (origin != said.end()) hand.origin = origin->second;
        }
    } catch (const DatabaseError& error) {
        impl_->in.fail(std::string(kDamaged) + error.what());
    }
    return result;
}

std::vector<std::uint64_t> LogReader::state_hashes() const {
    std::vector<std::uint64_t> hashes;
    try {
        if (impl_->database.number("SELECT count(*) FROM frame") == 0) return hashes;
        Statement rows(impl_->database,
                       "SELECT f.state_hash FROM sample s LEFT JOIN frame f ON f.sample = s.id ORDER BY s.id");
        while (rows.step()) hashes.push_back(static_cast<std::uint64_t>(rows.integer(0)));
    } catch (const DatabaseError& error) {
        impl_->in.fail(std::string(kDamaged) + error.what());
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
        impl_->in.fail(std::string(kDamaged) + error.what());
    }
}

namespace {

struct Table {
    std::string_view name, order;
    bool derived;
};
// Read in the order of the table's own tree, which needs no other page than the rows'.
constexpr std::array<Table, 12> kTables = {{
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
}};

// Hands whose bytes are not those that were written.
void drop_changed_hands(Database& database, RecoveryReport& report) {
    Statement rows(database, "SELECT sample, hand, joints, crc FROM hand_sample");
    Statement drop(database, "DELETE FROM hand_sample WHERE sample = ?1 AND hand = ?2");
    std::vector<std::pair<std::int64_t, std::string>> changed;
    while (rows.step())
        if (crc32(rows.bytes(2)) != rows.integer(3)) changed.emplace_back(rows.integer(0), rows.text(1));
    for (const auto& [sample, hand] : changed) drop.bind(1, sample).bind(2, std::string_view(hand)).run();
    report.was_damaged = report.was_damaged || !changed.empty();
    report.lost_ranges += static_cast<std::int64_t>(changed.size());
}

// Columns that both have: a log of an older version has fewer.
std::vector<std::string> shared_columns(const Database& from, const Database& to, std::string_view table) {
    std::vector<std::string> columns = columns_of(to, table);
    const std::vector<std::string> there = columns_of(from, table);
    std::erase_if(columns, [&there](const std::string& column) { return std::ranges::count(there, column) == 0; });
    return columns;
}

// Copies what can be read from the front, then what can be read from the back: a damaged page in the middle costs what
// is on it and nothing else.
void copy_table(const Database& from, const Database& to, const Table& table, RecoveryReport& report) {
    const std::string name(table.name), order(table.order);
    std::vector<std::string> columns = shared_columns(from, to, name);
    if (columns.empty()) return;
    // Rows that have a number keep it, so that reading them from both ends does not double them.
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
            if (!error.is_corrupt()) throw;
            insert.reset();
            report.was_damaged = true;
            ++report.lost_ranges;
        }
    }
}

}  // namespace

std::string RecoveryReport::text() const {
    return std::to_string(samples) + " samples, " + std::to_string(hands) + " hands and " + std::to_string(derived) +
           " other rows saved" +
           (was_damaged ? "; " + std::to_string(lost_ranges) + " places were damaged" : "; nothing was damaged");
}

RecoveryReport recover_log(const std::filesystem::path& from, const std::filesystem::path& path) {
    const std::filesystem::path to = file_at(path);
    const Input in(from);
    if (!in.head().starts_with(kSqliteMark)) in.fail("this is not a glovebox log, damaged or whole");
    std::filesystem::path part = to;
    part += ".part";
    struct Remover {
        const std::filesystem::path& path;
        ~Remover() {
            std::error_code ignored;
            std::filesystem::remove(path, ignored);
        }
    } remover{part};
    RecoveryReport report;
    const auto count = [](Database& database, const std::string& table) {
        return database.number("SELECT count(*) FROM " + table);
    };
    try {
        Database out(part, OpenMode::create);
        out.run("PRAGMA application_id=" + std::to_string(kLogApplicationId));
        out.run("PRAGMA user_version=" + std::to_string(kLogVersion));
        out.run(std::string(kLogSchema));
        const Database damaged(from, OpenMode::read);
        out.run("BEGIN");
        for (const Table& table : kTables) {
            copy_table(damaged, out, table, report);
            if (table.derived) report.derived += count(out, std::string(table.name));
        }
        drop_changed_hands(out, report);
        out.run("COMMIT");
        report.samples = count(out, "sample");
        report.hands = count(out, "hand_sample");
    } catch (const DatabaseError& error) {
        throw ImportError(from.string() + ": nothing can be saved: " + error.what());
    }
    if (report.samples == 0) throw ImportError(from.string() + ": no sample can be saved");

    // Believe nothing that was not read again.
    std::int64_t samples = 0;
    stream(part, {}, [&samples](const HandPair&) { ++samples; });
    if (samples != report.samples) throw ExportError(to.string() + ": the recovered log does not hold what was saved");
    std::error_code error;
    std::filesystem::rename(part, to, error);
    if (error) throw ExportError(to.string() + ": cannot be written: " + error.message());
    return report;
}

}  // namespace glovebox::recordings
