// Measures which refit method would make the whole frame fastest on the current input.
//
// At intervals, a finished frame is recomputed with the method in use and with one other method. Each of these two runs
// first repeats the previous frame, so that both start with the same caches. The difference of the two runs' times is
// added to the measured time of the frame; the sum estimates the frame's time with the other method. The session does
// this outside of the frame's time.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "scenes/step.h"
#include "vr/session/stage_stats.h"

namespace glovebox::vr {

using Clock = std::int64_t (*)();  ///< nanoseconds, monotonic

/// A median and its 99 % confidence interval.
struct MedianInterval {
    double median, low, high;
};
/// Computes both by order statistics of the binomial, for any distribution of the values. There must be at least one.
MedianInterval median_interval(std::vector<double> values);

/// Speed of the whole frame with another method, relative to the method in use: 1.2 means 20 % more frames a second.
struct FrameSpeed {
    double median = 0.0, low = 0.0;  ///< low: lower end of the median's 99 % confidence interval
    /// Ratio of the total times, in which short frames (with no object near) weigh little.
    double mean = 0.0;
};

/// Times the methods against each other and recommends one.
class MethodRace {
  public:
    static constexpr std::size_t kMinFrames = 20;   ///< measured frames per method before a result is given
    static constexpr std::size_t kMaxFrames = 512;  ///< newest frames kept per method
    /// A method is recommended if it makes the whole frame at least this fast.
    static constexpr double kMinSpeed = 1.10;

    struct Entry {
        const collision::RefitMethod* method = nullptr;
        DurationHistogram cost;      ///< refit, box tests and exact tests of both hands
        std::vector<double> speeds;  ///< relative speed of the whole frame, per measured frame
        /// Total time of the measured frames, and the estimate with this method.
        double total_ns = 0.0, with_it_ns = 0.0;
    };

    MethodRace();

    /// Runs the method in use and the next entry on the last frame with which `world` was stepped. `colliders` are the
    /// objects as the frame tested them; `frame_ns` is the time of the whole frame. Modifies only this object.
    void measure(const scenes::Scene& scene, const scenes::World& world,
                 const std::vector<collision::Collider>& colliders, std::int64_t frame_ns, Clock clock);

    /// Returns an entry's speed; all fields are 0 before kMinFrames frames have been measured.
    FrameSpeed speed_of(const Entry& entry) const;
    /// Returns the median cost on this input in microseconds; 0 before kMinFrames frames have been measured.
    double typical_us(const Entry& entry) const;
    /// Returns a sentence such as "aabb is fastest on this recording: the whole frame 1.3x as fast as with cab". If no
    /// method is clearly faster, the sentence says so. Returns an empty string until every method has been measured
    /// kMinFrames times.
    std::string advice() const;
    /// Returns the method that advice() recommends, or null if it recommends none.
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
