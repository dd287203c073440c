// Touch events (hover, touch, pinch, poke, grab, flick), and the states that last from a begin event to an end event.
//
// Geometry is noisy and trackers lose hands, so each state has an enter threshold, an exit threshold and a dwell. A
// held object stays held if the hand is lost only for a short time. A state that ended begins again only after the hand
// has been clear of the object. Suppressed events are counted. The thresholds are part of the scene (TouchThresholds).
#pragma once

#include <Eigen/Geometry>
#include <array>
#include <cstdint>
#include <limits>
#include <string_view>
#include <vector>

#include "collision/query/collide.h"
#include "tracking/hand_frame.h"

namespace glovebox::scenes {

/// A time that is not set. All others are valid, because the times of samples may count from any origin.
inline constexpr std::int64_t kNoTime = std::numeric_limits<std::int64_t>::min();

/// The kind of an event. A state begins, ends or continues ("stay").
enum class EventKind : std::uint8_t {
    hover_begin,
    hover_end,
    touch_begin,
    touch_end,
    pinch_begin,  ///< the tips of the thumb and a finger meet, without an object
    pinch_end,
    poke_begin,  ///< a fingertip crosses a surface in the direction of its normal, however thin it is
    poke_end,
    /// Two contacts oppose each other within their friction cones [Nguyen88].
    grab_begin,
    grab_end,
    /// A finger that moves faster than its palm accelerates a dynamic object within flick_window_ns.
    flick,
    hover_stay,
    touch_stay,
    pinch_stay,
    poke_stay,
    grab_stay
};
inline constexpr int kEventKindCount = 16;
/// Returns the name of a kind, such as "touch_begin".
std::string_view name_of(EventKind kind);

/// Returns true for the kinds that begin a state, and for a flick.
constexpr bool is_begin(EventKind kind) {
    return kind == EventKind::hover_begin || kind == EventKind::touch_begin || kind == EventKind::pinch_begin ||
           kind == EventKind::poke_begin || kind == EventKind::grab_begin || kind == EventKind::flick;
}

/// One event of one hand.
struct Event {
    std::int64_t time_ns = 0;
    EventKind kind = EventKind::touch_begin;
    tracking::Side side = tracking::Side::right;
    bool lost = false;                    ///< the state ended because tracking was lost
    std::int32_t bone = -1, object = -1;  ///< object is -1 for a pinch
    std::int32_t finger = -1;             ///< 0 thumb .. 4 little, -1 the palm
    /// Signed distance; negative while penetrating. The depth is max(0, -distance_m).
    float distance_m = 0.0F;
    Eigen::Vector3f point_m = Eigen::Vector3f::Zero(), normal = Eigen::Vector3f::Zero();
    Eigen::Vector3f relative_velocity_m_s =
        Eigen::Vector3f::Zero();  ///< of the bone relative to the object, at the point
    float impulse_n_s = 0.0F;     ///< impulse on a dynamic object there in this step
    /// Time since the begin event; set only for end and stay events.
    std::int64_t duration_ns = 0;
};

/// One (hand, bone, object) pair in one step, over all its sub-steps.
struct PairSample {
    bool seen = false;                 ///< the pair came within hover distance
    float min_m = 1e9F, now_m = 1e9F;  ///< minimum during the step, and value at its end
    collision::Contact contact = {
        -1,
        -1,
        -1,
        0.0F,
        Eigen::Vector3f::Zero(),
        Eigen::Vector3f::Zero(),
        Eigen::Vector3f::Zero()};  ///< first touch of the step, or the last contact if there is no touch
    Eigen::Vector3f relative_velocity_m_s = Eigen::Vector3f::Zero();  ///< at that contact, before any impulse
    Eigen::Vector3f over_palm_m_s = Eigen::Vector3f::Zero();  ///< velocity of the bone relative to its palm, there
    float impulse_n_s = 0.0F;
};

/// A (hand, bone, object) pair that hovers or touches.
struct PairState {
    std::uint8_t touching = 0, hovering = 0, poking = 0;
    std::uint8_t touch_inside = 0, hover_inside = 0;  ///< 1: within the enter distance in the last step
    std::uint8_t suppressed =
        0;  ///< 1: inside when the hand reappeared or released; suppressed until it has been clear
    std::int64_t touch_since_ns = 0, hover_since_ns = 0, poke_since_ns = 0;
    float touch_impulse_n_s = 0.0F;  ///< sum since the touch began
};

/// A held object's motion in the palm's frame, to a stored grab pose or from a distance. Begins with the hold.
struct HoldMotion {
    std::int64_t duration_ns = 0;  ///< 0: none
    Eigen::Isometry3f palm_from_start = Eigen::Isometry3f::Identity();
    Eigen::Isometry3f palm_from_end = Eigen::Isometry3f::Identity();
};

/// The state of a hand's hold on an object.
struct HoldState {
    bool holding = false, flicked = false;
    bool shared = false;                       ///< held between two hands; see SharedHold
    bool distant = false;                      ///< held by a pinch from a distance (distance_grab.h)
    bool taken = false;                        ///< the application moved the object away; the hold ends in this step
    std::int64_t opposing_since_ns = kNoTime;  ///< when contacts began to oppose; kNoTime: they do not now
    std::int64_t apart_since_ns = kNoTime;  ///< when they ceased to oppose; kNoTime: opposing, not holding, or not seen
    std::int64_t unseen_since_ns =
        kNoTime;  ///< since when a holding bone of a tracked hand is untracked; kNoTime: none
    std::int64_t since_ns = 0;
    Eigen::Isometry3f palm_from_object = Eigen::Isometry3f::Identity();
    Eigen::Vector3f grip_in_object = Eigen::Vector3f::Zero();  ///< midpoint of the two contacts at the grab
    std::int32_t bone_a = -1, bone_b = -1;                     ///< the opposing pair
    Eigen::Vector3f point_m = Eigen::Vector3f::Zero(), normal = Eigen::Vector3f::Zero();
    HoldMotion motion;
};

/// The object that a hand points at, for a distance grab.
struct AimState {
    std::int32_t object = -1;  ///< -1: nothing
    bool pinched = false;      ///< thumb and index finger were pinched in the previous step
};

/// An object held between two hands, neither of which holds it alone.
struct SharedHold {
    std::int64_t opposing_since_ns = kNoTime, apart_since_ns = kNoTime;  ///< as in HoldState
    /// Pose of the object in the frame of between_palms().
    Eigen::Isometry3f hands_from_object = Eigen::Isometry3f::Identity();
};

/// A pinch of the thumb's tip and another fingertip of the same hand.
struct PinchState {
    std::uint8_t on = 0, inside = 0;  ///< `inside` as in PairState
    std::int64_t since_ns = 0;
};

}  // namespace glovebox::scenes
