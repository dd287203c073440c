#include "vr/ui/touch_lanes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "tracking/formatted.h"
#include "vr/session/take.h"
#include "vr/ui/panel_parts.h"

namespace glovebox::vr {
namespace {

using tracking::formatted;
using tracking::Side;

constexpr int kParts = 6;
constexpr float kNamedPitch = 13.0F;  // lane height from which a name fits
constexpr float kPairedPitch = 8.0F;  // with two hands: lane height from which a name fits beside two lanes

// Returns the object's own colour, darkened to be visible on the card.
std::uint32_t lane_color(const Eigen::Vector3f& color) {
    constexpr float kLightest = 0.58F;
    const float light = 0.30F * color.x() + 0.59F * color.y() + 0.11F * color.z();
    const Eigen::Vector3f dark = color * std::min(1.0F, kLightest / std::max(light, 1e-3F));
    const auto byte = [](float value) {
        return static_cast<std::uint32_t>(std::lround(255.0F * std::clamp(value, 0.0F, 1.0F)));
    };
    return byte(dark.x()) << 16U | byte(dark.y()) << 8U | byte(dark.z());
}

// "right index on ball: 2.412 to 3.020 s (0.608 s), 3.1 mm deep"
std::string sentence_of(const ViewModel& model, const Touch& touch) {
    const auto object = static_cast<std::size_t>(touch.object);
    return std::string(name_of(touch.side)) + " " + part_name(TouchBy::finger, touch.part) + " on " +
           model.scene->objects[object].name + "\n" +
           formatted("%.3f to ", 1e-9 * static_cast<double>(touch.begin_ns)) +
           formatted("%.3f s", 1e-9 * static_cast<double>(touch.end_ns)) + ": " +
           formatted("%.3f s", touch.duration_s()) + "\nat most " +
           formatted("%.1f mm deep", 1e3 * static_cast<double>(touch.deepest_m));
}

}  // namespace

int lane_count(const ViewModel& model) {
    return kParts * (static_cast<int>(model.has_lanes[Side::left]) + static_cast<int>(model.has_lanes[Side::right]));
}

void draw_touch_lanes(const Brush& b, const Box& box, const ViewModel& model, ViewSettings& settings,
                      ViewCommands& commands) {
    const int lanes = lane_count(model);
    if (lanes == 0 || model.scene == nullptr) return;
    const float pitch = box.height / static_cast<float>(lanes);
    const bool paired = lanes > kParts && pitch >= kPairedPitch;
    const bool named = paired || pitch >= kNamedPitch;
    const double duration_s = std::max(model.playback.duration_s, 1e-9);
    const auto x_of = [&](double at_s) {
        return box.x + box.width * static_cast<float>(std::clamp(at_s / duration_s, 0.0, 1.0));
    };
    // With names, the left hand's lane of a finger is directly above the right hand's; without, the hands are apart.
    const auto top_of = [&](Side side, int part) {
        const int second = side == Side::right && model.has_lanes[Side::left] ? 1 : 0;
        return box.y + pitch * static_cast<float>(paired ? 2 * part + second : kParts * second + part);
    };
    // Lanes of one finger are nearer to each other than to the next finger's.
    const auto lane_box = [&](Side side, int part) {
        const float above = paired && side == Side::left ? 1.5F : 0.5F;
        return Box{box.x, top_of(side, part) + above, box.width, pitch - (paired ? 2.0F : 1.0F)};
    };

    bool hovered = false;
    const bool clicked = click_area("lanes", box, b.scale(), &hovered);
    const ImVec2 mouse(ImGui::GetIO().MousePos.x / b.scale(), ImGui::GetIO().MousePos.y / b.scale());
    const Marked& marked = settings.marked();
    const Touch* under = nullptr;

    for (const Side side : tracking::kSides) {
        if (!model.has_lanes[side]) continue;
        if (!named)
            b.text(b.fonts().note, box.x - 8.0F, top_of(side, 0) + 0.5F * kParts * pitch + 4.5F, palette::kSecondary,
                   std::string(name_of(side)), Align::right);
        for (int part = 0; part < kParts; ++part) {
            const bool strong = marked.part == part && marked.side == side;
            b.fill(lane_box(side, part), strong ? palette::kLine : palette::kField, 1.5F);
            if (!named) continue;
            const auto name = [&](float x, float middle, bool of_marked, const std::string& text) {
                b.text(of_marked ? b.fonts().figure : b.fonts().note, x, middle + 4.5F,
                       of_marked ? palette::kText : palette::kSecondary, text, Align::right);
            };
            const float middle = top_of(side, part) + 0.5F * pitch;
            if (paired)
                name(box.x - (side == Side::left ? 15.0F : 6.0F), middle, strong, side == Side::left ? "L" : "R");
            if (paired && side == Side::right) continue;
            name(box.x - (paired ? 26.0F : 8.0F), paired ? middle + 0.5F * pitch : middle,
                 marked.part == part && (paired || strong), part_name(TouchBy::finger, part));
        }
    }
    const auto write = [&](const std::string& sentence) {
        b.text(b.fonts().note, box.x + 0.5F * box.width, box.y + 0.5F * box.height + 4.5F, palette::kTertiary, sentence,
               Align::center);
    };
    if (model.take == nullptr) {
        write(formatted("looking through the recording: %.0f %%", 100.0 * static_cast<double>(model.take_progress)));
    } else if (model.take->touches.empty()) {
        write("touches nothing; the table printed at the end gives the likely reason");
    } else {
        // The part of a touch during which the finger also touches an object from earlier on has the lane's lower half.
        // In a long recording, touches that fall on the pixels of the one before are drawn as one.
        constexpr float kNarrowest = 2.0F;
        struct Drawn {
            float to = -1.0F;
            int object = -1;
        };
        std::array<Drawn, 2 * kParts> whole, below;
        for (const Touch& touch : model.take->touches) {
            if (!model.has_lanes[touch.side]) continue;
            const float from = x_of(1e-9 * static_cast<double>(touch.begin_ns));
            const float to = std::max(from + kNarrowest, x_of(1e-9 * static_cast<double>(touch.end_ns)));
            const Box lane_at = lane_box(touch.side, touch.part);
            const float top = lane_at.y, half = top + 0.5F * lane_at.height, bottom = lane_at.bottom();
            const std::size_t lane =
                static_cast<std::size_t>(touch.side) * kParts + static_cast<std::size_t>(touch.part);
            Drawn &first = whole[lane], &second = below[lane];
            const float apart = std::clamp(first.to, from, to);  // until here beside the earlier touch
            const bool beside = apart > from && first.object != touch.object;
            const bool over_lane = mouse.y >= (beside && mouse.x < apart ? half : top) && mouse.y < bottom;
            if (hovered && mouse.x >= from - 1.5F && mouse.x <= to + 1.5F && over_lane) under = &touch;
            const bool dim = settings.chosen.object >= 0 && settings.chosen.object != touch.object;
            const std::uint32_t color = lane_color(model.scene->objects[static_cast<std::size_t>(touch.object)].color);
            if (beside && (apart > second.to || (second.object != touch.object && apart - from > kNarrowest))) {
                const Box lower = {from, half, apart - from, bottom - half};
                b.fill(lower, palette::kField);
                b.fill({from, half + 1.0F, lower.width, lower.height - 1.0F}, color, 1.5F, dim ? 0.25F : 1.0F);
                second = {std::max(apart, second.to), touch.object};
            }
            if (to <= first.to) continue;
            b.fill({apart, top, to - apart, lane_at.height}, color, 1.5F, dim ? 0.25F : 1.0F);
            first = {to, touch.object};
        }
    }
    const float now = x_of(model.playback.position_s);
    b.fill({now - 0.75F, box.y - 2.0F, 1.5F, box.height + 6.0F}, palette::kText);

    if (!hovered) return;
    settings.pointed = {};
    for (const Side side : tracking::kSides)
        for (int part = 0; part < kParts; ++part)
            if (model.has_lanes[side] && mouse.y >= top_of(side, part) && mouse.y < top_of(side, part) + pitch)
                settings.pointed = {side, part, -1, under == nullptr ? -1 : under->object};
    const double at_s = std::clamp(static_cast<double>((mouse.x - box.x) / box.width), 0.0, 1.0) * duration_s;
    if (clicked) commands.seek_s = under == nullptr ? at_s : 1e-9 * static_cast<double>(under->begin_ns);
    if (under != nullptr)
        tooltip(sentence_of(model, *under));
    else if (settings.pointed.part >= 0)
        tooltip(std::string(name_of(settings.pointed.side)) + " " + part_name(TouchBy::finger, settings.pointed.part) +
                formatted(": a click goes to %.3f s", at_s));
}

}  // namespace glovebox::vr
