#include "vr/cli/bench.h"

#include "vr/cli/files.h"
#include "vr/cli/number_option.h"

namespace glovebox::vr {

std::function<int()> declare_bench(CLI::App& app, int (*run)(const BenchArguments&)) {
    const auto arguments = std::make_shared<BenchArguments>();
    std::vector<std::string> names = {"all"};
    names.insert(names.end(), kBenchNames.begin(), kBenchNames.end());
    auto* name = app.add_option("NAME", arguments->name, "a bench of --list, or all")->check(CLI::IsMember(names));
    auto* list = app.add_flag("--list", arguments->list, "list the benches, or the sections of the one named");
    app.add_option("FILE", arguments->options.files, "meshes or recordings, for the benches that take some");
    app.add_option(
           "--data", arguments->data,
           "folder of real recordings and meshes for the benches whose pages show some, where no FILE is given; "
           "with --page also what GLOVEBOX_REAL_DATA names")
        ->check(CLI::ExistingDirectory);
    app.add_option("--report", arguments->report, "write rows and claims as JSON");
    app.add_flag("--force", arguments->force, kForceHelp);
    auto* figures = app.add_option("--figures", arguments->options.figures,
                                   "draw figures (SVG) and their numbers (CSV) into this folder");
    app.add_option("--frames", arguments->options.frames, "frames or queries per measurement")
        ->check(whole_number_from(1, 1'000'000'000));
    app.add_option(
           "--page", arguments->page,
           "write the results page of the bench (Markdown), its figures into the folder `figures` beside it; of all: "
           "the index, and each bench's page beside it")
        ->excludes(figures);
    app.add_option("--only", arguments->options.only, "one section; `bench NAME --list` names them");
    app.add_flag("--quick", arguments->options.quick, "seconds instead of minutes: to see that it runs");
    app.footer("Examples:\n  glovebox bench --list\n  glovebox bench replay --report replay.json");
    app.callback([name, list] {
        if (name->count() == 0 && list->count() == 0) throw CLI::RequiredError("NAME (or --list)");
    });
    return [arguments, run] { return run(*arguments); };
}

std::function<int()> declare_bench(CLI::App& app) {
    return declare_bench(app, nullptr);
}

}  // namespace glovebox::vr
