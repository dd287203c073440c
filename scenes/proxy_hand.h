// The hand as it would be if it could not enter objects: shown solid, with the tracked hand as a ghost beside it.
//
// For the eye only; forces have proxies of their own (force/proxy.h). Each bone's nearest points give a half-space that
// is free of the object, taken where the proxy was before, so that it stays on the side that it came from, as the
// god-object does [Zilles95]. Joints then go as near to the tracked ones as those half-spaces and the bones' lengths
// allow: position-based dynamics [Mueller07], the palm as one rigid piece that only shifts. A tracked hand that is more
// than a hand's breadth beyond and touches nothing there has come through: the proxy starts over where it is.
#pragma once

#include "scenes/step.h"

namespace glovebox::scenes {

struct ProxyHands {
    tracking::HandPair hands;           ///< as tracked where nothing is in the way
    tracking::PerSide<bool> apart{};    ///< differs from the tracked hand
    tracking::PerSide<bool> follows{};  ///< knows where it was before
};

/// Moves the proxies on to `tracked`, the hands that `world` was stepped with. Some 0.1 ms for a hand that touches.
void follow(const World& world, const tracking::HandPair& tracked, ProxyHands& proxies);

}  // namespace glovebox::scenes
