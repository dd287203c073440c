#include "collision/survey/clips/wide_discs.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

// The search is compiled once for every instruction set that Highway knows here and picked at run time.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "collision/survey/clips/wide_discs.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace glovebox::collision::clips::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

// With at most this many samples in common, comparing them is faster than testing discs first.
constexpr std::int64_t kFewSamples = 64;
constexpr std::int64_t kRun = 16;  // pairs of discs per word of bits

struct Placement32 {
    float cos, sin, x_m, y_m, slack_m;

    Placement32(const RelativePlacement& b_from_a, double size_m)
        : cos(static_cast<float>(b_from_a.b_from_a(0, 0))),
          sin(static_cast<float>(b_from_a.b_from_a(1, 0))),
          x_m(static_cast<float>(b_from_a.offset_m.x())),
          y_m(static_cast<float>(b_from_a.offset_m.y())),
          slack_m(static_cast<float>(64.0 * double{std::numeric_limits<float>::epsilon()} * size_m)) {}
};

// The search, level by level. `Kernel` compares a run of discs (bits: those of a that may meet a partner in b) and a
// run of samples. All other decisions are here, so they are the same for all kernels.
template <class Kernel>
struct Search {
    const WideDiscs& a;
    const WideDiscs& b;
    const RelativePlacement& placed;
    const SampleShift& shift;
    WideCounts& counts;

    bool run(double size_m) {
        const std::int64_t begin = std::max<std::int64_t>(0, -shift.last);
        const std::int64_t end = std::min(a.samples.count(), b.samples.count() - shift.first);
        if (end - begin <= kFewSamples) return samples_collide(begin, end);
        const std::size_t levels = std::min(a.levels.size(), b.levels.size());
        const std::size_t level = levels > 1 ? levels - 2 : 0;
        return discs_overlap(level, 0, a.levels[level].discs.count(), Placement32(placed, size_m));
    }

    // Tests discs [first, last) of a level of a, each against those of b that share its time.
    bool discs_overlap(std::size_t level, std::int64_t first, std::int64_t last, const Placement32& placed32) {
        const DiscColumns<float>& discs_a = a.levels[level].discs;
        const DiscColumns<float>& discs_b = b.levels[level].discs;
        // Sample i meets i + first .. i + last. So disc i of a meets discs i + d and perhaps i + d + 1 of b, but never
        // a third. Shifts divide and round down, also below zero.
        const int log2_stretch = a.levels[level].log2_stretch;
        const std::int64_t d = shift.first >> log2_stretch;
        const bool two = (shift.last + (std::int64_t{1} << log2_stretch) - 1) >> log2_stretch > d;
        const std::int64_t begin = std::max(first, -d - (two ? 1 : 0));
        const std::int64_t end = std::min({last, discs_a.count(), discs_b.count() - d});
        for (std::int64_t i = begin; i < end; i += kRun) {
            const std::int64_t count = std::min(kRun, end - i);
            std::uint32_t bits = Kernel::discs_overlap(discs_a, i, discs_b, i + d, two, placed32);
            if (count < kRun) bits &= (1U << count) - 1U;
            counts.discs += two ? 2 * count : count;
            for (; bits != 0; bits &= bits - 1) {
                const std::int64_t disc = i + std::countr_zero(bits);
                if (level == 0 ? samples_collide(disc * kWideLeaf, (disc + 1) * kWideLeaf)
                               : discs_overlap(level - 1, disc * kWideFan, (disc + 1) * kWideFan, placed32))
                    return true;
            }
        }
        return false;
    }

    // Tests samples [first, last) of a against all that share their time.
    bool samples_collide(std::int64_t first, std::int64_t last) {
        ++counts.leaves;
        // The range in which both possible partners exist; at either end of b there may be only one.
        const std::int64_t low = std::max<std::int64_t>(first, -shift.last);
        const std::int64_t high = std::min({last, a.samples.count(), b.samples.count() - shift.first});
        const std::int64_t begin = std::max(low, -shift.first), end = std::min(high, b.samples.count() - shift.last);
        const bool two = shift.last > shift.first;
        if (end > begin) {
            counts.samples += (two ? 2 : 1) * (end - begin);
            if (Kernel::samples_collide(a.samples, begin, b.samples, begin + shift.first, end - begin, two, placed))
                return true;
        }
        if (!two) return false;
        return (low < begin && low < high && sample_collides(low, low + shift.last)) ||
               (end < high && end >= low && sample_collides(end, end + shift.first));
    }

    bool sample_collides(std::int64_t i, std::int64_t j) {
        ++counts.samples;
        return Kernel::samples_collide(a.samples, i, b.samples, j, 1, false, placed);
    }
};

struct LaneKernel {
    static HWY_INLINE std::uint32_t discs_overlap(const DiscColumns<float>& a, std::int64_t i,
                                                  const DiscColumns<float>& b, std::int64_t j, bool two,
                                                  const Placement32& p) {
        const hn::CappedTag<float, 16> d;
        const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
        const auto cos = hn::Set(d, p.cos), sin = hn::Set(d, p.sin);
        const float *ax = a.x(i), *ay = a.y(i), *ar = a.radius(i);
        const float *bx = b.x(j), *by = b.y(j), *br = b.radius(j);
        std::uint32_t bits = 0;
        for (std::int64_t lane = 0; lane < kRun; lane += lanes) {
            const auto x = hn::LoadU(d, ax + lane), y = hn::LoadU(d, ay + lane);
            const auto in_b_x = hn::Add(hn::Sub(hn::Mul(cos, x), hn::Mul(sin, y)), hn::Set(d, p.x_m));
            const auto in_b_y = hn::Add(hn::Add(hn::Mul(sin, x), hn::Mul(cos, y)), hn::Set(d, p.y_m));
            const auto radius = hn::Add(hn::LoadU(d, ar + lane), hn::Set(d, p.slack_m));
            const auto meets = [&](std::int64_t at) {
                const auto dx = hn::Sub(in_b_x, hn::LoadU(d, bx + at)), dy = hn::Sub(in_b_y, hn::LoadU(d, by + at));
                const auto reach = hn::Add(radius, hn::LoadU(d, br + at));
                return hn::Le(hn::Add(hn::Mul(dx, dx), hn::Mul(dy, dy)), hn::Mul(reach, reach));
            };
            auto met = meets(lane);
            if (two) met = hn::Or(met, meets(lane + 1));
            alignas(8) std::uint8_t bytes[8] = {};
            hn::StoreMaskBits(d, met, bytes);
            bits |= (bytes[0] | static_cast<std::uint32_t>(bytes[1]) << 8) << lane;
        }
        return bits;
    }

    static HWY_INLINE bool samples_collide(const DiscColumns<double>& a, std::int64_t i, const DiscColumns<double>& b,
                                           std::int64_t j, std::int64_t count, bool two, const RelativePlacement& p) {
        const hn::CappedTag<double, 8> d;
        const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
        const auto r00 = hn::Set(d, p.b_from_a(0, 0)), r01 = hn::Set(d, p.b_from_a(0, 1));
        const auto r10 = hn::Set(d, p.b_from_a(1, 0)), r11 = hn::Set(d, p.b_from_a(1, 1));
        const double *ax = a.x(i), *ay = a.y(i), *ar = a.radius(i);
        const double *bx = b.x(j), *by = b.y(j), *br = b.radius(j);
        for (std::int64_t k = 0; k < count; k += lanes) {
            const auto x = hn::LoadU(d, ax + k), y = hn::LoadU(d, ay + k), radius = hn::LoadU(d, ar + k);
            const auto in_b_x = hn::Add(hn::Add(hn::Mul(r00, x), hn::Mul(r01, y)), hn::Set(d, p.offset_m.x()));
            const auto in_b_y = hn::Add(hn::Add(hn::Mul(r10, x), hn::Mul(r11, y)), hn::Set(d, p.offset_m.y()));
            const auto meets = [&](std::int64_t at) {
                const auto dx = hn::Sub(in_b_x, hn::LoadU(d, bx + at)), dy = hn::Sub(in_b_y, hn::LoadU(d, by + at));
                const auto reach = hn::Add(radius, hn::LoadU(d, br + at));
                return hn::Lt(hn::Add(hn::Mul(dx, dx), hn::Mul(dy, dy)), hn::Mul(reach, reach));
            };
            auto met = meets(k);
            if (two) met = hn::Or(met, meets(k + 1));
            if (count - k < lanes) met = hn::And(met, hn::FirstN(d, static_cast<std::size_t>(count - k)));
            if (!hn::AllFalse(d, met)) return true;
        }
        return false;
    }
};

bool WideCollide(const WideDiscs& a, const WideDiscs& b, const RelativePlacement& b_from_a, const SampleShift& shift,
                 double size_m, WideCounts& counts) {
    return Search<LaneKernel>{a, b, b_from_a, shift, counts}.run(size_m);
}

}  // namespace
}  // namespace glovebox::collision::clips::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace glovebox::collision::clips {
namespace {

HWY_EXPORT(WideCollide);

struct ScalarKernel {
    static std::uint32_t discs_overlap(const DiscColumns<float>& a, std::int64_t i, const DiscColumns<float>& b,
                                       std::int64_t j, bool two, const HWY_NAMESPACE::Placement32& p) {
        std::uint32_t bits = 0;
        for (std::int64_t lane = 0; lane < HWY_NAMESPACE::kRun; ++lane) {
            const float a_x = *a.x(i + lane), a_y = *a.y(i + lane), a_radius = *a.radius(i + lane);
            const float x = p.cos * a_x - p.sin * a_y + p.x_m;
            const float y = p.sin * a_x + p.cos * a_y + p.y_m;
            for (std::int64_t next = 0; next <= (two ? 1 : 0); ++next) {
                const std::int64_t at_b = j + lane + next;
                const float dx = x - *b.x(at_b), dy = y - *b.y(at_b), reach = a_radius + p.slack_m + *b.radius(at_b);
                if (dx * dx + dy * dy <= reach * reach) bits |= 1U << lane;
            }
        }
        return bits;
    }

    static bool samples_collide(const DiscColumns<double>& a, std::int64_t i, const DiscColumns<double>& b,
                                std::int64_t j, std::int64_t count, bool two, const RelativePlacement& p) {
        const auto sample = [](const DiscColumns<double>& of, std::int64_t k) {
            return ClipSample{{*of.x(k), *of.y(k)}, *of.radius(k)};
        };
        for (std::int64_t k = 0; k < count; ++k) {
            const ClipSample mine = sample(a, i + k);
            const Eigen::Vector2d at_m = p.b_from_a * mine.center_m + p.offset_m;
            if (discs_collide(at_m, mine.radius_m, sample(b, j + k)) ||
                (two && discs_collide(at_m, mine.radius_m, sample(b, j + k + 1))))
                return true;
        }
        return false;
    }
};

// Builds one level: discs around samples or around the discs below, centred on their box, rounded to single precision.
template <typename Below>
WideLevel level_over(const DiscColumns<Below>& below, std::int64_t fan, int log2_below) {
    WideLevel level;
    level.log2_stretch = log2_below + std::countr_zero(static_cast<std::uint64_t>(fan));
    level.discs.resize((below.count() + fan - 1) / fan);
    for (std::int64_t i = 0; i < level.discs.count(); ++i) {
        const std::int64_t first = i * fan, end = std::min((i + 1) * fan, below.count());
        const auto center = [&](std::int64_t k) {
            return Eigen::Vector2d(static_cast<double>(*below.x(k)), static_cast<double>(*below.y(k)));
        };
        Eigen::AlignedBox2d box;
        for (std::int64_t k = first; k < end; ++k) box.extend(center(k));
        const Eigen::Vector2d middle_m = box.center().cast<float>().template cast<double>();
        double radius_m = 0.0;
        for (std::int64_t k = first; k < end; ++k)
            radius_m = std::max(radius_m, (center(k) - middle_m).norm() + static_cast<double>(*below.radius(k)));
        level.discs.set(i, middle_m, std::nextafter(static_cast<float>(radius_m * (1.0 + 1e-12)), 1e30F));
    }
    return level;
}

}  // namespace

template <typename Real>
void DiscColumns<Real>::resize(std::int64_t new_count) {
    // Padding is too far away for its distance to be mistaken, and near enough for its square to be finite.
    constexpr Real kFar = static_cast<Real>(1e17);
    constexpr auto kPerLine = static_cast<std::int64_t>(kLineBytes / sizeof(Real));
    static_assert(kPadding % kPerLine == 0);
    count_ = new_count;
    stride_ = (new_count + 2 * kPadding + kPerLine - 1) / kPerLine * kPerLine;
    Line far;
    far.numbers.fill(kFar);
    lines_.assign(static_cast<std::size_t>(3 * stride_ / kPerLine), far);
    std::fill_n(mutable_x(2 * stride_ - kPadding), stride_, Real{0});
}

template <typename Real>
void DiscColumns<Real>::set(std::int64_t i, const Eigen::Vector2d& center_m, Real radius_m) {
    *mutable_x(i) = static_cast<Real>(center_m.x());
    *mutable_x(stride_ + i) = static_cast<Real>(center_m.y());
    *mutable_x(2 * stride_ + i) = radius_m;
}

template class DiscColumns<float>;
template class DiscColumns<double>;

std::size_t WideDiscs::memory_bytes() const {
    std::size_t bytes = samples.memory_bytes();
    for (const WideLevel& level : levels) bytes += level.discs.memory_bytes();
    return bytes;
}

WideDiscs make_wide_discs(std::span<const ClipSample> samples) {
    WideDiscs wide;
    wide.samples.resize(static_cast<std::int64_t>(samples.size()));
    for (std::size_t i = 0; i < samples.size(); ++i)
        wide.samples.set(static_cast<std::int64_t>(i), samples[i].center_m, samples[i].radius_m);
    wide.levels.push_back(level_over(wide.samples, kWideLeaf, 0));
    while (wide.levels.back().discs.count() > 1)
        wide.levels.push_back(level_over(wide.levels.back().discs, kWideFan, wide.levels.back().log2_stretch));
    return wide;
}

bool wide_collide(const WideDiscs& a, const WideDiscs& b, const RelativePlacement& b_from_a, const SampleShift& shift,
                  double size_m, WideCounts& counts) {
    return HWY_DYNAMIC_DISPATCH(WideCollide)(a, b, b_from_a, shift, size_m, counts);
}

bool wide_collide_scalar(const WideDiscs& a, const WideDiscs& b, const RelativePlacement& b_from_a,
                         const SampleShift& shift, double size_m, WideCounts& counts) {
    return HWY_NAMESPACE::Search<ScalarKernel>{a, b, b_from_a, shift, counts}.run(size_m);
}

}  // namespace glovebox::collision::clips
#endif
