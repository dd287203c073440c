// Calibrates the offset between the wrist and a tracker that is strapped on near it, from the motion of both.
//
// This is the hand-eye problem A X = X B. Between two instants, the wrist moves by A and the tracker by B, each in its
// own frame; X is the constant offset. The poses of wrist and tracker may be in different world frames. The rotation is
// found first, as the best fit of the rotation vectors; then the translation by linear least squares. The method is
// that of [Park94].
#pragma once

#include <Eigen/Geometry>
#include <optional>

#include "tracking/rigid_track.h"

namespace glovebox::tracking {

/// Result of fit_tracker_offset().
struct TrackerOffset {
    Eigen::Isometry3f tracker_from_wrist = Eigen::Isometry3f::Identity();
    double lag_s = 0.0;         ///< delay of the tracker relative to the wrist
    float residual_m = 0.0F;    ///< root mean square error of position
    float residual_rad = 0.0F;  ///< root mean square error of orientation
    float turned_rad = 0.0F;    ///< rms rotation about the second strongest axis; below 0.2 the fit is poor
    std::size_t pairs = 0;      ///< number of pairs of instants that were used
};

/// Fits the offset. The clocks of the two tracks may differ by up to `max_lag_s`; the lag is found first, by the best
/// match of angular speeds. Returns nullopt if the tracks overlap by less than a second or the hand does not turn about
/// two axes.
std::optional<TrackerOffset> fit_tracker_offset(const RigidTrack& wrist, const RigidTrack& tracker,
                                                double max_lag_s = 0.3);

}  // namespace glovebox::tracking
