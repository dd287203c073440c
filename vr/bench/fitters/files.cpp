// Trees and meshes in files: the cost of storing and loading a tree, compared with only reading the same bytes, and the
// cost of reading a mesh in a separate process.
#include <array>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "collision/mesh/tree_file.h"
#include "collision/survey/tree/sample_meshes.h"
#include "vr/bench/fitters/models.h"
#include "vr/bench/fitters/sections.h"
#include "vr/bench/measure.h"
#include "vr/platform/mapped_file.h"
#include "vr/platform/mesh_process.h"
#include "vr/platform/temporary_folder.h"
#include "vr/session/report.h"

namespace glovebox::vr {
namespace {

void write_stl(const std::filesystem::path& path, const collision::Mesh& mesh) {
    std::string bytes(80, ' ');
    const auto add = [&bytes](const auto& value) { bytes.append(reinterpret_cast<const char*>(&value), sizeof value); };
    add(static_cast<std::uint32_t>(mesh.triangles.size()));
    for (const auto& triangle : mesh.triangles) {
        add(std::array{0.0F, 0.0F, 0.0F});
        for (const std::uint32_t corner : triangle)
            for (const float coordinate_m : mesh.vertices_m[corner]) add(coordinate_m);
        add(std::uint16_t{0});
    }
    write_whole(path, bytes);
}

}  // namespace

void fitters_files(const BenchOptions& options, BenchResult& result) {
    const collision::Mesh mesh =
        one_model(options, {"spiky torus", options.quick ? collision::torus(64, 32) : collision::spiky_torus()}).mesh;
    collision::BuildSettings settings;
    settings.max_leaf_triangles = 1;
    const TemporaryFolder temporary;
    const std::filesystem::path& folder = temporary.path;
    const auto path = folder / "tree";
    const collision::TreeKey key = key_of(mesh, settings);
    std::vector<double> build_s, save_s, load_s, plain_s, again_s, disk_load_s, disk_plain_s;
    std::size_t size = 0;
    collision::BoxTree tree;
    const auto load = [&] { tree = collision::load_tree(path, key); };
    const auto read_into = [&](char* to) {
        std::ifstream(path, std::ios::binary).read(to, static_cast<std::streamsize>(size));
    };
    // Reads into newly allocated memory, as loading a tree does. `in_use` has been written to before, which saves page
    // faults.
    const auto read_plainly = [&] {
        const std::unique_ptr<char[]> own(new char[size]);
        read_into(own.get());
    };
    std::vector<char> in_use;
    for (int round = 0; round < (options.quick ? 2 : 9); ++round) {
        build_s.push_back(wall_seconds([&] { tree = collision::build_tree(mesh, settings); }));
        save_s.push_back(wall_seconds([&] { collision::save_tree(path, tree, key); }));
        size = std::filesystem::file_size(path);
        in_use.resize(size);
        load_s.push_back(wall_seconds(load));
        plain_s.push_back(wall_seconds(read_plainly));
        again_s.push_back(wall_seconds([&] { read_into(in_use.data()); }));
        drop_from_page_cache(path);
        disk_load_s.push_back(wall_seconds(load));
        drop_from_page_cache(path);
        disk_plain_s.push_back(wall_seconds(read_plainly));
    }
    struct MeshFile {
        std::size_t triangles;
        std::vector<double> here_s, apart_s;
    };
    std::vector<MeshFile> mesh_files;
    for (const collision::Mesh& each : {collision::box_mesh({0.1F, 0.1F, 0.1F}), mesh}) {
        MeshFile& file = mesh_files.emplace_back(MeshFile{each.triangles.size(), {}, {}});
        write_stl(folder / "mesh.stl", each);
        for (int round = 0; round < (options.quick ? 2 : 9); ++round) {
            file.here_s.push_back(wall_seconds([&] { scenes::load_mesh(folder / "mesh.stl", 1.0F); }));
            file.apart_s.push_back(wall_seconds([&] { load_mesh_apart(folder / "mesh.stl", 1.0F); }));
        }
    }
    const double megabytes = 1e-6 * static_cast<double>(size);
    const auto row = [&](const char* what, const std::vector<double>& s) {
        result.rows.push_back({{"tree file", what},
                               {"triangles", mesh.triangles.size()},
                               {"megabytes", megabytes},
                               {"ms", 1e3 * median(s)},
                               {"gigabytes_per_s", 1e-3 * megabytes / median(s)}});
    };
    row("built, both cores", build_s);
    row("written and renamed", save_s);
    row("read and checked, in memory", load_s);
    row("its bytes alone, in memory", plain_s);
    row("its bytes alone, in memory, over older ones", again_s);
    row("read and checked, from disk", disk_load_s);
    row("its bytes alone, from disk", disk_plain_s);
    for (const MeshFile& file : mesh_files)
        for (const auto& [what, s] : {std::pair{"mesh (STL), read by the program itself", &file.here_s},
                                      std::pair{"mesh (STL), read in a process of its own", &file.apart_s}})
            result.rows.push_back({{"tree file", what},
                                   {"triangles", file.triangles},
                                   {"megabytes", 1e-6 * static_cast<double>(84 + 50 * file.triangles)},
                                   {"ms", 1e3 * median(*s)}});
    const double gigabytes = 1e-3 * megabytes;
    result.claims.push_back(judge(
        {"a tree is read and checked at 95 % of the speed of reading its bytes alone", "this project's own aim",
         at_least(0.95, "x")},
        std::vector{ratio_of(disk_plain_s, disk_load_s, "from disk"), ratio_of(plain_s, load_s, "in memory")},
        text("%.2f GB/s from disk, %.2f GB/s in memory", gigabytes / median(disk_load_s), gigabytes / median(load_s))));
    result.claims.push_back(
        judge({"reading a tree from disk is faster than building it", "not asked", more_than(1, "x")},
              ratio_of(build_s, disk_load_s)));
}

}  // namespace glovebox::vr
