// Combines finger data from a glove with the wrist pose from a headset. The headset tracks either the hand or a
// controller that is attached to it.
//
// There is one sample per headset frame, with the newest glove packet. While there is no wrist pose or the glove is
// silent, the gloved hand is not active. The other hand comes from the headset.
#pragma once

#include <memory>

#include "tracking/glove/glove_source.h"
#include "vr/openxr/headset_source.h"

namespace glovebox::vr {

/// A hand source. The wrist pose is computed from the tracked pose and the tracker_from_wrist of the user's profile
/// (tracking::UserHand). wait() and set_paused() act on the headset.
class GloveOnHeadset final : public tracking::HandSource {
  public:
    /// Opens the glove, which is worn by the hand `glove.side`. Throws tracking::DeviceError if the glove is not
    /// connected. `headset` must not be null.
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
