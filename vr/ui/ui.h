// The whole user interface, drawn into the bound framebuffer, which is that of a window or of a texture for a headset.
//
// Each Ui owns an ImGui context, so several can exist. Input comes through ImGui's io: a window feeds it from SDL, a
// headset from its pointer.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "vr/render/camera.h"
#include "vr/render/framing.h"
#include "vr/render/overlay.h"
#include "vr/render/view_settings.h"
#include "vr/session/view_model.h"
#include "vr/ui/panel.h"
#include "vr/ui/playback_bar.h"
#include "vr/ui/start_page.h"

namespace glovebox::vr {

/// Inputs of ui_layout() besides the picture's size.
struct UiShape {
    int lanes = 0;  ///< number of touch lanes above the track
    PanelShown panel = PanelShown::automatic;
};
UiShape shape_of(const ViewModel& model, const ViewSettings& settings);

/// Positions of the cards.
struct UiLayout {
    Box panel;  ///< width 0: hidden
    PlaybackLayout playback;
    FreeArea free_px;  ///< area that no card covers, in device pixels

    bool has_panel() const { return panel.width > 0.0F; }
};

/// Computes the layout for a picture of at least 640x480. If `scale` is 0, it is computed from the height. In a window
/// that is too narrow for the panel, the panel is hidden at first.
UiLayout ui_layout(int width_px, int height_px, float scale, const UiShape& shape = {});

/// The user's commands that concern the window, not the session.
struct WindowRequests {
    bool show_all = false, follow = false, picture = false;
    bool box_tests = false;                ///< begin or end stepping through box tests
    ViewPreset preset = ViewPreset::free;  ///< free: no request
};

/// Panel, playback bar, popovers and overlay text.
class Ui {
  public:
    /// An OpenGL context must be current. If `scale` is 0, it is computed from the height of each frame.
    explicit Ui(float scale = 0.0F);
    ~Ui();
    Ui(const Ui&) = delete;
    Ui& operator=(const Ui&) = delete;

    void make_current();
    /// Builds a frame. Sets display size and scale; the caller must have passed mouse, keys and time to ImGui's io. A
    /// popover shows the parameters of `camera`.
    ViewCommands build(const ViewModel& model, ViewSettings& settings, const OrbitCamera& camera, int width_px,
                       int height_px);
    /// Draws the frame that was built last over the contents of the bound framebuffer.
    void render();

    bool captures_mouse() const;
    /// Returns whether the panel, the bar or an open popover covers this point of the scene.
    bool covers(float x_px, float y_px) const;
    /// Returns whether an animation after input (hover, an opening popup) needs more frames.
    bool busy() const;
    float scale() const { return scale_; }
    PanelState& panel() { return panel_; }
    WindowRequests take_requests() { return std::exchange(requests_, {}); }

    /// Opens a popover, or closes it if it is open.
    enum class Popover : std::uint8_t { none, more, help, open, leave };
    void toggle(Popover popover) { requested_ = popover; }
    bool is_open(Popover popover) const { return shown_ == popover; }
    StartPage& start() { return start_; }
    /// Closes the open popover; returns false if there is none.
    bool close_popover();
    /// Makes the next build() look at the names of the scene's objects again. Needed for another scene, because it may
    /// have the same address.
    void forget_scene() { scene_ = nullptr; }
    /// Shows a line over the scene for that time, such as "Saved glovebox-2.png".
    void show_message(std::string line, std::chrono::seconds shown);

  private:
    Box box_test_card(const ViewModel& model, const OrbitCamera& camera, float right, float baseline);
    void draw_cards(const Brush& background, const ViewModel& model, ViewSettings& settings, const OrbitCamera& camera,
                    ViewCommands& commands);
    void draw_popovers(const ViewModel& model, ViewSettings& settings, const OrbitCamera& camera,
                       ViewCommands& commands);
    void draw_more(const ViewModel& model, ViewSettings& settings, const OrbitCamera& camera);
    void draw_more_of_hand(ViewSettings& settings);
    static void draw_quarantine(const ViewModel& model);
    void draw_help(const ViewModel& model);
    void draw_open(const ViewModel& model, ViewCommands& commands);
    void draw_leave(ViewCommands& commands);

    bool needs_characters(const ViewModel& model);

    struct ImGuiContext* context_;
    Fonts fonts_;
    Characters characters_;                 ///< of the names so far
    const scenes::Scene* scene_ = nullptr;  ///< whose objects' names are among them
    UndrawnNumbers undrawn_;
    PanelState panel_;
    PlaybackBarState playback_bar_;
    StartPage start_;
    std::optional<Corner> box_test_corner_;  ///< empty: no card about a box test
    UiLayout layout_;
    WindowRequests requests_;
    float wanted_scale_, scale_ = 0.0F;
    Popover requested_ = Popover::none, shown_ = Popover::none;
    std::string line_;
    std::chrono::steady_clock::time_point line_until_;
};

}  // namespace glovebox::vr
