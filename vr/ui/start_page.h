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
    /// Moves the marker of the keyboard, over the pictures and on to the scenes at their right.
    void move_marker(int right, int down);
    /// The next draw() opens what is marked.
    void choose_marked() { chosen_ = marked_; }
    void hide_marker() { marked_ = chosen_ = false; }

  private:
    struct Tile {
        std::string_view name, summary;
        std::optional<gl::Texture> picture;  // empty: it could not be decoded
    };
    void load();

    std::vector<Tile> tiles_;
    int columns_ = 1;  ///< of pictures, when the page was last drawn
    bool marked_ = false, chosen_ = false;
    bool in_scenes_ = false;    ///< the marker is among the scenes
    int tile_ = 0, scene_ = 0;  ///< where the marker is, and where it was before it changed sides
};

}  // namespace glovebox::vr
