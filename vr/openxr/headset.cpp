#include "vr/openxr/headset.h"

#include <openxr/openxr_reflection.h>
#include <time.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <thread>
#include <utility>

#include "vr/openxr/display_period.h"
#include "vr/openxr/xr.h"

namespace glovebox::vr::openxr {
namespace {

using tracking::Side;

constexpr int kMaxEventsAtOnce = 64;  // limit, in case the runtime never runs out of events

std::int64_t steady_ns() {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

std::vector<std::string> offered_extensions(XrResult& result) {
    std::uint32_t count = 0;
    result = xrEnumerateInstanceExtensionProperties(nullptr, 0, &count, nullptr);
    if (XR_FAILED(result)) return {};
    std::vector<XrExtensionProperties> rows(count, made<XrExtensionProperties>(XR_TYPE_EXTENSION_PROPERTIES));
    result = xrEnumerateInstanceExtensionProperties(nullptr, count, &count, rows.data());
    std::vector<std::string> names;
    for (const XrExtensionProperties& row : rows) names.emplace_back(row.extensionName);
    return names;
}

constexpr std::int64_t kSecond_ns = 1'000'000'000;
// Maximum wait for a runtime that announces its end, because the time that it names may be far off or impossible.
constexpr std::int64_t kLongestFarewell_ns = 60 * kSecond_ns;
constexpr int kMaxMessages = 50;  // maximum that is printed; all are counted
constexpr int kSessionsToAnInstance = 4, kMaxDoublings = 4;

// May run on any of the runtime's threads, during our own calls: it only prints and counts.
XrBool32 XRAPI_CALL forward_message(XrDebugUtilsMessageSeverityFlagsEXT severity, XrDebugUtilsMessageTypeFlagsEXT,
                                    const XrDebugUtilsMessengerCallbackDataEXT* data, void* count) {
    if (static_cast<std::atomic<int>*>(count)->fetch_add(1) < kMaxMessages && data != nullptr)
        std::fprintf(stderr, "glovebox: OpenXR %s%s%s: %s\n",
                     (severity & XR_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT) != 0 ? "error" : "warning",
                     data->functionName != nullptr && *data->functionName != '\0' ? " in " : "",
                     data->functionName != nullptr ? data->functionName : "",
                     data->message != nullptr ? data->message : "");
    return XR_FALSE;
}

// Adds a note unless an earlier session has added it.
void add_once(std::vector<std::string>& notes, const char* note) {
    if (std::find(notes.begin(), notes.end(), note) == notes.end()) notes.emplace_back(note);
}

// A prediction may be invalid even if the sample was valid.
bool is_drawable(const tracking::HandFrame& hand) {
    return std::all_of(hand.joints.begin(), hand.joints.end(), [](const tracking::JointPose& joint) {
        return (!joint.position_valid() || joint.position_m.allFinite()) &&
               (!joint.orientation_valid() || joint.orientation.coeffs().allFinite());
    });
}

// Returns whether a view has a valid pose and a non-empty field of view, which may be mirrored.
bool is_eye(const XrView& view) {
    const Eigen::Isometry3f pose = tracking::isometry_from_openxr(view.pose);
    const XrQuaternionf& q = view.pose.orientation;
    const XrFovf& fov = view.fov;
    const auto opens = [](float from_rad, float to_rad) {
        constexpr float kMax_rad = 1.57F;  // at a right angle there is no projection
        return std::abs(from_rad) < kMax_rad && std::abs(to_rad) < kMax_rad && from_rad != to_rad;
    };
    return pose.matrix().allFinite() &&
           std::abs(std::hypot(std::hypot(q.x, q.y), std::hypot(q.z, q.w)) - 1.0F) < 0.01F &&
           opens(fov.angleLeft, fov.angleRight) && opens(fov.angleDown, fov.angleUp);
}

}  // namespace

std::string text_of(XrResult result) {
    switch (result) {
#define GLOVEBOX_CASE(name, value) \
    case name:                     \
        return #name;
        XR_LIST_ENUM_XrResult(GLOVEBOX_CASE)
#undef GLOVEBOX_CASE
    }
    return "XrResult " + std::to_string(static_cast<int>(result));
}

std::string_view name_of(Phase phase) {
    constexpr std::array<std::string_view, 7> kNames{"no runtime", "no headset", "idle",   "synchronized",
                                                     "visible",    "focused",    "closing"};
    return kNames[static_cast<std::size_t>(phase)];
}

Headset::Headset(HeadsetSettings settings) : settings_(std::move(settings)) {}

Headset::~Headset() {
    drop_instance();
}

template <typename Function>
Function Headset::function(const char* name) const {
    PFN_xrVoidFunction pointer = nullptr;
    if (XR_FAILED(xrGetInstanceProcAddr(instance_, name, &pointer))) return nullptr;
    return reinterpret_cast<Function>(pointer);
}

void Headset::enter(Phase phase) {
    status_.phase = phase;
    feels_.store(phase == Phase::focused, std::memory_order_relaxed);
}

// Handles the results of haptic calls from other threads, and reports those calls.
void Headset::take_haptic_results() {
    const char* const call = haptic_call_.load(std::memory_order_relaxed);
    const XrResult result = haptic_result_.exchange(XR_SUCCESS, std::memory_order_acquire);
    if (result == XR_ERROR_FEATURE_UNSUPPORTED)
        status_.force_feedback = false;
    else
        check(result, call);
    report_calls(std::unique_lock(calls_, std::try_to_lock));  // this thread does not wait for a haptic call
}

void Headset::report_all() {
    report_calls(std::unique_lock(calls_));
}

void Headset::add_call(const ReportedHand& hand) {
    ReportedCalls& calls = reports_[reports_into_];
    if (!settings_.on_haptics || calls.count == calls.calls.size()) return;
    calls.calls[calls.count] = hand;
    calls.calls[calls.count++].time_ns = steady_ns();
}

// Writing a log may take long, so haptic calls can go on meanwhile.
void Headset::report_calls(std::unique_lock<PriorityMutex> lock) {
    if (!lock.owns_lock()) return;
    ReportedCalls& calls = reports_[std::exchange(reports_into_, 1 - reports_into_)];
    lock.unlock();
    for (std::size_t i = 0; i < calls.count; ++i) settings_.on_haptics(calls.calls[i]);
    calls.count = 0;
}

void Headset::answer(XrResult result, const char* call) {
    if (XR_SUCCEEDED(result)) return;
    haptic_call_.store(call, std::memory_order_relaxed);
    haptic_result_.store(result, std::memory_order_release);
}

bool Headset::check(XrResult result, const char* call) {
    if (XR_SUCCEEDED(result)) return true;
    status_.trouble = std::string(call) + ": " + text_of(result);
    if (result == XR_ERROR_INSTANCE_LOST) {
        ++status_.instances_lost;
        drop_instance();
    } else if (result == XR_ERROR_SESSION_LOST) {
        ++status_.sessions_lost;
        drop_session();
    }
    return false;
}

void Headset::let_go() {
    feels_.store(false, std::memory_order_relaxed);
    std::unique_lock lock(calls_);
    for (const Side side : {Side::left, Side::right}) {
        if (holding_[side]) put_hold(side, {});
        if (vibrating_[side]) put_stop(side);
    }
    report_calls(std::move(lock));
}

void Headset::drop_session() {
    feels_.store(false, std::memory_order_relaxed);
    report_all();
    const std::scoped_lock lock(calls_, locating_);  // neither runs while its session is destroyed
    haptic_result_.store(XR_SUCCESS, std::memory_order_relaxed);
    running_ = false;
    holding_.fill(false);
    vibrating_.fill(false);
    if (session_ != XR_NULL_HANDLE) xrDestroySession(session_);  // and everything made from it
    session_ = XR_NULL_HANDLE;
    seat_ = XR_NULL_HANDLE;
    trackers_.fill(XR_NULL_HANDLE);
    actions_.grip_spaces.fill(XR_NULL_HANDLE);
    system_ = XR_NULL_SYSTEM_ID;
    status_.hand_tracking = status_.force_feedback = false;
    holds_.store(false, std::memory_order_release);
    status_.controllers.fill("none");
    status_.no_picture.clear();
    tracked_ns_.fill(0);
    period_ns_ = 0;
    if (status_.phase != Phase::no_runtime && status_.phase != Phase::closing) enter(Phase::no_headset);
}

void Headset::drop_instance() {
    drop_session();
    if (messenger_ != XR_NULL_HANDLE)
        if (const auto destroy = function<PFN_xrDestroyDebugUtilsMessengerEXT>("xrDestroyDebugUtilsMessengerEXT"))
            destroy(messenger_);
    messenger_ = XR_NULL_HANDLE;
    if (instance_ != XR_NULL_HANDLE) xrDestroyInstance(instance_);
    instance_ = XR_NULL_HANDLE;
    actions_ = {};
    locate_joints_ = nullptr;
    apply_curl_ = nullptr;
    to_time_ = nullptr;
    to_timespec_ = nullptr;
    if (status_.phase != Phase::closing) enter(Phase::no_runtime);
}

void Headset::update(std::int64_t now_ns) {
    last_update_ns_ = now_ns;
    status_.messages = messages_;
    if (status_.phase == Phase::closing) return;
    take_haptic_results();
    if (instance_ != XR_NULL_HANDLE) poll_events();
    if (status_.phase == Phase::closing || session_ != XR_NULL_HANDLE || now_ns < next_try_ns_) return;
    next_try_ns_ = now_ns + settings_.retry_ns;
    if (instance_ == XR_NULL_HANDLE) make_instance();
    if (instance_ != XR_NULL_HANDLE && session_ == XR_NULL_HANDLE) find_headset();
}

void Headset::make_instance() {
    enter(Phase::no_runtime);
    status_.missing.clear();
    XrResult result = XR_SUCCESS;
    const std::vector<std::string> offered = offered_extensions(result);
    status_.runtime_found = check(result, "xrEnumerateInstanceExtensionProperties");
    if (!status_.runtime_found) return;
    ExtensionChoice choice = choose_extensions(offered, settings_.headless);
    status_.missing = choice.missing;
    if (!choice.missing.empty()) {
        status_.trouble = choice.missing;
        return;
    }
    auto info = made<XrInstanceCreateInfo>(XR_TYPE_INSTANCE_CREATE_INFO);
    std::snprintf(info.applicationInfo.applicationName, XR_MAX_APPLICATION_NAME_SIZE, "Glovebox");
    std::snprintf(info.applicationInfo.engineName, XR_MAX_ENGINE_NAME_SIZE, "Glovebox");
    info.applicationInfo.apiVersion = XR_MAKE_VERSION(1, 0, 0);
    info.enabledExtensionCount = static_cast<std::uint32_t>(choice.names.size());
    info.enabledExtensionNames = choice.names.data();
    if (!check(xrCreateInstance(&info, &instance_), "xrCreateInstance")) {
        instance_ = XR_NULL_HANDLE;
        return;
    }
    extensions_ = choice.enabled;
    status_.notes = std::move(choice.notes);
    enter(Phase::no_headset);
    auto properties = made<XrInstanceProperties>(XR_TYPE_INSTANCE_PROPERTIES);
    if (XR_SUCCEEDED(xrGetInstanceProperties(instance_, &properties))) status_.runtime = properties.runtimeName;
    if (extensions_.has(Extension::hand_tracking))
        locate_joints_ = function<PFN_xrLocateHandJointsEXT>("xrLocateHandJointsEXT");
    if (extensions_.has(Extension::force_feedback_curl))
        apply_curl_ = function<PFN_xrApplyForceFeedbackCurlMNDX>("xrApplyForceFeedbackCurlMNDX");
    if (extensions_.has(Extension::convert_timespec)) {
        to_time_ = function<decltype(to_time_)>("xrConvertTimespecTimeToTimeKHR");
        to_timespec_ = function<decltype(to_timespec_)>("xrConvertTimeToTimespecTimeKHR");
    }
    if (extensions_.has(Extension::debug_utils)) listen();
    if (!check(make_actions(instance_, extensions_, actions_), "making actions") && instance_ != XR_NULL_HANDLE)
        drop_instance();
}

void Headset::listen() {
    const auto make = function<PFN_xrCreateDebugUtilsMessengerEXT>("xrCreateDebugUtilsMessengerEXT");
    auto info = made<XrDebugUtilsMessengerCreateInfoEXT>(XR_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT);
    info.messageSeverities =
        XR_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT | XR_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT;
    info.messageTypes = XR_DEBUG_UTILS_MESSAGE_TYPE_GENERAL_BIT_EXT | XR_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT |
                        XR_DEBUG_UTILS_MESSAGE_TYPE_PERFORMANCE_BIT_EXT |
                        XR_DEBUG_UTILS_MESSAGE_TYPE_CONFORMANCE_BIT_EXT;
    info.userCallback = forward_message;
    info.userData = &messages_;
    if (make == nullptr || XR_FAILED(make(instance_, &info, &messenger_))) messenger_ = XR_NULL_HANDLE;
}

void Headset::find_headset() {
    auto get = made<XrSystemGetInfo>(XR_TYPE_SYSTEM_GET_INFO);
    get.formFactor = XR_FORM_FACTOR_HEAD_MOUNTED_DISPLAY;
    if (!check(xrGetSystem(instance_, &get, &system_), "xrGetSystem")) return;
    auto hands = made<XrSystemHandTrackingPropertiesEXT>(XR_TYPE_SYSTEM_HAND_TRACKING_PROPERTIES_EXT);
    auto properties = made<XrSystemProperties>(XR_TYPE_SYSTEM_PROPERTIES);
    if (extensions_.has(Extension::hand_tracking)) properties.next = &hands;
    if (!check(xrGetSystemProperties(instance_, system_, &properties), "xrGetSystemProperties")) return;
    status_.headset = properties.systemName;
    status_.hand_tracking = hands.supportsHandTracking == XR_TRUE;
    find_blend_modes();
    const XrResult made_session = make_session();
    if (XR_SUCCEEDED(made_session)) {
        // Whether gloves take forces is not queried with XrSystemForceFeedbackCurlPropertiesMNDX, because validation
        // layers that are older than the extension reject the call. The first command shows it as well.
        status_.force_feedback = status_.hand_tracking && apply_curl_ != nullptr;
        holds_.store(status_.force_feedback, std::memory_order_release);
        ++status_.attached;
        if (extensions_.has(Extension::hand_tracking) && !status_.hand_tracking)
            add_once(status_.notes, "this headset tracks no hands: controllers bend a synthetic hand instead");
        if (settings_.see_through && !status_.can_see_through)
            add_once(status_.notes, "this headset does not show the room: no passthrough");
        enter(Phase::idle);
        status_.trouble.clear();
        sessions_refused_ = 0;
        poll_events();
    } else if (check(made_session, "making a session") || instance_ != XR_NULL_HANDLE) {
        // A dead service may leave an instance that reports nothing: create a new one, at growing intervals.
        if (++sessions_refused_ % kSessionsToAnInstance == 0)
            drop_instance();
        else
            drop_session();
        const int instances = std::min(sessions_refused_ / kSessionsToAnInstance, kMaxDoublings);
        next_try_ns_ = last_update_ns_ + (settings_.retry_ns << instances);
    }
}

XrResult Headset::make_session() {
    auto info = made<XrSessionCreateInfo>(XR_TYPE_SESSION_CREATE_INFO);
    info.systemId = system_;
    if (!settings_.headless) {
        info.next = settings_.graphics_binding ? settings_.graphics_binding(instance_, system_) : nullptr;
        if (info.next == nullptr) return XR_ERROR_GRAPHICS_DEVICE_INVALID;
    }
    if (const XrResult result = xrCreateSession(instance_, &info, &session_); XR_FAILED(result)) {
        session_ = XR_NULL_HANDLE;
        return result;
    }
    std::array<XrReferenceSpaceType, 16> spaces{};
    std::uint32_t count = 0;
    const XrResult listed =
        xrEnumerateReferenceSpaces(session_, static_cast<std::uint32_t>(spaces.size()), &count, spaces.data());
    const auto end = spaces.begin() + (XR_SUCCEEDED(listed) ? count : 0);
    has_stage_ = std::find(spaces.begin(), end, XR_REFERENCE_SPACE_TYPE_STAGE) != end;
    if (settings_.seat.in_stage && !has_stage_) settings_.seat = {};
    if (const XrResult result = make_space(settings_.seat, seat_); XR_FAILED(result)) return result;
    if (const XrResult result = attach_actions(session_, actions_); XR_FAILED(result)) return result;

    if (extensions_.has(Extension::refresh_rate)) choose_rate();
    if (!status_.hand_tracking) return XR_SUCCESS;
    const auto make_tracker = function<PFN_xrCreateHandTrackerEXT>("xrCreateHandTrackerEXT");
    for (std::size_t i = 0; i < trackers_.size() && make_tracker != nullptr; ++i) {
        auto tracker = made<XrHandTrackerCreateInfoEXT>(XR_TYPE_HAND_TRACKER_CREATE_INFO_EXT);
        tracker.hand = i == 0 ? XR_HAND_LEFT_EXT : XR_HAND_RIGHT_EXT;
        tracker.handJointSet = XR_HAND_JOINT_SET_DEFAULT_EXT;
        const XrResult result = make_tracker(session_, &tracker, &trackers_[i]);
        if (XR_SUCCEEDED(result)) continue;
        trackers_[i] = XR_NULL_HANDLE;
        if (result == XR_ERROR_SESSION_LOST || result == XR_ERROR_INSTANCE_LOST) return result;
        status_.hand_tracking = false;  // some runtimes claim hand tracking but cannot create a tracker
    }
    return XR_SUCCESS;
}

XrResult Headset::make_space(const SeatPlace& place, XrSpace& out) const {
    auto info = made<XrReferenceSpaceCreateInfo>(XR_TYPE_REFERENCE_SPACE_CREATE_INFO);
    info.referenceSpaceType = place.in_stage ? XR_REFERENCE_SPACE_TYPE_STAGE : XR_REFERENCE_SPACE_TYPE_LOCAL;
    info.poseInReferenceSpace = tracking::openxr_from_isometry(place.space_from_seat);
    return xrCreateReferenceSpace(session_, &info, &out);
}

std::optional<SeatPlace> Headset::move_seat(const FrameTiming& frame, const Eigen::Isometry3f& seat_from_new) {
    if (session_ == XR_NULL_HANDLE) return {};
    SeatPlace place{settings_.seat.in_stage, settings_.seat.space_from_seat * seat_from_new};
    if (!place.in_stage && has_stage_) {
        constexpr XrSpaceLocationFlags kValid =
            XR_SPACE_LOCATION_POSITION_VALID_BIT | XR_SPACE_LOCATION_ORIENTATION_VALID_BIT;
        XrSpace stage = XR_NULL_HANDLE;
        auto found = made<XrSpaceLocation>(XR_TYPE_SPACE_LOCATION);
        if (!check(make_space({true, Eigen::Isometry3f::Identity()}, stage), "making a space")) return {};
        if (!check(xrLocateSpace(seat_, stage, frame.display_time, &found), "xrLocateSpace")) return {};
        xrDestroySpace(stage);
        if ((found.locationFlags & kValid) == kValid)
            place = {true, tracking::isometry_from_openxr(found.pose) * seat_from_new};
    }
    XrSpace moved = XR_NULL_HANDLE;
    if (!check(make_space(place, moved), "making a space")) return {};
    {
        const std::lock_guard lock(locating_);
        xrDestroySpace(seat_);
        seat_ = moved;
    }
    settings_.seat = place;
    return place;
}

// Our pictures have an opaque background. If no opaque mode exists, use the runtime's first choice.
void Headset::find_blend_modes() {
    own_blend_mode_ = XR_ENVIRONMENT_BLEND_MODE_OPAQUE;
    status_.can_see_through = status_.sees_through = false;
    std::array<XrEnvironmentBlendMode, 8> modes{};
    std::uint32_t count = 0;
    if (XR_FAILED(xrEnumerateEnvironmentBlendModes(instance_, system_, XR_VIEW_CONFIGURATION_TYPE_PRIMARY_STEREO,
                                                   static_cast<std::uint32_t>(modes.size()), &count, modes.data())) ||
        count == 0)
        return;
    const auto end = modes.begin() + count;
    if (std::find(modes.begin(), end, XR_ENVIRONMENT_BLEND_MODE_OPAQUE) == end) own_blend_mode_ = modes.front();
    status_.can_see_through = std::find(modes.begin(), end, XR_ENVIRONMENT_BLEND_MODE_ALPHA_BLEND) != end;
    see_through(settings_.see_through);
}

void Headset::see_through(bool wanted) {
    settings_.see_through = wanted;
    status_.sees_through = wanted && status_.can_see_through;
}

// Requests the rate nearest to the wanted one, then reads the display's rate. A refusal is harmless.
void Headset::choose_rate() {
    const auto list = function<PFN_xrEnumerateDisplayRefreshRatesFB>("xrEnumerateDisplayRefreshRatesFB");
    const auto request_rate = function<PFN_xrRequestDisplayRefreshRateFB>("xrRequestDisplayRefreshRateFB");
    const auto get = function<PFN_xrGetDisplayRefreshRateFB>("xrGetDisplayRefreshRateFB");
    std::uint32_t count = 0;
    if (settings_.wanted_hz > 0.0F && list != nullptr && request_rate != nullptr &&
        XR_SUCCEEDED(list(session_, 0, &count, nullptr)) && count > 0) {
        std::vector<float> rates_hz(count);
        const auto apart = [this](float rate_hz) { return std::abs(rate_hz - settings_.wanted_hz); };
        if (XR_SUCCEEDED(list(session_, count, &count, rates_hz.data())))
            request_rate(session_, *std::min_element(rates_hz.begin(), rates_hz.end(),
                                                     [&apart](float a, float b) { return apart(a) < apart(b); }));
    }
    if (get == nullptr || XR_FAILED(get(session_, &status_.refresh_hz))) status_.refresh_hz = 0.0F;
}

bool Headset::read_hand_mesh(Side side, RiggedHand& out) {
    const XrHandTrackerEXT tracker = trackers_[side];
    const auto get = function<PFN_xrGetHandMeshFB>("xrGetHandMeshFB");
    if (!extensions_.has(Extension::hand_mesh) || tracker == XR_NULL_HANDLE || get == nullptr) return false;
    auto mesh = made<XrHandTrackingMeshFB>(XR_TYPE_HAND_TRACKING_MESH_FB);
    if (!check(get(tracker, &mesh), "xrGetHandMeshFB")) return false;
    constexpr std::uint32_t kMax = 1U << 16U;  // indices have 16 bits
    if (mesh.jointCountOutput != XR_HAND_JOINT_COUNT_EXT || mesh.vertexCountOutput == 0 ||
        mesh.vertexCountOutput > kMax || mesh.indexCountOutput > 16 * kMax)
        return false;
    const std::size_t vertices = mesh.vertexCountOutput, indices = mesh.indexCountOutput;
    std::vector<XrPosef> poses(XR_HAND_JOINT_COUNT_EXT);
    std::vector<float> radii(XR_HAND_JOINT_COUNT_EXT);
    std::vector<XrHandJointEXT> parents(XR_HAND_JOINT_COUNT_EXT);
    std::vector<XrVector3f> positions(vertices), normals(vertices);
    std::vector<XrVector2f> uvs(vertices);
    std::vector<XrVector4sFB> joints(vertices);
    std::vector<XrVector4f> weights(vertices);
    std::vector<std::int16_t> corners(indices);
    mesh.jointCapacityInput = XR_HAND_JOINT_COUNT_EXT;
    mesh.vertexCapacityInput = mesh.vertexCountOutput;
    mesh.indexCapacityInput = mesh.indexCountOutput;
    mesh.jointBindPoses = poses.data();
    mesh.jointRadii = radii.data();
    mesh.jointParents = parents.data();
    mesh.vertexPositions = positions.data();
    mesh.vertexNormals = normals.data();
    mesh.vertexUVs = uvs.data();
    mesh.vertexBlendIndices = joints.data();
    mesh.vertexBlendWeights = weights.data();
    mesh.indices = corners.data();
    if (!check(get(tracker, &mesh), "xrGetHandMeshFB")) return false;

    const auto vector_of = [](const XrVector3f& v) { return Eigen::Vector3f(v.x, v.y, v.z); };
    out = {};
    out.side = side;
    for (std::size_t j = 0; j < poses.size(); ++j) out.joint_m[j] = vector_of(poses[j].position);
    for (std::size_t i = 0; i < vertices; ++i) {
        RiggedHand::Vertex vertex;
        vertex.position_m = vector_of(positions[i]);
        vertex.normal = vector_of(normals[i]);
        const auto joint = [](std::int16_t number) {
            return static_cast<std::uint8_t>(std::clamp<int>(number, 0, XR_HAND_JOINT_COUNT_EXT - 1));
        };
        vertex.joints = {joint(joints[i].x), joint(joints[i].y), joint(joints[i].z), joint(joints[i].w)};
        vertex.weights = {weights[i].x, weights[i].y, weights[i].z, weights[i].w};
        out.vertices.push_back(vertex);
    }
    const auto corner = [&corners](std::size_t i) { return std::uint32_t{static_cast<std::uint16_t>(corners[i])}; };
    for (std::size_t i = 0; i + 2 < indices; i += 3) out.triangles.push_back({corner(i), corner(i + 1), corner(i + 2)});
    return true;
}

void Headset::poll_events() {
    for (int i = 0; i < kMaxEventsAtOnce && instance_ != XR_NULL_HANDLE; ++i) {
        auto event = made<XrEventDataBuffer>(XR_TYPE_EVENT_DATA_BUFFER);
        const XrResult result = xrPollEvent(instance_, &event);
        if (!check(result, "xrPollEvent") || result == XR_EVENT_UNAVAILABLE) return;
        const void* data = &event;
        // Ignore events of a session that has been destroyed.
        switch (event.type) {
            case XR_TYPE_EVENT_DATA_SESSION_STATE_CHANGED: {
                const auto& changed = *static_cast<const XrEventDataSessionStateChanged*>(data);
                if (session_ != XR_NULL_HANDLE && changed.session == session_) on_state(changed.state);
                break;
            }
            case XR_TYPE_EVENT_DATA_INSTANCE_LOSS_PENDING:
                on_loss_pending(static_cast<const XrEventDataInstanceLossPending*>(data)->lossTime);
                break;
            case XR_TYPE_EVENT_DATA_REFERENCE_SPACE_CHANGE_PENDING: {
                const auto& change = *static_cast<const XrEventDataReferenceSpaceChangePending*>(data);
                if (change.session == session_ &&
                    change.referenceSpaceType ==
                        (settings_.seat.in_stage ? XR_REFERENCE_SPACE_TYPE_STAGE : XR_REFERENCE_SPACE_TYPE_LOCAL))
                    ++status_.recentered;
                break;
            }
            case XR_TYPE_EVENT_DATA_INTERACTION_PROFILE_CHANGED:
                if (session_ == XR_NULL_HANDLE) break;
                for (std::size_t side = 0; side < status_.controllers.size(); ++side)
                    status_.controllers[side] = controller_name(instance_, session_, actions_, side);
                break;
            case XR_TYPE_EVENT_DATA_DISPLAY_REFRESH_RATE_CHANGED_FB:
                status_.refresh_hz =
                    static_cast<const XrEventDataDisplayRefreshRateChangedFB*>(data)->toDisplayRefreshRate;
                break;
            default:
                break;
        }
    }
}

// Handles the announced loss of the runtime, for example for an update: reconnect only after the time that it names.
void Headset::on_loss_pending(XrTime loss_time) {
    const std::int64_t loss_ns = common_from_device(loss_time);
    let_go();
    status_.trouble = "the runtime is going away";
    ++status_.instances_lost;
    drop_instance();
    next_try_ns_ = last_update_ns_ + std::clamp(loss_ns - last_update_ns_, settings_.retry_ns, kLongestFarewell_ns);
}

void Headset::on_state(XrSessionState state) {
    switch (state) {
        case XR_SESSION_STATE_IDLE:
            enter(Phase::idle);
            break;
        case XR_SESSION_STATE_READY: {
            auto begin = made<XrSessionBeginInfo>(XR_TYPE_SESSION_BEGIN_INFO);
            begin.primaryViewConfigurationType = XR_VIEW_CONFIGURATION_TYPE_PRIMARY_STEREO;
            running_ = check(xrBeginSession(session_, &begin), "xrBeginSession");
            if (!running_ && session_ != XR_NULL_HANDLE) drop_session();  // retried with a new session
            break;
        }
        case XR_SESSION_STATE_SYNCHRONIZED:
            if (focused()) let_go();
            enter(Phase::synchronized);
            break;
        case XR_SESSION_STATE_VISIBLE:
            if (focused()) let_go();
            enter(Phase::visible);
            break;
        case XR_SESSION_STATE_FOCUSED:
            enter(Phase::focused);
            break;
        case XR_SESSION_STATE_STOPPING:
            let_go();
            running_ = false;
            enter(Phase::idle);
            check(xrEndSession(session_), "xrEndSession");
            break;
        case XR_SESSION_STATE_LOSS_PENDING:
            let_go();
            status_.trouble = "the headset is going away";
            ++status_.sessions_lost;
            drop_session();
            break;
        case XR_SESSION_STATE_EXITING:
            enter(Phase::closing);
            drop_session();
            break;
        default:
            break;
    }
}

std::optional<FrameTiming> Headset::own_frame(std::int64_t now_ns) {
    const timespec now{now_ns / kSecond_ns, now_ns % kSecond_ns};
    FrameTiming frame;
    if (!check(to_time_(instance_, &now, &frame.display_time), "xrConvertTimespecTimeToTimeKHR")) return {};
    frame.is_own = true;
    if (status_.refresh_hz > 1.0F) {  // a display would emit its light one period later
        frame.period = static_cast<XrDuration>(static_cast<float>(kSecond_ns) / status_.refresh_hz);
        frame.display_time += frame.period;
        frame.display_common_ns = now_ns + frame.period;
    }
    return frame;
}

std::optional<FrameTiming> Headset::begin_frame(std::int64_t now_ns) {
    if (!running_) return {};
    // XR_MND_headless: such a session needs no frame calls, and some runtimes refuse them.
    if (settings_.headless && to_time_ != nullptr) return own_frame(now_ns);
    auto state = made<XrFrameState>(XR_TYPE_FRAME_STATE);
    if (!check(xrWaitFrame(session_, nullptr, &state), "xrWaitFrame") ||
        !check(xrBeginFrame(session_, nullptr), "xrBeginFrame")) {
        ++frames_refused_;
        return {};
    }
    frames_refused_ = 0;
    FrameTiming frame;
    frame.display_time = state.predictedDisplayTime;
    frame.period = period_ns_ = display_period_ns(period_ns_, state.predictedDisplayPeriod);
    frame.should_render = state.shouldRender == XR_TRUE;
    frame.display_common_ns = common_from_device(frame.display_time);
    if (!extensions_.has(Extension::refresh_rate) && frame.period > 0)
        status_.refresh_hz = static_cast<float>(kSecond_ns) / static_cast<float>(frame.period);
    return frame;
}

void Headset::end_frame(const FrameTiming& frame, std::span<const XrCompositionLayerBaseHeader* const> layers) {
    if (session_ == XR_NULL_HANDLE || !running_ || frame.is_own) return;
    auto end = made<XrFrameEndInfo>(XR_TYPE_FRAME_END_INFO);
    end.displayTime = frame.display_time;
    end.environmentBlendMode = status_.sees_through ? XR_ENVIRONMENT_BLEND_MODE_ALPHA_BLEND : own_blend_mode_;
    end.layerCount = static_cast<std::uint32_t>(layers.size());
    end.layers = layers.empty() ? nullptr : layers.data();
    check(xrEndFrame(session_, &end), "xrEndFrame");
}

std::int64_t Headset::common_from_device(XrTime time) const {
    timespec out{};
    if (to_timespec_ == nullptr || XR_FAILED(to_timespec_(instance_, time, &out))) return 0;
    return out.tv_sec * kSecond_ns + out.tv_nsec;
}

XrResult Headset::locate(std::size_t side, XrTime time, tracking::LocatedJoints& out) const {
    auto range = made<XrHandJointsMotionRangeInfoEXT>(XR_TYPE_HAND_JOINTS_MOTION_RANGE_INFO_EXT);
    range.handJointsMotionRange = XR_HAND_JOINTS_MOTION_RANGE_UNOBSTRUCTED_EXT;
    auto info = made<XrHandJointsLocateInfoEXT>(XR_TYPE_HAND_JOINTS_LOCATE_INFO_EXT);
    if (extensions_.has(Extension::motion_range)) info.next = &range;
    info.baseSpace = seat_;
    info.time = time;
    return locate_joints_(trackers_[side], &info, out.prepare(true));
}

bool Headset::locate(std::size_t side, XrTime time) {
    return trackers_[side] != XR_NULL_HANDLE && locate_joints_ != nullptr &&
           check(locate(side, time, joints_[side]), "xrLocateHandJointsEXT");
}

bool Headset::locate_hands(tracking::PerSide<tracking::LocatedJoints>& scratch, std::int64_t now_ns,
                           tracking::HandPair& out) {
    const std::lock_guard lock(locating_);
    if (!feels() || session_ == XR_NULL_HANDLE || to_time_ == nullptr || locate_joints_ == nullptr) return false;
    const timespec now{now_ns / kSecond_ns, now_ns % kSecond_ns};
    XrTime time = 0;
    if (XR_FAILED(to_time_(instance_, &now, &time))) return false;
    out.time_ns = now_ns;
    for (std::size_t i = 0; i < out.hands.size(); ++i) {
        tracking::HandFrame& hand = out.hands[i];
        hand.side = static_cast<Side>(i);
        hand.active = false;
        if (trackers_[i] != XR_NULL_HANDLE) {
            const XrResult result = locate(i, time, scratch[i]);
            answer(result, "xrLocateHandJointsEXT");
            if (XR_FAILED(result)) return false;
            tracking::hand_frame_from_openxr(scratch[i], hand.side, hand);
        }
        hand.times = tracking::sample_times(time, now_ns, now_ns);
    }
    return true;
}

void Headset::sample_hands(const FrameTiming& frame, std::int64_t now_ns, tracking::HandPair& out) {
    // Tracked hands are often lost for moments; users with controllers have no tracked hand for longer.
    constexpr std::int64_t kUntracked_ns = kSecond_ns;
    out.time_ns = now_ns;
    XrTime time = frame.display_time - frame.period;
    const timespec now{now_ns / kSecond_ns, now_ns % kSecond_ns};
    if (to_time_ != nullptr && instance_ != XR_NULL_HANDLE) to_time_(instance_, &now, &time);
    bool synced = false;
    if (session_ != XR_NULL_HANDLE) {
        const XrResult result = sync_actions(session_, actions_);
        synced = check(result, "xrSyncActions") && result == XR_SUCCESS;
    }
    for (std::size_t i = 0; i < out.hands.size(); ++i) {
        tracking::HandFrame& hand = out.hands[i];
        hand.side = static_cast<Side>(i);
        hand.active = false;
        if (locate(i, time)) tracking::hand_frame_from_openxr(joints_[i], hand.side, hand);
        from_controller_[i] = false;
        if (hand.active || tracked_ns_[i] == 0) tracked_ns_[i] = now_ns;
        const bool untracked = !status_.hand_tracking || now_ns - tracked_ns_[i] > kUntracked_ns;
        if (!hand.active && untracked && synced && session_ != XR_NULL_HANDLE) {
            tracking::ControllerInput input;
            if (check(read_controller(session_, actions_, i, seat_, time, input), "reading a controller") &&
                input.present) {
                hand = tracking::hand_from_controller(input, settings_.profiles[i], hand.side);
                from_controller_[i] = true;
            }
        }
        hand.times = tracking::sample_times(time, now_ns, now_ns);
    }
}

void Headset::predict_hands(const FrameTiming& frame, const tracking::HandPair& sampled, tracking::HandPair& out) {
    constexpr float kFurthest_s = 0.025F;  // beyond this, prediction adds more jitter than it helps
    out = sampled;
    for (std::size_t i = 0; i < out.hands.size(); ++i) {
        if (!sampled.hands[i].active || from_controller_[i]) continue;
        tracking::HandFrame predicted = sampled.hands[i];
        if (!locate(i, frame.display_time)) return;
        tracking::hand_frame_from_openxr(joints_[i], predicted.side, predicted);
        if (!predicted.active || !is_drawable(predicted)) continue;
        const auto wrist = [](const tracking::HandFrame& f) { return f[tracking::Joint::wrist].position_m; };
        // Some runtimes ignore the requested time; then extrapolate with the velocities that they report.
        if (wrist(predicted) == wrist(sampled.hands[i])) {
            const auto ahead_ns = frame.display_common_ns - sampled.hands[i].times.common_ns;
            const float ahead_s = std::clamp(1e-9F * static_cast<float>(ahead_ns), 0.0F, kFurthest_s);
            predicted = tracking::extrapolated(predicted, joints_[i], ahead_s);
        }
        predicted.source = tracking::Source::extrapolated;
        out.hands[i] = predicted;
    }
}

bool Headset::locate_eyes(const FrameTiming& frame, std::array<XrView, 2>& out) {
    if (session_ == XR_NULL_HANDLE) return false;
    auto info = made<XrViewLocateInfo>(XR_TYPE_VIEW_LOCATE_INFO);
    info.viewConfigurationType = XR_VIEW_CONFIGURATION_TYPE_PRIMARY_STEREO;
    info.displayTime = frame.display_time;
    info.space = seat_;
    auto state = made<XrViewState>(XR_TYPE_VIEW_STATE);
    out.fill(made<XrView>(XR_TYPE_VIEW));
    std::uint32_t count = 0;
    if (!check(xrLocateViews(session_, &info, &state, 2, &count, out.data()), "xrLocateViews")) return false;
    constexpr XrViewStateFlags kValid = XR_VIEW_STATE_ORIENTATION_VALID_BIT | XR_VIEW_STATE_POSITION_VALID_BIT;
    return count == 2 && (state.viewStateFlags & kValid) == kValid && std::all_of(out.begin(), out.end(), is_eye);
}

bool Headset::eye_sizes(std::array<XrViewConfigurationView, 2>& out) {
    if (instance_ == XR_NULL_HANDLE) return false;
    out.fill(made<XrViewConfigurationView>(XR_TYPE_VIEW_CONFIGURATION_VIEW));
    std::uint32_t count = 0;
    return check(xrEnumerateViewConfigurationViews(instance_, system_, XR_VIEW_CONFIGURATION_TYPE_PRIMARY_STEREO, 2,
                                                   &count, out.data()),
                 "xrEnumerateViewConfigurationViews") &&
           count == 2;
}

void Headset::vibrate(Side side, float amplitude, std::int64_t duration_ns) {
    const std::lock_guard lock(calls_);
    if (!feels() || session_ == XR_NULL_HANDLE) return;
    auto info = made<XrHapticActionInfo>(XR_TYPE_HAPTIC_ACTION_INFO);
    info.action = actions_.vibration;
    info.subactionPath = actions_.hands[side];
    auto vibration = made<XrHapticVibration>(XR_TYPE_HAPTIC_VIBRATION);
    vibration.amplitude = std::clamp(amplitude, 0.0F, 1.0F);
    vibration.duration = duration_ns;
    vibration.frequency = XR_FREQUENCY_UNSPECIFIED;
    vibrating_[side] = true;
    const void* header = &vibration;
    const XrResult result = xrApplyHapticFeedback(session_, &info, static_cast<const XrHapticBaseHeader*>(header));
    answer(result, "xrApplyHapticFeedback");
    // XR_SESSION_NOT_FOCUSED is a success code, too, but nothing is felt.
    if (result == XR_SUCCESS) add_call({side, "controller", 0, vibration.amplitude, {}});
}

void Headset::stop_vibration(Side side) {
    const std::lock_guard lock(calls_);
    if (session_ != XR_NULL_HANDLE) put_stop(side);
}

void Headset::put_stop(Side side) {
    vibrating_[side] = false;
    auto info = made<XrHapticActionInfo>(XR_TYPE_HAPTIC_ACTION_INFO);
    info.action = actions_.vibration;
    info.subactionPath = actions_.hands[side];
    const XrResult result = xrStopHapticFeedback(session_, &info);
    answer(result, "xrStopHapticFeedback");
    if (XR_SUCCEEDED(result)) add_call({side, "controller", 0, 0.0F, {}});
}

bool Headset::hold_fingers(Side side, const std::array<float, tracking::kFingerCount>& limit) {
    const std::lock_guard lock(calls_);
    const bool holds = std::any_of(limit.begin(), limit.end(), [](float each) { return each > 0.0F; });
    if (holds && !feels()) return false;
    return can_hold() && put_hold(side, limit);
}

bool Headset::put_hold(Side side, const std::array<float, tracking::kFingerCount>& limit) {
    const XrHandTrackerEXT tracker = trackers_[side];
    if (apply_curl_ == nullptr || tracker == XR_NULL_HANDLE) return false;
    std::array<XrForceFeedbackCurlApplyLocationMNDX, tracking::kFingerCount> locations{};
    for (std::size_t i = 0; i < locations.size(); ++i)
        locations[i] = {static_cast<XrForceFeedbackCurlLocationMNDX>(i), std::clamp(limit[i], 0.0F, 1.0F)};
    auto info = made<XrForceFeedbackCurlApplyLocationsMNDX>(XR_TYPE_FORCE_FEEDBACK_CURL_APPLY_LOCATIONS_MNDX);
    info.locationCount = static_cast<std::uint32_t>(locations.size());
    info.locations = locations.data();
    holding_[side] = std::any_of(limit.begin(), limit.end(), [](float each) { return each > 0.0F; });
    const XrResult result = apply_curl_(tracker, &info);
    if (result == XR_ERROR_FEATURE_UNSUPPORTED) holds_.store(false, std::memory_order_release);
    answer(result, "xrApplyForceFeedbackCurlMNDX");
    if (XR_FAILED(result)) return false;
    add_call({side, "force-feedback", 0, {}, limit});
    return true;
}

void Headset::close(std::int64_t patience_ns, std::int64_t (*clock)()) {
    const std::int64_t until_ns = clock() + patience_ns;
    if (running_ && XR_SUCCEEDED(xrRequestExitSession(session_))) {
        while (running_ && clock() < until_ns && status_.phase != Phase::closing) {
            poll_events();
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
        poll_events();
    }
    enter(Phase::closing);
    drop_instance();
}

}  // namespace glovebox::vr::openxr
