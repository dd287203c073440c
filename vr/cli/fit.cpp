// `glovebox fit MESH -o TREE`: builds, measures and stores a mesh's bounding-box tree.
#include <chrono>
#include <cstdio>

#include "collision/mesh/build.h"
#include "collision/mesh/tree_file.h"
#include "collision/survey/fit/fitters.h"
#include "recordings/output.h"
#include "scenes/scene.h"
#include "tracking/quoted.h"
#include "vr/cli/command.h"
#include "vr/cli/files.h"
#include "vr/cli/number_option.h"
#include "vr/cli/unit_option.h"
#include "vr/platform/mesh_process.h"
#include "vr/platform/progress.h"
#include "vr/platform/version.h"
#include "vr/session/report.h"

namespace glovebox::vr {
namespace {

struct FitArguments {
    std::filesystem::path mesh, tree, report;
    std::string fitter{collision::fitters().front().name}, splitter{collision::splitters().front().name};
    collision::BuildSettings settings;
    std::string unit = "m";
    bool list = false, force = false;
};

template <class Rows>
void print_rows(const char* kind, const Rows& rows) {
    std::printf("%s\n", kind);
    for (const auto& row : rows)
        std::printf("  %-20s %s\n", std::string(row.name).c_str(), std::string(row.summary).c_str());
}

double seconds_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

int run(FitArguments& arguments) {
    if (arguments.list) {
        print_rows("fitters", collision::fitters());
        print_rows("splitters", collision::splitters());
        return kExitFine;
    }
    check_files({{"MESH", arguments.mesh}}, {{"-o", arguments.tree}, {"--report", arguments.report}}, arguments.force);
    const std::filesystem::path tree_file = recordings::file_at(arguments.tree);
    const collision::Mesh mesh = load_mesh_apart(arguments.mesh, unit_in_metres(arguments.unit).value());
    collision::BuildSettings& settings = arguments.settings;
    settings.fitter = collision::find_fitter(arguments.fitter);
    settings.splitter = collision::find_splitter(arguments.splitter);
    Progress progress;
    settings.progress = [&progress, last = -1](std::int64_t done, std::int64_t total) mutable {
        const int percent = static_cast<int>(100 * std::min(done, total) / std::max<std::int64_t>(1, total));
        if (percent != last) progress.show("building " + std::to_string(percent) + " %");
        last = percent;
    };

    const auto start = std::chrono::steady_clock::now();
    const collision::BoxTree tree = collision::build_tree(mesh, settings);
    const double build_s = seconds_since(start);
    progress.clear();

    const collision::TreeKey key = collision::key_of(mesh, settings);
    collision::save_tree(tree_file, tree, key);
    // Read the file back, so that a write error shows now and not in a session.
    const auto load_start = std::chrono::steady_clock::now();
    collision::load_tree(arguments.tree, key);
    const double load_s = seconds_since(load_start);

    const auto triangles = static_cast<std::int64_t>(mesh.triangles.size());
    const collision::TreeQuality quality = collision::measure(tree, triangles);
    std::printf(
        "mesh                %s: %zu vertices, %zu triangles\nfitter, splitter    %s, %s\nbuilt in            %.4g s\n"
        "nodes, leaves       %lld, %lld\ndepth               %d\ntriangles a leaf    %.2f\nstraddlers doubled  %lld\n"
        "area, all boxes     %.4g m2\narea, leaves        %.4g m2\nvolume, leaves      %.4g m3\nbytes               "
        "%zu\n"
        "stored as           %s (read back in %.4g s)\n",
        tracking::printable(arguments.mesh.string()).c_str(), mesh.vertices_m.size(), mesh.triangles.size(),
        arguments.fitter.c_str(), arguments.splitter.c_str(), build_s, static_cast<long long>(quality.nodes),
        static_cast<long long>(quality.leaves), quality.depth, quality.triangles_per_leaf,
        static_cast<long long>(quality.doubled), quality.area_m2, quality.leaf_area_m2, quality.leaf_volume_m3,
        quality.bytes, arguments.tree.c_str(), load_s);
    if (!arguments.report.empty())
        write_json(arguments.report, nlohmann::ordered_json{{"mesh", arguments.mesh.string()},
                                                            {"vertices", mesh.vertices_m.size()},
                                                            {"triangles", triangles},
                                                            {"fitter", arguments.fitter},
                                                            {"splitter", arguments.splitter},
                                                            {"seed", settings.seed},
                                                            {"build_s", build_s},
                                                            {"load_s", load_s},
                                                            {"nodes", quality.nodes},
                                                            {"leaves", quality.leaves},
                                                            {"depth", quality.depth},
                                                            {"triangles_per_leaf", quality.triangles_per_leaf},
                                                            {"doubled", quality.doubled},
                                                            {"area_m2", quality.area_m2},
                                                            {"leaf_area_m2", quality.leaf_area_m2},
                                                            {"leaf_volume_m3", quality.leaf_volume_m3},
                                                            {"bytes", quality.bytes},
                                                            {"tree", arguments.tree.string()},
                                                            {"machine", machine_json()},
                                                            {"version", kVersion}});
    return kExitFine;
}

template <class Rows>
CLI::IsMember one_of(const Rows& rows) {
    std::vector<std::string> names;
    for (const auto& row : rows) names.emplace_back(row.name);
    return CLI::IsMember(names);
}

}  // namespace

std::function<int()> declare_fit(CLI::App& app) {
    const auto arguments = std::make_shared<FitArguments>();
    collision::BuildSettings& settings = arguments->settings;
    auto* list = app.add_flag("--list", arguments->list, "list the fitters and splitters");
    auto* mesh = app.add_option("MESH", arguments->mesh, "OBJ, STL, PLY or glTF mesh");
    auto* tree = app.add_option("-o,--output", arguments->tree, "tree file to write");
    app.add_option("--fitter", arguments->fitter, "a fitter of --list")
        ->check(one_of(collision::fitters()))
        ->capture_default_str();
    app.add_option("--splitter", arguments->splitter, "a splitter of --list")
        ->check(one_of(collision::splitters()))
        ->capture_default_str();
    app.add_option("--leaf", settings.max_leaf_triangles, "triangles in a leaf at most")
        ->check(whole_number_from(1, 1000))
        ->capture_default_str();
    app.add_flag("--double-straddlers", settings.double_straddlers,
                 "put triangles that cross a split into both halves");
    app.add_option("--seed", settings.seed, "of the genetic fitters")
        ->check(whole_number_from(0))
        ->capture_default_str();
    app.add_option("--threads", settings.threads, "0: all; the tree does not depend on it")
        ->check(whole_number_from(0, 1024))
        ->capture_default_str();
    app.add_option("--unit", arguments->unit, "length of the mesh's unit: m, dm, cm, mm, in, or metres as a number")
        ->check(check_unit)
        ->capture_default_str();
    app.add_option("--report", arguments->report, "write the measures as JSON");
    app.add_flag("--force", arguments->force, kForceHelp);
    app.footer("Examples:\n  glovebox fit --list\n  glovebox fit cup.obj -o cup.gbxtree --fitter hull-descent");
    app.callback([list, mesh, tree] {
        if (list->count() > 0) return;
        if (mesh->count() == 0) throw CLI::RequiredError("MESH (or --list)");
        if (tree->count() == 0) throw CLI::RequiredError("-o TREE");
    });
    return [arguments] { return run(*arguments); };
}

}  // namespace glovebox::vr
