#include "vr/live.h"

#include <pthread.h>
#include <sched.h>
#include <time.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>
#include <stdexcept>
#include <thread>

#include "tracking/forward_kinematics.h"
#include "vr/cli/command.h"
#include "vr/live_eyes.h"
#include "vr/live_session.h"
#include "vr/openxr/haptic_outputs.h"
#include "vr/platform.h"
#include "vr/report.h"
#include "vr/version.h"

namespace glovebox::vr {
namespace {

using nlohmann::ordered_json;
using openxr::Headset;
using openxr::Phase;

// The scene's origin (the middle of the table's top) as seen from the seat: at arm's length, at table height.
const Eigen::Vector3f kSceneInSeat_m{0.0F, -0.40F, -0.42F};
constexpr std::int64_t kIdle_ns = 20'000'000;       // between looks while there is nothing to do
constexpr std::int64_t kPatience_ns = 500'000'000;  // for the runtime to agree to an end

// Set by signals; the loop ends on it and stops what is felt on its way out.
volatile std::sig_atomic_t asked_to_end = 0;

class EndOnSignal {
  public:
    EndOnSignal() {
        asked_to_end = 0;
        for (std::size_t i = 0; i < kSignals.size(); ++i)
            before_[i] = std::signal(kSignals[i], [](int) { asked_to_end = 1; });
    }
    ~EndOnSignal() {
        for (std::size_t i = 0; i < kSignals.size(); ++i) std::signal(kSignals[i], before_[i]);
    }
    EndOnSignal(const EndOnSignal&) = delete;
    EndOnSignal& operator=(const EndOnSignal&) = delete;

  private:
    static constexpr std::array<int, 2> kSignals = {SIGINT, SIGTERM};
    std::array<void (*)(int), 2> before_{};
};

std::int64_t cpu_now_ns() {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return time.tv_sec * 1'000'000'000LL + time.tv_nsec;
}

// The loop sleeps most of its life and must wake on time: ahead of ordinary work where the system allows it. False: it
// does not (see `ulimit -r`), and on a busy machine frames will be missed.
bool wake_before_others() {
    sched_param parameters{};
    parameters.sched_priority = sched_get_priority_min(SCHED_RR);
    return pthread_setschedparam(pthread_self(), SCHED_RR, &parameters) == 0;
}

// A headless session is not paced by the runtime: a fixed grid is, and whoever comes late has missed slots.
class Pacer {
  public:
    void wait(double rate_hz) {
        const auto period_ns = static_cast<std::int64_t>(1e9 / rate_hz);
        const std::int64_t now = now_ns();
        if (next_ns_ == 0 || std::abs(now - next_ns_) > 1'000'000'000)
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
    bool realtime = false;  ///< woken ahead of ordinary work
};

scenes::Scene load(const LiveSettings& settings) {
    scenes::Scene scene =
        scenes::load_scene(settings.scene.empty() ? std::string(scenes::scene_table().front().name) : settings.scene);
    scene.placement = scenes::Placement::recorded;
    return scene;
}

void to_scene(const Eigen::Isometry3f& scene_from_seat, tracking::HandPair& hands) {
    for (tracking::HandFrame& hand : hands.hands)
        if (hand.active) tracking::move_rigidly(scene_from_seat, hand);
}

ordered_json headset_json(const openxr::Status& status, const LiveStats& stats, const Pacer& pacer,
                          std::uint64_t commands, std::uint64_t stops) {
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
                         {"notes", status.notes},
                         {"frames", stats.frames},
                         {"frames_rendered", stats.rendered},
                         {"realtime", stats.realtime},
                         {"frames_missed", pacer.missed + stats.frames_late},
                         {"haptic_commands", commands},
                         {"haptic_stops", stops}};
    json["frame_cpu_us"] = histogram_json(stats.cpu);
    json["lateness_us"] = histogram_json(pacer.lateness);
    json["pose_age_us"] = {{"sample_to_command", histogram_json(stats.sample_to_command)},
                           {"sample_to_photon", histogram_json(stats.sample_to_photon)}};
    return json;
}

std::string subtitle_of(const openxr::Status& status, const scenes::Scene& scene) {
    std::string text = std::string(openxr::name_of(status.phase)) + " • " + scene.name;
    if (!status.trouble.empty() && status.phase < Phase::synchronized) text += " • " + status.trouble;
    return text;
}

class Loop {
  public:
    explicit Loop(const LiveSettings& settings)
        : settings_(settings),
          session_(load(settings), collision::find_refit_method(settings.method), now_ns),
          eyes_(settings.headless ? nullptr : std::make_unique<LiveEyes>()),
          headset_(headset_settings()),
          haptics_(headset_) {
        scene_from_seat_.translation() = -kSceneInSeat_m;
    }

    int run() {
        const EndOnSignal end_on_signal;
        wait_for_headset();
        if (settings_.headless) stats_.realtime = wake_before_others();
        while (asked_to_end == 0 && headset_.status().phase != Phase::closing) {
            if (settings_.frames > 0 && stats_.frames >= static_cast<std::uint64_t>(settings_.frames)) break;
            headset_.update(now_ns());
            tell_changes();
            if (!headset_.focused()) haptics_.stop_all(now_ns());
            if (!(headset_.running() ? frame() : without_headset())) break;
        }
        haptics_.stop_all(now_ns(), true);
        const openxr::Status status = headset_.status();
        headset_.close(kPatience_ns, now_ns);
        return finish(status);
    }

  private:
    openxr::HeadsetSettings headset_settings() {
        openxr::HeadsetSettings settings;
        settings.headless = settings_.headless;
        if (eyes_ != nullptr)
            settings.graphics_binding = [this](XrInstance instance, XrSystemId system) {
                return eyes_->binding(instance, system);
            };
        return settings;
    }

    void wait_for_headset() {
        const std::int64_t start_ns = now_ns();
        bool said = false;
        for (;;) {
            headset_.update(now_ns());
            const openxr::Status& status = headset_.status();
            if (status.attached > 0 || status.phase == Phase::closing || asked_to_end != 0) return;
            if (status.phase == Phase::no_runtime)
                throw std::runtime_error("no OpenXR runtime answers (" + status.trouble +
                                         "): install and start one, for example Monado "
                                         "(monado.dev, or the package libopenxr1-monado where there is one) or "
                                         "SteamVR, or name its manifest in "
                                         "XR_RUNTIME_JSON");
            const double waited_s = 1e-9 * static_cast<double>(now_ns() - start_ns);
            if (waited_s > settings_.wait_s)
                throw std::runtime_error("no headset after " + std::to_string(static_cast<int>(settings_.wait_s)) +
                                         " s (" + status.trouble + "): connect one, or wait longer with --wait");
            if (!said) std::fprintf(stderr, "glovebox: waiting for a headset (%s)\n", status.trouble.c_str());
            said = true;
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
        const std::int64_t cpu_start_ns = cpu_now_ns();
        headset_.sample_hands(*timing, now_ns(), raw_);
        to_scene(scene_from_seat_, raw_);
        session_.frame(raw_);
        send_haptics();
        std::int64_t cpu_ns = cpu_now_ns() - cpu_start_ns;
        bool go_on = true;
        if (eyes_ != nullptr) {
            headset_.end_frame(*timing, draw(*timing));
            go_on = eyes_->mirror();
        } else {
            const std::int64_t end_start_ns = cpu_now_ns();
            headset_.end_frame(*timing, {});
            cpu_ns += cpu_now_ns() - end_start_ns;
        }
        account(*timing, cpu_ns);
        return go_on;
    }

    void send_haptics() {
        const std::int64_t start_ns = now_ns();
        if (headset_.focused())
            for (const HapticCommand& command : session_.commands) haptics_.send(command);
        const std::int64_t sent_ns = now_ns();
        session_.pipeline.stats[scenes::Stage::haptics].add(sent_ns - start_ns);
        stats_.sample_to_command.add(sent_ns - raw_.time_ns);
    }

    std::span<const XrCompositionLayerBaseHeader* const> draw(const openxr::FrameTiming& timing) {
        if (!timing.should_render) return {};
        ViewModel model = session_.view("Headset", subtitle_of(headset_.status(), session_.scene));
        headset_.predict_hands(timing, seat_hands(), predicted_);
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
        if (const ViewCommands asked = eyes_->take_commands(); !asked.method.empty())
            session_.pipeline.set_method(collision::find_refit_method(asked.method));
        return layers;
    }

    // The raw hands where the headset gave them.
    const tracking::HandPair& seat_hands() {
        in_seat_ = raw_;
        to_scene(scene_from_seat_.inverse(Eigen::Isometry), in_seat_);
        return in_seat_;
    }

    void account(const openxr::FrameTiming& timing, std::int64_t cpu_ns) {
        ++stats_.frames;
        stats_.cpu.add(cpu_ns);
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
        session_.frame(raw_);
        return eyes_ == nullptr || eyes_->mirror();
    }

    // Says on stderr and in the event list what has become of the link.
    void tell_changes() {
        const openxr::Status& status = headset_.status();
        if (status.phase == phase_) return;
        const bool lost = status.phase < Phase::idle;
        std::fprintf(stderr, "glovebox: headset %s%s%s\n", std::string(openxr::name_of(status.phase)).c_str(),
                     lost ? ", waiting for it: " : "", lost ? status.trouble.c_str() : "");
        session_.say("headset", std::string(openxr::name_of(status.phase)));
        phase_ = status.phase;
    }

    int finish(const openxr::Status& status) {
        ordered_json report;
        report["recording"] = {{"path", ""},
                               {"format", "live OpenXR"},
                               {"frames", session_.totals.frames},
                               {"hands", ordered_json::array({"left", "right"})},
                               {"duration_s", session_.time_s()},
                               {"longest_gap_s", 0.0},
                               {"rate_hz", status.refresh_hz},
                               {"notes", status.notes}};
        add_run(session_.scene, session_.pipeline, session_.totals, report);
        report["headset"] = headset_json(status, stats_, pacer_, haptics_.sent(), haptics_.stops());
        std::fputs(report_text(report).c_str(), stdout);
        std::printf("headset %s, %s: %llu frames, %llu missed, cpu p99.9 %.1f us, sample to command p99 %.1f us\n",
                    status.runtime.c_str(), status.headset.c_str(), static_cast<unsigned long long>(stats_.frames),
                    static_cast<unsigned long long>(pacer_.missed + stats_.frames_late),
                    stats_.cpu.percentile_us(0.999), stats_.sample_to_command.percentile_us(0.99));
        if (!settings_.report.empty()) write_whole(settings_.report, report.dump(2) + "\n");
        for (const std::string& expression : settings_.fail_if) {
            if (!holds(expression, report)) continue;
            std::fprintf(stderr, "glovebox: --fail-if \"%s\" holds\n", expression.c_str());
            return kExitCheckFailed;
        }
        return kExitFine;
    }

    LiveSettings settings_;
    LiveSession session_;
    std::unique_ptr<LiveEyes> eyes_;
    Headset headset_;
    openxr::HapticSender haptics_;
    Eigen::Isometry3f scene_from_seat_ = Eigen::Isometry3f::Identity();
    tracking::HandPair raw_, in_seat_, predicted_;
    Pacer pacer_;
    LiveStats stats_;
    Phase phase_ = Phase::no_runtime;
};

}  // namespace

int run_live(const LiveSettings& settings) {
    setenv("XR_LOADER_DEBUG", "none", 0);  // the loader's own five lines for "no runtime"; ours says it in one
    return std::make_unique<Loop>(settings)->run();
}

}  // namespace glovebox::vr
