// A minimal hand application that knows nothing of any layer: plain OpenXR, without graphics.
//
//   hand_app [--frames N] [--step-ms M] [--space local|stage|view] [--pace] [--no-hands] [--curl V] [--sessions N]
//            [--controllers] [--fresh] [--gestures] [--many] [--threads] [--allocations] [--time-calls] [--plain]
//            [--no-velocities] [--hang S] [--wrong NAME]
//
// Asks for both hands N times, M milliseconds apart by the time that it asks for, and prints what it was given:
//   hand FRAME SIDE ACTIVE {flags x y z qx qy qz qw radius} x 26 | velocity flags and linear velocity of the index tip
// With --controllers it asks for head, views and two controllers too and vibrates where a trigger is pulled, and prints
//   head|view 0|view 1|grip 0|grip 1 TIME_NS flags x y z qx qy qz qw | fov, or velocity flags, linear and angular
//   trigger SIDE TIME_NS active value changed | select SIDE TIME_NS ...; profile SIDE PATH
// With --gestures it binds actions to XR_EXT_hand_interaction and prints each of them: pinch, aim_activate, grasp
// (floats), pressed, pinch_ready (booleans), hand_grip, hand_aim, hand_pinch, hand_poke (poses); pinch 2 is that of
// either hand. With --many it locates spaces by XR_KHR_locate_spaces. With --fresh sessions do not share actions. With
// --pace it asks in real time, otherwise as fast as it can. With --plain no structure that an old validation layer does
// not know is in its chains. With --hang it makes no call for S seconds before it ends.
#include <openxr/openxr.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "tests/count_allocations.h"
#include "vr/openxr/force_feedback_curl.h"
#include "vr/openxr/locate_spaces.h"
#include "vr/openxr/xr.h"

namespace {

using glovebox::vr::openxr::made;

struct Failure : std::runtime_error {
    using std::runtime_error::runtime_error;
};
struct Lost {};

XrResult check(XrResult result, const char* call) {
    if (result == XR_ERROR_SESSION_LOST || result == XR_ERROR_INSTANCE_LOST) throw Lost{};
    if (result < 0) throw Failure(std::string(call) + " gave " + std::to_string(result));
    return result;
}
#define CHECK(call) check(call, #call)

std::int64_t now_ns() {
    return std::chrono::steady_clock::now().time_since_epoch().count();
}

struct Hand {
    std::array<XrHandJointLocationEXT, XR_HAND_JOINT_COUNT_EXT> joints{};
    std::array<XrHandJointVelocityEXT, XR_HAND_JOINT_COUNT_EXT> speeds{};
    XrHandJointVelocitiesEXT velocities{};
    // A structure that no one knows: it must come back as it was.
    struct Unknown {
        XrStructureType type;
        void* next;
        std::uint64_t number;
    } unknown{};
    XrHandJointLocationsEXT out{};

    XrHandJointLocationsEXT* prepare(bool with_unknown) {
        unknown = {static_cast<XrStructureType>(1999999999), nullptr, 0x600DC0DE};
        velocities = {XR_TYPE_HAND_JOINT_VELOCITIES_EXT, with_unknown ? &unknown : nullptr, XR_HAND_JOINT_COUNT_EXT,
                      speeds.data()};
        out = {XR_TYPE_HAND_JOINT_LOCATIONS_EXT, &velocities, XR_FALSE, XR_HAND_JOINT_COUNT_EXT, joints.data()};
        return &out;
    }
};

struct Application {
    int frames = 100, sessions = 1, exit_code = 0;
    double step_ms = 10.0, curl = -1.0, hang_s = 0.0;
    std::string space_name = "local", wrong;
    bool pace = false, hands = true, threads = false, count = false, time_calls = false, plain = false;
    bool no_velocities = false;
    bool controllers = false, gestures = false, many = false, fresh = false;

    XrInstance instance = XR_NULL_HANDLE;
    XrSystemId system = 0;
    XrSession session = XR_NULL_HANDLE;
    XrSpace space = XR_NULL_HANDLE;
    std::array<XrHandTrackerEXT, 2> trackers{};
    std::array<Hand, 2> seen;
    XrSessionState state = XR_SESSION_STATE_UNKNOWN;
    bool running = false, has_curl = false;
    XrActionSet set = XR_NULL_HANDLE;
    XrAction trigger = XR_NULL_HANDLE, select = XR_NULL_HANDLE, grip = XR_NULL_HANDLE, haptic = XR_NULL_HANDLE;
    std::array<XrSpace, 2> grips{};
    XrActionSet gesture_set = XR_NULL_HANDLE;
    struct Gesture {
        const char *name, *input;
        XrActionType type;
        XrAction action = XR_NULL_HANDLE;
        std::array<XrSpace, 2> spaces{};
    };
    std::array<Gesture, 9> gesture_actions = {{
        {"pinch", "/input/pinch_ext/value", XR_ACTION_TYPE_FLOAT_INPUT},
        {"aim_activate", "/input/aim_activate_ext", XR_ACTION_TYPE_FLOAT_INPUT},
        {"grasp", "/input/grasp_ext/value", XR_ACTION_TYPE_FLOAT_INPUT},
        {"pressed", "/input/pinch_ext/value", XR_ACTION_TYPE_BOOLEAN_INPUT},
        {"pinch_ready", "/input/pinch_ext/ready_ext", XR_ACTION_TYPE_BOOLEAN_INPUT},
        {"hand_grip", "/input/grip/pose", XR_ACTION_TYPE_POSE_INPUT},
        {"hand_aim", "/input/aim/pose", XR_ACTION_TYPE_POSE_INPUT},
        {"hand_pinch", "/input/pinch_ext", XR_ACTION_TYPE_POSE_INPUT},
        {"hand_poke", "/input/poke_ext/pose", XR_ACTION_TYPE_POSE_INPUT},
    }};
    PFN_xrLocateSpacesKHR locate_spaces = nullptr;
    XrSpace head = XR_NULL_HANDLE;
    std::array<XrPath, 2> hand_paths{};
    XrTime first_time = 0;
    PFN_xrLocateHandJointsEXT locate = nullptr;
    PFN_xrCreateHandTrackerEXT create_tracker = nullptr;
    PFN_xrDestroyHandTrackerEXT destroy_tracker = nullptr;
    PFN_xrApplyForceFeedbackCurlMNDX apply_curl = nullptr;

    template <typename Function>
    Function function(const char* name) {
        PFN_xrVoidFunction pointer = nullptr;
        CHECK(xrGetInstanceProcAddr(instance, name, &pointer));
        return reinterpret_cast<Function>(pointer);
    }

    void make_instance() {
        std::uint32_t count_out = 0;
        CHECK(xrEnumerateInstanceExtensionProperties(nullptr, 0, &count_out, nullptr));
        std::vector<XrExtensionProperties> offered(count_out, {XR_TYPE_EXTENSION_PROPERTIES, nullptr, {}, 0});
        CHECK(xrEnumerateInstanceExtensionProperties(nullptr, count_out, &count_out, offered.data()));
        std::vector<const char*> names{"XR_MND_headless"};
        for (const auto& extension : offered) {
            const std::string name = extension.extensionName;
            std::printf("offers %s %u\n", extension.extensionName, extension.extensionVersion);
            if (hands && name == "XR_EXT_hand_tracking") names.push_back("XR_EXT_hand_tracking");
            if (gestures && name == "XR_EXT_hand_interaction") names.push_back("XR_EXT_hand_interaction");
            if (many && name == XR_KHR_LOCATE_SPACES_EXTENSION_NAME)
                names.push_back(XR_KHR_LOCATE_SPACES_EXTENSION_NAME);
            if (hands && name == "XR_MNDX_force_feedback_curl") {
                names.push_back("XR_MNDX_force_feedback_curl");
                has_curl = true;
            }
        }
        const auto is_hands = [](const char* name) { return std::strcmp(name, "XR_EXT_hand_tracking") == 0; };
        hands = hands && std::any_of(names.begin(), names.end(), is_hands);
        auto info = made<XrInstanceCreateInfo>(XR_TYPE_INSTANCE_CREATE_INFO);
        std::strcpy(info.applicationInfo.applicationName, "hand application");
        info.applicationInfo.apiVersion = XR_MAKE_VERSION(1, 0, 0);
        info.enabledExtensionCount = static_cast<std::uint32_t>(names.size());
        info.enabledExtensionNames = names.data();
        CHECK(xrCreateInstance(&info, &instance));
        XrSystemGetInfo get{XR_TYPE_SYSTEM_GET_INFO, nullptr, XR_FORM_FACTOR_HEAD_MOUNTED_DISPLAY};
        CHECK(xrGetSystem(instance, &get, &system));
        auto curl_properties =
            made<XrSystemForceFeedbackCurlPropertiesMNDX>(XR_TYPE_SYSTEM_FORCE_FEEDBACK_CURL_PROPERTIES_MNDX);
        auto hand_properties = made<XrSystemHandTrackingPropertiesEXT>(XR_TYPE_SYSTEM_HAND_TRACKING_PROPERTIES_EXT);
        auto properties = made<XrSystemProperties>(XR_TYPE_SYSTEM_PROPERTIES);
        if (hands) properties.next = &hand_properties;
        if (has_curl && !plain) hand_properties.next = &curl_properties;
        CHECK(xrGetSystemProperties(instance, system, &properties));
        std::printf("hand tracking %u force feedback %u\n", hand_properties.supportsHandTracking,
                    curl_properties.supportsForceFeedbackCurl);
        if (many) locate_spaces = function<PFN_xrLocateSpacesKHR>("xrLocateSpacesKHR");
        if (!hands) return;
        create_tracker = function<PFN_xrCreateHandTrackerEXT>("xrCreateHandTrackerEXT");
        destroy_tracker = function<PFN_xrDestroyHandTrackerEXT>("xrDestroyHandTrackerEXT");
        locate = function<PFN_xrLocateHandJointsEXT>("xrLocateHandJointsEXT");
        if (has_curl) apply_curl = function<PFN_xrApplyForceFeedbackCurlMNDX>("xrApplyForceFeedbackCurlMNDX");
    }

    void make_session() {
        auto info = made<XrSessionCreateInfo>(XR_TYPE_SESSION_CREATE_INFO);
        info.systemId = system;
        CHECK(xrCreateSession(instance, &info, &session));
        auto reference = made<XrReferenceSpaceCreateInfo>(XR_TYPE_REFERENCE_SPACE_CREATE_INFO);
        reference.referenceSpaceType = space_name == "stage"  ? XR_REFERENCE_SPACE_TYPE_STAGE
                                       : space_name == "view" ? XR_REFERENCE_SPACE_TYPE_VIEW
                                                              : XR_REFERENCE_SPACE_TYPE_LOCAL;
        reference.poseInReferenceSpace.orientation.w = 1;
        CHECK(xrCreateReferenceSpace(session, &reference, &space));
        if (controllers) make_controllers();
        if (gestures) make_gestures();
        if (controllers || gestures) attach();
        if (!hands) return;
        for (std::size_t i = 0; i < 2; ++i) {
            const XrHandTrackerCreateInfoEXT hand{
                XR_TYPE_HAND_TRACKER_CREATE_INFO_EXT, nullptr,
                wrong == "hand" ? static_cast<XrHandEXT>(7) : (i == 0 ? XR_HAND_LEFT_EXT : XR_HAND_RIGHT_EXT),
                XR_HAND_JOINT_SET_DEFAULT_EXT};
            const XrResult result = create_tracker(session, &hand, &trackers[i]);
            std::printf("tracker %zu result %d\n", i, result);
            if (result == XR_ERROR_SESSION_LOST || result == XR_ERROR_INSTANCE_LOST) throw Lost{};
            if (result < 0) trackers[i] = XR_NULL_HANDLE;
        }
    }

    XrPath path(const std::string& text) {
        XrPath out = XR_NULL_PATH;
        CHECK(xrStringToPath(instance, text.c_str(), &out));
        return out;
    }

    XrAction make_action(XrActionSet in, const char* name, XrActionType type) {
        auto info = made<XrActionCreateInfo>(XR_TYPE_ACTION_CREATE_INFO);
        std::strcpy(info.actionName, name);
        std::strcpy(info.localizedActionName, name);
        info.actionType = type;
        info.countSubactionPaths = 2;
        info.subactionPaths = hand_paths.data();
        XrAction action = XR_NULL_HANDLE;
        CHECK(xrCreateAction(in, &info, &action));
        return action;
    }

    XrActionSet make_set(const char* name) {
        hand_paths = {path("/user/hand/left"), path("/user/hand/right")};
        auto info = made<XrActionSetCreateInfo>(XR_TYPE_ACTION_SET_CREATE_INFO);
        std::strcpy(info.actionSetName, name);
        std::strcpy(info.localizedActionSetName, name);
        XrActionSet out = XR_NULL_HANDLE;
        CHECK(xrCreateActionSet(instance, &info, &out));
        return out;
    }

    void suggest(const char* profile, const std::vector<XrActionSuggestedBinding>& bindings) {
        auto suggestion = made<XrInteractionProfileSuggestedBinding>(XR_TYPE_INTERACTION_PROFILE_SUGGESTED_BINDING);
        suggestion.interactionProfile = path(profile);
        suggestion.countSuggestedBindings = static_cast<std::uint32_t>(bindings.size());
        suggestion.suggestedBindings = bindings.data();
        CHECK(xrSuggestInteractionProfileBindings(instance, &suggestion));
    }

    void attach() {
        std::vector<XrActionSet> sets;
        if (controllers) sets.push_back(set);
        if (gestures) sets.push_back(gesture_set);
        auto info = made<XrSessionActionSetsAttachInfo>(XR_TYPE_SESSION_ACTION_SETS_ATTACH_INFO);
        info.countActionSets = static_cast<std::uint32_t>(sets.size());
        info.actionSets = sets.data();
        CHECK(xrAttachSessionActionSets(session, &info));
    }

    void make_gestures() {
        if (gesture_set == XR_NULL_HANDLE) {
            gesture_set = make_set("gestures");
            std::vector<XrActionSuggestedBinding> bindings;
            for (Gesture& each : gesture_actions) {
                each.action = make_action(gesture_set, each.name, each.type);
                for (const std::string hand : {"/user/hand/left", "/user/hand/right"})
                    bindings.push_back({each.action, path(hand + each.input)});
            }
            suggest("/interaction_profiles/ext/hand_interaction_ext", bindings);
        }
        for (Gesture& each : gesture_actions)
            for (std::size_t i = 0; i < 2 && each.type == XR_ACTION_TYPE_POSE_INPUT; ++i) {
                auto info = made<XrActionSpaceCreateInfo>(XR_TYPE_ACTION_SPACE_CREATE_INFO);
                info.action = each.action;
                info.subactionPath = hand_paths[i];
                info.poseInActionSpace.orientation.w = 1;
                CHECK(xrCreateActionSpace(session, &info, &each.spaces[i]));
            }
    }

    void make_controllers() {
        if (set == XR_NULL_HANDLE) {
            set = make_set("main");
            trigger = make_action(set, "trigger", XR_ACTION_TYPE_FLOAT_INPUT);
            select = make_action(set, "select", XR_ACTION_TYPE_BOOLEAN_INPUT);
            grip = make_action(set, "grip", XR_ACTION_TYPE_POSE_INPUT);
            haptic = make_action(set, "haptic", XR_ACTION_TYPE_VIBRATION_OUTPUT);
            std::vector<XrActionSuggestedBinding> bindings;
            for (const std::string hand : {"/user/hand/left", "/user/hand/right"}) {
                bindings.push_back({trigger, path(hand + "/input/trigger/value")});
                bindings.push_back({select, path(hand + "/input/squeeze/value")});
                bindings.push_back({grip, path(hand + "/input/grip/pose")});
                bindings.push_back({haptic, path(hand + "/output/haptic")});
            }
            // With XR_EXT_hand_interaction controllers have its poses too.
            if (gestures) bindings.push_back({grip, path("/user/hand/left/input/pinch_ext/pose")});
            suggest("/interaction_profiles/oculus/touch_controller", bindings);
        }
        auto view = made<XrReferenceSpaceCreateInfo>(XR_TYPE_REFERENCE_SPACE_CREATE_INFO);
        view.referenceSpaceType = XR_REFERENCE_SPACE_TYPE_VIEW;
        view.poseInReferenceSpace.orientation.w = 1;
        CHECK(xrCreateReferenceSpace(session, &view, &head));
        for (std::size_t i = 0; i < 2; ++i) {
            auto info = made<XrActionSpaceCreateInfo>(XR_TYPE_ACTION_SPACE_CREATE_INFO);
            info.action = grip;
            info.subactionPath = hand_paths[i];
            // Not the grip itself: a point 5 cm above it, turned by a quarter.
            info.poseInActionSpace = {{0, 0, 0.70710678F, 0.70710678F}, {0, 0.05F, 0}};
            CHECK(xrCreateActionSpace(session, &info, &grips[i]));
        }
    }

    void print_pose(const char* what, XrTime time, XrSpaceLocationFlags flags, const XrPosef& pose) {
        const auto& p = pose.position;
        const auto& q = pose.orientation;
        std::printf("%s %lld %llu %.9g %.9g %.9g %.9g %.9g %.9g %.9g |", what,
                    static_cast<long long>(time - first_time), static_cast<unsigned long long>(flags),
                    static_cast<double>(p.x), static_cast<double>(p.y), static_cast<double>(p.z),
                    static_cast<double>(q.x), static_cast<double>(q.y), static_cast<double>(q.z),
                    static_cast<double>(q.w));
    }

    void print_space(const char* what, XrSpace which, XrTime time) {
        auto velocity = made<XrSpaceVelocity>(XR_TYPE_SPACE_VELOCITY);
        auto location = made<XrSpaceLocation>(XR_TYPE_SPACE_LOCATION);
        location.next = &velocity;
        if (locate_spaces != nullptr)
            locate_as_one_of_two(which, time, location, velocity);
        else
            CHECK(xrLocateSpace(which, space, time, &location));
        print_pose(what, time, location.locationFlags, location.pose);
        std::printf(" %llu %.9g %.9g %.9g %.9g %.9g %.9g\n", static_cast<unsigned long long>(velocity.velocityFlags),
                    static_cast<double>(velocity.linearVelocity.x), static_cast<double>(velocity.linearVelocity.y),
                    static_cast<double>(velocity.linearVelocity.z), static_cast<double>(velocity.angularVelocity.x),
                    static_cast<double>(velocity.angularVelocity.y), static_cast<double>(velocity.angularVelocity.z));
    }

    void locate_as_one_of_two(XrSpace which, XrTime time, XrSpaceLocation& location, XrSpaceVelocity& velocity) {
        const std::array<XrSpace, 2> spaces = {space, which};
        std::array<XrSpaceLocationDataKHR, 2> locations{};
        std::array<XrSpaceVelocityDataKHR, 2> speeds{};
        const XrSpacesLocateInfoKHR info{XR_TYPE_SPACES_LOCATE_INFO_KHR, nullptr, space, time, 2, spaces.data()};
        XrSpaceVelocitiesKHR velocities{XR_TYPE_SPACE_VELOCITIES_KHR, nullptr, 2, speeds.data()};
        XrSpaceLocationsKHR out{XR_TYPE_SPACE_LOCATIONS_KHR, &velocities, 2, locations.data()};
        CHECK(locate_spaces(session, &info, &out));
        if ((locations[0].locationFlags & 3U) != 3 || std::abs(locations[0].pose.position.x) > 1e-6F)
            throw Failure("a space is not where it is itself");
        location.locationFlags = locations[1].locationFlags;
        location.pose = locations[1].pose;
        velocity.velocityFlags = speeds[1].velocityFlags;
        velocity.linearVelocity = speeds[1].linearVelocity;
        velocity.angularVelocity = speeds[1].angularVelocity;
    }

    void look_at_head(XrTime time) {
        print_space("head", head, time);
        XrViewLocateInfo info{XR_TYPE_VIEW_LOCATE_INFO, nullptr, XR_VIEW_CONFIGURATION_TYPE_PRIMARY_STEREO, time,
                              space};
        auto view_state = made<XrViewState>(XR_TYPE_VIEW_STATE);
        std::array<XrView, 2> views{};
        views.fill(made<XrView>(XR_TYPE_VIEW));
        std::uint32_t view_count = 0;
        CHECK(xrLocateViews(session, &info, &view_state, 2, &view_count, views.data()));
        for (std::size_t i = 0; i < view_count; ++i) {
            print_pose(i == 0 ? "view 0" : "view 1", time, view_state.viewStateFlags, views[i].pose);
            const XrFovf& fov = views[i].fov;
            std::printf(" %.9g %.9g %.9g %.9g\n", static_cast<double>(fov.angleLeft),
                        static_cast<double>(fov.angleRight), static_cast<double>(fov.angleUp),
                        static_cast<double>(fov.angleDown));
        }
    }

    bool sync() {
        std::vector<XrActiveActionSet> active;
        if (controllers) active.push_back({set, XR_NULL_PATH});
        if (gestures) active.push_back({gesture_set, XR_NULL_PATH});
        const XrActionsSyncInfo info{XR_TYPE_ACTIONS_SYNC_INFO, nullptr, static_cast<std::uint32_t>(active.size()),
                                     active.data()};
        return CHECK(xrSyncActions(session, &info)) == XR_SUCCESS;
    }

    // Side 2 is either hand.
    void print_gesture(const Gesture& each, std::size_t side, XrTime time) {
        const XrActionStateGetInfo get{XR_TYPE_ACTION_STATE_GET_INFO, nullptr, each.action,
                                       side < 2 ? hand_paths[side] : XR_NULL_PATH};
        auto value = made<XrActionStateFloat>(XR_TYPE_ACTION_STATE_FLOAT);
        if (each.type == XR_ACTION_TYPE_FLOAT_INPUT) {
            CHECK(xrGetActionStateFloat(session, &get, &value));
        } else {
            auto press = made<XrActionStateBoolean>(XR_TYPE_ACTION_STATE_BOOLEAN);
            CHECK(xrGetActionStateBoolean(session, &get, &press));
            value.currentState = press.currentState == XR_TRUE ? 1.0F : 0.0F;
            value.isActive = press.isActive;
            value.changedSinceLastSync = press.changedSinceLastSync;
            value.lastChangeTime = press.lastChangeTime;
        }
        std::printf("%s %zu %lld %u %.9g %u %lld\n", each.name, side, static_cast<long long>(time - first_time),
                    value.isActive, static_cast<double>(value.currentState), value.changedSinceLastSync,
                    static_cast<long long>(value.lastChangeTime - first_time));
    }

    void look_at_gestures(XrTime time) {
        for (const Gesture& each : gesture_actions)
            for (std::size_t i = 0; i < 2; ++i) {
                if (each.type == XR_ACTION_TYPE_POSE_INPUT)
                    print_space((std::string(each.name) + (i == 0 ? " 0" : " 1")).c_str(), each.spaces[i], time);
                else
                    print_gesture(each, i, time);
            }
        print_gesture(gesture_actions[0], 2, time);
    }

    void look_at_controllers(XrTime time) {
        for (std::size_t i = 0; i < 2; ++i) {
            print_space(i == 0 ? "grip 0" : "grip 1", grips[i], time);
            XrActionStateGetInfo get{XR_TYPE_ACTION_STATE_GET_INFO, nullptr, trigger, hand_paths[i]};
            auto pull = made<XrActionStateFloat>(XR_TYPE_ACTION_STATE_FLOAT);
            CHECK(xrGetActionStateFloat(session, &get, &pull));
            std::printf("trigger %zu %lld %u %.9g %u\n", i, static_cast<long long>(time - first_time), pull.isActive,
                        static_cast<double>(pull.currentState), pull.changedSinceLastSync);
            get.action = select;
            auto press = made<XrActionStateBoolean>(XR_TYPE_ACTION_STATE_BOOLEAN);
            CHECK(xrGetActionStateBoolean(session, &get, &press));
            std::printf("select %zu %lld %u %u %u\n", i, static_cast<long long>(time - first_time), press.isActive,
                        press.currentState, press.changedSinceLastSync);
            get.action = grip;
            auto held = made<XrActionStatePose>(XR_TYPE_ACTION_STATE_POSE);
            CHECK(xrGetActionStatePose(session, &get, &held));
            std::printf("held %zu %lld %u\n", i, static_cast<long long>(time - first_time), held.isActive);
            XrHapticActionInfo felt{XR_TYPE_HAPTIC_ACTION_INFO, nullptr, haptic, hand_paths[i]};
            const XrHapticVibration vibration{XR_TYPE_HAPTIC_VIBRATION, nullptr, 20'000'000, 160.0F, pull.currentState};
            if (pull.changedSinceLastSync == XR_TRUE && pull.currentState > 0.0F)
                CHECK(xrApplyHapticFeedback(session, &felt, reinterpret_cast<const XrHapticBaseHeader*>(&vibration)));
            if (pull.changedSinceLastSync == XR_TRUE && pull.currentState == 0.0F)
                CHECK(xrStopHapticFeedback(session, &felt));
        }
    }

    void print_profiles() {
        for (std::size_t i = 0; i < 2; ++i) {
            auto profile = made<XrInteractionProfileState>(XR_TYPE_INTERACTION_PROFILE_STATE);
            CHECK(xrGetCurrentInteractionProfile(session, hand_paths[i], &profile));
            std::array<char, XR_MAX_PATH_LENGTH> text{};
            std::uint32_t size = 0;
            if (profile.interactionProfile != XR_NULL_PATH)
                CHECK(xrPathToString(instance, profile.interactionProfile, XR_MAX_PATH_LENGTH, &size, text.data()));
            std::printf("profile %zu %s\n", i, text[0] == '\0' ? "none" : text.data());
        }
    }

    void poll() {
        for (;;) {
            auto event = made<XrEventDataBuffer>(XR_TYPE_EVENT_DATA_BUFFER);
            if (CHECK(xrPollEvent(instance, &event)) == XR_EVENT_UNAVAILABLE) return;
            if (event.type == XR_TYPE_EVENT_DATA_INTERACTION_PROFILE_CHANGED && (controllers || gestures))
                print_profiles();
            if (event.type != XR_TYPE_EVENT_DATA_SESSION_STATE_CHANGED) continue;
            state = reinterpret_cast<const XrEventDataSessionStateChanged&>(event).state;
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
            if (state == XR_SESSION_STATE_LOSS_PENDING) throw Lost{};
        }
    }

    XrResult look(std::size_t i, XrTime time) {
        XrHandJointsLocateInfoEXT info{XR_TYPE_HAND_JOINTS_LOCATE_INFO_EXT, nullptr, space, wrong == "time" ? 0 : time};
        XrHandJointLocationsEXT* out = seen[i].prepare(!plain);
        if (no_velocities) out->next = nullptr;
        if (wrong == "count") out->jointCount = 25;
        if (wrong == "type") out->type = XR_TYPE_SYSTEM_PROPERTIES;
        if (wrong == "space") info.baseSpace = XR_NULL_HANDLE;
        return locate(trackers[i], &info, out);
    }

    void print(int frame, std::size_t i) const {
        const Hand& hand = seen[i];
        std::printf("hand %d %zu %u", frame, i, hand.out.isActive);
        for (const auto& joint : hand.joints) {
            const auto& p = joint.pose.position;
            const auto& q = joint.pose.orientation;
            std::printf(" %llu %.9g %.9g %.9g %.9g %.9g %.9g %.9g %.9g",
                        static_cast<unsigned long long>(joint.locationFlags), static_cast<double>(p.x),
                        static_cast<double>(p.y), static_cast<double>(p.z), static_cast<double>(q.x),
                        static_cast<double>(q.y), static_cast<double>(q.z), static_cast<double>(q.w),
                        static_cast<double>(joint.radius));
        }
        const auto& tip = hand.speeds[XR_HAND_JOINT_INDEX_TIP_EXT];
        std::printf(" | %llu %.9g %.9g %.9g\n", static_cast<unsigned long long>(tip.velocityFlags),
                    static_cast<double>(tip.linearVelocity.x), static_cast<double>(tip.linearVelocity.y),
                    static_cast<double>(tip.linearVelocity.z));
        if (hand.unknown.number != 0x600DC0DE) throw Failure("a structure in the chain was changed");
    }

    void look_at_hands(int frame, XrTime time) {
        std::array<XrResult, 2> results{};
        if (threads) {
            std::thread other([&] { results[1] = look(1, time); });
            results[0] = look(0, time);
            other.join();
        } else {
            for (std::size_t i = 0; i < 2; ++i) results[i] = look(i, time);
        }
        for (std::size_t i = 0; i < 2; ++i) {
            if (!wrong.empty()) std::printf("located %d\n", results[i]);
            if (results[i] == XR_ERROR_SESSION_LOST || results[i] == XR_ERROR_INSTANCE_LOST) throw Lost{};
            if (results[i] < 0 && wrong.empty()) throw Failure("locating gave " + std::to_string(results[i]));
            if (results[i] >= 0) print(frame, i);
        }
    }

    void feel() {
        std::array<XrForceFeedbackCurlApplyLocationMNDX, 5> fingers{};
        for (int f = 0; f < 5; ++f)
            fingers[static_cast<std::size_t>(f)] = {static_cast<XrForceFeedbackCurlLocationMNDX>(f),
                                                    static_cast<float>(curl)};
        const XrForceFeedbackCurlApplyLocationsMNDX forces{XR_TYPE_FORCE_FEEDBACK_CURL_APPLY_LOCATIONS_MNDX, nullptr, 5,
                                                           fingers.data()};
        std::printf("curl %d %d\n", apply_curl(trackers[0], &forces), apply_curl(trackers[1], &forces));
    }

    void frames_of_a_session() {
        while (!(running && state == XR_SESSION_STATE_FOCUSED)) poll();
        XrTime first = 0;
        for (int frame = 0; frame < frames && state != XR_SESSION_STATE_EXITING; ++frame) {
            poll();
            if (!running) continue;
            XrFrameState timing = made<XrFrameState>(XR_TYPE_FRAME_STATE);
            CHECK(xrWaitFrame(session, nullptr, &timing));
            CHECK(xrBeginFrame(session, nullptr));
            if (first == 0) first = first_time = timing.predictedDisplayTime;
            const auto step = static_cast<XrTime>(1e6 * step_ms);
            const XrTime time = pace ? timing.predictedDisplayTime : first + frame * step;
            if (controllers) look_at_head(time);
            if (hands && trackers[0] != XR_NULL_HANDLE) look_at_hands(frame, time);
            if ((controllers || gestures) && sync()) {
                if (controllers) look_at_controllers(time);
                if (gestures) look_at_gestures(time);
            }
            if (curl >= 0.0 && apply_curl != nullptr) feel();
            auto end = made<XrFrameEndInfo>(XR_TYPE_FRAME_END_INFO);
            end.displayTime = timing.predictedDisplayTime;
            end.environmentBlendMode = XR_ENVIRONMENT_BLEND_MODE_OPAQUE;
            CHECK(xrEndFrame(session, &end));
            std::fflush(stdout);
            if (pace) std::this_thread::sleep_for(std::chrono::nanoseconds(step));
        }
        if (hang_s > 0.0) {
            std::printf("hangs\n");
            std::fflush(stdout);
            std::this_thread::sleep_for(std::chrono::duration<double>(hang_s));
        }
        if (count) count_allocations(first);
        if (time_calls) measure(first);
    }

    void look_without_words(XrTime time, std::size_t i) {
        auto location = made<XrSpaceLocation>(XR_TYPE_SPACE_LOCATION);
        CHECK(xrLocateSpace(head, space, time, &location));
        CHECK(xrLocateSpace(grips[i], space, time, &location));
        const XrViewLocateInfo info{XR_TYPE_VIEW_LOCATE_INFO, nullptr, XR_VIEW_CONFIGURATION_TYPE_PRIMARY_STEREO, time,
                                    space};
        auto view_state = made<XrViewState>(XR_TYPE_VIEW_STATE);
        std::array<XrView, 2> views{};
        views.fill(made<XrView>(XR_TYPE_VIEW));
        std::uint32_t view_count = 0;
        CHECK(xrLocateViews(session, &info, &view_state, 2, &view_count, views.data()));
        const XrActionStateGetInfo get{XR_TYPE_ACTION_STATE_GET_INFO, nullptr, trigger, hand_paths[i]};
        auto pull = made<XrActionStateFloat>(XR_TYPE_ACTION_STATE_FLOAT);
        CHECK(xrGetActionStateFloat(session, &get, &pull));
    }

    // What 10,000 calls ask of the allocator, layers, loader and runtime together.
    void count_allocations(XrTime first) {
        plain = true;
        const std::int64_t before = allocations;
        for (int i = 0; i < 10'000; ++i) {
            const XrTime time = first + std::int64_t{i} * 1'000'000;
            look(static_cast<std::size_t>(i) % 2, time);
            if (controllers) look_without_words(time, static_cast<std::size_t>(i) % 2);
        }
        std::printf("allocations %lld\n", static_cast<long long>(allocations - before));
    }

    void measure(XrTime first) {
        constexpr int kCalls = 20'000;
        std::vector<std::int64_t> took;
        for (int i = 0; i < kCalls; ++i) {
            const std::int64_t start = now_ns();
            look(static_cast<std::size_t>(i) % 2, first + std::int64_t{i} * 1'000'000);
            took.push_back(now_ns() - start);
        }
        for (const std::int64_t each : took) std::printf("took %lld\n", static_cast<long long>(each));
    }

    void end_session() {
        if (running && state != XR_SESSION_STATE_EXITING) {
            CHECK(xrRequestExitSession(session));
            while (state != XR_SESSION_STATE_EXITING) poll();
        }
        for (const XrHandTrackerEXT tracker : trackers)
            if (tracker != XR_NULL_HANDLE) CHECK(destroy_tracker(tracker));
        CHECK(xrDestroySession(session));
        session = XR_NULL_HANDLE;
        running = false;
        state = XR_SESSION_STATE_UNKNOWN;
        if (fresh && set != XR_NULL_HANDLE) {
            CHECK(xrDestroyActionSet(set));
            set = XR_NULL_HANDLE;
        }
    }

    void run() {
        make_instance();
        for (int i = 0; i < sessions; ++i) {
            try {
                make_session();
                frames_of_a_session();
                end_session();
            } catch (const Lost&) {
                std::printf("lost\n");
                if (session != XR_NULL_HANDLE) xrDestroySession(session);
                session = XR_NULL_HANDLE;
                running = false;
                state = XR_SESSION_STATE_UNKNOWN;
            }
        }
        CHECK(xrDestroyInstance(instance));
        std::printf("done\n");
    }
};

}  // namespace

int main(int argc, char** argv) {
    Application app;
    for (int i = 1; i < argc; ++i) {
        const std::string word = argv[i];
        const auto value = [&] { return ++i < argc ? argv[i] : ""; };
        if (word == "--frames") app.frames = std::atoi(value());
        if (word == "--step-ms") app.step_ms = std::atof(value());
        if (word == "--space") app.space_name = value();
        if (word == "--curl") app.curl = std::atof(value());
        if (word == "--hang") app.hang_s = std::atof(value());
        if (word == "--sessions") app.sessions = std::atoi(value());
        if (word == "--wrong") app.wrong = value();
        if (word == "--exit") app.exit_code = std::atoi(value());
        if (word == "--pace") app.pace = true;
        if (word == "--controllers") app.controllers = true;
        if (word == "--gestures") app.gestures = true;
        if (word == "--many") app.many = true;
        if (word == "--fresh") app.fresh = true;
        if (word == "--no-hands") app.hands = false;
        if (word == "--plain") app.plain = true;
        if (word == "--no-velocities") app.no_velocities = true;
        if (word == "--threads") app.threads = true;
        if (word == "--allocations") app.count = true;
        if (word == "--time-calls") app.time_calls = true;
    }
    try {
        app.run();
        return app.exit_code;
    } catch (const std::exception& e) {
        std::printf("failed: %s\n", e.what());
        return 1;
    }
}
