// Stage times of every frame as a trace that Perfetto (ui.perfetto.dev) and chrome://tracing open.
#pragma once

#include <filesystem>

#include "recordings/output.h"
#include "vr/haptics/ledger.h"
#include "vr/session/pipeline.h"
#include "vr/session/sink.h"

namespace glovebox::vr {

class Trace final : public Sink {
  public:
    /// These throw recordings::ExportError where the file cannot be written.
    explicit Trace(const std::filesystem::path& path);
    void frame(const Session& session) override;
    bool measures() const override { return true; }
    void finish(const Session& session, nlohmann::ordered_json& report) override;

  private:
    void add(const Pipeline& pipeline);
    /// Counters under the frame that was added last, and each new chain, from the hand's sample to the command that
    /// knew of it, as a track of its own. A chain comes up to 0.1 s after its frame.
    void add(const DeadlineLedger& ledger);

    recordings::Output out_;
    void add_chain(const ChainEntry& chain);

    double at_us_ = 0.0;  ///< frames are laid end to end, or at their recorded times where those leave room
    struct Shown {
        std::int64_t arrival_ns = 0;
        double at_us = 0.0;
    };
    std::array<Shown, 256> shown_;  ///< the last frames: where in the trace their clock is
    std::size_t shown_count_ = 0;
    std::uint64_t last_chain_ = 0;
};

}  // namespace glovebox::vr
