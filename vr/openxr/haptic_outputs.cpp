#include "vr/openxr/haptic_outputs.h"

#include <algorithm>

namespace glovebox::vr::openxr {
namespace {

// Returns the strongest vibration of fingers and palm: a controller has only one motor.
bool has_controller(const Headset& headset) {
    return headset.feels();
}

void send_vibration(Headset& headset, const HapticCommand& command) {
    float amplitude = 0.0F;
    for (const PartCommand& part : command.parts) amplitude = std::max(amplitude, part.vibration);
    if (command.stop || amplitude <= 0.0F)
        headset.stop_vibration(command.side);
    else
        headset.vibrate(command.side, amplitude, kPulse_ns);
}

bool has_force(const Headset& headset) {
    return headset.can_hold();
}

void send_force(Headset& headset, const HapticCommand& command) {
    std::array<float, tracking::kFingerCount> limit{};
    for (std::size_t i = 0; i < limit.size(); ++i) limit[i] = command.stop ? 0.0F : command.parts[i].limit;
    headset.hold_fingers(command.side, limit);
}

constexpr std::array kActuators = {
    Actuator{"controller", "the vibration of the controllers in the hands", has_controller, send_vibration},
    Actuator{"force-feedback", "force on single fingers (XR_MNDX_force_feedback_curl)", has_force, send_force},
};

}  // namespace

std::span<const Actuator> actuators() {
    return kActuators;
}

std::span<const Actuator> actuator(std::string_view name) {
    for (const Actuator& row : kActuators)
        if (row.name == name) return {&row, 1};
    return {};
}

bool HapticSender::put(const HapticCommand& command) {
    bool taken = false;
    for (const Actuator& row : actuators_) {
        if (!row.offered(headset_)) continue;
        row.send(headset_, command);
        taken = true;
    }
    if (taken) ++sent_;
    return taken;
}

bool HapticSender::send(const HapticCommand& command) {
    Hand& hand = hands_[static_cast<std::size_t>(command.side)];
    const bool wanted = !command.stop && std::any_of(command.parts.begin(), command.parts.end(), [](const auto& f) {
        return f.force > 0.0F || f.vibration > 0.0F || f.limit > 0.0F;
    });
    if (wanted) {
        const bool same = hand.on && hand.last.parts == command.parts;
        if (same && command.time_ns - hand.last.time_ns < kRenew_ns) return false;
        hand.stops_left = 2;
    } else {
        if (!hand.on && hand.stops_left == 0) return false;
        hand.stops_left = std::max(0, hand.stops_left - 1);
        ++stops_;
    }
    hand.on = wanted;
    hand.last = command;
    return put(command);
}

void HapticSender::stop_all(std::int64_t now_ns, bool force) {
    for (const tracking::Side side : {tracking::Side::left, tracking::Side::right}) {
        HapticCommand command;
        command.time_ns = now_ns;
        command.side = side;
        command.stop = true;
        if (!send(command) && force) put(command);
    }
}

}  // namespace glovebox::vr::openxr
