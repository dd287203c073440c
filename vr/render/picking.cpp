#include "vr/render/picking.h"

#include <algorithm>
#include <cmath>

#include "scenes/haptics.h"
#include "tracking/formatted.h"
#include "vr/session/box_states.h"
#include "vr/session/touches.h"

namespace glovebox::vr {
namespace {

using Eigen::Vector3f;
using tracking::formatted;

struct Ray {
    Vector3f from_m, along;  // unit
};

constexpr float kReach_m = 5.0F;

Ray ray_of(const OrbitCamera& camera, const Viewport& viewport, float x_px, float y_px) {
    const Eigen::Matrix4f clip_from_world =
        camera.clip_from_view(viewport.width_px, viewport.height_px, viewport.free_px) * camera.view_from_world();
    const float x = 2.0F * x_px / static_cast<float>(viewport.width_px) - 1.0F;
    const float y = 1.0F - 2.0F * y_px / static_cast<float>(viewport.height_px);
    const Vector3f far_m = (clip_from_world.inverse() * Eigen::Vector4f(x, y, 1.0F, 1.0F)).hnormalized();
    return {camera.eye_m(), (far_m - camera.eye_m()).normalized()};
}

// Intersects the ray with the box: computes entry and exit; false if it misses.
bool enters(const Ray& ray, const collision::Obb& box, float& from_m, float& to_m) {
    const Eigen::Array3f at = (box.axes.transpose() * (ray.from_m - box.center_m)).array();
    const Eigen::Array3f along = (box.axes.transpose() * ray.along).array();
    const Eigen::Array3f half = box.half_m.array() + 1e-4F;
    const Eigen::Array3f a = (-half - at) / along, b = (half - at) / along;
    from_m = std::max(0.0F, a.min(b).maxCoeff());
    to_m = std::min(kReach_m, a.max(b).minCoeff());
    return from_m <= to_m;
}

// Returns the distance along the ray to the solid; kReach_m if it misses.
float meets(const Ray& ray, const collision::Shape& solid, const collision::Obb& box) {
    constexpr float kThere_m = 0.0004F;
    constexpr int kSteps = 64;
    float at_m = 0.0F, end_m = 0.0F;
    if (!collision::all_finite(box) || !enters(ray, box, at_m, end_m)) return kReach_m;
    collision::CollideCounts counts;
    for (int step = 0; step < kSteps && at_m <= end_m; ++step) {
        const Vector3f point_m = ray.from_m + at_m * ray.along;
        collision::Contact nearest;
        if (!collision::closest(collision::RoundCone{point_m, point_m, 0.0F, 0.0F}, solid, kReach_m, nearest, counts))
            return kReach_m;
        if (nearest.distance_m < kThere_m) return at_m;
        at_m += nearest.distance_m;
    }
    return kReach_m;
}

}  // namespace

Marked pick(const ViewModel& model, const OrbitCamera& camera, const Viewport& viewport, float x_px, float y_px) {
    Marked found;
    if (model.world == nullptr || model.scene == nullptr) return found;
    const Ray ray = ray_of(camera, viewport, x_px, y_px);
    float nearest_m = kReach_m;
    const auto nearer = [&](const collision::Shape& solid, const collision::Obb& box) {
        const float at_m = meets(ray, solid, box);
        return at_m < nearest_m ? (nearest_m = at_m, true) : false;
    };
    for (std::size_t i = 0; i < model.world->colliders.size(); ++i)
        if (nearer(model.world->colliders[i].shape, model.world->colliders[i].box))
            found = {.object = static_cast<int>(i)};
    for (const tracking::Side side : tracking::kSides) {
        const scenes::HandState& hand = model.world->hands[side];
        if (!hand.present) continue;
        for (std::size_t bone = 0; bone < hand.pose.shapes.size(); ++bone)
            if (hand.pose.has(bone) && nearer(hand.pose.shapes[bone], hand.pose.leaf_boxes[bone]))
                found = {side, scenes::part_of_bone(static_cast<int>(bone)), static_cast<int>(bone), -1};
    }
    return found;
}

bool is_surroundings(const scenes::World& world, int object) {
    constexpr float kLargest_m = 0.6F;
    return 2.0F * world.colliders[static_cast<std::size_t>(object)].box.half_m.maxCoeff() >= kLargest_m;
}

std::string name_of(const Marked& marked, const ViewModel& model) {
    if (!marked.any() || model.scene == nullptr || model.world == nullptr) return {};
    const auto name_of_object = [&](int object) { return model.scene->objects[static_cast<std::size_t>(object)].name; };
    if (marked.bone < 0 && marked.object >= 0) {
        int bones = 0;
        for (const tracking::Side side : tracking::kSides)
            for (const collision::Contact& contact : model.world->hands[side].contacts)
                bones += model.world->hands[side].present && contact.object == marked.object &&
                         is_touching(*model.scene, *model.world, side, contact);
        return name_of_object(marked.object) + (bones == 0   ? ""
                                                : bones == 1 ? ", touched by one bone"
                                                             : ", touched by " + std::to_string(bones) + " bones");
    }
    if (marked.bone < 0) return {};
    std::string text = std::string(tracking::name_of(marked.side)) + " " +
                       scenes::hand_body().bone_names[static_cast<std::size_t>(marked.bone)];
    for (const collision::Contact& contact : model.world->hands[marked.side].contacts)
        if (contact.bone == marked.bone && is_touching(*model.scene, *model.world, marked.side, contact))
            text += "\ntouches " + name_of_object(contact.object) + ", " +
                    formatted("%.1f mm deep", 1e3 * static_cast<double>(contact.depth_m()));
    return text;
}

}  // namespace glovebox::vr
