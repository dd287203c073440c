// The hand's skin: a closed triangle mesh with bone weights, made once from a profile and bent every frame on the GPU.
//
// A signed distance field (hand_field.h) is meshed by surface nets, its vertices settled on the zero set, and each is
// given a normal, an occlusion value for ambient light and at most four bones. The left hand is the right one mirrored.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

#include "vr/render/hand_skeleton.h"

namespace glovebox::vr {

struct SkinVertex {
    Eigen::Vector3f position_m;  ///< at rest, wrist frame
    Eigen::Vector3f normal;
    std::array<float, 4> weights;  ///< largest first; sum 1; unused ones 0
    std::array<std::uint8_t, 4> bones;
    float open;  ///< share of ambient light that reaches it: 1 free, towards 0 in creases
};

/// Where a nail lies: on the back of a distal bone, in that bone's frame. The shader draws it; it costs no geometry.
struct Nail {
    int bone = 0;
    Eigen::Isometry3f bone_from_rest = Eigen::Isometry3f::Identity();
    Eigen::Vector2f center_m = Eigen::Vector2f::Zero();  ///< x across, y along -Z of the bone
    Eigen::Vector2f half_m = Eigen::Vector2f::Zero();
};

struct HandSkin {
    std::vector<SkinVertex> vertices;
    std::vector<std::array<std::uint32_t, 3>> triangles;  ///< counter-clockwise from outside
    BoneFrames rest;
    std::array<Nail, 5> nails;
    tracking::Side side = tracking::Side::right;
    float scale = 1.0F;
};

struct SkinSettings {
    float cell_m = 0.0020F;  ///< of the grid; finer than this cannot be told apart on a screen, 3 mm is lumpy
    int threads = 1;
};

/// About 0.5 s of one core at 2 mm. Right hand.
HandSkin build_skin(const HandSkeleton& skeleton, const SkinSettings& settings = {});
HandSkin mirrored(const HandSkin& skin);

/// The same skin from `folder` if it was made before, otherwise made and left there. An unreadable or unwritable folder
/// only costs the time. The file's name carries a hash of everything that goes into the mesh.
HandSkin cached_skin(const HandSkeleton& skeleton, const SkinSettings& settings, const std::filesystem::path& folder);

/// Reads the vertices and triangles of a skin as cached_skin() leaves them; nothing where the file is damaged, or names
/// a vertex or bone that there is not.
std::optional<HandSkin> read_cached_skin(const std::filesystem::path& path);

/// $XDG_CACHE_HOME/glovebox or ~/.cache/glovebox; empty if there is neither.
std::filesystem::path user_cache_folder();

}  // namespace glovebox::vr
