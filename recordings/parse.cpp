#include "recordings/parse.h"

#include <array>
#include <chrono>
#include <cmath>

namespace glovebox::recordings {

std::optional<std::int64_t> civil_time_ns(int year, int month, int day, int hour, int minute, double second) {
    namespace chrono = std::chrono;
    if (year < 1970 || year > 2200) return std::nullopt;
    const chrono::year_month_day date{chrono::year(year), chrono::month(static_cast<unsigned>(month)),
                                      chrono::day(static_cast<unsigned>(day))};
    const bool in_range = month > 0 && day > 0 && date.ok() && hour >= 0 && hour < 24 && minute >= 0 && minute < 60 &&
                          second >= 0.0 && second < 61.0;
    if (!in_range) return std::nullopt;
    const std::int64_t days = chrono::sys_days(date).time_since_epoch().count();
    return ((days * 24 + hour) * 60 + minute) * 60'000'000'000 + std::llround(second * 1e9);
}

std::optional<std::int64_t> parse_civil_time_ns(std::string_view text) {
    text = trimmed(text);
    int hour = 0, minute = 0;
    double of_day = 0.0;
    if (text.size() >= 8 && text[2] == ':' && text[5] == ':' && parse_number(text.substr(0, 2), hour) &&
        parse_number(text.substr(3, 2), minute) && parse_number(text.substr(6), of_day))
        return civil_time_ns(1970, 1, 1, hour, minute, of_day);
    // Times of one file have one zone, and only differences matter.
    if (text.ends_with('Z')) text.remove_suffix(1);
    if (text.size() > 22 && (text[text.size() - 6] == '+' || text[text.size() - 6] == '-') &&
        text[text.size() - 3] == ':')
        text.remove_suffix(6);
    const auto is_date = [text](char c) { return text[4] == c && text[7] == c; };
    const bool spaced = text.size() >= 19 && (is_date('-') || is_date('/')) && text[13] == ':' && text[16] == ':';
    const bool compact = text.size() >= 15 && (text[8] == '_' || text[8] == '-' || text[8] == 'T');
    if (!spaced && !compact) return std::nullopt;
    std::array<int, 5> parts{};
    constexpr std::array<std::size_t, 5> kSpaced = {0, 5, 8, 11, 14}, kCompact = {0, 4, 6, 9, 11};
    for (std::size_t i = 0; i < parts.size(); ++i)
        if (!parse_number(text.substr((spaced ? kSpaced : kCompact)[i], i == 0 ? 4 : 2), parts[i])) return std::nullopt;
    double second = 0.0;
    if (!parse_number(text.substr(spaced ? 17 : 13), second)) return std::nullopt;
    return civil_time_ns(parts[0], parts[1], parts[2], parts[3], parts[4], second);
}

std::string excerpt(std::string_view text, std::size_t most) {
    std::string result = "'";
    for (const char c : text.substr(0, most)) result += c >= ' ' && c <= '~' ? c : '?';
    result.append(text.size() > most ? "...'" : "'");
    return result;
}

}  // namespace glovebox::recordings
