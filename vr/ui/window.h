// The desktop window: draws a ViewModel each frame and returns the user's commands.
//
//   Window window({.title = "Glovebox"});
//   while (window.open()) { ...step...; const ViewCommands asked = window.draw(model); ... }
//
// Its keys and mouse uses are in the table of vr/ui/shortcuts.h.
//
// The scene's quality follows the measured frame time: full on a GPU; on a software rasteriser half size without
// multisampling, drawn only when something changed, and in slices between which the panel handles input. A picture at
// full quality replaces it as soon as nothing moves.
#pragma once

#include <memory>
#include <string>

#include "vr/render/screenshot.h"
#include "vr/session/stage_stats.h"
#include "vr/session/view_model.h"

namespace glovebox::vr {

/// Options of a window.
struct WindowOptions {
    std::string title = "Glovebox";
    int width_px = 1280, height_px = 720;
    float ui_scale = 0.0F;  ///< 0: from the window's height
};

/// Timings of the window. The histograms leave out the first pictures, in which the shaders are compiled.
struct WindowTimings {
    double first_frame_ms = 0.0;  ///< from the start of the process to the first picture on the screen: the panel
    double first_scene_ms = 0.0;  ///< and to the first picture with hand and scene
    DurationHistogram scene;      ///< drawing a scene that changed
    DurationHistogram panel;      ///< drawing the panel over it and presenting both
    DurationHistogram interval;   ///< between pictures while the scene changes
    DurationHistogram input;      ///< between two polls of mouse and keys
    std::uint64_t frames = 0, scenes = 0;
    int tier = 0;  ///< quality tier; 0 is the best
    int width_px = 0, height_px = 0;
    std::string renderer;  ///< the driver's name for itself

    double scenes_per_second() const { return interval.count() == 0 ? 0.0 : 1e6 / interval.mean_us(); }
};

/// Owns the window, its user interface and the renderer.
class Window {
  public:
    /// Throws std::runtime_error if there is no display or no OpenGL 3.3.
    explicit Window(const WindowOptions& options = {});
    ~Window();
    Window(const Window&) = delete;
    Window& operator=(const Window&) = delete;

    /// Handles input, draws and presents. If nothing changed, waits up to 30 ms for input instead of drawing again.
    ViewCommands draw(const ViewModel& model);
    /// Shows a line over the scene for some seconds.
    void say(std::string line);
    /// Resets the window's state; call it when the next model is of another session.
    void start_over();
    bool open() const;
    const WindowTimings& timings() const;

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace glovebox::vr
