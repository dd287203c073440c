// Sends haptic commands to the actuators of an OpenXR runtime: controllers and force-feedback gloves.
//
// How forces end, even if this process fails:
//  - vibrations are sent as pulses of 50 ms that are renewed while they last. A process that is killed, hangs or
//    crashes renews nothing, so the controller stops within 50 ms without any code of ours;
//  - force on fingers has no duration in OpenXR. Whenever forces end (hand lost, pause, focus lost, session lost,
//    exit, SIGINT, SIGTERM, SIGHUP, an exception), we release the fingers. If the process is killed, the runtime
//    destroys its hand trackers and with them the force: for that we rely on the runtime.
#pragma once

#include <array>
#include <cstdio>
#include <span>
#include <string_view>

#include "vr/haptics/command.h"
#include "vr/openxr/headset.h"

namespace glovebox::vr::openxr {

inline constexpr std::int64_t kPulse_ns = 50'000'000;
inline constexpr std::int64_t kRenew_ns = 20'000'000;

/// A kind of actuator that the runtime offers.
struct Actuator {
    std::string_view name, summary;
    bool (*offered)(const Headset& headset);
    void (*send)(Headset& headset, const HapticCommand& command);
};
std::span<const Actuator> actuators();
std::span<const Actuator> actuator(std::string_view name);  ///< the actuator of that name; empty if there is none

/// Sends commands to all given actuators that the runtime offers. A command replaces earlier ones; an unchanged command
/// is not sent again until it must be renewed. A stop is sent at once, and a second time in case the first is lost. All
/// calls must come from one thread, which may differ from the Headset's.
class HapticSender {
  public:
    explicit HapticSender(Headset& headset, std::span<const Actuator> to = actuators())
        : headset_(headset), actuators_(to) {}

    /// Sends a command; returns whether anything was sent.
    bool send(const HapticCommand& command);
    /// Stops both hands. If no actuator was on and `force` is false, sends nothing.
    void stop_all(std::int64_t now_ns, bool force = false);

    std::uint64_t sent() const { return sent_; }
    std::uint64_t stops() const { return stops_; }
    bool on(tracking::Side side) const { return hands_[side].on; }

  private:
    struct Hand {
        HapticCommand last;
        bool on = false;
        int stops_left = 0;
    };
    bool put(const HapticCommand& command);

    Headset& headset_;
    std::span<const Actuator> actuators_;
    tracking::PerSide<Hand> hands_;
    std::uint64_t sent_ = 0, stops_ = 0;
};

}  // namespace glovebox::vr::openxr
