// Does a moving bone meet an object between two frames? So that a fingertip does not pass a thin plate unseen.
//
// Conservative advancement: the bone is moved on by no more than the gap allows, again and again, until the gap is
// closed or the motion is over. No point of a bone with reach rho round its middle moves further than |d| + theta rho
// while the middle goes d and the bone turns by theta; between convex ones only what goes along the normal counts.
// [Mirtich96, sec. 2.3.2], with the motion bounded as a whole instead of its velocity.
#pragma once

#include "collision/query/collide.h"

namespace glovebox::collision {

/// How a bone moves during a step, relative to the object: its middle on a straight line, turning evenly.
struct BoneMotion {
    Shape start;                       ///< world
    Eigen::Isometry3f end_from_start;  ///< where a point of the bone goes
};

/// The motion of a bone known before and after: the same solid, moved rigidly. For a cone, whose two ends do not say
/// how it rolls, the smallest turn.
BoneMotion motion_between(const RoundCone& before, const RoundCone& after);

/// The same for any shape; both must be of the same kind. A box's axes and a hull's or a mesh's frame say how it turns.
BoneMotion motion_between(const Shape& before, const Shape& after);

/// The bone part of the way, 0 the start and 1 the end.
Shape shape_at(const BoneMotion& motion, float fraction);

enum class SweepEnd : std::uint8_t {
    free,      ///< the way is free to its end
    touches,   ///< stopped where the gap is closed
    teleport,  ///< longer than kLongestSweep_m: a jump of the tracking is not a motion, and nothing was looked at
};

struct SweepResult {
    SweepEnd end = SweepEnd::free;
    float fraction = 1.0F;  ///< of the way that is free
    Contact contact;        ///< where it stopped; bone and object are not set. At fraction 0 it touched already.
    int steps = 0;          ///< exact queries that it took
};

/// The furthest that a point may move in a step: 5 m/s at 20 Hz, or 90 Hz and 22 m/s. More is a teleport.
constexpr float kLongestSweep_m = 0.25F;

/// The gap that counts as closed. It is what a sweep can be wrong by: it stops this much before the surface at most,
/// never behind it.
constexpr float kClosed_m = 1e-4F;

/// A step covers at least half of what counts as closed, so that no sweep takes more exact queries. Only a bone that
/// strokes a surface just out of kClosed_m all the way comes near; least_step_m bounds it.
constexpr int kMaxSweepQueries = 1 + static_cast<int>(2.0F * kLongestSweep_m / kClosed_m);

struct SweepSettings {
    float reach_m = 0.0F;       ///< stops where the bone comes so near
    float least_step_m = 0.0F;  ///< no step is shorter: bounds the cost of a bone that strokes along a surface. It may
                                ///< then be found so deep, or a graze as short be missed; with half a bone's radius its
                                ///< core still passes nothing
};

/// A motion that is not finite is a teleport. A bone that starts within kClosed_m touches at fraction 0.
SweepResult sweep(const BoneMotion& motion, const Shape& object, CollideCounts& counts,
                  const SweepSettings& settings = {});

}  // namespace glovebox::collision
