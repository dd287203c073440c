#include "vr/render/framing.h"

#include <algorithm>
#include <cmath>

#include "vr/ui/lab_view.h"

namespace glovebox::vr {
namespace {

using Eigen::Vector3f;
using tracking::Joint;
using tracking::Side;

Vector3f horizontal(const Vector3f& v) {
    return {v.x(), 0.0F, v.z()};
}

// Palm and fingertips weigh the same, so that an open hand and a fist are both centred.
Vector3f middle_of(const tracking::HandFrame& hand) {
    const Vector3f palm = 0.25F * (hand[Joint::wrist].position_m + hand[Joint::index_proximal].position_m +
                                   hand[Joint::middle_proximal].position_m + hand[Joint::little_proximal].position_m);
    const Vector3f tips = 0.25F * (hand[Joint::thumb_tip].position_m + hand[Joint::index_tip].position_m +
                                   hand[Joint::middle_tip].position_m + hand[Joint::ring_tip].position_m);
    return 0.4F * palm + 0.6F * tips;
}

// Small objects within reach belong into the picture: what the hand is about to touch.
void include_objects(const ViewModel& model, const Vector3f& middle_m, Vector3f& low, Vector3f& high) {
    constexpr float kReach_m = 0.35F;
    constexpr float kSmall_m = 0.25F;
    if (model.world == nullptr) return;
    for (const collision::Collider& collider : model.world->colliders) {
        const collision::Aabb bounds = collision::aabb_of(collider.box);
        const Vector3f size = bounds.max_m - bounds.min_m;
        const Vector3f center = 0.5F * (bounds.min_m + bounds.max_m);
        if (!(size.maxCoeff() < kSmall_m) || !((center - middle_m).norm() < kReach_m)) continue;
        // Its middle half is enough: corners of a box are air.
        low = low.cwiseMin(center - 0.25F * size);
        high = high.cwiseMax(center + 0.25F * size);
    }
}

}  // namespace

bool hands_middle(const ViewModel& model, Vector3f& middle_m) {
    if (model.hands == nullptr) return false;
    middle_m = Vector3f::Zero();
    int count = 0;
    for (const tracking::HandFrame& hand : model.hands->hands) {
        if (!hand.active) continue;
        const Vector3f middle = middle_of(hand);
        if (!middle.allFinite()) continue;
        middle_m += middle;
        ++count;
    }
    if (count > 0) middle_m /= static_cast<float>(count);
    return count > 0;
}

OrbitCamera framed(const ViewModel& model) {
    if (model.lab != nullptr) return model.lab->camera;
    OrbitCamera camera;
    camera.elevation_rad = 0.38F;
    if (model.scene != nullptr) camera.target_m = model.scene->anchor_m;
    Vector3f middle_m;
    if (!hands_middle(model, middle_m)) return camera;
    camera.target_m = middle_m;
    Vector3f toward_eye = Vector3f::Zero();
    Vector3f low = middle_m;
    Vector3f high = middle_m;
    include_objects(model, middle_m, low, high);
    for (const tracking::HandFrame& hand : model.hands->hands) {
        if (!hand.active) continue;
        Vector3f forward = horizontal(hand[Joint::middle_proximal].position_m - hand[Joint::wrist].position_m);
        Vector3f thumb_side =
            horizontal(hand[Joint::index_proximal].position_m - hand[Joint::little_proximal].position_m);
        if (forward.norm() > 0.02F) forward.normalize();
        // A hand on edge shows its thumb upwards: then look at the palm's side.
        if (thumb_side.norm() < 0.015F)
            thumb_side = forward.cross(Vector3f::UnitY()) * (hand.side == Side::right ? -1.0F : 1.0F);
        if (thumb_side.norm() > 1e-4F) thumb_side.normalize();
        toward_eye += 0.80F * thumb_side + 0.60F * forward;
        for (const Joint joint : {Joint::wrist, Joint::thumb_tip, Joint::index_tip, Joint::middle_tip, Joint::ring_tip,
                                  Joint::little_tip}) {
            low = low.cwiseMin(hand[joint].position_m);
            high = high.cwiseMax(hand[joint].position_m);
        }
    }
    if (toward_eye.norm() > 0.05F) camera.yaw_rad = std::atan2(toward_eye.x(), toward_eye.z());
    const float size_m = (high - low).norm();
    if (std::isfinite(size_m)) camera.target_m = 0.5F * middle_m + 0.25F * (low + high);
    if (std::isfinite(size_m)) camera.distance_m = std::clamp(2.1F * size_m, 0.50F, 3.0F);
    return camera;
}

void follow(OrbitCamera& camera, const ViewModel& model, float dt_s) {
    Vector3f middle_m;
    if (!hands_middle(model, middle_m) || !middle_m.allFinite()) return;
    const Vector3f away = middle_m - camera.target_m;
    const float free_m = 0.10F * camera.distance_m;
    constexpr float kArrived_m = 0.001F;  // without it the last hair's breadth would keep the picture from resting
    const float distance_m = away.norm();
    if (distance_m <= free_m + kArrived_m) return;
    constexpr float kSettle_s = 0.35F;
    camera.target_m += away * ((distance_m - free_m) / distance_m * (1.0F - std::exp(-dt_s / kSettle_s)));
}

}  // namespace glovebox::vr
