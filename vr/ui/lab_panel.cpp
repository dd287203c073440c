#include "vr/ui/lab_panel.h"

#include <algorithm>
#include <array>
#include <vector>

#include "vr/ui/lab_view.h"

namespace glovebox::vr {
namespace {

void draw_choices(const Brush& b, const LabView& lab, ViewCommands& commands) {
    constexpr std::array kWidths = {96.0F, 0.0F};
    separator(b);
    reserve(b, 12.0F);
    Rows rows(b, "choices", kWidths);
    if (!rows) return;
    for (std::size_t i = 0; i < lab.choices.size(); ++i) {
        const LabChoice& choice = lab.choices[i];
        rows.next_row(35.0F);
        const Box name = rows.next_cell();
        b.text(b.fonts().body, name.x, name.y + 18.0F, palette::kText, choice.name);
        rows.next_cell();
        std::vector<Segment> segments;
        for (const std::string& option : choice.options) segments.push_back({option});
        const int pressed = draw_segments(b, choice.name.c_str(), segments, choice.chosen);
        if (pressed < 0) continue;
        commands.lab_choice = static_cast<int>(i);
        commands.lab_option = pressed;
    }
}

void draw_figures(const Card& card, const LabView& lab) {
    constexpr std::array kWidths = {0.0F, 120.0F};
    const Brush& b = card.brush;
    separator(b);
    const Box title = reserve(b, 35.0F);
    b.text(b.fonts().heading, title.x, title.y + 27.0F, palette::kText, lab.figures_title);
    if (Rows rows(b, "figures", kWidths); rows) {
        for (const LabFigure& figure : lab.figures) {
            rows.next_row(card.roomy ? 25.0F : 21.0F);
            const Box name = rows.next_cell();
            b.text(b.fonts().note, name.x, name.y + 15.0F, palette::kSecondary, figure.name);
            b.text(b.fonts().figure, rows.next_cell().right(), name.y + 15.0F, palette::kText, figure.value,
                   Align::right);
        }
    }
    reserve(b, 9.0F);
}

}  // namespace

void draw_lab_sections(const Card& card, const ViewModel& model, ViewCommands& commands) {
    constexpr std::array kColumns = {CostColumn{"p50", 0.5, false}, CostColumn{"p99", 0.99, true},
                                     CostColumn{"max", 1.0, false}};
    const LabView& lab = *model.lab;
    draw_headline(card, lab.headline, lab.measured, lab.budget_us, lab.budget_name);
    draw_methods(card, model, commands);
    draw_advice(card, model, commands);
    static const DurationHistogram kEmpty;
    std::vector<CostRow> rows;
    for (const LabCost& row : lab.costs)
        rows.push_back({row.name, row.cost == nullptr ? &kEmpty : row.cost, row.name == model.method});
    if (!rows.empty()) draw_cost_table(card, {lab.costs_title, 96.0F, kColumns}, rows);
    if (card.roomy && lab.measured != nullptr)
        draw_strip(card, model.recent_total_us, lab.measured->percentile_us(0.99));
    draw_figures(card, lab);
    if (!lab.choices.empty()) draw_choices(card.brush, lab, commands);
}

float draw_lab_legend(const Brush& brush, float x, float baseline, const ViewModel& model) {
    for (const LabLegendEntry& entry : model.lab->legend)
        x = draw_legend_entry(brush, x, baseline, entry.name, entry.count, entry.color, entry.width_px);
    return x - kLegendGap;
}

}  // namespace glovebox::vr
