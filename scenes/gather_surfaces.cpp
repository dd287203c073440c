#include "scenes/gather_surfaces.h"

#include <algorithm>

#include "collision/box/convex_hull.h"
#include "collision/mesh/mesh_tree.h"
#include "collision/query/collide.h"
#include "collision/query/near_search.h"
#include "scenes/hand_body.h"

namespace glovebox::scenes {
namespace {

using Eigen::Vector3f;

constexpr float kBoxRounding_m = 1e-5F;

// The nearest pieces of one pad so far, nearest first.
struct Nearest {
    PadSurfaces& pad;
    float reach_m;
    std::array<float, kMaxPieces> distance_m{};
    std::array<std::int32_t, kMaxPieces> triangle{};

    // Adds a piece. If pieces are equally far, the lowest triangle number comes first, in any order of the tree.
    void add(const SurfacePiece& piece, const Material& material, float piece_distance_m, std::int32_t number) {
        if (piece_distance_m > reach_m) return;
        const bool full = pad.count == kMaxPieces;
        auto at = static_cast<std::size_t>(full ? kMaxPieces - 1 : pad.count);
        const auto is_nearer_than = [&](std::size_t other) {
            return piece_distance_m < distance_m[other] ||
                   (piece_distance_m == distance_m[other] && number < triangle[other]);
        };
        if (full && !is_nearer_than(at)) return;
        for (; at > 0 && is_nearer_than(at - 1); --at) {
            pad.pieces[at] = pad.pieces[at - 1];
            pad.materials[at] = pad.materials[at - 1];
            distance_m[at] = distance_m[at - 1];
            triangle[at] = triangle[at - 1];
        }
        pad.pieces[at] = piece;
        pad.materials[at] = material;
        distance_m[at] = piece_distance_m;
        triangle[at] = number;
        if (!full) ++pad.count;
        if (pad.count == kMaxPieces) reach_m = std::min(reach_m, distance_m[kMaxPieces - 1]);
    }
};

struct Gather {
    const World& world;
    const Material& material;
    int object;
    Nearest& nearest;

    void add(SurfacePiece piece, std::int32_t triangle = -1) const {
        const Vector3f& center_m = nearest.pad.center_m;
        piece.object = object;
        const NearPoint near = scenes::nearest(piece, center_m.cast<double>());
        piece.velocity_m_s = world.dynamics->velocity_at(object, near.on_m.cast<float>());
        nearest.add(piece, material, static_cast<float>(near.distance_m) - nearest.pad.radius_m, triangle);
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
        const Vector3f center_m = instance.world_from_mesh.inverse() * nearest.pad.center_m;
        // Nearest box first, so that the reach shrinks early.
        const auto reach_m = [&] { return double{nearest.reach_m + nearest.pad.radius_m + kBoxRounding_m}; };
        const auto box_distance_m = [&](const collision::Obb& box) {
            const Vector3f along = (box.axes.transpose() * (center_m - box.center_m)).cwiseAbs();
            return double{(along - box.half_m).cwiseMax(0.0F).norm()};
        };
        const auto look_at = [&](std::int32_t triangle) {
            add_triangle(instance, triangle);
            return reach_m();
        };
        collision::search_near(tree.tree(), reach_m(), box_distance_m, look_at);
    }
    void add_triangle(const collision::MeshInstance& instance, std::int32_t number) const {
        const collision::Mesh& mesh = instance.tree->mesh();
        const auto& triangle = mesh.triangles[static_cast<std::size_t>(number)];
        FlatTriangle flat;
        for (std::size_t k = 0; k < 3; ++k) flat.corners_m[k] = instance.world_from_mesh * mesh.vertices_m[triangle[k]];
        add({flat, Vector3f::Zero(), object}, number);
    }
};

// Places the ball that represents a bone: at the tip of a distal phalanx, in the middle of any other bone, as thick as
// the bone is there.
void place_pad(int bone, const collision::Shape& shape, PadSurfaces& pad) {
    const auto& cone = std::get<collision::RoundCone>(shape);
    const bool distal = bone % 4 == 3;
    pad.center_m = distal ? cone.b_m : Vector3f(0.5F * (cone.a_m + cone.b_m));
    pad.radius_m = distal ? cone.radius_b_m : 0.5F * (cone.radius_a_m + cone.radius_b_m);
}

void gather_pad(const Scene& scene, const World& world, const HandState& hand, int bone, PadSurfaces& pad) {
    const auto number = static_cast<std::size_t>(bone);
    pad.count = 0;
    pad.strike = {};
    pad.valid = hand.pose.bone_present[number] != 0;
    if (!pad.valid) return;
    place_pad(bone, hand.pose.shapes[number], pad);
    Nearest nearest{pad, scene.thresholds.hover_exit_m, {}};
    for (const collision::Contact& contact : hand.contacts) {
        if (contact.bone != bone) continue;
        const auto object = static_cast<std::size_t>(contact.object);
        std::visit(Gather{world, scene.objects[object].material, contact.object, nearest},
                   world.colliders[object].shape);
    }
    pad.clear_m = pad.count > 0 ? nearest.distance_m[0] : 0.0F;
    pad.fastest_m_s = 0.0F;
    for (std::size_t i = 0; i < static_cast<std::size_t>(pad.count); ++i)
        pad.fastest_m_s = std::max(pad.fastest_m_s, pad.pieces[i].velocity_m_s.norm());
}

// A dynamic object is pushed away before the force loop's proxy reaches it, so the touches come from the step's events.
void gather_strikes(const Scene& scene, const World& world, HapticFrame& out) {
    for (const Event& event : world.events) {
        if (event.kind != EventKind::touch_begin || event.bone < 0 || event.object < 0) continue;
        const SceneObject& object = scene.objects[static_cast<std::size_t>(event.object)];
        if (object.motion != Motion::dynamic) continue;
        Strike& strike = out.hands[event.side].pads[static_cast<std::size_t>(event.bone)].strike;
        const float into_m_s = event.relative_velocity_m_s.dot(event.normal);
        if (into_m_s > strike.speed_m_s) strike = {into_m_s, object.material};
    }
}

void gather_pads(const Scene& scene, const World& world, const tracking::PerSide<HandState>& hands, HapticFrame& out) {
    for (std::size_t side = 0; side < 2; ++side) {
        const HandState& hand = hands[side];
        out.hands[side].present = hand.present;
        for (int bone = 0; bone < kHandBoneCount; ++bone) {
            PadSurfaces& pad = out.hands[side].pads[static_cast<std::size_t>(bone)];
            if (hand.present)
                gather_pad(scene, world, hand, bone, pad);
            else
                pad.valid = false;
        }
    }
}

}  // namespace

void gather_surfaces(const Scene& scene, const World& world, HapticFrame& out) {
    gather_pads(scene, world, world.hands, out);
    gather_strikes(scene, world, out);
}

void gather_surfaces_near(const Scene& scene, const World& world, const tracking::HandPair& hands,
                          tracking::PerSide<HandState>& scratch, HapticFrame& out) {
    collision::CollideCounts not_counted;
    for (const tracking::Side side : tracking::kSides) {
        HandState& hand = scratch[side];
        hand.candidates.clear();
        hand.contacts.clear();
        hand.present = hands[side].active;
        if (!hand.present) continue;
        pose_hand(hands[side], hand.pose, world.hand_shapes[side]);
        world.method->refit(hand_body(), hand.pose, hand.boxes);
        collision::find_candidates(*world.method, hand_body(), hand.pose, hand.boxes, world.colliders,
                                   scene.thresholds.hover_exit_m, hand.candidates, not_counted,
                                   1U << static_cast<unsigned>(side), nullptr, &world.object_tree);
        collision::find_contacts(hand.pose, world.colliders, hand.candidates, scene.thresholds.hover_exit_m,
                                 scene.thresholds.touch_enter_m, hand.contacts, not_counted);
    }
    gather_pads(scene, world, scratch, out);
}

}  // namespace glovebox::scenes
