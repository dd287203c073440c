#include "collision/survey/clips/clip.h"

#include <gtest/gtest.h>

#include <limits>
#include <stdexcept>

namespace glovebox::collision::clips {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::string refusal(const Clip& clip) {
    try {
        check(clip);
    } catch (const std::invalid_argument& e) {
        return e.what();
    }
    return "";
}

TEST(Clip, OneSampleAndStandingStillAreLegal) {
    EXPECT_EQ(refusal({{{{0, 0}, 0.0}}, 0.1}), "");
    EXPECT_EQ(refusal({{{{1, 2}, 0.5}, {{1, 2}, 0.5}}, 0.1}), "");
}

TEST(Clip, BadNumbersAreRefusedWithTheirRow) {
    EXPECT_NE(refusal({{}, 0.1}).find("no samples"), std::string::npos);
    EXPECT_NE(refusal({{{{0, 0}, 1.0}}, 0.0}).find("spacing"), std::string::npos);
    EXPECT_NE(refusal({{{{0, 0}, 1.0}}, kNan}).find("spacing"), std::string::npos);
    EXPECT_NE(refusal({{{{0, 0}, 1.0}, {{kNan, 0}, 1.0}}, 0.1}).find("sample 1: the position"), std::string::npos);
    EXPECT_NE(refusal({{{{0, kInfinity}, 1.0}}, 0.1}).find("sample 0: the position"), std::string::npos);
    EXPECT_NE(refusal({{{{0, 0}, -0.1}}, 0.1}).find("sample 0: the radius"), std::string::npos);
    EXPECT_NE(refusal({{{{0, 0}, kNan}}, 0.1}).find("sample 0: the radius"), std::string::npos);
}

TEST(Clip, TimedSamplesAreHeldUntilTheNextOne) {
    const std::vector<TimedDisc> discs = {{10.0, {{0, 0}, 1}}, {10.15, {{1, 0}, 1}}, {10.4, {{2, 0}, 1}}};
    const Clip clip = clip_from_timed(discs, 0.1);
    std::vector<double> x;
    for (const ClipSample& s : clip.samples) x.push_back(s.center_m.x());
    EXPECT_EQ(x, (std::vector<double>{0, 0, 1, 1, 2}));
}

TEST(Clip, TimesThatGoBackRepeatOrAreNotFiniteAreRefused) {
    const ClipSample disc{{0, 0}, 1};
    EXPECT_THROW(clip_from_timed(std::vector<TimedDisc>{{0.0, disc}, {0.2, disc}, {0.1, disc}}, 0.1),
                 std::invalid_argument);
    EXPECT_THROW(clip_from_timed(std::vector<TimedDisc>{{0.0, disc}, {0.0, disc}}, 0.1), std::invalid_argument);
    EXPECT_THROW(clip_from_timed(std::vector<TimedDisc>{{kNan, disc}}, 0.1), std::invalid_argument);
    EXPECT_THROW(clip_from_timed(std::vector<TimedDisc>{}, 0.1), std::invalid_argument);
    EXPECT_THROW(clip_from_timed(std::vector<TimedDisc>{{0.0, disc}, {1e300, disc}}, 0.1), std::invalid_argument);
}

TEST(SampleShift, WholeOffsetsMeetOneSampleAndOthersTwo) {
    EXPECT_EQ(sample_shift(0.3, 0.1).first, 3);  // 0.3 / 0.1 is not 3 in floating point
    EXPECT_EQ(sample_shift(0.3, 0.1).last, 3);
    EXPECT_EQ(sample_shift(-0.25, 0.1).first, -3);
    EXPECT_EQ(sample_shift(-0.25, 0.1).last, -2);
    const SampleShift far = sample_shift(1e300, 1e-3);
    EXPECT_FALSE(far.share_time(0, 1000, 0, 1000));
}

TEST(SampleShift, RangesShareTimeAsTheirSamplesDo) {
    int shared = 0, cases = 0;
    for (const double offset : {-0.7, -0.35, -0.1, 0.0, 0.05, 0.2, 0.62}) {
        const SampleShift shift = sample_shift(offset, 0.1);
        for (int a0 = 0; a0 < 5; ++a0)
            for (int a1 = a0 + 1; a1 < 7; ++a1)
                for (int b0 = 0; b0 < 5; ++b0)
                    for (int b1 = b0 + 1; b1 < 7; ++b1) {
                        bool any = false;
                        for (int i = a0; i < a1; ++i)
                            for (int j = b0; j < b1; ++j)
                                any |=
                                    offset + 0.1 * i < 0.1 * (j + 1) - 1e-9 && 0.1 * j < offset + 0.1 * (i + 1) - 1e-9;
                        ASSERT_EQ(shift.share_time(a0, a1, b0, b1), any)
                            << offset << " [" << a0 << "," << a1 << ") [" << b0 << "," << b1 << ")";
                        shared += any ? 1 : 0;
                        ++cases;
                    }
    }
    EXPECT_GT(shared, cases / 10);
    EXPECT_LT(shared, cases * 9 / 10);
}

TEST(Placement, NotFiniteIsRefused) {
    EXPECT_THROW(relative(placed(0.0, {kNan, 0}, 0.0), {}), std::invalid_argument);
    EXPECT_THROW(relative({}, placed(0.0, {0, 0}, kInfinity)), std::invalid_argument);
    EXPECT_THROW(relative(placed(kNan, {0, 0}, 0.0), {}), std::invalid_argument);
}

}  // namespace
}  // namespace glovebox::collision::clips
