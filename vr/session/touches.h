// Totals and newest touches of a session, for the report and the window.
#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <vector>

#include "vr/session/touch_tracker.h"

namespace glovebox::vr {

/// Touches of a session by finger and object. Sums include every touch of a session of any length. The list holds only
/// the newest touches: at least kMaxRecent / 2 of them if there were so many, and at most kMaxRecent. Does not allocate
/// after construction.
class Touches {
  public:
    static constexpr std::size_t kMaxRecent = 4096;
    explicit Touches(const scenes::Scene& scene);

    struct Sum {
        std::uint64_t count = 0;  ///< number of touches that began
        double total_s = 0.0;     ///< sum of their durations
        double longest_s = 0.0;
        float deepest_m = 0.0F;
        std::int64_t last_end_ns = -1;  ///< end of the latest touch; -1: none has ended
    };

    void add(const scenes::World& world, const scenes::StepReport& report);
    /// Ends the touches in progress; call it when the scene restarts.
    void restart();
    bool touching(tracking::Side side, int part, int object) const {
        return tracker_.now(side, part, object).has_value();
    }
    /// Returns [{hand, finger, object, count, total_s, longest_s, deepest_m}] for the pairs that touched. Touches in
    /// progress count up to the last frame.
    nlohmann::ordered_json json(const scenes::Scene& scene) const;
    /// Returns [{hand, finger, object, begin_s, end_s, deepest_m, mean_speed_m_s, ended}] for the newest touches,
    /// sorted by begin.
    nlohmann::ordered_json list_json(const scenes::Scene& scene) const;

  private:
    void count(std::span<const Touch> ended);
    std::size_t index_of(tracking::Side side, int part, int object) const;

    TouchTracker tracker_;
    std::size_t objects_;
    std::vector<Sum> sums_;
    std::vector<Touch> recent_;
};

}  // namespace glovebox::vr
