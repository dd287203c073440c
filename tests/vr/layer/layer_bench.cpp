// What a call costs an application with the layer and without it.
//
//   layer_bench [locate|frame]
//
// locate: xrLocateHandJointsEXT without the layer, with it idle, recording, replaying, supplying a glove's hand; 20,000
// calls each. frame: xrEndFrame of an application that draws with OpenGL, without the layer, replaying,
// and with a panel; 270 frames each, the first 90 left out, and apart from the others the frames that hand over a
// picture; and xrLocateHandJointsEXT in those frames. Against the test runtime; every mode is run several times in
// turn, as the machine has other work.
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <sstream>
#include <string_view>

#include "tests/vr/layer/under_layer.h"
#include "vr/layer/layer_options.h"

namespace {

using namespace glovebox;
using namespace glovebox::vr::layer;

constexpr int kRounds = 5, kFrames = 270, kFirstFrames = 90;

struct Mode {
    const char* name;
    tests::RunOptions options;
    std::vector<double> median_us{}, p99_us{};
};

tests::Ran run(const std::vector<std::string>& command, const tests::RunOptions& options) {
    return tests::run_with_runtime(command, options);
}

// The numbers of the lines that begin with `word`.
std::vector<double> times_us(const tests::Ran& ran, std::string_view word) {
    std::vector<double> took_us;
    std::istringstream lines(ran.out);
    for (std::string line; std::getline(lines, line);)
        if (line.starts_with(word)) took_us.push_back(1e-3 * std::strtod(line.c_str() + word.size(), nullptr));
    if (took_us.empty()) {
        std::fprintf(stderr, "layer_bench: the application did not run: %s%s\n", ran.out.c_str(), ran.err.c_str());
        std::exit(1);
    }
    return took_us;
}

void add(Mode& mode, std::vector<double> took_us) {
    std::ranges::sort(took_us);
    mode.median_us.push_back(took_us[took_us.size() / 2]);
    mode.p99_us.push_back(took_us[took_us.size() * 99 / 100]);
}

void print(const char* what, std::vector<Mode>& modes) {
    std::printf("%s, us a call: median of %d runs' medians [least .. most], median of their p99\n", what, kRounds);
    for (Mode& mode : modes) {
        std::ranges::sort(mode.median_us);
        std::ranges::sort(mode.p99_us);
        std::printf("%-18s %7.2f [%.2f .. %.2f]  p99 %7.2f\n", mode.name, mode.median_us[kRounds / 2],
                    mode.median_us.front(), mode.median_us.back(), mode.p99_us[kRounds / 2]);
    }
}

tests::RunOptions without_layer(tests::RunOptions options) {
    options.environment.erase("XR_ENABLE_API_LAYERS");
    options.validation = false;
    return options;
}

tests::RunOptions with(tests::RunOptions options, const std::map<std::string, std::string>& variables) {
    for (const auto& [name, value] : variables) options.environment[name] = value;
    return options;
}

void locate() {
    const std::string script = "hand left tap\nhand right grip\n";
    const std::string log = "{folder}/bench.glove";
    const tests::RunOptions idle = under({kLayerName}, script);
    // A glove on a controller: the device tracks no hands.
    const tests::RunOptions gloved =
        beside_a_glove(under({kLayerName}, script + "profile /interaction_profiles/oculus/touch_controller\n"
                                                    "without XR_EXT_hand_tracking\n"));
    std::vector<Mode> modes = {{"without the layer", without_layer(under({}, script))},
                               {"idle", idle},
                               {"recording", with(idle, {{kRecord, log}})},
                               {"replaying", with(idle, {{kReplay, "flick"}, {kLoop, "1"}})},
                               {"both", with(idle, {{kReplay, "flick"}, {kLoop, "1"}, {kRecord, log}})},
                               {"glove, controller", gloved}};
    for (int round = 0; round < kRounds; ++round)
        for (Mode& mode : modes) {
            const bool is_gloved = mode.options.environment.contains("EMULATE");
            std::vector<double> took_us =
                times_us(run(is_gloved ? glove_script("flick", "RIGHT", "--frames 60 --pace --controllers --time-calls")
                                       : std::vector<std::string>{HAND_APP, "--frames", "20", "--time-calls"},
                             mode.options),
                         "took ");
            // Hands are asked for in turn, and the glove is on the right.
            if (is_gloved) {
                for (std::size_t i = 0; 2 * i + 1 < took_us.size(); ++i) took_us[i] = took_us[2 * i + 1];
                took_us.resize(took_us.size() / 2);
            }
            add(mode, std::move(took_us));
        }
    print("xrLocateHandJointsEXT", modes);
}

void frame() {
    if (tests::x_display().empty()) {
        std::fprintf(stderr, "layer_bench: there is no X server to be had\n");
        std::exit(1);
    }
    const std::string script = "rate 90\nhand left still\nhand right still\n";
    const tests::RunOptions replaying =
        with(under({kLayerName}, script), {{"DISPLAY", tests::x_display()}, {kReplay, "grasp"}, {kLoop, "1"}});
    const tests::RunOptions seeing = with(replaying, {{kSee, "held-ball"}});
    const std::vector<std::string> command = {HAND_RUNTIME_CLIENT, "--opengl", "--frames", std::to_string(kFrames),
                                              "--time-ends"};
    // One frame in eighteen hands over a picture: the dearest fifteenth is left out of one row and is the other.
    std::vector<Mode> modes = {{"without the layer", without_layer(replaying)},
                               {"replaying", replaying},
                               {"panel", seeing},
                               {"panel, pictures", seeing},
                               {"first picture", seeing}};
    std::vector<Mode> located(modes.begin(), modes.begin() + 3);
    for (int round = 0; round < kRounds; ++round) {
        for (std::size_t i = 0; i < 3; ++i) {
            const tests::Ran ran = run(command, modes[i].options);
            add(located[i], times_us(ran, "took "));
            std::vector<double> took_us = times_us(ran, "ended ");
            const auto warm = took_us.begin() + std::min<std::ptrdiff_t>(kFirstFrames, std::ssize(took_us) - 1);
            if (i == 2) add(modes[4], {*std::max_element(took_us.begin(), warm)});
            took_us.erase(took_us.begin(), warm);
            if (i == 2) {
                std::ranges::sort(took_us);
                const auto first_picture = took_us.end() - std::ssize(took_us) / 15;
                add(modes[3], {first_picture, took_us.end()});
                took_us.erase(first_picture, took_us.end());
            }
            add(modes[i], std::move(took_us));
        }
    }
    print("xrEndFrame", modes);
    print("xrLocateHandJointsEXT in a paced frame", located);
}

}  // namespace

int main(int argc, char** argv) {
    const std::string_view only = argc > 1 ? argv[1] : "";
    if (only.empty() || only == "locate") locate();
    if (only.empty() || only == "frame") frame();
    return 0;
}
