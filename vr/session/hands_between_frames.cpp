#include "vr/session/hands_between_frames.h"

#include <algorithm>
#include <utility>

#include "vr/platform/platform.h"

namespace glovebox::vr {
namespace {

// A frame at 60 Hz is not slow. Forces fade from an age of 60 ms on.
constexpr std::int64_t kSlowFrame_ns = 20'000'000;
constexpr std::int64_t kPeriod_ns = 11'000'000;  // between samples, as from a display of 90 Hz
constexpr std::int64_t kPoll_ns = 2'000'000;     // while paused, and the shortest time between two samples

}  // namespace

HandsBetweenFrames::HandsBetweenFrames(const Pipeline& pipeline, HapticSession& haptics, Locate locate, Clock clock)
    : pipeline_(pipeline), haptics_(haptics), locate_(std::move(locate)), clock_(clock) {
    thread_ = std::thread([this] { run(); });
}

HandsBetweenFrames::~HandsBetweenFrames() {
    ends_ = true;
    thread_.join();
}

bool HandsBetweenFrames::pause() {
    for (;;) {
        int state = kWaiting;
        if (state_.compare_exchange_strong(state, kPaused, std::memory_order_acquire)) return true;
        if (state == kPaused) return false;
        state_.wait(kSampling, std::memory_order_acquire);
    }
}

void HandsBetweenFrames::resume(bool is_new_frame) {
    is_new_frame_ = is_new_frame_ || is_new_frame;
    state_.store(kWaiting, std::memory_order_release);
}

void HandsBetweenFrames::run() {
    wake_before_others();
    std::int64_t due_ns = clock_();
    while (!ends_.load(std::memory_order_relaxed)) {
        sleep_until_ns(due_ns);
        int state = kWaiting;
        if (!state_.compare_exchange_strong(state, kSampling, std::memory_order_acquire)) {
            due_ns = clock_() + kPoll_ns;
            continue;
        }
        due_ns = sample();
        state_.store(kWaiting, std::memory_order_release);
        state_.notify_one();
    }
}

// Returns whether the hands of the last step can be located again without a step. A held object that can move follows
// the hand only in the step, and the fingers of a glove or a controller do not come from the headset's cameras.
bool HandsBetweenFrames::can_follow() const {
    const scenes::World& world = pipeline_.world;
    for (std::size_t object = 0; object < pipeline_.scene.objects.size(); ++object) {
        if (pipeline_.scene.objects[object].motion != scenes::Motion::dynamic) continue;
        for (const tracking::Side side : tracking::kSides)
            if (world.holds[scenes::hold_index(world, side, static_cast<int>(object))].holding) return false;
    }
    const auto is_elsewhere = [](const tracking::HandFrame& hand) {
        return hand.active && hand.source != tracking::Source::live && hand.source != tracking::Source::held;
    };
    return std::none_of(pipeline_.hands.hands.begin(), pipeline_.hands.hands.end(), is_elsewhere);
}

// Returns the time of the next sample.
std::int64_t HandsBetweenFrames::sample() {
    if (std::exchange(is_new_frame_, false)) {
        guards_ = pipeline_.guards;
        filters_ = pipeline_.filters;
    }
    const std::int64_t now = clock_();
    if (const std::int64_t slow_ns = pipeline_.stamps.sample_ns + kSlowFrame_ns; now < slow_ns) return slow_ns;
    if (!can_follow() || !locate_(raw_)) return now + kPeriod_ns;

    scenes::FrameStamps stamps;
    stamps.sample_ns = now;
    stamps.arrival_ns = clock_();
    hands_.time_ns = raw_.time_ns;
    for (std::size_t i = 0; i < hands_.hands.size(); ++i) {
        tracking::HandFrame& hand = hands_.hands[i];
        if (!pipeline_.settings.use_hand[i]) {
            hand.active = false;
            continue;
        }
        hand.discontinuous = guards_[i].pass(raw_.hands[i], hand).discontinuous;
        if (pipeline_.settings.filter.on) filters_[i].pass(hand, hand);
        tracking::fill_radii(pipeline_.settings.profiles[i], hand);
    }
    scenes::place(pipeline_.settings.placement, hands_);
    stamps.refit_ns = stamps.test_ns = stamps.exact_ns = clock_();
    haptics_.refresh(pipeline_.scene, pipeline_.world, hands_, stamps);
    // If locating takes longer than the period, the pause lets other threads have what it locks.
    return std::max(now + kPeriod_ns, clock_() + kPoll_ns);
}

}  // namespace glovebox::vr
