// Bounding boxes in space-time for part of a clip: flat boxes (MOBB) and tilted boxes (UMOBB).
//
// FlatBox is the MOBB: an oriented rectangle in the plane, extruded over the time range of its node. TiltedBox is the
// UMOBB: an oriented box in (x, y, t), where one second counts as `time_scale` metres. Both contain the whole cylinder
// of every sample, up to the END of the last one. The published t_max does not say whether it is the end or the
// beginning of the last sample. With its beginning, overlaps by part of a sample at the ends of clips would be missed.
// Method: [Sung05, sec. 3.1 and 4].
#pragma once

#include <span>

#include "collision/survey/clips/clip.h"

namespace glovebox::collision::clips {

struct FlatBox {
    Eigen::Vector2d center_m = Eigen::Vector2d::Zero();
    Eigen::Vector2d axis = Eigen::Vector2d::UnitX();  ///< unit axis a0; the other axis is a1 = (-a0.y, a0.x)
    Eigen::Vector2d half_m = Eigen::Vector2d::Zero();

    double area_m2() const { return 4.0 * half_m.x() * half_m.y(); }
};

struct TiltedBox {
    Eigen::Vector3d center;  ///< x, y in metres, t in seconds * time_scale
    Eigen::Matrix3d axes;    ///< orthonormal columns; column 1 is horizontal
    Eigen::Vector3d half;

    double volume() const { return 8.0 * half.prod(); }
};

/// Rule for the main axis. `chord` is the paper's rule: from the first sample to the last. If these coincide (standing
/// still, a closed loop), `statistics` applies; if all samples coincide, the x axis is used.
enum class AxisRule : std::uint8_t {
    chord,
    statistics  ///< largest eigenvector of the covariance of the centres, as in OBB trees [Gottschalk96]
};

/// Returns the smallest rectangle around all discs, along the rule's axis. Linear cost.
FlatBox fit_flat(std::span<const ClipSample> samples, AxisRule rule);

/// Computes a tilted box. Returns false if the motion has no direction in the plane; a FlatBox is then as tight.
bool fit_tilted(std::span<const ClipSample> samples, double dt_s, std::int64_t first_sample, double time_scale,
                AxisRule rule, TiltedBox& box);

/// Converts a flat box and its time range to a tilted box.
TiltedBox upright(const FlatBox& box, double begin_t, double end_t);

/// Projects a tilted box onto the plane.
FlatBox shadow(const TiltedBox& box);

/// Returns the smallest rectangle along `axis` that contains two others.
FlatBox merge_flat(const FlatBox& a, const FlatBox& b, const Eigen::Vector2d& axis);

/// Interval that a sample's cylinder covers along an axis of space-time [Sung05, sec. 4]. The paper's signs are right
/// for one handedness only; these are right for both.
struct Range {
    double low, high;
};
Range cylinder_range(const ClipSample& sample, double begin_t, double lasts_t, const Eigen::Vector3d& axis);

/// True if the rectangles overlap (four separating axes). `slack_m` is added to the radii. NaN counts as overlap;
/// inputs are checked when a tree is built and when a query is placed.
bool overlap(const FlatBox& a, const FlatBox& b, double slack_m);

/// True if the boxes overlap (fifteen separating axes).
bool overlap(const TiltedBox& a, const TiltedBox& b, double slack);

FlatBox transformed(const Eigen::Matrix2d& rotation, const Eigen::Vector2d& offset_m, const FlatBox& box);
TiltedBox transformed(const Eigen::Matrix2d& rotation, const Eigen::Vector3d& offset, const TiltedBox& box);

}  // namespace glovebox::collision::clips
