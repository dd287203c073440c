// The program's icon, in which a finger in its box touches a ball. vr/package/glovebox.svg is the same drawing for
// desktops.
#pragma once

#include <cstdint>
#include <vector>

namespace glovebox::vr {

/// Draws the icon with `size` x `size` pixels of R, G, B, A (not premultiplied), top row first.
std::vector<std::uint8_t> icon_rgba(int size);

}  // namespace glovebox::vr
