#include "vr/ui/lab_panel.h"

#include <algorithm>
#include <array>

#include "vr/ui/lab_view.h"

namespace glovebox::vr {
namespace {

void draw_choice(Pen& pen, int number, const LabChoice& choice, ViewCommands& commands) {
    const Brush& b = pen.brush;
    b.text(b.fonts().body, pen.left(), pen.y + 18.0F, palette::kText, choice.name);
    const Box field = {pen.left() + 96.0F, pen.y, pen.width() - 96.0F, 28.0F};
    b.fill(field, palette::kField, 7.0F);
    float names = 0.0F;
    for (const std::string& option : choice.options) names += b.width_of(b.fonts().note, option);
    const float room = (field.width - 4.0F - names) / static_cast<float>(choice.options.size());
    float x = field.x + 2.0F;
    for (std::size_t i = 0; i < choice.options.size(); ++i) {
        const Box segment = {x, field.y + 2.0F, b.width_of(b.fonts().note, choice.options[i]) + room, 24.0F};
        x = segment.right();
        const bool chosen = i == choice.chosen;
        bool hovered = false;
        ImGui::PushID(100 * (number + 1) + static_cast<int>(i));
        if (click_area("choice", segment, b.scale(), &hovered) && !chosen) {
            commands.lab_choice = number;
            commands.lab_option = static_cast<int>(i);
        }
        ImGui::PopID();
        if (chosen) {
            b.fill({segment.x, segment.y + 1.0F, segment.width, segment.height}, 0x1F2933, 6.0F, 0.06F);
            b.fill(segment, 0xFFFFFF, 6.0F);
        } else if (hovered) {
            b.fill(segment, palette::kLine, 6.0F, 0.7F);
        }
        b.text(chosen ? b.fonts().figure : b.fonts().note, segment.x + 0.5F * segment.width, segment.y + 16.5F,
               chosen ? palette::kText : palette::kSecondary, choice.options[i], Align::center);
    }
    pen.y += 35.0F;
}

void draw_figures(Pen& pen, const LabView& lab) {
    const Brush& b = pen.brush;
    separator(pen);
    b.text(b.fonts().heading, pen.left(), pen.y + 27.0F, palette::kText, lab.figures_title);
    pen.y += 35.0F;
    const float row = pen.roomy ? 25.0F : 21.0F;
    for (const LabFigure& figure : lab.figures) {
        b.text(b.fonts().note, pen.left(), pen.y + 15.0F, palette::kSecondary, figure.name);
        b.text(b.fonts().figure, pen.right(), pen.y + 15.0F, palette::kText, figure.value, Align::right);
        pen.y += row;
    }
    pen.y += 9.0F;
}

}  // namespace

void draw_lab_sections(Pen& pen, const ViewModel& model, ViewCommands& commands) {
    constexpr std::array kColumns = {CostColumn{"p50", 0.5, false}, CostColumn{"p99", 0.99, true},
                                     CostColumn{"max", 1.0, false}};
    const LabView& lab = *model.lab;
    draw_headline(pen, lab.headline, lab.measured, lab.budget_us, lab.budget_name);
    draw_methods(pen, model, commands);
    draw_advice(pen, model, commands);
    static const DurationHistogram kEmpty;
    std::vector<CostRow> rows;
    for (const LabCost& row : lab.costs)
        rows.push_back({row.name, row.cost == nullptr ? &kEmpty : row.cost, row.name == model.method});
    if (!rows.empty()) draw_cost_table(pen, {lab.costs_title, 106.0F, kColumns}, rows);
    if (pen.roomy && lab.measured != nullptr) draw_strip(pen, model.recent_total_us, lab.measured->percentile_us(0.99));
    draw_figures(pen, lab);
    if (lab.choices.empty()) return;
    separator(pen);
    pen.y += 12.0F;
    for (std::size_t i = 0; i < lab.choices.size(); ++i)
        draw_choice(pen, static_cast<int>(i), lab.choices[i], commands);
}

float draw_lab_legend(const Brush& brush, float x, float baseline, const ViewModel& model) {
    for (const LabLegendEntry& entry : model.lab->legend)
        x = draw_legend_entry(brush, x, baseline, entry.name, entry.count, entry.color, entry.width_px);
    return x - kLegendGap;
}

}  // namespace glovebox::vr
