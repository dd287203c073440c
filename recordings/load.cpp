#include "recordings/load.h"

#include <algorithm>
#include <cmath>

#include "recordings/collect.h"
#include "recordings/format.h"
#include "recordings/formats/bvh.h"
#include "recordings/formats/hot3d_objects.h"
#include "recordings/formats/openxr_csv.h"
#include "recordings/log/log_reader.h"
#include "recordings/track.h"
#include "recordings/user_profile.h"
#include "tracking/quoted.h"
#include "tracking/track_name.h"

namespace glovebox::recordings {

namespace {

ImportReport stream_from(Input& in, const ImportOptions& options, const SampleSink& sink) {
    const Format& row = recognise_format(in);
    Assembly assembly(in, options, sink);
    read_format(row, in, options, assembly);
    return {std::string(row.name),  assembly.unit_m(),          assembly.take_notes(),
            assembly.take_doubts(), assembly.side_confidence(), {}};
}

// Synthetic hands are made in the coordinates of a scene.
bool is_synthetic(std::span<const tracking::HandPair> samples) {
    bool found = false;
    for (const tracking::HandPair& sample : samples)
        for (const tracking::HandFrame& hand : sample.hands) {
            if (hand.active && hand.source != tracking::Source::synthetic) return false;
            found = found || hand.active;
        }
    return found;
}

}  // namespace

ImportReport stream(const std::filesystem::path& path, const ImportOptions& options, const SampleSink& sink) {
    Input in(path);
    return stream_from(in, options, sink);
}

Recording load(const std::filesystem::path& path, const ImportOptions& options) {
    Recording recording;
    recording.path = path.string();
    Input in(path);
    ImportReport report = stream_from(
        in, options, [&](const tracking::HandPair& sample) { collect(sample, in, options, recording.samples); });
    recording.format = std::move(report.format);
    recording.unit_m = report.unit_m;
    recording.notes = std::move(report.notes);
    recording.doubts = std::move(report.doubts);
    recording.side_confidence = report.side_confidence;
    for (const tracking::Side side : {tracking::Side::left, tracking::Side::right})
        recording.profiles[side] = tracking::fit_profile(recording.samples, side);
    if (recording.format == "glove") {
        // Use the log's own profiles, with which its frames were computed; a new fit could differ in the last bit.
        const LogReader log(path);
        recording.meta = log.meta();
        recording.state_hashes = log.state_hashes();
        recording.profiles = log.profiles(recording.profiles);
    }
    if (options.user) use_bones(*options.user, recording);
    // A log of a session has its placement.
    recording.in_scene = !recording.meta.contains("device") && is_synthetic(recording.samples);
    return recording;
}

namespace {

// Returns true for a BVH of an object: one ROOT and no JOINT. The head of the file contains a hand's whole hierarchy.
bool has_one_joint(const Input& in) {
    return in.head().substr(0, in.head().find("MOTION")).find("JOINT") == std::string_view::npos;
}

// The wrists of a recording of hands. A hand that is not in it has an empty track.
struct Wrists {
    tracking::PerSide<StampedTrack> tracks;
    tracking::Side first = tracking::Side::left;  // the hand that is seen first
};

Wrists wrists_of_hands(Input& in, ImportOptions options) {
    options.axes = {};  // turn() converts the axes
    Wrists wrists;
    bool seen = false;
    const auto add = [&](const tracking::HandFrame& hand, tracking::Side side) {
        const tracking::JointPose& wrist = hand[tracking::Joint::wrist];
        const bool sound = hand.active && wrist.position_valid() && wrist.orientation_valid() &&
                           wrist.position_m.allFinite() && std::abs(wrist.orientation.norm() - 1.0F) < 0.01F;
        if (!sound) return;  // lost: RigidTrack::at() interpolates
        if (!seen) wrists.first = side;
        seen = true;
        StampedTrack& stamped = wrists.tracks[side];
        auto& times = stamped.track.time_ns;
        if (times.empty()) stamped.first_ns = hand.times.device_ns;
        const std::int64_t time_ns = hand.times.device_ns - stamped.first_ns;
        if (!times.empty() && time_ns <= times.back()) return;
        collect(time_ns, in, options, times);
        collect(Eigen::Isometry3f(Eigen::Translation3f(wrist.position_m) * wrist.orientation.normalized()), in, options,
                stamped.track.world_from_object);
    };
    stream_from(in, options, [&](const tracking::HandPair& sample) {
        for (const tracking::Side side : {tracking::Side::left, tracking::Side::right}) add(sample[side], side);
    });
    if (!seen) throw ImportError(in.path().string() + ": no hand in it has a finite wrist pose");
    for (StampedTrack& stamped : wrists.tracks) stamped.track.name = "wrist";
    return wrists;
}

void turn(const tracking::Axes& axes, StampedTrack& stamped) {
    for (Eigen::Isometry3f& pose : stamped.track.world_from_object) pose = axes.turned(pose);
}

// Reads a file of one motion that is not a recording of hands; returns nothing for such a recording.
std::optional<StampedTrack> read_one_motion(Input& in, const ImportOptions& options, const std::string& object) {
    if (is_hot3d_objects(in.head())) return read_hot3d_object(in, options, object);
    if (!object.empty())
        in.fail("one thing moves in this file, not several with names: leave out #" +
                tracking::printable(object.substr(0, 200)));
    if (is_bvh(in.head(), in.size()) && has_one_joint(in)) return read_bvh_track(in, options);
    if (is_openxr_csv(in.head(), in.size())) return read_openxr_csv_track(in);
    return std::nullopt;
}

}  // namespace

bool is_object_motion(const std::filesystem::path& path) {
    if (!std::filesystem::is_regular_file(path)) return false;  // a pipe cannot be read twice
    const Input in(path);
    return is_bvh(in.head(), in.size()) && has_one_joint(in);
}

StampedTrack load_stamped_track(const std::filesystem::path& path, const ImportOptions& options) {
    const tracking::TrackName named(path);
    refuse_pipe(named.file);  // the name may come from an untrusted scene file
    Input in(named.file);
    std::optional<StampedTrack> stamped = read_one_motion(in, options, named.object);
    if (!stamped) {
        Wrists wrists = wrists_of_hands(in, options);
        stamped = std::move(wrists.tracks[options.side.value_or(wrists.first)]);
        if (stamped->track.time_ns.empty())
            in.fail("no " + std::string(name_of(*options.side)) + " hand in it has a finite wrist pose");
    }
    turn(options.axes, *stamped);
    return *std::move(stamped);
}

tracking::PerSide<StampedTrack> load_wrist_tracks(const std::filesystem::path& path, const ImportOptions& options) {
    const tracking::TrackName named(path);
    refuse_pipe(named.file);
    Input in(named.file);
    if (std::optional<StampedTrack> one = read_one_motion(in, options, named.object)) {
        turn(options.axes, *one);
        return {*one, *one};
    }
    Wrists wrists = wrists_of_hands(in, options);
    for (const tracking::Side side : {tracking::Side::left, tracking::Side::right})
        if (wrists.tracks[side].track.time_ns.empty()) wrists.tracks[side] = wrists.tracks[wrists.first];
    for (StampedTrack& stamped : wrists.tracks) turn(options.axes, stamped);
    return wrists.tracks;
}

tracking::RigidTrack load_track(const std::filesystem::path& path, const ImportOptions& options) {
    return load_stamped_track(path, options).track;
}

}  // namespace glovebox::recordings
