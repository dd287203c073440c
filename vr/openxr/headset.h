// The connection to an OpenXR headset, as a state machine that survives the loss of runtime, session or headset.
//
//   Headset headset(settings);
//   for (;;) {
//       headset.update(now_ns());                 // events, losses, attempts to come back; never blocks
//       if (!headset.running()) { sleep a little; continue; }
//       if (auto frame = headset.begin_frame(now)) // the only call that waits, and only as long as the runtime says
//           ... headset.sample_hands(*frame, hands) ... headset.end_frame(layers);
//   }
//
// After construction no function throws; errors appear in status(). A lost runtime or session is requested again every
// half second. All calls must come from one thread, except locate_hands() and the haptic calls, which may come from
// other threads at the same time.
#pragma once

#include <openxr/openxr.h>

#include <array>
#include <atomic>
#include <functional>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tracking/openxr/hand_joints.h"
#include "vr/haptics/command.h"
#include "vr/openxr/actions.h"
#include "vr/openxr/extensions.h"
#include "vr/openxr/force_feedback_curl.h"
#include "vr/openxr/reported_hand.h"
#include "vr/platform/priority_mutex.h"
#include "vr/render/hand_mesh.h"

namespace glovebox::vr::openxr {

/// State of the connection. Frames run in the phases `synchronized`, `visible` and `focused`.
enum class Phase : std::uint8_t {
    no_runtime,    ///< there is no runtime; retried every half second
    no_headset,    ///< the runtime has no headset; retried every half second
    idle,          ///< there is a session, but the runtime does not run it yet
    synchronized,  ///< frames are counted but not shown
    visible,       ///< shown, without input
    focused,       ///< shown, with input and haptics
    closing        ///< the user has closed the application from the headset; the program should end
};
std::string_view name_of(Phase phase);

/// State, names, capabilities and counters of the connection.
struct Status {
    Phase phase = Phase::no_runtime;
    bool runtime_found = true;       ///< false: the loader finds no runtime, or cannot load it
    std::string runtime, headset;    ///< names, once known
    std::string trouble;             ///< the last error, one line; empty: none
    std::string missing;             ///< sentence about a required feature that the runtime lacks; empty: none
    std::string no_picture;          ///< reason why this session shows no picture; empty: it shows one, or is headless
    std::vector<std::string> notes;  ///< optional features that the runtime lacks
    bool hand_tracking = false, force_feedback = false;
    tracking::PerSide<std::string> controllers = {"none", "none"};
    int attached = 0;  ///< number of sessions created so far
    int sessions_lost = 0, instances_lost = 0, recentered = 0;
    float refresh_hz = 0.0F;  ///< 0: not known yet
    int messages = 0;         ///< warnings and errors from the runtime or a layer (XR_EXT_debug_utils)
    bool can_see_through = false, sees_through = false;  ///< passthrough: an alpha blend mode
};

/// Pose of the seat, which is the frame of all hands and eyes. The pose is given in LOCAL, whose origin is the head's
/// initial position, or in STAGE, the room.
struct SeatPlace {
    bool in_stage = false;
    Eigen::Isometry3f space_from_seat = Eigen::Isometry3f::Identity();
};

/// Options of a Headset.
struct HeadsetSettings {
    bool headless = false;
    std::int64_t retry_ns = 500'000'000;
    SeatPlace seat;            ///< if it is in STAGE but the runtime has no STAGE, the seat is the origin of LOCAL
    bool see_through = false;  ///< request passthrough, if the runtime supports it
    float wanted_hz = 0.0F;    ///< display rate to request (XR_FB_display_refresh_rate); 0: the default
    /// The user's hands, for hands posed by controllers, and for finger radii that the runtime does not report.
    tracking::PerSide<tracking::HandProfile> profiles = {tracking::default_profile(), tracking::default_profile()};
    /// Called with instance and system before a session with pictures is created. Returns the structure for
    /// XrSessionCreateInfo::next, or null if rendering is not possible; the reason is then in Status::trouble.
    std::function<const void*(XrInstance, XrSystemId)> graphics_binding;
    /// Called on the Headset's thread for every haptic call that the runtime has accepted, for recording.
    std::function<void(const ReportedHand&)> on_haptics;
};

/// Times of a frame.
struct FrameTiming {
    XrTime display_time = 0;  ///< predicted display time
    XrDuration period = 0;
    bool should_render = false;
    std::int64_t display_common_ns = 0;  ///< display_time on our monotonic clock
    bool is_own = false;                 ///< frame of a headless session, timed by our clock, not by the runtime
};

/// Owns instance, session, spaces and hand trackers.
class Headset {
  public:
    explicit Headset(HeadsetSettings settings);
    ~Headset();
    Headset(const Headset&) = delete;
    Headset& operator=(const Headset&) = delete;

    const Status& status() const { return status_; }
    const Extensions& extensions() const { return extensions_; }

    /// Handles events, advances the state machine, and tries to restore a lost runtime or session. Does not block.
    void update(std::int64_t now_ns);
    bool running() const { return running_; }
    bool focused() const { return status_.phase == Phase::focused; }

    /// Waits for the runtime's next frame and begins it. A headless session whose runtime can convert times does not
    /// wait. Returns an empty optional on failure (see status()).
    std::optional<FrameTiming> begin_frame(std::int64_t now_ns);
    int frames_refused() const { return frames_refused_; }  ///< number of consecutive failures of begin_frame()
    void end_frame(const FrameTiming& frame, std::span<const XrCompositionLayerBaseHeader* const> layers);

    /// Locates both hands as they are now, in the frame of the seat. A hand that is not tracked is posed by its
    /// controller, if there is one.
    void sample_hands(const FrameTiming& frame, std::int64_t now_ns, tracking::HandPair& out);
    /// Locates the tracked hands as they are now, in the frame of the seat. May run on another thread than all other
    /// calls; `scratch` is the caller's. Returns false without focus, or if the runtime cannot convert times.
    bool locate_hands(tracking::PerSide<tracking::LocatedJoints>& scratch, std::int64_t now_ns,
                      tracking::HandPair& out);
    /// Predicts the hands in `sampled` for the frame's display time, for drawing.
    void predict_hands(const FrameTiming& frame, const tracking::HandPair& sampled, tracking::HandPair& out);

    /// Reads the runtime's mesh of the user's hand (XR_FB_hand_tracking_mesh). Returns false if it has none.
    bool read_hand_mesh(tracking::Side side, RiggedHand& out);

    /// Locates the eyes in the frame of the seat; returns false if they are not known.
    bool locate_eyes(const FrameTiming& frame, std::array<XrView, 2>& out);
    /// Sets Status::no_picture for the rest of the session, because drawing is impossible.
    void has_no_picture(const std::string& why) { status_.no_picture = why; }
    /// Moves the seat to `seat_from_new`, as recentring would; call it between two frames. Returns the new place, in
    /// STAGE if the runtime has STAGE, else in LOCAL. If the session is gone, moves nothing and returns an empty
    /// optional.
    std::optional<SeatPlace> move_seat(const FrameTiming& frame, const Eigen::Isometry3f& seat_from_new);
    /// Switches passthrough from the next frame on.
    void see_through(bool wanted);
    /// Writes the recommended picture size of each eye to `out`. Returns false if it is not known.
    bool eye_sizes(std::array<XrViewConfigurationView, 2>& out);

    // The haptic calls may come from any thread. They run one at a time, and never while a session is destroyed. Their
    // errors are handled in the next update().

    bool feels() const { return feels_.load(std::memory_order_relaxed); }     ///< same as focused()
    bool can_hold() const { return holds_.load(std::memory_order_acquire); }  ///< same as Status::force_feedback
    /// Vibrates for `duration_ns`. Keep it short and renew long vibrations, so that they end if this process crashes.
    void vibrate(tracking::Side side, float amplitude, std::int64_t duration_ns);
    void stop_vibration(tracking::Side side);
    /// Limits the fingers' motion, 0 (free) to 1 each. Returns false if the hand has no force feedback.
    bool hold_fingers(tracking::Side side, const std::array<float, tracking::kFingerCount>& limit);
    /// Reports the haptic calls since the last update() to HeadsetSettings::on_haptics. For the Headset's own thread.
    void report_all();

    /// Handles the result of a call on this session or its swapchains; pass every result to this function. Returns
    /// whether the call succeeded. A lost session or instance is destroyed and created again later; other errors appear
    /// in status().
    bool check(XrResult result, const char* call);

    /// Requests the session's end, waits at most `patience_ns` for the runtime, and destroys everything.
    void close(std::int64_t patience_ns, std::int64_t (*clock)());

    XrSession session() const { return session_; }
    XrSpace seat() const { return seat_; }
    int session_number() const { return status_.attached; }  ///< changes with every new session

  private:
    void make_instance();
    void find_headset();
    XrResult make_session();
    XrResult make_space(const SeatPlace& place, XrSpace& out) const;
    std::optional<FrameTiming> own_frame(std::int64_t now_ns);
    void find_blend_modes();
    void poll_events();
    void on_state(XrSessionState state);
    void on_loss_pending(XrTime loss_time);
    /// Releases fingers and motors at once, for sessions that end within one poll of the events.
    void let_go();
    void drop_session();
    void drop_instance();
    void enter(Phase phase);
    void take_haptic_results();
    void report_calls(std::unique_lock<PriorityMutex> lock);
    // With calls_ held:
    void put_stop(tracking::Side side);
    bool put_hold(tracking::Side side, const std::array<float, tracking::kFingerCount>& limit);
    void answer(XrResult result, const char* call);
    void add_call(const ReportedHand& hand);

    void listen();
    void choose_rate();
    std::int64_t common_from_device(XrTime time) const;
    XrResult locate(std::size_t side, XrTime time, tracking::LocatedJoints& out) const;
    bool locate(std::size_t side, XrTime time);

    template <typename Function>
    Function function(const char* name) const;

    HeadsetSettings settings_;
    Status status_;
    Extensions extensions_;
    Actions actions_;
    XrInstance instance_ = XR_NULL_HANDLE;
    XrSystemId system_ = XR_NULL_SYSTEM_ID;
    XrSession session_ = XR_NULL_HANDLE;
    XrSpace seat_ = XR_NULL_HANDLE;
    bool has_stage_ = false;
    XrEnvironmentBlendMode own_blend_mode_ = XR_ENVIRONMENT_BLEND_MODE_OPAQUE;  // without passthrough
    tracking::PerSide<XrHandTrackerEXT> trackers_{};
    tracking::PerSide<tracking::LocatedJoints> joints_;
    PFN_xrLocateHandJointsEXT locate_joints_ = nullptr;
    PFN_xrApplyForceFeedbackCurlMNDX apply_curl_ = nullptr;
    XrResult (*to_time_)(XrInstance, const struct timespec*, XrTime*) = nullptr;
    XrResult (*to_timespec_)(XrInstance, XrTime, struct timespec*) = nullptr;
    bool running_ = false, actions_fresh_ = false;
    tracking::PerSide<bool> from_controller_{}, holding_{}, vibrating_{};
    std::array<std::int64_t, 2> tracked_ns_{};  // time at which the hand was tracked last; 0: not yet searched for
    std::int64_t next_try_ns_ = 0, last_update_ns_ = 0;
    std::int64_t period_ns_ = 0;  // of the display, from its frames; 0: none yet in this session
    int sessions_refused_ = 0, frames_refused_ = 0;
    PriorityMutex calls_;     // held during haptic calls, and while what they need is destroyed
    PriorityMutex locating_;  // the same for locate_hands(), so that it never delays a haptic call
    std::atomic<bool> feels_ = false, holds_ = false;
    std::atomic<XrResult> haptic_result_ = XR_SUCCESS;  // last failure
    std::atomic<const char*> haptic_call_ = "";
    struct ReportedCalls {
        std::array<ReportedHand, 4096> calls;
        std::size_t count = 0;
    };
    // Calls since the last report. With calls_ held, calls are added to reports_[reports_into_]; the other one is being
    // reported.
    std::array<ReportedCalls, 2> reports_;
    std::size_t reports_into_ = 0;
    XrDebugUtilsMessengerEXT messenger_ = XR_NULL_HANDLE;
    std::atomic<int> messages_ = 0;  // written by any of the runtime's threads
};

}  // namespace glovebox::vr::openxr
