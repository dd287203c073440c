// Adds the option --offset for joining two files to one recording. Its value is a number of seconds or `auto`.
#pragma once

#include <CLI/CLI.hpp>
#include <cmath>
#include <optional>
#include <string>

#include "recordings/pair.h"
#include "recordings/parse.h"

namespace glovebox::vr {

inline CLI::Option* add_offset(CLI::App& app, std::optional<double>& offset_s, const std::string& description) {
    const auto take = [&offset_s](const std::string& text) {
        double value = recordings::kOffsetByMotion;
        if (text != "auto" && !recordings::parse_number(text, value)) return;
        offset_s = value;
    };
    const auto check = [](const std::string& text) -> std::string {
        double value = 0.0;
        const bool fits = text == "auto" || (recordings::parse_number(text, value) && std::abs(value) <= 1e6);
        return fits ? "" : text + " is neither a number of seconds from -1e6 to 1e6 nor auto";
    };
    return app.add_option_function<std::string>("--offset", take, description)->check(check);
}

}  // namespace glovebox::vr
