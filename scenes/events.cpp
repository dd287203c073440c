#include "scenes/events.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "scenes/distance_grab.h"
#include "scenes/grab_pose.h"
#include "scenes/step.h"
#include "scenes/update_events.h"

namespace glovebox::scenes {
namespace {

using Eigen::Vector3f;
using tracking::Side;

constexpr std::array<std::string_view, kEventKindCount> kNames = {
    "hover_begin", "hover_end", "touch_begin", "touch_end",  "pinch_begin", "pinch_end",  "poke_begin", "poke_end",
    "grab_begin",  "grab_end",  "flick",       "hover_stay", "touch_stay",  "pinch_stay", "poke_stay",  "grab_stay"};

// The events of a pair state.
struct Names {
    EventKind begin, stay, end;
};
constexpr Names kHover = {EventKind::hover_begin, EventKind::hover_stay, EventKind::hover_end};
constexpr Names kTouch = {EventKind::touch_begin, EventKind::touch_stay, EventKind::touch_end};
constexpr Names kPoke = {EventKind::poke_begin, EventKind::poke_stay, EventKind::poke_end};
constexpr Names kPinch = {EventKind::pinch_begin, EventKind::pinch_stay, EventKind::pinch_end};
constexpr Names kGrab = {EventKind::grab_begin, EventKind::grab_stay, EventKind::grab_end};

constexpr bool is_fingertip(int bone) {
    return bone > 0 && bone % 4 == 3;
}

void begin(World& world, const Names& names, Event event, std::int64_t& since_ns) {
    since_ns = event.time_ns;
    event.kind = names.begin;
    world.events.push_back(event);
}

void stay(World& world, const Names& names, Event event, std::int64_t since_ns) {
    event.kind = names.stay;
    event.duration_ns = event.time_ns - since_ns;
    world.stays.push_back(event);
}

void end(World& world, const Names& names, Event event, std::int64_t since_ns) {
    event.kind = names.end;
    event.duration_ns = event.time_ns - since_ns;
    world.events.push_back(event);
}

// A state begins at `enter`, compared with the step's minimum distance, so that a swept touch counts. It ends above
// `exit`, compared with the distance at the step's end, and not before the dwell is over.
struct Limits {
    float enter_m, exit_m;
    std::int64_t dwell_ns;
};

// Whether a state is on, and whether its distance was within `enter` in the last step: where one threshold without
// dwell would have it on.
struct Switch {
    std::uint8_t &on, &inside;
    std::int64_t& since_ns;
};

void update_state(World& world, const Names& names, const Limits& limits, const Event& event, float min_m, float now_m,
                  bool suppressed, const Switch& state) {
    const bool was_inside = state.inside != 0, is_inside = min_m <= limits.enter_m;
    state.inside = is_inside ? 1 : 0;
    if (state.on == 0) {
        if (is_inside && !suppressed) {
            state.on = 1;
            begin(world, names, event, state.since_ns);
        } else if (was_inside && !is_inside) {
            world.suppressed_events += 2;  // the begin and the end of a suppressed state
        }
        return;
    }
    if (is_inside && !was_inside) world.suppressed_events += 2;  // the end before, and this begin
    if (now_m <= limits.exit_m || (!event.lost && event.time_ns - state.since_ns < limits.dwell_ns))
        return stay(world, names, event, state.since_ns);
    state.on = state.inside = 0;
    end(world, names, event, state.since_ns);
}

// Returns true if a fingertip that begins to touch moves into the surface: a poke.
bool pokes(const Scene& scene, const PairSample& sample, int bone) {
    if (!is_fingertip(bone)) return false;
    const float into_m_s = sample.relative_velocity_m_s.dot(sample.contact.normal);
    return into_m_s >= scene.thresholds.poke_speed_m_s &&
           into_m_s >= scene.thresholds.poke_cone_cos * sample.relative_velocity_m_s.norm();
}

// Returns true if a finger that is faster than its palm has accelerated the object enough since the touch began.
bool flicks(const Scene& scene, const PairState& pair, const PairSample& sample, const Event& event) {
    const SceneObject& object = scene.objects[static_cast<std::size_t>(event.object)];
    // An object on a joint cannot be flicked.
    if (object.motion != Motion::dynamic || object.joint.kind != JointKind::none || event.finger < 0 ||
        pair.touching == 0 || sample.impulse_n_s <= 0.0F)
        return false;
    return event.time_ns - pair.touch_since_ns <= scene.thresholds.flick_window_ns &&
           pair.touch_impulse_n_s >= scene.thresholds.flick_speed_m_s * object.mass_kg &&
           sample.over_palm_m_s.dot(sample.contact.normal) >= 0.5F * scene.thresholds.flick_speed_m_s;
}

void update_pair(const Scene& scene, World& world, const Event& event, const PairSample& sample) {
    const TouchThresholds& limits = scene.thresholds;
    PairState& pair = world.pairs[pair_index(world, event.side, event.bone, event.object)];
    HoldState& hold = world.holds[hold_index(world, event.side, event.object)];
    if (sample.now_m > limits.touch_exit_m) pair.suppressed = 0;
    const bool suppressed = pair.suppressed != 0;

    update_state(world, kHover, {limits.hover_enter_m, limits.hover_exit_m, limits.dwell_ns}, event, sample.min_m,
                 sample.now_m, false, {pair.hovering, pair.hover_inside, pair.hover_since_ns});
    const bool touched = pair.touching != 0;
    if (!touched) pair.touch_impulse_n_s = 0.0F;
    update_state(world, kTouch, {limits.touch_enter_m, limits.touch_exit_m, limits.dwell_ns}, event, sample.min_m,
                 sample.now_m, suppressed, {pair.touching, pair.touch_inside, pair.touch_since_ns});
    pair.touch_impulse_n_s += sample.impulse_n_s;

    if (pair.poking == 0 && !touched && pair.touching != 0 && pokes(scene, sample, event.bone)) {
        pair.poking = 1;
        begin(world, kPoke, event, pair.poke_since_ns);
    } else if (pair.poking != 0 && pair.touching == 0) {
        pair.poking = 0;
        end(world, kPoke, event, pair.poke_since_ns);
    } else if (pair.poking != 0) {
        stay(world, kPoke, event, pair.poke_since_ns);
    }

    if (!hold.flicked && !hold.holding && flicks(scene, pair, sample, event)) {
        hold.flicked = true;
        Event flick = event;
        flick.kind = EventKind::flick;
        flick.impulse_n_s = pair.touch_impulse_n_s;
        world.events.push_back(flick);
    }
}

// Returns true during the grace time of a lost hand, in which it keeps what it holds.
bool in_grace(const Scene& scene, const World& world, Side side) {
    const HandState& hand = world.hands[side];
    return !hand.present && hand.lost_since_ns != kNoTime &&
           world.time_ns - hand.lost_since_ns <= scene.thresholds.grace_ns;
}

// Returns true if the hand, or this bone of it, is not tracked.
bool is_lost(const HandState& hand, int bone) {
    return !hand.present || hand.pose.bone_present[static_cast<std::size_t>(bone)] == 0;
}

void update_pairs(const Scene& scene, World& world, Side side) {
    const HandState& hand = world.hands[side];
    for (int object = 0; object < static_cast<int>(scene.objects.size()); ++object) {
        HoldState& hold = world.holds[hold_index(world, side, object)];
        const bool bridged = hold.holding && in_grace(scene, world, side);
        bool any_touching = false;
        for (int bone = 0; bone < kHandBoneCount; ++bone) {
            const std::size_t index = pair_index(world, side, bone, object);
            PairState& pair = world.pairs[index];
            const PairSample& sample = world.samples[index];
            if (!sample.seen && pair.touching == 0 && pair.hovering == 0 && pair.suppressed == 0) continue;
            Event event;
            event.time_ns = world.time_ns;
            event.side = side;
            event.bone = bone;
            event.object = object;
            event.finger = finger_of_bone(bone);
            event.lost = is_lost(hand, bone);
            event.distance_m = sample.seen ? sample.contact.distance_m : sample.now_m;
            if (sample.seen) {
                event.point_m = sample.contact.on_object_m;
                event.normal = sample.contact.normal;
                event.relative_velocity_m_s = sample.relative_velocity_m_s;
                event.impulse_n_s = sample.impulse_n_s;
            }
            if (bridged) {
                pair.touch_inside = pair.hover_inside = 0;
                if (pair.hovering != 0) stay(world, kHover, event, pair.hover_since_ns);
                if (pair.touching != 0) stay(world, kTouch, event, pair.touch_since_ns);
                if (pair.poking != 0) stay(world, kPoke, event, pair.poke_since_ns);
                any_touching = true;
                continue;
            }
            update_pair(scene, world, event, sample);
            any_touching = any_touching || pair.touching != 0;
        }
        if (!any_touching) hold.flicked = false;
    }
}

// Two contacts hold an object without slip if the line between them lies in both friction cones [Nguyen88].
struct Opposing {
    const collision::Contact *a = nullptr, *b = nullptr;
};

// Returns the pair within reach that opposes best, one contact of each list. `may_hold` selects the pairs of bones.
template <class MayHold>
Opposing find_opposing(std::span<const collision::Contact> first, std::span<const collision::Contact> second,
                       int object, float reach_m, float cone_cos, const MayHold& may_hold) {
    Opposing best;
    float best_cos = cone_cos;
    for (const collision::Contact& a : first) {
        if (a.object != object || a.distance_m > reach_m) continue;
        for (const collision::Contact& b : second) {
            if (b.object != object || b.distance_m > reach_m || !may_hold(a.bone, b.bone)) continue;
            const Vector3f between = b.on_object_m - a.on_object_m;
            const float length_m = between.norm();
            if (length_m < 1e-4F) continue;
            const float min_cos = std::min(a.normal.dot(between), -b.normal.dot(between)) / length_m;
            if (min_cos <= best_cos) continue;
            best_cos = min_cos;
            best = {&a, &b};
        }
    }
    return best;
}

// The pairs within a hand: thumb or palm with the phalanges of a finger.
bool may_hold_in_hand(int bone_a, int bone_b) {
    return finger_of_bone(bone_a) <= 0 && finger_of_bone(bone_b) > 0;
}

// Returns true if the bone may begin to hold. A touch persists through noise at its threshold, so a hold may begin in
// it.
bool touches_clearly(const World& world, Side side, int bone, int object) {
    const PairState& pair = world.pairs[pair_index(world, side, bone, object)];
    return pair.touching != 0 && pair.suppressed == 0;
}

// The same within one hand. Hysteresis: the cone is wider while holding.
Opposing find_opposing_in_hand(const Scene& scene, const World& world, Side side, int object, bool holding) {
    const std::vector<collision::Contact>& contacts = world.hands[side].contacts;
    const float friction = scene.objects[static_cast<std::size_t>(object)].material.friction_static;
    const float cone_cos = std::cos(std::min(1.4F, std::atan((holding ? 1.5F : 1.0F) * friction)));
    return find_opposing(
        contacts, contacts, object, scene.thresholds.touch_exit_m, cone_cos, [&](int bone_a, int bone_b) {
            return may_hold_in_hand(bone_a, bone_b) && (holding || (touches_clearly(world, side, bone_a, object) &&
                                                                    touches_clearly(world, side, bone_b, object)));
        });
}

Event grab_event(const World& world, Side side, int object, const HoldState& hold) {
    Event event;
    event.time_ns = world.time_ns;
    event.side = side;
    event.object = object;
    event.bone = hold.bone_b;
    event.finger = finger_of_bone(hold.bone_b);
    event.point_m = hold.point_m;
    event.normal = hold.normal;
    const HandState& hand = world.hands[side];
    event.lost = is_lost(hand, hold.bone_a) || is_lost(hand, hold.bone_b);
    return event;
}

// Ends a hold. The fingers opened at `apart_since_ns`; kNoTime: unknown, and the object keeps its present velocity.
void let_go(World& world, Side side, int object, HoldState& hold, std::int64_t apart_since_ns) {
    const Event event = grab_event(world, side, object, hold);
    end(world, kGrab, event, hold.since_ns);
    // An object that the application took has the velocity that it was given.
    const bool released = !hold.taken;
    hold.holding = hold.shared = hold.distant = hold.taken = false;
    hold.motion = {};
    hold.opposing_since_ns = hold.apart_since_ns = hold.unseen_since_ns = kNoTime;
    if (released)
        world.dynamics->release(
            object, apart_since_ns == kNoTime ? 0.0 : 1e-9 * static_cast<double>(world.time_ns - apart_since_ns));
    // Fingers that are still inside must not eject the object: they push again only after they have been clear.
    for (int bone = 0; bone < kHandBoneCount; ++bone) {
        PairState& pair = world.pairs[pair_index(world, side, bone, object)];
        if (pair.touching != 0) pair.suppressed = 1;
    }
}

void update_hold(const Scene& scene, World& world, Side side, int object) {
    const TouchThresholds& limits = scene.thresholds;
    const HandState& hand = world.hands[side];
    HoldState& hold = world.holds[hold_index(world, side, object)];
    if (hold.shared || hold.distant) return;
    follow_motion(hold, world.time_ns);
    if (!hand.present) {
        hold.opposing_since_ns = kNoTime;
        if (!hold.holding) return;
        const Event event = grab_event(world, side, object, hold);
        if (in_grace(scene, world, side)) return stay(world, kGrab, event, hold.since_ns);
        return let_go(world, side, object, hold, kNoTime);
    }

    const Opposing found = find_opposing_in_hand(scene, world, side, object, hold.holding);
    if (found.a != nullptr) {
        if (hold.holding && (hold.apart_since_ns != kNoTime || hold.unseen_since_ns != kNoTime))
            world.suppressed_events += 2;
        hold.bone_a = found.a->bone;
        hold.bone_b = found.b->bone;
        hold.point_m = 0.5F * (found.a->on_object_m + found.b->on_object_m);
        hold.normal = found.b->normal;
        hold.apart_since_ns = hold.unseen_since_ns = kNoTime;
        if (hold.opposing_since_ns == kNoTime) hold.opposing_since_ns = world.time_ns;
    } else {
        hold.opposing_since_ns = kNoTime;
    }

    if (!hold.holding) {
        const auto palm = palm_of(hand.pose);
        if (hold.opposing_since_ns == kNoTime || !palm) return;
        if (world.time_ns - hold.opposing_since_ns < limits.grab_dwell_ns) return;
        hold.holding = true;
        const Eigen::Isometry3f& world_from_object = world.world_from_object[static_cast<std::size_t>(object)];
        hold.palm_from_object = palm->inverse() * world_from_object;
        hold.grip_in_object = world_from_object.inverse() * hold.point_m;
        begin(world, kGrab, grab_event(world, side, object, hold), hold.since_ns);
        if (const auto stored = find_grab_pose(scene.objects[static_cast<std::size_t>(object)], side,
                                               hold.palm_from_object, kSnap_m, kSnap_rad))
            begin_motion(hold, *stored, kSnap_ns);
        return;
    }
    const Event event = grab_event(world, side, object, hold);
    if (found.a != nullptr) return stay(world, kGrab, event, hold.since_ns);
    if (event.lost) {
        // An untracked finger has not let go.
        hold.apart_since_ns = kNoTime;
        if (hold.unseen_since_ns == kNoTime) hold.unseen_since_ns = world.time_ns;
        if (world.time_ns - hold.unseen_since_ns <= limits.grace_ns) return stay(world, kGrab, event, hold.since_ns);
        return let_go(world, side, object, hold, kNoTime);
    }
    hold.unseen_since_ns = kNoTime;
    if (hold.apart_since_ns == kNoTime) hold.apart_since_ns = world.time_ns;
    if (world.time_ns - hold.apart_since_ns < limits.grab_release_ns) return stay(world, kGrab, event, hold.since_ns);
    let_go(world, side, object, hold, hold.apart_since_ns);
}

void note_contact(const collision::Contact& contact, HoldState& hold) {
    hold.bone_a = hold.bone_b = contact.bone;
    hold.point_m = contact.on_object_m;
    hold.normal = contact.normal;
}

void take_between(World& world, int object, const Eigen::Isometry3f& left, const Eigen::Isometry3f& right) {
    const Eigen::Isometry3f& world_from_object = world.world_from_object[static_cast<std::size_t>(object)];
    world.shared_holds[static_cast<std::size_t>(object)].hands_from_object =
        between_palms(left, right).inverse() * world_from_object;
    for (const Side side : {Side::left, Side::right}) {
        HoldState& hold = world.holds[hold_index(world, side, object)];
        hold.holding = hold.shared = true;
        hold.grip_in_object = world_from_object.inverse() * hold.point_m;
        begin(world, kGrab, grab_event(world, side, object, hold), hold.since_ns);
    }
}

void update_shared_hold(const Scene& scene, World& world, int object) {
    const TouchThresholds& limits = scene.thresholds;
    SharedHold& shared = world.shared_holds[static_cast<std::size_t>(object)];
    HoldState& left = world.holds[hold_index(world, Side::left, object)];
    HoldState& right = world.holds[hold_index(world, Side::right, object)];
    const bool holding = right.shared;
    const bool both = world.hands[0].present && world.hands[1].present;
    const auto end_both = [&](std::int64_t apart_since_ns) {
        let_go(world, Side::left, object, left, apart_since_ns);
        let_go(world, Side::right, object, right, apart_since_ns);
        shared = {};
    };
    const auto stay_both = [&] {
        for (const Side side : {Side::left, Side::right}) {
            const HoldState& hold = side == Side::left ? left : right;
            stay(world, kGrab, grab_event(world, side, object, hold), hold.since_ns);
        }
    };
    if (!both) {
        shared.opposing_since_ns = kNoTime;
        if (!holding) return;
        const bool graced = (world.hands[0].present || in_grace(scene, world, Side::left)) &&
                            (world.hands[1].present || in_grace(scene, world, Side::right));
        return graced ? stay_both() : end_both(kNoTime);
    }
    if (!holding && (left.holding || right.holding)) return;  // one hand holds it alone

    const float friction = scene.objects[static_cast<std::size_t>(object)].material.friction_static;
    const float cone_cos = std::cos(std::min(1.4F, std::atan((holding ? 1.5F : 1.0F) * friction)));
    const Opposing found =
        find_opposing(world.hands[0].contacts, world.hands[1].contacts, object, limits.touch_exit_m, cone_cos,
                      [&](int bone_left, int bone_right) {
                          return holding || (touches_clearly(world, Side::left, bone_left, object) &&
                                             touches_clearly(world, Side::right, bone_right, object));
                      });
    if (found.a != nullptr) {
        if (holding && shared.apart_since_ns != kNoTime) world.suppressed_events += 4;  // of each hand
        note_contact(*found.a, left);
        note_contact(*found.b, right);
        shared.apart_since_ns = kNoTime;
        if (shared.opposing_since_ns == kNoTime) shared.opposing_since_ns = world.time_ns;
    } else {
        shared.opposing_since_ns = kNoTime;
    }
    if (holding) {
        if (found.a != nullptr) return stay_both();
        if (shared.apart_since_ns == kNoTime) shared.apart_since_ns = world.time_ns;
        if (world.time_ns - shared.apart_since_ns >= limits.grab_release_ns) return end_both(shared.apart_since_ns);
        return stay_both();
    }
    const auto left_palm = palm_of(world.hands[0].pose), right_palm = palm_of(world.hands[1].pose);
    if (found.a == nullptr || !left_palm || !right_palm) return;
    if (world.time_ns - shared.opposing_since_ns >= limits.grab_dwell_ns)
        take_between(world, object, *left_palm, *right_palm);
}

void update_pinches(const Scene& scene, World& world, Side side) {
    const TouchThresholds& limits = scene.thresholds;
    const HandState& hand = world.hands[side];
    constexpr std::size_t kThumbTip = 3;
    for (int finger = 1; finger < tracking::kFingerCount; ++finger) {
        PinchState& pinch = world.pinches[side][static_cast<std::size_t>(finger)];
        const auto tip = static_cast<std::size_t>(4 * finger + 3);
        Event event;
        event.time_ns = world.time_ns;
        event.side = side;
        event.finger = finger;
        event.bone = static_cast<std::int32_t>(tip);
        event.lost = !hand.present || hand.pose.bone_present[kThumbTip] == 0 || hand.pose.bone_present[tip] == 0;
        event.distance_m = 1e9F;
        if (!event.lost) {
            const auto& a = std::get<collision::RoundCone>(hand.pose.shapes[kThumbTip]);
            const auto& b = std::get<collision::RoundCone>(hand.pose.shapes[tip]);
            const Vector3f between = b.b_m - a.b_m;
            const float apart_m = between.norm();
            event.distance_m = apart_m - a.radius_b_m - b.radius_b_m;
            event.normal = apart_m > 1e-6F ? Vector3f(between / apart_m) : Vector3f(Vector3f::UnitY());
            event.point_m = 0.5F * (a.b_m + b.b_m);
        }
        if (pinch.on && event.lost && in_grace(scene, world, side)) {
            pinch.inside = 0;
            stay(world, kPinch, event, pinch.since_ns);
            continue;
        }
        update_state(world, kPinch, {limits.pinch_enter_m, limits.pinch_exit_m, limits.pinch_dwell_ns}, event,
                     event.distance_m, event.distance_m, false, {pinch.on, pinch.inside, pinch.since_ns});
    }
}

constexpr int kIndexFinger = 1, kThumbTipBone = 3, kIndexTipBone = 7;

Vector3f pinch_point_m(const HandState& hand) {
    const auto tip_m = [&hand](int bone) {
        return std::get<collision::RoundCone>(hand.pose.shapes[static_cast<std::size_t>(bone)]).b_m;
    };
    return 0.5F * (tip_m(kThumbTipBone) + tip_m(kIndexTipBone));
}

void keep_distant_hold(const Scene& scene, World& world, Side side, int object) {
    HoldState& hold = world.holds[hold_index(world, side, object)];
    const HandState& hand = world.hands[side];
    follow_motion(hold, world.time_ns);
    const bool lost = is_lost(hand, hold.bone_a) || is_lost(hand, hold.bone_b);
    if (!lost) hold.point_m = pinch_point_m(hand);
    const Event event = grab_event(world, side, object, hold);
    // The pinch itself lasts while the whole hand is lost for a moment, but not while one of its fingers is.
    if (world.pinches[side][kIndexFinger].on) {
        hold.unseen_since_ns = kNoTime;
        return stay(world, kGrab, event, hold.since_ns);
    }
    if (lost) {
        if (hold.unseen_since_ns == kNoTime) hold.unseen_since_ns = world.time_ns;
        if (hand.present && world.time_ns - hold.unseen_since_ns <= scene.thresholds.grace_ns)
            return stay(world, kGrab, event, hold.since_ns);
        return let_go(world, side, object, hold, kNoTime);
    }
    if (find_opposing_in_hand(scene, world, side, object, true).a == nullptr)
        return let_go(world, side, object, hold, world.time_ns);
    // The fingers have closed around the object: from now on it is held as any other.
    hold.distant = false;
    stay(world, kGrab, event, hold.since_ns);
}

void update_distance_grab(const Scene& scene, World& world, Side side) {
    if (!(scene.thresholds.distance_grab_m > 0.0F)) return;
    for (int object = 0; object < static_cast<int>(scene.objects.size()); ++object)
        if (world.holds[hold_index(world, side, object)].distant) keep_distant_hold(scene, world, side, object);

    AimState& aim = world.aims[side];
    const bool pinched = world.pinches[side][kIndexFinger].on;
    const bool begins = !std::exchange(aim.pinched, pinched) && pinched;
    // The object must have been selected before the pinch, and a pinch that began elsewhere selects nothing.
    const bool selects = !pinched || (begins && aim.object >= 0);
    const std::int32_t aimed = selects ? find_aimed_object(scene, world, side, aim.object) : -1;
    aim.object = pinched ? -1 : aimed;
    if (!begins || aimed < 0) return;
    HoldState& hold = world.holds[hold_index(world, side, aimed)];
    hold.holding = hold.distant = true;
    hold.bone_a = kThumbTipBone;
    hold.bone_b = kIndexTipBone;
    hold.point_m = pinch_point_m(world.hands[side]);
    hold.normal = palm_of(world.hands[side].pose)->linear().col(0);
    begin(world, kGrab, grab_event(world, side, aimed, hold), hold.since_ns);
    begin_pull(scene, world, side, aimed, hold.point_m);
}

}  // namespace

std::string_view name_of(EventKind kind) {
    return kNames[static_cast<std::size_t>(kind)];
}

void suppress_after_return(const Scene& scene, World& world, Side side) {
    const HandState& hand = world.hands[side];
    for (const collision::Contact& contact : hand.contacts) {
        const bool unseen_before =
            hand.has_previous && hand.previous.bone_present[static_cast<std::size_t>(contact.bone)] == 0;
        if (!hand.appeared && !unseen_before) continue;
        PairState& pair = world.pairs[pair_index(world, side, contact.bone, contact.object)];
        const bool held = world.holds[hold_index(world, side, contact.object)].holding;
        if (contact.distance_m <= scene.thresholds.touch_enter_m && pair.touching == 0 && !held) pair.suppressed = 1;
    }
}

void update_events(const Scene& scene, World& world) {
    world.events.clear();
    world.stays.clear();
    for (const Side side : {Side::left, Side::right})
        for (int object = 0; object < static_cast<int>(scene.objects.size()); ++object) {
            HoldState& hold = world.holds[hold_index(world, side, object)];
            if (!hold.taken) continue;
            if (hold.shared) world.shared_holds[static_cast<std::size_t>(object)] = {};
            let_go(world, side, object, hold, kNoTime);
        }
    for (const Side side : {Side::left, Side::right}) {
        update_pairs(scene, world, side);
        for (int object = 0; object < static_cast<int>(scene.objects.size()); ++object)
            update_hold(scene, world, side, object);
        update_pinches(scene, world, side);
        update_distance_grab(scene, world, side);
    }
    for (int object = 0; object < static_cast<int>(scene.objects.size()); ++object)
        if (scene.objects[static_cast<std::size_t>(object)].motion == Motion::dynamic)
            update_shared_hold(scene, world, object);
}

}  // namespace glovebox::scenes
