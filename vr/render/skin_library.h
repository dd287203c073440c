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
    /// Call each frame. When a tracked hand's profile has changed: sets a coarse skin at once (about 60 ms of one core,
    /// the first time on a machine), builds the fine one in the background, and sets it when ready. Both are kept in
    /// the user's cache folder. `wait`: waits for the fine skin.
    void update(const ViewModel& model, Renderer& renderer, bool wait);
    /// Returns whether all fine skins are set, so that the picture will not change by itself.
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
