#include "vr/session/live_session.h"
#include "tracking/quoted.h"

#include <algorithm>
#include <cstdio>

namespace glovebox::vr {
namespace {

constexpr std::size_t kMostLines = 64, kStripFrames = 900;

PipelineSettings settings_with(const collision::RefitMethod* method, const Eigen::Isometry3f& scene_from_seat) {
    PipelineSettings settings;
    settings.method = method;
    settings.profiles.fill(tracking::default_profile());
    settings.placement.kind = scenes::Placement::fingertips;
    settings.placement.scene_from_recording = scene_from_seat;
    settings.placement.note = "as tracked, seen from the seat";
    return settings;
}

}  // namespace

LiveSession::LiveSession(scenes::Scene the_scene, const collision::RefitMethod* method,
                         const Eigen::Isometry3f& scene_from_seat, Clock clock)
    : scene(std::move(the_scene)), pipeline(scene, settings_with(method, scene_from_seat), clock) {
    totals.events.reserve(ReplayTotals::kMostEvents);
    lines_.reserve(kMostLines + 1);
    recent_us_.reserve(2 * kStripFrames);
}

void LiveSession::frame(tracking::HandPair raw) {
    // The same arithmetic as a replay's, so that the same samples give the same bits.
    if (pipeline.frames == 0) {
        start_ns_ = raw.time_ns;
        if (log) log->set_command_clock(start_ns_);
    }
    raw.time_ns -= start_ns_;
    for (tracking::HandFrame& hand : raw.hands) {
        hand.times.arrival_ns -= start_ns_;
        hand.times.common_ns -= start_ns_;
    }
    const double now_s = 1e-9 * static_cast<double>(raw.time_ns);
    const double dt_s = pipeline.frames == 0 ? 0.0 : now_s - time_s_;
    time_s_ = now_s;
    longest_gap_s_ = std::max(longest_gap_s_, dt_s);
    const int number = static_cast<int>(pipeline.frames);
    pipeline.frame(raw, dt_s);
    account(pipeline.report, number, totals);
    if (haptics) haptics->frame(scene, pipeline.world, pipeline.stamps, dt_s);
    if (log) {
        log->frame(raw, pipeline);
        if (const std::string trouble = log->trouble(); !trouble.empty()) {
            std::fprintf(stderr, "glovebox: %s\n", tracking::printable(trouble).c_str());
            say("recording", "stopped");
        }
    }
    for (const scenes::Event& event : pipeline.report.events) {
        if (event.kind != scenes::EventKind::touch_begin && event.kind != scenes::EventKind::touch_end) continue;
        if (lines_.size() == kMostLines) lines_.erase(lines_.begin());
        lines_.push_back(event_line(scene, {event, number}));
    }
    if (recent_us_.size() == 2 * kStripFrames) recent_us_.erase(recent_us_.begin(), recent_us_.begin() + kStripFrames);
    recent_us_.push_back(1e-3F * static_cast<float>(pipeline.last_ns[static_cast<std::size_t>(scenes::Stage::total)]));
}

void LiveSession::say(const std::string& who, const std::string& what, bool is_trouble) {
    if (lines_.size() == kMostLines) lines_.erase(lines_.begin());
    lines_.push_back({time_s_, is_trouble ? EventLine::Mark::trouble : EventLine::Mark::off, who, what});
}

const ViewModel& LiveSession::view(const std::string& title, const std::string& subtitle) {
    methods_.clear();
    for (const MethodRace::Entry& entry : pipeline.race.entries)
        methods_.push_back({entry.method->name, pipeline.race.typical_us(entry)});
    model_.scene = &scene;
    model_.world = &pipeline.world;
    model_.report = &pipeline.report;
    model_.hands = &pipeline.hands;
    model_.hand_meshes = hand_meshes.get();
    model_.profiles = pipeline.settings.profiles;
    model_.stats = &pipeline.stats;
    model_.frame_ns = pipeline.last_ns;
    for (std::size_t i = 0; i < model_.quarantine.size(); ++i)
        model_.quarantine[i] = pipeline.guards[0].counts[i] + pipeline.guards[1].counts[i];
    model_.title = title;
    model_.subtitle = subtitle;
    model_.events = lines_;
    model_.methods = methods_;
    model_.method = pipeline.world.method->name;
    model_.advice = advice(pipeline.race, *pipeline.world.method);
    model_.recent_total_us = std::span(recent_us_).last(std::min(recent_us_.size(), kStripFrames));
    model_.playback = {};
    model_.playback.position_s = model_.playback.duration_s = time_s_;
    model_.playback.frame = static_cast<int>(pipeline.frames) - 1;
    model_.playback.frame_count = static_cast<int>(pipeline.frames);
    return model_;
}

}  // namespace glovebox::vr
