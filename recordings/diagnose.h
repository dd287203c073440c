// What is in a recording and what is wrong with it: the values behind `info` and `doctor`.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "recordings/recording.h"
#include "tracking/guard.h"
#include "tracking/rigid_track.h"

namespace glovebox::recordings {

struct HandDiagnosis {
    std::int64_t active = 0;                                    ///< samples in which the hand is there
    std::array<std::int64_t, tracking::kJointCount> missing{};  ///< of those, samples in which a joint is not
    std::array<bool, tracking::kJointCount> placed{};           ///< joints that were never measured, but placed by rule
    std::optional<tracking::Side> bend_says;                    ///< left or right by the way the fingers bend
    double bend_agreement = 0.0;                                ///< share of the bend that says so, 0.5..1
    float length_m = 0.0F;                                      ///< wrist to middle fingertip, median; 0 if not known
    float bone_spread = 0.0F;           ///< largest relative spread (10th to 90th percentile) of a finger bone's length
    std::int64_t repeats = 0;           ///< poses that repeat the one before to the last bit
    std::int64_t longest_repeat = 0;    ///< in a row
    std::int64_t quaternion_flips = 0;  ///< orientations that change sign without turning, summed over joints
    bool oriented = false;              ///< the source measured orientations
    bool fingers_move = false;
    float largest_turn_rad = 0.0F;  ///< of a finger bone against the hand, from one sample to the next
    double largest_turn_at_s = 0.0;
    std::array<std::uint64_t, tracking::kQuarantineCount> quarantine{};  ///< what the guard would hold back
};

struct Diagnosis {
    std::int64_t samples = 0;
    double duration_s = 0.0;
    double median_rate_hz = 0.0, mean_rate_hz = 0.0;
    double shortest_step_s = 0.0, median_step_s = 0.0, longest_step_s = 0.0, longest_step_at_s = 0.0;
    std::vector<std::pair<double, double>> gaps;  ///< as gaps() of recording.h
    std::int64_t equal_stamps = 0;                ///< samples with the time of the one before
    std::int64_t backward_steps = 0;              ///< samples with an earlier time than the one before
    double farthest_back_s = 0.0;                 ///< the largest of these steps, above 0
    std::int64_t first_backward_sample = 0;       ///< its number, from 0
    tracking::PerSide<HandDiagnosis> hands;
};

/// Looks at everything once. Linear in the recording.
Diagnosis diagnose(const Recording& recording);

/// One line a fact, for people: what is there.
std::string info_text(const Recording& recording, const Diagnosis& diagnosis);
/// The same, and what to think of it: each finding a line that says what, how often and what it means.
std::string doctor_text(const Recording& recording, const Diagnosis& diagnosis);

/// Of doctor's findings those that make a recording unfit for numbers to be drawn from: gaps, jumps, wrong side, size,
/// clock, and what the guard holds back. One line each.
std::vector<std::string> serious_findings(const Recording& recording, const Diagnosis& diagnosis);

/// The motion of an object, which is no recording of hands but is motion too.
std::string track_text(const std::string& path, const tracking::RigidTrack& track);

}  // namespace glovebox::recordings
