#include "vr/haptics/governor.h"

#include <algorithm>
#include <cmath>

namespace glovebox::vr {
namespace {

constexpr std::array<std::string_view, kInterventionCount> kNames = {"level",      "slew",     "energy", "rate",
                                                                     "non_finite", "watchdog", "lost",   "paused",
                                                                     "unfocused",  "exiting",  "device", "passivity"};
constexpr std::int64_t kSameRun_ns = 20'000'000;     // interventions closer than this share one log entry
constexpr std::int64_t kRepeatStop_ns = 50'000'000;  // a radio link may drop the first one
constexpr std::int64_t kStopRepeats = 3;
// A late tick may raise the force by no more than this time allows, because the device would get it in one step.
constexpr double kLongestRise_s = 0.002;
// A vibration swings through zero: it may return to its recent level (within 0.1 s) without counting as a new rise.
constexpr float kSwingFall = 0.05F;

// A motion limit is a position: it loads a motor only while the finger pushes against it (`load`, 0..1).
double power_of(const PartCommand& part, float load) {
    const float held = std::max(part.force, load);
    return static_cast<double>(held * held + part.vibration * part.vibration);
}

}  // namespace

std::string_view name_of(Intervention cause) {
    return kNames[static_cast<std::size_t>(cause)];
}

Governor::Governor(const DeviceLimits& limits, tracking::Side side) : limits_(limits), side_(side) {
    for (Part& part : parts_) part.budget_s = max_budget_s();
}

const InterventionEntry& Governor::log_entry(std::size_t i) const {
    const std::size_t oldest = log_size_ < kLogCapacity ? 0 : log_size_ % kLogCapacity;
    return log_[(oldest + i) % kLogCapacity];
}

void Governor::note(std::int64_t now_ns, Intervention cause, int part, float requested, float given) {
    ++counts_[static_cast<std::size_t>(cause)];
    const std::size_t recent = std::min<std::size_t>(log_size(), 2 * kInterventionCount);
    for (std::size_t back = 1; back <= recent; ++back) {
        InterventionEntry& entry = log_[(log_size_ - back) % kLogCapacity];
        if (entry.cause != cause || entry.part != part) continue;
        if (now_ns - entry.end_ns > kSameRun_ns) break;
        entry.end_ns = now_ns;
        ++entry.count;
        return;
    }
    log_[log_size_ % kLogCapacity] = {now_ns, now_ns, cause, static_cast<std::int8_t>(part), 1, requested, given};
    ++log_size_;
}

// At full level the mean power refills part of the budget, so `burst_s` at full level drain this much.
double Governor::max_budget_s() const {
    return static_cast<double>(limits_.burst_s) * (1.0 - static_cast<double>(limits_.mean_power));
}

// The device has held the last command since it was sent.
void Governor::spend(double dt_s) {
    for (std::size_t i = 0; i < parts_.size(); ++i) {
        const double above_mean = power_of(sent_[i], parts_[i].load) - static_cast<double>(limits_.mean_power);
        parts_[i].budget_s = std::min(max_budget_s(), parts_[i].budget_s - above_mean * dt_s);
    }
}

// Removes kinds of command that the device does not take. On a device that only vibrates, force becomes a hum.
PartCommand Governor::taken(const PartRequest& request) const {
    PartCommand out{request.force_n / limits_.max_force_n, std::abs(request.vibration_n) / limits_.max_vibration_n,
                    request.limit};
    if (!std::isfinite(out.force + out.vibration + out.limit)) return out;
    if (!limits_.takes.force && out.force > 0.0F)
        out.vibration = std::max(out.vibration, limits_.hum_of_force * std::min(out.force, 1.0F));
    if (!limits_.takes.force) out.force = 0.0F;
    if (!limits_.takes.vibration) out.vibration = 0.0F;
    if (!limits_.takes.motion_limit) out.limit = 0.0F;
    return out;
}

PartCommand Governor::limit(std::int64_t now_ns, int part, const PartRequest& request, double dt_s,
                            const float* max_n) {
    Part& state = parts_[static_cast<std::size_t>(part)];
    PartCommand out = taken(request);
    if (!std::isfinite(out.force + out.vibration + out.limit)) {
        note(now_ns, Intervention::non_finite, part, 0.0F, 0.0F);
        out = {};
    }
    const float requested = std::max({out.force, out.vibration, out.limit});
    if (out.force < 0.0F || out.limit < 0.0F || requested > 1.0F)
        note(now_ns, Intervention::level, part, requested, 1.0F);
    out.force = std::clamp(out.force, 0.0F, 1.0F);
    out.vibration = std::clamp(out.vibration, 0.0F, 1.0F);
    out.limit = std::clamp(out.limit, 0.0F, 1.0F);

    // With an empty budget, the mean power is the maximum.
    const auto mean = static_cast<double>(limits_.mean_power);
    float load =
        std::isfinite(request.force_n) ? std::clamp(request.force_n / limits_.max_force_n, 0.0F, out.limit) : 0.0F;
    if (const double power = power_of(out, load); state.budget_s <= 0.0 && power > mean) {
        const auto scale = static_cast<float>(std::sqrt(mean / power));
        const float strongest = std::max({out.force, out.vibration, load});
        note(now_ns, Intervention::energy, part, strongest, scale * strongest);
        out.force *= scale;
        out.vibration *= scale;
        if (load > 0.0F) out.limit *= scale;
        load *= scale;
    }

    const auto rise_s = static_cast<float>(std::min(dt_s, kLongestRise_s));
    const auto slow_down = [&](float& level, float most) {
        if (level <= most) return;
        note(now_ns, Intervention::slew, part, level, most);
        level = most;
    };
    slow_down(out.force, state.force + limits_.force_slew_per_s * rise_s);
    slow_down(out.limit, state.limit + limits_.force_slew_per_s * rise_s);
    const float swing = limits_.vibration_slew_per_s * rise_s;
    slow_down(out.vibration, state.vibration + swing);
    if (const float most = max_n != nullptr ? *max_n / limits_.max_force_n : out.force; !(out.force <= most)) {
        note(now_ns, Intervention::passivity, part, out.force, most);
        out.force = most > 0.0F ? most : 0.0F;  // zero if it is NaN
    }
    state.force = out.force;
    state.limit = out.limit;
    state.load = std::min(load, out.limit);
    state.vibration = std::max(out.vibration, state.vibration - kSwingFall * swing);
    return out;
}

std::optional<HapticCommand> Governor::send(std::int64_t now_ns, HapticCommand command) {
    command.time_ns = now_ns;
    command.side = side_;
    sent_ = command.parts;
    last_sent_ns_ = now_ns;
    ever_sent_ = true;
    ++commands_;
    return command;
}

std::optional<HapticCommand> Governor::stop(std::int64_t now_ns, Intervention cause) {
    for (Part& part : parts_) part.force = part.vibration = part.limit = part.load = 0.0F;
    // Whatever the cause of an earlier stop, the last command that a device gets is a stop.
    if (!stopped_ || (cause == Intervention::exiting && stop_cause_ != cause)) {
        stopped_ = true;
        stop_cause_ = cause;
        stop_repeats_ = 0;
        float most = 0.0F;
        for (const PartCommand& part : sent_) most = std::max({most, part.force, part.vibration, part.limit});
        note(now_ns, cause, -1, most, 0.0F);
    } else if (stop_repeats_ >= kStopRepeats || now_ns - last_stop_ns_ < kRepeatStop_ns) {
        return {};
    } else {
        ++stop_repeats_;
    }
    last_stop_ns_ = now_ns;
    HapticCommand command;
    command.stop = true;
    return send(now_ns, command);
}

std::optional<HapticCommand> Governor::decide(std::int64_t now_ns, const HandRequest* request,
                                              const StopReasons& reasons, const PartCeilings* ceilings) {
    // The first call has no earlier time to compute a rise from, nor does a call after the clock went back.
    const std::int64_t dt_ns = started_ ? now_ns - last_decide_ns_ : 0;
    const double dt_s = std::max(1e-9 * static_cast<double>(dt_ns), 0.0);
    if (dt_ns < 0)
        for (std::int64_t* past_ns : {&last_sent_ns_, &last_stop_ns_, &last_request_ns_}) *past_ns += dt_ns;
    last_decide_ns_ = now_ns;
    spend(dt_s);
    if (!started_) last_request_ns_ = now_ns;
    started_ = true;
    if (request != nullptr) last_request_ns_ = now_ns;

    if (reasons.exiting) return stop(now_ns, Intervention::exiting);
    if (reasons.paused) return stop(now_ns, Intervention::paused);
    if (reasons.unfocused) return stop(now_ns, Intervention::unfocused);
    if (reasons.lost) return stop(now_ns, Intervention::lost);
    if (reasons.device) return stop(now_ns, Intervention::device);
    if (reasons.stale || now_ns - last_request_ns_ > limits_.watchdog_ns) return stop(now_ns, Intervention::watchdog);
    if (request == nullptr) return {};
    stopped_ = false;

    HapticCommand command;
    for (std::size_t i = 0; i < command.parts.size(); ++i)
        command.parts[i] =
            limit(now_ns, static_cast<int>(i), (*request)[i], dt_s, ceilings != nullptr ? &(*ceilings)[i] : nullptr);
    if (ever_sent_ && command.parts == sent_) return {};
    if (ever_sent_ &&
        static_cast<double>(now_ns - last_sent_ns_) * static_cast<double>(limits_.commands_per_s) < 0.999e9) {
        note(now_ns, Intervention::rate, -1, 0.0F, 0.0F);
        return {};
    }
    return send(now_ns, command);
}

}  // namespace glovebox::vr
