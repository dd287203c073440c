#include <algorithm>
#include <cmath>
#include <cstring>

#include "tests/runtime/functions.h"

namespace glovebox::tests::runtime {
namespace {

// The inputs of each controller, below /user/hand/left and right. Parents of components are found without being listed.
struct ProfileRow {
    const char* path;
    const char* extension;  ///< null: core
    std::vector<const char*> components;
};
const std::vector<ProfileRow>& profiles() {
    static const std::vector<ProfileRow> table{
        {"/interaction_profiles/khr/simple_controller",
         nullptr,
         {"/input/select/click", "/input/menu/click", "/input/grip/pose", "/input/aim/pose", "/output/haptic"}},
        {"/interaction_profiles/oculus/touch_controller",
         nullptr,
         {"/input/x/click", "/input/y/click", "/input/a/click", "/input/b/click", "/input/menu/click",
          "/input/system/click", "/input/squeeze/value", "/input/trigger/value", "/input/trigger/touch",
          "/input/thumbstick/x", "/input/thumbstick/y", "/input/thumbstick/click", "/input/thumbstick",
          "/input/grip/pose", "/input/aim/pose", "/output/haptic"}},
        {"/interaction_profiles/valve/index_controller",
         nullptr,
         {"/input/a/click", "/input/b/click", "/input/system/click", "/input/squeeze/value", "/input/squeeze/force",
          "/input/trigger/click", "/input/trigger/value", "/input/thumbstick", "/input/trackpad", "/input/grip/pose",
          "/input/aim/pose", "/output/haptic"}},
        {"/interaction_profiles/htc/vive_controller",
         nullptr,
         {"/input/system/click", "/input/squeeze/click", "/input/menu/click", "/input/trigger/click",
          "/input/trigger/value", "/input/trackpad", "/input/grip/pose", "/input/aim/pose", "/output/haptic"}},
        {"/interaction_profiles/microsoft/motion_controller",
         nullptr,
         {"/input/menu/click", "/input/squeeze/click", "/input/trigger/value", "/input/thumbstick", "/input/trackpad",
          "/input/grip/pose", "/input/aim/pose", "/output/haptic"}},
        {"/interaction_profiles/ext/hand_interaction_ext",
         "XR_EXT_hand_interaction",
         {"/input/pinch_ext/value", "/input/pinch_ext/ready_ext", "/input/grasp_ext/value",
          "/input/grasp_ext/ready_ext", "/input/aim_activate_ext/value", "/input/aim_activate_ext/ready_ext",
          "/input/pinch_ext/pose", "/input/poke_ext/pose", "/input/grip/pose", "/input/aim/pose"}},
    };
    return table;
}

constexpr std::array<const char*, 2> kHands{"/user/hand/left", "/user/hand/right"};
const char* short_name(const std::string& subaction) {
    return subaction == kHands[0] ? "left" : "right";
}

bool starts_with(const std::string& text, const std::string& with) {
    return text.rfind(with, 0) == 0;
}

bool has_component(const ProfileRow& profile, const std::string& path) {
    for (const char* hand : kHands) {
        if (!starts_with(path, std::string(hand) + "/")) continue;
        const std::string component = path.substr(std::strlen(hand));
        for (const char* known : profile.components)
            if (component == known || starts_with(known, component + "/")) return true;
    }
    return false;
}

bool name_is_well_formed(const char* name) {
    const std::string text = name;
    return !text.empty() && text.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-_.") == std::string::npos;
}

float value_of(const std::string& path) {
    const HandNow& hand = runtime().hands[starts_with(path, kHands[0]) ? 0 : 1];
    for (const char* word : {"/squeeze", "/grasp_ext"})
        if (path.find(word) != std::string::npos) return hand.squeeze;
    for (const char* word : {"/trigger", "/select", "/pinch_ext", "/aim_activate_ext"})
        if (path.find(word) != std::string::npos) return hand.trigger;
    return 0.0F;
}

bool source_is_there(const std::string& path) {
    const std::size_t side = starts_with(path, kHands[0]) ? 0 : 1;
    return runtime().hands[side].fault != HandFault::dropped;
}

void sync(Action& action, const Session& session) {
    const auto& suggested = runtime().instance_of(session)->suggested;
    const auto found = suggested.find(session.profile);
    std::vector<std::string> parts = action.subactions;
    parts.push_back("");
    for (const std::string& part : parts) {
        Action::State state;
        if (found != suggested.end())
            for (const Binding& binding : found->second) {
                if (binding.action != action.handle || !starts_with(binding.path, part)) continue;
                if (!source_is_there(binding.path)) continue;
                state.active = true;
                const float value = value_of(binding.path);
                if (std::abs(value) > std::abs(state.x)) state.x = value;
            }
        if (action.type == XR_ACTION_TYPE_BOOLEAN_INPUT) state.x = state.x > 0.5F ? 1.0F : 0.0F;
        Action::State& old = action.states[part];
        state.changed = old.active && state.active && (old.x != state.x || old.y != state.y);
        state.changed_at = state.changed ? now() : old.changed_at;
        old = state;
    }
}

// Does the checks shared by all action reads: the action exists, is attached, has this type and has the subaction.
XrResult read_action(XrSession handle, const XrActionStateGetInfo* info, XrActionType type, const Action::State*& out) {
    Runtime& r = runtime();
    Session* session = nullptr;
    Action* action = nullptr;
    if (const XrResult result = look_up(handle, session); result < 0) return result;
    GLOVEBOX_REQUIRE_TYPE(info, XR_TYPE_ACTION_STATE_GET_INFO);
    if (const XrResult result = look_up(info->action, action); result < 0) return result;
    if (!session->attached.contains(action->parent))
        return refuse(XR_ERROR_ACTIONSET_NOT_ATTACHED, "the action's set is not attached");
    if (action->type != type) return refuse(XR_ERROR_ACTION_TYPE_MISMATCH, action->name.c_str());
    const std::string part = r.instance_of(*session)->path_text(info->subactionPath);
    if (!part.empty() &&
        std::find(action->subactions.begin(), action->subactions.end(), part) == action->subactions.end())
        return refuse(XR_ERROR_PATH_UNSUPPORTED, "the action has no such subaction path");
    static const Action::State kNothing;
    const auto found = action->states.find(part);
    const bool fresh = session->state == XR_SESSION_STATE_FOCUSED && found != action->states.end();
    out = fresh ? &found->second : &kNothing;
    return XR_SUCCESS;
}

XrResult find_haptic(XrSession handle, const XrHapticActionInfo* info, Session*& session, Action*& action,
                     std::string& part) {
    if (const XrResult result = look_up(handle, session); result < 0) return result;
    GLOVEBOX_REQUIRE_TYPE(info, XR_TYPE_HAPTIC_ACTION_INFO);
    if (const XrResult result = look_up(info->action, action); result < 0) return result;
    if (!session->attached.contains(action->parent))
        return refuse(XR_ERROR_ACTIONSET_NOT_ATTACHED, "the action's set is not attached");
    if (action->type != XR_ACTION_TYPE_VIBRATION_OUTPUT)
        return refuse(XR_ERROR_ACTION_TYPE_MISMATCH, action->name.c_str());
    part = runtime().instance_of(*session)->path_text(info->subactionPath);
    if (!part.empty() &&
        std::find(action->subactions.begin(), action->subactions.end(), part) == action->subactions.end())
        return refuse(XR_ERROR_PATH_UNSUPPORTED, "the action has no such subaction path");
    return session->state == XR_SESSION_STATE_FOCUSED ? XR_SUCCESS : XR_SESSION_NOT_FOCUSED;
}

}  // namespace

bool action_is_bound(const Session& session, const Action& action, const std::string& subaction) {
    const auto& suggested = runtime().instance_of(session)->suggested;
    const auto found = suggested.find(session.profile);
    return found != suggested.end() && std::any_of(found->second.begin(), found->second.end(), [&](const Binding& b) {
               return b.action == action.handle && starts_with(b.path, subaction);
           });
}

// Selects the script's interaction profile if the application has suggested bindings for it.
void use_profile(Session& session) {
    Runtime& r = runtime();
    Instance& instance = *r.instance_of(session);
    const std::string wanted = instance.suggested.contains(r.script.profile) ? r.script.profile : "";
    if (wanted == session.profile) return;
    session.profile = wanted;
    r.write_log("profile %s", wanted.empty() ? "none" : wanted.c_str());
    r.push(instance, packed(XrEventDataInteractionProfileChanged{XR_TYPE_EVENT_DATA_INTERACTION_PROFILE_CHANGED,
                                                                 nullptr, handle_of<XrSession>(session)}));
}

XrResult create_action_set(XrInstance handle, const XrActionSetCreateInfo* info, XrActionSet* out) {
    Runtime& r = runtime();
    Instance* instance = nullptr;
    if (const XrResult result = look_up(handle, instance); result < 0) return result;
    GLOVEBOX_REQUIRE_TYPE(info, XR_TYPE_ACTION_SET_CREATE_INFO);
    if (!name_is_well_formed(info->actionSetName)) return refuse(XR_ERROR_PATH_FORMAT_INVALID, info->actionSetName);
    if (info->localizedActionSetName[0] == '\0') return refuse(XR_ERROR_LOCALIZED_NAME_INVALID, "no localized name");
    for (const auto& [other, object] : r.objects)
        if (const auto* set = dynamic_cast<ActionSet*>(object.get());
            set != nullptr && set->name == info->actionSetName)
            return refuse(XR_ERROR_NAME_DUPLICATED, info->actionSetName);
    ActionSet& set = r.make<ActionSet>(instance->handle);
    set.name = info->actionSetName;
    *out = handle_of<XrActionSet>(set);
    return XR_SUCCESS;
}

XrResult destroy_action_set(XrActionSet handle) {
    if (runtime().find<ActionSet>(number_of(handle)) == nullptr)
        return refuse(XR_ERROR_HANDLE_INVALID, "no such action set");
    runtime().destroy(number_of(handle));
    return XR_SUCCESS;
}

XrResult create_action(XrActionSet handle, const XrActionCreateInfo* info, XrAction* out) {
    Runtime& r = runtime();
    ActionSet* set = nullptr;
    if (const XrResult result = look_up(handle, set); result < 0) return result;
    GLOVEBOX_REQUIRE_TYPE(info, XR_TYPE_ACTION_CREATE_INFO);
    if (set->attached) return refuse(XR_ERROR_ACTIONSETS_ALREADY_ATTACHED, "the set is attached");
    if (!name_is_well_formed(info->actionName)) return refuse(XR_ERROR_PATH_FORMAT_INVALID, info->actionName);
    if (info->localizedActionName[0] == '\0') return refuse(XR_ERROR_LOCALIZED_NAME_INVALID, "no localized name");
    for (const auto& [other, object] : r.objects)
        if (const auto* action = dynamic_cast<Action*>(object.get());
            action != nullptr && action->parent == set->handle && action->name == info->actionName)
            return refuse(XR_ERROR_NAME_DUPLICATED, info->actionName);
    std::vector<std::string> subactions;
    for (std::uint32_t i = 0; i < info->countSubactionPaths; ++i) {
        const std::string path = r.instance_of(*set)->path_text(info->subactionPaths[i]);
        if (path != kHands[0] && path != kHands[1] && path != "/user/head" && path != "/user/gamepad")
            return refuse(XR_ERROR_PATH_UNSUPPORTED, "not a top level path");
        if (std::find(subactions.begin(), subactions.end(), path) != subactions.end())
            return refuse(XR_ERROR_PATH_UNSUPPORTED, "a subaction path twice");
        subactions.push_back(path);
    }
    Action& action = r.make<Action>(set->handle);
    action.name = info->actionName;
    action.type = info->actionType;
    action.subactions = std::move(subactions);
    *out = handle_of<XrAction>(action);
    return XR_SUCCESS;
}

XrResult destroy_action(XrAction handle) {
    if (runtime().find<Action>(number_of(handle)) == nullptr) return refuse(XR_ERROR_HANDLE_INVALID, "no such action");
    runtime().destroy(number_of(handle));
    return XR_SUCCESS;
}

XrResult suggest_interaction_profile_bindings(XrInstance handle, const XrInteractionProfileSuggestedBinding* info) {
    Runtime& r = runtime();
    Instance* instance = nullptr;
    if (const XrResult result = look_up(handle, instance); result < 0) return result;
    GLOVEBOX_REQUIRE_TYPE(info, XR_TYPE_INTERACTION_PROFILE_SUGGESTED_BINDING);
    const std::string name = instance->path_text(info->interactionProfile);
    const auto profile =
        std::find_if(profiles().begin(), profiles().end(), [&](const ProfileRow& row) { return name == row.path; });
    if (profile == profiles().end() || (profile->extension != nullptr && !instance->has(profile->extension)))
        return refuse(XR_ERROR_PATH_UNSUPPORTED, name.c_str());
    if (info->countSuggestedBindings == 0 || info->suggestedBindings == nullptr)
        return refuse(XR_ERROR_VALIDATION_FAILURE, "no bindings");
    std::vector<Binding> bindings;
    for (std::uint32_t i = 0; i < info->countSuggestedBindings; ++i) {
        const XrActionSuggestedBinding& one = info->suggestedBindings[i];
        const auto* action = r.find<Action>(number_of(one.action));
        if (action == nullptr) return refuse(XR_ERROR_HANDLE_INVALID, "a binding of no action");
        if (r.find<ActionSet>(action->parent)->attached)
            return refuse(XR_ERROR_ACTIONSETS_ALREADY_ATTACHED, "bindings after the set was attached");
        const std::string path = instance->path_text(one.binding);
        if (!has_component(*profile, path))
            return refuse(XR_ERROR_PATH_UNSUPPORTED, (name + " has no " + path).c_str());
        bindings.push_back({action->handle, path});
    }
    instance->suggested[name] = std::move(bindings);
    return XR_SUCCESS;
}

XrResult attach_session_action_sets(XrSession handle, const XrSessionActionSetsAttachInfo* info) {
    Session* session = nullptr;
    if (const XrResult result = look_up(handle, session); result < 0) return result;
    GLOVEBOX_REQUIRE_TYPE(info, XR_TYPE_SESSION_ACTION_SETS_ATTACH_INFO);
    if (session->sets_attached) return refuse(XR_ERROR_ACTIONSETS_ALREADY_ATTACHED, "sets are attached once");
    if (info->countActionSets == 0) return refuse(XR_ERROR_VALIDATION_FAILURE, "no sets");
    for (std::uint32_t i = 0; i < info->countActionSets; ++i) {
        ActionSet* set = nullptr;
        if (const XrResult result = look_up(info->actionSets[i], set); result < 0) return result;
        set->attached = true;
        session->attached.insert(set->handle);
    }
    session->sets_attached = true;
    return XR_SUCCESS;
}

XrResult get_current_interaction_profile(XrSession handle, XrPath top, XrInteractionProfileState* out) {
    Session* session = nullptr;
    if (const XrResult result = look_up(handle, session); result < 0) return result;
    GLOVEBOX_REQUIRE_TYPE(out, XR_TYPE_INTERACTION_PROFILE_STATE);
    if (!session->sets_attached) return refuse(XR_ERROR_ACTIONSET_NOT_ATTACHED, "no sets are attached");
    Instance& instance = *runtime().instance_of(*session);
    const std::string text = instance.path_text(top);
    if (text.empty()) return refuse(XR_ERROR_PATH_INVALID, "no such path");
    const bool hand = text == kHands[0] || text == kHands[1];
    if (!hand && text != "/user/head" && text != "/user/gamepad")
        return refuse(XR_ERROR_PATH_UNSUPPORTED, "not a top level path");
    out->interactionProfile = hand && !session->profile.empty() ? instance.path_of(session->profile) : XR_NULL_PATH;
    return XR_SUCCESS;
}

XrResult sync_actions(XrSession handle, const XrActionsSyncInfo* info) {
    Runtime& r = runtime();
    Session* session = nullptr;
    if (const XrResult result = look_up(handle, session); result < 0) return result;
    GLOVEBOX_REQUIRE_TYPE(info, XR_TYPE_ACTIONS_SYNC_INFO);
    // A headless application need not call xrWaitFrame: then xrSyncActions, called once per frame, counts the frames.
    if (session->graphics == nullptr && session->running && session->frames_waited == 0) {
        if (const XrResult result = count_frame(handle, session); result < 0) return result;
        r.sampled_at = now();
    }
    for (std::uint32_t i = 0; i < info->countActiveActionSets; ++i)
        if (!session->attached.contains(number_of(info->activeActionSets[i].actionSet)))
            return refuse(XR_ERROR_ACTIONSET_NOT_ATTACHED, "xrSyncActions of a set that is not attached");
    if (session->state != XR_SESSION_STATE_FOCUSED) return XR_SESSION_NOT_FOCUSED;
    use_profile(*session);
    for (std::uint32_t i = 0; i < info->countActiveActionSets; ++i)
        for (const auto& [other, object] : r.objects)
            if (auto* action = dynamic_cast<Action*>(object.get());
                action != nullptr && action->parent == number_of(info->activeActionSets[i].actionSet))
                sync(*action, *session);
    return XR_SUCCESS;
}

XrResult get_action_state_boolean(XrSession session, const XrActionStateGetInfo* info, XrActionStateBoolean* out) {
    const Action::State* state = nullptr;
    if (const XrResult result = read_action(session, info, XR_ACTION_TYPE_BOOLEAN_INPUT, state); result < 0)
        return result;
    GLOVEBOX_REQUIRE_TYPE(out, XR_TYPE_ACTION_STATE_BOOLEAN);
    out->currentState = state->x > 0.5F;
    out->isActive = state->active;
    out->changedSinceLastSync = state->changed;
    out->lastChangeTime = state->changed_at;
    return XR_SUCCESS;
}

XrResult get_action_state_float(XrSession session, const XrActionStateGetInfo* info, XrActionStateFloat* out) {
    const Action::State* state = nullptr;
    if (const XrResult result = read_action(session, info, XR_ACTION_TYPE_FLOAT_INPUT, state); result < 0)
        return result;
    GLOVEBOX_REQUIRE_TYPE(out, XR_TYPE_ACTION_STATE_FLOAT);
    out->currentState = state->x;
    out->isActive = state->active;
    out->changedSinceLastSync = state->changed;
    out->lastChangeTime = state->changed_at;
    return XR_SUCCESS;
}

XrResult get_action_state_vector2f(XrSession session, const XrActionStateGetInfo* info, XrActionStateVector2f* out) {
    const Action::State* state = nullptr;
    if (const XrResult result = read_action(session, info, XR_ACTION_TYPE_VECTOR2F_INPUT, state); result < 0)
        return result;
    GLOVEBOX_REQUIRE_TYPE(out, XR_TYPE_ACTION_STATE_VECTOR2F);
    out->currentState = {state->x, state->y};
    out->isActive = state->active;
    out->changedSinceLastSync = state->changed;
    out->lastChangeTime = state->changed_at;
    return XR_SUCCESS;
}

XrResult get_action_state_pose(XrSession session, const XrActionStateGetInfo* info, XrActionStatePose* out) {
    const Action::State* state = nullptr;
    if (const XrResult result = read_action(session, info, XR_ACTION_TYPE_POSE_INPUT, state); result < 0) return result;
    GLOVEBOX_REQUIRE_TYPE(out, XR_TYPE_ACTION_STATE_POSE);
    out->isActive = state->active;
    return XR_SUCCESS;
}

XrResult enumerate_bound_sources_for_action(XrSession handle, const XrBoundSourcesForActionEnumerateInfo* info,
                                            std::uint32_t capacity, std::uint32_t* count, XrPath* out) {
    Session* session = nullptr;
    Action* action = nullptr;
    if (const XrResult result = look_up(handle, session); result < 0) return result;
    GLOVEBOX_REQUIRE_TYPE(info, XR_TYPE_BOUND_SOURCES_FOR_ACTION_ENUMERATE_INFO);
    if (const XrResult result = look_up(info->action, action); result < 0) return result;
    if (!session->attached.contains(action->parent))
        return refuse(XR_ERROR_ACTIONSET_NOT_ATTACHED, "the action's set is not attached");
    Instance& instance = *runtime().instance_of(*session);
    std::vector<XrPath> paths;
    for (const Binding& binding : instance.suggested[session->profile])
        if (binding.action == action->handle) paths.push_back(instance.path_of(binding.path));
    return fill(capacity, count, paths.size(), [&](std::size_t i) { out[i] = paths[i]; });
}

XrResult get_input_source_localized_name(XrSession handle, const XrInputSourceLocalizedNameGetInfo* info,
                                         std::uint32_t capacity, std::uint32_t* count, char* out) {
    Session* session = nullptr;
    if (const XrResult result = look_up(handle, session); result < 0) return result;
    GLOVEBOX_REQUIRE_TYPE(info, XR_TYPE_INPUT_SOURCE_LOCALIZED_NAME_GET_INFO);
    if (info->whichComponents == 0) return refuse(XR_ERROR_VALIDATION_FAILURE, "no components asked for");
    const std::string path = runtime().instance_of(*session)->path_text(info->sourcePath);
    if (path.empty()) return refuse(XR_ERROR_PATH_INVALID, "no such path");
    return fill_text(path, capacity, count, out);
}

XrResult apply_haptic_feedback(XrSession handle, const XrHapticActionInfo* info, const XrHapticBaseHeader* haptic) {
    Runtime& r = runtime();
    Session* session = nullptr;
    Action* action = nullptr;
    std::string part;
    const XrResult result = find_haptic(handle, info, session, action, part);
    if (result != XR_SUCCESS) return result;
    const auto* vibration = reinterpret_cast<const XrHapticVibration*>(haptic);
    GLOVEBOX_REQUIRE_TYPE(vibration, XR_TYPE_HAPTIC_VIBRATION);
    if (!(vibration->amplitude >= 0.0F && vibration->amplitude <= 1.0F))
        return refuse(XR_ERROR_VALIDATION_FAILURE, "an amplitude is 0 to 1");
    if (vibration->duration <= 0 && vibration->duration != XR_MIN_HAPTIC_DURATION)
        return refuse(XR_ERROR_VALIDATION_FAILURE, "a duration is positive or XR_MIN_HAPTIC_DURATION");
    ++r.haptic_calls;
    for (const char* hand : kHands) {
        if (!starts_with(hand, part) || !action_is_bound(*session, *action, hand)) continue;
        const XrTime start = now(), longest = XR_INFINITE_DURATION - start;
        r.hands[hand == kHands[0] ? 0 : 1].vibrating_until =
            start + std::clamp<XrTime>(vibration->duration, 0, longest);
        r.write_log("haptic apply %s amplitude %.3f frequency %.1f duration_ns %lld", short_name(hand),
                    vibration->amplitude, vibration->frequency, static_cast<long long>(vibration->duration));
    }
    return XR_SUCCESS;
}

XrResult stop_haptic_feedback(XrSession handle, const XrHapticActionInfo* info) {
    Runtime& r = runtime();
    Session* session = nullptr;
    Action* action = nullptr;
    std::string part;
    const XrResult result = find_haptic(handle, info, session, action, part);
    if (result < 0) return result;
    ++r.haptic_calls;
    for (const char* hand : kHands) {
        if (!starts_with(hand, part)) continue;
        r.hands[hand == kHands[0] ? 0 : 1].vibrating_until = 0;
        r.write_log("haptic stop %s%s", short_name(hand), result == XR_SESSION_NOT_FOCUSED ? " (not focused)" : "");
    }
    return result;
}

}  // namespace glovebox::tests::runtime
