// `glovebox info | doctor | convert | recover | diff`: what one does with a recording besides replaying it.
#include <cstdio>
#include <memory>

#include "recordings/diagnose.h"
#include "recordings/diff.h"
#include "recordings/log/log_reader.h"
#include "recordings/parse.h"
#include "recordings/track.h"
#include "recordings/user_profile.h"
#include "recordings/writer.h"
#include "tracking/quoted.h"
#include "vr/cli/command.h"
#include "vr/cli/files.h"
#include "vr/cli/number_option.h"
#include "vr/cli/unit_option.h"
#include "vr/export/diagnosis_json.h"
#include "vr/export/glb.h"
#include "vr/platform/platform.h"
#include "vr/session/open_session.h"
#include "vr/session/report.h"

namespace glovebox::vr {
namespace {

struct Asked {
    std::string path, unit = "auto", axes = "auto";
    double memory_factor = recordings::ImportOptions().memory_factor;
    bool json = false;  // of info and doctor

    /// Throws UsageError where the recording is a bundled one and none of this is for it.
    recordings::ImportOptions options() const {
        if (unit != "auto") expect_file(path, "--unit");
        if (axes != "auto") expect_file(path, "--axes");
        recordings::ImportOptions options;
        options.unit_m = unit_in_metres(unit);
        options.memory_factor = memory_factor;
        if (axes != "auto") options.axes = tracking::find_axes(axes).value();
        return options;
    }
};

void add_unit_and_axes(CLI::App& app, Asked& asked) {
    app.add_option("--unit", asked.unit, "length of the file's unit: m, dm, cm, mm, metres as a number, or auto")
        ->check(check_unit_or_auto);
    app.add_option("--axes", asked.axes, "which way the file's axes point: " + tracking::axes_names())
        ->check(check_axes);
    app.add_option("--memory-factor", asked.memory_factor,
                   "how many times its size a recording may take in memory (256 MB at least)")
        ->check(number_from(1.0, 1e6))
        ->capture_default_str();
}

std::shared_ptr<Asked> declare_asked(CLI::App& app) {
    const auto asked = std::make_shared<Asked>();
    app.add_option("LOG", asked->path, "recording of hands, or the name of a bundled one")->required();
    add_unit_and_axes(app, *asked);
    return asked;
}

int tell(const Asked& asked, std::string (*words_of)(const recordings::Recording&, const recordings::Diagnosis&)) {
    std::string text;
    if (asked.json) {
        recordings::ImportOptions options = asked.options();
        options.any_order = true;
        const recordings::Recording recording = open_recording(asked.path, options);
        const auto json =
            diagnosis_json(recording, recordings::diagnose(recording), words_of == recordings::doctor_text);
        std::printf("%s\n", text_of(json, 2).c_str());
        return kExitFine;
    }
    if (std::filesystem::exists(asked.path) && recordings::is_object_motion(asked.path)) {
        text = recordings::track_text(asked.path, recordings::load_track(asked.path, asked.options()));
    } else {
        recordings::ImportOptions options = asked.options();
        options.any_order = true;
        const recordings::Recording recording = open_recording(asked.path, options);
        text = words_of(recording, recordings::diagnose(recording));
    }
    std::fputs(tracking::printable_lines(text).c_str(), stdout);
    return kExitFine;
}

struct Convert {
    Asked from;
    std::string to, as, hand, wrist, profile, scene;
    bool force = false;
};

void tell_left_out(const std::string& path, const std::string& left_out) {
    if (!left_out.empty())
        std::fprintf(stderr, "glovebox: %s: %s\n", path.c_str(), tracking::printable(left_out).c_str());
}

bool is_scene_format(const std::string& path) {
    return std::filesystem::path(path).extension() == ".glb";
}

// Hands with what they touch: what is written is a session in its scene.
int convert_to_glb(const Convert& convert) {
    recordings::expect_replaceable(convert.to, convert.force);
    SessionSettings settings;
    settings.headless = true;
    settings.scene = convert.scene;
    RecordingSettings from;
    from.recording = convert.from.path;
    from.wrist = convert.wrist;
    from.profile = convert.profile;
    if (convert.from.unit != "auto") from.unit_m = unit_in_metres(convert.from.unit);
    if (convert.from.axes != "auto") from.axes = tracking::find_axes(convert.from.axes);
    if (!convert.hand.empty()) from.only = convert.hand == "left" ? tracking::Side::left : tracking::Side::right;
    const auto session = open_recording_session(from, settings, now_ns);
    const GlbSummary summary = glb_of(*session);
    write_whole(convert.to, summary.bytes);
    std::fprintf(recordings::is_standard_output(convert.to) ? stderr : stdout,
                 "%s in %s -> %s: %zu keys in %.2f s%s, %.1f MB\n", tracking::printable(convert.from.path).c_str(),
                 tracking::printable(session->scene.name).c_str(), convert.to.c_str(), summary.frames,
                 summary.duration_s, summary.stride > 1 ? ", not every sample" : "",
                 1e-6 * static_cast<double>(summary.bytes.size()));
    return kExitFine;
}

int run_convert(const Convert& convert) {
    check_files({{"IN", convert.from.path}, {"--wrist", convert.wrist}, {"--profile", convert.profile}},
                {{"OUT", convert.to}}, convert.force);
    recordings::ImportOptions options = convert.from.options();
    if (is_scene_format(convert.to)) return convert_to_glb(convert);
    if (!convert.scene.empty()) throw UsageError("--scene is for .glb, which holds what the hands touch");
    if (convert.hand == "left") options.only = tracking::Side::left;
    if (convert.hand == "right") options.only = tracking::Side::right;
    const std::string& from = convert.from.path;
    if (!convert.wrist.empty()) expect_file(from, "--wrist");
    options.wrist_path = convert.wrist;
    if (!convert.profile.empty())
        options.user = std::make_shared<tracking::UserProfile>(recordings::load_user_profile(convert.profile));
    std::FILE* const told = recordings::is_standard_output(convert.to) ? stderr : stdout;
    if (!std::filesystem::exists(from)) {
        const recordings::Recording bundled = open_recording(from, options);
        tell_left_out(convert.to, recordings::save(bundled, convert.to, convert.as, convert.force));
        std::fprintf(told, "%s -> %s: %s\n", tracking::printable(from).c_str(), convert.to.c_str(),
                     recordings::counted(bundled.samples.size(), "sample").c_str());
        return kExitFine;
    }
    const recordings::ImportReport report = recordings::convert(from, convert.to, options, convert.as, convert.force);
    tell_left_out(convert.to, report.left_out);
    std::fprintf(told, "%s (%s) -> %s\n", tracking::printable(from).c_str(), report.format.c_str(), convert.to.c_str());
    for (const std::string& note : report.notes) std::fprintf(told, "  note: %s\n", tracking::printable(note).c_str());
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
        std::printf("the same: %s\n", recordings::counted(a.samples.size(), "sample").c_str());
        return kExitFine;
    }
    std::printf("sample %zu differs: %s\n", difference->sample, tracking::printable(difference->what).c_str());
    return kExitCheckFailed;
}

}  // namespace

std::function<int()> declare_info(CLI::App& app) {
    const auto asked = declare_asked(app);
    app.add_flag("--json", asked->json, "print JSON");
    app.footer("Example:\n  glovebox info hand.csv");
    return [asked] { return tell(*asked, recordings::info_text); };
}

std::function<int()> declare_doctor(CLI::App& app) {
    const auto asked = declare_asked(app);
    app.add_flag("--json", asked->json, "print JSON");
    app.footer("Examples:\n  glovebox doctor hand.csv\n  glovebox doctor unity.bvh --axes unity --unit cm");
    return [asked] { return tell(*asked, recordings::doctor_text); };
}

std::function<int()> declare_convert(CLI::App& app) {
    const auto convert = std::make_shared<Convert>();
    app.add_option("IN", convert->from.path, "recording of any known format, or the name of a bundled one")->required();
    app.add_option("OUT", convert->to,
                   "file to write; its ending says how: .csv, .jsonl, .bvh, .glove, or .glb (animated, in a scene)")
        ->required();
    std::vector<std::string> names;
    for (const recordings::WriterRow& row : recordings::writer_table()) names.emplace_back(row.name);
    app.add_option("--as", convert->as,
                   "what to write, whatever the ending: a format that `glovebox formats` says is "
                   "written too")
        ->check(CLI::IsMember(names));
    add_unit_and_axes(app, convert->from);
    app.add_option("--hand", convert->hand,
                   "the hand to write, the other is left out; of a file that does not say which hand it holds: this")
        ->check(CLI::IsMember({"left", "right"}));
    app.add_option("--wrist", convert->wrist, "file with the motion of the wrist, for recordings relative to it");
    app.add_option("--profile", convert->profile,
                   "the user's profile (`glovebox calibrate`), or a CyberGlove calibration");
    app.add_option("--scene", convert->scene, "of a .glb: built-in scene, scene file or mesh");
    app.add_flag("--force", convert->force, kForceHelp);
    app.callback([convert] {
        if (is_scene_format(convert->to) && convert->as.empty()) return;
        const std::string wrong = recordings::check_writer(convert->to, convert->as);
        if (!wrong.empty()) throw CLI::ValidationError("OUT", wrong);
    });
    app.footer(
        "Examples:\n"
        "  glovebox convert take.bvh take.csv\n"
        "  glovebox convert unity.bvh take.csv --axes unity --unit cm\n"
        "  glovebox convert both.glove right.csv --as openxr-csv --hand right\n"
        "  glovebox convert hand.csv hand.glb --scene held-ball");
    return [convert] { return run_convert(*convert); };
}

std::function<int()> declare_recover(CLI::App& app) {
    struct Recover {
        std::string from, to;
        bool force = false;
    };
    const auto asked = std::make_shared<Recover>();
    app.add_option("LOG", asked->from, "damaged .glove log; what stands beside it is read too")->required();
    app.add_option("OUT", asked->to, "log to write what can be saved to")->required();
    app.add_flag("--force", asked->force, kForceHelp);
    app.footer("Example:\n  glovebox recover broken.glove saved.glove");
    return [asked] {
        check_files({{"LOG", asked->from}}, {{"OUT", asked->to}}, asked->force);
        const std::string told = recordings::recover_log(asked->from, asked->to, asked->force).text();
        std::printf("%s\n", tracking::printable_lines(told).c_str());
        return kExitFine;
    };
}

std::function<int()> declare_diff(CLI::App& app) {
    const auto diff = std::make_shared<Diff>();
    app.add_option("A", diff->a, "recording")->required();
    app.add_option("B", diff->b, "recording")->required();
    app.add_option("--position-mm", diff->position_mm, "differences up to this do not count")->check(number_from(0.0));
    app.add_option("--angle-deg", diff->angle_deg, "differences up to this do not count")->check(number_from(0.0));
    app.add_option("--time-ms", diff->time_ms, "differences up to this do not count")->check(number_from(0.0, 1e9));
    app.footer(
        "Names the first sample that differs and how; exit code 3 if one does.\nExample:\n  glovebox diff a.glove "
        "b.csv");
    return [diff] { return run_diff(*diff); };
}

}  // namespace glovebox::vr
