#include <algorithm>

#include "collision/survey/fit/genetic.h"
#include "vr/bench/fitters/models.h"
#include "vr/bench/fitters/sections.h"
#include "vr/bench/measure.h"
#include "vr/bench/plot.h"

namespace glovebox::vr {

// Figure 9: of the root of each model's tree. The paper draws one run of two models; which of them settles early is
// chance, so a run for each of several seeds is asked when it came within 1 % of its last value.
void fitters_fitness(const BenchOptions& options, BenchResult& result) {
    const std::vector<BenchModel> all = bench_models(options);
    Plot figure = plot_of("fitters-fitness", "Best fitness by generation (figure 9)", "generation",
                          "fitness 1/V over its last value");
    std::vector<Measured> settled_at;
    const std::uint64_t seeds = options.quick ? 3 : 15;
    for (const BenchModel& model : all) {
        std::vector<std::array<std::int32_t, 3>> triangles;
        for (const auto& t : model.mesh.triangles)
            triangles.push_back(
                {static_cast<std::int32_t>(t[0]), static_cast<std::int32_t>(t[1]), static_cast<std::int32_t>(t[2])});
        collision::PointSet points;
        points.assign(model.mesh.vertices_m);
        const collision::PointSet hull = collision::hull_corners({points, model.mesh.vertices_m, triangles, 1});
        std::vector<double> settled, at_40;
        for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
            const auto run = collision::evolve(hull, {}, {}, seed);
            const double last = run.best_fitness.back();
            std::size_t generation = 0;
            while (run.best_fitness[generation] < 0.99 * last) ++generation;
            settled.push_back(static_cast<double>(generation));
            at_40.push_back(run.best_fitness[40] / last);
            if (seed > 1) continue;
            for (std::size_t g = 0; g < run.best_fitness.size(); ++g)
                add_point(figure, model.name, static_cast<double>(g), run.best_fitness[g] / last);
        }
        const auto [earliest, latest] = std::ranges::minmax(settled);
        result.rows.push_back({{"fitness of the root", model.name},
                               {"hull_corners", hull.size()},
                               {"seeds", seeds},
                               {"settled_at_generation", median(settled)},
                               {"earliest", earliest},
                               {"latest", latest},
                               {"at_generation_40", median(at_40)}});
        settled_at.push_back(median_of(settled, model.name));
    }
    result.claims.push_back(
        judge({"fitness settles at about generation 40 for one model (figure 9): the earliest model's "
               "median",
               "tibia, from 40", at_most(45)},
              *std::ranges::min_element(settled_at, {}, &Measured::value)));
    result.claims.push_back(
        judge({"fitness still rises at generation 150 for another (figure 9): the latest model's median",
               "jacky, rising", at_least(120)},
              *std::ranges::max_element(settled_at, {}, &Measured::value)));
    draw_if_asked(result, options, figure);
}

}  // namespace glovebox::vr
