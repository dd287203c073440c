// Read-only view of a log for SQLite (a VFS): no journal is replayed, and no file is changed or deleted.
//
// When SQLite opens a database, it may repair it: it replays a journal (and deletes the files which the journal names),
// or copies a -wal into the database. An untrusted recording must not be able to cause that. So SQLite reads through
// this class. It sees the pages of the file and, over them, in memory, those that the log's own writer committed to the
// -wal and has not copied yet. All other requests (write, delete, another file) fail.
//
// A log that is being recorded does not change while it is read. Read locks on the -shm, which is not written either,
// keep its writer from copying pages. Methods: sqlite.org/fileformat2.html, sections 3 and 4, and walformat.html.
// For the sources of this folder only.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "recordings/log/page_rows.h"

struct sqlite3;
struct sqlite3_vfs;

namespace glovebox::recordings {

/// The parts that are read in addition to the pages of the file.
struct Overlay {
    bool wal = false, journal = false;
    bool missing_end = false;  ///< zeros for bytes that the header promises and the file lacks, and for a partial page
};

class LogImage {
  public:
    /// Opens the file. Throws ImportError if it is not a regular file or its writer does not release it.
    LogImage(const std::filesystem::path& path, Overlay overlay);
    ~LogImage();
    LogImage(const LogImage&) = delete;
    LogImage& operator=(const LogImage&) = delete;

    /// Returns the parts of `overlay` that exist and are valid.
    const Overlay& found() const { return found_; }
    std::uintmax_t bytes() const;  ///< size after the last commit
    /// Copies bytes to `to`. Missing bytes become zeros; returns false if there are any.
    bool read(std::uintmax_t at, std::span<unsigned char> to) const;

    /// Opens a connection to the image and returns SQLite's code. The caller closes it before this object is destroyed.
    int connect(sqlite3** handle);

  private:
    struct Place {
        int file;
        std::uintmax_t offset;
    };
    void hold_still(const std::filesystem::path& shm);
    void find_wal_pages(const std::filesystem::path& wal);
    void find_journal_pages(const std::filesystem::path& journal);
    int open_beside(const std::filesystem::path& path);  // -1 if it is not a regular file

    std::filesystem::path path_;
    std::vector<int> files_;  // the log first
    std::uintmax_t file_bytes_ = 0, shown_bytes_ = 0;
    PageCount pages_;  // from the file's header, then updated by the overlay
    std::unordered_map<std::uint32_t, Place> over_;
    Overlay found_;
    std::unique_ptr<sqlite3_vfs> vfs_;
    std::string vfs_name_;
};

}  // namespace glovebox::recordings
