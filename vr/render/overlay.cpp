#include "vr/render/overlay.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "vr/render/picking.h"
#include "vr/session/take.h"

namespace glovebox::vr {

void draw_title(const Brush& b, float width, const ViewModel& model, const Marked& chosen) {
    constexpr float kLeft = 20.0F;
    std::string subtitle = model.subtitle, name = name_of(chosen, model);
    if (chosen.bone < 0 && !name.empty()) name = model.scene->objects[static_cast<std::size_t>(chosen.object)].name;
    if (!name.empty()) subtitle += " \u2022 marked: " + name.substr(0, name.find('\n')) + " (Esc ends)";
    draw_on_field(b, {kLeft, 14.0F, 0.0F, 45.0F}, [&] {
        const float title = b.text_within(b.fonts().heading, kLeft, 30.5F, width, palette::kText, model.title);
        const float below = b.text_within(b.fonts().note, kLeft, 51.0F, width, palette::kSecondary, subtitle);
        return kLeft + std::max(title, below);
    });
}

float draw_legend_entry(const Brush& b, float x, float baseline, std::string_view name, int count, std::uint32_t color,
                        float width_px) {
    b.list().AddRect(b.at(x + 2.0F, baseline - 10.5F), b.at(x + 15.0F, baseline + 1.5F), color_of(color),
                     2.5F * b.scale(), 0, width_px * b.scale());
    const float used = 24.0F + b.text(b.fonts().note, x + 24.0F, baseline, palette::kSecondary, name);
    return x + used + 6.0F + kLegendGap +
           b.text(b.fonts().figure, x + used + 6.0F, baseline, palette::kText, std::to_string(count));
}

namespace {

// One entry: a symbol 16 wide, a word, an optional number, a tooltip.
struct LegendEntry {
    const char *name, *hint;
    int count;  // -1: none
    std::uint32_t color;
    float width_px;
    void (*sign)(const Brush& b, float x, float baseline, const LegendEntry& entry);
};

void box_sign(const Brush& b, float x, float baseline, const LegendEntry& entry) {
    b.list().AddRect(b.at(x + 2.0F, baseline - 10.5F), b.at(x + 15.0F, baseline + 1.5F), color_of(entry.color),
                     2.5F * b.scale(), 0, entry.width_px * b.scale());
}

void arrow_sign(const Brush& b, float x, float baseline, const LegendEntry& entry) {
    b.line(x + 4.0F, baseline + 1.0F, x + 12.0F, baseline - 6.0F, 2.2F, entry.color);
    b.circle(x + 3.5F, baseline + 1.0F, 3.2F, entry.color);
    b.triangle({x + 10.0F, baseline - 8.4F}, {x + 16.5F, baseline - 10.0F}, {x + 14.0F, baseline - 3.8F}, entry.color);
}

void outline_sign(const Brush& b, float x, float baseline, const LegendEntry& entry) {
    b.ring(x + 8.5F, baseline - 4.5F, 5.5F, entry.width_px, entry.color);
}

float draw_entry(const Brush& b, float x, float baseline, const LegendEntry& entry) {
    entry.sign(b, x, baseline, entry);
    float end = x + 24.0F + b.text(b.fonts().note, x + 24.0F, baseline, palette::kSecondary, entry.name);
    if (entry.count >= 0)
        end += 6.0F + b.text(b.fonts().figure, end + 6.0F, baseline, palette::kText, std::to_string(entry.count));
    if (ImGui::IsMouseHoveringRect(b.at(x, baseline - 17.0F), b.at(end, baseline + 8.0F), false) &&
        !ImGui::GetIO().WantCaptureMouse)
        tooltip(entry.hint);
    return end;
}

float width_of(const Brush& b, const LegendEntry& entry) {
    return 24.0F + b.width_of(b.fonts().note, entry.name) +
           (entry.count >= 0 ? 6.0F + b.width_of(b.fonts().figure, std::to_string(entry.count)) : 0.0F);
}

// While stepping: results of the tests so far.
std::vector<LegendEntry> box_test_entries(const ViewModel& model, std::size_t at) {
    const BoxCounts counts = count_pairs(model.box_pairs.first(std::min(at + 1, model.box_pairs.size())));
    const auto left = static_cast<int>(model.box_pairs.size() - std::min(at + 1, model.box_pairs.size()));
    return {{"hit", "The boxes overlap, and a bone touches the object in them.", counts.touching, palette::kTouching,
             2.2F, box_sign},
            {"false positive", "The boxes overlap, and no bone touches the object in them.", counts.false_positive,
             palette::kFalsePositive, 1.6F, box_sign},
            {"apart, not visited below", "The boxes do not overlap: nothing below them is visited.", counts.idle,
             palette::kSecondary, 1.2F, box_sign},
            {"to come", "Box tests of this frame after the one on show.", left, palette::kLine, 1.2F, box_sign}};
}

struct Fate {
    const char *sentence, *word;  // the word alone where the sentence does not fit
};

Fate fate_of(BoxState state) {
    return state == BoxState::touching         ? Fate{"overlap, and a touch inside: hit", "hit"}
           : state == BoxState::false_positive ? Fate{"overlap, no touch inside: false positive", "false positive"}
                                               : Fate{"apart: nothing below is visited", "apart"};
}

std::string hand_text(const ViewModel& model, const BoxPair& pair) {
    const bool two =
        model.world->hands[tracking::Side::left].present && model.world->hands[tracking::Side::right].present;
    return (two ? std::string(tracking::name_of(pair.side)) + " " : std::string()) + name_of_node(pair.body_node) +
           (pair.leaf_itself ? ", the bone itself" : ", level " + std::to_string(pair.hand_level));
}

std::string object_text(const ViewModel& model, const BoxPair& pair) {
    const std::string name = model.scene->objects[static_cast<std::size_t>(pair.object)].name;
    if (pair.tree_node < 0) return name + ", outer box";
    return name + ", tree level " + std::to_string(pair.tree_level) + ", node " + std::to_string(pair.tree_node) +
           ", box " + std::to_string(pair.child + 1);
}

}  // namespace

Box taken_by_hands(const ViewModel& model, const Eigen::Matrix4f& clip_from_world, int width_px, int height_px) {
    if (model.world == nullptr || model.hands == nullptr) return {};
    PointCloud points;
    add_visible(*model.world, *model.hands, kNearInTake_m, points);
    const Eigen::Array2f half(0.5F * static_cast<float>(width_px), 0.5F * static_cast<float>(height_px));
    Eigen::AlignedBox2f taken;
    for (const Eigen::Vector3f& corner_m : points.corners_m()) {
        const Eigen::Vector4f clip = clip_from_world * corner_m.homogeneous();
        if (clip.w() < 1e-3F) continue;  // behind the eye
        const Eigen::Array2f at = Eigen::Array2f(clip.x(), -clip.y()) / clip.w();
        taken.extend(((1.0F + at) * half).matrix());
    }
    if (taken.isEmpty()) return {};
    return {taken.min().x(), taken.min().y(), taken.sizes().x(), taken.sizes().y()};
}

Box card_in(Corner corner, const Box& area, float width, float height) {
    const bool right = corner == Corner::top_right || corner == Corner::bottom_right;
    const bool bottom = corner == Corner::bottom_left || corner == Corner::bottom_right;
    return {right ? area.right() - width : area.x, bottom ? area.bottom() - height : area.y, width, height};
}

Corner freest_corner(std::optional<Corner> before, const Box& area, float width, float height, const Box& taken) {
    const auto hidden = [&](Corner corner) {
        const Box card = card_in(corner, area, width, height);
        const float across = std::min(card.right(), taken.right()) - std::max(card.x, taken.x);
        const float down = std::min(card.bottom(), taken.bottom()) - std::max(card.y, taken.y);
        return std::max(0.0F, across) * std::max(0.0F, down);
    };
    constexpr float kClearly = 0.05F;  // of the card
    Corner best = before.value_or(Corner::top_left);
    float least = hidden(best) - (before ? kClearly * width * height : 0.0F);
    for (const Corner corner : {Corner::top_left, Corner::top_right, Corner::bottom_left, Corner::bottom_right})
        if (hidden(corner) < least) least = hidden(corner), best = corner;
    return best;
}

namespace {
constexpr float kLine = 19.0F, kPad = 12.0F;  // of the card about a box test
}  // namespace

ImVec2 box_test_size(const ViewModel& model, float width) {
    return {std::min(470.0F, width), model.box_pairs.empty() ? 2.0F * kLine + kPad : 5.0F * kLine + kPad + 4.0F};
}

void draw_box_test(const Brush& b, const Box& card, const ViewModel& model, int shown) {
    const auto [x, top, width, height] = card;
    const std::size_t count = model.box_pairs.size();
    b.card(card);
    if (count == 0) {
        b.text(b.fonts().heading, x + kPad, top + 22.0F, palette::kText, "No box tests in this frame");
        b.text_within(b.fonts().note, x + kPad, top + 22.0F + kLine, width - 2.0F * kPad, palette::kTertiary,
                      "no hand is here, or the method tests no boxes; Esc leaves");
        return;
    }
    const std::size_t at = std::min(static_cast<std::size_t>(std::max(shown, 0)), count - 1);
    const BoxPair& pair = model.box_pairs[at];
    const float left = x + kPad, within = width - 2.0F * kPad;
    float y = top + 22.0F;
    const float named = b.text(b.fonts().heading, left, y, palette::kText,
                               "Box test " + std::to_string(at + 1) + " of " + std::to_string(count));
    b.text_within(b.fonts().note, left + named + 12.0F, y, within - named - 12.0F, palette::kTertiary,
                  pair.tree_node < 0 ? "against an object (n_v_object)" : "against a tree (n_v_tree)");
    const auto row = [&](const char* name, const std::string& what) {
        y += kLine;
        b.text(b.fonts().note, left, y, palette::kTertiary, name);
        b.text_within(b.fonts().body, left + 56.0F, y, within - 56.0F, palette::kText, what);
    };
    row("hand", hand_text(model, pair));
    row("object", object_text(model, pair));
    y += kLine;
    const std::uint32_t color = pair.state == BoxState::touching         ? palette::kTouching
                                : pair.state == BoxState::false_positive ? palette::kFalsePositive
                                                                         : palette::kSecondary;
    b.list().AddRect(b.at(left + 1.0F, y - 10.5F), b.at(left + 14.0F, y + 1.5F), color_of(color), 2.5F * b.scale(), 0,
                     2.2F * b.scale());
    const Fate fate = fate_of(pair.state);
    const bool fits = b.width_of(b.fonts().body, fate.sentence) <= within - 24.0F;
    b.text(b.fonts().body, left + 24.0F, y, color, fits ? fate.sentence : fate.word);
    y += kLine;
    const auto reach_mm = static_cast<int>(std::lround(1e3F * model.scene->thresholds.hover_exit_m));
    b.text_within(
        b.fonts().note, left, y, within, palette::kTertiary,
        "T next \u2022 shift T back \u2022 Esc leaves \u2022 tested with " + std::to_string(reach_mm) + " mm around");
}

float draw_legend(const Brush& b, float x, float baseline, float right, const ViewModel& model,
                  const ViewSettings& settings) {
    const BoxCounts counts = count_boxes(*model.scene, *model.world);
    constexpr const char* kTouching =
        "Boxes of bones that touch an object. A touch ends only when the gap is above touch_exit_m, and an object that "
        "is pushed moves during the frame. So the exact tests, with the object where the frame began, may find more or "
        "fewer. A bone that reappears inside an object touches it only after it was outside.";
    std::vector<LegendEntry> entries = {
        {"touching", kTouching, counts.touching, palette::kTouching, 2.2F, box_sign},
        {"false positive", "Boxes that overlap an object whose bone does not touch it.", counts.false_positive,
         palette::kFalsePositive, 1.6F, box_sign},
        {"idle", "Boxes that overlap nothing.", counts.idle, palette::kIdle, 1.2F, box_sign}};
    if (settings.box_test >= 0) entries = box_test_entries(model, static_cast<std::size_t>(settings.box_test));
    const bool apart = model.proxy != nullptr &&
                       (model.proxy->apart[tracking::Side::left] || model.proxy->apart[tracking::Side::right]);
    if (apart && settings.outline) {
        if (settings.solid_hand == SolidHand::tracked)
            entries.push_back({"hand kept outside", "Where the hand would be if it could not enter objects.", -1,
                               palette::kOutline, 1.8F, outline_sign});
        else
            entries.push_back({"tracked hand", "Where the tracker has the hand; it is drawn outside of objects.", -1,
                               palette::kOutline, 1.8F, outline_sign});
    }
    if (settings.colliders)
        entries.push_back({"collider", "The shapes that are tested against the objects.", -1, palette::kCollider, 5.5F,
                           outline_sign});
    entries.push_back({"contact, push on the hand", "Where the hand touches; a longer arrow is a harder push.", -1,
                       palette::kArrow, 0.0F, arrow_sign});
    float end = x;
    for (const LegendEntry& entry : entries) {
        const float from = end == x ? x : end + kLegendGap;
        if (from + width_of(b, entry) > right) break;
        end = draw_entry(b, from, baseline, entry);
    }
    return end;
}

}  // namespace glovebox::vr
