// Two hands that move at the same moments, recorded on clocks with a known offset.
#include "recordings/clock_offset.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "recordings/load.h"
#include "recordings/pair.h"
#include "tests/recordings/files.h"

namespace glovebox::recordings {
namespace {

using testing::HasSubstr;
using tracking::Side;

// A hand's displacement over time: strokes at random moments, the same for both hands if the seed is equal.
struct Strokes {
    explicit Strokes(unsigned seed, double period_s = 0.0) {
        std::mt19937 random(seed);
        std::uniform_real_distribution<double> wait(0.4, 2.5), reach(0.05, 0.3);
        for (double at = 0.5; at<60.0; at += period_s> 0.0 ? period_s : wait(random)) {
            begins_s.push_back(at);
            reaches_m.push_back(period_s > 0.0 ? 0.1 : reach(random));
        }
    }
    double at(double time_s) const {
        double way_m = 0.0;
        for (std::size_t i = 0; i < begins_s.size(); ++i) {
            const double share = std::clamp((time_s - begins_s[i]) / 0.3, 0.0, 1.0);
            way_m += reaches_m[i] * (3.0 - 2.0 * share) * share * share;
        }
        return way_m;
    }
    std::vector<double> begins_s, reaches_m;
};

// Records a hand from `begin_s` of the world's time on; the file's time starts at zero there.
Recording recorded(const Strokes& strokes, Side side, double begin_s, double length_s, double rate_hz, unsigned seed) {
    std::mt19937 random(seed);
    std::normal_distribution<float> noise(0.0F, 0.0003F);
    Recording recording;
    recording.path = std::string(name_of(side)) + ".csv";
    for (int i = 0; i < static_cast<int>(length_s * rate_hz); ++i) {
        const double time_s = i / rate_hz;
        tracking::HandPair& sample = recording.samples.emplace_back();
        sample.time_ns = std::llround(1e9 * time_s);
        tracking::HandFrame& hand = sample[side] = closing_hand(0, side);
        hand.times.device_ns = sample.time_ns + (side == Side::left ? 0 : 1'000'000'000'000'000LL);
        // Left and right move in opposite directions, as in clapping.
        const Eigen::Vector3f way(static_cast<float>((side == Side::left ? 1.0 : -1.0) * strokes.at(begin_s + time_s)),
                                  0.0F, 0.0F);
        for (tracking::JointPose& joint : hand.joints)
            joint.position_m += way + Eigen::Vector3f(noise(random), noise(random), noise(random));
    }
    return recording;
}

TEST(ClockOffset, IsFoundFromWhenBothMove) {
    for (const double later_s : {3.217, -4.5, 0.0, 11.0}) {
        const Strokes strokes(5);
        const Recording left = recorded(strokes, Side::left, 12.0, 30.0, 90.0, 1),
                        right = recorded(strokes, Side::right, 12.0 + later_s, 25.0, 120.0, 2);
        const auto found = correlate_clocks(left, Side::left, right, Side::right);
        ASSERT_TRUE(found);
        EXPECT_NEAR(found->offset_s, later_s, 0.01);
        EXPECT_TRUE(found->is_sure()) << found->correlation << " " << found->next_best;
        const auto back = correlate_clocks(right, Side::right, left, Side::left);
        ASSERT_TRUE(back);
        EXPECT_NEAR(back->offset_s, -later_s, 0.01) << "the other way round";
    }
}

TEST(ClockOffset, JoinsTwoFilesAndSaysSo) {
    const Strokes strokes(6);
    Recording left = recorded(strokes, Side::left, 2.0, 20.0, 100.0, 1),
              right = recorded(strokes, Side::right, 4.5, 15.0, 100.0, 2);
    left.notes = {"Of both.", "Of one."};
    right.notes = {"Of the other.", "Of both."};
    const Recording both = joined(left, right, kOffsetByMotion);
    EXPECT_THAT(std::vector<std::string>(both.notes.begin(), both.notes.begin() + 3),
                testing::ElementsAre("Of both.", "left: Of one.", "right: Of the other."));
    EXPECT_THAT(both.notes.back(), HasSubstr("by their motion the second is 2.50 s later"));
    // The right hand's first sample is next to the left hand's at 2.5 s.
    EXPECT_FALSE(both.samples[245][Side::right].active);
    EXPECT_TRUE(both.samples[255][Side::right].active);
    // The right hand goes on for five seconds after the left one ends.
    const Recording early = joined(left, right, 10.0);
    EXPECT_THAT(early.notes, testing::Contains("500 samples of the right hand left out: the other file has no sample "
                                               "beside them."));
    EXPECT_THAT(both.notes, testing::Not(testing::Contains(HasSubstr("left out"))));
}

TEST(ClockOffset, IsNotGuessedFromMotionThatDoesNotTell) {
    const auto refused = [](const Recording& left, const Recording& right) -> std::string {
        try {
            joined(left, right, kOffsetByMotion);
        } catch (const ImportError& error) {
            return error.what();
        }
        return "joined";
    };
    const Recording left = recorded(Strokes(7), Side::left, 0.0, 20.0, 100.0, 1);
    EXPECT_THAT(refused(left, recorded(Strokes(8), Side::right, 0.0, 20.0, 100.0, 2)), HasSubstr("does not tell"));
    const Strokes beat(0, 1.0);
    EXPECT_THAT(
        refused(recorded(beat, Side::left, 0.0, 20.0, 100.0, 1), recorded(beat, Side::right, 3.0, 20.0, 100.0, 2)),
        HasSubstr("does not tell"));
    EXPECT_THAT(refused(left, recorded(Strokes(7), Side::right, 0.0, 1.0, 100.0, 2)), HasSubstr("two seconds"));
}

}  // namespace
}  // namespace glovebox::recordings
