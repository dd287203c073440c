// A file on its way in: chunk by chunk, line by line, always knowing where it is so that errors can say so. Packed
// files (unpack.h) come out plain, and tables with semicolons or tabs, and decimal commas, come out with commas and
// points.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "recordings/unpack.h"

namespace glovebox::recordings {

/// Throws ImportError where a pipe, a device or a socket stands: what a stranger's file names, or is read more than
/// once, has to be a file. Of a pipe no one may ever be the writer.
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
    /// Of a packed file the size of what is in it, if that is known without unpacking all of it, else 0.
    std::uintmax_t size() const { return size_; }
    /// What has been read of the file so far, as it lies there; of a pipe, that is all that is known of its size.
    std::uintmax_t bytes_read() const { return bytes_read_; }
    bool is_packed() const { return packing_ != nullptr; }
    /// Of a packed file that has been read to its end: is the end of what is in it missing?
    bool is_unpacked_short() const { return is_packed() && unpacked_ != Unpacked::whole; }
    const std::filesystem::path& path() const { return path_; }

    /// The next line without its end (LF or CR LF). False at the end of the file. Valid until the next call.
    bool next_line(std::string_view& line);
    /// As next_line, but lines of white space are passed over.
    bool next_full_line(std::string_view& line);
    /// Returns the one-based number of the last line; 0 before the first.
    std::int64_t row() const { return row_; }
    /// Had it a line end? A file's last line may have none, and then it may be cut off.
    bool line_ended() const { return line_ended_; }

    /// Everything that is left, for formats that are one document. Throws ImportError beyond `most_bytes`.
    std::string read_all(std::size_t most_bytes);

    /// Throws ImportError "path:row: reason", without the row where there is none yet; CutOff in a last row that has no
    /// line end.
    [[noreturn]] void fail(const std::string& reason) const;
    [[noreturn]] void fail_at(std::int64_t row, const std::string& reason) const;
    /// Throws CutOff: what is missing lies behind the end of the file.
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
    std::string packed_;  // of which packed_left_ is not unpacked yet
    std::string_view packed_left_;
    Unpacked unpacked_ = Unpacked::more;
    std::uintmax_t plain_bytes_ = 0;
    char separator_ = ',';  // of a table whose separator is none of our readers'
    char line_end_ = '\n';  // or '\r', of programs of old
    std::string head_;
    std::string chunk_;  // unread bytes are chunk_[begin_, end)
    std::size_t begin_ = 0;
    std::int64_t row_ = 0;
    bool line_ended_ = true;
};

}  // namespace glovebox::recordings
