// Validators for numbers on the command line, which must be finite and in a range. Their messages are readable, whereas
// CLI11's own validators accept nan and print ranges with three hundred digits.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <limits>

namespace glovebox::vr {

CLI::Validator number_from(double lowest, double highest = std::numeric_limits<double>::max());
CLI::Validator number_above(double bound, double highest);
CLI::Validator whole_number_from(std::int64_t lowest, std::int64_t highest = std::numeric_limits<std::int64_t>::max());

}  // namespace glovebox::vr
