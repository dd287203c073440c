// Draws text over the scene: the title, and a legend of the colours with live counts.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <optional>

#include "vr/render/view_settings.h"
#include "vr/session/box_states.h"
#include "vr/session/view_model.h"
#include "vr/ui/theme.h"

namespace glovebox::vr {

/// Draws the title at the top left, and below it the subtitle and what is chosen, all shortened to `width`.
void draw_title(const Brush& background, float width, const ViewModel& model, const Marked& chosen);
constexpr float kLegendGap = 20.0F;  ///< distance between two entries
/// Draws one entry of a legend; returns the x at which the next one begins.
float draw_legend_entry(const Brush& background, float x, float baseline, std::string_view name, int count,
                        std::uint32_t color, float width_px);
/// Draws the legend from `x` on, in logical pixels, without entries that would cross `right`. Returns the x at which
/// the legend ends.
float draw_legend(const Brush& background, float x, float baseline, float right, const ViewModel& model,
                  const ViewSettings& settings);

/// Returns the rectangle, in pixels, that the hands and the objects near them take up in a picture of this size.
Box taken_by_hands(const ViewModel& model, const Eigen::Matrix4f& clip_from_world, int width_px, int height_px);
/// A corner of an area.
enum class Corner : std::uint8_t { top_left, top_right, bottom_left, bottom_right };
/// Returns the card of this size in a corner of `area`.
Box card_in(Corner corner, const Box& area, float width, float height);
/// Returns the corner in which a card hides least of `taken`. The corner `before` stays the answer as long as no other
/// one is clearly better, so that the card does not jump.
Corner freest_corner(std::optional<Corner> before, const Box& area, float width, float height, const Box& taken);

/// Returns the size of the card that draw_box_test() draws in an area of this width.
ImVec2 box_test_size(const ViewModel& model, float width);
/// Draws a card about the box test with index `shown`, with its boxes, levels and result, while the user steps through
/// the tests.
void draw_box_test(const Brush& background, const Box& card, const ViewModel& model, int shown);

/// Calls `draw`, which must return the x of its right end. Fills the background from `box.x` to that x with the card's
/// colour, because the scene behind the text may be dark. `box.width` is not used.
template <typename Draw>
void draw_on_field(const Brush& background, Box box, const Draw& draw, float alpha = 0.75F) {
    constexpr float kAround = 6.0F;  // in line with the cards
    background.list().ChannelsSplit(2);
    background.list().ChannelsSetCurrent(1);
    box.width = draw() + kAround - box.x;
    background.list().ChannelsSetCurrent(0);
    background.fill({box.x - kAround, box.y, box.width + kAround, box.height}, palette::kCard, 8.0F, alpha);
    background.list().ChannelsMerge();
}

}  // namespace glovebox::vr
