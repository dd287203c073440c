// The UmeTrack hand model of HOT3D: joints, landmarks and skin of one wearer's hand, and their forward kinematics.
//
// The profile (umetrack_hand_user_profile.json) is in millimetres, in the rest frame of the wrist. It has four joints
// per finger, each with an axis and a position. It also has 21 landmarks and a skin; both are weighted to 17 bones.
// Each joint rotates about its axis through its position, one after another along the finger. Bone 2 + 3 f + k follows
// joint 4 f + 1 + k; bones 0 and 1 follow the wrist. The model is a left hand. For a right hand, points are mirrored in
// x before the transform of the wrist. Angles are not clamped, because those in the data exceed the limits of the
// model.
#pragma once

#include <array>
#include <filesystem>
#include <functional>
#include <optional>
#include <vector>

#include "recordings/input.h"
#include "tracking/hand_frame.h"

namespace glovebox::recordings {

struct UmeTrackModel {
    static constexpr std::size_t kAngles = 20, kJoints = 22, kLandmarks = 21, kBones = 17;

    struct Landmark {
        Eigen::Vector3f rest_mm;
        std::array<std::size_t, 3> bones{};
        std::array<float, 3> weights{};
    };
    std::array<Eigen::Vector3f, kJoints> rest_mm, axes;
    std::array<Landmark, kLandmarks> landmarks;
};

/// The skin mesh of a profile; triangles are counter-clockwise as seen from outside a left hand.
struct UmeTrackSkin {
    std::vector<Eigen::Vector3f> rest_mm;
    std::vector<std::array<float, UmeTrackModel::kBones>> weights;
    std::vector<std::array<std::uint32_t, 3>> triangles;
};

struct UmeTrackPose {
    Eigen::Isometry3f world_from_wrist = Eigen::Isometry3f::Identity();
    std::array<float, UmeTrackModel::kAngles> angles_rad{};
};

/// Read a profile. Throw ImportError if it cannot be read.
UmeTrackModel read_umetrack_model(const std::filesystem::path& profile);
UmeTrackSkin read_umetrack_skin(const std::filesystem::path& profile);

/// Calls `take` with the two hands of each line of a recording. Throws ImportError if the file is damaged.
using UmeTrackHands = tracking::PerSide<std::optional<UmeTrackPose>>;
void read_umetrack_poses(Input& in, const std::function<void(std::int64_t time_ns, const UmeTrackHands&)>& take);

/// Computes joint positions of a hand, but no orientations. The positions are the 21 landmarks and the base of the
/// thumb.
void pose_umetrack(const UmeTrackModel& model, const UmeTrackPose& pose, tracking::Side side,
                   tracking::HandFrame& hand);

/// Computes the vertices of the skin by linear blend skinning.
void skin_umetrack(const UmeTrackModel& model, const UmeTrackSkin& skin, const UmeTrackPose& pose, tracking::Side side,
                   std::vector<Eigen::Vector3f>& vertices_m);

}  // namespace glovebox::recordings
