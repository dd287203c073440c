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
    const auto of_all = [&](float value) { return hn::Set(d, value); };
    // All lanes are equal up to the loop below. turn[i]: column i of node_from_mesh.
    V turn[3][3];
    {
        const V x = of_all(node.turn[0]), y = of_all(node.turn[1]), z = of_all(node.turn[2]), w = of_all(node.turn[3]);
        const V x2 = hn::Add(x, x), y2 = hn::Add(y, y), z2 = hn::Add(z, z), one = of_all(1.0F);
        const V wx = hn::Mul(w, x2), wy = hn::Mul(w, y2), wz = hn::Mul(w, z2);
        turn[0][0] = hn::NegMulAdd(z, z2, hn::NegMulAdd(y, y2, one));
        turn[0][1] = hn::MulSub(x, y2, wz);
        turn[0][2] = hn::MulAdd(x, z2, wy);
        turn[1][0] = hn::MulAdd(x, y2, wz);
        turn[1][1] = hn::NegMulAdd(z, z2, hn::NegMulAdd(x, x2, one));
        turn[1][2] = hn::MulSub(y, z2, wx);
        turn[2][0] = hn::MulSub(x, z2, wy);
        turn[2][1] = hn::MulAdd(y, z2, wx);
        turn[2][2] = hn::NegMulAdd(y, y2, hn::NegMulAdd(x, x2, one));
    }
    const auto turned = [&](const float* v, V(&out)[3]) {
        const V v0 = of_all(v[0]), v1 = of_all(v[1]), v2 = of_all(v[2]);
        for (std::size_t k = 0; k < 3; ++k)
            out[k] = hn::MulAdd(turn[2][k], v2, hn::MulAdd(turn[1][k], v1, hn::Mul(turn[0][k], v0)));
    };
    V center[3], r[3][3], abs_r[3][3], reach[3], edge[3][3], half[3];  // r[j]: the box's axis j in the node's frame
    turned(box.center_m.data(), center);
    for (std::size_t j = 0; j < 3; ++j) {
        turned(box.axes.data() + 3 * j, r[j]);
        for (std::size_t k = 0; k < 3; ++k) abs_r[j][k] = hn::Add(hn::Abs(r[j][k]), of_all(1e-6F));
        half[j] = of_all(box.half_m.data()[j] + slack_m);
    }
    for (std::size_t k = 0; k < 3; ++k)
        reach[k] = hn::MulAdd(abs_r[2][k], half[2], hn::MulAdd(abs_r[1][k], half[1], hn::Mul(abs_r[0][k], half[0])));
    for (std::size_t j = 0; j < 3; ++j) {
        const std::size_t j1 = (j + 1) % 3, j2 = (j + 2) % 3;
        for (std::size_t k = 0; k < 3; ++k)
            edge[j][k] = hn::MulAdd(half[j1], abs_r[j2][k], hn::Mul(half[j2], abs_r[j1][k]));
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
            together = hn::And(together, hn::And(hn::Le(low, hn::Add(center[k], reach[k])),
                                                 hn::Ge(high, hn::Sub(center[k], reach[k]))));
            const V half_high = hn::Mul(high, hn::Set(d, 0.5F)), half_low = hn::Mul(low, hn::Set(d, 0.5F));
            t[k] = hn::Sub(center[k], hn::Add(half_high, half_low));
            h[k] = hn::Sub(half_high, half_low);
            if constexpr (kWithDepth) deep = hn::Min(deep, hn::Sub(hn::Add(h[k], reach[k]), hn::Abs(t[k])));
        }
        if (hn::AllFalse(d, together)) continue;
        // The face normals of the box.
        for (std::size_t j = 0; j < 3; ++j) {
            const V along = hn::MulAdd(t[2], r[j][2], hn::MulAdd(t[1], r[j][1], hn::Mul(t[0], r[j][0])));
            const V radius =
                hn::MulAdd(h[2], abs_r[j][2], hn::MulAdd(h[1], abs_r[j][1], hn::MulAdd(h[0], abs_r[j][0], half[j])));
            together = hn::And(together, hn::Le(hn::Abs(along), radius));
            if constexpr (kWithDepth) deep = hn::Min(deep, hn::Sub(radius, hn::Abs(along)));
        }
        if (hn::AllFalse(d, together)) continue;
        // Cross products of the child's axis i and the box's axis j.
        for (std::size_t i = 0; i < 3; ++i) {
            const std::size_t i1 = (i + 1) % 3, i2 = (i + 2) % 3;
            for (std::size_t j = 0; j < 3; ++j) {
                const V along = hn::MulSub(t[i2], r[j][i1], hn::Mul(t[i1], r[j][i2]));
                const V radius = hn::MulAdd(h[i1], abs_r[j][i2], hn::MulAdd(h[i2], abs_r[j][i1], edge[j][i]));
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
