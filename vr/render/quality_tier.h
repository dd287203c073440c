// Chooses a rendering quality that the machine can afford, based on measured frame times.
#pragma once

#include "vr/render/renderer.h"

namespace glovebox::vr {

inline constexpr int kTierCount = 5;
inline constexpr int kSoftwareTier = 3;  ///< the first one with software rendering

/// Returns the quality of a tier; 0 is the best. The last tiers also limit the number of pixels.
RenderQuality quality_of_tier(int tier, int width_px, int height_px);

/// Chooses the tier. Lowers the quality after several slow pictures, and raises it only after many fast ones, so that
/// the quality does not oscillate.
class TierControl {
  public:
    explicit TierControl(bool software) : start_(software ? kSoftwareTier : 0), tier_(start_) {}
    void add_scene(double scene_ms);
    /// Call while nothing moves. If the current quality is lower than that of the starting tier, returns to the
    /// starting tier, because the load may have ended.
    void rest();
    int tier() const { return tier_; }

  private:
    int start_, tier_;
    int slow_ = 0, fast_ = 0;
};

}  // namespace glovebox::vr
