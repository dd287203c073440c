#include "vr/session/replay_window.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <future>

#include "vr/cli/command.h"
#include "vr/cli/picture_option.h"
#include "vr/platform/platform.h"
#include "vr/render/screenshot.h"
#include "vr/session/load_replay.h"
#include "vr/session/replay_view.h"
#include "vr/session/report.h"
#include "vr/ui/window.h"

namespace glovebox::vr {
namespace {

// When the machine cannot keep up, the replay slows down instead of freezing: so many frames between two pictures.
constexpr int kMostFramesPerPicture = 400;

struct Transport {
    double position_s = 0.0;
    double speed = 1.0;
    bool playing = true, loop = true;
};

// --frames: so many and not one more, or the state hash would depend on the machine's speed.
bool enough(const Replay& replay, const ReplaySettings& settings) {
    return settings.frames > 0 && replay.totals.frames >= static_cast<std::uint64_t>(settings.frames);
}

// Takes the replay to the transport's position, forward frame by frame so that every frame is counted.
void advance(Replay& replay, ReplayView& view, Transport& transport, const ReplaySettings& settings) {
    for (int i = 0; i < kMostFramesPerPicture && !enough(replay, settings); ++i) {
        const bool at_end = replay.frame() + 1 >= replay.frame_count();
        if (at_end && transport.position_s > replay.recording.duration_s()) {
            if (!transport.loop) {
                transport.playing = false;
                transport.position_s = replay.recording.duration_s();
                return;
            }
            transport.position_s = 0.0;
            replay.restart();
        }
        if (replay.frame() + 1 >= replay.frame_count()) return;
        if (replay.time_of(replay.frame() + 1) > transport.position_s) return;
        replay.next();
        view.note_cost(replay);
    }
    transport.position_s = replay.time_s();
}

int frame_at(const Replay& replay, double time_s) {
    int low = 0, high = replay.frame_count() - 1;
    while (low < high) {
        const int middle = (low + high + 1) / 2;
        if (replay.time_of(middle) <= time_s) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    return low;
}

void obey(const ViewCommands& commands, Replay& replay, Transport& transport) {
    if (commands.toggle_play) {
        transport.playing = !transport.playing;
        const bool at_end = replay.frame() + 1 >= replay.frame_count();
        if (transport.playing && at_end) {
            replay.restart();
            transport.position_s = 0.0;
        }
    }
    if (commands.toggle_loop) transport.loop = !transport.loop;
    if (commands.speed > 0.0) transport.speed = commands.speed;
    if (!commands.method.empty()) replay.pipeline.set_method(collision::find_refit_method(commands.method));
    if (commands.step_frames != 0) {
        transport.playing = false;
        replay.seek(replay.frame() + commands.step_frames);
        transport.position_s = replay.time_s();
    }
    if (commands.seek_s >= 0.0) {
        replay.seek(frame_at(replay, commands.seek_s));
        transport.position_s = replay.time_s();
    }
}

}  // namespace

int run_in_window(const ReplaySettings& settings) {
    // Nearly everything loads before a window could open, and bad input never shows one. What takes longer, an hour of
    // recording or the scan of a house, is waited for with the window open.
    auto loading = std::async(std::launch::async, [&settings] { return load_replay(settings, now_ns); });
    const auto loaded_within = [&loading](int ms) {
        return loading.wait_for(std::chrono::milliseconds(ms)) == std::future_status::ready;
    };
    std::unique_ptr<Replay> owned;
    if (loaded_within(50)) owned = loading.get();
    const std::string name = settings.recording.empty() ? "flick" : settings.recording;
    WindowOptions options{.title = "Glovebox: " + name};
    const PictureSize size = picture_size(settings.size).value_or(PictureSize{});
    options.width_px = size.width_px;
    options.height_px = size.height_px;
    Window window(options);
    ViewModel waiting;
    waiting.title = std::filesystem::path(name).stem().string();
    waiting.subtitle = "loading";
    while (!owned && window.open()) {
        if (window.draw(waiting).quit) break;
        if (loaded_within(30)) owned = loading.get();
    }
    if (!owned) owned = loading.get();
    Replay& replay = *owned;
    replay.pipeline.settings.rest_points = true;
    ReplayView view(replay);
    Transport transport;
    if (!settings.rate.empty() && settings.rate != "recorded" && settings.rate != "max")
        transport.speed = std::stod(settings.rate);

    replay.next();
    std::int64_t last_ns = now_ns();
    while (window.open()) {
        const ViewCommands commands =
            window.draw(view.model(replay, transport.playing, transport.loop, transport.speed));
        if (commands.quit) break;
        obey(commands, replay, transport);

        const std::int64_t now = now_ns();
        // A picture that took long, or a stopped process, is not replayed in one go.
        const double elapsed_s = std::min(0.25, 1e-9 * static_cast<double>(now - last_ns));
        last_ns = now;
        if (transport.playing) {
            transport.position_s += transport.speed * elapsed_s;
            if (settings.rate == "max") transport.position_s = 1e12;
            advance(replay, view, transport, settings);
        }
        if (enough(replay, settings)) break;
    }
    const bool felt = !replay.haptics || replay.haptics->stop();
    const bool kept = finish_log(replay.log.get());
    auto report = report_json(replay);
    report["window"] = window_json(window.timings());
    std::fputs(report_text(report).c_str(), stdout);
    Outputs outputs;
    outputs.attempt([&] {
        if (replay.haptics && !settings.deadlines.empty()) draw_ledger(replay, settings.deadlines);
    });
    outputs.attempt([&] {
        if (!settings.report.empty()) write_json(settings.report, report);
    });
    const FailIfOutcome conditions = look_at(settings.fail_if, report);
    if (conditions.any_holds) return kExitCheckFailed;
    return kept && felt && !outputs.failed && !conditions.any_unknown ? kExitFine : kExitCouldNotRun;
}

void save_picture(Replay& replay, const ReplaySettings& settings) {
    ScreenshotOptions options;
    options.path = settings.screenshot;
    const PictureSize size = picture_size(settings.size).value_or(PictureSize{});
    options.width_px = size.width_px;
    options.height_px = size.height_px;
    const int last =
        settings.screenshot_at_s < 0.0 ? replay.totals.clearest_frame : frame_at(replay, settings.screenshot_at_s);
    // The frames before it belong to the picture: costs of the last 10 s, and hands that have come their way.
    const int before = static_cast<int>(10.0 * replay.recording.rate_hz());
    replay.restart();
    replay.pipeline.settings.rest_points = true;
    ReplayView view(replay);
    for (int frame = std::max(0, last - before); frame <= last; ++frame) {
        replay.seek(frame);
        view.note_cost(replay);
        view.model(replay, false, settings.loop, 1.0);
    }
    save_screenshot(view.model(replay, false, settings.loop, 1.0), options);
    std::printf("picture of frame %d: %s\n", replay.frame(), settings.screenshot.string().c_str());
}

}  // namespace glovebox::vr
