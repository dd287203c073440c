#include "vr/session/session.h"

#include <algorithm>
#include <cstdio>
#include <utility>

#include "recordings/output.h"
#include "scenes/state_hash.h"
#include "tracking/quoted.h"
#include "vr/session/fault_watch.h"
#include "vr/session/hands_between_frames.h"
#include "vr/session/open_recording.h"

namespace glovebox::vr {
namespace {

constexpr std::size_t kMaxHistory = 4096, kMaxMessages = 64;
constexpr int kWarmUpFrames = 2000;  // about 20 s, after which pushed objects have come to rest
constexpr int kRaceEvery = 32;       // frames between two measurements of other methods, at most

PipelineSettings pipeline_settings(const tracking::SourceFacts& facts, const recordings::FileSource* file,
                                   const scenes::Scene& scene, const SessionOptions& options) {
    PipelineSettings settings;
    if (file != nullptr) {
        settings = replay_settings(file->recording, scene, options.placement);
    } else {
        settings.use_hand = facts.has;
        settings.profiles = facts.profiles;
        if (options.placement) settings.placement = *options.placement;
    }
    // A hand that was never there is not reported lost.
    for (std::size_t i = 0; i < settings.use_hand.size(); ++i)
        settings.use_hand[i] = options.use_hand[i] && settings.use_hand[i];
    settings.method = options.method;
    if (options.filter) settings.filter = *options.filter;
    return settings;
}

// Scores how well a frame shows touching: bones that touch count, above all on movable objects; bones that penetrate
// deeper than skin yields count less; the begin of a gesture counts more. Any touch, however deep, scores above none.
int clarity(const scenes::Scene& scene, const scenes::World& world, const scenes::StepReport& report) {
    constexpr float kDeep_m = 0.004F;
    constexpr int kNothingToSee = -100'000;
    constexpr int kTouches = 1'000;
    if (std::none_of(world.hands.begin(), world.hands.end(),
                     [](const scenes::HandState& hand) { return hand.present; }))
        return kNothingToSee;
    int clarity = 0;
    bool touches = false;
    for (const scenes::Event& event : report.events)
        if (scenes::is_begin(event.kind) && event.kind > scenes::EventKind::touch_end) clarity = 4;
    for (const scenes::HandState& hand : world.hands)
        for (const collision::Contact& contact : hand.contacts) {
            if (!hand.present || contact.distance_m > scene.thresholds.touch_enter_m) continue;
            touches = true;
            const scenes::SceneObject& object = scene.objects[static_cast<std::size_t>(contact.object)];
            const bool movable = object.motion != scenes::Motion::fixed;
            const int times_too_deep = static_cast<int>(contact.depth_m() / kDeep_m);
            clarity += times_too_deep == 0 ? (movable ? 3 : 1) : -std::min(times_too_deep, 4);
        }
    return clarity + (touches ? kTouches : 0);
}

}  // namespace

Session::Session(scenes::Scene the_scene, std::unique_ptr<tracking::HandSource> the_source,
                 const SessionOptions& options, Clock read_clock)
    : scene(std::move(the_scene)),
      source(std::move(the_source)),
      file(dynamic_cast<recordings::FileSource*>(source.get())),
      pipeline(scene, pipeline_settings(source->facts(), file, scene, options), read_clock),
      touches(scene),
      prediction(options.prediction),
      notes(source->facts().notes),
      clock_(read_clock) {
    totals.events.reserve(SessionTotals::kMaxEvents);
    history.reserve(kMaxHistory);
    messages.reserve(kMaxMessages);
    long_gap_s_ = facts().rate_hz > 0.0 ? 3.0 / facts().rate_hz : 1e9;
    if (options.race) race_every = kRaceEvery;
    for (tracking::HandMotion& motion : motions) motion.settings = prediction;
    if (file == nullptr) return;
    notes.insert(notes.end(), recording().notes.begin(), recording().notes.end());
    if (std::string note = scene_difference(recording(), scene); !note.empty()) notes.push_back(std::move(note));
    // Short recordings measure the other methods more often, so that there is a result at the end.
    const auto needed = collision::refit_methods().size() * (MethodRace::kMinFrames + 2);
    const auto every = static_cast<int>(std::clamp<std::size_t>(recording().samples.size() / needed, 1, 1000));
    race_every = std::min(race_every, every);
}

Session::Session(scenes::Scene the_scene, recordings::Recording the_recording, const SessionOptions& options,
                 Clock read_clock)
    : Session(std::move(the_scene), std::make_unique<recordings::FileSource>(std::move(the_recording)), options,
              read_clock) {}

Session::~Session() = default;

bool Session::next() {
    const bool was_between = between && between->pause();
    if (!source->next(clock_(), source_frame_)) {
        if (was_between && !paused_) between->resume(false);
        return false;
    }
    if (source_frame_.starts_over) {
        pipeline.restart();
        touches.restart();
        history.clear();
        in_trouble_ = {};
    }
    process(source_frame_, true);
    if (between) between->resume();
    return true;
}

void Session::process(const tracking::SourceFrame& given, bool counts) {
    // Waiting for the disk is not part of a frame's time.
    if (log && facts().can_wait) log->wait_for_room();
    in_order_ = given.number == 0 || (in_order_ && given.number == frame_ + 1);
    frame_ = static_cast<int>(given.number);
    time_s_ = file != nullptr ? file->time_of(frame_) : 1e-9 * static_cast<double>(given.raw.time_ns);
    const bool is_logged = log && in_order_ && log->frames() == frame_;
    if (haptics) {
        const bool simulated = haptics->mode() == HapticMode::simulated;  // runs in the time of the samples
        const std::int64_t start_ns = simulated         ? 0
                                      : facts().is_live ? source->start_ns()
                                                        : clock_() - given.raw.time_ns;
        sample_clock.start_ns = start_ns;
        if (log) log->set_command_clock(is_logged ? start_ns : SampleClock::kNotBegun);
    }
    const bool race_now = counts && race_every > 0 && totals.frames % static_cast<unsigned>(race_every) == 0;
    const bool keep = pipeline.settings.keep_colliders;
    pipeline.settings.keep_colliders = keep || race_now;
    const std::uint64_t suppressed_before = pipeline.world.suppressed_events;
    pipeline.frame(given.raw, given.dt_s);
    pipeline.settings.keep_colliders = keep;
    if (prediction.horizon_s > 0.0)
        for (const tracking::Side side : tracking::kSides) motions[side].take(pipeline.hands[side]);
    if (haptics) haptics->frame(scene, pipeline.world, pipeline.hands, pipeline.stamps, given.dt_s);
    if (file != nullptr && in_order_) recorded.compare(frame_, pipeline.report.state_hash, recording().state_hashes);
    if (is_logged) {
        log->frame(given.raw, pipeline, source->sensors());
        if (const std::string trouble = log->trouble(); !trouble.empty()) {
            std::fprintf(stderr, "glovebox: %s\n", tracking::printable(trouble).c_str());
            add_message("recording", "stopped");
        }
    }
    remember(given.dt_s);
    // Also while seeking, so that a touch begins at its true time.
    touches.add(pipeline.world, pipeline.report);
    if (!counts) return;

    if (const int now = clarity(scene, pipeline.world, pipeline.report); now > totals.clearest) {
        totals.clearest = now;
        totals.clearest_frame = frame_;
    }
    account(pipeline.report, frame_, totals);
    totals.suppressed_events += pipeline.world.suppressed_events - suppressed_before;
    totals.duration_s += given.dt_s;
    totals.longest_gap_s = std::max(totals.longest_gap_s, given.dt_s);
    run_sinks(false);
    pipeline.close_frame();
    // The frame's time has been taken and its outputs have run; now run the sinks that only measure.
    run_sinks(true);
    if (race_now)
        race.measure(scene, pipeline.world, pipeline.colliders,
                     pipeline.last_ns[static_cast<std::size_t>(scenes::Stage::total)], clock_);
}

void Session::run_sinks(bool measuring) {
    for (auto& sink : sinks) {
        if (!sink || sink->measures() != measuring) continue;
        try {
            sink->frame(*this);
        } catch (const recordings::ExportError& error) {
            std::fprintf(stderr, "glovebox: %s\n", tracking::printable(error.what()).c_str());
            sinks_whole_ = false;
            sink.reset();
        }
    }
}

bool Session::finish(nlohmann::ordered_json& report) {
    for (auto& sink : sinks) {
        if (!sink) continue;
        try {
            sink->finish(*this, report);
        } catch (const recordings::ExportError& error) {
            std::fprintf(stderr, "glovebox: %s\n", tracking::printable(error.what()).c_str());
            sinks_whole_ = false;
            sink.reset();
        }
    }
    return sinks_whole_;
}

void Session::restart() {
    pipeline.restart();
    touches.restart();
    history.clear();
    in_trouble_ = {};
    frame_ = -1;
    if (file != nullptr) file->go_to(0);
}

void Session::seek(int frame) {
    if (file == nullptr) return;
    frame = std::clamp(frame, 0, frame_count() - 1);
    if (frame == frame_) return;
    if (frame < frame_ || frame > frame_ + kWarmUpFrames) {
        restart();
        file->go_to(std::max(0, frame - kWarmUpFrames + 1));
    }
    const auto quarantined = std::array{pipeline.guards[0].counts, pipeline.guards[1].counts};
    recordings::Transport transport = std::exchange(file->transport, {});
    while (frame_ < frame && source->next(0, source_frame_)) process(source_frame_, false);
    transport.position_s = time_s_;
    file->transport = transport;
    for (std::size_t i = 0; i < quarantined.size(); ++i) pipeline.guards[i].counts = quarantined[i];
}

void Session::keep_box_tests(bool keep) {
    const bool kept = std::exchange(pipeline.settings.keep_box_tests, keep);
    if (!keep || kept || !paused_ || file == nullptr || frame_ < 0) return;
    const int frame = frame_;
    restart();
    seek(frame);
}

void Session::set_paused(bool paused) {
    paused_ = paused;
    source->set_paused(paused);
    if (haptics) haptics->set_paused(paused && facts().is_live);
}

void Session::add_message(const std::string& who, const std::string& what, bool is_trouble) {
    if (messages.size() == kMaxMessages) messages.erase(messages.begin());
    messages.push_back({time_s_, is_trouble ? EventLine::Mark::trouble : EventLine::Mark::off, who, what});
}

void Session::print_notices() {
    for (const tracking::SourceNotice& notice : source->take_notices()) {
        add_message(facts().kind, notice.what, notice.is_trouble);
        if (!notice.line.empty()) std::fprintf(stderr, "glovebox: %s\n", tracking::printable(notice.line).c_str());
    }
}

void Session::remember(double dt_s) {
    if (history.size() + 256 > kMaxHistory) history.erase(history.begin(), history.begin() + kMaxHistory / 2);
    LoggedEvent entry;
    entry.event.point_m = entry.event.normal = entry.event.relative_velocity_m_s = Eigen::Vector3f::Zero();
    entry.frame = frame_;
    entry.event.time_ns = pipeline.world.time_ns;
    if (dt_s > long_gap_s_) {
        entry.trouble = Trouble::gap;
        entry.trouble_s = dt_s;
        history.push_back(entry);
    }
    for (std::size_t i = 0; i < pipeline.guard_reports.size(); ++i) {
        if (!pipeline.settings.use_hand[i]) continue;
        const auto raised = [&](tracking::Quarantine cause) {
            return pipeline.guard_reports[i].raised[static_cast<std::size_t>(cause)];
        };
        entry.event.side = static_cast<tracking::Side>(i);
        const bool jumps = raised(tracking::Quarantine::teleport), loses = raised(tracking::Quarantine::lost);
        entry.trouble = jumps ? Trouble::jump : Trouble::lost;
        // Log once per episode.
        if ((jumps || loses) && !in_trouble_[i]) history.push_back(entry);
        in_trouble_[i] = jumps || loses;
    }
    for (const scenes::Event& event : pipeline.report.events) {
        const bool hovers = event.kind == scenes::EventKind::hover_begin || event.kind == scenes::EventKind::hover_end;
        if (!hovers) history.push_back({event, frame_, Trouble::none, 0.0});
    }
}

void account(const scenes::StepReport& report, int frame, SessionTotals& totals) {
    totals.counts.n_u += report.counts.n_u;
    totals.counts.n_v += report.counts.n_v;
    totals.counts.n_v_object += report.counts.n_v_object;
    totals.counts.n_v_tree += report.counts.n_v_tree;
    totals.counts.n_v_exact += report.counts.n_v_exact;
    totals.counts.n_p += report.counts.n_p;
    totals.counts.candidates += report.counts.candidates;
    totals.counts.touching += report.counts.touching;
    for (const scenes::Event& event : report.events) {
        ++totals.event_counts[static_cast<std::size_t>(event.kind)];
        if (totals.events.size() >= SessionTotals::kMaxEvents)
            totals.events.erase(totals.events.begin(), totals.events.begin() + SessionTotals::kMaxEvents / 2);
        totals.events.push_back({event, frame});
    }
    for (const scenes::Event& stay : report.stays) ++totals.event_counts[static_cast<std::size_t>(stay.kind)];
    scenes::StateHash hash;
    hash.add(totals.state_hash);
    hash.add(report.state_hash);
    totals.state_hash = hash.value();
    ++totals.frames;
}

std::string bone_text(std::int32_t bone) {
    return scenes::hand_body().bone_names[static_cast<std::size_t>(bone)];
}

std::string object_text(const scenes::Scene& scene, std::int32_t object) {
    return object < 0 ? "thumb" : scene.objects[static_cast<std::size_t>(object)].name;
}

std::string pair_text(const scenes::Scene& scene, std::int32_t bone, std::int32_t object) {
    return bone_text(bone) + " on " + object_text(scene, object);
}

namespace {

// Returns "on" or "off" for touches, and the event's own verb for other kinds.
std::string verb_of(scenes::EventKind kind) {
    const std::string name(scenes::name_of(kind));
    const std::string verb = name.substr(0, name.find('_'));
    if (kind == scenes::EventKind::touch_begin) return "on";
    if (kind == scenes::EventKind::touch_end) return "off";
    return scenes::is_begin(kind) ? verb : verb + " ends,";
}

}  // namespace

EventLine event_line(const scenes::Scene& scene, const LoggedEvent& logged) {
    const scenes::Event& event = logged.event;
    EventLine line;
    line.time_s = 1e-9 * static_cast<double>(event.time_ns);
    if (logged.trouble != Trouble::none) {
        line.mark = EventLine::Mark::trouble;
        line.who = logged.trouble == Trouble::gap ? "recording" : std::string(tracking::name_of(event.side)) + " hand";
        line.what = logged.trouble == Trouble::gap
                        ? "gap of " + std::to_string(static_cast<int>(1e3 * logged.trouble_s)) + " ms"
                    : logged.trouble == Trouble::jump ? "jump, kept out"
                                                      : "lost";
        return line;
    }
    line.mark = scenes::is_begin(event.kind) ? EventLine::Mark::on : EventLine::Mark::off;
    line.who = bone_text(event.bone);
    line.side = event.side;
    line.what = (event.lost ? "lost on" : verb_of(event.kind)) + " " + object_text(scene, event.object);
    return line;
}

std::vector<collision::Candidate> touching_pairs(const collision::RefitMethod& method, const Session& session,
                                                 tracking::Side side) {
    const scenes::World& world = session.pipeline.world;
    const scenes::HandState& hand = world.hands[side];
    std::vector<collision::Candidate> pairs;
    if (!hand.present) return pairs;

    const float touch_m = session.scene.thresholds.touch_enter_m;
    collision::BodyBoxes boxes;
    collision::CollideCounts counts;
    std::vector<collision::Candidate> candidates;
    std::vector<collision::Contact> contacts;
    method.refit(scenes::hand_body(), hand.pose, boxes);
    collision::find_candidates(method, scenes::hand_body(), hand.pose, boxes, session.pipeline.colliders,
                               std::max(0.0F, touch_m), candidates, counts);
    collision::find_contacts(hand.pose, session.pipeline.colliders, candidates, std::max(0.0F, touch_m), touch_m,
                             contacts, counts);
    for (const collision::Contact& contact : contacts)
        if (contact.distance_m <= touch_m) pairs.push_back({contact.bone, contact.object});
    std::sort(pairs.begin(), pairs.end(),
              [](const auto& a, const auto& b) { return std::pair(a.object, a.bone) < std::pair(b.object, b.bone); });
    return pairs;
}

}  // namespace glovebox::vr
