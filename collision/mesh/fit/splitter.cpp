#include "collision/mesh/fit/splitter.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

namespace glovebox::collision {
namespace {

// Longest first, but a preferred axis before all. Equal axes keep their order.
std::array<int, 3> axes_in_order(const SplitInput& input) {
    const auto rank = [&](int axis) {
        return axis == input.preferred_axis ? std::numeric_limits<float>::infinity() : input.box.half_m[axis];
    };
    std::array<int, 3> axes = {0, 1, 2};
    if (rank(axes[1]) > rank(axes[0])) std::swap(axes[0], axes[1]);
    if (rank(axes[2]) > rank(axes[1])) std::swap(axes[1], axes[2]);
    if (rank(axes[1]) > rank(axes[0])) std::swap(axes[0], axes[1]);
    return axes;
}

// True if both sides get a triangle, measured exactly as the builder will.
bool parts(const SplitInput& input, const SplitPlane& plane) {
    bool low = false, high = false;
    for (const auto& centroid : input.centroids_m) {
        (plane.direction.dot(centroid) < plane.offset_m ? low : high) = true;
        if (low && high) return true;
    }
    return false;
}

// [Gottschalk96]: splits the longest axis at the mean of the centroids, else the next longest.
std::optional<SplitPlane> split_at_mean(const SplitInput& input) {
    Eigen::Vector3d mean = Eigen::Vector3d::Zero();
    for (const auto& centroid : input.centroids_m) mean += centroid.cast<double>();
    mean /= static_cast<double>(input.centroids_m.size());
    for (const int axis : axes_in_order(input)) {
        const Eigen::Vector3f direction = input.box.axes.col(axis);
        const SplitPlane plane{direction, static_cast<float>(mean.dot(direction.cast<double>()))};
        if (parts(input, plane)) return plane;
    }
    return std::nullopt;
}

std::optional<SplitPlane> split_at_median(const SplitInput& input) {
    std::vector<float> along(input.centroids_m.size());
    for (const int axis : axes_in_order(input)) {
        const Eigen::Vector3f direction = input.box.axes.col(axis);
        for (std::size_t i = 0; i < along.size(); ++i) along[i] = direction.dot(input.centroids_m[i]);
        const auto middle = along.begin() + static_cast<std::ptrdiff_t>(along.size() / 2);
        std::nth_element(along.begin(), middle, along.end());
        const SplitPlane plane{direction, *middle};
        if (parts(input, plane)) return plane;
    }
    return std::nullopt;
}

// Surface area heuristic [Wald07] in the node's own frame: the plane among up to 15 per axis with the least sum of
// (area of a side's box) x (triangles in it). The fourth lane of the arrays only fills the SIMD vector.
constexpr int kMaxBins = 16;

struct Bin {
    Eigen::Array4f low, high;
    int count;

    static Bin empty() {
        return {Eigen::Array4f::Constant(std::numeric_limits<float>::max()),
                Eigen::Array4f::Constant(std::numeric_limits<float>::lowest()), 0};
    }

    void include(const Eigen::Array4f& other_low, const Eigen::Array4f& other_high, int other_count) {
        low = low.min(other_low);
        high = high.max(other_high);
        count += other_count;
    }
    float cost() const {
        if (count == 0) return 0.0F;
        const Eigen::Array4f s = high - low;
        return static_cast<float>(count) * (s[0] * s[1] + (s[0] + s[1]) * s[2]);
    }
};

// Number of triangles from which the plane is chosen. More would move it by less than a bin; all triangles are split by
// it.
constexpr std::size_t kMaxSampled = 512;

// One triangle in the node's frame.
struct Sampled {
    Eigen::Array4f low, high, centroid;
};

std::optional<SplitPlane> split_by_area(const SplitInput& input) {
    Eigen::Matrix4f frame_from_mesh = Eigen::Matrix4f::Zero();
    frame_from_mesh.topLeftCorner<3, 3>() = input.box.axes.transpose();
    const auto in_frame = [&](const Eigen::Vector3f& p) -> Eigen::Array4f {
        return (frame_from_mesh.col(0) * p.x() + frame_from_mesh.col(1) * p.y() + frame_from_mesh.col(2) * p.z())
            .array();
    };
    std::array<Sampled, kMaxSampled> samples;
    const std::size_t stride = (input.triangles.size() + kMaxSampled - 1) / kMaxSampled;
    std::size_t count = 0;
    Eigen::Array4f first = Eigen::Array4f::Constant(std::numeric_limits<float>::max());
    Eigen::Array4f last = Eigen::Array4f::Constant(std::numeric_limits<float>::lowest());
    for (std::size_t t = 0; t < input.triangles.size(); t += stride) {
        const auto at = [&](std::size_t k) {
            return in_frame(input.points_m[static_cast<std::size_t>(input.triangles[t][k])] - input.box.center_m);
        };
        const Eigen::Array4f a = at(0), b = at(1), c = at(2);
        Sampled& sample = samples[count++];
        sample = {a.min(b).min(c), a.max(b).max(c), in_frame(input.centroids_m[t])};
        first = first.min(sample.centroid);
        last = last.max(sample.centroid);
    }

    const int bin_count = std::clamp(static_cast<int>(count), 2, kMaxBins);
    const auto bins_used = static_cast<std::size_t>(bin_count);
    const Eigen::Array4f bins_per_m = static_cast<float>(bin_count) / (last - first);
    std::array<std::array<Bin, kMaxBins>, 3> bins;
    for (std::array<Bin, kMaxBins>& axis : bins) std::fill_n(axis.begin(), bins_used, Bin::empty());
    std::optional<SplitPlane> best;
    float best_cost = std::numeric_limits<float>::infinity();
    for (const int axis : axes_in_order(input)) {
        // The other axes only if the preferred one, which comes first, has no plane.
        if (best && input.preferred_axis >= 0) break;
        if (!(bins_per_m[axis] > 0.0F) || !std::isfinite(bins_per_m[axis])) continue;
        std::array<Bin, kMaxBins>& mine = bins[static_cast<std::size_t>(axis)];
        for (std::size_t t = 0; t < count; ++t) {
            const int number = static_cast<int>((samples[t].centroid[axis] - first[axis]) * bins_per_m[axis]);
            mine[static_cast<std::size_t>(std::clamp(number, 0, bin_count - 1))].include(samples[t].low,
                                                                                         samples[t].high, 1);
        }
        std::array<float, kMaxBins> cost_above;
        Bin above = Bin::empty();
        for (std::size_t k = bins_used - 1; k > 0; --k) {
            above.include(mine[k].low, mine[k].high, mine[k].count);
            cost_above[k] = above.cost();
        }
        Bin below = Bin::empty();
        for (std::size_t k = 1; k < bins_used; ++k) {
            below.include(mine[k - 1].low, mine[k - 1].high, mine[k - 1].count);
            const float cost = below.cost() + cost_above[k];
            if (below.count == 0 || below.count == static_cast<int>(count) || !(cost < best_cost)) continue;
            best_cost = cost;
            best = SplitPlane{input.box.axes.col(axis), first[axis] + static_cast<float>(k) / bins_per_m[axis]};
        }
    }
    // Rounding may put a triangle on the other side of the plane than its bin.
    return best && parts(input, *best) ? best : split_at_mean(input);
}

constexpr std::array kSplitters = {
    Splitter{"area", "surface-area heuristic over 15 planes on each axis: the default", split_by_area},
    Splitter{"median", "longest axis with half of the triangles on either side: shallowest tree", split_at_median},
    Splitter{"mean", "longest axis at the mean of the centroids, else the next longest: the OBBTree paper",
             split_at_mean},
};

}  // namespace

std::span<const Splitter> splitters() {
    return kSplitters;
}

const Splitter* find_splitter(std::string_view name) {
    const auto row = std::ranges::find(kSplitters, name, &Splitter::name);
    return row == kSplitters.end() ? nullptr : &*row;
}

}  // namespace glovebox::collision
