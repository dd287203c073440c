#include "vr/session/replay.h"

#include <algorithm>
#include <cstdio>
#include <utility>

#include "scenes/state_hash.h"
#include "tracking/quoted.h"

namespace glovebox::vr {
namespace {

constexpr std::size_t kMostHistory = 4096;
constexpr int kWarmUpFrames = 2000;  // about 20 s: what was pushed before that has come to rest

PipelineSettings pipeline_settings(const scenes::Scene& scene, const recordings::Recording& recording,
                                   const ReplayOptions& options) {
    PipelineSettings settings;
    for (const tracking::Side side : {tracking::Side::left, tracking::Side::right}) {
        const auto i = static_cast<std::size_t>(side);
        settings.use_hand[i] = options.use_hand[i] && recording.has(side);  // a hand that never was is not lost
    }
    settings.profiles = recording.profiles;
    settings.method = options.method;
    // Short recordings measure the other rows more often, so that there is something to say about them at the end.
    const auto needed = collision::refit_methods().size() * (MethodRace::kEnoughFrames + 2);
    const auto every = static_cast<int>(std::clamp<std::size_t>(recording.samples.size() / needed, 1, 1000));
    settings.race_every = std::min(options.race_every, every);
    settings.placement = options.placement ? *options.placement : placement_of(recording, scene);
    return settings;
}

// What makes a frame worth looking at: bones that touch, above all something that can move, less those that have sunk
// in further than skin gives way; and that something more than a touch begins. However deep, a touch is more than none.
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

scenes::HandPlacement placement_of(const recordings::Recording& recording, const scenes::Scene& scene) {
    const auto recorded = recorded_placement(recording.meta, scene);
    return recorded ? *recorded : scenes::find_placement(scene, recording.samples);
}

Replay::Replay(scenes::Scene the_scene, recordings::Recording the_recording, const ReplayOptions& options, Clock clock)
    : scene(std::move(the_scene)),
      recording(std::move(the_recording)),
      pipeline(scene, pipeline_settings(scene, recording, options), clock) {
    totals.events.reserve(ReplayTotals::kMostEvents);
    history.reserve(kMostHistory);
    if (std::string note = scene_difference(recording, scene); !note.empty())
        recording.notes.push_back(std::move(note));
    long_gap_s_ = recording.rate_hz() > 0.0 ? 3.0 / recording.rate_hz() : 1e9;
}

double Replay::time_of(int frame) const {
    if (recording.samples.empty()) return 0.0;
    return 1e-9 * static_cast<double>(recording.samples[static_cast<std::size_t>(frame)].time_ns -
                                      recording.samples.front().time_ns);
}

void Replay::process(int frame) {
    const auto i = static_cast<std::size_t>(frame);
    const double dt_s = frame == 0 ? 0.0 : time_of(frame) - time_of(frame - 1);
    pipeline.frame(recording.samples[i], dt_s);
    if (haptics) haptics->frame(scene, pipeline.world, pipeline.stamps, dt_s);
    frame_ = frame;
    recorded.compare(frame, pipeline.report.state_hash, recording);
    if (log && log->frames() == frame) {
        log->wait_for_room();
        log->frame(recording.samples[i], pipeline);
        if (const std::string trouble = log->trouble(); !trouble.empty())
            std::fprintf(stderr, "glovebox: %s\n", tracking::printable(trouble).c_str());
    }
    remember(frame, dt_s);
}

void Replay::remember(int frame, double dt_s) {
    if (history.size() + 256 > kMostHistory) history.erase(history.begin(), history.begin() + kMostHistory / 2);
    LoggedEvent entry;
    entry.event.point_m = entry.event.normal = entry.event.relative_velocity_m_s = Eigen::Vector3f::Zero();
    entry.frame = frame;
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
        // Once per episode: while it lasts nothing new has happened.
        if ((jumps || loses) && !in_trouble_[i]) history.push_back(entry);
        in_trouble_[i] = jumps || loses;
    }
    for (const scenes::Event& event : pipeline.report.events) {
        const bool hovers = event.kind == scenes::EventKind::hover_begin || event.kind == scenes::EventKind::hover_end;
        if (!hovers) history.push_back({event, frame, Trouble::none, 0.0});
    }
}

void account(const scenes::StepReport& report, int frame, ReplayTotals& totals) {
    totals.counts.n_u += report.counts.n_u;
    totals.counts.n_v += report.counts.n_v;
    totals.counts.n_p += report.counts.n_p;
    totals.counts.candidates += report.counts.candidates;
    totals.counts.touching += report.counts.touching;
    for (const scenes::Event& event : report.events) {
        ++totals.event_counts[static_cast<std::size_t>(event.kind)];
        if (totals.events.size() >= ReplayTotals::kMostEvents)
            totals.events.erase(totals.events.begin(), totals.events.begin() + ReplayTotals::kMostEvents / 2);
        totals.events.push_back({event, frame});
    }
    for (const scenes::Event& stay : report.stays) ++totals.event_counts[static_cast<std::size_t>(stay.kind)];
    scenes::StateHash hash;
    hash.add(totals.state_hash);
    hash.add(report.state_hash);
    totals.state_hash = hash.value();
    ++totals.frames;
}

bool Replay::next() {
    if (frame_ + 1 >= frame_count()) return false;
    process(frame_ + 1);
    if (const int now = clarity(scene, pipeline.world, pipeline.report); now > totals.clearest) {
        totals.clearest = now;
        totals.clearest_frame = frame_;
    }
    account(pipeline.report, frame_, totals);
    return true;
}

void Replay::restart() {
    pipeline.restart();
    history.clear();
    in_trouble_ = {};
    frame_ = -1;
}

void Replay::seek(int frame) {
    frame = std::clamp(frame, 0, frame_count() - 1);
    if (frame == frame_) return;
    const StageStats stats = pipeline.stats;
    const auto quarantined = std::array{pipeline.guards[0].counts, pipeline.guards[1].counts};
    const int race_every = std::exchange(pipeline.settings.race_every, 0);
    if (frame < frame_ || frame > frame_ + kWarmUpFrames) {
        restart();
        frame_ = std::max(-1, frame - kWarmUpFrames);
    }
    while (frame_ < frame) process(frame_ + 1);
    pipeline.stats = stats;
    pipeline.settings.race_every = race_every;
    for (std::size_t i = 0; i < quarantined.size(); ++i) pipeline.guards[i].counts = quarantined[i];
}

std::string bone_text(const scenes::Event& event) {
    return scenes::hand_body().bone_names[static_cast<std::size_t>(event.bone)];
}

std::string object_text(const scenes::Scene& scene, const scenes::Event& event) {
    if (event.object < 0) return "thumb";
    return scene.objects[static_cast<std::size_t>(event.object)].name;
}

namespace {

// "on ball", "off ball"; the other kinds say their own verb.
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
    line.who = bone_text(event);
    line.side = event.side;
    line.what = (event.lost ? "lost on" : verb_of(event.kind)) + " " + object_text(scene, event);
    return line;
}

std::vector<collision::Candidate> touching_pairs(const collision::RefitMethod& method, const Replay& replay,
                                                 tracking::Side side) {
    const scenes::World& world = replay.pipeline.world;
    const scenes::HandState& hand = world.hands[static_cast<std::size_t>(side)];
    std::vector<collision::Candidate> pairs;
    if (!hand.present) return pairs;

    const float touch_m = replay.scene.thresholds.touch_enter_m;
    collision::BodyBoxes boxes;
    collision::CollideCounts counts;
    std::vector<collision::Candidate> candidates;
    std::vector<collision::Contact> contacts;
    method.refit(scenes::hand_body(), hand.pose, boxes);
    collision::find_candidates(method, scenes::hand_body(), hand.pose, boxes, replay.pipeline.colliders,
                               std::max(0.0F, touch_m), candidates, counts);
    collision::find_contacts(hand.pose, replay.pipeline.colliders, candidates, std::max(0.0F, touch_m), touch_m,
                             contacts, counts);
    for (const collision::Contact& contact : contacts)
        if (contact.distance_m <= touch_m) pairs.push_back({contact.bone, contact.object});
    std::sort(pairs.begin(), pairs.end(),
              [](const auto& a, const auto& b) { return std::pair(a.object, a.bone) < std::pair(b.object, b.bone); });
    return pairs;
}

}  // namespace glovebox::vr
