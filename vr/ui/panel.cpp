#include "vr/ui/panel.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "recordings/parse.h"
#include "tracking/formatted.h"
#include "vr/ui/lab_panel.h"
#include "vr/ui/panel_parts.h"

namespace glovebox::vr {
namespace {

using scenes::Stage;
using tracking::formatted;

// Draws the time of the frame, stage by stage.
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
    draw_cost_table(card, {"Stages", 56.0F, kColumns, "Times of the frames since the refit method was last changed"},
                    rows);
}

std::string capitalised(std::string text) {
    if (!text.empty()) text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
    return text;
}

// Draws the source's state and the pose latencies of a live session.
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

std::string label_of(HeadsetButton button, const ViewModel& model, const HeadsetButtons& state) {
    const HeadsetChoices& choices = *model.headset;
    switch (button) {
        case HeadsetButton::place:
            return choices.placing ? "pinch, or leave" : "place scene";
        case HeadsetButton::room:
            return choices.sees_through ? "hide room" : "show room";
        case HeadsetButton::scene:
            return "next: " + std::string(choices.next_scene);
        case HeadsetButton::pause:
            return model.playback.playing ? "pause" : "go on";
        case HeadsetButton::boxes:
            return "boxes";
        default:
            return state.panel_hidden ? "show panel" : "hide panel";
    }
}

// In a headset: where the scene is, what is behind it, which it is, and what is shown of it.
void draw_headset_buttons(const Card& card, const ViewModel& model, HeadsetButtons& state) {
    constexpr float kHeight = 44.0F, kGap = 6.0F;
    constexpr std::size_t kPerRow = 3;
    state.shown.clear();
    if (model.headset == nullptr) return;
    const auto add = [&state](HeadsetButton button, bool offered = true) {
        if (offered) state.shown.push_back({button, {}});
    };
    add(HeadsetButton::place);
    add(HeadsetButton::room, model.headset->can_see_through);
    add(HeadsetButton::scene, !model.headset->next_scene.empty());
    add(HeadsetButton::pause);
    add(HeadsetButton::boxes);
    add(HeadsetButton::panel);
    const Brush& b = card.brush;
    reserve(b, 6.0F);
    const ImVec2 begin = ImGui::GetCursorScreenPos();
    const std::size_t rows = (state.shown.size() + kPerRow - 1) / kPerRow;
    const Box area = reserve(b, static_cast<float>(rows) * (kHeight + kGap));
    const ImVec2 end = ImGui::GetCursorScreenPos();
    const float width = (area.width - static_cast<float>(kPerRow - 1) * kGap) / static_cast<float>(kPerRow);
    ImGui::SetCursorScreenPos(begin);
    for (std::size_t i = 0; i < state.shown.size(); ++i) {
        auto& [button, box] = state.shown[i];
        box = {area.x + static_cast<float>(i % kPerRow) * (width + kGap),
               area.y + static_cast<float>(i / kPerRow) * (kHeight + kGap), width, kHeight};
        bool under_mouse = false;
        if (click_area(std::string(name_of(button)).c_str(), box, b.scale(), &under_mouse)) state.clicked = button;
        const bool hovered = under_mouse || state.hovered == static_cast<int>(i);
        const bool pressed = state.pressed == static_cast<int>(i);
        b.fill(box, palette::kField, 8.0F);
        if (hovered || pressed) b.fill(box, palette::kAccent, 8.0F, pressed ? 0.85F : 0.25F);
        const std::string label = label_of(button, model, state);
        const float room = width - 12.0F;
        const float left = box.x + 0.5F * (width - std::min(room, b.width_of(b.fonts().figure, label)));
        b.text_within(b.fonts().figure, left, box.y + 27.0F, room, pressed ? 0xFFFFFF : palette::kText, label);
    }
    ImGui::SetCursorScreenPos(end);
}

// Draws how many ticks and responses of the force loop missed each deadline.
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

// Draws the broad phase that finds the objects near the hands, in scenes that are large enough to use one.
const collision::BroadPhase* broad_phase_of(const ViewModel& model) {
    if (model.world == nullptr || model.world->method == nullptr) return nullptr;
    const bool used = model.world->colliders.size() >= collision::ObjectTree::kMinObjects &&
                      model.world->method->kind != collision::BoxKind::none;
    return used ? collision::find_broad_phase("tree") : nullptr;
}

// Draws a letter with a subscript, left- or right-aligned. Returns the width.
float subscripted(const Brush& b, float x, float baseline, char letter, char below, Align align = Align::left) {
    ImFont* font = b.fonts().note;
    const char large[2] = {letter, 0}, small[2] = {below, 0};
    const float width = b.width_of(font, large) + 7.0F;
    if (align == Align::right) x -= width;
    b.text(font, x, baseline, palette::kSecondary, large);
    b.list().AddText(font, 0.76F * font->FontSize,
                     {b.px(x + width - 7.0F), b.px(baseline + 4.0F) - std::round(0.76F * font->Ascent)},
                     color_of(palette::kSecondary), small);
    return width;
}

constexpr float kCostRow = 17.0F;

std::string format_ns(double ns) {
    if (ns >= 999.5) return format_us(1e-3 * ns) + " µs";
    return formatted(ns < 10.0 ? "%.1f ns" : "%.0f ns", ns);
}

struct CostTerm {
    std::int64_t count;
    const char *name, *one;
    char letter;
    const Price& price;
    double us;
    std::uint32_t color;
    const char* sentence;
};

// Draws "Cost", and on the right n_u c_u + n_v c_v + n_p c_p = the sum.
void draw_cost_formula(const Brush& b, const Box& head, const std::string& sum) {
    const float baseline = head.bottom() - 4.0F;
    b.text(b.fonts().heading, head.x, baseline, palette::kText, "Cost");
    hint(b, {head.x, baseline - 16.0F, head.width, 20.0F},
         "How many of each this frame had, times what one of each costs. The prices are measured apart from it.");
    float x =
        head.right() - b.text(b.fonts().figure, head.right(), baseline, palette::kText, sum, Align::right) - 18.0F;
    b.text(b.fonts().note, x, baseline, palette::kTertiary, "=");
    for (const char letter : {'p', 'v', 'u'}) {
        x -= 6.0F;
        x -= subscripted(b, x, baseline, 'c', letter, Align::right) + 2.0F;
        x -= subscripted(b, x, baseline, 'n', letter, Align::right);
        if (letter == 'u') continue;
        x -= 14.0F;
        b.text(b.fonts().note, x, baseline, palette::kTertiary, "+");
    }
}

// Draws the sum as a stacked bar and the measurement as a mark, scaled to the larger of the two.
void draw_cost_bar(const Brush& b, const Box& bar, std::span<const CostTerm> terms, double sum_us, double measured_us) {
    const double longest_us = std::max({sum_us, measured_us, 1e-9});
    b.fill(bar, palette::kField, 4.5F);
    float from = bar.x;
    for (const CostTerm& term : terms) {
        const float to = from + static_cast<float>(term.us / longest_us) * bar.width;
        if (to - from > 1.5F)
            b.list().AddRectFilled({b.px(from), b.px(bar.y)}, {b.px(to) - b.px(1.0F), b.px(bar.bottom())},
                                   color_of(term.color), 2.0F * b.scale());
        from = to;
    }
    if (measured_us <= 0.0) return;
    const float at = bar.x + static_cast<float>(measured_us / longest_us) * bar.width;
    b.line(at - 1.0F, bar.y - 3.0F, at - 1.0F, bar.bottom() + 3.0F, 2.0F, palette::kText);
}

void draw_cost_terms(const Brush& b, std::span<const CostTerm> terms, bool priced) {
    constexpr std::array kWidths = {0.0F, 150.0F, 52.0F};
    Rows rows(b, "cost terms", kWidths);
    if (!rows) return;
    for (const CostTerm& term : terms) {
        const Box row = rows.next_row(kCostRow);
        const float baseline = row.y + 13.0F;
        const Box name = rows.next_cell();
        b.circle(name.x + 4.0F, baseline - 4.5F, 4.0F, term.color);
        hint(b, row, term.sentence);
        float x = name.x + 14.0F;
        x += b.text(b.fonts().figure, x, baseline, palette::kText, std::to_string(term.count)) + 4.0F;
        x += b.text(b.fonts().note, x, baseline, palette::kText, term.count == 1 ? term.one : term.name) + 6.0F;
        subscripted(b, x, baseline, 'n', term.letter);
        if (!priced || term.count == 0) continue;
        b.text(b.fonts().note, rows.next_cell().right(), baseline, palette::kTertiary,
               "× " + format_ns(term.price.ns) + " (" + format_ns(term.price.low_ns) + " to " +
                   format_ns(term.price.high_ns) + ")",
               Align::right);
        b.text(b.fonts().note, rows.next_cell().right(), baseline, palette::kSecondary, format_us(term.us) + " µs",
               Align::right);
    }
}

// Draws a line of text with a tooltip.
void draw_cost_note(const Brush& b, std::uint32_t color, const std::string& text, const char* sentence) {
    const Box row = reserve(b, kCostRow);
    b.text_within(b.fonts().note, row.x, row.y + 13.0F, row.width, color, text);
    hint(b, row, sentence);
}

// Draws the current frame's counts times the unit costs, which were measured elsewhere, and the frame's measured time.
void draw_cost(const Card& card, const ViewModel& model) {
    const Brush& b = card.brush;
    const collision::CollideCounts counts = model.report == nullptr ? collision::CollideCounts{} : model.report->counts;
    static const Prices kNone;
    const Prices& prices = model.prices == nullptr ? kNone : *model.prices;
    const PricedFrame sum = priced(counts, prices);
    const std::array<CostTerm, 4> terms = {
        {{counts.n_u, "boxes refitted", "box refitted", 'u', prices.box_refitted, sum.refit_us, palette::kRefit,
          "Boxes that were fitted to this frame's pose: n_u."},
         {counts.n_v_object, "box tests, objects", "box test, objects", 'v', prices.object_box_test,
          sum.object_tests_us, palette::kHistogram, "Boxes of the hand against outer boxes of objects: n_v_object."},
         {counts.n_v_tree, "box tests, trees", "box test, trees", 'v', prices.tree_box_test, sum.tree_tests_us,
          palette::kAccent, "Boxes of the hand against boxes of meshes' trees, eight at once: n_v_tree."},
         {counts.n_p, "exact tests", "exact test", 'p', prices.exact_test, sum.exact_us, palette::kTotal,
          "Exact tests of a bone against a shape or a triangle: n_p."}}};
    double measured_us = 0.0;
    if (!model.frame_ns.empty())
        for (const Stage stage : {Stage::refit, Stage::test, Stage::exact})
            measured_us += 1e-3 * static_cast<double>(model.frame_ns[static_cast<std::size_t>(stage)]);
    const bool known = prices.method != nullptr;
    separator(b);
    draw_cost_formula(b, reserve(b, card.roomy ? 33.0F : 31.0F), known ? format_us(sum.sum_us()) + " µs" : "–");
    const Box bar = reserve(b, 21.0F);
    draw_cost_bar(b, {bar.x, bar.y + 6.0F, bar.width, 9.0F}, terms, sum.sum_us(), measured_us);
    draw_cost_terms(b, terms, known);
    std::string apart = "measured " + format_us(measured_us) + " µs";
    if (known && measured_us > 0.0) {
        const long percent = std::lround(100.0 * (sum.sum_us() / measured_us - 1.0));
        apart +=
            " • the sum is " +
            (percent == 0 ? "as much" : std::to_string(std::abs(percent)) + (percent < 0 ? " % below" : " % above")) +
            " (" + format_us(sum.low_us) + " to " + format_us(sum.high_us) + ")";
    }
    draw_cost_note(b, palette::kText, apart,
                   "Refit, box tests and exact tests of this frame as measured, and how far the formula is from that. "
                   "In brackets: the sum with the 10th and the 90th percentile of the prices.");
    const float enter_m = model.scene == nullptr ? 0.0F : model.scene->thresholds.touch_enter_m;
    const std::string within = formatted(" within %.3g mm • ", 1e3 * static_cast<double>(enter_m));
    draw_cost_note(b, palette::kSecondary,
                   recordings::counted(counts.candidates, "candidate pair") + " • " + std::to_string(counts.touching) +
                       within + recordings::counted(counts.candidates - counts.touching, "false positive"),
                   "Pairs of a bone and an object that the boxes could not rule out, and how many of them this frame's "
                   "exact tests found to touch (touch_enter_m). The legend counts the bones of touches, which "
                   "can be more or fewer.");
    if (const collision::BroadPhase* broad = broad_phase_of(model); broad != nullptr)
        draw_cost_note(b, palette::kSecondary, "Broad phase before the box tests: " + std::string(broad->name),
                       "Finds the objects near a hand before any of its boxes is tested.");
    reserve(b, card.roomy ? 9.0F : 4.0F);
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
    // Events that hysteresis, dwell, grace and re-arming kept out of the list.
    if (model.world != nullptr && model.world->suppressed_events > 0) {
        hint(b, {head.x + named + 14.0F, heading - 15.0F, 120.0F, 20.0F},
             "Begins and ends that are not listed: noise at the edge of a touch, gaps in tracking, and bones that "
             "reappeared inside an object.");
        b.text(b.fonts().note, head.x + named + 14.0F, heading, palette::kTertiary,
               std::to_string(model.world->suppressed_events) + " suppressed");
    }
    bool over_filter = false;
    if (click_area("filter", {head.right() - 70.0F, heading - 14.0F, 74.0F, 20.0F}, b.scale(), &over_filter))
        state.filter = static_cast<PanelState::Filter>((static_cast<int>(state.filter) + 1) % 3);
    if (over_filter) tooltip("Shows all, touches only, or trouble only.");
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
    constexpr float kBottom = 2.0F, kRow = 22.0F, kMinRows = 2.0F;
    const float room_for = ImGui::GetContentRegionAvail().y / b.scale() - kBottom;
    // Only whole rows: half a line of text looks like a fault.
    const float row = b.px(kRow) / b.scale();
    const float height = row * std::max(kMinRows, std::floor(room_for / row));
    float who = 0.0F, what = 0.0F;
    for (const EventLine* event : shown) {
        who = std::max(who, b.width_of(b.fonts().body, event->who) + 9.0F);
        what = std::max(what, b.width_of(b.fonts().note, event->what));
    }
    // There is room for eight characters of time before the mark. If name and event do not both fit, both are cut.
    const float side = two_hands ? 28.0F : 14.0F;
    const float room = head.width - 14.0F - 50.0F - side - 8.0F;  // without the scroll bar
    const std::array widths = {14.0F, 50.0F, side, std::min(who, std::max(118.0F, room - what)), 0.0F};
    if (Rows rows(b, "events", widths, height); rows) {
        // A scrolling table has its own draw list: in the card's, the text would be below the highlighted row.
        const Brush inside(*ImGui::GetWindowDrawList(), b.fonts(), b.scale());
        ImGuiListClipper clipper;
        clipper.Begin(static_cast<int>(shown.size()), b.px(kRow));
        while (clipper.Step())
            for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
                ImGui::PushID(i);
                draw_event(inside, rows, *shown[static_cast<std::size_t>(i)], two_hands, commands);
                ImGui::PopID();
            }
        if (shown.empty()) {
            const Box line = rows.next_row(kRow);
            inside.text(b.fonts().note, line.x, line.y + 15.5F, palette::kTertiary, "nothing yet");
        }
    }
}

}  // namespace

std::string_view name_of(HeadsetButton button) {
    constexpr std::array<std::string_view, kHeadsetButtonCount> kNames{"place scene", "room",  "next scene",
                                                                       "pause",       "boxes", "panel"};
    return kNames[static_cast<std::size_t>(button)];
}

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
            draw_headset_buttons(card, model, state.headset);
            draw_advice(card, model, commands);
            draw_stages(card, model);
            draw_link(card, model);
            draw_deadlines(card, model);
            if (card.roomy)
                draw_strip(card, model.recent_total_us, total == nullptr ? 1e9 : total->percentile_us(0.99));
            if (model.headset == nullptr) draw_cost(card, model);  // the events have its place
            draw_events(card, model, state, commands);
        }
    }
    end_card();
}

}  // namespace glovebox::vr
