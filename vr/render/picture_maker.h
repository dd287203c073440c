// Renders many pictures of one session offscreen. The context, the skins and the fonts are created once.
#pragma once

#include <memory>
#include <string>

#include "vr/render/framing.h"
#include "vr/render/screenshot.h"
#include "vr/render/view_settings.h"

namespace glovebox::vr {

/// Options of one picture.
struct FrameOptions {
    OrbitCamera camera;
    ViewSettings settings;
    bool panel = false;
    bool more = false;  ///< with `panel`: also draw the popover of further settings
    FreeArea words_px;  ///< area of the text; empty: the part of the picture that no panel covers
    /// Texts at the bottom of that area, such as "thumb, index on ball" and "2.678 s"; empty: none.
    std::string caption, time;
};

/// Renders pictures of a fixed size.
class PictureMaker {
  public:
    /// `ui_scale` is the size of the panel and the text; if 0, it is computed from the shorter side. Throws
    /// std::runtime_error if OpenGL 3.3 is not available.
    PictureMaker(int width_px, int height_px, bool panel, float ui_scale = 0.0F);
    ~PictureMaker();
    PictureMaker(const PictureMaker&) = delete;
    PictureMaker& operator=(const PictureMaker&) = delete;

    /// Returns the picture's size and the part of it that is free for the scene.
    Viewport viewport(const ViewModel& model, const FrameOptions& options) const;
    /// Renders a picture, valid until the next call. The same model and options give the same bytes.
    const Picture& take(const ViewModel& model, const FrameOptions& options);

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace glovebox::vr
