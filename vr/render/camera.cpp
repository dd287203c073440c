#include "vr/render/camera.h"

#include <algorithm>
#include <cmath>

namespace glovebox::vr {
namespace {

using Eigen::Matrix4f;
using Eigen::Vector3f;

constexpr float kNear_m = 0.02F;
constexpr float kFar_m = 30.0F;

Vector3f offset(const OrbitCamera& camera) {
    return {std::cos(camera.elevation_rad) * std::sin(camera.yaw_rad), std::sin(camera.elevation_rad),
            std::cos(camera.elevation_rad) * std::cos(camera.yaw_rad)};
}

}  // namespace

Matrix4f perspective(float vertical_view_rad, float aspect, float near_m, float far_m) {
    const float f = 1.0F / std::tan(0.5F * vertical_view_rad);
    Matrix4f m = Matrix4f::Zero();
    m(0, 0) = f / aspect;
    m(1, 1) = f;
    m(2, 2) = (far_m + near_m) / (near_m - far_m);
    m(2, 3) = 2.0F * far_m * near_m / (near_m - far_m);
    m(3, 2) = -1.0F;
    return m;
}

Matrix4f orthographic(float half_width_m, float half_height_m, float near_m, float far_m) {
    Matrix4f m = Matrix4f::Identity();
    m(0, 0) = 1.0F / half_width_m;
    m(1, 1) = 1.0F / half_height_m;
    m(2, 2) = -2.0F / (far_m - near_m);
    m(2, 3) = -(far_m + near_m) / (far_m - near_m);
    return m;
}

Vector3f OrbitCamera::eye_m() const {
    return target_m + distance_m * offset(*this);
}

Matrix4f OrbitCamera::view_from_world() const {
    const Vector3f back = offset(*this);
    const Vector3f right(std::cos(yaw_rad), 0.0F, -std::sin(yaw_rad));
    Eigen::Isometry3f world_from_view = Eigen::Isometry3f::Identity();
    world_from_view.linear() << right, back.cross(right), back;
    world_from_view.translation() = eye_m();
    return world_from_view.inverse().matrix();
}

Matrix4f OrbitCamera::clip_from_view(int width_px, int height_px, const FreeArea& free) const {
    const auto width = static_cast<float>(width_px);
    const auto height = static_cast<float>(height_px);
    Matrix4f m = perspective(vertical_view_rad, width / height, kNear_m, kFar_m);
    if (free.width > 0.0F && free.height > 0.0F) {
        m(0, 2) = -((free.x + 0.5F * free.width) / width * 2.0F - 1.0F);
        m(1, 2) = (free.y + 0.5F * free.height) / height * 2.0F - 1.0F;
    }
    return m;
}

void OrbitCamera::orbit(float right_px, float down_px, float height_px) {
    constexpr float kTurnPerHeight = 3.0F;  // rotation for a drag over the window's height
    yaw_rad -= kTurnPerHeight * right_px / height_px;
    elevation_rad = std::clamp(elevation_rad + kTurnPerHeight * down_px / height_px, -1.2F, 1.5F);
}

void OrbitCamera::zoom(float steps) {
    distance_m = std::clamp(distance_m * std::pow(0.88F, steps), 0.12F, 8.0F);
}

void OrbitCamera::pan(float right_px, float down_px, float height_px) {
    const float metres_per_px = 2.0F * distance_m * std::tan(0.5F * vertical_view_rad) / height_px;
    const Vector3f right(std::cos(yaw_rad), 0.0F, -std::sin(yaw_rad));
    target_m += metres_per_px * (down_px * offset(*this).cross(right) - right_px * right);
}

}  // namespace glovebox::vr
