// SQLite with values and exceptions instead of codes and pointers. For the sources of this folder only.
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

/// What SQLite said. `full` when the disk is, `corrupt` when the file is damaged.
struct DatabaseError : std::runtime_error {
    DatabaseError(std::string_view what, int the_code);  ///< SQLite quotes what it read: made one line of it
    int code;
    bool is_corrupt() const;
    bool is_busy() const;  ///< someone else holds the file
    bool is_full() const;
    bool is_endless() const;  ///< a statement did more work than the file can ask for
};

enum class OpenMode {
    create,   ///< makes a new file; throws ExportError where anything stands, behind links too
    write,    ///< goes on with one that is there
    read,     ///< changes nothing; with what the log's own writer left in the -wal, and nothing else that stands beside
    salvage,  ///< changes nothing; with a -wal or journal whoever wrote it, and zeros for a missing end
    alone,    ///< changes nothing; the file as it is, but for a missing end
};

class Database {
  public:
    /// Files that are read may come from anybody: no view, trigger or virtual table of theirs runs, a statement ends
    /// after work in proportion to the file's size, and the last three modes throw ImportError where that cannot be.
    Database(const std::filesystem::path& path, OpenMode mode);
    ~Database();
    Database(Database&&) noexcept;
    void run(const std::string& sql);
    std::int64_t number(const std::string& sql);  ///< first column of the first row; 0 if there is none
    sqlite3* handle() const { return handle_.get(); }
    /// What is beside the file and was not read, in a sentence; empty: nothing.
    const std::string& note() const { return note_; }
    /// What was read over the file's own pages.
    Overlay overlay() const;
    /// Gives the next statement its share of work.
    void begin_work() const;

  private:
    struct Reading;
    void open_image(const std::filesystem::path& path, Overlay overlay);
    bool own_wal(const std::filesystem::path& path);
    std::unique_ptr<Reading> reading_;  // null: written to
    std::string note_;
    struct Closer {
        void operator()(sqlite3* handle) const;
    };
    std::unique_ptr<sqlite3, Closer> handle_;
};

/// Is this a table as the schema makes them: no view, no virtual table, no column that is computed?
bool is_ordinary_table(const Database& database, std::string_view table);

/// One prepared statement, used again and again.
class Statement {
  public:
    Statement(const Database& database, std::string_view sql);
    Statement& bind(int place, std::int64_t value);
    Statement& bind(int place, double value);
    Statement& bind(int place, std::string_view text);                 ///< copied
    Statement& bind(int place, std::span<const unsigned char> bytes);  ///< must stay until step()
    Statement& bind_null(int place);
    /// Whatever another statement's current row has in a column.
    Statement& bind_column(int place, const Statement& from, int column);
    bool step();  ///< true if there is a row
    void run();   ///< step, then reset: for statements without rows
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
