// `glovebox vr`: live hands from a headset, with fingers from a glove if one is worn.
#include <algorithm>
#include <cstdlib>
#include <functional>
#include <memory>
#include <optional>

#include "vr/cli/command.h"
#include "vr/cli/number_option.h"
#include "vr/cli/options.h"
#include "vr/haptics/output.h"
#include "vr/openxr/glove_on_headset.h"
#include "vr/openxr/headset_view.h"
#include "vr/openxr/scene_place.h"
#include "vr/openxr/seat.h"
#include "vr/platform/end_on_signal.h"
#include "vr/session/exit_codes.h"
#include "vr/session/hands_between_frames.h"
#include "vr/session/open_session.h"

namespace glovebox::vr {
namespace {

struct Vr {
    SessionSettings session;
    double rate_hz = 0.0;  // rate if headless; 0: the display's, or 90
    double wait_s = 30.0;
    bool see_through = false;
    std::optional<openxr::SeatPlace> place;  // empty: the stored one, or at arm's length
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

// Returns the scenes to choose from on the panel: the built-in ones, and the requested one.
std::vector<std::string> scenes_beside(const std::string& name) {
    std::vector<std::string> names;
    for (const scenes::SceneRow& row : scenes::scene_table()) names.emplace_back(row.name);
    if (std::find(names.begin(), names.end(), name) == names.end()) names.insert(names.begin(), name);
    return names;
}

// Later scenes are only for display and haptics: the outputs belong to the first one.
void keep_no_outputs(SessionSettings& settings) {
    settings.report = settings.record = settings.contacts = settings.trace = settings.deadlines = settings.haptics_log =
        std::filesystem::path();
    std::erase_if(settings.haptics, [](const std::string& name) { return name.starts_with("log"); });
    settings.fail_if.clear();
    settings.check = settings.json = false;
    settings.frames = 0;
    settings.seconds = 0.0;
}

std::string check_place(const std::string& text) {
    try {
        parse_place(text);
        return {};
    } catch (const std::exception& error) {
        return text + " is no place (" + error.what() +
               "): right, up and back of the head in metres, and degrees to "
               "the left, such as 0,-0.4,-0.42 or 0.2,-0.4,-0.5,30";
    }
}

int run_vr(const CLI::App& app, Vr vr) {
    SessionSettings& settings = vr.session;
    check_session_options(app, settings);
    const bool drives_glove =
        std::find(settings.haptics.begin(), settings.haptics.end(), "opengloves") != settings.haptics.end();
    const bool by_the_same_port = drives_glove && settings.haptics_port.empty();
    if (by_the_same_port && vr.glove.empty())
        throw UsageError("--haptics opengloves needs the glove's port: --haptics-port /dev/ttyUSB0, or --glove");
    check_files({{"--scene", settings.scene}, {"--glove", vr.glove}, {"--profile", vr.glove_options.profile}},
                outputs_of(settings), settings.force);
    tracking::GloveSettings glove = glove_settings(vr.glove_options);
    const std::filesystem::path place_file = headset_settings_file();
    if (vr.place) remember_place(*vr.place, place_file);
    setenv("XR_LOADER_DEBUG", "none", 0);  // suppress the loader's five lines for "no runtime"; ours is one line

    NamedScene live = open_live_scene(settings);
    const EndOnSignal end_on_signal;
    const PictureSize size = settings.size.value_or(PictureSize{});
    // The headset draws with the eyes, so they must be destroyed after it.
    const std::unique_ptr<LiveEyes> eyes = settings.headless ? nullptr : std::make_unique<LiveEyes>(size);
    SessionLog* log = nullptr;  // log that records haptics; null while there is none
    openxr::HeadsetSettings headset;
    headset.headless = settings.headless;
    headset.wanted_hz = static_cast<float>(vr.rate_hz);
    headset.see_through = vr.see_through;
    headset.seat = vr.place ? *vr.place : remembered_place(place_file).value_or(openxr::SeatPlace{});
    for (const tracking::Side side : tracking::kSides)
        if (const auto& hand = glove.user[side].hand) headset.profiles[side] = *hand;
    headset.on_haptics = [&log](const openxr::ReportedHand& hand) {
        if (log != nullptr) log->sent(hand.time_ns, hand);
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
        return !end_requested() && (!eyes || eyes->mirror());
    });

    OutputOptions outputs;
    std::unique_ptr<tracking::HandSource> hands = std::move(headset_source);
    if (!vr.glove.empty()) {
        glove.device = vr.glove;
        hands.release();
        outputs.side = glove.side;
        auto gloved = std::make_unique<GloveOnHeadset>(std::unique_ptr<HeadsetSource>(source), std::move(glove));
        if (by_the_same_port) outputs.connection = gloved->glove().writing_fd();
        hands = std::move(gloved);
    }
    std::unique_ptr<FaultWatch> watch;
    hands = with_faults(std::move(hands), settings, watch);
    const bool can_switch = eyes != nullptr && settings.faults.empty();
    const std::vector<std::string> scenes = scenes_beside(live.name);
    for (int exit_code = kExitFine;;) {
        SessionOptions options;
        options.method = settings.method;
        options.race = settings.race;
        options.placement = placement_from_seat();
        options.filter = settings.filter;
        Session session(std::move(live.scene), std::move(hands), options, now_ns);
        session.faults = std::move(watch);
        const struct Forget {
            SessionLog*& log;
            ~Forget() { log = nullptr; }  // the headset may report something while it is destroyed
        } forget{log};
        HeadsetView view(*source, eyes.get(), settings, options.placement->scene_from_recording);
        if (can_switch)
            view.offer(scenes,
                       static_cast<std::size_t>(std::find(scenes.begin(), scenes.end(), live.name) - scenes.begin()));
        outputs.headset = &source->headset;
        outputs.command_times = view.command_times();
        equip(session, settings, live.name, outputs);
        if (session.haptics && session.haptics->mode() == HapticMode::threaded)
            session.between = std::make_unique<HandsBetweenFrames>(
                session.pipeline, *session.haptics,
                [source](tracking::HandPair& located) { return source->locate_between(located); }, now_ns);
        const struct Pauses {
            std::function<void()>& before_sample;
            ~Pauses() { before_sample = nullptr; }
        } pauses{source->before_sample};
        pauses.before_sample = [&session] {
            if (session.between) session.between->pause();
        };
        log = session.log.get();
        exit_code = std::max(exit_code, run(session, &view, settings, attached));
        if (view.next_scene().empty()) return exit_code;
        hands = std::move(session.source);
        source->start_over();
        eyes->forget_scene();
        keep_no_outputs(settings);
        settings.scene = view.next_scene();
        live = open_live_scene(settings);
    }
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
    for (const char* option : {"--glove-hand", "--baud", "--max-analog"}) app.get_option(option)->needs(glove);
    app.get_option("--profile")
        ->description(
            "your profile (`glovebox calibrate`): hands that controllers bend, and fingers' thickness, glove or not");
    app.add_option_function<std::string>(
           "--place", [vr](const std::string& text) { vr->place = parse_place(text); },
           "where the scene's origin stands: metres right, up and back of the head, degrees to the left; remembered")
        ->check(check_place);
    app.add_flag("--passthrough", vr->see_through, "the room behind the scene, where the runtime can show it");
    app.footer(
        "Examples:\n"
        "  glovebox vr\n"
        "  glovebox vr --scene held-ball --record session.glove --report session.json\n"
        "  glovebox vr --glove /dev/ttyUSB0 --glove-hand left --haptics opengloves\n"
        "  glovebox vr --headless --frames 900 --fail-if \"headset.frames_missed>0\"");
    return [vr, &app] { return run_vr(app, *vr); };
}

}  // namespace glovebox::vr
