// Records the tracking data that an OpenXR application received, and the application's haptic commands, in a .glove log
// (recordings/log).
//
// The application's threads copy into the log's ring buffers, without locks, allocation or system calls. Hands located
// for the same XrTime form one sample; its time is that XrTime minus the XrTime of the first hand or pose. A hand that
// was not located for that time repeats its last value (source "held"). If the application locates a time again, or an
// earlier one, that is not recorded. The application's haptic commands are in the table `haptic` (output
// "application"), at the time of the call.
#pragma once

#include <openxr/openxr.h>

#include <array>
#include <atomic>
#include <filesystem>
#include <string>

#include "recordings/log/log_writer.h"
#include "tracking/hand_frame.h"
#include "vr/openxr/force_feedback_curl.h"

namespace glovebox::vr::layer {

/// One application's recording. The noexcept methods are thread-safe and do not block: a call that another thread
/// delays for more than about 20 us drops its data and counts the loss. `arrival_ns` is the time of the call on the
/// monotonic clock.
class Record {
  public:
    /// Maximum number of recorded actions; further actions are dropped.
    static constexpr std::int32_t kMaxActions = 256;

    /// Creates the file; if its name is taken, take-2.glove and so on. Throws recordings::ExportError if it cannot.
    Record(const std::filesystem::path& path, const std::string& application);

    /// Records a hand that was located for the time `time`, in LOCAL. `velocity`: its velocities; null: not reported.
    void hand(const tracking::HandFrame& hand, XrTime time, std::int64_t arrival_ns,
              const recordings::HandVelocity* velocity = nullptr) noexcept;
    /// Records a pose of head, view or controller, in LOCAL, located for the time `time`; sets `pose.time_ns`.
    void pose(recordings::AppPose pose, XrTime time, std::int64_t arrival_ns) noexcept;
    /// Records an action state that the application received in the frame with display time `displayed`.
    void action_state(recordings::ActionState state, XrTime displayed) noexcept;

    /// Record the application's xrWaitFrame, xrBeginFrame and xrEndFrame.
    void frame_waited(const XrFrameState& frame, std::int64_t arrival_ns) noexcept;
    void frame_begun(std::int64_t arrival_ns) noexcept;
    void frame_ended(const XrFrameEndInfo& frame, std::int64_t arrival_ns) noexcept;

    /// Record the application's haptic commands: a controller's vibration, 0 to 1, where 0 is a stop, or the blocked
    /// fractions of the fingers' motion. `displayed` is the display time of the frame, or 0 outside a frame.
    void vibration(tracking::Side side, const XrHapticVibration& vibration, XrTime displayed,
                   std::int64_t arrival_ns) noexcept;
    void forces(tracking::Side side, const XrForceFeedbackCurlApplyLocationsMNDX& time, XrTime displayed,
                std::int64_t arrival_ns) noexcept;

    /// Returns a new action's id in the log, or -1 if there are too many. May block and allocate.
    std::int32_t new_action(const std::string& action_set, const std::string& name, const char* type);
    void interaction_profile(recordings::ActionSource source, const std::string& profile, XrTime displayed);

    /// Completes the log. Returns a message with the log's size, or with the reason why it is incomplete. For a
    /// temporary log, returns a message only if it is incomplete.
    std::string finish(bool is_temporary = false);
    /// Returns an error message once if recording has stopped unexpectedly, otherwise an empty string. May be called
    /// every frame.
    std::string trouble();
    /// Returns the path of the log.
    std::filesystem::path path() const { return log_.status().path; }

  private:
    // Subjects of poses: the head, four views, and each action from each source.
    static constexpr std::size_t kMaxViews = 4;
    static constexpr std::size_t kSubjects =
        1 + kMaxViews + static_cast<std::size_t>(kMaxActions) * recordings::kActionSourceCount;
    static constexpr std::size_t kFramesAtOnce = 8;
    struct Frame {
        recordings::AppFrame record;
        XrTime displayed = 0;  // 0: ended
    };

    bool enter() noexcept;
    void leave() noexcept { busy_.clear(std::memory_order_release); }
    void begin(XrTime time, std::int64_t arrival_ns) noexcept;
    void flush() noexcept;
    void put(const tracking::HandPair& sample) noexcept;
    void write_haptic(recordings::HapticRecord& record, XrTime displayed, std::int64_t arrival_ns) noexcept;

    recordings::LogWriter log_;
    std::atomic_flag busy_;
    std::atomic<std::uint64_t> left_out_{0};
    std::atomic<bool> failure_reported_{false};
    std::atomic<std::int32_t> actions_{0};

    tracking::HandPair pending_;
    tracking::PerSide<bool> has_{};  // in pending_
    tracking::PerSide<tracking::HandFrame> last_;
    tracking::PerSide<std::array<float, tracking::kFingerCount>> held_{};
    XrTime first_ = 0, pending_time_ = 0;  // 0: none yet
    std::int64_t first_arrival_ns_ = 0, last_flushed_ns_ = -1;

    std::array<XrTime, kSubjects> posed_{};  // time for which each pose was located last
    std::array<recordings::ActionState, kSubjects> states_{};
    std::array<bool, kSubjects> has_state_{};
    std::array<Frame, kFramesAtOnce> frames_{};
    std::int64_t frames_waited_ = 0, frames_begun_ = 0;
    XrTime last_displayed_ = 0;
    XrDuration period_ns_ = 0;     // of the display
    std::uint64_t pose_hash_ = 0;  // of the poses recorded since the last frame ended
};

}  // namespace glovebox::vr::layer
