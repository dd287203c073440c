// The part of a .glove log (version 3) that the API layer records besides hands. It has the head, view and controller
// poses, the actions and the frames of an OpenXR application, and its haptic commands.
//
// Poses are in OpenXR's LOCAL space. Times are those for which the application requested data, relative to the first
// sample of the log. The time of an action state is the display time of the frame in which it was requested.
#pragma once

#include <Eigen/Geometry>

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tracking/hand_frame.h"

namespace glovebox::recordings {

/// A haptic command and its time. A device either vibrates or holds fingers, so one of `vibration` and `force` is null.
/// The last three fields are null in logs without an application.
struct HapticRecord {
    std::int64_t time_ns = 0;
    tracking::Side side = tracking::Side::right;
    std::array<char, 32> output{};                                   ///< name of the output, zero-terminated
    std::optional<float> vibration;                                  ///< 0..1; 0 is a stop
    std::optional<std::array<float, tracking::kFingerCount>> force;  ///< 0..1
    /// Display time of the frame in which the command was requested, on the clock of the samples.
    std::optional<std::int64_t> display_ns = {};
    /// Duration of the vibration; -1: the shortest that the device supports.
    std::optional<std::int64_t> duration_ns = {};
    std::optional<float> frequency_hz = {};  ///< 0: the device's default
};

/// The device whose action state the application requested: a hand, another device, or all devices (`any`).
enum class ActionSource : std::uint8_t { any, left, right, head, gamepad };
inline constexpr std::array<std::string_view, 5> kActionSourceNames = {"", "left", "right", "head", "gamepad"};
inline constexpr std::size_t kActionSourceCount = kActionSourceNames.size();

enum class PoseOf : std::uint8_t {
    head,   ///< OpenXR's VIEW space
    view,   ///< an eye; `number` is the index of the view
    action  ///< a controller; `number` is the id of the action
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
    std::array<float, 4> fov_rad{};  ///< views only: left, right, up, down

    bool is_valid() const { return (flags & pose_flags::kValid) == pose_flags::kValid; }
};

/// A frame of the application, from xrWaitFrame to xrEndFrame.
struct AppFrame {
    std::int64_t number = 0;
    std::int64_t display_ns = 0;  ///< predicted display time
    std::int64_t period_ns = 0;
    std::int64_t waited_ns = 0, begun_ns = 0, ended_ns = 0;  ///< on the clock of arrivals; 0: never
    std::int32_t missed = 0;                                 ///< display times skipped before this one
    bool should_render = false;
    std::int32_t layers = 0;      ///< number of layers that the application submitted
    std::uint64_t pose_hash = 0;  ///< sum of the hashes of all poses returned in this frame; 0: none
};

struct AppAction {
    std::int32_t id = 0;
    std::string action_set, name;
    std::string type;  ///< "boolean", "float", "vector2f", "pose", "vibration"
};

/// The state of an action. It is recorded only if it differs from the previous state.
struct ActionState {
    std::int64_t time_ns = 0;
    std::int32_t action = 0;
    ActionSource source = ActionSource::any;
    bool active = false;
    float x = 0.0F, y = 0.0F;  ///< for a boolean, x is 0 or 1
};

struct InteractionProfile {
    std::int64_t time_ns = 0;
    ActionSource source = ActionSource::left;
    std::string profile;  ///< empty: none
};

/// Velocities of a hand's joints as the device reported them, in LOCAL.
struct HandVelocity {
    static constexpr std::uint8_t kLinearValid = 1, kAngularValid = 2;  // as OpenXR's
    struct Joint {
        Eigen::Vector3f linear_m_s = Eigen::Vector3f::Zero(), angular_rad_s = Eigen::Vector3f::Zero();
        std::uint8_t flags = 0;  ///< 0: not known
    };
    std::int64_t time_ns = 0;  ///< of the sample with this hand
    tracking::Side side = tracking::Side::right;
    std::array<Joint, tracking::kJointCount> joints;
};

/// Size of hand_velocity.velocities: 26 times six little-endian floats (linear m/s, angular rad/s), then 26 flags.
inline constexpr std::size_t kVelocityBytes = tracking::kJointCount * (6 * 4 + 1);
using VelocityBlob = std::array<unsigned char, kVelocityBytes>;
void pack_velocity(const HandVelocity& hand, VelocityBlob& blob);
/// Decodes a blob. Returns false if it has another size or undefined flags.
bool unpack_velocity(std::span<const unsigned char> blob, HandVelocity& hand);

/// The application part of a log. Frames, haptics, the poses of one subject, and the states of one action and source
/// are each in time order. So are the velocities of a hand.
struct ApplicationLog {
    std::string name;  ///< name of the application; empty: the log has none
    std::vector<AppFrame> frames;
    std::vector<AppPose> poses;
    std::vector<AppAction> actions;
    std::vector<ActionState> states;
    std::vector<InteractionProfile> profiles;
    std::vector<HapticRecord> haptics;  ///< haptic commands of the application
    std::vector<HandVelocity> velocities;

    bool is_empty() const { return frames.empty() && poses.empty() && states.empty() && haptics.empty(); }
};

/// Reads the application part of a log. The result is empty if the log has no such part or the file is not a log.
/// Throws ImportError if the log is damaged.
ApplicationLog read_application_log(const std::filesystem::path& path);

}  // namespace glovebox::recordings
