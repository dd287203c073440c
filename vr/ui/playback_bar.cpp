#include "vr/ui/playback_bar.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <string>

#include "tracking/formatted.h"
#include "vr/ui/touch_lanes.h"

namespace glovebox::vr {
namespace {

using tracking::formatted;
constexpr std::array<double, 6> kSpeeds = {0.1, 0.25, 0.5, 1.0, 2.0, 4.0};

std::string speed_label(double speed) {
    return formatted("%g×", speed);
}

std::string in_hours(double time_s) {
    const auto seconds = static_cast<long long>(time_s);
    return formatted("%lld:%02lld:%02lld", seconds / 3600, seconds / 60 % 60, seconds % 60);
}

// Draws a step button: a bar and a triangle pointing away from it.
void draw_step_icon(const Brush& b, float x, float y, float direction, std::uint32_t color) {
    const float base = x - direction * 4.5F;
    b.fill({x + direction * 4.5F - 1.0F, y - 5.5F, 2.0F, 11.0F}, color);
    b.triangle({base, y - 5.5F}, {base + direction * 8.0F, y}, {base, y + 5.5F}, color);
}

void draw_loop_icon(const Brush& b, float x, float y, std::uint32_t color) {
    constexpr float kRadius = 6.0F;
    b.list().PathClear();
    b.list().PathArcTo(b.at(x, y), kRadius * b.scale(), -0.15F * std::numbers::pi_v<float>,
                       1.45F * std::numbers::pi_v<float>, 24);
    b.list().PathStroke(color_of(color), 0, 1.8F * b.scale());
    const float end = 1.45F * std::numbers::pi_v<float>;
    const float tip_x = x + kRadius * std::cos(end);
    const float tip_y = y + kRadius * std::sin(end);
    b.triangle({tip_x - 1.0F, tip_y - 3.6F}, {tip_x + 5.0F, tip_y + 0.2F}, {tip_x - 1.0F, tip_y + 3.6F}, color);
}

void draw_buttons(const Brush& b, float x, float y, const Playback& playback, ViewCommands& commands) {
    bool hovered = false;
    if (click_area("step back", {x, y - 14.0F, 30.0F, 28.0F}, b.scale(), &hovered)) --commands.step_frames;
    if (hovered) tooltip("One frame back (left arrow)");
    draw_step_icon(b, x + 15.0F, y, -1.0F, hovered ? palette::kAccent : palette::kText);
    if (click_area("play", {x + 34.0F, y - 18.0F, 36.0F, 36.0F}, b.scale(), &hovered)) commands.toggle_play = true;
    if (hovered) tooltip(playback.playing ? "Pause (space)" : "Play (space)");
    const float middle = x + 52.0F;
    b.circle(middle, y, 17.0F, hovered ? palette::kTotal : palette::kText);
    if (playback.playing) {
        b.fill({middle - 5.0F, y - 6.0F, 3.5F, 12.0F}, 0xFFFFFF, 1.0F);
        b.fill({middle + 1.5F, y - 6.0F, 3.5F, 12.0F}, 0xFFFFFF, 1.0F);
    } else {
        b.triangle({middle - 4.0F, y - 7.0F}, {middle + 8.0F, y}, {middle - 4.0F, y + 7.0F}, 0xFFFFFF);
    }
    if (click_area("step", {x + 74.0F, y - 14.0F, 30.0F, 28.0F}, b.scale(), &hovered)) ++commands.step_frames;
    if (hovered) tooltip("One frame on (right arrow)");
    draw_step_icon(b, x + 89.0F, y, 1.0F, hovered ? palette::kAccent : palette::kText);
}

// Draws time and frame number on one line, from x on.
void draw_clock(const Brush& b, float x, float y, const Playback& playback, bool with_frame) {
    const ClockText clock = clock_text(playback.position_s, playback.duration_s);
    x += b.text(b.fonts().heading, x, y + 5.0F, palette::kText, clock.position) + 4.0F;
    x += b.text(b.fonts().note, x, y + 5.0F, palette::kTertiary, clock.total) + 12.0F;
    if (with_frame) b.text(b.fonts().note, x, y + 5.0F, palette::kTertiary, "frame " + std::to_string(playback.frame));
}

void draw_track(const Brush& b, const Box& track, const Playback& playback, PlaybackBarState& state,
                ViewCommands& commands) {
    const double duration_s = std::max(playback.duration_s, 1e-9);
    const auto x_of = [&](double at_s) {
        return track.x + track.width * static_cast<float>(std::clamp(at_s / duration_s, 0.0, 1.0));
    };
    const float at = x_of(playback.position_s);
    b.fill(track, palette::kLine, 3.0F);
    b.fill({track.x, track.y, at - track.x, track.height}, palette::kAccent, 3.0F);

    // Gaps are cut out of the track and hatched in amber.
    for (const Interval& gap : playback.gaps) {
        const float middle = 0.5F * (x_of(gap.begin_s) + x_of(gap.end_s));
        const float half = std::max(3.0F, 0.5F * (x_of(gap.end_s) - x_of(gap.begin_s)));
        b.fill({middle - half - 1.0F, track.y - 1.0F, 2.0F * half + 2.0F, track.height + 2.0F}, palette::kCard);
        for (float x = middle - half; x < middle + half; x += 3.0F)
            b.fill({x, track.y, 1.6F, track.height}, palette::kTrouble);
    }

    bool hovered = false;
    click_area("track", {track.x - 8.0F, track.y - 5.0F, track.width + 16.0F, 16.0F}, b.scale(), &hovered);
    state.dragging = ImGui::IsItemActive();
    if (state.dragging) {
        const float along = (ImGui::GetIO().MousePos.x / b.scale() - track.x) / track.width;
        commands.seek_s = static_cast<double>(std::clamp(along, 0.0F, 1.0F)) * playback.duration_s;
    }
    const float y = track.y + 0.5F * track.height;
    b.circle(at, y, hovered || state.dragging ? 8.0F : 7.0F, 0xFFFFFF);
    b.ring(at, y, hovered || state.dragging ? 8.0F : 7.0F, 2.2F, palette::kAccent);
}

void draw_speed(const Brush& b, const Box& field, const Playback& playback, ViewCommands& commands) {
    bool hovered = false;
    const bool clicked = click_area("speed", field, b.scale(), &hovered);
    b.fill(field, hovered ? palette::kLine : palette::kField, 7.0F);
    b.text(b.fonts().figure, field.x + 0.5F * (field.width - 18.5F), field.y + 19.0F, palette::kText,
           speed_label(playback.speed), Align::center);
    const float x = field.right() - 14.0F;
    const float y = field.y + 0.5F * field.height;
    b.triangle({x - 4.5F, y - 2.2F}, {x + 4.5F, y - 2.2F}, {x, y + 3.0F}, palette::kTertiary);
    if (hovered) tooltip("How fast the recording plays (+ and -)");
    if (clicked) ImGui::OpenPopup("speeds");
    ImGui::SetNextWindowPos(b.at(field.x, field.y - 6.0F), ImGuiCond_Always, {0.0F, 1.0F});
    if (ImGui::BeginPopup("speeds")) {
        for (const double speed : kSpeeds)
            if (ImGui::Selectable(speed_label(speed).c_str(), std::abs(speed - playback.speed) < 1e-6))
                commands.speed = speed;
        ImGui::EndPopup();
    }
}

void draw_loop(const Brush& b, const Box& field, const Playback& playback, ViewCommands& commands) {
    bool hovered = false;
    if (click_area("loop", field, b.scale(), &hovered)) commands.toggle_loop = true;
    if (hovered) tooltip(playback.loop ? "Begins again at the end (L)" : "Stops at the end (L)");
    draw_loop_icon(b, field.x + 17.0F, field.y + 14.0F,
                   playback.loop ? palette::kText
                   : hovered     ? palette::kSecondary
                                 : 0xB4BCC4);
}

// Draws a small button with its right edge at `right`; moves `right` to its left edge.
bool word_button(const Brush& b, float& right, float y, const char* word, const char* hint, bool chosen) {
    const float width = b.width_of(b.fonts().note, word) + 16.0F;
    const Box box = {right - width, y - 14.0F, width, 28.0F};
    right = box.x - 4.0F;
    bool hovered = false;
    const bool pressed = click_area(word, box, b.scale(), &hovered);
    if (hovered) tooltip(hint);
    if (chosen || hovered) b.fill(box, palette::kField, 7.0F);
    b.text(chosen ? b.fonts().figure : b.fonts().note, box.x + 8.0F, y + 4.5F,
           chosen || hovered ? palette::kText : palette::kSecondary, word);
    return pressed;
}

}  // namespace

ClockText clock_text(double position_s, double duration_s) {
    constexpr double kMaxSeconds = 9999.95;  // would be rounded to 10000.0, which does not fit
    if (duration_s <= 0.0) return {};
    if (duration_s >= kMaxSeconds) return {in_hours(position_s), "/ " + in_hours(duration_s)};
    char position[48], total[48];
    std::snprintf(position, sizeof position, "%.3f", position_s);
    std::snprintf(total, sizeof total, "/ %.1f s", duration_s);
    return {position, total};
}

namespace {
constexpr float kPad = 16.0F, kTrackRow = 20.0F, kControls = 44.0F, kNames = 56.0F;
}

float playback_bar_height(int lanes, float lane_pitch) {
    return (lanes > 0 ? 10.0F + lane_pitch * static_cast<float>(lanes) : 4.0F) + kTrackRow + kControls;
}

PlaybackLayout playback_layout(const Box& box, int lanes, float lane_pitch) {
    PlaybackLayout layout;
    layout.box = box;
    const float left = box.x + kPad + (lanes > 0 ? kNames : 0.0F);
    const float width = box.right() - kPad - left;
    layout.lanes = {left, box.y + 10.0F, width, lane_pitch * static_cast<float>(lanes)};
    layout.track = {left, box.bottom() - kControls - 0.5F * kTrackRow, width, 6.0F};
    layout.controls_y = box.bottom() - 0.5F * kControls;
    return layout;
}

BarPresses draw_playback_bar(const Brush& background, const PlaybackLayout& layout, const ViewModel& model,
                             ViewSettings& settings, PlaybackBarState& state, ViewCommands& commands) {
    const Box& box = layout.box;
    background.card(box);
    BarPresses presses;
    if (begin_plain_window("playback", box, background.scale())) {
        const Brush b(*ImGui::GetWindowDrawList(), background.fonts(), background.scale());
        const Playback& playback = model.playback;
        const float y = layout.controls_y;
        // Controls that do not fit are in the popover behind the three dots.
        constexpr float kRoomForWords = 720.0F, kRoomForPanel = 590.0F, kRoomForFrame = 500.0F, kRoomForSpeed = 420.0F;
        state.dragging = false;
        const bool one_pose = !model.live && playback.frame_count == 1;  // there is nothing to play
        if (!model.live && !one_pose) draw_track(b, layout.track, playback, state, commands);
        draw_touch_lanes(b, layout.lanes, model, settings, commands);
        if (one_pose) {
            b.text(b.fonts().note, box.x + kPad, y + 5.0F, palette::kTertiary, "one pose: nothing to play");
        } else {
            draw_buttons(b, box.x + kPad, y, playback, commands);
            draw_clock(b, box.x + kPad + 118.0F, y, playback, box.width >= kRoomForFrame);
        }
        float right = box.right() - 52.0F;
        if (!model.live && !one_pose && box.width >= kRoomForSpeed) {
            draw_loop(b, {right - 34.0F, y - 14.0F, 34.0F, 28.0F}, playback, commands);
            draw_speed(b, {right - 110.0F, y - 14.0F, 72.0F, 28.0F}, playback, commands);
            right -= 122.0F;
        }
        if (box.width >= kRoomForPanel)
            presses.panel = word_button(b, right, y, "Panel", "Shows or hides the panel with the costs (Tab)", false);
        if (box.width >= kRoomForWords && model.lab == nullptr) {
            presses.follow = word_button(b, right, y, "Follow", "Follows the hand (F, or a double click)", false);
            presses.show_all = word_button(b, right, y, "Show all", "Shows all hands and objects (R)", false);
            presses.open = word_button(b, right, y, "Open", "Another recording or scene (N), or drop a file", false);
        }
        bool hovered = false;
        presses.more = click_area("more", {box.right() - 46.0F, y - 14.0F, 34.0F, 28.0F}, b.scale(), &hovered);
        if (hovered) tooltip("Everything that can be shown, opened and saved (M)");
        for (int i = -1; i <= 1; ++i)
            b.circle(box.right() - 29.0F + 6.0F * static_cast<float>(i), y, 2.0F,
                     hovered ? palette::kAccent : palette::kText);
    }
    end_plain_window();
    return presses;
}

}  // namespace glovebox::vr
