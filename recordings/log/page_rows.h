// Recovers rows directly from the pages of an SQLite file, without its B-trees.
//
// A log grows at its end, and the inner pages of a tree are written there again whenever the tree gains a level. A log
// that has lost its end may therefore have lost the references to all its rows. A leaf page describes its own content,
// so every page is searched for rows. The file format is that of sqlite.org/fileformat2.html, sections 1.6 and 2.1.
// Only the sources of this folder use this header.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

namespace glovebox::recordings {

/// The page size and number of pages in the file's header; 0 pages if SQLite would not accept the header.
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
