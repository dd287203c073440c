// Which refit method would make the whole frame fastest on the input at hand.
//
// Now and then a frame that is done is done again: by the method in use and by one other, each after the frame before
// it, so that both begin with the same caches. The difference of the two, put into what the whole frame cost, says what
// that frame would have cost with the other method. The session runs this outside of the frame's time.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "scenes/step.h"
#include "vr/session/stage_stats.h"

namespace glovebox::vr {

using Clock = std::int64_t (*)();  ///< nanoseconds, monotonic

/// Speed of the whole frame with another method: 1.2 is a fifth more frames a second.
struct FrameSpeed {
    double median = 0.0, low = 0.0;  ///< low: with 99 % confidence the median is not below
    double mean = 0.0;               ///< over all frames together: a method may be cheap while nothing is near
};

class MethodRace {
  public:
    static constexpr std::size_t kMinFrames = 20;   ///< of a method, before anything is said about it
    static constexpr std::size_t kMaxFrames = 512;  ///< of a method that are kept: the newest
    static constexpr double kMinSpeed = 1.10;       ///< of the whole frame, before a method is recommended

    struct Entry {
        const collision::RefitMethod* method = nullptr;
        DurationHistogram cost;                   ///< refit, box tests and exact tests of both hands
        std::vector<double> speeds;               ///< of the whole frame, by frame
        double total_ns = 0.0, with_it_ns = 0.0;  ///< sums over all frames: as they were, as they would have been
    };

    MethodRace();

    /// Runs the method in use and the next other one on the frame that `world` was stepped with: `colliders` as they
    /// stood when it was tested, `frame_ns` what the whole frame cost. Changes nothing but this.
    void measure(const scenes::Scene& scene, const scenes::World& world,
                 const std::vector<collision::Collider>& colliders, std::int64_t frame_ns, Clock clock);

    /// Of an entry; all zero before kMinFrames.
    FrameSpeed speed_of(const Entry& entry) const;
    /// Median cost on this input, microseconds; 0 before kMinFrames.
    double typical_us(const Entry& entry) const;
    /// "aabb is fastest on this recording: the whole frame 1.3x as fast as with cab", or that none is; empty until
    /// every method has been measured.
    std::string advice() const;
    /// The method that advice() recommends; null: none.
    const collision::RefitMethod* advised() const;

    std::vector<Entry> entries;  ///< one per entry of refit_methods()
    const collision::RefitMethod* in_use = nullptr;
    DurationHistogram time;  ///< that measuring took, by frame: not part of any frame

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
