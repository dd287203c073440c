// Generates the results page of a bench, which shows the whole result of one run in Markdown.
#pragma once

#include <filesystem>
#include <string>

#include "vr/bench/bench.h"

namespace glovebox::vr {

/// Returns the folder of a page's figures. It is named `figures`, lies beside the page, and is shared by all pages of a
/// folder.
std::filesystem::path figures_beside(const std::filesystem::path& page);

/// Returns the text of the page. Title and first line come from the bench's entry. Then follow command, version and
/// machine, each part of the result with its claims, tables and figures, and the notes. `command` is the command line
/// that writes the page. Links to figures point into figures_beside(page).
std::string page_text(const Bench& bench, const BenchResult& result, const std::filesystem::path& page,
                      const std::string& command);

/// Returns true if a run without --quick wrote this page, and false if the page does not exist.
bool is_page_of_full_run(const std::filesystem::path& page);

}  // namespace glovebox::vr
