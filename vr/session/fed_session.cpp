#include "vr/session/fed_session.h"

#include <chrono>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

#include "scenes/gather_surfaces.h"
#include "scenes/hand_body.h"
#include "scenes/scene_hash.h"
#include "tracking/forward_kinematics.h"
#include "tracking/hand_geometry.h"
#include "vr/session/open_recording.h"

namespace glovebox::vr {
namespace {

using tracking::Side;

std::int64_t now_ns() {
    return std::chrono::steady_clock::now().time_since_epoch() / std::chrono::nanoseconds(1);
}

scenes::Scene with_tracks(scenes::Scene scene) {
    load_tracks(scene, scene.recording_axes);
    return scene;
}

PipelineSettings fed_settings(const FedOptions& options) {
    PipelineSettings settings;
    settings.profiles = {tracking::default_profile(), tracking::default_profile()};
    settings.method = options.method;
    settings.filter = options.filter;
    return settings;
}

// Computes the orientations that are not valid from the positions. Their numbers may be NaN, and bones use them.
void orient(tracking::HandFrame& hand) {
    bool complete = true;
    for (tracking::JointPose& joint : hand.joints) {
        if (joint.orientation_valid()) continue;
        joint.orientation.setIdentity();
        complete = false;
    }
    if (!complete) tracking::orient_from_positions(hand);
}

std::int64_t nanoseconds(double time_s) {
    return std::llround(1e9 * time_s);
}

}  // namespace

tracking::HandFrame curled_hand(Side side, const Eigen::Isometry3f& world_from_wrist,
                                const std::array<float, tracking::kFingerCount>& curls) {
    tracking::HandAngles angles;
    angles.thumb.cmc_flex = curls[0] * tracking::kClosedThumb_rad[0];
    angles.thumb.mcp_flex = curls[0] * tracking::kClosedThumb_rad[1];
    angles.thumb.ip_flex = curls[0] * tracking::kClosedThumb_rad[2];
    for (std::size_t i = 0; i < angles.fingers.size(); ++i) {
        tracking::FingerAngles& finger = angles.fingers[i];
        finger.mcp_flex = curls[i + 1] * tracking::kClosedFinger_rad[0];
        finger.pip_flex = curls[i + 1] * tracking::kClosedFinger_rad[1];
        finger.dip_flex = curls[i + 1] * tracking::kClosedFinger_rad[2];
    }
    return tracking::pose_from_angles(tracking::default_profile(), angles, world_from_wrist, side);
}

FedSession::FedSession(scenes::Scene the_scene, const FedOptions& options)
    : scene(with_tracks(std::move(the_scene))),
      pipeline(scene, fed_settings(options), now_ns),
      touches(scene),
      simulated_(options.simulated),
      scene_hash_(scenes::hash_of(scene)) {
    if (options.forces) forces.emplace();
    reserve_hands();
}

std::string_view FedSession::refuses(double time_s) const {
    // 9e6 seconds are a hundred days; in nanoseconds they are far from overflow.
    if (!(std::abs(time_s) < 9e6))
        return "`time_s` is not finite, or not below 9e6 s: count seconds from a start of your own";
    if (began && nanoseconds(time_s) < raw.time_ns)
        return "`time_s` goes back: restart the session, or restore a state, first";
    return {};
}

void FedSession::begin_step(double time_s) {
    const std::int64_t time_ns = nanoseconds(time_s);
    dt_s_ = began ? 1e-9 * static_cast<double>(time_ns - raw.time_ns) : 0.0;
    if (!began) pipeline.world.tracks_start_ns = time_ns;
    began = true;
    raw.time_ns = time_ns;
    for (const Side side : tracking::kSides) {
        tracking::HandFrame& hand = raw[side];
        hand.side = side;
        hand.source = tracking::Source::live;
        hand.discontinuous = false;
        hand.times = {time_ns, time_ns, time_ns};
        // Here, because a restart and a restored state have settings of their own.
        pipeline.guards[side].settings.frozen_ns =
            simulated_ ? std::numeric_limits<std::int64_t>::max() : tracking::GuardSettings{}.frozen_ns;
    }
}

void FedSession::finish_step() {
    for (tracking::HandFrame& hand : raw.hands)
        if (hand.active) orient(hand);
    pipeline.frame(raw, dt_s_);
    touches.add(pipeline.world, pipeline.report);
    if (forces) forces->add(scene, pipeline.world, dt_s_);
    publish_forces(true);
    ++frames;
}

// Passes the surfaces near the hands to the force loop, or none if the hands have not been seen since a jump in time.
void FedSession::publish_forces(bool seen) {
    if (!force_frames_) return;
    scenes::HapticFrame& frame = force_frames_->back();
    if (seen)
        scenes::gather_surfaces(scene, pipeline.world, frame);
    else
        for (scenes::HandSurfaces& hand : frame.hands) hand.present = false;
    frame.period_ns = static_cast<std::int64_t>(1e9 * dt_s_);
    frame.number = ++force_number_;
    force_frames_->publish();
}

FedForceLoop FedSession::open_force_loop() {
    force_frames_ = std::make_shared<ForceFrames>();
    return FedForceLoop(force_frames_);
}

void FedSession::restart() {
    pipeline.restart();
    reserve_hands();
    touches.end_all();
    if (forces) forces.emplace();
    publish_forces(false);
    began = false;
    frames = 0;
}

// Allocates the memory of a world's hands that the first tracked hand would need; their state stays untracked.
void FedSession::reserve_hands() {
    for (const Side side : tracking::kSides) {
        const tracking::HandFrame hand =
            tracking::pose_from_angles(tracking::default_profile(), {}, Eigen::Isometry3f::Identity(), side);
        scenes::HandState& state = pipeline.world.hands[side];
        for (collision::BodyPose* pose : {&state.pose, &state.previous, &pipeline.world.sub_pose})
            scenes::pose_hand(hand, *pose);
        pipeline.world.method->refit(scenes::hand_body(), state.pose, state.boxes);
    }
}

bool FedSession::fit_hand(Side side, std::span<const tracking::HandPair> samples) {
    const tracking::HandProfile profile = tracking::fit_profile(samples, side);
    if (profile.origin == tracking::default_profile().origin) return false;
    pipeline.set_profile(side, profile);
    return true;
}

FedSession::Saved FedSession::save() const {
    return {pipeline.save(), touches, forces, raw, began, frames, scene_hash_};
}

void FedSession::restore(const Saved& saved) {
    if (saved.scene_hash != scene_hash_) throw std::invalid_argument("the state is of another scene");
    if (saved.forces.has_value() != forces.has_value())
        throw std::invalid_argument("the state is of a session with other options (forces)");
    if (saved.pipeline.filters[Side::right].settings != pipeline.settings.filter)
        throw std::invalid_argument("the state is of a session with other options (filter)");
    pipeline.restore(saved.pipeline);
    touches = saved.touches;
    forces = saved.forces;
    raw = saved.raw;
    began = saved.began;
    frames = saved.frames;
    publish_forces(false);
}

}  // namespace glovebox::vr
