// Loads the panel's fonts at the window's scale, with tabular digits.
#pragma once

#include <imgui.h>

namespace glovebox::vr {

/// Logical sizes: body 15, heading 15, note 13, figure 13, big 26. Nothing is smaller than 13.
struct Fonts {
    ImFont *body = nullptr, *heading = nullptr, *note = nullptr, *figure = nullptr, *big = nullptr;
};

/// Fills the current ImGui context's atlas at round(size x scale) with Inter, else Roboto, else DejaVu Sans, else
/// ImGui's own font. Every digit gets the advance of the widest one, because Inter's digits are proportional and ImGui
/// does not support OpenType features.
Fonts load_fonts(float scale);

}  // namespace glovebox::vr
