// The deadline ledger as a drawing: a histogram for each link of the chain against the periods that matter.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "vr/haptics/ledger.h"

namespace glovebox::vr {

/// One run of the force loop.
struct LedgerBlock {
    std::string title, note;  ///< what was run; what was in force
    const DeadlineLedger* ledger = nullptr;
    const DeadlineLedger* empty = nullptr;  ///< of a loop that did nothing beside it; null: there was none
};

/// Writes an SVG: blocks one below the other, time on a logarithmic axis from 1 us to 100 ms, bars as high as the
/// square root of their share, so that a single late one shows. Throws std::runtime_error when it cannot be written.
void draw_ledgers(const std::vector<LedgerBlock>& blocks, const std::filesystem::path& path);

}  // namespace glovebox::vr
