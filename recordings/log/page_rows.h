// Recovers rows directly from the pages of an SQLite file, without its B-trees.
//
// A log grows at its end, but a tree's inner pages are written again whenever the tree gains a level. So a log that has
// lost its end may have lost the references to all of its rows. A leaf page describes its own content, so every page is
// searched for rows. Method: SQLite's file format (sqlite.org/fileformat2.html, sections 1.6 and 2.1).
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

/// The size in the file's header; 0 pages if SQLite would not accept the header.
struct PageCount {
    std::size_t page_bytes = 0;  ///< 0: the header has no valid page size
    std::uint32_t pages = 0;
    std::uintmax_t bytes() const { return std::uintmax_t{page_bytes} * pages; }
};
PageCount page_count(std::string_view head);

/// A value of a row. Text and blobs are views into the page, valid until the next row.
using PageValue = std::variant<std::monostate, std::int64_t, double, std::string_view, std::span<const unsigned char>>;

struct PageRow {
    bool has_rowid = false;  ///< false for a row of a WITHOUT ROWID table
    std::int64_t rowid = 0;
    std::vector<PageValue> values;
};

/// Calls `take` with every row that is complete and on one page, in the order of the pages. Pages may be stale, and
/// damaged data may look like rows, so `take` must validate each row.
void for_each_page_row(const std::filesystem::path& path, std::size_t page_bytes,
                       const std::function<void(const PageRow&)>& take);

}  // namespace glovebox::recordings
