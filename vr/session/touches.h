// Who touched what: for each finger and object how often, how long and how deep. Counted frame by frame from the step's
// events, so that hysteresis and dwell are those of the events.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <vector>

#include "scenes/step.h"

namespace glovebox::vr {

/// One finger (0 thumb .. 4 little, 5 palm) of one hand on one object.
struct FingerTouch {
    std::uint64_t count = 0;  ///< touches that began
    double total_s = 0.0;     ///< of all of them
    double longest_s = 0.0;
    float deepest_m = 0.0F;
    int bones = 0;              ///< that touch now
    std::int64_t since_ns = 0;  ///< when the touch that goes on began
};

class Touches {
  public:
    static constexpr std::size_t kParts = 6;
    explicit Touches(const scenes::Scene& scene) : objects_(scene.objects.size()), touches_(2 * kParts * objects_) {}

    void add(const scenes::World& world, const scenes::StepReport& report);
    /// The scene starts over: what goes on ends here.
    void restart(std::int64_t time_ns);

    const FingerTouch& of(tracking::Side side, std::size_t part, std::size_t object) const {
        return touches_[(static_cast<std::size_t>(side) * kParts + part) * objects_ + object];
    }
    /// [{hand, finger, object, count, total_s, longest_s, deepest_m}], those that touched; what goes on ends at
    /// `time_ns`.
    nlohmann::ordered_json json(const scenes::Scene& scene, std::int64_t time_ns) const;

  private:
    void end(FingerTouch& touch, std::int64_t time_ns) const;

    std::size_t objects_;
    std::vector<FingerTouch> touches_;  // [side][part][object]
};

}  // namespace glovebox::vr
