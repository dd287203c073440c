#include "vr/layer/instance.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdio>
#include <new>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "tracking/quoted.h"
#include "vr/layer/hand_actions.h"
#include "vr/platform/platform.h"

namespace glovebox::vr::layer {
namespace {

constexpr std::string_view kHands = XR_EXT_HAND_TRACKING_EXTENSION_NAME;
constexpr std::string_view kCurl = XR_MNDX_FORCE_FEEDBACK_CURL_EXTENSION_NAME;
constexpr std::string_view kInteraction = "XR_EXT_hand_interaction";

bool is_in(const std::vector<const char*>& names, std::string_view wanted) {
    return std::ranges::any_of(names, [&](const char* name) { return wanted == name; });
}

// Removes an extension, and with hand tracking those that depend on it.
void leave_out(std::string_view extension, std::vector<const char*>& names) {
    std::erase_if(names, [&](const std::string_view name) {
        const bool builds_on_hands =
            name.find("hand_tracking_") != name.npos || name.find("hand_joints_") != name.npos || name == kCurl;
        return name == extension || (extension == kHands && builds_on_hands);
    });
}

// Returns the extensions that the runtime offers; empty if it does not answer.
std::vector<std::string> offered_by(PFN_xrGetInstanceProcAddr get_instance_proc_addr) {
    PFN_xrVoidFunction found = nullptr;
    if (get_instance_proc_addr(XR_NULL_HANDLE, "xrEnumerateInstanceExtensionProperties", &found) < 0 ||
        found == nullptr)
        return {};
    const auto enumerate = reinterpret_cast<PFN_xrEnumerateInstanceExtensionProperties>(found);
    std::uint32_t count = 0;
    if (enumerate(nullptr, 0, &count, nullptr) < 0) return {};
    std::vector<XrExtensionProperties> rows(count, {XR_TYPE_EXTENSION_PROPERTIES, nullptr, {}, 0});
    if (enumerate(nullptr, count, &count, rows.data()) < 0) return {};
    std::vector<std::string> names;
    for (const XrExtensionProperties& row : rows) names.emplace_back(row.extensionName);
    return names;
}

struct Below {
    std::vector<std::string> offered;  ///< by the runtime
    bool other_layers = false;         ///< which may offer more

    /// False where the runtime does not say what it has.
    bool runtime_lacks(std::string_view extension) const {
        return !offered.empty() && std::ranges::find(offered, extension) == offered.end();
    }
};

Below find_next_layer(const ApiLayerCreateInfo& layer) {
    // Khronos' own layers only observe and supply no hands.
    constexpr std::array<std::string_view, 2> kOnlookers = {"XR_APILAYER_LUNARG_core_validation",
                                                            "XR_APILAYER_LUNARG_api_dump"};
    Below below;
    const ApiLayerNextInfo* last = layer.next_info;
    for (; last->next != nullptr; last = last->next)
        if (std::ranges::find(kOnlookers, std::string_view(last->next->layer_name)) == kOnlookers.end())
            below.other_layers = true;
    below.offered = offered_by(last->next_get_instance_proc_addr);
    return below;
}

XrResult create_next(const XrInstanceCreateInfo& info, const std::vector<const char*>& extensions,
                     const ApiLayerCreateInfo& layer, XrInstance* out) {
    XrInstanceCreateInfo passed = info;
    passed.enabledExtensionCount = static_cast<std::uint32_t>(extensions.size());
    passed.enabledExtensionNames = extensions.data();
    ApiLayerCreateInfo next_layer = layer;
    next_layer.next_info = layer.next_info->next;
    return layer.next_info->next_create_instance(&passed, &next_layer, out);
}

bool is_well_formed(const ApiLayerCreateInfo* layer) {
    if (layer == nullptr || layer->type != LoaderStruct::api_layer_create_info ||
        layer->version != kLoaderStructVersion || layer->size != sizeof *layer)
        return false;
    const ApiLayerNextInfo* next = layer->next_info;
    return next != nullptr && next->type == LoaderStruct::api_layer_next_info &&
           next->version == kLoaderStructVersion && next->size == sizeof *next &&
           std::string_view(next->layer_name) == kLayerName && next->next_get_instance_proc_addr != nullptr &&
           next->next_create_instance != nullptr;
}

XrResult make_instance(const XrInstanceCreateInfo& info, const ApiLayerCreateInfo& layer, XrInstance* out) {
    auto instance = std::make_unique<Instance>();
    instance->options = options_from_environment();
    std::vector<const char*> requested(info.enabledExtensionNames,
                                       info.enabledExtensionNames + info.enabledExtensionCount);
    instance->uses_hands = is_in(requested, kHands);
    instance->uses_curl = is_in(requested, kCurl);
    instance->uses_interaction = is_in(requested, kInteraction);

    // The manifest offers hands and forces whatever the runtime has. Extensions that the runtime lacks must not be
    // requested from it, but another layer below may have them.
    std::vector<const char*> passed = requested;
    std::vector<std::string_view> doubtful;
    if (instance->uses_hands || instance->uses_curl || instance->uses_interaction) {
        const Below below = find_next_layer(layer);
        for (const std::string_view ours : {kInteraction, kCurl, kHands})
            if (is_in(passed, ours) && below.runtime_lacks(ours)) {
                if (below.other_layers)
                    doubtful.push_back(ours);
                else
                    leave_out(ours, passed);
            }
    }
    const std::vector<const char*> most = passed;
    XrResult result = create_next(info, passed, layer, out);
    // Khronos' validation layer turns the first error into the second.
    const auto is_refused = [&result] {
        return result == XR_ERROR_EXTENSION_NOT_PRESENT || result == XR_ERROR_INITIALIZATION_FAILED;
    };
    // Try which of them another layer has, leaving out as few as possible.
    for (std::size_t left_out = 1; left_out <= doubtful.size(); ++left_out)
        for (unsigned set = 1; set < 1U << doubtful.size() && is_refused(); ++set) {
            if (std::popcount(set) != static_cast<int>(left_out)) continue;
            passed = most;
            for (std::size_t i = 0; i < doubtful.size(); ++i)
                if ((set >> i & 1U) != 0) leave_out(doubtful[i], passed);
            result = create_next(info, passed, layer, out);
        }
    if (result < 0) return result;
    instance->handle = *out;
    Next& next = instance->next;
    next.get_instance_proc_addr = layer.next_info->next_get_instance_proc_addr;
    next.find_all(*out);
    if (!is_in(requested, XR_EXT_DEBUG_UTILS_EXTENSION_NAME)) next.submit_debug_utils_message = nullptr;
    instance->next_has_hands = is_in(passed, kHands) && next.create_hand_tracker != nullptr &&
                               next.destroy_hand_tracker != nullptr && next.locate_hand_joints != nullptr;
    instance->next_has_curl = is_in(passed, kCurl) && next.apply_force_feedback_curl != nullptr;
    instance->next_has_interaction = is_in(passed, kInteraction);
    instance->open(info.applicationInfo.applicationName);
    const PFN_xrDestroyInstance destroy = next.destroy_instance;
    if (Instance* const added = known().instances.add(number_of(*out), std::move(instance)); added != nullptr) {
        known().last = added;
        return result;
    }
    destroy(*out);
    *out = XR_NULL_HANDLE;
    return XR_ERROR_LIMIT_REACHED;
}

}  // namespace

void Next::find_all(XrInstance instance) {
    const auto find = [&](const char* name, auto& function) {
        PFN_xrVoidFunction found = nullptr;
        if (get_instance_proc_addr(instance, name, &found) >= 0)
            function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(found);
    };
    find("xrDestroyInstance", destroy_instance);
    find("xrGetSystemProperties", get_system_properties);
    find("xrPollEvent", poll_event);
    find("xrCreateSession", create_session);
    find("xrDestroySession", destroy_session);
    find("xrCreateReferenceSpace", create_reference_space);
    find("xrDestroySpace", destroy_space);
    find("xrLocateSpace", locate_space);
    find("xrLocateSpacesKHR", locate_spaces);
    find("xrLocateSpaces", locate_spaces);
    find("xrCreateHandTrackerEXT", create_hand_tracker);
    find("xrDestroyHandTrackerEXT", destroy_hand_tracker);
    find("xrLocateHandJointsEXT", locate_hand_joints);
    find("xrApplyForceFeedbackCurlMNDX", apply_force_feedback_curl);
    find("xrApplyHapticFeedback", apply_haptic_feedback);
    find("xrStopHapticFeedback", stop_haptic_feedback);
    find("xrStringToPath", string_to_path);
    find("xrPathToString", path_to_string);
    find("xrCreateActionSpace", create_action_space);
    find("xrLocateViews", locate_views);
    find("xrCreateActionSet", create_action_set);
    find("xrDestroyActionSet", destroy_action_set);
    find("xrCreateAction", create_action);
    find("xrDestroyAction", destroy_action);
    find("xrSuggestInteractionProfileBindings", suggest_interaction_profile_bindings);
    find("xrAttachSessionActionSets", attach_session_action_sets);
    find("xrSyncActions", sync_actions);
    find("xrGetActionStateBoolean", get_action_state_boolean);
    find("xrGetActionStateFloat", get_action_state_float);
    find("xrGetActionStateVector2f", get_action_state_vector2f);
    find("xrGetActionStatePose", get_action_state_pose);
    find("xrGetCurrentInteractionProfile", get_current_interaction_profile);
    find("xrWaitFrame", wait_frame);
    find("xrBeginFrame", begin_frame);
    find("xrEndFrame", end_frame);
    find("xrEnumerateSwapchainFormats", enumerate_swapchain_formats);
    find("xrCreateSwapchain", create_swapchain);
    find("xrDestroySwapchain", destroy_swapchain);
    find("xrEnumerateSwapchainImages", enumerate_swapchain_images);
    find("xrAcquireSwapchainImage", acquire_swapchain_image);
    find("xrWaitSwapchainImage", wait_swapchain_image);
    find("xrReleaseSwapchainImage", release_swapchain_image);
    find("xrResultToString", result_to_string);
    find("xrSubmitDebugUtilsMessageEXT", submit_debug_utils_message);
}

void Instance::open(const std::string& application) {
    const auto attempt = [this](const char* instead, const auto& open_it) {
        try {
            open_it();
        } catch (const std::exception& error) {
            print_message(std::string(error.what()) + "; " + instead);
        }
    };
    const char* const own_hands = "the application gets its device's own hands";
    if (!options.record.empty())
        attempt("nothing is recorded", [&] { record = std::make_unique<Record>(options.record, application); });
    if (!options.replay.empty())
        attempt(own_hands, [&] {
            replay = std::make_unique<Replay>(options.replay, options.loop);
            const std::string& of = replay->application();
            if (!of.empty() && of != application)
                print_message(options.replay + ": was recorded of the application " + of + ", and this is " +
                              application);
            if (!uses_hands && !supplies_interaction() && !replay->has_application())
                print_message(options.replay + ": has only hands, and the application " + application + " uses none");
        });
    for (const tracking::Side side : tracking::kSides)
        if ((uses_hands || uses_interaction) && !options.glove[side].empty())
            attempt(own_hands, [&] {
                gloves[side] = std::make_unique<GloveHand>(options, side,
                                                           [this](const std::string& text) { print_message(text); });
            });
    if (supplies_interaction()) next.string_to_path(handle, kInteractionProfile, &interaction_profile);
    if (handles_actions()) {
        constexpr std::array kPaths = {"/user/hand/left", "/user/hand/right", "/user/head", "/user/gamepad"};
        for (std::size_t i = 0; i < kPaths.size(); ++i) next.string_to_path(handle, kPaths[i], &source_paths[1 + i]);
    }
}

void Instance::close() {
    gloves = {};
    if (record) print_message(record->finish(options.is_temporary));
    record.reset();
}

Instance::~Instance() {
    // If the application ends without xrDestroyInstance, its messengers may be gone: print to the terminal only.
    next = {};
    close();
}

void Instance::lives() const {
    for (const auto& glove : gloves)
        if (glove) glove->lives(now_ns(), is_focused.load(std::memory_order_relaxed));
}

void Instance::print_message(const std::string& text) const {
    if (text.empty()) return;
    const std::string line = tracking::printable(text);
    std::fprintf(stderr, "glovebox layer: %s\n", line.c_str());
    if (next.submit_debug_utils_message == nullptr) return;
    XrDebugUtilsMessengerCallbackDataEXT data{};
    data.type = XR_TYPE_DEBUG_UTILS_MESSENGER_CALLBACK_DATA_EXT;
    data.messageId = kLayerName;
    data.functionName = kLayerName;
    data.message = line.c_str();
    next.submit_debug_utils_message(handle, XR_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT,
                                    XR_DEBUG_UTILS_MESSAGE_TYPE_GENERAL_BIT_EXT, &data);
}

Known& known() {
    static Known all;
    return all;
}

XrResult XRAPI_CALL create_instance(const XrInstanceCreateInfo* info, const ApiLayerCreateInfo* layer,
                                    XrInstance* out) {
    if (info == nullptr || out == nullptr || !is_well_formed(layer)) return XR_ERROR_INITIALIZATION_FAILED;
    try {
        return make_instance(*info, *layer, out);
    } catch (const std::bad_alloc&) {
        return XR_ERROR_OUT_OF_MEMORY;
    } catch (const std::exception&) {
        return XR_ERROR_RUNTIME_FAILURE;
    }
}

XrResult XRAPI_CALL destroy_instance(XrInstance handle) {
    Instance* instance = known().instances.find(number_of(handle));
    if (instance == nullptr) return XR_ERROR_HANDLE_INVALID;
    known().trackers.remove_if([&](const HandTracker& each) { return each.session->instance == instance; });
    known().spaces.remove_if([&](const Space& each) { return each.session->instance == instance; });
    known().actions.remove_if([&](const Action& each) { return each.instance == instance; });
    known().action_sets.remove_if([&](const ActionSet& each) { return each.instance == instance; });
    known().sessions.remove_if([&](const Session& each) { return each.instance == instance; });
    Instance* gone = instance;
    known().last.compare_exchange_strong(gone, nullptr);
    instance->close();
    const PFN_xrDestroyInstance destroy = instance->next.destroy_instance;
    known().instances.remove(number_of(handle));
    return destroy(handle);
}

}  // namespace glovebox::vr::layer
