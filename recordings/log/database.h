// SQLite with values and exceptions instead of codes and pointers. For the sources of this folder only.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

namespace glovebox::recordings {

/// What SQLite said. `full` when the disk is, `corrupt` when the file is damaged.
struct DatabaseError : std::runtime_error {
    DatabaseError(std::string_view what, int the_code);  ///< SQLite quotes what it read: made one line of it
    int code;
    bool is_corrupt() const;
    bool is_busy() const;  ///< somebody else holds the file
    bool is_full() const;
};

enum class OpenMode { create, write, read, leave };

class Database {
  public:
    /// `create` makes a new file (a file that stands there is removed; throws ExportError where something else does).
    /// `write` goes on with one that is there. `read` also plays back what a killed process left beside the file, and
    /// `leave` does so without changing file or -wal. Both throw ImportError where that cannot be done.
    Database(const std::filesystem::path& path, OpenMode mode);
    void run(const std::string& sql);
    std::int64_t number(const std::string& sql);  ///< first column of the first row; 0 if there is none
    sqlite3* handle() const { return handle_.get(); }

  private:
    struct Closer {
        void operator()(sqlite3* handle) const;
    };
    std::unique_ptr<sqlite3, Closer> handle_;
};

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
