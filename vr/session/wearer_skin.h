// Reads a wearer's skin: points at rest and in bent poses, each with the bone to which it belongs.
//
// Bones are fitted to it (scenes/hand_shape_fit.h), so that touches of the bones are touches of the skin.
#pragma once

#include <filesystem>
#include <vector>

#include "recordings/formats/umetrack_model.h"
#include "scenes/hand_shape_fit.h"

namespace glovebox::vr {

/// The skin of one hand.
struct WearerSkin {
    std::vector<int> bone_of_point;       ///< index of a bone of hand_body(), 0 for any of the palm; -1: forearm
    scenes::PosedSkin rest;               ///< the hand has orientations and radii
    std::vector<scenes::PosedSkin> bent;  ///< other poses of the same points
};

/// Reads a skin from
/// - a rigged hand in glTF or GLB, in metres, whose joints have WebXR's 25 names (vr/render/hand_mesh.h). The file has
///   one hand. It is bent by its own joints and weights. At most 4,000 of its vertices are used, evenly spread.
/// - HOT3D's umetrack_hand_user_profile.json, which has both hands. Bent poses are four instants of the recording
/// beside
///   it; without a recording there are none.
/// Throws std::runtime_error with a one-line message if the file has no such skin, or a hand shorter than 10 cm or
/// longer than 30 cm.
std::vector<WearerSkin> read_wearer_skin(const std::filesystem::path& path);

/// Returns HOT3D's hand and its skin in one of its poses.
scenes::PosedSkin pose_wearer(const recordings::UmeTrackModel& model, const recordings::UmeTrackSkin& skin,
                              const recordings::UmeTrackPose& pose, tracking::Side side);

/// Fits the bones to the skin in all of its poses. Takes some seconds.
scenes::HandShape fit_to_skin(const WearerSkin& skin);

/// Returns the distances of the skin's points of one bone (0: of the palm) to the nearest cone that may bound them, in
/// all poses; negative inside.
std::vector<double> skin_distances_m(const WearerSkin& skin, const scenes::HandShape& shape, int bone);

}  // namespace glovebox::vr
