#include "vr/session/record.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <limits>
#include <thread>

#include "recordings/parse.h"
#include "recordings/writer.h"
#include "scenes/hand_body.h"
#include "tracking/quoted.h"
#include "vr/openxr/reported_hand.h"
#include "vr/platform/end_on_signal.h"
#include "vr/platform/version.h"
#include "vr/session/log_meta.h"

namespace glovebox::vr {
namespace {

using recordings::counted;

recordings::LogHeader header_of(const Pipeline& pipeline, const SessionFacts& facts) {
    recordings::LogHeader header;
    const auto& use = pipeline.settings.use_hand;
    header.profiles = pipeline.settings.profiles;
    header.calibration = facts.calibration;
    header.meta = {{"device", facts.device},
                   {"scene", facts.scene},
                   {"scene_hash", hash_text(pipeline.scene)},
                   {"method", std::string(pipeline.world.method->name)},
                   {"version", kVersion},
                   {"hands", use[0] && use[1] ? "both"
                             : use[0]         ? "left"
                                              : "right"},
                   {"placement.for_scene", facts.placed_for_scene ? "yes" : "no"}};
    // Names for the numbers of contacts and events (recordings/log/log_views.h).
    const std::vector<std::string>& bones = scenes::hand_body().bone_names;
    for (std::size_t i = 0; i < bones.size(); ++i) header.meta["bone." + std::to_string(i)] = bones[i];
    for (std::size_t i = 0; i < pipeline.scene.objects.size(); ++i)
        header.meta["object." + std::to_string(i)] = pipeline.scene.objects[i].name;
    header.meta.merge(meta_of(pipeline.settings.placement));
    if (pipeline.settings.filter.on) header.meta["filter"] = tracking::text_of(pipeline.settings.filter);
    return header;
}

recordings::EventRecord record_of(const scenes::Event& event) {
    recordings::EventRecord record;
    record.time_ns = event.time_ns;
    const std::string_view kind = scenes::name_of(event.kind);
    kind.copy(record.kind.data(), record.kind.size() - 1);
    record.side = event.side;
    record.finger = event.finger;
    record.object = event.object;
    return record;
}

// Returns the touch of an event, with the contact at the end of the frame. A fast bone may have no contact there any
// more, but a point that it passed; a lost hand, or one out of reach, has neither.
recordings::ContactRecord contact_of(const scenes::Event& event, std::int64_t sample, const scenes::World& world) {
    constexpr float kNone = std::numeric_limits<float>::quiet_NaN();
    recordings::ContactRecord record{sample, event.side, event.bone, event.object, kNone, event.point_m, event.normal};
    if (event.normal.isZero()) record.point_m = record.normal = Eigen::Vector3f::Constant(kNone);
    for (const collision::Contact& contact : world.hands[event.side].contacts) {
        if (contact.bone != event.bone || contact.object != event.object) continue;
        record.distance_m = contact.distance_m;
        record.point_m = contact.on_object_m;
        record.normal = contact.normal;
    }
    return record;
}

class RecordedOutput final : public HapticOutput {
  public:
    RecordedOutput(std::unique_ptr<HapticOutput> inner, SessionLog& log) : inner_(std::move(inner)), log_(log) {}
    void send(const HapticCommand& command) override {
        log_.command(command);
        inner_->send(command);
    }
    void service() override { inner_->service(); }
    void beat(std::int64_t now_ns) override { inner_->beat(now_ns); }
    bool ready(tracking::Side side) override { return inner_->ready(side); }
    void reconnect(int connection) override { inner_->reconnect(connection); }
    bool finish() override { return inner_->finish(); }

  private:
    std::unique_ptr<HapticOutput> inner_;
    SessionLog& log_;
};

}  // namespace

SessionLog::SessionLog(const std::filesystem::path& path, const Pipeline& pipeline, const SessionFacts& facts)
    : path_(path), log_(path, header_of(pipeline, facts)) {}

void SessionLog::frame(const tracking::HandPair& raw, const Pipeline& pipeline, std::span<const float> sensors) {
    tracking::HandPair kept = raw;
    for (std::size_t i = 0; i < kept.hands.size(); ++i)
        kept.hands[i].active = kept.hands[i].active && pipeline.settings.use_hand[i];
    const bool has_sample = log_.sample(kept);
    if (!sensors.empty()) {
        recordings::WordRecord words;
        words.time_ns = raw.time_ns;
        words.side = pipeline.settings.use_hand[0] ? tracking::Side::left : tracking::Side::right;
        words.count = static_cast<std::uint32_t>(std::min(sensors.size(), words.words.size()));
        for (std::size_t i = 0; i < words.count; ++i)
            words.words[i] = static_cast<std::uint16_t>(std::clamp(sensors[i] + 0.5F, 0.0F, 65535.0F));
        log_.words(words);
    }
    for (const scenes::Event& event : pipeline.report.events) log_.event(record_of(event));
    ++frames_;
    if (!has_sample) return;

    recordings::FrameRecord record;
    record.sample = samples_;
    record.state_hash = pipeline.report.state_hash;
    static_assert(std::tuple_size_v<decltype(record.stage_us)> == scenes::kStageCount);
    for (std::size_t i = 0; i < record.stage_us.size(); ++i)
        record.stage_us[i] = 1e-3F * static_cast<float>(pipeline.last_ns[i]);
    log_.frame(record);

    for (const scenes::Event& event : pipeline.report.events)
        if (event.kind == scenes::EventKind::touch_begin) log_.contact(contact_of(event, samples_, pipeline.world));
    for (const scenes::Event& event : pipeline.report.stays)
        if (event.kind == scenes::EventKind::touch_stay) log_.contact(contact_of(event, samples_, pipeline.world));
    ++samples_;
}

void SessionLog::wait_for_room() {
    while (!log_.has_room() && !log_.failed() && !end_requested()) {
        log_.flush_soon();
        std::this_thread::sleep_for(std::chrono::microseconds(200));
    }
}

void SessionLog::command(const HapticCommand& command) {
    const std::int64_t start_ns = command_start_ns_.load(std::memory_order_relaxed);
    if (start_ns == SampleClock::kNotBegun) return;
    recordings::ForceRecord record;
    record.time_ns = command.time_ns - start_ns;
    record.side = command.side;
    for (std::size_t i = 0; i < record.force.size(); ++i) {
        record.force[i] = command.stop ? 0.0F : std::max(command.parts[i].force, command.parts[i].limit);
        record.vibration[i] = command.stop ? 0.0F : command.parts[i].vibration;
    }
    log_.force(record);
}

void SessionLog::sent(std::int64_t time_ns, const openxr::ReportedHand& hand) {
    const std::int64_t start_ns = command_start_ns_.load(std::memory_order_relaxed);
    if (start_ns == SampleClock::kNotBegun) return;
    recordings::HapticRecord record;
    record.time_ns = time_ns - start_ns;
    record.side = hand.side;
    hand.output.copy(record.output.data(), record.output.size() - 1);
    record.vibration = hand.vibration;
    record.force = hand.force;
    log_.haptic(record);
}

std::string SessionLog::trouble() {
    if (failure_reported_ || !log_.failed()) return {};
    failure_reported_ = true;
    return log_.status().error;
}

SessionLog::Outcome SessionLog::finish() {
    try {
        log_.close();
    } catch (const recordings::ExportError&) {
        return {};
    }
    const recordings::LogStatus status = log_.status();
    Outcome outcome;
    outcome.complete = status.dropped == 0;
    if (status.samples_written == 0) outcome.sentence = "no sample came, so nothing was recorded";
    if (status.samples_written > 0)
        outcome.sentence = "recorded " + counted(status.samples_written, "sample") + " to " + status.path.string();
    if (status.dropped > 0) outcome.sentence += "; there was no room for " + counted(status.dropped, "record");
    return outcome;
}

bool finish_log(SessionLog* log, std::FILE* out) {
    if (log == nullptr) return true;
    const SessionLog::Outcome outcome = log->finish();
    const std::string unreported = log->trouble();
    if (!unreported.empty()) std::fprintf(stderr, "glovebox: %s\n", tracking::printable(unreported).c_str());
    if (!outcome.sentence.empty()) std::fprintf(outcome.complete ? out : stderr, "%s\n", outcome.sentence.c_str());
    return outcome.complete;
}

std::unique_ptr<HapticOutput> recorded_output(std::unique_ptr<HapticOutput> inner, SessionLog& log) {
    return std::make_unique<RecordedOutput>(std::move(inner), log);
}

std::string lasting_scene_name(const std::string& name_or_path) {
    if (name_or_path.empty()) return std::string(scenes::scene_table().front().name);
    for (const scenes::SceneRow& row : scenes::scene_table())
        if (row.name == name_or_path) return name_or_path;
    return std::filesystem::absolute(name_or_path).lexically_normal().string();
}

void RecordedHashes::compare(std::int64_t frame, std::uint64_t state_hash, const std::vector<std::uint64_t>& hashes) {
    if (frame != next || static_cast<std::size_t>(frame) >= hashes.size()) return;
    ++next;
    const std::uint64_t hash = hashes[static_cast<std::size_t>(frame)];
    if (hash == 0) return;  // the log has none
    ++compared;
    if (hash == state_hash) return;
    ++different;
    if (first_different < 0) first_different = frame;
}

}  // namespace glovebox::vr
