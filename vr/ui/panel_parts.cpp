#include "vr/ui/panel_parts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "collision/body/refit.h"
#include "vr/ui/panel.h"

namespace glovebox::vr {
namespace {

constexpr double kFrame120_us = 1e6 / 120.0;

const MethodCost* best_method(const ViewModel& model) {
    const MethodCost* best = nullptr;
    for (const MethodCost& method : model.methods)
        if (method.typical_us > 0.0 && (best == nullptr || method.typical_us < best->typical_us)) best = &method;
    return best;
}

// The key that chooses a method, small before its name: 1 to 9, 0.
constexpr float kKeyWidth = 9.0F;
constexpr std::size_t kKeys = 10;

float column_right(const Pen& pen, const CostTable& table, std::size_t column) {
    return pen.right() - 39.0F * static_cast<float>(table.columns.size() - 1 - column);
}

// One row: name, histogram, percentiles.
void draw_cost_row(const Pen& pen, const CostTable& table, const HistogramAxis& axis, float baseline, float bars_height,
                   const CostRow& row) {
    const Brush& b = pen.brush;
    const bool total = row.strong;
    const DurationHistogram& histogram = *row.cost;
    b.text(total ? b.fonts().heading : b.fonts().body, pen.left(), baseline, palette::kText, row.name);
    if (row.sentence != nullptr) hint(b, {pen.left(), baseline - 17.0F, pen.width(), 24.0F}, row.sentence);
    const float foot = b.px(baseline + 5.0F);
    ImDrawList& list = b.list();
    const float line_px = std::max(1.0F, std::floor(b.scale()));
    list.AddRectFilled({static_cast<float>(axis.left_px), foot},
                       {static_cast<float>(axis.left_px + axis.width_px()), foot + line_px},
                       color_of(palette::kLine, 0.7F));
    if (histogram.count() == 0) return;
    const double p99_us = histogram.percentile_us(0.99);
    const int p99_bin = HistogramAxis::bin_of(p99_us);
    const auto heights = bar_heights(histogram);
    for (int bin = 0; bin < HistogramAxis::kBins; ++bin) {
        const float share = heights[static_cast<std::size_t>(bin)];
        if (share <= 0.0F) continue;
        const float height = std::max(1.5F * b.scale(), share * bars_height * b.scale());
        const auto x = static_cast<float>(axis.bar_left_px(bin));
        const std::uint32_t color = bin > p99_bin ? palette::kTrouble : total ? palette::kTotal : palette::kHistogram;
        list.AddRectFilled({x, foot - std::round(height)}, {x + static_cast<float>(axis.bar_px), foot},
                           color_of(color));
    }
    const float tip_x = static_cast<float>(axis.x_of(p99_us));
    const float half = std::round(4.0F * b.scale());
    list.AddTriangleFilled({tip_x, foot}, {tip_x + half, foot + half}, {tip_x - half, foot + half},
                           color_of(palette::kText));

    for (std::size_t i = 0; i < table.columns.size(); ++i) {
        const CostColumn& column = table.columns[i];
        const double figure_us = column.fraction < 1.0 ? histogram.percentile_us(column.fraction) : histogram.max_us();
        b.text(column.strong ? b.fonts().figure : b.fonts().note, column_right(pen, table, i), baseline,
               column.strong ? palette::kText : palette::kSecondary, format_us(figure_us), Align::right);
    }
}

// As few rows as the names fit into, equally full but for the last.
std::size_t method_rows(const Brush& b, const ViewModel& model, float width) {
    constexpr float kLeastGap = 7.0F + kKeyWidth;
    const std::size_t count = model.methods.size();
    for (std::size_t rows = 1; rows < count; ++rows) {
        const std::size_t per_row = (count + rows - 1) / rows;
        float widest = 0.0F;
        for (std::size_t begin = 0; begin < count; begin += per_row) {
            float used = 0.0F;
            for (std::size_t i = begin; i < std::min(count, begin + per_row); ++i)
                used += b.width_of(b.fonts().note, model.methods[i].name) + kLeastGap;
            widest = std::max(widest, used);
        }
        if (widest <= width) return rows;
    }
    return count;
}

}  // namespace

std::string formatted(const char* pattern, double value) {
    char text[64];
    std::snprintf(text, sizeof text, pattern, value);
    return text;
}

std::string format_us(double duration_us) {
    if (duration_us >= 9999.5) return formatted("%.0fk", 1e-3 * duration_us);
    if (duration_us >= 9.95) return formatted("%.0f", duration_us);
    if (duration_us >= 0.995) return formatted("%.1f", duration_us);
    return formatted("%.2f", duration_us);
}

void separator(const Pen& pen) {
    pen.brush.hairline(pen.box.x + 8.0F, pen.box.right() - 8.0F, pen.y, palette::kLine);
}

void draw_headline(Pen& pen, std::string_view label, const DurationHistogram* total, double budget_us,
                   std::string_view budget) {
    const Brush& b = pen.brush;
    const bool measured = total != nullptr && total->count() > 0;
    const double p99_us = measured ? total->percentile_us(0.99) : 0.0;
    b.text(b.fonts().note, pen.left(), pen.y + 25.5F, palette::kSecondary, label);
    const bool in_ms = p99_us >= 10000.0;
    const std::string figure = !measured ? "–" : in_ms ? formatted("%.1f", 1e-3 * p99_us) : format_us(p99_us);
    const float width = b.text(b.fonts().big, pen.left(), pen.y + 53.0F, palette::kText, figure);
    if (measured)
        b.text(b.fonts().note, pen.left() + width + 6.0F, pen.y + 53.0F, palette::kSecondary, in_ms ? "ms" : "µs");
    if (measured) {
        const double share = 100.0 * p99_us / budget_us;
        const std::string badge = formatted(share < 9.95 ? "%.1f %% of " : "%.0f %% of ", share) + std::string(budget);
        const bool good = share <= 100.0;
        const float badge_width = b.width_of(b.fonts().figure, badge) + 20.0F;
        const Box field = {pen.right() - badge_width, pen.y + 36.0F, badge_width, 23.0F};
        b.fill(field, good ? palette::kGoodField : palette::kBadField, 11.5F);
        b.text(b.fonts().figure, field.x + 10.0F, field.y + 16.0F, good ? palette::kGood : palette::kBudget, badge);
    }
    pen.y += 67.0F;
}

// A segmented control, over several rows where there are many methods.
void draw_methods(Pen& pen, const ViewModel& model, ViewCommands& commands) {
    if (model.methods.empty()) return;
    const Brush& b = pen.brush;
    const std::size_t count = model.methods.size();
    const std::size_t rows = method_rows(b, model, pen.width() - 4.0F);
    const std::size_t per_row = (count + rows - 1) / rows;
    const Box field = {pen.left(), pen.y, pen.width(), 28.0F * static_cast<float>(rows)};
    b.fill(field, palette::kField, 7.0F);
    const MethodCost* best = best_method(model);
    for (std::size_t row = 0; row < rows; ++row) {
        const std::size_t begin = std::min(count - 1, row * per_row);
        const std::size_t end = std::min(count, begin + per_row);
        float in_row = 0.0F;
        for (std::size_t i = begin; i < end; ++i) in_row += b.width_of(b.fonts().note, model.methods[i].name);
        const float room = (pen.width() - 4.0F - in_row) / static_cast<float>(end - begin);
        float x = pen.left() + 2.0F;
        for (std::size_t i = begin; i < end; ++i) {
            const MethodCost& method = model.methods[i];
            const Box segment = {x, field.y + 28.0F * static_cast<float>(row) + 2.0F,
                                 b.width_of(b.fonts().note, method.name) + room, 24.0F};
            x = segment.right();
            const bool chosen = method.name == model.method;
            bool hovered = false;
            ImGui::PushID(static_cast<int>(i));
            if (click_area("method", segment, b.scale(), &hovered) && !chosen) commands.method = method.name;
            if (hovered) {
                const collision::RefitMethod* row_of = collision::find_refit_method(method.name);
                std::string sentence = row_of == nullptr ? std::string(method.name) : std::string(row_of->summary);
                if (method.typical_us > 0.0)
                    sentence += "\n" + format_us(method.typical_us) + " µs a frame on this input" +
                                (best == &method ? ", the least" : "");
                ImGui::SetTooltip("%s", sentence.c_str());
            }
            ImGui::PopID();
            if (chosen) {
                b.fill({segment.x, segment.y + 1.0F, segment.width, segment.height}, 0x1F2933, 6.0F, 0.06F);
                b.fill(segment, 0xFFFFFF, 6.0F);
            } else if (hovered) {
                b.fill(segment, palette::kLine, 6.0F, 0.7F);
            }
            const float key = i < kKeys ? kKeyWidth : 0.0F;
            b.text(chosen ? b.fonts().figure : b.fonts().note, segment.x + 0.5F * (segment.width + key),
                   segment.y + 16.5F, chosen ? palette::kText : palette::kSecondary, method.name, Align::center);
            if (i >= kKeys) continue;
            const char digit[2] = {static_cast<char>('0' + (i + 1) % kKeys), 0};
            const float name_left = segment.x + 0.5F * (segment.width + key - b.width_of(b.fonts().note, method.name));
            b.list().AddText(b.fonts().note, 0.72F * b.fonts().note->FontSize,
                             {b.px(name_left - kKeyWidth), b.px(segment.y + 4.0F)}, color_of(palette::kTertiary),
                             digit);
        }
    }
    pen.y = field.bottom();
}

void draw_advice(Pen& pen, const ViewModel& model, ViewCommands& commands) {
    if (model.advice.empty()) return;
    const Brush& b = pen.brush;
    pen.y += 8.0F;
    const bool offer = !model.advised_method.empty() && model.advised_method != model.method;
    const std::string action = offer ? "Use " + std::string(model.advised_method) : "";
    const float action_width = offer ? b.width_of(b.fonts().figure, action) + 20.0F : 0.0F;
    b.circle(pen.left() + 4.0F, pen.y + 11.0F, 3.0F, palette::kGood);
    // Beside a button that names the method, the name need not be said twice.
    const std::size_t how_much = offer ? model.advice.find(": ") : std::string::npos;
    b.text_within(b.fonts().note, pen.left() + 14.0F, pen.y + 15.5F, pen.width() - action_width - 22.0F,
                  palette::kSecondary,
                  how_much == std::string::npos ? model.advice : model.advice.substr(how_much + 2));
    if (offer) {
        const Box button = {pen.right() - action_width, pen.y, action_width, 22.0F};
        bool hovered = false;
        if (click_area("advice", button, b.scale(), &hovered)) commands.method = model.advised_method;
        b.fill(button, palette::kAccent, 6.0F, hovered ? 0.20F : 0.10F);
        b.text(b.fonts().figure, button.x + 10.0F, button.y + 15.5F, palette::kAccent, action);
    }
    pen.y += 22.0F;
}

void draw_cost_table(Pen& pen, const CostTable& table, std::span<const CostRow> rows) {
    const Brush& b = pen.brush;
    const float row = pen.roomy ? 34.0F : 26.0F;
    const float bars = row - 6.0F;
    const HistogramAxis axis = make_axis(pen.left() + table.name_width, b.scale());
    b.text(b.fonts().heading, pen.left(), pen.y + 22.0F, palette::kText, table.title);
    b.text(b.fonts().note, pen.left() + table.name_width, pen.y + 22.0F, palette::kTertiary, "µs, log");
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
        const CostColumn& column = table.columns[i];
        b.text(column.strong ? b.fonts().figure : b.fonts().note, column_right(pen, table, i), pen.y + 22.0F,
               column.strong ? palette::kText : palette::kTertiary, column.name, Align::right);
    }

    const float first = pen.y + 22.0F + row + (pen.roomy ? 4.0F : 3.0F);
    const float foot = first + row * static_cast<float>(rows.size() - 1) + 10.0F;
    // Lines through all rows: what a millisecond and a frame are.
    const float line_px = std::max(1.0F, std::floor(b.scale()));
    const auto vertical = [&](double at_us, std::uint32_t color, float alpha) {
        const auto x = static_cast<float>(axis.x_of(at_us));
        b.list().AddRectFilled({x, b.px(pen.y + 30.0F)}, {x + line_px, b.px(foot)}, color_of(color, alpha));
    };
    for (const double decade_us : {1.0, 10.0, 100.0}) vertical(decade_us, palette::kLine, 0.8F);
    vertical(1000.0, palette::kIdle, 0.8F);
    vertical(kFrame120_us, palette::kBudget, 0.45F);
    vertical(kFrame90_us, palette::kBudget, 0.75F);
    for (std::size_t i = 0; i < rows.size(); ++i)
        draw_cost_row(pen, table, axis, first + row * static_cast<float>(i), bars, rows[i]);
    const auto label = [&](double at_us, const char* text, std::uint32_t color, Align align, float shift) {
        b.text(b.fonts().note, static_cast<float>(axis.x_of(at_us)) / b.scale() + shift, foot + 14.0F, color, text,
               align);
    };
    label(1.0, "1", palette::kTertiary, Align::center, 0.0F);
    label(10.0, "10", palette::kTertiary, Align::center, 0.0F);
    label(100.0, "100", palette::kTertiary, Align::center, 0.0F);
    label(1000.0, "1 ms", palette::kSecondary, Align::center, 0.0F);
    label(kFrame120_us, "1/120", palette::kBudget, Align::right, 20.0F);
    label(kFrame90_us, "1/90 s", palette::kBudget, Align::left, 22.0F);
    pen.y = foot + 14.0F + (pen.roomy ? 22.0F : 19.0F);
}

// Each frame's total over the last 10 s, 1 µs up to just above 1/90 s.
void draw_strip(Pen& pen, std::span<const float> recent_us, double p99_us) {
    const Brush& b = pen.brush;
    separator(pen);
    b.text(b.fonts().heading, pen.left(), pen.y + 28.0F, palette::kText, "Last 10 s");
    b.text(b.fonts().note, pen.right(), pen.y + 28.0F, palette::kTertiary, "total, per frame", Align::right);
    const float top = pen.y + 40.0F;
    const float height = 82.0F;
    const float left = pen.left() + 42.0F;
    const auto y_of = [&](double at_us) {
        const double share = std::log(std::max(at_us, 1.0)) / std::log(15000.0);
        return top + height * (1.0F - static_cast<float>(std::min(share, 1.0)));
    };
    struct Mark {
        double at_us;
        const char* text;
        std::uint32_t color;
    };
    constexpr Mark kMarks[] = {{1.0, "1 µs", palette::kTertiary},
                               {10.0, "10", palette::kTertiary},
                               {100.0, "100", palette::kTertiary},
                               {1000.0, "1 ms", palette::kSecondary},
                               {kFrame90_us, "1/90", palette::kBudget}};
    for (const Mark& mark : kMarks) {
        const bool budget = mark.at_us == kFrame90_us;
        b.hairline(left, pen.right(), y_of(mark.at_us), budget ? palette::kBudget : palette::kLine,
                   budget ? 0.6F : 1.0F);
        b.text(b.fonts().note, left - 6.0F, y_of(mark.at_us) + 4.5F, mark.color, mark.text, Align::right);
    }
    const int columns = static_cast<int>((b.px(pen.right()) - b.px(left)) / std::max(2.0F, b.px(2.0F)));
    const std::size_t samples = recent_us.size();
    for (int c = 0; c < columns && samples > 0; ++c) {
        // The worst frame of a column stands for it: an outlier must not vanish between pixels.
        const std::size_t begin = samples * static_cast<std::size_t>(c) / static_cast<std::size_t>(columns);
        const std::size_t end = samples * static_cast<std::size_t>(c + 1) / static_cast<std::size_t>(columns);
        float worst_us = 0.0F;
        for (std::size_t i = begin; i < end; ++i) worst_us = std::max(worst_us, recent_us[i]);
        if (worst_us <= 0.0F) continue;
        const float x = b.px(left) + static_cast<float>(c) * std::max(2.0F, b.px(2.0F));
        const bool outlier = worst_us > 1.5 * p99_us || worst_us > kFrame90_us;
        b.list().AddRectFilled({x, b.px(y_of(worst_us))}, {x + std::max(1.0F, b.px(1.0F)), b.px(top + height)},
                               color_of(outlier ? palette::kTrouble : palette::kHistogram));
    }
    pen.y = top + height + 20.0F;
}

}  // namespace glovebox::vr
