// One box against one box in vectors of four: the axes of a are side by side, so each vector holds three of the fifteen
// tests. 128-bit vectors need no power-up. The only branches that can be mispredicted follow the bounding spheres and
// the six face axes.
#include <cmath>
#include <cstddef>

#include "collision/box/box.h"
#include "collision/box/overlap_scalar.h"

// Compiled once for every instruction set that Highway knows here and picked at run time.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "collision/box/box_overlap.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace glovebox::collision::HWY_NAMESPACE {
namespace {

#if HWY_TARGET == HWY_SCALAR

bool Overlap(const Obb& a, const Obb& b) {
    return overlap_scalar(a, b);
}

#else

namespace hn = hwy::HWY_NAMESPACE;
using Four = hn::FixedTag<float, 4>;
using V = hn::Vec<Four>;

// An Obb is fifteen contiguous floats, so loads of four at the offsets below stay inside.
static_assert(sizeof(Obb) == 15 * sizeof(float) && offsetof(Obb, axes) == 3 * sizeof(float) &&
              offsetof(Obb, half_m) == 12 * sizeof(float));

// Vectors of three repeat their first value in the last lane: (x y z x).
HWY_INLINE V NextOf(V v) {  // y z x
    return hn::Shuffle0321(v);
}
HWY_INLINE V LastOf(V v) {  // z x y
    return hn::CombineShiftRightBytes<8>(Four(), NextOf(v), v);
}
// Returns a box's half extents.
HWY_INLINE V HalfOf(const Obb& box) {
    const V v = hn::LoadU(Four(), box.center_m.data() + 11);  // the last of the axes, then x y z
    return hn::CombineShiftRightBytes<4>(Four(), NextOf(v), v);
}
// Transposes three columns.
HWY_INLINE void RowsOf(V c0, V c1, V c2, V (&rows)[3]) {
    const Four d;
    const V low01 = hn::InterleaveLower(d, c0, c1), high01 = hn::InterleaveUpper(d, c0, c1);
    const V low20 = hn::InterleaveLower(d, c2, c0), high20 = hn::InterleaveUpper(d, c2, c0);
    rows[0] = hn::ConcatLowerLower(d, low20, low01);
    rows[1] = hn::ConcatUpperUpper(d, low20, low01);
    rows[2] = hn::ConcatLowerLower(d, high20, high01);
}

bool Overlap(const Obb& a, const Obb& b) {
    const Four d;
    const V eps = hn::Set(d, 1e-6F);
    // Most separate pairs are separated by their bounding spheres. (ra + rb)^2 <= 2 (ra^2 + rb^2) avoids the square
    // roots; NaN passes this test and fails the next.
    const V half_a = HalfOf(a), own_half_b = HalfOf(b);
    const V away = hn::Sub(hn::LoadU(d, b.center_m.data()), hn::LoadU(d, a.center_m.data()));
    const V balls2 = hn::MulAdd(half_a, half_a, hn::Mul(own_half_b, own_half_b));
    const V beyond = hn::NegMulAdd(hn::Set(d, 2.0001F), balls2, hn::Mul(away, away));
    if (hn::GetLane(hn::SumOfLanes(d, hn::IfThenElseZero(hn::FirstN(d, 3), beyond))) > 0.0F) return false;

    const float* axes_a = a.axes.data();
    V row[3];
    RowsOf(hn::LoadU(d, axes_a), hn::LoadU(d, axes_a + 3), hn::LoadU(d, axes_a + 6), row);
    const auto in_a = [&](float x, float y, float z) {
        return hn::MulAdd(row[2], hn::Set(d, z), hn::MulAdd(row[1], hn::Set(d, y), hn::Mul(row[0], hn::Set(d, x))));
    };
    // Everything in terms of a's axes: t = centre of b, r[j] = b's axis j, both in a's frame.
    const V t = in_a(b.center_m[0] - a.center_m[0], b.center_m[1] - a.center_m[1], b.center_m[2] - a.center_m[2]);
    const float* axes_b = b.axes.data();
    V r[3], abs_r[3], hb[3];
    for (int j = 0; j < 3; ++j) {
        r[j] = in_a(axes_b[3 * j], axes_b[3 * j + 1], axes_b[3 * j + 2]);
        abs_r[j] = hn::Add(hn::Abs(r[j]), eps);
        hb[j] = hn::Set(d, b.half_m[j]);
    }

    // Faces of a; then those of b, whose sums run over a's axes. NaN fails all tests.
    const V reach_a = hn::MulAdd(abs_r[2], hb[2], hn::MulAdd(abs_r[1], hb[1], hn::MulAdd(abs_r[0], hb[0], half_a)));
    V along[3], reach[3];
    RowsOf(hn::Mul(t, r[0]), hn::Mul(t, r[1]), hn::Mul(t, r[2]), along);
    RowsOf(hn::Mul(half_a, abs_r[0]), hn::Mul(half_a, abs_r[1]), hn::Mul(half_a, abs_r[2]), reach);
    const V along_b = hn::Add(hn::Add(along[0], along[1]), along[2]);
    const V reach_b = hn::Add(hn::Add(reach[0], reach[1]), hn::Add(reach[2], own_half_b));
    if (!hn::AllTrue(d, hn::And(hn::Le(hn::Abs(t), reach_a), hn::Le(hn::Abs(along_b), reach_b)))) return false;

    // Edges: a_i x b_j for all i at once. The last lane is not an axis.
    const V t1 = NextOf(t), t2 = LastOf(t), ha1 = NextOf(half_a), ha2 = LastOf(half_a);
    auto edges = hn::FirstN(d, 3);
    for (int j = 0; j < 3; ++j) {
        const int j1 = (j + 1) % 3, j2 = (j + 2) % 3;
        const V r1 = NextOf(r[j]), r2 = LastOf(r[j]);
        const V apart = hn::Abs(hn::NegMulAdd(t1, r2, hn::Mul(t2, r1)));
        const V radius_a = hn::MulAdd(ha1, hn::Add(hn::Abs(r2), eps), hn::Mul(ha2, hn::Add(hn::Abs(r1), eps)));
        const V radius = hn::MulAdd(hb[j1], abs_r[j2], hn::MulAdd(hb[j2], abs_r[j1], radius_a));
        edges = hn::And(edges, hn::Le(apart, radius));
    }
    return hn::AllTrue(d, hn::Or(edges, hn::Not(hn::FirstN(d, 3))));
}

#endif

}  // namespace
}  // namespace glovebox::collision::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace glovebox::collision {
namespace {
HWY_EXPORT(Overlap);
}  // namespace

bool overlap_scalar(const Obb& a, const Obb& b) {
    // Everything in a's frame: r_ij = a_i . b_j, t = centre of b. The tests are written so that NaN fails them.
    const Eigen::Matrix3f r = a.axes.transpose() * b.axes;
    const Eigen::Vector3f t = a.axes.transpose() * (b.center_m - a.center_m);
    const Eigen::Matrix3f abs_r = r.cwiseAbs().array() + 1e-6F;

    // Faces of a, faces of b.
    for (int i = 0; i < 3; ++i)
        if (!(std::abs(t[i]) <= a.half_m[i] + abs_r.row(i).dot(b.half_m))) return false;
    for (int j = 0; j < 3; ++j)
        if (!(std::abs(t.dot(r.col(j))) <= b.half_m[j] + abs_r.col(j).dot(a.half_m))) return false;

    // Edge against edge: a_i x b_j.
    for (int i = 0; i < 3; ++i) {
        const int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
        for (int j = 0; j < 3; ++j) {
            const int j1 = (j + 1) % 3, j2 = (j + 2) % 3;
            const float radius_a_m = a.half_m[i1] * abs_r(i2, j) + a.half_m[i2] * abs_r(i1, j);
            const float radius_b_m = b.half_m[j1] * abs_r(i, j2) + b.half_m[j2] * abs_r(i, j1);
            if (!(std::abs(t[i2] * r(i1, j) - t[i1] * r(i2, j)) <= radius_a_m + radius_b_m)) return false;
        }
    }
    return true;
}

bool overlap(const Obb& a, const Obb& b) {
    return HWY_DYNAMIC_DISPATCH(Overlap)(a, b);
}

}  // namespace glovebox::collision
#endif
