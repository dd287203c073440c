// Boxes in the order of a grid's cells, and a SIMD search through them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "collision/box/box.h"

namespace glovebox::collision {

/// Boxes as six columns, sorted by `key`. A key packs the cell's coordinates; neighbouring cells differ by +-1, +-row,
/// +-slab, and no cell on a border has a neighbour that wraps round. Where cells lie in a single slab `slab` is 0,
/// where they lie in a single row both are.
struct SortedCells {
    /// Empty boxes, with the largest of keys, after the last: a register may read past it.
    static constexpr std::size_t kPadding = 16;

    std::vector<std::uint64_t> keys;
    std::vector<std::int32_t> bodies;
    std::vector<float> min_x, min_y, min_z, max_x, max_y, max_z;
    std::uint64_t row = 0, slab = 0;

    std::size_t size() const { return bodies.size(); }
    /// How many of the rows +row, +slab - row, +slab, +slab + row there are.
    std::size_t rows_ahead() const { return row == 0 ? 0 : slab == 0 ? 1 : 4; }
    void resize(std::size_t count);
    void set(std::size_t at, const Aabb& box);
};

/// Two rows that overlap: places in the sorted order.
struct SortedPair {
    std::int32_t i, j;
};

/// Appends the overlapping pairs whose cells are the same or neighbours, each once. Returns the box tests made.
std::int64_t search_cells(const SortedCells& cells, std::vector<SortedPair>& out);
std::int64_t search_cells_scalar(const SortedCells& cells, std::vector<SortedPair>& out);

/// Appends (at, j) for every j whose box overlaps the query.
std::int64_t search_all(const SortedCells& cells, const Aabb& query, std::int32_t at, std::vector<SortedPair>& out);
std::int64_t search_all_scalar(const SortedCells& cells, const Aabb& query, std::int32_t at,
                               std::vector<SortedPair>& out);

}  // namespace glovebox::collision
