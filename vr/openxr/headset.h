// The link to a headset, as a state machine that outlives runtimes, sessions and headsets.
//
//   Headset headset(settings);
//   for (;;) {
//       headset.update(now_ns());                 // events, losses, attempts to come back; never blocks
//       if (!headset.running()) { sleep a little; continue; }
//       if (auto frame = headset.begin_frame(now)) // the only call that waits, and only as long as the runtime says
//           ... headset.sample_hands(*frame, hands) ... headset.end_frame(layers);
//   }
//
// Nothing here throws once it is made: what goes wrong is a value in status(). What was lost is asked for again every
// half second. The same thread makes all calls but the haptic ones, which may come from others meanwhile.
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
#include "vr/render/hand_mesh.h"

namespace glovebox::vr::openxr {

/// Where the link stands. From `synchronized` to `focused` frames are made.
enum class Phase : std::uint8_t {
    no_runtime,    ///< there is none, or it went away: tried again every half second
    no_headset,    ///< the runtime is there and has no headset: the same
    idle,          ///< a session that the runtime does not want to see yet
    synchronized,  ///< frames are counted but not shown
    visible,       ///< shown, without input
    focused,       ///< shown, with input and haptics
    closing        ///< the person has closed us from the headset: time to end
};
std::string_view name_of(Phase phase);

struct Status {
    Phase phase = Phase::no_runtime;
    bool runtime_found = true;       ///< false: the loader knows of no runtime, or cannot load it
    std::string runtime, headset;    ///< names, once known
    std::string trouble;             ///< the last thing that went wrong, one line; empty: nothing did
    std::string missing;             ///< what this runtime lacks and we cannot do without: a sentence; empty: nothing
    std::string no_picture;          ///< why this session shows nothing; empty: it does, or is headless
    std::vector<std::string> notes;  ///< what this runtime lacks
    bool hand_tracking = false, force_feedback = false;
    tracking::PerSide<std::string> controllers = {"none", "none"};
    int attached = 0;  ///< sessions made so far
    int sessions_lost = 0, instances_lost = 0, recentered = 0;
    float refresh_hz = 0.0F;  ///< 0: not known yet
    int messages = 0;         ///< warnings and errors that the runtime or a layer has told us (XR_EXT_debug_utils)
    bool can_see_through = false, sees_through = false;  ///< the room behind the pictures: an alpha blend mode
};

/// Where the seat is, the frame of all hands and eyes: in LOCAL, whose origin is where the head was, or in STAGE, the
/// room.
struct SeatPlace {
    bool in_stage = false;
    Eigen::Isometry3f space_from_seat = Eigen::Isometry3f::Identity();
};

struct HeadsetSettings {
    bool headless = false;
    std::int64_t retry_ns = 500'000'000;
    SeatPlace seat;            ///< where the runtime has no STAGE that is asked for: LOCAL itself
    bool see_through = false;  ///< the room is wanted behind the pictures, where the runtime can show it
    float wanted_hz = 0.0F;    ///< asked of the display where it can choose (XR_FB_display_refresh_rate); 0: its own
    /// The person's hands: what a controller bends, and how thick fingers are whose runtime does not say.
    tracking::PerSide<tracking::HandProfile> profiles = {tracking::default_profile(), tracking::default_profile()};
    /// With graphics: called with the instance and the system before a session is made; returns what goes into
    /// XrSessionCreateInfo::next, or null where there is no picture to be had (then `trouble` says so).
    std::function<const void*(XrInstance, XrSystemId)> graphics_binding;
    /// Called, on the link's own thread, for every haptic call that the runtime took. For recordings.
    std::function<void(const ReportedHand&)> told;
};

struct FrameTiming {
    XrTime display_time = 0;  ///< when the light of this frame reaches the eye, by the runtime's estimate
    XrDuration period = 0;
    bool should_render = false;
    std::int64_t display_common_ns = 0;  ///< the same on our clock
    bool is_own = false;                 ///< of a headless session: made by our clock, the runtime knows nothing of it
};

class Headset {
  public:
    explicit Headset(HeadsetSettings settings);
    ~Headset();
    Headset(const Headset&) = delete;
    Headset& operator=(const Headset&) = delete;

    const Status& status() const { return status_; }
    const Extensions& extensions() const { return extensions_; }

    /// Handles events, moves the state machine on, tries to come back where something was lost.
    void update(std::int64_t now_ns);
    bool running() const { return running_; }
    bool focused() const { return status_.phase == Phase::focused; }

    /// Waits for the runtime's next frame and begins it; headless, where time can be converted, returns at once. Empty
    /// if the frame cannot be made (see status()).
    std::optional<FrameTiming> begin_frame(std::int64_t now_ns);
    int frames_refused() const { return frames_refused_; }  ///< one after the other, until now
    void end_frame(const FrameTiming& frame, std::span<const XrCompositionLayerBaseHeader* const> layers);

    /// Both hands as they are now, in the space of the seat; tracked ones first, else controllers.
    void sample_hands(const FrameTiming& frame, std::int64_t now_ns, tracking::HandPair& out);
    /// The same hands where they will be when the frame is seen. For drawing.
    void predict_hands(const FrameTiming& frame, const tracking::HandPair& sampled, tracking::HandPair& out);

    /// The person's hand as the runtime knows it (XR_FB_hand_tracking_mesh). False where it knows none.
    bool read_hand_mesh(tracking::Side side, RiggedHand& out);

    /// The eyes in the space of the seat; false where they are not known.
    bool locate_eyes(const FrameTiming& frame, std::array<XrView, 2>& out);
    /// Whoever draws cannot: said in status() as long as the session lasts.
    void has_no_picture(const std::string& why) { status_.no_picture = why; }
    /// Moves the seat to where `seat_from_new` says, between two frames, as a recentring would. Returns the place: in
    /// STAGE, where the runtime has that, else in LOCAL. Empty, and nothing has moved, if the session is gone.
    std::optional<SeatPlace> move_seat(const FrameTiming& frame, const Eigen::Isometry3f& seat_from_new);
    /// Asks for the room behind the pictures, or for none, from the next frame on.
    void see_through(bool wanted);
    /// The recommended size of an eye's picture.
    bool eye_sizes(std::array<XrViewConfigurationView, 2>& out);

    // The haptic calls, from any thread: one at a time, and none while a session is taken down. What goes wrong is
    // looked at with the next update().

    bool feels() const { return feels_.load(std::memory_order_relaxed); }     ///< as focused()
    bool can_hold() const { return holds_.load(std::memory_order_acquire); }  ///< as Status::force_feedback
    /// A vibration that ends by itself after `duration_ns` unless renewed: that is what stops it if we crash.
    void vibrate(tracking::Side side, float amplitude, std::int64_t duration_ns);
    void stop_vibration(tracking::Side side);
    /// False if the hand has no force feedback.
    bool hold_fingers(tracking::Side side, const std::array<float, tracking::kFingerCount>& limit);
    /// The link's own thread: tells HeadsetSettings::told of the calls since the last update().
    void tell_all();

    /// Looks at what a call on this session or its swapchains has answered: true if it succeeded. What is lost is taken
    /// down and made again; everything else is said in status(). Every result comes here.
    bool survives(XrResult result, const char* call);

    /// Asks to end, waits at most `patience_ns` for the runtime to agree, and takes everything down.
    void close(std::int64_t patience_ns, std::int64_t (*clock)());

    XrSession session() const { return session_; }
    XrSpace seat() const { return seat_; }
    int session_number() const { return status_.attached; }  ///< changes whenever what belonged to a session is gone

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
    /// Releases fingers and motors by itself, for the moments in which a session ends within one look at the events.
    void let_go();
    void drop_session();
    void drop_instance();
    void enter(Phase phase);
    void look_at_haptics();
    // With calls_ held:
    void put_stop(tracking::Side side);
    bool put_hold(tracking::Side side, const std::array<float, tracking::kFingerCount>& limit);
    void answer(XrResult result, const char* call);
    void tell(const ReportedHand& hand);
    void tell_queued();

    void listen();
    void choose_rate();
    std::int64_t common_from_device(XrTime time) const;
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
    XrEnvironmentBlendMode own_blend_mode_ = XR_ENVIRONMENT_BLEND_MODE_OPAQUE;  // without the room
    tracking::PerSide<XrHandTrackerEXT> trackers_{};
    tracking::PerSide<tracking::LocatedJoints> joints_;
    PFN_xrLocateHandJointsEXT locate_joints_ = nullptr;
    PFN_xrApplyForceFeedbackCurlMNDX apply_curl_ = nullptr;
    XrResult (*to_time_)(XrInstance, const struct timespec*, XrTime*) = nullptr;
    XrResult (*to_timespec_)(XrInstance, XrTime, struct timespec*) = nullptr;
    bool running_ = false, actions_fresh_ = false;
    tracking::PerSide<bool> from_controller_{}, holding_{}, vibrating_{};
    std::array<std::int64_t, 2> tracked_ns_{};  // when the hand was seen last; 0: not yet looked for
    std::int64_t next_try_ns_ = 0, last_update_ns_ = 0;
    int sessions_refused_ = 0, frames_refused_ = 0;
    std::mutex calls_;  // held for a haptic call, and while what such a call needs is taken down
    std::atomic<bool> feels_ = false, holds_ = false;
    std::atomic<XrResult> haptic_result_ = XR_SUCCESS;  // the last that failed
    std::atomic<const char*> haptic_call_ = "";
    std::array<ReportedHand, 4096> told_;  // since the last update(); with calls_ held
    std::size_t told_count_ = 0;
    XrDebugUtilsMessengerEXT messenger_ = XR_NULL_HANDLE;
    std::atomic<int> messages_ = 0;  // of any thread of the runtime's
};

}  // namespace glovebox::vr::openxr
