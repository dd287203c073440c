#include "vr/render/overlay.h"

#include <algorithm>
#include <string>
#include <vector>

namespace glovebox::vr {

void draw_title(const Brush& b, float width, const ViewModel& model) {
    constexpr float kLeft = 20.0F;
    draw_on_field(b, {kLeft, 14.0F, 0.0F, 45.0F}, [&] {
        const float title = b.text_within(b.fonts().heading, kLeft, 30.5F, width, palette::kText, model.title);
        const float below = b.text_within(b.fonts().note, kLeft, 51.0F, width, palette::kSecondary, model.subtitle);
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

// One entry: a sign 16 wide, a word, perhaps a number; a sentence for whoever points at it.
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
        ImGui::SetTooltip("%s", entry.hint);
    return end;
}

float width_of(const Brush& b, const LegendEntry& entry) {
    return 24.0F + b.width_of(b.fonts().note, entry.name) +
           (entry.count >= 0 ? 6.0F + b.width_of(b.fonts().figure, std::to_string(entry.count)) : 0.0F);
}

}  // namespace

float draw_legend(const Brush& b, float x, float baseline, float right, const ViewModel& model,
                  const ViewSettings& settings) {
    const BoxCounts counts = count_boxes(*model.scene, *model.world);
    std::vector<LegendEntry> entries = {
        {"touching", "Boxes of bones that touch an object.", counts.touching, palette::kTouching, 2.2F, box_sign},
        {"false positive", "Boxes that overlap an object whose bone does not touch it.", counts.false_alarm,
         palette::kFalseAlarm, 1.6F, box_sign},
        {"idle", "Boxes that overlap nothing.", counts.idle, palette::kIdle, 1.2F, box_sign}};
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
