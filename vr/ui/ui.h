// The whole user interface as one thing that draws into the bound framebuffer: a window's, or a texture in a headset.
//
// Owns an ImGui context, so several may live beside each other. Input comes through io(): a window feeds it from SDL, a
// headset from its pointer.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <utility>

#include "vr/render/camera.h"
#include "vr/render/framing.h"
#include "vr/render/view_settings.h"
#include "vr/session/view_model.h"
#include "vr/ui/panel.h"
#include "vr/ui/playback_bar.h"
#include "vr/ui/start_page.h"

namespace glovebox::vr {

/// What the layout depends on besides the size.
struct UiShape {
    int lanes = 0;  ///< touch lanes over the track
    PanelShown panel = PanelShown::automatic;
};
UiShape shape_of(const ViewModel& model, const ViewSettings& settings);

struct UiLayout {
    Box panel;  ///< of no width where it is hidden
    PlaybackLayout playback;
    FreeArea free_px;  ///< what no card covers, device pixels

    bool has_panel() const { return panel.width > 0.0F; }
};

/// Where things are in a picture of this size. `scale` 0: from the height. From 640x480 on; a window that is too narrow
/// for the panel begins without it.
UiLayout ui_layout(int width_px, int height_px, float scale, const UiShape& shape = {});

/// What was asked for that concerns the window and not the session.
struct WindowWishes {
    bool show_all = false, follow = false, picture = false;
    bool box_tests = false;                ///< begin or end stepping through them
    ViewPreset preset = ViewPreset::free;  ///< free: none
};

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
    bool covers(float x_px, float y_px) const;
    /// Things that move by themselves after input (hover, popups opening) need a few frames more.
    bool busy() const;
    float scale() const { return scale_; }
    PanelState& panel() { return panel_; }
    WindowWishes take_wishes() { return std::exchange(wishes_, {}); }

    /// Opens a popover; the same again closes it.
    enum class Popover : std::uint8_t { none, more, help, open, leave };
    void toggle(Popover popover) { asked_ = popover; }
    bool is_open(Popover popover) const { return shown_ == popover; }
    /// Closes what is open. False: nothing is.
    bool close_popover();
    /// A line over the scene for some seconds: "picture saved: glovebox-2.png".
    void say(std::string line);

  private:
    void draw_cards(const Brush& background, const ViewModel& model, ViewSettings& settings, ViewCommands& commands);
    void draw_popovers(const ViewModel& model, ViewSettings& settings, const OrbitCamera& camera,
                       ViewCommands& commands);
    void draw_more(const ViewModel& model, ViewSettings& settings, const OrbitCamera& camera);
    void draw_help(const ViewModel& model);
    void draw_open(const ViewModel& model, ViewCommands& commands);
    void draw_leave(ViewCommands& commands);

    struct ImGuiContext* context_;
    Fonts fonts_;
    PanelState panel_;
    PlaybackBarState playback_bar_;
    StartPage start_;
    UiLayout layout_;
    WindowWishes wishes_;
    float wanted_scale_, scale_ = 0.0F;
    Popover asked_ = Popover::none, shown_ = Popover::none;
    std::string line_;
    std::chrono::steady_clock::time_point line_until_;
};

}  // namespace glovebox::vr
