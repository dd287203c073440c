#include "vr/session/hand_touches.h"

#include <algorithm>
#include <limits>

#include "scenes/haptics.h"
#include "tracking/formatted.h"
#include "vr/session/session.h"

namespace glovebox::vr {
namespace {

using tracking::formatted;
using tracking::Side;

constexpr float kApart_m = std::numeric_limits<float>::infinity();

int number_of(HandPart part) {
    return static_cast<int>(part.side) * tracking::kHandPartCount + part.part;
}
HandPart part_at(int number) {
    return {number < tracking::kHandPartCount ? Side::left : Side::right, number % tracking::kHandPartCount};
}
std::size_t index_of(HandPart a, HandPart b, int parts) {
    const int first = number_of(a), second = number_of(b);
    return static_cast<std::size_t>(std::min(first, second) * parts + std::max(first, second));
}
std::string_view finger_name(HandPart part) {
    return tracking::kHandPartNames[static_cast<std::size_t>(part.part)];
}

}  // namespace

HandTouches::HandTouches(const scenes::TouchThresholds& thresholds) : thresholds_(thresholds) {
    pairs_.reserve(static_cast<std::size_t>(scenes::kHandBoneCount) * scenes::kHandBoneCount);
}

HandTouches::State& HandTouches::state_of(HandPart a, HandPart b) {
    return states_[index_of(a, b, kParts)];
}

void HandTouches::frame(const Session& session) {
    add(session.pipeline.world);
}

void HandTouches::end(State& state) const {
    const double lasted_s = 1e-9 * static_cast<double>(time_ns_ - state.since_ns);
    state.on = false;
    state.sum.total_s += lasted_s;
    state.sum.longest_s = std::max(state.sum.longest_s, lasted_s);
}

// Computes nearest_m of each pair of parts of two hands, or of one hand with itself.
void HandTouches::meet(const scenes::World& world, Side side_a, Side side_b) {
    const collision::BodyPose &a = world.hands[side_a].pose, &b = world.hands[side_b].pose;
    collision::CollideCounts not_counted;  // the report's counts are those of hands and objects
    pairs_.clear();
    if (side_a == side_b)
        collision::find_self_candidates(scenes::hand_body(), a, thresholds_.touch_exit_m, pairs_, not_counted);
    else
        collision::find_body_candidates(a, b, thresholds_.touch_exit_m, pairs_, not_counted);
    for (const collision::BonePair& pair : pairs_) {
        collision::Contact contact;
        if (!collision::closest(a.shapes[static_cast<std::size_t>(pair.bone_a)],
                                b.shapes[static_cast<std::size_t>(pair.bone_b)], thresholds_.touch_exit_m, contact,
                                not_counted))
            continue;
        float& nearest_m =
            state_of({side_a, scenes::part_of_bone(pair.bone_a)}, {side_b, scenes::part_of_bone(pair.bone_b)})
                .nearest_m;
        nearest_m = std::min(nearest_m, contact.distance_m);
    }
}

void HandTouches::add(const scenes::World& world) {
    // The recording has restarted.
    if (world.time_ns < time_ns_)
        for (State& state : states_)
            if (state.on) end(state);
    time_ns_ = world.time_ns;
    for (State& state : states_) state.nearest_m = kApart_m;
    for (const Side side : tracking::kSides)
        if (world.hands[side].present) meet(world, side, side);
    if (world.hands[Side::left].present && world.hands[Side::right].present) meet(world, Side::left, Side::right);
    for (State& state : states_) {
        if (!state.on && state.nearest_m <= thresholds_.touch_enter_m) {
            state.on = true;
            state.since_ns = time_ns_;
            ++state.sum.count;
        } else if (state.on && state.nearest_m == kApart_m && time_ns_ - state.since_ns >= thresholds_.dwell_ns) {
            end(state);
        }
        if (state.on) state.sum.deepest_m = std::max(state.sum.deepest_m, -state.nearest_m);
    }
}

HandTouches::Sum HandTouches::of(HandPart a, HandPart b) const {
    State state = states_[index_of(a, b, kParts)];
    if (state.on) end(state);
    return state.sum;
}

void HandTouches::finish(const Session& /*session*/, nlohmann::ordered_json& report) {
    auto rows = nlohmann::ordered_json::array();
    for (int a = 0; a < kParts; ++a)
        for (int b = a; b < kParts; ++b) {
            const HandPart first = part_at(a), second = part_at(b);
            const Sum sum = of(first, second);
            if (sum.count == 0) continue;
            rows.push_back({{"hand", tracking::name_of(first.side)},
                            {"finger", finger_name(first)},
                            {"other_hand", tracking::name_of(second.side)},
                            {"other_finger", finger_name(second)},
                            {"count", sum.count},
                            {"total_s", sum.total_s},
                            {"longest_s", sum.longest_s},
                            {"deepest_m", sum.deepest_m}});
        }
    report["hand_touches"] = std::move(rows);
}

std::string HandTouches::text() const {
    std::string text;
    for (int a = 0; a < kParts; ++a)
        for (int b = a; b < kParts; ++b) {
            const HandPart first = part_at(a), second = part_at(b);
            const Sum sum = of(first, second);
            if (sum.count == 0) continue;
            text +=
                formatted("%s%s %s on %s %s: %llu x, %.3f s, %.1f mm deep",
                          text.empty() ? "hand touches  " : "\n              ", tracking::name_of(first.side).data(),
                          finger_name(first).data(), tracking::name_of(second.side).data(), finger_name(second).data(),
                          static_cast<unsigned long long>(sum.count), sum.total_s, 1e3 * double{sum.deepest_m});
        }
    return text.empty() ? "hand touches  none\n" : text + "\n";
}

}  // namespace glovebox::vr
