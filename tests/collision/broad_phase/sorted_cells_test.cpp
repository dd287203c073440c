#include "collision/broad_phase/sorted_cells.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace glovebox::collision {
namespace {

/// Makes random cells; `axes`: along how many of the 3 axes they differ.
SortedCells random_cells(unsigned seed, std::size_t count, int axes = 3) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<float> coordinate(0.0F, 6.0F), size(0.0F, 0.99F);
    struct Item {
        std::uint64_t key;
        Aabb box;
    };
    std::vector<Item> items;
    for (std::size_t i = 0; i < count; ++i) {
        Eigen::Vector3f low(coordinate(random), coordinate(random), coordinate(random));
        for (int axis = axes; axis < 3; ++axis) low[axis] /= 6.0F;
        const auto cell = [&](int axis) { return axis < axes ? static_cast<std::uint64_t>(low[axis]) + 1 : 0; };
        items.push_back({cell(0) | cell(1) << 3 | cell(2) << 6,
                         {low, low + Eigen::Vector3f(size(random), size(random), size(random))}});
    }
    std::sort(items.begin(), items.end(), [](const Item& a, const Item& b) { return a.key < b.key; });
    SortedCells cells;
    cells.row = axes > 1 ? 1 << 3 : 0;
    cells.slab = axes > 2 ? 1 << 6 : 0;
    cells.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
        cells.keys[i] = items[i].key;
        cells.bodies[i] = static_cast<std::int32_t>(i);
        cells.set(i, items[i].box);
    }
    return cells;
}

std::vector<std::pair<int, int>> in_order(const std::vector<SortedPair>& pairs) {
    std::vector<std::pair<int, int>> out;
    for (const SortedPair& pair : pairs) out.emplace_back(pair.i, pair.j);
    std::sort(out.begin(), out.end());
    return out;
}

TEST(SortedCells, SearchInRegistersEqualsTheScalarOne) {
    std::size_t found = 0;
    for (unsigned seed = 0; seed < 40; ++seed) {
        const SortedCells cells = random_cells(seed, seed * 17 % 300, 1 + static_cast<int>(seed % 3));
        std::vector<SortedPair> fast, plain;
        EXPECT_EQ(search_cells(cells, fast), search_cells_scalar(cells, plain));
        EXPECT_EQ(in_order(fast), in_order(plain));
        found += plain.size();

        const Aabb query = {{1, 1, 1}, {3, 3, 3.0F + 0.1F * static_cast<float>(seed)}};
        fast.clear();
        plain.clear();
        EXPECT_EQ(search_all(cells, query, 5, fast), search_all_scalar(cells, query, 5, plain));
        EXPECT_EQ(in_order(fast), in_order(plain));
    }
    EXPECT_GT(found, 1000U);
}

TEST(SortedCells, SearchMissesNoPairOfNeighbouringCells) {
    for (const int axes : {1, 2, 3}) {
        const SortedCells cells = random_cells(99, 500, axes);
        std::vector<SortedPair> found, expected;
        search_cells(cells, found);
        for (std::size_t i = 0; i < cells.size(); ++i) {
            std::vector<SortedPair> hits;
            search_all_scalar(
                cells,
                {{cells.min_x[i], cells.min_y[i], cells.min_z[i]}, {cells.max_x[i], cells.max_y[i], cells.max_z[i]}},
                static_cast<std::int32_t>(i), hits);
            for (const SortedPair& hit : hits)
                if (hit.j > hit.i) expected.push_back(hit);
        }
        EXPECT_EQ(in_order(found), in_order(expected)) << axes << " axes";
        EXPECT_GT(expected.size(), 300U);
    }
}

}  // namespace
}  // namespace glovebox::collision
