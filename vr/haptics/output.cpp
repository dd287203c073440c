#include "vr/haptics/output.h"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <vector>

#include "vr/haptics/opengloves_limits.h"

namespace glovebox::vr {
namespace {

class NullOutput final : public HapticOutput {
  public:
    void send(const HapticCommand&) override {}
};

constexpr DeviceTakes kPushes = {.force = true, .vibration = true, .motion_limit = false};
constexpr DeviceTakes kHolds = {.force = false, .vibration = false, .motion_limit = true};
constexpr DeviceTakes kVibrates = {.force = false, .vibration = true, .motion_limit = false};

constexpr DeviceLimits kGlove = {.name = "force-feedback glove at 1 kHz", .takes = kPushes};
constexpr DeviceLimits kRadioGlove = {.name = "force-feedback glove on a radio link",
                                      .commands_per_s = 100.0F,
                                      .watchdog_ns = 200'000'000,
                                      .takes = kPushes};
// Limits of a glove whose motors hold fingers back: it gets motion limits, by radio through a headset's runtime.
constexpr DeviceLimits kHoldingGlove = {.name = "glove that limits motion", .commands_per_s = 200.0F, .takes = kHolds};
// Limits of a controller's motor: a held force becomes a low hum.
constexpr DeviceLimits kController = {
    .name = "controller's motor", .commands_per_s = 200.0F, .takes = kVibrates, .hum_of_force = 0.35F};
class FanOut final : public HapticOutput {
  public:
    std::vector<std::unique_ptr<HapticOutput>> outputs;

    void send(const HapticCommand& command) override {
        for (const auto& output : outputs) output->send(command);
    }
    void service() override {
        for (const auto& output : outputs) output->service();
    }
    void beat(std::int64_t now_ns) override {
        for (const auto& output : outputs) output->beat(now_ns);
    }
    bool ready(tracking::Side side) override {
        bool all = true;
        for (const auto& output : outputs) all &= output->ready(side);
        return all;
    }
    void reconnect(int connection) override {
        for (const auto& output : outputs) output->reconnect(connection);
    }
    bool finish() override {
        bool whole = true;
        for (const auto& output : outputs) whole &= output->finish();
        return whole;
    }
};

DeviceLimits stricter(const DeviceLimits& a, const DeviceLimits& b) {
    DeviceLimits both = a;
    both.max_force_n = std::min(a.max_force_n, b.max_force_n);
    both.max_vibration_n = std::min(a.max_vibration_n, b.max_vibration_n);
    both.force_slew_per_s = std::min(a.force_slew_per_s, b.force_slew_per_s);
    both.vibration_slew_per_s = std::min(a.vibration_slew_per_s, b.vibration_slew_per_s);
    both.mean_power = std::min(a.mean_power, b.mean_power);
    both.burst_s = std::min(a.burst_s, b.burst_s);
    both.commands_per_s = std::min(a.commands_per_s, b.commands_per_s);
    both.watchdog_ns = std::min(a.watchdog_ns, b.watchdog_ns);
    both.takes = {a.takes.force || b.takes.force, a.takes.vibration || b.takes.vibration,
                  a.takes.motion_limit || b.takes.motion_limit};
    both.hum_of_force = std::max(a.hum_of_force, b.hum_of_force);
    both.damping_n_s_per_m = std::min(a.damping_n_s_per_m, b.damping_n_s_per_m);
    both.latency_ns = std::max(a.latency_ns, b.latency_ns);
    return both;
}

constexpr std::array kOutputs = {
    OutputRow{"null", "computes every command and sends none", kGlove, open_null_output},
    OutputRow{"log", "writes every command to a CSV file, as a 1 kHz glove would get them", kGlove, open_log_output},
    OutputRow{"log-radio", "the same for a glove that takes 100 commands a second", kRadioGlove, open_log_output},
    OutputRow{"controller", "vibrates the headset's controllers (glovebox vr)", kController, open_controller_output},
    OutputRow{"force-feedback", "holds single fingers, XR_MNDX_force_feedback_curl (glovebox vr)", kHoldingGlove,
              open_force_feedback_output},
    OutputRow{"opengloves", "holds the fingers of an OpenGloves glove (--haptics-port)", kOpenGlovesLimits,
              open_opengloves_output},
};

}  // namespace

std::span<const OutputRow> output_table() {
    return kOutputs;
}

const OutputRow* find_output(std::string_view name) {
    for (const OutputRow& row : kOutputs)
        if (row.name == name) return &row;
    return nullptr;
}

std::unique_ptr<HapticOutput> open_null_output(const OutputOptions&) {
    return std::make_unique<NullOutput>();
}

OutputSet open_outputs(std::span<const std::string> names, const OutputOptions& options) {
    OutputSet set;
    auto all = std::make_unique<FanOut>();
    for (const std::string& name : names) {
        const OutputRow* row = find_output(name);
        if (row == nullptr) throw std::runtime_error("no haptic output is called '" + name + "'");
        set.limits = all->outputs.empty() ? row->limits : stricter(set.limits, row->limits);
        all->outputs.push_back(row->open(options));
        set.name += (set.name.empty() ? "" : ", ") + name;
    }
    set.output = std::move(all);
    return set;
}

}  // namespace glovebox::vr
