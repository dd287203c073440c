#include "vr/replay.h"

#include <algorithm>

#include "scenes/state_hash.h"

namespace glovebox::vr {
namespace {

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
    settings.race_every = options.race_every;
    settings.placement = scenes::find_placement(scene, recording.samples);
    return settings;
}

}  // namespace

Replay::Replay(scenes::Scene the_scene, recordings::Recording the_recording, const ReplayOptions& options, Clock clock)
    : scene(std::move(the_scene)),
      recording(std::move(the_recording)),
      pipeline(scene, pipeline_settings(scene, recording, options), clock) {
    totals.events.reserve(4096);
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
    frame_ = frame;
}

void Replay::account(int frame) {
    const scenes::StepReport& report = pipeline.report;
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
    if (report.counts.touching > totals.busiest_touching) {
        totals.busiest_touching = report.counts.touching;
        totals.busiest_frame = frame;
    }
    scenes::StateHash hash;
    hash.add(totals.state_hash);
    hash.add(report.state_hash);
    totals.state_hash = hash.value();
    ++totals.frames;
}

bool Replay::next() {
    if (frame_ + 1 >= frame_count()) return false;
    process(frame_ + 1);
    account(frame_);
    return true;
}

void Replay::restart() {
    pipeline.restart();
    frame_ = -1;
}

void Replay::seek(int frame) {
    frame = std::clamp(frame, 0, frame_count() - 1);
    if (frame == frame_) return;
    const StageStats stats = pipeline.stats;
    const auto quarantined = std::array{pipeline.guards[0].counts, pipeline.guards[1].counts};
    if (frame < frame_ || frame > frame_ + kWarmUpFrames) {
        restart();
        frame_ = std::max(-1, frame - kWarmUpFrames);
    }
    while (frame_ < frame) process(frame_ + 1);
    pipeline.stats = stats;
    for (std::size_t i = 0; i < quarantined.size(); ++i) pipeline.guards[i].counts = quarantined[i];
}

std::string bone_text(const scenes::Event& event) {
    return scenes::hand_body().bone_names[static_cast<std::size_t>(event.bone)];
}

std::string object_text(const scenes::Scene& scene, const scenes::Event& event) {
    return scene.objects[static_cast<std::size_t>(event.object)].name;
}

EventLine event_line(const scenes::Scene& scene, const LoggedEvent& logged) {
    const scenes::Event& event = logged.event;
    const bool begins = event.kind == scenes::EventKind::touch_begin;
    EventLine line;
    line.time_s = 1e-9 * static_cast<double>(event.time_ns);
    line.mark = event.lost ? EventLine::Mark::trouble : begins ? EventLine::Mark::on : EventLine::Mark::off;
    line.who = bone_text(event);
    line.what = (event.lost ? "lost, was on " : begins ? "on " : "off ") + object_text(scene, event);
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
    collision::find_candidates(method, scenes::hand_body(), hand.pose, boxes, world.colliders, std::max(0.0F, touch_m),
                               candidates, counts);
    collision::find_contacts(hand.pose, world.colliders, candidates, std::max(0.0F, touch_m), touch_m, contacts,
                             counts);
    for (const collision::Contact& contact : contacts)
        if (contact.distance_m <= touch_m) pairs.push_back({contact.bone, contact.object});
    std::sort(pairs.begin(), pairs.end(),
              [](const auto& a, const auto& b) { return std::pair(a.object, a.bone) < std::pair(b.object, b.bone); });
    return pairs;
}

}  // namespace glovebox::vr
