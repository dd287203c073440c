// Writes output files atomically, without destroying files of the user.
//
// A file is written under an unpredictable temporary name in the same folder, and moved to its path when it is
// complete. Symbolic links are followed. Data for a device, a pipe or standard output is written there directly. A
// folder is refused.
//
// A command calls expect_replaceable() before its work begins. Only one program at a time writes to a path
// (WriterLock). A file that another program creates at the path in the meantime is kept.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

namespace glovebox::recordings {

/// Thrown if a file cannot be written. The message is one line with file and reason.
struct ExportError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// Returns the file that is created or replaced by writing to `path`. If `path` is a symbolic link, that is its target,
/// which need not exist.
std::filesystem::path behind_links(std::filesystem::path path);

/// Does the same for outputs that must be regular files, such as databases. Throws ExportError if a folder, device or
/// pipe is at the path.
std::filesystem::path file_at(const std::filesystem::path& path);

/// Throws ExportError if nothing can be written to `path`: it is a folder, or its folder does not exist.
void expect_place(const std::filesystem::path& path);

/// Returns true if `path` is the process's standard output; printed messages would then mix with the written data.
bool is_standard_output(const std::filesystem::path& path);

/// Glovebox recognises PNG and PDF files that it wrote by these marks near their beginning. In a PNG, the mark
/// is a text chunk; in a PDF, it is a comment ("glov" with high bits set).
inline constexpr std::string_view kPngMark("tEXtSoftware\0glovebox", 21);
inline constexpr std::string_view kPdfMark = "\xE7\xEC\xEF\xF6";

/// Throws ExportError unless `path` may be replaced: no file, an empty file, or a file of a kind that
/// Glovebox writes from run to run (a report, a table, a picture). With `force`, any file may be replaced. A recording
/// of any format never may.
void expect_replaceable(const std::filesystem::path& path, bool force);

/// Removes the temporary files of all Part and WriterLock objects. Call it in the handler of a signal that ends the
/// program: it uses only calls that are safe there.
void remove_temporary_files();

/// Returns true if the file is such a temporary file that an earlier program left, or one of SQLite beside a log.
bool is_temporary_file(const std::filesystem::path& path);

/// A unique temporary path in the folder of `file`. Unless the temporary file was moved, the destructor removes it and
/// the files that SQLite created beside it.
struct Part {
    explicit Part(const std::filesystem::path& file);
    ~Part();
    Part(const Part&) = delete;
    Part& operator=(const Part&) = delete;
    const std::filesystem::path path;

  private:
    const std::shared_ptr<void> registered_;  // for remove_temporary_files()
};

/// Returns a registration of the files for remove_temporary_files(), which lasts as long as the returned object.
/// `names` has a zero after each name.
std::shared_ptr<void> register_temporary_files(std::string names);

/// Removes a file with a call that is safe in a signal handler. Errors are ignored.
void remove_in_handler(const char* path);

/// Creates an empty file. Throws ExportError if anything exists at the path, even a link.
void make_new_file(const std::filesystem::path& path);

/// The identity of the file at a path, for a later comparison.
struct Standing {
    bool there = false;
    std::uintmax_t device = 0, inode = 0;
    bool operator==(const Standing&) const = default;
};
Standing entry_at(const std::filesystem::path& file);

/// Moves `part` to `file` if entry_at(file) still equals `before`, and returns true. Otherwise returns false and moves
/// nothing. Throws ExportError if `file` cannot be written.
bool move_if_unchanged(const std::filesystem::path& part, const std::filesystem::path& file, const Standing& before);

/// The exclusive right to write to `file`, for the lifetime of this object. The constructor locks an empty file
/// NAME.lock in the same folder, which the destructor removes. If a program is killed, its lock file remains, and the
/// next writer takes it over. On file systems without locks, every program gets the right.
class WriterLock {
  public:
    /// Takes the lock. Throws ExportError if another program has it or NAME.lock cannot be created.
    explicit WriterLock(const std::filesystem::path& file);
    WriterLock(WriterLock&& other) noexcept;
    WriterLock& operator=(WriterLock&& other) noexcept;
    ~WriterLock();

  private:
    std::filesystem::path path_;
    int file_ = -1;
    std::shared_ptr<void> registered_;  // for remove_temporary_files()
};

/// A file that other code, such as SQLite or gnuplot, writes under the name part(). The file at `path` is unchanged
/// until place(). If place() is never called, no temporary file is left.
class Replacement {
  public:
    /// Throws ExportError if another program is writing to `path` or no file can be written there.
    explicit Replacement(const std::filesystem::path& path);

    const std::filesystem::path& part() const { return part_.path; }  ///< does not exist yet
    /// Moves part() to `path`. Throws ExportError if `path` cannot be written or another program wrote to it in the
    /// meantime.
    void place();

  private:
    std::filesystem::path file_;
    WriterLock lock_;
    Part part_;
    Standing before_;
};

/// An output stream to a file. The file at `path` does not change until commit(), and never changes if commit() is not
/// called.
class Output {
  public:
    /// Opens the output. If it is a pipe, waits for a reader. Throws ExportError if the output cannot be written or
    /// another program is writing to it.
    explicit Output(const std::filesystem::path& path);
    void write(std::string_view text);  ///< throws ExportError when the disk is full
    /// Overwrites bytes that were written before, for counts that are known only at the end. Throws ExportError if the
    /// output is not a regular file.
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
