#include "vr/ui/poke.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <utility>

namespace glovebox::vr {
namespace {

constexpr float kBeside_m = 0.005F;  // a pressed button stays pressed up to this distance beyond its edge
constexpr std::size_t kMaxCuts = 128;

bool is_on(const PokeButton& button, const Eigen::Vector2f& at_m, float beside_m) {
    const Eigen::Vector2f off_m = (at_m - button.center_m).cwiseAbs() - button.half_m;
    return off_m.maxCoeff() <= beside_m;
}

int button_at(std::span<const PokeButton> buttons, const Eigen::Vector2f& at_m) {
    for (std::size_t i = 0; i < buttons.size(); ++i)
        if (is_on(buttons[i], at_m, 0.0F)) return static_cast<int>(i);
    return -1;
}

// Parts of a path. In each the tip stays over one button, on one side of the plane and on one side of kPokeOff_m.
struct Cuts {
    std::array<float, kMaxCuts> shares;  // ends of the parts, 0 to 1 of the path, ascending
    std::size_t count = 0;

    void add(float from, float to, float level) {
        const float share = (level - from) / (to - from);
        if (share > 0.0F && share < 1.0F && count + 1 < shares.size()) shares[count++] = share;
    }
};

Cuts cut(std::span<const PokeButton> buttons, const PokeTip& from, const PokeTip& to) {
    Cuts cuts;
    cuts.add(from.gap_m(), to.gap_m(), 0.0F);
    cuts.add(from.gap_m(), to.gap_m(), kPokeOff_m);
    for (const PokeButton& button : buttons)
        for (const int axis : {0, 1})
            for (const float beside_m : {0.0F, kBeside_m})
                for (const float side : {-1.0F, 1.0F})
                    cuts.add(from.at_m[axis], to.at_m[axis],
                             button.center_m[axis] + side * (button.half_m[axis] + beside_m));
    cuts.shares[cuts.count++] = 1.0F;
    std::sort(cuts.shares.begin(), cuts.shares.begin() + static_cast<std::ptrdiff_t>(cuts.count));
    return cuts;
}

// Updates the state for one part of a path, given its midpoint. Returns true if the tip presses where the part begins.
bool follow(PokeState& state, std::span<const PokeButton> buttons, const PokeTip& middle) {
    const Eigen::Vector2f at_m = middle.at_m.head<2>();
    const float gap_m = middle.gap_m();
    const int button = button_at(buttons, at_m);
    if (button != state.armed) state.armed = -1;
    if (gap_m >= kPokeOff_m) state.armed = button;
    if (state.pressed >= 0 &&
        (gap_m >= kPokeOff_m || !is_on(buttons[static_cast<std::size_t>(state.pressed)], at_m, kBeside_m)))
        state.pressed = -1;
    if (gap_m > 0.0F || state.armed < 0) return false;
    state.pressed = std::exchange(state.armed, -1);
    return true;
}

}  // namespace

std::optional<PokePress> update_poke(PokeState& state, std::span<const PokeButton> buttons,
                                     const std::optional<PokeTip>& tip) {
    assert(8 * buttons.size() < kMaxCuts);  // a path has at most eight ends of parts for each button
    std::optional<PokePress> press;
    if (!tip) {
        state = {};
        return press;
    }
    if (state.pressed >= static_cast<int>(buttons.size())) state.pressed = -1;  // fewer than before
    const PokeTip from = state.last.value_or(*tip);
    const Cuts cuts = cut(buttons, from, *tip);
    float begin = 0.0F;
    for (std::size_t i = 0; i < cuts.count; ++i) {
        const float end = cuts.shares[i], half = 0.5F * (begin + end);
        const PokeTip middle = {from.at_m + half * (tip->at_m - from.at_m),
                                from.radius_m + half * (tip->radius_m - from.radius_m)};
        if (follow(state, buttons, middle)) {
            const Eigen::Vector3f met_m = from.at_m + begin * (tip->at_m - from.at_m);
            press = {state.pressed, met_m.head<2>()};
        }
        begin = end;
    }
    state.last = tip;
    const float gap_m = tip->gap_m();
    const bool near = gap_m < kPokeHover_m && gap_m > -kPokeDeepest_m;
    state.hovered = near ? button_at(buttons, tip->at_m.head<2>()) : -1;
    return press;
}

}  // namespace glovebox::vr
