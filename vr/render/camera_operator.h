// Who moves the camera: the person, or a rule (see all of the take, follow the hands) until the person does.
#pragma once

#include <optional>

#include "vr/render/framing.h"

namespace glovebox::vr {

class CameraOperator {
  public:
    /// `free`: as the person left it.
    enum class Mode : std::uint8_t { all, follow, free };

    /// Once a picture. What was asked for glides there; the first picture, and another size of the window, jump.
    void update(const ViewModel& model, const Viewport& viewport, float dt_s);
    const OrbitCamera& camera() const { return camera_; }
    Mode mode() const { return mode_; }
    bool gliding() const { return goal_.has_value(); }

    void show_all() { ask(Mode::all); }
    void follow() { ask(Mode::follow); }
    void toggle() { ask(mode_ == Mode::all ? Mode::follow : Mode::all); }
    void look_from(ViewPreset preset) { preset_ = preset; }
    /// Another recording: as at the start.
    void start_over() { *this = {}; }

    void orbit(float right_px, float down_px, float height_px);
    void pan(float right_px, float down_px, float height_px);
    void zoom(float steps);

  private:
    void ask(Mode mode);
    void take_over();  // the person does

    OrbitCamera camera_;
    std::optional<OrbitCamera> goal_;
    Mode mode_ = Mode::all;
    ViewPreset preset_ = ViewPreset::free;  // asked for
    bool asked_ = true, began_ = false, had_hands_ = false, had_take_ = false;
    int lab_stand_ = 0;
    Viewport seen_;
};

}  // namespace glovebox::vr
