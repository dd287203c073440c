// The length of a file's unit and the way its axes point, told in the same words to every command: m, dm, cm, mm, or a
// number of metres; the names of tracking/axes.h.
#pragma once

#include <optional>
#include <string>

namespace glovebox::vr {

/// In metres; empty for "auto" (guess it), for what is no length, and beyond a micrometre and a thousand kilometres: a
/// hand in such a unit is a mistake, and the numbers of what it touches would mean nothing.
std::optional<float> unit_in_metres(const std::string& unit);

/// For CLI::Option::check: empty, or what is wrong.
std::string check_unit(const std::string& unit);          ///< of what cannot be guessed
std::string check_unit_or_auto(const std::string& unit);  ///< "auto" too
std::string check_axes(const std::string& axes);          ///< of tracking::find_axes()

}  // namespace glovebox::vr
