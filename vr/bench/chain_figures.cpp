// Figures 1a, 1b, 2a, 2b and 3 of [Schmidl04].
#include <algorithm>
#include <array>
#include <numeric>

#include "collision/box/merge.h"
#include "vr/bench/chains.h"
#include "vr/bench/plot.h"

namespace glovebox::vr {
namespace {

using Eigen::Vector3f;

const Vector3f kLinkColor = {0.91F, 0.80F, 0.68F};

void draw_links(Figure& figure, const FigureView& view, const ChainRecording& recording, int frame) {
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

int busiest_frame(const ChainRecording& recording) {
    const collision::PairMask mask(recording.body);
    collision::BodyPose pose;
    collision::BodyBoxes boxes;
    collision::CollideCounts counts;
    std::vector<collision::BonePair> pairs;
    const collision::RefitMethod& method = *collision::find_refit_method("cab");
    int best = 0;
    std::size_t most = 0;
    for (int frame = 0; frame < static_cast<int>(recording.world_from_link.size()); frame += 7) {
        pose_chains(recording, frame, pose);
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

// Figures 1b and 2b: a bent pair in its CAB and covariance boxes; a link in the box of its vertices and of its box.
void draw_pair(BenchResult& result, const BenchOptions& options) {
    const ChainLink link = make_chain_link(LinkShape::convex, 3.0F);
    const float end_m = link.half_length_m + link.joint_gap_m;
    Figure figure(1000, 380);
    constexpr std::array<float, 2> kInterior = {2.1F, 0.7F};  // angles between the links at the joint, radians
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
        const FigureView view = view_of({0, 0.001F, 1}, all_corners({a, b, cab, covariance}),
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
    const FigureView view = view_of({0, 0.001F, 1}, all_corners({star}), 690, 40, 280, 300);
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
        const ChainLink link = make_chain_link(shapes[i].first, shapes[i].second);
        const double x = 20 + 330.0 * static_cast<double>(i);
        const FigureView view = view_of({0.25F, 0.6F, 1.0F}, corners_of(link.box), x, 40, 300, 180);
        for (const auto& piece : link.pieces) draw(figure, view, *piece, Eigen::Isometry3f::Identity(), kLinkColor);
        draw(figure, view, link.box, "#999999");
        figure.text(x, 25, kTitles[i], 13);
    }
    save_figure(result, options, figure, "chains_links.svg", "Figure 3: the links");
}

}  // namespace

// Figure 2a: the chains in the busiest frame, without and with the boxes of the tree.
void draw_chains(BenchResult& result, const BenchOptions& options, const ChainTable& table,
                 const ChainRecording& recording) {
    const int frame = busiest_frame(recording);
    collision::BodyPose pose;
    collision::BodyBoxes boxes;
    pose_chains(recording, frame, pose);
    collision::find_refit_method("cab")->refit(recording.body, pose, boxes);
    const std::array points = {all_corners(pose.leaf_boxes), all_corners(boxes.obb)};
    Figure figure(1000, 460);
    constexpr std::array<std::string_view, 5> kColors = {"#c44e52", "#dd8452", "#55a868", "#4c72b0", "#8172b3"};
    for (int panel = 0; panel < 2; ++panel) {
        const FigureView view =
            view_of({0.3F, 0.5F, 1.0F}, points[static_cast<std::size_t>(panel)], 20.0 + 490.0 * panel, 20, 470, 420);
        draw_links(figure, view, recording, frame);
        if (panel == 0) continue;
        for (std::size_t i = 0; i < boxes.obb.size(); ++i) {
            const std::size_t level = i < 16 ? 0 : i >= 30 ? 4 : (i - 16) % 7 < 4 ? 1 : (i - 16) % 7 < 6 ? 2 : 3;
            draw(figure, view, boxes.obb[i], kColors[level], level == 0 ? 0.8 : 1.2);
        }
    }
    save_figure(result, options, figure, std::string(table.figure) + "_boxes.svg",
                "Figure 2a: " + std::string(table.title) + ", without and with boxes");
}

// Figure 1a: four links, their boxes, and the binary tree of the boxes.
void show_hierarchy(const BenchOptions& options, BenchResult& result) {
    constexpr std::array<float, 3> kBend = {0.9F, -1.3F, 0.7F};  // radians at the joints
    const ChainLink link = make_chain_link(LinkShape::convex, 3.0F);
    const float end_m = link.half_length_m + link.joint_gap_m;
    const collision::ArticulatedBody body = collision::make_chain(4);
    collision::BodyPose pose;
    std::vector<Eigen::Isometry3f> placed;
    Eigen::Isometry3f begin = Eigen::Isometry3f::Identity();
    for (std::size_t i = 0; i < 4; ++i) {
        placed.push_back(begin * Eigen::Translation3f(end_m, 0, 0));
        pose.shapes.emplace_back(collision::HullInstance{link.hull, placed.back()});
        pose.leaf_boxes.push_back(collision::transformed(placed.back(), link.box));
        pose.bone_present.push_back(1);
        begin = placed.back() * Eigen::Translation3f(end_m, 0, 0);
        if (i == kBend.size()) break;
        pose.joints_m.push_back(begin.translation());
        begin.rotate(Eigen::AngleAxisf(kBend[i], Vector3f::UnitZ()));
    }
    collision::BodyBoxes boxes;
    collision::find_refit_method("cab")->refit(body, pose, boxes);

    const auto name_of_node = [](std::int32_t node) {
        return node < 4 ? "link " + std::to_string(node + 1) : "box " + std::to_string(node - 3);
    };
    for (std::size_t i = 0; i < boxes.obb.size(); ++i) {
        const auto node = static_cast<std::int32_t>(i);
        const collision::HierarchyNode* inner = node < 4 ? nullptr : &body.nodes[i - 4];
        result.rows.push_back(
            {{"node of figure 1a", name_of_node(node)},
             {"children", inner == nullptr ? "-" : name_of_node(inner->child_a) + ", " + name_of_node(inner->child_b)},
             {"joint", inner == nullptr ? "-" : std::to_string(inner->joint + 1)},
             {"volume over a link's", double{boxes.obb[i].volume_m3()} / double{link.box.volume_m3()}}});
    }
    if (options.figures.empty()) return;

    constexpr std::array<std::string_view, 3> kColors = {"#888888", "#4c72b0", "#c44e52"};
    const auto level_of = [](std::size_t node) -> std::size_t { return node < 4 ? 0 : node < 6 ? 1 : 2; };
    Figure figure(1000, 380);
    const FigureView view = view_of({0, 0.001F, 1}, all_corners(boxes.obb), 20, 40, 480, 300);
    for (const Eigen::Isometry3f& place : placed) draw(figure, view, *link.hull, place, kLinkColor);
    for (std::size_t i = 0; i < boxes.obb.size(); ++i)
        draw(figure, view, boxes.obb[i], kColors[level_of(i)], i < 4 ? 0.8 : 1.4);
    // The tree: one row of nodes per level, each node centred above its children.
    std::vector<Eigen::Vector2d> at;
    for (std::size_t i = 0; i < boxes.obb.size(); ++i) {
        const double y = 320.0 - 120.0 * static_cast<double>(level_of(i));
        if (i < 4) {
            at.emplace_back(570.0 + 120.0 * static_cast<double>(i), y);
            continue;
        }
        const Eigen::Vector2d &a = at[static_cast<std::size_t>(body.nodes[i - 4].child_a)],
                              &b = at[static_cast<std::size_t>(body.nodes[i - 4].child_b)];
        at.emplace_back(0.5 * (a.x() + b.x()), y);
        for (const Eigen::Vector2d* child : {&a, &b})
            figure.line(at.back() + Eigen::Vector2d(0, 8), *child - Eigen::Vector2d(0, 20), "#333333");
    }
    for (std::size_t i = 0; i < at.size(); ++i)
        figure.text(at[i].x(), at[i].y(), name_of_node(static_cast<std::int32_t>(i)), 14, "middle",
                    kColors[level_of(i)]);
    save_figure(result, options, figure, "chains_hierarchy.svg",
                "Figure 1a: the binary hierarchy of four links, its boxes and its tree");
}

void draw_chain_links(BenchResult& result, const BenchOptions& options) {
    draw_pair(result, options);
    draw_link_shapes(result, options);
}

}  // namespace glovebox::vr
