// The results page of a bench: the whole result of one run, as generated Markdown.
#pragma once

#include <filesystem>
#include <string>

#include "vr/bench/bench.h"

namespace glovebox::vr {

/// Returns the folder of a page's figures: `figures` beside it, which all pages of a folder share.
std::filesystem::path figures_beside(const std::filesystem::path& page);

/// Returns the page: title and first line from the bench's entry; command, version and machine; each part of the result
/// with its claims, tables and figures; the notes. `command`: the one that wrote it. Figures are linked in the folder
/// figures_beside(page).
std::string page_text(const Bench& bench, const BenchResult& result, const std::filesystem::path& page,
                      const std::string& command);

}  // namespace glovebox::vr
