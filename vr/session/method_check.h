// Runs every refit method on every frame (`--check`) and fails if a method and brute force find different touching
// pairs.
#pragma once

#include <cstdint>

#include "vr/session/sink.h"

namespace glovebox::vr {

/// Compares the methods on each frame. Needs PipelineSettings::keep_colliders.
class MethodCheck final : public Sink {
  public:
    void frame(const Session& session) override;
    bool measures() const override { return true; }
    void finish(const Session& session, nlohmann::ordered_json& report) override;
    std::string text() const override { return summary_ + "\n"; }
    bool passed() const override { return disagreements_ == 0; }

  private:
    std::int64_t pairs_ = 0, disagreements_ = 0;
    std::string summary_;
};

}  // namespace glovebox::vr
