// The sampling problem and its solution (slide 17), and flat and infinite boxes (slides 30, 31).
#include <limits>

#include "collision/survey/fit/fitters.h"
#include "collision/survey/tree/sample_meshes.h"
#include "vr/bench/measure.h"
#include "vr/bench/obbtree/sections.h"
#include "vr/bench/obbtree/volume_tree.h"
#include "vr/bench/plot.h"

namespace glovebox::vr {

using collision::Mesh;
using collision::Obb;
using collision::Random;

void obbtree_sampling(const BenchOptions& options, BenchResult& result) {
    Mesh clean = collision::box_mesh({0.5F, 1.0F, 1.5F});
    struct Case {
        std::string name;
        Mesh mesh;
    };
    std::vector<Case> cases = {{"clean", clean}, {"interior vertices", clean}, {"dense patch", clean}};
    Random random(9);
    for (int i = 0; i < 500; ++i) {
        for (std::size_t c = 1; c < 3; ++c) {
            Mesh& mesh = cases[c].mesh;
            const auto first = static_cast<std::uint32_t>(mesh.vertices_m.size());
            for (int corner = 0; corner < 3; ++corner) {
                const double u = random.between(-0.45, 0.45);
                mesh.vertices_m.push_back(
                    c == 1 ? Eigen::Vector3d(u, 2.0 * u, random.between(-0.1, 0.1)).cast<float>()
                           : Eigen::Vector3d(0.5, 0.8 + 0.2 * random.unit(), 1.3 + 0.2 * random.unit()).cast<float>());
            }
            mesh.triangles.push_back({first, first + 1, first + 2});
        }
    }
    std::array<std::array<double, 3>, 3> growth{};
    const std::array names = {"vertex-covariance", "triangle-covariance", "hull-covariance"};
    for (std::size_t c = 0; c < cases.size(); ++c)
        for (std::size_t f = 0; f < names.size(); ++f) {
            std::vector<std::array<std::int32_t, 3>> triangles;
            for (const auto& t : cases[c].mesh.triangles)
                triangles.push_back({static_cast<std::int32_t>(t[0]), static_cast<std::int32_t>(t[1]),
                                     static_cast<std::int32_t>(t[2])});
            collision::PointSet points;
            points.assign(cases[c].mesh.vertices_m);
            const Obb box = collision::find_fitter(names[f])->fit({points, cases[c].mesh.vertices_m, triangles, 1}).box;
            growth[c][f] = double{box.area_m2()} / 22.0;  // the box itself has 22 m2
            result.rows.push_back({{"sampling", cases[c].name},
                                   {"fitter", names[f]},
                                   {"area_over_true", growth[c][f]},
                                   {"volume_over_true", double{box.volume_m3()} / 6.0}});
        }
    std::vector<std::string> labels;
    std::vector<double> area;
    for (std::size_t c = 1; c < cases.size(); ++c)
        for (std::size_t f = 0; f < names.size(); ++f) {
            constexpr std::array kShort = {"vertices", "triangles", "hull"};
            labels.push_back((c == 1 ? "interior, " : "dense, ") + std::string(kShort[f]));
            area.push_back(growth[c][f]);
        }
    draw_if_requested(result, options,
                      bars_of("obbtree-sampling", "Boxes misled by interior vertices and by a dense patch",
                              "times the true box's area", labels, {{"area over the true box's", area}}));
    result.claims.push_back(
        judge({"interior vertices and dense patches turn a box fitted to vertices (slide 17): its area "
               "over the true box's",
               "they affect it", at_least(1.1, "x")},
              std::vector{exact(growth[1][0], "interior"), exact(growth[2][0], "dense patch")}));
    result.claims.push_back(
        judge({"a box fitted to the hull's surface is not misled (slides 17 to 21): its area over the "
               "true box's",
               "convex hull, integrated over triangles", at_most(1.01, "x")},
              std::vector{exact(growth[1][2], "interior"), exact(growth[2][2], "dense patch")}));
}

void obbtree_degenerate(const BenchOptions&, BenchResult& result) {
    const float inf = std::numeric_limits<float>::infinity();
    Random random(10);
    int wrong = 0, tests = 0;
    const auto expect = [&](const Obb& a, const Obb& b, bool truth) {
        ++tests;
        if (collision::overlap(a, b) != truth || collision::overlap(b, a) != truth) ++wrong;
    };
    for (int round = 0; round < 2000; ++round) {
        const Eigen::Matrix3f turn = random_rotation(random), other = random_rotation(random);
        const Eigen::Vector3f at(static_cast<float>(random.between(-1, 1)), static_cast<float>(random.between(-1, 1)),
                                 static_cast<float>(random.between(-1, 1)));
        // A plate, a segment and a point against a box that contains their centre, and one that is 10 m away.
        for (const Eigen::Vector3f& half :
             {Eigen::Vector3f(1, 1, 0), Eigen::Vector3f(1, 0, 0), Eigen::Vector3f(0, 0, 0)}) {
            expect({at, turn, half}, {at, other, {0.1F, 0.1F, 0.1F}}, true);
            expect({at, turn, half}, {at + 10.0F * turn.col(2), other, {0.1F, 0.1F, 0.1F}}, false);
        }
        // Infinite along one axis: the boxes cannot be separated along it, but across it.
        const Obb rod{at, turn, {inf, 0.1F, 0.1F}};
        expect(rod, {at + 1000.0F * turn.col(0), other, {0.1F, 0.1F, 0.1F}}, true);
        expect(rod, {at + 3.0F * turn.col(1), turn, {0.1F, 0.1F, 0.1F}}, false);
        // Infinite along two axes: a slab. Along all three: all of space.
        expect({at, turn, {inf, inf, 0.1F}},
               {at + 50.0F * turn.col(0) - 70.0F * turn.col(1), other, {0.1F, 0.1F, 0.1F}}, true);
        expect({at, turn, {inf, inf, inf}}, {at + 50.0F * turn.col(0), other, {0.0F, 0.0F, 0.0F}}, true);
    }
    result.rows.push_back({{"degenerate and infinite boxes", "plate, segment, point, rod, slab, everywhere"},
                           {"tests", tests},
                           {"wrong", wrong}});
    result.claims.push_back(judge({"degenerate and infinite boxes need no special case (slides 30, 31): wrong answers",
                                   "terms drop out", exactly(0)},
                                  exact(wrong), "of " + std::to_string(tests)));
    result.check_failed = result.check_failed || wrong != 0;
}

}  // namespace glovebox::vr
