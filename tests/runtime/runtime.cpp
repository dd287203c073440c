#include "tests/runtime/runtime.h"

#include <time.h>

#include <algorithm>
#include <cstdarg>
#include <cstdlib>
#include <cstring>

#include "tests/runtime/graphics.h"

namespace glovebox::tests::runtime {

Session::Session() = default;
Session::~Session() = default;

XrTime now() {
    timespec time{};
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1'000'000'000LL + time.tv_nsec + kXrTimeFromMonotonic_ns;
}

Runtime& runtime() {
    static Runtime only;
    return only;
}

double seconds_since_start(XrTime time) {
    return 1e-9 * static_cast<double>(time - runtime().started);
}

Runtime::Runtime() : started(now()) {
    const char* path = std::getenv("HAND_RUNTIME_SCRIPT");
    try {
        script = path != nullptr ? read_script(path) : default_script();
    } catch (const std::exception& e) {
        script_fault = e.what();
        std::fprintf(stderr, "hand test runtime: %s\n", e.what());
    }
    if (const char* log_path = std::getenv("HAND_RUNTIME_LOG"); log_path != nullptr) script.log_path = log_path;
    if (!script.log_path.empty()) {
        log = script.log_path == "-" ? stderr : std::fopen(script.log_path.c_str(), "w");
        if (log == nullptr) std::fprintf(stderr, "hand test runtime: %s: cannot be written\n", script.log_path.c_str());
        if (log != nullptr) std::setvbuf(log, nullptr, _IOLBF, 0);  // complete even if the application is killed
    }
    stage_from_local = {kIdentityPose.orientation, {0.0F, script.stage_from_head.position.y, 0.0F}};
}

Runtime::~Runtime() {
    write_log("summary frames %d missed %d refused %d haptic %d pictures %d left_behind %zu vibrating %d", frame,
              frames_missed, refused, haptic_calls, pictures, objects.size(),
              static_cast<int>(hands[0].vibrating_until > now()) + static_cast<int>(hands[1].vibrating_until > now()));
    if (log != nullptr && log != stderr) std::fclose(log);
    // Objects that the application left are not torn down: its OpenGL context may be gone by now.
    for (auto& [handle, object] : objects) (void)object.release();
}

void Runtime::write_log(const char* format, ...) {
    if (log == nullptr) return;
    std::fprintf(log, "%.6f ", seconds_since_start(now()));
    va_list arguments;
    va_start(arguments, format);
    std::vfprintf(log, format, arguments);
    va_end(arguments);
    std::fputc('\n', log);
}

XrResult refuse(XrResult result, const char* why) {
    runtime().write_log("because %s", why);
    tell(XR_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT, XR_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT, "", why);
    return result;
}

void tell(XrDebugUtilsMessageSeverityFlagsEXT severity, XrDebugUtilsMessageTypeFlagsEXT type, const char* function,
          const char* message) {
    XrDebugUtilsMessengerCallbackDataEXT data{};
    data.type = XR_TYPE_DEBUG_UTILS_MESSENGER_CALLBACK_DATA_EXT;
    data.messageId = "hand_test_runtime";
    data.functionName = function;
    data.message = message;
    for (const auto& [handle, object] : runtime().objects) {
        const auto* messenger = dynamic_cast<const Messenger*>(object.get());
        if (messenger == nullptr || (messenger->info.messageSeverities & severity) == 0 ||
            (messenger->info.messageTypes & type) == 0)
            continue;
        messenger->info.userCallback(severity, type, &data, messenger->info.userData);
    }
}

void Runtime::destroy(std::uint64_t handle) {
    std::vector<std::uint64_t> children;
    for (const auto& [other, object] : objects)
        if (object->parent == handle) children.push_back(other);
    for (const std::uint64_t child : children) destroy(child);
    objects.erase(handle);
}

Instance* Runtime::instance_of(const Object& object) {
    const Object* at = &object;
    while (at->parent != 0) {
        const auto found = objects.find(at->parent);
        if (found == objects.end()) return nullptr;
        at = found->second.get();
    }
    return find<Instance>(at->handle);
}

Instance* Runtime::only_instance() {
    for (const auto& [handle, object] : objects)
        if (auto* instance = dynamic_cast<Instance*>(object.get())) return instance;
    return nullptr;
}

XrPath Instance::path_of(const std::string& text) {
    const auto found = std::find(paths.begin(), paths.end(), text);
    if (found != paths.end()) return static_cast<XrPath>(found - paths.begin() + 1);
    paths.push_back(text);
    return paths.size();
}

XrResult fill_text(const std::string& text, std::uint32_t capacity, std::uint32_t* count, char* out) {
    return fill(capacity, count, text.size() + 1, [&](std::size_t i) { out[i] = text.c_str()[i]; });
}

void Runtime::push(Instance& instance, const XrEventDataBuffer& event) {
    instance.events.push_back(event);
}

namespace {

const char* name_of(XrSessionState state) {
    constexpr std::array<const char*, 9> kNames{"UNKNOWN", "IDLE",     "READY",        "SYNCHRONIZED", "VISIBLE",
                                                "FOCUSED", "STOPPING", "LOSS_PENDING", "EXITING"};
    return kNames[static_cast<std::size_t>(state)];
}

Session* the_session(Runtime& r) {
    Instance* instance = r.only_instance();
    return instance == nullptr ? nullptr : r.find<Session>(instance->session);
}

}  // namespace

void Runtime::set_state(Session& session, XrSessionState state) {
    session.state = state;
    write_log("state %s", name_of(state));
    XrEventDataSessionStateChanged event{XR_TYPE_EVENT_DATA_SESSION_STATE_CHANGED, nullptr,
                                         handle_of<XrSession>(session), state, now()};
    push(*instance_of(session), packed(event));
    if (state == XR_SESSION_STATE_READY) session.ready_at = 0;
    // A real runtime ends vibrations when the application loses the focus.
    if (state != XR_SESSION_STATE_FOCUSED)
        for (HandNow& hand : hands) hand.vibrating_until = 0;
}

void Runtime::go(Session& session, XrSessionState target) {
    if (session.state < XR_SESSION_STATE_SYNCHRONIZED || session.state > XR_SESSION_STATE_FOCUSED) return;
    while (session.state < target) set_state(session, static_cast<XrSessionState>(session.state + 1));
    while (session.state > target) set_state(session, static_cast<XrSessionState>(session.state - 1));
}

void Runtime::lose_instance(double away_s) {
    Instance* instance = only_instance();
    if (instance == nullptr || instance->lost) return;
    write_log("instance lost");
    instance->lost = true;
    instance_lost_at = 0;
    back_at = now() + static_cast<XrTime>(1e9 * away_s);
}

void Runtime::apply(const ScriptEvent& event) {
    Session* session = the_session(*this);
    Instance* instance = only_instance();
    HandNow& hand = hands[event.side];
    switch (event.kind) {
        case EventKind::hand:
            hand.fault = event.fault;
            hand.fault_since = now();
            write_log("script hand %s fault %d", event.side == 0 ? "left" : "right", static_cast<int>(event.fault));
            break;
        case EventKind::jump:
            hand.offset_m = hand.offset_m + event.vector_m;
            break;
        case EventKind::trigger:
            hand.trigger = static_cast<float>(event.number);
            break;
        case EventKind::squeeze:
            hand.squeeze = static_cast<float>(event.number);
            break;
        case EventKind::stall:
            stall_s = event.number;
            break;
        case EventKind::late_images:
            late_images = static_cast<int>(event.number);
            late_width = event.width;
            break;
        case EventKind::stage_moved:
            if (session == nullptr) break;
            push(*instance,
                 packed(XrEventDataReferenceSpaceChangePending{
                     XR_TYPE_EVENT_DATA_REFERENCE_SPACE_CHANGE_PENDING, nullptr, handle_of<XrSession>(*session),
                     XR_REFERENCE_SPACE_TYPE_STAGE, now(), XR_FALSE, kIdentityPose}));
            break;
        case EventKind::message:
            tell(XR_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT, XR_DEBUG_UTILS_MESSAGE_TYPE_GENERAL_BIT_EXT,
                 "xrWaitFrame", event.text.c_str());
            break;
        case EventKind::instance_lost:
            lose_instance(event.number);
            break;
        case EventKind::loss_pending:
            if (instance == nullptr) break;
            instance_lost_at = now() + static_cast<XrTime>(1e9 * event.number);
            write_log("instance loss pending");
            push(*instance, packed(XrEventDataInstanceLossPending{XR_TYPE_EVENT_DATA_INSTANCE_LOSS_PENDING, nullptr,
                                                                  instance_lost_at}));
            break;
        case EventKind::profile:
            script.profile = event.text;  // taken up at the next xrSyncActions
            break;
        case EventKind::head:
            script.stage_from_head = event.pose;
            break;
        case EventKind::recenter: {
            stage_from_local = event.pose;
            if (event.number == 0.0) stage_from_local.position.y = script.stage_from_head.position.y;
            if (session == nullptr) break;
            write_log("recentered");
            XrEventDataReferenceSpaceChangePending change{XR_TYPE_EVENT_DATA_REFERENCE_SPACE_CHANGE_PENDING,
                                                          nullptr,
                                                          handle_of<XrSession>(*session),
                                                          XR_REFERENCE_SPACE_TYPE_LOCAL,
                                                          now(),
                                                          XR_FALSE,
                                                          kIdentityPose};
            push(*instance, packed(change));
            break;
        }
        case EventKind::state:
            if (session == nullptr) break;
            session->wanted = event.target;
            go(*session, event.target);
            break;
        case EventKind::stopping:
        case EventKind::exiting:
            if (session == nullptr || !session->running) break;
            session->exit_wanted = event.kind == EventKind::exiting;
            session->ready_at = static_cast<XrTime>(1e9 * event.number);  // counted from xrEndSession
            go(*session, XR_SESSION_STATE_SYNCHRONIZED);
            set_state(*session, XR_SESSION_STATE_STOPPING);
            break;
        case EventKind::session_loss_pending:
            if (session == nullptr) break;
            set_state(*session, XR_SESSION_STATE_LOSS_PENDING);
            session->lost_at = now() + static_cast<XrTime>(1e9 * event.number);
            break;
        case EventKind::session_lost:
            if (session == nullptr) break;
            write_log("session lost");
            session->lost = true;
            headset_back_at = now() + static_cast<XrTime>(1e9 * event.number);
            break;
    }
}

void Runtime::run_events(bool frames) {
    const double time_s = seconds_since_start(now());
    for (ScriptEvent& event : script.events) {
        const bool due = frames ? event.frame && frame >= *event.frame : event.time_s && time_s >= *event.time_s;
        if (event.done || !due) continue;
        event.done = true;
        apply(event);
    }
}

void Runtime::tick() {
    run_events(false);
    const XrTime time = now();
    if (instance_lost_at != 0 && time >= instance_lost_at) lose_instance(0.0);
    Session* session = the_session(*this);
    if (session == nullptr) return;
    if (session->lost_at != 0 && time >= session->lost_at && !session->lost) {
        write_log("session lost");
        session->lost = true;
    }
    if (session->state == XR_SESSION_STATE_IDLE && session->ready_at != 0 && time >= session->ready_at)
        set_state(*session, XR_SESSION_STATE_READY);
}

bool Runtime::tells_loss(bool& told) {
    if (!told) told = std::strncmp(calling, script.loss_seen_in.c_str(), script.loss_seen_in.size()) == 0;
    return told;
}

template <typename T, typename Handle>
XrResult look_up(Handle handle, T*& out) {
    Runtime& r = runtime();
    out = r.find<T>(number_of(handle));
    if (out == nullptr) return refuse(XR_ERROR_HANDLE_INVALID, "no such handle");
    Instance* instance = r.instance_of(*out);
    if (instance != nullptr && instance->lost && r.tells_loss(instance->loss_told)) return XR_ERROR_INSTANCE_LOST;
    for (std::uint64_t at = out->handle; at != 0;) {
        const auto found = r.objects.find(at);
        if (found == r.objects.end()) break;
        if (auto* session = dynamic_cast<Session*>(found->second.get());
            session != nullptr && session->lost && r.tells_loss(session->loss_told))
            return XR_ERROR_SESSION_LOST;
        at = found->second->parent;
    }
    return XR_SUCCESS;
}
template XrResult look_up(XrInstance, Instance*&);
template XrResult look_up(XrSession, Session*&);
template XrResult look_up(XrSpace, Space*&);
template XrResult look_up(XrActionSet, ActionSet*&);
template XrResult look_up(XrAction, Action*&);
template XrResult look_up(XrHandTrackerEXT, HandTracker*&);
template XrResult look_up(XrSwapchain, Swapchain*&);

}  // namespace glovebox::tests::runtime
