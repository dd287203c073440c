#include "vr/ui/panel.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "vr/ui/lab_panel.h"
#include "vr/ui/panel_parts.h"

namespace glovebox::vr {
namespace {

using scenes::Stage;

// What the frame costs, stage by stage.
void draw_stages(const Card& card, const ViewModel& model) {
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
    draw_cost_table(card, {"Stages", 56.0F, kColumns}, rows);
}

std::string capitalised(std::string text) {
    if (!text.empty()) text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
    return text;
}

// Live sessions: how the source is doing, and how old a pose is when it is felt and when it is seen.
void draw_link(const Card& card, const ViewModel& model) {
    if (model.link.empty()) return;
    const Brush& b = card.brush;
    separator(b);
    const Box head = reserve(b, card.roomy ? 32.0F : 29.0F);
    const float heading = head.bottom() - 6.0F;
    const float named = b.text(b.fonts().heading, head.x, heading, palette::kText, capitalised(model.link_title));
    b.text_within(b.fonts().note, head.x + named + 14.0F, heading, head.width - named - 14.0F, palette::kSecondary,
                  model.link);
    constexpr std::array kWidths = {0.0F, 98.0F, 98.0F};
    if (Rows rows(b, "ages", kWidths); rows) {
        for (const PoseAge& row : model.ages) {
            rows.next_row(20.0F);
            const Box name = rows.next_cell();
            b.text(b.fonts().body, name.x, name.y + 14.0F, palette::kText, "sample to " + std::string(row.until));
            const bool known = row.age != nullptr && row.age->count() > 0;
            for (const auto& [percentile, share] : {std::pair{"p50", 0.5}, std::pair{"p99", 0.99}}) {
                const std::string text = known ? formatted("%.2f ms", 1e-3 * row.age->percentile_us(share)) : "–";
                const Box cell = rows.next_cell();
                const float width =
                    b.text(b.fonts().figure, cell.right(), cell.y + 14.0F, palette::kText, text, Align::right);
                b.text(b.fonts().note, cell.right() - width - 6.0F, cell.y + 14.0F, palette::kTertiary, percentile,
                       Align::right);
            }
        }
    }
    reserve(b, 10.0F);
}

// The force loop: how many ticks and responses took longer than each deadline.
void draw_deadlines(const Card& card, const ViewModel& model) {
    if (model.haptics == nullptr || model.haptics->tick.count() == 0) return;
    const Brush& b = card.brush;
    const DeadlineLedger& ledger = *model.haptics;
    separator(b);
    const float column = (ImGui::GetContentRegionAvail().x / b.scale() - 84.0F) / static_cast<float>(kDeadlines.size());
    std::vector<float> widths = {0.0F};
    widths.resize(1 + kDeadlines.size(), column);
    if (Rows rows(b, "deadlines", widths); rows) {
        rows.next_row(card.roomy ? 34.0F : 31.0F);
        const Box title = rows.next_cell();
        b.text(b.fonts().heading, title.x, title.bottom() - 6.0F, palette::kText, "Deadlines");
        for (const auto& deadline : kDeadlines) {
            const Box cell = rows.next_cell();
            b.text(b.fonts().note, cell.right(), cell.bottom() - 6.0F, palette::kBudget, deadline.name, Align::right);
        }
        const auto row = [&](const char* name, const auto& late) {
            rows.next_row(20.0F);
            const Box first = rows.next_cell();
            b.text(b.fonts().body, first.x, first.y + 16.0F, palette::kText, name);
            for (const auto count : late)
                b.text(count > 0 ? b.fonts().figure : b.fonts().note, rows.next_cell().right(), first.y + 16.0F,
                       count > 0 ? palette::kBudget : palette::kTertiary, std::to_string(count), Align::right);
        };
        row("ticks", ledger.late_ticks);
        row("responses", ledger.late_responses);
    }
    const Box note = reserve(b, card.roomy ? 33.0F : 27.0F);
    b.text_within(b.fonts().note, note.x, note.y + 15.0F, note.width, palette::kTertiary,
                  "of " + std::to_string(ledger.tick.count()) + " and " + std::to_string(ledger.response.count()) +
                      " later than that • " + model.haptics_note);
}

// The broad phase that picks the objects near the hands, where the scene has so many that a step uses one.
const collision::BroadPhase* broad_phase_of(const ViewModel& model) {
    if (model.world == nullptr || model.world->method == nullptr) return nullptr;
    const bool used = model.world->colliders.size() >= collision::ObjectTree::kMinObjects &&
                      model.world->method->kind != collision::BoxKind::none;
    return used ? collision::find_broad_phase("tree") : nullptr;
}

// n_u c_u + n_v c_v + n_p c_p: how many of each the frame on show took, and what one cost.
void draw_cost(const Card& card, const ViewModel& model) {
    const Brush& b = card.brush;
    separator(b);
    const collision::BroadPhase* broad = broad_phase_of(model);
    const Box area = reserve(b, (card.roomy ? 101.0F : 94.0F) + (broad == nullptr ? 0.0F : 19.0F));
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
    const float heading = area.y + (card.roomy ? 28.0F : 27.0F);
    b.text(b.fonts().heading, area.x, heading, palette::kText, "Cost");
    hint(b, {area.x, heading - 16.0F, area.width, 20.0F},
         "What this frame took: how many of each, times what one of each took.");
    // The formula, from the right: subscripts are the letter drawn again, smaller and lower.
    float x = area.right() -
              b.text(b.fonts().figure, area.right(), heading, palette::kText, format_us(sum_us) + " µs", Align::right);
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
    const Box bar = {area.x, heading + 10.0F, area.width, 9.0F};
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
        const float left = area.x + 113.0F * static_cast<float>(i);
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
    if (broad != nullptr)
        b.text(b.fonts().note, area.x, bar.bottom() + 54.5F, palette::kSecondary,
               "Broad phase before the box tests: " + std::string(broad->name));
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

void draw_event(const Brush& b, Rows& rows, const EventLine& event, bool two_hands, ViewCommands& commands) {
    rows.next_row(22.0F);
    Box cell = rows.next_cell();
    if (ImGui::Selectable("##event", false, ImGuiSelectableFlags_SpanAllColumns, {0.0F, b.px(22.0F)}))
        commands.seek_s = event.time_s;
    const float baseline = cell.y + 15.5F;
    const float x = cell.x + 6.0F;
    const float y = baseline - 4.5F;
    if (event.mark == EventLine::Mark::on) b.circle(x, y, 4.2F, palette::kTouching);
    if (event.mark == EventLine::Mark::off) b.ring(x, y, 3.5F, 1.5F, palette::kTertiary);
    if (event.mark == EventLine::Mark::trouble)
        b.triangle({x, y - 4.5F}, {x + 5.2F, y + 4.2F}, {x - 5.2F, y + 4.2F}, palette::kTrouble);
    b.text(b.fonts().note, rows.next_cell().right(), baseline, palette::kTertiary,
           formatted(event.time_s < 1e4 ? "%.3f" : "%.1f", event.time_s), Align::right);
    cell = rows.next_cell();
    if (two_hands && event.side)
        b.text(b.fonts().note, cell.x + 14.0F, baseline, palette::kTertiary,
               *event.side == tracking::Side::left ? "L" : "R");
    cell = rows.next_cell();
    b.text_within(b.fonts().body, cell.x, baseline, cell.width - 8.0F, palette::kText, event.who);
    cell = rows.next_cell();
    b.text_within(b.fonts().note, cell.x, baseline, cell.width, palette::kSecondary, event.what);
}

void draw_events(const Card& card, const ViewModel& model, PanelState& state, ViewCommands& commands) {
    const Brush& b = card.brush;
    separator(b);
    const ImVec2 begin = ImGui::GetCursorScreenPos();
    const Box head = reserve(b, card.roomy ? 38.0F : 37.0F);
    const float heading = head.bottom() - 10.0F;
    const float named = b.text(b.fonts().heading, head.x, heading, palette::kText, "Events");
    // What hysteresis, dwell, grace and re-arming kept out of the list.
    if (model.world != nullptr && model.world->suppressed_events > 0) {
        hint(b, {head.x + named + 14.0F, heading - 15.0F, 120.0F, 20.0F},
             "Events that lasted too short to be told: noise at the edge of a touch.");
        b.text(b.fonts().note, head.x + named + 14.0F, heading, palette::kTertiary,
               std::to_string(model.world->suppressed_events) + " suppressed");
    }
    bool over_filter = false;
    if (click_area("filter", {head.right() - 70.0F, heading - 14.0F, 74.0F, 20.0F}, b.scale(), &over_filter))
        state.filter = static_cast<PanelState::Filter>((static_cast<int>(state.filter) + 1) % 3);
    if (over_filter) ImGui::SetTooltip("Shows all, touches only, or trouble only.");
    b.text(b.fonts().note, head.right(), heading, over_filter ? palette::kText : palette::kTertiary,
           label_of(state.filter), Align::right);
    ImGui::SetCursorScreenPos(begin);
    reserve(b, head.height);

    std::vector<const EventLine*> shown;  // newest first
    bool two_hands = false;
    for (std::size_t i = model.events.size(); i-- > 0;) {
        if (passes(model.events[i], state.filter)) shown.push_back(&model.events[i]);
        two_hands = two_hands || model.events[i].side.has_value();
    }
    constexpr float kBottom = 10.0F, kLeastRows = 5.0F;
    const float height = std::max(22.0F * kLeastRows, ImGui::GetContentRegionAvail().y / b.scale() - kBottom);
    // Eight characters of time have room before the mark.
    const std::array widths = {14.0F, 50.0F, two_hands ? 28.0F : 14.0F, 118.0F, 0.0F};
    if (Rows rows(b, "events", widths, height); rows) {
        ImGuiListClipper clipper;
        clipper.Begin(static_cast<int>(shown.size()), b.px(22.0F));
        while (clipper.Step())
            for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
                ImGui::PushID(i);
                draw_event(b, rows, *shown[static_cast<std::size_t>(i)], two_hands, commands);
                ImGui::PopID();
            }
        if (shown.empty()) {
            const Box line = rows.next_row(22.0F);
            b.text(b.fonts().note, line.x, line.y + 15.5F, palette::kTertiary, "nothing yet");
        }
    }
}

}  // namespace

void draw_panel(const Brush& background, const Box& box, const ViewModel& model, PanelState& state,
                ViewCommands& commands) {
    background.card(box);
    if (begin_card("panel", box, background.scale())) {
        const Brush brush(*ImGui::GetWindowDrawList(), background.fonts(), background.scale());
        const Card card = {brush, box.height > 960.0F};
        const DurationHistogram* total = model.stats == nullptr ? nullptr : &(*model.stats)[Stage::total];
        if (model.lab != nullptr) {
            draw_lab_sections(card, model, commands);
        } else {
            draw_headline(card, "Frame cost, 99th percentile", total, kFrame90_us, "1/90 s");
            draw_methods(card, model, commands);
            draw_advice(card, model, commands);
            draw_stages(card, model);
            draw_link(card, model);
            draw_deadlines(card, model);
            if (card.roomy)
                draw_strip(card, model.recent_total_us, total == nullptr ? 1e9 : total->percentile_us(0.99));
            draw_cost(card, model);
            draw_events(card, model, state, commands);
        }
    }
    end_card();
}

}  // namespace glovebox::vr
