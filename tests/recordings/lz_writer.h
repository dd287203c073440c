// LZString.compressToBase64 for ASCII text, the compression that LeapJS pages use.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace glovebox::recordings {

inline std::string compress_lz_base64(std::string_view ascii) {
    constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    constexpr std::uint32_t new_8 = 0, end = 2;
    std::string out;
    int letter = 0, filled = 0;
    const auto write = [&](int count, std::uint32_t value) {
        for (int i = 0; i < count; ++i) {
            letter = (letter << 1) | static_cast<int>((value >> i) & 1U);
            if (++filled == 6) {
                out += alphabet[static_cast<std::size_t>(letter)];
                letter = filled = 0;
            }
        }
    };
    struct Word {
        std::uint32_t code;
        bool fresh;  // a single character that has not been written yet
    };
    std::map<std::string, Word, std::less<>> words;
    std::uint32_t next_code = 3, until_wider = 2;
    int width = 2;
    const auto one_more_entry = [&] {
        if (--until_wider == 0) until_wider = std::uint32_t{1} << width++;
    };
    std::string word;
    const auto write_word = [&] {
        Word& entry = words.at(word);
        if (entry.fresh) {
            write(width, new_8);
            write(8, static_cast<unsigned char>(word[0]));
            entry.fresh = false;
            one_more_entry();
        } else {
            write(width, entry.code);
        }
        one_more_entry();
    };
    for (const char c : ascii) {
        if (!words.contains(std::string(1, c))) words[std::string(1, c)] = {next_code++, true};
        if (words.contains(word + c)) {
            word += c;
            continue;
        }
        write_word();
        words[word + c] = {next_code++, false};
        word = c;
    }
    if (!word.empty()) write_word();
    write(width, end);
    while (filled != 0) write(1, 0);
    while (out.size() % 4 != 0) out += '=';
    return out;
}

}  // namespace glovebox::recordings
