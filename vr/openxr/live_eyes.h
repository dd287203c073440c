// Draws a headset's pictures. The scene is drawn into the runtime's swapchains, the panel into a separate layer near
// the left wrist, and a mirror of both into a desktop window.
//
// It uses OpenGL through GLX, as OpenXR requires on X11, or through EGL if there is no X server and the runtime
// supports it (XR_MNDX_egl_enable). Swapchains belong to a session, so each new session gets new ones.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <span>

#include "vr/openxr/headset.h"
#include "vr/session/settings.h"
#include "vr/session/view_model.h"
#include "vr/ui/panel.h"

namespace glovebox::vr {

/// Owns the OpenGL context, the swapchains, the renderer, the panel and the mirror window.
class LiveEyes {
  public:
    /// Opens the mirror window. Throws std::runtime_error if there is no display or no OpenGL 3.3 through GLX or EGL.
    explicit LiveEyes(const PictureSize& mirror_size = {});
    ~LiveEyes();
    LiveEyes(const LiveEyes&) = delete;
    LiveEyes& operator=(const LiveEyes&) = delete;

    /// Returns the structure for HeadsetSettings::graphics_binding; null if the runtime does not support our OpenGL.
    const void* binding(XrInstance instance, XrSystemId system, const openxr::Extensions& extensions);

    /// Draws both eyes and the panel, and returns the composition layers, valid until the next call. `model.hands` must
    /// be predicted already; they are drawn as given. The result is empty if the runtime's eye poses or images are not
    /// available.
    std::span<const XrCompositionLayerBaseHeader* const> draw(openxr::Headset& headset,
                                                              const openxr::FrameTiming& frame, const ViewModel& model,
                                                              const Eigen::Isometry3f& scene_from_seat);
    /// Draws only the panel, for the mirror, while there is no headset.
    void draw_panel_only(const ViewModel& model);

    /// Calls forget_scene() of Renderer and Ui. Use it before another session is drawn.
    void forget_scene();

    /// Returns the commands pressed on the panel since the last call, by the right index finger or the mouse.
    ViewCommands take_commands();
    /// The large button that was pressed since the last call, by finger or mouse.
    std::optional<HeadsetButton> take_press();

    /// Shows the left eye and the panel in the mirror window and handles its events. Returns false after the window was
    /// closed.
    bool mirror();

  private:
    struct State;
    std::unique_ptr<State> state_;
};

/// Returns the panel's pose in the scene: in front of and above the left wrist, or on the left side if there is no left
/// hand. The panel's +Z points to the head, and its +Y up.
Eigen::Isometry3f panel_place(const tracking::HandFrame& left, const Eigen::Vector3f& head_m,
                              const Eigen::Isometry3f& scene_from_seat);

}  // namespace glovebox::vr
