// Compares ways of traversing two trees: orders, descent rules, fronts with coherence, deadlines, updates on demand,
// swept spheres.
#include <algorithm>
#include <cmath>

#include "collision/survey/traversal/deforming.h"
#include "collision/survey/traversal/front.h"
#include "collision/survey/traversal/volume_table.h"
#include "collision/survey/tree/sample_meshes.h"
#include "collision/survey/volumes/boxes.h"
#include "collision/survey/volumes/sphere_polygon.h"
#include "vr/bench/bench.h"
#include "vr/bench/measure.h"
#include "vr/bench/plot.h"
#include "vr/platform/platform.h"

namespace glovebox::vr {
namespace {

using namespace collision;
using Tree = Hierarchy<ObbVolume>;

double now_us(void*) {
    return 1e-3 * static_cast<double>(now_ns());
}

struct Named {
    Order order;
    const char* name;
};
constexpr Named kOrders[] = {
    {Order::depth_first, "depth-first"}, {Order::breadth_first, "breadth-first"}, {Order::best_first, "best-first"}};
constexpr std::pair<Descent, const char*> kDescents[] = {
    {Descent::by_area, "by area"}, {Descent::by_depth, "by depth"}, {Descent::alternate, "alternate"}};

/// Returns the pose at time t, from 0 to 4, of a torus that passes through another and away again.
Eigen::Isometry3f passing(float t) {
    Eigen::Isometry3f pose = Eigen::Isometry3f::Identity();
    pose.linear() = Eigen::AngleAxisf(0.5F + 0.2F * t, Eigen::Vector3f(1, 0.3F, 0.2F).normalized()).toRotationMatrix();
    pose.translation() = Eigen::Vector3f(3.6F * std::cos(1.57F * t), 0.2F, 0.3F);
    return pose;
}

void orders_and_descents(BenchResult& result, const Tree& tree, int poses) {
    std::mt19937 random(13);
    std::vector<Eigen::Isometry3f> touching, apart;
    for (int i = 0; i < poses; ++i) {
        touching.push_back(random_pose(random, 1.9F));
        apart.push_back(random_pose(random, 3.3F));
    }
    std::int64_t best_v = 0, depth_v = 0;
    int differing = 0;
    for (const auto& [question, name] : {std::pair{Question::first_hit, "first hit"},
                                         {Question::all_pairs, "all pairs"},
                                         {Question::distance, "distance"},
                                         {Question::tolerance, "closer than 1 m"}}) {
        // The results of the first traversal for each pose. Which pair is hit first depends on the traversal.
        struct Found {
            bool any;
            float distance_m;
            std::vector<TriangleHit> hits;
            bool operator==(const Found&) const = default;
        };
        std::vector<Found> expected;
        for (const Named& order : kOrders)
            for (const auto& [descent, rule] : kDescents) {
                const bool measures = question == Question::distance || question == Question::tolerance;
                TraversalMemory memory;
                Query query;
                query.question = question;
                query.order = order.order;
                query.descent = descent;
                if (question == Question::tolerance) query.bound_m = 1.0F;
                std::int64_t n_v = 0, n_p = 0, took_ns = 0;
                // A breadth-first distance query visits nearly all nodes before any near triangle: use few poses.
                const int count =
                    question == Question::distance && order.order == Order::breadth_first ? std::min(poses, 4) : poses;
                for (int i = 0; i < count; ++i) {
                    const auto& pose = (measures ? apart : touching)[static_cast<std::size_t>(i)];
                    const std::int64_t start_ns = thread_cpu_ns();
                    const Answer answer = traverse(tree, tree, pose, query, memory);
                    took_ns += thread_cpu_ns() - start_ns;
                    n_v += answer.n_v;
                    n_p += answer.n_p;
                    std::ranges::sort(memory.hits);
                    const Found found = {answer.found, question == Question::distance ? answer.distance_m : 0.0F,
                                         memory.hits};
                    if (expected.size() == static_cast<std::size_t>(i)) expected.push_back(found);
                    differing += found == expected[static_cast<std::size_t>(i)] ? 0 : 1;
                }
                const double us = 1e-3 * static_cast<double>(took_ns) / count;
                result.rows.push_back({{"question", name},
                                       {"order", order.name},
                                       {"descend", rule},
                                       {"n_v", n_v / count},
                                       {"n_p", n_p / count},
                                       {"query_us", us}});
                if (question == Question::distance && descent == Descent::by_area)
                    (order.order == Order::best_first    ? best_v
                     : order.order == Order::depth_first ? depth_v
                                                         : n_p) = n_v;
            }
    }
    result.check_failed = result.check_failed || differing > 0;
    result.claims.push_back(judge(
        {"orders and rules of descent that find other pairs or distances", "none", exactly(0)}, exact(differing)));
    result.claims.push_back(judge(
        {"for a distance best-first needs fewer volume tests than depth-first",
         "Ericson 2005, figure 6.4; Cornell CS 567", less_than(1, "x")},
        exact(static_cast<double>(best_v) / static_cast<double>(depth_v)),
        text("%.0f and %.0f a query", static_cast<double>(best_v) / poses, static_cast<double>(depth_v) / poses)));
}

void fronts(BenchResult& result, const BenchOptions& options, const Tree& tree) {
    Plot figure = {.name = "front-coherence",
                   .title = "Front tracking: visits against coherence",
                   .x_label = "motion in a frame, mm (body 2.8 m across)",
                   .y_label = "volume tests / tests from the root",
                   .log_x = true};
    double slow = 0.0;
    for (const float step : options.quick ? std::vector{0.004F} : std::vector{0.0003F, 0.001F, 0.003F, 0.01F, 0.03F})
        for (const int climb : {1, 2, 4, 8, 1 << 30}) {
            Front<ObbVolume> front(tree, tree, Descent::by_area, climb);
            TraversalMemory memory;
            std::vector<TriangleHit> hits;
            Query query;
            query.question = Question::all_pairs;
            std::int64_t tracked = 0, from_root = 0;
            double front_us = 0.0, root_us = 0.0;
            const int frames = std::min(options.quick ? 40 : 600, static_cast<int>(4.0F / step));
            // With small steps, the frames cover only the middle of the passage; otherwise all of it.
            const float start = std::max(0.0F, 0.6F - 0.5F * step * static_cast<float>(frames));
            for (int frame = 0; frame < frames; ++frame) {
                const Eigen::Isometry3f pose = passing(start + step * static_cast<float>(frame));
                const std::int64_t t0 = thread_cpu_ns();
                tracked += front.track(pose, hits).n_v;
                const std::int64_t t1 = thread_cpu_ns();
                from_root += traverse(tree, tree, pose, query, memory).n_v;
                const std::int64_t t2 = thread_cpu_ns();
                front_us += 1e-3 * static_cast<double>(t1 - t0);
                root_us += 1e-3 * static_cast<double>(t2 - t1);
                std::ranges::sort(hits);
                std::ranges::sort(memory.hits);
                result.check_failed = result.check_failed || hits != memory.hits;
            }
            const double ratio = static_cast<double>(tracked) / static_cast<double>(from_root),
                         motion_mm = 1e3 * 3.6 * 1.57 * double{step};
            const std::string label = climb > 1000 ? "never climbs" : "climbs after " + std::to_string(climb);
            result.rows.push_back({{"front", label},
                                   {"motion_mm", motion_mm},
                                   {"n_v", tracked / frames},
                                   {"n_v_from_root", from_root / frames},
                                   {"ratio", ratio},
                                   {"frame_us", front_us / frames},
                                   {"from_root_us", root_us / frames}});
            bool known = false;
            for (PlotSeries& series : figure.series)
                if (series.label == label) series.points.emplace_back(motion_mm, ratio), known = true;
            if (!known) figure.series.push_back({label, {{motion_mm, ratio}}});
            if (climb == 2 && (slow == 0.0 || options.quick)) slow = ratio;
        }
    result.claims.push_back(judge({"starting at the last frame's front saves volume tests when motion is coherent",
                                   "Klosowski 1998; Li and Chen 1998", less_than(0.8, "x")},
                                  exact(slow), "at the slowest motion"));
    draw_if_requested(result, options, figure);
}

void deadlines(BenchResult& result, const BenchOptions& options, const Tree& tree) {
    Plot figure = {.name = "deadline",
                   .title = "A distance with a deadline: how far it gets",
                   .x_label = "budget, us",
                   .y_label = "m",
                   .log_x = true};
    figure.series = {{"nearest pair found", {}}, {"proven lower bound", {}}};
    std::mt19937 random(4);
    const Eigen::Isometry3f pose = random_pose(random, 3.2F);
    TraversalMemory memory;
    std::vector<Measured> overruns;
    for (const double budget_us :
         options.quick ? std::vector{50.0} : std::vector{5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1000.0, 2000.0}) {
        // Median of several runs: deadlines are in wall time, which other programs share.
        std::vector<std::pair<double, Answer>> runs;
        for (int run = 0; run < 9; ++run) {
            Query query;
            query.question = Question::distance;
            query.order = Order::best_first;
            const double start_us = now_us(nullptr);
            query.deadline = {now_us, nullptr, start_us + budget_us};
            const Answer answer = traverse(tree, tree, pose, query, memory);
            runs.emplace_back(now_us(nullptr) - start_us, answer);
        }
        std::sort(runs.begin(), runs.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
        const auto& [took_us, answer] = runs[runs.size() / 2];
        std::vector<double> overrun_us;
        for (const auto& [run_us, run] : runs)
            if (!run.complete) overrun_us.push_back(run_us - budget_us);
        if (!overrun_us.empty()) overruns.push_back(median_of(overrun_us, text("%g us", budget_us)));
        result.rows.push_back({{"budget_us", budget_us},
                               {"took_us", took_us},
                               {"complete", answer.complete},
                               {"share_done", double{answer.share_done}},
                               {"found_m", double{answer.distance_m}},
                               {"proven_m", double{answer.proven_m}},
                               {"pairs_left", answer.pairs_left}});
        if (std::isfinite(answer.distance_m))
            figure.series[0].points.emplace_back(budget_us, double{answer.distance_m});
        figure.series[1].points.emplace_back(budget_us, double{answer.proven_m});
    }
    result.claims.push_back(judge({"a traversal can be stopped at a deadline: it stops after its budget by",
                                   "Hubbard 1996", less_than(50, " us")},
                                  overruns));
    std::erase_if(figure.series, [](const PlotSeries& series) { return series.points.empty(); });
    draw_if_requested(result, options, figure);
}

void updates_on_demand(BenchResult& result, const BenchOptions& options) {
    Plot figure = {.name = "update-on-demand",
                   .title = "Two rippling sheets: updating boxes on demand",
                   .x_label = "gap between the sheets, mm",
                   .y_label = "us per frame (update and query)"};
    figure.series = {{"full", {}}, {"on demand", {}}};
    const int cells = options.quick ? 24 : 72;
    double apart_ratio = 0.0, close_ratio = 0.0;
    Measured apart, close;
    for (const float gap_mm : options.quick
                                  ? std::vector{1.0F, 200.0F}
                                  : std::vector{0.0F, 5.0F, 10.0F, 20.0F, 40.0F, 60.0F, 80.0F, 120.0F, 200.0F}) {
        const Mesh lower = sheet(cells, 0.0F), upper = sheet(cells, 1e-3F * gap_mm);
        std::array<std::vector<double>, 2> frame_us;
        std::array<std::int64_t, 2> fitted{}, read{};
        const int frames = options.quick ? 4 : 20;
        OnDemandTree full_a(lower), full_b(upper), lazy_a(lower), lazy_b(upper);
        for (int frame = 0; frame < frames; ++frame) {
            std::array<std::vector<Eigen::Vector3f>, 2> moved = {lower.vertices_m, upper.vertices_m};
            for (auto& vertices : moved)
                for (auto& v : vertices)
                    v.y() += 0.03F * std::sin(9.0F * v.x() + 0.3F * static_cast<float>(frame)) * std::cos(7.0F * v.z());
            std::array<std::vector<TriangleHit>, 2> hits;
            // The order alternates between frames, because the second one finds the vertices in the cache.
            for (const std::size_t turn : {std::size_t{0}, std::size_t{1}}) {
                const std::size_t k = (turn + static_cast<std::size_t>(frame)) % 2;
                OnDemandTree &a = k == 0 ? full_a : lazy_a, &b = k == 0 ? full_b : lazy_b;
                TraversalMemory memory;
                const std::int64_t start_ns = thread_cpu_ns();
                a.move(moved[0], k == 0 ? Update::full : Update::on_demand);
                b.move(moved[1], k == 0 ? Update::full : Update::on_demand);
                all_pairs(a, b, memory);
                frame_us[k].push_back(1e-3 * static_cast<double>(thread_cpu_ns() - start_ns));
                fitted[k] += (a.boxes_fitted() + b.boxes_fitted()) / frames;
                read[k] += (a.triangles_read() + b.triangles_read()) / frames;
                hits[k] = memory.hits;
                std::ranges::sort(hits[k]);
            }
            result.check_failed = result.check_failed || hits[0] != hits[1];
        }
        result.rows.push_back({{"gap_mm", double{gap_mm}},
                               {"full_us", median(frame_us[0])},
                               {"on_demand_us", median(frame_us[1])},
                               {"full_n_u", fitted[0]},
                               {"on_demand_n_u", fitted[1]},
                               {"full_triangles_read", read[0]},
                               {"on_demand_triangles_read", read[1]}});
        for (const std::size_t k : {std::size_t{0}, std::size_t{1}})
            figure.series[k].points.emplace_back(double{gap_mm}, median(frame_us[k]));
        apart = ratio_of(medians_of_stretches(frame_us[1]), medians_of_stretches(frame_us[0]));
        if (close_ratio == 0.0) close = apart;
        if (close_ratio == 0.0)
            close_ratio = static_cast<double>(read[1] + fitted[1]) / static_cast<double>(read[0] + fitted[0]);
        apart_ratio = static_cast<double>(read[1] + fitted[1]) / static_cast<double>(read[0] + fitted[0]);
    }
    result.claims.push_back(
        judge({"updating on demand pays when most boxes do not overlap: its time over a full update's",
               "Larsson and Akenine-Moller 2001", less_than(1, "x")},
              apart, text("%.2f of the boxes and triangles", apart_ratio)));
    result.claims.push_back(judge(
        {"in close proximity all levels are built on demand and the approach offers no advantage: its time over a "
         "full update's",
         "Schmidl 2004, section 2", at_least(1, "x")},
        close, text("%.2f of the boxes and triangles", close_ratio)));
    draw_if_requested(result, options, figure);
}

void swept_spheres(BenchResult& result) {
    std::mt19937 random(2);
    std::uniform_real_distribution<double> unit(-1.0, 1.0);
    const std::vector<Eigen::Vector3d> polygon = {
        {0.5, 0, 0}, {0.2, 0.5, 0}, {-0.4, 0.3, 0}, {-0.4, -0.4, 0}, {0.3, -0.5, 0}};
    std::vector<std::pair<Eigen::Vector3d, Eigen::Vector3d>> moves;
    for (int i = 0; i < 20000; ++i)
        moves.push_back({{unit(random), unit(random), unit(random)}, {unit(random), unit(random), 2.0 * unit(random)}});
    int rest = 0, swept = 0;
    const std::int64_t t0 = now_ns();
    for (const auto& [center, motion] : moves) rest += sphere_overlaps(center, 0.1, polygon) ? 1 : 0;
    const std::int64_t t1 = now_ns();
    for (const auto& [center, motion] : moves) swept += sweep_sphere(center, 0.1, motion, polygon) ? 1 : 0;
    const std::int64_t t2 = now_ns();
    for (const auto& [name, ns, hits] :
         {std::tuple{"sphere at rest, 5 corners", t1 - t0, rest}, {"ray against the inflated polygon", t2 - t1, swept}})
        result.rows.push_back({{"sphere against polygon", name},
                               {"ns", static_cast<double>(ns) / static_cast<double>(moves.size())},
                               {"hits_of_20000", hits}});
}

}  // namespace

BenchResult bench_traversal(const BenchOptions& options) {
    BenchResult result;
    const int cells = options.quick ? 12 : 30;
    const Tree tree = Tree::build(wavy_torus(2 * cells, cells));
    orders_and_descents(result, tree, options.frames > 0 ? options.frames : options.quick ? 3 : 40);
    fronts(result, options, tree);
    deadlines(result, options, tree);
    updates_on_demand(result, options);
    swept_spheres(result);
    if (result.check_failed) result.notes.push_back("a way of walking the trees found other pairs than another");
    return result;
}

}  // namespace glovebox::vr
