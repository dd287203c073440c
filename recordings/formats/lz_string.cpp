#include "recordings/formats/lz_string.h"

#include <array>
#include <cstdint>
#include <vector>

namespace glovebox::recordings {
namespace {

constexpr std::string_view kAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

// A bit reader: six bits per character, highest first; numbers have their lowest bit first.
class Bits {
  public:
    explicit Bits(std::string_view text) : text_(text) {
        value_of_.fill(-1);
        for (std::size_t i = 0; i < kAlphabet.size(); ++i)
            value_of_[static_cast<unsigned char>(kAlphabet[i])] = static_cast<int>(i);
    }
    /// Reads a number. Returns false at the end of the text or at an invalid character.
    bool read(int count, std::uint32_t& value) {
        value = 0;
        for (int i = 0; i < count; ++i) {
            if (mask_ == 0) {
                if (at_ == text_.size()) return false;
                letter_ = value_of_[static_cast<unsigned char>(text_[at_++])];
                if (letter_ < 0) return false;
                mask_ = 32;
            }
            if ((letter_ & mask_) != 0) value |= std::uint32_t{1} << i;
            mask_ >>= 1;
        }
        return true;
    }

  private:
    std::string_view text_;
    std::size_t at_ = 0;
    std::array<int, 256> value_of_{};
    int letter_ = 0, mask_ = 0;
};

void append_utf8(std::uint32_t unit, std::string& out) {
    if (unit < 0x80) {
        out += static_cast<char>(unit);
    } else if (unit < 0x800) {
        out += static_cast<char>(0xC0 | (unit >> 6));
        out += static_cast<char>(0x80 | (unit & 0x3F));
    } else {
        out += static_cast<char>(0xE0 | (unit >> 12));
        out += static_cast<char>(0x80 | ((unit >> 6) & 0x3F));
        out += static_cast<char>(0x80 | (unit & 0x3F));
    }
}

constexpr std::uint32_t kNew8 = 0, kNew16 = 1, kEnd = 2;

}  // namespace

std::optional<std::string> decompress_lz_base64(std::string_view text, std::size_t max_bytes) {
    while (!text.empty() && (text.back() == '=' || text.back() == '\n' || text.back() == '\r')) text.remove_suffix(1);
    Bits bits(text);
    // An entry is a range of the output so far, because words repeat earlier text, or a single character.
    struct Entry {
        std::size_t begin, size;
    };
    std::vector<Entry> entries(3);
    std::string out;
    int width = 2;
    std::uint32_t until_wider = 2, code = 0;
    const auto read_character = [&](std::uint32_t kind) {
        std::uint32_t unit = 0;
        if (!bits.read(kind == kNew8 ? 8 : 16, unit)) return false;
        const std::size_t begin = out.size();
        append_utf8(unit, out);
        entries.push_back({begin, out.size() - begin});
        return true;
    };
    const auto one_more_entry = [&] {
        if (--until_wider == 0) until_wider = std::uint32_t{1} << width++;
    };

    if (!bits.read(2, code)) return std::nullopt;
    if (code == kEnd) return out;
    if (code > kNew16 || !read_character(code)) return std::nullopt;
    Entry last = entries.back();
    width = 3;
    until_wider = 4;
    for (;;) {
        if (width > 31 || out.size() > max_bytes || !bits.read(width, code)) return std::nullopt;
        if (code == kEnd) return out;
        Entry now{};
        if (code == kNew8 || code == kNew16) {
            if (!read_character(code)) return std::nullopt;
            now = entries.back();
            one_more_entry();
        } else if (code < entries.size()) {
            now = {out.size(), entries[code].size};
            if (now.size > max_bytes) return std::nullopt;
            for (std::size_t i = 0; i < now.size; ++i) out += out[entries[code].begin + i];
        } else if (code == entries.size()) {
            // The word that is not complete yet: the last one plus its own first character.
            now = {out.size(), 0};
            if (last.size > max_bytes) return std::nullopt;
            for (std::size_t i = 0; i < last.size; ++i) out += out[last.begin + i];
            std::size_t first = 1;
            while (first < last.size && (static_cast<unsigned char>(out[last.begin + first]) & 0xC0) == 0x80) ++first;
            for (std::size_t i = 0; i < first; ++i) out += out[last.begin + i];
            now.size = out.size() - now.begin;
        } else {
            return std::nullopt;
        }
        // The last word and the first character of this one form a new word; they are adjacent in the output.
        std::size_t first = 1;
        while (first < now.size && (static_cast<unsigned char>(out[now.begin + first]) & 0xC0) == 0x80) ++first;
        entries.push_back({last.begin, last.size + first});
        one_more_entry();
        last = now;
    }
}

}  // namespace glovebox::recordings
