// The built-in scenes.
#include <array>
#include <stdexcept>

#include "scenes/scene.h"
#include "scenes/scene_file.h"

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

// Its top is y = 0 and it is thick, so that nothing that was pushed into it comes out underneath.
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

// A ball of a tennis ball's size and a softer ball's weight.
Scene table_and_ball() {
    Scene scene;
    scene.objects = {table(), dynamic_ball(0.035F, 0.06F, at(0.0F, 0.035F, 0.0F))};
    scene.anchor_m = {0.0F, 0.035F, 0.012F};
    return scene;
}

// The same ball, too heavy and too rough to leave: for recordings of hands that move in one place.
Scene held_ball() {
    Scene scene = table_and_ball();
    scene.objects[1].motion = Motion::fixed;
    return scene;
}

// Nothing to touch: to look at a recording, and the floor of what a frame costs.
Scene empty_table() {
    Scene scene;
    scene.objects = {table()};
    scene.anchor_m = {0.0F, 0.10F, 0.0F};
    return scene;
}

constexpr std::array kScenes = {
    SceneRow{"table-and-ball", "a ball on a table, free to roll: push it, flick it", table_and_ball},
    SceneRow{"held-ball", "the same ball, fixed: for hands that move in one place", held_ball},
    SceneRow{"empty-table", "a table and nothing on it", empty_table},
};

}  // namespace

std::span<const SceneRow> scene_table() {
    return kScenes;
}

Scene load_scene(const std::string& name_or_path) {
    for (const SceneRow& row : kScenes) {
        if (row.name != name_or_path) continue;
        Scene scene = row.make();
        scene.name = row.name;
        scene.summary = row.summary;
        return scene;
    }
    if (std::filesystem::is_regular_file(name_or_path)) return read_scene_file(name_or_path);

    std::string names;
    for (const SceneRow& row : kScenes) names += (names.empty() ? "" : ", ") + std::string(row.name);
    throw std::runtime_error("no scene '" + name_or_path + "': neither a file nor one of " + names);
}

}  // namespace glovebox::scenes
