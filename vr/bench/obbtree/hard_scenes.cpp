// Pipes, a torus with every kind of defect, triangle soups: N_v, N_p and the cost of each,
// T = N_v C_v + N_p C_p (slides 39 to 46).
#include <algorithm>
#include <array>
#include <limits>
#include <stdexcept>

#include "collision/mesh/tree_query.h"
#include "collision/query/triangle_pair.h"
#include "collision/survey/tree/sample_meshes.h"
#include "vr/bench/measure.h"
#include "vr/bench/obbtree/sections.h"
#include "vr/bench/obbtree/volume_tree.h"
#include "vr/bench/plot.h"

namespace glovebox::vr {

using collision::Mesh;
using collision::Random;

namespace {

constexpr std::size_t kRounds = 3;

// Cost of all queries of one scene with trees of one volume.
struct SceneCost {
    VolumeCost total;
    double tests_s = 0.0, triangles_s = 0.0;  // N_v C_v and N_p C_p
    std::array<double, kRounds> query_rounds_s{}, tests_rounds_s{};

    double c_v_ns() const { return 1e9 * tests_s / static_cast<double>(total.n_v); }
    double c_p_ns() const { return 1e9 * triangles_s / static_cast<double>(std::max<std::int64_t>(1, total.n_p)); }
};

// Measures queries at one pose, as the minimum of a few rounds, and then the tests alone, over the same pairs in the
// same order. The difference is the cost of the traversal.
void add_pose(SceneCost& cost, const VolumeTree& a, const VolumeTree& b, const Eigen::Isometry3f& pose) {
    const double never = std::numeric_limits<double>::infinity();
    double query_s = never, tests_s = never, triangles_s = never;
    VisitedPairs visited;
    const VolumeCost once = query(a, b, pose, &visited);
    std::int64_t overlapping = 0, touching = 0;
    for (std::size_t round = 0; round < kRounds; ++round) {
        const double query_round_s = query(a, b, pose).seconds,
                     tests_round_s = thread_seconds([&] {
                         for (const auto& [i, j] : visited.nodes)
                             overlapping += volumes_overlap(a, i, b, j, pose) ? 1 : 0;
                     });
        query_s = std::min(query_s, query_round_s);
        tests_s = std::min(tests_s, tests_round_s);
        cost.query_rounds_s[round] += query_round_s;
        cost.tests_rounds_s[round] += tests_round_s;
        triangles_s = std::min(triangles_s, thread_seconds([&] {
                                   for (const auto& [i, j] : visited.leaves)
                                       touching += leaves_touch(a, i, b, j, pose) ? 1 : 0;
                               }));
    }
    // This check also keeps the compiler from removing the loops.
    if (touching != static_cast<std::int64_t>(kRounds) * once.touching || overlapping < touching)
        throw std::logic_error("obbtree: the tests alone answer otherwise than the query");
    cost.total.n_v += once.n_v;
    cost.total.n_p += once.n_p;
    cost.total.touching += once.touching;
    cost.total.seconds += query_s;
    cost.tests_s += tests_s;
    cost.triangles_s += triangles_s;
}

// Collapses every third triangle of a soup to a segment, and every sixth to a point.
Mesh collapsed(Mesh soup) {
    for (std::size_t i = 0; i < soup.triangles.size(); i += 3) {
        const auto& corners = soup.triangles[i];
        soup.vertices_m[corners[2]] = soup.vertices_m[corners[1]];
        if (i % 6 == 0) soup.vertices_m[corners[1]] = soup.vertices_m[corners[2]] = soup.vertices_m[corners[0]];
    }
    return soup;
}

// Tests every pair of triangles whose aligned boxes overlap, without a tree.
std::int64_t touching_by_brute_force(const Mesh& a, const Mesh& b, const Eigen::Isometry3f& a_from_b) {
    struct Boxed {
        collision::Triangle corners_m;
        Eigen::AlignedBox3d box;
    };
    const auto boxed = [](const Mesh& mesh, const Eigen::Isometry3f& pose) {
        std::vector<Boxed> all;
        for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
            Boxed each{
                collision::transformed(pose.cast<double>(), collision::triangle_of(mesh, static_cast<std::int32_t>(i))),
                {}};
            for (const Eigen::Vector3d& corner_m : each.corners_m) each.box.extend(corner_m);
            all.push_back(each);
        }
        return all;
    };
    const std::vector<Boxed> of_a = boxed(a, Eigen::Isometry3f::Identity()), of_b = boxed(b, a_from_b);
    std::int64_t touching = 0;
    for (const Boxed& one : of_a)
        for (const Boxed& other : of_b)
            touching +=
                one.box.intersects(other.box) && collision::triangles_touch(one.corners_m, other.corners_m) ? 1 : 0;
    return touching;
}

}  // namespace

void obbtree_hard_scenes(const BenchOptions& options, BenchResult& result) {
    struct Scene {
        std::string name, label;
        Mesh a, b;
        float reach_m;
    };
    const int fine = options.quick ? 1 : 3, poses = options.quick ? 4 : 20;
    const int checked_poses = options.quick ? poses : 1;  // brute force tests a billion pairs of the fine torus
    std::vector<Scene> scenes;
    scenes.push_back({"pipes, small object inside", "pipes", collision::pipes(60, 12, 20 * fine, 3),
                      collision::torus(30 * fine, 12 * fine), 0.25F});
    for (auto& v : scenes.back().b.vertices_m) v *= 0.06F;
    scenes.push_back(
        {"torus in torus: spikes, dimples, wrinkles, twist", "torus",
         collision::torus(60 * fine, 30 * fine, {.spikes = 0.5, .dimples = 0.15, .wrinkles = 0.03, .twist = 2.0}),
         collision::torus(60 * fine, 30 * fine, {.spikes = 0.5, .dimples = 0.15, .wrinkles = 0.03, .twist = 2.0}),
         1.2F});
    scenes.push_back({"soup without structure", "soup", collision::soup(2000 * fine, 0.03, 5),
                      collision::soup(2000 * fine, 0.03, 6), 1.0F});
    scenes.push_back({"soup with segments and points among its triangles", "degenerate",
                      collapsed(collision::soup(2000 * fine, 0.08, 7)),
                      collapsed(collision::soup(2000 * fine, 0.08, 8)), 1.0F});
    const std::array<std::string, kVolumes.size()> short_names = {"OBB", "AABB", "ball", "boxed"};
    std::vector<Measured> n_v, n_p, c_v, time, differing;
    std::string by_brute;
    std::vector<std::string> labels;
    std::vector<std::pair<std::string, std::vector<double>>> bars = {
        {"N_v C_v", {}}, {"N_p C_p", {}}, {"walk of the trees", {}}};
    for (const Scene& scene : scenes) {
        std::array<SceneCost, kVolumes.size()> costs;
        std::int64_t by_brute_force = 0, unlike_brute_force = 0;
        for (std::size_t v = 0; v < kVolumes.size(); ++v) {
            const VolumeTree a = make_tree(scene.a, kVolumes[v].first), b = make_tree(scene.b, kVolumes[v].first);
            SceneCost& cost = costs[v];
            Random random(7);
            for (int i = 0; i < poses; ++i) {
                Eigen::Isometry3f pose = Eigen::Isometry3f::Identity();
                pose.linear() = random_rotation(random);
                for (int k = 0; k < 3; ++k)
                    pose.translation()[k] = scene.reach_m * static_cast<float>(random.between(-1, 1));
                add_pose(cost, a, b, pose);
                if (i >= checked_poses) continue;
                if (v == 0) by_brute_force += touching_by_brute_force(scene.a, scene.b, pose);
                if (i + 1 == checked_poses) unlike_brute_force += cost.total.touching == by_brute_force ? 0 : 1;
            }
            const double tests_ms = 1e3 * cost.tests_s, triangles_ms = 1e3 * cost.triangles_s,
                         measured_ms = 1e3 * cost.total.seconds;
            result.rows.push_back({{"scene", scene.name},
                                   {"volume", kVolumes[v].second},
                                   {"n_v", cost.total.n_v},
                                   {"c_v_ns", cost.c_v_ns()},
                                   {"n_p", cost.total.n_p},
                                   {"c_p_ns", cost.c_p_ns()},
                                   {"predicted_ms", tests_ms + triangles_ms},
                                   {"measured_ms", measured_ms},
                                   {"contacts", cost.total.touching}});
            // A group of bars for each scene, with the scene's name below the first.
            labels.push_back(short_names[v] + (v == 0 ? " " + scene.label : ""));
            bars[0].second.push_back(tests_ms);
            bars[1].second.push_back(triangles_ms);
            bars[2].second.push_back(std::max(0.0, measured_ms - tests_ms - triangles_ms));
            result.check_failed = result.check_failed || cost.total.touching != costs[0].total.touching;
        }
        result.check_failed = result.check_failed || unlike_brute_force > 0;
        differing.push_back(exact(static_cast<double>(unlike_brute_force), scene.label));
        by_brute += (by_brute.empty() ? "" : ", ") + scene.label + " " + std::to_string(by_brute_force);
        const auto over_obb = [&](std::vector<Measured>& measured, const auto& of) {
            for (std::size_t v = 1; v < kVolumes.size(); ++v)
                measured.push_back(of(costs[v], costs[0], scene.label + ", " + kVolumes[v].second));
        };
        over_obb(n_v, [](const SceneCost& other, const SceneCost& obb, std::string name) {
            return exact(static_cast<double>(other.total.n_v) / static_cast<double>(obb.total.n_v), std::move(name));
        });
        over_obb(n_p, [](const SceneCost& other, const SceneCost& obb, std::string name) {
            return exact(static_cast<double>(other.total.n_p) / static_cast<double>(obb.total.n_p), std::move(name));
        });
        over_obb(c_v, [](const SceneCost& other, const SceneCost& obb, std::string name) {
            std::vector<double> dearer;
            for (std::size_t round = 0; round < kRounds; ++round)
                dearer.push_back(obb.tests_rounds_s[round] / static_cast<double>(obb.total.n_v) /
                                 (other.tests_rounds_s[round] / static_cast<double>(other.total.n_v)));
            return median_of(dearer, std::move(name));
        });
        over_obb(time, [](const SceneCost& other, const SceneCost& obb, std::string name) {
            return ratio_of(other.query_rounds_s, obb.query_rounds_s, std::move(name));
        });
    }
    draw_if_requested(result, options,
                      bars_of("obbtree-cost",
                              "Cost of " + std::to_string(poses) + " queries a scene: T = N_v C_v + N_p C_p + the walk",
                              "milliseconds", labels, bars));
    result.claims.push_back(
        judge({"all contacts are found (slide 44): volumes whose contacts in the checked poses are not "
               "those of brute force",
               "RAPID finds all", exactly(0)},
              differing, by_brute + " contacts by brute force"));
    result.claims.push_back(judge({"AABB and sphere trees need more volume tests N_v than OBB trees (slide 46)",
                                   "asymptotically more", more_than(1, "x")},
                                  n_v));
    result.claims.push_back(judge({"AABB and sphere trees need more triangle tests N_p than OBB trees (slide 46)",
                                   "asymptotically more", more_than(1, "x")},
                                  n_p));
    result.claims.push_back(judge(
        {"a test of two OBBs is an order of magnitude dearer, C_v (slide 46)", "about 10x", at_least(5, "x")}, c_v));
    result.claims.push_back(
        judge({"all contacts come an order of magnitude sooner than with AABB and sphere trees (slide 43)", "about 10x",
               at_least(8, "x")},
              time));
}

}  // namespace glovebox::vr
