// `glovebox info | doctor | convert | recover | diff`: commands on recordings other than replay.
#include <algorithm>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>

#include "recordings/diagnose.h"
#include "recordings/diff.h"
#include "recordings/log/application_facts.h"
#include "recordings/log/log_reader.h"
#include "recordings/pair.h"
#include "recordings/parse.h"
#include "recordings/track.h"
#include "recordings/user_profile.h"
#include "recordings/writer.h"
#include "tracking/formatted.h"
#include "tracking/quoted.h"
#include "vr/cli/command.h"
#include "vr/cli/files.h"
#include "vr/cli/number_option.h"
#include "vr/cli/offset_option.h"
#include "vr/cli/options.h"
#include "vr/cli/unit_option.h"
#include "vr/export/application_json.h"
#include "vr/export/diagnosis_json.h"
#include "vr/export/glb.h"
#include "vr/platform/platform.h"
#include "vr/platform/progress.h"
#include "vr/session/line_output.h"
#include "vr/session/open_session.h"
#include "vr/session/report.h"

namespace glovebox::vr {
namespace {

struct RecordingsOptions {
    std::vector<std::string> paths;
    std::string unit = "auto", axes = "auto", hand, output;
    bool json = false, strict = false;
    const std::string& path() const { return paths.front(); }
    double memory_factor = recordings::ImportOptions().memory_factor;

    /// Throws UsageError where the recording is a bundled one and none of this is for it.
    recordings::ImportOptions options() const {
        if (unit != "auto") expect_file(path(), "--unit");
        if (axes != "auto") expect_file(path(), "--axes");
        recordings::ImportOptions options;
        options.unit_m = unit_in_metres(unit);
        options.memory_factor = memory_factor;
        if (!hand.empty()) options.only = hand == "left" ? tracking::Side::left : tracking::Side::right;
        if (axes != "auto") options.axes = tracking::find_axes(axes).value();
        return options;
    }
};

void add_unit_and_axes(CLI::App& app, RecordingsOptions& arguments) {
    app.add_option("--unit", arguments.unit,
                   "length of the file's unit: m, dm, cm, mm, in, metres as a number, or auto")
        ->check(check_unit_or_auto);
    app.add_option("--axes", arguments.axes, "which way the file's axes point: " + tracking::axes_names())
        ->check(check_axes);
    app.add_option("--memory-factor", arguments.memory_factor,
                   "how many times its size a recording may take in memory (256 MB at least)")
        ->check(number_from(1.0, 1e6))
        ->capture_default_str();
}

std::shared_ptr<RecordingsOptions> declare_recordings(CLI::App& app, bool can_be_strict) {
    const auto arguments = std::make_shared<RecordingsOptions>();
    app.add_option("LOG", arguments->paths,
                   "recordings of hands, folders of them, or the name of a bundled one; - is standard input")
        ->required()
        ->expected(1, -1)
        ->transform(dash_is_standard_input());
    app.add_option("--hand", arguments->hand,
                   "the only hand to read; of a file that does not say which hand it holds: this")
        ->check(CLI::IsMember({"left", "right"}));
    add_unit_and_axes(app, *arguments);
    app.add_flag("--json", arguments->json, "print JSON; of several recordings a line each");
    app.add_option("-o,--output", arguments->output,
                   "write lines of JSON, such as takes.jsonl; the next run keeps them and continues");
    if (can_be_strict)
        app.add_flag("--strict", arguments->strict,
                     "exit code 3 if one cannot be read, or has gaps, jumps, a cut end, a lost hand, a wrong side, "
                     "size or clock");
    return arguments;
}

using WordsOf = std::string (*)(const recordings::Recording&, const recordings::Diagnosis&);

recordings::ApplicationLog application_of(const recordings::Recording& recording) {
    return recording.format == "glove" ? recordings::read_application_log(recording.path)
                                       : recordings::ApplicationLog();
}

// Inserts the facts of an application's log after those of its hands, each in its place.
std::string words_with_application(const recordings::Recording& recording, const recordings::Diagnosis& diagnosis,
                                   WordsOf words_of) {
    std::string text = words_of(recording, diagnosis);
    const recordings::ApplicationLog application = application_of(recording);
    const std::size_t info = recordings::info_text(recording, diagnosis).size();
    text.insert(info, recordings::info_text(application));
    return words_of == recordings::doctor_text ? text + recordings::findings_text(application) : text;
}

nlohmann::ordered_json json_with_application(const recordings::Recording& recording,
                                             const recordings::Diagnosis& diagnosis, bool findings) {
    nlohmann::ordered_json json = diagnosis_json(recording, diagnosis, findings);
    const recordings::ApplicationLog application = application_of(recording);
    if (!application.is_empty()) json["application"] = application_json(application);
    return json;
}

int print_one(const RecordingsOptions& arguments, WordsOf words_of) {
    const std::string& path = arguments.path();
    if (std::filesystem::exists(path) && recordings::is_object_motion(path)) {
        const std::string text = recordings::track_text(path, recordings::load_track(path, arguments.options()));
        std::fputs(tracking::printable_lines(text).c_str(), stdout);
        return kExitFine;
    }
    recordings::ImportOptions options = arguments.options();
    options.any_order = true;
    const recordings::Recording recording = open_recording(path, options);
    const recordings::Diagnosis diagnosis = recordings::diagnose(recording);
    if (arguments.json)
        std::printf(
            "%s\n",
            text_of(json_with_application(recording, diagnosis, words_of == recordings::doctor_text), 2).c_str());
    else
        std::fputs(tracking::printable_lines(words_with_application(recording, diagnosis, words_of)).c_str(), stdout);
    return arguments.strict && !recordings::serious_findings(recording, diagnosis).empty() ? kExitCheckFailed
                                                                                           : kExitFine;
}

// The facts of one recording: a line for people, the same for programs.
struct LineOfRecording {
    std::string text;
    nlohmann::ordered_json json;
    bool fine = true, readable = true;
};

LineOfRecording line_of(const std::string& path, const RecordingsOptions& arguments) {
    LineOfRecording line;
    try {
        RecordingsOptions one = arguments;
        one.paths = {path};
        recordings::ImportOptions options = one.options();
        options.any_order = true;
        const recordings::Recording recording = open_recording(path, options);
        const recordings::Diagnosis d = recordings::diagnose(recording);
        const std::vector<std::string> findings = recordings::serious_findings(recording, d);
        line.json = json_with_application(recording, d, true);
        line.json["unfit"] = findings;
        line.fine = findings.empty();
        line.text = path + ": " + recording.format + ", " + recordings::counted(d.samples, "sample") +
                    tracking::formatted(", %.3f s, %.1f Hz", d.duration_s, d.median_rate_hz);
        for (const tracking::Side side : {tracking::Side::left, tracking::Side::right})
            if (d.hands[side].active > 0) line.text.append(", ").append(name_of(side));
        if (!findings.empty()) line.text += "; " + findings.front();
        if (findings.size() > 1) line.text += " (and " + std::to_string(findings.size() - 1) + " more)";
    } catch (const std::exception& error) {
        line.text = error.what();
        line.json["error"] = error.what();
        line.fine = line.readable = false;
    }
    return line;
}

// Prints one line per recording, with one recording in memory at a time.
int print_many(const RecordingsOptions& arguments) {
    bool failed = false, all_fine = true;
    for (const std::string& path : files_in(arguments.paths)) {
        LineOfRecording line = line_of(path, arguments);
        all_fine = all_fine && line.fine;
        failed = failed || (!line.readable && std::ranges::find(arguments.paths, path) != arguments.paths.end());
        if (arguments.json) {
            nlohmann::ordered_json all = {{"path", path}};
            all.update(line.json);
            line.text = text_of(all);
        }
        std::printf("%s\n", tracking::printable(line.text).c_str());
    }
    if (arguments.strict && !all_fine) return kExitCheckFailed;
    return failed ? kExitCouldNotRun : kExitFine;
}

// Writes the lines of JSON to a file, and continues an interrupted run.
int write_many(const RecordingsOptions& arguments, const char* command) {
    const std::vector<std::string> files = files_in(arguments.paths);
    nlohmann::ordered_json settings = {{"unit", arguments.unit}, {"axes", arguments.axes}};
    if (!arguments.hand.empty()) settings["hand"] = arguments.hand;
    LineOutput output(arguments.output, command, settings);
    Progress progress("recording", static_cast<std::int64_t>(files.size()));
    bool failed = false, all_fine = output.earlier().errors + output.earlier().unfit == 0;
    std::int64_t done = 0;
    for (const std::string& path : files) {
        progress.at(++done, tracking::printable(path));
        if (output.has(path) || output.is_output(path)) continue;
        const LineOfRecording line = line_of(path, arguments);
        all_fine = all_fine && line.fine;
        if (!line.readable) {
            failed = failed || std::ranges::find(arguments.paths, path) != arguments.paths.end();
            progress.clear();
            print_skipped(line.text);
        }
        output.add(path, line.json);
    }
    progress.clear();
    std::printf("%s\n%s\n", output.summary().c_str(), arguments.output.c_str());
    if (arguments.strict && !all_fine) return kExitCheckFailed;
    return failed ? kExitCouldNotRun : kExitFine;
}

int print_each(const RecordingsOptions& arguments, WordsOf words_of) {
    if (!arguments.output.empty())
        return write_many(arguments, words_of == recordings::doctor_text ? "doctor" : "info");
    const bool one = arguments.paths.size() == 1 && !std::filesystem::is_directory(arguments.path());
    if (!one) return print_many(arguments);
    try {
        return print_one(arguments, words_of);
    } catch (const UsageError&) {
        throw;
    } catch (const std::exception& error) {
        if (!arguments.strict) throw;
        std::fprintf(stderr, "glovebox: %s\n", tracking::printable(error.what()).c_str());
        return kExitCheckFailed;  // as for one of several that cannot be read
    }
}

struct Convert {
    RecordingsOptions from;  // one recording, or one per hand
    std::string to, as, wrist, other_wrist, profile, scene;
    std::optional<double> offset_s;
    bool force = false;
};

void print_left_out(const std::string& path, const std::string& left_out) {
    std::istringstream lines(left_out);
    for (std::string line; std::getline(lines, line);)
        std::fprintf(stderr, "glovebox: %s: %s\n", path.c_str(), tracking::printable(line).c_str());
}

bool is_scene_format(const std::string& path) {
    return std::filesystem::path(path).extension() == ".glb";
}

// Converts hands with their touches: the output is a session in its scene.
int convert_to_glb(const Convert& convert) {
    recordings::expect_replaceable(convert.to, convert.force);
    SessionSettings settings;
    settings.headless = true;
    settings.scene = convert.scene;
    RecordingSettings from;
    from.recording = convert.from.path();
    if (convert.from.paths.size() == 2) from.other_hand = convert.from.paths[1];
    from.offset_s = convert.offset_s;
    from.wrist = convert.wrist;
    from.other_wrist = convert.other_wrist;
    from.profile = convert.profile;
    if (convert.from.unit != "auto") from.unit_m = unit_in_metres(convert.from.unit);
    if (convert.from.axes != "auto") from.axes = tracking::find_axes(convert.from.axes);
    if (!convert.from.hand.empty())
        from.only = convert.from.hand == "left" ? tracking::Side::left : tracking::Side::right;
    const auto session = open_recording_session(from, settings, now_ns);
    const GlbSummary summary = glb_of(*session);
    write_whole(convert.to, summary.bytes);
    std::fprintf(recordings::is_standard_output(convert.to) ? stderr : stdout,
                 "%s in %s (%s) -> %s: %zu keys in %.2f s%s, %.1f MB\n",
                 tracking::printable(session->recording().path).c_str(),
                 tracking::printable(session->scene.name).c_str(), session->pipeline.settings.placement.note.c_str(),
                 convert.to.c_str(), summary.frames, summary.duration_s, summary.stride > 1 ? ", not every sample" : "",
                 1e-6 * static_cast<double>(summary.bytes.size()));
    return kExitFine;
}

int run_convert(Convert convert) {
    std::vector<NamedFile> read = {
        {"--wrist", convert.wrist}, {"--other-wrist", convert.other_wrist}, {"--profile", convert.profile}};
    for (const std::string& path : convert.from.paths) read.push_back({"IN", path});
    check_files(read, {{"OUT", convert.to}}, convert.force);
    const bool two = convert.from.paths.size() == 2;
    if (!two && !convert.other_wrist.empty())
        throw UsageError("--other-wrist is the wrist of a second file, and there is only one");
    if (is_scene_format(convert.to) && convert.as.empty()) return convert_to_glb(convert);
    if (!convert.scene.empty()) throw UsageError("--scene is for .glb, which holds what the hands touch");
    recordings::ImportOptions options = convert.from.options();
    const std::string& from = convert.from.path();
    if (!convert.wrist.empty()) expect_file(from, "--wrist");
    options.wrist_path = convert.wrist;
    if (!convert.profile.empty())
        options.user = std::make_shared<tracking::UserProfile>(recordings::load_user_profile(convert.profile));
    std::FILE* const out = recordings::is_standard_output(convert.to) ? stderr : stdout;
    if (two || !std::filesystem::exists(from)) {
        recordings::Recording recording = open_recording(from, options);
        if (!convert.other_wrist.empty()) options.wrist_path = convert.other_wrist;
        if (two)
            recording = recordings::joined(recording, open_recording(convert.from.paths[1], options), convert.offset_s);
        print_left_out(convert.to, recordings::save(recording, convert.to, convert.as, convert.force));
        std::fprintf(out, "%s -> %s: %s\n", tracking::printable(recording.path).c_str(), convert.to.c_str(),
                     recordings::counted(recording.samples.size(), "sample").c_str());
        for (const std::string& note : recording.notes)
            if (two) std::fprintf(out, "  note: %s\n", tracking::printable(note).c_str());
        return kExitFine;
    }
    const recordings::ImportReport report = recordings::convert(from, convert.to, options, convert.as, convert.force);
    print_left_out(convert.to, report.left_out);
    std::fprintf(out, "%s (%s) -> %s\n", tracking::printable(from).c_str(), report.format.c_str(), convert.to.c_str());
    for (const std::string& note : report.notes) std::fprintf(out, "  note: %s\n", tracking::printable(note).c_str());
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
    const recordings::Recording a = open_recording(diff.a, {}), b = open_recording(diff.b, {});
    const auto difference = recordings::first_difference(a, b, settings);
    if (!difference) {
        const recordings::ApplicationLog of_a = application_of(a), of_b = application_of(b);
        // Only if both are recordings of an application: a conversion contains only hands.
        const auto unlike =
            of_a.is_empty() || of_b.is_empty() ? std::nullopt : recordings::first_difference(of_a, of_b, settings);
        if (unlike) {
            std::printf("the hands are the same; %s\n", tracking::printable(*unlike).c_str());
            return kExitCheckFailed;
        }
        std::printf("the same: %s\n", recordings::counted(a.samples.size(), "sample").c_str());
        return kExitFine;
    }
    std::printf("sample %zu differs: %s\n", difference->sample, tracking::printable(difference->what).c_str());
    return kExitCheckFailed;
}

}  // namespace

std::function<int()> declare_info(CLI::App& app) {
    const auto arguments = declare_recordings(app, false);
    app.footer("Examples:\n  glovebox info hand.csv\n  glovebox info takes --json");
    return [arguments] { return print_each(*arguments, recordings::info_text); };
}

std::function<int()> declare_doctor(CLI::App& app) {
    const auto arguments = declare_recordings(app, true);
    app.footer(
        "Examples:\n  glovebox doctor hand.csv\n  glovebox doctor unity.bvh --axes unity --unit cm\n"
        "  glovebox doctor takes --strict -o takes.jsonl");
    return [arguments] { return print_each(*arguments, recordings::doctor_text); };
}

std::function<int()> declare_convert(CLI::App& app) {
    const auto convert = std::make_shared<Convert>();
    app.add_option(
           "IN OUT", convert->from.paths,
           "a recording of any known format (or a bundled one's name), or one of each hand; then the file to write: "
           "its ending says how: .csv, .jsonl, .npz, .bvh, .glove, or .glb (animated, in a scene); IN of - is "
           "standard input")
        ->required()
        ->expected(2, 3);
    add_offset(app, convert->offset_s,
               "of two files, seconds by which the second is later, or auto: as both hands move; without it by the "
               "clocks of both");
    std::vector<std::string> names;
    for (const recordings::WriterRow& row : recordings::writer_table()) names.emplace_back(row.name);
    app.add_option("--as", convert->as,
                   "what to write, whatever the ending: a format that `glovebox formats` says is "
                   "written too")
        ->check(CLI::IsMember(names));
    add_unit_and_axes(app, convert->from);
    app.add_option("--hand", convert->from.hand,
                   "the hand to write, the other is left out; also assumed if the file names no hand")
        ->check(CLI::IsMember({"left", "right"}));
    app.add_option("--wrist", convert->wrist, kWristHelp);
    app.add_option("--other-wrist", convert->other_wrist, kOtherWristHelp);
    app.add_option("--profile", convert->profile,
                   "the user's profile (`glovebox calibrate`), or a CyberGlove calibration");
    app.add_option("--scene", convert->scene, "of a .glb: built-in scene, scene file or mesh");
    app.add_flag("--force", convert->force, kForceHelp);
    app.callback([convert] {
        convert->to = convert->from.paths.back();
        convert->from.paths.pop_back();
        for (std::string& path : convert->from.paths) dash_is_standard_input()(path);
        if (convert->offset_s && convert->from.paths.size() < 2)
            throw CLI::ValidationError("--offset", "is for two files, one of each hand");
        if (!convert->from.hand.empty() && convert->from.paths.size() > 1)
            throw CLI::ValidationError("--hand", "is for one file; of two both hands are written");
        if (is_scene_format(convert->to) && convert->as.empty()) return;
        const std::string wrong = recordings::check_writer(convert->to, convert->as);
        if (!wrong.empty()) throw CLI::ValidationError("OUT", wrong);
    });
    app.footer(
        "Examples:\n"
        "  glovebox convert take.bvh take.csv\n"
        "  glovebox convert take_L.csv take_R.csv both.csv\n"
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
    const auto arguments = std::make_shared<Recover>();
    app.add_option("LOG", arguments->from,
                   "damaged .glove log (what stands beside it is read too), or any recording that is cut off")
        ->required();
    app.add_option("OUT", arguments->to, "log to write what can be saved to")->required();
    app.add_flag("--force", arguments->force, kForceHelp);
    app.footer("Example:\n  glovebox recover broken.glove saved.glove");
    return [arguments] {
        check_files({{"LOG", arguments->from}}, {{"OUT", arguments->to}}, arguments->force);
        // For formats other than logs, recovery is a conversion: reading already returns all that is readable.
        if (const std::string format = recording_format(arguments->from); !format.empty() && format != "glove") {
            Convert all;
            all.from.paths = {arguments->from};
            all.to = arguments->to;
            all.as = "glove";
            all.force = arguments->force;
            return run_convert(all);
        }
        const std::string text = recordings::recover_log(arguments->from, arguments->to, arguments->force).text();
        std::printf("%s\n", tracking::printable_lines(text).c_str());
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
