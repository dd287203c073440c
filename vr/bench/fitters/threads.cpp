#include <algorithm>
#include <cstring>

#include "collision/survey/fit/fitters.h"
#include "collision/survey/tree/sample_meshes.h"
#include "vr/bench/fitters/models.h"
#include "vr/bench/fitters/sections.h"
#include "vr/bench/measure.h"
#include "vr/bench/plot.h"

namespace glovebox::vr {

using collision::BoxTree;
using collision::Mesh;

// The paper's future work: the speedup by threads. (Threads and the chosen split axis are also entries of the tables.)
// Rounds alternate. The best is shown beside the median, because another program may occupy a core.
void fitters_threads(const BenchOptions& options, BenchResult& result) {
    const BenchModel model = one_model(options, options.quick ? BenchModel{"small torus", collision::torus(32, 20)}
                                                              : BenchModel{"figure", collision::figure_like()});
    const Mesh& mesh = model.mesh;
    const TreeMethod genetic{"genetic", collision::find_fitter("genetic"), collision::find_splitter("mean")};
    std::vector<double> one, both, ratio;
    bool same = true;
    for (int round = 0; round < (options.quick ? 3 : 7); ++round) {
        const BuiltTree a = build_timed(mesh, genetic, 1), b = build_timed(mesh, genetic, 2);
        one.push_back(a.build_s);
        both.push_back(b.build_s);
        ratio.push_back(a.build_s / b.build_s);
        same = same && a.tree.order == b.tree.order && a.tree.nodes.size() == b.tree.nodes.size() &&
               std::memcmp(a.tree.nodes.data(), b.tree.nodes.data(), a.tree.nodes.size() * sizeof(BoxTree::Node)) == 0;
    }
    const auto [low, high] = std::minmax_element(ratio.begin(), ratio.end());
    result.rows.push_back({{"genetic build", model.name},
                           {"triangles", mesh.triangles.size()},
                           {"one_thread_s", median(one)},
                           {"two_threads_s", median(both)},
                           {"ratio", median(ratio)},
                           {"ratio_min", *low},
                           {"ratio_max", *high},
                           {"same_tree", same}});
    draw_if_requested(
        result, options,
        bars_of("fitters-threads",
                "Genetic build: " + model.name + ", " + std::to_string(mesh.triangles.size()) + " triangles", "seconds",
                {"one thread", "two threads"}, {{"build", {median(one), median(both)}}}));
    result.claims.push_back(
        judge({"threads shorten the genetic build (future work): two cores", "not tried", at_least(1.8, "x")},
              median_of(ratio)));
    result.check_failed = result.check_failed || !same;
}

}  // namespace glovebox::vr
