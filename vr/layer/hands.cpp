#include "vr/layer/hands.h"

#include <new>

namespace glovebox::vr::layer {
namespace {

using tracking::Side;

// LOCAL of a session, made when it is first needed. Its errors are those that a call on a lost session has.
XrResult make_local(Session& session) {
    const std::lock_guard lock(session.making_local);
    if (session.local != XR_NULL_HANDLE) return XR_SUCCESS;
    XrReferenceSpaceCreateInfo info{};
    info.type = XR_TYPE_REFERENCE_SPACE_CREATE_INFO;
    info.referenceSpaceType = XR_REFERENCE_SPACE_TYPE_LOCAL;
    info.poseInReferenceSpace.orientation.w = 1.0F;
    return session.instance->next.create_reference_space(session.handle, &info, &session.local);
}

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

// Not there: no number may be read, and none is written.
void show_no_hand(XrHandJointLocationsEXT& out) {
    out.isActive = XR_FALSE;
    for (std::uint32_t j = 0; j < out.jointCount; ++j) out.jointLocations[j].locationFlags = 0;
    auto* velocities = in_chain<XrHandJointVelocitiesEXT>(out.next, XR_TYPE_HAND_JOINT_VELOCITIES_EXT);
    for (std::uint32_t j = 0; velocities != nullptr && j < velocities->jointCount; ++j)
        velocities->jointVelocities[j].velocityFlags = 0;
}

XrHandTrackerEXT handle_of(const HandTracker& tracker) {
    return reinterpret_cast<XrHandTrackerEXT>(const_cast<HandTracker*>(&tracker));
}

}  // namespace

XrResult XRAPI_CALL get_system_properties(XrInstance handle, XrSystemId system, XrSystemProperties* out) {
    const Instance* instance = known().instances.find(number_of(handle));
    if (instance == nullptr) return XR_ERROR_HANDLE_INVALID;
    const XrResult result = instance->next.get_system_properties(handle, system, out);
    if (result < 0) return result;
    if (auto* hands =
            in_chain<XrSystemHandTrackingPropertiesEXT>(out->next, XR_TYPE_SYSTEM_HAND_TRACKING_PROPERTIES_EXT);
        hands != nullptr && !instance->next_has_hands)
        hands->supportsHandTracking = XR_FALSE;
    if (auto* curl = in_chain<XrSystemForceFeedbackCurlPropertiesMNDX>(
            out->next, XR_TYPE_SYSTEM_FORCE_FEEDBACK_CURL_PROPERTIES_MNDX);
        curl != nullptr && !instance->next_has_curl)
        curl->supportsForceFeedbackCurl = XR_FALSE;
    return result;
}

XrResult XRAPI_CALL poll_event(XrInstance handle, XrEventDataBuffer* out) {
    Instance* instance = known().instances.find(number_of(handle));
    if (instance == nullptr) return XR_ERROR_HANDLE_INVALID;
    const XrResult result = instance->next.poll_event(handle, out);
    if (result == XR_SUCCESS && out->type == XR_TYPE_EVENT_DATA_SESSION_STATE_CHANGED &&
        reinterpret_cast<const XrEventDataSessionStateChanged*>(out)->state == XR_SESSION_STATE_FOCUSED)
        instance->was_focused.store(true, std::memory_order_release);
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
        if (known().sessions.add(number_of(*out), std::move(session)) != nullptr) return result;
    }
    instance->next.destroy_session(*out);
    return XR_ERROR_LIMIT_REACHED;
}

XrResult XRAPI_CALL destroy_session(XrSession handle) {
    const Session* session = known().sessions.find(number_of(handle));
    if (session == nullptr) return XR_ERROR_HANDLE_INVALID;
    const Next& next = session->instance->next;
    known().trackers.remove_if([&](const HandTracker& each) { return each.session == session; });
    if (session->local != XR_NULL_HANDLE) next.destroy_space(session->local);
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
    if (const XrResult result = make_local(*session); result < 0) {
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
    if (tracker->of_next == XR_NULL_HANDLE) return XR_SUCCESS;
    return tracker->session->instance->next.destroy_hand_tracker(handle);
}

XrResult XRAPI_CALL locate_hand_joints(XrHandTrackerEXT handle, const XrHandJointsLocateInfoEXT* info,
                                       XrHandJointLocationsEXT* out) {
    const HandTracker* tracker = known().trackers.find(number_of(handle));
    if (tracker == nullptr) return XR_ERROR_HANDLE_INVALID;
    const Session& session = *tracker->session;
    const Next& next = session.instance->next;
    XrResult result = XR_SUCCESS;
    if (tracker->of_next != XR_NULL_HANDLE) {
        result = next.locate_hand_joints(handle, info, out);
        if (result < 0) return result;
    } else {
        if (result = check(info, out); result < 0) return result;
        // What the next one says of base space, time and session, the layer says too.
        XrSpaceLocation base{};
        base.type = XR_TYPE_SPACE_LOCATION;
        if (result = next.locate_space(info->baseSpace, session.local, info->time, &base); result < 0) return result;
        show_no_hand(*out);
    }
    return result;
}

XrResult XRAPI_CALL apply_force_feedback_curl(XrHandTrackerEXT handle,
                                              const XrForceFeedbackCurlApplyLocationsMNDX* forces) {
    const HandTracker* tracker = known().trackers.find(number_of(handle));
    if (tracker == nullptr) return XR_ERROR_HANDLE_INVALID;
    const Instance& instance = *tracker->session->instance;
    if (instance.next_has_curl && tracker->of_next != XR_NULL_HANDLE)
        return instance.next.apply_force_feedback_curl(handle, forces);
    return XR_ERROR_FEATURE_UNSUPPORTED;
}

}  // namespace glovebox::vr::layer
