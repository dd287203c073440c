#include "vr/layer/hands.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <new>
#include <optional>

#include "tracking/openxr/controller_hand.h"
#include "tracking/openxr/hand_joints.h"
#include "vr/layer/grips.h"
#include "vr/layer/spaces.h"
#include "vr/platform/platform.h"

namespace glovebox::vr::layer {
namespace {

using recordings::HandVelocity;
using tracking::HandFrame;
using tracking::Side;

XrResult check(const XrHandTrackerCreateInfoEXT* info, const XrHandTrackerEXT* out) {
    const bool fine = info != nullptr && out != nullptr && info->type == XR_TYPE_HAND_TRACKER_CREATE_INFO_EXT &&
                      (info->hand == XR_HAND_LEFT_EXT || info->hand == XR_HAND_RIGHT_EXT) &&
                      info->handJointSet == XR_HAND_JOINT_SET_DEFAULT_EXT;
    return fine ? XR_SUCCESS : XR_ERROR_VALIDATION_FAILURE;
}

XrResult check(const XrHandJointsLocateInfoEXT* info, const XrHandJointLocationsEXT* out) {
    if (info == nullptr || out == nullptr || info->type != XR_TYPE_HAND_JOINTS_LOCATE_INFO_EXT ||
        out->type != XR_TYPE_HAND_JOINT_LOCATIONS_EXT || out->jointCount != XR_HAND_JOINT_COUNT_EXT ||
        out->jointLocations == nullptr)
        return XR_ERROR_VALIDATION_FAILURE;
    const auto* velocities = in_chain<XrHandJointVelocitiesEXT>(out->next, XR_TYPE_HAND_JOINT_VELOCITIES_EXT);
    if (velocities != nullptr &&
        (velocities->jointCount != XR_HAND_JOINT_COUNT_EXT || velocities->jointVelocities == nullptr))
        return XR_ERROR_VALIDATION_FAILURE;
    return info->time > 0 ? XR_SUCCESS : XR_ERROR_TIME_INVALID;
}

bool is_well_formed(const XrForceFeedbackCurlApplyLocationsMNDX* forces) {
    if (forces == nullptr || forces->type != XR_TYPE_FORCE_FEEDBACK_CURL_APPLY_LOCATIONS_MNDX ||
        forces->locationCount == 0 || forces->locations == nullptr)
        return false;
    return std::all_of(forces->locations, forces->locations + forces->locationCount, [](const auto& each) {
        return each.location >= XR_FORCE_FEEDBACK_CURL_LOCATION_THUMB_CURL_MNDX &&
               each.location <= XR_FORCE_FEEDBACK_CURL_LOCATION_LITTLE_CURL_MNDX && each.value >= 0.0F &&
               each.value <= 1.0F;
    });
}

// Computed in double, so that a conversion and its inverse preserve a joint to the last bits of a float.
void move(const Pose& to_from, HandFrame& hand) {
    for (tracking::JointPose& joint : hand.joints) {
        joint.position_m = (to_from * joint.position_m.cast<double>()).cast<float>();
        joint.orientation = (to_from.orientation * joint.orientation.cast<double>()).cast<float>();
    }
}

// Reports that there is no hand: clears all flags and writes no numbers.
void write_no_hand(XrHandJointLocationsEXT& out) {
    out.isActive = XR_FALSE;
    for (std::uint32_t j = 0; j < out.jointCount; ++j) out.jointLocations[j].locationFlags = 0;
    auto* velocities = in_chain<XrHandJointVelocitiesEXT>(out.next, XR_TYPE_HAND_JOINT_VELOCITIES_EXT);
    for (std::uint32_t j = 0; velocities != nullptr && j < velocities->jointCount; ++j)
        velocities->jointVelocities[j].velocityFlags = 0;
}

XrHandJointVelocitiesEXT* velocities_in(const XrHandJointLocationsEXT& out) {
    return in_chain<XrHandJointVelocitiesEXT>(out.next, XR_TYPE_HAND_JOINT_VELOCITIES_EXT);
}

// Velocities are relative to their base space. If that moves, they are not those in LOCAL.
bool is_moving(XrSpace base) {
    const Space* space = known().spaces.find(number_of(base));
    return space != nullptr && space->is_of_device();
}

void show_velocity(const HandVelocity& velocity, const InLocal& base, bool is_base_moving,
                   XrHandJointLocationsEXT& out) {
    const XrHandJointVelocitiesEXT* velocities = velocities_in(out);
    if (velocities == nullptr) return;
    for (std::uint32_t j = 0; j < velocities->jointCount; ++j) {
        XrHandJointVelocityEXT& to = velocities->jointVelocities[j];
        const HandVelocity::Joint& from = velocity.joints[j];
        to.velocityFlags = is_base_moving ? 0 : from.flags;
        Eigen::Vector3f linear = from.linear_m_s, angular = from.angular_rad_s;
        if (base.local_from_space) {
            const Eigen::Quaternionf base_from_local = base.local_from_space->orientation.conjugate().cast<float>();
            linear = base_from_local * linear;
            angular = base_from_local * angular;
        }
        to.linearVelocity = {linear.x(), linear.y(), linear.z()};
        to.angularVelocity = {angular.x(), angular.y(), angular.z()};
    }
}

// Returns the velocities that the device reported, in LOCAL. Empty if it was not asked, or the base moves.
std::optional<HandVelocity> velocity_of(const XrHandJointLocationsEXT& seen, const InLocal& base, bool is_base_moving) {
    const XrHandJointVelocitiesEXT* velocities = velocities_in(seen);
    if (velocities == nullptr || is_base_moving || velocities->jointCount < tracking::kJointCount) return std::nullopt;
    HandVelocity velocity;
    for (std::size_t j = 0; j < velocity.joints.size(); ++j) {
        const XrHandJointVelocityEXT& from = velocities->jointVelocities[j];
        HandVelocity::Joint& to = velocity.joints[j];
        to.flags = static_cast<std::uint8_t>(
            from.velocityFlags & (XR_SPACE_VELOCITY_LINEAR_VALID_BIT | XR_SPACE_VELOCITY_ANGULAR_VALID_BIT));
        const auto& linear = from.linearVelocity;
        const auto& angular = from.angularVelocity;
        if ((to.flags & HandVelocity::kLinearValid) != 0) to.linear_m_s = {linear.x, linear.y, linear.z};
        if ((to.flags & HandVelocity::kAngularValid) != 0) to.angular_rad_s = {angular.x, angular.y, angular.z};
        if (!base.local_from_space) continue;
        const Eigen::Quaternionf local_from_base = base.local_from_space->orientation.cast<float>();
        to.linear_m_s = local_from_base * to.linear_m_s;
        to.angular_rad_s = local_from_base * to.angular_rad_s;
    }
    return velocity;
}

// Locates the device's hand. For a recording, velocities are also requested if the application does not request them.
// `with` refers to `own`, and its chain ends with the application's.
struct DeviceHand {
    std::array<XrHandJointVelocityEXT, XR_HAND_JOINT_COUNT_EXT> joints;
    XrHandJointVelocitiesEXT own;
    XrHandJointLocationsEXT with{};

    XrResult locate(const Instance& instance, XrHandTrackerEXT tracker, const XrHandJointsLocateInfoEXT* info,
                    XrHandJointLocationsEXT* out) {
        const bool adds = instance.record != nullptr && !instance.supplies() && out != nullptr &&
                          out->type == XR_TYPE_HAND_JOINT_LOCATIONS_EXT && out->jointCount == XR_HAND_JOINT_COUNT_EXT &&
                          velocities_in(*out) == nullptr;
        if (!adds) {
            const XrResult result = instance.next.locate_hand_joints(tracker, info, out);
            if (result >= 0) with = *out;
            return result;
        }
        joints = {};
        own = {XR_TYPE_HAND_JOINT_VELOCITIES_EXT, out->next, XR_HAND_JOINT_COUNT_EXT, joints.data()};
        with = *out;
        with.next = &own;
        const XrResult result = instance.next.locate_hand_joints(tracker, info, &with);
        out->isActive = with.isActive;
        return result;
    }
};

void show(HandFrame hand, const InLocal& base, bool is_base_moving, const HandVelocity& velocity,
          XrHandJointLocationsEXT& out) {
    if (!hand.active || !base.is_known()) return write_no_hand(out);
    if (base.local_from_space) move(base.local_from_space->inverse(), hand);
    tracking::openxr_from_hand_frame(hand, out);
    show_velocity(velocity, base, is_base_moving, out);
}

Pose pose_of(const Eigen::Isometry3f& pose) {
    return {pose.translation().cast<double>(), Eigen::Quaterniond(pose.linear().cast<double>())};
}

// Returns the wrist of the device's own hand in LOCAL, if it is tracked.
std::optional<Pose> wrist_of(const XrHandJointLocationsEXT& seen, const InLocal& base) {
    const XrHandJointLocationEXT& wrist = seen.jointLocations[XR_HAND_JOINT_WRIST_EXT];
    constexpr XrSpaceLocationFlags kValid =
        XR_SPACE_LOCATION_POSITION_VALID_BIT | XR_SPACE_LOCATION_ORIENTATION_VALID_BIT;
    if (seen.isActive != XR_TRUE || (wrist.locationFlags & kValid) != kValid) return std::nullopt;
    // Some broken trackers report "valid" with zeros.
    const auto& q = wrist.pose.orientation;
    if (!(std::abs(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w - 1.0F) < 0.01F)) return std::nullopt;
    const Pose local_from_seen =
        base.local_from_space ? *base.local_from_space * layer::pose_of(wrist.pose) : layer::pose_of(wrist.pose);
    if (!local_from_seen.position_m.allFinite() || !local_from_seen.orientation.coeffs().allFinite())
        return std::nullopt;
    return local_from_seen;
}

// As in `glovebox vr --glove`: the wrist is the tracked hand's, else that of a hand around the controller.
std::optional<Pose> find_wrist(Session& session, Side side, XrTime time, const XrHandJointLocationsEXT* seen,
                               const InLocal& base) {
    if (seen != nullptr)
        if (const auto local_from_wrist = wrist_of(*seen, base)) return local_from_wrist;
    const auto local_from_grip = find_grip(session, side, time);
    if (!local_from_grip) return std::nullopt;
    return *local_from_grip * pose_of(tracking::grip_from_wrist(side));
}

// Returns a hand in LOCAL. `seen`: the device's own hand in `base`; null: not tracked.
std::optional<HandFrame> own_hand(Session& session, Side side, XrTime time, const XrHandJointLocationsEXT* seen,
                                  const InLocal& base, HandVelocity& velocity) {
    Instance& instance = *session.instance;
    HandFrame hand;
    if (instance.replays_hands()) {
        hand = instance.replay->hand(side, time, instance.was_focused.load(std::memory_order_acquire), velocity);
        hand.source = tracking::Source::replay;
        return hand;
    }
    const auto& glove = instance.gloves[side];
    if (!glove || !glove->hand(hand)) return std::nullopt;
    hand.source = tracking::Source::glove;
    // If the device has never tracked a wrist, the hand stays at the glove's fixed place. If a wrist is lost, so is the
    // hand.
    const auto local_from_tracker = find_wrist(session, side, time, seen, base);
    if (!local_from_tracker) hand.active = !session.had_wrist[side].load(std::memory_order_relaxed);
    if (local_from_tracker) {
        session.had_wrist[side].store(true, std::memory_order_relaxed);
        const tracking::JointPose& own = hand[tracking::Joint::wrist];
        const Pose local_from_own = {own.position_m.cast<double>(), own.orientation.cast<double>().normalized()};
        move(*local_from_tracker * pose_of(glove->tracker_from_wrist()) * local_from_own.inverse(), hand);
    }
    return hand;
}

// Records and shows a hand, in LOCAL. A supplied hand is kept as it was before the conversion to the application's
// space.
void keep(const HandTracker& tracker, XrTime time, const HandFrame& hand, const HandVelocity* velocity) {
    const Instance& instance = *tracker.session->instance;
    if (instance.record != nullptr && instance.was_focused.load(std::memory_order_acquire))
        instance.record->hand(hand, time, now_ns(), velocity);
    if (tracker.session->overlay != nullptr) tracker.session->overlay->hand(hand, time);
}

// Returns the device's hand in LOCAL.
HandFrame device_hand(Side side, const InLocal& base, const XrHandJointLocationsEXT& seen) {
    HandFrame hand;
    tracking::hand_frame_from_openxr(seen, side, hand);
    hand.source = tracking::Source::live;
    if (hand.active && base.local_from_space) move(*base.local_from_space, hand);
    return hand;
}

// Without a subaction path an action vibrates both hands.
void keep_vibration(const Session& session, const XrHapticActionInfo& info, const XrHapticVibration& vibration) {
    const Instance& instance = *session.instance;
    const XrTime displayed = session.displayed.load(std::memory_order_relaxed);
    const auto source = instance.source_of(info.subactionPath);
    for (const Side side : tracking::kSides) {
        const auto own = side == Side::left ? recordings::ActionSource::left : recordings::ActionSource::right;
        if (source == recordings::ActionSource::any || source == own)
            instance.record->vibration(side, vibration, displayed, now_ns());
    }
}

// Reports profile changes of the replay, whose controllers may differ from the device's, and of supplied hands.
bool report_interaction_profile(Instance& instance, XrEventDataBuffer& out) {
    const Session* session = instance.focused_session.load(std::memory_order_acquire);
    if (session == nullptr) return false;
    const std::size_t hands = instance.interaction_changes.load();
    const bool hands_change = instance.reported_interaction_changes.exchange(hands) != hands;
    const std::size_t changes =
        instance.replay ? instance.replay->profile_changes(session->displayed.load(std::memory_order_relaxed)) : 0;
    if ((changes == 0 || instance.reported_profile_changes.exchange(changes) == changes) && !hands_change) return false;
    const XrEventDataInteractionProfileChanged event{XR_TYPE_EVENT_DATA_INTERACTION_PROFILE_CHANGED, nullptr,
                                                     session->handle};
    std::memcpy(static_cast<void*>(&out), &event, sizeof event);
    return true;
}

// Without a panel the application goes on as it is.
void make_overlay(Session& session, const XrSessionCreateInfo& info) {
    const Instance& instance = *session.instance;
    XrSystemProperties system{};
    system.type = XR_TYPE_SYSTEM_PROPERTIES;
    if (instance.next.get_system_properties(instance.handle, info.systemId, &system) < 0) return;
    try {
        session.overlay = std::make_unique<Overlay>(instance, session.handle, info.next,
                                                    Overlay::Options{instance.options.see, instance.options.see_picture,
                                                                     system.graphicsProperties.maxLayerCount});
    } catch (const std::exception& error) {
        instance.print_message(std::string(error.what()) + "; no panel is shown");
    }
}

XrHandTrackerEXT handle_of(const HandTracker& tracker) {
    return reinterpret_cast<XrHandTrackerEXT>(const_cast<HandTracker*>(&tracker));
}

}  // namespace

std::optional<HandFrame> supplied_hand(Session& session, Side side, XrTime time) {
    if (session.local == XR_NULL_HANDLE) return std::nullopt;
    std::array<XrHandJointLocationEXT, XR_HAND_JOINT_COUNT_EXT> joints{};
    XrHandJointLocationsEXT seen{XR_TYPE_HAND_JOINT_LOCATIONS_EXT, nullptr, XR_FALSE, XR_HAND_JOINT_COUNT_EXT,
                                 joints.data()};
    const XrHandTrackerEXT watcher = session.watchers[side];
    const XrHandJointsLocateInfoEXT info{XR_TYPE_HAND_JOINTS_LOCATE_INFO_EXT, nullptr, session.local, time};
    const bool sees =
        watcher != XR_NULL_HANDLE && session.instance->next.locate_hand_joints(watcher, &info, &seen) >= 0;
    HandVelocity ignored;
    return own_hand(session, side, time, sees ? &seen : nullptr, {}, ignored);
}

XrResult XRAPI_CALL get_system_properties(XrInstance handle, XrSystemId system, XrSystemProperties* out) {
    const Instance* instance = known().instances.find(number_of(handle));
    if (instance == nullptr) return XR_ERROR_HANDLE_INVALID;
    const XrResult result = instance->next.get_system_properties(handle, system, out);
    if (result < 0) return result;
    if (auto* hands =
            in_chain<XrSystemHandTrackingPropertiesEXT>(out->next, XR_TYPE_SYSTEM_HAND_TRACKING_PROPERTIES_EXT);
        hands != nullptr && instance->uses_hands && (instance->supplies() || !instance->next_has_hands))
        hands->supportsHandTracking = instance->supplies() ? XR_TRUE : XR_FALSE;
    if (auto* curl = in_chain<XrSystemForceFeedbackCurlPropertiesMNDX>(
            out->next, XR_TYPE_SYSTEM_FORCE_FEEDBACK_CURL_PROPERTIES_MNDX);
        curl != nullptr && (instance->has_forces() || !instance->next_has_curl))
        curl->supportsForceFeedbackCurl = instance->has_forces() ? XR_TRUE : XR_FALSE;
    return result;
}

XrResult XRAPI_CALL poll_event(XrInstance handle, XrEventDataBuffer* out) {
    Instance* instance = known().instances.find(number_of(handle));
    if (instance == nullptr) return XR_ERROR_HANDLE_INVALID;
    XrResult result = instance->next.poll_event(handle, out);
    if (result == XR_SUCCESS && out->type == XR_TYPE_EVENT_DATA_SESSION_STATE_CHANGED) {
        const auto& changed = *reinterpret_cast<const XrEventDataSessionStateChanged*>(out);
        const bool focused = changed.state == XR_SESSION_STATE_FOCUSED;
        instance->is_focused.store(focused, std::memory_order_relaxed);
        if (focused) {
            instance->focused_session.store(known().sessions.find(number_of(changed.session)),
                                            std::memory_order_release);
            instance->was_focused.store(true, std::memory_order_release);
        }
    }
    if (result == XR_EVENT_UNAVAILABLE && report_interaction_profile(*instance, *out)) result = XR_SUCCESS;
    instance->lives();
    if (instance->record) instance->print_message(instance->record->trouble());
    return result;
}

XrResult XRAPI_CALL create_session(XrInstance handle, const XrSessionCreateInfo* info, XrSession* out) {
    Instance* instance = known().instances.find(number_of(handle));
    if (instance == nullptr) return XR_ERROR_HANDLE_INVALID;
    const XrResult result = instance->next.create_session(handle, info, out);
    if (result < 0) return result;
    auto session = std::unique_ptr<Session>(new (std::nothrow) Session);
    if (session != nullptr) {
        session->instance = instance;
        session->handle = *out;
        if (instance->sees()) make_overlay(*session, *info);
        // If that fails, only hands are recorded, and there is no panel.
        if (instance->handles_actions() || session->overlay) make_spaces(*session);
        if (known().sessions.add(number_of(*out), std::move(session)) != nullptr) return result;
    }
    instance->next.destroy_session(*out);
    return XR_ERROR_LIMIT_REACHED;
}

XrResult XRAPI_CALL destroy_session(XrSession handle) {
    const Session* session = known().sessions.find(number_of(handle));
    if (session == nullptr) return XR_ERROR_HANDLE_INVALID;
    const Next& next = session->instance->next;
    if (session->overlay) session->overlay->close();
    known().trackers.remove_if([&](const HandTracker& each) { return each.session == session; });
    known().spaces.remove_if([&](const Space& each) { return each.session == session; });
    session->instance->is_focused = false;
    const Session* gone = session;
    session->instance->focused_session.compare_exchange_strong(gone, nullptr);
    session->instance->lives();
    for (const XrHandTrackerEXT watcher : session->watchers)
        if (watcher != XR_NULL_HANDLE) next.destroy_hand_tracker(watcher);
    if (session->local != XR_NULL_HANDLE) next.destroy_space(session->local);
    if (session->view != XR_NULL_HANDLE) next.destroy_space(session->view);
    known().sessions.remove(number_of(handle));
    return next.destroy_session(handle);
}

XrResult XRAPI_CALL create_hand_tracker(XrSession handle, const XrHandTrackerCreateInfoEXT* info,
                                        XrHandTrackerEXT* out) {
    Session* session = known().sessions.find(number_of(handle));
    if (session == nullptr) return XR_ERROR_HANDLE_INVALID;
    const Instance& instance = *session->instance;
    XrHandTrackerEXT of_next = XR_NULL_HANDLE;
    if (instance.next_has_hands) {
        const XrResult result = instance.next.create_hand_tracker(handle, info, out);
        if (result < 0 && !(result == XR_ERROR_FEATURE_UNSUPPORTED && instance.supplies())) return result;
        if (result >= 0) of_next = *out;
    }
    if (of_next == XR_NULL_HANDLE) {
        if (const XrResult result = check(info, out); result < 0) return result;
        if (!instance.supplies()) return XR_ERROR_FEATURE_UNSUPPORTED;
    }
    if (const XrResult result = make_spaces(*session); result < 0) {
        if (of_next != XR_NULL_HANDLE) instance.next.destroy_hand_tracker(of_next);
        return result;
    }
    auto tracker = std::unique_ptr<HandTracker>(
        new (std::nothrow) HandTracker{session, info->hand == XR_HAND_LEFT_EXT ? Side::left : Side::right, of_next});
    if (tracker != nullptr) {
        const XrHandTrackerEXT tracker_handle = of_next != XR_NULL_HANDLE ? of_next : handle_of(*tracker);
        if (known().trackers.add(number_of(tracker_handle), std::move(tracker)) != nullptr) {
            *out = tracker_handle;
            return XR_SUCCESS;
        }
    }
    if (of_next != XR_NULL_HANDLE) instance.next.destroy_hand_tracker(of_next);
    return XR_ERROR_LIMIT_REACHED;
}

XrResult XRAPI_CALL destroy_hand_tracker(XrHandTrackerEXT handle) {
    const auto tracker = known().trackers.remove(number_of(handle));
    if (tracker == nullptr) return XR_ERROR_HANDLE_INVALID;
    if (const auto& glove = tracker->session->instance->gloves[tracker->side]) glove->let_go();
    if (tracker->of_next == XR_NULL_HANDLE) return XR_SUCCESS;
    return tracker->session->instance->next.destroy_hand_tracker(handle);
}

XrResult XRAPI_CALL locate_hand_joints(XrHandTrackerEXT handle, const XrHandJointsLocateInfoEXT* info,
                                       XrHandJointLocationsEXT* out) {
    const HandTracker* tracker = known().trackers.find(number_of(handle));
    if (tracker == nullptr) return XR_ERROR_HANDLE_INVALID;
    const Instance& instance = *tracker->session->instance;
    const bool is_own = tracker->of_next == XR_NULL_HANDLE;
    const bool keeps = instance.record != nullptr || tracker->session->overlay != nullptr;
    if (!is_own && !instance.supplies() && !keeps) return instance.next.locate_hand_joints(handle, info, out);
    DeviceHand device;
    const XrResult result = is_own ? check(info, out) : device.locate(instance, handle, info, out);
    if (result < 0) return result;
    tracker->session->located(info->time);
    InLocal base;
    if (const XrResult found = find_in_local(*tracker->session, info->baseSpace, info->time, base); found < 0) {
        if (is_own || instance.supplies()) return found;
        base.flags = 0;
    }
    if (is_own) write_no_hand(*out);
    const bool is_base_moving = is_moving(info->baseSpace);
    HandVelocity velocity;
    std::optional<HandFrame> supplied;
    if (instance.supplies()) supplied = own_hand(*tracker->session, tracker->side, info->time, out, base, velocity);
    if (supplied) show(*supplied, base, is_base_moving, velocity, *out);
    if (keeps) {
        std::optional<HandVelocity> reported = velocity;
        if (!supplied) reported = is_own ? std::nullopt : velocity_of(device.with, base, is_base_moving);
        HandFrame hand = supplied ? *supplied : device_hand(tracker->side, base, *out);
        hand.active = hand.active && base.is_known();
        keep(*tracker, info->time, hand, reported ? &*reported : nullptr);
    }
    instance.lives();
    return result;
}

XrResult XRAPI_CALL apply_haptic_feedback(XrSession handle, const XrHapticActionInfo* info,
                                          const XrHapticBaseHeader* haptic) {
    const Session* session = known().sessions.find(number_of(handle));
    if (session == nullptr) return XR_ERROR_HANDLE_INVALID;
    const XrResult result = session->instance->next.apply_haptic_feedback(handle, info, haptic);
    if (result >= 0 && haptic->type == XR_TYPE_HAPTIC_VIBRATION)
        keep_vibration(*session, *info, *reinterpret_cast<const XrHapticVibration*>(haptic));
    return result;
}

XrResult XRAPI_CALL stop_haptic_feedback(XrSession handle, const XrHapticActionInfo* info) {
    const Session* session = known().sessions.find(number_of(handle));
    if (session == nullptr) return XR_ERROR_HANDLE_INVALID;
    const XrResult result = session->instance->next.stop_haptic_feedback(handle, info);
    if (result >= 0) keep_vibration(*session, *info, {XR_TYPE_HAPTIC_VIBRATION, nullptr, 0, 0.0F, 0.0F});
    return result;
}

XrResult XRAPI_CALL apply_force_feedback_curl(XrHandTrackerEXT handle,
                                              const XrForceFeedbackCurlApplyLocationsMNDX* forces) {
    const HandTracker* tracker = known().trackers.find(number_of(handle));
    if (tracker == nullptr) return XR_ERROR_HANDLE_INVALID;
    const Instance& instance = *tracker->session->instance;
    XrResult result = XR_ERROR_FEATURE_UNSUPPORTED;
    if (instance.next_has_curl && tracker->of_next != XR_NULL_HANDLE)
        result = instance.next.apply_force_feedback_curl(handle, forces);
    if (result < 0 && !(result == XR_ERROR_FEATURE_UNSUPPORTED && instance.has_forces())) return result;
    if (!is_well_formed(forces)) return result < 0 ? XR_ERROR_VALIDATION_FAILURE : result;
    // If the device below has forces of its own, it gets them, too.
    if (const auto& glove = instance.gloves[tracker->side])
        for (std::uint32_t i = 0; i < forces->locationCount; ++i)
            glove->hold(static_cast<std::size_t>(forces->locations[i].location), forces->locations[i].value);
    if (instance.record)
        instance.record->forces(tracker->side, *forces, tracker->session->displayed.load(std::memory_order_relaxed),
                                now_ns());
    instance.lives();
    return XR_SUCCESS;
}

}  // namespace glovebox::vr::layer
