// Boxes sorted by grid cell, and a SIMD search through them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "collision/box/box.h"

namespace glovebox::collision {

/// Boxes as six columns, sorted by `key`, which packs the cell's coordinates. A step to the next cell changes the key
/// by 1 within a row, by `row` to the next row, and by `slab` to the next slab; diagonal steps change it by sums of
/// these. Keys do not wrap around: a cell on one border is not a neighbour of one on the opposite border. If all cells
/// lie in one slab, `slab` is 0; if they lie in one row, `row` is 0 too.
struct SortedCells {
    /// Number of empty boxes at the end, so that vector loads may read past the last box. Their key is the largest
    /// uint64.
    static constexpr std::size_t kPadding = 16;

    std::vector<std::uint64_t> keys;
    std::vector<std::int32_t> bodies;
    std::vector<float> min_x, min_y, min_z, max_x, max_y, max_z;
    std::uint64_t row = 0, slab = 0;

    std::size_t size() const { return bodies.size(); }
    /// Returns how many of these steps lead to rows with cells: +row, +slab - row, +slab, +slab + row.
    std::size_t rows_ahead() const { return row == 0 ? 0 : slab == 0 ? 1 : 4; }
    void resize(std::size_t count);
    void set(std::size_t at, const Aabb& box);
};

/// Two overlapping boxes, by their positions in the sorted order.
struct SortedPair {
    std::int32_t i, j;
};

/// Appends each overlapping pair whose cells are equal or neighbours, once. Returns the number of box tests.
std::int64_t search_cells(const SortedCells& cells, std::vector<SortedPair>& out);
std::int64_t search_cells_scalar(const SortedCells& cells, std::vector<SortedPair>& out);

/// Appends a pair with i = `at` for every box j that overlaps the query. Returns the number of box tests.
std::int64_t search_all(const SortedCells& cells, const Aabb& query, std::int32_t at, std::vector<SortedPair>& out);
std::int64_t search_all_scalar(const SortedCells& cells, const Aabb& query, std::int32_t at,
                               std::vector<SortedPair>& out);

}  // namespace glovebox::collision
