// Diagnoses the contents and the defects of a recording. The commands `info` and `doctor` print the results.
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

/// Findings on one hand.
struct HandDiagnosis {
    std::int64_t active = 0;                                    ///< samples that have the hand
    std::array<std::int64_t, tracking::kJointCount> missing{};  ///< per joint: active samples that lack it
    std::array<bool, tracking::kJointCount> placed{};           ///< joints that were never measured, but placed by rule
    std::optional<tracking::Side> bend_side;                    ///< left or right, from the bend of the fingers
    double bend_agreement = 0.0;  ///< share of the bend that agrees with bend_side, 0.5..1
    float length_m = 0.0F;        ///< median from wrist to middle fingertip; 0: unknown
    float bone_spread = 0.0F;     ///< largest relative spread (10th to 90th percentile) of a finger bone's length
    std::optional<tracking::Joint> long_bone;  ///< distal end of the longest bone that is longer than any hand's
    float long_bone_m = 0.0F;                  ///< its median length
    std::int64_t repeats = 0;                  ///< poses that are bit-identical to the previous one
    std::int64_t longest_repeat = 0;           ///< longest run of such poses
    std::int64_t quaternion_flips = 0;         ///< quaternions that change sign without a rotation, summed over joints
    bool fingers_measured = false;             ///< a joint of a finger was measured, not placed by rule
    bool oriented = false;                     ///< the source measured orientations
    bool fingers_move = false;                 ///< a finger bends during the recording
    float largest_turn_rad = 0.0F;  ///< largest turn of a finger bone relative to the hand between two samples
    double largest_turn_at_s = 0.0;
    std::array<std::uint64_t, tracking::kQuarantineCount> quarantine{};  ///< hands the guard would quarantine, by cause
};

/// Findings on a recording.
struct Diagnosis {
    std::int64_t samples = 0;
    double duration_s = 0.0;
    double median_rate_hz = 0.0, mean_rate_hz = 0.0;
    double shortest_step_s = 0.0, median_step_s = 0.0, longest_step_s = 0.0, longest_step_at_s = 0.0;
    std::vector<std::pair<double, double>> gaps;  ///< result of gaps() in recording.h
    std::int64_t equal_stamps = 0;                ///< samples with the same time as the previous one
    std::int64_t backward_steps = 0;              ///< samples with an earlier time than the previous one
    double farthest_back_s = 0.0;                 ///< the largest backward step, as a positive number
    std::int64_t first_backward_sample = 0;       ///< index of the first of these samples
    tracking::PerSide<HandDiagnosis> hands;
};

/// Computes the diagnosis in one pass over the samples.
Diagnosis diagnose(const Recording& recording);

/// Returns the text of `info`: one line per fact.
std::string info_text(const Recording& recording, const Diagnosis& diagnosis);
/// Returns the text of `doctor`: that of `info`, and a line for each finding with its name, how often it occurs and
/// what it means.
std::string doctor_text(const Recording& recording, const Diagnosis& diagnosis);

/// Returns the findings of `doctor` that make a recording unfit for measurements, one line each. These are gaps, a
/// file that is cut off, a hand that is mostly lost, jumps, a wrong side, size or clock, and hands that the guard
/// quarantines.
std::vector<std::string> serious_findings(const Recording& recording, const Diagnosis& diagnosis);

/// Returns the text of `info` for the motion of an object instead of hands.
std::string track_text(const std::string& path, const tracking::RigidTrack& track);

}  // namespace glovebox::recordings
