// The table of all fitters: those that trees are built with (collision/mesh/fit/fitter.h) and those that they were
// measured against.
//
// From Gottschalk's covariances [Gottschalk96] over fixed directions [Larsson11] to the genetic search [Ramirez09].
// docs/how-to/trees.md says when to use which, with measured numbers.
#pragma once

#include <span>
#include <string_view>

#include "collision/mesh/fit/fitter.h"

namespace glovebox::collision {

/// All entries, the default ("descent") first.
std::span<const Fitter> fitters();

/// nullptr if there is no such entry.
const Fitter* find_fitter(std::string_view name);

FittedBox fit_genetic(const FitInput& input);
FittedBox fit_genetic_seeded(const FitInput& input);
FittedBox fit_genetic_split(const FitInput& input);
FittedBox fit_aligned(const FitInput& input);

}  // namespace glovebox::collision
