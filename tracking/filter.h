// The One-Euro filter of a whole hand: less jitter where the hand is slow, little lag where it is fast.
//
// A first-order low pass whose cutoff rises with the speed of what it filters. Every joint is filtered by itself, in
// the world's frame: its position by the speed of the vector (so that the result does not depend on the axes), its
// orientation along the shortest turn. Times are the frames' own, so a source may have any rate, and a changing one.
//
// Method: [Casiez12]. Two departures. The weight of a sample is the exact one for its time step, 1 - exp(-2 pi f dt),
// not the paper's approximation: a step then settles alike at every rate. The speed is that of the raw samples, not
// from the filtered one before to the raw one now, which would count the filter's own lag as motion.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "tracking/hand_frame.h"

namespace glovebox::tracking {

/// Parameters of the filter.
struct FilterSettings {
    bool on = false;             ///< off by default: a filter hides what the tracker measured
    double min_cutoff_hz = 1.0;  ///< of a hand at rest. Lower: less jitter, and slow motion lags by 0.16 s / cutoff
    double beta = 50.0;          ///< hertz of cutoff per metre a second. Higher: less lag of fast motion, more jitter
    double derivative_cutoff_hz =
        5.0;  ///< low pass of the speed, so that jitter does not count as speed; 1 Hz in the paper
    std::int64_t gap_ns = 100'000'000;  ///< a longer step starts over; the guard holds a hand for the same time

    bool operator==(const FilterSettings&) const = default;
};

/// Parses "off", "one-euro" or "one-euro:MINCUTOFF_HZ,BETA". Throws std::runtime_error with one line.
FilterSettings parse_filter(std::string_view text);
/// Returns the text that parse_filter() reads; logs store it.
std::string text_of(const FilterSettings& settings);

/// State of one joint.
struct FilteredJoint {
    Eigen::Vector3d raw_m = Eigen::Vector3d::Zero(), smooth_m = Eigen::Vector3d::Zero();
    Eigen::Vector3d velocity_m_s = Eigen::Vector3d::Zero(), turn_rad_s = Eigen::Vector3d::Zero();  ///< smoothed
    Eigen::Quaterniond raw = Eigen::Quaterniond::Identity(), smooth = Eigen::Quaterniond::Identity();
    bool has_position = false, has_orientation = false;
};

/// State of one hand's filter. One per hand; plain values, copyable.
struct HandFilter {
    FilterSettings settings;
    std::array<FilteredJoint, kJointCount> joints;
    std::int64_t last_ns = 0;  ///< common time of the last frame that was filtered
    bool running = false;

    /// Copies the frame with its valid joints smoothed; flags, radii, times and source stay. The filter starts over at
    /// the first frame, a discontinuous one, after a gap or an inactive frame, and when time runs backwards; it copies
    /// such a frame unchanged. A held hand, and a second frame at the same time, get the last smoothed pose. Joints
    /// that are not finite are copied and forgotten. Constant cost, no allocation, never throws. `in` and `out` may be
    /// the same.
    void pass(const HandFrame& in, HandFrame& out);
};

}  // namespace glovebox::tracking
