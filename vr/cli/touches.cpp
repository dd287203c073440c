// `glovebox touches`: lists the touches in recordings, with begin, end, duration and depth.
#include <algorithm>
#include <cstdio>
#include <memory>

#include "recordings/log/log_reader.h"
#include "recordings/output.h"
#include "tracking/quoted.h"
#include "vr/cli/command.h"
#include "vr/cli/files.h"
#include "vr/cli/options.h"
#include "vr/export/touch_figure.h"
#include "vr/export/touch_table.h"
#include "vr/platform/platform.h"
#include "vr/platform/progress.h"
#include "vr/session/file_hash.h"
#include "vr/session/line_output.h"
#include "vr/session/open_session.h"
#include "vr/session/report.h"

namespace glovebox::vr {
namespace {

struct TouchesCommand {
    std::vector<std::string> recordings;
    RecordingSettings from;
    SessionSettings session;
    TouchBy by = TouchBy::finger;
    std::filesystem::path table, figure;
    bool json = false;
};

std::string check_table_path(const std::string& path) {
    const std::string ending = std::filesystem::path(path).extension().string();
    if (ending == ".csv" || ending == ".json" || ending == ".jsonl" || path == "-" || path.starts_with("/dev/"))
        return {};
    return path + ": touches are written as .csv, .json or .jsonl";
}

std::vector<recordings::ForceRecord> recorded_forces(const std::string& path, const std::string& format) {
    if (format != "glove") return {};
    return recordings::LogReader(path).forces();
}

TouchList touches_in(const TouchesCommand& arguments, const std::string& recording, Progress& progress) {
    RecordingSettings from = arguments.from;
    from.recording = recording;
    const auto session = open_recording_session(from, arguments.session, now_ns);
    for (const std::string& doubt : session->recording().doubts) {
        progress.clear();
        std::fprintf(stderr, "glovebox: note: %s: %s\n", tracking::printable(recording).c_str(),
                     tracking::printable(doubt).c_str());
    }
    TouchCollector collector(*session, arguments.by);
    while (session->next()) {
        collector.add(*session);
        if (arguments.recordings.size() == 1) progress.at(session->frame() + 1);
    }
    TouchList list = collector.finish(*session);
    add_forces(recorded_forces(recording, list.format), list);
    return list;
}

nlohmann::ordered_json json_of(std::span<const TouchList> lists) {
    if (lists.size() == 1) return touch_json(lists.front());
    nlohmann::ordered_json json;
    for (const TouchList& list : lists) json["recordings"].push_back(touch_json(list));
    return json;
}

// Returns all that the touches depend on besides the recording.
nlohmann::ordered_json settings_json(const TouchesCommand& arguments) {
    const std::string& scene = arguments.session.scene;
    const auto hash_of = [](const std::string& file) { return file.empty() ? "" : hex(hash_of_file(file)); };
    const RecordingSettings& from = arguments.from;
    return {{"scene", scene},
            {"scene_hash", scene.empty() ? "" : hash_of_scene(scene)},
            {"by", arguments.by == TouchBy::finger ? "finger"
                   : arguments.by == TouchBy::bone ? "bone"
                                                   : "object"},
            {"hand", from.only ? std::string(name_of(*from.only)) : "both"},
            {"unit_m", from.unit_m ? nlohmann::ordered_json(*from.unit_m) : nlohmann::ordered_json(nullptr)},
            {"axes", from.axes ? nlohmann::ordered_json(from.axes->ours_from_file.reshaped()) : "auto"},
            {"wrist_hash", hash_of(from.wrist)},
            {"profile_hash", hash_of(from.profile)}};
}

// Writes a line of JSON per recording, with one recording in memory at a time, and continues an interrupted run.
int write_lines(const TouchesCommand& arguments, const std::vector<std::string>& given) {
    LineOutput output(arguments.table, "touches", settings_json(arguments), arguments.session.force);
    Progress progress("recording", static_cast<std::int64_t>(arguments.recordings.size()));
    bool failed = false, any = output.earlier().lines > output.earlier().errors;
    std::int64_t done = 0;
    for (const std::string& recording : arguments.recordings) {
        progress.at(++done, tracking::printable(recording));
        if (output.has(recording) || output.is_output(recording)) continue;
        nlohmann::ordered_json line;
        try {
            line = touch_json(touches_in(arguments, recording, progress));
            any = true;
        } catch (const std::exception& error) {
            line = {{"error", error.what()}};
            failed = failed || std::ranges::find(given, recording) != given.end();
            progress.clear();
            print_skipped(error.what());
        }
        output.add(recording, line);
    }
    progress.clear();
    std::printf("%s\n%s\n", output.summary().c_str(), arguments.table.c_str());
    return failed || !any ? kExitCouldNotRun : kExitFine;
}

int run_touches(TouchesCommand arguments) {
    const std::vector<std::string> given = arguments.recordings;
    arguments.recordings = files_in(given);
    // A folder may contain what an earlier run wrote.
    std::erase_if(arguments.recordings, [&](const std::string& file) {
        std::error_code ignored;
        return std::ranges::find(given, file) == given.end() &&
               std::filesystem::equivalent(file, arguments.table, ignored);
    });
    if (given.empty()) arguments.recordings.emplace_back();
    for (const std::string& recording : arguments.recordings) {
        arguments.from.recording = recording;
        refuse_options_of_files(arguments.from);
    }
    const std::vector<NamedFile> written = {{"--output", arguments.table}, {"--figure", arguments.figure}};
    std::vector<NamedFile> read = {
        {"--scene", arguments.session.scene}, {"--wrist", arguments.from.wrist}, {"--profile", arguments.from.profile}};
    for (const std::string& recording : given) read.push_back({"LOG", recording});
    arguments.session.headless = true;
    if (arguments.table.extension() == ".jsonl") {
        if (!arguments.figure.empty() || arguments.json)
            throw UsageError(std::string(arguments.json ? "--json" : "--figure") +
                             " needs all recordings at once, and .jsonl is written one by one: use .csv or .json");
        check_files(read, written);
        return write_lines(arguments, given);
    }
    check_files(read, written, arguments.session.force);

    std::vector<TouchList> lists;
    bool all = true;
    {
        const bool one = arguments.recordings.size() == 1;
        Progress progress(one ? "frame" : "recording",
                          one ? 0 : static_cast<std::int64_t>(arguments.recordings.size()));
        for (const std::string& recording : arguments.recordings) {
            if (one) {
                lists.push_back(touches_in(arguments, recording, progress));
                continue;
            }
            progress.at(static_cast<std::int64_t>(lists.size()) + 1, tracking::printable(recording));
            try {
                lists.push_back(touches_in(arguments, recording, progress));
            } catch (const std::exception& error) {
                progress.clear();
                print_skipped(error.what());
                all = all && std::ranges::find(given, recording) == given.end();
            }
        }
    }
    if (lists.empty()) throw std::runtime_error("none of the recordings could be read");
    Outputs outputs;
    outputs.attempt([&] {
        if (arguments.table.empty()) return;
        if (arguments.table.extension() == ".json")
            write_json(arguments.table, json_of(lists));
        else
            write_whole(arguments.table, touch_csv(lists));
    });
    outputs.attempt([&] {
        if (!arguments.figure.empty()) draw_touches(lists, arguments.figure);
    });
    std::FILE* const out = recordings::is_standard_output(arguments.table) ? stderr : stdout;
    if (arguments.json)
        std::fprintf(out, "%s\n", text_of(json_of(lists), 2).c_str());
    else if (lists.size() == 1)
        std::fputs(touch_text(lists.front()).c_str(), out);
    else
        std::fputs(summary_text(lists).c_str(), out);
    return outputs.failed || !all ? kExitCouldNotRun : kExitFine;
}

}  // namespace

std::function<int()> declare_touches(CLI::App& app) {
    const auto arguments = std::make_shared<TouchesCommand>();
    app.add_option("LOG", arguments->recordings,
                   "recordings of hands, folders of them, or bundled ones by name; the first bundled if none; - is "
                   "standard input")
        ->transform(dash_is_standard_input());
    app.add_option("--scene", arguments->session.scene,
                   "built-in scene (`glovebox scenes`), a scene file or a mesh; without it the recording's own");
    add_recording_options(app, arguments->from);
    app.add_option_function<std::string>(
           "--by", [arguments](const std::string& name) { arguments->by = find_touch_by(name).value(); },
           "what one touch is of: finger, bone or object (any part of the hand)")
        ->check(CLI::IsMember({"finger", "bone", "object"}));
    add_output(app, "-o,--output", arguments->table,
               "write all touches and gaps as .csv, .json or .jsonl; - is standard output. A .jsonl file gets a line a "
               "recording, and the next run continues it")
        ->check(check_table_path);
    add_output(app, "--figure", arguments->figure, "draw lanes as .svg, .png or .pdf")->check(check_figure_path);
    app.add_flag("--json", arguments->json, "print JSON in place of the table");
    app.add_flag("--force", arguments->session.force, "replace outputs that glovebox has not written itself");
    app.footer(
        "Examples:\n"
        "  glovebox touches hand.csv --scene held-ball\n"
        "  glovebox touches hand.csv -o touches.csv --figure lanes.svg\n"
        "  glovebox touches takes/*.glove --by object -o touches.csv      one summary row a recording\n"
        "  glovebox touches takes --scene cup.toml -o touches.jsonl       run it again to continue");
    return [arguments] { return run_touches(*arguments); };
}

}  // namespace glovebox::vr
