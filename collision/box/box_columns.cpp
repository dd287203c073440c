#include "collision/box/box_columns.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstdint>

// Compiled once for every instruction set that Highway knows here and picked at run time.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "collision/box/box_columns.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#ifndef GLOVEBOX_BALL_RADIUS
#define GLOVEBOX_BALL_RADIUS
namespace glovebox::collision {
namespace {
// Returns the radius of the bounding sphere, with room for rounding.
float ball_radius(const Obb& box) {
    return box.half_m.norm() * 1.00001F;
}
}  // namespace
}  // namespace glovebox::collision
#endif

HWY_BEFORE_NAMESPACE();
namespace glovebox::collision::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using Lanes = hn::CappedTag<float, BoxColumns::kBlock>;
using Floats = hn::Vec<Lanes>;
using Bits = hn::Mask<Lanes>;
using Numbers = hn::RebindToSigned<Lanes>;

HWY_INLINE Floats Dot(const Floats (&a)[3], const Floats (&b)[3]) {
    return hn::MulAdd(a[2], b[2], hn::MulAdd(a[1], b[1], hn::Mul(a[0], b[0])));
}

// Written so that NaN gives false.
HWY_INLINE Bits Within(Floats distance, Floats radius) {
    return hn::Le(hn::Abs(distance), radius);
}

struct One {
    Floats center[3], axes[3][3], half[3], radius;
};

// Sources of a vector of boxes: contiguous, or from a list of indices.
struct Row {
    const BoxColumns& columns;
    std::size_t at;
    HWY_INLINE Floats operator()(std::size_t column) const { return hn::LoadU(Lanes(), columns.column(column) + at); }
};
struct List {
    const BoxColumns& columns;
    hn::Vec<Numbers> numbers;
    HWY_INLINE Floats operator()(std::size_t column) const {
        return hn::GatherIndex(Lanes(), columns.column(column), numbers);
    }
};

template <class Source>
HWY_INLINE Bits Overlap(const One& a, const Source& source) {
    const Lanes d;
    const Floats eps = hn::Set(d, 1e-6F);
    Floats b[3][3], hb[3], offset[3], t[3], r[3][3], abs_r[3][3];
    for (std::size_t k = 0; k < 3; ++k) {
        offset[k] = hn::Sub(source(BoxColumns::center + k), a.center[k]);
        hb[k] = source(BoxColumns::half + k);
        for (std::size_t row = 0; row < 3; ++row) b[k][row] = source(BoxColumns::axes + 3 * k + row);
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

HWY_INLINE unsigned BitsOf(Bits mask) {
    alignas(8) std::uint8_t bytes[8] = {};
    hn::StoreMaskBits(Lanes(), mask, bytes);
    return bytes[0] | static_cast<unsigned>(bytes[1]) << 8;
}

// True if the bounding spheres meet; the radii include room for rounding.
HWY_INLINE Bits BallsOverlap(const One& a, const Row& row) {
    Floats distance2 = hn::Zero(Lanes());
    for (std::size_t k = 0; k < 3; ++k) {
        const Floats away = hn::Sub(row(BoxColumns::center + k), a.center[k]);
        distance2 = hn::MulAdd(away, away, distance2);
    }
    const Floats reach = hn::Add(a.radius, row(BoxColumns::radius));
    return hn::Le(distance2, hn::Mul(reach, reach));
}

int CountOverlaps(const Obb& box, const BoxColumns& columns, std::uint16_t* hits) {
    const Lanes d;
    const Numbers numbers;
    constexpr std::size_t kBlock = BoxColumns::kBlock;
    One a;
    for (int k = 0; k < 3; ++k) {
        a.center[k] = hn::Set(d, box.center_m[k]);
        a.half[k] = hn::Set(d, box.half_m[k]);
        for (int row = 0; row < 3; ++row) a.axes[k][row] = hn::Set(d, box.axes(row, k));
    }
    a.radius = hn::Set(d, ball_radius(box));
    const std::size_t lanes = hn::Lanes(d), words = columns.words();
    int count = 0;

    // Boxes waiting for a full vector. Reading a box from the list costs about three times a contiguous lane, so in a
    // few blocks none waits.
    alignas(64) std::int32_t waiting[2 * kBlock];
    std::size_t wait = 0;
    const unsigned few = words < 8 ? 0U : static_cast<unsigned>(lanes / 3);
    const auto test_waiting = [&] {
        const List list{columns, hn::LoadU(numbers, waiting)};
        for (unsigned bits = BitsOf(Overlap(a, list)) & ((1U << std::min(wait, lanes)) - 1U); bits != 0;
             bits &= bits - 1) {
            const auto number = static_cast<std::size_t>(waiting[std::countr_zero(bits)]);
            hits[number / kBlock] = static_cast<std::uint16_t>(hits[number / kBlock] | 1U << (number % kBlock));
            ++count;
        }
    };
    for (std::size_t word = 0; word < words; ++word) {
        unsigned found = 0;
        for (std::size_t lane = 0; lane < kBlock; lane += lanes) {
            const Row row{columns, word * kBlock + lane};
            const Bits balls = BallsOverlap(a, row);
            const unsigned left = static_cast<unsigned>(std::popcount(BitsOf(balls)));
            if (left > few) {
                found |= BitsOf(Overlap(a, row)) << lane;
                continue;
            }
            // Not CompressStore(), with which the whole test takes a fifth longer on AMD's Zen 4.
            const auto overlapping = hn::RebindMask(numbers, balls);
            hn::StoreU(hn::Compress(hn::Iota(numbers, static_cast<std::int32_t>(row.at)), overlapping), numbers,
                       waiting + wait);
            wait += left;
        }
        hits[word] = static_cast<std::uint16_t>(found);
        count += std::popcount(found);
        if (wait < lanes) continue;
        test_waiting();
        for (std::size_t i = lanes; i < wait; ++i) waiting[i - lanes] = waiting[i];
        wait -= lanes;
    }
    if (wait == 0) return count;
    for (std::size_t i = wait; i < lanes; ++i) waiting[i] = waiting[0];
    test_waiting();
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
    constexpr std::size_t kLine = 16;  // floats
    values_.resize(kColumns * stride_ + kLine);
    first_ = (64 - reinterpret_cast<std::uintptr_t>(values_.data()) % 64) % 64 / sizeof(float);
    for (std::size_t i = 0; i < stride_; ++i) {
        const auto put = [&](std::size_t number, float value) { values_[first_ + number * stride_ + i] = value; };
        const Obb& box = boxes[i < size_ ? i : 0];
        put(radius, ball_radius(box));
        for (int k = 0; k < 3; ++k) {
            const auto column = static_cast<std::size_t>(k);
            // Padding has NaN centres, so no test overlaps it.
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
