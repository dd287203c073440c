// All touches of a session as a list, with what was not seen of the hands, and how near they came to what they did not
// touch. Plain values: the command `touches`, the window's lanes, videos and pages are made from them.
#pragma once

#include <string>
#include <vector>

#include "recordings/log/log_writer.h"
#include "vr/session/touches.h"
#include "vr/session/view_model.h"

namespace glovebox::vr {

class Session;

/// How near a hand comes to an object, over a recording.
struct Approach {
    int object = -1;  ///< -1: no hand is ever seen, or there is no object
    int bone = -1;
    tracking::Side side = tracking::Side::right;
    double time_s = 0.0;
    float distance_m = 0.0F;
    float object_size_m = 0.0F;  ///< longest side of its box
};

struct TouchList {
    std::string recording, format, scene, placement;
    TouchBy by = TouchBy::finger;
    double touch_m = 0.0;                ///< distance at which the scene's touches begin
    std::vector<std::string> objects;    ///< names, by Touch::object
    tracking::PerSide<bool> hands = {};  ///< that are looked at
    double duration_s = 0.0;
    std::uint64_t frames = 0;
    std::vector<Touch> touches;                     ///< by begin, then hand, part, object
    std::vector<Interval> gaps;                     ///< of the recording: no samples
    tracking::PerSide<std::vector<Interval>> lost;  ///< samples, but not this hand
    bool has_forces = false;                        ///< of a log that recorded them
    Approach nearest;                               ///< filled where nothing is touched
};

/// Gathers the list while a session runs.
class TouchCollector {
  public:
    TouchCollector(const Session& session, TouchBy by);
    /// After each of the session's frames.
    void add(const Session& session);
    /// After the last one. The collector is empty then.
    TouchList finish(const Session& session);

  private:
    void keep(std::span<const Touch> ended);

    TouchList list_;
    TouchTracker tracker_;
    std::int64_t gap_ns_;
    tracking::PerSide<double> lost_since_s_ = {-1.0, -1.0};
};

/// Runs a recording's session to its end.
TouchList touches_of(Session& session, TouchBy by);

/// Adds to each touch the strongest command that its part of the hand got meanwhile. Lists by bone get their finger's.
void add_forces(std::span<const recordings::ForceRecord> forces, TouchList& list);

/// Looks at up to `samples` moments of a recording, objects where they start or where their track has them. Exact
/// distances; about a millisecond each in scenes with meshes.
Approach nearest_approach(const Session& session, int samples = 200);

/// Why there may be nothing to touch, in a sentence or two with what to try. Empty where something is touched.
std::string why_no_touch(const Approach& nearest, std::span<const std::string> objects, double touch_m);

}  // namespace glovebox::vr
