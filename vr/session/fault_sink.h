// Runs the checks on injected faults (fault_watch.h) as a sink of the session.
#pragma once

#include "vr/session/fault_watch.h"
#include "vr/session/sink.h"

namespace glovebox::vr {

/// Passes each frame to a FaultWatch and reports its result. The watch belongs to the session, because haptic outputs
/// use it until they stop.
class FaultSink final : public Sink {
  public:
    explicit FaultSink(FaultWatch& watch) : watch_(watch) {}
    void frame(const Session& session) override { watch_.add_frame(session); }
    bool measures() const override { return true; }
    void finish(const Session&, nlohmann::ordered_json& report) override {
        text_ = fault_text(report["faults"] = watch_.report());
    }
    std::string text() const override { return text_; }
    bool passed() const override { return watch_.holds(); }

  private:
    FaultWatch& watch_;
    std::string text_;
};

}  // namespace glovebox::vr
