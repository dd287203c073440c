// Fits the shapes of a hand's twenty bones (hand_body.h) to its skin. Each bone is a round cone with free ends and
// radii.
//
// pose_hand() puts the ends of a bone on its joints and uses their radii. The flesh, however, is not centred on that
// line: pads are below a finger, and the palm is not a tube around a metacarpal. A shape therefore has two radii and
// two offsets for each bone. Offsets are in the frame of the bone's first joint. Those of the palm's five bones (bone 0
// and the metacarpals of the fingers) are in the frame of the wrist.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "collision/box/shape.h"
#include "scenes/hand_body.h"

namespace glovebox::vr {

/// Offsets of a bone's ends from its joints, and its radii.
struct BoneShape {
    Eigen::Vector3f from_offset_m = Eigen::Vector3f::Zero(), to_offset_m = Eigen::Vector3f::Zero();
    float from_radius_m = 0.0F, to_radius_m = 0.0F;
};
using HandShape = std::array<BoneShape, scenes::kHandBoneCount>;

/// A point of the skin at rest, and the bone to which it belongs. For a point of the palm, `bone` may be any of the
/// palm's bones.
struct SkinPoint {
    Eigen::Vector3f position_m;
    int bone = 0;
};

/// Returns a bone's cone in the same coordinates as the joints in `frame`. Positions and orientations of the bone's
/// joints must be valid.
collision::RoundCone cone_of(const HandShape& shape, const tracking::HandFrame& frame, int bone);

/// Returns the signed distance of a point to a cone's surface, negative inside.
double signed_distance(const collision::RoundCone& cone, const Eigen::Vector3f& point_m);

/// Returns the shape whose ends are on the joints and whose radii are those of the joints. pose_hand() uses this shape
/// for all bones except the palm.
HandShape shape_of_joints(const tracking::HandFrame& frame);

/// Fits the cones to the skin by least squares over the points of each bone. The palm's five cones share their points,
/// and each point is assigned to the nearest cone. A bone with fewer than eight points keeps the shape of
/// shape_of_joints(). `rest` is the hand to which the points belong, with radii. Takes a few milliseconds for a
/// thousand points.
HandShape fit_hand_shape(const tracking::HandFrame& rest, std::span<const SkinPoint> skin);

/// Returns true if a bone's cone may bound the skin of `bone`: a finger's own bones and the palm's for a finger; the
/// palm's and the base of the thumb for the palm (bone 0).
bool covers_skin_of(int bone, int cone);

/// A pose of the hand and its skin in it.
struct PosedSkin {
    tracking::HandFrame hand;
    std::vector<Eigen::Vector3f> points_m;
};

/// Refines a fit over several poses. Minimises the sixth power of each point's distance to the nearest cone that covers
/// it, so that the largest distances count. `bones` has the bone of each point, or -1 for a point that does not count;
/// any bone of the palm must be 0. Returns `start` if there are no poses. Takes some seconds for five poses of a
/// thousand points.
HandShape refine_hand_shape(const HandShape& start, std::span<const int> bones, std::span<const PosedSkin> poses);

}  // namespace glovebox::vr
