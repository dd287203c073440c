#include "vr/ui/window_view.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <future>

#include "vr/render/screenshot.h"

namespace glovebox::vr {
namespace {

using nlohmann::ordered_json;

constexpr int kMoment_ms = 50;  // time within which nearly everything has been opened
constexpr double kStrip_s = 10.0;

std::string title_of(const std::string& name) {
    return "Glovebox: " + name;
}

WindowOptions options_of(const std::string& name, const SessionSettings& settings) {
    WindowOptions options{.title = title_of(name)};
    if (settings.size) {
        options.width_px = settings.size->width_px;
        options.height_px = settings.size->height_px;
    }
    return options;
}

std::string loading_line(const std::string& path) {
    return "Loading " + std::filesystem::path(path).filename().string();
}

double rounded(double value) {
    return std::round(value * 1000.0) / 1000.0;
}

}  // namespace

WindowView::WindowView(const std::string& name, const SessionSettings& settings)
    : window_(options_of(name, settings)) {}

std::unique_ptr<WindowView> WindowView::open_while(const std::string& name, const SessionSettings& settings,
                                                   const std::function<std::unique_ptr<Session>()>& open,
                                                   std::unique_ptr<Session>& opened) {
    auto opening = std::async(std::launch::async, open);
    const auto opened_within = [](std::future<std::unique_ptr<Session>>& one, int ms) {
        return one.wait_for(std::chrono::milliseconds(ms)) == std::future_status::ready;
    };
    if (opened_within(opening, kMoment_ms)) opened = opening.get();
    auto view = std::make_unique<WindowView>(name, settings);
    if (opened) return view;
    view->opening_ = std::move(opening);
    ViewModel waiting;
    waiting.title = std::filesystem::path(name).stem().string();
    waiting.subtitle = "loading";
    view->window_.show_message(loading_line(name), std::chrono::hours(24));
    while (!opened && view->open()) {
        if (view->window_.draw(waiting).quit) break;
        if (opened_within(view->opening_, 30)) opened = view->opening_.get();
    }
    view->window_.show_message({});
    return view;
}

ViewCommands WindowView::show(Session& session) {
    if (!view_) view_.emplace(session);
    ViewCommands commands = window_.draw(view_->model(session));
    if (!commands.open_recording.empty() || !commands.open_scene.empty()) open_next(commands);
    if (next_is_open()) commands.quit = true;
    return commands;
}

void WindowView::open_next(const ViewCommands& commands) {
    if (!open_) return window_.show_message("A live session stays what it is: end it first.");
    if (opening_.valid()) return;  // the line about the first one is still there
    const Next next{commands.open_recording, commands.open_scene, commands.open_other_hand, commands.not_opened};
    opening_ = std::async(std::launch::async, [this, next] { return open_(next); });
    says_loading_ = opening_.wait_for(std::chrono::milliseconds(kMoment_ms)) != std::future_status::ready;
    if (says_loading_)
        window_.show_message(loading_line(next.recording.empty() ? next.scene : next.recording),
                             std::chrono::hours(24));
}

bool WindowView::next_is_open() {
    if (!opening_.valid() || opening_.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return false;
    if (std::exchange(says_loading_, false)) window_.show_message({});
    try {
        next_ = opening_.get();
    } catch (const std::exception& error) {
        window_.show_message(error.what());
    }
    return next_ != nullptr;
}

void WindowView::forget(const std::string& name) {
    view_.reset();
    window_.start_over(title_of(name));
}

void WindowView::frame_done(const Session& session) {
    if (!view_) view_.emplace(session);
    view_->note_cost(session);
}

void WindowView::finish(const Session&, ordered_json& report) {
    report["window"] = window_json(window_.timings());
}

ordered_json window_json(const WindowTimings& timings) {
    const auto ms = [](const DurationHistogram& histogram) {
        return ordered_json{{"p50", rounded(1e-3 * histogram.percentile_us(0.50))},
                            {"p99", rounded(1e-3 * histogram.percentile_us(0.99))},
                            {"max", rounded(1e-3 * histogram.max_us())}};
    };
    return {{"first_frame_ms", rounded(timings.first_frame_ms)},
            {"first_scene_ms", rounded(timings.first_scene_ms)},
            {"scenes_per_second", rounded(timings.scenes_per_second())},
            {"scenes", timings.scenes},
            {"scene_ms", ms(timings.scene)},
            {"panel_ms", ms(timings.panel)},
            {"input_ms", ms(timings.input)},
            {"tier", timings.tier},
            {"width_px", timings.width_px},
            {"height_px", timings.height_px},
            {"renderer", timings.renderer}};
}

void save_picture(Session& session, const SessionSettings& settings, double at_s) {
    ScreenshotOptions options;
    options.path = settings.screenshot;
    const PictureSize size = settings.size.value_or(PictureSize{});
    options.width_px = size.width_px;
    options.height_px = size.height_px;
    SessionView view(session);
    if (session.file != nullptr) {
        const int last = at_s < 0.0 ? session.totals.clearest_frame : session.file->frame_at(at_s);
        // The frames before it matter, too: for the costs of the last 10 s, and for the proxy hands.
        const int before = static_cast<int>(kStrip_s * session.facts().rate_hz);
        session.restart();
        session.pipeline.settings.contact_manifolds = true;
        for (int frame = std::max(0, last - before); frame <= last; ++frame) {
            session.seek(frame);
            view.note_cost(session);
            view.model(session);
        }
    }
    session.set_paused(true);
    view.wait_for_take();
    save_screenshot(view.model(session), options);
    std::printf("picture of frame %d: %s\n", session.frame(), settings.screenshot.string().c_str());
}

}  // namespace glovebox::vr
