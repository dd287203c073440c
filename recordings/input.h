// Reads input files by chunk or line, and counts lines for error messages. Compressed files (unpack.h) are
// decompressed. In tables, separating semicolons or tabs are converted to commas, and decimal commas to decimal points.
// Cells that are lists (list_cells.h) become cells of numbers.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "recordings/list_cells.h"
#include "recordings/unpack.h"

namespace glovebox::recordings {

/// Throws ImportError if `path` is a pipe, a device or a socket. Call it for paths that an untrusted file names,
/// because reading a pipe without a writer would block forever. Call it also for files that are read more than once.
void refuse_pipe(const std::filesystem::path& path);

/// Reads a file once, from its beginning to its end. Memory is limited to one chunk plus the longest line.
class Input {
  public:
    /// Longest line of a text format. A body suit with fingers takes 4 kB per row, so a longer line is not text.
    static constexpr std::size_t kLongestLine = std::size_t{1} << 22;

    /// Opens a file. Throws ImportError if it cannot be opened, is empty, a folder, or in an encoding other than UTF-8.
    explicit Input(const std::filesystem::path& path);
    /// Makes an input of a table that a reader has made of the file at `path`, which messages name.
    Input(std::filesystem::path path, std::string table);

    /// Returns the first bytes (at most 64 KiB), without a byte order mark, for format detection.
    std::string_view head() const { return head_; }
    /// Returns the file's size. For a compressed file, returns the decompressed size, or 0 if that is not known without
    /// decompression.
    std::uintmax_t size() const { return size_; }
    /// Returns the bytes read so far, before decompression; for a pipe, the only known measure of its size.
    std::uintmax_t bytes_read() const { return bytes_read_; }
    bool is_packed() const { return packing_ != nullptr; }
    /// Returns true if a compressed file that was read to its end is truncated or damaged.
    bool is_unpacked_short() const { return is_packed() && unpacked_ != Unpacked::whole; }
    const std::filesystem::path& path() const { return path_; }

    /// Reads the next line without its line end (LF or CR LF). Returns false at the end of the file. `line` is valid
    /// until the next call.
    bool next_line(std::string_view& line);
    /// Does the same, but skips blank lines.
    bool next_full_line(std::string_view& line);
    /// Returns the one-based number of the last line; 0 before the first.
    std::int64_t row() const { return row_; }
    /// Returns true if the last line had a line end. A file's final line without one may be truncated.
    bool line_ended() const { return line_ended_; }

    /// Returns the rest of the file, for formats that are one document. Throws ImportError if it is longer than
    /// `max_bytes`.
    std::string read_all(std::size_t max_bytes);

    /// Throws ImportError with the message "path:row: reason", or "path: reason" if no line was read. Throws CutOff
    /// instead if the last row has no line end.
    [[noreturn]] void fail(const std::string& reason) const;
    [[noreturn]] void fail_at(std::int64_t row, const std::string& reason) const;
    /// Throws CutOff, for a file that ends before data that it should contain.
    [[noreturn]] void fail_cut(const std::string& reason) const;

  private:
    bool refill();
    void use_commas(char* from, char* to) const;
    std::size_t read_plain(char* to, std::size_t most);
    std::size_t read_file(char* to, std::size_t most);

    std::filesystem::path path_;
    std::ifstream file_;
    std::uintmax_t size_ = 0, bytes_read_ = 0;
    const Packing* packing_ = nullptr;
    Unpack unpack_;
    std::string packed_;  // compressed bytes; packed_left_ is the part that is not decompressed yet
    std::string_view packed_left_;
    Unpacked unpacked_ = Unpacked::more;
    std::uintmax_t plain_bytes_ = 0;
    char separator_ = ',';  // the table's separator; others than ',' are converted to ','
    char line_end_ = '\n';  // or '\r', as old programs write
    ListCells lists_;
    std::string expanded_;  // the last line of a table with lists
    std::string head_;
    std::string chunk_;  // unread bytes are chunk_[begin_, end)
    std::size_t begin_ = 0;
    std::int64_t row_ = 0;
    bool line_ended_ = true;
};

}  // namespace glovebox::recordings
