// `glovebox label`: writes contact labels of recordings, in parallel, resumable, on several machines.
#include <cstdio>
#include <memory>

#include "scenes/scene.h"
#include "vr/cli/command.h"
#include "vr/cli/files.h"
#include "vr/cli/number_option.h"
#include "vr/cli/unit_option.h"
#include "vr/session/label.h"

namespace glovebox::vr {
namespace {

struct LabelArguments {
    LabelSettings settings;
    std::string shard;
    bool merge = false;
};

std::string check_shard(const std::string& text) {
    int shard = 0, shards = 0, read = 0;
    if (std::sscanf(text.c_str(), "%d/%d%n", &shard, &shards, &read) == 2 &&
        static_cast<std::size_t>(read) == text.size() && shard >= 1 && shard <= shards)
        return {};
    return "--shard must be I/N with I from 1 to N, such as 3/16";
}

void check_files_of(const LabelSettings& settings) {
    std::vector<NamedFile> read = {{"--scene", settings.scene}};
    for (const std::string& input : settings.inputs)
        if (!std::filesystem::is_directory(input)) read.push_back({"LOG", input});
    if (const auto folder = settings.out.parent_path(); !folder.empty()) std::filesystem::create_directories(folder);
    check_files(read, {{"--output", settings.out}, {"--output", settings.out.string() + ".card.json"}});
    expect_replaceable_labels(settings.out, settings.force);
}

int run(LabelArguments arguments) {
    LabelSettings& settings = arguments.settings;
    if (settings.unit != "auto")
        for (const std::string& input : settings.inputs) expect_file(input, "--unit");
    settings.unit_m = unit_in_metres(settings.unit);
    check_files_of(settings);
    if (!arguments.shard.empty()) std::sscanf(arguments.shard.c_str(), "%d/%d", &settings.shard, &settings.shards);
    const LabelSummary summary = arguments.merge ? merge_labels(settings.out, settings.force) : label(settings);
    for (const std::string& note : summary.notes) print_skipped(note);
    if (!arguments.merge)
        std::printf("%d labelled, %d were there already, %d skipped\n", summary.labelled, summary.resumed,
                    summary.skipped);
    if (summary.complete)
        std::printf("%s, %s.card.json\n", settings.out.c_str(), settings.out.c_str());
    else
        std::printf("parts are in %s.parts; when all shards are done: glovebox label --merge -o %s\n",
                    settings.out.c_str(), settings.out.c_str());
    const bool none = summary.skipped > 0 && summary.labelled + summary.resumed == 0 && !arguments.merge;
    return none || summary.failed ? kExitCouldNotRun : kExitFine;
}

}  // namespace

std::function<int()> declare_label(CLI::App& app) {
    const auto arguments = std::make_shared<LabelArguments>();
    LabelSettings& s = arguments->settings;
    const auto* inputs = app.add_option("LOG", s.inputs, "recordings, bundled ones by name, or folders of them");
    app.add_option("--scene", s.scene,
                   "built-in scene (`glovebox scenes`), a scene file or a mesh, for all recordings alike; without it " +
                       std::string(scenes::scene_table().front().name));
    app.add_option("--hand", s.hand, "which hand")->check(CLI::IsMember({"left", "right", "both"}));
    app.add_option("--unit", s.unit, "length of the files' unit: m, dm, cm, mm, in, metres as a number, or auto")
        ->check(check_unit_or_auto);
    app.add_option("-o,--output,--out", s.out,
                   "table to write: labels.csv, labels.json or labels.glove, with a data card beside it")
        ->required()
        ->check(check_label_path);
    app.add_option("--inject", s.inject,
                   "a fault to put into every recording, such as jitter=2mm (docs/how-to/faults.md)")
        ->check(check_fault);
    app.add_option("--jobs", s.jobs, "threads (default: one per core)")->check(whole_number_from(1, 1024));
    app.add_option("--shard", arguments->shard, "I/N: do only every Nth recording, from the Ith on")
        ->check(check_shard);
    app.add_flag("--force", s.force, kForceHelp);
    const auto* merge = app.add_flag("--merge", arguments->merge, "join the parts of all shards");
    app.callback([inputs, merge] {
        if (inputs->count() == 0 && merge->count() == 0) throw CLI::RequiredError("LOG (or --merge)");
    });
    app.footer(
        "Examples:\n"
        "  glovebox label takes/ --scene cup.toml -o labels.csv\n"
        "  parallel glovebox label takes/ -o labels.csv --shard {}/8 ::: $(seq 8) && glovebox label --merge -o "
        "labels.csv");
    return [arguments] { return run(*arguments); };
}

}  // namespace glovebox::vr
