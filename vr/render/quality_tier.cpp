#include "vr/render/quality_tier.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace glovebox::vr {
namespace {

struct Tier {
    int shadow_taps, shadow_size, samples;
    float scene_scale;
    float max_pixels;  ///< maximum for the scene's picture; 0: none
    bool coarse_skin;
    double leave_below_ms;  ///< scenes faster than this allow the tier above; unused for the first
};
constexpr std::array<Tier, kTierCount> kTiers = {{
    {16, 1024, 4, 1.0F, 0.0F, false, 0.0},
    {16, 1024, 0, 1.0F, 0.0F, false, 12.0},
    {4, 1024, 0, 0.75F, 0.0F, false, 14.0},
    {4, 512, 0, 0.5F, 640.0F * 360.0F, true, 16.0},
    {2, 512, 0, 0.4F, 512.0F * 288.0F, true, 30.0},
}};

constexpr double kSlow_ms = 60.0;  // leaves 20 ms for panel and replay at 12 frames a second
constexpr int kSlowFrames = 5;
constexpr int kFastFrames = 90;

}  // namespace

RenderQuality quality_of_tier(int tier, int width_px, int height_px) {
    const Tier& row = kTiers[static_cast<std::size_t>(std::clamp(tier, 0, kTierCount - 1))];
    RenderQuality quality{row.shadow_taps, row.shadow_size, row.samples, row.scene_scale, row.coarse_skin};
    const float pixels = static_cast<float>(width_px) * static_cast<float>(height_px);
    if (row.max_pixels > 0.0F && pixels > 0.0F)
        quality.scene_scale = std::min(quality.scene_scale, std::sqrt(row.max_pixels / pixels));
    return quality;
}

void TierControl::add_scene(double scene_ms) {
    slow_ = scene_ms > kSlow_ms ? slow_ + 1 : 0;
    fast_ = scene_ms < kTiers[static_cast<std::size_t>(tier_)].leave_below_ms ? fast_ + 1 : 0;
    if (slow_ >= kSlowFrames && tier_ + 1 < kTierCount) {
        ++tier_;
        slow_ = 0;
    }
    if (fast_ >= kFastFrames && tier_ > 0) {
        --tier_;
        fast_ = 0;
    }
}

void TierControl::rest() {
    tier_ = std::min(tier_, start_);
    slow_ = 0;
}

}  // namespace glovebox::vr
