#include "vr/session/replay_view.h"

#include <algorithm>
#include <cmath>

namespace glovebox::vr {
namespace {

constexpr double kStrip_s = 10.0;
constexpr std::size_t kMostLines = 64;
constexpr int kMostFollowed = 30;  // frames between two pictures; further apart the hand has jumped

std::string subtitle_of(const Replay& replay) {
    const bool left = replay.recording.has(tracking::Side::left), right = replay.recording.has(tracking::Side::right);
    std::string text = left && right ? "both hands" : left ? "left hand" : "right hand";
    text += " \u2022 " + replay.scene.name;
    if (replay.pipeline.settings.placement.kind == scenes::Placement::wrist) text += " \u2022 wrist held still";
    if (replay.frame_count() == 1) return text + " \u2022 one pose";
    return text + " \u2022 " + std::to_string(static_cast<int>(std::lround(replay.recording.rate_hz()))) + " Hz";
}

}  // namespace

ReplayView::ReplayView(const Replay& replay) {
    model_.title = std::filesystem::path(replay.recording.path).stem().string();
    model_.subtitle = subtitle_of(replay);
    model_.profiles = replay.recording.profiles;
    model_.hand_meshes = replay.hand_meshes.get();
    const double median_s = replay.recording.rate_hz() > 0.0 ? 1.0 / replay.recording.rate_hz() : 0.0;
    for (int frame = 1; frame < replay.frame_count(); ++frame)
        if (replay.time_of(frame) - replay.time_of(frame - 1) > 3.0 * median_s && median_s > 0.0)
            gaps_.push_back({replay.time_of(frame - 1), replay.time_of(frame)});
    most_recent_ = static_cast<std::size_t>(std::clamp(kStrip_s * replay.recording.rate_hz(), 60.0, 20'000.0));
    recent_us_.reserve(2 * most_recent_);
}

void ReplayView::note_cost(const Replay& replay) {
    if (recent_us_.size() + 1 > 2 * most_recent_)
        recent_us_.erase(recent_us_.begin(), recent_us_.end() - static_cast<std::ptrdiff_t>(most_recent_));
    recent_us_.push_back(1e-3F *
                         static_cast<float>(replay.pipeline.last_ns[static_cast<std::size_t>(scenes::Stage::total)]));
}

const ViewModel& ReplayView::model(const Replay& replay, bool playing, bool loop, double speed) {
    const Pipeline& pipeline = replay.pipeline;
    if (replay.frame() < frame_shown_ || replay.frame() > frame_shown_ + kMostFollowed) proxies_.follows = {};
    if (replay.frame() != frame_shown_) scenes::follow(pipeline.world, pipeline.hands, proxies_);
    if (replay.history.size() != history_shown_ || replay.frame() != frame_shown_) {
        const std::size_t first = replay.history.size() > kMostLines ? replay.history.size() - kMostLines : 0;
        lines_.clear();
        const bool two = replay.recording.has(tracking::Side::left) && replay.recording.has(tracking::Side::right);
        for (std::size_t i = first; i < replay.history.size(); ++i) {
            lines_.push_back(event_line(replay.scene, replay.history[i]));
            if (!two) lines_.back().side.reset();
        }
        touch_times_s_.clear();
        for (const LoggedEvent& logged : replay.totals.events)
            if (logged.event.kind == scenes::EventKind::touch_begin)
                touch_times_s_.push_back(replay.time_of(logged.frame));
        history_shown_ = replay.history.size();
        frame_shown_ = replay.frame();
    }
    methods_.clear();
    for (const MethodRace::Entry& entry : pipeline.race.entries)
        methods_.push_back({entry.method->name, pipeline.race.typical_us(entry)});
    const std::size_t shown = std::min(recent_us_.size(), most_recent_);

    model_.scene = &replay.scene;
    model_.world = &pipeline.world;
    model_.report = &pipeline.report;
    model_.hands = &pipeline.hands;
    model_.proxy = &proxies_;
    model_.stats = &pipeline.stats;
    model_.frame_ns = pipeline.last_ns;
    model_.haptics = replay.haptics ? &replay.haptics->ledger() : nullptr;
    if (replay.haptics && model_.haptics_note.empty()) model_.haptics_note = replay.haptics->scheduling();
    for (std::size_t i = 0; i < model_.quarantine.size(); ++i)
        model_.quarantine[i] = pipeline.guards[0].counts[i] + pipeline.guards[1].counts[i];
    model_.events = lines_;
    model_.methods = methods_;
    model_.method = pipeline.world.method->name;
    model_.advice = advice(pipeline.race, *pipeline.world.method);
    model_.recent_total_us = std::span(recent_us_).last(shown);
    model_.playback = {replay.time_s(),
                       replay.recording.duration_s(),
                       std::max(replay.frame(), 0),
                       replay.frame_count(),
                       playing,
                       loop,
                       speed,
                       gaps_,
                       touch_times_s_};
    return model_;
}

}  // namespace glovebox::vr
