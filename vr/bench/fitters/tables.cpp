// Tables 3 to 5 and figures 10 to 12 of [Ramirez09]: build time, tightness, triangles per leaf, query time on a path.
#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>

#include "vr/bench/fitters/models.h"
#include "vr/bench/fitters/sections.h"
#include "vr/bench/measure.h"
#include "vr/bench/plot.h"
#include "vr/platform/progress.h"

namespace glovebox::vr {
namespace {

using collision::Mesh;

// Tables 4 and 5, figures 10 and 11.
std::vector<std::vector<BuiltTree>> build_all(const BenchOptions& options, const std::vector<BenchModel>& all,
                                              const std::vector<TreeMethod>& rows, BenchResult& result) {
    std::vector<std::vector<BuiltTree>> built(all.size());
    Progress progress;
    std::vector<std::string> names;
    for (const TreeMethod& method : rows) names.push_back(method.name);
    Plot leaves = rows_of("fitters-triangles-per-leaf", "Triangles per leaf (figure 10)", "triangles per leaf", names);
    // The published results are below ours.
    const auto published_cv = static_cast<double>(names.size()), published_ga = published_cv + 1.0;
    names.insert(names.end(), {"published covariance", "published genetic"});
    Plot volumes = rows_of("fitters-leaf-volume", "Summed volume of the leaves (table 4, figure 11)",
                           "over that of vertex covariance", names, true);
    Plot times = rows_of("fitters-build-time", "Time to build a tree (table 5)", "seconds", names, true);
    for (std::size_t m = 0; m < all.size(); ++m) {
        double covariance_m3 = 0.0;
        for (const TreeMethod& method : rows) {
            progress.show("tables: building " + all[m].name + " with " + method.name);
            built[m].push_back(build_timed(all[m].mesh, method));
            built[m].back().builds_s = {built[m].back().build_s, build_timed(all[m].mesh, method).build_s};
            const auto quality =
                collision::measure(built[m].back().tree, static_cast<std::int64_t>(all[m].mesh.triangles.size()));
            if (method.name == "vertex-covariance") covariance_m3 = quality.leaf_volume_m3;
            result.rows.push_back({{"model", all[m].name},
                                   {"fitter", method.name},
                                   {"vertices", all[m].mesh.vertices_m.size()},
                                   {"triangles", all[m].mesh.triangles.size()},
                                   {"leaf_volume_m3", quality.leaf_volume_m3},
                                   {"leaf_area_m2", quality.leaf_area_m2},
                                   {"area_m2", quality.area_m2},
                                   {"triangles_per_leaf", quality.triangles_per_leaf},
                                   {"depth", quality.depth},
                                   {"build_s", built[m].back().build_s}});
            const auto row = static_cast<double>(built[m].size() - 1);
            add_point(times, all[m].name, built[m].back().build_s, row);
            add_point(leaves, all[m].name, quality.triangles_per_leaf, row);
        }
        if (all[m].published_ga_m3 > 0.0) {
            add_point(volumes, all[m].name, 1.0, published_cv);
            add_point(volumes, all[m].name, all[m].published_ga_m3 / all[m].published_cv_m3, published_ga);
            add_point(times, all[m].name, all[m].published_cv_s, published_cv);
            add_point(times, all[m].name, all[m].published_ga_s, published_ga);
        }
        for (std::size_t r = 0; r < rows.size(); ++r)
            if (covariance_m3 > 0.0)
                add_point(volumes, all[m].name, collision::measure(built[m][r].tree, 0).leaf_volume_m3 / covariance_m3,
                          static_cast<double>(r));
    }
    draw_if_requested(result, options, leaves);
    draw_if_requested(result, options, volumes);
    draw_if_requested(result, options, times);
    return built;
}

// Tables 4 and 5 as printed, with our results beside them.
void print_published(const std::vector<BenchModel>& all, const std::vector<TreeMethod>& rows,
                     const std::vector<std::vector<BuiltTree>>& built, BenchResult& result) {
    const std::size_t cv = row_of(rows, "vertex-covariance"), ga = row_of(rows, "genetic");
    const auto print = [&](const char* table, const BenchModel& model, double published_cv, double published_ga,
                           double our_cv, double our_ga) {
        result.rows.push_back({{"published table", table},
                               {"model", model.name},
                               {"published_covariance", published_cv},
                               {"published_genetic", published_ga},
                               {"published_ratio", published_cv / published_ga},
                               {"covariance", our_cv},
                               {"genetic", our_ga},
                               {"ratio", our_cv / our_ga}});
    };
    for (std::size_t m = 0; m < all.size(); ++m)
        if (all[m].published_ga_m3 > 0.0)
            print("4, volume of the leaves", all[m], all[m].published_cv_m3, all[m].published_ga_m3,
                  collision::measure(built[m][cv].tree, 0).leaf_volume_m3,
                  collision::measure(built[m][ga].tree, 0).leaf_volume_m3);
    for (std::size_t m = 0; m < all.size(); ++m)
        if (all[m].published_ga_s > 0.0)
            print("5, seconds to build", all[m], all[m].published_cv_s, all[m].published_ga_s, built[m][cv].build_s,
                  built[m][ga].build_s);
}

void claim_tables(const std::vector<BenchModel>& all, const std::vector<TreeMethod>& rows,
                  const std::vector<std::vector<BuiltTree>>& built, BenchResult& result) {
    const std::size_t cv = row_of(rows, "vertex-covariance"), ga = row_of(rows, "genetic");
    // The paper's rule sends border triangles to both halves; each rule has its own trees.
    struct Rule {
        const char* name;
        std::vector<Measured> volumes = {}, leaves = {};
    };
    std::array<Rule, 2> rules = {
        {{"each triangle in one leaf"}, {"border triangles in both halves, the paper's rule"}}};
    std::vector<Measured> times;
    Progress progress;
    for (std::size_t m = 0; m < all.size(); ++m) {
        for (std::size_t r = 0; r < rules.size(); ++r) {
            const auto tree_of = [&](std::size_t row) {
                TreeMethod method = rows[row];
                progress.show("tables: " + all[m].name + " with " + method.name + ", " + rules[r].name);
                method.double_straddlers = r == 1;
                return r == 0 ? built[m][row].tree : build_timed(all[m].mesh, method).tree;
            };
            const collision::BoxTree by_cv = tree_of(cv), by_ga = tree_of(ga);
            const auto of_cv = collision::measure(by_cv, 0), of_ga = collision::measure(by_ga, 0);
            const auto triangles = static_cast<double>(all[m].mesh.triangles.size());
            for (const auto& [name, tree, quality] :
                 {std::tuple{"covariance", &by_cv, &of_cv}, std::tuple{"genetic", &by_ga, &of_ga}})
                result.rows.push_back({{"figures 10 and 11", all[m].name},
                                       {"rule", rules[r].name},
                                       {"fitter", name},
                                       {"triangles_per_leaf", quality->triangles_per_leaf},
                                       {"leaf_volume_m3", quality->leaf_volume_m3},
                                       {"entries_per_triangle", static_cast<double>(tree->order.size()) / triangles}});
            rules[r].volumes.push_back(exact(of_cv.leaf_volume_m3 / of_ga.leaf_volume_m3, all[m].name));
            rules[r].leaves.push_back(exact(of_ga.triangles_per_leaf / of_cv.triangles_per_leaf, all[m].name));
        }
        times.push_back(ratio_of(built[m][ga].builds_s, built[m][cv].builds_s, all[m].name));
    }
    for (const Rule& rule : rules) {
        result.claims.push_back(
            judge({"the genetic fit always has less leaf volume than covariance (table 4, figure 11), " +
                       std::string(rule.name),
                   "tibia 78.7x, jacky 8.28x, icosahedron 1.38x, prosthesis 1.70x", more_than(1, "x")},
                  rule.volumes));
        result.claims.push_back(
            judge({"the genetic fit always has fewer triangles per leaf than covariance (figure 10), " +
                       std::string(rule.name),
                   "lower for all four models, by a little", less_than(1, "x")},
                  rule.leaves));
    }
    result.claims.push_back(judge({"building genetically takes far longer than covariance (table 5)",
                                   "tibia 4250x, jacky 5000x, icosahedron 16.3x, prosthesis 4940x", at_least(10, "x")},
                                  times));
}

// Figure 12: the four scenes of table 3, or every model against the first.
void run_paths(const BenchOptions& options, const std::vector<BenchModel>& all, const std::vector<TreeMethod>& rows,
               const std::vector<std::vector<BuiltTree>>& built, BenchResult& result) {
    struct Scene {
        std::string name;
        std::size_t a, b;
    };
    std::vector<Scene> scenes;
    const auto number = [&](std::string_view name) {
        return static_cast<std::size_t>(std::ranges::find(all, name, &BenchModel::name) - all.begin());
    };
    if (options.files.empty() && !options.quick)
        scenes = {{"1 figure, icosahedron", number("figure (jacky)"), number("icosahedron")},
                  {"2 figure, bone", number("figure (jacky)"), number("bone (tibia)")},
                  {"3 prosthesis, bone", number("parts (prosthesis)"), number("bone (tibia)")},
                  {"4 bone, bone", number("bone (tibia)"), number("bone (tibia)")}};
    else
        for (std::size_t m = 0; m < all.size(); ++m)
            scenes.push_back({std::to_string(m + 1) + " " + all.front().name + ", " + all[m].name, 0, m});

    std::vector<std::string> names;
    for (const TreeMethod& method : rows) names.push_back(method.name);
    Plot figure = rows_of("fitters-query-time", "Mean query time along the path (figure 12)", "microseconds a query",
                          names, true);
    std::vector<Measured> genetic_times, split_times;
    Progress progress;
    int differing = 0;
    int compared = 0;
    std::vector<double> agree;  // per round
    const auto volume_of = [&](std::size_t model, std::size_t row) {
        return collision::measure(built[model][row].tree, 0).leaf_volume_m3;
    };
    const std::size_t genetic = row_of(rows, "genetic"), genetic_split = row_of(rows, "genetic-split");
    for (std::size_t s = 0; s < scenes.size(); ++s) {
        const Scene& scene = scenes[s];
        const Mesh &a = all[scene.a].mesh, &b = all[scene.b].mesh;
        progress.show("tables: scene " + scene.name);
        const auto poses = path_round(a, b, options.frames > 0 ? options.frames : options.quick ? 20 : 120);
        const std::vector<PathCost> costs =
            race_along(rows.size(), poses.size(), options.quick ? 3 : 5,
                       [&](std::size_t who, std::size_t pose, collision::TrianglePairs& pairs,
                           collision::TreeQueryCounts& counts) {
                           collision::touching_triangles({a, built[scene.a][who].tree}, {b, built[scene.b][who].tree},
                                                         poses[pose], pairs, counts);
                       });
        for (std::size_t who = 0; who < rows.size(); ++who) {
            result.rows.push_back({{"scene", scene.name},
                                   {"fitter", rows[who].name},
                                   {"pairs", a.triangles.size() * b.triangles.size()},
                                   {"box_tests", costs[who].box_tests},
                                   {"triangle_tests", costs[who].triangle_tests},
                                   {"query_us", costs[who].us},
                                   {"touching_poses", costs[who].touching},
                                   {"contacts", costs[who].contacts}});
            add_point(figure, scene.name, costs[who].us, static_cast<double>(who));
            differing += costs[who].contacts == costs.front().contacts ? 0 : 1;
        }
        // For pairs of fitters with the same split: is the query faster whose two trees both have less volume?
        for (std::size_t i = 0; i < rows.size(); ++i)
            for (std::size_t k = 0; k < rows.size(); ++k) {
                if (rows[i].splitter != rows[k].splitter || volume_of(scene.a, i) >= volume_of(scene.a, k) ||
                    volume_of(scene.b, i) >= volume_of(scene.b, k))
                    continue;
                ++compared;
                agree.resize(costs[i].rounds_us.size());
                for (std::size_t round = 0; round < agree.size(); ++round)
                    agree[round] += costs[i].rounds_us[round] < costs[k].rounds_us[round] ? 1.0 : 0.0;
            }
        const PathCost& cv = costs[row_of(rows, "vertex-covariance")];
        genetic_times.push_back(ratio_of(costs[genetic].rounds_us, cv.rounds_us, scene.name));
        split_times.push_back(ratio_of(costs[genetic_split].rounds_us, costs[genetic].rounds_us, scene.name));
    }
    result.claims.push_back(judge({"with genetic boxes a query takes about half the time of covariance (figure 12)",
                                   "half in most scenes, 0.32x at best", at_most(0.6, "x")},
                                  genetic_times));
    for (double& share : agree) share *= 100.0 / compared;
    result.claims.push_back(
        judge({"query time follows the volume of the boxes, which is what to fit by (conclusions): of "
               "two fitters, the one with less leaf volume in both trees is the faster",
               "closely related", at_least(95, " % of pairs")},
              agree.empty() ? exact(std::nan("")) : median_of(agree), text("%.0f pairs", compared)));
    std::vector<Measured> split_volumes;
    for (std::size_t m = 0; m < all.size(); ++m)
        split_volumes.push_back(exact(volume_of(m, genetic_split) / volume_of(m, genetic), all[m].name));
    result.claims.push_back(
        judge({"a genetic fit that chooses the split's axis has less leaf volume than one that splits "
               "the longest axis (future work)",
               "not tried", less_than(1, "x")},
              split_volumes));
    result.claims.push_back(
        judge({"and its queries are faster (future work)", "not tried", less_than(1, "x")}, split_times));
    result.claims.push_back(
        judge({"fitters whose contacts differ from the first's", "a condition of every comparison", exactly(0)},
              exact(differing)));
    result.check_failed = result.check_failed || differing > 0;
    draw_if_requested(result, options, figure);
}

}  // namespace

void fitters_tables(const BenchOptions& options, BenchResult& result) {
    const std::vector<BenchModel> all = bench_models(options);
    const std::vector<TreeMethod> rows = tree_methods();
    const auto built = build_all(options, all, rows, result);
    print_published(all, rows, built, result);
    run_paths(options, all, rows, built, result);
    claim_tables(all, rows, built, result);
    result.notes.push_back(
        "Leaves of at most " + std::to_string(kBenchLeaf) +
        " triangles, each in one leaf; split at the mean of the longest axis unless the name says otherwise. "
        "Models are one unit across.");
    if (options.files.empty() && !options.quick)
        result.notes.push_back(
            "The paper's meshes are not public: the bone, the figure and the parts are made by formula and have as "
            "many "
            "vertices and triangles as those named in brackets");
}

}  // namespace glovebox::vr
