// `glovebox vr`: live hands from a headset, and fingers from a glove where one is worn.
#include <cstdlib>
#include <memory>

#include "vr/cli/command.h"
#include "vr/cli/number_option.h"
#include "vr/cli/options.h"
#include "vr/haptics/output.h"
#include "vr/openxr/glove_on_headset.h"
#include "vr/openxr/headset_view.h"
#include "vr/openxr/seat.h"
#include "vr/platform/end_on_signal.h"
#include "vr/session/open_session.h"

namespace glovebox::vr {
namespace {

struct Vr {
    SessionSettings session;
    double rate_hz = 0.0;  // headless, where the runtime does not pace: 0: the display's, or 90
    double wait_s = 30.0;
    std::string glove;
    GloveOptions glove_options;
};

scenes::HandPlacement placement_from_seat() {
    scenes::HandPlacement placement;
    placement.kind = scenes::Placement::fingertips;
    placement.scene_from_recording.translation() = -openxr::kSceneInSeat_m;
    placement.note = "as tracked, seen from the seat";
    return placement;
}

int run_vr(const CLI::App& app, Vr vr) {
    SessionSettings& settings = vr.session;
    check_session_options(app, settings);
    const bool drives_glove =
        std::find(settings.haptics.begin(), settings.haptics.end(), "opengloves") != settings.haptics.end();
    const bool by_the_same_port = drives_glove && settings.haptics_port.empty();
    if (by_the_same_port && vr.glove.empty())
        throw UsageError("--haptics opengloves needs the glove's port: --haptics-port /dev/ttyUSB0, or --glove");
    check_files({{"--scene", settings.scene}, {"--glove", vr.glove}}, outputs_of(settings), settings.force);
    setenv("XR_LOADER_DEBUG", "none", 0);  // the loader's own five lines for "no runtime"; ours says it in one

    LiveScene live = open_live_scene(settings);
    const EndOnSignal end_on_signal;
    const PictureSize size = settings.size.value_or(PictureSize{});
    // The headset draws with the eyes: they go after it.
    const std::unique_ptr<LiveEyes> eyes = settings.headless ? nullptr : std::make_unique<LiveEyes>(size);
    SessionLog* log = nullptr;  // that is told of haptics; null while there is none
    openxr::HeadsetSettings headset;
    headset.headless = settings.headless;
    headset.wanted_hz = static_cast<float>(vr.rate_hz);
    headset.told = [&log](const openxr::ReportedHand& hand) {
        if (log != nullptr) log->told(hand.time_ns, hand);
    };
    HeadsetSource* source = nullptr;
    if (eyes)
        headset.graphics_binding = [&](XrInstance instance, XrSystemId system) {
            return eyes->binding(instance, system, source->headset.extensions());
        };
    auto headset_source = std::make_unique<HeadsetSource>(std::move(headset), vr.rate_hz);
    source = headset_source.get();
    ViewModel waiting;
    waiting.title = "Headset";
    waiting.subtitle = "waiting for a headset";
    const bool attached = source->attach(vr.wait_s, [&] {
        if (eyes) eyes->draw_panel_only(waiting);
        return !asked_to_end() && (!eyes || eyes->mirror());
    });

    OutputOptions outputs;
    std::unique_ptr<tracking::HandSource> hands = std::move(headset_source);
    if (!vr.glove.empty()) {
        tracking::GloveSettings glove = glove_settings(vr.glove_options);
        glove.device = vr.glove;
        hands.release();
        outputs.side = glove.side;
        auto gloved = std::make_unique<GloveOnHeadset>(std::unique_ptr<HeadsetSource>(source), std::move(glove));
        if (by_the_same_port) outputs.connection = gloved->glove().writing_fd();
        hands = std::move(gloved);
    }
    SessionOptions options;
    options.method = settings.method;
    options.race = settings.race;
    options.placement = placement_from_seat();
    options.filter = settings.filter;
    std::unique_ptr<FaultWatch> watch;
    hands = with_faults(std::move(hands), settings, watch);
    Session session(std::move(live.scene), std::move(hands), options, now_ns);
    session.faults = std::move(watch);
    const struct Forget {
        SessionLog*& log;
        ~Forget() { log = nullptr; }  // the headset may tell something while it is taken down
    } forget{log};
    HeadsetView view(*source, eyes.get(), settings, options.placement->scene_from_recording);
    outputs.headset = &source->headset;
    outputs.command_times = view.command_times();
    equip(session, settings, live.name, outputs);
    log = session.log.get();
    return run(session, &view, settings, attached);
}

}  // namespace

std::function<int()> declare_vr(CLI::App& app) {
    const auto vr = std::make_shared<Vr>();
    vr->session.haptics = {"controller", "force-feedback"};
    add_session_options(app, vr->session);
    app.get_option("--headless")->description("hands and haptics only, no pictures: beside another application");
    app.add_option("--rate", vr->rate_hz, "headless: frames a second (default: the display's, or 90)")
        ->check(number_from(1.0, 1000.0));
    app.add_option("--wait", vr->wait_s, "seconds to wait for a headset at the start")->check(number_from(0.0, 1e6));
    auto* glove = app.add_option("--glove", vr->glove,
                                 "a glove (as in `glovebox live`): fingers from it, the wrist from the headset");
    add_glove_options(app, vr->glove_options, "--glove-hand");
    for (const char* option : {"--glove-hand", "--baud", "--max-analog", "--profile"})
        app.get_option(option)->needs(glove);
    app.footer(
        "Examples:\n"
        "  glovebox vr\n"
        "  glovebox vr --scene held-ball --record session.glove --report session.json\n"
        "  glovebox vr --glove /dev/ttyUSB0 --glove-hand left --haptics opengloves\n"
        "  glovebox vr --headless --frames 900 --fail-if \"headset.frames_missed>0\"");
    return [vr, &app] { return run_vr(app, *vr); };
}

}  // namespace glovebox::vr
