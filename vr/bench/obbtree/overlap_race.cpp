// Compares box overlap tests: 15 axes for one pair and for sixteen pairs at once, GJK, a linear program, and 144
// edge-face tests (slides 12 and 32).
#include <array>
#include <cmath>
#include <functional>
#include <span>

#include "collision/box/box_columns.h"
#include "collision/query/convex.h"
#include "vr/bench/measure.h"
#include "vr/bench/obbtree/sections.h"
#include "vr/bench/obbtree/volume_tree.h"
#include "vr/bench/plot.h"

namespace glovebox::vr {
namespace {

using collision::Obb;
using collision::Random;

// Tests each of the 12 edges of one box against each of the 6 faces of the other, both ways: 144 tests. If one box is
// inside the other, no edge crosses a face, so the centres are tested too.
bool edges_pierce_faces(const Obb& a, const Obb& b) {
    const Eigen::Vector3f offset_m = b.axes.transpose() * (a.center_m - b.center_m);
    const Eigen::Matrix3f axes = b.axes.transpose() * a.axes;
    for (int k = 0; k < 3; ++k) {
        const int u = (k + 1) % 3, v = (k + 2) % 3;
        for (int corner = 0; corner < 4; ++corner) {
            // The edge along axis k of a, in b's frame, from p to p + d.
            const Eigen::Vector3f p = offset_m + axes.col(u) * ((corner & 1) != 0 ? a.half_m[u] : -a.half_m[u]) +
                                      axes.col(v) * ((corner & 2) != 0 ? a.half_m[v] : -a.half_m[v]) -
                                      axes.col(k) * a.half_m[k];
            const Eigen::Vector3f d = 2.0F * a.half_m[k] * axes.col(k);
            for (int face = 0; face < 6; ++face) {
                const int i = face / 2, i1 = (i + 1) % 3, i2 = (i + 2) % 3;
                const float plane_m = face % 2 == 0 ? b.half_m[i] : -b.half_m[i];
                if (d[i] == 0.0F) continue;
                const float t = (plane_m - p[i]) / d[i];
                if (!(t >= 0.0F && t <= 1.0F)) continue;
                if (std::abs(p[i1] + t * d[i1]) <= b.half_m[i1] && std::abs(p[i2] + t * d[i2]) <= b.half_m[i2])
                    return true;
            }
        }
    }
    return false;
}
bool edge_face_overlap(const Obb& a, const Obb& b) {
    const auto holds_center = [](const Obb& box, const Obb& other) {
        return ((box.axes.transpose() * (other.center_m - box.center_m)).cwiseAbs().array() <= box.half_m.array())
            .all();
    };
    return edges_pierce_faces(a, b) || edges_pierce_faces(b, a) || holds_center(a, b) || holds_center(b, a);
}

// GJK with early exit: stops at the first direction in which the Minkowski difference does not reach the origin. Starts
// with direction `v`, and sets `v` to the direction that decided.
bool gjk_overlap_from(const Obb& a, const Obb& b, Eigen::Vector3d& v) {
    const collision::ConvexCore core_a(a), core_b(b);
    if (v.squaredNorm() == 0.0) return true;
    const double tiny = 1e-24 * std::pow(core_a.size() + core_b.size(), 2);
    collision::Simplex simplex;
    constexpr int kMaxIterations = 64;
    for (int iteration = 0; iteration < kMaxIterations; ++iteration) {
        const Eigen::Vector3d on_a = core_a.support(-v), w = on_a - core_b.support(v);
        if (v.dot(w) > 0.0) return false;
        simplex.push({w, on_a, -1, -1});
        if (collision::reduce(simplex)) return true;
        v = simplex.nearest();
        if (v.squaredNorm() <= tiny) return true;
    }
    return true;
}
bool gjk_overlap(const Obb& a, const Obb& b) {
    Eigen::Vector3d v = (a.center_m - b.center_m).cast<double>();
    return gjk_overlap_from(a, b, v);
}

// Linear programming in fixed dimension [Seidel91]: is there a point in all 12 half spaces of the two boxes? Half
// spaces are added one by one. If one excludes the best point so far, the new best point is on its boundary.
template <int N>
struct HalfSpace {
    Eigen::Matrix<double, N, 1> normal;
    double reach;  // normal . x <= reach
    bool holds(const Eigen::Matrix<double, N, 1>& x) const { return normal.dot(x) <= reach + 1e-9; }
};

// Finds the point farthest along `along` in all half spaces of a plane, within a square of half width `size`. Returns
// false if there is none.
bool best_of_plane(std::span<const HalfSpace<2>> spaces, const Eigen::Vector2d& along, double size,
                   Eigen::Vector2d& best) {
    best = size * Eigen::Vector2d(along.x() < 0.0 ? -1.0 : 1.0, along.y() < 0.0 ? -1.0 : 1.0);
    for (std::size_t i = 0; i < spaces.size(); ++i) {
        if (spaces[i].holds(best)) continue;
        const double length2 = spaces[i].normal.squaredNorm();
        if (length2 < 1e-24) return false;  // the whole plane is excluded
        const Eigen::Vector2d on = spaces[i].normal * (spaces[i].reach / length2),
                              line(-spaces[i].normal.y(), spaces[i].normal.x());
        double low = -1e30, high = 1e30;
        const auto cut = [&](const Eigen::Vector2d& normal, double reach) {
            const double slope = normal.dot(line), room = reach - normal.dot(on);
            if (slope > 1e-12)
                high = std::min(high, room / slope);
            else if (slope < -1e-12)
                low = std::max(low, room / slope);
            else if (room < -1e-9)
                high = -1e30;
        };
        for (std::size_t k = 0; k < i; ++k) cut(spaces[k].normal, spaces[k].reach);
        for (const Eigen::Vector2d& side :
             {Eigen::Vector2d(1, 0), Eigen::Vector2d(-1, 0), Eigen::Vector2d(0, 1), Eigen::Vector2d(0, -1)})
            cut(side, size);
        if (low > high) return false;
        best = on + (line.dot(along) < 0.0 ? low : high) * line;
    }
    return true;
}

bool linear_program_overlap(const Obb& a, const Obb& b) {
    // In a's frame, towards b's centre. The first six half spaces are a's own, so the first best point is its corner.
    const Eigen::Vector3d half = a.half_m.cast<double>();
    const Eigen::Matrix3d axes = (a.axes.transpose() * b.axes).cast<double>();
    const Eigen::Vector3d offset = (a.axes.transpose() * (b.center_m - a.center_m)).cast<double>();
    std::array<HalfSpace<3>, 12> spaces;
    for (int k = 0; k < 3; ++k) {
        spaces[static_cast<std::size_t>(2 * k)] = {Eigen::Vector3d::Unit(k), half[k]};
        spaces[static_cast<std::size_t>(2 * k + 1)] = {-Eigen::Vector3d::Unit(k), half[k]};
        const double at = axes.col(k).dot(offset), reach = double{b.half_m[k]};
        spaces[static_cast<std::size_t>(6 + 2 * k)] = {axes.col(k), at + reach};
        spaces[static_cast<std::size_t>(7 + 2 * k)] = {-axes.col(k), reach - at};
    }
    Eigen::Vector3d best = half.cwiseProduct(offset.unaryExpr([](double x) { return x < 0.0 ? -1.0 : 1.0; }));
    const double size = 2.0 * half.norm() + 1.0;
    for (std::size_t i = 6; i < spaces.size(); ++i) {
        if (spaces[i].holds(best)) continue;
        const Eigen::Vector3d& normal = spaces[i].normal;
        const Eigen::Vector3d on = normal * spaces[i].reach, u = normal.unitOrthogonal(), v = normal.cross(u);
        std::array<HalfSpace<2>, 12> in_plane;
        for (std::size_t k = 0; k < i; ++k)
            in_plane[k] = {{spaces[k].normal.dot(u), spaces[k].normal.dot(v)},
                           spaces[k].reach - spaces[k].normal.dot(on)};
        Eigen::Vector2d at;
        const Eigen::Vector2d along(offset.dot(u), offset.dot(v));
        if (!best_of_plane({in_plane.data(), i}, along, size + on.norm(), at)) return false;
        best = on + at.x() * u + at.y() * v;
    }
    return true;
}

}  // namespace

void obbtree_race(const BenchOptions& options, BenchResult& result) {
    Random random(1);
    constexpr std::size_t kPairs = 2048;  // a multiple of a block
    for (const double spread : {1.1, 3.2}) {
        std::vector<Obb> a(kPairs), b(kPairs);
        for (std::size_t i = 0; i < kPairs; ++i)
            for (Obb* box : {&a[i], &b[i]}) {
                box->axes = random_rotation(random);
                for (int k = 0; k < 3; ++k) {
                    box->center_m[k] = static_cast<float>(random.between(-spread, spread) * 0.5);
                    box->half_m[k] = static_cast<float>(random.between(0.05, 0.6));
                }
            }
        // One box against the sixteen of a block, as a frame tests a bone against objects.
        constexpr std::size_t kBlock = collision::BoxColumns::kBlock;
        std::vector<collision::BoxColumns> blocks;
        for (std::size_t i = 0; i < kPairs; i += kBlock) blocks.emplace_back(std::span(b).subspan(i, kBlock));
        struct Test {
            std::string name;
            std::function<std::size_t()> run;  // tests all pairs (or as many), returns overlaps
            std::vector<double> ns = {};
            std::size_t overlaps = 0;
        };
        const auto count = [&](const auto& overlaps) {
            std::size_t n = 0;
            for (std::size_t i = 0; i < kPairs; ++i) n += overlaps(a[i], b[i]) ? 1 : 0;
            return n;
        };
        std::vector<Test> tests;
        tests.push_back({"15-axis SAT, one pair",
                         [&] { return count([](const Obb& x, const Obb& y) { return collision::overlap(x, y); }); }});
        tests.push_back({"15-axis SAT, SIMD, one against sixteen", [&] {
                             std::size_t n = 0;
                             std::array<std::uint16_t, 1> hits;
                             for (std::size_t i = 0; i < blocks.size(); ++i)
                                 n += static_cast<std::size_t>(collision::overlaps(a[i], blocks[i], hits));
                             return n;
                         }});
        tests.push_back({"GJK, yes or no", [&] { return count(gjk_overlap); }});
        tests.push_back(
            {"GJK, distance or depth", [&] {
                 return count([](const Obb& x, const Obb& y) {
                     return collision::closest(collision::ConvexCore(x), collision::ConvexCore(y)).distance <= 0.0;
                 });
             }});
        tests.push_back({"linear program", [&] { return count(linear_program_overlap); }});
        // Incremental: each pair starts with the direction that decided for a rotation that differs by one degree.
        std::vector<Eigen::Vector3d> before(kPairs);
        const Eigen::Matrix3f degree = Eigen::AngleAxisf(0.0175F, Eigen::Vector3f(1, 2, 3).normalized()).matrix();
        for (std::size_t i = 0; i < kPairs; ++i) {
            before[i] = (a[i].center_m - b[i].center_m).cast<double>();
            gjk_overlap_from({a[i].center_m, degree * a[i].axes, a[i].half_m}, b[i], before[i]);
        }
        tests.push_back({"GJK, incremental", [&] {
                             std::size_t n = 0;
                             for (std::size_t i = 0; i < kPairs; ++i) {
                                 Eigen::Vector3d v = before[i];
                                 n += v.squaredNorm() > 1e-12 ? (gjk_overlap_from(a[i], b[i], v) ? 1U : 0U)
                                                              : (gjk_overlap(a[i], b[i]) ? 1U : 0U);
                             }
                             return n;
                         }});
        tests.push_back({"144 edge-face tests", [&] { return count(edge_face_overlap); }});
        for (int round = 0; round < (options.quick ? 9 : 15); ++round)
            for (Test& test : tests) {
                const double s = thread_seconds([&] { test.overlaps = test.run(); });
                test.ns.push_back(1e9 * s / kPairs);
            }
        const double sat_ns = median(tests[0].ns);
        for (const Test& test : tests)
            result.rows.push_back({{"overlap test", test.name},
                                   {"overlapping", static_cast<double>(test.overlaps) / kPairs},
                                   {"ns", median(test.ns)},
                                   {"against_sat", median(test.ns) / sat_ns}});
        // All tests must agree, except on pairs that touch to within rounding.
        for (std::size_t i = 2; i < tests.size(); ++i) {
            const auto d =
                static_cast<std::ptrdiff_t>(tests[i].overlaps) - static_cast<std::ptrdiff_t>(tests[0].overlaps);
            result.check_failed = result.check_failed || std::abs(d) > 2;
        }
        if (spread > 2.0) continue;
        const std::vector<std::string> labels = {"SAT",
                                                 "SAT, SIMD, one against sixteen",
                                                 "GJK, yes or no",
                                                 "GJK, distance or depth",
                                                 "linear program",
                                                 "GJK, incremental",
                                                 "144 edge-face tests"};
        std::vector<double> pair_ns;
        for (const Test& test : tests) pair_ns.push_back(median(test.ns));
        draw_if_requested(
            result, options,
            bars_of("obbtree-race", "Overlap tests of two boxes", "nanoseconds a pair", labels, {{"a pair", pair_ns}}));
        const auto over_sat = [&](std::size_t i) { return ratio_of(tests[i].ns, tests[0].ns, tests[i].name); };
        result.claims.push_back(
            judge({"the 15-axis test is about ten times faster than general convex tests (slide 32)",
                   "10x over GJK and linear programming", at_least(5, "x")},
                  std::vector{over_sat(2), over_sat(3), over_sat(4), over_sat(5)}));
        result.claims.push_back(
            judge({"and than 144 edge-face tests (slide 32)", "much faster", at_least(5, "x")}, over_sat(6)));
    }
}

}  // namespace glovebox::vr
