#include "vr/cli/number_option.h"

#include <charconv>
#include <optional>

#include "tracking/formatted.h"

namespace glovebox::vr {
namespace {

using tracking::formatted;

// Parses the whole text; empty if it is not a number.
template <class Number>
std::optional<Number> number_in(const std::string& text) {
    Number number{};
    const char* const last = text.data() + text.size();
    const auto [end, error] = std::from_chars(text.data(), last, number);
    if (error != std::errc() || end != last) return {};
    return number;
}

std::string digits(double number) {
    return formatted("%.10g", number);
}

template <class Number, class Holds>
CLI::Validator validator(const std::string& words, const Holds& holds) {
    return CLI::Validator(
        [words, holds](const std::string& text) {
            const std::optional<Number> number = number_in<Number>(text);
            return number && holds(*number) ? std::string() : text + " is not " + words;
        },
        words);
}

}  // namespace

CLI::Validator number_from(double lowest, double highest) {
    const bool is_open = highest == std::numeric_limits<double>::max();
    return validator<double>("a number from " + digits(lowest) + (is_open ? " on" : " to " + digits(highest)),
                             [=](double number) { return number >= lowest && number <= highest; });
}

CLI::Validator number_above(double bound, double highest) {
    return validator<double>("a number above " + digits(bound) + ", up to " + digits(highest),
                             [=](double number) { return number > bound && number <= highest; });
}

CLI::Validator whole_number_from(std::int64_t lowest, std::int64_t highest) {
    const bool is_open = highest == std::numeric_limits<std::int64_t>::max();
    return validator<std::int64_t>(
        "a whole number from " + std::to_string(lowest) + (is_open ? " on" : " to " + std::to_string(highest)),
        [=](std::int64_t number) { return number >= lowest && number <= highest; });
}

}  // namespace glovebox::vr
