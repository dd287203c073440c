// One oriented box against the eight of a node: what every walk of two hierarchies asks, compiled for each instruction
// set of the file that includes this.
#if defined(GLOVEBOX_OBB_TREE_OVERLAP_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef GLOVEBOX_OBB_TREE_OVERLAP_INL_H
#undef GLOVEBOX_OBB_TREE_OVERLAP_INL_H
#else
#define GLOVEBOX_OBB_TREE_OVERLAP_INL_H
#endif

#include <hwy/highway.h>

#include <limits>

#include "collision/mesh/obb_tree.h"

HWY_BEFORE_NAMESPACE();
namespace glovebox::collision::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

// The 15-axis test in the node's frame. The children share their axes, so that all that depends on the two rotations
// alone is computed once for the eight. `area_m2` receives the children's areas, of half extents; `deep_m` how far
// boxes overlap along the face axis where they do so least.
template <bool kWithDepth>
HWY_INLINE std::uint32_t OverlapChildren(const Obb& box, const ObbTree::Node& node, float slack_m, float* area_m2,
                                         [[maybe_unused]] float* deep_m) {
    const hn::CappedTag<float, ObbTree::kWidth> d;
    using V = hn::Vec<decltype(d)>;
    const Eigen::Matrix3f from_mesh = axes_of(node).transpose();
    const Eigen::Vector3f center = from_mesh * box.center_m, half = box.half_m.array() + slack_m;
    const Eigen::Matrix3f r = from_mesh * box.axes;
    const Eigen::Matrix3f abs_r = r.cwiseAbs().array() + 1e-6F;
    const Eigen::Vector3f reach = abs_r * half;
    std::uint32_t result = 0;
    for (std::size_t from = 0; from < ObbTree::kWidth; from += hn::Lanes(d)) {
        const auto steps = [&](const std::array<std::uint8_t, ObbTree::kWidth>& of, std::size_t k) {
            const hn::Rebind<std::uint8_t, decltype(d)> bytes;
            const hn::Rebind<std::int32_t, decltype(d)> whole;
            return hn::MulAdd(hn::ConvertTo(d, hn::PromoteTo(whole, hn::LoadU(bytes, of.data() + from))),
                              hn::Set(d, node.step_m[k]), hn::Set(d, node.low_m[k]));
        };
        // Faces of the children. All comparisons fail for NaN.
        V t[3], h[3];
        [[maybe_unused]] V deep = hn::Set(d, std::numeric_limits<float>::infinity());
        auto together = hn::FirstN(d, hn::Lanes(d));
        for (std::size_t k = 0; k < 3; ++k) {
            const auto i = static_cast<Eigen::Index>(k);
            const V low = steps(node.low_steps[k], k), high = steps(node.high_steps[k], k);
            together = hn::And(together, hn::And(hn::Le(low, hn::Set(d, center[i] + reach[i])),
                                                 hn::Ge(high, hn::Set(d, center[i] - reach[i]))));
            const V half_high = hn::Mul(high, hn::Set(d, 0.5F)), half_low = hn::Mul(low, hn::Set(d, 0.5F));
            t[k] = hn::Sub(hn::Set(d, center[i]), hn::Add(half_high, half_low));
            h[k] = hn::Sub(half_high, half_low);
            if constexpr (kWithDepth) deep = hn::Min(deep, hn::Sub(hn::Add(h[k], hn::Set(d, reach[i])), hn::Abs(t[k])));
        }
        if (hn::AllFalse(d, together)) continue;
        const auto all = [&](const Eigen::Matrix3f& m, std::size_t i, std::size_t j) {
            return hn::Set(d, m(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)));
        };
        // Faces of the box.
        for (std::size_t j = 0; j < 3; ++j) {
            const V along = hn::MulAdd(t[2], all(r, 2, j), hn::MulAdd(t[1], all(r, 1, j), hn::Mul(t[0], all(r, 0, j))));
            const V radius = hn::MulAdd(
                h[2], all(abs_r, 2, j),
                hn::MulAdd(h[1], all(abs_r, 1, j),
                           hn::MulAdd(h[0], all(abs_r, 0, j), hn::Set(d, half[static_cast<Eigen::Index>(j)]))));
            together = hn::And(together, hn::Le(hn::Abs(along), radius));
            if constexpr (kWithDepth) deep = hn::Min(deep, hn::Sub(radius, hn::Abs(along)));
        }
        if (hn::AllFalse(d, together)) continue;
        // Edge against edge: child's axis i, box's axis j.
        for (std::size_t i = 0; i < 3; ++i) {
            const std::size_t i1 = (i + 1) % 3, i2 = (i + 2) % 3;
            for (std::size_t j = 0; j < 3; ++j) {
                const auto j1 = static_cast<Eigen::Index>((j + 1) % 3), j2 = static_cast<Eigen::Index>((j + 2) % 3);
                const auto row = static_cast<Eigen::Index>(i);
                const V along = hn::MulSub(t[i2], all(r, i1, j), hn::Mul(t[i1], all(r, i2, j)));
                const V radius =
                    hn::MulAdd(h[i1], all(abs_r, i2, j),
                               hn::MulAdd(h[i2], all(abs_r, i1, j),
                                          hn::Set(d, half[j1] * abs_r(row, j2) + half[j2] * abs_r(row, j1))));
                together = hn::And(together, hn::Le(hn::Abs(along), radius));
            }
        }
        hn::StoreU(hn::MulAdd(h[0], h[1], hn::MulAdd(h[1], h[2], hn::Mul(h[2], h[0]))), d, area_m2 + from);
        if constexpr (kWithDepth) hn::StoreU(deep, d, deep_m + from);
        std::uint8_t bits[8] = {};
        hn::StoreMaskBits(d, together, bits);
        result |= (bits[0] & ((1U << hn::Lanes(d)) - 1U)) << from;
    }
    return result & ((1U << node.count) - 1U);
}

}  // namespace
}  // namespace glovebox::collision::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
