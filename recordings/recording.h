// A recording in memory: samples in time order, unchanged from the source.
//
// Gaps, jitter, repeats and drop-outs are data and are kept. `notes` lists all values that were added.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tracking/hand_frame.h"
#include "tracking/hand_profile.h"

namespace glovebox::recordings {

/// Samples, profiles and facts of one recording.
struct Recording {
    std::string path;                         ///< as the user gave it
    std::string format;                       ///< name of the format
    float unit_m = 1.0F;                      ///< length of the file's unit, given or guessed
    std::vector<tracking::HandPair> samples;  ///< time_ns starts at 0 and does not decrease (but see any_order)
    tracking::PerSide<tracking::HandProfile> profiles;  ///< fitted to the samples
    bool in_scene = false;                              ///< true if in a scene's own coordinates; must not be moved
    std::string scene;                                  ///< built-in scene for which it was made; empty: any
    std::vector<std::string> notes;                     ///< what was synthesised, one sentence each
    std::vector<std::string> doubts;                    ///< those notes that are findings of `doctor`, with their marks
    std::optional<double> side_confidence;              ///< 0.5..1, if left or right was found from the hand's shape
    std::map<std::string, std::string> meta;            ///< header of a log ("scene", "placement" ...)
    std::vector<std::uint64_t> state_hashes;            ///< by sample, if the log was recorded with a scene; 0: no hash

    bool has(tracking::Side side) const;
    double duration_s() const;
    double longest_gap_s() const;
    double rate_hz() const;  ///< one over the median step, without steps below 0.5 ms; 0 for fewer than two samples
};

/// Returns the gaps of a recording, which are all steps longer than three times the median step. Each has a begin and
/// an end, in seconds.
std::vector<std::pair<double, double>> gaps(const Recording& recording);

}  // namespace glovebox::recordings
