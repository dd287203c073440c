// Runs benches, prints their results, writes the report and the results page.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <vector>

#include "recordings/output.h"
#include "tracking/names.h"
#include "tracking/quoted.h"
#include "vr/bench/bench.h"
#include "vr/bench/index.h"
#include "vr/bench/page.h"
#include "vr/bench/real_data.h"
#include "vr/cli/bench.h"
#include "vr/cli/command.h"
#include "vr/cli/files.h"
#include "vr/export/text_table.h"
#include "vr/platform/progress.h"
#include "vr/platform/version.h"
#include "vr/session/report.h"

namespace glovebox::vr {
namespace {

template <class Rows>
void print_list(const Rows& rows) {
    std::size_t width = 0;
    for (const auto& row : rows) width = std::max(width, row.name.size());
    for (const auto& row : rows)
        std::printf("%-*s  %s\n", static_cast<int>(width), std::string(row.name).c_str(),
                    std::string(row.summary).c_str());
}

// Returns the benches that NAME stands for: one, or all.
std::vector<Bench> named(const std::string& name) {
    std::vector<Bench> benches;
    for (const Bench& bench : bench_table())
        if (name == "all" || name == bench.name) benches.push_back(bench);
    return benches;
}

std::span<const BenchSection> sections_of(const std::string& name) {
    const std::vector<Bench> benches = named(name);
    return benches.size() == 1 && benches.front().sections != nullptr ? benches.front().sections()
                                                                      : std::span<const BenchSection>();
}

void check_section(const BenchArguments& arguments) {
    const auto sections = sections_of(arguments.name);
    const std::vector<std::string> names = tracking::names_of(sections);
    if (std::ranges::find(names, arguments.options.only) != names.end()) return;
    throw UsageError("--only: " + arguments.name +
                     (names.empty() ? " has no sections" : " has " + tracking::listed(names)));
}

nlohmann::ordered_json to_json(const Bench& bench, const BenchResult& result) {
    nlohmann::ordered_json json = {{"bench", bench.name}, {"rows", result.rows}};
    json["claims"] = nlohmann::ordered_json::array();
    for (const Claim& claim : result.claims)
        json["claims"].push_back({{"claim", claim.claim},
                                  {"published", claim.published},
                                  {"threshold", claim.threshold},
                                  {"measured", claim.measured},
                                  {"spread", claim.spread},
                                  {"verdict", name_of(claim.verdict)},
                                  {"holds", claim.verdict == Verdict::reproduced}});
    json["notes"] = result.notes;
    json["machine"] = machine_json();
    json["version"] = kVersion;
    return json;
}

void print(const Bench& bench, const BenchResult& result, const std::filesystem::path& figures) {
    std::printf("%s: %s\n\n%s\n", std::string(bench.name).c_str(), std::string(bench.summary).c_str(),
                format_table(result.rows).c_str());
    for (const Claim& claim : result.claims)
        std::printf("%s: %s\n  published: %s\n  threshold: %s\n  measured:  %s (%s)\n",
                    std::string(name_of(claim.verdict)).c_str(), tracking::printable(claim.claim).c_str(),
                    claim.published.c_str(), claim.threshold.c_str(), tracking::printable(claim.measured).c_str(),
                    tracking::printable(claim.spread).c_str());
    for (const BenchFigure& figure : result.figures)
        std::printf("%s: %s\n", tracking::printable((figures / figure.file).string()).c_str(),
                    tracking::printable(figure.title).c_str());
    for (const std::string& note : result.notes) std::printf("%s\n", tracking::printable(note).c_str());
}

// Figures replace those of an earlier run by name, so they get a folder of their own.
void make_folder_of_figures(const std::filesystem::path& folder, bool force) {
    const std::filesystem::path mark = folder / ".glovebox-figures";
    std::filesystem::create_directories(folder);
    if (!force && !std::filesystem::is_empty(folder) && !std::filesystem::exists(mark))
        throw recordings::ExportError(folder.string() +
                                      ": holds files, and not figures of glovebox; name another folder, or give "
                                      "--force to replace files whose names figures have");
    write_whole(mark, "Figures of `glovebox bench` are replaced here without asking.\n");
}

// Returns the command as typed, without folders of inputs, which mean nothing to a reader.
std::string command_of(const Bench& bench, const BenchArguments& arguments, const std::filesystem::path& page) {
    std::string command = "glovebox bench " + std::string(bench.name);
    for (const std::string& file : arguments.options.files)
        command += ' ' + std::filesystem::path(file).filename().string();
    if (!arguments.options.only.empty()) command += " --only " + arguments.options.only;
    if (arguments.options.frames > 0) command += " --frames " + std::to_string(arguments.options.frames);
    if (arguments.options.quick) command += " --quick";
    return command + " --page " + page.string();
}

// For one bench, writes the requested page; for all of them, each page beside the index.
std::filesystem::path page_of(const Bench& bench, const BenchArguments& arguments) {
    if (arguments.page.empty() || arguments.name != "all") return arguments.page;
    return arguments.page.parent_path() / (std::string(bench.name) + ".md");
}

// Pages show real recordings wherever there are some; without a page they are used where --data names them.
std::filesystem::path data_folder_of(const BenchArguments& arguments) {
    if (!arguments.data.empty() || arguments.page.empty()) return arguments.data;
    const char* folder = std::getenv("GLOVEBOX_REAL_DATA");
    return folder == nullptr ? "" : folder;
}

// A quick run of all benches does not replace what took a bench minutes.
bool leaves_page(const BenchArguments& arguments, const std::filesystem::path& page) {
    return arguments.name == "all" && arguments.options.quick && !arguments.force && is_page_of_full_run(page);
}

BenchResult run_showing_progress(const Bench& bench, const BenchOptions& options) {
    Progress progress;
    progress.show(std::string(bench.name) + ": " + std::string(bench.summary));
    return bench.run(options);
}

}  // namespace

int run_benches(const BenchArguments& arguments) {
    if (!arguments.options.only.empty()) check_section(arguments);
    if (arguments.list) {
        if (arguments.name.empty() || arguments.name == "all")
            print_list(bench_table());
        else if (const auto sections = sections_of(arguments.name); !sections.empty())
            print_list(sections);
        else
            std::printf("%s has no sections: it is run as a whole\n", arguments.name.c_str());
        return kExitFine;
    }
    std::vector<NamedFile> files;
    for (const auto& file : arguments.options.files) files.push_back({"FILE", file});
    if (!files.empty() && arguments.name == "all")
        throw UsageError("bench all takes no " + files.front().path.string() +
                         ": benches take different files; --data names a folder of them");
    for (const Bench& bench : named(arguments.name))
        if (!files.empty() && !bench.takes_files)
            throw UsageError("bench " + arguments.name + " makes its own input: it takes no " +
                             files.front().path.string());
    std::vector<NamedFile> outputs = {{"--report", arguments.report}};
    for (const Bench& bench : named(arguments.name)) outputs.push_back({"--page", page_of(bench, arguments)});
    if (arguments.name == "all") outputs.push_back({"--page", arguments.page});
    check_files(files, outputs, arguments.force);
    BenchOptions common = arguments.options;
    if (!arguments.page.empty()) common.figures = figures_beside(arguments.page);
    if (!common.figures.empty()) make_folder_of_figures(common.figures, arguments.force);
    const std::filesystem::path data = data_folder_of(arguments);
    nlohmann::ordered_json reports = nlohmann::ordered_json::array();
    bool check_failed = false;
    for (const Bench& bench : named(arguments.name)) {
        BenchArguments own = arguments;
        own.options = common;
        const std::filesystem::path page = page_of(bench, arguments);
        const bool leaves = leaves_page(arguments, page);
        if (leaves) own.options.figures.clear();
        std::string missing;
        if (!arguments.page.empty() || !data.empty()) missing = add_real_data(bench.name, data, own.options);
        BenchResult result = run_showing_progress(bench, own.options);
        if (!missing.empty()) result.notes.push_back(missing);
        print(bench, result, own.options.figures);
        check_failed = check_failed || result.check_failed;
        reports.push_back(to_json(bench, result));
        // A bench that lacks its inputs does not overwrite its page.
        if (leaves)
            std::printf("%s: left as it is, for it shows a full run; bench %s --page writes it again\n",
                        tracking::printable(page.string()).c_str(), std::string(bench.name).c_str());
        else if (!page.empty() && !result.rows.empty())
            write_whole(page, page_text(bench, result, page, command_of(bench, own, page)));
    }
    if (arguments.name == "all" && !arguments.page.empty()) write_whole(arguments.page, index_text());
    if (!arguments.report.empty()) write_json(arguments.report, arguments.name == "all" ? reports : reports.front());
    return check_failed ? kExitCheckFailed : kExitFine;
}

}  // namespace glovebox::vr
