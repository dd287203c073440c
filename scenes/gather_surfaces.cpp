#include "scenes/gather_surfaces.h"

#include <algorithm>

#include "collision/convex_hull.h"
#include "collision/mesh_tree.h"
#include "collision/near_search.h"

namespace glovebox::scenes {
namespace {

using Eigen::Vector3f;

constexpr float kBoxRounding_m = 1e-5F;

// The nearest pieces so far, nearest first, of one fingertip.
struct Nearest {
    FingertipSurfaces& tip;
    float reach_m;
    std::array<float, kMostPieces> distance_m{};

    void add(const SurfacePiece& piece, const Material& material, float piece_distance_m) {
        if (piece_distance_m > reach_m) return;
        const bool full = tip.count == kMostPieces;
        auto at = static_cast<std::size_t>(full ? kMostPieces - 1 : tip.count);
        if (full && piece_distance_m >= distance_m[at]) return;
        for (; at > 0 && distance_m[at - 1] > piece_distance_m; --at) {
            tip.pieces[at] = tip.pieces[at - 1];
            tip.materials[at] = tip.materials[at - 1];
            distance_m[at] = distance_m[at - 1];
        }
        tip.pieces[at] = piece;
        tip.materials[at] = material;
        distance_m[at] = piece_distance_m;
        if (!full) ++tip.count;
        if (tip.count == kMostPieces) reach_m = std::min(reach_m, distance_m[kMostPieces - 1]);
    }
};

struct Gather {
    const World& world;
    const Material& material;
    int object;
    Nearest& nearest;

    void add(SurfacePiece piece) const {
        const Vector3f& center_m = nearest.tip.center_m;
        piece.object = object;
        const NearPoint near = scenes::nearest(piece, center_m.cast<double>());
        piece.velocity_m_s = world.dynamics->velocity_at(object, near.on_m.cast<float>());
        nearest.add(piece, material, static_cast<float>(near.distance_m) - nearest.tip.radius_m);
    }
    void operator()(const collision::RoundCone& cone) const { add({cone, Vector3f::Zero(), object}); }
    void operator()(const collision::RoundedBox& box) const { add({box, Vector3f::Zero(), object}); }
    void operator()(const collision::HullInstance& hull) const {
        const auto corners_m = hull.hull->corners_m();
        const auto corner = [&](std::int32_t i) {
            return Vector3f(hull.world_from_hull * corners_m[static_cast<std::size_t>(i)]);
        };
        for (const auto& facet : hull.hull->facets())
            add({FlatTriangle{{corner(facet[0]), corner(facet[1]), corner(facet[2])}}, Vector3f::Zero(), object});
    }
    void operator()(const collision::MeshInstance& instance) const {
        const collision::MeshTree& tree = *instance.tree;
        const Vector3f center_m = instance.world_from_mesh.inverse() * nearest.tip.center_m;
        // Nearest box first, so that the reach shrinks early.
        const auto reach_m = [&] { return double{nearest.reach_m + nearest.tip.radius_m + kBoxRounding_m}; };
        const auto box_distance_m = [&](const collision::Aabb& box) {
            return double{(box.min_m - center_m).cwiseMax(center_m - box.max_m).cwiseMax(0.0F).norm()};
        };
        const auto look_at = [&](std::int32_t triangle) {
            add_triangle(instance, triangle);
            return reach_m();
        };
        collision::search_near(tree.near_tree(), reach_m(), box_distance_m, look_at);
    }
    void add_triangle(const collision::MeshInstance& instance, std::int32_t number) const {
        const collision::Mesh& mesh = instance.tree->mesh();
        const auto& triangle = mesh.triangles[static_cast<std::size_t>(number)];
        FlatTriangle flat;
        for (std::size_t k = 0; k < 3; ++k) flat.corners_m[k] = instance.world_from_mesh * mesh.vertices_m[triangle[k]];
        add({flat, Vector3f::Zero(), object});
    }
};

void gather_tip(const Scene& scene, const World& world, const HandState& hand, int finger, FingertipSurfaces& tip) {
    const auto bone = static_cast<std::size_t>(finger == 0 ? 3 : 4 * finger + 3);
    tip.count = 0;
    tip.valid = hand.pose.bone_present[bone] != 0;
    if (!tip.valid) return;
    const auto& cone = std::get<collision::RoundCone>(hand.pose.shapes[bone]);
    tip.center_m = cone.b_m;
    tip.radius_m = cone.radius_b_m;
    Nearest nearest{tip, scene.thresholds.hover_exit_m, {}};
    for (const collision::Contact& contact : hand.contacts) {
        if (contact.bone != static_cast<int>(bone)) continue;
        const auto object = static_cast<std::size_t>(contact.object);
        std::visit(Gather{world, scene.objects[object].material, contact.object, nearest},
                   world.colliders[object].shape);
    }
}

}  // namespace

void gather_surfaces(const Scene& scene, const World& world, HapticFrame& out) {
    for (std::size_t side = 0; side < 2; ++side) {
        const HandState& hand = world.hands[side];
        out.hands[side].present = hand.present;
        for (int finger = 0; finger < tracking::kFingerCount; ++finger) {
            FingertipSurfaces& tip = out.hands[side].fingertips[static_cast<std::size_t>(finger)];
            if (hand.present)
                gather_tip(scene, world, hand, finger, tip);
            else
                tip.valid = false;
        }
    }
}

}  // namespace glovebox::scenes
