#include "vr/render/overlay.h"

#include <algorithm>
#include <string>

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

float draw_legend(const Brush& b, float x, float baseline, const BoxCounts& counts) {
    struct Entry {
        const char* name;
        int count;
        std::uint32_t color;
        float width;
    };
    const Entry entries[] = {{"touching", counts.touching, palette::kTouching, 2.2F},
                             {"false alarm", counts.false_alarm, palette::kFalseAlarm, 1.6F},
                             {"idle", counts.idle, palette::kIdle, 1.2F}};
    for (const Entry& entry : entries)
        x = draw_legend_entry(b, x, baseline, entry.name, entry.count, entry.color, entry.width);
    b.line(x + 4.0F, baseline + 1.0F, x + 12.0F, baseline - 6.0F, 2.2F, palette::kArrow);
    b.circle(x + 3.5F, baseline + 1.0F, 3.2F, palette::kArrow);
    b.triangle({x + 10.0F, baseline - 8.4F}, {x + 16.5F, baseline - 10.0F}, {x + 14.0F, baseline - 3.8F},
               palette::kArrow);
    return x + 24.0F + b.text(b.fonts().note, x + 24.0F, baseline, palette::kSecondary, "contact and push on the hand");
}

}  // namespace glovebox::vr
