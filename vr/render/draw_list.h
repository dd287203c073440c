// The things that are drawn over the solids of a frame: edges and faces of boxes, marks and arrows of contacts, joint
// axes, and the lines of labs. Needs no OpenGL; renderer.cpp draws the list.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <span>
#include <vector>

#include "vr/render/object_mesh.h"
#include "vr/render/view_settings.h"
#include "vr/session/box_pairs.h"
#include "vr/session/view_model.h"

namespace glovebox::vr {

struct EdgeItem {
    Eigen::Vector3f a_m, b_m;
    Eigen::Vector4f rgba;
    float width_px;
    float behind;  ///< alpha behind other surfaces
};
struct TintItem {
    Eigen::Vector3f corner_m;
    Eigen::Vector4f rgba;
};
struct MarkItem {
    Eigen::Vector3f center_m, axis;
};
struct ArrowItem {
    Eigen::Vector3f from_m, axis;
    float length_m;
};

/// Kinds of objects in the picture.
enum class ObjectKind : std::uint8_t {
    ground,       ///< a table: drawn with its own shader, without boxes
    small,        ///< casts a shadow
    surroundings  ///< larger than what stands on a table
};

struct DrawList {
    std::vector<EdgeItem> edges;
    std::vector<TintItem> tints;    ///< three corners of each triangle
    std::vector<MarkItem> marks;    ///< discs
    std::vector<ArrowItem> arrows;  ///< pushes on the hand

    // Reused by gather().
    std::vector<BoxState> node_states, object_states;
    std::vector<BoxPair> tree_boxes;
};

/// Fills the list with what the settings show of a frame. `kinds` are those of the scene's objects.
void gather(const ViewModel& model, const ViewSettings& settings, std::span<const ObjectKind> kinds, DrawList& list);

/// Returns the shapes of all bones that are present.
DrawMesh collider_mesh(const scenes::World& world);
/// Returns an arrow along Z of unit size: shaft to 1, head to 2. Radii are in metres.
DrawMesh arrow_mesh();

}  // namespace glovebox::vr
