// Output files, written atomically and without destroying a user's files.
//
// A file is written under an unpredictable temporary name in the same folder, and moved to its path when it is
// complete. Symbolic links are followed. A device, a pipe or standard output receives data as it is written. A folder
// is refused.
//
// A command calls expect_replaceable() before its work begins. One program at a time writes to a path (WriterLock). A
// file that another program creates there in the meantime is kept.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

namespace glovebox::recordings {

/// Thrown if a file cannot be written. The message is one line with file and reason.
struct ExportError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// Returns the file that writing to `path` creates or replaces: the target of symbolic links, which need not exist.
std::filesystem::path behind_links(std::filesystem::path path);

/// Does the same for outputs that must be regular files, such as databases. Throws ExportError if a folder, device or
/// pipe is there.
std::filesystem::path file_at(const std::filesystem::path& path);

/// Throws ExportError if nothing can be written to `path`: it is a folder, or its folder does not exist.
void expect_place(const std::filesystem::path& path);

/// Returns true if `path` is the process's standard output; printed messages would then mix with the written data.
bool is_standard_output(const std::filesystem::path& path);

/// Marks near the beginning of our pictures and PDFs, by which they are recognised: the text chunk of a PNG, and the
/// comment of a PDF ("glov" with high bits).
inline constexpr std::string_view kPngMark("tEXtSoftware\0glovebox", 21);
inline constexpr std::string_view kPdfMark = "\xE7\xEC\xEF\xF6";

/// Throws ExportError unless `path` may be replaced: there is no file, an empty one, or one that Glovebox itself writes
/// from run to run (reports, tables, pictures). With `force`, any file may be replaced except recordings of any format.
void expect_replaceable(const std::filesystem::path& path, bool force);

/// A unique temporary path beside `file`. The destructor removes the temporary file if it was not moved, with SQLite's
/// files beside it.
struct Part {
    explicit Part(const std::filesystem::path& file);
    ~Part();
    Part(const Part&) = delete;
    Part& operator=(const Part&) = delete;
    const std::filesystem::path path;
};

/// Creates an empty file. Throws ExportError if anything exists there, even a link.
void make_new_file(const std::filesystem::path& path);

/// The identity of the file at a path, for a later comparison.
struct Standing {
    bool there = false;
    std::uintmax_t device = 0, inode = 0;
    bool operator==(const Standing&) const = default;
};
Standing entry_at(const std::filesystem::path& file);

/// Moves `part` to `file` if the file there is still `before`. Otherwise returns false and moves nothing. Throws
/// ExportError if it cannot be written.
bool move_if_unchanged(const std::filesystem::path& part, const std::filesystem::path& file, const Standing& before);

/// The exclusive right to write to `file`, for the lifetime of this object. It is a lock on an empty file NAME.lock
/// beside it, which the destructor removes. A killed program leaves that file, and the next writer takes it over.
/// On file systems without locks, every program gets the right.
class WriterLock {
  public:
    /// Takes the lock. Throws ExportError if another program has it, or no file can be created there.
    explicit WriterLock(const std::filesystem::path& file);
    WriterLock(WriterLock&& other) noexcept;
    WriterLock& operator=(WriterLock&& other) noexcept;
    ~WriterLock();

  private:
    std::filesystem::path path_;
    int file_ = -1;
};

/// A file that other code, such as SQLite or gnuplot, writes under the name part(). The file at `path` is unchanged
/// until place(). If place() is never called, no temporary file is left.
class Replacement {
  public:
    /// Throws ExportError if another program writes to `path`, or no file can be written there.
    explicit Replacement(const std::filesystem::path& path);

    const std::filesystem::path& part() const { return part_.path; }  ///< does not exist yet
    /// Moves part() to `path`. Throws ExportError, also if another program wrote to `path` in the meantime.
    void place();

  private:
    std::filesystem::path file_;
    WriterLock lock_;
    Part part_;
    Standing before_;
};

/// An output stream to a file. The file at `path` is unchanged until commit(), and stays so if that is never called.
class Output {
  public:
    /// Opens the output. Throws ExportError if it cannot be written, or another program writes to it. Waits for a
    /// pipe's reader.
    explicit Output(const std::filesystem::path& path);
    void write(std::string_view text);  ///< throws ExportError when the disk is full
    /// Overwrites earlier bytes, for counts that are known only at the end. Throws ExportError if this is not a file.
    void patch(std::uint64_t at, std::string_view text);
    std::uint64_t size() const { return size_; }
    void commit();

  private:
    void expect_good(const std::ostream& out) const;
    std::filesystem::path path_;
    std::optional<Replacement> replacement_;  // empty for a device, a pipe or standard output
    std::ofstream file_;
    bool to_standard_output_ = false;
    std::uint64_t size_ = 0;
};

}  // namespace glovebox::recordings
