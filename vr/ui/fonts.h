// Loads the panel's fonts at the window's scale, with digits of equal width.
#pragma once

#include <imgui.h>

namespace glovebox::vr {

/// The panel's fonts. Their sizes in logical pixels are: body 15, heading 15, note 13, figure 13, big 26.
struct Fonts {
    ImFont *body = nullptr, *heading = nullptr, *note = nullptr, *figure = nullptr, *big = nullptr;
};

/// Fills the current ImGui context's atlas, at sizes of round(size x scale), with the first installed of Inter, Roboto
/// and DejaVu Sans, or else with ImGui's own font. Every digit gets the advance of the widest one, because Inter's
/// digits are proportional and ImGui does not support OpenType features.
Fonts load_fonts(float scale);

}  // namespace glovebox::vr
