// Draws a scene with OpenGL: hands, objects, boxes and contacts. It is independent of windows and panels.
//
// Call prepare() once per frame; it computes everything that all eyes share (bones, shadow, contact shadow, box edges).
// Then call draw() for each eye; it draws into the bound framebuffer with the eye's view and projection. The desktop
// draws one eye, a headset two.
//
// An OpenGL 3.3 core context must be current for the Renderer's whole lifetime. Only the bound framebuffer and the
// viewport are restored; all other OpenGL state may change.
#pragma once

#include <array>
#include <memory>

#include "vr/render/hand_skin.h"
#include "vr/render/view_settings.h"
#include "vr/session/view_model.h"

namespace glovebox::vr {

/// Rendering options that trade quality for speed.
struct RenderQuality {
    int shadow_taps = 16;  ///< 2 and 4 give hard edges; 4 at about a third of the cost on a software rasteriser
    int shadow_size = 1024;
    int samples = 4;           ///< multisampling; used by the caller, who creates the framebuffer
    float scene_scale = 1.0F;  ///< scene resolution divided by window resolution; used by the caller
    bool coarse_skin = false;  ///< a quarter of the hand's vertices
};

/// Beyond this distance, the lines of boxes become thinner, in proportion to the size of the hand in the picture.
inline constexpr float kLineReference_m = 0.75F;

/// One view into the scene.
struct Eye {
    Eigen::Matrix4f view_from_world = Eigen::Matrix4f::Identity();
    Eigen::Matrix4f clip_from_view = Eigen::Matrix4f::Identity();
    int width_px = 0, height_px = 0;
    float px = 1.0F;                        ///< unit of line widths in pixels: 1 on a 720-line window, 2 at 4K
    float reference_m = 0.55F;              ///< lines have their nominal width at this distance
    bool see_through = false;               ///< no background: its alpha is 0, and colours are premultiplied
    int band_y_px = 0, band_height_px = 0;  ///< draw only these rows, counted from below; height 0: all rows
    /// Rectangles (x, y from below, width, height) that opaque panels will cover. They are not drawn, to save time.
    std::array<Eigen::Vector4i, 2> covered_px = {Eigen::Vector4i::Zero(), Eigen::Vector4i::Zero()};
};

/// Light and ground, the same for all eyes of a frame.
struct FrameLight {
    Eigen::Vector3f focus_m = Eigen::Vector3f::Zero();                 ///< centre of the shadows
    Eigen::Vector2f ground_m = Eigen::Vector2f::Zero();                ///< x and z of the centre of the visible ground
    float reach_m = 0.55F;                                             ///< extent of the picture around focus_m
    Eigen::Vector3f to_light = Eigen::Vector3f(-0.58F, 0.81F, 0.08F);  ///< unit
};

/// Returns the direction of the light for a viewer: from the upper left, a little from the front.
Eigen::Vector3f light_for(const Eigen::Vector3f& eye_m, const Eigen::Vector3f& target_m);

/// frame_light() returns light and ground for a picture: centred on the hands, and extending as far as the camera sees.
struct OrbitCamera;
FrameLight frame_light(const ViewModel& model, const OrbitCamera& camera);

/// Owns the OpenGL objects of the scene.
class Renderer {
  public:
    /// Throws std::runtime_error if the driver cannot compile the shaders.
    Renderer();
    ~Renderer();
    Renderer(Renderer&&) noexcept;
    Renderer& operator=(Renderer&&) noexcept;

    /// Makes the next prepare() rebuild the scene's buffers. Needed for another scene, because it may have the same
    /// address.
    void forget_scene();
    /// Sets the skin of a side's hand; a hand without a skin is not drawn. `coarse` is the same hand with larger grid
    /// cells, for shadows (whose edges are 3 mm wide) and for slow machines.
    void set_skin(tracking::Side side, const HandSkin& fine, const HandSkin& coarse);

    void prepare(const ViewModel& model, const ViewSettings& settings, const FrameLight& light,
                 const RenderQuality& quality);
    void draw(const Eye& eye);

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace glovebox::vr
