// Where each table and figure of the papers is among the results pages: one index of all of them.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace glovebox::vr {

struct IndexEntry {
    std::string_view paper;  ///< short name, as kPapers of index.cpp has it
    std::string_view item;   ///< "Table 1", "Figure 2b", "Slide 32"
    std::string_view what;
    std::string_view bench;  ///< whose page has it
    std::string_view found;  ///< words that stand on that page: a heading, a claim, a column or a figure's title
};
std::span<const IndexEntry> index_entries();

/// The index page: one table a paper, with a link to each item's page.
std::string index_text();

}  // namespace glovebox::vr
