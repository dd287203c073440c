#include "vr/layer/instance.h"

#include <algorithm>
#include <cstdio>
#include <new>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "tracking/quoted.h"
#include "vr/platform/platform.h"

namespace glovebox::vr::layer {
namespace {

constexpr std::string_view kHands = XR_EXT_HAND_TRACKING_EXTENSION_NAME;
constexpr std::string_view kCurl = XR_MNDX_FORCE_FEEDBACK_CURL_EXTENSION_NAME;

bool is_ours(std::string_view extension) {
    return extension == kHands || extension == kCurl;
}

bool is_in(const std::vector<const char*>& names, std::string_view wanted) {
    return std::ranges::any_of(names, [&](const char* name) { return wanted == name; });
}

// What the runtime offers; empty where it does not say.
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

XrResult create_next(const XrInstanceCreateInfo& info, const std::vector<const char*>& extensions,
                     const ApiLayerCreateInfo& layer, XrInstance* out) {
    XrInstanceCreateInfo passed = info;
    passed.enabledExtensionCount = static_cast<std::uint32_t>(extensions.size());
    passed.enabledExtensionNames = extensions.data();
    ApiLayerCreateInfo next_layer = layer;
    next_layer.next_info = layer.next_info->next;
    return layer.next_info->next_create_instance(&passed, &next_layer, out);
}

// take.glove, take-2.glove ...: of an application that makes one instance after the other, as after a loss.
std::filesystem::path numbered(const std::filesystem::path& file, int number) {
    if (number < 2) return file;
    return file.parent_path() / (file.stem().string() + '-' + std::to_string(number) + file.extension().string());
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
    instance->asked = asked_for_by_environment();
    std::vector<const char*> asked(info.enabledExtensionNames, info.enabledExtensionNames + info.enabledExtensionCount);
    instance->uses_hands = is_in(asked, kHands);
    instance->uses_curl = is_in(asked, kCurl);

    // The manifest offers hands and forces whatever the runtime has: what it has not, it must not be asked for.
    std::vector<const char*> passed = asked;
    if (instance->uses_hands || instance->uses_curl) {
        // A layer in between may have them too, and cannot be asked before there is an instance.
        const bool is_last = layer.next_info->next == nullptr;
        const std::vector<std::string> offered =
            is_last ? offered_by(layer.next_info->next_get_instance_proc_addr) : std::vector<std::string>();
        if (!offered.empty())
            std::erase_if(passed, [&](const char* name) {
                return is_ours(name) && std::ranges::find(offered, name) == offered.end();
            });
    }
    XrResult result = create_next(info, passed, layer, out);
    // Force feedback alone first: it is the rarer one. Validation layers have their own word for what failed below.
    for (const std::string_view left_out : {kCurl, kHands}) {
        const bool may_be_it = result == XR_ERROR_EXTENSION_NOT_PRESENT || result == XR_ERROR_INITIALIZATION_FAILED;
        if (!may_be_it || !is_in(passed, left_out)) continue;
        std::erase_if(passed, [&](const char* name) { return left_out == name; });
        result = create_next(info, passed, layer, out);
    }
    if (result < 0) return result;
    instance->handle = *out;
    Next& next = instance->next;
    next.get_instance_proc_addr = layer.next_info->next_get_instance_proc_addr;
    next.find_all(*out);
    if (!is_in(asked, XR_EXT_DEBUG_UTILS_EXTENSION_NAME)) next.submit_debug_utils_message = nullptr;
    instance->next_has_hands = is_in(passed, kHands) && next.create_hand_tracker != nullptr &&
                               next.destroy_hand_tracker != nullptr && next.locate_hand_joints != nullptr;
    instance->next_has_curl = is_in(passed, kCurl) && next.apply_force_feedback_curl != nullptr;
    if (instance->uses_hands) {
        const int number = instance->asked.record.empty() ? 0 : ++known().logs;
        instance->open(info.applicationInfo.applicationName, number);
    }
    const PFN_xrDestroyInstance destroy = next.destroy_instance;
    if (known().instances.add(number_of(*out), std::move(instance)) != nullptr) return result;
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
    find("xrCreateHandTrackerEXT", create_hand_tracker);
    find("xrDestroyHandTrackerEXT", destroy_hand_tracker);
    find("xrLocateHandJointsEXT", locate_hand_joints);
    find("xrApplyForceFeedbackCurlMNDX", apply_force_feedback_curl);
    find("xrSubmitDebugUtilsMessageEXT", submit_debug_utils_message);
}

void Instance::open(const std::string& application, int number) {
    const auto attempt = [this](const char* instead, const auto& open_it) {
        try {
            open_it();
        } catch (const std::exception& error) {
            say(std::string(error.what()) + "; " + instead);
        }
    };
    const char* const own_hands = "the application gets its device's own hands";
    if (!asked.record.empty())
        attempt("nothing is recorded",
                [&] { record = std::make_unique<HandRecord>(numbered(asked.record, number), application); });
    if (!asked.replay.empty())
        attempt(own_hands, [&] {
            replay = std::make_unique<HandReplay>(asked.replay, asked.loop);
            const std::string of = replay->application();
            if (!of.empty() && of != application)
                say(asked.replay + ": was recorded of the application " + of + ", and this is " + application);
        });
    for (const tracking::Side side : tracking::kSides)
        if (!asked.glove[side].empty())
            attempt(own_hands, [&] {
                gloves[side] = std::make_unique<GloveHand>(asked.glove[side], side,
                                                           [this](const std::string& text) { say(text); });
            });
}

void Instance::close() {
    gloves = {};
    if (record) say(record->finish());
    record.reset();
}

Instance::~Instance() {
    // Where the application ends without xrDestroyInstance, there is nobody left to be told but the terminal.
    next = {};
    close();
}

void Instance::lives() const {
    for (const auto& glove : gloves)
        if (glove) glove->lives(now_ns(), is_focused.load(std::memory_order_relaxed));
}

void Instance::say(const std::string& text) const {
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
    known().sessions.remove_if([&](const Session& each) { return each.instance == instance; });
    instance->close();
    const PFN_xrDestroyInstance destroy = instance->next.destroy_instance;
    known().instances.remove(number_of(handle));
    return destroy(handle);
}

}  // namespace glovebox::vr::layer
