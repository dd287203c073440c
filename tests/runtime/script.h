// The script: what the runtime offers, how the hands move and which faults occur when. README.md lists the commands.
#pragma once

#include <openxr/openxr.h>

#include <array>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "tests/runtime/hand_motion.h"
#include "tests/runtime/pose.h"

namespace glovebox::tests::runtime {

enum class HandFault {
    none,
    dropped,
    untracked,  ///< as dropped, but the controller remains tracked
    not_finite,
    not_finite_ahead,  ///< not finite only for times in the future
    zeros,
    no_radii,
    not_valid,
    not_unit,
    frozen
};

enum class EventKind {
    hand,                  ///< side, fault
    jump,                  ///< side, vector_m
    trigger,               ///< side, number
    squeeze,               ///< side, number
    state,                 ///< target
    stopping,              ///< number: seconds until READY again
    exiting,               ///< the user closed the application from the headset
    session_loss_pending,  ///< number: seconds until the session is lost
    session_lost,          ///< number: seconds without a headset
    loss_pending,          ///< number: seconds until the instance is lost
    instance_lost,         ///< number: seconds without a runtime
    recenter,              ///< pose
    head,                  ///< pose: the head's from now on
    profile,               ///< text, "none" for no controllers
    stall,                 ///< number: seconds that the next xrWaitFrame takes longer
    late_images,           ///< number: calls of xrWaitSwapchainImage that time out
    stage_moved,           ///< the STAGE space changes, LOCAL does not
    message,               ///< text: a warning to every messenger (XR_EXT_debug_utils)
};

/// An event that happens once, at the given frame count or time.
struct ScriptEvent {
    std::optional<int> frame;
    std::optional<double> time_s;
    EventKind kind = EventKind::hand;
    std::size_t side = 0;
    HandFault fault = HandFault::none;
    XrVector3f vector_m{};
    XrPosef pose = kIdentityPose;
    XrSessionState target = XR_SESSION_STATE_UNKNOWN;
    double number = 0.0;
    std::uint32_t width = 0;  ///< of late_images: only of swapchains so wide; 0: of any
    std::string text;
    bool done = false;
};

struct Script {
    double rate_hz = 90.0;
    std::vector<double> rates_hz;  ///< display refresh rates offered to the application; empty: rate_hz only
    bool pace_headless = false;
    bool stretches = false;  ///< a late frame is told a period as long as the time since the last frame
    enum class HeadlessFrames { allow, ignore, refuse } headless_frames = HeadlessFrames::allow;
    XrExtent2Di eye_size{640, 640};
    XrPosef stage_from_head{{0, 0, 0, 1}, {0.0F, 1.5F, 0.0F}};
    std::array<XrFovf, 2> fov{{{-0.76F, 0.76F, 0.76F, -0.76F}, {-0.76F, 0.76F, 0.76F, -0.76F}}};
    float canted_deg = 0.0F;  ///< angle by which each eye looks outwards
    std::vector<XrEnvironmentBlendMode> blend_modes{XR_ENVIRONMENT_BLEND_MODE_OPAQUE};
    int most_swapchains = 1000;
    int most_layers = 16;      ///< maximum per frame
    int layers_said = 0;       ///< in xrGetSystemProperties; 0: most_layers
    int begin_fails = 0;       ///< calls of xrBeginSession that fail before one succeeds
    std::string loss_seen_in;  ///< a loss is first answered by a call whose name begins so; before, all goes on
    std::string slow_call;     ///< each call of this name takes `slow_s` longer
    double slow_s = 0.0;
    bool stale_events = false;  ///< a destroyed session still sends a state event: EXITING
    bool honour_time = true;    ///< joints are located for the time asked for; false: as they were at xrWaitFrame
    float noise_m = 0.0F;
    bool velocities = true;
    bool hand_tracking = true;  ///< supported by the system; `without` hides the extension itself
    bool force_feedback = true;
    std::set<std::string> without;
    int unavailable = 0;  ///< calls of xrCreateInstance that fail before one succeeds
    int no_headset = 0;   ///< calls of xrGetSystem that fail before one succeeds
    std::string profile = "/interaction_profiles/khr/simple_controller";
    std::array<HandMotion, 2> hands;  ///< left, right
    std::vector<ScriptEvent> events;

    std::string log_path;          ///< "-" is stderr; empty: none
    std::string eyes_folder;       ///< empty: no pictures
    std::vector<int> eyes_frames;  ///< or
    int eyes_every = 0;            ///< every n-th
    bool quads = false;            ///< the images of quad layers, too
    bool eyes_frame(int frame) const;
};

/// Reads a script; relative paths are relative to it. Throws std::runtime_error: one line with file, line and reason.
Script read_script(const std::string& path);

/// Returns the script used if none is given: both hands tapping in front of the head.
Script default_script();

}  // namespace glovebox::tests::runtime
