#include "vr/layer/record.h"

#include <algorithm>
#include <span>
#include <utility>

#include "collision/mesh/hash.h"
#include "recordings/log/schema.h"
#include "recordings/output.h"
#include "recordings/parse.h"
#include "vr/layer/frame_ledger.h"

namespace glovebox::vr::layer {
namespace {

using recordings::ActionSource;
using recordings::ActionState;
using recordings::AppFrame;
using recordings::AppPose;
using recordings::HapticRecord;
using tracking::HandFrame;
using tracking::HandPair;
using tracking::Side;

// Hands located for times this close are one sample; a hand from this long ago may stand in for a missing one.
constexpr XrTime kSame_ns = 2'000'000, kHeld_ns = 50'000'000;
constexpr int kSpins = 20'000;  // some 20 us: ten copies of a sample

recordings::LogHeader header_of(const std::string& application) {
    recordings::LogHeader header;
    header.of_application = header.numbered_if_taken = true;
    header.meta = {{"device", "OpenXR application " + application}, {"application", application}, {"space", "local"}};
    return header;
}

Side other(Side side) {
    return side == Side::left ? Side::right : Side::left;
}

// Returns an index for each subject of poses; too large for unknown ones.
std::size_t subject_of(const AppPose& pose) {
    constexpr std::size_t kNone = ~std::size_t{0}, kViews = 4;
    const auto number = static_cast<std::size_t>(pose.number);
    if (pose.number < 0) return kNone;
    if (pose.of == recordings::PoseOf::head) return 0;
    if (pose.of == recordings::PoseOf::view) return number < kViews ? 1 + number : kNone;
    return 1 + kViews + number * recordings::kActionSourceCount + static_cast<std::size_t>(pose.source);
}

// Hashes are added up, because threads may locate in any order.
std::uint64_t hash_of(const AppPose& pose) {
    std::array<float, 11> numbers{};
    std::copy_n(pose.position_m.data(), 3, numbers.begin());
    std::copy_n(pose.orientation.coeffs().data(), 4, numbers.begin() + 3);
    std::ranges::copy(pose.fov_rad, numbers.begin() + 7);
    const std::uint64_t subject = subject_of(pose) << 8 | pose.flags;
    return collision::hash_bytes(std::as_bytes(std::span(numbers)), subject ^ static_cast<std::uint64_t>(pose.time_ns)
                                                                                  << 24);
}

std::uint64_t hash_of(const HandFrame& hand, std::int64_t time_ns) {
    const std::uint64_t seed =
        static_cast<std::uint64_t>(time_ns) << 8 | (hand.side == Side::left ? 2U : 4U) | (hand.active ? 1U : 0U);
    if (!hand.active) return collision::hash_bytes({}, seed);
    recordings::JointBlob blob;
    recordings::pack_joints(hand, blob);
    return collision::hash_bytes(std::as_bytes(std::span(blob)), seed);
}

}  // namespace

Record::Record(const std::filesystem::path& path, const std::string& application)
    : log_(path, header_of(application)) {}

bool Record::enter() noexcept {
    for (int spin = 0; busy_.test_and_set(std::memory_order_acquire); ++spin)
        if (spin == kSpins) {
            ++left_out_;
            return false;
        }
    return true;
}

void Record::begin(XrTime time, std::int64_t arrival_ns) noexcept {
    if (first_ != 0) return;
    first_ = time;
    first_arrival_ns_ = arrival_ns;
}

void Record::put(const HandPair& sample) noexcept {
    log_.sample(sample);
    last_flushed_ns_ = sample.time_ns;
}

void Record::hand(const HandFrame& hand, XrTime time, std::int64_t arrival_ns,
                  const recordings::HandVelocity* velocity) noexcept {
    if (!enter()) return;
    begin(time, arrival_ns);
    // The log's time begins with a sample, even if a pose was located before the first hand.
    if (last_flushed_ns_ < 0 && pending_time_ == 0 && time > first_) put({});
    const Side side = hand.side;
    const bool same = pending_time_ != 0 && time - pending_time_ < kSame_ns && pending_time_ - time < kSame_ns;
    if (pending_time_ != 0 && !same && time > pending_time_) flush();
    if (pending_time_ == 0 && time - first_ > last_flushed_ns_) {
        pending_time_ = time;
        pending_.time_ns = time - first_;
        has_ = {};
    }
    if (pending_time_ != 0 && (same || time == pending_time_) && !has_[side]) {
        HandFrame& kept = pending_[side];
        kept = hand;
        kept.times = {time, arrival_ns - first_arrival_ns_, pending_.time_ns};
        last_[side] = kept;
        has_[side] = true;
        pose_hash_ += hash_of(kept, time - first_);
        if (velocity != nullptr && hand.active) {
            recordings::HandVelocity moving = *velocity;
            moving.time_ns = pending_.time_ns;
            moving.side = side;
            log_.velocity(moving);
        }
        if (has_[other(side)]) flush();
    }
    leave();
}

void Record::pose(AppPose pose, XrTime time, std::int64_t arrival_ns) noexcept {
    const std::size_t subject = subject_of(pose);
    if (subject >= kSubjects || !enter()) return;
    begin(time, arrival_ns);
    if (time >= first_ && time > posed_[subject]) {
        posed_[subject] = time;
        pose.time_ns = time - first_;
        log_.pose(pose);
        pose_hash_ += hash_of(pose);
    }
    leave();
}

void Record::action_state(ActionState state, XrTime displayed) noexcept {
    const std::size_t subject = subject_of({0, recordings::PoseOf::action, state.source, 0, state.action});
    if (subject >= kSubjects || !enter()) return;
    // Before the first pose the log has no time; the state is recorded when it is read again.
    if (first_ != 0) {
        state.time_ns = std::max<std::int64_t>(displayed - first_, 0);
        const ActionState& last = states_[subject];
        const bool is_same =
            has_state_[subject] && last.active == state.active && last.x == state.x && last.y == state.y;
        if (!is_same) {
            states_[subject] = state;
            has_state_[subject] = true;
            log_.action_state(state);
        }
    }
    leave();
}

void Record::frame_waited(const XrFrameState& frame, std::int64_t arrival_ns) noexcept {
    if (!enter()) return;
    Frame& at = frames_[static_cast<std::size_t>(frames_waited_) % kFramesAtOnce];
    at.displayed = frame.predictedDisplayTime;
    at.record = {};
    at.record.number = frames_waited_++;
    period_ns_ = openxr::display_period_ns(period_ns_, frame.predictedDisplayPeriod);
    at.record.period_ns = period_ns_;
    at.record.should_render = frame.shouldRender == XR_TRUE;
    at.record.waited_ns = arrival_ns;
    at.record.missed = missed_between(last_displayed_, frame.predictedDisplayTime, period_ns_);
    last_displayed_ = frame.predictedDisplayTime;
    leave();
}

void Record::frame_begun(std::int64_t arrival_ns) noexcept {
    if (!enter()) return;
    if (frames_begun_ < frames_waited_)
        frames_[static_cast<std::size_t>(frames_begun_++) % kFramesAtOnce].record.begun_ns = arrival_ns;
    leave();
}

void Record::frame_ended(const XrFrameEndInfo& frame, std::int64_t arrival_ns) noexcept {
    if (!enter()) return;
    const auto ended = std::ranges::find(frames_, frame.displayTime, &Frame::displayed);
    if (first_ != 0 && ended != frames_.end() && frame.displayTime != 0) {
        if (last_flushed_ns_ < 0 && pending_time_ == 0) put({});
        AppFrame record = ended->record;
        record.display_ns = ended->displayed - first_;
        record.waited_ns -= first_arrival_ns_;
        record.begun_ns -= first_arrival_ns_;
        record.ended_ns = arrival_ns - first_arrival_ns_;
        record.layers = static_cast<std::int32_t>(frame.layerCount);
        record.pose_hash = std::exchange(pose_hash_, 0);
        log_.app_frame(record);
        ended->displayed = 0;
    }
    leave();
}

void Record::write_haptic(HapticRecord& record, XrTime displayed, std::int64_t arrival_ns) noexcept {
    if (first_ == 0) return;  // before the first sample the log has no time
    constexpr std::string_view kOutput = "application";
    kOutput.copy(record.output.data(), record.output.size() - 1);
    record.time_ns = arrival_ns - first_arrival_ns_;
    if (displayed != 0) record.display_ns = displayed - first_;
    log_.haptic(record);
}

void Record::vibration(Side side, const XrHapticVibration& vibration, XrTime displayed,
                       std::int64_t arrival_ns) noexcept {
    if (!enter()) return;
    HapticRecord record;
    record.side = side;
    record.vibration = vibration.amplitude;
    if (vibration.amplitude > 0.0F) {
        record.duration_ns = vibration.duration;
        record.frequency_hz = vibration.frequency;
    }
    write_haptic(record, displayed, arrival_ns);
    leave();
}

void Record::forces(Side side, const XrForceFeedbackCurlApplyLocationsMNDX& time, XrTime displayed,
                    std::int64_t arrival_ns) noexcept {
    if (!enter()) return;
    for (std::uint32_t i = 0; i < time.locationCount; ++i)
        held_[side][static_cast<std::size_t>(time.locations[i].location)] = time.locations[i].value;
    HapticRecord record;
    record.side = side;
    record.force = held_[side];
    write_haptic(record, displayed, arrival_ns);
    leave();
}

std::int32_t Record::new_action(const std::string& action_set, const std::string& name, const char* type) {
    const std::int32_t id = actions_++;
    if (id >= kMaxActions) return -1;
    log_.action({id, action_set, name, type});
    return id;
}

void Record::interaction_profile(ActionSource source, const std::string& profile, XrTime displayed) {
    XrTime first = 0;
    if (!enter()) return;
    first = first_;
    leave();
    log_.interaction_profile({first == 0 ? 0 : std::max<std::int64_t>(displayed - first, 0), source, profile});
}

void Record::flush() noexcept {
    for (const Side side : tracking::kSides) {
        if (has_[side]) continue;
        pending_[side] = last_[side];
        pending_[side].side = side;
        pending_[side].source = tracking::Source::held;
        pending_[side].active = last_[side].active && pending_time_ - last_[side].times.device_ns < kHeld_ns;
    }
    put(pending_);
    pending_time_ = 0;
}

std::string Record::trouble() {
    if (!log_.failed() || failure_reported_.exchange(true)) return {};
    return log_.status().error;
}

std::string Record::finish(bool is_temporary) {
    if (pending_time_ != 0) flush();
    if (first_ != 0 && last_flushed_ns_ < 0) put({});
    try {
        log_.close();
    } catch (const recordings::ExportError& error) {
        return failure_reported_.exchange(true) ? std::string() : error.what();
    }
    const recordings::LogStatus status = log_.status();
    const auto missing = static_cast<std::int64_t>(left_out_.load()) + status.dropped;
    const std::string lack = missing > 0 ? "there was no room for " + recordings::counted(missing, "record") : "";
    if (is_temporary) return lack;
    if (status.samples_written == 0) return "nothing was located, so nothing was recorded";
    const std::string text =
        "recorded " + recordings::counted(status.samples_written, "sample") + " to " + status.path.string();
    return lack.empty() ? text : text + "; " + lack;
}

}  // namespace glovebox::vr::layer
