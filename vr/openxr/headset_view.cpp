#include "vr/openxr/headset_view.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "recordings/parse.h"
#include "tracking/formatted.h"
#include "tracking/forward_kinematics.h"
#include "tracking/openxr/hand_joints.h"
#include "vr/openxr/scene_place.h"
#include "vr/render/hand_mesh.h"
#include "vr/session/report.h"

namespace glovebox::vr {
namespace {

using nlohmann::ordered_json;
using openxr::Phase;

constexpr std::int64_t kPatience_ns = 500'000'000;  // maximum wait for the runtime to end the session

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

}  // namespace

HeadsetView::HeadsetView(HeadsetSource& source, LiveEyes* eyes, const SessionSettings& settings,
                         const Eigen::Isometry3f& scene_from_seat)
    : source_(source),
      eyes_(eyes),
      headless_(eyes == nullptr),
      own_meshes_(!settings.hand_mesh.empty()),
      scene_from_seat_(scene_from_seat) {
    if (headless_) stats_.realtime = wake_before_others();
    stats_.awake = awake_.emplace().in_force();
}

void HeadsetView::offer(std::vector<std::string> scenes, std::size_t now) {
    scenes_ = std::move(scenes);
    scene_ = now;
}

ViewModel& HeadsetView::model_of(Session& session) {
    if (!view_) view_.emplace(session);
    if (std::exchange(frames_costed_, session.totals.frames) != session.totals.frames) view_->note_cost(session);
    session.pipeline.stats[scenes::Stage::haptics] =
        session.haptics ? session.haptics->ledger().tick : DurationHistogram{};
    ViewModel& model = view_->model(session);
    model.link = link_text(source_.headset.status(), session.paused());
    model.ages = ages_;
    choices_.placing = placer_.active();
    choices_.can_see_through = source_.headset.status().can_see_through;
    choices_.sees_through = source_.headset.status().sees_through;
    if (scenes_.size() > 1) choices_.next_scene = scenes_[(scene_ + 1) % scenes_.size()];
    model.headset = &choices_;
    return model;
}

std::span<const XrCompositionLayerBaseHeader* const> HeadsetView::draw(Session& session) {
    if (!source_.timing()->should_render) {
        eyes_->draw_panel_only(model_of(session));
        return {};
    }
    use_runtime_meshes(session);
    ViewModel& model = model_of(session);
    source_.predict(predicted_);
    if (placer_.active()) {
        // The session is paused, and the scene follows the hand.
        const Eigen::Isometry3f scene_from_seat = placer_.seat_from_scene().inverse();
        for (std::size_t i = 0; i < predicted_.hands.size(); ++i) {
            tracking::move_rigidly(scene_from_seat, predicted_.hands[i]);
            tracking::fill_radii(session.pipeline.settings.profiles[i], predicted_.hands[i]);
        }
        model.hands = &predicted_;
        model.proxy = nullptr;
        ++stats_.rendered;
        return eyes_->draw(source_.headset, *source_.timing(), model, scene_from_seat);
    }
    for (std::size_t i = 0; i < predicted_.hands.size(); ++i) {
        tracking::HandFrame& hand = predicted_.hands[i];
        // A hand that the guard holds or rejects is not drawn from the raw stream either, nor is a hand from another
        // source than the headset.
        const tracking::HandFrame& guarded = session.pipeline.hands.hands[i];
        if (!guarded.active || guarded.source == tracking::Source::held || !hand.active ||
            guarded.source == tracking::Source::glove) {
            hand = guarded;
            continue;
        }
        tracking::move_rigidly(scene_from_seat_, hand);
        tracking::fill_radii(session.pipeline.settings.profiles[i], hand);
    }
    // Predict the solid hand, too: kept outside of the objects that the step found it in.
    if (session.frame() >= 0) scenes::follow(session.pipeline.world, predicted_, proxies_);
    model.hands = &predicted_;
    model.proxy = &proxies_;
    ++stats_.rendered;
    return eyes_->draw(source_.headset, *source_.timing(), model, scene_from_seat_);
}

ViewCommands HeadsetView::show(Session& session) {
    const bool framed = source_.timing().has_value();
    std::int64_t cpu_ns = thread_cpu_ns() - source_.frame_cpu_start_ns;
    ViewCommands commands;
    if (eyes_ != nullptr) {
        if (framed) {
            follow_placing(session);
            const auto layers = draw(session);
            source_.end_frame(layers);
        } else {
            eyes_->draw_panel_only(model_of(session));
        }
        commands = eyes_->take_commands();
        obey(session, commands);
        open_ = eyes_->mirror();
    } else if (framed) {
        const std::int64_t end_start_ns = thread_cpu_ns();
        source_.end_frame({});
        cpu_ns += thread_cpu_ns() - end_start_ns;
    }
    if (framed)
        account(session, cpu_ns);
    else
        stats_.last_display_ns = 0;
    return commands;
}

bool HeadsetView::locate_head(Eigen::Isometry3f& seat_from_head) {
    std::array<XrView, 2> eyes;
    if (!source_.headset.locate_eyes(*source_.timing(), eyes)) return false;
    const Eigen::Isometry3f left = tracking::isometry_from_openxr(eyes[0].pose);
    seat_from_head = left;
    seat_from_head.translation() =
        0.5F * (left.translation() + tracking::isometry_from_openxr(eyes[1].pose).translation());
    return true;
}

void HeadsetView::follow_placing(const Session& session) {
    if (!placer_.active()) return;
    if (!session.paused()) return placer_.end();  // the user has resumed instead
    Eigen::Isometry3f seat_from_head;
    if (!locate_head(seat_from_head)) return;
    source_.predict(in_seat_);
    placed_ = placer_.update(in_seat_, seat_from_head, now_ns());
}

// Runs after the frame has ended, because its layers are in the space of the old seat.
void HeadsetView::obey(Session& session, ViewCommands& commands) {
    if (const auto press = eyes_->take_press()) {
        ++presses_[static_cast<std::size_t>(*press)];
        session.add_message("panel", std::string(name_of(*press)), false);
    }
    if (std::exchange(placed_, false) && source_.timing()) {
        placer_.end();
        if (const auto place =
                source_.headset.move_seat(*source_.timing(), placer_.seat_from_scene() * scene_from_seat_)) {
            remember_place(*place, headset_settings_file());
            session.add_message("scene", "placed", false);
        }
        commands.toggle_play = true;
        return;
    }
    if (commands.place_scene && placer_.active()) {
        placer_.end();
        commands.toggle_play = true;
    } else if (commands.place_scene) {
        placer_.begin(scene_from_seat_.inverse());
        if (!session.paused()) commands.toggle_play = true;
    }
    if (commands.toggle_see_through) source_.headset.see_through(!source_.headset.status().sees_through);
    if (!commands.open_scene.empty()) {
        next_scene_ = commands.open_scene;
        commands.quit = true;
    }
}

// Uses the runtime's meshes of the user's hands, if it has them and no others were given. Once per session.
void HeadsetView::use_runtime_meshes(Session& session) {
    if (own_meshes_ || meshes_of_ == source_.headset.session_number()) return;
    meshes_of_ = source_.headset.session_number();
    session.hand_meshes.reset();
    auto meshes = std::make_shared<HandMeshes>();
    try {
        for (const tracking::Side side : {tracking::Side::left, tracking::Side::right}) {
            RiggedHand rig;
            if (!source_.headset.read_hand_mesh(side, rig)) return;
            meshes->skins[side] = skin_of_rig(rig);
        }
    } catch (const std::runtime_error& error) {
        std::fprintf(stderr, "glovebox: the runtime's hand mesh is not used: %s\n", error.what());
        return;
    }
    session.hand_meshes = std::move(meshes);
}

void HeadsetView::account(const Session& session, std::int64_t cpu_ns) {
    const openxr::FrameTiming& timing = *source_.timing();
    ++stats_.frames;
    stats_.cpu.add(cpu_ns);
    for (const tracking::HandFrame& hand : session.pipeline.hands.hands)
        if (hand.active) ++stats_.sources[static_cast<std::size_t>(hand.source)];
    if (timing.display_common_ns <= 0) return;
    const std::int64_t sample_ns = source_.start_ns() + session.raw().time_ns;
    stats_.sample_to_photon.add(std::max<std::int64_t>(0, timing.display_common_ns - sample_ns));
    // With graphics, the runtime's display times are the grid: a step of two periods is a missed frame.
    if (!headless_ && stats_.last_display_ns > 0 && timing.period > 0) {
        const double steps = std::round(static_cast<double>(timing.display_common_ns - stats_.last_display_ns) /
                                        static_cast<double>(timing.period));
        if (steps > 1.0 && steps < 1e6) stats_.frames_late += static_cast<std::uint64_t>(steps) - 1;
    }
    stats_.last_display_ns = timing.display_common_ns;
}

ordered_json HeadsetView::json() const {
    const openxr::Status& status = status_;
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
                         {"sees_through", status.sees_through},
                         {"messages", status.messages},
                         {"notes", status.notes},
                         {"frames", stats_.frames},
                         {"frames_rendered", stats_.rendered},
                         {"realtime", stats_.realtime},
                         {"kept_awake", stats_.awake},
                         {"frames_missed", source_.pacer.missed + stats_.frames_late}};
    for (std::size_t i = 0; i < stats_.sources.size(); ++i)
        json["hands"][std::string(tracking::name_of(static_cast<tracking::Source>(i)))] = stats_.sources[i];
    for (std::size_t i = 0; i < presses_.size(); ++i)
        if (presses_[i] > 0) json["panel_presses"][std::string(name_of(static_cast<HeadsetButton>(i)))] = presses_[i];
    json["frame_cpu_us"] = histogram_json(stats_.cpu);
    json["lateness_us"] = histogram_json(source_.pacer.lateness);
    json["tick_to_command_us"] = histogram_json(stats_.commands.from_tick);
    json["pose_age_us"] = {{"sample_to_command", histogram_json(stats_.commands.from_sample)},
                           {"sample_to_photon", histogram_json(stats_.sample_to_photon)}};
    return json;
}

void HeadsetView::finish(const Session& session, ordered_json& report) {
    status_ = source_.headset.status();
    if (next_scene_.empty()) source_.headset.close(kPatience_ns, now_ns);
    const char* skin = own_meshes_ ? "file" : session.hand_meshes ? "runtime" : "own";
    for (const std::string& note : status_.notes) report["recording"]["notes"].push_back(note);
    report["headset"] = json();
    if (!headless_) report["headset"]["hand_skin"] = skin;
}

std::string HeadsetView::text() const {
    std::string text = "headset " + status_.runtime + ", " + status_.headset + ": " +
                       recordings::counted(stats_.frames, "frame") + ", " +
                       std::to_string(source_.pacer.missed + stats_.frames_late) + " missed";
    if (stats_.cpu.count() > 0) text += tracking::formatted(", cpu p99.9 %.1f us", stats_.cpu.percentile_us(0.999));
    if (stats_.commands.from_sample.count() > 0)
        text += tracking::formatted(", sample to command p99 %.1f us", stats_.commands.from_sample.percentile_us(0.99));
    return text + "\n";
}

}  // namespace glovebox::vr
