// Hierarchical grids after Mirtich: a body goes to the level whose cells are just larger than itself [Mirtich97],
// [Ericson05, sec. 7.2.1]. There are two rules for its cells on that level:
//   by center    one entry, in the cell that contains the center; a search extends half a cell further on every level
//   by overlap   an entry in each cell that the box overlaps (up to eight); a search covers only its own box
// Levels are searched from the body's own upwards, so a pair on two levels is found once, from the smaller body. Cells
// of all levels share one hash table, which is rebuilt every step.
#include <bit>
#include <cmath>

#include "collision/broad_phase/rows.h"

namespace glovebox::collision {
namespace {

/// Edge of a cell of level k: 2^(k - 12) m, a quarter of a millimetre to 2 km. Smaller bodies share the lowest level;
/// larger ones are tested against all bodies.
constexpr int kLevels = 24, kLowestExponent = -12;
/// Cells farther out share the border cells: slower there, but correct. Keeps the coordinates within an int.
constexpr float kReach = 1.0e9F;

struct Cell {
    std::int32_t x, y, z, level;
    friend bool operator==(const Cell&, const Cell&) = default;
};

std::size_t hash_of(const Cell& cell) {
    // Large odd factors, one per coordinate [Ericson05, sec. 7.1.3].
    return static_cast<std::uint32_t>(cell.x) * 0x8da6b343U ^ static_cast<std::uint32_t>(cell.y) * 0xd8163841U ^
           static_cast<std::uint32_t>(cell.z) * 0xcb1ab31fU ^ static_cast<std::uint32_t>(cell.level) * 0x165667b1U;
}

float cell_edge_m(int level) {
    return std::ldexp(1.0F, level + kLowestExponent);
}

std::int32_t coordinate(float value_m, int level) {
    const float scaled = std::ldexp(1.0F, -level - kLowestExponent) * value_m;
    return static_cast<std::int32_t>(std::floor(std::clamp(scaled, -kReach, kReach)));
}

/// Returns the lowest level whose cells are at least as large as the body; kLevels if there is none.
int level_of(float size_m) {
    if (!(size_m <= cell_edge_m(kLevels - 1))) return kLevels;
    if (size_m <= cell_edge_m(0)) return 0;
    int exponent = 0;
    const float mantissa = std::frexp(size_m, &exponent);  // size = mantissa 2^exponent, 0.5 <= mantissa < 1
    return exponent - kLowestExponent - (mantissa == 0.5F ? 1 : 0);
}

enum class Rule : std::uint8_t { center, overlap };

template <Rule kRule>
class HierarchicalGrid {
  public:
    void step(const Bodies& bodies, PairSink& sink, BroadPhaseCounts& counts) {
        fill(bodies);
        counts.updates += static_cast<std::int64_t>(entries_.size());
        for (const std::int32_t body : present_) search(bodies, body, sink, counts);
        for (std::size_t i = 0; i < huge_.size(); ++i) {
            const Aabb& box = box_of(bodies, huge_[i]);
            counts.box_tests += static_cast<std::int64_t>(present_.size() + huge_.size() - i - 1);
            for (const std::int32_t other : present_)
                if (meet(box, box_of(bodies, other))) sink.add(huge_[i], other);
            for (std::size_t j = i + 1; j < huge_.size(); ++j)
                if (meet(box, box_of(bodies, huge_[j]))) sink.add(huge_[i], huge_[j]);
        }
    }

  private:
    struct Entry {
        Cell cell;
        std::int32_t body, next;
    };
    struct Range {
        Cell low, high;
    };

    static const Aabb& box_of(const Bodies& bodies, std::int32_t body) {
        return bodies.boxes[static_cast<std::size_t>(body)];
    }

    static Range cells_of(const Eigen::Vector3f& low_m, const Eigen::Vector3f& high_m, int level) {
        return {{coordinate(low_m.x(), level), coordinate(low_m.y(), level), coordinate(low_m.z(), level), level},
                {coordinate(high_m.x(), level), coordinate(high_m.y(), level), coordinate(high_m.z(), level), level}};
    }
    template <typename Visit>
    static void for_each_cell(const Range& range, Visit visit) {
        for (std::int32_t z = range.low.z; z <= range.high.z; ++z)
            for (std::int32_t y = range.low.y; y <= range.high.y; ++y)
                for (std::int32_t x = range.low.x; x <= range.high.x; ++x) visit(Cell{x, y, z, range.low.level});
    }

    static Eigen::Vector3f center(const Aabb& box) { return box.min_m + 0.5F * (box.max_m - box.min_m); }

    void fill(const Bodies& bodies) {
        present_.clear();
        huge_.clear();
        levels_.clear();
        entries_.clear();
        level_count_.fill(0);
        // About two slots per entry.
        const std::size_t places = std::bit_ceil(2 * bodies.boxes.size() * (kRule == Rule::overlap ? 3 : 1) + 1);
        heads_.assign(places, -1);
        for (std::size_t i = 0; i < bodies.boxes.size(); ++i) {
            const Aabb& box = bodies.boxes[i];
            if (!is_present(box)) continue;
            const auto body = static_cast<std::int32_t>(i);
            const int level = level_of(largest_extent_m(box));
            if (level == kLevels) {
                huge_.push_back(body);
                continue;
            }
            present_.push_back(body);
            levels_.push_back(level);
            ++level_count_[static_cast<std::size_t>(level)];
            const Range range = kRule == Rule::center ? cells_of(center(box), center(box), level)
                                                      : cells_of(box.min_m, box.max_m, level);
            for_each_cell(range, [&](const Cell& cell) {
                std::int32_t& head = heads_[hash_of(cell) & (heads_.size() - 1)];
                entries_.push_back({cell, body, head});
                head = static_cast<std::int32_t>(entries_.size() - 1);
            });
        }
    }

    void search(const Bodies& bodies, std::int32_t body, PairSink& sink, BroadPhaseCounts& counts) {
        const Aabb& box = box_of(bodies, body);
        const int own = level_of(largest_extent_m(box));
        for (int level = own; level < kLevels; ++level) {
            if (level_count_[static_cast<std::size_t>(level)] == 0) continue;
            // A body of this level extends at most half a cell beyond the cell of its center; 0.1 % for rounding.
            const float reach_m = kRule == Rule::center ? 0.5005F * cell_edge_m(level) : 0.0F;
            const Range range = cells_of(box.min_m.array() - reach_m, box.max_m.array() + reach_m, level);
            for_each_cell(range, [&](const Cell& cell) {
                for (std::int32_t at = heads_[hash_of(cell) & (heads_.size() - 1)]; at >= 0;
                     at = entries_[static_cast<std::size_t>(at)].next) {
                    const Entry& entry = entries_[static_cast<std::size_t>(at)];
                    if (entry.cell != cell || (level == own && entry.body <= body)) continue;
                    ++counts.box_tests;
                    const Aabb& other = box_of(bodies, entry.body);
                    if (meet(box, other) && (kRule == Rule::center || is_overlap_cell(box, other, cell)))
                        sink.add(body, entry.body);
                }
            });
        }
    }

    /// Two boxes may share several cells; the pair belongs to the cell that contains the lowest corner of their
    /// overlap.
    static bool is_overlap_cell(const Aabb& a, const Aabb& b, const Cell& cell) {
        const Eigen::Vector3f corner_m = a.min_m.cwiseMax(b.min_m);
        return coordinate(corner_m.x(), cell.level) == cell.x && coordinate(corner_m.y(), cell.level) == cell.y &&
               coordinate(corner_m.z(), cell.level) == cell.z;
    }

    std::vector<std::int32_t> present_, huge_, heads_;
    std::vector<int> levels_;
    std::vector<Entry> entries_;
    std::array<std::int32_t, kLevels> level_count_{};
};

}  // namespace

BroadPhase hierarchical_grid_by_center() {
    return row<HierarchicalGrid<Rule::center>>("hgrid-center",
                                               "grid of many sizes, a body in one cell; for bodies of mixed size");
}
BroadPhase hierarchical_grid_by_overlap() {
    return row<HierarchicalGrid<Rule::overlap>>(
        "hgrid-overlap", "grid of many sizes, a body in each cell it overlaps; cheaper searches");
}

}  // namespace glovebox::collision
