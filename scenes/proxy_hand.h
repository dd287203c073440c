// The proxy hand, which does not enter objects. It is drawn solid, and the tracked hand as a ghost.
//
// It is for display only; forces use proxies of their own (force/proxy.h). The nearest points of a bone and an object
// give a half-space that the object does not enter. These points are computed at the proxy's previous pose, so the
// proxy stays on the side that it came from, like the god-object [Zilles95]. Then position-based dynamics [Mueller07]
// moves the joints as near to the tracked ones as those half-spaces and the bones' lengths allow. The palm is one rigid
// piece that only translates. If the tracked hand is more than a hand's breadth away and touches nothing, the proxy
// restarts at the tracked hand.
#pragma once

#include "scenes/step.h"

namespace glovebox::scenes {

struct ProxyHands {
    tracking::HandPair hands;           ///< equal to the tracked hands where nothing blocks them
    tracking::PerSide<bool> apart{};    ///< true if the proxy differs from the tracked hand
    tracking::PerSide<bool> follows{};  ///< true if the previous pose of the proxy is known
};

/// Moves the proxies towards `tracked`, the hands that `world` was stepped with. Takes about 0.1 ms for a hand that
/// touches.
void follow(const World& world, const tracking::HandPair& tracked, ProxyHands& proxies);

}  // namespace glovebox::scenes
