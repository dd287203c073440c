// The table of all fitters: those used to build trees (collision/mesh/fit/fitter.h) and those measured for comparison.
//
// They range from covariances [Gottschalk96] and fixed directions [Larsson11] to the genetic search [Ramirez09].
// docs/how-to/trees.md says when to use which, with measurements.
#pragma once

#include <span>
#include <string_view>

#include "collision/mesh/fit/fitter.h"

namespace glovebox::collision {

/// Returns all fitters, the default ("descent") first.
std::span<const Fitter> fitters();

/// Returns the fitter of that name, or nullptr.
const Fitter* find_fitter(std::string_view name);

FittedBox fit_genetic(const FitInput& input);
FittedBox fit_genetic_seeded(const FitInput& input);
FittedBox fit_genetic_split(const FitInput& input);
FittedBox fit_aligned(const FitInput& input);

}  // namespace glovebox::collision
