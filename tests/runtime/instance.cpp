#include <openxr/openxr_reflection.h>

#include <algorithm>
#include <cstring>

#include "tests/runtime/functions.h"
#include "tests/runtime/graphics.h"
#include "tests/runtime/vulkan.h"

namespace glovebox::tests::runtime {
namespace {

struct ExtensionRow {
    const char* name;
    std::uint32_t version;
    bool needs_opengl = false;
    bool needs_egl = false;
    bool needs_vulkan = false;
};
constexpr std::array<ExtensionRow, 14> kExtensions{{
    {XR_EXT_HAND_TRACKING_EXTENSION_NAME, XR_EXT_hand_tracking_SPEC_VERSION},
    {XR_EXT_HAND_JOINTS_MOTION_RANGE_EXTENSION_NAME, XR_EXT_hand_joints_motion_range_SPEC_VERSION},
    {XR_MND_HEADLESS_EXTENSION_NAME, XR_MND_headless_SPEC_VERSION},
    {XR_MNDX_FORCE_FEEDBACK_CURL_EXTENSION_NAME, XR_MNDX_force_feedback_curl_SPEC_VERSION},
    {"XR_EXT_hand_interaction", 1},
    {XR_EXT_DEBUG_UTILS_EXTENSION_NAME, XR_EXT_debug_utils_SPEC_VERSION},
    {XR_FB_HAND_TRACKING_MESH_EXTENSION_NAME, XR_FB_hand_tracking_mesh_SPEC_VERSION},
    {"XR_MNDX_egl_enable", 1, true, true},
    {XR_FB_DISPLAY_REFRESH_RATE_EXTENSION_NAME, XR_FB_display_refresh_rate_SPEC_VERSION},
    {XR_KHR_COMPOSITION_LAYER_DEPTH_EXTENSION_NAME, XR_KHR_composition_layer_depth_SPEC_VERSION, true},
    {"XR_KHR_convert_timespec_time", 1},
    {XR_KHR_LOCATE_SPACES_EXTENSION_NAME, XR_KHR_locate_spaces_SPEC_VERSION},
    {"XR_KHR_opengl_enable", 10, true},
    {"XR_KHR_vulkan_enable2", 2, true, false, true},
}};

std::vector<ExtensionRow> offered() {
    std::vector<ExtensionRow> rows;
    for (const ExtensionRow& row : kExtensions)
        if (!runtime().script.without.contains(row.name) && (kHasOpenGl || !row.needs_opengl) &&
            (kHasEgl || !row.needs_egl) && (kHasVulkan || !row.needs_vulkan))
            rows.push_back(row);
    return rows;
}

constexpr XrSystemId kSystem = 1;

XrResult check_system(XrSystemId system) {
    return system == kSystem ? XR_SUCCESS : refuse(XR_ERROR_SYSTEM_INVALID, "no such system");
}
XrResult check_stereo(XrViewConfigurationType type) {
    return type == XR_VIEW_CONFIGURATION_TYPE_PRIMARY_STEREO
               ? XR_SUCCESS
               : refuse(XR_ERROR_VIEW_CONFIGURATION_TYPE_UNSUPPORTED, "the only view configuration is stereo");
}
XrResult first_fault(std::initializer_list<XrResult> results) {
    for (const XrResult result : results)
        if (result < 0) return result;
    return XR_SUCCESS;
}

bool well_formed(const std::string& path) {
    if (path.size() < 2 || path[0] != '/' || path.back() == '/' || path.find("//") != std::string::npos) return false;
    return path.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-_./") == std::string::npos &&
           path.find("/.") == std::string::npos;
}

}  // namespace

XrResult enumerate_instance_extension_properties(const char* layer, std::uint32_t capacity, std::uint32_t* count,
                                                 XrExtensionProperties* out) {
    if (layer != nullptr) return refuse(XR_ERROR_API_LAYER_NOT_PRESENT, "a runtime has no layers");
    const std::vector<ExtensionRow> rows = offered();
    for (std::uint32_t i = 0; i < capacity && out != nullptr && i < rows.size(); ++i)
        if (out[i].type != XR_TYPE_EXTENSION_PROPERTIES)
            return refuse(XR_ERROR_VALIDATION_FAILURE, "an XrExtensionProperties without its type");
    return fill(capacity, count, rows.size(), [&](std::size_t i) {
        std::strncpy(out[i].extensionName, rows[i].name, XR_MAX_EXTENSION_NAME_SIZE - 1);
        out[i].extensionVersion = rows[i].version;
    });
}

XrResult create_instance(const XrInstanceCreateInfo* info, XrInstance* out) {
    Runtime& r = runtime();
    GLOVEBOX_REQUIRE_TYPE(info, XR_TYPE_INSTANCE_CREATE_INFO);
    if (!r.script_fault.empty()) return refuse(XR_ERROR_RUNTIME_FAILURE, r.script_fault.c_str());
    if (r.script.unavailable > 0) {
        --r.script.unavailable;
        return XR_ERROR_RUNTIME_UNAVAILABLE;
    }
    if (now() < r.back_at) return XR_ERROR_RUNTIME_UNAVAILABLE;
    if (info->applicationInfo.applicationName[0] == '\0')
        return refuse(XR_ERROR_NAME_INVALID, "the application has no name");
    if (XR_VERSION_MAJOR(info->applicationInfo.apiVersion) != 1)
        return refuse(XR_ERROR_API_VERSION_UNSUPPORTED, "this is OpenXR 1.0");
    if (r.only_instance() != nullptr) return refuse(XR_ERROR_LIMIT_REACHED, "one instance at a time");
    if (now() < r.instance_lost_at)
        return refuse(XR_ERROR_LIMIT_REACHED, "an instance before the time of the loss that was announced");
    std::set<std::string> names;
    const std::vector<ExtensionRow> rows = offered();
    for (std::uint32_t i = 0; i < info->enabledExtensionCount; ++i) {
        const std::string name = info->enabledExtensionNames[i];
        // The loader implements debug_utils itself too, and passes the name on even if the runtime does not offer it.
        const bool known =
            name == XR_EXT_DEBUG_UTILS_EXTENSION_NAME ||
            std::any_of(rows.begin(), rows.end(), [&](const ExtensionRow& row) { return row.name == name; });
        if (!known) return refuse(XR_ERROR_EXTENSION_NOT_PRESENT, info->enabledExtensionNames[i]);
        names.insert(name);
    }
    Instance& instance = r.make<Instance>(0);
    instance.extensions = names;
    r.instance_lost_at = 0;
    r.write_log("instance made for %s", info->applicationInfo.applicationName);
    *out = handle_of<XrInstance>(instance);
    return XR_SUCCESS;
}

XrResult destroy_instance(XrInstance handle) {
    Runtime& r = runtime();
    if (r.find<Instance>(number_of(handle)) == nullptr) return refuse(XR_ERROR_HANDLE_INVALID, "no such instance");
    r.write_log("instance destroyed");
    r.destroy(number_of(handle));
    return XR_SUCCESS;
}

XrResult create_debug_utils_messenger(XrInstance handle, const XrDebugUtilsMessengerCreateInfoEXT* info,
                                      XrDebugUtilsMessengerEXT* out) {
    Instance* instance = nullptr;
    if (const XrResult result = look_up(handle, instance); result < 0) return result;
    GLOVEBOX_REQUIRE_TYPE(info, XR_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT);
    if (info->userCallback == nullptr || info->messageSeverities == 0 || info->messageTypes == 0)
        return refuse(XR_ERROR_VALIDATION_FAILURE, "a messenger without a callback, severities or types");
    Messenger& messenger = runtime().make<Messenger>(instance->handle);
    messenger.info = *info;
    *out = handle_of<XrDebugUtilsMessengerEXT>(messenger);
    return XR_SUCCESS;
}

XrResult destroy_debug_utils_messenger(XrDebugUtilsMessengerEXT handle) {
    if (runtime().find<Messenger>(number_of(handle)) == nullptr)
        return refuse(XR_ERROR_HANDLE_INVALID, "no such messenger");
    runtime().destroy(number_of(handle));
    return XR_SUCCESS;
}

XrResult submit_debug_utils_message(XrInstance handle, XrDebugUtilsMessageSeverityFlagsEXT severity,
                                    XrDebugUtilsMessageTypeFlagsEXT type,
                                    const XrDebugUtilsMessengerCallbackDataEXT* data) {
    Instance* instance = nullptr;
    if (const XrResult result = look_up(handle, instance); result < 0) return result;
    GLOVEBOX_REQUIRE_TYPE(data, XR_TYPE_DEBUG_UTILS_MESSENGER_CALLBACK_DATA_EXT);
    tell(severity, type, data->functionName, data->message);
    return XR_SUCCESS;
}

XrResult set_debug_utils_object_name(XrInstance handle, const XrDebugUtilsObjectNameInfoEXT* info) {
    Instance* instance = nullptr;
    if (const XrResult result = look_up(handle, instance); result < 0) return result;
    GLOVEBOX_REQUIRE_TYPE(info, XR_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT);
    return XR_SUCCESS;
}

XrResult get_instance_properties(XrInstance handle, XrInstanceProperties* out) {
    Instance* instance = nullptr;
    if (const XrResult result = look_up(handle, instance); result < 0) return result;
    GLOVEBOX_REQUIRE_TYPE(out, XR_TYPE_INSTANCE_PROPERTIES);
    out->runtimeVersion = XR_MAKE_VERSION(0, 1, 0);
    std::strcpy(out->runtimeName, "Hand test runtime");
    return XR_SUCCESS;
}

XrResult poll_event(XrInstance handle, XrEventDataBuffer* out) {
    Instance* instance = nullptr;
    if (const XrResult result = look_up(handle, instance); result < 0) return result;
    if (out == nullptr || out->type != XR_TYPE_EVENT_DATA_BUFFER)
        return refuse(XR_ERROR_VALIDATION_FAILURE, "the event buffer's type was not set again");
    if (instance->events.empty()) return XR_EVENT_UNAVAILABLE;
    *out = instance->events.front();
    instance->events.pop_front();
    return XR_SUCCESS;
}

XrResult result_to_string(XrInstance, XrResult value, char* out) {
    switch (value) {
#define GLOVEBOX_CASE(name, number)                          \
    case name:                                               \
        std::strncpy(out, #name, XR_MAX_RESULT_STRING_SIZE); \
        return XR_SUCCESS;
        XR_LIST_ENUM_XrResult(GLOVEBOX_CASE)
#undef GLOVEBOX_CASE
            default : break;
    }
    std::snprintf(out, XR_MAX_RESULT_STRING_SIZE, "XR_UNKNOWN_%s_%d", value < 0 ? "FAILURE" : "SUCCESS", value);
    return XR_SUCCESS;
}

XrResult structure_type_to_string(XrInstance, XrStructureType value, char* out) {
    switch (value) {
#define GLOVEBOX_CASE(name, number)                           \
    case name:                                                \
        std::strncpy(out, #name, XR_MAX_STRUCTURE_NAME_SIZE); \
        return XR_SUCCESS;
        XR_LIST_ENUM_XrStructureType(GLOVEBOX_CASE)
#undef GLOVEBOX_CASE
            default : break;
    }
    std::snprintf(out, XR_MAX_STRUCTURE_NAME_SIZE, "XR_UNKNOWN_STRUCTURE_TYPE_%d", value);
    return XR_SUCCESS;
}

XrResult string_to_path(XrInstance handle, const char* text, XrPath* out) {
    Instance* instance = nullptr;
    if (const XrResult result = look_up(handle, instance); result < 0) return result;
    if (text == nullptr || !well_formed(text)) return refuse(XR_ERROR_PATH_FORMAT_INVALID, text == nullptr ? "" : text);
    *out = instance->path_of(text);
    return XR_SUCCESS;
}

XrResult path_to_string(XrInstance handle, XrPath path, std::uint32_t capacity, std::uint32_t* count, char* out) {
    Instance* instance = nullptr;
    if (const XrResult result = look_up(handle, instance); result < 0) return result;
    const std::string text = instance->path_text(path);
    if (text.empty()) return refuse(XR_ERROR_PATH_INVALID, "no such path");
    return fill_text(text, capacity, count, out);
}

XrResult get_system(XrInstance handle, const XrSystemGetInfo* info, XrSystemId* out) {
    Runtime& r = runtime();
    Instance* instance = nullptr;
    if (const XrResult result = look_up(handle, instance); result < 0) return result;
    GLOVEBOX_REQUIRE_TYPE(info, XR_TYPE_SYSTEM_GET_INFO);
    if (info->formFactor != XR_FORM_FACTOR_HEAD_MOUNTED_DISPLAY)
        return refuse(XR_ERROR_FORM_FACTOR_UNSUPPORTED, "only a head-mounted display");
    if (r.script.no_headset > 0) {
        --r.script.no_headset;
        return XR_ERROR_FORM_FACTOR_UNAVAILABLE;
    }
    if (now() < r.headset_back_at) return XR_ERROR_FORM_FACTOR_UNAVAILABLE;
    *out = kSystem;
    return XR_SUCCESS;
}

XrResult get_system_properties(XrInstance handle, XrSystemId system, XrSystemProperties* out) {
    const Script& script = runtime().script;
    Instance* instance = nullptr;
    if (const XrResult result = first_fault({look_up(handle, instance), check_system(system)}); result < 0)
        return result;
    GLOVEBOX_REQUIRE_TYPE(out, XR_TYPE_SYSTEM_PROPERTIES);
    out->systemId = kSystem;
    out->vendorId = 0x6762;
    std::strcpy(out->systemName, "Scripted headset");
    out->graphicsProperties = {
        4096, 4096, static_cast<std::uint32_t>(script.layers_said > 0 ? script.layers_said : script.most_layers)};
    out->trackingProperties = {XR_TRUE, XR_TRUE};
    if (auto* hands =
            in_chain<XrSystemHandTrackingPropertiesEXT>(out->next, XR_TYPE_SYSTEM_HAND_TRACKING_PROPERTIES_EXT))
        hands->supportsHandTracking = script.hand_tracking && instance->has(XR_EXT_HAND_TRACKING_EXTENSION_NAME);
    if (auto* curl = in_chain<XrSystemForceFeedbackCurlPropertiesMNDX>(
            out->next, XR_TYPE_SYSTEM_FORCE_FEEDBACK_CURL_PROPERTIES_MNDX))
        curl->supportsForceFeedbackCurl =
            script.force_feedback && instance->has(XR_MNDX_FORCE_FEEDBACK_CURL_EXTENSION_NAME);
    return XR_SUCCESS;
}

XrResult enumerate_environment_blend_modes(XrInstance handle, XrSystemId system, XrViewConfigurationType type,
                                           std::uint32_t capacity, std::uint32_t* count, XrEnvironmentBlendMode* out) {
    Instance* instance = nullptr;
    const XrResult result = first_fault({look_up(handle, instance), check_system(system), check_stereo(type)});
    return result < 0 ? result : fill(capacity, count, runtime().script.blend_modes.size(), [&](std::size_t i) {
        out[i] = runtime().script.blend_modes[i];
    });
}

XrResult enumerate_view_configurations(XrInstance handle, XrSystemId system, std::uint32_t capacity,
                                       std::uint32_t* count, XrViewConfigurationType* out) {
    Instance* instance = nullptr;
    const XrResult result = first_fault({look_up(handle, instance), check_system(system)});
    return result < 0
               ? result
               : fill(capacity, count, 1, [&](std::size_t i) { out[i] = XR_VIEW_CONFIGURATION_TYPE_PRIMARY_STEREO; });
}

XrResult get_view_configuration_properties(XrInstance handle, XrSystemId system, XrViewConfigurationType type,
                                           XrViewConfigurationProperties* out) {
    Instance* instance = nullptr;
    const XrResult result = first_fault({look_up(handle, instance), check_system(system), check_stereo(type)});
    if (result < 0) return result;
    GLOVEBOX_REQUIRE_TYPE(out, XR_TYPE_VIEW_CONFIGURATION_PROPERTIES);
    out->viewConfigurationType = type;
    out->fovMutable = XR_FALSE;
    return XR_SUCCESS;
}

XrResult enumerate_view_configuration_views(XrInstance handle, XrSystemId system, XrViewConfigurationType type,
                                            std::uint32_t capacity, std::uint32_t* count,
                                            XrViewConfigurationView* out) {
    Instance* instance = nullptr;
    const XrResult result = first_fault({look_up(handle, instance), check_system(system), check_stereo(type)});
    if (result < 0) return result;
    for (std::uint32_t i = 0; i < std::min(capacity, 2U); ++i)
        GLOVEBOX_REQUIRE_TYPE(&out[i], XR_TYPE_VIEW_CONFIGURATION_VIEW);
    const auto width = static_cast<std::uint32_t>(runtime().script.eye_size.width);
    const auto height = static_cast<std::uint32_t>(runtime().script.eye_size.height);
    return fill(capacity, count, 2, [&](std::size_t i) {
        out[i].recommendedImageRectWidth = width;
        out[i].recommendedImageRectHeight = height;
        out[i].maxImageRectWidth = out[i].maxImageRectHeight = 4096;
        out[i].recommendedSwapchainSampleCount = out[i].maxSwapchainSampleCount = 1;
    });
}

XrResult convert_timespec_time_to_time(XrInstance handle, const timespec* time, XrTime* out) {
    Instance* instance = nullptr;
    if (const XrResult result = look_up(handle, instance); result < 0) return result;
    *out = time->tv_sec * 1'000'000'000LL + time->tv_nsec + kXrTimeFromMonotonic_ns;
    return XR_SUCCESS;
}

XrResult convert_time_to_timespec_time(XrInstance handle, XrTime time, timespec* out) {
    Instance* instance = nullptr;
    if (const XrResult result = look_up(handle, instance); result < 0) return result;
    if (time <= kXrTimeFromMonotonic_ns) return refuse(XR_ERROR_TIME_INVALID, "a time before the machine's start");
    const XrTime monotonic = time - kXrTimeFromMonotonic_ns;
    *out = {monotonic / 1'000'000'000, monotonic % 1'000'000'000};
    return XR_SUCCESS;
}

}  // namespace glovebox::tests::runtime
