// Draws the deadline ledger as a figure: a histogram for each link of the chain, with the deadlines.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "vr/haptics/ledger.h"

namespace glovebox::vr {

/// One run of the force loop.
struct LedgerBlock {
    std::string title, note;  ///< the run's name, and the scheduling in force
    const DeadlineLedger* ledger = nullptr;
    const DeadlineLedger* empty = nullptr;  ///< ledger of an idle loop that ran at the same time; null: none
};

/// Writes an SVG with the blocks one below the other, and time on a logarithmic axis from 1 us to 100 ms. A bar's
/// height is the square root of its fraction of the samples, so that a single late tick is visible. Throws
/// std::runtime_error if the file cannot be written.
void draw_ledgers(const std::vector<LedgerBlock>& blocks, const std::filesystem::path& path);

}  // namespace glovebox::vr
