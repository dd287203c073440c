// What a call of xrLocateHandJointsEXT costs an application: without the layer, with it idle, recording, replaying, and
// supplying a glove's hand.
// 20,000 calls each, against the test runtime; every mode is run several times in turn, as the machine has other work.
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <sstream>

#include "tests/vr/layer/under_layer.h"
#include "vr/layer/asked_for.h"

namespace {

using namespace glovebox;
using namespace glovebox::vr::layer;

constexpr int kRounds = 5;

struct Cost {
    double median_us = 0.0, p99_us = 0.0;
};

Cost cost_of(const tests::RunOptions& options) {
    const bool gloved = options.environment.contains("EMULATE");
    const std::vector<std::string> command =
        gloved ? glove_script("flick", "RIGHT", "--frames 60 --pace --controllers --time-calls")
               : std::vector<std::string>{HAND_APP, "--frames", "20", "--time-calls"};
    const tests::Ran ran = tests::run_with_runtime(command, options);
    std::vector<double> took_us;
    std::istringstream lines(ran.out);
    for (std::string line; std::getline(lines, line);)
        if (line.starts_with("took ")) took_us.push_back(1e-3 * std::strtod(line.c_str() + 5, nullptr));
    // Hands are asked for in turn, and the glove is on the right.
    if (gloved) {
        for (std::size_t i = 0; 2 * i + 1 < took_us.size(); ++i) took_us[i] = took_us[2 * i + 1];
        took_us.resize(took_us.size() / 2);
    }
    if (took_us.empty()) {
        std::fprintf(stderr, "layer_bench: the application did not run: %s%s\n", ran.out.c_str(), ran.err.c_str());
        std::exit(1);
    }
    std::ranges::sort(took_us);
    return {took_us[took_us.size() / 2], took_us[took_us.size() * 99 / 100]};
}

}  // namespace

int main() {
    const std::string script = "hand left tap\nhand right grip\n";
    const std::string log = "{folder}/bench.glove";
    tests::RunOptions without = under({}, script), idle = under({kLayerName}, script);
    without.environment.erase("XR_ENABLE_API_LAYERS");
    without.validation = false;
    tests::RunOptions recording = idle, replaying = idle, both = idle;
    recording.environment[kRecord] = log;
    replaying.environment[kReplay] = "flick";
    replaying.environment[kLoop] = "1";
    both.environment = replaying.environment;
    both.environment[kRecord] = log;
    // A glove on a controller: the device tracks no hands.
    const tests::RunOptions gloved =
        beside_a_glove(under({kLayerName}, script + "profile /interaction_profiles/oculus/touch_controller\n"
                                                    "without XR_EXT_hand_tracking\n"));

    struct Mode {
        const char* name;
        tests::RunOptions options;
        std::vector<double> median_us, p99_us;
    };
    std::vector<Mode> modes = {
        {"without the layer", without, {}, {}}, {"idle", idle, {}, {}}, {"recording", recording, {}, {}},
        {"replaying", replaying, {}, {}},       {"both", both, {}, {}}, {"glove, controller", gloved, {}, {}}};
    for (int round = 0; round < kRounds; ++round)
        for (Mode& mode : modes) {
            const Cost cost = cost_of(mode.options);
            mode.median_us.push_back(cost.median_us);
            mode.p99_us.push_back(cost.p99_us);
        }
    std::printf("xrLocateHandJointsEXT, us a call: median of %d runs' medians [least .. most], median of their p99\n",
                kRounds);
    for (Mode& mode : modes) {
        std::ranges::sort(mode.median_us);
        std::ranges::sort(mode.p99_us);
        std::printf("%-18s %7.2f [%.2f .. %.2f]  p99 %7.2f\n", mode.name, mode.median_us[kRounds / 2],
                    mode.median_us.front(), mode.median_us.back(), mode.p99_us[kRounds / 2]);
    }
    return 0;
}
