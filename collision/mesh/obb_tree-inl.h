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
#include "collision/mesh/vec4-inl.h"

HWY_BEFORE_NAMESPACE();
namespace glovebox::collision::HWY_NAMESPACE {
namespace {

// A rotation: the columns of its matrix.
struct Turn {
    Vec4 column[3];

    HWY_INLINE Vec4 operator*(const float* v) const { return column[0] * v[0] + column[1] * v[1] + column[2] * v[2]; }
    HWY_INLINE Vec4 operator*(Vec4 v) const {
        return column[0] * v.Lanes<0, 0, 0>() + column[1] * v.Lanes<1, 1, 1>() + column[2] * v.Lanes<2, 2, 2>();
    }
};

// Returns the rotation node_from_mesh; for the quaternion's conjugate, mesh_from_node.
HWY_INLINE Turn TurnOf(const ObbTree::Node& node, bool conjugate = false) {
    const Vec4 q = Vec4::From(node.turn.data()), twice = q + q, squares = q * twice;
    const Vec4 products = q * twice.Lanes<1, 2, 0>();                                                // 2xy 2yz 2zx
    const Vec4 by_w = Vec4::All(conjugate ? -node.turn[3] : node.turn[3]) * twice.Lanes<2, 0, 1>();  // 2wz 2wx 2wy
    const Vec4 diagonal = Vec4::All(1.0F) - (squares.Lanes<1, 2, 0>() + squares.Lanes<2, 0, 1>());
    const Vec4 sums = products + by_w;                            // rows 0 1 2 of columns 1 2 0
    const Vec4 differences = (products - by_w).Lanes<2, 0, 1>();  // rows 0 1 2 of columns 2 0 1
    return {{Joined(diagonal, differences, sums), Joined(sums, diagonal, differences),
             Joined(differences, sums, diagonal)}};
}

// An oriented box as it is stored: axis j begins at axes[stride * j].
struct BoxView {
    const float *center_m, *axes, *half_m;
    int stride;

    HWY_INLINE explicit BoxView(const Obb& box)
        : center_m(box.center_m.data()), axes(box.axes.data()), half_m(box.half_m.data()), stride(3) {}
    HWY_INLINE BoxView(const float* center, const float (&axes_by_four)[3][4], const float* half)
        : center_m(center), axes(axes_by_four[0]), half_m(half), stride(4) {}
};

// Tests a box against all children in the node's frame (15 axes). The children share their axes, so terms that depend
// only on the rotations of box and node are computed once. `area_m2` receives an eighth of each child's surface area.
// `deep_m` receives, for each child, the least overlap along the face axes.
template <bool kWithDepth>
HWY_INLINE std::uint32_t OverlapChildren(const BoxView& box, const ObbTree::Node& node, float slack_m, float* area_m2,
                                         [[maybe_unused]] float* deep_m) {
    const hn::CappedTag<float, ObbTree::kWidth> d;
    using V = hn::Vec<decltype(d)>;
    const float half[3] = {box.half_m[0] + slack_m, box.half_m[1] + slack_m, box.half_m[2] + slack_m};
    // The box in the node's frame: centre, axes, their absolute values, extents of the box and of its edges.
    alignas(16) float center[4], r[3][4], abs_r[3][4], reach[4], low[4], high[4], edge[3][4];
    {
        const Turn turn = TurnOf(node);
        const Vec4 middle = turn * box.center_m;
        Vec4 abs[3];
        for (int j = 0; j < 3; ++j) {
            const Vec4 axis = turn * (box.axes + box.stride * j);
            abs[j] = Abs(axis) + Vec4::All(1e-6F);
            axis.To(r[j]);
            abs[j].To(abs_r[j]);
        }
        const Vec4 extent = abs[0] * half[0] + abs[1] * half[1] + abs[2] * half[2];
        middle.To(center);
        extent.To(reach);
        (middle - extent).To(low);
        (middle + extent).To(high);
        for (int j = 0; j < 3; ++j) {
            const int j1 = (j + 1) % 3, j2 = (j + 2) % 3;
            (abs[j2] * half[j1] + abs[j1] * half[j2]).To(edge[j]);
        }
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
            const V from_m = steps(node.low_steps[k], k), to_m = steps(node.high_steps[k], k);
            together =
                hn::And(together, hn::And(hn::Le(from_m, hn::Set(d, high[k])), hn::Ge(to_m, hn::Set(d, low[k]))));
            const V half_high = hn::Mul(to_m, hn::Set(d, 0.5F)), half_low = hn::Mul(from_m, hn::Set(d, 0.5F));
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
