// Makes an index of the papers' tables and figures that the results pages reproduce.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace glovebox::vr {

/// One table or figure of a paper.
struct IndexEntry {
    std::string_view paper;  ///< short name, as in kPapers of index.cpp
    std::string_view item;   ///< "Table 1", "Figure 2b", "Slide 32"
    std::string_view what;
    std::string_view bench;  ///< the bench whose page has the item
    std::string_view found;  ///< text on that page: a heading, a claim, a column or a figure's title
};
std::span<const IndexEntry> index_entries();

/// Returns the index page: one table per paper, with a link to each item's page.
std::string index_text();

}  // namespace glovebox::vr
