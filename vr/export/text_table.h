// Prints rows of JSON as aligned tables for people.
#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

namespace glovebox::vr {

/// Splits rows into tables. A table is a run of consecutive rows with the same keys.
std::vector<std::span<const nlohmann::ordered_json>> tables_of(std::span<const nlohmann::ordered_json> rows);

/// Formats a value for people: floats with 4 significant digits.
std::string cell_text(const nlohmann::ordered_json& value);

/// Formats rows as aligned text tables, one per run of rows with the same keys.
std::string format_table(std::span<const nlohmann::ordered_json> rows);

}  // namespace glovebox::vr
