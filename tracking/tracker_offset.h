// A tracker is strapped on somewhere near the wrist. Where exactly: found from how the two move together.
//
// The hand-eye problem A X = X B: between two instants the wrist moves by A in its world and the tracker by B in its
// own; X is the constant offset. The two worlds need not be the same one. Rotation first, by the best fit of the
// rotation vectors, then translation by linear least squares [Park94].
#pragma once

#include <Eigen/Geometry>
#include <optional>
#include <span>

#include "tracking/rigid_track.h"

namespace glovebox::tracking {

struct TrackerOffset {
    Eigen::Isometry3f tracker_from_wrist = Eigen::Isometry3f::Identity();
    double lag_s = 0.0;         ///< the tracker is so much behind the wrist
    float residual_m = 0.0F;    ///< root mean square of what the offset does not explain
    float residual_rad = 0.0F;  ///< the same of orientation
    float turned_rad = 0.0F;    ///< how far the hand turned about its second axis; below 0.2 the fit is poor
    std::size_t pairs = 0;      ///< of instants that were used
};

/// Both on clocks that start together, up to `most_lag_s` apart: the lag with the best agreement of turning speeds is
/// taken first. Nothing if the two overlap by less than a second or the hand does not turn about two axes.
std::optional<TrackerOffset> fit_tracker_offset(const RigidTrack& wrist, const RigidTrack& tracker,
                                                double most_lag_s = 0.3);

}  // namespace glovebox::tracking
