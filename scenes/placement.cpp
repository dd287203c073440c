#include "scenes/placement.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>
#include <vector>

#include "tracking/formatted.h"

namespace glovebox::scenes {
namespace {

using Eigen::Vector3f;
using tracking::formatted;
using tracking::HandFrame;
using tracking::Joint;
using tracking::Side;

constexpr std::array kTips = {Joint::thumb_tip, Joint::index_tip, Joint::middle_tip, Joint::ring_tip,
                              Joint::little_tip};

// A hand that travels further belongs to a walking body; no single rigid motion keeps such a hand in the scene.
constexpr float kReach_m = 0.8F;

// A hand that moves up and down by more than this belongs to a body. If it were placed by its median height, it would
// be below the objects for half of the time.
constexpr float kLevel_m = 0.20F;

std::optional<Vector3f> fingertips_middle(const HandFrame& hand) {
    if (!hand.active) return {};
    Vector3f sum = Vector3f::Zero();
    for (const Joint tip : kTips) {
        if (!hand[tip].position_valid()) return {};
        sum += hand[tip].position_m;
    }
    return sum / static_cast<float>(kTips.size());
}

float quantile(std::vector<float> values, float fraction) {
    const auto rank = static_cast<std::size_t>(fraction * static_cast<float>(values.size()));
    const auto at = values.begin() + static_cast<std::ptrdiff_t>(std::min(rank, values.size() - 1));
    std::nth_element(values.begin(), at, values.end());
    return *at;
}

float median(std::vector<float> values) {
    return quantile(std::move(values), 0.5F);
}

Vector3f median(const std::vector<Vector3f>& points) {
    Vector3f result;
    for (int axis = 0; axis < 3; ++axis) {
        std::vector<float> values;
        values.reserve(points.size());
        for (const Vector3f& point : points) values.push_back(point[axis]);
        result[axis] = median(std::move(values));
    }
    return result;
}

float spread_m(const std::vector<Vector3f>& points, const Vector3f& center) {
    std::vector<float> distances;
    for (const Vector3f& point : points) distances.push_back((point - center).norm());
    return median(std::move(distances));
}

struct Path {
    Side side;
    std::vector<Vector3f> tips_m, wrists_m, fingers;  // fingers: from the wrist to the tips
    std::vector<Vector3f> tips_in_wrist_m;
    std::vector<float> lowest_y_m;  // of all joints
};

float lowest_joint_y_m(const HandFrame& hand) {
    float lowest_m = std::numeric_limits<float>::max();
    for (const tracking::JointPose& joint : hand.joints)
        if (joint.position_valid()) lowest_m = std::min(lowest_m, joint.position_m.y());
    return lowest_m;
}

Path path_of(Side side, std::span<const tracking::HandPair> samples) {
    Path path{side, {}, {}, {}, {}, {}};
    for (const tracking::HandPair& sample : samples) {
        const HandFrame& hand = sample[side];
        const auto tips_m = fingertips_middle(hand);
        const Vector3f wrist_m = hand[Joint::wrist].position_m;
        const bool finite = wrist_m.allFinite() && hand[Joint::wrist].orientation.coeffs().allFinite();
        if (!tips_m || !hand[Joint::wrist].position_valid() || !tips_m->allFinite() || !finite) continue;
        path.tips_m.push_back(*tips_m);
        path.wrists_m.push_back(wrist_m);
        path.fingers.push_back(*tips_m - wrist_m);
        path.lowest_y_m.push_back(lowest_joint_y_m(hand));
        path.tips_in_wrist_m.push_back(hand[Joint::wrist].orientation.conjugate() * (*tips_m - wrist_m));
    }
    return path;
}

bool moves_vertically(const Path& path) {
    std::vector<float> heights_m;
    for (const Vector3f& tip_m : path.tips_m) heights_m.push_back(tip_m.y());
    return quantile(heights_m, 0.9F) - quantile(heights_m, 0.1F) > kLevel_m;
}

// Returns the lowest height of a hand. A few frames far below all others are glitches; they lower it by at most 8 cm.
float floor_y_m(const Path& path) {
    return std::max(quantile(path.lowest_y_m, 0.0F), quantile(path.lowest_y_m, 0.02F) - 0.08F);
}

// Returns the position of the fingertips in the lowest tenth of the samples, at the height of the lowest joint.
Vector3f lowest_reach_m(const Path& path, float floor_m) {
    const float low_m = quantile(path.lowest_y_m, 0.1F);
    std::vector<Vector3f> tips_m;
    for (std::size_t i = 0; i < path.tips_m.size(); ++i)
        if (path.lowest_y_m[i] <= low_m) tips_m.push_back(path.tips_m[i]);
    Vector3f reach_m = median(tips_m);
    reach_m.y() = floor_m;
    return reach_m;
}

std::string text_of(const Vector3f& v) {
    return formatted("(%.3f, %.3f, %.3f)", static_cast<double>(v.x()), static_cast<double>(v.y()),
                     static_cast<double>(v.z()));
}

}  // namespace

HandPlacement find_placement(const Scene& scene, std::span<const tracking::HandPair> samples) {
    HandPlacement result;
    if (scene.placement == Placement::recorded) return result;

    const Path left = path_of(Side::left, samples), right = path_of(Side::right, samples);
    const Path* chosen = right.tips_m.size() >= left.tips_m.size() ? &right : &left;
    if (chosen->tips_m.empty()) return result;
    const bool reaches = moves_vertically(*chosen);
    if (reaches && !left.tips_m.empty() && !right.tips_m.empty())
        chosen = floor_y_m(left) < floor_y_m(right) ? &left : &right;
    const Path& path = *chosen;

    const Vector3f tips_m = reaches ? lowest_reach_m(path, floor_y_m(path)) : median(path.tips_m);
    const float travel_m = spread_m(path.wrists_m, median(path.wrists_m));
    if (scene.placement == Placement::wrist || travel_m > kReach_m) {
        result.kind = Placement::wrist;
        result.side = path.side;
        result.scene_from_wrist.translation() = scene.anchor_m - median(path.tips_in_wrist_m);
        result.note = "the " + std::string(tracking::name_of(path.side)) + " wrist is held still at " +
                      text_of(result.scene_from_wrist.translation()) +
                      " m, because it travels (half of the time more than " + std::to_string(kReach_m).substr(0, 4) +
                      " m from its middle): only finger motion is left";
        if (scene.placement == Placement::wrist) result.note = "the wrist is held still, as the scene asks";
        return result;
    }

    // Turn about +Y so that the fingers point to -Z on average, then move their middle to the anchor.
    Vector3f fingers = Vector3f::Zero();
    for (const Vector3f& each : path.fingers) fingers += each;
    float turn_rad = 0.0F;
    if (std::hypot(fingers.x(), fingers.z()) > 1e-3F * static_cast<float>(path.fingers.size()))
        turn_rad = std::atan2(fingers.x(), -fingers.z());
    const Eigen::AngleAxisf turn(turn_rad, Vector3f::UnitY());
    result.kind = Placement::fingertips;
    result.scene_from_recording.linear() = turn.toRotationMatrix();
    result.scene_from_recording.translation() = scene.anchor_m - turn * tips_m;
    result.note =
        (reaches ? "moved so that the " + std::string(tracking::name_of(path.side)) + " hand, where lowest, is at "
                 : "moved so that the fingertips' median is at ") +
        text_of(scene.anchor_m) + " m, turned by " +
        std::to_string(static_cast<int>(std::lround(turn_rad * 180.0F / std::numbers::pi_v<float>))) +
        " degrees about +Y";
    return result;
}

namespace {

// Computes scene_from_recording for this sample; false if the wrist that is held still is lost.
bool find_scene_from_recording(const HandPlacement& placement, const tracking::HandPair& hands,
                               Eigen::Isometry3f& scene_from_recording) {
    scene_from_recording = placement.scene_from_recording;
    if (placement.kind != Placement::wrist) return true;
    const tracking::JointPose& wrist = hands[placement.side][Joint::wrist];
    if (!hands[placement.side].active || !wrist.position_valid()) return false;
    const Eigen::Isometry3f recording_from_wrist = Eigen::Translation3f(wrist.position_m) * wrist.orientation;
    scene_from_recording = placement.scene_from_wrist * recording_from_wrist.inverse();
    return true;
}

void move_joint(const Eigen::Isometry3f& scene_from_recording, const Eigen::Quaternionf& turn,
                tracking::JointPose& joint) {
    joint.position_m = scene_from_recording * joint.position_m;
    joint.orientation = (turn * joint.orientation).normalized();
}

}  // namespace

void place(const HandPlacement& placement, tracking::HandPair& hands) {
    if (placement.kind == Placement::recorded) return;
    Eigen::Isometry3f scene_from_recording;
    if (!find_scene_from_recording(placement, hands, scene_from_recording)) {
        for (HandFrame& hand : hands.hands) hand.active = false;
        return;
    }
    const Eigen::Quaternionf turn(scene_from_recording.linear());
    for (HandFrame& hand : hands.hands) {
        if (!hand.active) continue;
        for (tracking::JointPose& joint : hand.joints) move_joint(scene_from_recording, turn, joint);
    }
}

void place_joints(const HandPlacement& placement, tracking::HandPair& hands, Side side, std::uint32_t joints) {
    if (placement.kind == Placement::recorded) return;
    Eigen::Isometry3f scene_from_recording;
    if (!find_scene_from_recording(placement, hands, scene_from_recording)) {
        hands[side].active = false;
        return;
    }
    if (!hands[side].active) return;
    const Eigen::Quaternionf turn(scene_from_recording.linear());
    for (std::uint32_t left = joints; left != 0; left &= left - 1)
        move_joint(scene_from_recording, turn, hands[side].joints[static_cast<std::size_t>(std::countr_zero(left))]);
}

}  // namespace glovebox::scenes
