// Parses and checks the length unit of a file (m, dm, cm, mm, in, or a number of metres) and its axes
// (tracking/axes.h), in the same way for every command.
#pragma once

#include <optional>
#include <string>

namespace glovebox::vr {

/// Returns the length of a unit in metres. Returns nullopt for "auto", which means that it is guessed, and for text
/// that is not a length. Lengths below a micrometre or above a thousand kilometres are mistakes and also give nullopt.
std::optional<float> unit_in_metres(const std::string& unit);

/// Return an error message, or an empty text if there is no error. For CLI::Option::check.
std::string check_unit(const std::string& unit);          ///< for files whose unit cannot be guessed
std::string check_unit_or_auto(const std::string& unit);  ///< also accepts "auto"
std::string check_axes(const std::string& axes);          ///< accepts what tracking::find_axes() accepts

}  // namespace glovebox::vr
