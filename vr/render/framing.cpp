#include "vr/render/framing.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "vr/session/take.h"
#include "vr/ui/lab_view.h"

namespace glovebox::vr {
namespace {

using Eigen::Vector3f;
using tracking::Joint;
using tracking::Side;

constexpr float kMargin = 0.04F;     // of the free area, on each side: bones and lines extend beyond their centre lines
constexpr float kSkin_m = 0.02F;     // skin and boxes around the joints of a hand that fills the picture
constexpr float kNearest_m = 0.45F;  // nearer, a hand alone would fill the picture
constexpr float kElevation_rad = 0.32F;
constexpr float kElevationOfTwo_rad = 0.62F;  // from the front and lower, two hands are seen end on, without their arms

// Returns points around the hands and nearby objects; empty without hands.
std::vector<Vector3f> around_hands(const ViewModel& model) {
    if (model.scene == nullptr || model.world == nullptr || model.hands == nullptr) return {};
    PointCloud points;
    add_visible(*model.world, *model.hands, kNearNow_m, points);
    return points.corners_m();
}

// Returns points around the scene's anchor, for scenes without a tracked hand.
std::vector<Vector3f> around_anchor(const ViewModel& model) {
    if (model.scene == nullptr) return {};
    constexpr float kAround_m = 0.12F;
    PointCloud points;
    collision::Obb around;
    around.center_m = model.scene->anchor_m;
    around.axes.setIdentity();
    around.half_m.setConstant(kAround_m);
    points.add(around);
    return points.corners_m();
}

OrbitCamera camera_from(const Vector3f& toward_eye) {
    OrbitCamera camera;
    camera.elevation_rad = kElevation_rad;
    if (toward_eye.norm() > 1e-3F) camera.yaw_rad = std::atan2(toward_eye.x(), toward_eye.z());
    return camera;
}

// Returns the points that a camera has to see: those of the recording's overview, or of the current frame.
std::vector<Vector3f> subject_of(const ViewModel& model) {
    if (model.take != nullptr && !model.take->corners_m.empty()) return model.take->corners_m;
    std::vector<Vector3f> now = around_hands(model);
    return now.empty() ? around_anchor(model) : now;
}

// A movement across the picture allows a nearer camera than one into it, and from another side or from higher up,
// objects may hide less of the hands. So the camera is turned by up to 45 degrees and raised, as long as that gains
// more than the worse view of thumb and fingertips costs.
OrbitCamera fitted_about(const OrbitCamera& direction, const TakeOverview& take, std::span<const Vector3f> points_m,
                         const Viewport& viewport) {
    // All costs are fractions of the distance: of the largest turn, of the largest rise, of hands that are all hidden.
    constexpr float kTurnCosts = 0.20F, kRiseCosts = 0.15F, kHiddenCosts = 1.5F;
    constexpr float kTurnStep_rad = 0.2618F, kRiseStep_rad = 0.14F;
    constexpr int kTurnSteps = 3, kRiseSteps = 2;
    const auto squared_share = [](int step, int steps) {
        return static_cast<float>(step * step) / static_cast<float>(steps * steps);
    };
    OrbitCamera best = direction;
    float least = std::numeric_limits<float>::max();
    for (int rise = 0; rise <= kRiseSteps; ++rise)
        for (int turn = -kTurnSteps; turn <= kTurnSteps; ++turn) {
            OrbitCamera moved = direction;
            moved.yaw_rad += kTurnStep_rad * static_cast<float>(turn);
            moved.elevation_rad += kRiseStep_rad * static_cast<float>(rise);
            moved = fitted(moved, points_m, viewport);
            const float cost = moved.distance_m * (1.0F + kTurnCosts * squared_share(turn, kTurnSteps) +
                                                   kRiseCosts * squared_share(rise, kRiseSteps) +
                                                   kHiddenCosts * hidden_share(take.moments, moved.eye_m()));
            if (cost < least) least = cost, best = moved;
        }
    return best;
}

bool has_both_hands(const ViewModel& model) {
    return std::ranges::all_of(tracking::kSides, [&](Side side) {
        return model.take != nullptr ? model.take->has_hand[side]
                                     : model.hands != nullptr && (*model.hands)[side].active;
    });
}

OrbitCamera not_too_near(OrbitCamera camera) {
    camera.distance_m = std::max(camera.distance_m, kNearest_m);
    return camera;
}

}  // namespace

OrbitCamera fitted(OrbitCamera camera, std::span<const Vector3f> points_m, const Viewport& viewport, float around_m) {
    if (points_m.empty()) return camera;
    const auto width = static_cast<float>(viewport.width_px), height = static_cast<float>(viewport.height_px);
    const bool all = viewport.free_px.width <= 0.0F || viewport.free_px.height <= 0.0F;
    // Tangents of the free area's half angles; the projection's centre is in its middle.
    const float tan_view = std::tan(0.5F * camera.vertical_view_rad) * (1.0F - 2.0F * kMargin) / height;
    const float tan_x = tan_view * (all ? width : viewport.free_px.width);
    const float tan_y = tan_view * (all ? height : viewport.free_px.height);
    camera.target_m.setZero();
    const Eigen::Matrix3f view_from_world = camera.view_from_world().topLeftCorner<3, 3>();
    // In the view's axes, an eye at (e, f, g) sees p if |p.x - e| <= tan_x (g - p.z), and likewise for y. For all
    // points:
    //   max(p.x + tan_x p.z) - tan_x g  <=  e  <=  min(p.x - tan_x p.z) + tan_x g
    // which has a solution e for every g >= (max - min) / (2 tan_x); at equality e is the mean of both bounds.
    Eigen::Array2f most = Eigen::Array2f::Constant(-std::numeric_limits<float>::max()), least = -most;
    float front = most.x(), back = least.x();
    const Eigen::Array2f tangent(tan_x, tan_y);
    for (const Vector3f& point_m : points_m) {
        const Vector3f p = view_from_world * point_m;
        most = most.max(p.head<2>().array() + tangent * p.z() + around_m);
        least = least.min(p.head<2>().array() - tangent * p.z() - around_m);
        front = std::max(front, p.z());
        back = std::min(back, p.z());
    }
    constexpr float kNearPlane_m = 0.05F;
    const float eye_z = std::max(((most - least) / (2.0F * tangent)).maxCoeff(), front + kNearPlane_m);
    const Eigen::Array2f middle = 0.5F * (most + least);
    const float target_z = 0.5F * (front + back);
    camera.distance_m = eye_z - target_z;
    camera.target_m = view_from_world.transpose() * Vector3f(middle.x(), middle.y(), target_z);
    return camera;
}

OrbitCamera framed(const ViewModel& model, const Viewport& viewport) {
    if (model.lab != nullptr) return model.lab->camera;
    const Vector3f toward_eye = model.take != nullptr    ? model.take->toward_eye
                                : model.hands != nullptr ? toward_eye_of(*model.hands)
                                                         : Vector3f(Vector3f::Zero());
    const std::vector<Vector3f> subject_m = subject_of(model);
    OrbitCamera camera = camera_from(toward_eye);
    if (has_both_hands(model)) camera.elevation_rad = kElevationOfTwo_rad;
    return not_too_near(model.take != nullptr ? fitted_about(camera, *model.take, subject_m, viewport)
                                              : fitted(camera, subject_m, viewport, kSkin_m));
}

OrbitCamera framed_on_hands(const ViewModel& model, OrbitCamera direction, const Viewport& viewport) {
    const std::vector<Vector3f> now = around_hands(model);
    return now.empty() ? direction : not_too_near(fitted(direction, now, viewport, kSkin_m));
}

OrbitCamera seen_from(ViewPreset preset, const ViewModel& model, const Viewport& viewport) {
    OrbitCamera camera = framed(model, viewport);
    constexpr float kQuarter_rad = 0.5F * std::numbers::pi_v<float>;
    if (preset == ViewPreset::front || preset == ViewPreset::side) camera.elevation_rad = 0.05F;
    if (preset == ViewPreset::side) camera.yaw_rad += kQuarter_rad;
    if (preset == ViewPreset::top) camera.elevation_rad = 1.5F;
    if (preset == ViewPreset::palm && model.hands != nullptr)
        for (const tracking::HandFrame& hand : model.hands->hands) {
            if (!hand.active) continue;
            const Vector3f along = hand[Joint::middle_proximal].position_m - hand[Joint::wrist].position_m;
            const Vector3f aside = hand[Joint::index_proximal].position_m - hand[Joint::little_proximal].position_m;
            // Normal of the palm: with fingers forward and the thumb to the left, it is a right hand seen from above.
            const Vector3f out = along.cross(aside).normalized() * (hand.side == Side::right ? -1.0F : 1.0F);
            if (!out.allFinite()) continue;
            camera.yaw_rad = std::atan2(out.x(), out.z());
            camera.elevation_rad = std::clamp(std::asin(std::clamp(out.y(), -1.0F, 1.0F)), -1.2F, 1.5F);
            return framed_on_hands(model, camera, viewport);
        }
    return preset == ViewPreset::free ? camera : not_too_near(fitted(camera, subject_of(model), viewport));
}

bool glide(OrbitCamera& camera, const OrbitCamera& goal, float dt_s) {
    constexpr float kSettle_s = 0.25F, kThere = 2e-3F;
    const float share = 1.0F - std::exp(-dt_s / kSettle_s);
    const float turn_rad = std::remainder(goal.yaw_rad - camera.yaw_rad, 2.0F * std::numbers::pi_v<float>);
    const float left = (goal.target_m - camera.target_m).norm() / goal.distance_m + std::abs(turn_rad) +
                       std::abs(goal.elevation_rad - camera.elevation_rad) +
                       std::abs(goal.distance_m / camera.distance_m - 1.0F);
    if (!(left > kThere)) {
        camera = goal;
        return true;
    }
    camera.target_m += share * (goal.target_m - camera.target_m);
    camera.yaw_rad += share * turn_rad;
    camera.elevation_rad += share * (goal.elevation_rad - camera.elevation_rad);
    camera.distance_m += share * (goal.distance_m - camera.distance_m);
    return false;
}

void follow(OrbitCamera& camera, const ViewModel& model, const Viewport& viewport, float dt_s) {
    constexpr float kFree = 0.06F, kFreeZoom = 0.15F;  // of the distance: smaller movements are ignored
    OrbitCamera goal = framed_on_hands(model, camera, viewport);
    const Vector3f away = goal.target_m - camera.target_m;
    const float free_m = kFree * camera.distance_m;
    const float zoom = goal.distance_m / camera.distance_m;
    // Move only as far as the edge of the free zone, not to its middle.
    goal.target_m = camera.target_m + away * std::max(0.0F, 1.0F - free_m / std::max(away.norm(), 1e-6F));
    goal.distance_m = camera.distance_m * (zoom > 1.0F               ? zoom
                                           : zoom < 1.0F - kFreeZoom ? zoom / (1.0F - kFreeZoom)
                                                                     : 1.0F);
    constexpr float kGentle = 0.6F;  // slower than a glide to another view
    glide(camera, goal, kGentle * dt_s);
}

}  // namespace glovebox::vr
