// The built-in scenes.
#include <array>
#include <stdexcept>
#include <string>
#include <vector>

#include "collision/mesh/mesh_tree.h"
#include "scenes/mesh_scene.h"
#include "scenes/scene.h"
#include "scenes/scene_file.h"
#include "scenes/scene_meshes.h"
#include "tracking/names.h"

namespace glovebox::scenes {
namespace {

using Eigen::Vector3f;

collision::Shape box(const Vector3f& half_m, float rounding_m) {
    return collision::RoundedBox{{Vector3f::Zero(), Eigen::Matrix3f::Identity(), half_m.array() - rounding_m},
                                 rounding_m};
}

collision::Shape ball(float radius_m) {
    return collision::RoundCone{Vector3f::Zero(), Vector3f::Zero(), radius_m, radius_m};
}

Eigen::Isometry3f at(float x_m, float y_m, float z_m) {
    return Eigen::Isometry3f(Eigen::Translation3f(x_m, y_m, z_m));
}

// The table top is at y = 0. It is thick, so that no object that is pushed into it comes out underneath.
SceneObject table() {
    SceneObject object;
    object.name = "table";
    object.shape = box({0.60F, 0.05F, 0.45F}, 0.004F);
    object.world_from_object = at(0.0F, -0.05F, 0.0F);
    object.color = {0.933F, 0.925F, 0.906F};
    return object;
}

SceneObject dynamic_ball(float radius_m, float mass_kg, const Eigen::Isometry3f& world_from_ball) {
    SceneObject object;
    object.name = "ball";
    object.shape = ball(radius_m);
    object.world_from_object = world_from_ball;
    object.motion = Motion::dynamic;
    object.mass_kg = mass_kg;
    return object;
}

// A ball of the size of a tennis ball and the weight of a softer one.
Scene table_and_ball() {
    Scene scene;
    scene.objects = {table(), dynamic_ball(0.035F, 0.06F, at(0.0F, 0.035F, 0.0F))};
    scene.anchor_m = {0.0F, 0.035F, 0.012F};
    return scene;
}

// The same ball, too heavy and rough to roll away, for recordings of hands that move in one place.
Scene held_ball() {
    Scene scene = table_and_ball();
    scene.objects[1].motion = Motion::fixed;
    return scene;
}

// A scene without objects to touch: for viewing a recording and measuring the minimum cost of a frame.
Scene empty_table() {
    Scene scene;
    scene.objects = {table()};
    scene.anchor_m = {0.0F, 0.10F, 0.0F};
    return scene;
}

SceneObject fixed(std::string name, collision::Shape shape, const Eigen::Isometry3f& world_from_object,
                  const Vector3f& color) {
    SceneObject object;
    object.name = std::move(name);
    object.shape = std::move(shape);
    object.world_from_object = world_from_object;
    object.color = color;
    return object;
}

SceneObject loose(SceneObject object, float mass_kg) {
    object.motion = Motion::dynamic;
    object.mass_kg = mass_kg;
    return object;
}

collision::Shape mesh(collision::Mesh triangles) {
    return collision::MeshInstance{collision::MeshTree::build(std::move(triangles)), Eigen::Isometry3f::Identity()};
}

constexpr int kKeyRows = 4, kKeysInRow = 10;

// Forty keys of a keyboard's size with 3.5 mm of travel against a spring; a fingertip that presses one pokes it.
Scene keyboard() {
    Scene scene;
    scene.objects = {table(), fixed("case", box({0.115F, 0.002F, 0.045F}, 0.0015F), at(0.007F, 0.002F, 0.0F),
                                    {0.35F, 0.37F, 0.40F})};
    constexpr float kPitch_m = 0.019F;
    for (int row = 0; row < kKeyRows; ++row)
        for (int column = 0; column < kKeysInRow; ++column) {
            const float x_m = kPitch_m * (static_cast<float>(column) - 4.5F + 0.25F * static_cast<float>(row));
            SceneObject key =
                loose(fixed("key " + std::to_string(row + 1) + "." + std::to_string(column + 1),
                            box({0.008F, 0.004F, 0.008F}, 0.0015F),
                            at(x_m, 0.0115F, kPitch_m * (static_cast<float>(row) - 1.5F)), {0.90F, 0.90F, 0.92F}),
                      0.003F);
            key.joint.kind = JointKind::slider;
            key.joint.lowest = -0.0035F;
            key.joint.spring = 150.0F;  // half a newton at the bottom
            key.joint.damping = 0.8F;
            key.material.restitution = 0.0F;
            key.material.impact_hz = 250.0F;
            scene.objects.push_back(std::move(key));
        }
    scene.anchor_m = {0.0F, 0.020F, 0.0F};
    return scene;
}

Scene cup_to_grasp() {
    Scene scene;
    SceneObject cup = loose(fixed("cup", mesh(cup_mesh()), at(0.0F, 0.001F, 0.0F), {0.56F, 0.76F, 0.71F}), 0.15F);
    cup.material.friction_static = 0.8F;
    scene.objects = {table(), std::move(cup)};
    scene.anchor_m = {0.0F, 0.05F, 0.0F};
    return scene;
}

// A square hole of 66 mm between four walls, and a round peg of 60 mm beside it.
Scene peg_in_hole() {
    Scene scene;
    scene.objects = {table()};
    const Vector3f wood = {0.80F, 0.68F, 0.52F};
    scene.objects.push_back(fixed("wall left", box({0.02F, 0.015F, 0.073F}, 0.002F), at(-0.053F, 0.015F, 0.0F), wood));
    scene.objects.push_back(fixed("wall right", box({0.02F, 0.015F, 0.073F}, 0.002F), at(0.053F, 0.015F, 0.0F), wood));
    scene.objects.push_back(fixed("wall front", box({0.033F, 0.015F, 0.02F}, 0.002F), at(0.0F, 0.015F, 0.053F), wood));
    scene.objects.push_back(fixed("wall back", box({0.033F, 0.015F, 0.02F}, 0.002F), at(0.0F, 0.015F, -0.053F), wood));
    SceneObject peg = fixed("peg", mesh(peg_mesh()), at(0.16F, 0.064F, 0.0F), {0.86F, 0.45F, 0.36F});
    peg.material.friction_static = 0.9F;
    peg.material.restitution = 0.0F;
    scene.objects.push_back(loose(std::move(peg), 0.08F));
    scene.anchor_m = {0.16F, 0.10F, 0.0F};
    scene.respawn_after_s = 30.0F;  // long enough to see it in its hole
    return scene;
}

// A hand wheel that turns on its stem, with the drag of a valve.
Scene valve() {
    Scene scene;
    const Vector3f red = {0.80F, 0.30F, 0.27F};
    constexpr float kHeight_m = 0.12F;
    SceneObject wheel = loose(fixed("wheel", mesh(wheel_mesh()), at(0.0F, kHeight_m, 0.0F), red), 0.6F);
    wheel.joint.kind = JointKind::hinge;
    wheel.joint.damping = 0.02F;
    wheel.material.friction_static = 0.9F;
    wheel.material.restitution = 0.0F;
    scene.objects = {table(), std::move(wheel)};
    scene.objects.push_back(fixed("stem",
                                  collision::RoundCone{{0.0F, 0.0F, 0.0F}, {0.0F, kHeight_m, 0.0F}, 0.010F, 0.010F},
                                  at(0.0F, 0.0F, 0.0F), {0.6F, 0.6F, 0.62F}));
    scene.anchor_m = {0.0F, 0.135F, 0.09F};
    return scene;
}

Scene room_scan() {
    Scene scene;
    scene.objects = {fixed("room", mesh(desk_mesh()), Eigen::Isometry3f::Identity(), {0.85F, 0.84F, 0.80F})};
    scene.anchor_m = {0.0F, 0.01F, 0.0F};
    return scene;
}

// Four plates that look alike and feel different: ridges of 1 to 6 mm, and one that is smooth and slippery.
Scene texture_board() {
    Scene scene;
    scene.objects = {table()};
    struct Plate {
        const char* name;
        float texture_n, period_m, friction;
        Vector3f color;
    };
    const std::array<Plate, 4> plates = {{{"ice", 0.0F, 0.002F, 0.05F, {0.75F, 0.87F, 0.93F}},
                                          {"paper", 0.1F, 0.001F, 0.5F, {0.93F, 0.91F, 0.85F}},
                                          {"cord", 0.4F, 0.003F, 0.7F, {0.70F, 0.60F, 0.50F}},
                                          {"grating", 0.8F, 0.006F, 0.9F, {0.50F, 0.52F, 0.55F}}}};
    for (std::size_t i = 0; i < plates.size(); ++i) {
        SceneObject plate = fixed(plates[i].name, box({0.04F, 0.005F, 0.06F}, 0.001F),
                                  at(0.085F * (static_cast<float>(i) - 1.5F), 0.005F, 0.0F), plates[i].color);
        plate.material.texture_n = plates[i].texture_n;
        plate.material.texture_period_m = plates[i].period_m;
        plate.material.friction_static = plates[i].friction;
        plate.material.friction_dynamic = 0.8F * plates[i].friction;
        scene.objects.push_back(std::move(plate));
    }
    scene.anchor_m = {0.0F, 0.012F, 0.0F};
    return scene;
}

// For two hands: a crate that is too wide for one hand, and a ball to pass from hand to hand.
Scene two_hands() {
    Scene scene;
    SceneObject crate =
        loose(fixed("crate", box({0.13F, 0.06F, 0.09F}, 0.004F), at(0.0F, 0.061F, 0.0F), {0.80F, 0.68F, 0.52F}), 0.4F);
    crate.material.friction_static = 0.9F;
    scene.objects = {table(), std::move(crate), dynamic_ball(0.035F, 0.06F, at(0.0F, 0.035F, 0.24F))};
    scene.anchor_m = {0.13F, 0.07F, 0.0F};
    return scene;
}

// Objects on a shelf 0.8 m away, for distance grabs: the ball comes to the pinch, and the cup to a stored grab pose.
// The shelf is lower than the hand, so that it is not in the way of what is pulled.
Scene out_of_reach() {
    Scene scene;
    const Vector3f wood = {0.80F, 0.68F, 0.52F};
    SceneObject cup = loose(fixed("cup", mesh(cup_mesh()), at(-0.22F, 0.121F, -0.72F), {0.56F, 0.76F, 0.71F}), 0.15F);
    // Upright, with the palm at its side and the thumb on top, 22 mm of flesh away.
    for (const tracking::Side side : tracking::kSides) {
        GrabPose pose{side, at(side == tracking::Side::right ? 0.054F : -0.054F, 0.045F, 0.04F)};
        pose.object_from_palm.linear() << 0.0F, 0.0F, 1.0F, 0.0F, 1.0F, 0.0F, -1.0F, 0.0F, 0.0F;
        cup.grab_poses.push_back(pose);
    }
    scene.objects = {
        table(), fixed("shelf", box({0.45F, 0.06F, 0.12F}, 0.004F), at(0.0F, 0.06F, -0.75F), wood),
        dynamic_ball(0.035F, 0.06F, at(0.0F, 0.155F, -0.72F)), std::move(cup),
        loose(fixed("block", box({0.03F, 0.03F, 0.03F}, 0.003F), at(0.22F, 0.151F, -0.72F), {0.86F, 0.45F, 0.36F}),
              0.1F)};
    scene.thresholds.distance_grab_m = 1.5F;
    scene.anchor_m = {0.0F, 0.10F, 0.0F};
    scene.respawn_after_s = 10.0F;
    return scene;
}

constexpr std::array kScenes = {
    SceneRow{"table-and-ball", "a ball on a table, free to roll: push it, flick it", table_and_ball},
    SceneRow{"held-ball", "the same ball, fixed: for hands that move in one place", held_ball},
    SceneRow{"empty-table", "a table and nothing on it", empty_table},
    SceneRow{"keyboard", "forty keys that go down when they are poked", keyboard},
    SceneRow{"cup-to-grasp", "a cup on a table: grab it, lift it, let it go", cup_to_grasp},
    SceneRow{"peg-in-hole", "a round peg and a square hole with 3 mm of play", peg_in_hole},
    SceneRow{"valve", "a hand wheel that turns when it is grabbed or pushed", valve},
    SceneRow{"room-scan", "a desk as a depth camera sees it: one open mesh of 60,000 triangles", room_scan},
    SceneRow{"texture-board", "four plates that look alike and feel different", texture_board},
    SceneRow{"two-hands", "a crate too wide for one hand, and a ball", two_hands},
    SceneRow{"out-of-reach", "objects on a shelf: point the palm at one and pinch, and it comes", out_of_reach},
};

}  // namespace

std::span<const SceneRow> scene_table() {
    return kScenes;
}

Scene load_scene(const std::string& name_or_path, MeshLoader read_mesh) {
    for (const SceneRow& row : kScenes) {
        if (row.name != name_or_path) continue;
        Scene scene = row.make();
        scene.name = row.name;
        scene.summary = row.summary;
        return scene;
    }
    if (std::filesystem::is_regular_file(name_or_path))
        return is_mesh_file(name_or_path) ? scene_of_mesh(name_or_path, read_mesh)
                                          : read_scene_file(name_or_path, read_mesh);

    const std::vector<std::string> names = tracking::names_of(kScenes);
    const std::string nearest = tracking::nearest_name(name_or_path, names);
    throw std::runtime_error("no scene '" + name_or_path +
                             "': " + (nearest.empty() ? "" : "did you mean '" + nearest + "'? It is ") +
                             "neither a file nor one of " + tracking::listed(names));
}

}  // namespace glovebox::scenes
