// The start page, on which the user opens bundled recordings by their pictures and scenes by name.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "vr/render/gl.h"
#include "vr/session/view_model.h"
#include "vr/ui/theme.h"

namespace glovebox::vr {

/// Draws the page and owns its pictures. When it is destroyed, the OpenGL context in which it was drawn must be
/// current.
class StartPage {
  public:
    /// Draws into the current ImGui window. The first call decodes the pictures, in about 1 ms each. `recording` is the
    /// name of the open recording.
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
