// The state of the test runtime: one per process, behind one lock.
//
// It outlives instances on purpose (the library is never unloaded), because scripts can take the runtime away and bring
// it back. Handles are numbers that are never reused, so a stale one is always noticed.
#pragma once

#include <openxr/openxr.h>
#include <pthread.h>

#include <array>
#include <cstdio>
#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "tests/runtime/script.h"

namespace glovebox::tests::runtime {

/// Of a pose that is valid and tracked.
inline constexpr XrSpaceLocationFlags kAllFlags =
    XR_SPACE_LOCATION_ORIENTATION_VALID_BIT | XR_SPACE_LOCATION_POSITION_VALID_BIT |
    XR_SPACE_LOCATION_ORIENTATION_TRACKED_BIT | XR_SPACE_LOCATION_POSITION_TRACKED_BIT;

struct Object {
    virtual ~Object() = default;
    std::uint64_t handle = 0, parent = 0;
};

struct Binding {
    std::uint64_t action = 0;
    std::string path;  ///< "/user/hand/left/input/trigger/value"
};

struct Instance : Object {
    std::set<std::string> extensions;
    std::deque<XrEventDataBuffer> events;
    std::vector<std::string> paths;                         ///< XrPath is the index plus one
    std::map<std::string, std::vector<Binding>> suggested;  ///< by interaction profile
    bool lost = false, loss_told = false;
    bool graphics_requirements_asked = false;
    std::uint64_t session = 0;

    bool has(const std::string& extension) const { return extensions.contains(extension); }
    std::string path_text(XrPath path) const {
        return path == 0 || path > paths.size() ? std::string() : paths[path - 1];
    }
    XrPath path_of(const std::string& text);
};

struct ActionSet : Object {
    std::string name;
    bool attached = false;
};

struct Action : Object {
    std::string name;
    XrActionType type{};
    std::vector<std::string> subactions;

    struct State {
        float x = 0.0F, y = 0.0F;
        bool active = false, changed = false;
        XrTime changed_at = 0;
    };
    std::map<std::string, State> states;  ///< at the last xrSyncActions, by subaction path; "" combines all
};

struct Graphics;  // an OpenGL binding and the objects made with it

struct Session : Object {
    Session();
    ~Session() override;
    XrSessionState state = XR_SESSION_STATE_IDLE;
    bool running = false, lost = false, loss_told = false, exit_wanted = false;
    XrTime ready_at = 0;  ///< when an idle session becomes READY; 0: not
    XrTime lost_at = 0;   ///< when a session whose loss is pending is lost; 0: not
    int frames_waited = 0, frames_begun = 0, frames_ended = 0;
    XrTime display_time = 0;  ///< of the frame that was begun
    XrTime last_slot = 0;     ///< last slot of the runtime's frame clock
    XrSessionState wanted = XR_SESSION_STATE_FOCUSED;
    std::set<std::uint64_t> attached;
    bool sets_attached = false;
    std::string profile;                 ///< in use; "" if none
    std::shared_ptr<Graphics> graphics;  ///< null: headless
};

struct Space : Object {
    XrReferenceSpaceType reference{};  ///< 0: the space of an action
    std::uint64_t action = 0;
    std::string subaction;
    XrPosef base_from_space = kIdentityPose;
};

struct HandTracker : Object {
    std::size_t side = 0;
    std::array<float, 5> curl{};
};

/// A messenger of XR_EXT_debug_utils.
struct Messenger : Object {
    XrDebugUtilsMessengerCreateInfoEXT info{};
};

/// The state that the script has given to a hand so far.
struct HandNow {
    HandFault fault = HandFault::none;
    XrTime fault_since = 0;
    XrVector3f offset_m{};
    float trigger = 0.0F, squeeze = 0.0F;
    XrTime vibrating_until = 0;  ///< end of the requested vibration
};

// With priority inheritance: an application's haptic thread must not wait while the thread that draws, and has called
// the runtime, has lost its processor to the renderer.
class CallMutex {
  public:
    CallMutex() {
        pthread_mutexattr_t attributes{};
        pthread_mutexattr_init(&attributes);
        pthread_mutexattr_setprotocol(&attributes, PTHREAD_PRIO_INHERIT);
        pthread_mutex_init(&mutex_, &attributes);
        pthread_mutexattr_destroy(&attributes);
    }
    ~CallMutex() { pthread_mutex_destroy(&mutex_); }
    CallMutex(const CallMutex&) = delete;
    CallMutex& operator=(const CallMutex&) = delete;
    void lock() { pthread_mutex_lock(&mutex_); }
    void unlock() { pthread_mutex_unlock(&mutex_); }

  private:
    pthread_mutex_t mutex_{};
};

struct Runtime {
    Runtime();
    ~Runtime();

    CallMutex mutex;
    const char* calling = "";  ///< with the mutex held
    Script script;
    std::string script_fault;  ///< why the script could not be read; then no instance can be made
    std::map<std::uint64_t, std::unique_ptr<Object>> objects;
    std::uint64_t last_handle = 0x1000;

    std::FILE* log = nullptr;
    XrTime started = 0;
    int frame =
        0;  ///< calls of xrWaitFrame in this process, or of xrSyncActions where a headless program makes none (`at N`)
    int frames_missed = 0, refused = 0, haptic_calls = 0, pictures = 0;
    double stall_s = 0.0;
    int late_images = 0;
    std::uint32_t late_width = 0;  ///< of which swapchains; 0: of any
    XrTime sampled_at = 0;         ///< the end of the last xrWaitFrame
    XrTime back_at = 0;            ///< no instance can be made before
    XrTime headset_back_at = 0;    ///< no system is there before
    XrTime instance_lost_at = 0;   ///< announced by an XrEventDataInstanceLossPending; 0: not
    double instance_away_s = 0.0;
    XrPosef stage_from_local{};
    std::array<HandNow, 2> hands;

    template <typename T>
    T* find(std::uint64_t handle) {
        const auto found = objects.find(handle);
        return found == objects.end() ? nullptr : dynamic_cast<T*>(found->second.get());
    }
    template <typename T>
    T& make(std::uint64_t parent) {
        auto object = std::make_unique<T>();
        object->handle = ++last_handle;
        object->parent = parent;
        T& made = *object;
        objects.emplace(made.handle, std::move(object));
        return made;
    }
    void destroy(std::uint64_t handle);  ///< also destroys everything made from it
    Instance* instance_of(const Object& object);
    Instance* only_instance();

    void write_log(const char* format, ...) __attribute__((format(printf, 2, 3)));
    void push(Instance& instance, const XrEventDataBuffer& event);
    void set_state(Session& session, XrSessionState state);  ///< also queues the event for the application
    void go(Session& session, XrSessionState target);        ///< one state at a time, in the specification's order
    void lose_instance(double away_s);
    bool tells_loss(bool& told);  ///< may the call that is being made answer that something is lost?
    void tick();                  ///< what the clock has brought
    void run_events(bool frames);
    void apply(const ScriptEvent& event);
};

Runtime& runtime();
XrTime now();  ///< CLOCK_MONOTONIC plus an offset, so that mixing up the two clocks is noticed
inline constexpr XrTime kXrTimeFromMonotonic_ns = 77'000'000'000;
double seconds_since_start(XrTime time);

/// Logs the reason of a refusal and returns `result`.
XrResult refuse(XrResult result, const char* why);

/// Passes the message to every messenger that subscribed to its severity and type.
void tell(XrDebugUtilsMessageSeverityFlagsEXT severity, XrDebugUtilsMessageTypeFlagsEXT type, const char* function,
          const char* message);

template <typename Handle>
std::uint64_t number_of(Handle handle) {
    return reinterpret_cast<std::uint64_t>(handle);
}
template <typename Handle>
Handle handle_of(const Object& object) {
    return reinterpret_cast<Handle>(object.handle);
}

/// Finds the object of a handle, or returns why it cannot be used: invalid, instance lost or session lost.
template <typename T, typename Handle>
XrResult look_up(Handle handle, T*& out);

/// Implements OpenXR's two-call idiom. `put(i)` writes element i.
template <typename Put>
XrResult fill(std::uint32_t capacity, std::uint32_t* count, std::size_t size, Put put) {
    if (count == nullptr) return refuse(XR_ERROR_VALIDATION_FAILURE, "no place for the count");
    *count = static_cast<std::uint32_t>(size);
    if (capacity == 0) return XR_SUCCESS;
    if (capacity < size) return XR_ERROR_SIZE_INSUFFICIENT;
    for (std::size_t i = 0; i < size; ++i) put(i);
    return XR_SUCCESS;
}
XrResult fill_text(const std::string& text, std::uint32_t capacity, std::uint32_t* count, char* out);

/// Returns the first struct of a type in a chain, or null.
template <typename T>
const T* in_chain(const void* next, XrStructureType type) {
    for (auto* p = static_cast<const XrBaseInStructure*>(next); p != nullptr; p = p->next)
        if (p->type == type) return reinterpret_cast<const T*>(p);
    return nullptr;
}
template <typename T>
T* in_chain(void* next, XrStructureType type) {
    for (auto* p = static_cast<XrBaseOutStructure*>(next); p != nullptr; p = p->next)
        if (p->type == type) return reinterpret_cast<T*>(p);
    return nullptr;
}

/// Copies an event into the buffer that xrPollEvent returns.
template <typename Event>
XrEventDataBuffer packed(const Event& event) {
    static_assert(sizeof event <= sizeof(XrEventDataBuffer));
    XrEventDataBuffer buffer{XR_TYPE_EVENT_DATA_BUFFER, nullptr, {}};
    std::memcpy(static_cast<void*>(&buffer), &event, sizeof event);
    return buffer;
}

#define GLOVEBOX_REQUIRE_TYPE(pointer, expected)               \
    if ((pointer) == nullptr || (pointer)->type != (expected)) \
    return refuse(XR_ERROR_VALIDATION_FAILURE, "a struct is missing or its type is not " #expected)

/// Computes the joints of the side's hand, and with it the controller's pose; false if there is none.
bool hand_at(std::size_t side, XrTime time, HandSample& out);
XrPosef stage_from_space(const Space& space, XrTime time, XrSpaceLocationFlags& flags);
XrPosef stage_from_eye(std::size_t eye);
XrFovf eye_fov(std::size_t eye);

}  // namespace glovebox::tests::runtime
