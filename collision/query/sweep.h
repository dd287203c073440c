// Finds whether a moving bone meets an object between two frames, so that a fingertip does not pass a thin plate.
//
// Conservative advancement: the bone advances by no more than the gap allows, until the gap is closed or the motion
// ends. Let rho be the reach of the bone round its middle. While the middle moves by d and the bone turns by theta, no
// point moves farther than |d| + theta rho. Between convex shapes only the motion along the normal counts.
// [Mirtich96, sec. 2.3.2], with the motion bounded as a whole instead of its velocity.
#pragma once

#include "collision/query/collide.h"

namespace glovebox::collision {

/// The motion of a bone in a step, relative to the object: its middle on a straight line, its rotation uniform.
struct BoneMotion {
    Shape start;                       ///< world
    Eigen::Isometry3f end_from_start;  ///< maps a point of the bone from start to end
};

/// Returns the rigid motion between two poses of the same cone. Its roll is unknown, so the smallest rotation is used.
BoneMotion motion_between(const RoundCone& before, const RoundCone& after);

/// Returns the rigid motion between two poses of any shape; both must be of the same kind.
BoneMotion motion_between(const Shape& before, const Shape& after);

/// Returns the bone at a fraction of the motion: 0 is the start, 1 the end.
Shape shape_at(const BoneMotion& motion, float fraction);

/// How a sweep ended.
enum class SweepEnd : std::uint8_t {
    free,      ///< the whole motion is free
    touches,   ///< stopped where the gap is closed
    teleport,  ///< longer than kLongestSweep_m: a jump of the tracker, not tested
};

/// The result of a sweep.
struct SweepResult {
    SweepEnd end = SweepEnd::free;
    float fraction = 1.0F;  ///< part of the motion that is free
    Contact contact;        ///< where it stopped; bone and object are not set. Fraction 0: it touched before
    int steps = 0;          ///< number of exact queries
};

/// The farthest that a point may move in a step: 5 m/s at 20 Hz, or 22 m/s at 90 Hz. More is a teleport.
constexpr float kLongestSweep_m = 0.25F;

/// The gap that counts as closed: a sweep stops at most this far before the surface, never behind it.
constexpr float kClosed_m = 1e-4F;

/// The most exact queries of a sweep, since a step covers at least half of kClosed_m. Only a bone that slides along a
/// surface just beyond kClosed_m comes near this limit; min_step_m bounds it.
constexpr int kMaxSweepQueries = 1 + static_cast<int>(2.0F * kLongestSweep_m / kClosed_m);

/// Accuracy of a sweep.
struct SweepSettings {
    float reach_m = 0.0F;     ///< stops at this distance
    float min_step_m = 0.0F;  ///< minimum step, which bounds the cost of sliding along a surface. The contact may
                              ///< then be this deep, or a graze this short be missed. Half a bone's radius is safe:
                              ///< the core passes through nothing
};

/// Moves the bone until it touches the object. A motion that is not finite is a teleport. A bone that starts within
/// kClosed_m touches at fraction 0.
SweepResult sweep(const BoneMotion& motion, const Shape& object, CollideCounts& counts,
                  const SweepSettings& settings = {});

}  // namespace glovebox::collision
