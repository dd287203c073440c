#include "vr/session/open_session.h"

#include <algorithm>
#include <stdexcept>

#include "recordings/fault_source.h"
#include "recordings/pair.h"
#include "recordings/user_profile.h"
#include "tracking/formatted.h"
#include "vr/platform/mesh_process.h"
#include "vr/render/hand_mesh.h"
#include "vr/session/contacts_csv.h"
#include "vr/session/fault_sink.h"
#include "vr/session/hand_touches.h"
#include "vr/session/method_check.h"
#include "vr/session/trace.h"

namespace glovebox::vr {
namespace {

// Rejects a fault that affects no sample, because it would pass every assertion.
[[noreturn]] void refuse_fault(const recordings::FaultSpell& spell, double duration_s) {
    throw std::runtime_error(
        "--inject " + recordings::text_of(spell.fault) + ": " +
        (spell.from_s > duration_s
             ? tracking::formatted("begins after the recording's end (%.1f s)", duration_s)
             : tracking::formatted("no sample lies in it (%.3f to %.3f s)", spell.from_s, spell.to_s)));
}

}  // namespace

NamedScene scene_of_replay(const std::string& scene_name, const std::string& recording) {
    if (!scene_name.empty()) return {scene_name, load_scene(scene_name, load_mesh_apart, ": give it as LOG")};
    if (const recordings::SampleRow* row = find_bundled(recording))
        return {std::string(row->scene), scenes::load_scene(std::string(row->scene))};
    const std::string recorded = recorded_scene(recording);
    const std::string name = recorded.empty() ? std::string(scenes::scene_table().front().name) : recorded;
    try {
        return {name, scenes::load_scene(name, load_mesh_apart)};
    } catch (const std::exception& error) {
        throw std::runtime_error(recording + ": was recorded in a scene that is not to be had (" + error.what() +
                                 "): name another with --scene");
    }
}

namespace {

std::unique_ptr<FaultWatch> put_faults_in(const SessionSettings& settings, recordings::Recording& recording) {
    if (settings.faults.empty()) return nullptr;
    FaultLimits limits;
    if (settings.stop_within_s > 0.0) limits.stop_within_s = settings.stop_within_s;
    recordings::Recording undisturbed = recording;
    auto spells = recordings::inject(settings.faults, recording);
    for (const recordings::FaultSpell& spell : spells)
        if (spell.samples == 0) refuse_fault(spell, undisturbed.duration_s());
    if (recording.samples.empty()) throw std::runtime_error(recording.path + ": the faults leave no sample");
    return std::make_unique<FaultWatch>(std::move(spells), std::move(undisturbed), limits);
}

// Opens the haptic outputs. Several outputs cannot write to the same file.
void add_haptics(Session& session, const SessionSettings& settings, OutputOptions options) {
    if (settings.haptics.empty()) return;
    options.file = settings.haptics_log;
    options.clock = &session.sample_clock;
    if (!settings.haptics_port.empty()) {
        options.port = settings.haptics_port;
        options.baud = settings.haptics_baud;
        options.side = settings.haptics_side;
    }
    OutputSet set = open_outputs(settings.haptics, options);
    // A replay as fast as possible has no real time for a thread.
    const bool paced = session.file == nullptr || session.file->transport.speed > 0.0;
    if (session.log) set.output = recorded_output(std::move(set.output), *session.log);
    // The fault watch uses recording time only, so the force loop runs in it, too.
    const bool watched = session.faults != nullptr && (settings.headless || session.file == nullptr);
    if (watched) set.output = session.faults->listen_to(std::move(set.output));
    session.haptics = std::make_unique<HapticSession>(std::move(set),
                                                      paced && !watched ? HapticMode::threaded : HapticMode::simulated);
}

}  // namespace

std::unique_ptr<tracking::HandSource> with_faults(std::unique_ptr<tracking::HandSource> source,
                                                  const SessionSettings& settings, std::unique_ptr<FaultWatch>& watch) {
    if (settings.faults.empty()) return source;
    FaultLimits limits;
    if (settings.stop_within_s > 0.0) limits.stop_within_s = settings.stop_within_s;
    recordings::Recording nothing_yet;
    std::vector<recordings::FaultSpell> spells;
    for (const recordings::Fault& fault : settings.faults) spells.push_back({.fault = fault});
    watch = std::make_unique<FaultWatch>(std::move(spells), std::move(nothing_yet), limits);
    auto faulted = std::make_unique<recordings::FaultSource>(
        std::move(source), settings.faults,
        [&watch = *watch](const tracking::HandPair& sample) { watch.add_undisturbed(sample); });
    watch->follow(*faulted);
    return faulted;
}

void equip(Session& session, const SessionSettings& settings, const std::string& scene_name, OutputOptions outputs) {
    session.hand_meshes = load_hand_meshes(settings.hand_mesh);
    if (!settings.record.empty())
        session.log = std::make_unique<SessionLog>(settings.record, session.pipeline,
                                                   SessionFacts{session.facts().device, lasting_scene_name(scene_name),
                                                                session.file != nullptr, session.facts().calibration});
    add_haptics(session, settings, std::move(outputs));
    if (session.faults) session.sinks.push_back(std::make_unique<FaultSink>(*session.faults));
    if (settings.check) session.sinks.push_back(std::make_unique<MethodCheck>());
    if (settings.hand_touches) session.sinks.push_back(std::make_unique<HandTouches>(session.scene.thresholds));
    if (!settings.contacts.empty()) session.sinks.push_back(std::make_unique<ContactsCsv>(settings.contacts));
    if (!settings.trace.empty()) session.sinks.push_back(std::make_unique<Trace>(settings.trace));
    session.pipeline.settings.keep_colliders = settings.check;
    session.pipeline.settings.contact_manifolds = !settings.headless || !settings.contacts.empty();
}

std::unique_ptr<Session> open_recording_session(const RecordingSettings& from, const SessionSettings& settings,
                                                Clock clock) {
    auto [scene_name, scene] = scene_of_replay(settings.scene, from.recording);

    recordings::ImportOptions options = import_options(scene, from.unit_m);
    if (from.axes) options.axes = *from.axes;
    options.wrist_path = from.wrist;
    if (!from.profile.empty())
        options.user = std::make_shared<tracking::UserProfile>(recordings::load_user_profile(from.profile));
    if (from.other_hand.empty()) options.only = from.only;  // also names the side of files that do not
    recordings::Recording recording = open_recording(from.recording, options);
    if (!from.other_hand.empty()) {
        if (!from.other_wrist.empty()) options.wrist_path = from.other_wrist;
        recording = recordings::joined(recording, open_recording(from.other_hand, options), from.offset_s);
        if (from.only) keep_only(*from.only, recording);
    }
    if (recording.samples.empty()) throw std::runtime_error(recording.path + ": holds no samples");
    load_tracks(scene, options.axes);
    std::unique_ptr<FaultWatch> watch = put_faults_in(settings, recording);

    SessionOptions session_options;
    if (from.only) session_options.use_hand = {*from.only == tracking::Side::left, *from.only == tracking::Side::right};
    session_options.method = settings.method;
    session_options.race = settings.race;
    session_options.filter = settings.filter;
    session_options.prediction = settings.prediction;
    recordings::Transport transport;
    transport.speed = from.rate ? from.rate->factor : settings.headless ? 0.0 : 1.0;
    transport.loop = from.loop;
    auto session = std::make_unique<Session>(std::move(scene),
                                             std::make_unique<recordings::FileSource>(std::move(recording), transport),
                                             session_options, clock);
    session->faults = std::move(watch);
    equip(*session, settings, scene_name, {});
    return session;
}

OpenedSession open_both_or_first(RecordingSettings& from, const SessionSettings& settings, Clock clock) {
    std::string word;
    if (!from.other_hand.empty()) {
        try {
            OpenedSession both{open_recording_session(from, settings, clock), {}};
            both.word = both.session->recording().notes.back();
            return both;
        } catch (const std::exception& error) {
            word = "Only " + std::filesystem::path(from.recording).filename().string() + " is open: " + error.what();
            from.other_hand.clear();
        }
    }
    return {open_recording_session(from, settings, clock), std::move(word)};
}

NamedScene open_live_scene(const SessionSettings& settings) {
    NamedScene live;
    live.name = settings.scene.empty() ? std::string(scenes::scene_table().front().name) : settings.scene;
    live.scene = scenes::load_scene(live.name, load_mesh_apart);
    live.scene.placement = scenes::Placement::recorded;
    load_tracks(live.scene, live.scene.recording_axes);
    return live;
}

}  // namespace glovebox::vr
