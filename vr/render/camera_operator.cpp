#include "vr/render/camera_operator.h"

#include <algorithm>
#include <utility>

#include "vr/ui/lab_view.h"

namespace glovebox::vr {
namespace {

bool same(const Viewport& a, const Viewport& b) {
    return a.width_px == b.width_px && a.height_px == b.height_px && a.free_px.x == b.free_px.x &&
           a.free_px.y == b.free_px.y && a.free_px.width == b.free_px.width && a.free_px.height == b.free_px.height;
}

bool has_hands(const ViewModel& model) {
    return model.hands != nullptr && std::ranges::any_of(model.hands->hands, &tracking::HandFrame::active);
}

}  // namespace

void CameraOperator::request(Mode mode) {
    mode_ = mode;
    must_frame_ = true;
}

void CameraOperator::take_over() {
    goal_.reset();
    mode_ = Mode::free;
}

void CameraOperator::update(const ViewModel& model, const Viewport& viewport, float dt_s) {
    const bool resized = !same(std::exchange(seen_, viewport), viewport);
    // New content has become known: a hand, the overview of the recording, another laboratory.
    const bool more_hands = !std::exchange(had_hands_, had_hands_ || has_hands(model)) && had_hands_;
    const bool more_take = std::exchange(had_take_, model.take != nullptr) != had_take_ && had_take_;
    const bool lab_moved = model.lab != nullptr && std::exchange(lab_stand_, model.lab->stand) != model.lab->stand;
    if (lab_moved) mode_ = Mode::all;
    if (!began_ && model.live) mode_ = Mode::follow;  // a live session has no overview

    if (preset_ != ViewPreset::free) {
        goal_ = seen_from(std::exchange(preset_, ViewPreset::free), model, viewport);
        mode_ = Mode::free;
        must_frame_ = false;
    } else if (mode_ == Mode::all && (must_frame_ || resized || more_hands || more_take || lab_moved)) {
        goal_ = framed(model, viewport);
    } else if (mode_ == Mode::follow && (must_frame_ || more_hands)) {
        goal_ = began_ && !more_hands ? framed_on_hands(model, camera_, viewport) : framed(model, viewport);
    }
    must_frame_ = false;
    const bool jumps = !began_ || (resized && mode_ == Mode::all) || (more_hands && model.take == nullptr);
    began_ = began_ || had_hands_ || model.lab != nullptr;
    if (goal_ && (jumps || glide(camera_, *goal_, dt_s))) camera_ = *std::exchange(goal_, {});
    if (!goal_ && mode_ == Mode::follow) vr::follow(camera_, model, viewport, dt_s);
}

void CameraOperator::orbit(float right_px, float down_px, float height_px) {
    if (mode_ != Mode::follow) take_over();
    camera_.orbit(right_px, down_px, height_px);
}

void CameraOperator::pan(float right_px, float down_px, float height_px) {
    take_over();
    camera_.pan(right_px, down_px, height_px);
}

void CameraOperator::zoom(float steps) {
    take_over();
    camera_.zoom(steps);
}

}  // namespace glovebox::vr
