// What is felt, sent to whatever the runtime has to feel it with: rows of one table.
//
// What stops them, whatever happens to us:
//  - vibrations are sent as pulses of 50 ms that are renewed while they last. A process that is killed, hangs or
//  crashes
//    renews nothing, so the controller is still within 50 ms without any code of ours having to run;
//  - force on fingers has no duration in OpenXR. A living process that stops for any reason (hand lost, pause, focus
//    lost, session lost, exit, SIGINT, SIGTERM, SIGHUP, an exception) releases them; when it is killed the runtime sees
//    its client go and tears the hand trackers down, and the force with them: there we rely on the runtime.
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

/// A way to be felt through the runtime.
struct Actuator {
    std::string_view name, summary;
    bool (*offered)(const Headset& headset);
    void (*send)(Headset& headset, const HapticCommand& command);
};
std::span<const Actuator> actuators();
std::span<const Actuator> actuator(std::string_view name);  ///< that one alone; empty if there is none of that name

/// Sends commands to every actuator that it was given and that is there. The latest wins; what has not changed is not
/// sent again until it has to be renewed; a stop goes through at once and is sent twice, in case one is lost. The same
/// thread makes all calls; it need not be the one that the Headset belongs to.
class HapticSender {
  public:
    explicit HapticSender(Headset& headset, std::span<const Actuator> to = actuators())
        : headset_(headset), actuators_(to) {}

    /// True if something went out.
    bool send(const HapticCommand& command);
    /// Both hands. Sends nothing if nothing was on and `force` is false.
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
