// The whole user interface as one thing that draws into the bound framebuffer: a window's, or a texture in a headset.
//
// Owns an ImGui context, so several may live beside each other. Input comes through io(): a window feeds it from SDL, a
// headset from its pointer.
#pragma once

#include <memory>

#include "vr/render/camera.h"
#include "vr/render/view_settings.h"
#include "vr/session/view_model.h"
#include "vr/ui/panel.h"
#include "vr/ui/playback_bar.h"

namespace glovebox::vr {

struct UiLayout {
    Box panel, playback;
    FreeArea free_px;  ///< what is left for the scene, device pixels
};

/// Where things are in a picture of this size. `scale` 0: from the height.
UiLayout ui_layout(int width_px, int height_px, float scale);

class Ui {
  public:
    /// Needs a current OpenGL context. `scale` 0: follows the height.
    explicit Ui(float scale = 0.0F);
    ~Ui();
    Ui(const Ui&) = delete;
    Ui& operator=(const Ui&) = delete;

    void make_current();
    /// Builds a frame. Sets display size and scale itself; the caller has fed mouse, keys and time to io().
    /// `camera` is only shown (its numbers are in the popover).
    ViewCommands build(const ViewModel& model, ViewSettings& settings, const OrbitCamera& camera, int width_px,
                       int height_px);
    /// Draws what was built into the bound framebuffer, over what is there.
    void render();

    bool wants_mouse() const;
    /// Whether a press there would land on the panel, the bar or an open popover rather than on the scene.
    bool covers(float x_px, float y_px, int width_px, int height_px) const;
    /// Things that move by themselves after input (hover, popups opening) need a few frames more.
    bool busy() const;
    float scale() const { return scale_; }
    void toggle_more() { open_more_ = true; }

  private:
    void draw_more(const ViewModel& model, ViewSettings& settings, const OrbitCamera& camera, const Box& anchor);

    struct ImGuiContext* context_;
    Fonts fonts_;
    PanelState panel_;
    PlaybackBarState playback_bar_;
    float wanted_scale_, scale_ = 0.0F;
    bool open_more_ = false;
};

}  // namespace glovebox::vr
