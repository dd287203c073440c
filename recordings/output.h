// An output file: whole or not at all, and never in the place of what is no file.
//
// A file is written beside its place, under a name that no one can know, and moved there when it is whole, behind
// symbolic links where there are some. A device, a pipe or standard output takes what is written as it comes, and a
// folder is refused.
//
// Nothing that a user has is destroyed: a command asks expect_replaceable() before its work begins, one program at a
// time writes to a place (WriterLock), and what another program puts there while it works is left there.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

namespace glovebox::recordings {

/// Cannot write: which file, why. One line.
struct ExportError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// The file that writing to `path` makes or replaces: what links lead to, be it there already or not.
std::filesystem::path behind_links(std::filesystem::path path);

/// The same for what can only be a file, as a database can. Throws ExportError where a folder, device or pipe stands.
std::filesystem::path file_at(const std::filesystem::path& path);

/// Throws ExportError where nothing can be written: a folder, or a name in a folder that is not there.
void expect_place(const std::filesystem::path& path);

/// Is this what the process prints to? What is printed besides would then stand among what is written.
bool is_standard_output(const std::filesystem::path& path);

/// What our pictures and pages on paper say near their beginning, by which they are known again: the text chunk of a
/// PNG, and the comment of a PDF ("glov" with high bits).
inline constexpr std::string_view kPngMark("tEXtSoftware\0glovebox", 21);
inline constexpr std::string_view kPdfMark = "\xE7\xEC\xEF\xF6";

/// Throws ExportError unless writing to `path` destroys nothing: no file is there, an empty one, or one that Glovebox
/// itself writes from run to run (reports, tables, pictures; not recordings). With `force` anything but a recording, of
/// whatever format.
void expect_replaceable(const std::filesystem::path& path, bool force);

/// A name for what is written beside `file` until it is whole, another one each time. Not moved away by then, it is
/// removed, with what SQLite leaves beside it.
struct Part {
    explicit Part(const std::filesystem::path& file);
    ~Part();
    Part(const Part&) = delete;
    Part& operator=(const Part&) = delete;
    const std::filesystem::path path;
};

/// Makes an empty file where nothing stood, not even a link. Throws ExportError.
void make_new_file(const std::filesystem::path& path);

/// What stands at a place, to be known again.
struct Standing {
    bool there = false;
    std::uintmax_t device = 0, inode = 0;
    bool operator==(const Standing&) const = default;
};
Standing what_stands_at(const std::filesystem::path& file);

/// From beside to its place, if there stands what stood there before. False, and nothing is moved, if it does not.
/// Throws ExportError where it cannot be written.
bool move_if_unchanged(const std::filesystem::path& part, const std::filesystem::path& file, const Standing& before);

/// The right to write to `file`, until it goes: one program has it at a time. It is a lock on the empty file NAME.lock
/// beside it, which goes with it. A program that is killed leaves that file, and the next writer takes it over.
/// On file systems without locks every program gets it.
class WriterLock {
  public:
    /// Throws ExportError where another program has it, or no file can be made there.
    explicit WriterLock(const std::filesystem::path& file);
    WriterLock(WriterLock&& other) noexcept;
    WriterLock& operator=(WriterLock&& other) noexcept;
    ~WriterLock();

  private:
    std::filesystem::path path_;
    int file_ = -1;
};

/// A file that someone else writes, under the name that part() is: SQLite, gnuplot. Until place(), and if it is never
/// called, what stood at `path` stays, and nothing is left beside it.
class Replacement {
  public:
    /// Throws ExportError where something writes to it already, or no file can be.
    explicit Replacement(const std::filesystem::path& path);

    const std::filesystem::path& part() const { return part_.path; }  ///< not there yet
    /// Throws ExportError, also where another program wrote to the place meanwhile.
    void place();

  private:
    std::filesystem::path file_;
    WriterLock lock_;
    Part part_;
    Standing before_;
};

/// Until commit(), and if it is never called, what stood there stays as it was.
class Output {
  public:
    /// Throws ExportError if it cannot be written to, or another program writes to it. A pipe waits for its reader.
    explicit Output(const std::filesystem::path& path);
    void write(std::string_view text);  ///< throws ExportError when the disk is full
    /// Overwrites earlier bytes. For counts that are known only at the end. Throws ExportError on what is no file.
    void patch(std::uint64_t at, std::string_view text);
    std::uint64_t size() const { return size_; }
    void commit();

  private:
    void expect_good(const std::ostream& out) const;
    std::filesystem::path path_;
    std::optional<Replacement> replacement_;  // empty where there is no file
    std::ofstream file_;
    bool to_standard_output_ = false;
    std::uint64_t size_ = 0;
};

}  // namespace glovebox::recordings
