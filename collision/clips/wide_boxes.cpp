#include "collision/clips/wide_boxes.h"

#include <algorithm>
#include <cmath>

// The test is compiled once for every instruction set that Highway knows here and picked at run time.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "collision/clips/wide_boxes.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace glovebox::collision::clips::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using Lanes = hn::CappedTag<float, 16>;
using Floats = hn::Vec<Lanes>;

/// Boxes of a, brought into b's plane.
struct Boxes {
    Floats x, y, ux, uy, h0, h1;
};

HWY_INLINE std::uint32_t meet(const Boxes& a, const WideBoxes& b, std::int64_t j, Floats slack) {
    const Lanes d;
    const auto load = [&b, j, &d](WideBoxes::Column column) { return hn::LoadU(d, b.at(column, j)); };
    const Floats bx = load(WideBoxes::axis_x), by = load(WideBoxes::axis_y);
    const Floats b0 = load(WideBoxes::half_x), b1 = load(WideBoxes::half_y);
    const Floats tx = hn::Sub(load(WideBoxes::center_x), a.x), ty = hn::Sub(load(WideBoxes::center_y), a.y);
    const Floats c = hn::Abs(hn::Add(hn::Mul(a.ux, bx), hn::Mul(a.uy, by)));
    const Floats s = hn::Abs(hn::Sub(hn::Mul(a.ux, by), hn::Mul(a.uy, bx)));
    // The four axes of overlap(FlatBox, FlatBox).
    const Floats gap_a0 = hn::Sub(hn::Abs(hn::Add(hn::Mul(a.ux, tx), hn::Mul(a.uy, ty))),
                                  hn::Add(a.h0, hn::Add(hn::Mul(b0, c), hn::Mul(b1, s))));
    const Floats gap_a1 = hn::Sub(hn::Abs(hn::Sub(hn::Mul(a.ux, ty), hn::Mul(a.uy, tx))),
                                  hn::Add(a.h1, hn::Add(hn::Mul(b0, s), hn::Mul(b1, c))));
    const Floats gap_b0 = hn::Sub(hn::Abs(hn::Add(hn::Mul(bx, tx), hn::Mul(by, ty))),
                                  hn::Add(b0, hn::Add(hn::Mul(a.h0, c), hn::Mul(a.h1, s))));
    const Floats gap_b1 = hn::Sub(hn::Abs(hn::Sub(hn::Mul(bx, ty), hn::Mul(by, tx))),
                                  hn::Add(b1, hn::Add(hn::Mul(a.h0, s), hn::Mul(a.h1, c))));
    const Floats gap = hn::Max(hn::Max(gap_a0, gap_a1), hn::Max(gap_b0, gap_b1));
    alignas(8) std::uint8_t bytes[8] = {};
    hn::StoreMaskBits(d, hn::Le(gap, slack), bytes);
    return bytes[0] | static_cast<std::uint32_t>(bytes[1]) << 8;
}

void MayMeet(const WideBoxes& a, std::int64_t first_a, const WideBoxes& b, std::int64_t first_b, std::int64_t count,
             const WidePlacement& p, WideBits& same, WideBits& next) {
    const Lanes d;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    const Floats cos = hn::Set(d, p.cos), sin = hn::Set(d, p.sin);
    const Floats x = hn::Set(d, p.x_m), y = hn::Set(d, p.y_m), slack = hn::Set(d, p.slack_m);
    for (std::int64_t k = 0; k < count; k += 16) {
        std::uint32_t bits_same = 0, bits_next = 0;
        for (std::int64_t lane = 0; lane < 16; lane += lanes) {
            const auto load = [&a, &d, i = first_a + k + lane](WideBoxes::Column column) {
                return hn::LoadU(d, a.at(column, i));
            };
            const Floats cx = load(WideBoxes::center_x), cy = load(WideBoxes::center_y);
            const Floats ux = load(WideBoxes::axis_x), uy = load(WideBoxes::axis_y);
            const Boxes boxes = {hn::Add(hn::Sub(hn::Mul(cos, cx), hn::Mul(sin, cy)), x),
                                 hn::Add(hn::Add(hn::Mul(sin, cx), hn::Mul(cos, cy)), y),
                                 hn::Sub(hn::Mul(cos, ux), hn::Mul(sin, uy)),
                                 hn::Add(hn::Mul(sin, ux), hn::Mul(cos, uy)),
                                 load(WideBoxes::half_x),
                                 load(WideBoxes::half_y)};
            bits_same |= meet(boxes, b, first_b + k + lane, slack) << lane;
            bits_next |= meet(boxes, b, first_b + k + lane + 1, slack) << lane;
        }
        same[static_cast<std::size_t>(k / 16)] = static_cast<std::uint16_t>(bits_same);
        next[static_cast<std::size_t>(k / 16)] = static_cast<std::uint16_t>(bits_next);
    }
}

bool AnyCollide(const ClipSample* a, const ClipSample* b, std::int64_t count, bool next, const RelativePlacement& p) {
    // x y radius and what the alignment of the first two leaves empty: loaded as four columns, of which one is unused.
    static_assert(sizeof(ClipSample) == 4 * sizeof(double));
    const hn::CappedTag<double, 8> d;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    const auto r00 = hn::Set(d, p.b_from_a(0, 0)), r01 = hn::Set(d, p.b_from_a(0, 1)), tx = hn::Set(d, p.offset_m.x());
    const auto r10 = hn::Set(d, p.b_from_a(1, 0)), r11 = hn::Set(d, p.b_from_a(1, 1)), ty = hn::Set(d, p.offset_m.y());
    std::int64_t k = 0;
    for (; k + lanes <= count; k += lanes) {
        auto x = tx, y = tx, radius = tx, unused = tx;
        hn::LoadInterleaved4(d, a[k].center_m.data(), x, y, radius, unused);
        const auto ax = hn::Add(hn::Add(hn::Mul(r00, x), hn::Mul(r01, y)), tx);
        const auto ay = hn::Add(hn::Add(hn::Mul(r10, x), hn::Mul(r11, y)), ty);
        for (std::int64_t j = k; j <= (next ? k + 1 : k); ++j) {
            auto bx = tx, by = tx, other = tx;
            hn::LoadInterleaved4(d, b[j].center_m.data(), bx, by, other, unused);
            const auto dx = hn::Sub(ax, bx), dy = hn::Sub(ay, by), reach = hn::Add(radius, other);
            const auto meets = hn::Lt(hn::Add(hn::Mul(dx, dx), hn::Mul(dy, dy)), hn::Mul(reach, reach));
            if (!hn::AllFalse(d, meets)) return true;
        }
    }
    for (; k < count; ++k) {
        const Eigen::Vector2d at_m = p.b_from_a * a[k].center_m + p.offset_m;
        if (discs_collide(at_m, a[k].radius_m, b[k]) || (next && discs_collide(at_m, a[k].radius_m, b[k + 1])))
            return true;
    }
    return false;
}

}  // namespace
}  // namespace glovebox::collision::clips::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace glovebox::collision::clips {
namespace {

HWY_EXPORT(MayMeet);
HWY_EXPORT(AnyCollide);

WideBoxes boxes_of(std::span<const ClipSample> samples, std::int64_t stretch, AxisRule rule) {
    WideBoxes boxes;
    const auto n = static_cast<std::int64_t>(samples.size());
    boxes.stretch = stretch;
    boxes.count = (n + stretch - 1) / stretch;
    boxes.stride = boxes.count + 2 * WideBoxes::kPadding;
    boxes.values.assign(static_cast<std::size_t>(WideBoxes::kColumns * boxes.stride), 0.0F);
    for (std::int64_t i = 0; i < boxes.count; ++i) {
        const std::int64_t first = i * stretch;
        const FlatBox box = fit_flat(
            samples.subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(std::min(stretch, n - first))),
            rule);
        const std::array<double, WideBoxes::kColumns> row = {box.center_m.x(), box.center_m.y(), box.axis.x(),
                                                             box.axis.y(),     box.half_m.x(),   box.half_m.y()};
        for (std::int64_t column = 0; column < WideBoxes::kColumns; ++column)
            boxes.values[static_cast<std::size_t>(column * boxes.stride + WideBoxes::kPadding + i)] =
                static_cast<float>(row[static_cast<std::size_t>(column)]);
    }
    return boxes;
}

bool meet_scalar(const WideBoxes& a, std::int64_t i, const WideBoxes& b, std::int64_t j, const WidePlacement& p) {
    using enum WideBoxes::Column;
    const float acx = *a.at(center_x, i), acy = *a.at(center_y, i), aux = *a.at(axis_x, i), auy = *a.at(axis_y, i);
    const float a0 = *a.at(half_x, i), a1 = *a.at(half_y, i), b0 = *b.at(half_x, j), b1 = *b.at(half_y, j);
    const float bx = *b.at(axis_x, j), by = *b.at(axis_y, j);
    const float tx = *b.at(center_x, j) - (p.cos * acx - p.sin * acy + p.x_m);
    const float ty = *b.at(center_y, j) - (p.sin * acx + p.cos * acy + p.y_m);
    const float ax = p.cos * aux - p.sin * auy, ay = p.sin * aux + p.cos * auy;
    const float c = std::abs(ax * bx + ay * by), s = std::abs(ax * by - ay * bx);
    const float gap_a0 = std::abs(ax * tx + ay * ty) - (a0 + (b0 * c + b1 * s));
    const float gap_a1 = std::abs(ax * ty - ay * tx) - (a1 + (b0 * s + b1 * c));
    const float gap_b0 = std::abs(bx * tx + by * ty) - (b0 + (a0 * c + a1 * s));
    const float gap_b1 = std::abs(bx * ty - by * tx) - (b1 + (a0 * s + a1 * c));
    return std::max(std::max(gap_a0, gap_a1), std::max(gap_b0, gap_b1)) <= p.slack_m;
}

}  // namespace

std::vector<WideBoxes> make_wide_boxes(std::span<const ClipSample> samples, AxisRule rule) {
    std::vector<WideBoxes> levels = {boxes_of(samples, kWideLeaf, rule)};
    while (levels.back().count > 1) levels.push_back(boxes_of(samples, kWideFan * levels.back().stretch, rule));
    return levels;
}

void may_meet(const WideBoxes& a, std::int64_t first_a, const WideBoxes& b, std::int64_t first_b, std::int64_t count,
              const WidePlacement& b_from_a, WideBits& same, WideBits& next) {
    HWY_DYNAMIC_DISPATCH(MayMeet)(a, first_a, b, first_b, count, b_from_a, same, next);
}

void may_meet_scalar(const WideBoxes& a, std::int64_t first_a, const WideBoxes& b, std::int64_t first_b,
                     std::int64_t count, const WidePlacement& b_from_a, WideBits& same, WideBits& next) {
    for (std::int64_t k = 0; k < count; k += 16) {
        std::uint32_t bits_same = 0, bits_next = 0;
        for (std::int64_t lane = 0; lane < 16; ++lane) {
            const std::int64_t i = first_a + k + lane, j = first_b + k + lane;
            if (meet_scalar(a, i, b, j, b_from_a)) bits_same |= 1U << lane;
            if (meet_scalar(a, i, b, j + 1, b_from_a)) bits_next |= 1U << lane;
        }
        same[static_cast<std::size_t>(k / 16)] = static_cast<std::uint16_t>(bits_same);
        next[static_cast<std::size_t>(k / 16)] = static_cast<std::uint16_t>(bits_next);
    }
}

bool any_collide(const ClipSample* a, const ClipSample* b, std::int64_t count, bool next,
                 const RelativePlacement& b_from_a) {
    return HWY_DYNAMIC_DISPATCH(AnyCollide)(a, b, count, next, b_from_a);
}

}  // namespace glovebox::collision::clips
#endif
