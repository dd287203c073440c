// What the eyes see: the scene into the runtime's swapchains, the panel as a layer of its own near the left wrist, and
// a mirror of both in a window on the desktop.
//
// OpenGL through GLX, because that is how OpenXR takes it on X11; through EGL where there is no X server and the
// runtime takes that (XR_MNDX_egl_enable). Swapchains belong to a session: they are made again whenever the link has a
// new one.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <string_view>

#include "vr/openxr/headset.h"
#include "vr/session/settings.h"
#include "vr/session/view_model.h"

namespace glovebox::vr {

class LiveEyes {
  public:
    /// Opens the mirror window. Throws std::runtime_error without a display or without OpenGL 3.3 through GLX or EGL.
    explicit LiveEyes(const PictureSize& mirror_size = {});
    ~LiveEyes();
    LiveEyes(const LiveEyes&) = delete;
    LiveEyes& operator=(const LiveEyes&) = delete;

    /// For HeadsetSettings::graphics_binding. Null where the runtime does not take the kind of OpenGL that we have.
    const void* binding(XrInstance instance, XrSystemId system, const openxr::Extensions& extensions);

    /// Draws both eyes and the panel. `model.hands` are drawn as given: the predicted ones. Empty where the runtime's
    /// eyes or images are not to be had. Valid until the next call.
    std::span<const XrCompositionLayerBaseHeader* const> draw(openxr::Headset& headset,
                                                              const openxr::FrameTiming& frame, const ViewModel& model,
                                                              const Eigen::Isometry3f& scene_from_seat);
    /// Without a headset there are no eyes, but the panel goes on in the mirror.
    void draw_panel_only(const ViewModel& model);

    /// Before another session is drawn: its scene may lie where that of the last one lay.
    void forget_scene();

    /// What was pressed on the panel since the last call, with the right index finger or with the mouse in the mirror.
    ViewCommands take_commands();
    /// The large button that was pressed since the last call, by finger or mouse; empty: none.
    std::string_view take_press();

    /// Shows the left eye and the panel on the desktop and looks at its events. False once the window was closed.
    bool mirror();

  private:
    struct State;
    std::unique_ptr<State> state_;
};

/// Where the panel is, in the scene: by the left wrist, ahead of it and above it, turned to the head; without a left
/// hand, to the left. The panel's +Z looks at the head, +Y is up.
Eigen::Isometry3f panel_place(const tracking::HandFrame& left, const Eigen::Vector3f& head_m,
                              const Eigen::Isometry3f& scene_from_seat);

}  // namespace glovebox::vr
