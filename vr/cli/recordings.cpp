// `glovebox info | doctor | convert | recover | diff`: what one does with a recording besides replaying it.
#include <cstdio>
#include <memory>

#include "recordings/diagnose.h"
#include "recordings/diff.h"
#include "recordings/log/log_reader.h"
#include "recordings/track.h"
#include "recordings/user_profile.h"
#include "recordings/writer.h"
#include "vr/cli/command.h"
#include "vr/cli/files.h"
#include "vr/load_replay.h"
#include "vr/unit_option.h"

namespace glovebox::vr {
namespace {

const CLI::Option* add_log(CLI::App& app, std::string& path) {
    return app.add_option("LOG", path, "recording of hands, or the name of a bundled one")->required();
}

int tell(const std::string& path, std::string (*text_of)(const recordings::Recording&, const recordings::Diagnosis&)) {
    std::string text;
    if (std::filesystem::exists(path) && recordings::is_object_motion(path)) {
        text = recordings::track_text(path, recordings::load_track(path));
    } else {
        const recordings::Recording recording = open_recording(path, {});
        text = text_of(recording, recordings::diagnose(recording));
    }
    std::fputs(text.c_str(), stdout);
    return kExitFine;
}

struct Convert {
    std::string from, to, as, hand, wrist, profile, unit = "auto";
};

int run_convert(const Convert& convert) {
    check_files({{"IN", convert.from}, {"--wrist", convert.wrist}, {"--profile", convert.profile}},
                {{"OUT", convert.to}});
    recordings::ImportOptions options;
    options.unit_m = unit_in_metres(convert.unit);
    if (convert.hand == "left") options.side = tracking::Side::left;
    if (convert.hand == "right") options.side = tracking::Side::right;
    options.wrist_path = convert.wrist;
    if (!convert.profile.empty())
        options.user = std::make_shared<tracking::UserProfile>(recordings::load_user_profile(convert.profile));
    if (!std::filesystem::exists(convert.from)) {
        const recordings::Recording bundled = open_recording(convert.from, options);
        recordings::save(bundled, convert.to, convert.as);
        std::printf("%s -> %s: %zu samples\n", convert.from.c_str(), convert.to.c_str(), bundled.samples.size());
        return kExitFine;
    }
    const recordings::ImportReport report = recordings::convert(convert.from, convert.to, options, convert.as);
    std::printf("%s (%s) -> %s\n", convert.from.c_str(), report.format.c_str(), convert.to.c_str());
    for (const std::string& note : report.notes) std::printf("  note: %s\n", note.c_str());
    return kExitFine;
}

struct Diff {
    std::string a, b;
    double position_mm = 0.0, angle_deg = 0.0, time_ms = 0.0;
};

int run_diff(const Diff& diff) {
    const recordings::DiffSettings settings = {static_cast<float>(1e-3 * diff.position_mm),
                                               static_cast<float>(0.017453293 * diff.angle_deg),
                                               static_cast<std::int64_t>(1e6 * diff.time_ms)};
    const recordings::Recording a = open_recording(diff.a, {});
    const auto difference = recordings::first_difference(a, open_recording(diff.b, {}), settings);
    if (!difference) {
        std::printf("the same: %zu samples\n", a.samples.size());
        return kExitFine;
    }
    std::printf("sample %zu differs: %s\n", difference->sample, difference->what.c_str());
    return kExitCheckFailed;
}

}  // namespace

std::function<int()> declare_info(CLI::App& app) {
    const auto path = std::make_shared<std::string>();
    add_log(app, *path);
    app.footer("Example:\n  glovebox info hand.csv");
    return [path] { return tell(*path, recordings::info_text); };
}

std::function<int()> declare_doctor(CLI::App& app) {
    const auto path = std::make_shared<std::string>();
    add_log(app, *path);
    app.footer("Example:\n  glovebox doctor hand.csv");
    return [path] { return tell(*path, recordings::doctor_text); };
}

std::function<int()> declare_convert(CLI::App& app) {
    const auto convert = std::make_shared<Convert>();
    app.add_option("IN", convert->from, "recording of any known format, or the name of a bundled one")->required();
    app.add_option("OUT", convert->to, "file to write; its ending says how: .csv, .jsonl, .bvh or .glove")->required();
    std::vector<std::string> names;
    for (const recordings::WriterRow& row : recordings::writer_table()) names.emplace_back(row.name);
    app.add_option("--as", convert->as,
                   "what to write, whatever the ending: a format that `glovebox formats` says is "
                   "written too")
        ->check(CLI::IsMember(names));
    app.add_option("--unit", convert->unit, "length of the file's unit: m, dm, cm, mm, metres as a number, or auto")
        ->check(check_unit_or_auto);
    app.add_option("--hand", convert->hand, "which hand it is, against what the file says")
        ->check(CLI::IsMember({"left", "right"}));
    app.add_option("--wrist", convert->wrist, "file with the motion of the wrist, for recordings relative to it");
    app.add_option("--profile", convert->profile,
                   "the user's profile (`glovebox calibrate`), or a CyberGlove calibration");
    app.footer("Example:\n  glovebox convert take.bvh take.csv");
    return [convert] { return run_convert(*convert); };
}

std::function<int()> declare_recover(CLI::App& app) {
    const auto paths = std::make_shared<std::pair<std::string, std::string>>();
    app.add_option("LOG", paths->first, "damaged .glove log")->required();
    app.add_option("OUT", paths->second, "log to write what can be saved to")->required();
    app.footer("Example:\n  glovebox recover broken.glove saved.glove");
    return [paths] {
        check_files({{"LOG", paths->first}}, {{"OUT", paths->second}});
        std::printf("%s\n", recordings::recover_log(paths->first, paths->second).text().c_str());
        return kExitFine;
    };
}

std::function<int()> declare_diff(CLI::App& app) {
    const auto diff = std::make_shared<Diff>();
    app.add_option("A", diff->a, "recording")->required();
    app.add_option("B", diff->b, "recording")->required();
    app.add_option("--position-mm", diff->position_mm, "differences up to this do not count");
    app.add_option("--angle-deg", diff->angle_deg, "differences up to this do not count");
    app.add_option("--time-ms", diff->time_ms, "differences up to this do not count");
    app.footer(
        "Names the first sample that differs and how; exit code 3 if one does.\nExample:\n  glovebox diff a.glove "
        "b.csv");
    return [diff] { return run_diff(*diff); };
}

}  // namespace glovebox::vr
