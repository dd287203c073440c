// Poke interaction: a fingertip presses buttons on a plane in the air.
//
// A press is a motion in which the tip starts at least kPokeOff_m in front of a button and reaches the plane within the
// button. A finger that comes from behind or from the side presses nothing. A button is released when the tip is
// kPokeOff_m in front of it again, or beside it, so a trembling finger presses only once. The tip's path between two
// samples is taken as a straight line in the plane's frame, so that fast presses are found, too, as in Meta's swept
// poke.
#pragma once

#include <Eigen/Core>
#include <optional>
#include <span>

namespace glovebox::vr {

inline constexpr float kPokeOff_m = 0.007F;      ///< larger than the jitter of a tracked fingertip
inline constexpr float kPokeHover_m = 0.050F;    ///< a tip nearer than this highlights a button
inline constexpr float kPokeDeepest_m = 0.040F;  ///< a tip farther behind the plane highlights nothing

/// A rectangle on the plane: x right, y up.
struct PokeButton {
    Eigen::Vector2f center_m, half_m;
};

/// A fingertip in the plane's frame, whose +z points to the front.
struct PokeTip {
    Eigen::Vector3f at_m;
    float radius_m;

    float gap_m() const { return at_m.z() - radius_m; }  ///< distance to the plane; negative: the tip reaches behind it
};

/// State of one fingertip between calls. Buttons are indices into the span; -1: none.
struct PokeState {
    int hovered = -1;
    int pressed = -1;             ///< the button that is pressed and not yet released
    int armed = -1;               ///< the tip has been kPokeOff_m in front of this button, and has stayed over it since
    std::optional<PokeTip> last;  ///< empty: the last call had no tip
};

/// Result of update_poke().
struct PokePress {
    int button;
    Eigen::Vector2f at_m;  ///< point on the plane where the tip met it
};

/// Moves a fingertip to its present position and returns the latest press since the last call, if there was one. If
/// `tip` is empty, the pressed button is released, and the next tip starts a new motion. If buttons overlap, the first
/// one counts. There may be at most fifteen buttons. Does not allocate. A tip that is not finite presses nothing.
std::optional<PokePress> update_poke(PokeState& state, std::span<const PokeButton> buttons,
                                     const std::optional<PokeTip>& tip);

}  // namespace glovebox::vr
