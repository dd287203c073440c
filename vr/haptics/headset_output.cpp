// Haptics through the headset's runtime: what the force loop asked for last, sent from the frame loop.
//
// OpenXR's calls belong to the thread that owns the session, so send() leaves the newest command of each hand in a
// triple buffer and service() passes it on: latest wins, nothing queues. Pulses of 50 ms are renewed while the force
// loop beats; when it has been silent for 100 ms everything is stopped, whatever it said last.
#include <array>
#include <atomic>
#include <stdexcept>

#include "vr/haptics/output.h"
#include "vr/haptics/triple_buffer.h"
#include "vr/openxr/haptic_outputs.h"
#include "vr/platform/platform.h"

namespace glovebox::vr {
namespace {

constexpr std::int64_t kSilent_ns = 100'000'000;

class HeadsetOutput final : public HapticOutput {
  public:
    HeadsetOutput(openxr::Headset& headset, std::string_view actuator, DurationHistogram* age)
        : headset_(headset), sender_(headset, openxr::actuator(actuator)), age_(age) {}
    ~HeadsetOutput() override { sender_.stop_all(now_ns(), true); }

    void send(const HapticCommand& command) override {
        TripleBuffer<HapticCommand>& newest = newest_[static_cast<std::size_t>(command.side)];
        newest.back() = command;
        newest.publish();
    }
    void beat(std::int64_t now_ns) override { beat_ns_.store(now_ns, std::memory_order_relaxed); }

    void service() override {
        const std::int64_t at_ns = now_ns();
        const bool silent = at_ns - beat_ns_.load(std::memory_order_relaxed) > kSilent_ns;
        if (silent || !headset_.focused()) return sender_.stop_all(at_ns);
        for (std::size_t side = 0; side < newest_.size(); ++side) {
            HapticCommand command = newest_[side].front();
            const std::int64_t asked_ns = command.time_ns;
            command.side = static_cast<tracking::Side>(side);
            command.time_ns = at_ns;
            if (!sender_.send(command)) continue;
            // Renewals tell nothing of how old a command is when it is first sent.
            if (asked_ns != last_asked_ns_[side] && command.sample_ns > 0 && age_ != nullptr)
                age_->add(now_ns() - command.sample_ns);
            last_asked_ns_[side] = asked_ns;
        }
    }

  private:
    openxr::Headset& headset_;
    openxr::HapticSender sender_;
    DurationHistogram* age_;
    std::array<TripleBuffer<HapticCommand>, 2> newest_;
    std::array<std::int64_t, 2> last_asked_ns_{};
    std::atomic<std::int64_t> beat_ns_ = 0;
};

std::unique_ptr<HapticOutput> open_for(const OutputOptions& options, std::string_view actuator) {
    if (options.headset == nullptr)
        throw std::runtime_error("the haptic output '" + std::string(actuator) +
                                 "' goes through a headset: use it with `glovebox vr`");
    return std::make_unique<HeadsetOutput>(*options.headset, actuator, options.command_age);
}

}  // namespace

std::unique_ptr<HapticOutput> open_controller_output(const OutputOptions& options) {
    return open_for(options, "controller");
}

std::unique_ptr<HapticOutput> open_force_feedback_output(const OutputOptions& options) {
    return open_for(options, "force-feedback");
}

}  // namespace glovebox::vr
