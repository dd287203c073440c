// Hands as the 31 bones of SteamVR's skeletal input: root, wrist, thumb, four fingers, five auxiliary bones.
//
// OpenVR gives the bones in one of two spaces [OpenVR]. In model space, a bone's position is its place relative to the
// root, which is the controller. In parent space, it is relative to the bone before, and a rotation is needed to place
// the next one; the fingers' bones then lie along X. Axes are right-handed, lengths are metres, and quaternions begin
// with w. A left hand needs no other rules: its bones lie along +X, those of a right hand along -X.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "recordings/assembly.h"

namespace glovebox::recordings {

inline constexpr std::size_t kSteamVrBones = 31;

/// The bones of a hand as in the file.
struct SteamVrHand {
    std::array<Eigen::Vector3f, kSteamVrBones> positions{};
    std::array<Eigen::Vector4f, kSteamVrBones> rotations{};  ///< w may be the first or the last
    bool has_rotations = false;
    bool is_seen() const;     ///< false for a lost hand, for which programs write zeros or identities
    bool is_at_root() const;  ///< the root stays at the origin, so that the file has no motion of the whole hand
};
/// Returns the bones in 3, 7 or 8 numbers of each: a position, which may have a fourth number, and a quaternion, in
/// either order.
SteamVrHand steamvr_hand(std::span<const float> numbers);

enum class BoneSpace { model, parent, parent_w_last };
/// Finds the space of the bones from their lengths, and notes it. Throws ImportError if the bones are in parent space
/// and have no rotations.
BoneSpace find_bone_space(const Input& in, const std::vector<SteamVrHand>& hands, Assembly& out);
/// Returns the joints, relative to the root.
tracking::HandFrame joints_of_bones(const SteamVrHand& hand, BoneSpace space);

}  // namespace glovebox::recordings
