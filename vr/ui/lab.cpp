#include "vr/ui/lab.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "vr/cli/command.h"
#include "vr/export/text_table.h"
#include "vr/platform/platform.h"
#include "vr/platform/version.h"
#include "vr/render/screenshot.h"
#include "vr/session/report.h"
#include "vr/ui/window.h"

namespace glovebox::vr {
namespace {

constexpr std::array kLabs = {
    LabRow{"crowd", "agents that choose clips which run into no one, their trees drawn in space-time",
           120.0,  // as in the paper
           make_crowd_lab},
    LabRow{"rocks", "rocks tumbling down a slope, the pairs of a broad phase drawn", 60.0, make_rocks_lab},
};

// Maximum steps between two pictures: on a slow machine time slows down and the window stays responsive.
constexpr std::int64_t kLongestStepping_ns = 30'000'000;

struct Transport {
    double position_s = 0.0, speed = 1.0;
    bool playing = true, loop = true;
};

int step_at(const Laboratory& lab, double time_s) {
    return std::clamp(static_cast<int>(std::floor(time_s / lab.dt_s + 1e-6)), 0, lab.steps);
}

Playback playback_of(const Laboratory& lab, const Transport& transport, int step) {
    Playback playback;
    playback.position_s = step * lab.dt_s;
    playback.duration_s = lab.steps * lab.dt_s;
    playback.frame = step;
    playback.frame_count = lab.steps + 1;
    playback.playing = transport.playing;
    playback.loop = transport.loop;
    playback.speed = transport.speed;
    return playback;
}

// Advances the world towards the transport's position, within a time limit; returns the step reached.
int play(const Laboratory& lab, Transport& transport, int step) {
    const double duration_s = lab.steps * lab.dt_s;
    if (transport.position_s >= duration_s) {
        if (transport.loop) {
            lab.go_to(0);
            transport.position_s = 0.0;
            return 0;
        }
        transport.position_s = duration_s;
        transport.playing = false;
    }
    const int wanted = step_at(lab, transport.position_s);
    const std::int64_t begin_ns = now_ns();
    while (step < wanted && now_ns() - begin_ns < kLongestStepping_ns) lab.go_to(++step);
    if (step < wanted) transport.position_s = step * lab.dt_s;
    return step;
}

int apply_requests(const ViewCommands& commands, const Laboratory& lab, Transport& transport, int step) {
    const auto go_to = [&](int to) {
        lab.go_to(to);
        transport.position_s = to * lab.dt_s;
        return to;
    };
    if (commands.toggle_play) {
        transport.playing = !transport.playing;
        if (transport.playing && step >= lab.steps) step = go_to(0);
    }
    if (commands.toggle_loop) transport.loop = !transport.loop;
    if (commands.speed > 0.0) transport.speed = commands.speed;
    if (!commands.method.empty()) lab.use(commands.method);
    if (commands.lab_choice >= 0) lab.choose(commands.lab_choice, commands.lab_option);
    if (commands.step_frames != 0) {
        transport.playing = false;
        step = go_to(std::clamp(step + commands.step_frames, 0, lab.steps));
    }
    if (commands.seek_s >= 0.0) step = go_to(step_at(lab, commands.seek_s));
    return step;
}

int run_in_window(const Laboratory& lab, const LabSettings& settings, std::string_view name) {
    Window window({.title = "Glovebox: " + std::string(name)});
    Transport transport;
    transport.position_s = std::max(0.0, settings.at_s);
    transport.speed = settings.rate;
    int step = step_at(lab, transport.position_s);
    lab.go_to(step);
    const int first = step;
    std::int64_t last_ns = now_ns();
    while (window.open()) {
        const ViewCommands commands = window.draw(lab.view(playback_of(lab, transport, step)));
        if (commands.quit) break;
        step = apply_requests(commands, lab, transport, step);
        const std::int64_t now = now_ns();
        const double elapsed_s = std::min(0.25, 1e-9 * static_cast<double>(now - last_ns));
        last_ns = now;
        if (transport.playing) {
            transport.position_s += transport.speed * elapsed_s;
            step = play(lab, transport, step);
        }
        if (settings.frames > 0 && step - first >= settings.frames) break;
    }
    return step;
}

nlohmann::ordered_json with_machine(nlohmann::ordered_json report) {
    report["machine"] = machine_json();
    report["version"] = kVersion;
    return report;
}

}  // namespace

std::span<const LabRow> lab_table() {
    return kLabs;
}

nlohmann::ordered_json cost_rows(std::span<const LabCost> costs) {
    nlohmann::ordered_json rows = nlohmann::ordered_json::array();
    for (const auto& [name, cost] : costs)
        rows.push_back({{"method", name},
                        {"p50_us", cost->percentile_us(0.5)},
                        {"p99_us", cost->percentile_us(0.99)},
                        {"max_us", cost->max_us()},
                        {"steps", cost->count()}});
    return rows;
}

int run_lab(const LabRow& row, LabSettings settings) {
    if (!settings.headless && !has_display()) {
        std::fprintf(stderr, "glovebox: no display here: headless%s\n",
                     settings.screenshot.empty() ? ", writing glovebox-lab.png" : "");
        settings.headless = true;
        if (settings.screenshot.empty()) settings.screenshot = "glovebox-lab.png";
    }
    Laboratory lab = row.make(settings);
    lab.steps = static_cast<int>(std::lround(row.plays_s / lab.dt_s));
    int step = 0;
    if (settings.headless) {
        step = step_at(lab, settings.at_s >= 0.0 ? settings.at_s : lab.begin_s);
        if (settings.frames > 0) step = std::min(lab.steps, settings.frames);
        lab.go_to(step);
    } else {
        step = run_in_window(lab, settings, row.name);
    }
    const nlohmann::ordered_json report = with_machine(lab.report());
    std::printf("%s after %.1f s\n", std::string(row.name).c_str(), step * lab.dt_s);
    std::vector<nlohmann::ordered_json> rows(report["rows"].begin(), report["rows"].end());
    for (nlohmann::ordered_json& measured : rows) {
        if (measured["steps"] != 0) continue;  // methods that have not been measured yet have no cost
        for (auto& [key, value] : measured.items())
            if (value.is_number_float()) value = "-";
    }
    std::fputs(format_table(rows).c_str(), stdout);
    if (!settings.report.empty()) write_json(settings.report, report);
    if (!settings.screenshot.empty()) {
        ScreenshotOptions options;
        options.path = settings.screenshot;
        options.width_px = settings.width_px;
        options.height_px = settings.height_px;
        Transport paused;
        paused.playing = false;
        save_screenshot(lab.view(playback_of(lab, paused, step)), options);
        std::printf("picture at %.1f s: %s\n", step * lab.dt_s, settings.screenshot.c_str());
    }
    return kExitFine;
}

}  // namespace glovebox::vr
