// The same queries as nearest.py's, in C++: for every point of a file the nearest point of a mesh.
//
//   glovebox_nearest MESH POINTS ANSWERS RUNS
//
// POINTS holds doubles, three a point; ANSWERS gets, for all points, the distances, then the places, then the
// triangles. Prints the seconds of each run, without reading and writing.
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <vector>

#include "collision/mesh/mesh_tree.h"
#include "scenes/mesh_scene.h"

using namespace glovebox;

namespace {

template <class T>
void write(std::ofstream& out, const std::vector<T>& values) {
    out.write(reinterpret_cast<const char*>(values.data()), static_cast<std::streamsize>(values.size() * sizeof(T)));
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 5) {
        std::fprintf(stderr, "usage: glovebox_nearest MESH POINTS ANSWERS RUNS\n");
        return 2;
    }
    const auto tree = collision::MeshTree::build(scenes::load_mesh(argv[1], 1.0F));
    std::vector<Eigen::Vector3d> points(std::filesystem::file_size(argv[2]) / sizeof(Eigen::Vector3d));
    std::ifstream(argv[2], std::ios::binary)
        .read(reinterpret_cast<char*>(points.data()),
              static_cast<std::streamsize>(points.size() * sizeof(Eigen::Vector3d)));
    for (int run = 0; run < std::atoi(argv[4]); ++run) {
        const auto start = std::chrono::steady_clock::now();
        // Callers in Python get newly allocated arrays, so this allocates in every run too.
        std::vector<double> distances_m(points.size());
        std::vector<Eigen::Vector3d> places_m(points.size());
        std::vector<std::int32_t> triangles(points.size());
        for (std::size_t i = 0; i < points.size(); ++i) {
            collision::MeshTreeCounts counts;
            const auto found = tree->nearest_surface(points[i], counts);
            distances_m[i] = found.distance_m;
            places_m[i] = found.nearest_m;
            triangles[i] = found.triangle;
        }
        const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
        std::printf("%.6f\n", took.count());
        if (run > 0) continue;
        std::ofstream out(argv[3], std::ios::binary);
        write(out, distances_m);
        write(out, places_m);
        write(out, triangles);
    }
    return 0;
}
