// Rows straight from the pages of an SQLite file, without the tree that should lead to them.
//
// A log grows at its end, but the pages that lead to its first rows are made again whenever a tree gets a level: a log
// that has lost its end may have lost the way to all of its rows. A page of rows says by itself what is on it, so they
// are found by looking at every page. Method: SQLite's file format (sqlite.org/fileformat2.html, sections 1.6 and 2.1).
// For the sources of this folder only.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

namespace glovebox::recordings {

/// What the head of the file says of its size; 0 pages where it says nothing that SQLite would believe.
struct PageCount {
    std::size_t page_bytes = 0;  ///< 0: this is no size of a page
    std::uint32_t pages = 0;
    std::uintmax_t bytes() const { return std::uintmax_t{page_bytes} * pages; }
};
PageCount page_count(std::string_view head);

/// Text and blobs are views into the page: valid until the next row.
using PageValue = std::variant<std::monostate, std::int64_t, double, std::string_view, std::span<const unsigned char>>;

struct PageRow {
    bool has_rowid = false;  ///< of a table with row numbers, not of one that is sorted by a key
    std::int64_t rowid = 0;
    std::vector<PageValue> values;
};

/// Calls `take` with every row that lies whole in the file and on one page, in the order of the pages. A page may be
/// a stale one, and damaged ones may look like rows: whoever takes a row looks at it.
void for_each_page_row(const std::filesystem::path& path, std::size_t page_bytes,
                       const std::function<void(const PageRow&)>& take);

}  // namespace glovebox::recordings
