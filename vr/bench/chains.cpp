// The paper's tables 1 to 4 made anew: sixteen jointed links, four motions, every refit row [Schmidl04].
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "collision/box/merge.h"
#include "scenes/chain_simulation.h"
#include "vr/bench/figure.h"
#include "vr/bench/paper.h"
#include "vr/bench/plot.h"
#include "vr/platform/progress.h"

namespace glovebox::vr {
namespace {

using Eigen::Vector3f;
using scenes::ChainMotion;
using scenes::LinkShape;

struct Table {
    std::string_view title, figure;
    scenes::ChainSettings settings;
    std::array<PublishedLine, 5> published;
};

// As printed in tables 1 to 4. AABB+ is our aabb-vertices, AABB* our aabb, OBB our covariance.
const std::array kTables = {
    Table{"16 convex links, 3:1",
          "chains_convex_3",
          {LinkShape::convex, 3.0F, ChainMotion::swinging, 1, 10'000},
          {{{"brute", 1200000, 1199786, 19.34, 0, 0, 19.34},
            {"aabb-vertices", 71534, 71320, 1.86, 135.86, 4.94, 142.67},
            {"aabb", 84148, 83934, 1.99, 8.08, 5.42, 15.94},
            {"covariance", 5740, 5526, 0.16, 14.63, 1.75, 16.54},
            {"cab", 5740, 5526, 0.16, 6.34, 2.06, 8.56}}}},
    Table{"16 convex links, 6:1",
          "chains_convex_6",
          {LinkShape::convex, 6.0F, ChainMotion::swinging, 1, 10'000},
          {{{"brute", 1200000, 1199646, 20.52, 0, 0, 20.52},
            {"aabb-vertices", 130112, 129758, 2.97, 136.34, 7.04, 146.34},
            {"aabb", 149466, 149112, 3.44, 8.04, 7.45, 18.94},
            {"covariance", 7194, 6840, 0.21, 14.62, 1.60, 16.43},
            {"cab", 7194, 6840, 0.21, 6.33, 2.26, 8.80}}}},
    Table{"16 non-convex links, 6:1",
          "chains_dented_6",
          {LinkShape::dented, 6.0F, ChainMotion::swinging, 1, 10'000},
          {{{"brute", 1200000, 1199927, 22.24, 0, 0, 22.24},
            {"aabb-vertices", 130112, 130039, 3.71, 135.79, 7.13, 146.63},
            {"aabb", 148784, 148711, 3.97, 8.06, 7.46, 19.50},
            {"covariance", 3405, 3332, 0.34, 14.70, 0.85, 15.88},
            {"cab", 3405, 3332, 0.34, 6.36, 1.38, 8.08}}}},
    Table{"16 convex links, braided, 6:1",
          "chains_braided_6",
          {LinkShape::convex, 6.0F, ChainMotion::braided, 4, 10'000},
          {{{"brute", 1200000, 1190472, 21.37, 0, 0, 21.37},
            {"aabb-vertices", 65936, 56408, 3.88, 136.34, 4.67, 144.89},
            {"aabb", 93502, 83974, 4.55, 8.11, 5.64, 18.29},
            {"covariance", 24731, 15203, 2.83, 14.90, 3.01, 20.74},
            {"cab", 24731, 15203, 2.80, 6.35, 4.01, 13.17}}}},
};

PaperWorkload workload_of(const Table& table, const scenes::ChainRecording& recording,
                          const collision::PairMask& mask) {
    PaperWorkload workload;
    workload.title = table.title;
    workload.body = &recording.body;
    workload.frames = static_cast<int>(recording.world_from_link.size());
    workload.place = [&recording](int frame, collision::BodyPose& pose) {
        scenes::pose_chains(recording, frame, pose);
    };
    workload.place_boxes = [&recording](int frame, collision::BodyPose& pose) {
        const auto& placed = recording.world_from_link[static_cast<std::size_t>(frame)];
        for (std::size_t i = 0; i < placed.size(); ++i)
            pose.leaf_boxes[i] = collision::transformed(placed[i], recording.link.box);
    };
    workload.find_pairs = [&recording, &mask](int, const collision::RefitMethod& method, const collision::BodyPose&,
                                              const collision::BodyBoxes& boxes,
                                              std::vector<collision::BonePair>& pairs,
                                              collision::CollideCounts& counts) {
        collision::find_self_candidates(method, recording.body, mask, boxes, 0.0F, pairs, counts);
    };
    workload.touch = [&recording](int frame, const collision::BodyPose&, collision::BonePair pair) {
        return scenes::links_touch(recording, frame, pair.bone_a, pair.bone_b);
    };
    return workload;
}

// ---- claims

using Lines = std::vector<PaperLine>;

// What a table would read if an exact query still took what the paper's took (19.34 s / 1.2 million).
double total_with_slow_queries_s(const PaperLine& line) {
    constexpr double kSlowQuery_s = 16e-6;
    return line.least.update_s + line.least.test_s + kSlowQuery_s * static_cast<double>(line.coll);
}

void add_claims(BenchResult& result, std::span<const Lines> tables, int frames) {
    const auto update = [](const PaperTimes& time) { return time.update_s; };
    const auto test = [](const PaperTimes& time) { return time.test_s; };
    const auto total = [](const PaperTimes& time) { return time.total_s(); };
    constexpr std::array<std::string_view, 4> kNames = {"table 1", "table 2", "table 3", "table 4"};
    const auto each_table = [&](const auto& measure_one) {
        std::vector<Measured> measured;
        for (std::size_t i = 0; i < tables.size(); ++i)
            measured.push_back(measure_one(tables[i], std::string(kNames[i])));
        return measured;
    };
    const auto times = [&](std::string_view over, std::string_view under, const auto& time) {
        return each_table([&](const Lines& lines, const std::string& name) {
            return times_of(line_of(lines, over), line_of(lines, under), time, name);
        });
    };
    const auto pairs = [&](std::string_view over, std::string_view under) {
        return each_table([&](const Lines& lines, const std::string& name) {
            return pairs_of(line_of(lines, over), line_of(lines, under), name);
        });
    };
    const auto claim = [&](const char* what, const char* published, Threshold threshold,
                           const std::vector<Measured>& measured, const std::string& remark = {}) {
        result.claims.push_back(judge({what, published, std::move(threshold)}, measured, remark));
    };

    std::string hits;
    for (const Lines& lines : tables) hits += (hits.empty() ? "" : ", ") + std::to_string(lines.front().touching);
    claim("methods whose touching pairs differ from brute force's", "none: 214, 354, 73, 9528 for all five", exactly(0),
          each_table([](const Lines& lines, const std::string& name) { return methods_that_differ(lines, name); }),
          hits + " pairs touch");
    claim("CAB hands on as many pairs as covariance boxes", "5740, 7194, 3405, 24731 for both", exactly(1, "x"),
          pairs("cab", "covariance"));
    claim("CAB updates its boxes more than twice as fast as covariance analysis", "2.31x, 2.31x, 2.31x, 2.35x",
          more_than(2, "x"), times("covariance", "cab", update));
    claim("CAB updates faster than AABB* (axis-aligned boxes of eight corners)", "1.27x, 1.27x, 1.27x, 1.28x",
          more_than(1, "x"), times("aabb", "cab", update));
    // The paper's "highly inefficient" is 17 times; half of that is still the same sentence.
    claim("AABB+ (fitted to all vertices) updates many times slower than AABB*", "16.8x, 17.0x, 16.8x, 16.8x",
          at_least(8.5, "x"), times("aabb-vertices", "aabb", update));
    claim("CAB pays for its faster update with somewhat more time in box tests than covariance",
          "1.18x, 1.41x, 1.62x, 1.33x", more_than(1.05, "x"), times("cab", "covariance", test));
    claim("CAB pays for its faster update with somewhat more box tests than covariance", "not printed",
          more_than(1.05, "x"), each_table([](const Lines& lines, const std::string& name) {
              return exact(static_cast<double>(line_of(lines, "cab").box_tests) /
                               static_cast<double>(line_of(lines, "covariance").box_tests),
                           name);
          }));
    claim("in total CAB is about twice as fast as covariance boxes", "1.93x, 1.87x, 1.97x, 1.57x", at_least(1.5, "x"),
          times("covariance", "cab", total));
    claim("in total CAB is faster than AABB*", "1.86x, 2.15x, 2.41x, 1.39x", more_than(1, "x"),
          times("aabb", "cab", total));
    claim("with exact queries as slow as the paper's (16 us) CAB is faster than AABB* in total",
          "1.86x, 2.15x, 2.41x, 1.39x", more_than(1, "x"), each_table([](const Lines& lines, const std::string& name) {
              return exact(
                  total_with_slow_queries_s(line_of(lines, "aabb")) / total_with_slow_queries_s(line_of(lines, "cab")),
                  name);
          }));
    claim("in total CAB is faster than AABB+", "16.7x, 16.6x, 18.1x, 11.0x", more_than(1, "x"),
          times("aabb-vertices", "cab", total));
    claim("in total CAB is faster than AABBs that end in the link's own box (aabb-obb, not in the paper)", "-",
          more_than(1, "x"), times("aabb-obb", "cab", total));
    claim("oriented boxes leave fewer pairs to the exact query than AABB*", "14.7x, 20.8x, 43.7x, 3.8x",
          more_than(2, "x"), pairs("aabb", "cab"));
    claim("oriented boxes leave fewer pairs to the exact query than AABB+", "12.5x, 18.1x, 38.2x, 2.7x",
          more_than(2, "x"), pairs("aabb-vertices", "cab"));
    claim("from 3:1 to 6:1 AABB* hands on more pairs", "1.78x", more_than(1.2, "x"),
          {pairs_of(line_of(tables[1], "aabb"), line_of(tables[0], "aabb"))});
    claim("from 3:1 to 6:1 oriented boxes hand on hardly more pairs", "1.25x", at_most(1.5, "x"),
          {pairs_of(line_of(tables[1], "cab"), line_of(tables[0], "cab"))});
    // As printed: oriented boxes lose half of their pairs, axis-aligned ones nothing.
    claim("on dented links oriented boxes hand on fewer pairs than on convex ones", "0.47x of table 2",
          less_than(0.75, "x"), {pairs_of(line_of(tables[2], "cab"), line_of(tables[1], "cab"))});
    claim("on dented links AABB* hands on as many pairs as on convex ones", "1.00x of table 2", more_than(0.9, "x"),
          {pairs_of(line_of(tables[2], "aabb"), line_of(tables[1], "aabb"))});
    claim("in the braid AABB* is faster in total than covariance boxes", "1.13x", more_than(1, "x"),
          {times_of(line_of(tables[3], "covariance"), line_of(tables[3], "aabb"), total)});
    claim("a frame with CAB takes 3 to 4 % of 1/30 s, or less", "0.81 to 1.32 ms", at_most(1333, " us"),
          each_table([&](const Lines& lines, const std::string& name) {
              std::vector<double> of_rounds;
              for (const PaperTimes& round : line_of(lines, "cab").rounds)
                  of_rounds.push_back(1e6 * round.total_s() / frames);
              return median_of(of_rounds, name);
          }));
}

// ---- figures

const Vector3f kLinkColor = {0.91F, 0.80F, 0.68F};

void draw_links(Figure& figure, const View& view, const scenes::ChainRecording& recording, int frame) {
    const auto& placed = recording.world_from_link[static_cast<std::size_t>(frame)];
    std::vector<std::size_t> order(placed.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return placed[a].translation().z() < placed[b].translation().z(); });
    for (const std::size_t i : order)
        for (const auto& piece : recording.link.pieces) draw(figure, view, *piece, placed[i], kLinkColor);
}

std::vector<Vector3f> all_corners(const std::vector<collision::Obb>& boxes) {
    std::vector<Vector3f> points;
    for (const collision::Obb& box : boxes)
        for (const Vector3f& corner : corners_of(box)) points.push_back(corner);
    return points;
}

// Figure 2a: the chains at a busy frame, without and with the boxes of the tree.
void draw_chains(BenchResult& result, const BenchOptions& options, const std::string& name, std::string_view title,
                 const scenes::ChainRecording& recording, int frame) {
    collision::BodyPose pose;
    collision::BodyBoxes boxes;
    scenes::pose_chains(recording, frame, pose);
    collision::find_refit_method("cab")->refit(recording.body, pose, boxes);
    const std::array points = {all_corners(pose.leaf_boxes), all_corners(boxes.obb)};
    Figure figure(1000, 460);
    constexpr std::array<std::string_view, 5> kColors = {"#c44e52", "#dd8452", "#55a868", "#4c72b0", "#8172b3"};
    for (int panel = 0; panel < 2; ++panel) {
        const View view =
            view_of({0.3F, 0.5F, 1.0F}, points[static_cast<std::size_t>(panel)], 20.0 + 490.0 * panel, 20, 470, 420);
        draw_links(figure, view, recording, frame);
        if (panel == 0) continue;
        for (std::size_t i = 0; i < boxes.obb.size(); ++i) {
            const std::size_t level = i < 16 ? 0 : i >= 30 ? 4 : (i - 16) % 7 < 4 ? 1 : (i - 16) % 7 < 6 ? 2 : 3;
            draw(figure, view, boxes.obb[i], kColors[level], level == 0 ? 0.8 : 1.2);
        }
    }
    save_figure(result, options, figure, name + "_boxes.svg",
                "Figure 2a: " + std::string(title) + ", without and with boxes");
}

// Figure 1b and 2b: one bent pair under CAB and under covariance; a link in the box of its vertices and of its box.
void draw_pair(BenchResult& result, const BenchOptions& options) {
    const scenes::ChainLink link = scenes::make_chain_link(LinkShape::convex, 3.0F);
    const float end_m = link.half_length_m + link.joint_gap_m;
    Figure figure(1000, 380);
    constexpr std::array<float, 2> kInterior = {2.1F, 0.7F};  // radians between the links, seen from the joint
    for (std::size_t panel = 0; panel < 2; ++panel) {
        std::array<Eigen::Isometry3f, 2> placed;
        for (std::size_t i = 0; i < 2; ++i) {
            const float angle = 1.57F + (i == 0 ? 0.5F : -0.5F) * kInterior[panel];
            placed[i].setIdentity();
            placed[i].linear() = Eigen::AngleAxisf(angle, Vector3f::UnitZ()).toRotationMatrix();
            placed[i].translation() = placed[i].linear() * Vector3f(end_m, 0, 0);
        }
        const collision::Obb a = collision::transformed(placed[0], link.box),
                             b = collision::transformed(placed[1], link.box);
        const collision::Obb cab = collision::merge_cab(a, b, Vector3f::Zero());
        const collision::Obb covariance = collision::merge_covariance(a, b);
        const View view = view_of({0, 0.001F, 1}, all_corners({a, b, cab, covariance}),
                                  20 + 330.0 * static_cast<double>(panel), 40, 300, 300);
        for (const auto& place : placed) draw(figure, view, *link.hull, place, kLinkColor);
        draw(figure, view, a, "#999999");
        draw(figure, view, b, "#999999");
        draw(figure, view, covariance, "#4c72b0", 1.4);
        draw(figure, view, cab, "#c44e52", 1.4);
        figure.text(20 + 330.0 * static_cast<double>(panel), 25,
                    panel == 0 ? "wide angle: CAB along E" : "folded: CAB along a child", 13);
    }
    Eigen::Isometry3f tilted = Eigen::Isometry3f::Identity();
    tilted.linear() = Eigen::AngleAxisf(0.6F, Vector3f::UnitZ()).toRotationMatrix();
    const collision::Obb box = collision::transformed(tilted, link.box);
    const collision::Obb plus = collision::obb_of(collision::aabb_of(collision::HullInstance{link.hull, tilted}));
    const collision::Obb star = collision::obb_of(collision::aabb_of(box));
    const View view = view_of({0, 0.001F, 1}, all_corners({star}), 690, 40, 280, 300);
    draw(figure, view, *link.hull, tilted, kLinkColor);
    draw(figure, view, box, "#999999");
    draw(figure, view, star, "#55a868", 1.4);
    draw(figure, view, plus, "#8172b3", 1.4);
    figure.text(690, 25, "AABB* (green), AABB+ (violet)", 13);
    figure.text(20, 365, "red: CAB, blue: covariance, grey: the links' boxes", 12);
    save_figure(result, options, figure, "chains_two_links.svg",
                "Figures 1b and 2b: two links under CAB and covariance; a link under AABB* and AABB+");
}

// Figure 3: the three links.
void draw_link_shapes(BenchResult& result, const BenchOptions& options) {
    Figure figure(1000, 260);
    const std::array<std::pair<LinkShape, float>, 3> shapes = {
        {{LinkShape::convex, 3.0F}, {LinkShape::convex, 6.0F}, {LinkShape::dented, 6.0F}}};
    constexpr std::array<std::string_view, 3> kTitles = {"convex 3:1", "convex 6:1", "dented 6:1"};
    for (std::size_t i = 0; i < shapes.size(); ++i) {
        const scenes::ChainLink link = scenes::make_chain_link(shapes[i].first, shapes[i].second);
        const double x = 20 + 330.0 * static_cast<double>(i);
        const View view = view_of({0.25F, 0.6F, 1.0F}, corners_of(link.box), x, 40, 300, 180);
        for (const auto& piece : link.pieces) draw(figure, view, *piece, Eigen::Isometry3f::Identity(), kLinkColor);
        draw(figure, view, link.box, "#999999");
        figure.text(x, 25, kTitles[i], 13);
    }
    save_figure(result, options, figure, "chains_links.svg", "Figure 3: the links");
}

// Box volume against the joint's angle, relative to the two links' own boxes.
void draw_volume(BenchResult& result, const BenchOptions& options) {
    const scenes::ChainLink link = scenes::make_chain_link(LinkShape::convex, 3.0F);
    const float end_m = link.half_length_m + link.joint_gap_m;
    Plot plot = plot_of("chains_volume_by_angle", "Volume of the merged box over the two links' own, 3:1",
                        "bend of the joint, degrees", "times");
    for (int i = 0; i <= 150; i += 2) {
        // The bend is out of the links' own planes, as a joint's usually is: about (0, 1, 1).
        Eigen::Isometry3f second = Eigen::Isometry3f::Identity();
        const float bend = static_cast<float>(i) * 3.14159265F / 180.0F;
        second.linear() = Eigen::AngleAxisf(bend, Vector3f(0, 1, 1).normalized()).toRotationMatrix();
        second.translation() = Vector3f(end_m, 0, 0) + second.linear() * Vector3f(end_m, 0, 0);
        const collision::Obb a = link.box, b = collision::transformed(second, link.box);
        const double own = double{a.volume_m3()} + double{b.volume_m3()};
        collision::Aabb both = collision::aabb_of(a);
        const collision::Aabb other = collision::aabb_of(b);
        both.include(other.min_m);
        both.include(other.max_m);
        add_point(plot, "CAB", i, double{collision::merge_cab(a, b, {end_m, 0, 0}).volume_m3()} / own);
        add_point(plot, "CAB++", i, double{collision::merge_cab_best(a, b, {end_m, 0, 0}).volume_m3()} / own);
        add_point(plot, "covariance", i, double{collision::merge_covariance(a, b).volume_m3()} / own);
        add_point(plot, "two-box merge", i, double{collision::merge_rotations(a, b).volume_m3()} / own);
        add_point(plot, "AABB", i, double{collision::obb_of(both).volume_m3()} / own);
    }
    draw_if_asked(result, options, plot);
}

int busiest_frame(const scenes::ChainRecording& recording) {
    const collision::PairMask mask(recording.body);
    collision::BodyPose pose;
    collision::BodyBoxes boxes;
    collision::CollideCounts counts;
    std::vector<collision::BonePair> pairs;
    const collision::RefitMethod& method = *collision::find_refit_method("cab");
    int best = 0;
    std::size_t most = 0;
    for (int frame = 0; frame < static_cast<int>(recording.world_from_link.size()); frame += 7) {
        scenes::pose_chains(recording, frame, pose);
        method.refit(recording.body, pose, boxes);
        pairs.clear();
        collision::find_self_candidates(method, recording.body, mask, boxes, 0.0F, pairs, counts);
        if (pairs.size() > most) {
            most = pairs.size();
            best = frame;
        }
    }
    return best;
}

}  // namespace

BenchResult bench_chains(const BenchOptions& options) {
    const int frames = options.frames > 0 ? options.frames : options.quick ? 1000 : 10'000;
    const int rounds = 5;
    BenchResult result;
    std::vector<Lines> all;
    Progress progress;
    for (const Table& table : kTables) {
        progress.tell("chains: " + std::string(table.title) + ", " + std::to_string(frames) + " frames");
        // The dented links move as the convex ones of the same length do, as in the paper: what changes is the link.
        scenes::ChainSettings settings = table.settings;
        settings.frames = frames;
        settings.shape = LinkShape::convex;
        scenes::ChainRecording recording = scenes::simulate_chains(settings);
        recording.link = scenes::make_chain_link(table.settings.shape, table.settings.aspect);
        const collision::PairMask mask(recording.body);
        begin_part(result, "Table " + std::to_string(all.size() + 1) + ": " + std::string(table.title));
        const Lines lines = measure(workload_of(table, recording, mask), rounds);
        add_table(result, std::string(table.title), frames, lines, table.published);
        draw_times(result, options, std::string(table.figure) + "_times", std::string(table.title), frames, lines);
        if (!options.figures.empty())
            draw_chains(result, options, std::string(table.figure), table.title, recording, busiest_frame(recording));
        all.push_back(lines);
    }
    begin_part(result, "Tables 1 to 4");
    add_claims(result, all, frames);
    if (!options.figures.empty()) {
        draw_pair(result, options);
        draw_link_shapes(result, options);
        draw_volume(result, options);
    }
    result.notes.push_back(
        "The paper's times are of a Pentium 4 at 1.8 GHz: compare ratios, not seconds. Its motion is not published; "
        "ours "
        "was steered until links come near and touch about as often as in tables 1 and 2, so those two counts are no "
        "evidence. The dented links move as the convex ones do: what a convex link just touches a dented one misses.");
    return result;
}

}  // namespace glovebox::vr
