#include "vr/render/draw_list.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "vr/render/palette.h"
#include "vr/session/box_states.h"
#include "vr/ui/lab_view.h"

namespace glovebox::vr {
namespace {

using Eigen::Vector3f;
using Eigen::Vector4f;
using tracking::Side;

// How a box of each state looks.
struct BoxStyle {
    std::uint32_t color;
    float width_px, alpha;
    float behind = 0.16F;  // alpha behind other surfaces: thin and even, because dashes look like stubble on a hand
};
BoxStyle style_of(BoxState state) {
    switch (state) {
        case BoxState::touching:
            return {palette::kTouching, 2.2F, 1.0F};
        case BoxState::false_positive:
            return {palette::kFalsePositive, 1.4F, 0.80F};
        default:
            return {palette::kIdle, 1.0F, 0.45F, 0.0F};  // so many that strong lines look like dirt on fingers and keys
    }
}

using Corners = std::array<Vector3f, 8>;
Corners corners_of(const collision::Obb& box) {
    Corners corners;
    for (std::size_t i = 0; i < 8; ++i) {
        const Vector3f sign((i & 1U) != 0 ? 1.0F : -1.0F, (i & 2U) != 0 ? 1.0F : -1.0F, (i & 4U) != 0 ? 1.0F : -1.0F);
        corners[i] = box.center_m + box.axes * sign.cwiseProduct(box.half_m);
    }
    return corners;
}
constexpr std::uint8_t kBoxEdges[12][2] = {{0, 1}, {2, 3}, {4, 5}, {6, 7}, {0, 2}, {1, 3},
                                           {4, 6}, {5, 7}, {0, 4}, {1, 5}, {2, 6}, {3, 7}};
constexpr std::uint8_t kBoxFaces[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                          {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};

// Returns the arrow's length for a force: 20 mm for the lightest touch, 36 mm at 2 N and above.
float arrow_length_m(float force_n) {
    return 0.020F + 0.016F * std::clamp(force_n / 2.0F, 0.0F, 1.0F);
}

void add_edge(DrawList& list, const Vector3f& a_m, const Vector3f& b_m, const BoxStyle& style) {
    const Vector3f color = palette::rgb(style.color);
    list.edges.push_back({a_m, b_m, {color.x(), color.y(), color.z(), style.alpha}, style.width_px, style.behind});
}

void add_box(DrawList& list, const collision::Obb& box, const BoxStyle& style, bool filled) {
    const Corners corners = corners_of(box);
    for (const auto& edge : kBoxEdges) add_edge(list, corners[edge[0]], corners[edge[1]], style);
    if (!filled) return;
    const Vector3f color = palette::rgb(style.color);
    const Vector4f rgba(color.x(), color.y(), color.z(), 0.07F);
    for (const auto& face : kBoxFaces)
        for (const int i : {0, 1, 2, 0, 2, 3}) list.tints.push_back({corners[face[i]], rgba});
}

void add_hand_boxes(DrawList& list, const ViewSettings& settings, const collision::BodyBoxes& boxes,
                    const scenes::HandState& hand, collision::BoxKind kind, BoxState wanted) {
    const auto leaves = static_cast<std::size_t>(scenes::kHandBoneCount);
    for (std::size_t n = 0; n < list.node_states.size(); ++n) {
        if (list.node_states[n] != wanted) continue;
        const bool leaf = n < leaves;
        const int level = settings.boxes.level;
        const bool shown =
            level == BoxLevels::kAll || (level == BoxLevels::kLeaves && leaf) || level == node_depths()[n];
        if (!shown) continue;
        // Leaves are drawn as the method's boxes; for a method without boxes, as the bones' own.
        collision::Obb box;
        if (kind == collision::BoxKind::oriented && n < boxes.obb.size())
            box = boxes.obb[n];
        else if (kind == collision::BoxKind::aligned && n < boxes.aabb.size())
            box = collision::obb_of(boxes.aabb[n]);
        else if (leaf && n < hand.pose.leaf_boxes.size())
            box = hand.pose.leaf_boxes[n];
        else
            continue;
        BoxStyle style = style_of(wanted);
        if (!leaf) {
            style.width_px *= 0.75F;
            style.alpha *= 0.8F;
        }
        add_box(list, box, style, wanted == BoxState::touching && leaf);
    }
}

// Draws one level of the meshes' trees: only the boxes that were tested.
void add_tree_boxes(const ViewModel& model, const ViewSettings& settings, DrawList& list) {
    if (settings.object_tree_level < 0) return;
    object_boxes_at(model.box_pairs, settings.object_tree_level, list.tree_boxes);
    for (const BoxPair& pair : list.tree_boxes) {
        BoxStyle style = style_of(pair.state);
        style.width_px = pair.state == BoxState::idle ? 0.8F : 1.2F;
        add_box(list, pair.object_box, style, false);
    }
}

// Boxes are drawn in the order idle, false positive, touching, so that the most important are on top.
void gather_boxes(const ViewModel& model, const ViewSettings& settings, std::span<const ObjectKind> kinds,
                  DrawList& list) {
    if (model.world == nullptr || settings.boxes.level == BoxLevels::kNone) return;
    const scenes::World& world = *model.world;
    list.object_states.assign(model.scene->objects.size(), BoxState::idle);
    for (const BoxState wanted : {BoxState::idle, BoxState::false_positive, BoxState::touching}) {
        if (wanted == BoxState::idle && !settings.idle_boxes) continue;
        for (const Side side : {Side::left, Side::right}) {
            const scenes::HandState& hand = world.hands[side];
            if (!hand.present) continue;
            box_states(*model.scene, world, side, list.node_states, list.object_states);
            add_hand_boxes(list, settings, hand.boxes, hand,
                           world.method == nullptr ? collision::BoxKind::none : world.method->kind, wanted);
        }
    }
    if (!settings.object_boxes) return;
    add_tree_boxes(model, settings, list);
    for (std::size_t i = 0; i < kinds.size() && i < world.colliders.size(); ++i) {
        if (kinds[i] != ObjectKind::small) continue;
        BoxStyle style = style_of(list.object_states[i]);
        style.width_px = 1.3F;
        style.alpha = list.object_states[i] == BoxState::idle ? 0.45F : 0.55F;
        add_box(list, world.colliders[i].box, style, false);
    }
}

// Draws the current box test: both boxes in strong lines, and earlier tests on the same object in thin ones.
void gather_box_test(const ViewModel& model, const ViewSettings& settings, DrawList& list) {
    if (model.box_pairs.empty()) return;
    const std::size_t at = std::min(static_cast<std::size_t>(settings.box_test), model.box_pairs.size() - 1);
    const BoxPair& shown = model.box_pairs[at];
    for (const BoxPair& before : model.box_pairs.first(at)) {
        if (before.object != shown.object || before.side != shown.side || before.tree_node < 0) continue;
        BoxStyle style = style_of(before.state);
        style.width_px = 0.8F;
        style.alpha *= 0.35F;
        add_box(list, before.object_box, style, false);
    }
    BoxStyle style = style_of(shown.state);
    if (shown.state == BoxState::idle) style.color = palette::kSecondary;
    style.alpha = 1.0F;
    style.behind = 0.5F;
    style.width_px = 2.6F;
    add_box(list, shown.object_box, style, true);
    style.width_px = 1.8F;
    add_box(list, shown.hand_box, style, true);
}

void gather_contacts(const ViewModel& model, const ViewSettings& settings, DrawList& list) {
    if (model.world == nullptr || !settings.contacts) return;
    for (const Side side : {Side::left, Side::right}) {
        const scenes::HandState& hand = model.world->hands[side];
        if (!hand.present) continue;
        // One arrow per bone, at its deepest contact; a mark at each contact point.
        for (const collision::Contact& point : hand.points)
            list.marks.push_back({point.on_object_m - 0.0006F * point.normal, -point.normal});
        std::array<const collision::Contact*, scenes::kHandBoneCount> deepest{};
        for (const collision::Contact& contact : hand.contacts) {
            if (contact.bone < 0 || contact.bone >= scenes::kHandBoneCount) continue;
            if (!is_touching(*model.scene, *model.world, side, contact)) continue;
            const collision::Contact*& kept = deepest[static_cast<std::size_t>(contact.bone)];
            if (kept == nullptr || contact.distance_m < kept->distance_m) kept = &contact;
        }
        for (const collision::Contact* contact : deepest) {
            if (contact == nullptr) continue;
            const Vector3f push = -contact->normal;  // on the hand; the opposite arrow would be hidden in the object
            const float stiffness =
                model.scene->objects[static_cast<std::size_t>(contact->object)].material.stiffness_n_per_m;
            list.marks.push_back({contact->on_object_m + 0.0006F * push, push});
            list.arrows.push_back({contact->on_object_m, push, arrow_length_m(stiffness * contact->depth_m())});
        }
    }
}

// Draws joint axes: X red, Y green, Z blue, 14 mm long, visible through the skin.
void gather_axes(const ViewModel& model, const ViewSettings& settings, DrawList& list) {
    if (!settings.joint_axes || model.hands == nullptr) return;
    constexpr std::uint32_t kAxisColors[3] = {0xC0392B, 0x2E8B57, 0x2C5FB3};
    for (const tracking::HandFrame& frame : model.hands->hands) {
        if (!frame.active) continue;
        for (const tracking::JointPose& joint : frame.joints) {
            if (!joint.position_valid()) continue;
            for (int axis = 0; axis < 3; ++axis) {
                const Vector3f end_m = joint.position_m + 0.014F * (joint.orientation * Vector3f::Unit(axis));
                add_edge(list, joint.position_m, end_m, {kAxisColors[axis], 2.2F, 1.0F, 1.0F});
            }
        }
    }
}

// Draws the boxes of the marked part in dark lines over all others.
void gather_marked(const ViewModel& model, const ViewSettings& settings, std::span<const ObjectKind> kinds,
                   DrawList& list) {
    const Marked& marked = settings.marked();
    if (!marked.any() || model.world == nullptr) return;
    constexpr BoxStyle kStyle = {palette::kText, 2.4F, 1.0F, 0.35F};
    if (marked.part >= 0) {
        const scenes::HandState& hand = model.world->hands[marked.side];
        for (std::size_t bone = 0; hand.present && bone < hand.pose.leaf_boxes.size(); ++bone) {
            const bool of_part = scenes::part_of_bone(static_cast<int>(bone)) == marked.part;
            const bool wanted = marked.bone < 0 ? of_part : static_cast<int>(bone) == marked.bone;
            if (wanted && hand.pose.has(bone)) add_box(list, hand.pose.leaf_boxes[bone], kStyle, false);
        }
    }
    const auto object = static_cast<std::size_t>(marked.object);
    if (marked.object >= 0 && object < model.world->colliders.size() && object < kinds.size() &&
        kinds[object] != ObjectKind::ground)
        add_box(list, model.world->colliders[object].box, kStyle, false);
}

void gather_lab(const LabView& lab, DrawList& list) {
    for (const LabLine& line_at : lab.lines)
        add_edge(list, line_at.a_m, line_at.b_m, {line_at.color, line_at.width_px, line_at.alpha});
    for (const LabFace& face : lab.faces) {
        const Vector3f color = palette::rgb(face.color);
        for (const Vector3f& corner_m : face.corners_m)
            list.tints.push_back({corner_m, {color.x(), color.y(), color.z(), face.alpha}});
    }
}

}  // namespace

void gather(const ViewModel& model, const ViewSettings& settings, std::span<const ObjectKind> kinds, DrawList& list) {
    list.edges.clear();
    list.tints.clear();
    list.marks.clear();
    list.arrows.clear();
    if (model.scene != nullptr) {
        if (settings.box_test >= 0)
            gather_box_test(model, settings, list);
        else
            gather_boxes(model, settings, kinds, list);
        gather_marked(model, settings, kinds, list);
        gather_contacts(model, settings, list);
    }
    gather_axes(model, settings, list);
    if (model.lab != nullptr) gather_lab(*model.lab, list);
}

DrawMesh collider_mesh(const scenes::World& world) {
    DrawMesh all;
    for (const scenes::HandState& hand : world.hands)
        for (std::size_t bone = 0; hand.present && bone < hand.pose.shapes.size(); ++bone) {
            if (!hand.pose.has(bone)) continue;
            const DrawMesh one = draw_mesh(hand.pose.shapes[bone]);
            const auto first = static_cast<std::uint32_t>(all.vertices.size());
            all.vertices.insert(all.vertices.end(), one.vertices.begin(), one.vertices.end());
            for (const auto& [a, b, c] : one.triangles) all.triangles.push_back({first + a, first + b, first + c});
        }
    return all;
}

DrawMesh arrow_mesh() {
    constexpr int kSides = 20;
    constexpr float kShaft_m = 0.00095F;
    constexpr float kHead_m = 2.7F * kShaft_m;
    constexpr float kHeadSlope = 0.23F;  // of the head's flank normal towards the tip: radius over length
    struct Ring {
        float radius_m, z, normal_out, normal_along;
    };
    constexpr Ring kRings[] = {{0, 0, 0, -1},
                               {kShaft_m, 0, 0, -1},
                               {kShaft_m, 0, 1, 0},
                               {kShaft_m, 1, 1, 0},
                               {kShaft_m, 1, 0, -1},
                               {kHead_m, 1, 0, -1},
                               {kHead_m, 1, 0.974F, kHeadSlope},
                               {0, 2, 0.974F, kHeadSlope}};
    DrawMesh mesh;
    for (const Ring& ring : kRings)
        for (int i = 0; i <= kSides; ++i) {
            const float angle = 2.0F * std::numbers::pi_v<float> * static_cast<float>(i) / kSides;
            const Vector3f out(std::cos(angle), std::sin(angle), 0.0F);
            mesh.vertices.push_back({ring.radius_m * out + Vector3f(0, 0, ring.z),
                                     ring.normal_out * out + Vector3f(0, 0, ring.normal_along)});
        }
    for (std::uint32_t r = 0; r + 1 < std::size(kRings); ++r)
        for (std::uint32_t i = 0; i < kSides; ++i) {
            const std::uint32_t a = r * (kSides + 1) + i;
            const std::uint32_t above = a + kSides + 1;
            mesh.triangles.push_back({a, a + 1, above + 1});
            mesh.triangles.push_back({a, above + 1, above});
        }
    return mesh;
}

}  // namespace glovebox::vr
