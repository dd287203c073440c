// Parses numbers, fields and times without a locale, allocation or exceptions. Also has helpers for messages.
#pragma once

#include <charconv>
#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace glovebox::recordings {

constexpr bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\v' || c == '\f';
}

constexpr std::string_view trimmed(std::string_view text) {
    while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
    while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
    return text;
}

/// Parses a text that is one number; "nan" and "inf" are numbers too. Blanks around it and a leading + are allowed.
/// Returns false if the text is anything else.
template <class Number>
bool parse_number(std::string_view text, Number& number) {
    text = trimmed(text);
    if (text.starts_with('+')) text.remove_prefix(1);
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size() && !text.empty();
}

/// Splits a line at a separator. next() returns false when no field is left. "a,b," has three fields: "a", "b" and an
/// empty one.
class Fields {
  public:
    explicit Fields(std::string_view line, char separator = ',') : rest_(line), separator_(separator) {}
    bool next(std::string_view& field) {
        if (done_) return false;
        const std::size_t end = rest_.find(separator_);
        field = rest_.substr(0, end);
        if (end == std::string_view::npos) {
            done_ = true;
        } else {
            rest_.remove_prefix(end + 1);
        }
        return true;
    }

  private:
    std::string_view rest_;
    char separator_;
    bool done_ = false;
};

/// Splits a line into words, which are separated by blanks.
class Words {
  public:
    explicit Words(std::string_view line) : rest_(line) {}
    bool next(std::string_view& word) {
        while (!rest_.empty() && is_blank(rest_.front())) rest_.remove_prefix(1);
        std::size_t length = 0;
        while (length < rest_.size() && !is_blank(rest_[length])) ++length;
        word = rest_.substr(0, length);
        rest_.remove_prefix(length);
        return length > 0;
    }

  private:
    std::string_view rest_;
};

/// Returns the nanoseconds since 1970 of a civil time without time zone, or nullopt if a part is out of range.
std::optional<std::int64_t> civil_time_ns(int year, int month, int day, int hour, int minute, double second);

/// Parses a time such as "2024-02-19 20:35:04.219", "2024/02/19T20:35:04Z" or "20240219_203504.219", with any number of
/// decimals. A time zone is ignored. A time of day alone, "20:35:04.219", is taken on the first day of 1970.
std::optional<std::int64_t> parse_civil_time_ns(std::string_view text);

/// Returns an excerpt of text from a file for a one-line message. It has at most `most` characters; control characters
/// become '?'.
std::string excerpt(std::string_view text, std::size_t most = 24);

/// Returns "1 sample", "2 samples".
template <std::integral Count>
std::string counted(Count count, std::string_view thing) {
    return std::to_string(count).append(" ").append(thing).append(count == 1 ? "" : "s");
}

/// Returns "1 sample is", "2 samples are".
template <std::integral Count>
std::string counted(Count count, std::string_view thing, std::string_view verb_of_one, std::string_view verb_of_more) {
    return counted(count, thing).append(" ").append(count == 1 ? verb_of_one : verb_of_more);
}

}  // namespace glovebox::recordings
