// A uniform grid without the grid: bodies sorted by the cell of their lower corner.
//
// The cell is as large as the largest body (except the few largest, which are tested against all bodies). So every body
// that a body overlaps has its lower corner in the same or a neighbouring cell. Sorted by cell, the neighbours of a row
// of cells are five runs of memory, found by pointers that only move forward. There is no table of cells, no limit of
// the world, and nothing to clear. Rebuilt every step: fast motion costs the same as rest.
// The sort is a radix sort; the runs are searched with SIMD.
#include <bit>
#include <limits>
#include <utility>

#include "collision/broad_phase/rows.h"
#include "collision/broad_phase/sorted_cells.h"

namespace glovebox::collision {
namespace {

/// Number of cells from the middle to the border, each way; bodies beyond share the border cells. Chosen so that
/// rounding (coordinate * 2^-22) stays well below kSlack.
constexpr float kMaxCell = 8000.0F;
constexpr float kSlack = 1.01F;         ///< cell size / largest body
constexpr float kSmallestCell = 1e-5F;  ///< metres; for bodies that are points

class SortedGrid {
  public:
    void step(const Bodies& bodies, PairSink& sink, BroadPhaseCounts& counts) {
        const float cell_m = choose_cell(bodies);
        sort_bodies(bodies, cell_m);
        counts.updates += static_cast<std::int64_t>(cells_.size());

        found_.clear();
        counts.box_tests += search_cells(cells_, found_);
        for (const SortedPair pair : found_) sink.add(body_at(pair.i), body_at(pair.j));

        found_.clear();
        for (std::size_t i = 0; i < large_.size(); ++i) {
            const Aabb& box = bodies.boxes[static_cast<std::size_t>(large_[i])];
            counts.box_tests += search_all(cells_, box, large_[i], found_);
            for (std::size_t j = i + 1; j < large_.size(); ++j, ++counts.box_tests)
                if (meet(box, bodies.boxes[static_cast<std::size_t>(large_[j])])) sink.add(large_[i], large_[j]);
        }
        for (const SortedPair pair : found_) sink.add(pair.i, body_at(pair.j));
    }

  private:
    std::int32_t body_at(std::int32_t place) const { return cells_.bodies[static_cast<std::size_t>(place)]; }

    /// Splits the present bodies into small_ and the few large_ ones; returns the edge of a cell.
    float choose_cell(const Bodies& bodies) {
        // Sizes are grouped into classes of a quarter of an octave: the upper bits of a positive float.
        histogram_.fill(0);
        sizes_.clear();
        std::size_t present = 0;
        for (const Aabb& box : bodies.boxes) {
            const float size_m = is_present(box) ? largest_extent_m(box) + 0.0F : -1.0F;
            sizes_.push_back(size_m);
            if (size_m < 0.0F) continue;
            ++present;
            ++histogram_[class_of(size_m)];
        }
        // One large body is tested against all others, which costs about 1/256 of the small ones' search.
        std::size_t allowed = 2 + present / 256, limit = histogram_.size();
        while (limit > 1 &&
               (limit > class_of(std::numeric_limits<float>::max()) + 1 || histogram_[limit - 1] <= allowed))
            allowed -= std::min(allowed, histogram_[--limit]);

        small_.clear();
        large_.clear();
        float largest_m = 0.0F;
        for (std::size_t body = 0; body < sizes_.size(); ++body) {
            if (sizes_[body] < 0.0F) continue;
            const bool small = class_of(sizes_[body]) < limit;
            (small ? small_ : large_).push_back(static_cast<std::int32_t>(body));
            if (small) largest_m = std::max(largest_m, sizes_[body]);
        }
        return std::max(largest_m * kSlack, kSmallestCell);
    }
    static std::size_t class_of(float size_m) { return std::bit_cast<std::uint32_t>(size_m) >> 21; }

    void sort_bodies(const Bodies& bodies, float cell_m) {
        const Eigen::Vector3f middle_m = middle(bodies);
        const float cells_per_m = 1.0F / cell_m;
        coordinates_.resize(small_.size());
        Eigen::Array3i low = Eigen::Array3i::Constant(std::numeric_limits<int>::max());
        Eigen::Array3i high = Eigen::Array3i::Constant(std::numeric_limits<int>::min());
        for (std::size_t i = 0; i < small_.size(); ++i) {
            const Eigen::Vector3f& corner_m = bodies.boxes[static_cast<std::size_t>(small_[i])].min_m;
            const Eigen::Array3f scaled = (corner_m - middle_m).array() * cells_per_m;
            // The middle is the centre of a cell, so a layer of bodies there is not split in two.
            coordinates_[i] = (scaled.max(-kMaxCell).min(kMaxCell) + (kMaxCell + 0.5F)).cast<int>();
            low = low.min(coordinates_[i]);
            high = high.max(coordinates_[i]);
        }
        // One empty cell between rows, so that a neighbour's key never runs into the next row. An axis along which all
        // bodies are in one cell, such as the height on a floor, has no neighbours: it takes no bits, and its rows are
        // not searched.
        Eigen::Array3i shift = Eigen::Array3i::Zero();
        unsigned bits = 0;
        cells_.row = cells_.slab = 0;
        for (int axis = 0; axis < 3; ++axis) {
            if (low[axis] >= high[axis]) continue;
            if (bits > 0) (cells_.row == 0 ? cells_.row : cells_.slab) = std::uint64_t{1} << bits;
            shift[axis] = static_cast<int>(bits);
            bits += static_cast<unsigned>(std::bit_width(static_cast<unsigned>(high[axis] - low[axis] + 1)));
        }
        keyed_.resize(small_.size());
        for (std::size_t i = 0; i < small_.size(); ++i) {
            const Eigen::Array3i c = coordinates_[i] - low;
            keyed_[i] = {static_cast<std::uint64_t>(c[0]) << shift[0] | static_cast<std::uint64_t>(c[1]) << shift[1] |
                             static_cast<std::uint64_t>(c[2]) << shift[2],
                         small_[i]};
        }
        radix_sort(bits);

        cells_.resize(keyed_.size());
        for (std::size_t i = 0; i < keyed_.size(); ++i) {
            cells_.keys[i] = keyed_[i].key;
            cells_.bodies[i] = keyed_[i].body;
            cells_.set(i, bodies.boxes[static_cast<std::size_t>(keyed_[i].body)]);
        }
    }

    /// Returns the centre of a sample by the median, so that one body that fell out of the world does not move the
    /// grid.
    Eigen::Vector3f middle(const Bodies& bodies) const {
        constexpr std::size_t kSample = 31;
        if (small_.empty()) return Eigen::Vector3f::Zero();
        std::array<float, kSample> values{};
        Eigen::Vector3f middle_m;
        for (int axis = 0; axis < 3; ++axis) {
            for (std::size_t k = 0; k < kSample; ++k)
                values[k] = bodies.boxes[static_cast<std::size_t>(small_[k * small_.size() / kSample])].min_m[axis];
            std::nth_element(values.begin(), values.begin() + kSample / 2, values.end());
            middle_m[axis] = values[kSample / 2];
        }
        return middle_m;
    }

    /// Sorts by the least significant digit first, 11 bits at a time. Stable, so equal keys keep the order of the
    /// bodies.
    void radix_sort(unsigned bits) {
        constexpr unsigned kDigit = 11;
        swapped_.resize(keyed_.size());
        for (unsigned shift = 0; shift < bits; shift += kDigit) {
            std::array<std::uint32_t, 1U << kDigit> starts{};
            const auto digit = [shift](std::uint64_t key) { return (key >> shift) & ((1U << kDigit) - 1U); };
            for (const Keyed& item : keyed_) ++starts[digit(item.key)];
            std::uint32_t sum = 0;
            for (std::uint32_t& start : starts) sum += std::exchange(start, sum);
            for (const Keyed& item : keyed_) swapped_[starts[digit(item.key)]++] = item;
            keyed_.swap(swapped_);
        }
    }

    struct Keyed {
        std::uint64_t key;
        std::int32_t body;
    };
    std::array<std::size_t, 1024> histogram_{};
    std::vector<float> sizes_;
    std::vector<std::int32_t> small_, large_;
    std::vector<Eigen::Array3i> coordinates_;
    std::vector<Keyed> keyed_, swapped_;
    SortedCells cells_;
    std::vector<SortedPair> found_;
};

}  // namespace

BroadPhase sorted_grid() {
    return row<SortedGrid>("grid", "uniform grid, sorted by cell; for many bodies of like size, however they move");
}

}  // namespace glovebox::collision
