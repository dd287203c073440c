// Draws a scene: hands, objects, boxes, contacts. Knows neither windows nor panels.
//
// Once per frame prepare(), which does everything that is the same for all eyes (bones, shadow, contact shadow, box
// edges); then draw() per eye into whatever framebuffer is bound, with the view and projection given. The desktop draws
// one eye, a headset two.
//
// Needs a current OpenGL 3.3 core context for its whole life. Changes OpenGL state freely, restores only the bound
// framebuffer and the viewport.
#pragma once

#include <array>
#include <memory>

#include "vr/render/hand_skin.h"
#include "vr/render/view_settings.h"
#include "vr/session/view_model.h"

namespace glovebox::vr {

struct RenderQuality {
    int shadow_taps = 16;  ///< 4: hard-edged, about a third of the cost on a software rasteriser
    int shadow_size = 1024;
    int samples = 4;           ///< for whoever makes the framebuffer
    float scene_scale = 1.0F;  ///< of the scene's resolution against the window's; for whoever makes the framebuffer
    bool coarse_skin = false;  ///< a quarter of the hand's vertices
};

/// From further away than this, boxes' lines become thinner with the hand.
inline constexpr float kLineReference_m = 0.75F;

/// One view into the scene.
struct Eye {
    Eigen::Matrix4f view_from_world = Eigen::Matrix4f::Identity();
    Eigen::Matrix4f clip_from_view = Eigen::Matrix4f::Identity();
    int width_px = 0, height_px = 0;
    float px = 1.0F;                        ///< widths of lines are given in these: 1 on a 720-line window, 2 at 4K
    float reference_m = 0.55F;              ///< lines have their nominal width at this distance
    bool see_through = false;               ///< nothing behind the objects: alpha 0 there, colours premultiplied
    int band_y_px = 0, band_height_px = 0;  ///< only these rows, from below; height 0: all
    /// Will be covered by something opaque (x, y from below, width, height): left empty, which saves its cost.
    std::array<Eigen::Vector4i, 2> covered_px = {Eigen::Vector4i::Zero(), Eigen::Vector4i::Zero()};
};

/// What is the same for all eyes of a frame.
struct FrameLight {
    Eigen::Vector3f focus_m = Eigen::Vector3f::Zero();   ///< middle of the shadows
    Eigen::Vector2f ground_m = Eigen::Vector2f::Zero();  ///< x and z of the middle of the ground that is seen
    float reach_m = 0.55F;                               ///< how far the picture reaches about it
    Eigen::Vector3f to_light = Eigen::Vector3f(-0.58F, 0.81F, 0.08F);  ///< unit
};

/// The light for a viewer: from the upper left, a little from the front, so that every view is modelled.
Eigen::Vector3f light_for(const Eigen::Vector3f& eye_m, const Eigen::Vector3f& target_m);

/// What light and ground need to know of a picture: they are about the hands, and reach as far as it shows.
struct OrbitCamera;
FrameLight frame_light(const ViewModel& model, const OrbitCamera& camera);

class Renderer {
  public:
    /// Throws std::runtime_error if the driver cannot compile the shaders.
    Renderer();
    ~Renderer();
    Renderer(Renderer&&) noexcept;
    Renderer& operator=(Renderer&&) noexcept;

    /// The skin to hang on a side's bones from now on. Without one that hand is not drawn. Shadows, whose edges are
    /// 3 mm wide, and machines that cannot keep up are drawn from `coarse`: the same hand with a larger grid.
    /// Forgets the scene: another one may lie where it lay.
    void forget_scene();
    void set_skin(tracking::Side side, const HandSkin& fine, const HandSkin& coarse);

    void prepare(const ViewModel& model, const ViewSettings& settings, const FrameLight& light,
                 const RenderQuality& quality);
    void draw(const Eye& eye);

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace glovebox::vr
