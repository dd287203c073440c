// Builds skins for a session's hands on worker threads, so that the first picture does not wait for them.
#pragma once

#include <array>
#include <future>
#include <optional>

#include "vr/render/hand_skin.h"
#include "vr/session/view_model.h"

namespace glovebox::vr {

class Renderer;

/// Keeps the renderer's skins up to date with the hands' profiles.
class SkinLibrary {
  public:
    /// Call each frame. When a tracked hand's profile has changed, sets a coarse skin at once, builds the fine skin in
    /// the background, and sets that when it is ready. The coarse skin takes about 60 ms of CPU time the first time;
    /// both skins are then kept in the user's cache folder. If `wait` is true, waits for the fine skin.
    void update(const ViewModel& model, Renderer& renderer, bool wait);
    /// Returns whether all fine skins are set; the skins in the picture then change no more.
    bool settled() const;

  private:
    struct Slot {
        std::optional<tracking::HandProfile> profile;
        HandSkin coarse;
        std::future<HandSkin> fine;
    };
    tracking::PerSide<Slot> slots_;
    const HandMeshes* meshes_shown_ = nullptr;
};

}  // namespace glovebox::vr
