// A rigged hand made by someone else, as a skin for our bones: from a glTF file, or from the headset's runtime.
//
// The rig is anything with the 26 joints of XR_EXT_hand_tracking (a file may lack the palm: WebXR has 25): where they
// are at rest, and for each vertex which joints carry it. Its bone axes do not matter, nor where the hand lies and
// which way it points: the bones are laid through its joints by the routine that lays them through a tracked hand's.
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

/// As the source has it: one frame for everything, metres.
struct RiggedHand {
    struct Vertex {
        Eigen::Vector3f position_m = Eigen::Vector3f::Zero();
        Eigen::Vector3f normal = Eigen::Vector3f::Zero();
        std::array<std::uint8_t, 4> joints{};  ///< numbers of tracking::Joint
        std::array<float, 4> weights{};        ///< of any sum above 0
    };
    std::array<Eigen::Vector3f, tracking::kJointCount> joint_m;
    std::vector<Vertex> vertices;
    std::vector<std::array<std::uint32_t, 3>> triangles;
    tracking::Side side = tracking::Side::right;
};

/// Throws std::runtime_error with a reason: no triangles, an index too large, a joint that is not finite, a hand that
/// is no hand (wrist and knuckles in a line or at one point). A hand smaller than 8 cm or larger than 40 is scaled to
/// 18.7 cm.
HandSkin skin_of_rig(const RiggedHand& rig);

/// Skins by Side.
struct HandMeshes {
    tracking::PerSide<HandSkin> skins;
    const HandSkin& operator[](tracking::Side side) const { return skins[side]; }
};

/// glTF or GLB with one skin whose joints have WebXR's names ("wrist", "thumb-metacarpal", "index-finger-tip" ...).
/// Which hand it is, its bent fingers say, or its file name where they are straight. Throws std::runtime_error: one
/// line with file and reason.
RiggedHand read_rigged_hand(const std::filesystem::path& path);

/// One file serves both hands, the other one mirrored; with two each serves its own. Each is read in a process of its
/// own (vr/platform/mesh_process.h). Throws as above and as read_apart(), and if both files are of the same hand.
std::shared_ptr<const HandMeshes> load_hand_meshes(std::span<const std::filesystem::path> paths);

}  // namespace glovebox::vr
