// The hand's skin: a closed triangle mesh with bone weights, built once from a profile and deformed on the GPU.
//
// A signed distance field (hand_field.h) is meshed by surface nets, and its vertices are projected onto the surface.
// Each vertex gets a normal, an ambient occlusion value and at most four bone weights. The left hand is a mirrored
// right hand.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

#include "vr/render/hand_skeleton.h"

namespace glovebox::vr {

/// A vertex of the skin.
struct SkinVertex {
    Eigen::Vector3f position_m;  ///< position at rest, in the wrist's frame
    Eigen::Vector3f normal;
    std::array<float, 4> weights;  ///< largest first; their sum is 1; unused ones are 0
    std::array<std::uint8_t, 4> bones;
    float open;  ///< fraction of ambient light that reaches the vertex: 1 if unoccluded, near 0 in creases
};

/// Position of a fingernail on the back of a distal bone, in that bone's frame. A nail has no geometry; the shader
/// draws it.
struct Nail {
    int bone = 0;
    Eigen::Isometry3f bone_from_rest = Eigen::Isometry3f::Identity();
    Eigen::Vector2f center_m = Eigen::Vector2f::Zero();  ///< x across, y along -Z of the bone
    Eigen::Vector2f half_m = Eigen::Vector2f::Zero();
};

/// The skin of one hand.
struct HandSkin {
    std::vector<SkinVertex> vertices;
    std::vector<std::array<std::uint32_t, 3>> triangles;  ///< counter-clockwise from outside
    BoneFrames rest;
    std::array<Nail, 5> nails;
    tracking::Side side = tracking::Side::right;
    float scale = 1.0F;
};

/// Options for building a skin.
struct SkinSettings {
    float cell_m = 0.0020F;  ///< grid cell size; a smaller one makes no visible difference, and 3 mm looks lumpy
    int threads = 1;
};

/// Builds the skin of a right hand. Takes about 0.5 s of CPU time with cells of 2 mm.
HandSkin build_skin(const HandSkeleton& skeleton, const SkinSettings& settings = {});
/// Returns the skin of the other side.
HandSkin mirrored(const HandSkin& skin);

/// Returns the same skin as build_skin(). It is read from a cache in `folder`, or built and stored there; if the folder
/// cannot be used, it is built each time. The file name contains a hash of everything on which the mesh depends.
HandSkin cached_skin(const HandSkeleton& skeleton, const SkinSettings& settings, const std::filesystem::path& folder);

/// Reads the vertices and triangles of a skin file that cached_skin() wrote. Returns an empty optional if the file is
/// damaged or contains a vertex or bone index out of range.
std::optional<HandSkin> read_cached_skin(const std::filesystem::path& path);

/// Returns $XDG_CACHE_HOME/glovebox or $HOME/.cache/glovebox; empty if neither variable is an absolute path.
std::filesystem::path user_cache_folder();

}  // namespace glovebox::vr
