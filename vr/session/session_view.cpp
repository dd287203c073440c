#include "vr/session/session_view.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace glovebox::vr {
namespace {

constexpr double kStrip_s = 10.0;
constexpr std::size_t kMaxLines = 64;
constexpr int kMaxFollowed = 30;  // frames between two pictures; with more, the hand counts as having jumped

std::string subtitle_of(const Session& session) {
    const bool left = session.pipeline.settings.use_hand[tracking::Side::left],
               right = session.pipeline.settings.use_hand[tracking::Side::right];
    std::string text = left && right ? "both hands" : left ? "left hand" : "right hand";
    text += " \u2022 " + session.scene.name;
    if (session.pipeline.settings.placement.kind == scenes::Placement::wrist) text += " \u2022 wrist held still";
    if (session.file == nullptr) return text;
    if (session.frame_count() == 1) return text + " \u2022 one pose";
    return text + " \u2022 " + std::to_string(static_cast<int>(std::lround(session.facts().rate_hz))) + " Hz";
}

// Returns "left + right" for the two files of a pair (recordings/pair.h), too.
std::string title_of(const std::string& path) {
    constexpr std::string_view kAnd = " + ";
    const std::size_t second = path.find(kAnd);
    std::string title = std::filesystem::path(path.substr(0, second)).stem().string();
    if (second == std::string::npos) return title;
    return title.append(kAnd).append(std::filesystem::path(path.substr(second + kAnd.size())).stem().string());
}

// Formats "skipped_backlog" for people.
std::string words_of(std::string_view name) {
    std::string text(name);
    std::ranges::replace(text, '_', ' ');
    return text;
}

}  // namespace

std::string source_text(const Session& session) {
    if (!session.facts().is_live) return {};
    const tracking::SourceStatus& status = session.source->status();
    std::string text(session.paused() ? "paused" : tracking::name_of(status.state));
    for (const tracking::SourceCounter& counter : status.counters)
        if (counter.count > 0) text += " \u2022 " + std::to_string(counter.count) + " " + words_of(counter.name);
    return text;
}

SessionView::SessionView(const Session& session) {
    model_.title = session.file != nullptr ? title_of(session.facts().name) : session.facts().name;
    model_.subtitle = subtitle_of(session);
    const double rate_hz = session.facts().rate_hz > 0.0 ? session.facts().rate_hz : 90.0;
    if (session.file != nullptr)
        for (const auto& [from_s, to_s] : recordings::gaps(session.recording())) gaps_.push_back({from_s, to_s});
    if (session.file != nullptr && session.frame_count() > 1) watcher_.emplace(session);
    strip_frames_ = static_cast<std::size_t>(std::clamp(kStrip_s * rate_hz, 60.0, 20'000.0));
    recent_us_.reserve(2 * strip_frames_);
}

void SessionView::note_cost(const Session& session) {
    if (recent_us_.size() + 1 > 2 * strip_frames_)
        recent_us_.erase(recent_us_.begin(), recent_us_.end() - static_cast<std::ptrdiff_t>(strip_frames_));
    recent_us_.push_back(1e-3F *
                         static_cast<float>(session.pipeline.last_ns[static_cast<std::size_t>(scenes::Stage::total)]));
}

void SessionView::list_events(const Session& session) {
    const std::size_t first = session.history.size() > kMaxLines ? session.history.size() - kMaxLines : 0;
    const bool left = session.pipeline.settings.use_hand[tracking::Side::left],
               right = session.pipeline.settings.use_hand[tracking::Side::right];
    lines_.clear();
    for (std::size_t i = first; i < session.history.size(); ++i) {
        lines_.push_back(event_line(session.scene, session.history[i]));
        if (!left || !right) lines_.back().side.reset();
    }
    lines_.insert(lines_.end(), session.messages.begin(), session.messages.end());
    std::ranges::stable_sort(lines_, {}, &EventLine::time_s);
    history_shown_ = session.history.size();
    messages_shown_ = session.messages.size();
}

ViewModel& SessionView::model(const Session& session) {
    const Pipeline& pipeline = session.pipeline;
    const int frame = session.frame();
    if (frame < frame_shown_ || frame > frame_shown_ + kMaxFollowed) proxies_.follows = {};
    const bool moved = frame != frame_shown_ || session.totals.frames != frames_shown_;
    if (moved && frame >= 0) scenes::follow(pipeline.world, pipeline.hands, proxies_);
    if (moved || session.history.size() != history_shown_ || session.messages.size() != messages_shown_)
        list_events(session);
    frame_shown_ = frame;
    frames_shown_ = session.totals.frames;
    methods_.clear();
    for (const MethodRace::Entry& entry : session.race.entries)
        methods_.push_back({entry.method->name, session.race.typical_us(entry)});

    model_.scene = &session.scene;
    model_.world = &pipeline.world;
    model_.report = &pipeline.report;
    model_.hands = &pipeline.hands;
    if (session.prediction.horizon_s > 0.0) {
        predicted_.time_ns = pipeline.hands.time_ns;
        for (const tracking::Side side : tracking::kSides)
            predicted_[side] = tracking::predict(session.motions[side], session.prediction.horizon_s);
        model_.hands = &predicted_;
    }
    model_.proxy = &proxies_;
    model_.profiles = pipeline.settings.profiles;
    model_.hand_meshes = session.hand_meshes.get();
    model_.stats = &pipeline.stats;
    model_.frame_ns = pipeline.last_ns;
    // A live session can afford this only before its first picture.
    const bool may_measure = prices_.method == nullptr || !session.facts().is_live;
    if (prices_.method != pipeline.world.method && may_measure)
        prices_ = measure_prices(*pipeline.world.method, session.clock());
    model_.prices = prices_.method == pipeline.world.method ? &prices_ : nullptr;
    if (std::exchange(pairs_of_, pipeline.frames) != pipeline.frames)
        model_.box_pairs = box_pairs_.of(session.scene, pipeline.world, pipeline.box_tests, pipeline.colliders);
    model_.haptics = session.haptics ? &session.haptics->ledger() : nullptr;
    if (session.haptics && model_.haptics_note.empty()) model_.haptics_note = session.haptics->scheduling();
    for (std::size_t i = 0; i < model_.quarantine.size(); ++i)
        model_.quarantine[i] = pipeline.guards[0].counts[i] + pipeline.guards[1].counts[i];
    model_.events = lines_;
    model_.methods = methods_;
    model_.method = pipeline.world.method->name;
    if (session.race.time.count() != races_shown_) {
        races_shown_ = session.race.time.count();
        const collision::RefitMethod* advised = session.race.advised();
        model_.advice = session.race.advice();
        model_.advised_method = advised == nullptr ? std::string_view{} : advised->name;
    }
    model_.recent_total_us = std::span(recent_us_).last(std::min(recent_us_.size(), strip_frames_));
    model_.live = session.facts().is_live;
    model_.link_title = session.facts().kind;
    model_.link = source_text(session);
    model_.playback = {};
    model_.playback.position_s = std::max(0.0, session.time_s());
    model_.playback.duration_s = session.file != nullptr ? session.recording().duration_s() : session.time_s();
    model_.playback.frame = std::max(frame, 0);
    model_.playback.frame_count = session.frame_count();
    model_.playback.playing = !session.paused();
    if (session.file != nullptr) {
        const recordings::Transport& transport = session.file->transport;
        model_.playback.loop = transport.loop;
        model_.playback.speed = transport.speed > 0.0 ? transport.speed : 1.0;
        model_.playback.gaps = gaps_;
    }
    if (watcher_) {
        model_.take = watcher_->take();
        model_.take_progress = watcher_->progress();
        model_.has_lanes = pipeline.settings.use_hand;
    }
    return model_;
}

void SessionView::wait_for_take() {
    if (watcher_) watcher_->wait();
}

}  // namespace glovebox::vr
