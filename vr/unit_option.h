// The length of a file's unit, told in the same words to every command: m, dm, cm, mm, or a number of metres.
#pragma once

#include <optional>
#include <string>

namespace glovebox::vr {

/// In metres; empty for "auto" (guess it) and for what is no length.
std::optional<float> unit_in_metres(const std::string& unit);

/// For CLI::Option::check: empty, or what is wrong.
std::string check_unit(const std::string& unit);          ///< of what cannot be guessed
std::string check_unit_or_auto(const std::string& unit);  ///< "auto" too

}  // namespace glovebox::vr
