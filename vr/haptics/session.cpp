#include "vr/haptics/session.h"

#include <algorithm>
#include <utility>

#include "scenes/curl_limit.h"
#include "vr/platform/platform.h"

namespace glovebox::vr {
namespace {

constexpr std::int64_t kLongestGap_ns = 500'000'000;  // in a recording; by then forces have faded and stopped

// Unknown limits leave the finger free. A finger that penetrates already is held where it is: a tighter limit would
// pull.
void close_off(const tracking::HandFrame& hand, const scenes::World& world, scenes::HandSurfaces& out) {
    collision::CollideCounts counts;
    const scenes::CurlLimits limits = scenes::curl_limits(hand, world.colliders, counts, world.hand_shapes[hand.side]);
    for (std::size_t finger = 0; finger < limits.size(); ++finger)
        if (limits[finger].known) out.closed_off[finger] = 1.0F - std::max(limits[finger].touch, limits[finger].now);
}

}  // namespace

HapticSession::HapticSession(const OutputRow& row, const OutputOptions& options, HapticMode mode)
    : HapticSession(row, row.open(options), mode) {}

HapticSession::HapticSession(const OutputRow& row, std::unique_ptr<HapticOutput> output, HapticMode mode)
    : name_(row.name), mode_(mode), takes_motion_limit_(row.limits.takes.motion_limit) {
    if (mode == HapticMode::threaded) {
        thread_ = std::make_unique<HapticThread>(row.limits, std::move(output));
        return;
    }
    output_ = std::move(output);
    loop_ = std::make_unique<HapticLoop>(row.limits);
    frame_ = std::make_unique<scenes::HapticFrame>();
}

HapticSession::HapticSession(OutputSet set, HapticMode mode)
    : HapticSession(OutputRow{set.name, {}, set.limits, nullptr}, std::move(set.output), mode) {}

HapticSession::~HapticSession() {
    stop();
}

void HapticSession::frame(const scenes::Scene& scene, const scenes::World& world, const tracking::HandPair& hands,
                          const scenes::FrameStamps& stamps, double dt_s) {
    if (stopped_) return;
    if (!thread_) run_ticks_until(world.time_ns);  // with the frames known so far; the new frame applies after them
    scenes::HapticFrame& frame = thread_ ? thread_->next_frame() : *frame_;
    scenes::gather_surfaces(scene, world, frame);
    limit_motion(hands, world, frame);
    frame.stamps = stamps;
    frame.sample_ns = thread_ ? stamps.sample_ns : world.time_ns;
    frame.period_ns = static_cast<std::int64_t>(1e9 * dt_s);
    if (const std::int64_t refreshed_ns = std::exchange(refreshed_sample_ns_, 0); refreshed_ns != 0)
        frame.period_ns = std::max<std::int64_t>(0, frame.sample_ns - refreshed_ns);
    framed_sample_ns_ = frame.sample_ns;
    if (thread_) {
        thread_->publish();
        thread_->service();
        return;
    }
    ++frame.number;
    output_->service();
}

void HapticSession::limit_motion(const tracking::HandPair& hands, const scenes::World& world,
                                 scenes::HapticFrame& out) const {
    for (const tracking::Side side : tracking::kSides) {
        scenes::HandSurfaces& hand = out.hands[side];
        hand.closed_off.fill(0.0F);
        if (takes_motion_limit_) close_off(hands[side], world, hand);
    }
}

void HapticSession::refresh(const scenes::Scene& scene, const scenes::World& world, const tracking::HandPair& hands,
                            const scenes::FrameStamps& stamps) {
    if (!thread_) return;
    scenes::HapticFrame& frame = thread_->next_frame();
    scenes::gather_surfaces_near(scene, world, hands, moved_, frame);
    limit_motion(hands, world, frame);
    frame.stamps = stamps;
    frame.sample_ns = stamps.sample_ns;
    frame.period_ns = stamps.sample_ns - (refreshed_sample_ns_ != 0 ? refreshed_sample_ns_ : framed_sample_ns_);
    refreshed_sample_ns_ = stamps.sample_ns;
    thread_->publish();
    refreshed_.fetch_add(1, std::memory_order_relaxed);
}

void HapticSession::run_ticks_until(std::int64_t time_ns) {
    // Time restarts with the replay.
    if (tick_ns_ < 0 || time_ns < tick_ns_ - kTick_ns) tick_ns_ = time_ns;
    const StopReasons reasons{false, paused_, unfocused_, false};
    const auto tick = [&] {
        const std::int64_t start_ns = now_ns();
        loop_->tick(*frame_, tick_ns_, start_ns, start_ns, reasons, *output_, now_ns);
        tick_ns_ += kTick_ns;
    };
    // In a long gap all forces fade and the device stops; the rest of the gap is skipped.
    for (const std::int64_t quiet_ns = tick_ns_ + kLongestGap_ns; tick_ns_ <= std::min(time_ns, quiet_ns);) tick();
    if (tick_ns_ < time_ns) tick_ns_ = time_ns;
}

void HapticSession::service() {
    if (thread_) return thread_->service();
    output_->service();
}

void HapticSession::request(float level) {
    if (stopped_) return;
    if (thread_) return thread_->request(level);
    loop_->request = {level, std::max<std::int64_t>(tick_ns_, 0)};
}

void HapticSession::reconnect(int connection) {
    if (stopped_) return;
    if (thread_) return thread_->reconnect(connection);
    output_->reconnect(connection);
}

void HapticSession::set_paused(bool paused) {
    paused_ = paused;
    if (thread_) thread_->set_paused(paused);
}

void HapticSession::set_unfocused(bool unfocused) {
    unfocused_ = unfocused;
    if (thread_) thread_->set_unfocused(unfocused);
}

bool HapticSession::stop() {
    if (stopped_) return whole_;
    stopped_ = true;
    if (thread_) return whole_ = thread_->stop();
    const std::int64_t start_ns = now_ns();
    loop_->tick(*frame_, tick_ns_, start_ns, start_ns, {false, false, false, true}, *output_, now_ns);
    output_->service();
    return whole_ = output_->finish();
}

const DeadlineLedger& HapticSession::ledger() const {
    return thread_ ? thread_->ledger() : loop_->ledger;
}

const tracking::PerSide<Governor>& HapticSession::governors() const {
    return thread_ ? thread_->loop().governors : loop_->governors;
}

std::string HapticSession::scheduling() const {
    return thread_ ? thread_->scheduling() : "no thread: ticks run in the recording's time, between frames";
}

}  // namespace glovebox::vr
