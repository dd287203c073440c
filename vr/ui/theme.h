// The panel's look: ImGui's style, and a brush that draws in logical pixels and aligns text by its baseline.
#pragma once

#include <imgui.h>

#include <string>
#include <string_view>
#include <vector>

#include "vr/render/palette.h"
#include "vr/ui/fonts.h"

namespace glovebox::vr {

/// Returns the panel's scale for a window height, clamp(height / 1080, 1, 3), which is 1 for 720 or 1080 lines and 2 at
/// 4K.
float ui_scale_for(int height_px);

/// Sets ImGui's style for this scale. Call it again when the scale changes; scaling does not accumulate.
void apply_theme(float scale);

inline ImU32 color_of(std::uint32_t rgb, float alpha = 1.0F) {
    return IM_COL32(rgb >> 16 & 0xFFU, rgb >> 8 & 0xFFU, rgb & 0xFFU, static_cast<int>(255.0F * alpha + 0.5F));
}

enum class Align : std::uint8_t { left, center, right };

/// A rectangle in logical pixels.
struct Box {
    float x, y, width, height;
    float right() const { return x + width; }
    float bottom() const { return y + height; }
};

/// Draws in logical pixels. Text, filled boxes and hairlines are aligned to whole device pixels.
class Brush {
  public:
    Brush(ImDrawList& list, const Fonts& fonts, float scale) : list_(list), fonts_(fonts), scale_(scale) {}

    const Fonts& fonts() const { return fonts_; }
    float scale() const { return scale_; }
    ImDrawList& list() const { return list_; }
    float px(float logical) const;  ///< nearest whole device pixel
    ImVec2 at(float x, float y) const { return {x * scale_, y * scale_}; }

    /// Draws text on a baseline. Returns its width in logical pixels.
    float text(ImFont* font, float x, float baseline, std::uint32_t color, std::string_view text,
               Align align = Align::left, float alpha = 1.0F) const;
    /// Returns the text, shortened with an ellipsis if it is wider than `width`.
    std::string shortened(ImFont* font, std::string_view text, float width) const;
    /// Draws text, shortened if it is wider than `width`. Returns its width.
    float text_within(ImFont* font, float x, float baseline, float width, std::uint32_t color,
                      std::string_view text) const;
    /// Returns the text in up to `most` lines, at least one. The last one is shortened if there is more.
    std::vector<std::string> wrapped(ImFont* font, std::string_view text, float width, std::size_t most) const;
    float width_of(ImFont* font, std::string_view text) const;

    void fill(const Box& box, std::uint32_t color, float rounding = 0.0F, float alpha = 1.0F) const;
    void hairline(float x0, float x1, float y, std::uint32_t color, float alpha = 1.0F) const;
    void circle(float x, float y, float radius, std::uint32_t color, float alpha = 1.0F) const;
    void ring(float x, float y, float radius, float width, std::uint32_t color, float alpha = 1.0F) const;
    void triangle(ImVec2 a, ImVec2 b, ImVec2 c, std::uint32_t color, float alpha = 1.0F) const;
    void line(float x0, float y0, float x1, float y1, float width, std::uint32_t color, float alpha = 1.0F) const;

    /// Draws a card with a soft shadow, as stroked outlines, because overdraw is slow on a software rasteriser.
    void card(const Box& box) const;

  private:
    ImDrawList& list_;
    const Fonts& fonts_;
    float scale_;
};

/// Begins an undecorated ImGui window that covers `box`; draw inside with a Brush.
bool begin_plain_window(const char* name, const Box& box, float scale);
void end_plain_window();

/// Begins an ImGui window that covers `box`, for sections one below the other. The window scrolls if they do not fit.
bool begin_card(const char* name, const Box& box, float scale);
void end_card();

/// Shows a tooltip at the pointer; long sentences are wrapped.
void tooltip(std::string_view sentence);
/// Shows `sentence` as a tooltip while the pointer is over `box` in the current ImGui window.
void hint(const Brush& brush, const Box& box, const char* sentence);

/// Adds an invisible button over `box` and returns whether it was clicked. Sets `hovered` to whether the mouse is over
/// it.
bool click_area(const char* id, const Box& box, float scale, bool* hovered = nullptr);

}  // namespace glovebox::vr
