// Injects faults into a live source. Each sample passes through a FaultStream before it reaches the session.
#pragma once

#include <functional>
#include <memory>

#include "recordings/inject.h"
#include "tracking/source.h"

namespace glovebox::recordings {

class FaultSource final : public tracking::HandSource {
  public:
    /// Calls `undisturbed` with every sample before faults are injected. Throws what the constructor of FaultStream
    /// throws.
    FaultSource(std::unique_ptr<tracking::HandSource> source, std::span<const Fault> faults,
                std::function<void(const tracking::HandPair&)> undisturbed);

    bool next(std::int64_t now_ns, tracking::SourceFrame& out) override;
    void wait(std::int64_t until_ns) override { source_->wait(until_ns); }
    const tracking::SourceFacts& facts() const override { return source_->facts(); }
    const tracking::SourceStatus& status() const override { return source_->status(); }
    std::vector<tracking::SourceNotice> take_notices() override { return source_->take_notices(); }
    void set_paused(bool paused) override { source_->set_paused(paused); }
    bool focused() const override { return source_->focused(); }
    std::span<const float> sensors() const override { return source_->sensors(); }
    void move_wrist(const Eigen::Vector3f& by_m, float turn_rad) override { source_->move_wrist(by_m, turn_rad); }
    std::int64_t start_ns() const override { return source_->start_ns(); }

    std::span<const FaultSpell> spells() const { return stream_.spells(); }

  private:
    std::unique_ptr<tracking::HandSource> source_;
    FaultStream stream_;
    std::function<void(const tracking::HandPair&)> undisturbed_;
    std::int64_t number_ = 0, last_ns_ = 0;
};

}  // namespace glovebox::recordings
