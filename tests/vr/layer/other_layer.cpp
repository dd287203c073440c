// Another API layer, for ours to live with: it passes everything on. With OTHER_LAYER_HAS=XR_MNDX_force_feedback_curl
// in its environment it has that extension instead of the runtime, and says so when it is used. With
// OTHER_LAYER_LOG=FILE it writes what the application above is given from the first frame with the focus on, as
// hand_app prints it: head, view 0, view 1, grip 0, grip 1. A space is without the offset that the application gave it.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "vr/layer/loader_interface.h"
#include "vr/openxr/force_feedback_curl.h"

namespace {

using namespace glovebox::vr::layer;

PFN_xrGetInstanceProcAddr next_get_instance_proc_addr = nullptr;

const char* own_extension() {
    return std::getenv("OTHER_LAYER_HAS");
}

XrResult XRAPI_CALL apply_force_feedback_curl(XrHandTrackerEXT, const XrForceFeedbackCurlApplyLocationsMNDX*) {
    std::fputs("other layer: forces\n", stderr);
    return XR_SUCCESS;
}

// The next layer's functions and the application's spaces, for the log.
struct Observer {
    std::FILE* log = nullptr;
    XrInstance instance = XR_NULL_HANDLE;
    bool is_focused = false;
    XrTime first_time = 0;
    std::map<XrSpace, std::string> names;

    template <class Function>
    Function next(const char* name) const {
        PFN_xrVoidFunction function = nullptr;
        next_get_instance_proc_addr(instance, name, &function);
        return reinterpret_cast<Function>(function);
    }
    void write(const std::string& name, XrTime time, XrSpaceLocationFlags flags, const XrPosef& pose) {
        if (!is_focused) return;
        if (first_time == 0) first_time = time;
        const auto& p = pose.position;
        const auto& q = pose.orientation;
        std::fprintf(log, "%s %lld %llu %.9g %.9g %.9g %.9g %.9g %.9g %.9g |", name.c_str(),
                     static_cast<long long>(time - first_time), static_cast<unsigned long long>(flags),
                     static_cast<double>(p.x), static_cast<double>(p.y), static_cast<double>(p.z),
                     static_cast<double>(q.x), static_cast<double>(q.y), static_cast<double>(q.z),
                     static_cast<double>(q.w));
    }
};
Observer observer;

XrResult XRAPI_CALL poll_event(XrInstance instance, XrEventDataBuffer* out) {
    const XrResult result = observer.next<PFN_xrPollEvent>("xrPollEvent")(instance, out);
    if (result == XR_SUCCESS && out->type == XR_TYPE_EVENT_DATA_SESSION_STATE_CHANGED)
        observer.is_focused =
            reinterpret_cast<const XrEventDataSessionStateChanged*>(out)->state == XR_SESSION_STATE_FOCUSED;
    return result;
}

XrResult XRAPI_CALL create_reference_space(XrSession session, const XrReferenceSpaceCreateInfo* info, XrSpace* out) {
    const XrResult result = observer.next<PFN_xrCreateReferenceSpace>("xrCreateReferenceSpace")(session, info, out);
    if (result >= 0 && info->referenceSpaceType == XR_REFERENCE_SPACE_TYPE_VIEW) observer.names[*out] = "head";
    return result;
}

XrResult XRAPI_CALL create_action_space(XrSession session, const XrActionSpaceCreateInfo* info, XrSpace* out) {
    const XrResult result = observer.next<PFN_xrCreateActionSpace>("xrCreateActionSpace")(session, info, out);
    char path[XR_MAX_PATH_LENGTH] = "";
    std::uint32_t size = 0;
    observer.next<PFN_xrPathToString>("xrPathToString")(observer.instance, info->subactionPath, sizeof path, &size,
                                                        path);
    if (result >= 0) observer.names[*out] = std::strcmp(path, "/user/hand/left") == 0 ? "grip 0" : "grip 1";
    return result;
}

XrResult XRAPI_CALL locate_space(XrSpace space, XrSpace base, XrTime time, XrSpaceLocation* out) {
    const XrResult result = observer.next<PFN_xrLocateSpace>("xrLocateSpace")(space, base, time, out);
    if (const auto named = observer.names.find(space); result >= 0 && named != observer.names.end()) {
        observer.write(named->second, time, out->locationFlags, out->pose);
        if (observer.is_focused) std::fputs("\n", observer.log);
    }
    return result;
}

XrResult XRAPI_CALL locate_views(XrSession session, const XrViewLocateInfo* info, XrViewState* state,
                                 std::uint32_t capacity, std::uint32_t* count, XrView* views) {
    const XrResult result =
        observer.next<PFN_xrLocateViews>("xrLocateViews")(session, info, state, capacity, count, views);
    for (std::uint32_t i = 0; result >= 0 && observer.is_focused && i < std::min(capacity, *count); ++i) {
        observer.write("view " + std::to_string(i), info->displayTime, state->viewStateFlags, views[i].pose);
        const XrFovf& fov = views[i].fov;
        std::fprintf(observer.log, " %.9g %.9g %.9g %.9g\n", static_cast<double>(fov.angleLeft),
                     static_cast<double>(fov.angleRight), static_cast<double>(fov.angleUp),
                     static_cast<double>(fov.angleDown));
    }
    return result;
}

struct Observed {
    const char* name;
    PFN_xrVoidFunction function;
};
const Observed kObserved[] = {
    {"xrPollEvent", reinterpret_cast<PFN_xrVoidFunction>(poll_event)},
    {"xrCreateReferenceSpace", reinterpret_cast<PFN_xrVoidFunction>(create_reference_space)},
    {"xrCreateActionSpace", reinterpret_cast<PFN_xrVoidFunction>(create_action_space)},
    {"xrLocateSpace", reinterpret_cast<PFN_xrVoidFunction>(locate_space)},
    {"xrLocateViews", reinterpret_cast<PFN_xrVoidFunction>(locate_views)},
};

XrResult XRAPI_CALL get_instance_proc_addr(XrInstance instance, const char* name, PFN_xrVoidFunction* out) {
    for (const Observed& each : kObserved)
        if (observer.log != nullptr && std::strcmp(name, each.name) == 0) {
            *out = each.function;
            return XR_SUCCESS;
        }
    if (std::strcmp(name, "xrApplyForceFeedbackCurlMNDX") == 0 && own_extension() != nullptr) {
        *out = reinterpret_cast<PFN_xrVoidFunction>(apply_force_feedback_curl);
        return XR_SUCCESS;
    }
    return next_get_instance_proc_addr(instance, name, out);
}

XrResult XRAPI_CALL create_instance(const XrInstanceCreateInfo* info, const ApiLayerCreateInfo* layer,
                                    XrInstance* out) {
    XrInstanceCreateInfo passed = *info;
    std::vector<const char*> names(info->enabledExtensionNames,
                                   info->enabledExtensionNames + info->enabledExtensionCount);
    if (const char* own = own_extension(); own != nullptr)
        std::erase_if(names, [&](const std::string_view name) { return name == own; });
    passed.enabledExtensionCount = static_cast<std::uint32_t>(names.size());
    passed.enabledExtensionNames = names.data();
    ApiLayerCreateInfo next = *layer;
    next.next_info = layer->next_info->next;
    next_get_instance_proc_addr = layer->next_info->next_get_instance_proc_addr;
    const XrResult result = layer->next_info->next_create_instance(&passed, &next, out);
    const char* log = std::getenv("OTHER_LAYER_LOG");
    if (result >= 0 && log != nullptr && observer.log == nullptr) observer.log = std::fopen(log, "w");
    if (result >= 0) observer.instance = *out;
    return result;
}

}  // namespace

extern "C" __attribute__((visibility("default"))) XrResult XRAPI_CALL
xrNegotiateLoaderApiLayerInterface(const NegotiateLoaderInfo*, const char*, NegotiateApiLayerRequest* request);
extern "C" __attribute__((visibility("default"))) XrResult XRAPI_CALL
xrNegotiateLoaderApiLayerInterface(const NegotiateLoaderInfo*, const char*, NegotiateApiLayerRequest* request) {
    request->interface_version = kLayerInterfaceVersion;
    request->api_version = XR_MAKE_VERSION(1, 0, 0);
    request->get_instance_proc_addr = get_instance_proc_addr;
    request->create_instance = create_instance;
    return XR_SUCCESS;
}
