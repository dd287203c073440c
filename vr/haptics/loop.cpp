#include "vr/haptics/loop.h"

#include <cmath>

namespace glovebox::vr {
namespace {

HandRequest request_of(const scenes::HandForces& forces, const scenes::HandSurfaces& surfaces, DeadlineLedger& ledger) {
    HandRequest wanted;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        const scenes::PartForce& part = forces.parts[i];
        if (!part.force_n.allFinite() || !std::isfinite(part.vibration_n)) ++ledger.not_finite;
        wanted[i] = {static_cast<float>(part.force_n.norm()), static_cast<float>(part.vibration_n)};
        if (i < surfaces.closed_off.size()) wanted[i].limit = surfaces.closed_off[i];
    }
    return wanted;
}

HandRequest request_of(const LevelRequest& request, const DeviceLimits& limits) {
    HandRequest wanted{};
    for (std::size_t i = 0; i < tracking::kFingerCount; ++i)
        wanted[i] = {request.level * limits.max_force_n, 0.0F, request.level};
    return wanted;
}

}  // namespace

HapticLoop::HapticLoop(const DeviceLimits& limits)
    : governors{Governor(limits, tracking::Side::left), Governor(limits, tracking::Side::right)},
      ports{HandPort(limits), HandPort(limits)} {}

void HapticLoop::tick(const scenes::HapticFrame& frame, std::int64_t time_ns, std::int64_t due_ns,
                      std::int64_t start_ns, const StopReasons& reasons, HapticOutput& output, ReadClock clock) {
    // The commands of a late tick are late, too.
    const std::int64_t at_ns = time_ns + (start_ns - due_ns);
    const bool pushes = governors[0].limits().takes.force;
    if (pushes && frame.number != forces.number) {
        for (std::size_t side = 0; side < ports.size(); ++side)
            ports[side].sample(frame.sample_ns, at_ns, frame.hands[side], last[side]);
        // Both hands have the same frame times.
        const PortTiming& timing = ports[0].timing();
        settings.max_stiffness_n_per_m = passive_stiffness_n_per_m(timing);
        settings.max_damping_n_s_per_m = 0.0;
    }
    last = scenes::render(forces, frame, time_ns, dt_s, settings);
    for (std::size_t side = 0; side < governors.size(); ++side) {
        const DeviceLimits& limits = governors[side].limits();
        const bool requested = request.time_ns >= 0 && time_ns - request.time_ns <= limits.watchdog_ns;
        StopReasons own = reasons;
        own.lost = own.lost || (!frame.hands[side].present && !requested);
        own.device = !output.ready(static_cast<tracking::Side>(side));
        const HandRequest wanted =
            requested ? request_of(request, limits) : request_of(last[side], frame.hands[side], ledger);
        const bool has_frame = frame.number != 0;
        own.stale = !requested && (has_frame ? time_ns - forces.since_ns > limits.watchdog_ns : request.time_ns >= 0);
        // A test level has no position and so no energy account: only the governor limits it.
        const bool counts = pushes && !requested;
        const PartCeilings ceilings = counts ? ports[side].allowed(at_ns, wanted) : PartCeilings{};
        if (auto command = governors[side].decide(time_ns, requested || has_frame ? &wanted : nullptr, own,
                                                  counts ? &ceilings : nullptr)) {
            if (pushes) ports[side].sent(at_ns, *command);
            command->sample_ns = frame.stamps.sample_ns;
            const std::int64_t call_ns = clock();
            output.send(*command);
            ledger.call.add(clock() - call_ns);
            ++ledger.commands;
            if (command->stop) ++ledger.stops;
        }
    }
    output.beat(start_ns);
    const std::int64_t done_ns = clock();
    if (frame.number != last_number) {
        last_number = frame.number;
        ledger.add_chain(frame.stamps, done_ns);
        if (in_transit.sample_ns != 0) ledger.add_arrival(in_transit, done_ns);
        in_transit = frame.stamps;
    }
    if (forces.arrived && in_transit.sample_ns != 0) {
        ledger.add_arrival(in_transit, done_ns);
        in_transit = {};
    }
    ledger.add_tick(due_ns, start_ns, done_ns);
}

}  // namespace glovebox::vr
