// Many pictures of one session in a row, off-screen: the context, the skins and the fonts are made once.
#pragma once

#include <memory>
#include <string>

#include "vr/render/framing.h"
#include "vr/render/screenshot.h"
#include "vr/render/view_settings.h"

namespace glovebox::vr {

struct FrameOptions {
    OrbitCamera camera;
    ViewSettings settings;
    bool panel = false;
    bool more = false;          ///< with the panel: the popover of further settings is open
    FreeArea words_px;          ///< where the words stand, empty: all of the picture that no panel covers
    std::string caption, time;  ///< at the foot of it, "thumb, index on ball", "2.678 s"; empty: none
};

class PictureMaker {
  public:
    /// `ui_scale` of the panel and the words, 0: from the shorter side. Throws std::runtime_error where no OpenGL 3.3
    /// can be had.
    PictureMaker(int width_px, int height_px, bool panel, float ui_scale = 0.0F);
    ~PictureMaker();
    PictureMaker(const PictureMaker&) = delete;
    PictureMaker& operator=(const PictureMaker&) = delete;

    /// Where in the picture there is room for the scene.
    Viewport viewport(const ViewModel& model, const FrameOptions& options) const;
    /// The same model and options give the same bytes. Valid until the next call.
    const Picture& take(const ViewModel& model, const FrameOptions& options);

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace glovebox::vr
