// Tracks touches of parts of a hand from begin to end. The report, the `touches` command, the window's lanes, videos,
// HTML pages, the C interface and the Python module all use these touches.
//
// A bone's touch begins with the step's event touch_begin and ends with touch_end, so hysteresis, dwell and bridged
// losses follow the scene's settings (scenes/events.h). Bones can be grouped by finger or by hand: a group touches an
// object while any of its bones touches it.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scenes/step.h"

namespace glovebox::vr {

/// Grouping of bones into parts. `finger`: 0 thumb .. 4 little, 5 palm with the fingers' metacarpals, as in
/// scenes::part_of_bone(). `bone`: each bone of scenes::hand_body() is a part. `object`: the whole hand is one part.
enum class TouchBy : std::uint8_t { finger, bone, object };
std::optional<TouchBy> find_touch_by(std::string_view name);  ///< "finger", "bone", "object"
int parts_by(TouchBy by);                                     ///< returns the number of parts: 6, 20 or 1
/// Returns the name of a part: "index", "index tip" or "hand".
std::string part_name(TouchBy by, int part);

/// One uninterrupted touch of one part of a hand on one object.
struct Touch {
    enum class End : std::uint8_t { left, lost, open };  ///< moved away; tracking was lost; still touching at the end
    tracking::Side side = tracking::Side::right;
    std::int32_t part = 0, object = 0;
    std::int64_t begin_ns = 0, end_ns = 0;  ///< sample times, as in World::time_ns
    std::int64_t unseen_ns = 0;             ///< time within the touch without samples or without the hand
    float deepest_m = 0.0F;                 ///< max(0, -distance) at the end of a frame
    std::int64_t deepest_ns = 0;            ///< time of deepest_m
    Eigen::Vector3f deepest_point_m = Eigen::Vector3f::Zero();  ///< world-space point on the object at deepest_ns
    /// Mean speed of the part's nearest bone relative to the object, at the contact.
    double mean_speed_m_s = 0.0;
    std::uint64_t frames = 0;
    float peak_force = std::numeric_limits<float>::quiet_NaN();  ///< strongest recorded command, 0..1; NaN: none
    End end = End::open;

    double begin_s() const { return 1e-9 * static_cast<double>(begin_ns); }
    double end_s() const { return 1e-9 * static_cast<double>(end_ns); }
    double duration_s() const { return 1e-9 * static_cast<double>(end_ns - begin_ns); }
};

std::string_view name_of(Touch::End end);  ///< "left", "lost", "open"

/// Tracks the touches of a session frame by frame. Does not allocate after construction.
class TouchTracker {
  public:
    explicit TouchTracker(const scenes::Scene& scene, TouchBy by = TouchBy::finger);

    /// Adds a frame. Returns the touches that ended in it, valid until the next call. Takes time linear in the frame's
    /// events and contacts. A step longer than `gap_ns` counts as a gap in the recording.
    std::span<const Touch> add(const scenes::World& world, const scenes::StepReport& report,
                               std::int64_t gap_ns = std::numeric_limits<std::int64_t>::max());
    /// Ends all touches in progress as `open`; call it when the scene restarts or the recording ends. Returns these
    /// touches, valid until the next call.
    std::span<const Touch> end_all();
    /// Returns the touch in progress, with its end at the last frame; empty if there is none.
    std::optional<Touch> now(tracking::Side side, int part, int object) const;
    TouchBy by() const { return by_; }

  private:
    struct Group {
        Touch touch;
        double speeds_m_s = 0.0;  // sum over the frames
        float nearest_m = 0.0F;   // smallest distance of its bones in this frame
        float speed_m_s = 0.0F;   // speed of the bone with that distance
        bool open = false;        // the group is touching
        bool met = false;         // one of its bones touches in this frame
        bool seen = false;        // the touching bone is tracked
        bool lost = false;        // its last bone was lost in this frame
    };
    std::size_t index_of(tracking::Side side, int bone, int object) const;
    void meet(const scenes::Event& event);  // adds a bone that touches in this frame
    Touch finished(const Group& group, std::int64_t end_ns, Touch::End how) const;

    TouchBy by_;
    std::size_t objects_, parts_;
    std::int64_t time_ns_ = scenes::kNoTime;
    std::vector<Group> groups_;      // [side][part][object]
    std::vector<std::size_t> open_;  // groups that touch
    std::vector<Touch> ended_;
};

}  // namespace glovebox::vr
