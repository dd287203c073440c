#include "collision/box_columns.h"

#include <bit>
#include <cassert>

// Compiled once for every instruction set that Highway knows here and picked at run time.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "collision/box_columns.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace glovebox::collision::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using Lanes = hn::CappedTag<float, BoxColumns::kBlock>;
using Floats = hn::Vec<Lanes>;
using Bits = hn::Mask<Lanes>;

HWY_INLINE Floats Dot(const Floats (&a)[3], const Floats (&b)[3]) {
    return hn::MulAdd(a[2], b[2], hn::MulAdd(a[1], b[1], hn::Mul(a[0], b[0])));
}

// Written so that NaN fails it.
HWY_INLINE Bits Within(Floats distance, Floats radius) {
    return hn::Le(hn::Abs(distance), radius);
}

struct One {
    Floats center[3], axes[3][3], half[3];
};

HWY_INLINE Bits Overlap(const One& a, const BoxColumns& columns, std::size_t at) {
    const Lanes d;
    const Floats eps = hn::Set(d, 1e-6F);
    Floats b[3][3], hb[3], offset[3], t[3], r[3][3], abs_r[3][3];
    for (std::size_t k = 0; k < 3; ++k) {
        offset[k] = hn::Sub(hn::LoadU(d, columns.column(BoxColumns::center + k) + at), a.center[k]);
        hb[k] = hn::LoadU(d, columns.column(BoxColumns::half + k) + at);
        for (std::size_t row = 0; row < 3; ++row)
            b[k][row] = hn::LoadU(d, columns.column(BoxColumns::axes + 3 * k + row) + at);
    }
    // r_ij = a_i . b_j and t = centre of b, both in a's frame.
    for (std::size_t i = 0; i < 3; ++i) {
        t[i] = Dot(a.axes[i], offset);
        for (std::size_t j = 0; j < 3; ++j) {
            r[i][j] = Dot(a.axes[i], b[j]);
            abs_r[i][j] = hn::Add(hn::Abs(r[i][j]), eps);
        }
    }
    // Faces of a, faces of b.
    Bits meet = hn::FirstN(d, BoxColumns::kBlock);
    for (std::size_t i = 0; i < 3; ++i) meet = hn::And(meet, Within(t[i], hn::Add(a.half[i], Dot(abs_r[i], hb))));
    for (std::size_t j = 0; j < 3; ++j) {
        const Floats column[3] = {r[0][j], r[1][j], r[2][j]}, abs_column[3] = {abs_r[0][j], abs_r[1][j], abs_r[2][j]};
        meet = hn::And(meet, Within(Dot(t, column), hn::Add(hb[j], Dot(abs_column, a.half))));
    }
    if (hn::AllFalse(d, meet)) return meet;
    // Edge against edge: a_i x b_j.
    for (std::size_t i = 0; i < 3; ++i) {
        const std::size_t i1 = (i + 1) % 3, i2 = (i + 2) % 3;
        for (std::size_t j = 0; j < 3; ++j) {
            const std::size_t j1 = (j + 1) % 3, j2 = (j + 2) % 3;
            const Floats radius_a = hn::MulAdd(a.half[i1], abs_r[i2][j], hn::Mul(a.half[i2], abs_r[i1][j]));
            const Floats radius = hn::MulAdd(hb[j1], abs_r[i][j2], hn::MulAdd(hb[j2], abs_r[i][j1], radius_a));
            meet = hn::And(meet, Within(hn::NegMulAdd(t[i1], r[i2][j], hn::Mul(t[i2], r[i1][j])), radius));
        }
    }
    return meet;
}

int CountOverlaps(const Obb& box, const BoxColumns& columns, std::uint16_t* hits) {
    const Lanes d;
    One a;
    for (int k = 0; k < 3; ++k) {
        a.center[k] = hn::Set(d, box.center_m[k]);
        a.half[k] = hn::Set(d, box.half_m[k]);
        for (int row = 0; row < 3; ++row) a.axes[k][row] = hn::Set(d, box.axes(row, k));
    }
    const std::size_t lanes = hn::Lanes(d), words = columns.words();
    int count = 0;
    for (std::size_t word = 0; word < words; ++word) {
        std::uint32_t bits = 0;
        for (std::size_t lane = 0; lane < BoxColumns::kBlock; lane += lanes) {
            alignas(8) std::uint8_t bytes[8] = {};
            hn::StoreMaskBits(d, Overlap(a, columns, word * BoxColumns::kBlock + lane), bytes);
            bits |= (bytes[0] | static_cast<std::uint32_t>(bytes[1]) << 8) << lane;
        }
        hits[word] = static_cast<std::uint16_t>(bits);
        count += std::popcount(bits);
    }
    return count;
}

int LaneCount() {
    return static_cast<int>(hn::Lanes(Lanes()));
}

}  // namespace
}  // namespace glovebox::collision::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace glovebox::collision {
namespace {

HWY_EXPORT(CountOverlaps);
HWY_EXPORT(LaneCount);

}  // namespace

void BoxColumns::assign(std::span<const Obb> boxes) {
    size_ = boxes.size();
    stride_ = words() * kBlock;
    values_.resize(kColumns * stride_);
    for (std::size_t i = 0; i < stride_; ++i) {
        const auto put = [&](std::size_t number, float value) { values_[number * stride_ + i] = value; };
        const Obb& box = boxes[i < size_ ? i : 0];
        for (int k = 0; k < 3; ++k) {
            const auto column = static_cast<std::size_t>(k);
            // What only pads is nowhere: no test overlaps it.
            put(center + column, i < size_ ? box.center_m[k] : std::numeric_limits<float>::quiet_NaN());
            put(half + column, box.half_m[k]);
            for (int row = 0; row < 3; ++row) put(axes + 3 * column + static_cast<std::size_t>(row), box.axes(row, k));
        }
    }
}

int overlaps(const Obb& box, const BoxColumns& columns, std::span<std::uint16_t> hits) {
    assert(hits.size() >= columns.words());
    return HWY_DYNAMIC_DISPATCH(CountOverlaps)(box, columns, hits.data());
}

int overlaps_scalar(const Obb& box, const BoxColumns& columns, std::span<std::uint16_t> hits) {
    assert(hits.size() >= columns.words());
    int count = 0;
    for (std::uint16_t& word : hits.first(columns.words())) word = 0;
    for (std::size_t i = 0; i < columns.size(); ++i) {
        Obb other;
        for (int k = 0; k < 3; ++k) {
            const auto column = static_cast<std::size_t>(k);
            other.center_m[k] = columns.column(BoxColumns::center + column)[i];
            other.half_m[k] = columns.column(BoxColumns::half + column)[i];
            for (int row = 0; row < 3; ++row)
                other.axes(row, k) = columns.column(BoxColumns::axes + 3 * column + static_cast<std::size_t>(row))[i];
        }
        if (!overlap(box, other)) continue;
        ++count;
        hits[i / BoxColumns::kBlock] =
            static_cast<std::uint16_t>(hits[i / BoxColumns::kBlock] | 1U << (i % BoxColumns::kBlock));
    }
    return count;
}

int box_lanes() {
    return HWY_DYNAMIC_DISPATCH(LaneCount)();
}

}  // namespace glovebox::collision
#endif
