// Trees in files: what storing and reading one takes, against reading the same bytes without looking at them.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <vector>

#include "collision/tree/sample_meshes.h"
#include "collision/tree/tree_file.h"
#include "vr/bench/fitters/sections.h"
#include "vr/bench/measure.h"
#include "vr/platform.h"

namespace glovebox::vr {

void fitters_files(const BenchOptions& options, BenchResult& result) {
    const collision::Mesh mesh = options.quick ? collision::torus(64, 32) : collision::spiky_torus();
    collision::BuildSettings settings;
    settings.max_leaf_triangles = 1;
    const auto folder = std::filesystem::temp_directory_path() / ("glovebox-trees-" + std::to_string(now_ns()));
    std::filesystem::create_directories(folder);
    const auto path = folder / "tree";
    const collision::TreeKey key = key_of(mesh, settings);
    std::vector<double> build_s, save_s, load_s, plain_s;
    std::uintmax_t bytes = 0;
    for (int round = 0; round < (options.quick ? 2 : 9); ++round) {
        collision::BoxTree tree;
        build_s.push_back(wall_seconds([&] { tree = collision::build_tree(mesh, settings); }));
        save_s.push_back(wall_seconds([&] { collision::save_tree(path, tree, key); }));
        bytes = std::filesystem::file_size(path);
        load_s.push_back(wall_seconds([&] { tree = collision::load_tree(path, key); }));
        std::vector<char> plain(bytes);
        plain_s.push_back(wall_seconds(
            [&] { std::ifstream(path, std::ios::binary).read(plain.data(), static_cast<std::streamsize>(bytes)); }));
    }
    std::filesystem::remove_all(folder);
    const double megabytes = 1e-6 * static_cast<double>(bytes);
    const auto row = [&](const char* what, const std::vector<double>& s) {
        result.rows.push_back({{"tree file", what},
                               {"triangles", mesh.triangles.size()},
                               {"megabytes", megabytes},
                               {"ms", 1e3 * median(s)},
                               {"gigabytes_per_s", 1e-3 * megabytes / median(s)}});
    };
    row("built, both cores", build_s);
    row("written, synced, renamed", save_s);
    row("read and checked", load_s);
    row("its bytes read, not looked at", plain_s);
    result.claims.push_back({"reading a tree beats building it", "not asked",
                             text("%.1f ms against %.1f ms; %.1f GB/s, the bytes alone %.1f GB/s (all in the page "
                                  "cache)",
                                  1e3 * median(load_s), 1e3 * median(build_s), 1e-3 * megabytes / median(load_s),
                                  1e-3 * megabytes / median(plain_s)),
                             median(load_s) < median(build_s)});
}

}  // namespace glovebox::vr
