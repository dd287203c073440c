// Bounding boxes in space-time for part of a clip: flat (MOBB) and tilted (UMOBB).
//
// FlatBox is the MOBB: an oriented rectangle in the plane, extruded in time by its node. TiltedBox is the UMOBB: an
// oriented box in (x, y, t), where one second counts as `time_scale` metres. Both contain the whole cylinder of every
// sample, up to the END of the last one. The published t_max does not specify the end; with its beginning, half-sample
// overlaps at the ends of clips would be lost. Method: [Sung05, sec. 3.1 and 4].
#pragma once

#include <span>

#include "collision/survey/clips/clip.h"

namespace glovebox::collision::clips {

struct FlatBox {
    Eigen::Vector2d center_m = Eigen::Vector2d::Zero();
    Eigen::Vector2d axis = Eigen::Vector2d::UnitX();  ///< unit a0; the other is a1 = (-a0.y, a0.x)
    Eigen::Vector2d half_m = Eigen::Vector2d::Zero();

    double area_m2() const { return 4.0 * half_m.x() * half_m.y(); }
};

struct TiltedBox {
    Eigen::Vector3d center;  ///< x, y in metres, t in seconds * time_scale
    Eigen::Matrix3d axes;    ///< orthonormal columns; column 1 is horizontal
    Eigen::Vector3d half;

    double volume() const { return 8.0 * half.prod(); }
};

/// Rule for the main axis. `chord` is the paper's: from the first sample to the last. If they coincide (standing still,
/// a closed loop), `statistics` applies; if all samples coincide, the x axis.
enum class AxisRule : std::uint8_t {
    chord,
    statistics  ///< largest eigenvector of the covariance of the centres, as in OBB trees [Gottschalk96]
};

/// Returns the smallest rectangle around all discs, along the rule's axis. Linear cost.
FlatBox fit_flat(std::span<const ClipSample> samples, AxisRule rule);

/// Computes a tilted box. Returns false if the motion has no direction in the plane: then a FlatBox is as tight.
bool fit_tilted(std::span<const ClipSample> samples, double dt_s, std::int64_t first_sample, double time_scale,
                AxisRule rule, TiltedBox& box);

/// Converts a flat box and its time range to a tilted box.
TiltedBox upright(const FlatBox& box, double begin_t, double end_t);

/// Projects a tilted box onto the plane.
FlatBox shadow(const TiltedBox& box);

/// Returns the smallest rectangle along `axis` around two others.
FlatBox merge_flat(const FlatBox& a, const FlatBox& b, const Eigen::Vector2d& axis);

/// Interval of a sample's cylinder along any axis of space-time [Sung05, sec. 4]. The paper's signs hold for one
/// handedness only; these hold for both.
struct Range {
    double low, high;
};
Range cylinder_range(const ClipSample& sample, double begin_t, double lasts_t, const Eigen::Vector3d& axis);

/// True if the rectangles overlap (four separating axes). `slack_m` is added to the reach. NaN reports overlap, since
/// inputs are checked when a tree is built and when a query is placed.
bool overlap(const FlatBox& a, const FlatBox& b, double slack_m);

/// True if the boxes overlap (fifteen separating axes).
bool overlap(const TiltedBox& a, const TiltedBox& b, double slack);

FlatBox transformed(const Eigen::Matrix2d& rotation, const Eigen::Vector2d& offset_m, const FlatBox& box);
TiltedBox transformed(const Eigen::Matrix2d& rotation, const Eigen::Vector3d& offset, const TiltedBox& box);

}  // namespace glovebox::collision::clips
