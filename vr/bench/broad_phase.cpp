// Compares broad phases: many moving bodies, rocks on a slope, motion against swaps, worst cases, and peers.
#include <algorithm>
#include <cmath>
#include <map>

#include "collision/body/refit.h"
#include "collision/broad_phase/moving_bodies.h"
#include "collision/query/collide.h"
#include "collision/survey/rock_slope.h"
#include "scenes/hand_body.h"
#include "tracking/forward_kinematics.h"
#include "tracking/names.h"
#include "vr/bench/bench.h"
#include "vr/bench/measure.h"
#include "vr/bench/peers.h"
#include "vr/bench/plot.h"
#include "vr/bench/space_time.h"
#include "vr/platform/platform.h"

namespace glovebox::vr {
namespace {

using namespace collision;

/// Bodies of 7 to 20 cm in a room, with about 1.5 overlapping pairs per body.
WorldSettings room(int bodies, float step_m) {
    const float half_m = 0.084F * std::cbrt(static_cast<float>(bodies));
    return {.name = "room",
            .bodies = bodies,
            .room_half_m = {half_m, half_m, half_m},
            .size_min_m = 0.07F,
            .size_max_m = 0.2F,
            .step_m = step_m};
}
/// The same bodies on its floor.
WorldSettings floor(int bodies, float step_m) {
    WorldSettings world = room(bodies, step_m);
    const float half_m = 0.13F * std::sqrt(static_cast<float>(bodies));
    world.room_half_m = {half_m, 0.03F, half_m};
    return world;
}

struct Lane {
    const BroadPhase* row;
    std::unique_ptr<BroadPhaseMemory> memory;
    std::vector<BodyPair> pairs;
    BroadPhaseCounts counts;
    std::vector<double> step_us;
};

/// Runs all methods on the same moving bodies, in turn in every step, so that drift of the machine affects all alike.
/// `advance` moves the world and returns its bodies. Methods of quadratic cost skip large worlds.
template <typename Advance>
std::vector<Lane> race(int bodies, int steps, Advance advance, bool& agree) {
    std::vector<Lane> lanes;
    for (const BroadPhase& row : broad_phases())
        if (bodies <= 3000 || (row.name != "brute" && row.name != "octree"))
            lanes.push_back({&row, row.make_memory(), {}, {}, {}});
    constexpr int kWarmUp = 3;
    // CPU time excludes other programs, which interrupt long steps. For short steps, reading the CPU clock would take
    // too long.
    const auto clock_ns = bodies < 300 ? now_ns : thread_cpu_ns;
    for (int step = 0; step < steps + kWarmUp; ++step) {
        const Bodies now = advance();
        for (std::size_t k = 0; k < lanes.size(); ++k) {
            Lane& lane = lanes[(k + static_cast<std::size_t>(step)) % lanes.size()];
            if (step == kWarmUp) lane.counts = {};
            const std::int64_t start_ns = clock_ns();
            lane.row->find_pairs(*lane.memory, now, lane.pairs, lane.counts);
            if (step >= kWarmUp) lane.step_us.push_back(1e-3 * static_cast<double>(clock_ns() - start_ns));
        }
        for (Lane& lane : lanes) {
            std::ranges::sort(lane.pairs);  // each method lists them in its own order
            agree = agree && lane.pairs == lanes.front().pairs;
        }
    }
    return lanes;
}

std::vector<Lane> race(const WorldSettings& settings, int steps, bool& agree) {
    MovingBodies world(settings, 5);
    return race(
        settings.bodies, steps,
        [&] {
            world.step();
            return world.bodies();
        },
        agree);
}

void add_rows(BenchResult& result, const std::string& work, const std::vector<Lane>& lanes) {
    const double fastest = median(std::min_element(lanes.begin(), lanes.end(), [](const Lane& a, const Lane& b) {
                                      return median(a.step_us) < median(b.step_us);
                                  })->step_us);
    for (const Lane& lane : lanes) {
        const auto per_step = [&](std::int64_t count) {
            return count / static_cast<std::int64_t>(lane.step_us.size());
        };
        result.rows.push_back(
            {{"work", work},
             {"method", lane.row->name},
             {"step_us", median(lane.step_us)},
             {"times_fastest", median(lane.step_us) / fastest},
             {"pairs", lane.pairs.size()},
             {"box_tests", per_step(lane.counts.box_tests)},
             {"updates", per_step(lane.counts.updates)},
             {"swaps", per_step(lane.counts.swaps[0] + lane.counts.swaps[1] + lane.counts.swaps[2])}});
    }
}

std::int64_t swaps(const std::vector<Lane>& lanes, int axis = -1) {
    for (const Lane& lane : lanes)
        if (lane.row->name == "sweep-and-prune") {
            const auto& s = lane.counts.swaps;
            return (axis < 0 ? s[0] + s[1] + s[2] : s[static_cast<std::size_t>(axis)]) /
                   static_cast<std::int64_t>(lane.step_us.size());
        }
    return 0;
}

/// Draws the slope: each rock as a dot, each pair as a line.
Plot picture_of_slope(int rocks) {
    RockSlope slope(rocks, 3);
    for (int step = 0; step < 200; ++step) slope.step(1.0F / 60.0F);
    const BroadPhase& row = broad_phases().front();
    std::vector<BodyPair> pairs;
    BroadPhaseCounts counts;
    row.find_pairs(*row.make_memory(), slope.bodies(), pairs, counts);
    Plot figure = {.name = "rock-slope",
                   .title = std::to_string(rocks) + " rocks on the slope, and the pairs found",
                   .x_label = "across, m",
                   .y_label = "down, m"};
    figure.style = Plot::Style::strokes;
    PlotSeries strokes = {"pairs", {}}, dots = {"rocks", {}};
    const auto at = [&](std::size_t body) {
        const Aabb& box = slope.bodies().boxes[body];
        return std::pair{0.5 * double{box.min_m.x() + box.max_m.x()}, -0.5 * double{box.min_m.z() + box.max_m.z()}};
    };
    for (std::size_t body = 0; body < slope.bodies().boxes.size(); ++body)
        if (slope.bodies().boxes[body].min_m.x() <= slope.bodies().boxes[body].max_m.x())
            dots.points.push_back(at(body));
    for (const BodyPair pair : pairs) {
        strokes.points.push_back(at(static_cast<std::size_t>(pair.a)));
        strokes.points.push_back(at(static_cast<std::size_t>(pair.b)));
    }
    figure.series = {dots, strokes};
    figure.styles = {{"rocks", Plot::Style::marks}};
    return figure;
}

void add_peers(BenchResult& result, bool quick) {
    const PeerAnswer answer = run_peer_program("glovebox_broad_phase_peers", quick ? "--quick" : "", result.notes);
    std::map<std::string, std::pair<Measured, std::string>> nearest;
    for (const auto& row : answer.rows) {
        const auto peer = row["peer"].get<std::string>();
        if (peer.starts_with("glovebox")) continue;
        result.rows.push_back(row);
        const double ratio = row["ratio"].get<double>();
        const Measured measured{{},
                                ratio,
                                std::min(ratio, row["ratio_min"].get<double>()),
                                std::max(ratio, row["ratio_max"].get<double>())};
        const auto [best, first] = nearest.try_emplace(row["work"].get<std::string>(), measured, peer);
        if (!first && ratio < best->second.first.value) best->second = {measured, peer};
    }
    for (const auto& [work, best] : nearest)
        result.claims.push_back(judge(
            {"the default is the fastest broad phase of all: " + work, "this project's own aim", more_than(1, "x")},
            best.first, "nearest peer: " + best.second));
}

int steps_of(const BenchOptions& options, int bodies) {
    return options.frames > 0 ? options.frames : options.quick ? 4 : bodies > 3000 ? 30 : 150;
}

// Number of bodies: which method is fastest at which count.
void race_counts(const BenchOptions& options, BenchResult& result, bool& agree) {
    Plot by_count = {.name = "broad-phase-bodies",
                     .title = "Step of a broad phase, bodies moving 5 mm a step",
                     .x_label = "bodies",
                     .y_label = "us per step",
                     .log_x = true,
                     .log_y = true};
    for (const int bodies : options.quick ? std::vector{30, 300} : std::vector{10, 30, 100, 300, 1000, 3000, 10000}) {
        const auto lanes = race(room(bodies, 0.005F), steps_of(options, bodies), agree);
        add_rows(result, std::to_string(bodies) + " bodies, 5 mm", lanes);
        for (const Lane& lane : lanes) add_point(by_count, lane.row->name, bodies, median(lane.step_us));
        if (bodies >= 1000 && (bodies == 1000 || bodies == 10000)) {
            std::vector<Measured> times;
            for (const Lane& lane : lanes)
                if (&lane != &lanes.front())
                    times.push_back(ratio_of(medians_of_stretches(lanes.front().step_us),
                                             medians_of_stretches(lane.step_us), std::string(lane.row->name)));
            result.claims.push_back(judge({"the table's first entry is the fastest of ours with " +
                                               std::to_string(bodies) + " moving bodies: its time over the next best's",
                                           "this project's own aim", at_most(1.1, "x")},
                                          *std::ranges::max_element(times, {}, &Measured::value)));
        }
    }
    draw_if_requested(result, options, by_count);
}

// Motion: the gain from coherence.
void race_motion(const BenchOptions& options, BenchResult& result, bool& agree) {
    Plot by_motion = {.name = "broad-phase-motion",
                      .title = "1,000 bodies: what coherence buys",
                      .x_label = "motion of a body in a step, mm",
                      .y_label = "us per step",
                      .log_x = true,
                      .log_y = true};
    Plot by_swaps = {.name = "sweep-and-prune-swaps",
                     .title = "Sweep and prune, 1,000 bodies: swaps against motion",
                     .x_label = "motion of a body in a step, mm",
                     .y_label = "swaps per step",
                     .log_x = true,
                     .log_y = true};
    std::vector<std::pair<double, double>> swaps_of_motion;
    for (const float step_mm :
         options.quick ? std::vector{1.0F, 4.0F} : std::vector{0.25F, 0.5F, 1.0F, 2.0F, 4.0F, 8.0F, 16.0F, 32.0F}) {
        const auto spread = race(room(1000, 0.001F * step_mm), steps_of(options, 1000), agree),
                   settled = race(floor(1000, 0.001F * step_mm), steps_of(options, 1000), agree);
        for (const Lane& lane : spread) add_point(by_motion, lane.row->name, double{step_mm}, median(lane.step_us));
        add_rows(result, "1000 bodies in a room, " + text("%g mm", double{step_mm}), spread);
        add_rows(result, "1000 bodies on a floor, " + text("%g mm", double{step_mm}), settled);
        for (const auto& [label, lanes] : {std::pair{"in a room", &spread}, {"on its floor", &settled}})
            for (const auto& [axis, name] : {std::pair{0, "x"}, {1, "y (up)"}})
                add_point(by_swaps, std::string(label) + ", list " + name, double{step_mm},
                          static_cast<double>(std::max<std::int64_t>(1, swaps(*lanes, axis))));
        swaps_of_motion.emplace_back(double{step_mm}, static_cast<double>(swaps(spread)));
        if (step_mm == 4.0F)
            result.claims.push_back(judge(
                {"bodies clustered on one axis make sweep and prune's list change much at small motions: swaps in the "
                 "list of that axis over those of bodies in a room",
                 "Cornell CS 567, figure 7.20", more_than(3, "x")},
                exact(static_cast<double>(swaps(settled, 1)) / static_cast<double>(swaps(spread, 1)))));
    }
    const auto [first, last] = std::pair{swaps_of_motion.front(), swaps_of_motion.back()};
    const double exponent = std::log(last.second / first.second) / std::log(last.first / first.first);
    result.claims.push_back(judge({"sweep and prune sorts in expected O(n): swaps grow with the motion to the power of",
                                   "1 (Cornell CS 567; I-COLLIDE 1995)", between(0.8, 1.2)},
                                  exact(exponent)));
    draw_if_requested(result, options, by_motion);
    draw_if_requested(result, options, by_swaps);
}

// Hybrid methods against their parts: bodies of different sizes, and bodies clustered on a floor.
void race_hybrids(const BenchOptions& options, BenchResult& result, bool& agree) {
    const int bodies = options.quick ? 1000 : 3000;
    const auto stretches = [](const std::vector<Lane>& lanes, std::string_view name) {
        return medians_of_stretches(
            std::ranges::find(lanes, name, [](const Lane& lane) { return lane.row->name; })->step_us);
    };
    const auto tests = [](const std::vector<Lane>& lanes, std::string_view name) {
        const auto lane = std::ranges::find(lanes, name, [](const Lane& l) { return l.row->name; });
        return static_cast<double>(lane->counts.box_tests);
    };
    WorldSettings mixed = room(bodies, 0.004F);
    mixed.size_min_m = 0.005F;
    mixed.size_max_m = 0.5F;
    const auto sizes = race(mixed, std::max(steps_of(options, bodies), 9), agree);
    add_rows(result, std::to_string(bodies) + " bodies of 5 mm to 0.5 m", sizes);
    const auto settled = race(floor(bodies, 0.016F), std::max(steps_of(options, bodies), 9), agree);
    add_rows(result, std::to_string(bodies) + " bodies on a floor, 16 mm", settled);
    result.claims.push_back(
        judge({"hybrids: a grid with k-d trees in its cells needs fewer box tests than a grid alone where sizes differ "
               "a hundredfold",
               "Cornell CS 567 names hybrids, no figures", less_than(1, "x")},
              exact(tests(sizes, "grid-kd-tree") / tests(sizes, "grid"))));
    result.claims.push_back(
        judge({"hybrids: and is faster than a k-d tree alone", "-", less_than(1, "x the time")},
              std::vector{ratio_of(stretches(sizes, "grid-kd-tree"), stretches(sizes, "kd-tree"), "sizes that differ"),
                          ratio_of(stretches(settled, "grid-kd-tree"), stretches(settled, "kd-tree"), "on a floor")}));
    result.claims.push_back(
        judge({"hybrids: sweeps in a grid's columns are faster than sweep and prune where bodies cluster on one axis",
               "-", less_than(1, "x the time")},
              ratio_of(stretches(settled, "grid-sweep"), stretches(settled, "sweep-and-prune"))));
}

// The workload of a scene: two hands move among resting objects; pairs of objects are not tested.
void race_hands(const BenchOptions& options, BenchResult& result, bool& agree) {
    for (const int objects : options.quick ? std::vector{100} : std::vector{30, 100, 1000, 10000}) {
        MovingBodies world(room(objects, 0.0F), 6);
        std::vector<Aabb> boxes = world.boxes();
        std::vector<Layers> layers(boxes.size(), {2U, 1U});
        const std::size_t hands = boxes.size();
        boxes.resize(hands + 2);
        layers.resize(hands + 2, {1U, 2U});
        int frame = 0;
        const auto lanes = race(
            objects, steps_of(options, objects),
            [&] {
                ++frame;
                for (std::size_t hand = 0; hand < 2; ++hand) {
                    const float t = 0.02F * static_cast<float>(frame), side = hand == 0 ? -0.2F : 0.2F;
                    boxes[hands + hand] =
                        cube_for_all_rotations({side + 0.3F * std::sin(t), 0.2F * std::cos(1.3F * t), 0.0F}, 0.1F);
                }
                return Bodies{boxes, layers};
            },
            agree);
        add_rows(result, "2 hands among " + std::to_string(objects) + " resting objects", lanes);
    }
}

// Rocks.
void race_rocks(const BenchOptions& options, BenchResult& result, bool& agree) {
    Plot by_rocks = {.name = "rock-slope-times",
                     .title = "Rocks tumbling down a slope at 60 steps a second",
                     .x_label = "rocks",
                     .y_label = "us per step",
                     .log_x = true,
                     .log_y = true};
    for (const int rocks : options.quick ? std::vector{300} : std::vector{300, 1000, 3000, 10000}) {
        RockSlope slope(rocks, 3);
        for (int step = 0; step < 120; ++step) slope.step(1.0F / 60.0F);
        const auto lanes = race(
            rocks, steps_of(options, rocks),
            [&] {
                slope.step(1.0F / 60.0F);
                return slope.bodies();
            },
            agree);
        add_rows(result, std::to_string(rocks) + " rocks on a slope", lanes);
        for (const Lane& lane : lanes) add_point(by_rocks, lane.row->name, rocks, median(lane.step_us));
    }
    draw_if_requested(result, options, by_rocks);
    if (!options.figures.empty()) draw_if_requested(result, options, picture_of_slope(600));
}

/// Two hands of realistic size among balls on a lattice, for the box tests of a step.
struct HandsAmongBalls {
    std::vector<collision::Collider> balls;
    std::array<collision::BodyPose, 2> poses;
    std::array<collision::BodyBoxes, 2> boxes;

    explicit HandsAmongBalls(int count) {
        const int edge = static_cast<int>(std::ceil(std::cbrt(static_cast<float>(count))));
        for (int i = 0; i < count; ++i) {
            const Eigen::Vector3f at_m =
                0.12F * Eigen::Vector3f(static_cast<float>(i % edge), static_cast<float>(i / edge % edge),
                                        static_cast<float>(i / (edge * edge))) -
                0.06F * Eigen::Vector3f::Constant(static_cast<float>(edge - 1));
            const collision::Shape ball = collision::RoundCone{at_m, at_m, 0.03F, 0.03F};
            balls.push_back({ball, collision::bounding_box(ball)});
        }
    }
    void move_hands(int frame, const collision::RefitMethod& method) {
        const float t = 0.02F * static_cast<float>(frame);
        for (std::size_t hand = 0; hand < 2; ++hand) {
            Eigen::Isometry3f wrist = Eigen::Isometry3f::Identity();
            wrist.linear() = Eigen::AngleAxisf(0.6F * std::sin(0.7F * t), Eigen::Vector3f::UnitY()).toRotationMatrix();
            wrist.translation() =
                Eigen::Vector3f((hand == 0 ? -0.2F : 0.2F) + 0.15F * std::sin(t), 0.1F * std::cos(1.3F * t), 0.1F);
            const auto side = hand == 0 ? tracking::Side::left : tracking::Side::right;
            tracking::HandFrame frame_of_hand =
                tracking::pose_from_angles(tracking::default_profile(), tracking::resting_angles(), wrist, side);
            frame_of_hand.active = true;
            scenes::pose_hand(frame_of_hand, poses[hand]);
            method.refit(scenes::hand_body(), poses[hand], boxes[hand]);
        }
    }
};

// Finds the number of objects from which a tree over them is faster, for one hand with boxes already refitted.
void race_scene_tests(const BenchOptions& options, BenchResult& result, bool& agree) {
    const collision::RefitMethod& method = collision::refit_methods().front();
    constexpr std::size_t kStretches = 3;
    std::map<int, std::pair<std::vector<double>, std::vector<double>>> alone_and_chosen;
    for (const int count : options.quick ? std::vector{8, 128}
                                         : std::vector{4, 8, 16, 24, 32, 48, 64, 96, 128, 256, 1000, 10'000, 100'000}) {
        HandsAmongBalls world(count);
        collision::ObjectTree tree;
        tree.update(world.balls);
        collision::DescentMemory memory(scenes::kHandBoneCount);
        struct Way {
            const char* name;
            const collision::ObjectTree* tree;
            std::vector<double> us = {};
            std::vector<collision::Candidate> found = {};
            std::int64_t box_tests = 0;
        };
        std::array<Way, 2> ways = {{{"box tests alone", nullptr}, {"tree of objects", &tree}}};
        const int rounds = options.quick ? 20 : std::clamp(400'000 / count, 20, 400);
        std::size_t candidates = 0;
        for (int round = 0; round < rounds + 3; ++round) {
            world.move_hands(round, method);
            for (std::size_t k = 0; k < ways.size(); ++k) {
                Way& way = ways[(k + static_cast<std::size_t>(round)) % ways.size()];
                way.found.clear();
                collision::CollideCounts counts;
                const std::int64_t start_ns = thread_cpu_ns();
                collision::find_candidates(method, scenes::hand_body(), world.poses[0], world.boxes[0], world.balls,
                                           0.02F, way.found, counts, ~0U, &memory, way.tree);
                if (round >= 3) way.us.push_back(1e-3 * static_cast<double>(thread_cpu_ns() - start_ns));
                way.box_tests += counts.n_v;
            }
            candidates += ways[0].found.size();
            agree = agree && std::ranges::equal(ways[0].found, ways[1].found, [](const auto& a, const auto& b) {
                        return a.bone == b.bone && a.object == b.object;
                    });
        }
        for (const Way& way : ways)
            result.rows.push_back({{"test stage", "1 hand among " + std::to_string(count) + " objects"},
                                   {"way", way.name},
                                   {"us", median(way.us)},
                                   {"box tests", static_cast<double>(way.box_tests) / (rounds + 3)},
                                   {"candidates", static_cast<double>(candidates) / (rounds + 3)}});
        alone_and_chosen[count] = {medians_of_stretches(ways[0].us, kStretches),
                                   medians_of_stretches(ways[1].us, kStretches)};
    }
    if (options.quick) return;
    std::vector<double> pays;
    for (std::size_t stretch = 0; stretch < kStretches; ++stretch)
        for (const auto& [count, us] : alone_and_chosen)
            if (us.second[stretch] < us.first[stretch]) {
                pays.push_back(count);
                break;
            }
    constexpr double kFrom = static_cast<double>(collision::ObjectTree::kMinObjects);
    result.claims.push_back(
        judge({"scenes take a broad phase from the number of objects on from which it pays: that number",
               text("%g (this project's own choice)", kFrom), between(0.25 * kFrom, kFrom, " objects")},
              pays.empty() ? std::vector<Measured>{} : std::vector{median_of(pays)}));
}

struct Section {
    std::string_view name;
    void (*run)(const BenchOptions& options, BenchResult& result, bool& agree);
};
constexpr std::array kBroadPhaseSections = {
    Section{"counts", race_counts},
    Section{"motion", race_motion},
    Section{"hybrids", race_hybrids},
    Section{"hands", race_hands},
    Section{"scene-tests", race_scene_tests},
    Section{"rocks", race_rocks},
    Section{"space-time",
            [](const BenchOptions& options, BenchResult& result, bool&) { race_space_time(options, result); }},
    Section{"peers", [](const BenchOptions& options, BenchResult& result, bool&) { add_peers(result, options.quick); }},
};

}  // namespace

BenchResult bench_broad_phase(const BenchOptions& options) {
    BenchResult result;
    bool agree = true;
    // The user names sections after the bench; all are run if none is named.
    const std::vector<std::string> names = tracking::names_of(kBroadPhaseSections);
    const auto holds = [](const std::vector<std::string>& list, std::string_view name) {
        return std::ranges::find(list, name) != list.end();
    };
    for (const std::string& wanted : options.files)
        if (!holds(names, wanted))
            throw std::runtime_error(wanted + ": no such part of this bench (" + tracking::listed(names) + ")");
    for (const Section& section : kBroadPhaseSections)
        if (options.files.empty() || holds(options.files, section.name)) section.run(options, result, agree);
    result.check_failed = !agree;
    if (!agree) result.notes.push_back("methods disagreed on the pairs");
    return result;
}

}  // namespace glovebox::vr
