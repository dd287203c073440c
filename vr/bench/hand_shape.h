// The hand's flesh as twenty round cones whose ends are free: what a skin says of the bones of hand_body.h.
//
// pose_hand() puts a bone's ends on its joints and gives it their radii. Flesh lies beside that line: pads hang below a
// finger, and the palm is no tube round a metacarpal. Here each bone has two radii and two offsets of its own. Offsets
// are in the axes of the bone's first joint; those of the palm's five (bone 0 and the metacarpals of the fingers) in
// the wrist's.
#pragma once

#include <array>
#include <span>

#include "collision/box/shape.h"
#include "scenes/hand_body.h"

namespace glovebox::vr {

struct BoneShape {
    Eigen::Vector3f from_offset_m = Eigen::Vector3f::Zero(), to_offset_m = Eigen::Vector3f::Zero();
    float from_radius_m = 0.0F, to_radius_m = 0.0F;
};
using HandShape = std::array<BoneShape, scenes::kHandBoneCount>;

/// A point of the skin at rest, and the bone that it follows; any bone of the palm stands for all of them.
struct SkinPoint {
    Eigen::Vector3f position_m;
    int bone = 0;
};

/// Where a bone's cone is. Positions and orientations of its joints must be valid.
collision::RoundCone cone_of(const HandShape& shape, const tracking::HandFrame& frame, int bone);

/// Signed distance of a point to a cone's surface, negative inside.
double signed_distance(const collision::RoundCone& cone, const Eigen::Vector3f& point_m);

/// Ends on the joints, radii of the joints: what pose_hand() makes of all but the palm.
HandShape shape_of_joints(const tracking::HandFrame& frame);

/// The cones whose surfaces are nearest to the skin, by least squares over each bone's own points; the palm's five
/// cones share theirs, each point going to the nearest. A bone with fewer than eight points stays on its joints. `rest`
/// is the hand that the points were taken of, with radii. Some milliseconds for a thousand points.
HandShape fit_hand_shape(const tracking::HandFrame& rest, std::span<const SkinPoint> skin);

}  // namespace glovebox::vr
