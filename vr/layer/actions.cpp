#include "vr/layer/actions.h"

#include <array>
#include <cmath>
#include <new>
#include <string>

#include "vr/layer/grips.h"
#include "vr/layer/hand_actions.h"
#include "vr/platform/platform.h"

namespace glovebox::vr::layer {
namespace {

using recordings::ActionSource;
using recordings::ActionState;

const char* name_of(XrActionType type) {
    switch (type) {
        case XR_ACTION_TYPE_BOOLEAN_INPUT:
            return "boolean";
        case XR_ACTION_TYPE_FLOAT_INPUT:
            return "float";
        case XR_ACTION_TYPE_VECTOR2F_INPUT:
            return "vector2f";
        case XR_ACTION_TYPE_POSE_INPUT:
            return "pose";
        case XR_ACTION_TYPE_VIBRATION_OUTPUT:
            return "vibration";
        default:
            return "other";
    }
}

// State from the replay, in place of the device's state.
struct Replayed {
    ActionState state;
    bool changed = false;  // since the last xrSyncActions
    XrTime last_change = 0;
};

std::optional<Replayed> replayed(const Session& session, const Action& action, ActionSource source) {
    const Instance& instance = *session.instance;
    const XrTime synced = session.synced.load(std::memory_order_relaxed);
    if (instance.replay == nullptr || synced == 0 || !instance.is_focused.load(std::memory_order_relaxed))
        return std::nullopt;
    const auto state = instance.replay->action_state(action.in_replay, source, synced);
    if (!state) return std::nullopt;
    Replayed out{*state, false, instance.replay->requested_at(state->time_ns, synced)};
    const XrTime before = session.synced_before.load(std::memory_order_relaxed);
    if (const auto last = instance.replay->action_state(action.in_replay, source, before); last && before != 0)
        out.changed = last->active && state->active && (last->x != state->x || last->y != state->y);
    return out;
}

void set_value(XrActionStateBoolean& out, const ActionState& state) {
    out.currentState = state.x > 0.5F ? XR_TRUE : XR_FALSE;
}
void set_value(XrActionStateFloat& out, const ActionState& state) {
    out.currentState = state.x;
}
void set_value(XrActionStateVector2f& out, const ActionState& state) {
    out.currentState = {state.x, state.y};
}

std::array<float, 2> value_of(const XrActionStateBoolean& state) {
    return {state.currentState == XR_TRUE ? 1.0F : 0.0F, 0.0F};
}
std::array<float, 2> value_of(const XrActionStateFloat& state) {
    return {state.currentState, 0.0F};
}
std::array<float, 2> value_of(const XrActionStateVector2f& state) {
    return {state.currentState.x, state.currentState.y};
}
std::array<float, 2> value_of(const XrActionStatePose&) {
    return {};
}

template <class State>
void replace(State& out, const Replayed& by) {
    out.isActive = by.state.active ? XR_TRUE : XR_FALSE;
    if constexpr (!std::is_same_v<State, XrActionStatePose>) {
        set_value(out, by.state);
        out.changedSinceLastSync = by.changed ? XR_TRUE : XR_FALSE;
        out.lastChangeTime = by.state.active ? by.last_change : 0;
    }
}

// Replaces the controllers' state by the supplied hands' state, or combines the two.
template <class State>
void replace(State& out, const HandState& by, const ActionState& as) {
    const bool is_larger = by.active && (out.isActive != XR_TRUE || std::abs(by.value) > std::abs(value_of(out)[0]));
    if (!by.is_whole && !is_larger) return;
    Replayed state{as, by.changed, by.last_change};
    state.state.active = by.active;
    state.state.x = by.value;
    replace(out, state);
}

template <class State, class Get>
XrResult get_state(XrSession handle, const XrActionStateGetInfo* info, State* out, Get Next::*get) {
    const Session* session = known().sessions.find(number_of(handle));
    if (session == nullptr) return XR_ERROR_HANDLE_INVALID;
    const Instance& instance = *session->instance;
    const XrResult result = (instance.next.*get)(handle, info, out);
    if (result < 0) return result;
    const Action* action = known().actions.find(number_of(info->action));
    const auto source = instance.source_of(info->subactionPath);
    if (action == nullptr || !source) return result;
    if (const auto state = replayed(*session, *action, *source))
        replace(*out, *state);
    else if (const auto by = hand_state(*session, *action, *source, std::is_same_v<State, XrActionStateBoolean>))
        replace(*out, *by, {0, action->in_record, *source, false, 0.0F, 0.0F});
    const XrTime synced = session->synced.load(std::memory_order_relaxed);
    if (instance.record == nullptr || action->in_record < 0 || synced == 0 ||
        !instance.was_focused.load(std::memory_order_acquire))
        return result;
    const auto [x, y] = value_of(*out);
    instance.record->action_state({0, action->in_record, *source, out->isActive == XR_TRUE, x, y}, synced);
    return result;
}

}  // namespace

std::string text_of(const Instance& instance, XrPath path) {
    std::uint32_t size = 0;
    if (path == XR_NULL_PATH || instance.next.path_to_string(instance.handle, path, 0, &size, nullptr) < 0) return {};
    std::string text(size, '\0');
    if (instance.next.path_to_string(instance.handle, path, size, &size, text.data()) < 0) return {};
    text.resize(text.find('\0') == text.npos ? text.size() : text.find('\0'));
    return text;
}

XrResult XRAPI_CALL create_action_set(XrInstance handle, const XrActionSetCreateInfo* info, XrActionSet* out) {
    Instance* instance = known().instances.find(number_of(handle));
    if (instance == nullptr) return XR_ERROR_HANDLE_INVALID;
    const XrResult result = instance->next.create_action_set(handle, info, out);
    if (result < 0) return result;
    instance->makes_actions.store(true, std::memory_order_relaxed);
    try {
        known().action_sets.add(number_of(*out), std::make_unique<ActionSet>(instance, info->actionSetName));
    } catch (const std::bad_alloc&) {
        // No room: the set's actions are the runtime's alone.
    }
    return result;
}

XrResult XRAPI_CALL destroy_action_set(XrActionSet handle) {
    const auto set = known().action_sets.remove(number_of(handle));
    const Instance* instance = set != nullptr ? set->instance : known().last.load();
    return instance == nullptr ? XR_ERROR_HANDLE_INVALID : instance->next.destroy_action_set(handle);
}

XrResult XRAPI_CALL create_action(XrActionSet handle, const XrActionCreateInfo* info, XrAction* out) {
    const ActionSet* set = known().action_sets.find(number_of(handle));
    Instance* instance = set != nullptr ? set->instance : known().last.load();
    if (instance == nullptr) return XR_ERROR_HANDLE_INVALID;
    const XrResult result = instance->next.create_action(handle, info, out);
    if (result < 0 || set == nullptr) return result;
    try {
        const char* type = name_of(info->actionType);
        auto action = std::make_unique<Action>();
        action->instance = instance;
        action->set = handle;
        action->type = info->actionType;
        if (instance->record) action->in_record = instance->record->new_action(set->name, info->actionName, type);
        if (instance->replay) action->in_replay = instance->replay->find_action(set->name, info->actionName, type);
        known().actions.add(number_of(*out), std::move(action));
    } catch (const std::bad_alloc&) {
        // No room: the action is the runtime's alone.
    }
    return result;
}

XrResult XRAPI_CALL destroy_action(XrAction handle) {
    const auto action = known().actions.remove(number_of(handle));
    const Instance* instance = action != nullptr ? action->instance : known().last.load();
    return instance == nullptr ? XR_ERROR_HANDLE_INVALID : instance->next.destroy_action(handle);
}

XrResult XRAPI_CALL sync_actions(XrSession handle, const XrActionsSyncInfo* info) {
    Session* session = known().sessions.find(number_of(handle));
    if (session == nullptr) return XR_ERROR_HANDLE_INVALID;
    const XrResult result = sync_with_grips(*session, info);
    if (result != XR_SUCCESS) return result;
    session->synced_before.store(session->synced.load(std::memory_order_relaxed), std::memory_order_relaxed);
    session->synced.store(session->displayed.load(std::memory_order_relaxed), std::memory_order_relaxed);
    sync_hands(*session, *info);
    return result;
}

XrResult XRAPI_CALL get_action_state_boolean(XrSession session, const XrActionStateGetInfo* info,
                                             XrActionStateBoolean* out) {
    return get_state(session, info, out, &Next::get_action_state_boolean);
}
XrResult XRAPI_CALL get_action_state_float(XrSession session, const XrActionStateGetInfo* info,
                                           XrActionStateFloat* out) {
    return get_state(session, info, out, &Next::get_action_state_float);
}
XrResult XRAPI_CALL get_action_state_vector2f(XrSession session, const XrActionStateGetInfo* info,
                                              XrActionStateVector2f* out) {
    return get_state(session, info, out, &Next::get_action_state_vector2f);
}
XrResult XRAPI_CALL get_action_state_pose(XrSession session, const XrActionStateGetInfo* info, XrActionStatePose* out) {
    return get_state(session, info, out, &Next::get_action_state_pose);
}

XrResult XRAPI_CALL get_current_interaction_profile(XrSession handle, XrPath top, XrInteractionProfileState* out) {
    const Session* session = known().sessions.find(number_of(handle));
    if (session == nullptr) return XR_ERROR_HANDLE_INVALID;
    Instance& instance = *session->instance;
    const XrResult result = instance.next.get_current_interaction_profile(handle, top, out);
    const auto source = instance.source_of(top);
    if (result < 0 || !source) return result;
    const XrTime displayed = session->displayed.load(std::memory_order_relaxed);
    try {
        if (uses_interaction_profile(*session, *source)) out->interactionProfile = instance.interaction_profile;
        if (instance.replay)
            if (const auto profile = instance.replay->interaction_profile(*source, displayed)) {
                out->interactionProfile = XR_NULL_PATH;
                if (!profile->empty())
                    instance.next.string_to_path(instance.handle, std::string(*profile).c_str(),
                                                 &out->interactionProfile);
            }
        std::atomic<XrPath>& kept = instance.cached_profiles[static_cast<std::size_t>(*source)];
        if (instance.record && kept.exchange(out->interactionProfile) != out->interactionProfile)
            instance.record->interaction_profile(*source, text_of(instance, out->interactionProfile), displayed);
    } catch (const std::bad_alloc&) {
        return XR_ERROR_OUT_OF_MEMORY;
    }
    return result;
}

XrResult XRAPI_CALL wait_frame(XrSession handle, const XrFrameWaitInfo* info, XrFrameState* out) {
    Session* session = known().sessions.find(number_of(handle));
    if (session == nullptr) return XR_ERROR_HANDLE_INVALID;
    const Instance& instance = *session->instance;
    const XrResult result = instance.next.wait_frame(handle, info, out);
    // Some runtimes return no display time in a headless session.
    if (result < 0 || out->predictedDisplayTime <= 0) return result;
    session->has_frames.store(true, std::memory_order_relaxed);
    session->displayed.store(out->predictedDisplayTime, std::memory_order_relaxed);
    if (instance.record && instance.was_focused.load(std::memory_order_acquire))
        instance.record->frame_waited(*out, now_ns());
    if (session->overlay) session->overlay->waited(*out, now_ns());
    return result;
}

XrResult XRAPI_CALL begin_frame(XrSession handle, const XrFrameBeginInfo* info) {
    const Session* session = known().sessions.find(number_of(handle));
    if (session == nullptr) return XR_ERROR_HANDLE_INVALID;
    const XrResult result = session->instance->next.begin_frame(handle, info);
    if (result >= 0 && session->instance->record) session->instance->record->frame_begun(now_ns());
    return result;
}

XrResult XRAPI_CALL end_frame(XrSession handle, const XrFrameEndInfo* info) {
    const Session* session = known().sessions.find(number_of(handle));
    if (session == nullptr) return XR_ERROR_HANDLE_INVALID;
    const std::int64_t ended_ns = now_ns();
    const XrResult result = session->overlay ? session->overlay->end_frame(info, session->view, ended_ns)
                                             : session->instance->next.end_frame(handle, info);
    if (result >= 0 && session->instance->record) session->instance->record->frame_ended(*info, ended_ns);
    return result;
}

}  // namespace glovebox::vr::layer
