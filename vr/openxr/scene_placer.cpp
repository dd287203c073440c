#include "vr/openxr/scene_placer.h"

#include <cmath>
#include <optional>

namespace glovebox::vr {
namespace {

using Eigen::Vector3f;
using tracking::Joint;
using tracking::Side;

constexpr float kPinched_m = 0.005F, kOpen_m = 0.020F;  // distance between the surfaces of thumb and index finger
constexpr float kUsualTip_m = 0.007F;                   // typical radius of a fingertip
constexpr std::int64_t kDwell_ns = 150'000'000;

struct Pinch {
    Vector3f at_m;
    float gap_m;
};

std::optional<Pinch> pinch_of(const tracking::HandFrame& hand) {
    const tracking::JointPose &thumb = hand[Joint::thumb_tip], &index = hand[Joint::index_tip];
    if (!hand.active || !thumb.position_valid() || !index.position_valid()) return {};
    const auto radius_m = [](const tracking::JointPose& tip) {
        return tip.radius_m > 0.0F ? tip.radius_m : kUsualTip_m;
    };
    const Pinch pinch{0.5F * (thumb.position_m + index.position_m),
                      (thumb.position_m - index.position_m).norm() - radius_m(thumb) - radius_m(index)};
    return pinch.at_m.allFinite() ? std::optional(pinch) : std::nullopt;
}

// Returns a rotation about +Y with -Z in the head's direction; the previous one if the head looks straight up or down.
Eigen::Matrix3f turned_as(const Eigen::Isometry3f& seat_from_head, const Eigen::Matrix3f& before) {
    const Vector3f ahead = -seat_from_head.linear().col(2);
    if (!(std::hypot(ahead.x(), ahead.z()) > 0.2F)) return before;
    return Eigen::AngleAxisf(std::atan2(-ahead.x(), -ahead.z()), Vector3f::UnitY()).toRotationMatrix();
}

}  // namespace

void ScenePlacer::begin(const Eigen::Isometry3f& seat_from_scene) {
    active_ = true;
    seat_from_scene_ = seat_from_scene;
    was_open_.fill(false);
    pinched_since_ns_.fill(0);
}

bool ScenePlacer::update(const tracking::HandPair& in_seat, const Eigen::Isometry3f& seat_from_head,
                         std::int64_t now_ns) {
    if (!active_) return false;
    std::optional<Pinch> shown, placed;
    for (const Side side : {Side::left, Side::right}) {
        const std::optional<Pinch> pinch = pinch_of(in_seat[side]);
        if (pinch) shown = pinch;
        was_open_[side] = was_open_[side] || (pinch && pinch->gap_m > kOpen_m);
        const bool pinches = pinch && was_open_[side] && pinch->gap_m <= kPinched_m;
        if (!pinches)
            pinched_since_ns_[side] = 0;
        else if (pinched_since_ns_[side] == 0)
            pinched_since_ns_[side] = now_ns;
        if (pinches && now_ns - pinched_since_ns_[side] >= kDwell_ns) placed = pinch;
    }
    if (placed) shown = placed;
    if (shown) {
        seat_from_scene_.linear() = turned_as(seat_from_head, seat_from_scene_.linear());
        seat_from_scene_.translation() = shown->at_m;
    }
    return placed.has_value();
}

}  // namespace glovebox::vr
