#include <cmath>

#include "vr/openxr/live_eyes.h"

namespace glovebox::vr {
namespace {

const Eigen::Vector3f kFromWrist_m{-0.13F, 0.13F, -0.18F};  // in the seat's axes: left, up and ahead of the wrist
constexpr float kRelease_m = 0.010F;
constexpr float kDeepest_m = 0.040F;  // a finger farther behind the panel does not press it
const Eigen::Vector3f kWithoutHand_m{-0.34F, -0.16F, -0.52F};

}  // namespace

Eigen::Isometry3f panel_place(const tracking::HandFrame& left, const Eigen::Vector3f& head_m,
                              const Eigen::Isometry3f& scene_from_seat) {
    const tracking::JointPose& wrist = left[tracking::Joint::wrist];
    Eigen::Vector3f center_m = scene_from_seat * kWithoutHand_m;
    if (left.active && wrist.position_valid()) {
        center_m = wrist.position_m + scene_from_seat.linear() * kFromWrist_m;
    }
    Eigen::Vector3f forward = head_m - center_m;
    if (forward.norm() < 1e-3F) forward = Eigen::Vector3f::UnitZ();
    const Eigen::Vector3f z = forward.normalized();
    Eigen::Vector3f x = Eigen::Vector3f::UnitY().cross(z);
    x = x.norm() < 1e-3F ? Eigen::Vector3f(Eigen::Vector3f::UnitX()) : Eigen::Vector3f(x.normalized());
    Eigen::Isometry3f scene_from_panel = Eigen::Isometry3f::Identity();
    scene_from_panel.linear() << x, z.cross(x), z;
    scene_from_panel.translation() = center_m;
    return scene_from_panel;
}

PanelTouch touch_panel(const Eigen::Isometry3f& scene_from_panel, float width_m, float height_m,
                       const Eigen::Vector3f& tip_m, float tip_radius_m, bool was_pressed) {
    const Eigen::Vector3f tip = scene_from_panel.inverse() * tip_m;
    PanelTouch touch;
    touch.x = tip.x() / width_m + 0.5F;
    touch.y = 0.5F - tip.y() / height_m;
    const float gap_m = tip.z() - tip_radius_m;
    touch.over = touch.x >= 0.0F && touch.x <= 1.0F && touch.y >= 0.0F && touch.y <= 1.0F && gap_m < 0.05F &&
                 gap_m > -kDeepest_m;
    touch.pressed = touch.over && gap_m <= (was_pressed ? kRelease_m : 0.0F);
    return touch;
}

}  // namespace glovebox::vr
