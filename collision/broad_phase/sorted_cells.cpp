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

/// At most eight lanes: ranges are short, and 512-bit units take long to wake.
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

/// Reads up to one register past `end`: the columns are padded, and what lies there is masked off.
HWY_INLINE void scan(const SortedCells& cells, const Query& query, std::int32_t at, std::size_t begin, std::size_t end,
                     std::vector<SortedPair>& out) {
    const Lanes d;
    const std::size_t lanes = hn::Lanes(d);
    for (std::size_t j = begin; j < end; j += lanes) {
        const auto x = hn::And(hn::Le(hn::LoadU(d, &cells.min_x[j]), query.max_x),
                               hn::Ge(hn::LoadU(d, &cells.max_x[j]), query.min_x));
        const auto y = hn::And(hn::Le(hn::LoadU(d, &cells.min_y[j]), query.max_y),
                               hn::Ge(hn::LoadU(d, &cells.max_y[j]), query.min_y));
        const auto z = hn::And(hn::Le(hn::LoadU(d, &cells.min_z[j]), query.max_z),
                               hn::Ge(hn::LoadU(d, &cells.max_z[j]), query.min_z));
        alignas(8) std::uint8_t bytes[8] = {};
        hn::StoreMaskBits(d, hn::And(x, hn::And(y, z)), bytes);
        std::uint32_t bits = bytes[0];
        if (end - j < lanes) bits &= (1U << (end - j)) - 1U;
        for (; bits != 0; bits &= bits - 1) out.push_back({at, static_cast<std::int32_t>(j) + __builtin_ctz(bits)});
    }
}

std::int64_t SearchAll(const SortedCells& cells, const Aabb& query, std::int32_t at, std::vector<SortedPair>& out) {
    scan(cells, Query(query), at, 0, cells.size(), out);
    return static_cast<std::int64_t>(cells.size());
}

std::int64_t SearchCells(const SortedCells& cells, std::vector<SortedPair>& out) {
    const std::size_t count = cells.size();
    const std::uint64_t* keys = cells.keys.data();
    // The cell's own row to the right, then the four rows of which the cell sees the left, the same and the right one.
    const std::array<std::uint64_t, 4> rows = {cells.row, cells.slab - cells.row, cells.slab, cells.slab + cells.row};
    std::array<std::size_t, 4> begin = {}, end = {};  // only ever move forward, as the keys do
    std::size_t own_end = 0;
    std::int64_t tests = 0;
    for (std::size_t first = 0; first < count;) {
        const std::uint64_t key = keys[first];
        std::size_t last = first + 1;
        while (last < count && keys[last] == key) ++last;
        while (own_end < count && keys[own_end] <= key + 1) ++own_end;
        for (std::size_t r = 0; r < 4; ++r) {
            while (begin[r] < count && keys[begin[r]] + 1 < key + rows[r]) ++begin[r];
            end[r] = std::max(end[r], begin[r]);
            while (end[r] < count && keys[end[r]] <= key + rows[r] + 1) ++end[r];
        }
        for (std::size_t i = first; i < last; ++i) {
            const Query query(cells, i);
            const auto at = static_cast<std::int32_t>(i);
            scan(cells, query, at, i + 1, own_end, out);
            std::size_t visited = own_end - i - 1;
            for (std::size_t r = 0; r < 4; ++r) {
                scan(cells, query, at, begin[r], end[r], out);
                visited += end[r] - begin[r];
            }
            tests += static_cast<std::int64_t>(visited);
        }
        first = last;
    }
    return tests;
}

}  // namespace
}  // namespace glovebox::collision::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace glovebox::collision {

HWY_EXPORT(SearchCells);
HWY_EXPORT(SearchAll);

void SortedCells::resize(std::size_t count) {
    keys.resize(count);
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
    const auto& keys = cells.keys;
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
        for (const std::uint64_t row : {cells.row, cells.slab - cells.row, cells.slab, cells.slab + cells.row})
            scan(place(keys[i] + row - 1), place(keys[i] + row + 2));
    }
    return tests;
}

}  // namespace glovebox::collision
#endif  // HWY_ONCE
