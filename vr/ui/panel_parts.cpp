#include "vr/ui/panel_parts.h"

#include <algorithm>
#include <cmath>

#include "collision/body/refit.h"
#include "tracking/formatted.h"
#include "vr/ui/panel.h"

namespace glovebox::vr {
namespace {

using tracking::formatted;
constexpr double kFrame120_us = 1e6 / 120.0;

const MethodCost* best_method(const ViewModel& model) {
    const MethodCost* best = nullptr;
    for (const MethodCost& method : model.methods)
        if (method.typical_us > 0.0 && (best == nullptr || method.typical_us < best->typical_us)) best = &method;
    return best;
}

// Returns "1.56x as fast (1.5 to 1.6x)": the button beside it names the method, the tooltip has the whole sentence.
std::string beside_button(std::string_view advice) {
    constexpr std::string_view kFrame = "the whole frame ";
    if (const std::size_t at = advice.find(kFrame); at != std::string_view::npos)
        advice.remove_prefix(at + kFrame.size());
    std::string text(advice);
    const std::size_t with = text.find(" as with "), bounds = text.rfind(" (");
    if (with != std::string::npos && bounds != std::string::npos && with < bounds) text.erase(with, bounds - with);
    return text;
}

constexpr float kKeyWidth = 9.0F;  // of a segment's key, left of its name
constexpr std::size_t kKeys = 10;  // 1 to 9, 0

// Draws a duration's histogram at the bottom of its cell, with a mark at the 99th percentile.
void draw_histogram(const Brush& b, const Box& cell, float bars_height, const DurationHistogram& histogram,
                    bool strong) {
    const HistogramAxis axis = make_axis(cell.x, b.scale());
    const float foot = b.px(cell.bottom() - 4.0F);
    ImDrawList& list = b.list();
    const float line_px = std::max(1.0F, std::floor(b.scale()));
    // Lines through all rows: decades, 1 ms, and the frame period.
    const auto vertical = [&](double at_us, std::uint32_t color, float alpha) {
        const auto x = static_cast<float>(axis.x_of(at_us));
        list.AddRectFilled({x, b.px(cell.y)}, {x + line_px, b.px(cell.bottom())}, color_of(color, alpha));
    };
    for (const double decade_us : {1.0, 10.0, 100.0}) vertical(decade_us, palette::kLine, 0.8F);
    vertical(1000.0, palette::kIdle, 0.8F);
    vertical(kFrame120_us, palette::kBudget, 0.45F);
    vertical(kFrame90_us, palette::kBudget, 0.75F);
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
        const std::uint32_t color = bin > p99_bin ? palette::kTrouble : strong ? palette::kTotal : palette::kHistogram;
        list.AddRectFilled({x, foot - std::round(height)}, {x + static_cast<float>(axis.bar_px), foot},
                           color_of(color));
    }
    const float tip_x = static_cast<float>(axis.x_of(p99_us));
    const float half = std::round(4.0F * b.scale());
    list.AddTriangleFilled({tip_x, foot}, {tip_x + half, foot + half}, {tip_x - half, foot + half},
                           color_of(palette::kText));
}

void draw_axis_labels(const Brush& b, const Box& cell) {
    struct Label {
        double at_us;
        const char* text;
        std::uint32_t color;
        Align align;
        float shift;
    };
    constexpr Label kLabels[] = {{1.0, "1", palette::kTertiary, Align::center, 0.0F},
                                 {10.0, "10", palette::kTertiary, Align::center, 0.0F},
                                 {100.0, "100", palette::kTertiary, Align::center, 0.0F},
                                 {1000.0, "1 ms", palette::kSecondary, Align::center, 0.0F},
                                 {kFrame120_us, "1/120", palette::kBudget, Align::right, 20.0F},
                                 {kFrame90_us, "1/90 s", palette::kBudget, Align::left, 22.0F}};
    const HistogramAxis axis = make_axis(cell.x, b.scale());
    for (const Label& label : kLabels)
        b.text(b.fonts().note, static_cast<float>(axis.x_of(label.at_us)) / b.scale() + label.shift, cell.y + 14.0F,
               label.color, label.text, label.align);
}

// Splits the segments into as few rows as the names need, all equally full but the last.
std::size_t segment_rows(const Brush& b, std::span<const Segment> segments, float width) {
    constexpr float kMinGap = 7.0F + kKeyWidth;
    const std::size_t count = segments.size();
    for (std::size_t rows = 1; rows < count; ++rows) {
        const std::size_t per_row = (count + rows - 1) / rows;
        float widest = 0.0F;
        for (std::size_t begin = 0; begin < count; begin += per_row) {
            float used = 0.0F;
            for (std::size_t i = begin; i < std::min(count, begin + per_row); ++i)
                used += b.width_of(b.fonts().note, segments[i].name) + kMinGap;
            widest = std::max(widest, used);
        }
        if (widest <= width) return rows;
    }
    return count;
}

// Draws one segment; returns true if it was pressed.
bool draw_segment(const Brush& b, const Box& box, const Segment& segment, bool chosen) {
    bool hovered = false;
    const bool pressed = click_area("segment", box, b.scale(), &hovered);
    if (hovered && !segment.hint.empty()) tooltip(segment.hint);
    if (chosen) {
        b.fill({box.x, box.y + 1.0F, box.width, box.height}, 0x1F2933, 6.0F, 0.06F);
        b.fill(box, 0xFFFFFF, 6.0F);
    } else if (hovered) {
        b.fill(box, palette::kLine, 6.0F, 0.7F);
    }
    const float key = segment.key == 0 ? 0.0F : kKeyWidth;
    const float middle = box.x + 0.5F * (box.width + key);
    b.text(chosen ? b.fonts().figure : b.fonts().note, middle, box.y + 16.5F,
           chosen ? palette::kText : palette::kSecondary, segment.name, Align::center);
    if (segment.key == 0) return pressed;
    const char text[2] = {segment.key, 0};
    const float name_left = middle - 0.5F * b.width_of(b.fonts().note, segment.name);
    b.list().AddText(b.fonts().note, 0.72F * b.fonts().note->FontSize,
                     {b.px(name_left - kKeyWidth), b.px(box.y + 4.0F)}, color_of(palette::kTertiary), text);
    return pressed;
}

}  // namespace

std::string format_us(double duration_us) {
    if (duration_us >= 9999.5) return formatted("%.0fk", 1e-3 * duration_us);
    if (duration_us >= 9.95) return formatted("%.0f", duration_us);
    if (duration_us >= 0.995) return formatted("%.1f", duration_us);
    return formatted("%.2f", duration_us);
}

void separator(const Brush& b) {
    const Box line = reserve(b, 0.0F);
    b.hairline(line.x - 8.0F, line.right() + 8.0F, line.y, palette::kLine);
}

void draw_headline(const Card& card, std::string_view label, const DurationHistogram* total, double budget_us,
                   std::string_view budget) {
    const Brush& b = card.brush;
    const Box area = reserve(b, 67.0F);
    const bool measured = total != nullptr && total->count() > 0;
    const double p99_us = measured ? total->percentile_us(0.99) : 0.0;
    b.text(b.fonts().note, area.x, area.y + 25.5F, palette::kSecondary, label);
    hint(b, area, "99 of 100 take no longer; the badge compares it with the time that there is.");
    const bool in_ms = p99_us >= 10000.0;
    const std::string figure = !measured ? "–" : in_ms ? formatted("%.1f", 1e-3 * p99_us) : format_us(p99_us);
    const float width = b.text(b.fonts().big, area.x, area.y + 53.0F, palette::kText, figure);
    if (!measured) return;
    b.text(b.fonts().note, area.x + width + 6.0F, area.y + 53.0F, palette::kSecondary, in_ms ? "ms" : "µs");
    const double share = 100.0 * p99_us / budget_us;
    const std::string badge = formatted(share < 9.95 ? "%.1f %% of " : "%.0f %% of ", share) + std::string(budget);
    const bool good = share <= 100.0;
    const float badge_width = b.width_of(b.fonts().figure, badge) + 20.0F;
    const Box field = {area.right() - badge_width, area.y + 36.0F, badge_width, 23.0F};
    b.fill(field, good ? palette::kGoodField : palette::kBadField, 11.5F);
    b.text(b.fonts().figure, field.x + 10.0F, field.y + 16.0F, good ? palette::kGood : palette::kBudget, badge);
}

int draw_segments(const Brush& b, const char* id, std::span<const Segment> segments, std::size_t chosen) {
    const std::size_t count = segments.size();
    const ImVec2 begin = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x / b.scale();
    const std::size_t rows = segment_rows(b, segments, width - 4.0F);
    const std::size_t per_row = (count + rows - 1) / rows;
    constexpr float kPitch = 26.0F;
    const Box field = {begin.x / b.scale(), begin.y / b.scale(), width, kPitch * static_cast<float>(rows) + 2.0F};
    b.fill(field, palette::kField, 7.0F);
    int pressed = -1;
    ImGui::PushID(id);
    for (std::size_t first = 0; first < count; first += per_row) {
        const std::size_t end = std::min(count, first + per_row);
        float names = 0.0F;
        for (std::size_t i = first; i < end; ++i) names += b.width_of(b.fonts().note, segments[i].name);
        const float room = (width - 4.0F - names) / static_cast<float>(end - first);
        float x = field.x + 2.0F;
        for (std::size_t i = first; i < end; ++i) {
            const Box box = {x, field.y + kPitch * static_cast<float>(first / per_row) + 2.0F,
                             b.width_of(b.fonts().note, segments[i].name) + room, 24.0F};
            x = box.right();
            ImGui::PushID(static_cast<int>(i));
            if (draw_segment(b, box, segments[i], i == chosen) && i != chosen) pressed = static_cast<int>(i);
            ImGui::PopID();
        }
    }
    ImGui::PopID();
    ImGui::SetCursorScreenPos(begin);
    reserve(b, field.height);
    return pressed;
}

void draw_methods(const Card& card, const ViewModel& model, ViewCommands& commands) {
    if (model.methods.empty()) return;
    const MethodCost* best = best_method(model);
    std::vector<Segment> segments;
    std::size_t chosen = model.methods.size();
    for (std::size_t i = 0; i < model.methods.size(); ++i) {
        const MethodCost& method = model.methods[i];
        if (method.name == model.method) chosen = i;
        const collision::RefitMethod* entry = collision::find_refit_method(method.name);
        std::string sentence(entry == nullptr ? method.name : entry->summary);
        if (method.typical_us > 0.0)
            sentence += "\n" + format_us(method.typical_us) + " µs a frame on this input" +
                        (best == &method ? ", the least" : "");
        const char key = i < kKeys ? static_cast<char>('0' + (i + 1) % kKeys) : '\0';
        segments.push_back({method.name, key, std::move(sentence)});
    }
    const int pressed = draw_segments(card.brush, "methods", segments, chosen);
    if (pressed >= 0) commands.method = model.methods[static_cast<std::size_t>(pressed)].name;
}

void draw_advice(const Card& card, const ViewModel& model, ViewCommands& commands) {
    if (model.methods.empty()) return;
    const Brush& b = card.brush;
    const ImVec2 begin = ImGui::GetCursorScreenPos();
    Box area = reserve(b, 30.0F);  // before there is advice, too: the sections below must not jump
    if (model.advice.empty()) return;
    area.y += 8.0F;
    const bool offer = !model.advised_method.empty() && model.advised_method != model.method;
    const std::string action = offer ? "Use " + std::string(model.advised_method) : "";
    const float action_width = offer ? b.width_of(b.fonts().figure, action) + 20.0F : 0.0F;
    b.circle(area.x + 4.0F, area.y + 11.0F, 3.0F, offer ? palette::kGood : palette::kSecondary);
    const float room = area.width - action_width - (offer ? 22.0F : 14.0F);
    std::string text = offer ? beside_button(model.advice) : model.advice;
    if (b.width_of(b.fonts().note, text) > room) text = text.substr(0, text.rfind(" than "));  // the method in use
    b.text_within(b.fonts().note, area.x + 14.0F, area.y + 15.5F, room, palette::kSecondary, text);
    hint(b, {area.x, area.y, area.width - action_width, 22.0F}, model.advice.c_str());
    if (!offer) return;
    const Box button = {area.right() - action_width, area.y, action_width, 22.0F};
    bool hovered = false;
    if (click_area("advice", button, b.scale(), &hovered)) commands.method = model.advised_method;
    b.fill(button, palette::kAccent, 6.0F, hovered ? 0.20F : 0.10F);
    b.text(b.fonts().figure, button.x + 10.0F, button.y + 15.5F, palette::kAccent, action);
    ImGui::SetCursorScreenPos(begin);
    reserve(b, 30.0F);
}

void draw_cost_table(const Card& card, const CostTable& table, std::span<const CostRow> rows) {
    const Brush& b = card.brush;
    constexpr std::size_t kManyRows = 8;  // a laboratory's methods: its figures and choices should stay in view
    const float height = card.roomy ? 34.0F : rows.size() > kManyRows ? 23.0F : 26.0F;
    // The percentiles may not lie on the histograms, whose width is given: bars must be whole pixels apart.
    const float axis = static_cast<float>(make_axis(0.0F, b.scale()).width_px()) / b.scale();
    const float room = ImGui::GetContentRegionAvail().x / b.scale() - table.name_width - axis;
    std::vector<float> widths = {table.name_width, 0.0F};
    widths.resize(2 + table.columns.size(), std::min(39.0F, room / static_cast<float>(table.columns.size())));
    Rows cells(b, "costs", widths);
    if (!cells) return;
    cells.next_row(height + (card.roomy ? 1.0F : 8.0F));
    Box cell = cells.next_cell();
    const float heading = cell.y + 22.0F;
    b.text(b.fonts().heading, cell.x, heading, palette::kText, table.title);
    if (table.sentence != nullptr) hint(b, {cell.x, cell.y, table.name_width, 28.0F}, table.sentence);
    b.text(b.fonts().note, cells.next_cell().x, heading, palette::kTertiary, "µs, log");
    for (const CostColumn& column : table.columns)
        b.text(column.strong ? b.fonts().figure : b.fonts().note, cells.next_cell().right(), heading,
               column.strong ? palette::kText : palette::kTertiary, column.name, Align::right);
    for (const CostRow& row : rows) {
        const Box line = cells.next_row(height);
        if (row.sentence != nullptr) hint(b, line, row.sentence);
        cell = cells.next_cell();
        const float baseline = cell.bottom() - 9.0F;
        ImFont* const font = row.strong ? b.fonts().heading : b.fonts().body;
        const bool fits = b.width_of(font, row.name) <= table.name_width;
        b.text(fits         ? font
               : row.strong ? b.fonts().figure
                            : b.fonts().note,
               cell.x, baseline, palette::kText, row.name);
        draw_histogram(b, cells.next_cell(), height - 6.0F, *row.cost, row.strong);
        for (const CostColumn& column : table.columns) {
            cell = cells.next_cell();
            if (row.cost->count() == 0) continue;
            const double figure_us =
                column.fraction < 1.0 ? row.cost->percentile_us(column.fraction) : row.cost->max_us();
            b.text(column.strong ? b.fonts().figure : b.fonts().note, cell.right(), baseline,
                   column.strong ? palette::kText : palette::kSecondary, format_us(figure_us), Align::right);
        }
    }
    cells.next_row(card.roomy ? 37.0F : 34.0F);
    cells.next_cell();
    draw_axis_labels(b, cells.next_cell());
}

// Each frame's total over the last 10 s, 1 µs up to just above 1/90 s.
void draw_strip(const Card& card, std::span<const float> recent_us, double p99_us) {
    const Brush& b = card.brush;
    separator(b);
    const Box area = reserve(b, 142.0F);
    b.text(b.fonts().heading, area.x, area.y + 28.0F, palette::kText, "Last 10 s");
    b.text(b.fonts().note, area.right(), area.y + 28.0F, palette::kTertiary, "total, per frame", Align::right);
    const float top = area.y + 40.0F;
    const float height = 82.0F;
    const float left = area.x + 42.0F;
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
        b.hairline(left, area.right(), y_of(mark.at_us), budget ? palette::kBudget : palette::kLine,
                   budget ? 0.6F : 1.0F);
        b.text(b.fonts().note, left - 6.0F, y_of(mark.at_us) + 4.5F, mark.color, mark.text, Align::right);
    }
    const int columns = static_cast<int>((b.px(area.right()) - b.px(left)) / std::max(2.0F, b.px(2.0F)));
    const std::size_t samples = recent_us.size();
    for (int c = 0; c < columns && samples > 0; ++c) {
        // Each column shows its slowest frame, so that no outlier is lost between pixels.
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
}

}  // namespace glovebox::vr
