// Measures which refit method would make the whole frame fastest on the current input.
//
// At intervals, a finished frame is recomputed by the method in use and by one other method. Each run first repeats the
// previous frame, so that both start with the same caches. The frame's time, with one run's time replaced by the
// other's, is its time with the other method. The session does this outside of the frame's time.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "scenes/step.h"
#include "vr/session/stage_stats.h"

namespace glovebox::vr {

using Clock = std::int64_t (*)();  ///< nanoseconds, monotonic

/// Speed of the whole frame with another method, relative to the one in use: 1.2 is 20 % more frames a second.
struct FrameSpeed {
    double median = 0.0, low = 0.0;  ///< low: lower end of the median's 99 % confidence interval
    double mean = 0.0;               ///< ratio of the total times: frames with nothing near count little
};

/// Times the methods against each other and recommends one.
class MethodRace {
  public:
    static constexpr std::size_t kMinFrames = 20;   ///< measured frames per method before a result is given
    static constexpr std::size_t kMaxFrames = 512;  ///< newest frames kept per method
    static constexpr double kMinSpeed = 1.10;       ///< speed of the whole frame from which a method is recommended

    struct Entry {
        const collision::RefitMethod* method = nullptr;
        DurationHistogram cost;                   ///< refit, box tests and exact tests of both hands
        std::vector<double> speeds;               ///< relative speed of the whole frame, per measured frame
        double total_ns = 0.0, with_it_ns = 0.0;  ///< total frame time with the method in use, and with this one
    };

    MethodRace();

    /// Runs the method in use and the next entry on the frame that `world` was last stepped with. `colliders`: the
    /// objects as the frame tested them. `frame_ns`: time of the whole frame. Modifies only this object.
    void measure(const scenes::Scene& scene, const scenes::World& world,
                 const std::vector<collision::Collider>& colliders, std::int64_t frame_ns, Clock clock);

    /// Returns an entry's speed; all zero before kMinFrames.
    FrameSpeed speed_of(const Entry& entry) const;
    /// Returns the median cost on this input in microseconds; 0 before kMinFrames.
    double typical_us(const Entry& entry) const;
    /// Returns "aabb is fastest on this recording: the whole frame 1.3x as fast as with cab", or that no method is
    /// clearly faster. Empty until every method has been measured kMinFrames times.
    std::string advice() const;
    /// Returns the method that advice() recommends; null: none.
    const collision::RefitMethod* advised() const;

    std::vector<Entry> entries;  ///< one per entry of refit_methods()
    const collision::RefitMethod* in_use = nullptr;
    DurationHistogram time;  ///< time that each measurement took; not part of any frame's time

  private:
    const Entry* best() const;
    void start_over(const collision::RefitMethod* method);
    std::int64_t cost_ns(const collision::RefitMethod& method, const scenes::Scene& scene, const scenes::World& world,
                         const std::vector<collision::Collider>& colliders, Clock clock);

    collision::BodyBoxes boxes_;
    std::vector<collision::Candidate> candidates_;
    std::vector<collision::Contact> contacts_;
    collision::DescentMemory descent_{scenes::kHandBoneCount};
    collision::ObjectTree tree_;
    std::size_t next_ = 0;
};

}  // namespace glovebox::vr
