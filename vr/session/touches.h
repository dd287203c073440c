// What a session has touched: the sums and the newest touches, for the report and the window.
#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <vector>

#include "vr/session/touch_tracker.h"

namespace glovebox::vr {

/// What a session has touched, by finger and object. Sums are exact however long it lasts; of the touches themselves
/// the newest are kept, between half of kMaxRecent and all of it. No allocation after construction.
class Touches {
  public:
    static constexpr std::size_t kMaxRecent = 4096;
    explicit Touches(const scenes::Scene& scene);

    struct Sum {
        std::uint64_t count = 0;  ///< touches that began
        double total_s = 0.0;     ///< of all of them
        double longest_s = 0.0;
        float deepest_m = 0.0F;
        std::int64_t last_end_ns = -1;  ///< of the latest of them
    };

    void add(const scenes::World& world, const scenes::StepReport& report);
    /// The scene starts over: what goes on ends here.
    void restart();
    bool touching(tracking::Side side, int part, int object) const {
        return tracker_.now(side, part, object).has_value();
    }
    /// What goes on counts up to the last frame. [{hand, finger, object, count, total_s, longest_s, deepest_m}], those
    /// that touched.
    nlohmann::ordered_json json(const scenes::Scene& scene) const;
    /// [{hand, finger, object, begin_s, end_s, deepest_m, mean_speed_m_s, ended}], the newest, by their begin.
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
