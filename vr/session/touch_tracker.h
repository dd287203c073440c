// A touch of a part of a hand, from its begin to its end: the one grouping of bones that the report, the `touches`
// command, the window's lanes, videos, pages, the C interface and the Python module share.
//
// A touch is the step's own: it begins with the event touch_begin and ends with touch_end, so that hysteresis, dwell
// and bridged losses are those of the scene (scenes/events.h). Bones are grouped by finger, or all of a hand: a group
// touches an object while any of its bones does.
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

/// What counts as one: a finger (0 thumb .. 4 little; 5 the palm, which the metacarpals of the fingers belong to, as in
/// scenes::part_of_bone()), a bone (scenes::hand_body()), or the whole hand.
enum class TouchBy : std::uint8_t { finger, bone, object };
std::optional<TouchBy> find_touch_by(std::string_view name);  ///< "finger", "bone", "object"
int parts_by(TouchBy by);                                     ///< 6, 20, 1
/// "index", "index tip", "hand".
std::string part_name(TouchBy by, int part);

/// One uninterrupted touch of one part of a hand on one object.
struct Touch {
    enum class End : std::uint8_t { left, lost, open };  ///< moved away; tracking was lost; goes on at the end
    tracking::Side side = tracking::Side::right;
    std::int32_t part = 0, object = 0;
    std::int64_t begin_ns = 0, end_ns = 0;                      ///< of the samples' time, as in World::time_ns
    std::int64_t unseen_ns = 0;                                 ///< of that, how long no sample or no hand was there
    float deepest_m = 0.0F;                                     ///< max(0, -distance) at the end of a frame
    std::int64_t deepest_ns = 0;                                ///< when
    Eigen::Vector3f deepest_point_m = Eigen::Vector3f::Zero();  ///< where, on the object in the scene's frame
    double mean_speed_m_s = 0.0;  ///< of the nearest bone against the object at the contact, over the frames
    std::uint64_t frames = 0;
    float peak_force = std::numeric_limits<float>::quiet_NaN();  ///< 0..1 of the recorded commands; NaN: none recorded
    End end = End::open;

    double begin_s() const { return 1e-9 * static_cast<double>(begin_ns); }
    double end_s() const { return 1e-9 * static_cast<double>(end_ns); }
    double duration_s() const { return 1e-9 * static_cast<double>(end_ns - begin_ns); }
};

std::string_view name_of(Touch::End end);  ///< "left", "lost", "open"

/// Follows a session frame by frame. No allocation after construction.
class TouchTracker {
  public:
    explicit TouchTracker(const scenes::Scene& scene, TouchBy by = TouchBy::finger);

    /// One frame. Returns the touches that ended in it, valid until the next call. Cost: the frame's events and
    /// contacts. `gap_ns`: a step longer than this is a hole in the recording.
    std::span<const Touch> add(const scenes::World& world, const scenes::StepReport& report,
                               std::int64_t gap_ns = std::numeric_limits<std::int64_t>::max());
    /// Ends what goes on, as `open`: the scene starts over, or the recording is at its end. Valid until the next call.
    std::span<const Touch> end_all();
    /// The touch that goes on, with its end at the last frame; empty: none does.
    std::optional<Touch> now(tracking::Side side, int part, int object) const;
    TouchBy by() const { return by_; }

  private:
    struct Group {
        Touch touch;
        double speeds_m_s = 0.0;  // sum over the frames
        float nearest_m = 0.0F;   // of its bones in this frame
        float speed_m_s = 0.0F;   // of that bone
        bool open = false;        // touches
        bool met = false;         // a bone of it touches in this frame,
        bool seen = false;        // and the tracker has it
        bool lost = false;        // its last bone was lost in this frame
    };
    std::size_t index_of(tracking::Side side, int bone, int object) const;
    void meet(const scenes::Event& event);  // a bone that touches in this frame
    Touch finished(const Group& group, std::int64_t end_ns, Touch::End how) const;

    TouchBy by_;
    std::size_t objects_, parts_;
    std::int64_t time_ns_ = -1;
    std::vector<Group> groups_;      // [side][part][object]
    std::vector<std::size_t> open_;  // groups that touch
    std::vector<Touch> ended_;
};

}  // namespace glovebox::vr
