// Moves the camera by a rule (show the whole recording, or follow the hands) until the user moves it.
#pragma once

#include <optional>

#include "vr/render/framing.h"

namespace glovebox::vr {

/// Holds the camera and the rule that moves it.
class CameraOperator {
  public:
    /// In mode `all` the camera shows the whole recording, and in mode `follow` it follows the hands. In mode `free`
    /// the user has moved it.
    enum class Mode : std::uint8_t { all, follow, free };

    /// Updates the camera; call it once per picture. The camera glides to a new goal, but jumps to it on the first
    /// picture and when the window's size changes.
    void update(const ViewModel& model, const Viewport& viewport, float dt_s);
    const OrbitCamera& camera() const { return camera_; }
    Mode mode() const { return mode_; }
    bool gliding() const { return goal_.has_value(); }

    void show_all() { request(Mode::all); }
    void follow() { request(Mode::follow); }
    void toggle() { request(mode_ == Mode::all ? Mode::follow : Mode::all); }
    void set_preset(ViewPreset preset) { preset_ = preset; }
    /// Resets everything. Call it before another recording is shown.
    void start_over() { *this = {}; }

    void orbit(float right_px, float down_px, float height_px);
    void pan(float right_px, float down_px, float height_px);
    void zoom(float steps);

  private:
    void request(Mode mode);
    void take_over();  // the user moves the camera

    OrbitCamera camera_;
    std::optional<OrbitCamera> goal_;
    Mode mode_ = Mode::all;
    ViewPreset preset_ = ViewPreset::free;  // requested
    bool must_frame_ = true, began_ = false, had_hands_ = false, had_take_ = false;
    int lab_stand_ = 0;
    Viewport seen_;
};

}  // namespace glovebox::vr
