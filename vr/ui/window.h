// The desktop window: shows a ViewModel each frame and reports what the person asked for.
//
//   Window window({.title = "Glovebox"});
//   while (window.open()) { ...step...; const ViewCommands asked = window.draw(model); ... }
//
// Its keys and what the mouse does are the table of vr/ui/shortcuts.h.
//
// The scene's quality follows the measured frame time: everything on a GPU; on a software rasteriser half size without
// multisampling, drawn only when something changed, and in slices between which the panel answers. A picture at full
// quality replaces it as soon as nothing moves.
#pragma once

#include <memory>
#include <string>

#include "vr/render/screenshot.h"
#include "vr/session/stage_stats.h"
#include "vr/session/view_model.h"

namespace glovebox::vr {

struct WindowOptions {
    std::string title = "Glovebox";
    int width_px = 1280, height_px = 720;
    float ui_scale = 0.0F;  ///< 0: from the window's height
};

/// How the window keeps up. The shaders are compiled in the first pictures, so the histograms begin after those.
struct WindowTimings {
    double first_frame_ms = 0.0;  ///< from the start of the process to the first picture on the screen: the panel
    double first_scene_ms = 0.0;  ///< and to the first with hand and scene
    DurationHistogram scene;      ///< drawing a scene that changed
    DurationHistogram panel;      ///< drawing the panel over it and showing both
    DurationHistogram interval;   ///< between pictures while the scene changes
    DurationHistogram input;      ///< from one look at mouse and keys to the next
    std::uint64_t frames = 0, scenes = 0;
    int tier = 0;  ///< 0 is everything
    int width_px = 0, height_px = 0;
    std::string renderer;  ///< the driver's name for itself

    double scenes_per_second() const { return interval.count() == 0 ? 0.0 : 1e6 / interval.mean_us(); }
};

class Window {
  public:
    /// Throws std::runtime_error where there is no display or no OpenGL 3.3.
    explicit Window(const WindowOptions& options = {});
    ~Window();
    Window(const Window&) = delete;
    Window& operator=(const Window&) = delete;

    /// Handles input, draws, shows. When nothing changed it waits up to 30 ms for input instead of drawing again.
    ViewCommands draw(const ViewModel& model);
    /// A line over the scene for some seconds.
    void say(std::string line);
    /// The next model is of another session.
    void start_over();
    bool open() const;
    const WindowTimings& timings() const;

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace glovebox::vr
