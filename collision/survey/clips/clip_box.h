// The two kinds of boxes that bound a stretch of a clip in space-time.
//
// FlatBox is the MOBB: an oriented rectangle in the plane, extruded in time by its node. TiltedBox is the UMOBB: an
// oriented box in (x, y, t), where one second counts as `time_scale` metres. Both contain the whole cylinder of every
// sample, until the END of the last one; the published t_max leaves that open, and with the beginning half-sample
// overlaps at the ends of clips are lost. Method: [Sung05, sec. 3.1 and 4].
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

/// How the main axis is found. `chord` is the paper's, from the first sample to the last; where they coincide (standing
/// still, a closed loop) it falls back on `statistics`, and that one on the x axis where all samples coincide.
enum class AxisRule : std::uint8_t {
    chord,
    statistics  ///< largest eigenvector of the covariance of the centres, as in OBB trees [Gottschalk96]
};

/// Smallest rectangle with the rule's axis round all discs. Linear cost.
FlatBox fit_flat(std::span<const ClipSample> samples, AxisRule rule);

/// False when the motion has no direction in the plane: the box is then upright and a FlatBox says it all.
bool fit_tilted(std::span<const ClipSample> samples, double dt_s, std::int64_t first_sample, double time_scale,
                AxisRule rule, TiltedBox& box);

/// A flat box with its time range, as a tilted one.
TiltedBox upright(const FlatBox& box, double begin_t, double end_t);

/// The shadow of a tilted box on the plane.
FlatBox shadow(const TiltedBox& box);

/// Smallest rectangle along `axis` round two others.
FlatBox merge_flat(const FlatBox& a, const FlatBox& b, const Eigen::Vector2d& axis);

/// Range of a sample's cylinder along any axis of space-time [Sung05, sec. 4], the signs of which hold for one
/// handedness only; these hold for all.
struct Range {
    double low, high;
};
Range cylinder_range(const ClipSample& sample, double begin_t, double lasts_t, const Eigen::Vector3d& axis);

/// Separating axes, four for rectangles. `slack_m` is added to the reach. NaN reports overlap here: inputs are checked
/// when a tree is built and when a query is placed.
bool overlap(const FlatBox& a, const FlatBox& b, double slack_m);

/// Separating axes, fifteen for boxes.
bool overlap(const TiltedBox& a, const TiltedBox& b, double slack);

FlatBox transformed(const Eigen::Matrix2d& rotation, const Eigen::Vector2d& offset_m, const FlatBox& box);
TiltedBox transformed(const Eigen::Matrix2d& rotation, const Eigen::Vector3d& offset, const TiltedBox& box);

}  // namespace glovebox::collision::clips
