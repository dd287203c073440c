#include "vr/export/application_json.h"

namespace glovebox::vr {
namespace {

using nlohmann::ordered_json;

ordered_json percentiles_json(const recordings::Percentiles& p) {
    return {{"p50", p.p50}, {"p90", p.p90}, {"p99", p.p99}, {"max", p.max}};
}

}  // namespace

ordered_json frames_json(const recordings::FrameFacts& facts) {
    return {{"count", facts.count},
            {"missed", facts.missed},
            {"longer_than_period", facts.too_long},
            {"work_ms", percentiles_json(facts.work_ms)},
            {"interval_ms", percentiles_json(facts.interval_ms)}};
}

ordered_json application_json(const recordings::ApplicationLog& log) {
    const recordings::HapticCounts counts = recordings::counts_of(log.haptics);
    return {{"name", log.name},
            {"frames", frames_json(recordings::facts_of(log.frames))},
            {"poses", log.poses.size()},
            {"action_states", log.states.size()},
            {"interaction_profiles", log.profiles.size()},
            {"hand_velocities", log.velocities.size()},
            {"haptics", {{"vibrations", counts.vibrations}, {"stops", counts.stops}, {"forces", counts.forces}}}};
}

}  // namespace glovebox::vr
