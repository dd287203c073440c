#include "vr/openxr/live.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>
#include <stdexcept>
#include <thread>

#include "tracking/forward_kinematics.h"
#include "vr/cli/command.h"
#include "vr/haptics/report.h"
#include "vr/openxr/live_eyes.h"
#include "vr/platform/end_on_signal.h"
#include "vr/platform/mesh_process.h"
#include "vr/platform/platform.h"
#include "vr/platform/version.h"
#include "vr/render/hand_mesh.h"
#include "vr/session/live_session.h"
#include "vr/session/load_replay.h"
#include "vr/session/report.h"

namespace glovebox::vr {
namespace {

using nlohmann::ordered_json;
using openxr::Headset;
using openxr::Phase;

// The scene's origin (the middle of the table's top) as seen from the seat: at arm's length, at table height.
const Eigen::Vector3f kSceneInSeat_m{0.0F, -0.40F, -0.42F};
constexpr std::int64_t kIdle_ns = 20'000'000;       // between looks while there is nothing to do
constexpr std::int64_t kPatience_ns = 500'000'000;  // for the runtime to agree to an end

// A headless session is not paced by the runtime: a fixed grid is, and whoever comes late has missed slots.
class Pacer {
  public:
    void wait(double rate_hz) {
        const auto period_ns = static_cast<std::int64_t>(1e9 / rate_hz);
        const std::int64_t now = now_ns();
        if (next_ns_ == 0)
            next_ns_ = now;  // the first, or after a loss
        else if (now > next_ns_ + period_ns) {
            const std::int64_t late = (now - next_ns_) / period_ns;
            missed += static_cast<std::uint64_t>(late);
            next_ns_ += late * period_ns;
        }
        if (next_ns_ > now) std::this_thread::sleep_for(std::chrono::nanoseconds(next_ns_ - now));
        lateness.add(std::max<std::int64_t>(0, now_ns() - next_ns_));
        next_ns_ += period_ns;
    }
    void restart() { next_ns_ = 0; }

    std::uint64_t missed = 0;
    DurationHistogram lateness;

  private:
    std::int64_t next_ns_ = 0;
};

struct LiveStats {
    DurationHistogram cpu;                ///< of this thread, per frame, without waiting
    DurationHistogram sample_to_command;  ///< pose age when the haptic command was sent
    DurationHistogram sample_to_photon;   ///< pose age when the frame is seen, by the runtime's estimate
    std::uint64_t frames = 0, frames_late = 0, rendered = 0;
    std::int64_t last_display_ns = 0;
    std::array<std::uint64_t, 6> sources{};  ///< hands as they were used, by tracking::Source
    bool realtime = false;                   ///< woken ahead of ordinary work
    bool awake = false;                      ///< the processor does not halt between frames
};

scenes::Scene load(const LiveSettings& settings) {
    scenes::Scene scene = scenes::load_scene(
        settings.scene.empty() ? std::string(scenes::scene_table().front().name) : settings.scene, load_mesh_apart);
    scene.placement = scenes::Placement::recorded;
    load_tracks(scene);  // what moves by itself does so in a live session too
    return scene;
}

Eigen::Isometry3f scene_from_seat() {
    Eigen::Isometry3f pose = Eigen::Isometry3f::Identity();
    pose.translation() = -kSceneInSeat_m;
    return pose;
}

ordered_json headset_json(const openxr::Status& status, const LiveStats& stats, const Pacer& pacer) {
    ordered_json json = {{"runtime", status.runtime},
                         {"system", status.headset},
                         {"phase", openxr::name_of(status.phase)},
                         {"hand_tracking", status.hand_tracking},
                         {"force_feedback", status.force_feedback},
                         {"controllers", {status.controllers[0], status.controllers[1]}},
                         {"refresh_hz", status.refresh_hz},
                         {"attached", status.attached},
                         {"sessions_lost", status.sessions_lost},
                         {"instances_lost", status.instances_lost},
                         {"recentered", status.recentered},
                         {"trouble", status.trouble},
                         {"no_picture", status.no_picture},
                         {"messages", status.messages},
                         {"notes", status.notes},
                         {"frames", stats.frames},
                         {"frames_rendered", stats.rendered},
                         {"realtime", stats.realtime},
                         {"kept_awake", stats.awake},
                         {"frames_missed", pacer.missed + stats.frames_late}};
    for (std::size_t i = 0; i < stats.sources.size(); ++i)
        json["hands"][std::string(tracking::name_of(static_cast<tracking::Source>(i)))] = stats.sources[i];
    json["frame_cpu_us"] = histogram_json(stats.cpu);
    json["lateness_us"] = histogram_json(pacer.lateness);
    json["pose_age_us"] = {{"sample_to_command", histogram_json(stats.sample_to_command)},
                           {"sample_to_photon", histogram_json(stats.sample_to_photon)}};
    return json;
}

std::string link_text(const openxr::Status& status, bool paused) {
    std::string text(openxr::name_of(status.phase));
    const auto add = [&text](const std::string& what) { text += " • " + what; };
    const auto counted = [&add](int count, const char* one, const char* many) {
        if (count > 0) add(std::to_string(count) + " " + (count == 1 ? one : many));
    };
    if (paused) add("paused");
    if (!status.hand_tracking) add("synthetic hands: " + status.controllers[0] + ", " + status.controllers[1]);
    counted(status.sessions_lost, "session lost", "sessions lost");
    counted(status.instances_lost, "runtime lost", "runtimes lost");
    counted(status.recentered, "recentring", "recentrings");
    if (!status.trouble.empty() && status.phase < Phase::synchronized) add(status.trouble);
    if (!status.no_picture.empty()) add("no picture: " + status.no_picture);
    return text;
}

// Every loss and recentring is told once, however long it lasts.
struct Told {
    Phase phase = Phase::no_runtime;
    int sessions_lost = 0, instances_lost = 0, recentered = 0;
    bool no_picture = false;
};

class Loop {
  public:
    explicit Loop(const LiveSettings& settings)
        : settings_(settings),
          eyes_(settings.headless ? nullptr
                                  : std::make_unique<LiveEyes>(picture_size(settings.size).value_or(PictureSize{}))),
          headset_(headset_settings()),
          session_(load(settings), collision::find_refit_method(settings.method), scene_from_seat_, now_ns) {
        session_.pipeline.settings.rest_points = eyes_ != nullptr;
        session_.hand_meshes = load_hand_meshes(settings.hand_mesh);
        openxr_facts_.scene = lasting_scene_name(settings.scene);
    }

    // What the headset is told while it is taken down is told to nobody: the log goes first.
    ~Loop() { kept_ = nullptr; }
    Loop(const Loop&) = delete;
    Loop& operator=(const Loop&) = delete;

    int run() {
        const EndOnSignal end_on_signal;
        const bool go_on = wait_for_headset();
        if (go_on) begin();
        while (go_on && !asked_to_end() && headset_.status().phase != Phase::closing) {
            if (settings_.frames > 0 && stats_.frames >= static_cast<std::uint64_t>(settings_.frames)) break;
            headset_.update(now_ns());
            tell_changes();
            if (session_.haptics) session_.haptics->set_unfocused(!headset_.focused());
            if (!(headset_.running() ? frame() : without_headset())) break;
        }
        if (session_.haptics) {
            felt_ = session_.haptics->stop();
            session_.haptics->service();  // the stop goes out twice
        }
        const openxr::Status status = headset_.status();
        headset_.close(kPatience_ns, now_ns);
        return finish(status);
    }

  private:
    openxr::HeadsetSettings headset_settings() {
        openxr::HeadsetSettings settings;
        settings.headless = settings_.headless;
        settings.wanted_hz = static_cast<float>(settings_.rate_hz);
        settings.told = [this](const openxr::ToldHand& hand) {
            if (kept_ != nullptr) kept_->told(now_ns(), hand);
        };
        if (eyes_ != nullptr)
            settings.graphics_binding = [this](XrInstance instance, XrSystemId system) {
                return eyes_->binding(instance, system, headset_.extensions());
            };
        return settings;
    }

    // What needs to know the headset, and what may fail: before the first frame.
    void begin() {
        if (!settings_.haptics.empty()) {
            OutputOptions options;
            options.file = settings_.haptics_log;
            options.headset = &headset_;
            options.command_age = &stats_.sample_to_command;
            options.port = settings_.haptics_port;
            options.baud = settings_.haptics_baud;
            options.side = settings_.haptics_hand == "left" ? tracking::Side::left : tracking::Side::right;
            outputs_ = open_outputs(settings_.haptics, options);
        }
        if (!settings_.record.empty()) {
            const openxr::Status& status = headset_.status();
            openxr_facts_.device = "openxr " + status.runtime + ", " + status.headset;
            session_.log = std::make_unique<SessionLog>(settings_.record, session_.pipeline, openxr_facts_);
            session_.log->set_command_clock(SessionLog::kNotBegun);  // until the first sample
            kept_ = session_.log.get();
            if (outputs_.output) outputs_.output = recorded_output(std::move(outputs_.output), *session_.log);
        }
        if (outputs_.output)
            session_.haptics = std::make_unique<HapticSession>(OutputRow{outputs_.name, {}, outputs_.limits, nullptr},
                                                               std::move(outputs_.output), HapticMode::threaded);
        if (settings_.headless) stats_.realtime = wake_before_others();
        stats_.awake = awake_.emplace().in_force();
    }

    // False: the person has ended it before.
    bool wait_for_headset() {
        const std::int64_t start_ns = now_ns();
        bool said = false;
        for (;;) {
            headset_.update(now_ns());
            const openxr::Status& status = headset_.status();
            if (status.phase == Phase::closing || asked_to_end()) return false;
            if (status.attached > 0) return true;
            if (!status.missing.empty()) throw std::runtime_error(status.missing);
            if (status.phase == Phase::no_runtime)
                throw std::runtime_error("no OpenXR runtime answers (" + status.trouble +
                                         "): install and start one, for example Monado "
                                         "(monado.dev, or the package libopenxr1-monado where there is one) or "
                                         "SteamVR, or name its manifest in "
                                         "XR_RUNTIME_JSON");
            const double waited_s = 1e-9 * static_cast<double>(now_ns() - start_ns);
            if (waited_s > settings_.wait_s) {
                const std::string after =
                    " after " + std::to_string(static_cast<int>(settings_.wait_s)) + " s (" + status.trouble + "): ";
                throw std::runtime_error(status.headset.empty()
                                             ? "no headset" + after + "connect one, or wait longer with --wait"
                                             : status.headset + " is there and gives no session" + after +
                                                   "end what else uses it, or do without pictures: --headless");
            }
            if (!said) std::fprintf(stderr, "glovebox: waiting for a headset (%s)\n", status.trouble.c_str());
            said = true;
            if (eyes_ != nullptr && !mirror_without_eyes()) return false;
            std::this_thread::sleep_for(std::chrono::nanoseconds(kIdle_ns));
        }
    }

    // One frame with the runtime. False: the person wants to end.
    bool frame() {
        const double rate_hz = settings_.rate_hz > 0.0 ? settings_.rate_hz
                               : headset_.status().refresh_hz > 1.0F && headset_.status().refresh_hz < 500.0F
                                   ? static_cast<double>(headset_.status().refresh_hz)
                                   : 90.0;
        if (settings_.headless) pacer_.wait(rate_hz);
        const auto timing = headset_.begin_frame();
        if (!timing) return without_headset();
        const std::int64_t cpu_start_ns = thread_cpu_ns();
        headset_.sample_hands(*timing, now_ns(), raw_);
        const std::int64_t arrival_ns = now_ns();
        for (tracking::HandFrame& hand : raw_.hands) hand.times.arrival_ns = arrival_ns;
        if (!paused_) session_.frame(raw_);
        std::int64_t cpu_ns = thread_cpu_ns() - cpu_start_ns;
        bool go_on = true;
        if (eyes_ != nullptr) {
            const auto layers = draw(*timing);
            serve_haptics();
            headset_.end_frame(*timing, layers);
            go_on = eyes_->mirror();
        } else {
            const std::int64_t end_start_ns = thread_cpu_ns();
            headset_.end_frame(*timing, {});
            pass_on_soon(rate_hz);
            cpu_ns += thread_cpu_ns() - end_start_ns;
        }
        account(*timing, cpu_ns);
        return go_on;
    }

    // What the force loop has made of the newest frame since it was handed over.
    void serve_haptics() {
        if (!session_.haptics) return;
        session_.haptics->set_paused(paused_);
        session_.haptics->service();
    }

    // The force loop answers within its millisecond, and in a headless session nothing else is to be done meanwhile.
    void pass_on_soon(double rate_hz) {
        constexpr int kLooks = 3;
        const int looks = rate_hz < 200.0 && session_.haptics ? kLooks : 0;
        serve_haptics();
        for (int i = 0; i < looks; ++i) {
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
            serve_haptics();
        }
    }

    std::span<const XrCompositionLayerBaseHeader* const> draw(const openxr::FrameTiming& timing) {
        if (!timing.should_render) {
            eyes_->draw_panel_only(view());
            obey(eyes_->take_commands());
            return {};
        }
        use_runtime_meshes();
        ViewModel model = view();
        headset_.predict_hands(timing, raw_, predicted_);
        for (std::size_t i = 0; i < predicted_.hands.size(); ++i) {
            tracking::HandFrame& hand = predicted_.hands[i];
            // What the guard holds back or refuses is not drawn from the raw stream either.
            const tracking::HandFrame& guarded = session_.pipeline.hands.hands[i];
            if (!guarded.active || guarded.source == tracking::Source::held || !hand.active) {
                hand = guarded;
                continue;
            }
            tracking::move_rigidly(scene_from_seat_, hand);
            tracking::fill_radii(session_.pipeline.settings.profiles[i], hand);
        }
        model.hands = &predicted_;
        ++stats_.rendered;
        const auto layers = eyes_->draw(headset_, timing, model, scene_from_seat_);
        obey(eyes_->take_commands());
        return layers;
    }

    ViewModel view() {
        session_.pipeline.stats[scenes::Stage::haptics] =
            session_.haptics ? session_.haptics->ledger().tick : DurationHistogram{};
        ViewModel model = session_.view("Headset", session_.scene.name);
        model.link = link_text(headset_.status(), paused_);
        model.ages = ages_;
        return model;
    }

    void obey(const ViewCommands& asked) {
        if (!asked.method.empty()) session_.pipeline.set_method(collision::find_refit_method(asked.method));
        if (!asked.toggle_play) return;
        paused_ = !paused_;
        session_.say("session", paused_ ? "paused" : "goes on", false);
    }

    // The person's own hands, where the runtime has them and no others were asked for. Once a session.
    void use_runtime_meshes() {
        if (!settings_.hand_mesh.empty() || meshes_of_ == headset_.session_number()) return;
        meshes_of_ = headset_.session_number();
        session_.hand_meshes.reset();
        auto meshes = std::make_shared<HandMeshes>();
        try {
            for (const tracking::Side side : {tracking::Side::left, tracking::Side::right}) {
                RiggedHand rig;
                if (!headset_.read_hand_mesh(side, rig)) return;
                meshes->skins[static_cast<std::size_t>(side)] = skin_of_rig(rig);
            }
        } catch (const std::runtime_error& error) {
            std::fprintf(stderr, "glovebox: the runtime's hand mesh is not used: %s\n", error.what());
            return;
        }
        session_.hand_meshes = std::move(meshes);
    }

    void account(const openxr::FrameTiming& timing, std::int64_t cpu_ns) {
        ++stats_.frames;
        stats_.cpu.add(cpu_ns);
        for (const tracking::HandFrame& hand : session_.pipeline.hands.hands)
            if (hand.active) ++stats_.sources[static_cast<std::size_t>(hand.source)];
        if (timing.display_common_ns <= 0) return;
        stats_.sample_to_photon.add(std::max<std::int64_t>(0, timing.display_common_ns - raw_.time_ns));
        // With graphics the runtime's display times are the grid: a step of two periods is a frame missed.
        if (!settings_.headless && stats_.last_display_ns > 0 && timing.period > 0) {
            const double steps = std::round(static_cast<double>(timing.display_common_ns - stats_.last_display_ns) /
                                            static_cast<double>(timing.period));
            if (steps > 1.0 && steps < 1e6) stats_.frames_late += static_cast<std::uint64_t>(steps) - 1;
        }
        stats_.last_display_ns = timing.display_common_ns;
    }

    // The world goes on without hands, slowly, until the link is back.
    bool without_headset() {
        pacer_.restart();
        stats_.last_display_ns = 0;
        std::this_thread::sleep_for(std::chrono::nanoseconds(kIdle_ns));
        raw_.time_ns = now_ns();
        for (tracking::HandFrame& hand : raw_.hands) {
            hand.active = false;
            hand.times = {raw_.time_ns, raw_.time_ns, raw_.time_ns};
        }
        if (!paused_) session_.frame(raw_);
        serve_haptics();
        return eyes_ == nullptr || mirror_without_eyes();
    }

    bool mirror_without_eyes() {
        eyes_->draw_panel_only(view());
        obey(eyes_->take_commands());
        return eyes_->mirror();
    }

    // Says on stderr and in the event list what has become of the link.
    void tell_changes() {
        const openxr::Status& status = headset_.status();
        const auto counted = [&](int count, int& told, const char* what, bool is_trouble) {
            if (count == told) return;
            told = count;
            session_.say("headset", what, is_trouble);
        };
        counted(status.sessions_lost, told_.sessions_lost, "session lost", true);
        counted(status.instances_lost, told_.instances_lost, "runtime lost", true);
        counted(status.recentered, told_.recentered, "recentred", false);
        if (const bool none = !status.no_picture.empty(); none != told_.no_picture) {
            told_.no_picture = none;
            if (none) std::fprintf(stderr, "glovebox: no picture in the headset: %s\n", status.no_picture.c_str());
            if (none) session_.say("headset", "no picture", true);
        }
        if (status.phase == told_.phase) return;
        const bool lost = status.phase < Phase::idle;
        std::fprintf(stderr, "glovebox: headset %s%s%s\n", std::string(openxr::name_of(status.phase)).c_str(),
                     lost ? ", waiting for it: " : "", lost ? status.trouble.c_str() : "");
        session_.say("headset", std::string(openxr::name_of(status.phase)), lost);
        told_.phase = status.phase;
    }

    int finish(const openxr::Status& status) {
        ordered_json report;
        report["recording"] = {{"path", ""},
                               {"format", "live OpenXR"},
                               {"frames", session_.totals.frames},
                               {"hands", ordered_json::array({"left", "right"})},
                               {"duration_s", session_.time_s()},
                               {"longest_gap_s", session_.longest_gap_s()},
                               {"rate_hz", status.refresh_hz},
                               {"notes", status.notes}};
        add_run(session_.scene, session_.pipeline, session_.totals, report);
        if (session_.haptics) {
            report["stages_us"]["haptics"] = histogram_json(session_.haptics->ledger().tick);
            report["haptic_loop"] = haptics_json(*session_.haptics);
        }
        const bool drawn = !settings_.headless;
        const char* skin = !settings_.hand_mesh.empty() ? "file" : session_.hand_meshes ? "runtime" : "own";
        report["headset"] = headset_json(status, stats_, pacer_);
        if (drawn) report["headset"]["hand_skin"] = skin;
        std::fputs(report_text(report).c_str(), stdout);
        std::printf("headset %s, %s: %llu frames, %llu missed, cpu p99.9 %.1f us, sample to command p99 %.1f us\n",
                    status.runtime.c_str(), status.headset.c_str(), static_cast<unsigned long long>(stats_.frames),
                    static_cast<unsigned long long>(pacer_.missed + stats_.frames_late),
                    stats_.cpu.percentile_us(0.999), stats_.sample_to_command.percentile_us(0.99));
        const bool kept = finish_log(session_.log.get());
        Outputs outputs;
        outputs.attempt([&] {
            if (!settings_.report.empty()) write_json(settings_.report, report);
        });
        const FailIfOutcome conditions = look_at(settings_.fail_if, report);
        if (conditions.any_holds) return kExitCheckFailed;
        return kept && felt_ && !conditions.any_unknown && !outputs.failed ? kExitFine : kExitCouldNotRun;
    }

    // Whatever sends haptics goes before the headset, and the headset before the eyes that it draws with.
    LiveSettings settings_;
    Eigen::Isometry3f scene_from_seat_ = scene_from_seat();
    std::unique_ptr<LiveEyes> eyes_;
    SessionLog* kept_ = nullptr;  // session_'s; outlives it, as the headset that tells it does
    Headset headset_;
    SessionFacts openxr_facts_;
    LiveStats stats_;
    std::optional<KeepAwake> awake_;
    OutputSet outputs_;
    LiveSession session_;
    tracking::HandPair raw_, predicted_;
    Pacer pacer_;
    Told told_;
    std::array<PoseAge, 2> ages_ = {{{"command", &stats_.sample_to_command}, {"photon", &stats_.sample_to_photon}}};
    int meshes_of_ = 0;  // number of the session whose hands were asked for
    bool paused_ = false;
    bool felt_ = true;  // and what haptic outputs write is whole
};

}  // namespace

int run_live(const LiveSettings& settings) {
    setenv("XR_LOADER_DEBUG", "none", 0);  // the loader's own five lines for "no runtime"; ours says it in one
    return std::make_unique<Loop>(settings)->run();
}

}  // namespace glovebox::vr
