#include "recordings/input.h"

#include <algorithm>
#include <cstring>
#include <system_error>
#include <utility>

#include "recordings/load.h"
#include "recordings/parse.h"

namespace glovebox::recordings {
namespace {

constexpr std::size_t kChunk = std::size_t{1} << 20;
constexpr std::size_t kHead = std::size_t{1} << 16;
// Limits against decompression bombs; recordings decompress to 3 to 10 times their size.
constexpr std::uintmax_t kMaxRatio = 100, kUnpackFloor = std::uintmax_t{64} << 20;
constexpr std::string_view kUtf8Mark = "\xEF\xBB\xBF";

bool is_utf16(std::string_view head) {
    if (head.starts_with("\xFF\xFE") || head.starts_with("\xFE\xFF")) return true;
    // Without a mark, UTF-16 text in Latin letters has a zero in every second byte.
    if (head.size() < 8) return false;
    const std::size_t pairs = std::min<std::size_t>(head.size(), 256) / 2;
    std::size_t even = 0, odd = 0;
    for (std::size_t i = 0; i < pairs; ++i) {
        even += head[2 * i] == '\0' && head[2 * i + 1] >= '\t' ? 1 : 0;
        odd += head[2 * i + 1] == '\0' && head[2 * i] >= '\t' ? 1 : 0;
    }
    return 10 * even > 9 * pairs || 10 * odd > 9 * pairs;
}

// Returns the separator of a table. In locales with decimal commas programs use semicolons, and spreadsheets use tabs.
// A table begins with a line of names; Excel writes a line before it that says which separator follows.
char separator_of(std::string_view head) {
    if (head.starts_with("sep=") && head.size() > 5) return head[4] == ';' || head[4] == '\t' ? head[4] : ',';
    while (head.starts_with('#') && head.find('\n') != std::string_view::npos) head.remove_prefix(head.find('\n') + 1);
    const std::string_view line = head.substr(0, std::min<std::size_t>(head.find('\n'), kHead));
    if (line.find(',') != std::string_view::npos || line.find_first_of("{}[]\"") == 0) return ',';
    const bool has_names = std::ranges::any_of(line, [](char c) { return (c | 0x20) >= 'a' && (c | 0x20) <= 'z'; });
    for (const char separator : {';', '\t'})
        if (has_names && std::ranges::count(line, separator) >= 3) return separator;
    return ',';
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
    if (packing_ = packing_of(chunk_); packing_ != nullptr) {
        unpack_ = packing_->begin();
        packed_ = std::exchange(chunk_, {});
        packed_left_ = packed_;
        refill();
        if (chunk_.empty()) fail("the " + std::string(packing_->name) + " file is empty, or damaged at its beginning");
        size_ = unpacked_ == Unpacked::whole && chunk_.size() < kChunk ? chunk_.size() : 0;
        if (packing_of(chunk_) != nullptr) fail("the file is packed twice; unpack it once");
    }
    if (is_utf16(chunk_)) fail("the text is UTF-16; save it as UTF-8");
    if (std::string_view(chunk_).starts_with(kUtf8Mark)) begin_ = kUtf8Mark.size();
    head_ = chunk_.substr(begin_, kHead);
    if (head_.find('\n') == std::string::npos && head_.find('\r') != std::string::npos) {
        line_end_ = '\r';
        std::ranges::replace(head_, '\r', '\n');
    }
    separator_ = separator_of(head_);
    lists_ = ListCells(head_, separator_);
    if (!lists_.empty()) {
        std::string expanded;
        std::string_view line;
        for (Fields lines(head_, '\n'); lines.next(line); expanded += '\n') lists_.append(line, expanded);
        expanded.pop_back();
        head_ = std::move(expanded);
    } else if (separator_ != ',') {
        use_commas(head_.data(), head_.data() + head_.size());
    }
}

Input::Input(std::filesystem::path path, std::string table)
    : path_(std::move(path)), size_(table.size()), bytes_read_(table.size()), chunk_(std::move(table)) {
    head_ = chunk_.substr(0, kHead);
}

bool Input::refill() {
    chunk_.erase(0, begin_);
    begin_ = 0;
    const std::size_t kept = chunk_.size();
    chunk_.resize(kept + kChunk);
    const std::size_t got =
        packing_ != nullptr ? read_plain(chunk_.data() + kept, kChunk) : read_file(chunk_.data() + kept, kChunk);
    chunk_.resize(kept + got);
    return got > 0;
}

std::size_t Input::read_file(char* to, std::size_t most) {
    file_.read(to, static_cast<std::streamsize>(most));
    bytes_read_ += static_cast<std::uintmax_t>(file_.gcount());
    if (file_.bad()) fail("reading failed in the middle of the file");
    return static_cast<std::size_t>(file_.gcount());
}

// Damaged compressed data ends the file like a truncation; the data before it are good.
std::size_t Input::read_plain(char* to, std::size_t most) {
    std::span<char> room(to, most);
    while (!room.empty() && unpacked_ != Unpacked::damaged) {
        bool ends = false;
        if (packed_left_.empty()) {
            packed_.resize(kHead);
            packed_.resize(read_file(packed_.data(), kHead));
            packed_left_ = packed_;
            ends = packed_.empty();
            if (ends && unpacked_ == Unpacked::whole) break;
        }
        const std::size_t before = room.size();
        unpacked_ = unpack_ ? unpack_(packed_left_, room) : Unpacked::damaged;
        if (ends && room.size() == before) break;
    }
    plain_bytes_ += most - room.size();
    if (plain_bytes_ > kUnpackFloor && plain_bytes_ > kMaxRatio * bytes_read_)
        fail("the file is more than " + std::to_string(kMaxRatio) + " times as long when it is unpacked");
    return most - room.size();
}

void Input::use_commas(char* from, char* to) const {
    for (; from != to; ++from) {
        if (*from == ',') {
            *from = '.';
        } else if (*from == separator_) {
            *from = ',';
        }
    }
}

bool Input::next_line(std::string_view& line) {
    std::size_t searched = begin_;
    for (;;) {
        const void* end = searched < chunk_.size()
                              ? std::memchr(chunk_.data() + searched, line_end_, chunk_.size() - searched)
                              : nullptr;
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
    if (!lists_.empty()) {
        expanded_.clear();
        lists_.append(line, expanded_);
        line = expanded_;
    } else if (separator_ != ',') {
        char* const start = chunk_.data() + (line.data() - chunk_.data());
        use_commas(start, start + line.size());
    }
    if (line.ends_with('\r')) line.remove_suffix(1);
    return true;
}

bool Input::next_full_line(std::string_view& line) {
    while (next_line(line))
        if (!trimmed(line).empty()) return true;
    return false;
}

std::string Input::read_all(std::size_t max_bytes) {
    while (chunk_.size() - begin_ <= max_bytes && refill()) {
    }
    if (chunk_.size() - begin_ > max_bytes)
        fail("the file is larger than the " + std::to_string(max_bytes >> 20) + " MB that this format may have");
    std::string all = chunk_.substr(begin_);
    chunk_.clear();
    begin_ = 0;
    return all;
}

void Input::fail(const std::string& reason) const {
    if (!line_ended_ && row_ > 0) fail_cut(reason);
    fail_at(row_, reason);
}

void Input::fail_cut(const std::string& reason) const {
    try {
        fail_at(row_, reason);
    } catch (const ImportError& error) {
        throw CutOff(error.what(), row_);
    }
}

void Input::fail_at(std::int64_t row, const std::string& reason) const {
    std::string line = path_.string();
    if (row > 0) line.append(":").append(std::to_string(row));
    throw ImportError(line.append(": ").append(reason));
}

}  // namespace glovebox::recordings
