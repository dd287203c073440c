// How much of the picture's quality the machine can afford, from what frames took.
#pragma once

#include "vr/render/renderer.h"

namespace glovebox::vr {

inline constexpr int kTierCount = 5;

/// Tier 0 is everything. The last ones also bound the number of pixels, whatever the window's size.
RenderQuality quality_of_tier(int tier, int width_px, int height_px);

/// Follows the measured time of scenes: down a tier after several slow ones, up again only after many fast ones, so
/// that it settles.
class TierControl {
  public:
    explicit TierControl(bool software) : start_(software ? kSoftwareStart : 0), tier_(start_) {}
    void add_scene(double scene_ms);
    /// Nothing moves: what slowed the last pictures may be over, so the next ones begin where the first one did.
    void rest();
    int tier() const { return tier_; }

  private:
    static constexpr int kSoftwareStart = 3;
    int start_, tier_;
    int slow_ = 0, fast_ = 0;
};

}  // namespace glovebox::vr
