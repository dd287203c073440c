#include "recordings/input.h"

#include <algorithm>
#include <cstring>
#include <system_error>

#include "recordings/load.h"
#include "recordings/parse.h"

namespace glovebox::recordings {
namespace {

constexpr std::size_t kChunk = std::size_t{1} << 20;
constexpr std::size_t kHead = std::size_t{1} << 16;
constexpr std::string_view kUtf8Mark = "\xEF\xBB\xBF";

bool is_utf16(std::string_view head) {
    if (head.starts_with("\xFF\xFE") || head.starts_with("\xFE\xFF")) return true;
    // Without a mark: text of western letters has a zero in every second byte.
    if (head.size() < 8) return false;
    const std::size_t pairs = std::min<std::size_t>(head.size(), 256) / 2;
    std::size_t even = 0, odd = 0;
    for (std::size_t i = 0; i < pairs; ++i) {
        even += head[2 * i] == '\0' && head[2 * i + 1] >= '\t' ? 1 : 0;
        odd += head[2 * i + 1] == '\0' && head[2 * i] >= '\t' ? 1 : 0;
    }
    return 10 * even > 9 * pairs || 10 * odd > 9 * pairs;
}

}  // namespace

void refuse_pipe(const std::filesystem::path& path) {
    std::error_code ignored;
    const auto status = std::filesystem::status(path, ignored);
    if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status) &&
        !std::filesystem::is_directory(status))
        throw ImportError(path.string() + ": is a pipe or a device, and this has to be a file");
}

Input::Input(const std::filesystem::path& path) : path_(path) {
    std::error_code error;
    const auto status = std::filesystem::status(path, error);
    if (!std::filesystem::exists(status)) fail("no such file");
    if (std::filesystem::is_directory(status)) fail("this is a folder; give the recording inside it");
    if (std::filesystem::is_regular_file(status)) size_ = std::filesystem::file_size(path, error);
    file_.open(path, std::ios::binary);
    if (!file_) fail("cannot be opened; check its permissions");

    refill();
    if (chunk_.empty()) fail("the file is empty");
    if (is_utf16(chunk_)) fail("the text is UTF-16; save it as UTF-8");
    if (std::string_view(chunk_).starts_with(kUtf8Mark)) begin_ = kUtf8Mark.size();
    head_ = chunk_.substr(begin_, kHead);
}

bool Input::refill() {
    chunk_.erase(0, begin_);
    begin_ = 0;
    const std::size_t kept = chunk_.size();
    chunk_.resize(kept + kChunk);
    file_.read(chunk_.data() + kept, static_cast<std::streamsize>(kChunk));
    chunk_.resize(kept + static_cast<std::size_t>(file_.gcount()));
    bytes_read_ += static_cast<std::uintmax_t>(file_.gcount());
    if (file_.bad()) fail("reading failed in the middle of the file");
    return chunk_.size() > kept;
}

bool Input::next_line(std::string_view& line) {
    std::size_t searched = begin_;
    for (;;) {
        const void* end =
            searched < chunk_.size() ? std::memchr(chunk_.data() + searched, '\n', chunk_.size() - searched) : nullptr;
        if (end != nullptr) {
            const auto stop = static_cast<std::size_t>(static_cast<const char*>(end) - chunk_.data());
            line = std::string_view(chunk_).substr(begin_, stop - begin_);
            begin_ = stop + 1;
            line_ended_ = true;
            break;
        }
        const std::size_t unread = chunk_.size() - begin_;
        if (unread > kLongestLine) fail_at(row_ + 1, "the line is longer than 4 MB: this is not text");
        if (!refill()) {
            if (unread == 0) return false;
            line = std::string_view(chunk_).substr(begin_);
            begin_ = chunk_.size();
            line_ended_ = false;
            break;
        }
        searched = begin_ + unread;
    }
    ++row_;
    if (line.ends_with('\r')) line.remove_suffix(1);
    return true;
}

bool Input::next_full_line(std::string_view& line) {
    while (next_line(line))
        if (!trimmed(line).empty()) return true;
    return false;
}

std::string Input::read_all(std::size_t most_bytes) {
    while (chunk_.size() - begin_ <= most_bytes && refill()) {
    }
    if (chunk_.size() - begin_ > most_bytes)
        fail("the file is larger than the " + std::to_string(most_bytes >> 20) + " MB that this format may have");
    std::string all = chunk_.substr(begin_);
    chunk_.clear();
    begin_ = 0;
    return all;
}

void Input::fail(const std::string& reason) const {
    fail_at(row_, reason);
}

void Input::fail_at(std::int64_t row, const std::string& reason) const {
    std::string line = path_.string();
    if (row > 0) line.append(":").append(std::to_string(row));
    throw ImportError(line.append(": ").append(reason));
}

}  // namespace glovebox::recordings
