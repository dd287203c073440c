// Runs single parts of a long bench, as in `glovebox bench broad-phase rocks`.
#pragma once

#include <algorithm>
#include <stdexcept>

#include "vr/bench/bench.h"

namespace glovebox::vr {

/// Runs the sections that the user named after the bench, or all if the user named none. Each section must have a
/// `name`. If the user named an unknown section, throws std::runtime_error, which lists the names.
template <typename Sections, typename Run>
void run_sections(const BenchOptions& options, const Sections& sections, const Run& run) {
    std::string names;
    for (const auto& section : sections) names += (names.empty() ? "" : ", ") + std::string(section.name);
    for (const std::string& wanted : options.files)
        if (std::ranges::none_of(sections, [&](const auto& section) { return section.name == wanted; }))
            throw std::runtime_error(wanted + ": no such part of this bench (" + names + ")");
    for (const auto& section : sections)
        if (options.files.empty() || std::ranges::find(options.files, section.name) != options.files.end())
            run(section);
}

}  // namespace glovebox::vr
