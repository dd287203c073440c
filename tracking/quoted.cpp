#include "tracking/quoted.h"

#include <array>
#include <cstdint>
#include <cstdio>

namespace glovebox::tracking {
namespace {

struct Character {
    std::string_view bytes;
    std::uint32_t code = 0;
    bool valid = false;  ///< false: `bytes` is one byte of invalid UTF-8
};

// Returns the first character of `text`, which must not be empty. Overlong forms, surrogates and codes beyond Unicode
// are invalid.
Character first_of(std::string_view text) {
    const auto byte = [text](std::size_t i) { return static_cast<std::uint32_t>(static_cast<unsigned char>(text[i])); };
    const Character invalid = {text.substr(0, 1), byte(0), false};
    if (byte(0) < 0x80) return {text.substr(0, 1), byte(0), true};
    const std::size_t size = byte(0) >= 0xF0 ? 4 : byte(0) >= 0xE0 ? 3 : 2;
    if (byte(0) < 0xC2 || byte(0) > 0xF4 || text.size() < size) return invalid;
    std::uint32_t code = byte(0) & (0x7FU >> size);
    for (std::size_t i = 1; i < size; ++i) {
        if ((byte(i) & 0xC0U) != 0x80U) return invalid;
        code = code << 6U | (byte(i) & 0x3FU);
    }
    constexpr std::array<std::uint32_t, 5> kMin = {0, 0, 0x80, 0x800, 0x10000};
    if (code < kMin[size] || code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF)) return invalid;
    return {text.substr(0, size), code, true};
}

// Returns true for control characters (C0, DEL, C1), line and paragraph separators, and marks that change the writing
// direction, which can make a name look like another.
bool is_control(std::uint32_t code) {
    return code < 0x20 || (code >= 0x7F && code <= 0x9F) || code == 0x61C || (code >= 0x200E && code <= 0x200F) ||
           (code >= 0x2028 && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
}

// Passes each harmless character of `text` through `plain` and all others through `other`, and returns the result.
template <class Plain, class Other>
std::string rewritten(std::string_view text, const Plain& plain, const Other& other) {
    std::string out;
    out.reserve(text.size() + 2);
    while (!text.empty()) {
        const Character c = first_of(text);
        text.remove_prefix(c.bytes.size());
        if (c.valid && !is_control(c.code))
            plain(out, c);
        else
            other(out, c);
    }
    return out;
}

void append_as_it_is(std::string& out, const Character& c) {
    out += c.bytes;
}

void append_visible(std::string& out, const Character& c) {
    if (c.bytes == "\n" || c.bytes == "\t") {
        out += c.bytes == "\n" ? "\\n" : "\\t";
        return;
    }
    for (const char byte : c.bytes) {
        std::array<char, 8> hex{};
        std::snprintf(hex.data(), hex.size(), "\\x%02x", static_cast<unsigned>(static_cast<unsigned char>(byte)));
        out += hex.data();
    }
}

}  // namespace

std::string printable(std::string_view text) {
    return rewritten(text, append_as_it_is, append_visible);
}

std::string printable_lines(std::string_view text) {
    return rewritten(text, append_as_it_is, [](std::string& out, const Character& c) {
        if (c.bytes == "\n")
            out += '\n';
        else
            append_visible(out, c);
    });
}

std::string csv_cell(std::string_view text) {
    std::string line = printable(text);
    if (!line.empty() && std::string_view("=+-@").find(line[0]) != std::string_view::npos) line.insert(0, 1, '\'');
    if (line.find_first_of(",\"") == std::string::npos) return line;
    std::string out = "\"";
    for (const char c : line) out += c == '"' ? std::string("\"\"") : std::string(1, c);
    return out + '"';
}

std::string xml_text(std::string_view text) {
    return rewritten(
        text,
        [](std::string& out, const Character& c) {
            switch (c.code) {
                case '&':
                    out += "&amp;";
                    break;
                case '<':
                    out += "&lt;";
                    break;
                case '>':
                    out += "&gt;";
                    break;
                case '"':
                    out += "&quot;";
                    break;
                case '\'':
                    out += "&#39;";
                    break;
                default:
                    // XML does not allow U+FFFE and U+FFFF.
                    out += c.code == 0xFFFE || c.code == 0xFFFF ? "\xEF\xBF\xBD" : c.bytes;
            }
        },
        append_visible);
}

std::string gnuplot_string(std::string_view text) {
    std::string out = "'";
    for (const char c : printable(text)) out += c == '\'' ? std::string("''") : std::string(1, c);
    return out + '\'';
}

std::string shell_word(std::string_view text) {
    std::string out = "'";
    for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return out + '\'';
}

std::string toml_string(std::string_view text) {
    return '"' +
           rewritten(
               text,
               [](std::string& out, const Character& c) {
                   if (c.code == '"' || c.code == '\\') out += '\\';
                   out += c.bytes;
               },
               [](std::string& out, const Character& c) {
                   // TOML must be UTF-8, so an invalid byte can only be replaced.
                   std::array<char, 12> escape{};
                   std::snprintf(escape.data(), escape.size(), "\\u%04x",
                                 static_cast<unsigned>(c.valid ? c.code : 0xFFFDU));
                   out += escape.data();
               }) +
           '"';
}

}  // namespace glovebox::tracking
