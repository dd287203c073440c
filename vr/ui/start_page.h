// What there is to open: the bundled recordings as pictures, and the scenes by name.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "vr/render/gl.h"
#include "vr/session/view_model.h"
#include "vr/ui/theme.h"

namespace glovebox::vr {

class StartPage {
  public:
    /// Fills the ImGui window that is being made. Pictures are unpacked the first time, about 1 ms each. `recording` is
    /// the one on show. Needs the OpenGL context that it is drawn in, also to be destroyed.
    void draw(const Brush& brush, std::string_view recording, ViewCommands& commands);

  private:
    struct Tile {
        std::string_view name, summary;
        std::optional<gl::Texture> picture;  // none: it could not be unpacked
    };
    void load();

    std::vector<Tile> tiles_;
};

}  // namespace glovebox::vr
