#include <algorithm>

#include "collision/fit/genetic.h"
#include "vr/bench/fitters/models.h"
#include "vr/bench/fitters/sections.h"
#include "vr/bench/measure.h"
#include "vr/bench/plot.h"

namespace glovebox::vr {

// Figure 9.
void fitters_fitness(const BenchOptions& options, BenchResult& result) {
    const std::vector<BenchModel> all = bench_models(options);
    Plot figure = plot_of("fitters-fitness", "Best fitness by generation (figure 9)", "generation",
                          "fitness 1/V over its last value");
    std::string measured;
    std::size_t earliest = 1000, latest = 0;
    for (const BenchModel& model : all) {
        std::vector<std::array<std::int32_t, 3>> triangles;
        for (const auto& t : model.mesh.triangles)
            triangles.push_back(
                {static_cast<std::int32_t>(t[0]), static_cast<std::int32_t>(t[1]), static_cast<std::int32_t>(t[2])});
        collision::PointSet points;
        points.assign(model.mesh.vertices_m);
        const auto run =
            collision::evolve(collision::hull_corners({points, model.mesh.vertices_m, triangles, 1}), {}, {}, 1);
        std::size_t settled = 0;
        while (run.best_fitness[settled] < 0.99 * run.best_fitness.back()) ++settled;
        earliest = std::min(earliest, settled);
        latest = std::max(latest, settled);
        for (std::size_t g = 0; g < run.best_fitness.size(); ++g)
            add_point(figure, model.name, static_cast<double>(g), run.best_fitness[g] / run.best_fitness.back());
        measured += model.name + " within 1 % of its last value from generation " + std::to_string(settled) + "; ";
    }
    result.claims.push_back(
        {"fitness settles at about generation 40 for one model and still rises at 150 for another (figure 9)",
         "tibia from 40, jacky rising", measured + "roots only, one seed; which model settles is chance",
         earliest <= 60 && latest >= 100});
    draw_if_asked(result, options, figure);
}

}  // namespace glovebox::vr
