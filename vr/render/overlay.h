// Words over the scene: what is shown, and what the colours mean, with live counts.
#pragma once

#include "vr/render/view_settings.h"
#include "vr/session/box_states.h"
#include "vr/session/view_model.h"
#include "vr/ui/theme.h"

namespace glovebox::vr {

/// At the top left, shortened where it would be wider than `width`.
void draw_title(const Brush& background, float width, const ViewModel& model);
constexpr float kLegendGap = 20.0F;  ///< between two entries
/// One entry of a legend; returns where the next one begins.
float draw_legend_entry(const Brush& background, float x, float baseline, std::string_view name, int count,
                        std::uint32_t color, float width_px);
/// `baseline` of the legend, logical; begins at x. What would go beyond `right` is left out. Returns where it ends.
float draw_legend(const Brush& background, float x, float baseline, float right, const ViewModel& model,
                  const ViewSettings& settings);

/// The box test on show while stepping: which boxes, their levels, what became of it. `top` of its card, logical.
void draw_box_test(const Brush& background, float x, float top, float right, const ViewModel& model, int shown);

/// What `draw` draws, which returns where it ends, on a field of the card's colour from `box.x` to there: what the
/// scene shows behind words may be dark. Of the box, the width is not used.
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
