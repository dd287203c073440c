// A file on its way in: chunk by chunk, line by line, always knowing where it is so that errors can say so.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

namespace glovebox::recordings {

/// Throws ImportError where a pipe, a device or a socket stands: what a stranger's file names, or is read more than
/// once, has to be a file. Of a pipe nobody may ever be the writer.
void refuse_pipe(const std::filesystem::path& path);

/// Reads a file once, front to back. Memory: one chunk, plus the longest line.
class Input {
  public:
    /// Longest line of a text format: a suit with fingers is 4 kB a row, so a line beyond this is not text.
    static constexpr std::size_t kLongestLine = std::size_t{1} << 22;

    /// Throws ImportError if the file cannot be opened, is empty, a folder, or in an encoding other than UTF-8.
    explicit Input(const std::filesystem::path& path);

    /// The first bytes (at most 64 KiB), without a byte order mark. For telling formats apart.
    std::string_view head() const { return head_; }
    std::uintmax_t size() const { return size_; }
    /// What has been read of it so far; of a pipe, that is all that is known of its size.
    std::uintmax_t bytes_read() const { return bytes_read_; }
    const std::filesystem::path& path() const { return path_; }

    /// The next line without its end (LF or CR LF). False at the end of the file. Valid until the next call.
    bool next_line(std::string_view& line);
    /// As next_line, but lines of white space are passed over.
    bool next_full_line(std::string_view& line);
    /// One-based number of the line last given out; 0 before the first.
    std::int64_t row() const { return row_; }
    /// Had it a line end? A file's last line may have none, and then it may be cut off.
    bool line_ended() const { return line_ended_; }

    /// Everything that is left, for formats that are one document. Throws ImportError beyond `most_bytes`.
    std::string read_all(std::size_t most_bytes);

    /// Throws ImportError "path:row: reason", without the row where there is none yet.
    [[noreturn]] void fail(const std::string& reason) const;
    [[noreturn]] void fail_at(std::int64_t row, const std::string& reason) const;

  private:
    bool refill();

    std::filesystem::path path_;
    std::ifstream file_;
    std::uintmax_t size_ = 0, bytes_read_ = 0;
    std::string head_;
    std::string chunk_;  // unread bytes are chunk_[begin_, end)
    std::size_t begin_ = 0;
    std::int64_t row_ = 0;
    bool line_ended_ = true;
};

}  // namespace glovebox::recordings
