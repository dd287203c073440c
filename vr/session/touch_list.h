// Collects all touches of a session in a list, with the intervals without tracking, and the nearest approach if nothing
// was touched. The command `touches`, the window's lanes, videos and HTML pages use these values.
#pragma once

#include <string>
#include <vector>

#include "recordings/log/log_writer.h"
#include "vr/session/touches.h"
#include "vr/session/view_model.h"

namespace glovebox::vr {

class Session;

/// The smallest distance between a hand and an object in a recording.
struct Approach {
    int object = -1;  ///< -1: no hand is ever tracked, or there is no object
    int bone = -1;
    tracking::Side side = tracking::Side::right;
    double time_s = 0.0;
    float distance_m = 0.0F;
    float object_size_m = 0.0F;  ///< longest side of its box
};

/// The touches of a session, with the facts that a printed list needs.
struct TouchList {
    std::string recording, format, scene, placement;
    TouchBy by = TouchBy::finger;
    double touch_m = 0.0;                ///< distance at which the scene's touches begin
    std::vector<std::string> objects;    ///< names, by Touch::object
    tracking::PerSide<bool> hands = {};  ///< sides in use
    double duration_s = 0.0;
    std::uint64_t frames = 0;
    std::vector<Touch> touches;                     ///< sorted by begin, then hand, part, object
    std::vector<Interval> gaps;                     ///< times without samples
    tracking::PerSide<std::vector<Interval>> lost;  ///< times with samples in which this hand is not tracked
    bool has_forces = false;                        ///< the log contains force commands
    Approach nearest;                               ///< set if nothing is touched in a recording
};

/// Collects the list while a session runs.
class TouchCollector {
  public:
    TouchCollector(const Session& session, TouchBy by);
    /// Adds the session's last frame; call after each one.
    void add(const Session& session);
    /// Returns the list and leaves the collector empty. Call it after the last frame.
    TouchList finish(const Session& session);

  private:
    void keep(std::span<const Touch> ended);

    TouchList list_;
    TouchTracker tracker_;
    std::int64_t gap_ns_;
    tracking::PerSide<double> lost_since_s_ = {-1.0, -1.0};
};

/// Runs a recording's session to its end and returns its touches.
TouchList touches_of(Session& session, TouchBy by);

/// Sets each touch's peak force: the strongest command to the touching part of the hand during the touch. In lists by
/// bone, commands to the bone's finger are used.
void add_forces(std::span<const recordings::ForceRecord> forces, TouchList& list);

/// Returns the smallest distance between hands and objects in about `samples` evenly spaced frames of a recording, up
/// to the last one replayed. Objects with a recorded motion follow it; all others stay where they start. Distances are
/// exact; a frame takes about a millisecond in scenes with meshes.
Approach nearest_approach(const Session& session, int samples = 200);

/// If no object was touched, returns a sentence or two on the possible reason and a remedy; otherwise returns an empty
/// string.
std::string why_no_touch(const Approach& nearest, std::span<const std::string> objects, double touch_m);

}  // namespace glovebox::vr
