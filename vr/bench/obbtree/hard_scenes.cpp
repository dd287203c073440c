// Pipes, a torus with every kind of trouble, a soup: N_v, N_p and what each costs, T = N_v C_v + N_p C_p (slides 41 to
// 46).
#include <algorithm>
#include <limits>

#include "collision/exact/triangle_pair.h"
#include "collision/tree/sample_meshes.h"
#include "collision/tree/tree_query.h"
#include "vr/bench/figure.h"
#include "vr/bench/measure.h"
#include "vr/bench/obbtree/sections.h"
#include "vr/bench/obbtree/volume_tree.h"

namespace glovebox::vr {

using collision::Mesh;
using collision::Random;

void obbtree_hard_scenes(const BenchOptions& options, BenchResult& result) {
    struct Scene {
        std::string name, label;
        Mesh a, b;
        float reach_m;
    };
    const int fine = options.quick ? 1 : 3;
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
    std::string measured;
    std::string times;
    bool fewer = true, dearer = false, sooner = true;
    std::vector<std::string> labels;
    std::vector<Series> bars = {{"N_v C_v", "#0072b2", {}}, {"N_p C_p", "#d55e00", {}}};
    for (const Scene& scene : scenes) {
        std::array<VolumeCost, 3> total;
        std::array<std::int64_t, 3> touching{};
        std::array<double, 3> c_v_ns{}, c_p_ns{};
        for (std::size_t v = 0; v < kVolumes.size(); ++v) {
            const VolumeTree a = make_tree(scene.a, kVolumes[v].first), b = make_tree(scene.b, kVolumes[v].first);
            Random random(7);
            for (int i = 0; i < (options.quick ? 4 : 20); ++i) {
                Eigen::Isometry3f pose = Eigen::Isometry3f::Identity();
                pose.linear() = random_rotation(random);
                for (int k = 0; k < 3; ++k)
                    pose.translation()[k] = scene.reach_m * static_cast<float>(random.between(-1, 1));
                const VolumeCost cost = query(a, b, pose);
                total[v].n_v += cost.n_v;
                total[v].n_p += cost.n_p;
                total[v].seconds += cost.seconds;
                touching[v] += cost.touching;
            }
            // C_v and C_p by themselves, over pairs of nodes and of triangles as the queries meet them.
            constexpr int kTests = 20000;
            const Eigen::Isometry3f pose(Eigen::AngleAxisf(0.5F, Eigen::Vector3f::UnitZ()));
            std::size_t hits = 0;
            const auto node_of = [&](const VolumeTree& t) {
                return static_cast<std::int32_t>(random.unit() * static_cast<double>(t.tree.nodes.size()));
            };
            std::vector<std::pair<std::int32_t, std::int32_t>> some;
            for (int i = 0; i < kTests; ++i) some.emplace_back(node_of(a), node_of(b));
            c_v_ns[v] = c_p_ns[v] = std::numeric_limits<double>::infinity();
            for (int round = 0; round < 5; ++round) {
                c_v_ns[v] = std::min(c_v_ns[v], 1e9 / kTests * thread_seconds([&] {
                                                    for (const auto& [i, j] : some)
                                                        hits += volumes_overlap(a, i, b, j, pose) ? 1 : 0;
                                                }));
                c_p_ns[v] = std::min(c_p_ns[v],
                                     1e9 / kTests * thread_seconds([&] {
                                         for (const auto& [i, j] : some) {
                                             const auto ta = collision::triangle_at(
                                                 scene.a, i % static_cast<std::int32_t>(scene.a.triangles.size()));
                                             const auto tb = collision::triangle_at(
                                                 scene.b, j % static_cast<std::int32_t>(scene.b.triangles.size()));
                                             hits += collision::triangles_touch(ta, collision::moved(pose, tb)) ? 1 : 0;
                                         }
                                     }));
            }
            result.rows.push_back({{"scene", scene.name},
                                   {"volume", kVolumes[v].second},
                                   {"n_v", total[v].n_v},
                                   {"c_v_ns", c_v_ns[v]},
                                   {"n_p", total[v].n_p},
                                   {"c_p_ns", c_p_ns[v]},
                                   {"predicted_ms", 1e-6 * (static_cast<double>(total[v].n_v) * c_v_ns[v] +
                                                            static_cast<double>(total[v].n_p) * c_p_ns[v])},
                                   {"measured_ms", 1e3 * total[v].seconds},
                                   {"contacts", touching[v]}});
            labels.push_back(scene.label + " " + kVolumes[v].second);
            bars[0].values.push_back(1e-6 * static_cast<double>(total[v].n_v) * c_v_ns[v]);
            bars[1].values.push_back(1e-6 * static_cast<double>(total[v].n_p) * c_p_ns[v]);
            if (hits == 0) result.notes.push_back("nothing overlapped while " + scene.name + " was timed");
            result.check_failed = result.check_failed || touching[v] != touching[0];
        }
        fewer = fewer && total[0].n_v <= total[1].n_v && total[0].n_v <= total[2].n_v;
        dearer = dearer || c_v_ns[0] > 5.0 * c_v_ns[2];
        const double aabb = total[1].seconds / total[0].seconds, sphere = total[2].seconds / total[0].seconds;
        sooner = sooner && aabb >= 8.0 && sphere >= 8.0;
        times += scene.name + ": " + three_digits(aabb) + " and " + three_digits(sphere) + "; ";
        measured += scene.name + ": N_v " +
                    three_digits(static_cast<double>(total[1].n_v) / static_cast<double>(total[0].n_v)) + " and " +
                    three_digits(static_cast<double>(total[2].n_v) / static_cast<double>(total[0].n_v)) +
                    " times that of OBBs, C_v of OBBs " + three_digits(c_v_ns[0] / c_v_ns[1]) + " and " +
                    three_digits(c_v_ns[0] / c_v_ns[2]) + " times theirs; ";
    }
    draw_bars_if_asked(result, options, "obbtree-cost", "What the queries of three scenes cost: N_v C_v + N_p C_p",
                       "milliseconds", labels, bars);
    result.claims.push_back({"C_v of OBBs is an order of magnitude dearer, N_v and N_p are lower (slide 46)",
                             "about 10x dearer", "AABB and sphere trees: " + measured, fewer && dearer});
    result.claims.push_back(
        {"all contacts come an order of magnitude sooner than with AABB and sphere trees (slide 43)", "about 10x",
         "T of AABB and sphere trees over that of OBBs: " + times, sooner});
}

}  // namespace glovebox::vr
