// Cost and gain of wide nodes: bytes, build time, tests and query time of every layout, deep in contact and near it.

#include "collision/mesh/wide_tree.h"
#include "collision/survey/tree/sample_meshes.h"
#include "vr/bench/fitters/models.h"
#include "vr/bench/fitters/sections.h"
#include "vr/bench/measure.h"
#include "vr/bench/plot.h"

namespace glovebox::vr {

using collision::BoxTree;
using collision::BuildSettings;
using collision::Mesh;

void fitters_layouts(const BenchOptions& options, BenchResult& result) {
    const BenchModel model = one_model(
        options,
        {"spiky torus", options.quick
                            ? collision::torus(40, 20, {.spikes = 0.5, .dimples = 0.15, .wrinkles = 0.03, .twist = 2.0})
                            : collision::spiky_torus()});
    const Mesh& mesh = model.mesh;
    BuildSettings settings;
    settings.max_leaf_triangles = 4;
    const BoxTree binary = collision::build_tree(mesh, settings);
    std::vector<collision::WideTree> wide;
    std::vector<double> make_s;
    for (const auto& row : collision::wide_layouts())
        make_s.push_back(wall_seconds([&] { wide.emplace_back(binary, row.layout); }));
    const auto poses = path_round(mesh, mesh, options.quick ? 10 : 60);
    const auto costs = race_along(
        1 + wide.size(), poses.size(), options.quick ? 1 : 5,
        [&](std::size_t who, std::size_t pose, collision::TrianglePairs& pairs, collision::TreeQueryCounts& counts) {
            if (who == 0)
                collision::touching_triangles(collision::MeshAndTree{mesh, binary}, {mesh, binary}, poses[pose], pairs,
                                              counts);
            else
                collision::touching_triangles(collision::MeshAndWideTree{mesh, wide[who - 1]}, {mesh, wide[who - 1]},
                                              poses[pose], pairs, counts);
        });
    std::vector<std::string> labels;
    std::vector<double> time_us, bytes_a_triangle;
    const auto triangles = static_cast<double>(mesh.triangles.size());
    for (std::size_t who = 0; who < costs.size(); ++who) {
        const std::size_t bytes = who == 0 ? collision::measure(binary, 0).bytes : wide[who - 1].memory_bytes();
        labels.push_back(who == 0 ? "binary" : std::string(collision::wide_layouts()[who - 1].name));
        time_us.push_back(costs[who].us);
        bytes_a_triangle.push_back(static_cast<double>(bytes) / triangles);
        result.rows.push_back({{"layout", labels.back()},
                               {"model", model.name},
                               {"bytes_per_triangle", bytes_a_triangle.back()},
                               {"children_per_node", who == 0 ? 2.0 : wide[who - 1].lanes_filled()},
                               {"made_in_ms", who == 0 ? 0.0 : 1e3 * make_s[who - 1]},
                               {"box_tests", costs[who].box_tests},
                               {"triangle_tests", costs[who].triangle_tests},
                               {"query_us", costs[who].us},
                               {"against_binary", costs[who].us / costs[0].us},
                               {"contacts", costs[who].contacts}});
        result.check_failed = result.check_failed || costs[who].contacts != costs[0].contacts;
    }
    draw_if_requested(
        result, options,
        bars_of("fitters-layout-time", "Query of a mesh against itself, by layout of the nodes: " + model.name,
                "microseconds a query", labels, {{"microseconds a query", time_us}}));
    draw_if_requested(result, options,
                      bars_of("fitters-layout-bytes", "Memory by layout of the nodes", "bytes a triangle", labels,
                              {{"bytes a triangle", bytes_a_triangle}}));
}

}  // namespace glovebox::vr
