#include "vr/layer/replay.h"
#include "tracking/names.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <stdexcept>

#include "recordings/hand_at.h"
#include "recordings/load.h"
#include "vr/openxr/seat.h"

namespace glovebox::vr::layer {
namespace {

using recordings::ActionSource;
using recordings::ActionState;
using recordings::AppPose;
using recordings::HandVelocity;
using recordings::kMaxHold_ns;
using recordings::PoseOf;

recordings::Recording open(const std::string& name) {
    if (std::filesystem::exists(name)) return recordings::load(name);
    for (const recordings::SampleRow& row : recordings::sample_table())
        if (row.name == name) return row.make();
    throw std::runtime_error(name + ": no such file, and no bundled recording of that name (" +
                             tracking::listed(tracking::names_of(recordings::sample_table())) + ")");
}

Eigen::Quaternionf near(const Eigen::Quaternionf& q, const Eigen::Quaternionf& to) {
    return q.dot(to) < 0.0F ? Eigen::Quaternionf(-q.coeffs()) : q;
}

PoseMotion motion_between(const AppPose& a, const AppPose& b) {
    PoseMotion motion;
    const float dt_s = 1e-9F * static_cast<float>(b.time_ns - a.time_ns);
    motion.linear_m_s = (b.position_m - a.position_m) / dt_s;
    const Eigen::AngleAxisf turn(near(b.orientation, a.orientation) * a.orientation.conjugate());
    motion.angular_rad_s = turn.axis() * (turn.angle() / dt_s);
    motion.known = true;
    return motion;
}

// Interpolates between two valid poses; `time_ns` lies between them.
AppPose between(const AppPose& a, const AppPose& b, std::int64_t time_ns) {
    AppPose pose = a;
    const auto share =
        static_cast<float>(static_cast<double>(time_ns - a.time_ns) / static_cast<double>(b.time_ns - a.time_ns));
    pose.flags = a.flags & b.flags;
    pose.position_m = (1.0F - share) * a.position_m + share * b.position_m;
    pose.orientation = a.orientation.slerp(share, near(b.orientation, a.orientation)).normalized();
    return pose;
}

bool is_close(const AppPose& a, const AppPose& b) {
    return a.is_valid() && b.is_valid() && b.time_ns > a.time_ns && b.time_ns - a.time_ns <= kMaxHold_ns;
}

// Interpolates as recordings::hand_at() does: at a pose's own time the result equals it to the bit. `stays`: the latest
// earlier pose is returned even if it is older than kMaxHold_ns.
AppPose pose_at(const std::vector<AppPose>& track, std::int64_t time_ns, bool stays, PoseMotion* motion) {
    const auto later = std::ranges::upper_bound(track, time_ns, {}, &AppPose::time_ns);
    if (later == track.begin()) {
        AppPose first = *later;
        if (!stays && first.time_ns - time_ns > kMaxHold_ns) first.flags = 0;
        return first;
    }
    const AppPose& before = *std::prev(later);
    if (later != track.end() && is_close(before, *later)) {
        if (motion != nullptr) *motion = motion_between(before, *later);
        return before.time_ns == time_ns ? before : between(before, *later, time_ns);
    }
    const bool is_held = time_ns - before.time_ns <= kMaxHold_ns;
    if (motion != nullptr && is_held && std::prev(later) != track.begin() && is_close(*std::prev(later, 2), before))
        *motion = motion_between(*std::prev(later, 2), before);
    AppPose held = before;
    if (!stays && !is_held) held.flags = 0;
    return held;
}

HandVelocity between(const HandVelocity& a, const HandVelocity& b, std::int64_t time_ns) {
    HandVelocity velocity = a;
    const auto share =
        static_cast<float>(static_cast<double>(time_ns - a.time_ns) / static_cast<double>(b.time_ns - a.time_ns));
    for (std::size_t j = 0; j < velocity.joints.size(); ++j) {
        HandVelocity::Joint& to = velocity.joints[j];
        to.flags &= b.joints[j].flags;
        to.linear_m_s = (1.0F - share) * to.linear_m_s + share * b.joints[j].linear_m_s;
        to.angular_rad_s = (1.0F - share) * to.angular_rad_s + share * b.joints[j].angular_rad_s;
    }
    return velocity;
}

// Interpolates; at its own time a velocity is returned to the bit. A single one is held for kMaxHold_ns.
HandVelocity velocity_at(const std::vector<HandVelocity>& track, std::int64_t time_ns) {
    const auto later = std::ranges::upper_bound(track, time_ns, {}, &HandVelocity::time_ns);
    if (later == track.begin()) return later->time_ns - time_ns <= kMaxHold_ns ? *later : HandVelocity();
    const HandVelocity& before = *std::prev(later);
    if (time_ns == before.time_ns) return before;
    if (later != track.end() && later->time_ns - before.time_ns <= kMaxHold_ns) return between(before, *later, time_ns);
    return time_ns - before.time_ns <= kMaxHold_ns ? before : HandVelocity();
}

HandVelocity computed_velocity(const recordings::HandMotion& motion, const tracking::HandFrame& hand) {
    HandVelocity velocity;
    for (std::size_t j = 0; motion.known && j < velocity.joints.size(); ++j) {
        HandVelocity::Joint& to = velocity.joints[j];
        to.linear_m_s = motion.joints[j].linear_m_s;
        to.angular_rad_s = motion.joints[j].angular_rad_s;
        if (hand.joints[j].position_valid()) to.flags |= HandVelocity::kLinearValid;
        if (hand.joints[j].orientation_valid()) to.flags |= HandVelocity::kAngularValid;
    }
    return velocity;
}

template <class Row>
std::int64_t last_time_of(const std::vector<Row>& rows, std::int64_t otherwise) {
    return rows.empty() ? otherwise : std::max(otherwise, rows.back().time_ns);
}

}  // namespace

Replay::Replay(const std::string& name, bool loop) : recording_(open(name)), loop_(loop) {
    if (recording_.samples.empty()) throw std::runtime_error(name + ": holds no samples");
    if (recording_.format == "glove") application_ = recordings::read_application_log(name);
    sort_application();
    std::int64_t last_ns = recording_.samples.back().time_ns;
    last_ns = last_time_of(application_.poses, last_ns);
    const double rate_hz = recording_.rate_hz();
    std::int64_t step_ns = kMaxHold_ns;
    if (!application_.frames.empty() && application_.frames.back().period_ns > 0)
        step_ns = application_.frames.back().period_ns;
    if (rate_hz > 0.0) step_ns = static_cast<std::int64_t>(1e9 / rate_hz);
    length_ns_ = last_ns + step_ns;
    has_hands_ = std::ranges::any_of(recording_.samples, [](const tracking::HandPair& sample) {
        return sample[tracking::Side::left].active || sample[tracking::Side::right].active;
    });
    if (!recording_.in_scene) return;
    // Hands of a recording in a scene are placed where `glovebox vr` places the scene.
    for (tracking::HandPair& sample : recording_.samples)
        for (tracking::HandFrame& hand : sample.hands)
            for (tracking::JointPose& joint : hand.joints) joint.position_m += openxr::kSceneInSeat_m;
}

void Replay::sort_application() {
    actions_.resize(application_.actions.size());
    const auto place_of = [this](std::int32_t id) {
        const auto found = std::ranges::find(application_.actions, id, &recordings::AppAction::id);
        return static_cast<std::size_t>(found - application_.actions.begin());
    };
    for (const AppPose& pose : application_.poses) {
        const auto number = static_cast<std::size_t>(pose.number);
        if (pose.of == PoseOf::head) head_.push_back(pose);
        if (pose.of == PoseOf::view && pose.number >= 0 && number < kMaxViews) views_[number].push_back(pose);
        if (pose.of != PoseOf::action) continue;
        const std::size_t place = place_of(pose.number);
        if (place < actions_.size()) actions_[place].poses[static_cast<std::size_t>(pose.source)].push_back(pose);
    }
    for (const HandVelocity& velocity : application_.velocities) velocities_[velocity.side].push_back(velocity);
    application_.velocities = {};
    for (const ActionState& state : application_.states) {
        const std::size_t place = place_of(state.action);
        if (place < actions_.size()) actions_[place].states[static_cast<std::size_t>(state.source)].push_back(state);
    }
}

std::optional<std::int64_t> Replay::time_at(XrTime time) const noexcept {
    const XrTime start = start_.load(std::memory_order_relaxed);
    if (start == 0) return std::nullopt;
    const std::int64_t time_ns = time - start;
    return loop_ && time_ns >= 0 ? time_ns % length_ns_ : time_ns;
}

std::optional<std::int64_t> Replay::begin(XrTime time, bool focused) noexcept {
    XrTime none = 0;
    if (focused && start_.load(std::memory_order_relaxed) == 0) start_.compare_exchange_strong(none, time);
    return time_at(time);
}

tracking::HandFrame Replay::hand(tracking::Side side, XrTime time, bool focused, HandVelocity& velocity) noexcept {
    tracking::HandFrame hand;
    hand.side = side;
    velocity = {};
    const auto time_ns = begin(time, focused);
    if (!time_ns) return hand;
    recordings::HandMotion motion;
    hand = recordings::hand_at(recording_.samples, side, *time_ns, &motion);
    const std::vector<HandVelocity>& reported = velocities_[side];
    velocity = reported.empty() ? computed_velocity(motion, hand) : velocity_at(reported, *time_ns);
    return hand;
}

const Replay::PoseTrack* Replay::track(PoseOf of, std::int32_t number, ActionSource source) const noexcept {
    const auto place = static_cast<std::size_t>(number);
    if (of == PoseOf::head) return &head_;
    if (number < 0) return nullptr;
    if (of == PoseOf::view) return place < kMaxViews ? &views_[place] : nullptr;
    return place < actions_.size() ? &actions_[place].poses[static_cast<std::size_t>(source)] : nullptr;
}

std::optional<AppPose> Replay::pose(PoseOf of, std::int32_t number, ActionSource source, XrTime time, bool focused,
                                    PoseMotion* motion) noexcept {
    const PoseTrack* poses = track(of, number, source);
    if (poses == nullptr || poses->empty()) return std::nullopt;
    const auto time_ns = begin(time, focused);
    if (!time_ns) return std::nullopt;
    return pose_at(*poses, *time_ns, of != PoseOf::action, motion);
}

std::int32_t Replay::find_action(std::string_view action_set, std::string_view name, std::string_view type) const {
    const auto found = std::ranges::find_if(application_.actions, [&](const recordings::AppAction& each) {
        return each.action_set == action_set && each.name == name && each.type == type;
    });
    return found == application_.actions.end() ? -1 : static_cast<std::int32_t>(found - application_.actions.begin());
}

std::optional<ActionState> Replay::action_state(std::int32_t action, ActionSource source,
                                                XrTime displayed) const noexcept {
    const auto place = static_cast<std::size_t>(action);
    const auto time_ns = time_at(displayed);
    if (action < 0 || place >= actions_.size() || !time_ns) return std::nullopt;
    const StateTrack& states = actions_[place].states[static_cast<std::size_t>(source)];
    if (states.empty()) return std::nullopt;
    const auto later = std::ranges::upper_bound(states, *time_ns, {}, &ActionState::time_ns);
    // A state that was first recorded some frames after the first pose already applied in the first frame.
    ActionState state = later == states.begin() ? states.front() : *std::prev(later);
    if (*time_ns > length_ns_) state = {state.time_ns, state.action, state.source, false, 0.0F, 0.0F};
    return state;
}

XrTime Replay::requested_at(std::int64_t time_ns, XrTime displayed) const noexcept {
    const XrTime start = start_.load(std::memory_order_relaxed);
    const XrTime at = start + time_ns;
    if (!loop_ || displayed < at) return at;
    return at + (displayed - at) / length_ns_ * length_ns_;
}

std::optional<std::string_view> Replay::interaction_profile(ActionSource source, XrTime displayed) const noexcept {
    const auto time_ns = time_at(displayed);
    if (!time_ns) return std::nullopt;
    std::optional<std::string_view> in_use;
    for (const recordings::InteractionProfile& each : application_.profiles)
        if (each.source == source && (!in_use || each.time_ns <= *time_ns)) in_use = each.profile;
    return in_use;
}

std::size_t Replay::profile_changes(XrTime displayed) const noexcept {
    const auto time_ns = time_at(displayed);
    if (!time_ns || application_.profiles.empty()) return 0;
    return 1 + static_cast<std::size_t>(std::ranges::count_if(
                   application_.profiles, [&](const auto& each) { return each.time_ns <= *time_ns; }));
}

}  // namespace glovebox::vr::layer
