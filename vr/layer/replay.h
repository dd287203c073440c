// A recording in the application's time: it begins with the first hand or pose that is asked for after the session got
// the focus, and is over at its end, or begins again.
//
// Of a recording of an application (version 3 of the log) there are head, views, controllers and actions besides hands.
#pragma once

#include <openxr/openxr.h>

#include <array>
#include <atomic>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "recordings/hand_at.h"
#include "recordings/log/application_log.h"
#include "recordings/recording.h"

namespace glovebox::vr::layer {

/// How something moves, in LOCAL.
struct PoseMotion {
    Eigen::Vector3f linear_m_s = Eigen::Vector3f::Zero(), angular_rad_s = Eigen::Vector3f::Zero();
    bool known = false;
};

class Replay {
  public:
    /// A file of any format, or a bundled recording by its name. Throws std::runtime_error with one line.
    Replay(const std::string& name, bool loop);

    /// The hand at the time asked for, in LOCAL. Before the start and after the end it is not active. From any thread;
    /// no memory, no lock. `motion` as in recordings::hand_at().
    tracking::HandFrame hand(tracking::Side side, XrTime asked, bool focused, recordings::HandMotion& motion) noexcept;

    /// Is it of an application? Otherwise only hands are replayed.
    bool has_application() const { return !application_.is_empty(); }
    /// The application that the recording is of; empty where it is of none.
    const std::string& application() const { return application_.name; }

    /// Head, view or controller at the time asked for, in LOCAL, interpolated. Nothing: the recording has none, or has
    /// not begun; the device's own is the application's. After its last pose the head stays; a controller is not valid
    /// there. From any thread; no memory, no lock.
    std::optional<recordings::AppPose> pose(recordings::PoseOf of, std::int32_t number, recordings::ActionSource source,
                                            XrTime asked, bool focused, PoseMotion* motion = nullptr) noexcept;

    /// The recording's own number of an action, or -1 where it has none of that name and type.
    std::int32_t find_action(std::string_view action_set, std::string_view name, std::string_view type) const;
    /// The state in the frame that is shown at `displayed`. Nothing: as above. Its time is that of its last change.
    std::optional<recordings::ActionState> action_state(std::int32_t action, recordings::ActionSource source,
                                                        XrTime displayed) const noexcept;
    /// When, by the application's clock, the recording's `time_ns` is or was last, not after `displayed`.
    XrTime asked_at(std::int64_t time_ns, XrTime displayed) const noexcept;

    /// In use at that time; nothing: as above. Empty: none.
    std::optional<std::string_view> interaction_profile(recordings::ActionSource source,
                                                        XrTime displayed) const noexcept;
    /// Grows with every change of an interaction profile; 0 before the start.
    std::size_t profile_changes(XrTime displayed) const noexcept;

  private:
    using PoseTrack = std::vector<recordings::AppPose>;
    using StateTrack = std::vector<recordings::ActionState>;
    static constexpr std::size_t kMaxViews = 4;

    std::optional<std::int64_t> begin(XrTime asked, bool focused) noexcept;
    std::optional<std::int64_t> time_at(XrTime asked) const noexcept;
    const PoseTrack* track(recordings::PoseOf of, std::int32_t number, recordings::ActionSource source) const noexcept;
    void sort_application();

    recordings::Recording recording_;
    recordings::ApplicationLog application_;
    PoseTrack head_;
    std::array<PoseTrack, kMaxViews> views_;
    struct ActionTracks {
        std::array<PoseTrack, recordings::kActionSourceCount> poses;
        std::array<StateTrack, recordings::kActionSourceCount> states;
    };
    std::vector<ActionTracks> actions_;  // in the order of application_.actions
    std::int64_t length_ns_ = 0;         // with the step from the last sample to the first
    bool loop_;
    std::atomic<XrTime> start_{0};  // 0: not begun
};

}  // namespace glovebox::vr::layer
