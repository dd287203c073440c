// `glovebox lab crowd|rocks`: a laboratory in a window or headless.

#include "vr/ui/lab.h"
#include "collision/broad_phase/broad_phase.h"
#include "collision/survey/clips/clip_method.h"
#include "tracking/names.h"
#include "vr/cli/command.h"
#include "vr/cli/files.h"
#include "vr/cli/number_option.h"
#include "vr/cli/picture_option.h"

namespace glovebox::vr {
namespace {

struct LabArguments {
    LabSettings settings;
    std::string size = "1280x720";
    bool force = false;
};

void declare_common(CLI::App& app, const LabRow& row, LabArguments& arguments) {
    LabSettings& s = arguments.settings;
    app.add_flag("--headless", s.headless, "no window: run, print what each method cost");
    app.add_option("--frames", s.frames, "stop after so many steps")->check(whole_number_from(1, 1'000'000));
    app.add_option("--at", s.at_s, "begin at, or headless: run to, this second")->check(number_from(0.0, row.plays_s));
    app.add_option("--rate", s.rate, "how fast time runs in the window")->check(number_from(0.01, 100.0));
    app.add_option("--report", s.report, "write what each method cost as JSON");
    app.add_option("--screenshot", s.screenshot, "write the last picture as PNG")->check(check_picture_path);
    app.add_flag("--force", arguments.force, kForceHelp);
    app.add_option("--size", arguments.size, "of the screenshot, such as 3840x2160")->check(check_picture_size);
}

}  // namespace

std::function<int()> declare_lab(CLI::App& app) {
    const auto arguments = std::make_shared<LabArguments>();
    LabSettings& s = arguments->settings;
    app.require_subcommand(1);
    std::vector<std::pair<CLI::App*, const LabRow*>> labs;
    for (const LabRow& row : lab_table()) {
        CLI::App* sub = app.add_subcommand(std::string(row.name), std::string(row.summary));
        labs.emplace_back(sub, &row);
        declare_common(*sub, row, *arguments);
    }
    CLI::App& crowd = *labs[0].first;
    crowd.add_option("--method", s.method, "the method to draw and to time")
        ->check(CLI::IsMember(tracking::names_of(collision::clips::clip_methods())));
    crowd.add_option("--agents", s.bodies, "how many walk there")->check(whole_number_from(1, 1000));
    crowd.add_option("--radius", s.radius_m, "of an agent, metres; the published experiment has 1.85")
        ->check(number_from(0.05, 5.0));
    crowd.add_option("--time", s.time, "time goes up, or along a third axis")->check(CLI::IsMember({"up", "along"}));
    crowd.add_option("--boxes", s.boxes, "which level of the trees")
        ->check(CLI::IsMember({"roots", "middle", "leaves", "none"}));
    CLI::App& rocks = *labs[1].first;
    rocks.add_option("--method", s.method, "the broad phase that finds the pairs")
        ->check(CLI::IsMember(tracking::names_of(collision::broad_phases())));
    rocks.add_option("--rocks", s.bodies, "how many tumble")->check(whole_number_from(2, 20000));
    rocks.add_option("--pairs", s.boxes, "how pairs are drawn")
        ->check(CLI::IsMember({"lines", "both", "boxes", "none"}));
    crowd.footer(
        "Examples:\n"
        "  glovebox lab crowd\n"
        "  glovebox lab crowd --time along --boxes roots\n"
        "  glovebox lab crowd --headless --method umobb --screenshot crowd.png");
    rocks.footer(
        "Examples:\n"
        "  glovebox lab rocks --rocks 10000 --method tree\n"
        "  glovebox lab rocks --headless --screenshot rocks.png --size 3840x2160");
    app.footer("Examples:\n  glovebox lab crowd\n  glovebox lab rocks --rocks 10000");
    return [arguments, labs] {
        LabSettings settings = arguments->settings;
        check_files({}, {{"--report", settings.report}, {"--screenshot", settings.screenshot}}, arguments->force);
        const PictureSize size = picture_size(arguments->size).value();
        settings.width_px = size.width_px;
        settings.height_px = size.height_px;
        for (const auto& [sub, row] : labs)
            if (sub->parsed()) return run_lab(*row, settings);
        return kExitUsage;
    };
}

}  // namespace glovebox::vr
