// Detects touches between the fingers of one hand, and between the two hands.
//
// This sink reads the poses of the step and changes nothing, so state hashes are the same with and without it. A touch
// begins when the distance falls to the scene's touch_enter_m, and ends beyond touch_exit_m, but not before dwell_ns
// have passed. Within one hand only bones of different fingers count (ArticulatedBody::may_collide); between two hands
// all bones do.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "collision/query/body_pairs.h"
#include "scenes/scene.h"
#include "tracking/hand_parts.h"
#include "vr/session/sink.h"

namespace glovebox::scenes {
struct World;
}

namespace glovebox::vr {

/// A finger or the palm of one of the two hands.
struct HandPart {
    tracking::Side side = tracking::Side::left;
    int part = 0;  ///< 0 thumb .. 4 little, 5 palm, as in tracking/hand_parts.h
};

/// Counts the touches between each pair of parts of the hands, and measures their durations.
class HandTouches final : public Sink {
  public:
    explicit HandTouches(const scenes::TouchThresholds& thresholds);

    void frame(const Session& session) override;
    /// Adds `hand_touches`: [{hand, finger, other_hand, other_finger, count, total_s, longest_s, deepest_m}].
    void finish(const Session& session, nlohmann::ordered_json& report) override;
    std::string text() const override;

    /// Adds the hands of one frame. Does not allocate after the first frames. Takes a few microseconds if fingers meet,
    /// and about one microsecond otherwise.
    void add(const scenes::World& world);

    /// Totals of the touches between two parts.
    struct Sum {
        std::uint64_t count = 0;  ///< number of touches that began
        double total_s = 0.0, longest_s = 0.0;
        float deepest_m = 0.0F;
    };
    /// Returns the totals for two parts, in either order. A touch that is still going on counts up to the last frame.
    Sum of(HandPart a, HandPart b) const;

  private:
    struct State {
        Sum sum;
        bool on = false;
        std::int64_t since_ns = 0;
        float nearest_m = 0.0F;  // smallest distance in this frame
    };
    static constexpr int kParts = 2 * tracking::kHandPartCount;
    State& state_of(HandPart a, HandPart b);
    void meet(const scenes::World& world, tracking::Side side_a, tracking::Side side_b);
    void end(State& state) const;

    scenes::TouchThresholds thresholds_;
    std::array<State, kParts * kParts> states_;  // [lower number][higher]
    std::vector<collision::BonePair> pairs_;     // scratch: bones that may touch
    std::int64_t time_ns_ = -1;
};

}  // namespace glovebox::vr
