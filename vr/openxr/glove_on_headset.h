// Combines finger data from a glove with the wrist pose from a headset, which tracks the hand itself or a controller.
//
// There is one sample per headset frame, with the newest glove packet. While there is no wrist pose or the glove is
// silent, the gloved hand is not active. The other hand comes from the headset.
#pragma once

#include <memory>

#include "tracking/glove/glove_source.h"
#include "vr/openxr/headset_source.h"

namespace glovebox::vr {

/// A hand source. `glove.side` is the hand that wears the glove. The tracked pose is converted to the wrist with the
/// user's tracker_from_wrist. wait() and set_paused() act on the headset.
class GloveOnHeadset final : public tracking::HandSource {
  public:
    /// Opens the glove. Throws tracking::DeviceError if the glove is not connected. `headset` must not be null.
    GloveOnHeadset(std::unique_ptr<HeadsetSource> headset, tracking::GloveSettings glove);

    void wait(std::int64_t until_ns) override { headset_->wait(until_ns); }
    bool next(std::int64_t now_ns, tracking::SourceFrame& out) override;
    const tracking::SourceFacts& facts() const override { return facts_; }
    const tracking::SourceStatus& status() const override { return status_; }
    std::vector<tracking::SourceNotice> take_notices() override;
    void set_paused(bool paused) override { headset_->set_paused(paused); }
    bool focused() const override { return headset_->focused(); }
    std::span<const float> sensors() const override { return glove_.sensors(); }
    std::int64_t start_ns() const override { return headset_->start_ns(); }

    HeadsetSource& headset() { return *headset_; }
    tracking::GloveSource& glove() { return glove_; }

  private:
    void follow_status();

    std::unique_ptr<HeadsetSource> headset_;
    tracking::Side side_;
    tracking::UserHand user_;
    tracking::GloveSource glove_;
    tracking::SourceFacts facts_;
    tracking::SourceStatus status_;
    std::size_t headset_counters_ = 0;
    bool had_wrist_ = true;
};

}  // namespace glovebox::vr
