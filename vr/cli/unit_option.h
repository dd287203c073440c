// Parses and checks the length unit of a file (m, dm, cm, mm, or a number of metres) and its axes (tracking/axes.h),
// the same in every command.
#pragma once

#include <optional>
#include <string>

namespace glovebox::vr {

/// Returns a unit's length in metres; empty for "auto" (to be guessed), for text that is not a length, and for lengths
/// below a micrometre or above a thousand kilometres, which are mistakes.
std::optional<float> unit_in_metres(const std::string& unit);

/// Return an error message, or empty. For CLI::Option::check.
std::string check_unit(const std::string& unit);          ///< where a unit cannot be guessed
std::string check_unit_or_auto(const std::string& unit);  ///< accepts "auto", too
std::string check_axes(const std::string& axes);          ///< names of tracking::find_axes()

}  // namespace glovebox::vr
