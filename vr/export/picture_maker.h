// Many pictures of one session in a row, off-screen: the context, the skins and the fonts are made once.
#pragma once

#include <memory>
#include <string>

#include "vr/render/framing.h"
#include "vr/render/screenshot.h"

namespace glovebox::vr {

struct FrameOptions {
    OrbitCamera camera;
    bool panel = false;
    std::string caption, time;  ///< at the foot of the picture, "thumb, index on ball", "2.678 s"; empty: none
};

class PictureMaker {
  public:
    /// Throws std::runtime_error where no OpenGL 3.3 can be had.
    PictureMaker(int width_px, int height_px, bool panel);
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
