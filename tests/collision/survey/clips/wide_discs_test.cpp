#include "collision/survey/clips/wide_discs.h"

#include <gtest/gtest.h>

#include "collision/survey/clips/walks.h"

namespace glovebox::collision::clips {
namespace {

// The oracle: every pair of samples that share time, by their indices.
bool brute(const Clip& a, const Clip& b, const RelativePlacement& placed, const SampleShift& shift) {
    const auto count_b = static_cast<std::int64_t>(b.samples.size());
    for (std::int64_t i = 0; i < static_cast<std::int64_t>(a.samples.size()); ++i) {
        const ClipSample& mine = a.samples[static_cast<std::size_t>(i)];
        const Eigen::Vector2d at_m = placed.b_from_a * mine.center_m + placed.offset_m;
        for (std::int64_t j = i + shift.first; j <= i + shift.last; ++j)
            if (j >= 0 && j < count_b && discs_collide(at_m, mine.radius_m, b.samples[static_cast<std::size_t>(j)]))
                return true;
    }
    return false;
}

double reach_m(const Clip& clip) {
    double reach = 0.0;
    for (const ClipSample& s : clip.samples) reach = std::max(reach, s.center_m.cwiseAbs().maxCoeff() + s.radius_m);
    return reach;
}

struct Outcome {
    bool hit;
    WideCounts counts;
};
template <typename Collide>
Outcome query(Collide collide, const Clip& a, const Clip& b, const RelativePlacement& placed,
              const SampleShift& shift) {
    Outcome out{};
    const double size_m = placed.offset_m.cwiseAbs().maxCoeff() + reach_m(a) + reach_m(b);
    out.hit = collide(make_wide_discs(a.samples), make_wide_discs(b.samples), placed, shift, size_m, out.counts);
    return out;
}

TEST(WideDiscs, AnswerAsEveryPairOfSamplesDoesAndCountAsOneByOne) {
    Dice dice(1);
    constexpr int kCases = 1500;
    int hits = 0, few = 0, split = 0;
    for (int k = 0; k < kCases; ++k) {
        // From a single sample to two levels of discs.
        const auto samples = [&] {
            return static_cast<int>(1 + dice.below(k % 3 == 0 ? 70U : k % 3 == 1 ? 600U : 3000U));
        };
        const Clip a = circling(dice, samples(), 0.4), b = wandering(dice, samples(), 0.4);
        const double reach = k % 3 == 0 ? 1.0 : 2.5;
        ClipPlacement there = placed(dice.uniform(0, 7), {dice.uniform(-reach, reach), dice.uniform(-reach, reach)},
                                     dice.uniform(-b.duration_s(), a.duration_s()));
        const bool whole = dice.below(2) == 0;
        if (whole) there.start_s = a.dt_s * std::round(there.start_s / a.dt_s);
        const RelativePlacement placed = relative({}, there);
        const SampleShift shift = sample_shift(placed.start_s, a.dt_s);
        const Outcome lanes = query(wide_collide, a, b, placed, shift);
        const Outcome scalar = query(wide_collide_scalar, a, b, placed, shift);
        ASSERT_EQ(lanes.hit, brute(a, b, placed, shift)) << "case " << k;
        ASSERT_EQ(scalar.hit, lanes.hit) << "case " << k;
        ASSERT_EQ(scalar.counts.discs, lanes.counts.discs) << "case " << k;
        ASSERT_EQ(scalar.counts.samples, lanes.counts.samples) << "case " << k;
        ASSERT_EQ(scalar.counts.leaves, lanes.counts.leaves) << "case " << k;
        hits += lanes.hit ? 1 : 0;
        few += lanes.counts.discs == 0 ? 1 : 0;
        split += shift.last > shift.first ? 1 : 0;
    }
    EXPECT_GT(hits, kCases / 10);
    EXPECT_LT(hits, kCases * 9 / 10);
    EXPECT_GT(few, kCases / 10) << "compared without discs";
    EXPECT_LT(few, kCases * 9 / 10);
    EXPECT_GT(split, kCases / 3) << "offsets that are not whole samples";
}

// Only two samples overlap, at any position: at the ends of clips, leaves, runs and levels.
TEST(WideDiscs, MissNoSampleWhereverItIs) {
    Clip far = standing(2500, 0.1), here = standing(2500, 0.1);
    for (ClipSample& sample : far.samples) sample.center_m = {50.0, 0.0};
    for (const std::int64_t first : {-2499, -1030, -1024, -9, -1, 0, 1, 7, 8, 300, 1023, 2498})
        for (const bool two : {false, true})
            for (const std::int64_t i : {0, 1, 7, 8, 127, 128, 1023, 1024, 1025, 2047, 2498, 2499})
                for (std::int64_t j = i + first; j <= i + first + (two ? 1 : 0); ++j) {
                    if (j < 0 || j >= 2500) continue;
                    Clip a = far;
                    a.samples[static_cast<std::size_t>(i)].center_m = {0.0, 0.0};
                    Clip b = here;
                    for (ClipSample& sample : b.samples) sample.center_m = {-50.0, 0.0};
                    b.samples[static_cast<std::size_t>(j)].center_m = {0.15, 0.0};
                    const SampleShift shift{first, first + (two ? 1 : 0)};
                    const RelativePlacement placed = relative({}, {});
                    EXPECT_TRUE(query(wide_collide, a, b, placed, shift).hit) << i << " meets " << j;
                    b.samples[static_cast<std::size_t>(j)].center_m = {0.2, 0.0};
                    EXPECT_FALSE(query(wide_collide, a, b, placed, shift).hit) << i << " only touches " << j;
                }
}

TEST(WideDiscs, HoldTheSamplesBelowThem) {
    Dice dice(4);
    const Clip clip = circling(dice, 3000, 0.3);
    const WideDiscs wide = make_wide_discs(clip.samples);
    ASSERT_EQ(wide.levels.size(), 3U);
    for (const WideLevel& level : wide.levels)
        for (std::size_t i = 0; i < clip.samples.size(); ++i) {
            const std::int64_t disc = static_cast<std::int64_t>(i) >> level.log2_stretch;
            const Eigen::Vector2d center_m(static_cast<double>(*level.discs.x(disc)),
                                           static_cast<double>(*level.discs.y(disc)));
            EXPECT_LE((clip.samples[i].center_m - center_m).norm() + clip.samples[i].radius_m,
                      static_cast<double>(*level.discs.radius(disc)) * (1.0 + 1e-9));
        }
    EXPECT_EQ(wide.levels[0].discs.count(), (3000 + kWideLeaf - 1) / kWideLeaf);
    EXPECT_EQ(make_wide_discs(standing(1, 0.3).samples).levels.size(), 1U);
}

}  // namespace
}  // namespace glovebox::collision::clips
