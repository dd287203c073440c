#include "recordings/load.h"

#include "recordings/format.h"
#include "recordings/formats/bvh.h"
#include "recordings/formats/openxr_csv.h"
#include "recordings/track.h"

namespace glovebox::recordings {

ImportReport stream(const std::filesystem::path& path, const ImportOptions& options, const SampleSink& sink) {
    Input in(path);
    const Format& row = recognise_format(in);
    Assembly assembly(in, options, sink);
    row.read(in, options, assembly);
    assembly.finish();
    return {std::string(row.name), assembly.unit_m(), assembly.take_notes()};
}

Recording load(const std::filesystem::path& path, const ImportOptions& options) {
    Recording recording;
    recording.path = path.string();
    ImportReport report =
        stream(path, options, [&recording](const tracking::HandPair& sample) { recording.samples.push_back(sample); });
    recording.format = std::move(report.format);
    recording.unit_m = report.unit_m;
    recording.notes = std::move(report.notes);
    for (const tracking::Side side : {tracking::Side::left, tracking::Side::right})
        recording.profiles[static_cast<std::size_t>(side)] = tracking::fit_profile(recording.samples, side);
    return recording;
}

StampedTrack load_stamped_track(const std::filesystem::path& path, const ImportOptions& options) {
    Input in(path);
    const auto read = [&]() -> StampedTrack {
        if (is_bvh(in.head(), in.size())) return read_bvh_track(in, options);
        if (is_openxr_csv(in.head(), in.size())) return read_openxr_csv_track(in);
        in.fail("the motion of one rigid thing is needed: a BVH, or a wrist file of format openxr-csv");
    };
    StampedTrack stamped = read();
    for (Eigen::Isometry3f& pose : stamped.track.world_from_object) pose = options.axes.turned(pose);
    return stamped;
}

tracking::RigidTrack load_track(const std::filesystem::path& path, const ImportOptions& options) {
    return load_stamped_track(path, options).track;
}

}  // namespace glovebox::recordings
