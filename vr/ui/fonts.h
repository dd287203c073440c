// The panel's typefaces, at the size of the window, with digits that do not dance.
#pragma once

#include <imgui.h>

namespace glovebox::vr {

/// Logical sizes: body 15, heading 15, note 13, figure 13, big 26. Nothing is smaller than 13.
struct Fonts {
    ImFont *body = nullptr, *heading = nullptr, *note = nullptr, *figure = nullptr, *big = nullptr;
};

/// Fills the current ImGui context's atlas at round(size x scale). Inter, else Roboto, else DejaVu Sans, else ImGui's
/// own. Numbers are tabular: Inter's digits are proportional and ImGui knows no OpenType features, so every digit gets
/// the widest one's advance.
Fonts load_fonts(float scale);

}  // namespace glovebox::vr
