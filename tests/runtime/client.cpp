// A small OpenXR hand application for the runtime's tests. Every call is correct unless an option makes one wrong.
//
//   hand_runtime_client [--opengl] [--frames N] [--wrong NAME] [--no-hands] [--odd-state] [--no-context] [--time-ends]
//
// With --odd-state everything of OpenGL that reads pixels is set to unusual values before xrEndFrame, and must be so
// afterwards. With --no-context the thread has no context then. With --time-ends it prints what each xrEndFrame and
// xrLocateHandJointsEXT took, and at the end what the second half of the frames asked of the allocator.
//
// Prints one fact per line. Exits with 1 if a call failed that was not made wrong on purpose.
#include <epoxy/gl.h>
// epoxy first: it replaces GL/gl.h
#include <epoxy/glx.h>
#define XR_USE_PLATFORM_XLIB
#define XR_USE_GRAPHICS_API_OPENGL
#define XR_USE_TIMESPEC
#include <time.h>

#include <openxr/openxr.h>
#include <openxr/openxr_platform.h>

#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "tests/count_allocations.h"
#include "vr/openxr/force_feedback_curl.h"
#include "vr/openxr/xr.h"

#ifdef __SANITIZE_ADDRESS__
// As in vr/render/gl_context.cpp: an unloaded driver leaves memory behind that the leak check cannot tell from
// ours.
extern "C" int dlclose(void*) noexcept {
    return 0;
}
#endif

namespace {

using glovebox::vr::openxr::made;

struct Failure : std::runtime_error {
    using std::runtime_error::runtime_error;
};

void check(XrResult result, const char* call) {
    if (result < 0) throw Failure(std::string(call) + " gave " + std::to_string(result));
}
#define CHECK(call) check(call, #call)

struct Window {
    Display* display = nullptr;
    GLXFBConfig config = nullptr;
    GLXContext context = nullptr;
    GLXPbuffer drawable = 0;

    Window() {
        // A server that has just started may be slow to answer.
        for (int attempt = 0; attempt < 50 && display == nullptr; ++attempt) {
            display = XOpenDisplay(nullptr);
            if (display == nullptr) std::this_thread::sleep_for(std::chrono::milliseconds(50));
        }
        if (display == nullptr) throw Failure("no X display");
        const std::array<int, 13> wanted{
            GLX_DRAWABLE_TYPE, GLX_PBUFFER_BIT, GLX_RED_SIZE, 8, GLX_GREEN_SIZE, 8, GLX_BLUE_SIZE, 8,
            GLX_RENDER_TYPE,   GLX_RGBA_BIT,    None};
        int count = 0;
        GLXFBConfig* configs = glXChooseFBConfig(display, DefaultScreen(display), wanted.data(), &count);
        if (count == 0) throw Failure("no OpenGL");
        config = configs[0];
        const std::array<int, 5> size{GLX_PBUFFER_WIDTH, 16, GLX_PBUFFER_HEIGHT, 16, None};
        drawable = glXCreatePbuffer(display, config, size.data());
        context = glXCreateNewContext(display, config, GLX_RGBA_TYPE, nullptr, True);
        glXMakeCurrent(display, drawable, context);
        XFree(configs);
    }
    ~Window() {
        glXMakeCurrent(display, None, nullptr);
        glXDestroyContext(display, context);
        glXDestroyPbuffer(display, drawable);
        XCloseDisplay(display);
    }
    Window(const Window&) = delete;
    Window& operator=(const Window&) = delete;
};

// What of OpenGL's state has to do with textures and with reading pixels, of the context that is current.
struct PixelState {
    static constexpr std::array<GLenum, 12> kNames = {
        GL_TEXTURE_BINDING_2D, GL_ACTIVE_TEXTURE,     GL_PIXEL_UNPACK_BUFFER_BINDING, GL_UNPACK_ALIGNMENT,
        GL_UNPACK_ROW_LENGTH,  GL_UNPACK_SKIP_ROWS,   GL_UNPACK_SKIP_PIXELS,          GL_UNPACK_SWAP_BYTES,
        GL_UNPACK_LSB_FIRST,   GL_UNPACK_SKIP_IMAGES, GL_UNPACK_IMAGE_HEIGHT,         GL_DRAW_FRAMEBUFFER_BINDING};
    GLXContext context = glXGetCurrentContext();
    GLXDrawable draw = glXGetCurrentDrawable(), read = glXGetCurrentReadDrawable();
    std::array<GLint, kNames.size()> values{};

    PixelState() {
        for (std::size_t i = 0; context != nullptr && i < kNames.size(); ++i) glGetIntegerv(kNames[i], &values[i]);
    }
    bool operator==(const PixelState&) const = default;
};

// Unusual in all of it, for as long as it lives.
class OddState {
  public:
    OddState() {
        glActiveTexture(GL_TEXTURE3);
        glGenTextures(1, &texture_);
        glBindTexture(GL_TEXTURE_2D, texture_);
        glGenBuffers(1, &buffer_);
        glBindBuffer(GL_PIXEL_UNPACK_BUFFER, buffer_);
        set({2, 7, 3, 5, 1, 1, 2, 9});
    }
    ~OddState() {
        glBindTexture(GL_TEXTURE_2D, 0);
        glDeleteTextures(1, &texture_);
        glActiveTexture(GL_TEXTURE0);
        glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
        glDeleteBuffers(1, &buffer_);
        set({4, 0, 0, 0, 0, 0, 0, 0});
    }
    OddState(const OddState&) = delete;
    OddState& operator=(const OddState&) = delete;

  private:
    static void set(const std::array<GLint, 8>& values) {
        for (std::size_t i = 0; i < values.size(); ++i) glPixelStorei(PixelState::kNames[3 + i], values[i]);
    }
    GLuint texture_ = 0, buffer_ = 0;
};

struct Client {
    bool opengl = false, hands_on = true, odd_state = false, no_context = false, time_ends = false;
    std::string wrong;
    int frames = 30;

    XrInstance instance = XR_NULL_HANDLE;
    XrSystemId system = 0;
    XrSession session = XR_NULL_HANDLE;
    XrSpace local = XR_NULL_HANDLE;
    XrActionSet set = XR_NULL_HANDLE;
    XrAction squeeze = XR_NULL_HANDLE, grip = XR_NULL_HANDLE, haptic = XR_NULL_HANDLE;
    std::array<XrPath, 2> hands{};
    std::array<XrHandTrackerEXT, 2> trackers{};
    std::array<XrSwapchain, 2> eyes{};
    XrSwapchain panel = XR_NULL_HANDLE;
    std::array<std::vector<XrSwapchainImageOpenGLKHR>, 3> images;
    XrSessionState state = XR_SESSION_STATE_UNKNOWN;
    bool running = false;
    std::array<int, 2> seen{};
    std::vector<std::int64_t> ends_ns, located_ns;
    Display* window_display = nullptr;
    GLXDrawable window_drawable = 0;
    GLXContext window_context = nullptr;

    template <typename Function>
    Function function(const char* name) {
        PFN_xrVoidFunction pointer = nullptr;
        check(xrGetInstanceProcAddr(instance, name, &pointer), name);
        return reinterpret_cast<Function>(pointer);
    }
    XrPath path(const std::string& text) {
        XrPath out = XR_NULL_PATH;
        CHECK(xrStringToPath(instance, text.c_str(), &out));
        return out;
    }

    void make_instance() {
        std::uint32_t count = 0;
        CHECK(xrEnumerateInstanceExtensionProperties(nullptr, 0, &count, nullptr));
        std::vector<XrExtensionProperties> offered(count, {XR_TYPE_EXTENSION_PROPERTIES, nullptr, {}, 0});
        CHECK(xrEnumerateInstanceExtensionProperties(nullptr, count, &count, offered.data()));
        for (const auto& extension : offered) std::printf("offers %s\n", extension.extensionName);
        std::vector<const char*> names{opengl ? "XR_KHR_opengl_enable" : "XR_MND_headless",
                                       "XR_KHR_convert_timespec_time"};
        if (hands_on) names.insert(names.end(), {"XR_EXT_hand_tracking", "XR_MNDX_force_feedback_curl"});
        auto info = made<XrInstanceCreateInfo>(XR_TYPE_INSTANCE_CREATE_INFO);
        std::strcpy(info.applicationInfo.applicationName, "client");
        info.applicationInfo.apiVersion = XR_MAKE_VERSION(1, 0, 0);
        info.enabledExtensionCount = static_cast<std::uint32_t>(names.size());
        info.enabledExtensionNames = names.data();
        CHECK(xrCreateInstance(&info, &instance));
        XrSystemGetInfo get{XR_TYPE_SYSTEM_GET_INFO, nullptr, XR_FORM_FACTOR_HEAD_MOUNTED_DISPLAY};
        CHECK(xrGetSystem(instance, &get, &system));
    }

    void make_session(const Window* window) {
        auto info = made<XrSessionCreateInfo>(XR_TYPE_SESSION_CREATE_INFO);
        info.systemId = system;
        auto binding = made<XrGraphicsBindingOpenGLXlibKHR>(XR_TYPE_GRAPHICS_BINDING_OPENGL_XLIB_KHR);
        if (window != nullptr) {
            auto needs = made<XrGraphicsRequirementsOpenGLKHR>(XR_TYPE_GRAPHICS_REQUIREMENTS_OPENGL_KHR);
            if (wrong != "no_requirements")
                CHECK(function<PFN_xrGetOpenGLGraphicsRequirementsKHR>("xrGetOpenGLGraphicsRequirementsKHR")(
                    instance, system, &needs));
            window_display = window->display;
            window_drawable = window->drawable;
            window_context = window->context;
            binding.xDisplay = window->display;
            binding.glxFBConfig = window->config;
            int visual = 0;
            glXGetFBConfigAttrib(window->display, window->config, GLX_VISUAL_ID, &visual);
            binding.visualid = static_cast<std::uint32_t>(visual);
            binding.glxDrawable = window->drawable;
            binding.glxContext = window->context;
            info.next = &binding;
        }
        CHECK(xrCreateSession(instance, &info, &session));
        auto space = made<XrReferenceSpaceCreateInfo>(XR_TYPE_REFERENCE_SPACE_CREATE_INFO);
        space.referenceSpaceType = XR_REFERENCE_SPACE_TYPE_LOCAL;
        space.poseInReferenceSpace.orientation.w = 1;
        CHECK(xrCreateReferenceSpace(session, &space, &local));
        for (std::size_t i = 0; i < 2 && hands_on; ++i) {
            XrHandTrackerCreateInfoEXT hand{XR_TYPE_HAND_TRACKER_CREATE_INFO_EXT, nullptr,
                                            i == 0 ? XR_HAND_LEFT_EXT : XR_HAND_RIGHT_EXT,
                                            XR_HAND_JOINT_SET_DEFAULT_EXT};
            CHECK(function<PFN_xrCreateHandTrackerEXT>("xrCreateHandTrackerEXT")(session, &hand, &trackers[i]));
        }
    }

    XrAction make_action(const char* name, XrActionType type) {
        auto info = made<XrActionCreateInfo>(XR_TYPE_ACTION_CREATE_INFO);
        std::strcpy(info.actionName, name);
        std::strcpy(info.localizedActionName, name);
        info.actionType = type;
        info.countSubactionPaths = 2;
        info.subactionPaths = hands.data();
        XrAction action = XR_NULL_HANDLE;
        CHECK(xrCreateAction(set, &info, &action));
        return action;
    }

    void make_actions() {
        hands = {path("/user/hand/left"), path("/user/hand/right")};
        auto info = made<XrActionSetCreateInfo>(XR_TYPE_ACTION_SET_CREATE_INFO);
        std::strcpy(info.actionSetName, "hands");
        std::strcpy(info.localizedActionSetName, "Hands");
        CHECK(xrCreateActionSet(instance, &info, &set));
        squeeze = make_action("squeeze", XR_ACTION_TYPE_FLOAT_INPUT);
        grip = make_action("grip", XR_ACTION_TYPE_POSE_INPUT);
        haptic = make_action("haptic", XR_ACTION_TYPE_VIBRATION_OUTPUT);
        std::vector<XrActionSuggestedBinding> bindings;
        for (const std::string hand : {"/user/hand/left", "/user/hand/right"}) {
            bindings.push_back({squeeze, path(hand + "/input/select/click")});
            bindings.push_back({grip, path(hand + "/input/grip/pose")});
            bindings.push_back({haptic, path(hand + "/output/haptic")});
        }
        if (wrong == "binding") bindings.push_back({squeeze, path("/user/hand/left/input/trigger/value")});
        auto suggestion = made<XrInteractionProfileSuggestedBinding>(XR_TYPE_INTERACTION_PROFILE_SUGGESTED_BINDING);
        suggestion.interactionProfile = path("/interaction_profiles/khr/simple_controller");
        suggestion.countSuggestedBindings = static_cast<std::uint32_t>(bindings.size());
        suggestion.suggestedBindings = bindings.data();
        CHECK(xrSuggestInteractionProfileBindings(instance, &suggestion));
        if (wrong == "not_attached") return;
        auto attach = made<XrSessionActionSetsAttachInfo>(XR_TYPE_SESSION_ACTION_SETS_ATTACH_INFO);
        attach.countActionSets = 1;
        attach.actionSets = &set;
        CHECK(xrAttachSessionActionSets(session, &attach));
        if (wrong == "attach_twice") CHECK(xrAttachSessionActionSets(session, &attach));
    }

    void make_swapchains() {
        for (std::size_t i = 0; i < 3; ++i) {
            auto info = made<XrSwapchainCreateInfo>(XR_TYPE_SWAPCHAIN_CREATE_INFO);
            info.usageFlags = XR_SWAPCHAIN_USAGE_COLOR_ATTACHMENT_BIT;
            info.format = i == 2 ? GL_RGBA8 : GL_SRGB8_ALPHA8;
            info.sampleCount = info.faceCount = info.arraySize = info.mipCount = 1;
            info.width = info.height = i == 2 ? 64 : 128;
            XrSwapchain& swapchain = i == 2 ? panel : eyes[i];
            CHECK(xrCreateSwapchain(session, &info, &swapchain));
            std::uint32_t count = 0;
            CHECK(xrEnumerateSwapchainImages(swapchain, 0, &count, nullptr));
            images[i].assign(count, {XR_TYPE_SWAPCHAIN_IMAGE_OPENGL_KHR, nullptr, 0});
            CHECK(xrEnumerateSwapchainImages(swapchain, count, &count,
                                             reinterpret_cast<XrSwapchainImageBaseHeader*>(images[i].data())));
        }
    }

    void paint(std::size_t i, float r, float g, float b) {
        const XrSwapchain swapchain = i == 2 ? panel : eyes[i];
        std::uint32_t index = 0;
        CHECK(xrAcquireSwapchainImage(swapchain, nullptr, &index));
        XrSwapchainImageWaitInfo wait{XR_TYPE_SWAPCHAIN_IMAGE_WAIT_INFO, nullptr, XR_INFINITE_DURATION};
        if (wrong != "no_image_wait") CHECK(xrWaitSwapchainImage(swapchain, &wait));
        GLuint framebuffer = 0;
        glGenFramebuffers(1, &framebuffer);
        glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
        glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, images[i][index].image, 0);
        glViewport(0, 0, 128, 128);
        glClearColor(r, g, b, 1);
        glClear(GL_COLOR_BUFFER_BIT);
        glEnable(GL_SCISSOR_TEST);  // the lower half is darker, so that an upside-down image is noticed
        glScissor(0, 0, 128, i == 2 ? 32 : 64);
        glClearColor(r / 2, g / 2, b / 2, 1);
        glClear(GL_COLOR_BUFFER_BIT);
        glDisable(GL_SCISSOR_TEST);
        glBindFramebuffer(GL_FRAMEBUFFER, 0);
        glDeleteFramebuffers(1, &framebuffer);
        CHECK(xrReleaseSwapchainImage(swapchain, nullptr));
    }

    void poll() {
        for (;;) {
            auto event = made<XrEventDataBuffer>(XR_TYPE_EVENT_DATA_BUFFER);
            const XrResult result = xrPollEvent(instance, &event);
            check(result, "xrPollEvent");
            if (result == XR_EVENT_UNAVAILABLE) return;
            if (event.type != XR_TYPE_EVENT_DATA_SESSION_STATE_CHANGED) {
                std::printf("event %d\n", static_cast<int>(event.type));
                continue;
            }
            state = reinterpret_cast<const XrEventDataSessionStateChanged&>(event).state;
            std::printf("state %d\n", static_cast<int>(state));
            if (state == XR_SESSION_STATE_READY) {
                auto begin = made<XrSessionBeginInfo>(XR_TYPE_SESSION_BEGIN_INFO);
                begin.primaryViewConfigurationType = XR_VIEW_CONFIGURATION_TYPE_PRIMARY_STEREO;
                CHECK(xrBeginSession(session, &begin));
                running = true;
            }
            if (state == XR_SESSION_STATE_STOPPING) {
                CHECK(xrEndSession(session));
                running = false;
            }
        }
    }

    void look_at_hands(XrTime time) {
        if (!hands_on) return;
        const auto locate = function<PFN_xrLocateHandJointsEXT>("xrLocateHandJointsEXT");
        for (std::size_t i = 0; i < 2; ++i) {
            std::array<XrHandJointLocationEXT, XR_HAND_JOINT_COUNT_EXT> joints{};
            std::array<XrHandJointVelocityEXT, XR_HAND_JOINT_COUNT_EXT> speeds{};
            XrHandJointVelocitiesEXT velocities{XR_TYPE_HAND_JOINT_VELOCITIES_EXT, nullptr, XR_HAND_JOINT_COUNT_EXT,
                                                speeds.data()};
            XrHandJointLocationsEXT out{XR_TYPE_HAND_JOINT_LOCATIONS_EXT, &velocities, XR_FALSE,
                                        XR_HAND_JOINT_COUNT_EXT, joints.data()};
            XrHandJointsLocateInfoEXT info{XR_TYPE_HAND_JOINTS_LOCATE_INFO_EXT, nullptr, local,
                                           wrong == "time" ? 0 : time};
            const auto start = std::chrono::steady_clock::now();
            check(locate(trackers[i], &info, &out), "xrLocateHandJointsEXT");
            const std::chrono::nanoseconds took = std::chrono::steady_clock::now() - start;
            if (time_ends) located_ns.push_back(took.count());
            if (out.isActive == XR_TRUE) ++seen[i];
            const auto& tip = joints[XR_HAND_JOINT_INDEX_TIP_EXT];
            std::printf("hand %zu active %u tip %.6f %.6f %.6f q %.4f radius %.4f\n", i, out.isActive,
                        tip.pose.position.x, tip.pose.position.y, tip.pose.position.z, tip.pose.orientation.w,
                        tip.radius);
        }
    }

    void buzz() {
        XrHapticActionInfo info{XR_TYPE_HAPTIC_ACTION_INFO, nullptr, haptic, hands[1]};
        XrHapticVibration vibration{XR_TYPE_HAPTIC_VIBRATION, nullptr, 20'000'000, XR_FREQUENCY_UNSPECIFIED, 0.5F};
        CHECK(xrApplyHapticFeedback(session, &info, reinterpret_cast<const XrHapticBaseHeader*>(&vibration)));
        CHECK(xrStopHapticFeedback(session, &info));
        if (!hands_on) return;
        std::array<XrForceFeedbackCurlApplyLocationMNDX, 1> curl{
            {{XR_FORCE_FEEDBACK_CURL_LOCATION_INDEX_CURL_MNDX, 0.7F}}};
        XrForceFeedbackCurlApplyLocationsMNDX curls{XR_TYPE_FORCE_FEEDBACK_CURL_APPLY_LOCATIONS_MNDX, nullptr, 1,
                                                    curl.data()};
        CHECK(function<PFN_xrApplyForceFeedbackCurlMNDX>("xrApplyForceFeedbackCurlMNDX")(trackers[1], &curls));
    }

    void read_controllers(XrSpace grip_space, XrTime time) {
        XrActiveActionSet active{set, XR_NULL_PATH};
        XrActionsSyncInfo sync{XR_TYPE_ACTIONS_SYNC_INFO, nullptr, 1, &active};
        const XrResult synced = xrSyncActions(session, &sync);
        check(synced, "xrSyncActions");
        if (synced != XR_SUCCESS) return;
        XrActionStateGetInfo get{XR_TYPE_ACTION_STATE_GET_INFO, nullptr, squeeze, hands[1]};
        auto value = made<XrActionStateFloat>(XR_TYPE_ACTION_STATE_FLOAT);
        CHECK(xrGetActionStateFloat(session, &get, &value));
        auto location = made<XrSpaceLocation>(XR_TYPE_SPACE_LOCATION);
        CHECK(xrLocateSpace(grip_space, local, time, &location));
        std::printf("squeeze %u %.3f grip %llu\n", value.isActive, value.currentState,
                    static_cast<unsigned long long>(location.locationFlags));
        buzz();
    }

    void end_frame(const XrFrameEndInfo& end) {
        std::optional<OddState> odd;
        if (odd_state) odd.emplace();
        std::optional<PixelState> before;
        if (opengl) before.emplace();
        if (no_context) glXMakeCurrent(window_display, None, nullptr);
        const auto start = std::chrono::steady_clock::now();
        CHECK(xrEndFrame(session, &end));
        const std::chrono::nanoseconds took = std::chrono::steady_clock::now() - start;
        if (no_context && glXGetCurrentContext() != nullptr) throw Failure("xrEndFrame left an OpenGL context");
        if (no_context) glXMakeCurrent(window_display, window_drawable, window_context);
        if (opengl && !(PixelState() == *before)) throw Failure("xrEndFrame changed OpenGL's state");
        if (opengl && glGetError() != GL_NO_ERROR) throw Failure("OpenGL has an error after xrEndFrame");
        if (time_ends) ends_ns.push_back(took.count());
    }

    void frame(XrSpace grip_space) {
        auto timing = made<XrFrameState>(XR_TYPE_FRAME_STATE);
        CHECK(xrWaitFrame(session, nullptr, &timing));
        if (wrong == "wait_twice") CHECK(xrWaitFrame(session, nullptr, &timing));
        if (wrong != "no_begin") CHECK(xrBeginFrame(session, nullptr));
        look_at_hands(timing.predictedDisplayTime);
        read_controllers(grip_space, timing.predictedDisplayTime);
        std::array<XrCompositionLayerProjectionView, 2> views{};
        auto projection = made<XrCompositionLayerProjection>(XR_TYPE_COMPOSITION_LAYER_PROJECTION);
        auto quad = made<XrCompositionLayerQuad>(XR_TYPE_COMPOSITION_LAYER_QUAD);
        std::vector<const XrCompositionLayerBaseHeader*> layers;
        if (timing.shouldRender == XR_TRUE) {
            XrViewLocateInfo info{XR_TYPE_VIEW_LOCATE_INFO, nullptr, XR_VIEW_CONFIGURATION_TYPE_PRIMARY_STEREO,
                                  timing.predictedDisplayTime, local};
            auto view_state = made<XrViewState>(XR_TYPE_VIEW_STATE);
            std::array<XrView, 2> located{made<XrView>(XR_TYPE_VIEW), made<XrView>(XR_TYPE_VIEW)};
            std::uint32_t count = 0;
            CHECK(xrLocateViews(session, &info, &view_state, 2, &count, located.data()));
            for (std::size_t i = 0; i < 2; ++i) {
                paint(i, i == 0 ? 1.0F : 0.0F, i == 1 ? 1.0F : 0.0F, 0.0F);
                views[i] = {XR_TYPE_COMPOSITION_LAYER_PROJECTION_VIEW,
                            nullptr,
                            located[i].pose,
                            located[i].fov,
                            {eyes[i], {{0, 0}, {128, wrong == "rect" ? 129 : 128}}, 0}};
            }
            paint(2, 0.0F, 0.0F, 1.0F);
            projection.space = quad.space = local;
            projection.viewCount = 2;
            projection.views = views.data();
            quad.subImage = {panel, {{0, 0}, {64, 64}}, 0};
            quad.pose = {{0, 0, 0, 1}, {0.1F, 0.0F, -1.0F}};
            if (wrong == "pose") quad.pose.orientation.w = 2;
            quad.size = {0.4F, 0.4F};
            layers = {reinterpret_cast<const XrCompositionLayerBaseHeader*>(&projection),
                      reinterpret_cast<const XrCompositionLayerBaseHeader*>(&quad)};
        }
        XrFrameEndInfo end{XR_TYPE_FRAME_END_INFO,
                           nullptr,
                           timing.predictedDisplayTime,
                           XR_ENVIRONMENT_BLEND_MODE_OPAQUE,
                           static_cast<std::uint32_t>(layers.size()),
                           layers.data()};
        end_frame(end);
        if (wrong == "end_twice") CHECK(xrEndFrame(session, &end));
    }

    void check_clock() {
        timespec before{}, after{};
        clock_gettime(CLOCK_MONOTONIC, &before);
        XrTime time = 0;
        CHECK(function<PFN_xrConvertTimespecTimeToTimeKHR>("xrConvertTimespecTimeToTimeKHR")(instance, &before, &time));
        CHECK(function<PFN_xrConvertTimeToTimespecTimeKHR>("xrConvertTimeToTimespecTimeKHR")(instance, time, &after));
        std::printf("clock %s\n",
                    before.tv_sec == after.tv_sec && before.tv_nsec == after.tv_nsec ? "agrees" : "differs");
        std::printf("clock %s\n", time / 1'000'000'000 == before.tv_sec ? "is monotonic" : "has its own epoch");
    }

    void run() {
        std::optional<Window> window;
        if (opengl) window.emplace();
        make_instance();
        check_clock();
        make_session(window ? &*window : nullptr);
        if (wrong == "begin_early") frame(XR_NULL_HANDLE);
        make_actions();
        XrActionSpaceCreateInfo info{
            XR_TYPE_ACTION_SPACE_CREATE_INFO, nullptr, grip, hands[1], {{0, 0, 0, 1}, {0, 0, 0}}};
        XrSpace grip_space = XR_NULL_HANDLE;
        CHECK(xrCreateActionSpace(session, &info, &grip_space));
        if (opengl) make_swapchains();
        ends_ns.reserve(static_cast<std::size_t>(frames));
        located_ns.reserve(2 * static_cast<std::size_t>(frames));
        std::int64_t allocations_before = 0;
        for (int done = 0; done < frames && state != XR_SESSION_STATE_EXITING;) {
            poll();
            if (!running) continue;
            if (done == frames / 2) allocations_before = allocations;
            frame(grip_space);
            ++done;
        }
        if (time_ends) std::printf("allocations %lld\n", static_cast<long long>(allocations - allocations_before));
        for (const std::int64_t each : located_ns) std::printf("took %lld\n", static_cast<long long>(each));
        for (const std::int64_t each : ends_ns) std::printf("ended %lld\n", static_cast<long long>(each));
        if (state != XR_SESSION_STATE_EXITING && running) {
            CHECK(xrRequestExitSession(session));
            while (state != XR_SESSION_STATE_EXITING) poll();
        }
        CHECK(xrDestroySession(session));
        CHECK(xrDestroyInstance(instance));
        std::printf("seen %d %d\n", seen[0], seen[1]);
    }
};

}  // namespace

int main(int argc, char** argv) {
    // Mesa 22.3's software renderer may free a fence while a thread of its own still unlocks it: it draws in this one.
    setenv("LP_NUM_THREADS", "0", 1);
    Client client;
    for (int i = 1; i < argc; ++i) {
        const std::string word = argv[i];
        if (word == "--opengl") client.opengl = true;
        if (word == "--no-hands") client.hands_on = false;
        if (word == "--odd-state") client.odd_state = true;
        if (word == "--no-context") client.no_context = true;
        if (word == "--time-ends") client.time_ends = true;
        if (word == "--frames" && i + 1 < argc) client.frames = std::atoi(argv[++i]);
        if (word == "--wrong" && i + 1 < argc) client.wrong = argv[++i];
    }
    try {
        client.run();
        return 0;
    } catch (const std::exception& e) {
        std::printf("failed: %s\n", e.what());
        return 1;
    }
}
