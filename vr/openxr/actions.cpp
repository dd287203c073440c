#include "vr/openxr/actions.h"

#include <cstdio>
#include <span>
#include <vector>

#include "tracking/openxr/hand_joints.h"
#include "vr/openxr/controller_profiles.h"
#include "vr/openxr/xr.h"

namespace glovebox::vr::openxr {
namespace {

template <std::size_t size>
void set_text(char (&out)[size], const char* text) {
    std::snprintf(out, size, "%s", text);
}

XrResult make_action(const Actions& actions, XrActionType type, const char* name, const char* shown, XrAction& out) {
    auto info = made<XrActionCreateInfo>(XR_TYPE_ACTION_CREATE_INFO);
    info.actionType = type;
    set_text(info.actionName, name);
    set_text(info.localizedActionName, shown);
    info.countSubactionPaths = static_cast<std::uint32_t>(actions.hands.size());
    info.subactionPaths = actions.hands.data();
    return xrCreateAction(actions.set, &info, &out);
}

XrResult suggest(XrInstance instance, const Actions& actions, const ControllerProfile& profile) {
    std::vector<XrActionSuggestedBinding> bindings;
    XrResult worst = XR_SUCCESS;
    const auto bind = [&](XrAction action, const char* hand, const char* component) {
        XrPath path = XR_NULL_PATH;
        const XrResult result = xrStringToPath(instance, (std::string(hand) + component).c_str(), &path);
        if (XR_FAILED(result)) worst = result;
        bindings.push_back({action, path});
    };
    for (const char* hand : kHandPaths) {
        bind(actions.grip, hand, kGripPose);
        bind(actions.trigger, hand, profile.trigger);
        bind(actions.squeeze, hand, profile.squeeze);
        if (profile.vibrates) bind(actions.vibration, hand, "/output/haptic");
    }
    auto info = made<XrInteractionProfileSuggestedBinding>(XR_TYPE_INTERACTION_PROFILE_SUGGESTED_BINDING);
    if (const XrResult result = xrStringToPath(instance, profile.path, &info.interactionProfile); XR_FAILED(result))
        return result;
    info.countSuggestedBindings = static_cast<std::uint32_t>(bindings.size());
    info.suggestedBindings = bindings.data();
    return XR_FAILED(worst) ? worst : xrSuggestInteractionProfileBindings(instance, &info);
}

XrResult read_float(XrSession session, XrAction action, XrPath hand, float& out) {
    auto get = made<XrActionStateGetInfo>(XR_TYPE_ACTION_STATE_GET_INFO);
    get.action = action;
    get.subactionPath = hand;
    auto state = made<XrActionStateFloat>(XR_TYPE_ACTION_STATE_FLOAT);
    const XrResult result = xrGetActionStateFloat(session, &get, &state);
    out = XR_SUCCEEDED(result) && state.isActive == XR_TRUE ? state.currentState : 0.0F;
    return result;
}

}  // namespace

XrResult make_actions(XrInstance instance, const Extensions& extensions, Actions& actions) {
    actions = {};
    for (std::size_t i = 0; i < kHandPaths.size(); ++i)
        if (const XrResult result = xrStringToPath(instance, kHandPaths[i], &actions.hands[i]); XR_FAILED(result))
            return result;
    auto set = made<XrActionSetCreateInfo>(XR_TYPE_ACTION_SET_CREATE_INFO);
    set_text(set.actionSetName, "hands");
    set_text(set.localizedActionSetName, "Hands");
    if (const XrResult result = xrCreateActionSet(instance, &set, &actions.set); XR_FAILED(result)) return result;
    for (const XrResult result :
         {make_action(actions, XR_ACTION_TYPE_POSE_INPUT, "grip", "Hand", actions.grip),
          make_action(actions, XR_ACTION_TYPE_FLOAT_INPUT, "trigger", "Index finger", actions.trigger),
          make_action(actions, XR_ACTION_TYPE_FLOAT_INPUT, "squeeze", "Other fingers", actions.squeeze),
          make_action(actions, XR_ACTION_TYPE_VIBRATION_OUTPUT, "vibration", "Touch", actions.vibration)})
        if (XR_FAILED(result)) return result;
    for (const ControllerProfile& profile : kControllerProfiles) {
        if (profile.needs_hand_interaction && !extensions.has(Extension::hand_interaction)) continue;
        const XrResult result = suggest(instance, actions, profile);
        // If a runtime does not know a controller, only that controller is missing.
        if (XR_FAILED(result) && result != XR_ERROR_PATH_UNSUPPORTED) return result;
    }
    return XR_SUCCESS;
}

XrResult attach_actions(XrSession session, Actions& actions) {
    auto attach = made<XrSessionActionSetsAttachInfo>(XR_TYPE_SESSION_ACTION_SETS_ATTACH_INFO);
    attach.countActionSets = 1;
    attach.actionSets = &actions.set;
    if (const XrResult result = xrAttachSessionActionSets(session, &attach); XR_FAILED(result)) return result;
    for (std::size_t i = 0; i < actions.grip_spaces.size(); ++i) {
        auto info = made<XrActionSpaceCreateInfo>(XR_TYPE_ACTION_SPACE_CREATE_INFO);
        info.action = actions.grip;
        info.subactionPath = actions.hands[i];
        info.poseInActionSpace = kIdentityPose;
        if (const XrResult result = xrCreateActionSpace(session, &info, &actions.grip_spaces[i]); XR_FAILED(result))
            return result;
    }
    return XR_SUCCESS;
}

XrResult sync_actions(XrSession session, const Actions& actions) {
    const XrActiveActionSet active{actions.set, XR_NULL_PATH};
    auto info = made<XrActionsSyncInfo>(XR_TYPE_ACTIONS_SYNC_INFO);
    info.countActiveActionSets = 1;
    info.activeActionSets = &active;
    return xrSyncActions(session, &info);
}

XrResult read_controller(XrSession session, const Actions& actions, std::size_t side, XrSpace base, XrTime time,
                         tracking::ControllerInput& out) {
    out = {};
    auto get = made<XrActionStateGetInfo>(XR_TYPE_ACTION_STATE_GET_INFO);
    get.action = actions.grip;
    get.subactionPath = actions.hands[side];
    auto pose = made<XrActionStatePose>(XR_TYPE_ACTION_STATE_POSE);
    if (const XrResult result = xrGetActionStatePose(session, &get, &pose); XR_FAILED(result)) return result;
    if (pose.isActive != XR_TRUE) return XR_SUCCESS;
    auto location = made<XrSpaceLocation>(XR_TYPE_SPACE_LOCATION);
    if (const XrResult result = xrLocateSpace(actions.grip_spaces[side], base, time, &location); XR_FAILED(result))
        return result;
    constexpr XrSpaceLocationFlags kValid =
        XR_SPACE_LOCATION_POSITION_VALID_BIT | XR_SPACE_LOCATION_ORIENTATION_VALID_BIT;
    if ((location.locationFlags & kValid) != kValid) return XR_SUCCESS;
    out.present = true;
    out.world_from_grip = tracking::isometry_from_openxr(location.pose);
    if (const XrResult result = read_float(session, actions.trigger, actions.hands[side], out.trigger);
        XR_FAILED(result))
        return result;
    return read_float(session, actions.squeeze, actions.hands[side], out.squeeze);
}

std::string controller_name(XrInstance instance, XrSession session, const Actions& actions, std::size_t side) {
    auto state = made<XrInteractionProfileState>(XR_TYPE_INTERACTION_PROFILE_STATE);
    std::uint32_t count = 0;
    std::array<char, XR_MAX_PATH_LENGTH> text{};
    if (XR_FAILED(xrGetCurrentInteractionProfile(session, actions.hands[side], &state)) ||
        state.interactionProfile == XR_NULL_PATH ||
        XR_FAILED(xrPathToString(instance, state.interactionProfile, XR_MAX_PATH_LENGTH, &count, text.data())))
        return "none";
    const std::string path = text.data();
    return path.substr(path.rfind('/') + 1);
}

}  // namespace glovebox::vr::openxr
