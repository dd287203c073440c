// RAII wrapper of SQLite that throws exceptions instead of returning error codes. Only the sources of this folder use
// it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

#include "recordings/log/log_image.h"

struct sqlite3;
struct sqlite3_stmt;

namespace glovebox::recordings {

/// An error of SQLite.
struct DatabaseError : std::runtime_error {
    /// `what` may quote file content; it is converted to one line that is safe to print.
    DatabaseError(std::string_view what, int the_code);
    int code;
    bool is_corrupt() const;  ///< the file is damaged
    bool is_busy() const;     ///< another connection holds the file
    bool is_full() const;     ///< the disk is full
    bool is_endless() const;  ///< a statement exceeded the work limit for the file's size
};

enum class OpenMode {
    /// Creates a new file. Throws ExportError if any file exists at the path, even behind links.
    create,
    write,  ///< opens an existing file for writing
    /// Opens read-only, with the -wal of the log's own writer. Other files beside the log are ignored.
    read,
    /// Opens read-only, with a -wal or journal of any writer. Bytes that are missing at the end read as zeros.
    salvage,
    /// Opens read-only without any files beside the log. Bytes that are missing at the end read as zeros.
    alone,
};

class Database {
  public:
    /// Opens a database. A file that is only read may be hostile, so none of its views, triggers or virtual tables is
    /// executed. A statement is stopped after an amount of work in proportion to the file's size. The read-only modes
    /// throw ImportError if this cannot be ensured.
    Database(const std::filesystem::path& path, OpenMode mode);
    ~Database();
    Database(Database&&) noexcept;
    void run(const std::string& sql);
    std::int64_t number(const std::string& sql);  ///< first column of the first row; 0 if there is none
    sqlite3* handle() const { return handle_.get(); }
    /// Returns a sentence about files beside the log that were not read. Empty if there are none.
    const std::string& note() const { return note_; }
    /// Returns what was read in addition to the file's own pages.
    Overlay overlay() const;
    /// Resets the work limit for the next statement.
    void begin_work() const;

  private:
    struct Reading;
    void open_image(const std::filesystem::path& path, Overlay overlay);
    bool own_wal(const std::filesystem::path& path);
    std::unique_ptr<Reading> reading_;  // null in the writing modes
    std::string note_;
    struct Closer {
        void operator()(sqlite3* handle) const;
    };
    std::unique_ptr<sqlite3, Closer> handle_;
};

/// Returns true if this is an ordinary table like those of the schema, and not a view, a virtual table or a table with
/// generated columns.
bool is_ordinary_table(const Database& database, std::string_view table);

/// A reusable prepared statement.
class Statement {
  public:
    Statement(const Database& database, std::string_view sql);
    Statement& bind(int place, std::int64_t value);
    Statement& bind(int place, double value);
    Statement& bind(int place, std::string_view text);                 ///< copies the text
    Statement& bind(int place, std::span<const unsigned char> bytes);  ///< `bytes` must stay valid until step()
    Statement& bind_null(int place);
    /// Binds the value in a column of another statement's current row.
    Statement& bind_column(int place, const Statement& from, int column);
    bool step();  ///< returns true if there is a row
    void run();   ///< step() and reset(), for statements without rows
    void reset();
    std::int64_t integer(int column) const;
    double real(int column) const;
    std::string_view text(int column) const;  ///< valid until the next step
    std::span<const unsigned char> bytes(int column) const;

  private:
    struct Finalizer {
        void operator()(sqlite3_stmt* statement) const;
    };
    void check(int code, const char* what) const;
    const Database* database_;
    std::unique_ptr<sqlite3_stmt, Finalizer> statement_;
};

}  // namespace glovebox::recordings
