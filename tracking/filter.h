// The One-Euro filter for a whole hand: less jitter when the hand is slow, little lag when it is fast.
//
// It is a first-order low pass whose cutoff rises with the speed of its input. Every joint is filtered separately in
// the world frame. The cutoff for a position depends on the speed of the whole vector, so the result does not depend on
// the choice of axes. Orientations are filtered along the shortest rotation. Time steps come from the frames, so the
// frame rate may be arbitrary and may vary.
//
// The method is that of [Casiez12] with two changes. First, the weight of a sample is 1 - exp(-2 pi f dt), which is
// exact; the paper approximates it. A step response therefore takes the same time at every frame rate. Second, the
// speed is the difference of two raw samples. The paper subtracts the previous filtered sample, which counts the lag of
// the filter as motion.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "tracking/hand_frame.h"

namespace glovebox::tracking {

/// Parameters of the filter.
struct FilterSettings {
    bool on = false;  ///< off by default: a filter hides what the tracker measured
    /// Cutoff at rest. A lower cutoff gives less jitter, but slow motion lags by 0.16 s divided by the cutoff in Hz.
    double min_cutoff_hz = 1.0;
    /// Increase of the cutoff, in Hz for each m/s of speed. A higher value gives less lag in fast motion and more
    /// jitter.
    double beta = 50.0;
    /// Cutoff of the low pass that smooths the speed, so that jitter does not count as speed. The paper uses 1 Hz.
    double derivative_cutoff_hz = 5.0;
    /// A time step longer than this restarts the filter. The default is the time for which the guard holds a pose.
    std::int64_t gap_ns = 100'000'000;

    bool operator==(const FilterSettings&) const = default;
};

constexpr double kMaxCutoff_hz = 1000.0, kMaxBeta = 1e6;  ///< of the parameters that users may set

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

/// State of the filter for one hand; every hand needs its own. The state is plain values and may be copied.
struct HandFilter {
    FilterSettings settings;
    std::array<FilteredJoint, kJointCount> joints;
    std::int64_t last_ns = 0;  ///< common time of the last frame that was filtered
    bool running = false;      ///< false: the next frame restarts the filter

    /// Copies the frame with its valid joints smoothed; flags, radii, times and source stay. The filter restarts at the
    /// first frame, at a discontinuous frame, after a gap, after an inactive frame, and when time runs backwards. It
    /// copies such a frame unchanged. The last smoothed pose replaces a held hand and a second frame with the same
    /// time. A joint that is not finite is copied, and its filter restarts. Constant cost, no allocation, never throws.
    /// `in` and `out` may be the same.
    void pass(const HandFrame& in, HandFrame& out);
};

}  // namespace glovebox::tracking
