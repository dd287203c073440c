#include <algorithm>

#include "tests/runtime/functions.h"

namespace glovebox::tests::runtime {
namespace {

constexpr std::array<XrReferenceSpaceType, 3> kSpaces{XR_REFERENCE_SPACE_TYPE_VIEW, XR_REFERENCE_SPACE_TYPE_LOCAL,
                                                      XR_REFERENCE_SPACE_TYPE_STAGE};
constexpr float kEyeDistance_m = 0.063F;

}  // namespace

XrPosef stage_from_eye(std::size_t eye) {
    const float x = eye == 0 ? -0.5F * kEyeDistance_m : 0.5F * kEyeDistance_m;
    const float yaw_deg = (eye == 0 ? 1.0F : -1.0F) * runtime().script.canted_deg;
    return runtime().script.stage_from_head * XrPosef{yaw_pitch_roll(yaw_deg, 0, 0), {x, 0, 0}};
}

XrFovf eye_fov(std::size_t eye) {
    return runtime().script.fov[eye];
}

XrPosef stage_from_space(const Space& space, XrTime time, XrSpaceLocationFlags& flags) {
    Runtime& r = runtime();
    flags = kAllFlags;
    XrPosef base = kIdentityPose;
    if (space.reference == XR_REFERENCE_SPACE_TYPE_VIEW) base = r.script.stage_from_head;
    if (space.reference == XR_REFERENCE_SPACE_TYPE_LOCAL) base = r.stage_from_local;
    if (space.action != 0) {
        // A controller in the fist: its grip is in the palm.
        const std::size_t side = space.subaction == "/user/hand/left" ? 0 : 1;
        const auto* action = r.find<Action>(space.action);
        HandSample hand;
        const bool there = action != nullptr && action->states.contains(space.subaction) &&
                           action->states.at(space.subaction).active && r.hands[side].fault != HandFault::dropped &&
                           hand_at(side, time, hand);
        if (there)
            base = hand[XR_HAND_JOINT_PALM_EXT].stage_from_joint;
        else
            flags = 0;
    }
    return base * space.base_from_space;
}

XrResult enumerate_reference_spaces(XrSession handle, std::uint32_t capacity, std::uint32_t* count,
                                    XrReferenceSpaceType* out) {
    Session* session = nullptr;
    if (const XrResult result = look_up(handle, session); result < 0) return result;
    return fill(capacity, count, kSpaces.size(), [&](std::size_t i) { out[i] = kSpaces[i]; });
}

XrResult create_reference_space(XrSession handle, const XrReferenceSpaceCreateInfo* info, XrSpace* out) {
    Session* session = nullptr;
    if (const XrResult result = look_up(handle, session); result < 0) return result;
    GLOVEBOX_REQUIRE_TYPE(info, XR_TYPE_REFERENCE_SPACE_CREATE_INFO);
    if (std::find(kSpaces.begin(), kSpaces.end(), info->referenceSpaceType) == kSpaces.end())
        return refuse(XR_ERROR_REFERENCE_SPACE_UNSUPPORTED, "view, local and stage only");
    if (!is_unit(info->poseInReferenceSpace.orientation)) return refuse(XR_ERROR_POSE_INVALID, "orientation not unit");
    Space& space = runtime().make<Space>(session->handle);
    space.reference = info->referenceSpaceType;
    space.base_from_space = info->poseInReferenceSpace;
    *out = handle_of<XrSpace>(space);
    return XR_SUCCESS;
}

XrResult get_reference_space_bounds_rect(XrSession handle, XrReferenceSpaceType, XrExtent2Df* out) {
    Session* session = nullptr;
    if (const XrResult result = look_up(handle, session); result < 0) return result;
    *out = {0, 0};
    return XR_SPACE_BOUNDS_UNAVAILABLE;
}

XrResult create_action_space(XrSession handle, const XrActionSpaceCreateInfo* info, XrSpace* out) {
    Runtime& r = runtime();
    Session* session = nullptr;
    Action* action = nullptr;
    if (const XrResult result = look_up(handle, session); result < 0) return result;
    GLOVEBOX_REQUIRE_TYPE(info, XR_TYPE_ACTION_SPACE_CREATE_INFO);
    if (const XrResult result = look_up(info->action, action); result < 0) return result;
    if (action->type != XR_ACTION_TYPE_POSE_INPUT) return refuse(XR_ERROR_ACTION_TYPE_MISMATCH, "not a pose action");
    if (!is_unit(info->poseInActionSpace.orientation)) return refuse(XR_ERROR_POSE_INVALID, "orientation not unit");
    const std::string subaction = r.instance_of(*session)->path_text(info->subactionPath);
    if (!subaction.empty() &&
        std::find(action->subactions.begin(), action->subactions.end(), subaction) == action->subactions.end())
        return refuse(XR_ERROR_PATH_UNSUPPORTED, "the action has no such subaction path");
    Space& space = r.make<Space>(session->handle);
    space.action = action->handle;
    space.subaction = subaction;
    space.base_from_space = info->poseInActionSpace;
    *out = handle_of<XrSpace>(space);
    return XR_SUCCESS;
}

XrResult locate_space(XrSpace handle, XrSpace base_handle, XrTime time, XrSpaceLocation* out) {
    Space *space = nullptr, *base = nullptr;
    if (const XrResult result = look_up(handle, space); result < 0) return result;
    if (const XrResult result = look_up(base_handle, base); result < 0) return result;
    GLOVEBOX_REQUIRE_TYPE(out, XR_TYPE_SPACE_LOCATION);
    if (time <= 0) return refuse(XR_ERROR_TIME_INVALID, "xrLocateSpace's time");
    XrSpaceLocationFlags flags = 0, base_flags = 0;
    const XrPosef stage_from_this = stage_from_space(*space, time, flags);
    const XrPosef stage_from_base = stage_from_space(*base, time, base_flags);
    out->locationFlags = flags & base_flags;
    if (out->locationFlags != 0) out->pose = inverse(stage_from_base) * stage_from_this;
    if (auto* velocity = in_chain<XrSpaceVelocity>(out->next, XR_TYPE_SPACE_VELOCITY)) velocity->velocityFlags = 0;
    return XR_SUCCESS;
}

XrResult locate_spaces(XrSession handle, const XrSpacesLocateInfoKHR* info, XrSpaceLocationsKHR* out) {
    Session* session = nullptr;
    if (const XrResult result = look_up(handle, session); result < 0) return result;
    GLOVEBOX_REQUIRE_TYPE(info, XR_TYPE_SPACES_LOCATE_INFO_KHR);
    GLOVEBOX_REQUIRE_TYPE(out, XR_TYPE_SPACE_LOCATIONS_KHR);
    auto* velocities = in_chain<XrSpaceVelocitiesKHR>(out->next, XR_TYPE_SPACE_VELOCITIES_KHR);
    if (info->spaceCount == 0 || out->locationCount != info->spaceCount ||
        (velocities != nullptr && velocities->velocityCount != info->spaceCount))
        return refuse(XR_ERROR_VALIDATION_FAILURE, "as many locations and velocities as spaces");
    for (std::uint32_t i = 0; i < info->spaceCount; ++i) {
        XrSpaceLocation location{XR_TYPE_SPACE_LOCATION, nullptr, 0, out->locations[i].pose};
        if (const XrResult result = locate_space(info->spaces[i], info->baseSpace, info->time, &location); result < 0)
            return result;
        out->locations[i] = {location.locationFlags, location.pose};
        if (velocities != nullptr) velocities->velocities[i].velocityFlags = 0;
    }
    return XR_SUCCESS;
}

XrResult destroy_space(XrSpace handle) {
    if (runtime().find<Space>(number_of(handle)) == nullptr) return refuse(XR_ERROR_HANDLE_INVALID, "no such space");
    runtime().destroy(number_of(handle));
    return XR_SUCCESS;
}

}  // namespace glovebox::tests::runtime
