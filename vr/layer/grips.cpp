#include "vr/layer/grips.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <new>
#include <string>
#include <vector>

#include "vr/layer/spaces.h"
#include "vr/openxr/controller_profiles.h"

namespace glovebox::vr::layer {
namespace {

using tracking::Side;

constexpr int kFramesWithoutActions = 100;  // after this many, the application uses no actions

template <std::size_t size>
void set_text(char (&out)[size], const char* text) {
    std::snprintf(out, size, "%s", text);
}

// Call with Grips::mutex held. Returns false if the runtime creates no action.
bool make_action(Instance& instance) {
    Grips& grips = instance.grips;
    if (grips.action != XR_NULL_HANDLE) return true;
    const Next& next = instance.next;
    for (const Side side : tracking::kSides) {
        const std::string hand = openxr::kHandPaths[static_cast<std::size_t>(side)];
        if (next.string_to_path(instance.handle, hand.c_str(), &grips.hands[side]) < 0 ||
            next.string_to_path(instance.handle, (hand + openxr::kGripPose).c_str(), &grips.inputs[side]) < 0)
            return false;
    }
    XrActionSetCreateInfo set{};
    set.type = XR_TYPE_ACTION_SET_CREATE_INFO;
    set_text(set.actionSetName, "glovebox_layer");
    set_text(set.localizedActionSetName, "Glovebox layer");
    if (grips.set == XR_NULL_HANDLE && next.create_action_set(instance.handle, &set, &grips.set) < 0) return false;
    XrActionCreateInfo action{};
    action.type = XR_TYPE_ACTION_CREATE_INFO;
    action.actionType = XR_ACTION_TYPE_POSE_INPUT;
    set_text(action.actionName, "glove_wrist");
    set_text(action.localizedActionName, "Wrist of a glove");
    action.countSubactionPaths = 2;
    action.subactionPaths = &grips.hands[Side::left];
    return next.create_action(grips.set, &action, &grips.action) >= 0;
}

// Creates the action again. Returns false while a session uses the old one.
bool make_action_again(Instance& instance) {
    bool is_used = false;
    known().sessions.for_each([&](const Session& each) {
        is_used = is_used || (each.instance == &instance && each.has_grips.load(std::memory_order_acquire));
    });
    if (is_used) return false;
    instance.next.destroy_action_set(instance.grips.set);
    instance.grips.set = XR_NULL_HANDLE;
    instance.grips.action = XR_NULL_HANDLE;
    return make_action(instance);
}

// Adds the bindings of both hands.
void add_grips(const Grips& grips, std::vector<XrActionSuggestedBinding>& bindings) {
    for (const Side side : tracking::kSides) bindings.push_back({grips.action, grips.inputs[side]});
}

void suggest_for_all_controllers(Instance& instance) {
    std::vector<XrActionSuggestedBinding> bindings;
    add_grips(instance.grips, bindings);
    for (const openxr::ControllerProfile& profile : openxr::kControllerProfiles) {
        if (profile.needs_hand_interaction) continue;
        XrInteractionProfileSuggestedBinding info{};
        info.type = XR_TYPE_INTERACTION_PROFILE_SUGGESTED_BINDING;
        info.countSuggestedBindings = static_cast<std::uint32_t>(bindings.size());
        info.suggestedBindings = bindings.data();
        if (instance.next.string_to_path(instance.handle, profile.path, &info.interactionProfile) >= 0 &&
            instance.next.suggest_interaction_profile_bindings(instance.handle, &info) >= 0)
            instance.grips.suggested = true;
    }
}

void make_grip_spaces(Session& session) {
    const Grips& grips = session.instance->grips;
    for (const Side side : tracking::kSides) {
        XrActionSpaceCreateInfo info{};
        info.type = XR_TYPE_ACTION_SPACE_CREATE_INFO;
        info.action = grips.action;
        info.subactionPath = grips.hands[side];
        info.poseInActionSpace.orientation.w = 1.0F;
        XrSpace space = XR_NULL_HANDLE;
        if (session.instance->next.create_action_space(session.handle, &info, &space) >= 0)
            session.grips[side].store(space, std::memory_order_relaxed);
    }
    session.has_grips.store(true, std::memory_order_release);
}

// Attaches the layer's set alone, for applications without actions. Once per session.
void attach_own_grips(Session& session) {
    const XrSessionActionSetsAttachInfo info{XR_TYPE_SESSION_ACTION_SETS_ATTACH_INFO, nullptr, 0, nullptr};
    if (attach_with_grips(session, &info) >= 0) session.grips_are_own.store(true, std::memory_order_release);
}

// Called once per frame of the application.
void sync_own_grips(Session& session) {
    const XrTime displayed = session.displayed.load(std::memory_order_relaxed);
    if (session.grips_requested.exchange(displayed, std::memory_order_relaxed) == displayed) return;
    if (session.grips_are_own.load(std::memory_order_acquire)) {
        const XrActionsSyncInfo info{XR_TYPE_ACTIONS_SYNC_INFO, nullptr, 0, nullptr};
        sync_with_grips(session, &info);
    } else if (!session.has_grips.load(std::memory_order_acquire) &&
               !session.instance->makes_actions.load(std::memory_order_relaxed) &&
               session.instance->is_focused.load(std::memory_order_relaxed) &&
               session.frames_without_actions.fetch_add(1, std::memory_order_relaxed) == kFramesWithoutActions) {
        attach_own_grips(session);
    }
}

}  // namespace

XrResult suggest_with_grips(Instance& instance, const XrInteractionProfileSuggestedBinding& info) {
    const auto suggest = instance.next.suggest_interaction_profile_bindings;
    const std::lock_guard lock(instance.grips.mutex);
    if (!instance.has_gloves() || info.countSuggestedBindings == 0 || info.suggestedBindings == nullptr ||
        !make_action(instance))
        return suggest(instance.handle, &info);
    std::vector<XrActionSuggestedBinding> bindings(info.suggestedBindings,
                                                   info.suggestedBindings + info.countSuggestedBindings);
    add_grips(instance.grips, bindings);
    XrInteractionProfileSuggestedBinding passed = info;
    passed.countSuggestedBindings = static_cast<std::uint32_t>(bindings.size());
    passed.suggestedBindings = bindings.data();
    XrResult result = suggest(instance.handle, &passed);
    // The profile has no hands (such as that for eyes), or the layer's set belongs to a destroyed session.
    if (result == XR_ERROR_PATH_UNSUPPORTED || result == XR_ERROR_ACTIONSETS_ALREADY_ATTACHED) {
        const XrResult alone = suggest(instance.handle, &info);
        if (alone < 0 || result == XR_ERROR_PATH_UNSUPPORTED || !make_action_again(instance)) return alone;
        bindings.resize(info.countSuggestedBindings);
        add_grips(instance.grips, bindings);
        result = suggest(instance.handle, &passed);
    }
    if (result >= 0) instance.grips.suggested = true;
    return result;
}

XrResult attach_with_grips(Session& session, const XrSessionActionSetsAttachInfo* info) {
    Instance& instance = *session.instance;
    const auto attach = instance.next.attach_session_action_sets;
    if (info == nullptr || info->type != XR_TYPE_SESSION_ACTION_SETS_ATTACH_INFO ||
        (info->countActionSets > 0 && info->actionSets == nullptr) || !instance.has_gloves())
        return attach(session.handle, info);
    const std::lock_guard lock(instance.grips.mutex);
    if (!make_action(instance)) return attach(session.handle, info);
    if (!instance.grips.suggested) suggest_for_all_controllers(instance);
    std::vector<XrActionSet> sets(info->actionSets, info->actionSets + info->countActionSets);
    sets.push_back(instance.grips.set);
    XrSessionActionSetsAttachInfo passed = *info;
    passed.countActionSets = static_cast<std::uint32_t>(sets.size());
    passed.actionSets = sets.data();
    const XrResult result = attach(session.handle, &passed);
    if (result >= 0) make_grip_spaces(session);
    if (result == XR_ERROR_ACTIONSETS_ALREADY_ATTACHED && session.grips_are_own.load(std::memory_order_acquire))
        instance.print_message(
            "the application attaches its actions too late: the layer has attached its own for the wrist");
    return result;
}

XrResult sync_with_grips(Session& session, const XrActionsSyncInfo* info) {
    const auto sync = session.instance->next.sync_actions;
    constexpr std::size_t kMaxSets = 64;
    if (!session.has_grips.load(std::memory_order_acquire) || info == nullptr ||
        info->type != XR_TYPE_ACTIONS_SYNC_INFO || info->countActiveActionSets >= kMaxSets ||
        (info->countActiveActionSets > 0 && info->activeActionSets == nullptr))
        return sync(session.handle, info);
    std::array<XrActiveActionSet, kMaxSets> sets;
    XrActiveActionSet* const end = std::copy_n(info->activeActionSets, info->countActiveActionSets, sets.data());
    *end = {session.instance->grips.set, XR_NULL_PATH};
    XrActionsSyncInfo passed = *info;
    passed.countActiveActionSets = info->countActiveActionSets + 1;
    passed.activeActionSets = sets.data();
    return sync(session.handle, &passed);
}

std::optional<Pose> find_grip(Session& session, Side side, XrTime time) {
    try {
        sync_own_grips(session);
    } catch (const std::bad_alloc&) {
        return std::nullopt;  // without its action, as if there were no controller
    }
    if (!session.has_grips.load(std::memory_order_acquire)) return std::nullopt;
    const XrSpace grip = session.grips[side].load(std::memory_order_relaxed);
    XrSpaceLocation found{};
    found.type = XR_TYPE_SPACE_LOCATION;
    if (grip == XR_NULL_HANDLE || session.instance->next.locate_space(grip, session.local, time, &found) < 0 ||
        (found.locationFlags & recordings::pose_flags::kValid) != recordings::pose_flags::kValid)
        return std::nullopt;
    return pose_of(found.pose);
}

}  // namespace glovebox::vr::layer
