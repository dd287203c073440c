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
#include "tracking/quoted.h"
#include "tracking/track_name.h"

namespace glovebox::recordings {

namespace {

ImportReport stream_from(Input& in, const ImportOptions& options, const SampleSink& sink) {
    const Format& row = recognise_format(in);
    Assembly assembly(in, options, sink);
    read_format(row, in, options, assembly);
    return {std::string(row.name), assembly.unit_m(), assembly.take_notes(), assembly.side_confidence(), {}};
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
    if (options.user)
        for (std::size_t side = 0; side < 2; ++side)
            if (const auto& hand = options.user->hands[side].hand) recording.profiles[side] = *hand;
    return recording;
}

namespace {

// Returns true for a BVH of an object: one ROOT and no JOINT. The head of the file contains a hand's whole hierarchy.
bool has_one_joint(const Input& in) {
    return in.head().substr(0, in.head().find("MOTION")).find("JOINT") == std::string_view::npos;
}

StampedTrack track_of_wrist(Input& in, const ImportOptions& options) {
    StampedTrack result;
    std::optional<tracking::Side> side = options.side;
    stream_from(in, options, [&](const tracking::HandPair& sample) {
        if (!side && sample[tracking::Side::left].active) side = tracking::Side::left;
        if (!side && sample[tracking::Side::right].active) side = tracking::Side::right;
        if (!side || !sample[*side].active) return;
        const tracking::JointPose& wrist = sample[*side][tracking::Joint::wrist];
        const bool sound = wrist.position_valid() && wrist.orientation_valid() && wrist.position_m.allFinite() &&
                           std::abs(wrist.orientation.norm() - 1.0F) < 0.01F;
        if (!sound) return;  // lost: RigidTrack::at() interpolates
        auto& times = result.track.time_ns;
        if (times.empty()) result.first_ns = sample[*side].times.device_ns;
        const std::int64_t time_ns = sample[*side].times.device_ns - result.first_ns;
        if (!times.empty() && time_ns <= times.back()) return;
        collect(time_ns, in, options, times);
        collect(Eigen::Isometry3f(Eigen::Translation3f(wrist.position_m) * wrist.orientation.normalized()), in, options,
                result.track.world_from_object);
    });
    if (result.track.time_ns.empty()) throw ImportError(in.path().string() + ": no hand in it has a finite wrist pose");
    result.track.name = "wrist";
    return result;
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
    const auto read = [&]() -> StampedTrack {
        if (is_hot3d_objects(in.head())) return read_hot3d_object(in, options, named.object);
        if (!named.object.empty())
            in.fail("one thing moves in this file, not several with names: leave out #" +
                    tracking::printable(named.object.substr(0, 200)));
        if (is_bvh(in.head(), in.size()) && has_one_joint(in)) return read_bvh_track(in, options);
        if (is_openxr_csv(in.head(), in.size())) return read_openxr_csv_track(in);
        ImportOptions as_recorded = options;  // axes are converted once, below
        as_recorded.axes = {};
        return track_of_wrist(in, as_recorded);
    };
    StampedTrack stamped = read();
    for (Eigen::Isometry3f& pose : stamped.track.world_from_object) pose = options.axes.turned(pose);
    return stamped;
}

tracking::RigidTrack load_track(const std::filesystem::path& path, const ImportOptions& options) {
    return load_stamped_track(path, options).track;
}

}  // namespace glovebox::recordings
