// Buttons on a plane in the air that a fingertip presses.
//
// A press is a motion: the tip was at least kPokeOff_m in front of a button and reached the plane without leaving it.
// A finger that comes from behind or slides in from the side presses nothing. A button is released when the tip is
// kPokeOff_m in front of it again, or beside it, so a trembling finger presses once. Between two samples the tip moves
// straight in the frame of the plane: a fast one is found on its way, as in Meta's swept poke.
#pragma once

#include <Eigen/Core>
#include <optional>
#include <span>

namespace glovebox::vr {

inline constexpr float kPokeOff_m = 0.007F;      ///< more than a tracked fingertip trembles
inline constexpr float kPokeHover_m = 0.050F;    ///< within this a button is highlighted
inline constexpr float kPokeDeepest_m = 0.040F;  ///< a tip further behind the plane highlights nothing

/// A rectangle of the plane: x right, y up.
struct PokeButton {
    Eigen::Vector2f center_m, half_m;
};

/// A fingertip in the plane's frame, whose +z is towards the front.
struct PokeTip {
    Eigen::Vector3f at_m;
    float radius_m;

    float gap_m() const { return at_m.z() - radius_m; }  ///< negative: behind the surface
};

/// What is remembered of one fingertip. Buttons are numbered as in the span; -1: none.
struct PokeState {
    int hovered = -1;
    int pressed = -1;             ///< until it is released
    int armed = -1;               ///< the tip has been far enough in front of it, and has not left it since
    std::optional<PokeTip> last;  ///< empty: no tip was seen
};

struct PokePress {
    int button;
    Eigen::Vector2f at_m;  ///< where the tip met the plane
};

/// Moves a fingertip to where it is now. Without a tip what was pressed is released and no way is known to the next
/// one. Returns the press on the way since the last call, if there was one. Where buttons overlap the first counts. At
/// most fifteen buttons; no allocation. A tip that is not finite presses nothing.
std::optional<PokePress> update_poke(PokeState& state, std::span<const PokeButton> buttons,
                                     const std::optional<PokeTip>& tip);

}  // namespace glovebox::vr
