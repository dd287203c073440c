// What an OpenXR application was given besides its hands: head and views, controllers, actions, frames; and what it
// asked to be felt. In .glove logs that the API layer recorded (version 3).
//
// Poses are in the LOCAL space. Times are the times that the application asked for, from the first sample of the log
// on; a state of an action has the display time of the frame in which it was asked for.
#pragma once

#include <Eigen/Geometry>

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tracking/hand_frame.h"

namespace glovebox::recordings {

/// What a device was told, when it was told. Of vibration and force one is null in the log: a device has motors or
/// holds fingers. The last three are an application's own: of other logs they are null.
struct HapticRecord {
    std::int64_t time_ns = 0;
    tracking::Side side = tracking::Side::right;
    std::array<char, 32> output{};                                   ///< row of the outputs' table, zero-terminated
    std::optional<float> vibration;                                  ///< 0..1; 0 is a stop
    std::optional<std::array<float, tracking::kFingerCount>> force;  ///< 0..1
    std::optional<std::int64_t> display_ns =
        {};  ///< of the frame in which it was asked for, on the clock of the samples
    std::optional<std::int64_t> duration_ns = {};  ///< of the vibration; -1: as short as the device can
    std::optional<float> frequency_hz = {};        ///< 0: the device's own
};

/// Where an action gets its state from, as the application asked: a hand, or all together.
enum class ActionSource : std::uint8_t { any, left, right, head, gamepad };
inline constexpr std::array<std::string_view, 5> kActionSourceNames = {"", "left", "right", "head", "gamepad"};
inline constexpr std::size_t kActionSourceCount = kActionSourceNames.size();

enum class PoseOf : std::uint8_t {
    head,   ///< OpenXR's VIEW space
    view,   ///< an eye; `number` is the view's
    action  ///< a controller; `number` is the action's id
};
inline constexpr std::array<std::string_view, 3> kPoseOfNames = {"head", "view", "action"};

namespace pose_flags {
inline constexpr std::uint8_t kOrientationValid = 1, kPositionValid = 2, kValid = 3, kAll = 15;  // as OpenXR's
}

struct AppPose {
    std::int64_t time_ns = 0;
    PoseOf of = PoseOf::head;
    ActionSource source = ActionSource::any;
    std::uint8_t flags = 0;  ///< pose_flags
    std::int32_t number = 0;
    Eigen::Vector3f position_m = Eigen::Vector3f::Zero();
    Eigen::Quaternionf orientation = Eigen::Quaternionf::Identity();
    std::array<float, 4> fov_rad{};  ///< of a view: left, right, up, down

    bool is_valid() const { return (flags & pose_flags::kValid) == pose_flags::kValid; }
};

/// A frame of the application's, from xrWaitFrame to xrEndFrame.
struct AppFrame {
    std::int64_t number = 0;
    std::int64_t display_ns = 0;  ///< as predicted
    std::int64_t period_ns = 0;
    std::int64_t waited_ns = 0, begun_ns = 0, ended_ns = 0;  ///< by the clock of arrivals; 0: never
    std::int32_t missed = 0;                                 ///< display times that were left out before this one
    bool should_render = false;
    std::int32_t layers = 0;      ///< that the application submitted
    std::uint64_t pose_hash = 0;  ///< sum of the hashes of the poses that it was given in this frame; 0: none
};

struct AppAction {
    std::int32_t id = 0;
    std::string action_set, name;
    std::string type;  ///< "boolean", "float", "vector2f", "pose", "vibration"
};

/// Kept where it differs from the one before.
struct ActionState {
    std::int64_t time_ns = 0;
    std::int32_t action = 0;
    ActionSource source = ActionSource::any;
    bool active = false;
    float x = 0.0F, y = 0.0F;  ///< of a boolean 0 or 1
};

struct InteractionProfile {
    std::int64_t time_ns = 0;
    ActionSource source = ActionSource::left;
    std::string profile;  ///< empty: none
};

/// All of it. Poses of one subject, states of one action and source, frames and haptics are in the order of time.
struct ApplicationLog {
    std::string name;  ///< of the application; empty: the log is of none
    std::vector<AppFrame> frames;
    std::vector<AppPose> poses;
    std::vector<AppAction> actions;
    std::vector<ActionState> states;
    std::vector<InteractionProfile> profiles;
    std::vector<HapticRecord> haptics;  ///< that the application asked for

    bool is_empty() const { return frames.empty() && poses.empty() && states.empty() && haptics.empty(); }
};

/// Empty where the log has none of it, or the file is no log. Throws ImportError on damage.
ApplicationLog read_application_log(const std::filesystem::path& path);

}  // namespace glovebox::recordings
