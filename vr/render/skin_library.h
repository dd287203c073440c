// Skins for a session's hands, made on worker threads so that the first picture does not wait for them.
#pragma once

#include <array>
#include <future>
#include <optional>

#include "vr/render/hand_skin.h"
#include "vr/session/view_model.h"

namespace glovebox::vr {

class Renderer;

class SkinLibrary {
  public:
    /// Call each frame. For each side with a hand in sight and another profile than before: hangs a coarse skin on the
    /// renderer at once (some 60 ms of one core, the first time on a machine), has the fine one made beside, and swaps
    /// it in when ready. Both are kept in the user's cache folder. `wait`: only the fine one will do.
    void update(const ViewModel& model, Renderer& renderer, bool wait);
    /// The fine skins are all in place: the picture will not change by itself.
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
