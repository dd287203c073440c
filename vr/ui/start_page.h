// The start page: bundled recordings as pictures, and scenes by name, for opening.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "vr/render/gl.h"
#include "vr/session/view_model.h"
#include "vr/ui/theme.h"

namespace glovebox::vr {

/// Draws the page, and owns its pictures. Must be destroyed with the OpenGL context current that it was drawn in.
class StartPage {
  public:
    /// Draws into the current ImGui window. Pictures are decoded the first time, about 1 ms each. `recording`: the one
    /// that is open.
    void draw(const Brush& brush, std::string_view recording, ViewCommands& commands);

  private:
    struct Tile {
        std::string_view name, summary;
        std::optional<gl::Texture> picture;  // empty: it could not be decoded
    };
    void load();

    std::vector<Tile> tiles_;
};

}  // namespace glovebox::vr
