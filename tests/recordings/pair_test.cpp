// Two files that are one recording: what their clocks tell, and what the user is told.
#include "recordings/pair.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "recordings/load.h"
#include "tests/recordings/files.h"

namespace glovebox::recordings {
namespace {

using testing::HasSubstr;
using tracking::Side;

constexpr double kBoot_s = 5000.0;         // a device's clock, since it was switched on
constexpr double kUnix_s = 1'700'000'000;  // a day in 2023

// A hand in a file of its own, whose clock begins at `begin_s`.
Recording file_of(Side side, double begin_s, double length_s) {
    Recording recording;
    recording.path = std::string(name_of(side)) + ".csv";
    for (int i = 0; i <= static_cast<int>(50.0 * length_s); ++i) {
        tracking::HandPair& sample = recording.samples.emplace_back();
        sample.time_ns = std::llround(1e9 * i / 50.0);
        sample[side] = closing_hand(0, side);
        sample[side].times.device_ns = std::llround(1e9 * begin_s) + sample.time_ns;
    }
    return recording;
}

std::string note_of(const Recording& a, const Recording& b, std::optional<double> offset_s = {}) {
    try {
        return joined(a, b, offset_s).notes.back();
    } catch (const ImportError& error) {
        return error.what();
    }
}

TEST(Pair, FilesThatBeginAndEndTogetherAreOneTake) {
    for (const double clock_s : {0.0, kBoot_s, kUnix_s}) {
        const std::string note = note_of(file_of(Side::left, clock_s, 20.0), file_of(Side::right, clock_s + 0.3, 19.8));
        EXPECT_THAT(note, HasSubstr(clock_s > 0.0 ? "one take, by the clock in both: they share 19.7 of 20.1 s."
                                                  : "they begin and end together: they share 19.7 of 20.1 s."))
            << clock_s;
    }
}

TEST(Pair, ClocksNearZeroAreNoEvidence) {
    const Recording left = file_of(Side::left, 0.0, 20.0), right = file_of(Side::right, 0.1, 3.0);
    for (const std::string& note : {note_of(left, right), note_of(right, left)}) {
        EXPECT_THAT(note, HasSubstr("need not be one clock: they share 3.0 of 20.0 s; if these are two takes"));
        EXPECT_THAT(note, HasSubstr("--offset SECONDS"));
    }
    // The same lengths on a clock that runs since the device was switched on are of one take.
    const std::string note = note_of(file_of(Side::left, kBoot_s, 20.0), file_of(Side::right, kBoot_s + 0.1, 3.0));
    EXPECT_THAT(note, HasSubstr("by the clock in both: they share 3.0 of 20.0 s."));
}

TEST(Pair, ASmallOverlapIsToldWhateverTheClock) {
    const Recording left = file_of(Side::left, kBoot_s, 20.0), right = file_of(Side::right, kBoot_s + 17.0, 20.0);
    for (const std::string& note : {note_of(left, right), note_of(right, left)})
        EXPECT_THAT(note, HasSubstr("they share 3.0 of 37.0 s; if these are two takes"));
}

TEST(Pair, FilesThatShareNoTimeAreRefused) {
    const Recording left = file_of(Side::left, kUnix_s, 20.0);
    for (const double later_s : {21.0, -60.0, 3600.0}) {
        const Recording right = file_of(Side::right, kUnix_s + later_s, 20.0);
        EXPECT_THAT(note_of(left, right), HasSubstr("does not overlap")) << later_s;
        EXPECT_THAT(note_of(left, right), HasSubstr("--offset SECONDS")) << later_s;
        EXPECT_EQ(note_of(left, right, 0.0), "Two files of one take, with the offset given.");
    }
    // Clocks with a zero of their own do not tell; both are played from their start.
    EXPECT_THAT(note_of(file_of(Side::left, 0.0, 20.0), file_of(Side::right, kBoot_s, 4.0)),
                HasSubstr("no clock in common; both are played from their start: they share 4.0 of 20.0 s; if"));
}

}  // namespace
}  // namespace glovebox::recordings
