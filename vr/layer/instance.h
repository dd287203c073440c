// What the layer knows of an application's OpenXR objects: instance, session, hand tracker, and who answers next.
//
// An application that did not enable XR_EXT_hand_tracking has an instance here too, so that its functions are found,
// but none of its calls is intercepted (layer.cpp).
#pragma once

#include <openxr/openxr.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <mutex>
#include <string>

#include "tracking/per_side.h"
#include "vr/layer/asked_for.h"
#include "vr/layer/glove_hand.h"
#include "vr/layer/hand_record.h"
#include "vr/layer/hand_replay.h"
#include "vr/layer/handle_table.h"
#include "vr/layer/loader_interface.h"
#include "vr/openxr/force_feedback_curl.h"

namespace glovebox::vr::layer {

/// The next layer's functions, or the runtime's. Those of extensions that it does not know are null.
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
    PFN_xrCreateHandTrackerEXT create_hand_tracker = nullptr;
    PFN_xrDestroyHandTrackerEXT destroy_hand_tracker = nullptr;
    PFN_xrLocateHandJointsEXT locate_hand_joints = nullptr;
    PFN_xrApplyForceFeedbackCurlMNDX apply_force_feedback_curl = nullptr;
    PFN_xrApplyHapticFeedback apply_haptic_feedback = nullptr;
    PFN_xrStopHapticFeedback stop_haptic_feedback = nullptr;
    PFN_xrStringToPath string_to_path = nullptr;
    PFN_xrSubmitDebugUtilsMessageEXT submit_debug_utils_message = nullptr;

    void find_all(XrInstance instance);
};

struct Instance {
    XrInstance handle = XR_NULL_HANDLE;
    Next next;
    AskedFor asked;
    bool uses_hands = false;                ///< the application enabled XR_EXT_hand_tracking
    bool uses_curl = false;                 ///< ... XR_MNDX_force_feedback_curl
    bool next_has_hands = false;            ///< the next layer or the runtime knows it
    bool next_has_curl = false;             ///< ... and this one
    std::atomic<bool> was_focused = false;  ///< recording and replay begin then
    std::atomic<bool> is_focused = false;

    tracking::PerSide<XrPath> hand_paths{};  ///< /user/hand/left and right, where haptics are recorded

    std::unique_ptr<HandRecord> record;  ///< these three: null where not asked for, or not to be had
    std::unique_ptr<HandReplay> replay;
    tracking::PerSide<std::unique_ptr<GloveHand>> gloves;

    /// Does anything of the application's go another way than without the layer?
    bool intercepts() const {
        return uses_hands && (asked.anything() || !next_has_hands || (uses_curl && !next_has_curl));
    }
    /// Does the layer have hands of its own to give?
    bool supplies() const { return replay || gloves[0] || gloves[1]; }
    bool has_forces() const {
        return std::ranges::any_of(gloves, [](const auto& glove) { return glove && glove->takes_forces(); });
    }
    /// The application has called.
    void lives() const;

    Instance() = default;
    ~Instance();  ///< gloves let go, the log is whole
    Instance(const Instance&) = delete;
    Instance& operator=(const Instance&) = delete;
    /// Opens what was asked for. What cannot be opened is said and left out.
    void open(const std::string& application, int number);
    void close();
    /// One line on standard error, and to the application's messengers where it has some. Empty: nothing.
    void say(const std::string& text) const;
};

struct Session {
    Instance* instance = nullptr;
    XrSession handle = XR_NULL_HANDLE;
    XrSpace local = XR_NULL_HANDLE;  ///< LOCAL itself: recorded hands are in it. Made with the first hand tracker
    std::mutex making_local;
};

struct HandTracker {
    Session* session = nullptr;
    tracking::Side side = tracking::Side::right;
    XrHandTrackerEXT of_next = XR_NULL_HANDLE;  ///< null: it is the layer's own
};

/// All that lives in this process.
struct Known {
    HandleTable<Instance, 64> instances;
    HandleTable<Session, 256> sessions;
    HandleTable<HandTracker, 1024> trackers;
    std::atomic<int> logs{0};  ///< begun by this process
};
Known& known();

/// The layer's part of xrCreateInstance, and of xrDestroyInstance.
XrResult XRAPI_CALL create_instance(const XrInstanceCreateInfo* info, const ApiLayerCreateInfo* layer, XrInstance* out);
XrResult XRAPI_CALL destroy_instance(XrInstance handle);

/// A structure in a chain of OpenXR's; null where it is not there.
template <class T>
T* in_chain(const void* chain, XrStructureType type) {
    auto* at = static_cast<XrBaseOutStructure*>(const_cast<void*>(chain));
    while (at != nullptr && at->type != type) at = at->next;
    return reinterpret_cast<T*>(at);
}

}  // namespace glovebox::vr::layer
