// Draws text over the scene: the title, and a legend of the colours with live counts.
#pragma once

#include "vr/render/view_settings.h"
#include "vr/session/box_states.h"
#include "vr/session/view_model.h"
#include "vr/ui/theme.h"

namespace glovebox::vr {

/// Draws the title at the top left, shortened to `width`.
void draw_title(const Brush& background, float width, const ViewModel& model);
constexpr float kLegendGap = 20.0F;  ///< distance between two entries
/// Draws one entry of a legend; returns the x at which the next one begins.
float draw_legend_entry(const Brush& background, float x, float baseline, std::string_view name, int count,
                        std::uint32_t color, float width_px);
/// Draws the legend from `x` on, in logical pixels, without entries that would cross `right`. Returns the x at which
/// the legend ends.
float draw_legend(const Brush& background, float x, float baseline, float right, const ViewModel& model,
                  const ViewSettings& settings);

/// Draws a card about the box test with index `shown`, with its boxes, levels and result, while the user steps through
/// the tests. `x`, `top` and `right` are in logical pixels.
void draw_box_test(const Brush& background, float x, float top, float right, const ViewModel& model, int shown);

/// Calls `draw`, which must return the x of its right end. Fills the background from `box.x` to that x with the card's
/// colour, because the scene behind the text may be dark. `box.width` is not used.
template <typename Draw>
void draw_on_field(const Brush& background, Box box, const Draw& draw) {
    constexpr float kAround = 6.0F;  // in line with the cards
    background.list().ChannelsSplit(2);
    background.list().ChannelsSetCurrent(1);
    box.width = draw() + kAround - box.x;
    background.list().ChannelsSetCurrent(0);
    background.fill({box.x - kAround, box.y, box.width + kAround, box.height}, palette::kCard, 8.0F, 0.75F);
    background.list().ChannelsMerge();
}

}  // namespace glovebox::vr
