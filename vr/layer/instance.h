// The layer's state for an application's OpenXR objects: instance, session, space, action, hand tracker, next
// functions.
//
// An application that did not enable XR_EXT_hand_tracking also has an instance here, so that its functions are found.
// None of its calls are intercepted (layer.cpp), unless the user asks for a recording, a replay or the panel.
#pragma once

#include <openxr/openxr.h>

#include <Eigen/Geometry>

#include <algorithm>
#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "tracking/per_side.h"
#include "vr/layer/glove_hand.h"
#include "vr/layer/handle_table.h"
#include "vr/layer/layer_options.h"
#include "vr/layer/loader_interface.h"
#include "vr/layer/newest.h"
#include "vr/layer/overlay.h"
#include "vr/layer/record.h"
#include "vr/layer/replay.h"
#include "vr/openxr/force_feedback_curl.h"
#include "vr/openxr/locate_spaces.h"

namespace glovebox::vr::layer {

/// Functions of the next layer or of the runtime. A function of an extension that is not available is null.
struct Next {
    PFN_xrGetInstanceProcAddr get_instance_proc_addr = nullptr;
    PFN_xrDestroyInstance destroy_instance = nullptr;
    PFN_xrGetSystemProperties get_system_properties = nullptr;
    PFN_xrPollEvent poll_event = nullptr;
    PFN_xrCreateSession create_session = nullptr;
    PFN_xrDestroySession destroy_session = nullptr;
    PFN_xrCreateReferenceSpace create_reference_space = nullptr;
    PFN_xrDestroySpace destroy_space = nullptr;
    PFN_xrLocateSpace locate_space = nullptr;
    PFN_xrLocateSpacesKHR locate_spaces = nullptr;
    PFN_xrCreateHandTrackerEXT create_hand_tracker = nullptr;
    PFN_xrDestroyHandTrackerEXT destroy_hand_tracker = nullptr;
    PFN_xrLocateHandJointsEXT locate_hand_joints = nullptr;
    PFN_xrApplyForceFeedbackCurlMNDX apply_force_feedback_curl = nullptr;
    PFN_xrApplyHapticFeedback apply_haptic_feedback = nullptr;
    PFN_xrStopHapticFeedback stop_haptic_feedback = nullptr;
    PFN_xrStringToPath string_to_path = nullptr;
    PFN_xrPathToString path_to_string = nullptr;
    PFN_xrCreateActionSpace create_action_space = nullptr;
    PFN_xrLocateViews locate_views = nullptr;
    PFN_xrCreateActionSet create_action_set = nullptr;
    PFN_xrDestroyActionSet destroy_action_set = nullptr;
    PFN_xrCreateAction create_action = nullptr;
    PFN_xrDestroyAction destroy_action = nullptr;
    PFN_xrSuggestInteractionProfileBindings suggest_interaction_profile_bindings = nullptr;
    PFN_xrAttachSessionActionSets attach_session_action_sets = nullptr;
    PFN_xrSyncActions sync_actions = nullptr;
    PFN_xrGetActionStateBoolean get_action_state_boolean = nullptr;
    PFN_xrGetActionStateFloat get_action_state_float = nullptr;
    PFN_xrGetActionStateVector2f get_action_state_vector2f = nullptr;
    PFN_xrGetActionStatePose get_action_state_pose = nullptr;
    PFN_xrGetCurrentInteractionProfile get_current_interaction_profile = nullptr;
    PFN_xrWaitFrame wait_frame = nullptr;
    PFN_xrBeginFrame begin_frame = nullptr;
    PFN_xrEndFrame end_frame = nullptr;
    PFN_xrEnumerateSwapchainFormats enumerate_swapchain_formats = nullptr;
    PFN_xrCreateSwapchain create_swapchain = nullptr;
    PFN_xrDestroySwapchain destroy_swapchain = nullptr;
    PFN_xrEnumerateSwapchainImages enumerate_swapchain_images = nullptr;
    PFN_xrAcquireSwapchainImage acquire_swapchain_image = nullptr;
    PFN_xrWaitSwapchainImage wait_swapchain_image = nullptr;
    PFN_xrReleaseSwapchainImage release_swapchain_image = nullptr;
    PFN_xrResultToString result_to_string = nullptr;
    PFN_xrSubmitDebugUtilsMessageEXT submit_debug_utils_message = nullptr;

    void find_all(XrInstance instance);
};

struct Session;

/// The layer's own action, for controllers that track the wrists of gloves: see grips.h.
struct Grips {
    std::mutex mutex;  ///< held while the action is created, suggested and attached
    XrActionSet set = XR_NULL_HANDLE;
    XrAction action = XR_NULL_HANDLE;
    tracking::PerSide<XrPath> hands{}, inputs{};
    bool suggested = false;  ///< the binding was suggested for at least one profile
};

/// Values of a supplied hand's inputs of XR_EXT_hand_interaction: see hand_actions.h.
struct HandInputs {
    struct Input {
        float value = 0.0F;
        bool pressed = false;
        XrTime value_changed = 0, pressed_changed = 0;
    };
    static constexpr std::size_t kCount = 6;
    std::array<Input, kCount> inputs;
    bool active = false;  ///< the layer supplies a hand
};

/// Inputs at the last xrSyncActions and at the previous one.
struct HandInputsAtSync {
    std::uint64_t number = 0;  ///< number of syncs so far
    tracking::PerSide<HandInputs> now, before;
};

/// An application's instance.
struct Instance {
    XrInstance handle = XR_NULL_HANDLE;
    Next next;
    LayerOptions options;
    bool uses_hands = false;            ///< the application enabled XR_EXT_hand_tracking
    bool uses_curl = false;             ///< it enabled XR_MNDX_force_feedback_curl
    bool uses_interaction = false;      ///< it enabled XR_EXT_hand_interaction
    bool next_has_hands = false;        ///< the next layer or the runtime has XR_EXT_hand_tracking
    bool next_has_curl = false;         ///< it has XR_MNDX_force_feedback_curl
    bool next_has_interaction = false;  ///< it has XR_EXT_hand_interaction
    /// The application has had the focus at least once. Recording and replay begin with the first focus.
    std::atomic<bool> was_focused = false;
    std::atomic<bool> is_focused = false;

    /// /user/hand/left and so on, in the order of recordings::ActionSource; the first is XR_NULL_PATH.
    std::array<XrPath, recordings::kActionSourceCount> source_paths{};
    /// The profile recorded last for each source.
    std::array<std::atomic<XrPath>, recordings::kActionSourceCount> cached_profiles{};
    /// The session that had the focus last; null: none, or destroyed.
    std::atomic<const Session*> focused_session = nullptr;
    std::atomic<std::size_t> reported_profile_changes = 0;  ///< number of the replay's profile changes reported so far

    std::unique_ptr<Record> record;  ///< `record`, `replay` and `gloves` are null if not requested or not available
    std::unique_ptr<Replay> replay;
    tracking::PerSide<std::unique_ptr<GloveHand>> gloves;

    Grips grips;
    std::atomic<bool> makes_actions = false;           ///< the application has created an action set
    std::atomic<bool> binds_hands = false;             ///< it has bound actions to XR_EXT_hand_interaction's inputs
    XrPath interaction_profile = XR_NULL_PATH;         ///< path of that extension's profile
    std::atomic<std::size_t> interaction_changes = 0;  ///< number of times that a hand began or ceased to use it
    std::atomic<std::size_t> reported_interaction_changes = 0;  ///< number of these changes reported to the application

    /// Returns whether any of the application's calls are intercepted. Call open() first.
    bool intercepts() const {
        return (uses_hands && (options.anything() || !next_has_hands || (uses_curl && !next_has_curl))) ||
               supplies_interaction() || keeps_application() || sees();
    }
    /// Returns whether the layer implements XR_EXT_hand_interaction. For hands that it supplies it does so even if the
    /// runtime has the extension, because the runtime knows only the device's hands.
    bool supplies_interaction() const { return uses_interaction && (!next_has_interaction || supplies()); }
    bool has_gloves() const { return gloves[0] || gloves[1]; }
    /// Returns whether the application's spaces and actions are recorded, replayed or supplied.
    bool handles_actions() const { return keeps_application() || supplies_interaction(); }
    /// Returns whether head, controllers, actions and frames are recorded or replayed.
    bool keeps_application() const { return record || (replay && replay->has_application()); }
    /// Returns whether a panel is shown over the application's frames.
    bool sees() const { return !options.see.empty(); }
    /// Returns the action source of a path; empty if it is none.
    std::optional<recordings::ActionSource> source_of(XrPath path) const {
        const auto at = std::ranges::find(source_paths, path);
        if (at == source_paths.end()) return std::nullopt;
        return static_cast<recordings::ActionSource>(at - source_paths.begin());
    }
    /// Returns whether the layer supplies hands.
    bool supplies() const { return replays_hands() || has_gloves(); }
    bool replays_hands() const { return replay && replay->has_hands(); }
    bool has_forces() const {
        return std::ranges::any_of(gloves, [](const auto& glove) { return glove && glove->takes_forces(); });
    }
    /// Tells the gloves that the application is alive, because it has called a function.
    void lives() const;

    Instance() = default;
    ~Instance();  ///< releases the gloves and completes the log
    Instance(const Instance&) = delete;
    Instance& operator=(const Instance&) = delete;
    /// Opens record, replay and gloves as requested. Reports and omits those that cannot be opened.
    void open(const std::string& application);
    void close();
    /// Prints a line on standard error, and sends it to the application's debug messengers if it has any. Ignores empty
    /// text.
    void print_message(const std::string& text) const;
};

/// An application's session.
struct Session {
    Instance* instance = nullptr;
    XrSession handle = XR_NULL_HANDLE;
    /// LOCAL, the frame of recorded poses. Created with the session, or with the first hand tracker if only hands are
    /// recorded or replayed.
    XrSpace local = XR_NULL_HANDLE;
    XrSpace view = XR_NULL_HANDLE;  ///< VIEW, for recording the head and for the panel
    std::mutex making_spaces;
    /// The layer's own trackers of the device's hands, for the wrists of gloves; null: not needed, or not available.
    tracking::PerSide<XrHandTrackerEXT> watchers{};
    /// The application's time. This is the display time of its frame, or, if it has no frames, the last time for which
    /// it located a space or hand.
    std::atomic<XrTime> displayed = 0;
    std::atomic<bool> has_frames = false;
    /// Display times of the last two calls of xrSyncActions; 0: none.
    std::atomic<XrTime> synced = 0, synced_before = 0;

    tracking::PerSide<std::atomic<XrSpace>> grips{};   ///< spaces of the layer's action; null: none
    std::atomic<bool> has_grips = false;               ///< the layer's action set is attached
    std::atomic<bool> grips_are_own = false;           ///< the layer attached it by a call of its own
    std::atomic<int> frames_without_actions = 0;       ///< frames without action sets since the first hand was located
    std::atomic<XrTime> grips_requested = 0;           ///< display time of the frame that last needed a wrist
    tracking::PerSide<std::atomic<bool>> had_wrist{};  ///< the device has tracked a wrist of this gloved hand

    std::unique_ptr<Overlay> overlay;  ///< null: not requested, or not available

    std::mutex syncing;               ///< held by xrSyncActions while it writes `inputs`
    Newest<HandInputsAtSync> inputs;  ///< inputs of the supplied hands

    void located(XrTime time) {
        if (!has_frames.load(std::memory_order_relaxed)) displayed.store(time, std::memory_order_relaxed);
    }
};

/// A rigid transform with double positions and a quaternion, so that a conversion and its inverse give the same pose,
/// including the quaternion's sign.
struct Pose {
    Eigen::Vector3d position_m = Eigen::Vector3d::Zero();
    Eigen::Quaterniond orientation = Eigen::Quaterniond::Identity();

    Eigen::Vector3d operator*(const Eigen::Vector3d& point) const { return orientation * point + position_m; }
    Pose operator*(const Pose& other) const { return {*this * other.position_m, orientation * other.orientation}; }
    Pose inverse() const {
        const Eigen::Quaterniond back = orientation.conjugate();
        return {back * -position_m, back};
    }
};

/// An application's space.
struct Space {
    Session* session = nullptr;
    std::optional<recordings::PoseOf> of;  ///< the head or controller that the space follows; empty: none
    recordings::ActionSource source = recordings::ActionSource::any;
    std::int32_t record_action = -1, replay_action = -1;  ///< for controllers
    XrAction action = XR_NULL_HANDLE;                     ///< for controllers
    /// Pose of the space in the frame of the device; empty: identity.
    std::optional<Pose> offset;

    bool is_of_device() const { return of.has_value(); }
};

/// An application's action set.
struct ActionSet {
    explicit ActionSet(Instance* of = nullptr, std::string named = {}) : instance(of), name(std::move(named)) {}
    Instance* instance;
    std::string name;
    std::atomic<bool> attached = false;
    tracking::PerSide<std::atomic<std::uint64_t>> synced{};  ///< index of the last sync that included this set
};

/// An application's action.
struct Action {
    Instance* instance = nullptr;
    std::int32_t in_record = -1, in_replay = -1;  ///< ids of the action in recording and replay; -1: not in it
    XrActionSet set = XR_NULL_HANDLE;
    XrActionType type = XR_ACTION_TYPE_MAX_ENUM;
    tracking::PerSide<std::atomic<std::uint16_t>> hand_inputs{};  ///< bits of inputs (hand_actions.cpp)
};

/// An application's hand tracker.
struct HandTracker {
    Session* session = nullptr;
    tracking::Side side = tracking::Side::right;
    XrHandTrackerEXT of_next = XR_NULL_HANDLE;  ///< handle of the next layer's tracker; null: only this layer has it
};

/// All objects in this process.
struct Known {
    HandleTable<Instance, 64> instances;
    HandleTable<Session, 256> sessions;
    HandleTable<HandTracker, 1024> trackers;
    HandleTable<Space, 1024> spaces;
    HandleTable<ActionSet, 256> action_sets;
    HandleTable<Action, 1024> actions;
    std::atomic<Instance*> last = nullptr;  ///< the newest instance, to which handles in no table are attributed
};
Known& known();

/// Implement the layer's part of xrCreateInstance and xrDestroyInstance.
XrResult XRAPI_CALL create_instance(const XrInstanceCreateInfo* info, const ApiLayerCreateInfo* layer, XrInstance* out);
XrResult XRAPI_CALL destroy_instance(XrInstance handle);

/// Returns the structure of a type in an OpenXR `next` chain; null if the chain has none.
template <class T>
T* in_chain(const void* chain, XrStructureType type) {
    auto* at = static_cast<XrBaseOutStructure*>(const_cast<void*>(chain));
    while (at != nullptr && at->type != type) at = at->next;
    return reinterpret_cast<T*>(at);
}

}  // namespace glovebox::vr::layer
