// Checks a frame's results for numbers that are not finite, whatever the tracker sent.
#pragma once

#include <string>

#include "vr/session/pipeline.h"

namespace glovebox::vr {

/// Names a result of the last frame that is not finite: a hand after the guard, a contact, an event or an object's
/// pose. Returns an empty string if all are finite.
std::string not_finite_in(const Pipeline& pipeline);

}  // namespace glovebox::vr
