// Peers that are compared only if CMake finds the user's builds of them: Jolt, Coal and PQP.
//
// Each library is one file that fills one PeerLibrary. Its compile options may change the layout of Eigen's types (Jolt
// enables AVX2), so only plain types are passed.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

namespace glovebox::timing {

using Point = std::array<float, 3>;

struct PlainPose {
    std::array<Point, 3> axes = {{{1.0F, 0.0F, 0.0F}, {0.0F, 1.0F, 0.0F}, {0.0F, 0.0F, 1.0F}}};  ///< columns
    Point at_m = {0.0F, 0.0F, 0.0F};
};
struct PlainCone {
    Point a_m, b_m;
    float radius_a_m, radius_b_m;
};
struct PlainBox {
    PlainPose pose;
    Point half_m;           ///< of the core
    float radius_m = 0.0F;  ///< all points this close to the core belong to the box
};
/// A surface, or the facets of a hull.
struct PlainMesh {
    std::vector<Point> vertices_m;
    std::vector<std::array<std::uint32_t, 3>> triangles;
    PlainPose pose;
    bool hull = false;  ///< solid and convex
};
using PlainShape = std::variant<PlainCone, PlainBox, PlainMesh>;

struct Touch {
    std::int32_t bone, object;
    std::int32_t triangle;  ///< -1 if the object is not a mesh
    float depth_m;
};
using BonePair = std::array<std::int32_t, 2>;  ///< bone, object

/// Appends every contact of the bones with the objects.
using FrameQuery = std::function<void(std::span<const PlainPose> world_from_bone, std::vector<Touch>& out)>;
/// Returns the signed distance of two hulls; may keep state from the last call.
using HullQuery = std::function<double(const PlainPose& a_from_b)>;
/// Returns the number of intersecting pairs of triangles; at most 1 unless `all`.
using MeshQuery = std::function<std::int64_t(const PlainPose& a_from_b, bool all)>;
/// Returns the number of overlapping pairs of boxes.
using BoxQuery = std::function<std::int64_t()>;
/// Appends the boxes near each bone; tests the bones' axis-aligned bounds, or with `oriented` the bones' boxes.
using NearQuery = std::function<void(std::span<const PlainBox> bones, bool oriented, std::vector<BonePair>& out)>;

/// A function prepares a workload and returns its query. Null: the library has no such query, or it is not compared.
struct PeerLibrary {
    std::string_view name;
    FrameQuery (*frame)(std::span<const PlainShape> bones, std::span<const PlainShape> objects) = nullptr;
    HullQuery (*hulls)(const PlainMesh& a, const PlainMesh& b) = nullptr;
    MeshQuery (*meshes)(const PlainMesh& both) = nullptr;
    /// Pairs a[i] with b[i], or every a with every b.
    BoxQuery (*boxes)(std::span<const PlainBox> a, std::span<const PlainBox> b, bool every) = nullptr;
    NearQuery (*near_boxes)(std::span<const PlainBox> objects) = nullptr;
};

/// Returns the libraries that were found, in the order Jolt, Coal, PQP.
std::span<const PeerLibrary> peer_libraries();

PeerLibrary jolt();
PeerLibrary coal_library();
PeerLibrary pqp();

}  // namespace glovebox::timing
