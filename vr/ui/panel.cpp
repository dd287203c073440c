#include "vr/ui/panel.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "vr/ui/lab_panel.h"
#include "vr/ui/panel_parts.h"

namespace glovebox::vr {
namespace {

using scenes::Stage;

// What the frame costs, stage by stage.
void draw_stages(Pen& pen, const ViewModel& model) {
    constexpr std::array kColumns = {CostColumn{"p50", 0.5, false}, CostColumn{"p90", 0.9, false},
                                     CostColumn{"p99", 0.99, true}, CostColumn{"max", 1.0, false}};
    constexpr std::array<const char*, scenes::kStageCount> kSentences = {
        "Taking the sample, guarding it, placing it in the scene.",
        "Fitting the hand's boxes to the new pose.",
        "Which bones may touch which objects: boxes against boxes.",
        "Which of them do: distance, points and normal.",
        "Events begin and end, objects move.",
        "One tick of the force loop, on a thread of its own.",
        "All that the frame's thread does for a frame."};
    static const DurationHistogram kEmpty;
    std::array<CostRow, scenes::kStageCount> rows;
    for (int i = 0; i < scenes::kStageCount; ++i) {
        const auto stage = static_cast<Stage>(i);
        const bool ticks = stage == Stage::haptics && model.haptics != nullptr;
        rows[static_cast<std::size_t>(i)] = {scenes::name_of(stage),
                                             ticks                    ? &model.haptics->tick
                                             : model.stats == nullptr ? &kEmpty
                                                                      : &(*model.stats)[stage],
                                             stage == Stage::total, kSentences[static_cast<std::size_t>(i)]};
    }
    draw_cost_table(pen, {"Stages", 56.0F, kColumns}, rows);
}

std::string capitalised(std::string text) {
    if (!text.empty()) text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
    return text;
}

// Live sessions: how the source is doing, and how old a pose is when it is felt and when it is seen.
void draw_link(Pen& pen, const ViewModel& model) {
    if (model.link.empty()) return;
    const Brush& b = pen.brush;
    separator(pen);
    const float heading = pen.y + (pen.roomy ? 26.0F : 23.0F);
    const float named = b.text(b.fonts().heading, pen.left(), heading, palette::kText, capitalised(model.link_title));
    b.text_within(b.fonts().note, pen.left() + named + 14.0F, heading, pen.width() - named - 14.0F, palette::kSecondary,
                  model.link);
    float y = heading + 20.0F;
    for (const PoseAge& row : model.ages) {
        b.text(b.fonts().body, pen.left(), y, palette::kText, "sample to " + std::string(row.until));
        const bool known = row.age != nullptr && row.age->count() > 0;
        const auto figure = [&](const char* name, double share, float right) {
            const std::string text = known ? formatted("%.2f ms", 1e-3 * row.age->percentile_us(share)) : "–";
            const float width = b.text(b.fonts().figure, pen.right() - right, y, palette::kText, text, Align::right);
            b.text(b.fonts().note, pen.right() - right - width - 6.0F, y, palette::kTertiary, name, Align::right);
        };
        figure("p50", 0.5, 98.0F);
        figure("p99", 0.99, 0.0F);
        y += 20.0F;
    }
    pen.y = y - 4.0F;
}

// The force loop: how many ticks and responses took longer than each deadline.
void draw_deadlines(Pen& pen, const ViewModel& model) {
    if (model.haptics == nullptr || model.haptics->tick.count() == 0) return;
    const Brush& b = pen.brush;
    const DeadlineLedger& ledger = *model.haptics;
    separator(pen);
    const float heading = pen.y + (pen.roomy ? 28.0F : 25.0F);
    b.text(b.fonts().heading, pen.left(), heading, palette::kText, "Deadlines");
    const float column = (pen.width() - 84.0F) / static_cast<float>(kDeadlines.size());
    const auto right_of = [&](std::size_t i) { return pen.left() + 84.0F + column * static_cast<float>(i + 1); };
    for (std::size_t i = 0; i < kDeadlines.size(); ++i)
        b.text(b.fonts().note, right_of(i), heading, palette::kBudget, kDeadlines[i].name, Align::right);
    const auto row = [&](float baseline, const char* name, const auto& late) {
        b.text(b.fonts().body, pen.left(), baseline, palette::kText, name);
        for (std::size_t i = 0; i < late.size(); ++i)
            b.text(late[i] > 0 ? b.fonts().figure : b.fonts().note, right_of(i), baseline,
                   late[i] > 0 ? palette::kBudget : palette::kTertiary, std::to_string(late[i]), Align::right);
    };
    row(heading + 22.0F, "ticks", ledger.late_ticks);
    row(heading + 42.0F, "responses", ledger.late_responses);
    b.text_within(b.fonts().note, pen.left(), heading + 61.0F, pen.width(), palette::kTertiary,
                  "of " + std::to_string(ledger.tick.count()) + " and " + std::to_string(ledger.response.count()) +
                      " later than that • " + model.haptics_note);
    pen.y = heading + 61.0F + (pen.roomy ? 18.0F : 12.0F);
}

// The broad phase that picks the objects near the hands, where the scene has so many that a step uses one.
const collision::BroadPhase* broad_phase_of(const ViewModel& model) {
    if (model.world == nullptr || model.world->method == nullptr) return nullptr;
    const bool used = model.world->colliders.size() >= collision::ObjectTree::kMinObjects &&
                      model.world->method->kind != collision::BoxKind::none;
    return used ? collision::find_broad_phase("tree") : nullptr;
}

// n_u c_u + n_v c_v + n_p c_p: how many of each the frame on show took, and what one cost.
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
        const char* sentence;
    };
    const std::array<Term, 3> terms = {{{Stage::refit, counts.n_u, "refit", "refits", 'u', palette::kRefit,
                                         "Boxes that were fitted to this frame's pose, and what one took."},
                                        {Stage::test, counts.n_v, "box test", "box tests", 'v', palette::kAccent,
                                         "Tests of a box against a box in this frame, and what one took."},
                                        {Stage::exact, counts.n_p, "exact", "exact", 'p', palette::kTotal,
                                         "Exact tests of a bone against an object in this frame, and what one took."}}};
    std::array<double, 3> cost_us{};
    double sum_us = 0.0;
    for (std::size_t i = 0; i < 3; ++i) {
        cost_us[i] = model.frame_ns.empty()
                         ? 0.0
                         : 1e-3 * static_cast<double>(model.frame_ns[static_cast<std::size_t>(terms[i].stage)]);
        sum_us += cost_us[i];
    }
    const float heading = pen.y + (pen.roomy ? 28.0F : 27.0F);
    b.text(b.fonts().heading, pen.left(), heading, palette::kText, "Cost");
    hint(b, {pen.left(), heading - 16.0F, pen.width(), 20.0F},
         "What this frame took: how many of each, times what one of each took.");
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
        hint(b, {left, bar.bottom() + 6.0F, 110.0F, 34.0F}, term.sentence);
        const std::string number = std::to_string(term.count);
        const float used = b.text(b.fonts().figure, left + 14.0F, bar.bottom() + 19.5F, palette::kText, number);
        b.text(b.fonts().note, left + 14.0F + used + 4.0F, bar.bottom() + 19.5F, palette::kText,
               term.count == 1 ? term.one : term.many);
        const double each_us = term.count > 0 ? cost_us[i] / static_cast<double>(term.count) : 0.0;
        b.text(b.fonts().note, left + 14.0F, bar.bottom() + 35.5F, palette::kTertiary,
               term.count == 0 ? "–"
               : each_us < 1.0 ? "× " + std::to_string(std::lround(1e3 * each_us)) + " ns"
                               : "× " + format_us(each_us) + " µs");
    }
    pen.y = bar.bottom() + (pen.roomy ? 54.0F : 48.0F);
    if (const collision::BroadPhase* broad = broad_phase_of(model)) {
        b.text(b.fonts().note, pen.left(), bar.bottom() + 54.5F, palette::kSecondary,
               "Broad phase before the box tests: " + std::string(broad->name));
        pen.y += 19.0F;
    }
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

// `shift` makes room for the hand's letter.
void draw_event(const Pen& pen, float baseline, const EventLine& event, float shift) {
    const Brush& b = pen.brush;
    const float x = pen.left() + 6.0F;
    const float y = baseline - 4.5F;
    if (event.mark == EventLine::Mark::on) b.circle(x, y, 4.2F, palette::kTouching);
    if (event.mark == EventLine::Mark::off) b.ring(x, y, 3.5F, 1.5F, palette::kTertiary);
    if (event.mark == EventLine::Mark::trouble)
        b.triangle({x, y - 4.5F}, {x + 5.2F, y + 4.2F}, {x - 5.2F, y + 4.2F}, palette::kTrouble);
    // Eight characters have room before the mark.
    b.text(b.fonts().note, pen.left() + 64.0F, baseline, palette::kTertiary,
           formatted(event.time_s < 1e4 ? "%.3f" : "%.1f", event.time_s), Align::right);
    if (event.side)
        b.text(b.fonts().note, pen.left() + 78.0F, baseline, palette::kTertiary,
               *event.side == tracking::Side::left ? "L" : "R");
    b.text_within(b.fonts().body, pen.left() + 78.0F + shift, baseline, 110.0F, palette::kText, event.who);
    const float what = 196.0F + shift;
    b.text_within(b.fonts().note, pen.left() + what, baseline, pen.width() - what, palette::kSecondary, event.what);
}

void draw_events(Pen& pen, const ViewModel& model, PanelState& state, ViewCommands& commands) {
    const Brush& b = pen.brush;
    separator(pen);
    const float heading = pen.y + (pen.roomy ? 28.0F : 27.0F);
    const float named = b.text(b.fonts().heading, pen.left(), heading, palette::kText, "Events");
    // What hysteresis, dwell, grace and re-arming kept out of the list.
    if (model.world != nullptr && model.world->suppressed_events > 0) {
        hint(b, {pen.left() + named + 14.0F, heading - 15.0F, 120.0F, 20.0F},
             "Events that lasted too short to be told: noise at the edge of a touch.");
        b.text(b.fonts().note, pen.left() + named + 14.0F, heading, palette::kTertiary,
               std::to_string(model.world->suppressed_events) + " suppressed");
    }
    const Box filter_area = {pen.right() - 70.0F, heading - 14.0F, 74.0F, 20.0F};
    bool over_filter = false;
    if (click_area("filter", filter_area, b.scale(), &over_filter)) {
        state.filter = static_cast<PanelState::Filter>((static_cast<int>(state.filter) + 1) % 3);
        state.first_event = 0;
    }
    if (over_filter) ImGui::SetTooltip("Shows all, touches only, or trouble only.");
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

    const bool two_hands =
        std::ranges::any_of(model.events, [](const EventLine& event) { return event.side.has_value(); });
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
        draw_event(pen, line.y + 15.5F, event, two_hands ? 14.0F : 0.0F);
        ++row;
    }
    if (row == 0) b.text(b.fonts().note, pen.left(), top + 15.5F, palette::kTertiary, "nothing yet");
}

}  // namespace

void draw_panel(const Brush& background, const Box& box, const ViewModel& model, PanelState& state,
                ViewCommands& commands) {
    background.card(box);
    if (begin_plain_window("panel", box, background.scale())) {
        const Brush brush(*ImGui::GetWindowDrawList(), background.fonts(), background.scale());
        Pen pen = {brush, box, box.y, box.height > 960.0F};
        const DurationHistogram* total = model.stats == nullptr ? nullptr : &(*model.stats)[Stage::total];
        if (model.lab != nullptr) {
            draw_lab_sections(pen, model, commands);
        } else {
            draw_headline(pen, "Frame cost, 99th percentile", total, kFrame90_us, "1/90 s");
            hint(brush, {box.x, box.y, box.width, 66.0F},
                 "99 of 100 frames take no longer; the badge compares it with a frame at 90 Hz.");
            draw_methods(pen, model, commands);
            draw_advice(pen, model, commands);
            draw_stages(pen, model);
            draw_link(pen, model);
            draw_deadlines(pen, model);
            if (pen.roomy) draw_strip(pen, model.recent_total_us, total == nullptr ? 1e9 : total->percentile_us(0.99));
            draw_cost(pen, model);
            draw_events(pen, model, state, commands);
        }
    }
    end_plain_window();
}

}  // namespace glovebox::vr
