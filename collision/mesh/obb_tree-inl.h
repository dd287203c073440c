// Box tests of a tree traversal: a node's frame, and one oriented box against a node's eight children. Compiled for
// each instruction set of the including file. Uses plain arrays, because calls into Eigen would not be inlined here.
#if defined(GLOVEBOX_OBB_TREE_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef GLOVEBOX_OBB_TREE_INL_H
#undef GLOVEBOX_OBB_TREE_INL_H
#else
#define GLOVEBOX_OBB_TREE_INL_H
#endif

#include <hwy/highway.h>

#include <cmath>
#include <limits>

#include "collision/mesh/obb_tree.h"

HWY_BEFORE_NAMESPACE();
namespace glovebox::collision::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

// The rotation node_from_mesh. Columns have a fourth entry, so that each line below is one instruction.
struct NodeTurn {
    float column[3][4];

    HWY_INLINE explicit NodeTurn(const ObbTree::Node& node) {
        const float x = node.turn[0], y = node.turn[1], z = node.turn[2], w = node.turn[3];
        const float x2 = x + x, y2 = y + y, z2 = z + z;
        const float xx = x * x2, yy = y * y2, zz = z * z2, xy = x * y2, xz = x * z2, yz = y * z2;
        const float wx = w * x2, wy = w * y2, wz = w * z2;
        const float rows[3][4] = {{1.0F - (yy + zz), xy - wz, xz + wy, 0.0F},
                                  {xy + wz, 1.0F - (xx + zz), yz - wx, 0.0F},
                                  {xz - wy, yz + wx, 1.0F - (xx + yy), 0.0F}};
        for (int i = 0; i < 3; ++i)
            for (int k = 0; k < 4; ++k) column[i][k] = rows[i][k];
    }
    HWY_INLINE void Apply(const float* v, float (&out)[4]) const {
        for (int k = 0; k < 4; ++k) out[k] = column[0][k] * v[0] + column[1][k] * v[1] + column[2][k] * v[2];
    }
    HWY_INLINE Eigen::Vector3f operator*(const Eigen::Vector3f& v) const {
        float out[4];
        Apply(v.data(), out);
        return {out[0], out[1], out[2]};
    }
    HWY_INLINE Obb operator*(const Obb& box) const {
        Obb turned;
        turned.center_m = *this * box.center_m;
        for (int j = 0; j < 3; ++j) {
            float out[4];
            Apply(box.axes.data() + 3 * j, out);
            for (int k = 0; k < 3; ++k) turned.axes.data()[3 * j + k] = out[k];
        }
        turned.half_m = box.half_m;
        return turned;
    }
};

// Tests a box against all children in the node's frame (15 axes). The children share their axes, so terms that depend
// only on the rotations of box and node are computed once. `area_m2` receives an eighth of each child's surface area.
// `deep_m` receives, for each child, the least overlap along the face axes.
template <bool kWithDepth>
HWY_INLINE std::uint32_t OverlapChildren(const Obb& box, const ObbTree::Node& node, float slack_m, float* area_m2,
                                         [[maybe_unused]] float* deep_m) {
    const hn::CappedTag<float, ObbTree::kWidth> d;
    using V = hn::Vec<decltype(d)>;
    const NodeTurn turn(node);
    float center[4], r[3][4], abs_r[3][4], reach[4], edge[3][4];  // r[j]: the box's axis j in the node's frame
    const float half[3] = {box.half_m.data()[0] + slack_m, box.half_m.data()[1] + slack_m,
                           box.half_m.data()[2] + slack_m};
    turn.Apply(box.center_m.data(), center);
    for (int j = 0; j < 3; ++j) {
        turn.Apply(box.axes.data() + 3 * j, r[j]);
        for (int k = 0; k < 4; ++k) abs_r[j][k] = std::abs(r[j][k]) + 1e-6F;
    }
    for (int k = 0; k < 4; ++k) reach[k] = abs_r[0][k] * half[0] + abs_r[1][k] * half[1] + abs_r[2][k] * half[2];
    for (int j = 0; j < 3; ++j) {
        const int j1 = (j + 1) % 3, j2 = (j + 2) % 3;
        for (int k = 0; k < 4; ++k) edge[j][k] = half[j1] * abs_r[j2][k] + half[j2] * abs_r[j1][k];
    }
    std::uint32_t result = 0;
    for (std::size_t from = 0; from < ObbTree::kWidth; from += hn::Lanes(d)) {
        const auto steps = [&](const std::array<std::uint8_t, ObbTree::kWidth>& of, std::size_t k) {
            const hn::Rebind<std::uint8_t, decltype(d)> bytes;
            const hn::Rebind<std::int32_t, decltype(d)> whole;
            return hn::MulAdd(hn::ConvertTo(d, hn::PromoteTo(whole, hn::LoadU(bytes, of.data() + from))),
                              hn::Set(d, node.step_m[k]), hn::Set(d, node.low_m[k]));
        };
        // The face normals of the children. All comparisons fail for NaN.
        V t[3], h[3];
        [[maybe_unused]] V deep = hn::Set(d, std::numeric_limits<float>::infinity());
        auto together = hn::FirstN(d, hn::Lanes(d));
        for (std::size_t k = 0; k < 3; ++k) {
            const V low = steps(node.low_steps[k], k), high = steps(node.high_steps[k], k);
            together = hn::And(together, hn::And(hn::Le(low, hn::Set(d, center[k] + reach[k])),
                                                 hn::Ge(high, hn::Set(d, center[k] - reach[k]))));
            const V half_high = hn::Mul(high, hn::Set(d, 0.5F)), half_low = hn::Mul(low, hn::Set(d, 0.5F));
            t[k] = hn::Sub(hn::Set(d, center[k]), hn::Add(half_high, half_low));
            h[k] = hn::Sub(half_high, half_low);
            if constexpr (kWithDepth) deep = hn::Min(deep, hn::Sub(hn::Add(h[k], hn::Set(d, reach[k])), hn::Abs(t[k])));
        }
        if (hn::AllFalse(d, together)) continue;
        // The face normals of the box.
        const auto of_all = [&](float value) { return hn::Set(d, value); };
        for (std::size_t j = 0; j < 3; ++j) {
            const V along =
                hn::MulAdd(t[2], of_all(r[j][2]), hn::MulAdd(t[1], of_all(r[j][1]), hn::Mul(t[0], of_all(r[j][0]))));
            const V radius = hn::MulAdd(
                h[2], of_all(abs_r[j][2]),
                hn::MulAdd(h[1], of_all(abs_r[j][1]), hn::MulAdd(h[0], of_all(abs_r[j][0]), of_all(half[j]))));
            together = hn::And(together, hn::Le(hn::Abs(along), radius));
            if constexpr (kWithDepth) deep = hn::Min(deep, hn::Sub(radius, hn::Abs(along)));
        }
        if (hn::AllFalse(d, together)) continue;
        // Cross products of the child's axis i and the box's axis j.
        for (std::size_t i = 0; i < 3; ++i) {
            const std::size_t i1 = (i + 1) % 3, i2 = (i + 2) % 3;
            for (std::size_t j = 0; j < 3; ++j) {
                const V along = hn::MulSub(t[i2], of_all(r[j][i1]), hn::Mul(t[i1], of_all(r[j][i2])));
                const V radius = hn::MulAdd(h[i1], of_all(abs_r[j][i2]),
                                            hn::MulAdd(h[i2], of_all(abs_r[j][i1]), of_all(edge[j][i])));
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
