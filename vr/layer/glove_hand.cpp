#include "vr/layer/glove_hand.h"

#include <charconv>
#include <limits>
#include <optional>
#include <stdexcept>
#include <utility>

#include "recordings/user_profile.h"
#include "vr/haptics/governor.h"
#include "vr/haptics/opengloves_limits.h"
#include "vr/haptics/output.h"
#include "vr/platform/platform.h"

namespace glovebox::vr::layer {
namespace {

using tracking::Side;

constexpr std::int64_t kTick_ns = 1'000'000;
// If the application makes no call for this long, it hangs or was stopped: the glove is released.
constexpr std::int64_t kMaxSilence_ns = 500'000'000;

// In front of the user, at the height of a desk, palms down.
Eigen::Isometry3f local_from_wrist(Side side) {
    Eigen::Isometry3f pose = Eigen::Isometry3f::Identity();
    pose.translation() = Eigen::Vector3f(side == Side::left ? -0.15F : 0.15F, -0.35F, -0.35F);
    return pose;
}

template <class Number>
void read_number(const char* variable, const std::string& text, Number& out) {
    if (text.empty()) return;
    const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), out);
    if (error != std::errc() || rest != text.data() + text.size() || !(out > Number{}))
        throw std::runtime_error(std::string(variable) + "=" + text + ": is no number above 0");
}

tracking::GloveSettings settings_for(const LayerOptions& options, Side side) {
    tracking::GloveSettings settings;
    settings.device = options.glove[side];
    settings.side = side;
    read_number(kGloveBaud, options.baud, settings.baud);
    read_number(kGloveMaxAnalog, options.max_analog, settings.max_analog);
    if (!options.profile.empty()) settings.user = recordings::load_user_profile(options.profile);
    settings.world_from_wrist = local_from_wrist(side);
    settings.retry_ns = std::numeric_limits<std::int64_t>::max();
    return settings;
}

// Passes the application's forces to the glove.
class Forces {
  public:
    Forces(const tracking::GloveSource& source, Side side)
        : source_(source), side_(side), governor_(kOpenGlovesLimits, side) {}

    void tick(std::int64_t at_ns, const HandRequest& wish, bool lives, bool focused) {
        connect();
        if (!output_) return;
        StopReasons reasons;
        reasons.unfocused = !focused;
        reasons.device = !output_->ready(side_);
        const std::optional<HapticCommand> command = governor_.decide(at_ns, lives ? &wish : nullptr, reasons);
        if (command) output_->send(*command);
        output_->beat(at_ns);
        output_->service();
    }
    void stop(std::int64_t at_ns) {
        if (!output_) return;
        StopReasons reasons;
        reasons.exiting = true;
        if (const auto command = governor_.decide(at_ns, nullptr, reasons)) output_->send(*command);
        output_.reset();
    }

  private:
    void connect() {
        if (opened_ == source_.times_opened() || source_.writing_fd() < 0) return;
        opened_ = source_.times_opened();
        try {
            if (output_) {
                output_->reconnect(source_.writing_fd());
            } else {
                OutputOptions options;
                options.connection = source_.writing_fd();
                options.side = side_;
                output_ = open_opengloves_output(options);
            }
        } catch (const std::runtime_error&) {
            // No process or descriptor is available: the glove stays free, and its next connection is tried again.
        }
    }

    const tracking::GloveSource& source_;
    Side side_;
    Governor governor_;
    std::unique_ptr<HapticOutput> output_;
    int opened_ = 0;
};

}  // namespace

GloveHand::GloveHand(const LayerOptions& options, Side side, std::function<void(const std::string&)> print_message)
    : GloveHand(settings_for(options, side), std::move(print_message)) {}

GloveHand::GloveHand(tracking::GloveSettings settings, std::function<void(const std::string&)> print_message)
    : side_(settings.side),
      print_message_(std::move(print_message)),
      tracker_from_wrist_(settings.user[settings.side].tracker_from_wrist),
      source_(std::move(settings)) {
    source_.open();
    takes_forces_ = source_.writing_fd() >= 0;
    thread_ = std::thread([this] { run(); });
}

GloveHand::~GloveHand() {
    ending_ = true;
    thread_.join();
}

bool GloveHand::hand(tracking::HandFrame& out) const noexcept {
    Shown shown;
    if (!shown_.read(shown) || !shown.active) return false;
    out.side = side_;
    out.source = tracking::Source::glove;
    out.active = recordings::unpack_joints(shown.joints, out);
    return out.active;
}

void GloveHand::show(const tracking::HandFrame& hand) {
    Shown shown{};
    shown.active = hand.active;
    recordings::pack_joints(hand, shown.joints);
    shown_.publish(shown);
}

void GloveHand::run() {
    Forces forces(source_, side_);
    tracking::SourceFrame frame;
    tracking::HandFrame lost;
    lost.side = side_;
    bool live = true;
    while (!ending_.load(std::memory_order_relaxed)) {
        source_.wait(now_ns() + kTick_ns);
        while (source_.next(now_ns(), frame)) show(frame.raw[side_]);
        for (const tracking::SourceNotice& notice : source_.take_notices())
            print_message_(source_.facts().name + ": " + (notice.line.empty() ? notice.what : notice.line));
        const tracking::SourceState state = source_.status().state;
        if (std::exchange(live, state == tracking::SourceState::live || state == tracking::SourceState::waiting) &&
            !live)
            show(lost);
        if (source_.ended()) break;
        HandRequest wish{};
        for (std::size_t f = 0; f < held_.size(); ++f) wish[f].limit = held_[f].load(std::memory_order_relaxed);
        const std::int64_t at_ns = now_ns();
        forces.tick(at_ns, wish, at_ns - lived_ns_.load(std::memory_order_relaxed) < kMaxSilence_ns,
                    focused_.load(std::memory_order_relaxed));
    }
    show(lost);
    forces.stop(now_ns());
}

}  // namespace glovebox::vr::layer
