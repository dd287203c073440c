// Finds whether a moving bone touches an object between two frames, so that a fingertip does not pass through a thin
// plate.
//
// The method is conservative advancement: the bone advances by no more than the gap allows, until the gap is closed or
// the motion ends. Let rho be the largest distance of the bone's points from its middle. While the middle moves by d
// and the bone turns by theta, no point moves farther than |d| + theta rho. Between convex shapes only the motion along
// the normal counts. This follows [Mirtich96, sec. 2.3.2], but bounds the motion as a whole instead of its velocity.
#pragma once

#include "collision/query/collide.h"

namespace glovebox::collision {

/// The motion of a bone in a step, relative to the object. Its middle moves on a straight line, and it rotates
/// uniformly.
struct BoneMotion {
    Shape start;                       ///< in world coordinates
    Eigen::Isometry3f end_from_start;  ///< maps a point of the bone from start to end
};

/// Returns the rigid motion between two poses of the same cone. The roll is unknown, so the smallest rotation is used.
BoneMotion motion_between(const RoundCone& before, const RoundCone& after);

/// Returns the rigid motion between two poses of a shape; both must be of the same kind.
BoneMotion motion_between(const Shape& before, const Shape& after);

/// Returns the bone at a fraction of the motion: 0 is the start, 1 the end.
Shape shape_at(const BoneMotion& motion, float fraction);

/// How a sweep ended.
enum class SweepEnd : std::uint8_t {
    free,      ///< the whole motion is free
    touches,   ///< the bone touches the object at SweepResult::fraction
    teleport,  ///< not tested: longer than kLongestSweep_m, so a jump of the tracker
};

/// The result of a sweep.
struct SweepResult {
    SweepEnd end = SweepEnd::free;
    float fraction = 1.0F;  ///< part of the motion that is free; 0 if it touched before
    Contact contact;        ///< the contact where it stopped; bone and object are not set
    int steps = 0;          ///< number of exact queries
};

/// The farthest that a point may move in a step: 5 m/s at 20 Hz, or 22 m/s at 90 Hz. More is a teleport.
constexpr float kLongestSweep_m = 0.25F;

/// The gap that counts as closed: a sweep stops at most this far before the surface, never behind it.
constexpr float kClosed_m = 1e-4F;

/// The maximum number of exact queries of a sweep, since a step covers at least half of kClosed_m. Only a bone that
/// slides along a surface just beyond kClosed_m comes near this limit; a larger min_step_m avoids that.
constexpr int kMaxSweepQueries = 1 + static_cast<int>(2.0F * kLongestSweep_m / kClosed_m);

/// Accuracy of a sweep.
struct SweepSettings {
    float reach_m = 0.0F;  ///< distance from the object at which the bone stops
    /// Minimum step, which bounds the cost of sliding along a surface. The contact may then be this deep, and a touch
    /// this short may be missed. Half a bone's radius is safe, because the core cannot pass through anything.
    float min_step_m = 0.0F;
};

/// Moves the bone until it touches the object. A motion that is not finite counts as a teleport. A bone that starts
/// within kClosed_m touches at fraction 0.
SweepResult sweep(const BoneMotion& motion, const Shape& object, CollideCounts& counts,
                  const SweepSettings& settings = {});

}  // namespace glovebox::collision
