// What an application was given and what it asked for, kept in a .glove log (recordings/log).
//
// The application's threads copy into the log's rings: no lock, no memory, no system call. Two hands that are asked for
// at the same time are one sample; its time is the time asked for, from the first hand or pose on. A hand that was not
// asked for then is the one of just before (source "held"). What is asked for a second time, or out of order, is not
// kept. What the application asks to be felt is in the table `haptic` (output "application"), at the time of the call.
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

class Record {
  public:
    /// Actions that the log knows; others are not kept.
    static constexpr std::int32_t kMaxActions = 256;

    /// Throws recordings::ExportError.
    Record(const std::filesystem::path& path, const std::string& application);

    /// A hand as it was located for `asked`, in LOCAL. From any thread; never waits: a thread that finds another one
    /// here for longer than its copy takes leaves its sample out, and that is counted.
    void hand(const tracking::HandFrame& hand, XrTime asked, std::int64_t arrival_ns) noexcept;
    /// Of head, view or controller, in LOCAL, likewise. Its time is set here.
    void pose(recordings::AppPose pose, XrTime asked, std::int64_t arrival_ns) noexcept;
    /// A state as the application was given it in the frame that is shown at `displayed`.
    void action_state(recordings::ActionState state, XrTime displayed) noexcept;

    /// The application's frames, one call of OpenXR after the other.
    void frame_waited(const XrFrameState& frame, std::int64_t arrival_ns) noexcept;
    void frame_begun(std::int64_t arrival_ns) noexcept;
    void frame_ended(const XrFrameEndInfo& frame, std::int64_t arrival_ns) noexcept;

    /// What the application asks to be felt: a controller's vibration, 0 to 1, where 0 is a stop; or the shares of
    /// fingers' motion that are closed off. `displayed`: of the frame, 0 where there is none. As above.
    void vibration(tracking::Side side, const XrHapticVibration& vibration, XrTime displayed,
                   std::int64_t arrival_ns) noexcept;
    void forces(tracking::Side side, const XrForceFeedbackCurlApplyLocationsMNDX& asked, XrTime displayed,
                std::int64_t arrival_ns) noexcept;

    /// Returns the action's id in the log, or -1 when there are too many. May wait and ask for memory.
    std::int32_t new_action(const std::string& action_set, const std::string& name, const char* type);
    void interaction_profile(recordings::ActionSource source, const std::string& profile, XrTime displayed);

    /// Writes what is left. Returns what there is to say: how much is in the log, or why it is not whole.
    std::string finish();
    /// A sentence, once, when recording has stopped by itself; empty otherwise. Cheap.
    std::string trouble();

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
    void begin(XrTime asked, std::int64_t arrival_ns) noexcept;
    void flush() noexcept;
    void put(const tracking::HandPair& sample) noexcept;
    void felt(recordings::HapticRecord& record, XrTime displayed, std::int64_t arrival_ns) noexcept;

    recordings::LogWriter log_;
    std::atomic_flag busy_;
    std::atomic<std::uint64_t> left_out_{0};
    std::atomic<bool> told_{false};
    std::atomic<std::int32_t> actions_{0};

    tracking::HandPair pending_;
    tracking::PerSide<bool> has_{};  // in pending_
    tracking::PerSide<tracking::HandFrame> last_;
    tracking::PerSide<std::array<float, tracking::kFingerCount>> held_{};
    XrTime first_ = 0, pending_time_ = 0;  // 0: none yet
    std::int64_t first_arrival_ns_ = 0, last_flushed_ns_ = -1;

    std::array<XrTime, kSubjects> posed_{};  // when each pose was last asked for
    std::array<recordings::ActionState, kSubjects> states_{};
    std::array<bool, kSubjects> has_state_{};
    std::array<Frame, kFramesAtOnce> frames_{};
    std::int64_t frames_waited_ = 0, frames_begun_ = 0;
    XrTime last_displayed_ = 0;
    std::uint64_t pose_hash_ = 0;  // of what was kept since the last frame ended
};

}  // namespace glovebox::vr::layer
