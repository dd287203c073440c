#include "vr/layer/hand_actions.h"

#include <algorithm>
#include <array>
#include <bit>
#include <new>
#include <string_view>
#include <vector>

#include "tracking/openxr/hand_interaction.h"
#include "vr/layer/actions.h"
#include "vr/layer/grips.h"
#include "vr/layer/hands.h"
#include "vr/layer/spaces.h"
#include "vr/openxr/controller_profiles.h"

namespace glovebox::vr::layer {
namespace {

using recordings::ActionSource;
using recordings::AppPose;
using tracking::HandPose;
using tracking::Side;

// Inputs with a value first, in the order of HandInputs: each gesture, and whether it is ready. Then each HandPose.
constexpr std::size_t kFirstPose = HandInputs::kCount;
constexpr std::array<std::string_view, kFirstPose + tracking::kHandPoseCount> kInputNames = {
    "/input/pinch_ext/value",
    "/input/pinch_ext/ready_ext",
    "/input/aim_activate_ext/value",
    "/input/aim_activate_ext/ready_ext",
    "/input/grasp_ext/value",
    "/input/grasp_ext/ready_ext",
    "/input/grip/pose",
    "/input/aim/pose",
    "/input/pinch_ext/pose",
    "/input/poke_ext/pose"};
// A value counts as a pressed button from the first threshold on, until it falls below the second.
constexpr float kPress = 0.8F, kRelease = 0.6F;

std::uint16_t bit(std::size_t input) {
    return static_cast<std::uint16_t>(1U << input);
}

struct Binding {
    Side side = Side::left;
    std::size_t input = 0;
};

// An input may be named without its component, which follows from the action's type.
std::optional<Binding> read_binding(std::string_view path, XrActionType type) {
    for (const Side side : tracking::kSides) {
        const std::string_view hand = openxr::kHandPaths[static_cast<std::size_t>(side)];
        if (!path.starts_with(hand)) continue;
        const std::string_view rest = path.substr(hand.size());
        const bool is_pose = type == XR_ACTION_TYPE_POSE_INPUT;
        for (std::size_t i = 0; i < kInputNames.size(); ++i) {
            const std::string_view name = kInputNames[i], parent = name.substr(0, name.rfind('/'));
            if (rest == name || (rest == parent && is_pose == (i >= kFirstPose))) return Binding{side, i};
        }
    }
    return std::nullopt;
}

// The extension adds two poses to controllers; a runtime without it rejects them.
bool is_added_to_controllers(std::string_view path) {
    return path.find("/input/pinch_ext") != path.npos || path.find("/input/poke_ext") != path.npos;
}

XrResult add_bindings(Instance& instance, const XrInteractionProfileSuggestedBinding& info) {
    if (info.countSuggestedBindings == 0 || info.suggestedBindings == nullptr) return XR_ERROR_VALIDATION_FAILURE;
    struct Taken {
        Action* action;
        Binding binding;
    };
    std::vector<Taken> taken;
    for (std::uint32_t i = 0; i < info.countSuggestedBindings; ++i) {
        const XrActionSuggestedBinding& each = info.suggestedBindings[i];
        Action* action = known().actions.find(number_of(each.action));
        if (action == nullptr) return XR_ERROR_HANDLE_INVALID;
        const ActionSet* set = known().action_sets.find(number_of(action->set));
        if (set != nullptr && set->attached.load(std::memory_order_relaxed))
            return XR_ERROR_ACTIONSETS_ALREADY_ATTACHED;
        const auto binding = read_binding(text_of(instance, each.binding), action->type);
        if (binding)
            taken.push_back({action, *binding});
        else if (!instance.next_has_interaction)  // a runtime may know further inputs
            return XR_ERROR_PATH_UNSUPPORTED;
    }
    // They replace earlier suggestions.
    known().actions.for_each([&](Action& action) {
        if (action.instance == &instance)
            for (auto& inputs : action.hand_inputs) inputs.store(0, std::memory_order_relaxed);
    });
    for (const Taken& each : taken)
        each.action->hand_inputs[each.binding.side].fetch_or(bit(each.binding.input), std::memory_order_relaxed);
    instance.binds_hands.store(true, std::memory_order_relaxed);
    return XR_SUCCESS;
}

void change(HandInputs::Input& input, float value, bool pressed, XrTime time) {
    if (value != input.value) input.value_changed = time;
    if (pressed != input.pressed) input.pressed_changed = time;
    input.value = value;
    input.pressed = pressed;
}

void read_hand(const tracking::HandFrame& hand, XrTime time, HandInputs& out) {
    const auto gestures = tracking::gestures_of(hand);
    for (std::size_t g = 0; g < gestures.size(); ++g) {
        const tracking::GestureState& gesture = gestures[g];
        HandInputs::Input &value = out.inputs[2 * g], &ready = out.inputs[2 * g + 1];
        change(value, gesture.value, gesture.value >= (value.pressed ? kRelease : kPress), time);
        change(ready, gesture.ready ? 1.0F : 0.0F, gesture.ready, time);
    }
}

bool is_of(ActionSource source, Side side) {
    return source == ActionSource::any || source == (side == Side::left ? ActionSource::left : ActionSource::right);
}

// Returns the inputs of a hand that the action is bound to and that the last xrSyncActions has read.
unsigned live_inputs(const Action& action, Side side, const HandInputsAtSync& at) {
    const ActionSet* set = known().action_sets.find(number_of(action.set));
    if (set == nullptr || set->synced[side].load(std::memory_order_relaxed) != at.number) return 0;
    return action.hand_inputs[side].load(std::memory_order_relaxed);
}

// Empty if no hand is supplied.
std::optional<HandInputsAtSync> last_sync(const Session& session) {
    const Instance& instance = *session.instance;
    HandInputsAtSync at;
    if (!instance.supplies_interaction() || !instance.binds_hands.load(std::memory_order_relaxed) ||
        !instance.is_focused.load(std::memory_order_relaxed) || !session.inputs.read(at))
        return std::nullopt;
    return at;
}

// Returns the one of a hand's inputs with the largest value.
void add(const HandInputs& now, const HandInputs& before, unsigned bound, bool is_boolean, HandState& out,
         float& value_before) {
    for (std::size_t i = 0; i < HandInputs::kCount; ++i) {
        if ((bound & bit(i)) == 0) continue;
        const auto value_of = [&](const HandInputs::Input& input) {
            return is_boolean ? (input.pressed ? 1.0F : 0.0F) : input.value;
        };
        const HandInputs::Input& input = now.inputs[i];
        out.value = std::max(out.value, value_of(input));
        value_before = std::max(value_before, value_of(before.inputs[i]));
        out.last_change = std::max(out.last_change, is_boolean ? input.pressed_changed : input.value_changed);
    }
}

AppPose app_pose_of(const Eigen::Isometry3f& pose) {
    AppPose out;
    out.flags = recordings::pose_flags::kAll;
    out.position_m = pose.translation();
    out.orientation = Eigen::Quaternionf(pose.linear());
    return out;
}

}  // namespace

XrResult XRAPI_CALL suggest_interaction_profile_bindings(XrInstance handle,
                                                         const XrInteractionProfileSuggestedBinding* info) {
    Instance* instance = known().instances.find(number_of(handle));
    if (instance == nullptr) return XR_ERROR_HANDLE_INVALID;
    if (info == nullptr || info->type != XR_TYPE_INTERACTION_PROFILE_SUGGESTED_BINDING)
        return instance->next.suggest_interaction_profile_bindings(handle, info);
    try {
        const bool is_of_hands =
            instance->supplies_interaction() && info->interactionProfile == instance->interaction_profile;
        if (instance->next_has_interaction || !instance->supplies_interaction()) {
            // Hands that the layer does not supply remain the device's.
            const XrResult result = suggest_with_grips(*instance, *info);
            return result >= 0 && is_of_hands ? add_bindings(*instance, *info) : result;
        }
        if (is_of_hands) return add_bindings(*instance, *info);
        std::vector<XrActionSuggestedBinding> bindings;
        for (std::uint32_t i = 0; info->suggestedBindings != nullptr && i < info->countSuggestedBindings; ++i)
            if (!is_added_to_controllers(text_of(*instance, info->suggestedBindings[i].binding)))
                bindings.push_back(info->suggestedBindings[i]);
        if (bindings.empty() && info->countSuggestedBindings > 0) return XR_SUCCESS;
        XrInteractionProfileSuggestedBinding passed = *info;
        passed.countSuggestedBindings = static_cast<std::uint32_t>(bindings.size());
        passed.suggestedBindings = bindings.data();
        return suggest_with_grips(*instance, passed);
    } catch (const std::bad_alloc&) {
        return XR_ERROR_OUT_OF_MEMORY;
    }
}

XrResult XRAPI_CALL attach_session_action_sets(XrSession handle, const XrSessionActionSetsAttachInfo* info) {
    Session* session = known().sessions.find(number_of(handle));
    if (session == nullptr) return XR_ERROR_HANDLE_INVALID;
    try {
        const XrResult result = attach_with_grips(*session, info);
        for (std::uint32_t i = 0; result >= 0 && i < info->countActionSets; ++i)
            if (ActionSet* set = known().action_sets.find(number_of(info->actionSets[i])); set != nullptr)
                set->attached.store(true, std::memory_order_relaxed);
        return result;
    } catch (const std::bad_alloc&) {
        return XR_ERROR_OUT_OF_MEMORY;
    }
}

void sync_hands(Session& session, const XrActionsSyncInfo& info) {
    Instance& instance = *session.instance;
    if (!instance.supplies_interaction()) return;
    const std::lock_guard lock(session.syncing);
    HandInputsAtSync at;
    session.inputs.read(at);
    at.before = at.now;
    ++at.number;
    for (std::uint32_t i = 0; i < info.countActiveActionSets; ++i) {
        ActionSet* set = known().action_sets.find(number_of(info.activeActionSets[i].actionSet));
        const auto source = instance.source_of(info.activeActionSets[i].subactionPath);
        for (const Side side : tracking::kSides)
            if (set != nullptr && source && is_of(*source, side))
                set->synced[side].store(at.number, std::memory_order_relaxed);
    }
    const XrTime time = session.displayed.load(std::memory_order_relaxed);
    bool profiles_change = false;
    for (const Side side : tracking::kSides) {
        const auto hand = time > 0 ? supplied_hand(session, side, time) : std::nullopt;
        HandInputs& now = at.now[side];
        now.active = hand && hand->active;
        read_hand(now.active ? *hand : tracking::HandFrame(), time, now);
        profiles_change = profiles_change || now.active != at.before[side].active;
    }
    session.inputs.publish(at);
    if (profiles_change && instance.binds_hands.load(std::memory_order_relaxed)) ++instance.interaction_changes;
}

std::optional<HandState> hand_state(const Session& session, const Action& action, ActionSource source,
                                    bool is_boolean) {
    const auto at = last_sync(session);
    if (!at) return std::nullopt;
    HandState state;
    state.is_whole = true;
    bool is_any = false, was_active = false;
    float value_before = 0.0F;
    for (const Side side : tracking::kSides) {
        if (!is_of(source, side)) continue;
        if (!at->now[side].active) {
            state.is_whole = false;
            continue;
        }
        is_any = true;
        const unsigned bound = live_inputs(action, side, *at);
        if (bound == 0) continue;
        state.active = true;
        was_active = was_active || at->before[side].active;
        add(at->now[side], at->before[side], bound, is_boolean, state, value_before);
    }
    if (!is_any) return std::nullopt;
    state.changed = state.active && was_active && state.value != value_before;
    return state;
}

std::optional<AppPose> hand_pose(const Space& space, XrTime time) {
    const auto at = last_sync(*space.session);
    const Action* action = at ? known().actions.find(number_of(space.action)) : nullptr;
    if (action == nullptr) return std::nullopt;
    bool is_whole = true;
    for (const Side side : tracking::kSides) {
        if (!is_of(space.source, side)) continue;
        is_whole = is_whole && at->now[side].active;
        const unsigned poses = live_inputs(*action, side, *at) >> kFirstPose;
        if (!at->now[side].active || poses == 0) continue;
        const auto hand = supplied_hand(*space.session, side, time);
        const auto which = static_cast<HandPose>(std::countr_zero(poses));
        Eigen::Isometry3f local_from_pose;
        if (hand && tracking::pose_of(*hand, which, local_from_pose)) return app_pose_of(local_from_pose);
        return AppPose{};
    }
    if (is_whole) return AppPose{};
    return std::nullopt;
}

bool uses_interaction_profile(const Session& session, ActionSource source) {
    const auto at = last_sync(session);
    return at && std::ranges::any_of(tracking::kSides, [&](Side side) {
               return source != ActionSource::any && is_of(source, side) && at->now[side].active;
           });
}

}  // namespace glovebox::vr::layer
