// `glovebox live DEVICE`: runs a glove in a scene, in a window or headless, as the same session as a recording's.
#include <algorithm>
#include <cstdio>
#include <limits>
#include <memory>
#include <utility>

#include "recordings/parse.h"
#include "scenes/placement.h"
#include "tracking/glove/guided_poses.h"
#include "vr/cli/command.h"
#include "vr/cli/number_option.h"
#include "vr/cli/options.h"
#include "vr/platform/mesh_process.h"
#include "vr/platform/platform.h"
#include "vr/session/open_session.h"
#include "vr/session/report.h"
#include "vr/session/run.h"
#include "vr/ui/window_view.h"

namespace glovebox::vr {
namespace {

using recordings::counted;
using tracking::GloveSource;
using tracking::Side;

constexpr double kGetReady_s = 3.0, kHoldPose_s = 4.0;  // of the guided calibration

struct Live {
    SessionSettings session;
    GloveOptions glove;
    std::string place_as;
    double try_force = -1.0;
    bool guide = false;
};

double length_of_guide_s() {
    return kGetReady_s + kHoldPose_s * static_cast<double>(tracking::guided_poses().size());
}

// Prints which pose to hold and annotates the log with it.
class Guide final : public Sink {
  public:
    Guide() {
        std::printf("Guided calibration: hold each pose until the next one is asked for.\n");
        std::fflush(stdout);
    }
    void frame(const Session& session) override {
        const auto poses = tracking::guided_poses();
        while (next_ < poses.size() && session.time_s() >= kGetReady_s + kHoldPose_s * static_cast<double>(next_)) {
            std::printf("%zu of %zu  %s\n", next_ + 1, poses.size(), std::string(poses[next_].instruction).c_str());
            std::fflush(stdout);
            note(session, std::string(poses[next_].name));
            ++next_;
        }
    }
    void finish(const Session& session, nlohmann::ordered_json&) override { note(session, "end"); }

  private:
    static void note(const Session& session, const std::string& pose) {
        if (session.log) session.log->annotate(static_cast<std::int64_t>(1e9 * session.time_s()), "pose " + pose);
    }
    std::size_t next_ = 0;
};

// Forces go through the port that packets come from, or the new one after a reconnection. --try-force requests one
// level all the time.
class ForceLink final : public Sink {
  public:
    ForceLink(const GloveSource& glove, double level) : glove_(glove), level_(level), opened_(glove.times_opened()) {}
    void frame(const Session& session) override {
        if (!session.haptics) return;
        if (std::exchange(opened_, glove_.times_opened()) != glove_.times_opened())
            session.haptics->reconnect(glove_.writing_fd());
        if (level_ >= 0.0) session.haptics->request(static_cast<float>(level_));
    }
    void finish(const Session&, nlohmann::ordered_json&) override {}

  private:
    const GloveSource& glove_;
    double level_;
    int opened_;
};

// Returns the wrist's pose: as in a recording, or that of a resting hand with its fingertips at the scene's anchor.
void place_wrist(const Live& live, const scenes::Scene& scene, tracking::GloveSettings& glove) {
    if (!live.place_as.empty()) {
        const recordings::Recording recording = open_recording(live.place_as, import_options(scene, {}));
        if (!recording.has(glove.side))
            throw std::runtime_error(live.place_as + ": there is no " + std::string(name_of(glove.side)) +
                                     " hand in it");
        const scenes::HandPlacement placement = placement_of(recording, scene);
        if (placement.kind == scenes::Placement::wrist) {
            glove.world_from_wrist = placement.scene_from_wrist;
            return;
        }
        const auto seen = std::find_if(recording.samples.begin(), recording.samples.end(), [&](const auto& sample) {
            return sample[glove.side].active && sample[glove.side][tracking::Joint::wrist].position_valid();
        });
        if (seen == recording.samples.end())
            throw std::runtime_error(live.place_as + ": the " + std::string(name_of(glove.side)) +
                                     " wrist has no position in it");
        const tracking::JointPose& wrist = (*seen)[glove.side][tracking::Joint::wrist];
        glove.world_from_tracker_space = placement.scene_from_recording;
        glove.world_from_wrist =
            placement.scene_from_recording * (Eigen::Translation3f(wrist.position_m) * wrist.orientation);
        return;
    }
    scenes::Scene for_wrist = scene;
    for_wrist.placement = scenes::Placement::wrist;
    tracking::HandPair resting;
    resting[glove.side] =
        tracking::pose_from_angles(glove.user[glove.side].hand.value_or(tracking::default_profile()),
                                   tracking::resting_angles(), Eigen::Isometry3f::Identity(), glove.side);
    resting[glove.side].active = true;
    glove.world_from_wrist = scenes::find_placement(for_wrist, {&resting, 1}).scene_from_wrist;
}

void print_summary(const Live& live, const GloveSource& glove, const Session& session, double lasted_s) {
    std::printf("%s in %.1f s, %llu unreadable", counted(glove.packets(), "packet").c_str(), lasted_s,
                static_cast<unsigned long long>(glove.unreadable()));
    if (glove.longest_gap_s() > 0.0) std::printf(", longest gap %.0f ms", 1e3 * glove.longest_gap_s());
    for (const tracking::SourceCounter& counter : glove.status().counters) {
        if (counter.name == "tracker_poses" && !live.glove.wrist.empty())
            std::printf(", %s", counted(counter.count, "wrist pose").c_str());
        if (counter.name == "skipped_backlog" && counter.count > 0)
            std::printf(", %s skipped", counted(counter.count, "older packet").c_str());
        if (counter.name == "skipped_flood" && counter.count > 0)
            std::printf(", %llu skipped that came too fast", static_cast<unsigned long long>(counter.count));
    }
    if (session.haptics) std::printf(", %s", counted(session.haptics->ledger().commands, "force command").c_str());
    std::printf("\n");
}

int run_live(const CLI::App& app, Live live) {
    SessionSettings& settings = live.session;
    if (live.try_force >= 0.0) settings.haptics = {"opengloves"};
    check_session_options(app, settings);
    if (!settings.headless && !has_display()) settings.headless = true;
    if (live.guide) settings.seconds = length_of_guide_s();
    check_files({{"DEVICE", live.glove.settings.device},
                 {"--scene", settings.scene},
                 {"--profile", live.glove.profile},
                 {"--wrist", live.glove.wrist},
                 {"--place-as", live.place_as}},
                outputs_of(settings), settings.force);
    tracking::GloveSettings glove_with = glove_settings(live.glove);
    NamedScene scene = open_live_scene(settings);
    place_wrist(live, scenes::load_scene(scene.name, load_mesh_apart), glove_with);
    if (!settings.headless) glove_with.retry_ns = std::numeric_limits<std::int64_t>::max();
    auto source = std::make_unique<GloveSource>(std::move(glove_with));
    GloveSource& glove = *source;

    SessionOptions options;
    options.method = settings.method;
    options.race = settings.race;
    options.placement.emplace();
    options.placement->note = "the wrist stands where it was put";
    options.filter = settings.filter;
    options.prediction = settings.prediction;
    std::unique_ptr<FaultWatch> watch;
    auto hands = with_faults(std::move(source), settings, watch);
    Session session(std::move(scene.scene), std::move(hands), options, now_ns);
    session.faults = std::move(watch);
    OutputOptions outputs;
    outputs.side = live.glove.settings.side;
    const bool drives_glove =
        settings.haptics_port.empty() &&
        std::find(settings.haptics.begin(), settings.haptics.end(), "opengloves") != settings.haptics.end();
    if (drives_glove) {
        glove.open();
        outputs.connection = glove.writing_fd();
        if (outputs.connection < 0)
            throw std::runtime_error(live.glove.settings.device + ": nothing can be sent there, so no forces can be");
    }
    equip(session, settings, scene.name, outputs);
    if (drives_glove) session.sinks.push_back(std::make_unique<ForceLink>(glove, live.try_force));
    if (live.guide) session.sinks.push_back(std::make_unique<Guide>());
    const std::unique_ptr<WindowView> view =
        settings.headless ? nullptr : std::make_unique<WindowView>(live.glove.settings.device, settings);
    if (!drives_glove) glove.open();
    const std::int64_t start_ns = now_ns();
    const int exit_code = run(session, view.get(), settings);
    print_summary(live, glove, session, 1e-9 * static_cast<double>(now_ns() - start_ns));
    if (!settings.screenshot.empty()) save_picture(session, settings, -1.0);
    const std::string device = live.glove.settings.device;
    if (!glove.has_packets())
        throw std::runtime_error(device + ": no packet could be read; is it an OpenGloves device, at this speed?");
    if (glove.unreadable() > glove.packets())
        throw std::runtime_error(device + ": " + std::to_string(glove.unreadable()) + " of " +
                                 std::to_string(glove.unreadable() + glove.packets()) +
                                 " packets could not be read; is it an OpenGloves device, at this speed?");
    return exit_code;
}

}  // namespace

std::function<int()> declare_live(CLI::App& app) {
    const auto live = std::make_shared<Live>();
    app.add_option("DEVICE", live->glove.settings.device,
                   "serial port, pseudo-terminal, pipe or file of an OpenGloves glove, or tcp:HOST:PORT")
        ->required();
    add_session_options(app, live->session);
    add_glove_options(app, live->glove, "--hand");
    app.add_option("--wrist", live->glove.wrist,
                   "device or pipe of a tracker: lines of time, position, quaternion w x y z");
    app.add_option("--place-as", live->place_as,
                   "a recording: the wrist, or the tracker's space, stands in the scene as it would there");
    app.add_option("--try-force", live->try_force, "0 to 1: send this force to every finger, as a test")
        ->check(number_from(0.0, 1.0));
    app.add_flag("--guide", live->guide, "ask for the poses of a calibration, one after the other")
        ->needs(app.get_option("--record"));
    app.footer(
        "Examples:\n"
        "  glovebox live /dev/ttyUSB0 --scene held-ball            arrow and page keys move the wrist\n"
        "  glovebox live /dev/ttyUSB0 --hand left --record take.glove --headless\n"
        "  glovebox live tcp:9000 --haptics opengloves --report session.json\n"
        "  glovebox live /dev/ttyUSB0 --guide --record poses.glove && glovebox calibrate poses.glove -o me.json");
    return [live, &app] { return run_live(app, *live); };
}

}  // namespace glovebox::vr
