// Converts a rigged hand mesh, from a glTF file or from the headset's runtime, into a skin for our bones.
//
// A rig gives the rest positions of the 26 joints of XR_EXT_hand_tracking, and joint weights for each vertex. A file
// may lack the palm joint, because WebXR has only 25 joints. The rig's bone axes, position and orientation do not
// matter: bones are computed from joint positions, as for a tracked hand.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <vector>

#include "tracking/hand_frame.h"
#include "vr/render/hand_skin.h"

namespace glovebox::vr {

/// A rig as its source gives it, in metres, with all positions in one arbitrary frame.
struct RiggedHand {
    struct Vertex {
        Eigen::Vector3f position_m = Eigen::Vector3f::Zero();
        Eigen::Vector3f normal = Eigen::Vector3f::Zero();
        std::array<std::uint8_t, 4> joints{};  ///< indices into tracking::Joint
        std::array<float, 4> weights{};        ///< their sum may be any number above 0
    };
    std::array<Eigen::Vector3f, tracking::kJointCount> joint_m;
    std::vector<Vertex> vertices;
    std::vector<std::array<std::uint32_t, 3>> triangles;
    tracking::Side side = tracking::Side::right;
};

/// Builds a skin from a rig. A hand smaller than 8 cm or larger than 40 cm is scaled to 18.7 cm. Throws
/// std::runtime_error if there are no triangles, an index is out of range, a joint is not finite, or wrist and knuckles
/// are in a line or at one point.
HandSkin skin_of_rig(const RiggedHand& rig);

/// A skin for each side.
struct HandMeshes {
    tracking::PerSide<HandSkin> skins;
    const HandSkin& operator[](tracking::Side side) const { return skins[side]; }
};

/// Reads a glTF or GLB file with one skin whose joints have WebXR's names ("wrist", "thumb-metacarpal",
/// "index-finger-tip" ...). The side follows from the bend of the fingers, or from the file name if they are straight.
/// Throws std::runtime_error with a one-line message that names file and reason.
RiggedHand read_rigged_hand(const std::filesystem::path& path);

/// Does the same in a separate process (vr/platform/mesh_process.h).
RiggedHand read_rigged_hand_apart(const std::filesystem::path& path);

/// Returns the rig's joints at rest: positions only, in the rig's coordinates. Throws std::runtime_error as
/// skin_of_rig() does.
tracking::HandFrame rest_frame(const RiggedHand& rig);

/// Loads hand meshes. A single file is used for both hands, mirrored for the other side; with two files, each is used
/// for its own side. Each file is read in a separate process. Returns null if `paths` is
/// empty. Throws as read_rigged_hand() and read_apart() do, and if both files are of the same side.
std::shared_ptr<const HandMeshes> load_hand_meshes(std::span<const std::filesystem::path> paths);

}  // namespace glovebox::vr
