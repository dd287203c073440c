// Bounding volumes side by side: how tight, how dear to test and to fit, and what a whole query then costs.
//
// t = n_v c_v + n_p c_p + n_u c_u: n counted by the traversal, c measured by running only that step again on the very
// pairs of the traversal, t measured whole beside the sum.
#include <algorithm>
#include <cstdio>
#include <functional>

#include "collision/exact/triangle_pair.h"
#include "collision/traversal/volume_table.h"
#include "collision/volumes/hull.h"
#include "collision/volumes/sample_meshes.h"
#include "scenes/scene.h"
#include "vr/bench/bench.h"
#include "vr/bench/measure.h"
#include "vr/bench/plot.h"
#include "vr/platform.h"

namespace glovebox::vr {
namespace {

using namespace collision;

/// Least of a few rounds, each long enough to be measured: the cost without the neighbours' noise.
double least_us(int rounds, const std::function<void()>& work) {
    double least = 1e99;
    for (int round = 0; round < rounds; ++round) {
        const std::int64_t start_ns = now_ns();
        work();
        least = std::min(least, 1e-3 * static_cast<double>(now_ns() - start_ns));
    }
    return least;
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
        {"bumpy torus", bumpy_torus(2 * cells, cells)},
        {"finger-like", stretched(bumpy_torus(2 * cells, cells, 0.3F, 0.28F, 0.02F), {1.0F, 5.0F, 0.8F})}};
    for (const std::string& file : options.files)
        all.push_back({std::filesystem::path(file).filename().string(), scenes::load_mesh(file, 1.0F)});
    return all;
}

/// Poses at which the two copies are close: pushed together along random directions until they touch, then off by a
/// bit.
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
        float low_m = 0.0F, high_m = 1.1F * size_m;  // bisection to the touch, from far to near
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
    double sum_us() const { return n_v * c_v_us + n_p * c_p_us; }
};

Cost measure(const VolumeRow& row, const AnyHierarchy& tree, const std::vector<Eigen::Isometry3f>& poses, double c_p_us,
             int rounds) {
    Cost cost;
    TraversalMemory memory;
    Query query;
    query.question = Question::all_pairs;
    std::vector<std::vector<TestedPair>> tested;
    std::int64_t n_v = 0, n_p = 0;
    for (const auto& pose : poses) {
        const Answer answer = row.traverse(tree, tree, pose, query, memory);
        n_v += answer.n_v;
        n_p += answer.n_p;
        tested.push_back(row.tested_pairs(tree, tree, pose));
    }
    const auto count = static_cast<double>(poses.size());
    cost.n_v = static_cast<double>(n_v) / count;
    cost.n_p = static_cast<double>(n_p) / count;
    cost.n_u = static_cast<double>(row.size(tree));
    cost.c_p_us = c_p_us;
    std::int64_t overlapping = 0;
    const double tests_us = least_us(rounds, [&] {
        for (std::size_t i = 0; i < poses.size(); ++i) overlapping += row.test_again(tree, tree, poses[i], tested[i]);
    });
    cost.c_v_us = tests_us / static_cast<double>(n_v);
    cost.query_us = least_us(rounds,
                             [&] {
                                 for (const auto& pose : poses)
                                     overlapping += row.traverse(tree, tree, pose, query, memory).n_v;
                             }) /
                    count;
    if (overlapping == 0) std::fputs("", stderr);  // keeps the tests from being optimised away
    return cost;
}

/// One triangle test, on the pairs that the OBB tree's leaves hand on.
double triangle_test_us(const Mesh& mesh, const std::vector<Eigen::Isometry3f>& poses) {
    const Topology topology = make_topology(mesh, {});
    std::vector<std::pair<Triangle, Triangle>> pairs;
    std::mt19937 random(5);
    std::uniform_int_distribution<std::size_t> any(0, mesh.triangles.size() - 1);
    // Triangles of close leaves: neighbours in the order of the tree under a small random motion.
    for (int i = 0; i < 4000; ++i) {
        const std::size_t at = any(random);
        Eigen::Isometry3d nudge = poses[static_cast<std::size_t>(i) % poses.size()].cast<double>();
        const Triangle a = triangle_at(mesh, topology.order[at]);
        const Eigen::Vector3d middle = (a[0] + a[1] + a[2]) / 3.0;
        nudge.translation() = middle - nudge.linear() * middle +
                              0.7 * (a[1] - a[0]).norm() * random_pose(random, 1.0F).translation().cast<double>();
        pairs.emplace_back(a, moved(nudge, triangle_at(mesh, topology.order[(at + 1) % topology.order.size()])));
    }
    std::int64_t hits = 0;
    const double us = least_us(5, [&] {
        for (const auto& [a, b] : pairs) hits += triangles_touch(a, b) ? 1 : 0;
    });
    return hits >= 0 ? us / static_cast<double>(pairs.size()) : 0.0;
}

}  // namespace

BenchResult bench_volumes(const BenchOptions& options) {
    BenchResult result;
    const int rounds = options.quick ? 2 : 7;
    for (const Subject& subject : subjects(options)) {
        const auto poses = near_poses(subject.mesh, options.frames > 0 ? options.frames : options.quick ? 2 : 24);
        const double c_p_us = triangle_test_us(subject.mesh, poses);
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

        std::vector<std::pair<double, std::string>> by_time;
        double box_ratio = 0.0, tightest_v = 1e99, sphere_v = 0.0, sphere_c = 0.0, obb_c = 0.0, obb_v = 0.0;
        for (const VolumeRow& row : volume_rows()) {
            // Hulls of every node of a large file would take minutes to fit and nothing would be learnt.
            if (row.name == "hull" && subject.mesh.triangles.size() > 5000) {
                result.notes.push_back("hull skipped for " + subject.name + ": more than 5,000 triangles");
                continue;
            }
            AnyHierarchy tree;
            const double build_us = least_us(1, [&] { tree = row.build(subject.mesh, {}); });
            Cost cost = measure(row, tree, poses, c_p_us, rounds);
            const int refits = row.name == "hull" ? 1 : rounds;
            cost.c_u_us = least_us(refits, [&] { row.refit(tree, Bounding::layered); }) / cost.n_u;
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
                                   {"with_refit_us", cost.query_us + cost.n_u * cost.c_u_us}});
            tightness.series.push_back({std::string(row.name), {{1e3 * cost.c_v_us, ratio}}});
            total.series.push_back({std::string(row.name), {{1e3 * cost.c_v_us, cost.query_us}}});
            by_time.emplace_back(cost.query_us, row.name);
            if (row.name == "sphere") sphere_v = cost.n_v, sphere_c = cost.c_v_us;
            if (row.name == "obb") obb_v = cost.n_v, obb_c = cost.c_v_us, box_ratio = cost.sum_us() / cost.query_us;
            tightest_v = std::min(tightest_v, cost.n_v);
        }
        std::sort(by_time.begin(), by_time.end());
        result.claims.push_back({subject.name + ": the tighter the volume, the slower the test and the fewer of them",
                                 "Cornell CS 567, tradeoffs",
                                 text("sphere %.0f tests", sphere_v) + text(" of %.0f ns, ", 1e3 * sphere_c) +
                                     text("OBB %.0f", obb_v) + text(" of %.0f ns; fastest query: ", 1e3 * obb_c) +
                                     by_time.front().second,
                                 sphere_v > obb_v && sphere_c < obb_c});
        result.claims.push_back({subject.name + ": t = n_v c_v + n_p c_p + n_u c_u", "Cornell CS 567, cost function",
                                 text("the sum is %.2f of the measured query (OBB, rigid: n_u = 0)", box_ratio),
                                 box_ratio > 0.6 && box_ratio < 1.4});
        if (!options.figures.empty()) {
            result.notes.push_back(draw(tightness, options.figures));
            result.notes.push_back(draw(total, options.figures));
        }

        // Construction.
        for (const VolumeRow& row : volume_rows()) {
            if (row.name == "hull") continue;
            double wrapped_v = 0.0;
            for (const Construction construction : {Construction::top_down, Construction::bottom_up})
                for (const Bounding bounding : {Bounding::wrapped, Bounding::layered}) {
                    AnyHierarchy tree;
                    const double build_us = least_us(1, [&] {
                        tree = row.build(subject.mesh, {construction, bounding, 2});
                    });
                    const Cost cost = measure(row, tree, poses, c_p_us, options.quick ? 1 : 3);
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
    return result;
}

}  // namespace glovebox::vr
