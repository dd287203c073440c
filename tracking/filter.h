// The One-Euro filter for a whole hand: less jitter when the hand is slow, little lag when it is fast.
//
// It is a first-order low pass whose cutoff rises with the speed of its input. Every joint is filtered separately in
// the world frame. Positions use the speed of the vector, so that the result does not depend on the axes. Orientations
// are filtered along the shortest turn. Time steps are those of the frames, so the rate may be arbitrary and variable.
//
// Method: [Casiez12], with two departures. A sample's weight is exact for its time step, 1 - exp(-2 pi f dt), not the
// paper's approximation, so a step settles equally fast at every rate. The speed is that of the raw samples. The paper
// uses the previous filtered sample, which would count the filter's own lag as motion.
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
    double min_cutoff_hz = 1.0;  ///< cutoff at rest. Lower: less jitter, but slow motion lags by 0.16 s / cutoff
    double beta = 50.0;          ///< cutoff in Hz per m/s of speed. Higher: less lag of fast motion, more jitter
    double derivative_cutoff_hz =
        5.0;  ///< low pass of the speed, so that jitter does not count as speed; 1 Hz in the paper
    std::int64_t gap_ns = 100'000'000;  ///< a longer time step restarts the filter; equals the guard's hold

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

    /// Copies the frame with its valid joints smoothed; flags, radii, times and source stay. The filter restarts at the
    /// first or a discontinuous frame, after a gap or an inactive frame, and when time runs backwards. It copies such a
    /// frame unchanged. A held hand, and a second frame at the same time, get the last smoothed pose. Joints that are
    /// not finite are copied, and their filter restarts. Constant cost, no allocation, never throws. `in` and `out` may
    /// be the same.
    void pass(const HandFrame& in, HandFrame& out);
};

}  // namespace glovebox::tracking
