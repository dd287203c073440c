#include "collision/broad_phase/sorted_cells.h"

#include <algorithm>
#include <array>
#include <limits>

// The search is compiled once for every instruction set that Highway knows here and picked at run time.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "collision/broad_phase/sorted_cells.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace glovebox::collision::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

/// At most eight lanes: ranges are short, and 512-bit units are slow to power up.
using Lanes = hn::CappedTag<float, 8>;

struct Query {
    explicit Query(const SortedCells& cells, std::size_t i)
        : Query({{cells.min_x[i], cells.min_y[i], cells.min_z[i]}, {cells.max_x[i], cells.max_y[i], cells.max_z[i]}}) {}
    explicit Query(const Aabb& box)
        : min_x(hn::Set(Lanes(), box.min_m.x())),
          min_y(hn::Set(Lanes(), box.min_m.y())),
          min_z(hn::Set(Lanes(), box.min_m.z())),
          max_x(hn::Set(Lanes(), box.max_m.x())),
          max_y(hn::Set(Lanes(), box.max_m.y())),
          max_z(hn::Set(Lanes(), box.max_m.z())) {}
    hn::Vec<Lanes> min_x, min_y, min_z, max_x, max_y, max_z;
};

/// Returns a mask of the boxes from `begin` on that the query overlaps, for the first vector before `end`. Reads up to
/// one vector past `end`: the columns are padded, and those bits are masked off.
HWY_INLINE std::uint32_t overlaps(const SortedCells& cells, const Query& query, std::size_t begin, std::size_t end) {
    const Lanes d;
    const auto x = hn::And(hn::Le(hn::LoadU(d, &cells.min_x[begin]), query.max_x),
                           hn::Ge(hn::LoadU(d, &cells.max_x[begin]), query.min_x));
    const auto y = hn::And(hn::Le(hn::LoadU(d, &cells.min_y[begin]), query.max_y),
                           hn::Ge(hn::LoadU(d, &cells.max_y[begin]), query.min_y));
    const auto z = hn::And(hn::Le(hn::LoadU(d, &cells.min_z[begin]), query.max_z),
                           hn::Ge(hn::LoadU(d, &cells.max_z[begin]), query.min_z));
    alignas(8) std::uint8_t bytes[8] = {};
    hn::StoreMaskBits(d, hn::And(x, hn::And(y, z)), bytes);
    return bytes[0] & ((1U << std::min<std::size_t>(end - begin, hn::Lanes(d))) - 1U);
}

HWY_INLINE void scan(const SortedCells& cells, const Query& query, std::int32_t at, std::size_t begin, std::size_t end,
                     std::vector<SortedPair>& out) {
    for (std::size_t j = begin; j < end; j += hn::Lanes(Lanes()))
        for (std::uint32_t bits = overlaps(cells, query, j, end); bits != 0; bits &= bits - 1)
            out.push_back({at, static_cast<std::int32_t>(j) + __builtin_ctz(bits)});
}

/// Returns the first position from `at` on whose key is not below `bound`. It is usually a few steps away: a vector
/// counts them at once, where the exit of a loop would be mispredicted.
HWY_INLINE std::size_t advance(const std::uint64_t* keys, std::size_t at, std::uint64_t bound) {
    const hn::CappedTag<std::uint64_t, 4> d;
    for (;;) {
        const std::size_t below = hn::CountTrue(d, hn::Lt(hn::LoadU(d, keys + at), hn::Set(d, bound)));
        at += below;
        if (below < hn::Lanes(d)) return at;
    }
}

std::int64_t SearchAll(const SortedCells& cells, const Aabb& query, std::int32_t at, std::vector<SortedPair>& out) {
    scan(cells, Query(query), at, 0, cells.size(), out);
    return static_cast<std::int64_t>(cells.size());
}

/// `rows` is cells.rows_ahead() as a compile-time constant.
template <std::size_t rows>
std::int64_t search(const SortedCells& cells, std::vector<SortedPair>& out) {
    const std::size_t count = cells.size(), lanes = hn::Lanes(Lanes());
    const std::uint64_t* keys = cells.keys.data();
    // The rest of the cell's own row, then of each row ahead the left, the same and the right neighbour.
    const std::array<std::uint64_t, 4> ahead = {cells.row, cells.slab - cells.row, cells.slab, cells.slab + cells.row};
    std::array<std::size_t, rows + 1> begin = {}, end = {};  // only move forward, like the keys
    std::int64_t tests = 0;
    for (std::size_t first = 0; first < count;) {
        const std::uint64_t key = keys[first];
        const std::size_t last = advance(keys, first, key + 1);
        end[rows] = advance(keys, last, key + 2);
        for (std::size_t r = 0; r < rows; ++r) {
            begin[r] = advance(keys, begin[r], key + ahead[r] - 1);
            end[r] = advance(keys, std::max(begin[r], end[r]), key + ahead[r] + 2);
        }
        for (std::size_t i = first; i < last; ++i) {
            const Query query(cells, i);
            const auto at = static_cast<std::int32_t>(i);
            begin[rows] = i + 1;
            // The runs are so short that the number of loop iterations is unpredictable. So the first vector of each
            // run is always read, and the hits of all are extracted together.
            std::uint64_t bits = 0;
            std::size_t visited = 0;
            for (std::size_t r = 0; r <= rows; ++r) {
                bits |= std::uint64_t{overlaps(cells, query, begin[r], end[r])} << (8 * r);
                visited += end[r] - begin[r];
            }
            tests += static_cast<std::int64_t>(visited);
            for (; bits != 0; bits &= bits - 1) {
                const auto bit = static_cast<std::size_t>(__builtin_ctzll(bits));
                out.push_back({at, static_cast<std::int32_t>(begin[bit / 8] + bit % 8)});
            }
            for (std::size_t r = 0; r <= rows; ++r)
                if (end[r] - begin[r] > lanes) scan(cells, query, at, begin[r] + lanes, end[r], out);
        }
        first = last;
    }
    return tests;
}

std::int64_t SearchCells(const SortedCells& cells, std::vector<SortedPair>& out) {
    switch (cells.rows_ahead()) {
        case 0:
            return search<0>(cells, out);
        case 1:
            return search<1>(cells, out);
        default:
            return search<4>(cells, out);
    }
}

}  // namespace
}  // namespace glovebox::collision::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace glovebox::collision {

HWY_EXPORT(SearchCells);
HWY_EXPORT(SearchAll);

void SortedCells::resize(std::size_t count) {
    keys.resize(count + kPadding);
    std::fill(keys.end() - kPadding, keys.end(), std::numeric_limits<std::uint64_t>::max());
    bodies.resize(count);
    for (auto* low : {&min_x, &min_y, &min_z}) {
        low->resize(count + kPadding);
        std::fill(low->end() - kPadding, low->end(), std::numeric_limits<float>::infinity());
    }
    for (auto* high : {&max_x, &max_y, &max_z}) {
        high->resize(count + kPadding);
        std::fill(high->end() - kPadding, high->end(), -std::numeric_limits<float>::infinity());
    }
}

void SortedCells::set(std::size_t at, const Aabb& box) {
    min_x[at] = box.min_m.x();
    min_y[at] = box.min_m.y();
    min_z[at] = box.min_m.z();
    max_x[at] = box.max_m.x();
    max_y[at] = box.max_m.y();
    max_z[at] = box.max_m.z();
}

std::int64_t search_cells(const SortedCells& cells, std::vector<SortedPair>& out) {
    return HWY_DYNAMIC_DISPATCH(SearchCells)(cells, out);
}
std::int64_t search_all(const SortedCells& cells, const Aabb& query, std::int32_t at, std::vector<SortedPair>& out) {
    return HWY_DYNAMIC_DISPATCH(SearchAll)(cells, query, at, out);
}

namespace {

bool meets(const SortedCells& c, std::size_t j, const Aabb& q) {
    return c.min_x[j] <= q.max_m.x() && c.max_x[j] >= q.min_m.x() && c.min_y[j] <= q.max_m.y() &&
           c.max_y[j] >= q.min_m.y() && c.min_z[j] <= q.max_m.z() && c.max_z[j] >= q.min_m.z();
}

}  // namespace

std::int64_t search_all_scalar(const SortedCells& cells, const Aabb& query, std::int32_t at,
                               std::vector<SortedPair>& out) {
    for (std::size_t j = 0; j < cells.size(); ++j)
        if (meets(cells, j, query)) out.push_back({at, static_cast<std::int32_t>(j)});
    return static_cast<std::int64_t>(cells.size());
}

std::int64_t search_cells_scalar(const SortedCells& cells, std::vector<SortedPair>& out) {
    const auto keys = std::span(cells.keys).first(cells.size());
    const auto place = [&](std::uint64_t key) {
        return static_cast<std::size_t>(std::lower_bound(keys.begin(), keys.end(), key) - keys.begin());
    };
    std::int64_t tests = 0;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        const Aabb box{{cells.min_x[i], cells.min_y[i], cells.min_z[i]},
                       {cells.max_x[i], cells.max_y[i], cells.max_z[i]}};
        const auto scan = [&](std::size_t begin, std::size_t end) {
            for (std::size_t j = begin; j < end; ++j)
                if (meets(cells, j, box)) out.push_back({static_cast<std::int32_t>(i), static_cast<std::int32_t>(j)});
            tests += static_cast<std::int64_t>(end - begin);
        };
        scan(i + 1, place(keys[i] + 2));
        const std::array<std::uint64_t, 4> rows = {cells.row, cells.slab - cells.row, cells.slab,
                                                   cells.slab + cells.row};
        for (const std::uint64_t row : std::span(rows).first(cells.rows_ahead()))
            scan(place(keys[i] + row - 1), place(keys[i] + row + 2));
    }
    return tests;
}

}  // namespace glovebox::collision
#endif  // HWY_ONCE
