// Stage times of every frame as a trace that Perfetto (ui.perfetto.dev) and chrome://tracing open.
#pragma once

#include <filesystem>
#include <fstream>

#include "vr/haptics/ledger.h"
#include "vr/pipeline.h"

namespace glovebox::vr {

class Trace {
  public:
    /// Throws std::runtime_error when the file cannot be made. Written beside and renamed by finish().
    explicit Trace(std::filesystem::path path);
    void add(const Pipeline& pipeline);
    void add(const DeadlineLedger& ledger);  ///< as counters under the frame that was added last
    void finish();

  private:
    std::filesystem::path path_, beside_;
    std::ofstream out_;
    double at_us_ = 0.0;  ///< frames are laid end to end, or at their recorded times where those leave room
};

}  // namespace glovebox::vr
