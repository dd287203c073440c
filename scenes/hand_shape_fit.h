// Fits the shapes of a hand's twenty bones (hand_body.h) to its skin.
//
// Offsets and radii of each bone are unknowns: eight numbers. A finger's bone is fitted to the skin that belongs to it;
// the palm's five cones share theirs.
#pragma once

#include <span>
#include <vector>

#include "collision/box/shape.h"
#include "scenes/hand_body.h"

namespace glovebox::scenes {

using tracking::BoneShape;
using tracking::HandShape;

/// A point of the skin at rest, and the bone to which it belongs. For a point of the palm, `bone` may be any of the
/// palm's bones.
struct SkinPoint {
    Eigen::Vector3f position_m;
    int bone = 0;
};

/// Returns the signed distance of a point to a cone's surface, negative inside.
double signed_distance(const collision::RoundCone& cone, const Eigen::Vector3f& point_m);

/// Returns the shape with which pose_hand() places the same bones as without a shape. All joints must be valid, and
/// radii filled.
HandShape usual_shape(const tracking::HandFrame& frame);

/// Fits the cones to the skin by least squares over the points of each bone. The palm's five cones share their points,
/// and each point is assigned to the nearest cone. A bone with fewer than eight points keeps its usual shape.
/// `rest` is the hand to which the points belong, with radii. Takes a few milliseconds for a
/// thousand points.
HandShape fit_hand_shape(const tracking::HandFrame& rest, std::span<const SkinPoint> skin);

/// Returns true if a bone's cone may bound the skin of `bone`: a finger's own bones and the palm's for a finger; the
/// palm's and the base of the thumb for the palm (bone 0).
bool covers_skin_of(int bone, int cone);

/// Returns the signed distance of a skin point of `bone` to the nearest cone that may bound it. `frame` must have all
/// joints.
double distance_to_cover(const HandShape& shape, const tracking::HandFrame& frame, int bone,
                         const Eigen::Vector3f& point_m);

/// A pose of the hand and its skin in it.
struct PosedSkin {
    tracking::HandFrame hand;
    std::vector<Eigen::Vector3f> points_m;
};

/// Refines a fit over several poses. Minimises the sixth power of each point's distance to the nearest cone that covers
/// it, so that the largest distances count. `bones` has the bone of each point, or -1 for a point that does not count;
/// any bone of the palm must be 0. Ends of fingers stay within 1 cm of their usual place, those of the palm and of the
/// thumb's base within 2.5 cm. Returns `start` if there are no poses. Takes some seconds for five poses of a thousand
/// points.
HandShape refine_hand_shape(const HandShape& start, std::span<const int> bones, std::span<const PosedSkin> poses);

}  // namespace glovebox::scenes
