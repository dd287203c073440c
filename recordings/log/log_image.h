// A log's file as SQLite may see it: read-only, with nothing beside it played back, moved or deleted.
//
// SQLite opens a database to repair it: it plays back the journal beside it (and deletes the files which that one
// names), or moves a -wal into it. A recording that someone sent must not be able to ask for that. So SQLite reads
// through this class: the pages of the file, and over them, in memory, those that the log's own writer has committed to
// the -wal and not moved yet. Every other request (write, delete, another file) fails.
//
// A log that is being recorded stands still while it is read: read locks on the -shm, which is not written either,
// keep its writer from moving pages. Methods: sqlite.org/fileformat2.html, sections 3 and 4, and walformat.html.
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

/// What is read over the pages of the file.
struct Overlay {
    bool wal = false, journal = false;
    bool missing_end = false;  ///< zeros where the file is shorter than its head says, and for the page it ends in
};

class LogImage {
  public:
    /// Throws ImportError: no regular file, or a writer that does not let go of it.
    LogImage(const std::filesystem::path& path, Overlay overlay);
    ~LogImage();
    LogImage(const LogImage&) = delete;
    LogImage& operator=(const LogImage&) = delete;

    /// What of `overlay` was there and sound.
    const Overlay& found() const { return found_; }
    std::uintmax_t bytes() const;  ///< as its last commit left it
    /// Bytes that are nowhere are zeros; false if any are.
    bool read(std::uintmax_t at, std::span<unsigned char> to) const;

    /// A connection to it; the caller closes it, before this object goes. Returns SQLite's code.
    int connect(sqlite3** handle);

  private:
    struct Place {
        int file;
        std::uintmax_t offset;
    };
    void hold_still(const std::filesystem::path& shm);
    void find_wal_pages(const std::filesystem::path& wal);
    void find_journal_pages(const std::filesystem::path& journal);
    int open_beside(const std::filesystem::path& path);  // -1 where there is no regular file

    std::filesystem::path path_;
    std::vector<int> files_;  // the log's own first
    std::uintmax_t file_bytes_ = 0, shown_bytes_ = 0;
    PageCount pages_;  // as the file's head has it, then as the overlay leaves it
    std::unordered_map<std::uint32_t, Place> over_;
    Overlay found_;
    std::unique_ptr<sqlite3_vfs> vfs_;
    std::string vfs_name_;
};

}  // namespace glovebox::recordings
