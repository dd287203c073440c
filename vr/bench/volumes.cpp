// Compares bounding volumes: tightness, cost of testing and fitting, and cost of a whole query.
//
// t = n_v c_v + n_p c_p + n_u c_u. The traversal counts n; c is measured by running only that step again on the same
// pairs. The whole t is measured too and shown beside the sum. All volumes must find the same triangles.
#include <algorithm>
#include <functional>

#include "collision/survey/traversal/volume_table.h"
#include "collision/survey/tree/sample_meshes.h"
#include "collision/survey/volumes/hull.h"
#include "scenes/scene.h"
#include "vr/bench/bench.h"
#include "vr/bench/plot.h"
#include "vr/platform/mesh_process.h"
#include "vr/platform/platform.h"

namespace glovebox::vr {
namespace {

using namespace collision;

std::vector<double> rounds_us(int rounds, const std::function<void()>& work) {
    std::vector<double> us;
    for (int round = 0; round < rounds; ++round) {
        const std::int64_t start_ns = thread_cpu_ns();
        work();
        us.push_back(1e-3 * static_cast<double>(thread_cpu_ns() - start_ns));
    }
    return us;
}

/// Returns the minimum over a few rounds, each long enough to be measured: the cost without other programs' noise.
double min_us(int rounds, const std::function<void()>& work) {
    return std::ranges::min(rounds_us(rounds, work));
}

/// Returns the time per piece of work, for each round.
std::vector<double> each_us(int rounds, double pieces, const std::function<void()>& work) {
    std::vector<double> us = rounds_us(rounds, work);
    for (double& value : us) value /= pieces;
    return us;
}

Mesh stretched(Mesh mesh, const Eigen::Vector3f& by) {
    for (auto& vertex : mesh.vertices_m) vertex = vertex.cwiseProduct(by);
    return mesh;
}

struct Subject {
    std::string name;
    Mesh mesh;
};

std::vector<Subject> subjects(const BenchOptions& options) {
    const int cells = options.quick ? 10 : 28;
    std::vector<Subject> all = {
        {"bumpy torus", wavy_torus(2 * cells, cells)},
        {"finger-like", stretched(wavy_torus(2 * cells, cells, 0.3F, 0.28F, 0.02F), {1.0F, 5.0F, 0.8F})}};
    for (const std::string& file : options.files)
        all.push_back({std::filesystem::path(file).filename().string(), load_mesh_apart(file, 1.0F)});
    return all;
}

/// Returns poses at which two copies of the mesh nearly touch or slightly overlap: found by bisection along random
/// directions, then shifted by 0.4 % of the size.
std::vector<Eigen::Isometry3f> near_poses(const Mesh& mesh, int count) {
    const VolumeRow& row =
        *std::find_if(volume_rows().begin(), volume_rows().end(), [](const VolumeRow& r) { return r.name == "rss"; });
    const AnyHierarchy tree = row.build(mesh, {});
    Aabb box;
    for (const auto& vertex : mesh.vertices_m) box.include(vertex);
    const Eigen::Vector3f middle_m = 0.5F * (box.min_m + box.max_m);
    const float size_m = (box.max_m - box.min_m).norm();
    std::mt19937 random(77);
    TraversalMemory memory;
    std::vector<Eigen::Isometry3f> poses;
    for (int i = 0; i < count; ++i) {
        Eigen::Isometry3f turn = random_pose(random, 0.0F);
        const Eigen::Vector3f direction = random_pose(random, 1.0F).translation();
        const auto placed = [&](float distance_m) {
            Eigen::Isometry3f pose = turn;
            pose.translation() = middle_m + distance_m * direction - turn.linear() * middle_m;
            return pose;
        };
        float low_m = 0.0F, high_m = 1.1F * size_m;  // bisection for the distance of first contact
        for (int k = 0; k < 14; ++k) {
            const float middle = 0.5F * (low_m + high_m);
            (row.traverse(tree, tree, placed(middle), Query{}, memory).found ? low_m : high_m) = middle;
        }
        poses.push_back(placed(high_m + (i % 2 == 0 ? 0.004F : -0.004F) * size_m));
    }
    return poses;
}

struct Cost {
    double n_v = 0, n_p = 0, n_u = 0, c_v_us = 0, c_p_us = 0, c_u_us = 0, query_us = 0;
    std::vector<double> rounds_c_v_us = {}, rounds_c_p_us = {}, rounds_query_us = {};
    std::int64_t meeting = 0;  ///< pairs of triangles over all poses: the same for all volumes and all trees
    double sum_us() const { return n_v * c_v_us + n_p * c_p_us; }
};

/// Returns the time per pose, for each round over all poses.
std::vector<double> rounds_query_us(const VolumeRow& row, const AnyHierarchy& tree,
                                    const std::vector<Eigen::Isometry3f>& poses, int rounds) {
    TraversalMemory memory;
    const Query query = {.question = Question::all_pairs};
    return each_us(rounds, static_cast<double>(poses.size()), [&] {
        for (const auto& pose : poses) row.traverse(tree, tree, pose, query, memory);
    });
}

Cost measure(const VolumeRow& row, const AnyHierarchy& tree, const std::vector<Eigen::Isometry3f>& poses, int rounds) {
    Cost cost;
    TraversalMemory memory;
    const Query query = {.question = Question::all_pairs};
    std::vector<std::vector<TestedPair>> tested;
    std::int64_t n_v = 0, n_p = 0;
    for (const auto& pose : poses) {
        const Answer answer = row.traverse(tree, tree, pose, query, memory);
        n_v += answer.n_v;
        n_p += answer.n_p;
        cost.meeting += static_cast<std::int64_t>(memory.hits.size());
        tested.push_back(row.tested_pairs(tree, tree, pose));
    }
    const auto count = static_cast<double>(poses.size());
    cost.n_v = static_cast<double>(n_v) / count;
    cost.n_p = static_cast<double>(n_p) / count;
    cost.n_u = static_cast<double>(row.size(tree));
    std::int64_t overlapping = 0, meeting = 0;  // otherwise unused: the tests are called through pointers
    cost.rounds_c_v_us = each_us(rounds, static_cast<double>(n_v), [&] {
        for (std::size_t i = 0; i < poses.size(); ++i) overlapping += row.test_again(tree, tree, poses[i], tested[i]);
    });
    cost.rounds_c_p_us = each_us(rounds, static_cast<double>(std::max<std::int64_t>(1, n_p)), [&] {
        for (std::size_t i = 0; i < poses.size(); ++i)
            meeting += row.test_triangles_again(tree, tree, poses[i], tested[i]);
    });
    cost.rounds_query_us = rounds_query_us(row, tree, poses, rounds);
    cost.c_v_us = std::ranges::min(cost.rounds_c_v_us);
    cost.c_p_us = std::ranges::min(cost.rounds_c_p_us);
    cost.query_us = std::ranges::min(cost.rounds_query_us);
    return cost;
}

}  // namespace

BenchResult bench_volumes(const BenchOptions& options) {
    BenchResult result;
    const int rounds = options.quick ? 3 : 7;
    for (const Subject& subject : subjects(options)) {
        const auto poses = near_poses(subject.mesh, options.frames > 0 ? options.frames : options.quick ? 2 : 24);
        const double hull_m3 = double{HullVolume::volume_m3(HullVolume::fit(subject.mesh.vertices_m))};
        Plot tightness = {.name = "volumes-tightness-" + subject.name,
                          .title = subject.name + ": tightness against the cost of a test",
                          .x_label = "c_v, ns per volume test",
                          .y_label = "volume / volume of the convex hull",
                          .log_x = true};
        tightness.style = Plot::Style::labels;
        Plot total = tightness;
        total.name = "volumes-query-" + subject.name;
        total.title = subject.name + ": a query of two copies at near contact";
        total.y_label = "us per query";
        total.log_y = true;
        std::replace(tightness.name.begin(), tightness.name.end(), ' ', '-');
        std::replace(total.name.begin(), total.name.end(), ' ', '-');

        std::vector<Measured> shares;
        std::int64_t meeting = -1;
        const auto expect_overlap = [&](const Cost& cost) {
            if (meeting < 0) meeting = cost.meeting;
            result.check_failed = result.check_failed || cost.meeting != meeting;
        };
        Cost sphere, obb, aabb, turned;
        for (const VolumeRow& row : volume_rows()) {
            // Fitting hulls to every node of a large mesh would take minutes and add no information.
            if (row.name == "hull" && subject.mesh.triangles.size() > 5000) {
                result.notes.push_back("hull skipped for " + subject.name + ": more than 5,000 triangles");
                continue;
            }
            AnyHierarchy tree;
            const double build_us = min_us(1, [&] { tree = row.build(subject.mesh, {}); });
            Cost cost = measure(row, tree, poses, rounds);
            expect_overlap(cost);
            const int refits = row.name == "hull" ? 1 : rounds;
            cost.c_u_us = min_us(refits, [&] { row.refit(tree, Bounding::layered); }) / cost.n_u;
            // Query the tree as refitted: layered refitting makes oriented boxes and spheres less tight.
            const double layered_us = std::ranges::min(rounds_query_us(row, tree, poses, rounds));
            const double ratio = double{row.root_volume_m3(row.build(subject.mesh, {}))} / hull_m3;
            result.rows.push_back({{"mesh", subject.name},
                                   {"volume", row.name},
                                   {"times_hull", ratio},
                                   {"build_ms", 1e-3 * build_us},
                                   {"n_v", cost.n_v},
                                   {"c_v_ns", 1e3 * cost.c_v_us},
                                   {"n_p", cost.n_p},
                                   {"c_p_ns", 1e3 * cost.c_p_us},
                                   {"n_u", cost.n_u},
                                   {"c_u_ns", 1e3 * cost.c_u_us},
                                   {"sum_us", cost.sum_us()},
                                   {"query_us", cost.query_us},
                                   {"with_refit_us", layered_us + cost.n_u * cost.c_u_us}});
            tightness.series.push_back({std::string(row.name), {{1e3 * cost.c_v_us, ratio}}});
            total.series.push_back({std::string(row.name), {{1e3 * cost.c_v_us, cost.query_us}}});
            if (row.name == "sphere") sphere = cost;
            if (row.name == "obb") obb = cost;
            if (row.name == "aabb") aabb = cost;
            if (row.name == "aabb-turned") turned = cost;
            std::vector<double> of_rounds;
            for (std::size_t round = 0; round < cost.rounds_query_us.size(); ++round)
                of_rounds.push_back((cost.n_v * cost.rounds_c_v_us[round] + cost.n_p * cost.rounds_c_p_us[round]) /
                                    cost.rounds_query_us[round]);
            shares.push_back(median_of(of_rounds, std::string(row.name)));
        }
        result.claims.push_back(judge({subject.name + ": spheres need more volume tests than OBBs",
                                       "Cornell CS 567, tradeoffs", more_than(1, "x")},
                                      exact(sphere.n_v / obb.n_v)));
        result.claims.push_back(judge({subject.name + ": a test of two spheres is faster than one of two OBBs",
                                       "Cornell CS 567, tradeoffs", more_than(1, "x")},
                                      ratio_of(obb.rounds_c_v_us, sphere.rounds_c_v_us)));
        result.claims.push_back(
            // Never more, because the second box holds the first: a tenth less is required.
            judge({subject.name + ": a turned AABB tested as the OBB that it is needs fewer tests than one "
                                  "that is boxed again",
                   "Cornell CS 567: AABB-AABB becomes AABB-OBB", at_most(0.9, "x")},
                  exact(turned.n_v / aabb.n_v)));
        result.claims.push_back(judge({subject.name + ": and its query is faster", "-", less_than(1, "x the time")},
                                      ratio_of(turned.rounds_query_us, aabb.rounds_query_us)));
        result.claims.push_back(judge({subject.name + ": OBBs need fewer volume tests than turned AABBs",
                                       "Cornell CS 567, tradeoffs", less_than(1, "x")},
                                      exact(obb.n_v / turned.n_v)));
        result.claims.push_back(
            judge({subject.name + ": a query takes n_v c_v + n_p c_p: the sum over the query's time",
                   "Cornell CS 567, cost function", between(0.6, 1.4, "x")},
                  shares));
        draw_if_requested(result, options, tightness);
        draw_if_requested(result, options, total);

        // Construction.
        for (const VolumeRow& row : volume_rows()) {
            if (row.name == "hull") continue;
            double wrapped_v = 0.0;
            for (const Construction construction : {Construction::top_down, Construction::bottom_up})
                for (const Bounding bounding : {Bounding::wrapped, Bounding::layered}) {
                    AnyHierarchy tree;
                    const double build_us = min_us(1, [&] {
                        tree = row.build(subject.mesh, {construction, bounding, 2});
                    });
                    const Cost cost = measure(row, tree, poses, options.quick ? 1 : 3);
                    expect_overlap(cost);
                    if (construction == Construction::top_down && bounding == Bounding::wrapped) wrapped_v = cost.n_v;
                    result.rows.push_back(
                        {{"mesh", subject.name},
                         {"construction",
                          std::string(row.name) +
                              (construction == Construction::top_down ? ", top-down, " : ", bottom-up, ") +
                              (bounding == Bounding::wrapped ? "wrapped" : "layered")},
                         {"build_ms", 1e-3 * build_us},
                         {"n_v", cost.n_v},
                         {"times_wrapped_n_v", cost.n_v / wrapped_v},
                         {"n_p", cost.n_p},
                         {"query_us", cost.query_us}});
                }
        }
    }
    if (result.check_failed) result.notes.push_back("a kind of volume found other triangles than another");
    return result;
}

}  // namespace glovebox::vr
