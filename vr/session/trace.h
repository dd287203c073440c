// Writes the stage times of every frame as a trace for Perfetto (ui.perfetto.dev) or chrome://tracing.
#pragma once

#include <filesystem>

#include "recordings/output.h"
#include "vr/haptics/ledger.h"
#include "vr/session/pipeline.h"
#include "vr/session/sink.h"

namespace glovebox::vr {

class Trace final : public Sink {
  public:
    /// The constructor, frame() and finish() throw recordings::ExportError if the file cannot be written.
    explicit Trace(const std::filesystem::path& path);
    void frame(const Session& session) override;
    bool measures() const override { return true; }
    void finish(const Session& session, nlohmann::ordered_json& report) override;

  private:
    void add(const Pipeline& pipeline);
    /// Adds the ledger's counters to the last frame, and adds each new chain (from the hand's sample to the first
    /// command based on it) as a separate track. A chain may be added up to 0.1 s after its frame.
    void add(const DeadlineLedger& ledger);

    recordings::Output out_;
    void add_chain(const ChainEntry& chain);

    /// End of the last frame in the trace; the next one starts there or at its recorded time, if that is later.
    double at_us_ = 0.0;
    struct Shown {
        std::int64_t arrival_ns = 0;
        double at_us = 0.0;
    };
    std::array<Shown, 256> shown_;  ///< start times of the last frames in the trace
    std::size_t shown_count_ = 0;
    std::uint64_t last_chain_ = 0;
};

}  // namespace glovebox::vr
