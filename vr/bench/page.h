// The results page of a bench: everything that one run measured, as Markdown that no one edits.
#pragma once

#include <filesystem>
#include <string>

#include "vr/bench/bench.h"

namespace glovebox::vr {

/// Where a page's figures go: the folder `figures` beside it, which all pages of a folder share.
std::filesystem::path figures_beside(const std::filesystem::path& page);

/// The whole page: title and first line from the bench's entry, the command, version and machine, then each part of the
/// result with its claims, tables and figures, then the notes. `command` is what wrote it. Figures are linked in the
/// folder figures_beside(page).
std::string page_text(const Bench& bench, const BenchResult& result, const std::filesystem::path& page,
                      const std::string& command);

/// Whether a run without --quick wrote this page. False where there is none.
bool is_page_of_full_run(const std::filesystem::path& page);

}  // namespace glovebox::vr
