// Planar motion clips: the disc of a walker at each sample, and the place and time at which a clip is played.
//
// Sample i is the disc (center, radius), valid during the half-open interval [i dt, (i + 1) dt): the sample "closest to
// but below" an instant [Sung05, sec. 3]. In space-time it is a short cylinder. Two placed clips collide if two samples
// that share an instant have |distance| < sum of radii. So touching is no collision, unlike elsewhere in this folder:
// the paper's inequality (1) is strict. As published, the inequality may evaluate the two clips at different instants;
// here both are evaluated at the same one.
#pragma once

#include <Eigen/Geometry>
#include <cstdint>
#include <span>
#include <vector>

namespace glovebox::collision::clips {

struct ClipSample {
    Eigen::Vector2d center_m;  ///< in the clip's own plane
    double radius_m;           ///< >= 0
};

struct Clip {
    std::vector<ClipSample> samples;
    double dt_s = 1.0 / 30.0;  ///< sample spacing and duration of each sample

    double duration_s() const { return dt_s * static_cast<double>(samples.size()); }
};

/// Checks a clip. Throws std::invalid_argument with the first fault: no samples, more than 2^30 of them, dt not
/// positive, a coordinate that is not finite or beyond 1e9 m, or a negative radius. A single sample, standing still and
/// loops are allowed.
void check(const Clip& clip);

/// A disc and the time at which it was measured.
struct TimedDisc {
    double time_s;
    ClipSample disc;
};

/// Resamples discs by sample-and-hold, every dt_s from the first time on; the last disc lasts one dt. Throws
/// std::invalid_argument with the index of the entry if times are not finite, decrease or repeat; repair such a source
/// first.
Clip clip_from_timed(std::span<const TimedDisc> discs, double dt_s);

/// Placement of a clip, which is rotated and then translated. Its first sample begins at start_s, any real number.
struct ClipPlacement {
    Eigen::Matrix2d world_from_clip = Eigen::Matrix2d::Identity();  ///< rotation
    Eigen::Vector2d offset_m = Eigen::Vector2d::Zero();
    double start_s = 0.0;

    Eigen::Vector2d operator*(const Eigen::Vector2d& point_in_clip_m) const {
        return world_from_clip * point_in_clip_m + offset_m;
    }
};
ClipPlacement placed(double angle_rad, const Eigen::Vector2d& offset_m, double start_s);

/// Transform from a's plane to b's, and the time offset; computed once per query.
struct RelativePlacement {
    Eigen::Matrix2d b_from_a;
    Eigen::Vector2d offset_m;  ///< a's origin, in b's plane
    double start_s;            ///< start of a's first sample on b's clock
};
/// Returns the transform between two placements. Throws std::invalid_argument if one is not finite.
RelativePlacement relative(const ClipPlacement& a, const ClipPlacement& b);

/// The samples of b that share time with sample i of a: i + first to i + last, where last is first or first + 1.
///
/// Offsets that are not whole samples overlap two samples, and testing only the earlier one misses collisions. Offsets
/// within 1e-9 of a whole sample are rounded to it, so that k * dt in floating point has its intended value. All
/// further tests on time use integer arithmetic and are exact.
struct SampleShift {
    std::int64_t first, last;

    /// True if samples [a_first, a_end) of a share an instant with samples [b_first, b_end) of b.
    bool share_time(std::int64_t a_first, std::int64_t a_end, std::int64_t b_first, std::int64_t b_end) const {
        return a_first + first < b_end && b_first < a_end + last;
    }
};
SampleShift sample_shift(double a_start_on_b_s, double dt_s);

/// Evaluates the paper's inequality (1) for two samples, with a's centre already in b's plane.
inline bool discs_collide(const Eigen::Vector2d& a_in_b_m, double a_radius_m, const ClipSample& b) {
    const double reach_m = a_radius_m + b.radius_m;
    return (a_in_b_m - b.center_m).squaredNorm() < reach_m * reach_m;
}

}  // namespace glovebox::collision::clips
