// Names of tables' entries in messages: the list of all, and a suggestion for a misspelt one ("did you mean ...?").
//
// The functions are in tracking because scenes and vr suggest names, and both depend on tracking.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace glovebox::tracking {

/// Returns the names of a table's entries.
template <class Table>
std::vector<std::string> names_of(const Table& table) {
    std::vector<std::string> names;
    for (const auto& row : table) names.emplace_back(row.name);
    return names;
}

/// Returns the names in one text, separated by commas.
std::string listed(const std::vector<std::string>& names);

/// Returns the name with the smallest edit distance from `wrong` (insertions, deletions, changes, swaps [Damerau64]).
/// Returns an empty text if the distance is more than 2 and more than a third of the length of `wrong`. If `wrong` has
/// at least 3 letters and a name begins with it, their distance is at most 1.
std::string nearest_name(std::string_view wrong, const std::vector<std::string>& names);

}  // namespace glovebox::tracking
