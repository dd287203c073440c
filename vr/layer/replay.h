// Replays a recording in an application's time. The replay begins with the first hand or pose that is located after the
// session got the focus. At the recording's end it stops or loops.
//
// A recording of an application (version 3 of the log) also contains head, views, controllers and actions.
#pragma once

#include <openxr/openxr.h>

#include <array>
#include <atomic>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "recordings/log/application_log.h"
#include "recordings/recording.h"

namespace glovebox::vr::layer {

/// Velocities of a pose, in LOCAL.
struct PoseMotion {
    Eigen::Vector3f linear_m_s = Eigen::Vector3f::Zero(), angular_rad_s = Eigen::Vector3f::Zero();
    bool known = false;
};

/// A recording and its start in the application's time. The noexcept methods are thread-safe and do not allocate or
/// lock. `time` is the XrTime for which to locate. `focused` tells whether the session has, or has had, the focus.
class Replay {
  public:
    /// Opens a file of any format, or a bundled recording by its name. Throws std::runtime_error with one line.
    Replay(const std::string& name, bool loop);

    /// Returns the hand at the time `time`, in LOCAL; not active before the start and after the end. Velocities are
    /// those that the recorded device reported, interpolated. If the recording has none of that hand, they are computed
    /// from its samples.
    tracking::HandFrame hand(tracking::Side side, XrTime time, bool focused,
                             recordings::HandVelocity& velocity) noexcept;

    /// Returns whether the recording has a hand in any sample.
    bool has_hands() const { return has_hands_; }
    /// Returns whether the recording is of an application; otherwise only hands are replayed.
    bool has_application() const { return !application_.is_empty(); }
    /// Returns the name of the recorded application; empty if there is none.
    const std::string& application() const { return application_.name; }

    /// Returns the interpolated pose of head, view or controller at the time `time`, in LOCAL. Returns an empty
    /// optional if the recording has no such pose or has not begun; the application then gets the device's pose. After
    /// the last recorded pose, the head keeps that pose, and a controller is not valid.
    std::optional<recordings::AppPose> pose(recordings::PoseOf of, std::int32_t number, recordings::ActionSource source,
                                            XrTime time, bool focused, PoseMotion* motion = nullptr) noexcept;

    /// Returns the recording's index of an action, or -1 if it has no action of that name and type.
    std::int32_t find_action(std::string_view action_set, std::string_view name, std::string_view type) const;
    /// Returns the state in the frame with display time `displayed`, with the time of its last change. Returns an empty
    /// optional under the same conditions as pose().
    std::optional<recordings::ActionState> action_state(std::int32_t action, recordings::ActionSource source,
                                                        XrTime displayed) const noexcept;
    /// Returns the latest XrTime, not after `displayed`, at which the replay was at the recording's time `time_ns`.
    XrTime requested_at(std::int64_t time_ns, XrTime displayed) const noexcept;

    /// Returns the interaction profile in use at that time, as text; the text is empty if there is none. Returns an
    /// empty optional under the same conditions as pose().
    std::optional<std::string_view> interaction_profile(recordings::ActionSource source,
                                                        XrTime displayed) const noexcept;
    /// Returns the number of changes of interaction profiles so far; 0 before the start.
    std::size_t profile_changes(XrTime displayed) const noexcept;

  private:
    using PoseTrack = std::vector<recordings::AppPose>;
    using StateTrack = std::vector<recordings::ActionState>;
    static constexpr std::size_t kMaxViews = 4;

    std::optional<std::int64_t> begin(XrTime time, bool focused) noexcept;
    std::optional<std::int64_t> time_at(XrTime time) const noexcept;
    const PoseTrack* track(recordings::PoseOf of, std::int32_t number, recordings::ActionSource source) const noexcept;
    void sort_application();

    recordings::Recording recording_;
    recordings::ApplicationLog application_;
    tracking::PerSide<std::vector<recordings::HandVelocity>> velocities_;
    bool has_hands_ = false;
    PoseTrack head_;
    std::array<PoseTrack, kMaxViews> views_;
    struct ActionTracks {
        std::array<PoseTrack, recordings::kActionSourceCount> poses;
        std::array<StateTrack, recordings::kActionSourceCount> states;
    };
    std::vector<ActionTracks> actions_;  // in the order of application_.actions
    std::int64_t length_ns_ = 0;         // including the step from the last sample back to the first
    bool loop_;
    std::atomic<XrTime> start_{0};  // 0: not begun
};

}  // namespace glovebox::vr::layer
