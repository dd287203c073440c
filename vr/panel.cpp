#include "vr/panel.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "vr/histogram_view.h"

namespace glovebox::vr {
namespace {

using scenes::Stage;

constexpr double kFrame90_us = 1e6 / 90.0;
constexpr double kFrame120_us = 1e6 / 120.0;
constexpr float kPad = 16.0F;

std::string format(const char* pattern, double value) {
    char text[64];
    std::snprintf(text, sizeof text, pattern, value);
    return text;
}

// Runs down the card; sections move `y` on.
struct Pen {
    const Brush& brush;
    Box box;
    float y;
    bool roomy;  ///< more than 1000 logical pixels of height: taller rows and the strip of the last 10 s

    float left() const { return box.x + kPad; }
    float right() const { return box.right() - kPad; }
    float width() const { return box.width - 2 * kPad; }
};

void separator(Pen& pen) {
    pen.brush.hairline(pen.box.x + 8.0F, pen.box.right() - 8.0F, pen.y, palette::kLine);
}

const MethodCost* best_method(const ViewModel& model) {
    const MethodCost* best = nullptr;
    for (const MethodCost& method : model.methods)
        if (method.mean_us > 0.0 && (best == nullptr || method.mean_us < best->mean_us)) best = &method;
    return best;
}

void draw_headline(Pen& pen, const ViewModel& model) {
    const Brush& b = pen.brush;
    const DurationHistogram* total = model.stats == nullptr ? nullptr : &(*model.stats)[Stage::total];
    const bool measured = total != nullptr && total->count() > 0;
    const double p99_us = measured ? total->percentile_us(0.99) : 0.0;
    b.text(b.fonts().note, pen.left(), pen.y + 25.5F, palette::kSecondary, "Frame cost, 99th percentile");
    const bool in_ms = p99_us >= 10000.0;
    const std::string figure = !measured ? "–" : in_ms ? format("%.1f", 1e-3 * p99_us) : format_us(p99_us);
    const float width = b.text(b.fonts().big, pen.left(), pen.y + 53.0F, palette::kText, figure);
    if (measured)
        b.text(b.fonts().note, pen.left() + width + 6.0F, pen.y + 53.0F, palette::kSecondary, in_ms ? "ms" : "µs");
    if (measured) {
        const double share = 100.0 * p99_us / kFrame90_us;
        const std::string badge = format(share < 9.95 ? "%.1f %% of 1/90 s" : "%.0f %% of 1/90 s", share);
        const bool good = share <= 100.0;
        const float badge_width = b.width_of(b.fonts().figure, badge) + 20.0F;
        const Box field = {pen.right() - badge_width, pen.y + 36.0F, badge_width, 23.0F};
        b.fill(field, good ? palette::kGoodField : palette::kBadField, 11.5F);
        b.text(b.fonts().figure, field.x + 10.0F, field.y + 16.0F, good ? palette::kGood : palette::kBudget, badge);
    }
    pen.y += 67.0F;
}

// As few rows as the names fit into, equally full but for the last.
std::size_t method_rows(const Brush& b, const ViewModel& model, float width) {
    constexpr float kLeastGap = 7.0F;
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
            if (hovered && method.mean_us > 0.0)
                ImGui::SetTooltip("%s: %s µs a frame on this input%s", std::string(method.name).c_str(),
                                  format_us(method.mean_us).c_str(), best == &method ? ", the least" : "");
            ImGui::PopID();
            if (chosen) {
                b.fill({segment.x, segment.y + 1.0F, segment.width, segment.height}, 0x1F2933, 6.0F, 0.06F);
                b.fill(segment, 0xFFFFFF, 6.0F);
            } else if (hovered) {
                b.fill(segment, palette::kLine, 6.0F, 0.7F);
            }
            b.text(chosen ? b.fonts().figure : b.fonts().note, segment.x + 0.5F * segment.width, segment.y + 16.5F,
                   chosen ? palette::kText : palette::kSecondary, method.name, Align::center);
        }
    }
    pen.y = field.bottom();
}

void draw_advice(Pen& pen, const ViewModel& model, ViewCommands& commands) {
    if (model.advice.empty()) return;
    const Brush& b = pen.brush;
    pen.y += 8.0F;
    const MethodCost* best = best_method(model);
    const bool offer = best != nullptr && best->name != model.method;
    const std::string action = offer ? "Use " + std::string(best->name) : "";
    const float action_width = offer ? b.width_of(b.fonts().figure, action) + 20.0F : 0.0F;
    b.circle(pen.left() + 4.0F, pen.y + 11.0F, 3.0F, palette::kGood);
    b.text_within(b.fonts().note, pen.left() + 14.0F, pen.y + 15.5F, pen.width() - action_width - 22.0F,
                  palette::kSecondary, model.advice);
    if (offer) {
        const Box button = {pen.right() - action_width, pen.y, action_width, 22.0F};
        bool hovered = false;
        if (click_area("advice", button, b.scale(), &hovered)) commands.method = best->name;
        b.fill(button, palette::kAccent, 6.0F, hovered ? 0.20F : 0.10F);
        b.text(b.fonts().figure, button.x + 10.0F, button.y + 15.5F, palette::kAccent, action);
    }
    pen.y += 22.0F;
}

// One stage: name, histogram, p50 p90 p99 max.
void draw_stage(const Pen& pen, const HistogramAxis& axis, float baseline, float bars_height, Stage stage,
                const DurationHistogram& histogram) {
    const Brush& b = pen.brush;
    const bool total = stage == Stage::total;
    b.text(total ? b.fonts().heading : b.fonts().body, pen.left(), baseline, palette::kText, scenes::name_of(stage));
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

    const std::array<double, 4> figures = {histogram.percentile_us(0.5), histogram.percentile_us(0.9), p99_us,
                                           histogram.max_us()};
    for (std::size_t i = 0; i < figures.size(); ++i) {
        const bool strong = i == 2;
        b.text(strong ? b.fonts().figure : b.fonts().note, pen.right() - 39.0F * static_cast<float>(3 - i), baseline,
               strong ? palette::kText : palette::kSecondary, format_us(figures[i]), Align::right);
    }
}

void draw_stages(Pen& pen, const ViewModel& model) {
    const Brush& b = pen.brush;
    const float row = pen.roomy ? 34.0F : 26.0F;
    const float bars = row - 6.0F;
    const HistogramAxis axis = make_axis(pen.left() + 56.0F, b.scale());
    b.text(b.fonts().heading, pen.left(), pen.y + 22.0F, palette::kText, "Stages");
    b.text(b.fonts().note, pen.left() + 56.0F, pen.y + 22.0F, palette::kTertiary, "µs, log");
    constexpr std::array<const char*, 4> kColumns = {"p50", "p90", "p99", "max"};
    for (std::size_t i = 0; i < kColumns.size(); ++i)
        b.text(i == 2 ? b.fonts().figure : b.fonts().note, pen.right() - 39.0F * static_cast<float>(3 - i),
               pen.y + 22.0F, i == 2 ? palette::kText : palette::kTertiary, kColumns[i], Align::right);

    const float first = pen.y + 22.0F + row + (pen.roomy ? 4.0F : 3.0F);
    const float foot = first + row * (scenes::kStageCount - 1) + 10.0F;
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
    static const DurationHistogram kEmpty;
    for (int i = 0; i < scenes::kStageCount; ++i) {
        const auto stage = static_cast<Stage>(i);
        draw_stage(pen, axis, first + row * static_cast<float>(i), bars, stage,
                   model.stats == nullptr ? kEmpty : (*model.stats)[stage]);
    }
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

// Each frame's total over the last 10 s, 10 µs up to just above 1/90 s.
void draw_strip(Pen& pen, const ViewModel& model) {
    const Brush& b = pen.brush;
    separator(pen);
    b.text(b.fonts().heading, pen.left(), pen.y + 28.0F, palette::kText, "Last 10 s");
    b.text(b.fonts().note, pen.right(), pen.y + 28.0F, palette::kTertiary, "total, per frame", Align::right);
    const float top = pen.y + 40.0F;
    const float height = 82.0F;
    const float left = pen.left() + 42.0F;
    const auto y_of = [&](double at_us) {
        const double share = std::log(std::max(at_us, 10.0) / 10.0) / std::log(15000.0 / 10.0);
        return top + height * (1.0F - static_cast<float>(std::min(share, 1.0)));
    };
    struct Mark {
        double at_us;
        const char* text;
        std::uint32_t color;
    };
    constexpr Mark kMarks[] = {{10.0, "10 µs", palette::kTertiary},
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
    const std::size_t samples = model.recent_total_us.size();
    const double p99_us = model.stats == nullptr ? 1e9 : (*model.stats)[Stage::total].percentile_us(0.99);
    for (int c = 0; c < columns && samples > 0; ++c) {
        // The worst frame of a column stands for it: an outlier must not vanish between pixels.
        const std::size_t begin = samples * static_cast<std::size_t>(c) / static_cast<std::size_t>(columns);
        const std::size_t end = samples * static_cast<std::size_t>(c + 1) / static_cast<std::size_t>(columns);
        float worst_us = 0.0F;
        for (std::size_t i = begin; i < end; ++i) worst_us = std::max(worst_us, model.recent_total_us[i]);
        if (worst_us <= 0.0F) continue;
        const float x = b.px(left) + static_cast<float>(c) * std::max(2.0F, b.px(2.0F));
        const bool outlier = worst_us > 1.5 * p99_us || worst_us > kFrame90_us;
        b.list().AddRectFilled({x, b.px(y_of(worst_us))}, {x + std::max(1.0F, b.px(1.0F)), b.px(top + height)},
                               color_of(outlier ? palette::kTrouble : palette::kHistogram));
    }
    pen.y = top + height + 20.0F;
}

// n_u c_u + n_v c_v + n_p c_p: how many of each, and what one costs, from the medians of the stages.
void draw_cost(Pen& pen, const ViewModel& model) {
    const Brush& b = pen.brush;
    separator(pen);
    const collision::CollideCounts counts = model.report == nullptr ? collision::CollideCounts{} : model.report->counts;
    struct Term {
        Stage stage;
        std::int64_t count;
        const char *one, *many;
        char letter;
        std::uint32_t color;
    };
    const std::array<Term, 3> terms = {{{Stage::refit, counts.n_u, "refit", "refits", 'u', palette::kRefit},
                                        {Stage::test, counts.n_v, "box test", "box tests", 'v', palette::kAccent},
                                        {Stage::exact, counts.n_p, "exact", "exact", 'p', palette::kTotal}}};
    std::array<double, 3> cost_us{};
    double sum_us = 0.0;
    for (std::size_t i = 0; i < 3; ++i) {
        cost_us[i] = model.stats == nullptr ? 0.0 : (*model.stats)[terms[i].stage].percentile_us(0.5);
        sum_us += cost_us[i];
    }
    const float heading = pen.y + (pen.roomy ? 28.0F : 27.0F);
    b.text(b.fonts().heading, pen.left(), heading, palette::kText, "Cost");
    // The formula, from the right: subscripts are the letter drawn again, smaller and lower.
    float x = pen.right() -
              b.text(b.fonts().figure, pen.right(), heading, palette::kText, format_us(sum_us) + " µs", Align::right);
    x -= 18.0F;
    b.text(b.fonts().note, x, heading, palette::kTertiary, "=");
    const auto subscripted = [&](char letter, char below) {
        ImFont* font = b.fonts().note;
        const char small[2] = {below, 0};
        const char large[2] = {letter, 0};
        x -= 7.0F;
        b.list().AddText(font, 0.76F * font->FontSize,
                         {b.px(x), b.px(heading + 4.0F) - std::round(0.76F * font->Ascent)},
                         color_of(palette::kSecondary), small);
        x -= b.width_of(font, large);
        b.text(font, x, heading, palette::kSecondary, large);
    };
    for (std::size_t i = 3; i-- > 0;) {
        x -= 6.0F;
        subscripted('c', terms[i].letter);
        x -= 2.0F;
        subscripted('n', terms[i].letter);
        if (i > 0) {
            x -= 14.0F;
            b.text(b.fonts().note, x, heading, palette::kTertiary, "+");
        }
    }
    const Box bar = {pen.left(), heading + 10.0F, pen.width(), 9.0F};
    b.fill(bar, palette::kField, 4.5F);
    float from = bar.x;
    for (std::size_t i = 0; i < 3 && sum_us > 0.0; ++i) {
        const auto share = static_cast<float>(cost_us[i] / sum_us);
        const float to = i == 2 ? bar.right() : from + share * bar.width;
        const ImDrawFlags corners = i == 0   ? ImDrawFlags_RoundCornersLeft
                                    : i == 2 ? ImDrawFlags_RoundCornersRight
                                             : ImDrawFlags_RoundCornersNone;
        if (to - from > 1.5F)
            b.list().AddRectFilled({b.px(from), b.px(bar.y)},
                                   {b.px(to) - (i == 2 ? 0.0F : b.px(1.0F)), b.px(bar.bottom())},
                                   color_of(terms[i].color), 4.0F * b.scale(), corners);
        from = to;
    }
    for (std::size_t i = 0; i < 3; ++i) {
        const Term& term = terms[i];
        const float left = pen.left() + 113.0F * static_cast<float>(i);
        b.circle(left + 4.0F, bar.bottom() + 15.0F, 4.0F, term.color);
        const std::string number = std::to_string(term.count);
        const float used = b.text(b.fonts().figure, left + 14.0F, bar.bottom() + 19.5F, palette::kText, number);
        b.text(b.fonts().note, left + 14.0F + used + 4.0F, bar.bottom() + 19.5F, palette::kText,
               term.count == 1 ? term.one : term.many);
        const double each_us = term.count > 0 ? cost_us[i] / static_cast<double>(term.count) : 0.0;
        b.text(b.fonts().note, left + 14.0F, bar.bottom() + 35.5F, palette::kTertiary,
               term.count > 0 ? "× " + format_us(each_us) + " µs" : "–");
    }
    pen.y = bar.bottom() + (pen.roomy ? 54.0F : 48.0F);
}

const char* label_of(PanelState::Filter filter) {
    switch (filter) {
        case PanelState::Filter::touches:
            return "touches";
        case PanelState::Filter::trouble:
            return "trouble";
        default:
            return "all";
    }
}

bool passes(const EventLine& event, PanelState::Filter filter) {
    const bool trouble = event.mark == EventLine::Mark::trouble;
    return filter == PanelState::Filter::all || (filter == PanelState::Filter::trouble) == trouble;
}

void draw_event(const Pen& pen, float baseline, const EventLine& event) {
    const Brush& b = pen.brush;
    const float x = pen.left() + 6.0F;
    const float y = baseline - 4.5F;
    if (event.mark == EventLine::Mark::on) b.circle(x, y, 4.2F, palette::kTouching);
    if (event.mark == EventLine::Mark::off) b.ring(x, y, 3.5F, 1.5F, palette::kTertiary);
    if (event.mark == EventLine::Mark::trouble)
        b.triangle({x, y - 4.5F}, {x + 5.2F, y + 4.2F}, {x - 5.2F, y + 4.2F}, palette::kTrouble);
    b.text(b.fonts().note, pen.left() + 64.0F, baseline, palette::kTertiary, format("%.3f", event.time_s),
           Align::right);
    b.text_within(b.fonts().body, pen.left() + 78.0F, baseline, 110.0F, palette::kText, event.who);
    b.text_within(b.fonts().note, pen.left() + 196.0F, baseline, pen.width() - 196.0F, palette::kSecondary, event.what);
}

void draw_events(Pen& pen, const ViewModel& model, PanelState& state, ViewCommands& commands) {
    const Brush& b = pen.brush;
    separator(pen);
    const float heading = pen.y + (pen.roomy ? 28.0F : 27.0F);
    b.text(b.fonts().heading, pen.left(), heading, palette::kText, "Events");
    const Box filter_area = {pen.right() - 70.0F, heading - 14.0F, 74.0F, 20.0F};
    bool over_filter = false;
    if (click_area("filter", filter_area, b.scale(), &over_filter)) {
        state.filter = static_cast<PanelState::Filter>((static_cast<int>(state.filter) + 1) % 3);
        state.first_event = 0;
    }
    b.text(b.fonts().note, pen.right(), heading, over_filter ? palette::kText : palette::kTertiary,
           label_of(state.filter), Align::right);

    const float top = heading + 10.0F;
    const float bottom = pen.box.bottom() - 10.0F;
    const int rows = std::max(0, static_cast<int>((bottom - top) / 22.0F));
    if (ImGui::IsMouseHoveringRect(b.at(pen.box.x, top), b.at(pen.box.right(), bottom)))
        state.first_event -= static_cast<int>(std::round(3.0F * ImGui::GetIO().MouseWheel));
    int passing = 0;
    for (const EventLine& event : model.events) passing += passes(event, state.filter);
    state.first_event = std::clamp(state.first_event, 0, std::max(0, passing - rows));

    int skip = state.first_event;
    int row = 0;
    for (std::size_t i = model.events.size(); i-- > 0 && row < rows;) {
        const EventLine& event = model.events[i];
        if (!passes(event, state.filter) || skip-- > 0) continue;
        const Box line = {pen.box.x + 6.0F, top + 22.0F * static_cast<float>(row), pen.box.width - 12.0F, 22.0F};
        ImGui::PushID(row);
        bool hovered = false;
        if (click_area("event", line, b.scale(), &hovered)) commands.seek_s = event.time_s;
        ImGui::PopID();
        if (hovered) b.fill(line, palette::kField, 6.0F);
        draw_event(pen, line.y + 15.5F, event);
        ++row;
    }
    if (row == 0) b.text(b.fonts().note, pen.left(), top + 15.5F, palette::kTertiary, "nothing yet");
}

}  // namespace

std::string format_us(double duration_us) {
    if (duration_us >= 9999.5) return format("%.0fk", 1e-3 * duration_us);
    if (duration_us >= 9.95) return format("%.0f", duration_us);
    if (duration_us >= 0.995) return format("%.1f", duration_us);
    return format("%.2f", duration_us);
}

void draw_panel(const Brush& background, const Box& box, const ViewModel& model, PanelState& state,
                ViewCommands& commands) {
    background.card(box);
    if (begin_plain_window("panel", box, background.scale())) {
        const Brush brush(*ImGui::GetWindowDrawList(), background.fonts(), background.scale());
        Pen pen = {brush, box, box.y, box.height > 960.0F};
        draw_headline(pen, model);
        draw_methods(pen, model, commands);
        draw_advice(pen, model, commands);
        draw_stages(pen, model);
        if (pen.roomy) draw_strip(pen, model);
        draw_cost(pen, model);
        draw_events(pen, model, state, commands);
    }
    end_plain_window();
}

}  // namespace glovebox::vr
