#include "recordings/log/database.h"

#include <sqlite3.h>

#include <array>
#include <system_error>
#include <utility>

#include "recordings/load.h"
#include "recordings/output.h"

namespace glovebox::recordings {

namespace {

std::string one_line(std::string_view text) {
    std::string line(text.substr(0, 400));
    for (char& c : line)
        if (c < ' ' || c > '~') c = '?';
    return line;
}

constexpr int kOperationsAtOnce = 10'000;

// SQLite's progress handler: stops a statement when its work limit is used up.
int count_work(void* left) {
    return --*static_cast<std::int64_t*>(left) < 0 ? 1 : 0;
}

void limit_reader(sqlite3* handle) {
    for (const int never : {SQLITE_DBCONFIG_TRUSTED_SCHEMA, SQLITE_DBCONFIG_ENABLE_VIEW, SQLITE_DBCONFIG_ENABLE_TRIGGER,
                            SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, SQLITE_DBCONFIG_DQS_DDL, SQLITE_DBCONFIG_DQS_DML})
        sqlite3_db_config(handle, never, 0, nullptr);
    sqlite3_db_config(handle, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
    constexpr std::array<std::pair<int, int>, 6> kLimits = {{{SQLITE_LIMIT_ATTACHED, 0},
                                                             {SQLITE_LIMIT_COLUMN, 256},
                                                             {SQLITE_LIMIT_EXPR_DEPTH, 64},
                                                             {SQLITE_LIMIT_SQL_LENGTH, 1 << 20},
                                                             {SQLITE_LIMIT_TRIGGER_DEPTH, 1},
                                                             {SQLITE_LIMIT_WORKER_THREADS, 0}}};
    for (const auto& [what, most] : kLimits) sqlite3_limit(handle, what, most);
    sqlite3_exec(handle, "PRAGMA cell_size_check=ON; PRAGMA temp_store=MEMORY; PRAGMA query_only=ON", nullptr, nullptr,
                 nullptr);
}

bool is_regular_file_with_content(const std::filesystem::path& path) {
    std::error_code ignored;
    return std::filesystem::is_regular_file(path, ignored) && std::filesystem::file_size(path, ignored) > 0;
}

// Returns the log's id, which its writer stores in the file's first pages and in every -wal of its own.
std::string identity(Database& database) {
    Statement rows(database, "SELECT value FROM meta WHERE key = 'log_id'");
    return rows.step() ? std::string(rows.text(0)) : std::string();
}

}  // namespace

DatabaseError::DatabaseError(std::string_view what, int the_code)
    : std::runtime_error(one_line(what)), code(the_code) {}

bool DatabaseError::is_corrupt() const {
    const int primary = code & 0xFF;
    return primary == SQLITE_CORRUPT || primary == SQLITE_NOTADB;
}

bool DatabaseError::is_busy() const {
    const int primary = code & 0xFF;
    return primary == SQLITE_BUSY || primary == SQLITE_LOCKED;
}

bool DatabaseError::is_full() const {
    return (code & 0xFF) == SQLITE_FULL;
}

bool DatabaseError::is_endless() const {
    return (code & 0xFF) == SQLITE_INTERRUPT;
}

void Database::Closer::operator()(sqlite3* handle) const {
    sqlite3_close_v2(handle);
}

// The image must not move: SQLite keeps its address.
struct Database::Reading {
    LogImage image;
    std::int64_t share, work_left;
};

Database::Database(Database&&) noexcept = default;
Database::~Database() {
    handle_.reset();  // before what it reads
}

Overlay Database::overlay() const {
    return reading_ ? reading_->image.found() : Overlay{};
}

void Database::begin_work() const {
    if (reading_) reading_->work_left = reading_->share;
}

void Database::open_image(const std::filesystem::path& path, Overlay overlay) {
    handle_.reset();
    reading_.reset(new Reading{{path, overlay}, 0, 0});
    // A join of the smallest rows takes one operation per byte.
    reading_->share = 200 + static_cast<std::int64_t>(reading_->image.bytes() / kOperationsAtOnce) * 4;
    begin_work();
    sqlite3* handle = nullptr;
    const int code = reading_->image.connect(&handle);
    handle_.reset(handle);
    if (code != SQLITE_OK) throw DatabaseError(handle == nullptr ? "no memory" : sqlite3_errmsg(handle), code);
    limit_reader(handle);
    sqlite3_progress_handler(handle, kOperationsAtOnce, count_work, &reading_->work_left);
}

// Returns true if the -wal belongs to this log. A -wal of another log may fit too, but has another id or other samples.
bool Database::own_wal(const std::filesystem::path& path) {
    const std::string over = identity(*this);
    std::int64_t last = 0, time_ns = 0;
    try {
        Database file(path, OpenMode::alone);
        if (identity(file) != over) return false;
        last = file.number("SELECT max(id) FROM sample");
        time_ns = file.number("SELECT time_ns FROM sample WHERE id = " + std::to_string(last));
    } catch (const DatabaseError&) {
        return true;  // the writer was killed while it copied pages: the file alone is not a log
    }
    return number("SELECT time_ns FROM sample WHERE id = " + std::to_string(last)) == time_ns;
}

Database::Database(const std::filesystem::path& path, OpenMode mode) {
    if (mode == OpenMode::create || mode == OpenMode::write) {
        if (mode == OpenMode::create) make_new_file(path);
        sqlite3* handle = nullptr;
        const int code =
            sqlite3_open_v2(path.string().c_str(), &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nullptr);
        handle_.reset(handle);
        if (code != SQLITE_OK) throw DatabaseError(sqlite3_errmsg(handle_.get()), code);
        sqlite3_busy_timeout(handle_.get(), 1000);
    } else {
        open_image(path, {mode != OpenMode::alone, mode == OpenMode::salvage, mode != OpenMode::read});
        const std::string wal = path.string() + "-wal", journal = path.string() + "-journal";
        bool is_own = false;
        try {
            is_own = mode != OpenMode::read || !overlay().wal || own_wal(path);
        } catch (const DatabaseError&) {
            // With this -wal, the file is not a log.
        }
        if (!is_own) open_image(path, {});
        for (const std::string& beside : {wal, journal})
            if (mode == OpenMode::read && is_regular_file_with_content(beside) && !(beside == wal && overlay().wal))
                note_ += (note_.empty() ? "" : " ") + std::filesystem::path(beside).filename().string() +
                         " stands beside the log, is not its own and was not read; `glovebox recover` reads it too, " +
                         "into a new file.";
    }
    // Damaged files must not make SQLite allocate without bound.
    sqlite3_limit(handle_.get(), SQLITE_LIMIT_LENGTH, 16 << 20);
}

void Database::run(const std::string& sql) {
    if (const int code = sqlite3_exec(handle_.get(), sql.c_str(), nullptr, nullptr, nullptr); code != SQLITE_OK)
        throw DatabaseError(sqlite3_errmsg(handle_.get()), code);
}

std::int64_t Database::number(const std::string& sql) {
    Statement statement(*this, sql);
    return statement.step() ? statement.integer(0) : 0;
}

void Statement::Finalizer::operator()(sqlite3_stmt* statement) const {
    sqlite3_finalize(statement);
}

bool is_ordinary_table(const Database& database, std::string_view table) {
    Statement kind(database, "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ? AND rootpage > 0");
    if (!kind.bind(1, table).step()) return false;
    Statement columns(database, "PRAGMA table_xinfo(" + std::string(table) + ")");
    constexpr int kHidden = 6;  // hidden or generated
    while (columns.step())
        if (columns.integer(kHidden) != 0) return false;
    return true;
}

Statement::Statement(const Database& database, std::string_view sql) : database_(&database) {
    database.begin_work();
    sqlite3_stmt* statement = nullptr;
    const int code = sqlite3_prepare_v3(database.handle(), sql.data(), static_cast<int>(sql.size()),
                                        SQLITE_PREPARE_PERSISTENT, &statement, nullptr);
    statement_.reset(statement);
    check(code, "prepare");
}

void Statement::check(int code, const char* what) const {
    if (code != SQLITE_OK) throw DatabaseError(std::string(what) + ": " + sqlite3_errmsg(database_->handle()), code);
}

Statement& Statement::bind(int place, std::int64_t value) {
    check(sqlite3_bind_int64(statement_.get(), place, value), "bind");
    return *this;
}
Statement& Statement::bind(int place, double value) {
    check(sqlite3_bind_double(statement_.get(), place, value), "bind");
    return *this;
}
Statement& Statement::bind(int place, std::string_view text) {
    check(sqlite3_bind_text64(statement_.get(), place, text.data(), text.size(), SQLITE_TRANSIENT, SQLITE_UTF8),
          "bind");
    return *this;
}
Statement& Statement::bind(int place, std::span<const unsigned char> bytes) {
    check(sqlite3_bind_blob64(statement_.get(), place, bytes.data(), bytes.size(), SQLITE_STATIC), "bind");
    return *this;
}
Statement& Statement::bind_null(int place) {
    check(sqlite3_bind_null(statement_.get(), place), "bind");
    return *this;
}

Statement& Statement::bind_column(int place, const Statement& from, int column) {
    check(sqlite3_bind_value(statement_.get(), place, sqlite3_column_value(from.statement_.get(), column)), "bind");
    return *this;
}

bool Statement::step() {
    const int code = sqlite3_step(statement_.get());
    if (code == SQLITE_ROW) return true;
    if (code == SQLITE_DONE) return false;
    const std::string what = sqlite3_errmsg(database_->handle());
    sqlite3_reset(statement_.get());
    throw DatabaseError(what, code);
}

void Statement::run() {
    step();
    reset();
}

void Statement::reset() {
    database_->begin_work();
    sqlite3_reset(statement_.get());
}

std::int64_t Statement::integer(int column) const {
    return sqlite3_column_int64(statement_.get(), column);
}
double Statement::real(int column) const {
    return sqlite3_column_double(statement_.get(), column);
}
std::string_view Statement::text(int column) const {
    const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(statement_.get(), column));
    return text == nullptr
               ? std::string_view()
               : std::string_view(text, static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column)));
}
std::span<const unsigned char> Statement::bytes(int column) const {
    const auto* bytes = static_cast<const unsigned char*>(sqlite3_column_blob(statement_.get(), column));
    return {bytes, bytes == nullptr ? 0 : static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column))};
}

}  // namespace glovebox::recordings
