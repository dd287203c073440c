// Gives SQLite a read-only view of a log (a VFS), in which no journal is replayed and no file is changed or deleted.
//
// When SQLite opens a database, it may repair the file. It may replay a journal, and delete the files that the journal
// names, or copy a -wal into the database. An untrusted recording must not be able to cause that, so SQLite reads
// through this class. It sees the pages of the file, some of which are replaced in memory by newer pages. The newer
// pages are those that the log's own writer committed to the -wal and has not copied yet. All other requests (to write,
// to delete, to open another file) fail.
//
// A log that is being recorded appears unchanged while it is read. Read locks on the -shm keep the log's writer from
// copying pages; the -shm itself is not written. The methods are those of sqlite.org/fileformat2.html, sections 3 and
// 4, and walformat.html. Only the sources of this folder use this class.
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
    /// Zeros replace bytes that the header promises and the file lacks, and complete a partial page.
    bool missing_end = false;
};

class LogImage {
  public:
    /// Opens the file. Throws ImportError if it is not a regular file or if its writer does not release its locks.
    LogImage(const std::filesystem::path& path, Overlay overlay);
    ~LogImage();
    LogImage(const LogImage&) = delete;
    LogImage& operator=(const LogImage&) = delete;

    /// Returns the parts of `overlay` that exist and are valid.
    const Overlay& found() const { return found_; }
    std::uintmax_t bytes() const;  ///< size after the last commit
    /// Copies the bytes from offset `at` on to `to`. Bytes that do not exist become zeros; returns false if there are
    /// any.
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
