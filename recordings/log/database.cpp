#include "recordings/log/database.h"

#include <sqlite3.h>

#include <system_error>

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

// SQLite takes these characters of a URI for its own.
std::string uri_of(const std::filesystem::path& path) {
    std::string uri = "file:";
    for (const char c : path.string()) {
        if (c == '%') uri += "%25";
        if (c == '?') uri += "%3F";
        if (c == '#') uri += "%23";
        if (c != '%' && c != '?' && c != '#') uri += c;
    }
    return uri;
}

// Of a log that was not closed, the last samples stand in the -wal beside it.
bool has_samples_beside(const std::filesystem::path& path) {
    std::error_code ignored;
    const std::filesystem::path wal = path.string() + "-wal";
    return std::filesystem::is_regular_file(wal, ignored) && std::filesystem::file_size(wal, ignored) > 0;
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

void Database::Closer::operator()(sqlite3* handle) const {
    sqlite3_close_v2(handle);
}

Database::Database(const std::filesystem::path& the_path, OpenMode mode) {
    const std::filesystem::path path = mode == OpenMode::create ? file_at(the_path) : the_path;
    if (mode == OpenMode::create)
        for (const char* beside : {"", "-wal", "-shm"}) {
            std::error_code ignored;
            if (const std::filesystem::path old = path.string() + beside;
                std::filesystem::is_regular_file(old, ignored))
                std::filesystem::remove(old, ignored);
        }
    const int flags = mode == OpenMode::create ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READWRITE;
    sqlite3* handle = nullptr;
    int code = sqlite3_open_v2(path.c_str(), &handle, flags | SQLITE_OPEN_NOMUTEX, nullptr);
    handle_.reset(handle);
    const bool reads = mode == OpenMode::read || mode == OpenMode::leave;
    if (mode == OpenMode::leave) sqlite3_db_config(handle_.get(), SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
    if (reads && code == SQLITE_OK)
        code = sqlite3_exec(handle_.get(), "PRAGMA schema_version", nullptr, nullptr, nullptr);
    if (reads && code != SQLITE_OK) {
        // A folder that cannot be written to: read the file as it stands, if all is in it.
        if ((code == SQLITE_CANTOPEN || code == SQLITE_READONLY) && has_samples_beside(path))
            throw ImportError(path.string() + ": the log was not closed and its folder cannot be written to; copy it " +
                              "together with " + path.filename().string() + "-wal to another folder");
        code = sqlite3_open_v2((uri_of(path) + "?immutable=1").c_str(), &handle,
                               SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX, nullptr);
        handle_.reset(handle);
    }
    if (code != SQLITE_OK) throw DatabaseError(sqlite3_errmsg(handle_.get()), code);
    sqlite3_busy_timeout(handle_.get(), 1000);
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

Statement::Statement(const Database& database, std::string_view sql) : database_(&database) {
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
