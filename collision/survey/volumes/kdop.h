// Discrete orientation polytopes (k-DOPs): intersections of k half-spaces in k/2 fixed directions [Klosowski98]. They
// are a compromise between a box and a hull.
//
//   8   the diagonals (+-1, +-1, +-1): an octahedron
//   14  the axes and the diagonals
//   18  the axes and the edge directions (+-1, +-1, 0) ...
//   26  all of them
// Directions have unit length, so slabs are measured in metres.
#pragma once

#include <array>
#include <cmath>
#include <span>
#include <string_view>

#include "collision/survey/volumes/volume.h"

namespace glovebox::collision {

template <int K>
struct Kdop {
    std::array<float, K / 2> low_m, high_m;  ///< slab along each direction
};

/// Returns the K/2 directions, one of each opposite pair.
template <int K>
const std::array<Eigen::Vector3f, K / 2>& kdop_directions();

template <int K>
struct KdopVolume {
    using Type = Kdop<K>;
    static constexpr std::string_view kName = K == 8 ? "8-dop" : K == 14 ? "14-dop" : K == 18 ? "18-dop" : "26-dop";
    static constexpr std::string_view kSummary = "slabs in fixed directions; more directions, tighter and slower";
    static constexpr bool kExactDistance = false;

    static Type fit(std::span<const Eigen::Vector3f> points);
    static Type merge(const Type& a, const Type& b) {
        Type merged;
        for (std::size_t i = 0; i < K / 2; ++i) {
            merged.low_m[i] = std::min(a.low_m[i], b.low_m[i]);
            merged.high_m[i] = std::max(a.high_m[i], b.high_m[i]);
        }
        return merged;
    }
    static bool overlap(const Type& a, const Type& b) {
        for (std::size_t i = 0; i < K / 2; ++i)
            if (!(a.low_m[i] <= b.high_m[i] && b.low_m[i] <= a.high_m[i])) return false;
        return true;
    }
    /// Returns the largest gap over the fixed directions.
    static float distance_m(const Type& a, const Type& b) {
        float gap_m = 0.0F;
        for (std::size_t i = 0; i < K / 2; ++i)
            gap_m = std::max({gap_m, a.low_m[i] - b.high_m[i], b.low_m[i] - a.high_m[i]});
        return gap_m;
    }
    /// Returns the exact volume by enumerating corners. For statistics; too slow for use in every frame.
    static float volume_m3(const Type& a);

    /// Bounds a rotated k-DOP in the fixed directions. Each target direction d, rotated back into the body's frame,
    /// lies in a cone of three directions of the set: d = l1 n1 + l2 n2 + l3 n3 with l >= 0. So the support along d is
    /// at most l1 s1 + l2 s2 + l3 s3, where s are the supports along n. The cones are found once per motion; a volume
    /// then costs 3 K multiplications.
    class Motion {
      public:
        explicit Motion(const Eigen::Isometry3f& target_from_body);
        Type operator()(const Type& a) const {
            const auto support_m = [&a](const Term& term, std::size_t k) {
                const std::size_t from = term.from[k];
                return term.weight[k] * (from < K / 2 ? a.high_m[from] : -a.low_m[from - K / 2]);
            };
            Type moved;
            for (std::size_t i = 0; i < K / 2; ++i) {
                const Term &up = terms_[i], &down = terms_[i + K / 2];
                const float high_m = support_m(up, 0) + support_m(up, 1) + support_m(up, 2);
                const float low_m = support_m(down, 0) + support_m(down, 1) + support_m(down, 2);
                const float pad_m = padding_m(std::abs(high_m) + std::abs(low_m) + std::abs(shift_m_[i])) * 0.25F;
                moved.high_m[i] = high_m + shift_m_[i] + pad_m;
                moved.low_m[i] = -low_m + shift_m_[i] - pad_m;
            }
            return moved;
        }

      private:
        struct Term {
            std::array<std::size_t, 3> from;  ///< half-spaces: i < K/2 is up along direction i, i + K/2 down
            std::array<float, 3> weight;
        };
        std::array<Term, K> terms_{};
        std::array<float, K / 2> shift_m_{};
    };
};

}  // namespace glovebox::collision
